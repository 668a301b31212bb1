package dates

import (
	"strings"
	"time"
)

// days reads a stretch of days: "next week", "este fin de semana", "in May",
// "a finales de mes"; and the weekday in it that follows, which makes it one day.
func days(r *reader, i int) (Mention, int) {
	m, end := r.longest(i, calendarWeek, weekOfMonth, weekendOfMonth, partOfWeek, partOfMonth, wholeMonth, weekOfDay)
	if end == 0 {
		return m, end
	}
	if d, e := r.dayInMonth(m, end); e > 0 {
		return d, e
	}
	k := end
	if r.near(k) {
		k = r.over(k, "to_day")
	}
	if w, ok := r.weekdayAt(k); ok && r.near(end) && r.near(k) {
		if d, ok := within(w, m, r.today); ok {
			return inWeek(d), k + 1
		}
	}
	return m, end
}

// dayInMonth reads the day behind a month: "el mes que viene, el día 3".
func (r *reader) dayInMonth(m Mention, end int) (Mention, int) {
	k := end
	if r.near(k) {
		k = r.over(k, "weekday_links")
	}
	n := r.anyNumber(k)
	if k == end || !n.within(1, 31) || n.digits > 2 || m.Until != monthEnd(m.Until) || r.startsClock(n.end) || r.monthAt(r.skip(n.end, "of")) > 0 {
		return Mention{}, 0
	}
	return on(Date{Year: m.Until.Year, Month: m.Until.Month, Day: n.value}), n.end
}

// weekOfDay reads "the week of the 9th": the whole of it.
func weekOfDay(r *reader, i int) (Mention, int) {
	k, weekend := r.heardAt(i, "week_of"), r.heardAt(i, "weekend_of")
	if k = max(k, weekend); k == 0 {
		return Mention{}, 0
	}
	m, end := r.longest(k, dayOfMonth, bareDay, numeric, holiday)
	if end == 0 || m.Kind != OneDay || m.Impossible {
		return Mention{}, 0
	}
	first := m.Date.Monday()
	if weekend > 0 {
		return r.ahead(first.AddDays(5), first.AddDays(6)), end
	}
	return r.ahead(first, first.AddDays(6)), end
}

// weekendOfMonth reads "the first weekend in April".
func weekendOfMonth(r *reader, i int) (Mention, int) {
	n, k := r.nthWeekdays.at(r.line, i)
	end := r.heardAt(k, "weekends")
	at := r.over(end, "of")
	if k == 0 || end == 0 || at == end {
		return Mention{}, 0
	}
	first, end := r.namedMonth(at)
	if end == 0 {
		return Mention{}, 0
	}
	saturday := first.NthWeekday(time.Saturday, n)
	return r.ahead(saturday, saturday.AddDays(1)), end
}

// partOfWeek reads "early next week", "a finales de la semana que viene".
func partOfWeek(r *reader, i int) (Mention, int) {
	third, k := r.monthParts.at(r.line, i)
	s, end := r.stretches.at(r.line, k)
	if k == 0 || end == 0 || !r.soft(k) || !strings.HasSuffix(s, "week") && s != "week after next" {
		return Mention{}, 0
	}
	_, last := r.stretch(s)
	bounds := [][2]int{{-6, -5}, {-5, -3}, {-3, -1}}[third-1]
	return r.ahead(last.AddDays(bounds[0]), last.AddDays(bounds[1])), end
}

// weekdayOfMonth reads "the first Monday in April", "el último viernes de mes".
func weekdayOfMonth(r *reader, i int) (Mention, int) {
	n, k := r.nthWeekdays.at(r.line, i)
	if k == 0 || !r.soft(k) {
		return Mention{}, 0
	}
	w, ok := r.weekdayAt(k)
	if !ok {
		return Mention{}, 0
	}
	at := r.over(k+1, "of")
	first, end := r.namedMonth(at)
	if at == k+1 || end == 0 {
		return Mention{}, 0
	}
	return on(first.NthWeekday(w, n)), end
}

func through(first, last Date) Mention { return Mention{Kind: Days, Date: first, Until: last} }

// thisOrNext reads two stretches with one name: "this or next week".
func thisOrNext(r *reader, i int) (Mention, int) {
	k := r.heardAt(i, "this_one")
	if k == 0 || !r.is(k, "or") {
		return Mention{}, 0
	}
	s, end := r.stretches.at(r.line, r.over(k+1, "or_between"))
	if s != "next week" && s != "next month" {
		s, end = r.stretches.at(r.line, k+1)
	}
	if end == 0 || s != "next week" && s != "next month" {
		return Mention{}, 0
	}
	_, last := r.stretch(s)
	return through(r.today, last), end
}

func calendarWeek(r *reader, i int) (Mention, int) {
	if m, end := thisOrNext(r, i); end > 0 {
		return m, end
	}
	s, end := r.stretches.at(r.line, i)
	if end == 0 || r.is(end, "stretch_of") && r.soft(end) {
		return Mention{}, 0
	}
	first, last := r.stretch(s)
	m := through(first, last)
	m.stretch = s
	return m, end
}

func (r *reader) stretch(s string) (first, last Date) {
	monday := r.today.Monday()
	saturday := r.today.InWeek(time.Saturday)
	month := Date{Year: r.today.Year, Month: r.today.Month, Day: 1}
	switch s {
	case "this week":
		return r.today, monday.AddDays(6)
	case "next week":
		return monday.AddDays(7), monday.AddDays(13)
	case "week after next":
		return monday.AddDays(14), monday.AddDays(20)
	case "this weekend":
		return r.notBefore(saturday), saturday.AddDays(1)
	case "coming weekend":
		if r.today.AddDays(1).Before(saturday) {
			return saturday, saturday.AddDays(1)
		}
		return saturday.AddDays(7), saturday.AddDays(8)
	case "next weekend":
		return saturday.AddDays(7), saturday.AddDays(8)
	case "this month":
		return r.today, monthEnd(month)
	case "next month":
		return month.AddMonths(1), monthEnd(month.AddMonths(1))
	}
	return monday.AddDays(-7), monday.AddDays(-1)
}

// ahead is a stretch of days without those that have passed, unless all have.
func (r *reader) ahead(first, last Date) Mention {
	if last.Before(r.today) {
		return through(first, last)
	}
	return through(r.notBefore(first), last)
}

func (r *reader) notBefore(d Date) Date {
	if d.Before(r.today) {
		return r.today
	}
	return d
}

func monthEnd(d Date) Date { return Date{Year: d.Year, Month: d.Month, Day: d.MonthDays()} }

// wholeMonth reads "in May", "noviembre", "next March".
func wholeMonth(r *reader, i int) (Mention, int) {
	k := r.skip(i, "in_month")
	if k > i {
		k = r.over(k, "in_month_links")
	}
	month := r.monthAt(k)
	if month == 0 || k == i && r.is(k, "personal_months") || k > i && !r.soft(k) {
		return Mention{}, 0
	}
	if _, dated := r.monthFirst(k, month); dated > 0 {
		return Mention{}, 0
	}
	first, end := r.monthToCome(month, k+1)
	return r.ahead(first, monthEnd(first)), end
}

// monthToCome is the first day of the month that was named, with the year that
// stands at k if one does.
func (r *reader) monthToCome(month time.Month, k int) (first Date, end int) {
	at := r.skip(k, "year_links")
	if y := r.year(at); y.ok() && r.soft(k) {
		return Date{Year: y.value, Month: month, Day: 1}, y.end
	}
	if y, e := r.yearPhrases.at(r.line, k); e > 0 && r.soft(k) {
		return Date{Year: r.today.Year + y, Month: month, Day: 1}, e
	}
	first = Date{Year: r.today.Year, Month: month, Day: 1}
	if monthEnd(first).Before(r.today) {
		first.Year++
	}
	return first, k
}

// partOfMonth reads "a mediados de mayo", "the end of the month".
func partOfMonth(r *reader, i int) (Mention, int) {
	third, k := r.monthParts.at(r.line, i)
	if k == 0 || !r.soft(k) {
		return Mention{}, 0
	}
	first, end := r.namedMonth(k)
	if end == 0 {
		return Mention{}, 0
	}
	from, to := first, first.AddDays(9)
	switch third {
	case 2:
		from, to = first.AddDays(10), first.AddDays(19)
	case 3:
		from, to = first.AddDays(20), monthEnd(first)
	}
	return r.ahead(from, to), end
}

// namedMonth is the first day of "May", "the month", "el mes que viene".
func (r *reader) namedMonth(k int) (first Date, end int) {
	if month := r.monthAt(k); month > 0 {
		return r.monthToCome(month, k+1)
	}
	k = r.skip(k, "articles")
	if n, e := r.monthPhrases.at(r.line, k); e > 0 {
		return Date{Year: r.today.Year, Month: r.today.Month, Day: 1}.AddMonths(n), e
	}
	return Date{}, 0
}

// weekOfMonth reads "the first week of June", weeks being seven days long.
func weekOfMonth(r *reader, i int) (Mention, int) {
	n, k := r.nthWeeks.at(r.line, i)
	if d := r.number(i, r.lang); k == 0 && d.ordinal && d.within(1, 4) {
		n, k = d.value, r.heardAt(d.end, "nth_week_tail")
	}
	if k == 0 {
		return Mention{}, 0
	}
	first, end := r.namedMonth(k)
	if end == 0 {
		return Mention{}, 0
	}
	from := first.AddDays(7 * (n - 1))
	if n == 5 {
		from = monthEnd(first).AddDays(-6)
	}
	return through(from, from.AddDays(6)), end
}

// dayRange reads "from Monday to Wednesday", "del 3 al 5 de marzo", "March 3 to 5".
func dayRange(r *reader, i int) (Mention, int) {
	if !r.is(i, "range_open") || r.moving {
		return Mention{}, 0
	}
	k := r.over(i+1, "articles")
	from, e := r.longest(k, relative, plainWeekday, dayOfMonth, bareDay, numeric, dayNumber)
	if e == 0 || from.Kind != OneDay || !r.is(e, "range_to") || !r.soft(e) {
		return Mention{}, 0
	}
	until, end := r.longest(r.over(e+1, "articles"), relative, plainWeekday, dayOfMonth, bareDay, numeric, dayNumber)
	if end == 0 || until.Kind != OneDay || from.Impossible || until.Impossible || from.mild && until.mild && !r.marked(k) {
		return Mention{}, 0
	}
	return r.stretchBetween(from, until), end
}

// stretchBetween lets the first day take the month of the second, and the
// second one come after the first.
func (r *reader) stretchBetween(from, until Mention) Mention {
	if d := (Date{Year: until.Date.Year, Month: until.Date.Month, Day: from.Date.Day}); from.dayOnly && d.Exists() && !until.Date.Before(d) {
		from.Date = d
	}
	for until.Date.Before(from.Date) && until.weekdayOnly {
		until.Date = until.Date.AddDays(7)
	}
	if until.Date.Before(from.Date) && until.dayOnly {
		until.Date = until.Date.AddMonths(1)
	}
	if until.Date.Before(from.Date) {
		from.Date, until.Date = until.Date, from.Date
	}
	return through(from.Date, until.Date)
}

// plainWeekday is a weekday and nothing behind it: the a of "de lunes a
// viernes" belongs to the range.
func plainWeekday(r *reader, i int) (Mention, int) {
	w, ok := r.weekdayAt(i)
	if !ok {
		return Mention{}, 0
	}
	m := on(r.today.Next(w))
	m.weekdayOnly = true
	return m, i + 1
}

// dayNumber is the bare number of a day, as in "del 3 al 5 de marzo".
func dayNumber(r *reader, i int) (Mention, int) {
	n := r.anyNumber(i)
	if !n.within(1, 31) || n.digits > 2 || !r.marked(i) && !n.ordinal || r.startsClock(n.end) {
		return Mention{}, 0
	}
	m := on(r.nextDay(n.value))
	m.dayOnly = true
	return m, n.end
}
