package dates

import (
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
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
		return frontdesk.Easter(year).AddDays(f.after)
	case f.nth > 0:
		return (Date{Year: year, Month: f.month, Day: 1}).NthWeekday(f.weekday, f.nth).AddDays(f.after)
	}
	return Date{Year: year, Month: f.month, Day: f.day}
}
