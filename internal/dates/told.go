package dates

// tell marks what is told beside what is wished for: what happened, since when
// something is so, and when other things are.
func (r counting) tell() {
	for i := range r.found {
		m := &r.found[i]
		first := 0
		if i > 0 {
			first = r.found[i-1].tokens.to
		}
		switch {
		case m.aboutDay() && r.since(*m):
			m.Told, m.past = true, true
		case r.toldBy(m.tokens.from, first, r.toldAt), r.followed(i):
			m.Told = true
			r.putBack(m)
		case r.toldBy(m.tokens.from, first, r.eventAt), i > 0 && first == m.tokens.from && r.found[i-1].Told:
			m.Told = true
		}
	}
}

func (r counting) toldAt(k int) bool { return r.is(k, "told") }

func (r counting) eventAt(k int) bool { return r.heardAt(k, "events") > 0 }

// since says whether it is told since when something is so. Who can come since a
// day, or stays so many nights from it, wishes for it.
func (r counting) since(m Mention) bool {
	for k := m.tokens.from - 1; k >= 0 && k >= m.tokens.from-2; k-- {
		if end := r.heardAt(k, "since"); end >= m.tokens.from {
			_, unit := r.units.at(r.line, k-1)
			return unit == 0 && !r.is(k-1, "counted") && !r.is(k-1, "wishes")
		}
	}
	return false
}

// toldBy says whether what tells stands in the clause before token i, and no word
// that wishes for something comes between them.
func (r counting) toldBy(i, first int, tells func(int) bool) bool {
	const far = 6
	for k := i - 1; k >= first && k >= i-far && r.tok(k).clause == r.tok(i).clause; k-- {
		switch {
		case tells(k):
			return true
		case r.is(k, "wishes"):
			return false
		}
	}
	return false
}

// followed says whether the clause of mention i goes on in the past: "el sábado
// estuve ahí".
func (r counting) followed(i int) bool {
	const far = 2
	m := r.found[i]
	for k := m.tokens.to; k < m.tokens.to+far && r.tok(k).clause == r.tok(m.tokens.to-1).clause; k++ {
		if i+1 < len(r.found) && k >= r.found[i+1].tokens.from {
			return false
		}
		if r.is(k, "told") {
			return true
		}
	}
	return false
}

// putBack puts a weekday of which something is told into the past.
func (r counting) putBack(m *Mention) {
	if m.weekdayOnly && r.today.Before(m.Date) {
		m.Date, m.past = m.Date.AddDays(-7), true
	}
}
