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
