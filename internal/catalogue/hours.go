package catalogue

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// span is the days that a question about hours names.
type span struct {
	days   []int // from Monday, 0
	today  bool
	morrow bool
	dated  bool // a day of the calendar: it may be a holiday
	clock  int  // hour that is asked about; -1: none
}

// weekdays are the names of the days of the week in a language, from Monday.
func weekdays(lang string) []string {
	names := strings.Fields(spoken(lang).Say("weekdays", ""))
	return append(names[1:], names[0])
}

// weekdayOf is the day that a word names, from Monday, or -1.
func weekdayOf(word string) int {
	if d, ok := calendar().days[word]; ok {
		return d
	}
	return -1
}

// calendar are the names of days and months in all languages.
var calendar = sync.OnceValue(func() (c struct {
	days   map[string]int
	months map[string]bool
},
) {
	c.days, c.months = map[string]int{}, map[string]bool{}
	for _, code := range languages() {
		for name, d := range language.Of(code).Numbers("calendar weekdays") {
			c.days[name] = monday(time.Weekday(d))
		}
		for name := range language.Of(code).Numbers("calendar months") {
			c.months[name] = !wordsOf("ambiguous months")[name]
		}
	}
	return c
})

// monday numbers the days of the week from Monday, 0, to Sunday, 6.
func monday(d time.Weekday) int { return (int(d) + 6) % 7 }

// readDays finds the days and the hour that a question about hours names.
func (q hoursQuestion) readDays() span {
	s := span{clock: -1}
	today := monday(q.now.Weekday())
	q.said(wordsOf("parts of day"))
	morning := q.sees(expressions("expressions morning"))
	for i, w := range q.words {
		if d := weekdayOf(w.word); d >= 0 {
			s.name(d)
			q.clear.add(i, i+1)
		}
		s.dated = s.dated || calendar().months[w.word] || ordinal(w.word) || wordsOf("day of month")[w.word] && i+1 < len(q.words) && q.words[i+1].number()
	}
	switch {
	case q.sees(expressions("expressions after tomorrow")):
		s.name((today + 2) % 7)
	case !(morning && q.morningOnly()) && q.said(wordsOf("tomorrow")):
		s.name((today + 1) % 7)
		s.morrow = true
	}
	if q.said(wordsOf("today")) {
		s.name(today)
		s.today = true
	}
	if q.sees(expressions("expressions weekend")) {
		s.name(5)
		s.name(6)
	}
	if q.sees(expressions("expressions weekdays only")) {
		for d := range 5 {
			s.name(d)
		}
	}
	if !s.dated {
		q.readClock(&s)
	}
	return s
}

func (s *span) name(day int) {
	if !slices.Contains(s.days, day) {
		s.days = append(s.days, day)
	}
}

// ordinal says whether a word is a day of the month: "25th".
func ordinal(word string) bool {
	return len(word) > 2 && word[0] >= '0' && word[0] <= '9' && strings.ContainsAny(word[len(word)-2:], "tsnr")
}

// sees says whether one of the patterns is in the question, and marks it.
func (q *question) sees(patterns []pattern) (found bool) {
	for _, p := range patterns {
		if used, ok := p.anywhere(q.words); ok {
			q.mark(used)
			found = true
		}
	}
	return found
}

// morningOnly says whether the word for tomorrow is there only as that for the
// morning: "por la mañana".
func (q hoursQuestion) morningOnly() bool {
	for i, w := range q.words {
		if wordsOf("tomorrow")[w.word] && !q.clear.any(i, i+1) {
			return false
		}
	}
	return true
}

// readClock reads the hour in "a las 22:00", "at 9 pm". A bare hour that could
// be either is the one at which the house may be open.
func (q hoursQuestion) readClock(s *span) {
	for i, w := range q.words {
		if i == 0 || !wordsOf("clock before")[q.words[i-1].word] {
			continue
		}
		hour, half, ok := clockOf(w.word)
		if !ok {
			continue
		}
		after := ""
		if i+1 < len(q.words) {
			after = q.words[i+1].word
		}
		if strings.HasPrefix(after, "pm") || half == "pm" || q.said(wordsOf("afternoon")) {
			half = "pm"
		} else if strings.HasPrefix(after, "am") || q.sees(expressions("expressions in the morning")) {
			half = "am"
		}
		s.clock = hour
		if half == "pm" && hour < 12 || half == "" && hour < 12 && !q.c.house.everOpenAt(hour) && q.c.house.everOpenAt(hour+12) {
			s.clock += 12
		}
		q.clear.add(i, i+1)
		return
	}
}

// clockOf reads "9", "21:30", "9pm", "nueve", "nine".
func clockOf(word string) (hour int, half string, ok bool) {
	for _, h := range []string{"am", "pm", "h"} {
		if rest, cut := strings.CutSuffix(word, h); cut && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			word, half = rest, strings.TrimSuffix(h, "h")
		}
	}
	if n := numbers(word); len(n) > 0 {
		word = n[0]
	} else if wordsOf("one")[word] {
		word = "1"
	}
	h, _, _ := strings.Cut(strings.ReplaceAll(word, ".", ":"), ":")
	hour, err := strconv.Atoi(h)
	return hour, half, err == nil && hour >= 0 && hour < 24
}

// everOpenAt says whether some day of the week is open at an hour.
func (h house) everOpenAt(hour int) bool {
	for d := range 7 {
		if h.openAt(d, hour) {
			return true
		}
	}
	return false
}

// openAt says whether the house is usually open at an hour of a weekday.
func (h house) openAt(day, hour int) bool {
	at := 60 * hour
	within := func(periods []frontdesk.Period, minute int) bool {
		return slices.ContainsFunc(periods, func(p frontdesk.Period) bool { return p.From <= minute && minute < p.End() })
	}
	return within(h.week[day], at) || within(h.week[(day+6)%7], at+24*60)
}

// askHours answers when the house is open.
func (q hoursQuestion) askHours() (Reply, bool) {
	if !q.asksHours() {
		return Reply{}, false
	}
	h := q.c.house
	q.account(hours, openNow, closing)
	s := q.readDays()
	if !h.open {
		if q.about(festive) || s.dated {
			return q.askUsual()
		}
		return q.reply(hours, quote(q.lang, h.business.HoursHuman))
	}
	if q.about(festive) || s.dated {
		return q.askDate()
	}
	return q.reply(hours, q.sayHours(s))
}

// askDate answers when the house is open on a date that was named, or on
// holidays. Only who has said what becomes of holidays can tell.
func (q hoursQuestion) askDate() (Reply, bool) {
	h := q.c.house
	date, named := q.date()
	_, reason, holiday := h.hours.Periods(date)
	switch {
	case named && (h.holidays || reason != "" || holiday != "" || h.hours.Excepted(date)):
		q.account(festive)
		return q.reply(hours, q.sayDate(date))
	case !named && h.hours.ClosesByWords():
		q.account(festive)
		return q.reply(hours, quote(q.lang, h.business.HoursHuman))
	case !named && h.holidays:
		q.account(festive)
		return q.reply(hours, wording(q.lang, "holidays_closed"))
	}
	return q.askUsual()
}

// date is the day that the question names; the words that name it are accounted
// for.
func (q hoursQuestion) date() (dates.Date, bool) {
	reading := dates.Read(q.text, q.now, q.lang)
	for i, w := range q.words {
		if slices.ContainsFunc(reading.Mentions, func(m dates.Mention) bool { return m.Start <= w.start && w.end <= m.End }) {
			q.clear.add(i, i+1)
		}
	}
	date := reading.Resolve(q.now, nil).Date
	return date, !date.IsZero()
}

// askUsual says the usual hours, for of that day nothing is known.
func (q hoursQuestion) askUsual() (Reply, bool) {
	usual := q.c.house.usual(q.lang)
	if usual == "" {
		return Reply{}, false
	}
	return q.unsure(hours, wording(q.lang, "usual_hours")+" "+usual)
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

func (q hoursQuestion) sayHours(s span) string {
	h := q.c.house
	switch {
	case s.clock >= 0:
		return q.sayAt(s)
	case len(s.days) == 0 && (q.about(openNow) || q.said(wordsOf("now"))):
		return q.sayNow()
	case len(s.days) == 0 && q.about(closing):
		return q.sayClosing()
	case len(s.days) == 0:
		return wording(q.lang, "hours_are") + " " + h.sayWeek(q.lang)
	}
	return q.sayDays(s)
}

// sayAt answers whether the house is open at a certain hour.
func (q hoursQuestion) sayAt(s span) string {
	day := monday(q.now.Weekday())
	if len(s.days) > 0 {
		day = s.days[0]
	}
	date := q.nextDate(day)
	yes := wording(q.lang, "closed_then") + " "
	if q.c.house.hours.OpenAt(date.At(60*s.clock, q.c.house.hours.Zone())) {
		yes = wording(q.lang, "yes") + " "
	}
	return yes + q.sayDays(span{days: []int{day}, today: len(s.days) == 0 || s.today, morrow: s.morrow})
}

// nextDate is the next date of a weekday, which may be today.
func (q hoursQuestion) nextDate(day int) frontdesk.Date {
	today := frontdesk.DateOf(q.now)
	return today.AddDays((day - monday(today.Weekday()) + 7) % 7)
}

// sayNow answers whether the house is open at this moment.
func (q hoursQuestion) sayNow() string {
	h := q.c.house
	if h.hours.OpenAt(q.now) {
		if end, soon := h.closes(q.now); soon {
			return wording(q.lang, "open_until", "time", sayTime(q.lang, end))
		}
		return wording(q.lang, "open_now")
	}
	next, ok := h.hours.Next(q.now)
	if !ok {
		return wording(q.lang, "closed_now")
	}
	return wording(q.lang, "closed_opens", "day", q.sayDay(next), "time", sayTime(q.lang, minuteOf(next.In(q.now.Location()))))
}

func minuteOf(t time.Time) int { return 60*t.Hour() + t.Minute() }

// sayDay names the day of a moment to come.
func (q hoursQuestion) sayDay(t time.Time) string {
	date := frontdesk.DateOf(t.In(q.now.Location()))
	switch days := frontdesk.DateOf(q.now).DaysUntil(date); {
	case days == 0:
		return wording(q.lang, "today")
	case days == 1:
		return wording(q.lang, "tomorrow")
	case days < 7:
		return wording(q.lang, "on_day", "day", weekdays(q.lang)[monday(date.Weekday())])
	}
	return q.nameDate(date)
}

// nameDate is a date in words: "el viernes 25 de diciembre".
func (q hoursQuestion) nameDate(d frontdesk.Date) string {
	return wording(q.lang, "on_date", "date", dates.SayDate(d, q.lang, q.now))
}

// closes is the minute of the day at which the house closes that is open at t.
// It is false when that is not within a day.
func (h house) closes(t time.Time) (minute int, soon bool) {
	end := h.hours.Closing(t, t.Add(25*time.Hour))
	if end.Sub(t) > 24*time.Hour {
		return 0, false
	}
	minute = minuteOf(end.In(t.Location()))
	if minute == 0 {
		minute = 24 * 60
	}
	return minute, true
}

// sayClosing answers when the house closes, today if it opens today.
func (q hoursQuestion) sayClosing() string {
	h := q.c.house
	if h.hours.OpenAt(q.now) {
		if end, soon := h.closes(q.now); soon {
			return wording(q.lang, "close_today", "time", sayTime(q.lang, end))
		}
	}
	return q.sayDays(span{days: []int{monday(q.now.Weekday())}, today: true})
}

// sayDays says the hours of the days that were named.
func (q hoursQuestion) sayDays(s span) string {
	h := q.c.house
	if len(s.days) > 2 {
		return sentence(h.runs(q.lang, s.days))
	}
	var parts []string
	for _, d := range s.days {
		parts = append(parts, q.sayOneDay(s, d))
	}
	return strings.Join(parts, " ")
}

// sayOneDay says the hours of a weekday: those of its next date, when they are
// not the usual ones.
func (q hoursQuestion) sayOneDay(s span, d int) string {
	when := wording(q.lang, "on_day", "day", weekdays(q.lang)[d])
	switch today := monday(q.now.Weekday()); {
	case s.today && d == today:
		when = wording(q.lang, "today")
	case s.morrow && d == (today+1)%7:
		when = wording(q.lang, "tomorrow")
	}
	date := q.nextDate(d)
	if q.c.house.hours.Excepted(date) {
		return q.sayOpen(when, date)
	}
	return q.sayPeriods(when, q.c.house.week[d])
}

// sayDate says the hours of a date.
func (q hoursQuestion) sayDate(d frontdesk.Date) string { return q.sayOpen(q.nameDate(d), d) }

// sayOpen says when the house is open on a date, with why it is not.
func (q hoursQuestion) sayOpen(when string, d frontdesk.Date) string {
	h := q.c.house
	day := h.hours.Day(d)
	var periods []frontdesk.Period
	for _, s := range day.Open {
		from, to := s.From.In(h.hours.Zone()), s.To.In(h.hours.Zone())
		periods = append(periods, frontdesk.Period{From: minuteOf(from), To: minuteOf(to)})
	}
	reason := day.Reason
	if day.Holiday != "" {
		reason = spoken(q.lang).HolidayName(day.Holiday)
	}
	if len(periods) == 0 && reason != "" {
		return sentence(wording(q.lang, "day_closed_for", "when", when, "reason", reason))
	}
	return q.sayPeriods(when, periods)
}

func (q hoursQuestion) sayPeriods(when string, periods []frontdesk.Period) string {
	switch {
	case len(periods) == 0:
		return sentence(wording(q.lang, "day_closed", "when", when))
	case q.about(closing) && !aroundTheClock(periods):
		return sentence(wording(q.lang, "day_closes", "when", when, "time", sayTime(q.lang, periods[len(periods)-1].To)))
	}
	return sentence(wording(q.lang, "day_open", "when", when, "shift", sayShifts(q.lang, periods)))
}

// sayWeek is all seven days, those with the same hours together.
func (h house) sayWeek(lang string) string {
	if !h.open {
		return ""
	}
	return sentence(h.runs(lang, []int{0, 1, 2, 3, 4, 5, 6}))
}

// runs says days in a row with the same hours as one.
func (h house) runs(lang string, days []int) string {
	slices.Sort(days)
	var parts []string
	for i := 0; i < len(days); {
		k := i
		for k+1 < len(days) && days[k+1] == days[k]+1 && slices.Equal(h.week[days[k+1]], h.week[days[i]]) {
			k++
		}
		parts = append(parts, sayRun(lang, days[i], days[k], h.week[days[i]]))
		i = k + 1
	}
	return strings.Join(parts, "; ")
}

func sayRun(lang string, from, to int, periods []frontdesk.Period) string {
	what := wording(lang, "closed")
	if len(periods) > 0 {
		what = sayShifts(lang, periods)
	}
	first, last := weekdays(lang)[from], weekdays(lang)[to]
	switch to - from {
	case 0:
		return first + " " + what
	case 1:
		return wording(lang, "two_days", "first", first, "last", last) + " " + what
	}
	return wording(lang, "days", "first", first, "last", last) + " " + what
}

func aroundTheClock(periods []frontdesk.Period) bool {
	return len(periods) == 1 && periods[0].End()-periods[0].From == 24*60
}

// sayShifts says opening hours: "de 10:00 a 14:00 y de 17:00 a 20:30", "1 pm to
// midnight".
func sayShifts(lang string, periods []frontdesk.Period) string {
	if aroundTheClock(periods) {
		return wording(lang, "all_day")
	}
	parts := make([]string, len(periods))
	for i, p := range periods {
		parts[i] = wording(lang, "shift", "open", sayTime(lang, p.From), "close", sayTime(lang, p.To))
	}
	return joinAnd(lang, parts)
}

// sayTime says a time of the day, in minutes: "20:30", "8:30 pm", "midnight".
func sayTime(lang string, minute int) string {
	hour, past := minute/60, minute%60
	if name := wording(lang, "midnight"); name != "" && minute%(24*60) == 0 {
		return name
	}
	if name := wording(lang, "noon"); name != "" && minute == 12*60 {
		return name
	}
	key := "hour"
	if hour >= 12 {
		key = "hour_pm"
	}
	if past > 0 {
		key += "_past"
	}
	return wording(lang, key, "hour", strconv.Itoa(hour), "hour12", strconv.Itoa((hour+11)%12+1), "minute", fmt.Sprintf("%02d", past))
}
