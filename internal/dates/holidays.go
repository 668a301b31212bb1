package dates

import (
	"strings"
	"time"
)

// feast is a day that has a name. Easter moves, and some others with it.
type feast struct {
	month time.Month
	day   int
	// of those that move:
	after   int // days after Easter, or after that weekday
	easter  bool
	nth     int // Thursday or Monday of the month; the fifth is the last
	weekday time.Weekday
}

// feastOf reads 12-25, easter-2, and the month, weekday and place of one that
// moves, with the days after it: 11 weekday 4 nth 4 plus 1.
func feastOf(s string) feast {
	if days, ok := strings.CutPrefix(s, "easter"); ok {
		f := feast{easter: true}
		if days != "" {
			f.after = numberIn(days)
		}
		return f
	}
	if fields := strings.Fields(s); len(fields) >= 5 {
		f := feast{month: time.Month(numberIn(fields[0])), weekday: time.Weekday(numberIn(fields[2]) % 7), nth: numberIn(fields[4])}
		if len(fields) == 7 {
			f.after = numberIn(fields[6])
		}
		return f
	}
	month, day, _ := strings.Cut(s, "-")
	return feast{month: time.Month(numberIn(month)), day: numberIn(day)}
}

func holiday(r *reader, i int) (Mention, int) {
	f, end := r.feasts.at(r.line, r.skip(i, "feast_which"))
	return r.dateOf(f, end)
}

// holidayBeside reads a feast that only the words before it make one: "la
// víspera de Reyes".
func holidayBeside(r *reader, i int) (Mention, int) {
	f, end := r.feastsBeside.at(r.line, i)
	return r.dateOf(f, end)
}

// dateOf is the feast of the year that stands at end, or else the next one.
func (r *reader) dateOf(f feast, end int) (Mention, int) {
	if end == 0 {
		return Mention{}, 0
	}
	at := end
	if r.near(at) {
		at = r.skip(at, "year_links")
	}
	if y := r.year(at); y.ok() && r.near(at) {
		return on(f.in(y.value)), y.end
	}
	d := f.in(r.today.Year)
	if d.Before(r.today) {
		d = f.in(r.today.Year + 1)
	}
	return on(d), end
}

func (f feast) in(year int) Date {
	switch {
	case f.easter:
		return easter(year).AddDays(f.after)
	case f.nth > 0:
		return nthOf(Date{year, f.month, 1}, f.weekday, f.nth).AddDays(f.after)
	}
	return Date{year, f.month, f.day}
}

// easter is the Sunday after the first full moon of spring, as the Gregorian
// calendar reckons the moon.
func easter(year int) Date {
	century := year / 100
	golden := year % 19
	epact := (19*golden + century - century/4 - (century-(century+8)/25+1)/3 + 15) % 30
	toSunday := (32 + 2*(century%4) + 2*(year%100/4) - epact - year%100%4) % 7
	late := (golden + 11*epact + 22*toSunday) / 451
	n := epact + toSunday - 7*late + 114
	return Date{year, time.Month(n / 31), n%31 + 1}
}
