package catalogue

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
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

// openAt says whether the house is open at an hour of a weekday.
func (h house) openAt(day, hour int) bool {
	// 2024 began on a Monday.
	return h.hours.OpenAt(time.Date(2024, time.January, 1+day, hour, 0, 0, 0, time.UTC))
}

// askHours answers when the house is open.
func (q hoursQuestion) askHours() (Reply, bool) {
	if !q.asksHours() {
		return Reply{}, false
	}
	h := q.c.house
	q.account(hours, openNow, closing)
	s := q.readDays()
	if q.about(festive) || s.dated {
		return q.askFestive()
	}
	if !h.open || h.finer {
		if h.business.HoursHuman == "" {
			return q.reply(hours, h.week(q.lang))
		}
		return q.reply(hours, quote(q.lang, h.business.HoursHuman))
	}
	return q.reply(hours, q.sayHours(s))
}

// askFestive says the usual hours, for holidays are not in the data.
func (q hoursQuestion) askFestive() (Reply, bool) {
	usual := q.c.house.usual(q.lang)
	if usual == "" {
		return Reply{}, false
	}
	return q.unsure(hours, wording(q.lang, "usual_hours")+" "+usual)
}

func (h house) usual(lang string) string {
	if h.open && !h.finer {
		return h.week(lang)
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
		return h.general(q.lang)
	}
	return q.sayDays(s)
}

// general is the whole week, in the words of the business where they are in
// the language.
func (h house) general(lang string) string {
	if human := h.business.HoursHuman; human != "" && lexicon.Language(human) == lang {
		return wording(lang, "hours_are") + " " + sentence(human)
	}
	return wording(lang, "hours_are") + " " + h.week(lang)
}

// sayAt answers whether the house is open at a certain hour.
func (q hoursQuestion) sayAt(s span) string {
	h := q.c.house
	day := monday(q.now.Weekday())
	if len(s.days) > 0 {
		day = s.days[0]
	}
	yes := wording(q.lang, "closed_then") + " "
	if h.openAt(day, s.clock) {
		yes = wording(q.lang, "yes") + " "
	}
	return yes + q.sayDays(span{days: []int{day}, today: len(s.days) == 0 || s.today, morrow: s.morrow})
}

// sayNow answers whether the house is open at this moment.
func (q hoursQuestion) sayNow() string {
	h := q.c.house
	if h.hours.OpenAt(q.now) {
		if end := h.closes(q.now); end != 0 {
			return wording(q.lang, "open_until", "time", sayHour(q.lang, end))
		}
		return wording(q.lang, "open_now")
	}
	next, ok := h.hours.NextOpening(q.now)
	if !ok {
		return wording(q.lang, "closed_now")
	}
	return wording(q.lang, "closed_opens", "day", q.sayDay(next), "time", sayHour(q.lang, next.Hour()))
}

// sayDay names the day of a moment to come.
func (q hoursQuestion) sayDay(t time.Time) string {
	switch days := daysBetween(q.now, t); days {
	case 0:
		return wording(q.lang, "today")
	case 1:
		return wording(q.lang, "tomorrow")
	}
	return wording(q.lang, "on_day", "day", weekdays(q.lang)[monday(t.Weekday())])
}

func daysBetween(a, b time.Time) int {
	day := func(t time.Time) time.Time {
		y, m, d := t.Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	return int(day(b).Sub(day(a)).Hours() / 24)
}

// closes is the hour at which the shift that is open at t ends; 0: not soon.
func (h house) closes(t time.Time) int {
	today := monday(t.Weekday())
	if before := h.hours[(today+6)%7]; before != (frontdesk.Shift{}) && before.Close <= before.Open && t.Hour() < before.Close {
		return before.Close
	}
	if s := h.hours[today]; s.Open != s.Close%24 {
		return s.Close
	}
	return 0
}

// sayClosing answers when the house closes, today if it opens today.
func (q hoursQuestion) sayClosing() string {
	h := q.c.house
	if h.hours.OpenAt(q.now) {
		if end := h.closes(q.now); end != 0 {
			return wording(q.lang, "close_today", "time", sayHour(q.lang, end))
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

func (q hoursQuestion) sayOneDay(s span, d int) string {
	when := wording(q.lang, "on_day", "day", weekdays(q.lang)[d])
	switch today := monday(q.now.Weekday()); {
	case s.today && d == today:
		when = wording(q.lang, "today")
	case s.morrow && d == (today+1)%7:
		when = wording(q.lang, "tomorrow")
	}
	shift := q.c.house.hours[d]
	switch {
	case shift == (frontdesk.Shift{}):
		return sentence(wording(q.lang, "day_closed", "when", when))
	case q.about(closing) && shift.Open != shift.Close%24:
		return sentence(wording(q.lang, "day_closes", "when", when, "time", sayHour(q.lang, shift.Close)))
	}
	return sentence(wording(q.lang, "day_open", "when", when, "shift", sayShift(q.lang, shift)))
}

// week is all seven days, those with the same hours together.
func (h house) week(lang string) string {
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
		for k+1 < len(days) && days[k+1] == days[k]+1 && h.hours[days[k+1]] == h.hours[days[i]] {
			k++
		}
		parts = append(parts, sayRun(lang, days[i], days[k], h.hours[days[i]]))
		i = k + 1
	}
	return strings.Join(parts, "; ")
}

func sayRun(lang string, from, to int, shift frontdesk.Shift) string {
	what := sayShift(lang, shift)
	if shift == (frontdesk.Shift{}) {
		what = wording(lang, "closed")
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

// sayShift says opening hours: "de 13:00 a 24:00", "1 pm to midnight".
func sayShift(lang string, s frontdesk.Shift) string {
	if s.Open == 0 && s.Close == 24 || s.Open == s.Close {
		return wording(lang, "all_day")
	}
	return wording(lang, "shift", "open", sayHour(lang, s.Open), "close", sayHour(lang, s.Close))
}

func sayHour(lang string, hour int) string {
	if name := wording(lang, "midnight"); name != "" && hour%24 == 0 {
		return name
	}
	if name := wording(lang, "noon"); name != "" && hour == 12 {
		return name
	}
	key := "hour"
	if hour > 12 {
		key = "hour_pm"
	}
	return wording(lang, key, "hour", strconv.Itoa(hour), "hour12", strconv.Itoa((hour+11)%12+1))
}
