package catalogue

import (
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
)

// askHours answers when the house is open.
func (q hoursQuestion) askHours() (Reply, bool) {
	if q.about(hours, openNow, closing) {
		q.markDates()
	}
	if !q.asksHours() && !q.says("asks_break") && !q.says("asks_latest") {
		return Reply{}, false
	}
	h := q.c.house
	q.account(hours, openNow, closing)
	a := q.readDays()
	onHolidays := q.about(festive) && a.none()
	switch {
	case !h.open && (onHolidays || a.feast || !a.first.IsZero()):
		return q.askUsual()
	case !h.open:
		return q.reply(hours, quote(q.lang, h.business.HoursHuman))
	case onHolidays:
		return q.askHolidays()
	case a.none() && !a.timed() && q.says("asks_latest"):
		q.said(wordsOf("latest words"))
		return q.reply(hours, q.sayLatest())
	case a.none() && q.says("asks_break"):
		q.said(wordsOf("break words"))
		return q.reply(hours, q.sayBreaks())
	case q.unknown(a):
		if !a.first.IsZero() {
			return unsure(hours, wording(q.lang, "usual_then")+" "+h.usual(q.lang))
		}
		return q.askUsual()
	}
	q.account(festive)
	return q.reply(hours, q.sayHours(a))
}

// askPresence answers whether somebody works on some days of every week: "do you work
// Sundays?" Of a single day it may be a wish: "can you do Friday?"
func (q hoursQuestion) askPresence() (Reply, bool) {
	if !q.c.house.open || !slices.ContainsFunc(q.words, func(w token) bool { return wordsOf("present")[w.word] }) {
		return Reply{}, false
	}
	a := q.readDays()
	if len(a.weekly) == 0 || len(a.dates) > 0 || staffQuestion(q).wants() || !q.asksPresence() {
		return Reply{}, false
	}
	q.said(wordsOf("present"))
	return q.reply(hours, q.sayHours(a))
}

// unknown says whether the house has not said what its hours are on the days asked
// about: a day may be a public holiday, a month one in which it is away.
func (q hoursQuestion) unknown(a daysAsked) bool {
	h := q.c.house
	if !a.first.IsZero() {
		return !h.written && !h.holidays && !h.hours.ClosesByWords() && a.first.DaysUntil(a.last) >= 7 || a.feast && !h.holidays && len(h.hours.Special(a.first, a.last)) == 0
	}
	return slices.ContainsFunc(a.dates, func(d frontdesk.Date) bool {
		rests := a.feast || q.saysNumber() && opening.MayRest(h.country, d)
		return rests && !h.holidays && !h.hours.Excepted(d)
	})
}

// saysNumber says whether a number stands in the question: of a weekday nobody asks
// whether it is a holiday.
func (q hoursQuestion) saysNumber() bool { return slices.ContainsFunc(q.words, token.numeral) }

// askHolidays answers what becomes of public holidays. Only who has said it can tell.
func (q hoursQuestion) askHolidays() (Reply, bool) {
	h := q.c.house
	switch {
	case h.hours.ClosesByWords():
		q.account(festive)
		return q.reply(hours, quote(q.lang, h.business.HoursHuman))
	case !h.holidays:
		return q.askUsual()
	}
	q.account(festive)
	text := wording(q.lang, "holidays_closed")
	open, next := q.holidaysOpen()
	if len(open) > 0 {
		text = wording(q.lang, "holidays_but", "days", strings.Join(open, "; "))
	}
	if next.Name != "" {
		text += " " + wording(q.lang, "holiday_next", "date", dates.SayDate(next.Date, q.lang, q.now), "name", spoken(q.lang).HolidayName(next.Name))
	}
	return q.reply(hours, text)
}

// holidaysOpen are the public holidays of a year on which the house opens all the same,
// and the next on which an open day becomes a closed one.
func (q hoursQuestion) holidaysOpen() (open []string, next opening.Holiday) {
	h := q.c.house
	for _, day := range opening.HolidaysFrom(h.restRegion(), frontdesk.DateOf(q.now)) {
		periods := h.hours.Shown(day.Date)
		switch {
		case len(periods) > 0:
			open = append(open, q.nameDate(day.Date)+" "+sayShifts(q.lang, periods))
		case next.Name == "" && len(h.week[monday(day.Date.Weekday())]) > 0:
			next = day
		}
	}
	return open, next
}

// askUsual says the usual hours, for of that day nothing is known.
func (q hoursQuestion) askUsual() (Reply, bool) {
	usual := q.c.house.usual(q.lang)
	if usual == "" {
		return Reply{}, false
	}
	return unsure(hours, wording(q.lang, "usual_hours")+" "+usual)
}

func (h house) usual(lang string) string {
	if h.open {
		return h.sayWeek(lang)
	}
	if h.business.HoursHuman == "" {
		return ""
	}
	return quote(lang, h.business.HoursHuman)
}

func (q hoursQuestion) sayHours(a daysAsked) string {
	today := frontdesk.DateOf(q.now)
	switch {
	case !a.first.IsZero():
		return q.sayStretch(a)
	case len(a.dates) > 0:
		return q.sayEach(a)
	case len(a.weekly) > 0:
		return q.sayWeekly(a)
	case a.clock:
		a.dates = []frontdesk.Date{today}
		return q.sayEach(a)
	case a.timed():
		a.weekly = []int{0, 1, 2, 3, 4, 5, 6}
		return q.sayWeekly(a)
	case q.about(openNow) && !q.says("asks_which") || q.said(wordsOf("now")):
		return q.sayNow()
	case q.about(closing):
		return q.sayClosing()
	}
	return wording(q.lang, "hours_are") + " " + q.c.house.sayWeek(q.lang)
}

// sayClosing answers when the house closes, today if it opens today.
func (q hoursQuestion) sayClosing() string {
	if !q.focus.Date.IsZero() {
		return q.sayEach(daysAsked{dates: []frontdesk.Date{q.focus.Date}})
	}
	if h := q.c.house; h.hours.OpenAt(q.now) {
		if end, soon := h.closes(q.now); soon {
			return wording(q.lang, "close_today", "time", sayTime(q.lang, end))
		}
	}
	return q.sayEach(daysAsked{dates: []frontdesk.Date{frontdesk.DateOf(q.now)}})
}

// verdict is the answer to whether something is so, before the hours themselves.
type verdict int

const (
	notAsked verdict = iota
	yes
	no
)

// whether is the answer to whether the house is open, or closed, as it was asked.
func (q hoursQuestion) whether(open bool) verdict {
	if q.about(closing) || q.says("asks_which") || q.asksWhat() {
		return notAsked
	}
	asksClosed := slices.ContainsFunc(q.words, func(w token) bool { return wordsOf("asks closed")[w.word] })
	if open != asksClosed {
		return yes
	}
	return no
}

// asksWhat says whether a word asks what, when or how, outside of what names days.
func (q *question) asksWhat() bool {
	for i, w := range q.words {
		if wordsOf("asking words")[w.word] && !q.dated.any(i, i+1) {
			return true
		}
	}
	return false
}

// answer puts a yes or a no before what is said.
func (q *question) answer(v verdict, text string) string {
	switch v {
	case yes:
		return sentence(wording(q.lang, "whether_yes", "text", text))
	case no:
		return sentence(wording(q.lang, "whether_no", "text", text))
	}
	return sentence(text)
}

// covers says how much of a time of day lies within periods: nothing, less than half,
// more, or an unnamed time, which any opening covers.
func (a daysAsked) covers(periods []frontdesk.Period) (open, clear bool) {
	if !a.timed() {
		return len(periods) > 0, true
	}
	common := 0
	for _, p := range periods {
		common += max(0, min(p.End(), a.to)-max(p.From, a.from))
		common += max(0, min(p.End(), a.to+24*60)-max(p.From, a.from+24*60))
	}
	return 2*common >= a.to-a.from, common == 0 || 2*common >= a.to-a.from
}

// sayEach says the hours of dates, one after the other.
func (q hoursQuestion) sayEach(a daysAsked) string {
	var parts []string
	for _, d := range slices.Compact(slices.Clone(a.dates)) {
		parts = append(parts, q.sayDate(a, d))
	}
	return strings.Join(parts, " ")
}

// sayDate says the hours of a date: with a yes or a no where that was asked, why it is
// closed, and when it opens again.
func (q hoursQuestion) sayDate(a daysAsked, d frontdesk.Date) string {
	h := q.c.house
	periods := h.hours.Shown(d)
	open, clear := a.covers(periods)
	if a.clock {
		open = h.hours.OpenAt(d.At(a.from, h.hours.Zone()))
		if !open && len(periods) > 0 && q.whether(open) != notAsked {
			return wording(q.lang, "closed_then") + " " + sentence(q.sayPeriods(q.nameDay(d), periods))
		}
	}
	v := q.whether(open)
	if !clear {
		v = notAsked
	}
	if len(periods) > 0 {
		return q.answer(v, q.sayPeriods(q.nameDay(d), periods))
	}
	return q.answer(v, q.sayClosed(q.nameDay(d), h.hours.Day(d))) + q.sayReopening(d)
}

// sayClosed says that a day is closed, and why.
func (q hoursQuestion) sayClosed(when string, day opening.Day) string {
	reason := day.Reason
	if day.Holiday != "" {
		reason = spoken(q.lang).HolidayName(day.Holiday)
	}
	if reason == "" {
		return wording(q.lang, "day_closed", "when", when)
	}
	return wording(q.lang, "day_closed_for", "when", when, "reason", reason)
}

// sayReopening says when the house opens again after a day on which it is closed.
func (q hoursQuestion) sayReopening(d frontdesk.Date) string {
	h := q.c.house
	next, ok := h.hours.Reopens(d)
	if !ok {
		return ""
	}
	return " " + wording(q.lang, "reopens", "day", q.nameDay(next), "time", sayTime(q.lang, h.hours.Shown(next)[0].From))
}

// nameDay names a day: today, tomorrow, or the date.
func (q *question) nameDay(d frontdesk.Date) string {
	switch frontdesk.DateOf(q.now).DaysUntil(d) {
	case 0:
		return wording(q.lang, "today")
	case 1:
		return wording(q.lang, "tomorrow")
	}
	return hoursQuestion{q}.nameDate(d)
}

func (q hoursQuestion) sayPeriods(when string, periods []frontdesk.Period) string {
	switch {
	case len(periods) == 0:
		return wording(q.lang, "day_closed", "when", when)
	case q.about(closing) && !aroundTheClock(periods):
		return wording(q.lang, "day_closes", "when", when, "time", sayTime(q.lang, periods[len(periods)-1].To))
	}
	return wording(q.lang, "day_open", "when", when, "shift", sayShifts(q.lang, periods))
}

// everyDay names a weekday of every week: "on Saturdays".
func everyDay(lang string, d int) string {
	return wording(lang, "on_days", "day", strings.Fields(wording(lang, "weekly_days"))[d])
}

// sayWeekly says the hours of weekdays in every week, and of the next of them where
// they are others.
func (q hoursQuestion) sayWeekly(a daysAsked) string {
	h := q.c.house
	slices.Sort(a.weekly)
	days := slices.Compact(slices.Clone(a.weekly))
	if len(days) > 2 {
		text := sentence(h.runs(q.lang, slices.Clone(days)))
		open := slices.DeleteFunc(slices.Clone(days), func(d int) bool { return len(h.week[d]) == 0 })
		return q.prefixed(a, open, text)
	}
	var parts []string
	for _, d := range days {
		open, clear := a.covers(h.week[d])
		v := q.whether(open)
		if !clear || len(days) > 1 {
			v = notAsked
		}
		parts = append(parts, q.answer(v, q.sayPeriods(everyDay(q.lang, d), h.week[d])))
		if next := q.nextDate(d); h.hours.Excepted(next) && !slices.Equal(h.hours.Shown(next), h.week[d]) {
			parts = append(parts, q.sayDate(daysAsked{}, next))
		}
	}
	return strings.Join(parts, " ")
}

// prefixed puts a yes or a no before the hours of several days, where it is the same for
// all on which the house opens.
func (q hoursQuestion) prefixed(a daysAsked, days []int, text string) string {
	all, none := true, true
	for _, d := range days {
		open, clear := a.covers(q.c.house.week[d])
		all, none = all && open && clear, none && !open && clear
	}
	switch v := q.whether(all); {
	case v == notAsked || all == none:
	case v == yes:
		return wording(q.lang, "yes") + " " + text
	default:
		return wording(q.lang, "no") + " " + text
	}
	return text
}

// nextDate is the next date of a weekday, which may be today.
func (q hoursQuestion) nextDate(day int) frontdesk.Date {
	today := frontdesk.DateOf(q.now)
	return today.AddDays((day - monday(today.Weekday()) + 7) % 7)
}

// longStretch is how many days are too many to say one by one, fewDays how many are
// never said as an ordinary week.
const (
	longStretch = 10
	fewDays     = 4
)

// sayStretch says the hours of days one after the other: all of a few, of many those that
// are not as usual.
func (q hoursQuestion) sayStretch(a daysAsked) string {
	h := q.c.house
	if today := frontdesk.DateOf(q.now); a.first.Before(today) {
		a.first = today
	}
	runs := h.hours.Runs(a.first, a.last)
	if open := slices.ContainsFunc(runs, func(r opening.Run) bool { return len(r.Open) > 0 }); !open {
		when := q.nameDays(a.first, a.last)
		return q.answer(q.whether(false), q.sayClosed(when, h.hours.Day(a.first))) + q.sayReopening(a.last)
	}
	special := h.hours.Special(a.first, a.last)
	if n := a.first.DaysUntil(a.last); n < longStretch && len(special) > 0 || n < fewDays {
		return sentence(q.sayRuns(runs))
	}
	usual := wording(q.lang, "as_usual", "hours", h.runs(q.lang, []int{0, 1, 2, 3, 4, 5, 6}))
	if len(special) == 0 {
		return q.answer(q.whether(true), usual)
	}
	return sentence(usual) + " " + wording(q.lang, "except", "days", q.sayRuns(special))
}

// sayRuns says the hours of days, and why they are not as usual. Days that are closed
// one after the other are said as one.
func (q hoursQuestion) sayRuns(runs []opening.Run) string {
	var parts []string
	for i := 0; i < len(runs); i++ {
		r := runs[i]
		for len(r.Open) == 0 && i+1 < len(runs) && len(runs[i+1].Open) == 0 && r.Last.AddDays(1) == runs[i+1].First {
			i++
			r.Last, r.Reason, r.Holiday = runs[i].Last, "", ""
		}
		what := wording(q.lang, "closed")
		if len(r.Open) > 0 {
			what = sayShifts(q.lang, r.Open)
		}
		if reason := q.reasonOf(r); reason != "" {
			what += " (" + reason + ")"
		}
		parts = append(parts, q.nameDays(r.First, r.Last)+" "+what)
	}
	return strings.Join(parts, "; ")
}

func (q hoursQuestion) reasonOf(r opening.Run) string {
	if r.Holiday != "" {
		return spoken(q.lang).HolidayName(r.Holiday)
	}
	return r.Reason
}

// nameDays names days from one to another.
func (q *question) nameDays(first, last frontdesk.Date) string {
	if first == last {
		return q.nameDay(first)
	}
	return wording(q.lang, "date_to_date", "first", dates.SayDate(first, q.lang, q.now), "last", dates.SayDate(last, q.lang, q.now))
}

// sayLatest says on which days the house is open longest.
func (q hoursQuestion) sayLatest() string {
	h := q.c.house
	latest := 0
	for _, periods := range h.week {
		for _, p := range periods {
			latest = max(latest, p.End())
		}
	}
	var days []string
	for d, periods := range h.week {
		if slices.ContainsFunc(periods, func(p frontdesk.Period) bool { return p.End() == latest }) {
			days = append(days, strings.Fields(wording(q.lang, "weekly_days"))[d])
		}
	}
	return wording(q.lang, "latest", "time", sayTime(q.lang, latest), "days", wording(q.lang, "on_days", "day", joinAnd(q.lang, days)))
}

// midday is when people eat and shops may close.
var midday = frontdesk.Period{From: 12 * 60, To: 15 * 60}

// sayBreaks says when the house closes between two openings of a day.
func (q hoursQuestion) sayBreaks() string {
	breaks := house{open: true}
	var days []int
	for d, periods := range q.c.house.week {
		for i := 1; i < len(periods); i++ {
			if periods[i-1].End() >= midday.End() || periods[i].From <= midday.From {
				continue
			}
			breaks.week[d] = append(breaks.week[d], frontdesk.Period{From: periods[i-1].End(), To: periods[i].From})
		}
		if len(breaks.week[d]) > 0 {
			days = append(days, d)
		}
	}
	asksClosed := slices.ContainsFunc(q.words, func(w token) bool { return wordsOf("asks closed")[w.word] })
	said := wording(q.lang, "no_break")
	if len(days) > 0 {
		said = wording(q.lang, "breaks", "days", breaks.runs(q.lang, days))
	}
	if asksClosed == (len(days) > 0) {
		return q.answer(yes, said)
	}
	return q.answer(no, said)
}

// sunday is the day of the week with a number from Monday, 0.
func sunday(d int) time.Weekday { return time.Weekday((d + 1) % 7) }
