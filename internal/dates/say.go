package dates

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/language"
)

// SayDate says a date so that it can be mistaken for no other: always with its
// weekday, today and tomorrow by name as well, and with the year when the date
// is more than ten months away. Spanish comes with its article ("el martes 3 de
// marzo"), which is all that a sentence needs; English is "Tuesday, March 3rd".
func SayDate(d Date, lang string, now time.Time) string { return SayDateIn(language.Of(lang), d, now) }

// SayDateIn is SayDate in a language that may be of one's own. Without one it is
// the date in figures.
func SayDateIn(l *language.Language, d Date, now time.Time) string {
	if l == nil {
		return d.String()
	}
	weekdays, months := strings.Fields(l.Say("weekdays", "")), strings.Fields(l.Say("months", ""))
	if len(weekdays) < 7 || len(months) < 12 || !d.Exists() {
		return d.String()
	}
	today := DateOf(now)
	key := "said_date"
	if d.Before(today) || today.AddMonths(10).Before(d) {
		key = "said_date_year"
	}
	day := strconv.Itoa(d.Day)
	said := l.Say(key, "", "weekday", weekdays[d.Weekday()], "day", day, "nth", day+l.Pairs(calendar + "said_nth")[day],
		"month", months[d.Month-1], "year", strconv.Itoa(d.Year))
	switch d {
	case today:
		return l.Say("said_today", "", "date", said)
	case today.AddDays(1):
		return l.Say("said_tomorrow", "", "date", said)
	}
	return l.Say("said_other", "", "date", said)
}

// SayTime says a time with its part of the day. Spanish is in words, as a voice
// reads figures badly, with "a las": "a las cinco y media de la tarde". English
// is "5:30 pm", which voices read well and every caller understands, with noon
// and midnight by name; the "at" is the sentence's.
func SayTime(c Clock, lang string) string { return SayTimeIn(language.Of(lang), c) }

// WriteTimeIn is a time for somebody who reads it: in figures where the language
// writes the 24 hours of a day, else as it is said.
func WriteTimeIn(l *language.Language, c Clock) string {
	if l == nil || l.Say("written_clock", "") == "24" {
		return c.String()
	}
	return SayTimeIn(l, c)
}

// SayTimeIn is SayTime in a language that may be of one's own. Without one it is
// the clock in figures.
func SayTimeIn(l *language.Language, c Clock) string {
	if l == nil {
		return c.String()
	}
	part := l.Pairs(calendar + "said_parts")[strconv.Itoa(c.Hour%24)]
	if hours := strings.Fields(l.Say("said_hours", "")); len(hours) == 12 {
		return sayInWords(l, hours, c, part)
	}
	switch {
	case c == Clock{Hour: 12, Minute: 0}:
		return l.Say("said_noon", "")
	case c.Minute == 0 && c.Hour%24 == 0:
		return l.Say("said_midnight", "")
	case c.Minute == 0:
		return l.Say("said_figures", "", "hour", strconv.Itoa((c.Hour+11)%12+1), "part", part)
	}
	return l.Say("said_figures_minutes", "", "hour", strconv.Itoa((c.Hour+11)%12+1), "minutes", fmt.Sprintf("%02d", c.Minute), "part", part)
}

// sayInWords says a clock by its hour and what is added to it, or taken from the
// next one.
func sayInWords(l *language.Language, hours []string, c Clock, part string) string {
	hour, minutes, key := c.Hour%24, c.Minute, "said_time_past"
	switch m := c.Minute; {
	case m == 0:
		key = "said_time"
	case m == 15:
		key = "said_time_quarter"
	case m == 30:
		key = "said_time_half"
	case m == 45:
		hour, key = hour+1, "said_time_quarter_to"
	case m > 30 && m%5 == 0:
		hour, minutes, key = hour+1, 60-m, "said_time_to"
	}
	named := strings.ReplaceAll(hours[hour%12], "_", " ")
	return l.Say(key, "", "hour", named, "minutes", numberSaid(l, minutes), "part", part)
}

// numberSaid is a number below sixty in words.
func numberSaid(l *language.Language, n int) string {
	numbers, tens := strings.Fields(l.Say("said_numbers", "")), strings.Fields(l.Say("said_tens", ""))
	switch {
	case n == 0 || len(tens) != 3:
		return strconv.Itoa(n)
	case n <= len(numbers):
		return numbers[n-1]
	case n%10 == 0:
		return tens[n/10-3]
	}
	joiner := l.Pairs("dates")["tens_joiner"]
	return strings.Join(strings.Fields(tens[n/10-3]+" "+joiner+" "+numbers[n%10-1]), " ")
}
