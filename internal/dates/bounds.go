package dates

// bound reads the day before which, or until which, something has to be: "antes del
// viernes", "by Thursday", "before the wedding on the 12th". It is the days from
// today on.
func bound(r *reader, i int) (Mention, int) {
	side, k := r.dayBounds.at(r.line, i)
	if k == 0 {
		return r.atTheLatest(i)
	}
	if !r.soft(k) || r.is(i-1, "visits") && r.soft(i) {
		return Mention{}, 0
	}
	if _, part := r.otherParts.at(r.line, i); part > 0 { // "before work on Friday"
		return Mention{}, 0
	}
	until, end := r.stretchOver(k)
	if end == 0 {
		until, end = r.boundDay(k)
		if e := r.heardAt(end, "at_the_latest"); e > 0 && r.near(end) {
			side, end = 0, e
		}
		if side > 0 && end > 0 { // "not before Friday"
			const weeks = 2
			m := through(until, until.AddDays(7*weeks-1))
			m.Bound = true
			return m, end
		}
		until = until.AddDays(side)
	}
	return r.boundBy(until, end)
}

// atTheLatest reads a day at i of which it is said that it is the last that will
// do: "Friday at the latest".
func (r *reader) atTheLatest(i int) (Mention, int) {
	m, end := day(r, i)
	e := r.heardAt(end, "at_the_latest")
	if end == 0 || m.Kind != OneDay || m.Impossible || e == 0 || !r.near(end) {
		return Mention{}, 0
	}
	return r.boundBy(m.Date, e)
}

// boundBy is the days from today until the last one that will do.
func (r *reader) boundBy(until Date, end int) (Mention, int) {
	if end == 0 || until.Before(r.today) {
		return Mention{}, 0
	}
	m := through(r.today, until)
	m.Bound = true
	return m, end
}

// joinBounds ends a stretch of days where the bound behind it says: "next week,
// before Thursday".
func (r counting) joinBounds() {
	for i := 1; i < len(r.found); i++ {
		m, b := &r.found[i-1], r.found[i]
		if m.Kind != Days || m.Bound || !b.Bound || b.Date != r.today {
			continue
		}
		until := b.Until
		for until.Before(m.Date) {
			until = until.AddDays(7)
		}
		if until.Before(m.Until) {
			m.Until = until
		}
	}
}

// boundDay is the day at k, or the day of the event that is named there: its first
// when there are more.
func (r *reader) boundDay(k int) (Date, int) {
	const far = 8
	event := false
	for at := k; at < k+far && (at == k || r.soft(at)); at++ {
		if event || at == k {
			if m, end := r.dayNamed(at, relative, weekday, dayOfMonth, bareDay, numeric, holiday, holidayBeside, days); end > 0 && !m.Impossible && !m.Date.IsZero() {
				return m.Date, end
			}
		}
		if r.anyNumber(at).ok() && !r.marked(at) {
			break
		}
		event = event || r.heardAt(at, "events") > 0
	}
	return Date{}, 0
}

// stretchOver is the last day of the stretch at k of which the end is named: "the end
// of the month", "que acabe la semana", "the week is out".
func (r *reader) stretchOver(k int) (Date, int) {
	if third, at := r.monthParts.at(r.line, k); at > 0 && third == 3 {
		return r.stretchEnd(at)
	}
	if at := r.heardAt(k, "bound_ends"); at > 0 {
		return r.stretchEnd(at)
	}
	d, end := r.stretchEnd(k)
	if over := r.heardAt(end, "bound_over"); end > 0 && over > 0 && r.soft(end) {
		return d, over
	}
	return Date{}, 0
}

// stretchEnd is the last day of the week, the month or the year at k.
func (r *reader) stretchEnd(k int) (Date, int) {
	if m, end := r.longest(k, calendarWeek, wholeMonth); end > 0 {
		return m.Until, end
	}
	if first, end := r.namedMonth(k); end > 0 {
		return monthEnd(first), end
	}
	at := r.over(k, "articles")
	if end := r.heardAt(at, "weeks"); end > 0 {
		return r.today.Monday().AddDays(6), end
	}
	if r.is(at, "year_nouns") {
		return Date{Year: r.today.Year, Month: 12, Day: 31}, at + 1
	}
	return Date{}, 0
}
