package dates_test

import (
	"fmt"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// openIn is when a business with these hours is open; nil: nobody knows.
func openIn(h frontdesk.Hours) func(dates.Date, dates.Clock) bool {
	if h == (frontdesk.Hours{}) {
		return nil
	}
	return func(d dates.Date, c dates.Clock) bool { return h.OpenAt(d.At(c.Minutes(), time.UTC)) }
}

func week(open, closing int) (h frontdesk.Hours) {
	for i := range h {
		h[i] = frontdesk.Shift{Open: open, Close: closing}
	}
	return h
}

var (
	unknown = frontdesk.Hours{}
	office  = week(9, 18)
	bar     = week(20, 2)
	always  = week(0, 24)
)

func TestResolveSettlesWhatItCan(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text  string
		hours frontdesk.Hours
		want  string
	}{
		"the hours of an office settle four":         {"mañana a las cuatro", office, "2026-03-04 16:00"},
		"the hours of a bar settle nine":             {"tomorrow at nine", bar, "2026-03-04 21:00"},
		"a bar is open after midnight":               {"tomorrow at one", bar, "2026-03-04 01:00"},
		"nine in an office is in the morning":        {"tomorrow at nine", office, "2026-03-04 09:00"},
		"who never closes must ask at six":           {"tomorrow at six", always, "2026-03-04 ask 06:00 18:00"},
		"without hours eight must be asked":          {"mañana a las ocho", unknown, "2026-03-04 ask 08:00 20:00"},
		"eleven is guessed to be in the morning":     {"tomorrow at eleven", always, "2026-03-04 11:00 guessed"},
		"half past twelve is guessed to be at noon":  {"tomorrow at 12:30", always, "2026-03-04 12:30 guessed"},
		"three is guessed to be in the afternoon":    {"mañana a las tres", always, "2026-03-04 15:00 guessed"},
		"today at nine cannot be in the past":        {"today at nine", always, "2026-03-03 21:00"},
		"what was said certainly stays":              {"mañana a las 6:00 de la mañana", office, "2026-03-04 06:00"},
		"closed at both, both are asked":             {"tomorrow at eight", office, "2026-03-04 ask 08:00 20:00"},
		"a day alone":                                {"el viernes", office, "2026-03-06"},
		"a time alone is settled by any day":         {"a las cuatro y media", office, "16:30"},
		"a part of the day has bounds":               {"el jueves por la tarde", office, "2026-03-05 13:00-21:00"},
		"a range is settled as one":                  {"tomorrow between 3 and 5", office, "2026-03-04 15:00-17:00"},
		"a range over noon":                          {"tomorrow from 10 to 2", office, "2026-03-04 10:00-14:00"},
		"from then on":                               {"tomorrow after five", office, "2026-03-04 17:00-24:00"},
		"until then":                                 {"mañana antes de las doce", office, "2026-03-04 00:00-12:00"},
		"a week is a week":                           {"next week at half past four", office, "2026-03-09..2026-03-15 16:30"},
		"two days are asked":                         {"Thursday or Friday at four", office, "ask 2026-03-05 2026-03-06 16:00"},
		"two times are asked":                        {"mañana a las cuatro o a las cinco", office, "2026-03-04 ask 16:00 17:00"},
		"an instant has both":                        {"in forty minutes", office, "2026-03-03 10:40"},
		"a date that does not exist":                 {"el 31 de abril a las cuatro", office, "impossible 16:00"},
		"a weekday that is not the date's":           {"el lunes 10 de marzo", office, "2026-03-10 differs"},
		"this morning at nine has passed":            {"today at nine in the morning", always, "2026-03-03 09:00 past"},
		"yesterday has passed":                       {"ayer", always, "2026-03-02 past"},
		"nothing said is nothing":                    {"hello there", always, ""},
		"dinner is in the evening whatever is open":  {"dinner tomorrow at nine", always, "2026-03-04 21:00"},
		"a Spanish lunch at two is in the afternoon": {"mañana para el almuerzo a las dos", always, "2026-03-04 14:00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := showWhen(dates.Read(c.text, tuesday, "").Resolve(tuesday, openIn(c.hours))); got != c.want {
				t.Errorf("%q: got %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func showWhen(w dates.When) (s string) {
	say := func(format string, args ...any) {
		if s != "" {
			s += " "
		}
		s += fmt.Sprintf(format, args...)
	}
	if w.Impossible {
		say("impossible")
	}
	if !w.Date.IsZero() {
		say("%v", w.Date)
	}
	if !w.First.IsZero() {
		say("%v..%v", w.First, w.Last)
	}
	if len(w.Dates) > 0 {
		say("ask %v %v", w.Dates[0], w.Dates[1])
	}
	if w.Timed {
		say("%v", w.Clock)
	}
	if w.Guessed {
		say("guessed")
	}
	if len(w.Clocks) > 0 {
		say("ask %v %v", w.Clocks[0], w.Clocks[1])
	}
	if w.To != (dates.Clock{}) {
		say("%v-%v", w.From, w.To)
	}
	if w.WeekdayDiffers {
		say("differs")
	}
	if w.Past {
		say("past")
	}
	return s
}

func TestOneClosedDaySettlesByItsNeighbour(t *testing.T) {
	t.Parallel()
	hours := week(9, 14)
	hours[4] = frontdesk.Shift{Open: 16, Close: 22} // Fridays in the evening only
	for text, want := range map[string]string{
		"on Thursday at nine": "2026-03-05 09:00",
		"on Friday at nine":   "2026-03-06 21:00",
		"at nine":             "ask 09:00 21:00",
	} {
		if got := showWhen(dates.Read(text, tuesday, "en").Resolve(tuesday, openIn(hours))); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestSayDate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		date   dates.Date
		es, en string
	}{
		"today":             {dates.Date{Year: 2026, Month: 3, Day: 3}, "hoy, martes 3 de marzo", "today, Tuesday, March 3rd"},
		"tomorrow":          {dates.Date{Year: 2026, Month: 3, Day: 4}, "mañana, miércoles 4 de marzo", "tomorrow, Wednesday, March 4th"},
		"next week":         {dates.Date{Year: 2026, Month: 3, Day: 11}, "el miércoles 11 de marzo", "Wednesday, March 11th"},
		"the first":         {dates.Date{Year: 2026, Month: 8, Day: 1}, "el sábado 1 de agosto", "Saturday, August 1st"},
		"the twenty-second": {dates.Date{Year: 2026, Month: 5, Day: 22}, "el viernes 22 de mayo", "Friday, May 22nd"},
		"far away":          {dates.Date{Year: 2027, Month: 2, Day: 23}, "el martes 23 de febrero de 2027", "Tuesday, February 23rd, 2027"},
		"in the past":       {dates.Date{Year: 2026, Month: 2, Day: 12}, "el jueves 12 de febrero de 2026", "Thursday, February 12th, 2026"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := dates.SayDate(c.date, "es", tuesday); got != c.es {
				t.Errorf("got %q, want %q", got, c.es)
			}
			if got := dates.SayDate(c.date, "en", tuesday); got != c.en {
				t.Errorf("got %q, want %q", got, c.en)
			}
		})
	}
}

func TestSayTime(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		clock  dates.Clock
		es, en string
	}{
		{dates.Clock{Hour: 17, Minute: 30}, "a las cinco y media de la tarde", "5:30 pm"},
		{dates.Clock{Hour: 13}, "a la una de la tarde", "1 pm"},
		{dates.Clock{Hour: 12, Minute: 45}, "a la una menos cuarto del mediodía", "12:45 pm"},
		{dates.Clock{Hour: 12}, "a las doce del mediodía", "12 noon"},
		{dates.Clock{Hour: 0}, "a las doce de la noche", "12 midnight"},
		{dates.Clock{Hour: 9, Minute: 5}, "a las nueve y cinco de la mañana", "9:05 am"},
		{dates.Clock{Hour: 21, Minute: 40}, "a las diez menos veinte de la noche", "9:40 pm"},
		{dates.Clock{Hour: 3, Minute: 42}, "a las tres y cuarenta y dos de la madrugada", "3:42 am"},
	} {
		if got := dates.SayTime(c.clock, "es"); got != c.es {
			t.Errorf("%v: got %q, want %q", c.clock, got, c.es)
		}
		if got := dates.SayTime(c.clock, "en"); got != c.en {
			t.Errorf("%v: got %q, want %q", c.clock, got, c.en)
		}
	}
}

func TestWhatIsSaidIsReadBack(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"es", "en"} {
		for minute := range 24 * 60 {
			c := dates.Clock{Hour: minute / 60, Minute: minute % 60}
			said := dates.SayTime(c, lang)
			if m, ok := dates.Read(said, tuesday, lang).Time(); !ok || m.Clock != c || m.Open || m.Kind != dates.AtClock {
				t.Errorf("%v is said %q, which reads %v (open: %v)", c, said, m.Clock, m.Open)
			}
		}
		for n := range 500 {
			d := dates.DateOf(tuesday).AddDays(n)
			said := dates.SayDate(d, lang, tuesday)
			if m, ok := dates.Read(said, tuesday, lang).Day(); !ok || m.Date != d || m.WeekdayDiffers {
				t.Errorf("%v is said %q, which reads %v", d, said, m.Date)
			}
		}
	}
}

func TestDatesCompare(t *testing.T) {
	t.Parallel()
	d := dates.Date{Year: 2026, Month: time.December, Day: 31}
	if next := d.AddDays(1); next.String() != "2027-01-01" || !d.Before(next) || next.Weekday() != time.Friday {
		t.Errorf("the day after %v is %v, a %v", d, next, next.Weekday())
	}
}
