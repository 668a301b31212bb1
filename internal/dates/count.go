package dates

// join settles open clocks by what else was said: a part of the day nearby, the
// other end of an "or", a meal.
func (r *reader) join() {
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
	r.joinEchoes()
	r.joinMeals()
	r.joinTonight()
}

// joinTonight gives the small hours of tonight to the next date, as long as the
// night has not come to them: "esta noche a la una".
func (r *reader) joinTonight() {
	for i := range r.found {
		part := &r.found[i]
		if part.Kind != InPart || part.Part != Night || part.Date != r.today {
			continue
		}
		for _, m := range r.found {
			if m.Kind == AtClock && !m.Open && m.besides(*part) && m.Clock.small() && m.Clock.Before(clockOf(r.now)) {
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
func (c Clock) small() bool { return c != Clock{} && c.Hour < 6 }

// joinEchoes lets a clock that goes on from another one take its half of the
// day: "at five in the evening, no, at six".
func (r *reader) joinEchoes() {
	for i := 1; i < len(r.found); i++ {
		before, m := r.found[i-1], &r.found[i]
		if before.Kind != AtClock || before.Open || m.Kind != AtClock || !m.Open || m.tokens.from-before.tokens.to > 4 {
			continue
		}
		h := m.Clock.halves()
		m.Clock, m.Open = h[0], false
		if abs(h[1].minutes()-before.Clock.minutes()) < abs(h[0].minutes()-before.Clock.minutes()) {
			m.Clock = h[1]
		}
	}
}

func (r *reader) joinMeals() {
	for _, t := range r.toks {
		p, ok := meals[t.word]
		for i := range r.found {
			if m := &r.found[i]; ok && m.Open && (p.part != Morning || m.Clock.Hour != 12) {
				m.settle(p)
			}
		}
	}
}

// nearestPart is the part of the day said closest to mention i.
func (r *reader) nearestPart(i int) (best period, ok bool) {
	nearest := len(r.toks)
	for k, m := range r.found {
		if m.Kind != InPart {
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
func (r *reader) count() {
	for i := range r.found {
		m := &r.found[i]
		m.Negated = r.negated(i)
		m.Or = i > 0 && r.orBefore(*m)
	}
	r.countTimes()
	r.countDays()
}

// unwanted says whether a mention is out of the race: taken back, or so mild or
// so long ago that anything else counts more.
func (r *reader) unwanted(m Mention, mild bool) bool {
	weak := m.mild || !m.Date.IsZero() && m.Date.Before(r.today) && m.Until.Before(r.today) || m.Kind == Instant && m.At.Before(r.now)
	return m.Negated || weak != mild
}

func (m Mention) aboutDay() bool { return m.Kind == Instant || !m.Date.IsZero() || m.Impossible }

func (m Mention) aboutTime() bool { return m.Kind == AtClock || m.Kind == Hours || m.Kind == Instant }

func (r *reader) countDays() {
	if r.countLast(Mention.aboutDay, false) {
		return
	}
	timed := r.lastOf(Mention.aboutTime, false) >= 0
	r.countLast(func(m Mention) bool { return m.aboutDay() && !(timed && m.mild) }, true)
}

func (r *reader) countTimes() {
	clock := r.lastOf(Mention.aboutTime, false)
	part := r.lastOf(func(m Mention) bool { return m.Kind == InPart }, false)
	switch {
	case clock >= 0 && part > clock && r.replaces(r.found[part], r.found[clock]):
		r.found[part].Counts = true
	case clock >= 0:
		r.countLast(Mention.aboutTime, false)
	case part >= 0:
		r.found[part].Counts = true
	}
}

// lastOf is the last mention that fits and is wanted, or -1.
func (r *reader) lastOf(fits func(Mention) bool, mild bool) int {
	for i := len(r.found) - 1; i >= 0; i-- {
		if fits(r.found[i]) && !r.unwanted(r.found[i], mild) {
			return i
		}
	}
	return -1
}

// countLast marks the last mention that fits, and those it was offered beside.
func (r *reader) countLast(fits func(Mention) bool, mild bool) bool {
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
func (r *reader) unlessSame(last int, fits func(Mention) bool, mild bool) int {
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

var corrections = set(`no better mejor sorry perdon perdona perdone instead rather actually mean digo wait espera bueno prefer prefiero but pero`)

// replaces says whether a part of the day that comes after a clock takes its
// place: "at nine, no, better in the afternoon".
func (r *reader) replaces(part, clock Mention) bool {
	c := clock.Clock
	if clock.Kind != AtClock || clock.Open || !c.Before(part.From) && c.Before(part.To) {
		return false
	}
	for k := clock.tokens.to; k < part.tokens.from; k++ {
		if corrections[r.word(k)] {
			return true
		}
	}
	return false
}

// orBefore says whether an "or" stands before the mention.
func (r *reader) orBefore(m Mention) bool {
	for k := m.tokens.from - 1; k >= 0 && k >= m.tokens.from-3; k-- {
		switch r.word(k) {
		case "or", "o", "u":
			return true
		case "maybe", "even", "on", "el", "a", "at", "perhaps", "quizas", "quiza", "para", "for", "mejor", "si":
		default:
			return false
		}
	}
	return false
}

// negated says whether mention i is said only to be ruled out.
func (r *reader) negated(i int) bool {
	m := r.found[i]
	first := 0
	if i > 0 {
		first = r.found[i-1].tokens.to
	}
	if i > 0 && r.deniedAfter(r.found[i-1], i-1) { // "Friday I can't, Thursday": those words are Friday's
		first = m.tokens.from
	}
	return r.deniedBefore(m, first) || r.deniedAfter(m, i)
}

var denials = set(`not except excepto salvo menos cannot cant wont dont nunca never avoid`)

// deniedBefore looks at the few words before a mention: "not on", "can't do",
// "no puedo".
func (r *reader) deniedBefore(m Mention, first int) bool {
	for k := m.tokens.from - 1; k >= first && k >= m.tokens.from-5; k-- {
		w := r.word(k)
		if w == "instead" && r.word(k+1) == "of" {
			return true
		}
		if !r.soft(k+1) || w == "sino" || w != "no" && corrections[w] {
			return false
		}
		switch {
		case w == "of" && r.word(k-1) == "instead" || w == "de" && (r.word(k-1) == "vez" || r.word(k-1) == "lugar"):
			return true
		case w == "t" && (r.word(k+1) == "we" || r.word(k+1) == "you"):
			return false
		case w == "t" && (r.word(k-1) == "can" || r.word(k-1) == "don" || r.word(k-1) == "won" || r.word(k-1) == "couldn"):
			return true
		case w == "menos" && r.word(k-1) == "al", w == "menos" && r.word(k-1) == "lo":
			return false
		case denials[w] && r.word(k-1) != "if" && r.word(k-1) != "why" && r.word(k-1) != "or":
			return true
		case w == "no" && inability[r.word(k+1)]:
			return true
		case w == "no" && k == m.tokens.from-1 && first > 0 && r.tok(k).gap == comma:
			return true
		}
	}
	return false
}

var inability = set(`puedo podemos podria podriamos quiero queremos me nos sea es va vamos puede pueden estoy estamos ire voy tengo`)

// deniedAfter looks at the words behind a mention: "Friday doesn't work", "el
// viernes no puedo".
func (r *reader) deniedAfter(m Mention, i int) bool {
	k := m.tokens.to
	if !r.soft(k) {
		return false
	}
	w, next, third := r.word(k), r.word(k+1), r.word(k+2)
	switch {
	case w == "no" && inability[next] && r.soft(k+1):
		return true
	case w == "no" && !r.soft(k+1):
		return i > 0 && r.found[i-1].aboutDay() == m.aboutDay()
	case (w == "doesn" || w == "won" || w == "isn" || w == "wouldn") && next == "t":
		return true
	case (w == "is" || w == "does" || w == "will") && (next == "not" || next == "no" && third == "good"):
		return true
	}
	return w == "i" && (next == "can" && third == "t" || next == "cannot")
}
