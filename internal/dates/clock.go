package dates

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

// clocks reads times of day.
type clocks struct{ figures }

// said is a clock as the words give it.
type said struct {
	clock   Clock
	end     int
	sure    bool // can be nothing but a time
	certain bool // morning or evening is known
	half    period
	bare    bool // one number and nothing else
	compact bool // four figures in a row, which may be a year
}

type edge int

const (
	exactly edge = iota
	fromThen
	untilThen
)

// lead is what stands before a time.
type lead struct {
	edge   edge
	strong bool // a number behind it is a time
	loose  bool // it is one only where a time is asked for, or beside a part of the day
}

// leadOf reads "at", "from" or "until", and whether it is strong.
func leadOf(s string) lead {
	word, strength, _ := strings.Cut(s, " ")
	l := lead{strong: strength == "strong", loose: strength == "loose"}
	switch word {
	case "from":
		l.edge = fromThen
	case "until":
		l.edge = untilThen
	}
	return l
}

// clock reads a time of day: "at six", "half past four", "a las ocho y cuarto",
// "17:00", "8 pm"; "after six" is the hours from then on.
func clock(r *reader, i int) (Mention, int) {
	l, k := r.leads.at(r.line, i)
	k = max(k, i)
	s := r.spoken(k, false)
	if s.end == 0 || k > i && !r.soft(k) || !r.isTime(i, k, l, s) || r.standing.Several && r.heardAt(i, "both") == s.end {
		return Mention{}, 0
	}
	if _, dated := dayOfMonth(r, k); k > i && !l.strong && dated > s.end { // "from 3 March"
		return Mention{}, 0
	}
	m := Mention{Kind: AtClock, Clock: s.clock, Open: !s.certain}
	switch l.edge {
	case fromThen:
		m = Mention{Kind: Hours, From: s.clock, To: Clock{Hour: 24}, Open: !s.certain}
	case untilThen:
		m = Mention{Kind: Hours, To: s.clock, Open: !s.certain}
	}
	return m, s.end
}

// isTime says whether what was read from k on, behind the lead at i, is a time
// and no other number.
func (r clocks) isTime(i, k int, l lead, s said) bool {
	switch {
	case k == i && r.marked(i) && onlyPart(r.line, i, r.anyNumber(i).end): // "el 5 por la tarde"
		return false
	case s.sure:
		return !r.is(i-1, "labelled") || r.tok(k).value >= 0
	case r.moreNumbers(s.end) || r.counts(s.end):
		return false
	case r.is(k-1, "one_article") && (s.clock.Hour != 1 || k == i):
		return false
	case l.loose:
		return (r.asked == AskedTime || r.besideSaidPart(i)) && r.closed(s.end) && !s.compact
	case k > i:
		return l.strong || r.closed(s.end) && !s.compact
	}
	return r.bareTime(i, k, s)
}

// bareTime says whether a number without a lead is a time.
func (r clocks) bareTime(i, k int, s said) bool {
	return r.answers(k, s) || r.besidePart(i, s) || r.orTime(k, s) || r.echoes(i, AtClock) && r.closed(s.end) && !r.somebody(s)
}

// orTime says whether the number at k is a time because the one behind an "or" is: "six
// or seven pm".
func (r clocks) orTime(k int, s said) bool {
	if !r.is(s.end, "or") {
		return false
	}
	other := r.spoken(s.end+1, false)
	return other.end > 0 && (other.sure || r.asked == AskedTime && r.alone(k, other.end))
}

// somebody says whether a one is a person: "at nine, one of us is vegan".
func (r clocks) somebody(s said) bool { return s.bare && s.clock.Hour == 1 && r.is(s.end, "one_is") }

// answers says whether the number at k is a time because nothing else was said.
func (r clocks) answers(k int, s said) bool {
	return (r.asked == AskedTime || r.tok(k+1).gap == language.Dot || s.clock.Minute > 0 && !s.bare) && r.alone(k, s.end)
}

// besidePart says whether a part of the day makes the number at i a time:
// "evening 6", "10, tonight".
func (r clocks) besidePart(i int, s said) bool {
	if r.besideSaidPart(i) && r.closed(s.end) {
		return true
	}
	p, e := r.otherParts.at(r.line, s.end)
	return e > 0 && p.today && r.near(s.end) && !r.is(i-1, "day_preps") && !r.is(i-1, "part_for") && !r.is(i-1, "of") && !r.is(i-1, "labelled")
}

// besideSaidPart says whether the mention right before i is a part of the day: "a la
// tarde, tipo cuatro".
func (r clocks) besideSaidPart(i int) bool {
	last, ok := r.last()
	return ok && last.Kind == InPart && last.tokens.to == i && r.near(i)
}

// closed says whether what stands at i may follow a time.
func (r *line) closed(i int) bool {
	t := r.tok(i)
	if t.word == "" || !t.gap.Soft() || r.is(i, "ordinary") || t.month > 0 {
		return true
	}
	_, weekday := r.weekdayAt(i)
	return weekday
}

// moreNumbers says whether another number follows at i that counts nothing: a
// row of numbers is no time.
func (r *line) moreNumbers(i int) bool {
	n := r.anyNumber(i)
	return n.ok() && n.digits > 0 && r.soft(i) && !r.is(n.end, "counted") && !n.ordinal && r.tok(i+1).gap != language.Slash && r.monthAt(n.end) == 0
}

// spoken reads a clock without what leads to it. In a range it stays plain: the
// to of "10 to 12" and the y of "entre las 5 y 6" belong to the range.
func (r clocks) spoken(k int, plain bool) said {
	if r.tok(k).taken {
		return said{}
	}
	best := r.named(k)
	keep := func(s said) {
		if s.end > 0 {
			if s = r.tail(s, plain); s.end > best.end {
				best = s
			}
		}
	}
	keep(r.face(k))
	for _, l := range r.lexicons {
		keep(r.minutesFirst(k, l, plain))
		keep(r.lacks(k, l))
		keep(r.hourFirst(k, l, plain))
	}
	return best
}

// named reads noon and midnight.
func (r clocks) named(k int) said {
	at := k
	if r.tok(k).value == 12 {
		at++
	}
	c, end := r.fixedClocks.at(r.line, at)
	if end == 0 || at > k && !r.soft(at) {
		return said{}
	}
	return said{clock: c, end: end, sure: true, certain: true}
}

// face reads a clock in figures: 8:30, 8.30, 8h30, 1730.
func (r clocks) face(k int) said {
	t := r.tok(k)
	if t.value < 0 || t.price || t.gap == language.Glued && k > 0 || t.gap == language.Colon && r.tok(k-1).value >= 0 || t.gap == language.Slash {
		return said{}
	}
	s := r.withSign(k)
	if s.end == 0 && (t.wide == 4 || t.wide == 3 && r.halfDayAt(k+1)) {
		s = said{clock: Clock{Hour: t.value / 100, Minute: t.value % 100}, end: k + 1, bare: true, compact: true}
	}
	if s.end == 0 {
		return said{}
	}
	s.certain = t.word[0] == '0' || s.clock.Hour >= 13
	return s.valid()
}

// withSign reads an hour and its minutes with a sign between them.
func (r clocks) withSign(k int) said {
	t, after, third := r.tok(k), r.tok(k+1), r.tok(k+2)
	if t.wide > 2 {
		return said{}
	}
	if after.word == "h" && third.value >= 0 && third.gap == language.Glued && third.wide == 2 {
		return said{clock: Clock{Hour: t.value, Minute: third.value}, end: k + 3, sure: true}
	}
	if after.gap != language.Colon && after.gap != language.Dot || after.value < 0 || after.wide != 2 {
		return said{}
	}
	if after.price || third.gap == language.Dot && third.value >= 0 {
		return said{}
	}
	s := said{clock: Clock{Hour: t.value, Minute: after.value}, end: k + 2, sure: after.gap == language.Colon}
	if third.gap == language.Colon && third.value >= 0 && third.value < 60 { // seconds
		s.end++
	}
	return s
}

// valid is s if there is such a clock; 24 is the hour 0.
func (s said) valid() said {
	if s.clock.Hour > 24 || s.clock.Minute > 59 || s.clock.Hour == 24 && s.clock.Minute > 0 {
		return said{}
	}
	if s.clock.Hour == 24 || s.clock.Hour == 0 {
		s.clock.Hour, s.certain = 0, true
	}
	s.certain = s.certain || s.clock.Hour >= 13
	return s
}

// hour reads the plain hour at k.
func (r clocks) hour(k int, l *lexicon) (Clock, number) {
	n := r.number(k, l)
	if !n.within(0, 24) || n.ordinal || n.digits > 2 || r.tok(k).gap == language.Slash || n.digits > 0 && r.goesOn(n.end) {
		return Clock{}, number{}
	}
	return Clock{Hour: n.value}, n
}

// goesOn says whether the digits before i go on: 8.5, 3/4, 10,000.
func (r *line) goesOn(i int) bool {
	t := r.tok(i)
	return t.value >= 0 && (t.gap == language.Dot || t.gap == language.Slash || t.gap == language.Glued || t.gap == language.Comma && t.start == r.tok(i-1).end+1)
}

// hourFirst reads an hour and what follows it: "five thirty", "six oh five",
// "cinco y media", "six".
func (r clocks) hourFirst(k int, l *lexicon, plain bool) said {
	c, n := r.hour(k, l)
	if !n.ok() {
		return said{}
	}
	s := said{clock: c, end: n.end, bare: true}
	if l.oh[r.word(n.end)] && r.soft(n.end) && n.digits == 0 {
		if m := r.number(n.end+1, l); m.within(1, 9) && r.soft(n.end+1) {
			s.clock.Minute, s.end, s.sure, s.bare = m.value, m.end, true, false
		}
		return s.valid()
	}
	if more := r.added(c, n.end, l, plain); more.end > 0 {
		return more.valid()
	}
	if m, ok := r.minutes(n, l); ok {
		s.clock.Minute, s.end, s.bare = m.value, m.end, false
		s.sure = n.digits == 0 && m.digits == 0 && m.value%5 == 0 && n.value > 0 || afternoonFigures(n, m)
	}
	return s.valid()
}

// afternoonFigures says whether two numbers in figures can hardly be anything but a time:
// "17 30".
func afternoonFigures(hour, minutes number) bool {
	const noon, quarter = 12, 15
	return hour.digits == 2 && hour.value > noon && minutes.digits == 2 && minutes.value%quarter == 0
}

// minutes reads the minutes right behind an hour. Figures come in twos.
func (r clocks) minutes(hour number, l *lexicon) (number, bool) {
	m := r.number(hour.end, l)
	ok := m.within(10, 59) && !m.ordinal && r.soft(hour.end) && (m.digits == 0) == (hour.digits == 0) && m.digits <= 2 &&
		!r.counts(m.end) && !r.moreNumbers(m.end) && !r.goesOn(m.end) && r.tok(m.end).gap != language.Colon && r.monthAt(m.end) == 0
	return m, ok
}

// added reads what is added to an hour or taken from it: "y media", "menos diez".
func (r clocks) added(c Clock, i int, l *lexicon, plain bool) said {
	sign, at := l.minutesAfter.at(r.line, i)
	if at == 0 || !r.soft(i) || !r.soft(at) {
		return said{}
	}
	if f, end := l.fractions.at(r.line, at); end > 0 {
		if r.is(end, "half_hours") || r.is(end, "of") && r.is(end+1, "half_hours") {
			return said{}
		}
		return past(c, sign*f, end)
	}
	n := r.number(at, l)
	end := r.skip(n.end, "minute_nouns")
	if plain || !n.within(1, 59) || n.ordinal || n.digits > 2 || end == n.end && r.countsThings(at, n) || r.goesOn(n.end) {
		return said{}
	}
	s := past(c, sign*n.value, end)
	s.sure = false
	return s
}

// countsThings says whether the number at i, behind an hour, is not that of its
// minutes: "a las diez y una limpieza", "a las diez y dos cortes".
func (r clocks) countsThings(i int, n number) bool {
	if _, end := r.amounts.at(r.line, i); end == n.end && n.digits == 0 && r.soft(n.end) && r.word(n.end) != "" {
		return true
	}
	return r.counts(n.end) || n.value%5 != 0 && !r.closed(n.end) && !r.startsClock(n.end)
}

// minutesFirst reads what stands before its hour: "half past four", "a quarter
// to nine", "ten to six", "half four".
func (r clocks) minutesFirst(k int, l *lexicon, plain bool) said {
	if len(l.minutesBefore) == 0 {
		return said{}
	}
	minutes, at := l.fractions.at(r.line, k)
	fraction := at > 0
	if !fraction {
		n := r.number(k, l)
		if !n.within(1, 59) || n.ordinal || n.digits > 2 {
			return said{}
		}
		minutes, at = n.value, r.skip(n.end, "minute_nouns")
		if plain || at == n.end && n.value%5 != 0 {
			return said{}
		}
	}
	sign, hourAt := l.minutesBefore.at(r.line, at)
	if hourAt == 0 && fraction && minutes == 15 {
		sign, hourAt = l.quarterBefore.at(r.line, at)
	}
	if hourAt == 0 {
		if !fraction || minutes != 30 || !l.halfPast {
			return said{}
		}
		sign, hourAt = 1, at
	}
	if !r.soft(at) || !r.soft(hourAt) {
		return said{}
	}
	return r.pastHour(hourAt, sign*minutes, l, hourAt == at)
}

// pastHour is the hour at k with minutes added, which may be noon or midnight.
func (r clocks) pastHour(k, minutes int, l *lexicon, half bool) said {
	c, n := r.hour(k, l)
	if n.ok() && !(half && c.Hour > 12) {
		return past(c, minutes, n.end)
	}
	c, end := r.fixedClocks.at(r.line, k)
	if end == 0 || half {
		return said{}
	}
	s := past(Clock{Hour: c.Hour + 24, Minute: 0}, minutes, end)
	s.clock.Hour %= 24
	s.certain = true
	return s
}

// lacks reads "cuarto para las nueve", "faltan diez para las ocho".
func (r clocks) lacks(k int, l *lexicon) said {
	at := r.skip(k, "lacking")
	minutes, end := l.fractions.at(r.line, at)
	if end == 0 || minutes != 15 {
		n := r.number(at, l)
		if at == k || !n.within(1, 59) {
			return said{}
		}
		minutes, end = n.value, n.end
	}
	if !r.is(end, "lacking_to") || !r.is(end+1, "hour_articles") {
		return said{}
	}
	c, n := r.hour(end+2, l)
	if !n.ok() {
		return said{}
	}
	return past(c, -minutes, n.end)
}

// past is a clock some minutes past the hour, or before it.
func past(c Clock, minutes, end int) said {
	total := c.Minutes() + minutes
	if c.Hour <= 12 && total < 60 { // a quarter to one is 12:45
		total += 12 * 60
	}
	return said{clock: Clock{Hour: total / 60, Minute: total % 60}, end: end, sure: true, certain: c.Hour >= 13}
}
