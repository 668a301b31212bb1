package dates

import "slices"

// counting decides which of the mentions that were found are meant.
type counting struct{ *line }

// join settles open clocks by what else was said: a part of the day nearby, the
// other end of an "or", a meal.
func (r counting) join() {
	for i := range r.found {
		m := &r.found[i]
		if !m.Open {
			continue
		}
		if p, ok := r.nearestPart(i); ok {
			m.settle(p)
		}
	}
	for i := len(r.found) - 2; i >= 0; i-- {
		m, after := &r.found[i], r.found[i+1]
		if m.Kind == AtClock && m.Open && after.Kind == AtClock && !after.Open && r.orBefore(after) {
			m.Clock, m.Open = lastBefore(m.Clock, after.Clock), false
		}
	}
	r.joinDays()
	r.joinBounds()
	r.joinEchoes()
	r.joinMeals()
	r.joinTonight()
}

// joinDays lets a day take the month of the one it is offered beside: "the 24th
// or 25th of December".
func (r counting) joinDays() {
	for i := 1; i < len(r.found); i++ {
		m, after := &r.found[i-1], r.found[i]
		d := Date{Year: after.Date.Year, Month: after.Date.Month, Day: m.Date.Day}
		if m.Kind == OneDay && m.dayOnly && after.Kind == OneDay && after.written && r.orBefore(after) && d.Exists() {
			m.Date = d
		}
	}
}

// joinTonight gives the small hours of tonight to the next date, as long as the
// night has not come to them: "esta noche a la una".
func (r counting) joinTonight() {
	for i := range r.found {
		part := &r.found[i]
		if part.Kind != InPart || part.Part != Night || part.Date != r.today {
			continue
		}
		for _, m := range r.found {
			if m.Kind == AtClock && !m.Open && m.besides(*part) && small(m.Clock) && m.Clock.Before(clockOf(r.now)) {
				part.Date = r.today.AddDays(1)
			}
		}
	}
}

// besides says whether few words are between two mentions.
func (m Mention) besides(o Mention) bool {
	const most = 3
	return max(m.tokens.from-o.tokens.to, o.tokens.from-m.tokens.to) <= most
}

// small says whether a clock is after midnight and long before the morning.
func small(c Clock) bool { return c != (Clock{}) && c.Hour < 6 }

// joinEchoes lets a clock that goes on from another one take its half of the
// day: "at five in the evening, no, at six".
func (r counting) joinEchoes() {
	for i := 1; i < len(r.found); i++ {
		before, m := r.found[i-1], &r.found[i]
		if before.Kind != AtClock || before.Open || m.Kind != AtClock || !m.Open || m.tokens.from-before.tokens.to > 4 {
			continue
		}
		h := halves(m.Clock)
		m.Clock, m.Open = h[0], false
		if abs(h[1].Minutes()-before.Clock.Minutes()) < abs(h[0].Minutes()-before.Clock.Minutes()) {
			m.Clock = h[1]
		}
	}
}

func (r counting) joinMeals() {
	for k := range r.toks {
		p, end := r.meals.at(r.line, k)
		for i := range r.found {
			if m := &r.found[i]; end > 0 && m.Open && (p.part != Morning || m.Clock.Hour != 12) {
				m.settle(p)
			}
		}
	}
}

// nearestPart is the part of the day said closest to mention i.
func (r counting) nearestPart(i int) (best period, ok bool) {
	nearest := len(r.toks)
	for k, m := range r.found {
		if m.Kind != InPart || r.ofAnotherDay(k, i) {
			continue
		}
		away := m.tokens.from - r.found[i].tokens.to
		if k < i {
			away = r.found[i].tokens.from - m.tokens.to
		}
		if away < nearest {
			best, nearest, ok = m.period(), away, true
		}
	}
	return best, ok
}

// ofAnotherDay says whether the part of the day that mention k is belongs to
// another clause than mention i, with a day of its own between them: "I work that
// afternoon, Saturday at ten".
func (r counting) ofAnotherDay(k, i int) bool {
	part, m := r.found[k], r.found[i]
	if k > i || r.tok(part.head).clause == r.tok(m.head).clause {
		return false
	}
	for _, between := range r.found[k+1 : i] {
		if between.aboutDay() {
			return true
		}
	}
	return false
}

// settle puts an open clock, or open hours, into a part of the day.
func (m *Mention) settle(p period) {
	switch m.Kind {
	case AtClock:
		if c, ok := p.settle(m.Clock); ok {
			m.Clock, m.Open = c, false
		}
	case Hours:
		m.settleHours(p)
	}
}

func (m *Mention) settleHours(p period) {
	if m.To.Hour == 24 {
		if c, ok := p.settle(m.From); ok {
			m.From, m.Open = c, false
		}
		return
	}
	c, ok := p.settle(m.To)
	if !ok {
		return
	}
	if m.From != (Clock{}) {
		m.From = lastBefore(m.From, c)
	}
	m.To, m.Open = c, false
}

// count marks what the caller wants in the end: of days and of times the last
// one that was said and not taken back.
func (r counting) count() {
	for i := range r.found {
		m := &r.found[i]
		m.Negated = r.negated(i) || r.busyThen(*m)
		m.Or = i > 0 && r.orBefore(*m)
	}
	r.takeBack()
	r.tell()
	for i := range r.found {
		m := &r.found[i]
		m.Counts = (m.Kind == Soonest || m.Kind == DaysOfWeek) && !m.Negated && !m.Told
	}
	r.countTimes()
	r.countDays()
}

// takeBack marks the days that were said first and ruled out later: "Friday? No,
// Friday I can't". Who only rules out a time of that day still wants it.
func (r counting) takeBack() {
	for i, no := range r.found {
		timed := i+1 < len(r.found) && r.found[i+1].Negated && r.found[i+1].tokens.from == no.tokens.to
		if no.Kind != OneDay || !no.Negated || no.Impossible || timed {
			continue
		}
		for k := range r.found[:i] {
			r.found[k].takenBack = r.found[k].takenBack || r.found[k].Kind == OneDay && r.found[k].Date == no.Date
		}
	}
}

// unwanted says whether a mention is out of the race: taken back, told of the
// past, or so mild or so long ago that anything else counts more.
func (r counting) unwanted(m Mention, mild bool) bool {
	gone := !m.Date.IsZero() && m.Date.Before(r.today) && m.Until.Before(r.today) || m.Kind == Instant && m.At.Before(r.now)
	weak := m.mild || m.Told || m.Bound || gone
	return m.Negated || m.past || m.takenBack || weak != mild
}

func (m Mention) aboutDay() bool {
	return m.Kind == Instant || !m.Date.IsZero() || m.Impossible
}

func (m Mention) aboutTime() bool {
	return m.Kind == AtClock || m.Kind == Hours || m.Kind == Instant || m.Kind == Shift && (m.SameTime || m.By.Minutes != 0)
}

// AboutTime says whether it tells a time, beside a day or without one.
func (m Mention) AboutTime() bool { return m.aboutTime() || m.Kind == InPart }

func (r counting) countDays() {
	if r.countLast(Mention.aboutDay, false) {
		return
	}
	timed := r.lastOf(Mention.aboutTime, false) >= 0
	r.countLast(func(m Mention) bool { return m.aboutDay() && !(timed && m.mild) }, true)
}

func (r counting) countTimes() {
	clock := r.lastOf(Mention.aboutTime, false)
	part := r.lastOf(func(m Mention) bool { return m.Kind == InPart }, false)
	switch {
	case clock >= 0 && part > clock && r.replaces(r.found[part], r.found[clock]):
		r.found[part].Counts = true
	case clock >= 0:
		r.countLast(Mention.aboutTime, false)
	case part >= 0 && (r.found[part].Latest || r.found[part].Earliest):
		r.found[part].Counts = true
	case r.countFreed(part):
	case part >= 0:
		r.found[part].Counts = true
	case r.ofToldDay(), soonestCounts(r.found):
	default:
		told := func(m Mention) bool { return m.Told && m.aboutTime() && m.Kind != Instant }
		if !r.countLast(told, true) {
			r.countLast(func(m Mention) bool { return m.Told && m.Kind == InPart }, true)
		}
	}
}

// soonestCounts says whether the first place that is free is wished for: a time that
// is told beside it is a reason.
func soonestCounts(found []Mention) bool {
	return slices.ContainsFunc(found, func(m Mention) bool { return m.Kind == Soonest && m.Counts })
}

// lastOf is the last mention that fits and is wanted, or -1.
func (r counting) lastOf(fits func(Mention) bool, mild bool) int {
	for i := len(r.found) - 1; i >= 0; i-- {
		if fits(r.found[i]) && !r.unwanted(r.found[i], mild) {
			return i
		}
	}
	return -1
}

// countLast marks the last mention that fits, and those it was offered beside.
func (r counting) countLast(fits func(Mention) bool, mild bool) bool {
	last := r.lastOf(fits, mild)
	if last < 0 {
		return false
	}
	last = r.unlessSame(last, fits, mild)
	r.found[last].Counts = true
	for i := last; r.found[i].Or; {
		before := -1
		for k := range i {
			if fits(r.found[k]) && !r.unwanted(r.found[k], mild) && (r.found[k].Kind == Hours) == (r.found[i].Kind == Hours) {
				before = k
			}
		}
		if before < 0 {
			r.found[i].Or = false
			break
		}
		r.found[before].Counts = true
		i = before
	}
	return true
}

// unlessSame is the earlier mention of a day when the last one says no more
// than it: "the 10th, which is a Tuesday", "Tuesday, some time this week".
func (r counting) unlessSame(last int, fits func(Mention) bool, mild bool) int {
	late := r.found[last]
	for i := last - 1; i >= 0; i-- {
		early := r.found[i]
		if !fits(early) || r.unwanted(early, mild) || early.Kind == Instant {
			continue
		}
		same := late.weekdayOnly && early.Kind == OneDay && !early.weekdayOnly && early.Date.Weekday() == late.Date.Weekday()
		inside := late.Kind == Days && early.Kind == OneDay && !early.Date.Before(late.Date) && !late.Until.Before(early.Date)
		if (same || inside) && !late.Or {
			return i
		}
		break
	}
	return last
}

// replaces says whether a part of the day that comes after a clock takes its
// place: "at nine, no, better in the afternoon".
func (r counting) replaces(part, clock Mention) bool {
	c := clock.Clock
	if clock.Kind != AtClock || clock.Open || !c.Before(part.From) && c.Before(part.To) {
		return false
	}
	for k := clock.tokens.to; k < part.tokens.from; k++ {
		if r.is(k, "corrections") {
			return true
		}
	}
	return false
}

// orBefore says whether an "or" stands before the mention, or it is the other end of
// the stretch that was said before it.
func (r counting) orBefore(m Mention) bool {
	if orAt(r.line, m.tokens.from) {
		return true
	}
	return m.Kind == Days && slices.ContainsFunc(r.found, func(before Mention) bool {
		return before.tokens.to < m.tokens.from && betweenAt(r.line, before, m.tokens.from)
	})
}
