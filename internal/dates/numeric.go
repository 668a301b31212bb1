package dates

import (
	"time"

	"frontdesk.dev/frontdesk/internal/language"
)

// figures reads what is written in figures: dates, and numbers that are none.
type figures struct{ *line }

// numeric reads dates in figures: 24/12, 24-12-2026, 2026-12-24, 24.12.2026,
// 24/dic, "el 17 del 11".
func numeric(r *reader, i int) (Mention, int) {
	if d, ok := r.isoDate(i); ok {
		return written(on(d)), i + 3
	}
	m, end := r.threeParts(i)
	if end == 0 {
		m, end = r.twoParts(i)
	}
	return written(m), end
}

// isoDate reads 2026-12-24.
func (r figures) isoDate(i int) (Date, bool) {
	y, m, d := r.tok(i), r.tok(i+1), r.tok(i+2)
	if y.wide != 4 || y.value < 1900 || y.value > 2199 || m.gap != language.Dash && m.gap != language.Slash && m.gap != language.Dot || d.gap != m.gap {
		return Date{}, false
	}
	date := Date{Year: y.value, Month: time.Month(m.value), Day: d.value}
	return date, date.Exists()
}

func (r figures) parted(i int) bool {
	g := r.tok(i).gap
	return g == language.Dash || g == language.Slash || g == language.Dot
}

// signs says whether the three tokens at i are parted by the signs of a date; one
// of them may be missing beside the name of a month: "2027/23 sep".
func (r figures) signs(i int) bool {
	first, second := r.parted(i+1), r.parted(i+2)
	switch {
	case first && second:
		return true
	case first:
		return r.soft(i+2) && r.tok(i+2).month > 0 && r.yearIn(i, i+2)
	case second:
		return r.soft(i+1) && r.tok(i).month > 0 && r.yearIn(i+1, i+3)
	}
	return false
}

// yearIn says whether one of the tokens is a year in figures.
func (r figures) yearIn(from, to int) bool {
	for ; from < to; from++ {
		if t := r.tok(from); t.wide == 4 && t.value >= 1900 && t.value <= 2199 {
			return true
		}
	}
	return false
}

// threeParts reads a day, a month and a year in whatever order they stand.
func (r figures) threeParts(i int) (Mention, int) {
	if !r.signs(i) || r.tok(i).price {
		return Mention{}, 0
	}
	var month time.Month
	var year int
	var rest []int
	for k := i; k < i+3; k++ {
		t := r.tok(k)
		switch {
		case t.value < 0 && month == 0 && t.month > 0:
			month = time.Month(t.month)
		case t.value >= 1900 && t.value <= 2199 && year == 0:
			year = t.value
		case t.value >= 0 && t.value <= 99 && t.wide <= 2:
			rest = append(rest, t.value)
		default:
			return Mention{}, 0
		}
	}
	if year == 0 && len(rest) >= 2 {
		year, rest = 2000+rest[len(rest)-1], rest[:len(rest)-1]
	}
	date, ok := r.ordered(month, year, rest)
	if !ok {
		return Mention{}, 0
	}
	return on(date), i + 3
}

// ordered makes a date of the parts that are known and of those whose order the
// language gives.
func (r figures) ordered(month time.Month, year int, rest []int) (Date, bool) {
	var d Date
	switch {
	case month > 0 && len(rest) == 1:
		d = Date{Year: year, Month: month, Day: rest[0]}
	case month == 0 && len(rest) == 2:
		day, m := r.order(rest[0], rest[1])
		d = Date{Year: year, Month: time.Month(m), Day: day}
	}
	return d, d.Exists()
}

// order tells day from month by the language, unless only the other way round
// makes a date.
func (r figures) order(a, b int) (day, month int) {
	if r.lang.dayFirst && b <= 12 || a > 12 {
		return a, b
	}
	return b, a
}

// twoParts reads a day and a month. A dot or a dash alone is not enough: 8.30
// is a time and 3-5 a range, unless a weekday stands before them.
func (r figures) twoParts(i int) (Mention, int) {
	a, b := r.tok(i), r.tok(i+1)
	if a.price || a.taken || b.taken {
		return Mention{}, 0
	}
	if month := time.Month(a.month); a.value < 0 && month > 0 && b.value >= 1 && b.value <= 31 && r.parted(i+1) {
		return on(r.upcoming(month, b.value)), i + 2
	}
	if m, end := r.dayDelMonth(i); end > 0 {
		return m, end
	}
	if a.value < 1 || a.wide > 2 {
		return Mention{}, 0
	}
	if month := time.Month(b.month); b.value < 0 && month > 0 && r.parted(i+1) && b.gap != language.Dot {
		return on(r.upcoming(month, a.value)), i + 2
	}
	return r.slashed(i)
}

// dayDelMonth reads "17 del 11", "quince del cuatro".
func (r figures) dayDelMonth(i int) (Mention, int) {
	n := r.anyNumber(i)
	if !n.within(1, 31) || n.digits > 2 || n.ordinal || !r.is(n.end, "day_month_joiner") || !r.soft(n.end) {
		return Mention{}, 0
	}
	m := r.anyNumber(n.end + 1)
	if !m.within(1, 12) || m.digits > 2 || m.ordinal || r.startsClock(m.end) || n.digits == 0 && !r.marked(i) {
		return Mention{}, 0
	}
	return on(r.upcoming(time.Month(m.value), n.value)), m.end
}

func (r figures) slashed(i int) (Mention, int) {
	a, b := r.tok(i), r.tok(i+1)
	_, weekday := r.weekdayAt(i - 1)
	loose := (b.gap == language.Dot || b.gap == language.Dash) && weekday && !r.halfDayAt(i+2)
	if b.gap != language.Slash && !loose || b.value < 1 || b.wide > 2 || r.tok(i+2).gap == language.Slash || a.gap == language.Glued && i > 0 {
		return Mention{}, 0
	}
	day, month := r.order(a.value, b.value)
	d := r.upcoming(time.Month(month), day)
	if !d.Exists() {
		return Mention{}, 0
	}
	return on(d), i + 2
}

// swap is the date at token i with day and month the other way round, when that
// is the weekday that was said and m is not.
func (r figures) swap(i int, w time.Weekday, m Mention) (Mention, bool) {
	a, b := r.tok(i), r.tok(i+1)
	if m.Date.Weekday() == w || a.value < 1 || a.value > 12 || b.value < 1 || b.value > 12 || !r.parted(i+1) {
		return m, false
	}
	d := Date{Year: m.Date.Year, Month: time.Month(m.Date.Day), Day: int(m.Date.Month)}
	if !r.parted(i + 2) {
		d = r.upcoming(d.Month, d.Day)
	}
	return on(d), d.Exists() && d.Weekday() == w
}
