package dates

import "cmp"

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
}

var leads = sayings(func() map[string]lead {
	all := map[string]lead{
		"at,at around,at about,at approximately,at roughly,at like,at exactly":                           {exactly, true},
		"around,about,approximately,roughly,like,circa":                                                  {exactly, false},
		"after,from,starting at,starting from,any time after,anytime after,since,not before,from around": {fromThen, false},
		"before,by,until,till,til,up to,no later than,not later than":                                    {untilThen, false},
		"las,la": {exactly, false},
	}
	for _, article := range []string{" las", " la"} {
		for prep, l := range map[string]lead{
			"a": {exactly, true}, "sobre": {exactly, true}, "hacia": {exactly, true}, "a eso de": {exactly, true}, "alrededor de": {exactly, true},
			"cerca de": {exactly, true}, "para": {exactly, true}, "son": {exactly, true}, "como a": {exactly, true}, "a partir de": {fromThen, true},
			"desde": {fromThen, true}, "despues de": {fromThen, true}, "pasadas": {fromThen, true}, "mas tarde de": {fromThen, true},
			"antes de": {untilThen, true}, "hasta": {untilThen, true}, "no mas tarde de": {untilThen, true}, "de": {exactly, false},
		} {
			all[prep+article] = l
		}
	}
	return all
}())

// clock reads a time of day: "at six", "half past four", "a las ocho y cuarto",
// "17:00", "8 pm"; "after six" is the hours from then on.
func clock(r *reader, i int) (Mention, int) {
	l, k := leads.at(r, i)
	k = max(k, i)
	s := r.spoken(k, false)
	if s.end == 0 || k > i && !r.soft(k) || !r.isTime(i, k, l, s) {
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
func (r *reader) isTime(i, k int, l lead, s said) bool {
	after := r.word(s.end)
	switch {
	case k == i && r.marked(i) && r.onlyPart(i, r.anyNumber(i).end): // "el 5 por la tarde"
		return false
	case s.sure:
		return !labelled[r.word(i-1)] || r.tok(k).value >= 0
	case r.moreNumbers(s.end) || r.soft(s.end) && counted[after] || r.street(s.end):
		return false
	case r.word(k-1) == "la" && (s.clock.Hour != 1 || k == i):
		return false
	case k > i && l.strong:
		return true
	case k > i:
		return r.closed(s.end) && !s.compact
	case (r.asked == AskedTime || r.tok(k+1).gap == dot || s.clock.Minute > 0 && !s.bare) && r.alone(i, s.end):
		return true
	}
	return r.besidePart(i, s) || r.echoes(i, AtClock) && r.closed(s.end)
}

// besidePart says whether a part of the day makes the number at i a time:
// "evening 6", "10, tonight".
func (r *reader) besidePart(i int, s said) bool {
	if len(r.found) > 0 {
		last := r.found[len(r.found)-1]
		if last.Kind == InPart && last.tokens.to == i && r.near(i) && r.closed(s.end) {
			return true
		}
	}
	p, e := otherParts.at(r, s.end)
	before := r.word(i - 1)
	return e > 0 && p.today && r.near(s.end) && before != "for" && before != "para" && before != "of" && before != "de" && !labelled[before]
}

// closed says whether what stands at i may follow a time.
func (r *reader) closed(i int) bool {
	t := r.tok(i)
	if t.word == "" || !t.gap.soft() || ordinary[t.word] || t.month > 0 {
		return true
	}
	_, weekday := r.weekdayAt(i)
	return weekday
}

// moreNumbers says whether another number follows at i that counts nothing: a
// row of numbers is no time.
func (r *reader) moreNumbers(i int) bool {
	n := r.anyNumber(i)
	return n.ok() && n.digits > 0 && r.soft(i) && !counted[r.word(n.end)] && !n.ordinal && r.tok(i+1).gap != slash && r.monthAt(n.end) == 0
}

func (r *reader) street(i int) bool {
	for k := i; k < i+3 && r.soft(k); k++ {
		switch r.word(k) {
		case "street", "road", "avenue", "lane", "drive", "square", "st", "rd", "boulevard":
			return true
		}
	}
	return false
}

// spoken reads a clock without what leads to it. In a range it stays plain: the
// to of "10 to 12" and the y of "entre las 5 y 6" belong to the range.
func (r *reader) spoken(k int, plain bool) said {
	if r.tok(k).taken {
		return said{}
	}
	best := r.named(k)
	for _, read := range []func(int, bool) said{r.face, r.english, r.spanish} {
		if s := read(k, plain); s.end > 0 {
			if s = r.tail(s, plain); s.end > best.end {
				best = s
			}
		}
	}
	return best
}

var fixed = sayings(map[string]Clock{
	"noon,midday,mid day,noonish,twelve noon,high noon,mediodia,medio dia,al mediodia,a mediodia,al medio dia,a medio dia,twelve midday": {12, 0},
	"midnight,mid night,twelve midnight,medianoche,media noche,a medianoche,a media noche":                                               {0, 0},
})

// named reads noon and midnight.
func (r *reader) named(k int) said {
	at := k
	if r.tok(k).value == 12 {
		at++
	}
	c, end := fixed.at(r, at)
	if end == 0 || at > k && !r.soft(at) {
		return said{}
	}
	return said{clock: c, end: end, sure: true, certain: true}
}

// face reads a clock in figures: 8:30, 8.30, 8h30, 1730.
func (r *reader) face(k int, _ bool) said {
	t, after := r.tok(k), r.tok(k+1)
	wide := t.end - t.start
	if t.value < 0 || t.price || t.gap == glued && k > 0 || t.gap == colon && r.tok(k-1).value >= 0 || t.gap == slash {
		return said{}
	}
	s := said{end: k + 2}
	switch {
	case wide <= 2 && (after.gap == colon || after.gap == dot) && after.value >= 0 && after.end-after.start == 2:
		s.clock, s.sure = Clock{t.value, after.value}, after.gap == colon
		if sec := r.tok(k + 2); sec.gap == colon && sec.value >= 0 && sec.value < 60 {
			s.end++
		}
		if after.price || r.tok(k+2).gap == dot && r.tok(k+2).value >= 0 {
			return said{}
		}
	case wide <= 2 && after.word == "h" && r.tok(k+2).value >= 0 && r.tok(k+2).gap == glued && r.tok(k+2).end-r.tok(k+2).start == 2:
		s.clock, s.sure, s.end = Clock{t.value, r.tok(k + 2).value}, true, k+3
	case wide == 4 || wide == 3 && r.halfDayAt(k+1):
		s.clock, s.end, s.bare, s.compact = Clock{t.value / 100, t.value % 100}, k+1, true, true
	default:
		return said{}
	}
	s.certain = t.word[0] == '0' || s.clock.Hour >= 13
	return s.valid()
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
func (r *reader) hour(k int, lang string) (Clock, number) {
	n := r.number(k, lang)
	if !n.within(0, 24) || n.ordinal || n.digits > 2 || r.tok(k).gap == slash || n.digits > 0 && r.figure(n.end) {
		return Clock{}, number{}
	}
	return Clock{Hour: n.value}, n
}

// figure says whether the digits before i go on: 8.5, 3/4, 10,000.
func (r *reader) figure(i int) bool {
	t := r.tok(i)
	return t.value >= 0 && (t.gap == dot || t.gap == slash || t.gap == glued || t.gap == comma && t.start == r.tok(i-1).end+1)
}

// english reads "half past four", "quarter to nine", "five thirty", "six".
func (r *reader) english(k int, plain bool) said {
	if s := r.pastTo(k, plain); s.end > 0 {
		return s
	}
	c, n := r.hour(k, "en")
	if !n.ok() {
		return said{}
	}
	s := said{clock: c, end: n.end, bare: true}
	if w := r.word(n.end); (w == "oh" || w == "o") && r.soft(n.end) && n.digits == 0 {
		if m := r.number(n.end+1, "en"); m.within(1, 9) && r.soft(n.end+1) {
			s.clock.Minute, s.end, s.sure, s.bare = m.value, m.end, true, false
		}
		return s.valid()
	}
	if m, ok := r.minutes(n, "en"); ok {
		s.clock.Minute, s.end, s.bare = m.value, m.end, false
		s.sure = n.digits == 0 && m.digits == 0 && m.value%5 == 0 && n.value > 0
	}
	return s.valid()
}

// minutes reads the minutes right behind an hour. Figures come in twos.
func (r *reader) minutes(hour number, lang string) (number, bool) {
	m := r.number(hour.end, lang)
	ok := m.within(10, 59) && !m.ordinal && r.soft(hour.end) && (m.digits == 0) == (hour.digits == 0) && m.digits <= 2 &&
		!(counted[r.word(m.end)] && r.soft(m.end)) && !r.moreNumbers(m.end) && !r.figure(m.end) && r.tok(m.end).gap != colon && r.monthAt(m.end) == 0
	return m, ok
}

// pastTo reads "half past four", "a quarter to nine", "ten to six", "half four".
func (r *reader) pastTo(k int, plain bool) said {
	k = r.skip(k, "a")
	minutes, at := 0, k+1
	switch r.word(k) {
	case "half":
		minutes = 30
	case "quarter":
		minutes = 15
	default:
		n := r.number(k, "en")
		if !n.within(1, 59) || n.ordinal || n.digits > 2 {
			return said{}
		}
		minutes, at = n.value, r.skip(n.end, "minutes", "minute", "mins", "min")
		if plain || at == n.end && n.value%5 != 0 {
			return said{}
		}
	}
	sign := 0
	switch r.word(at) {
	case "past", "after":
		sign = 1
	case "to", "till", "til", "before":
		sign = -1
	case "of":
		if minutes == 15 && r.word(k) == "quarter" {
			sign = -1
		}
	}
	if sign == 0 && (minutes != 30 || r.word(k) != "half") || !r.soft(at) {
		return said{}
	}
	c, n := r.hour(at+abs(sign), "en")
	if !n.ok() || !r.soft(at+abs(sign)) || sign == 0 && c.Hour > 12 {
		return r.pastNamed(at+1, sign*minutes)
	}
	return past(c, cmp.Or(sign, 1)*minutes, n.end)
}

func (r *reader) pastNamed(at, minutes int) said {
	c, end := fixed.at(r, at)
	if end == 0 || minutes == 0 {
		return said{}
	}
	s := past(Clock{c.Hour + 24, 0}, minutes, end)
	s.clock.Hour %= 24
	s.certain = true
	return s
}

// past is a clock some minutes past the hour, or before it.
func past(c Clock, minutes, end int) said {
	total := c.minutes() + minutes
	if c.Hour <= 12 && total < 60 { // a quarter to one is 12:45
		total += 12 * 60
	}
	return said{clock: Clock{total / 60, total % 60}, end: end, sure: true, certain: c.Hour >= 13}
}

// spanish reads "cinco y media", "ocho menos cuarto", "veintiuna treinta",
// "cuarto para las nueve".
func (r *reader) spanish(k int, plain bool) said {
	if s := r.lacking(k); s.end > 0 {
		return s
	}
	c, n := r.hour(k, "es")
	if !n.ok() || r.word(k) == "once" && r.word(k-1) == "at" {
		return said{}
	}
	s := said{clock: c, end: n.end, bare: true}
	if more := r.yMenos(c, n.end, plain); more.end > 0 {
		return more.valid()
	}
	if m, ok := r.minutes(n, "es"); ok && m.digits == 0 {
		s.clock.Minute, s.end, s.bare = m.value, m.end, false
		s.sure = m.value%5 == 0
	}
	return s.valid()
}

var fractions = map[string]int{"media": 30, "cuarto": 15, "pico": 0}

// yMenos reads what is added to an hour or taken from it.
func (r *reader) yMenos(c Clock, i int, plain bool) said {
	w := r.word(i)
	if w != "y" && w != "menos" && w != "con" || !r.soft(i) || !r.soft(i+1) {
		return said{}
	}
	sign := 1
	if w == "menos" {
		sign = -1
	}
	at := r.skip(i+1, "un")
	if f, ok := fractions[r.word(at)]; ok {
		if after := r.word(at + 1); after == "hora" || after == "horas" || after == "de" && r.word(at+2) == "hora" {
			return said{}
		}
		return past(c, sign*f, at+1)
	}
	n := r.number(i+1, "es")
	if plain || !n.within(1, 59) || n.ordinal || n.digits > 2 || counted[r.word(n.end)] && r.word(n.end) != "minutos" && r.soft(n.end) || r.figure(n.end) {
		return said{}
	}
	s := past(c, sign*n.value, r.skip(n.end, "minutos"))
	s.sure = false
	return s
}

// lacking reads "cuarto para las nueve", "faltan diez para las ocho".
func (r *reader) lacking(k int) said {
	at := r.skip(k, "faltan", "falta")
	at = r.skip(at, "un")
	minutes := 15
	if r.word(at) != "cuarto" {
		n := r.number(at, "es")
		if at == k || !n.within(1, 59) {
			return said{}
		}
		minutes, at = n.value, n.end-1
	}
	if r.word(at+1) != "para" && r.word(at+1) != "pa" || r.word(at+2) != "las" && r.word(at+2) != "la" {
		return said{}
	}
	c, n := r.hour(at+3, "es")
	if !n.ok() {
		return said{}
	}
	return past(c, -minutes, n.end)
}

var trimmings = sayings(map[string]bool{
	"o clock,oclock,en punto,sharp,on the dot,exactly,ish,y pico,o clock sharp,mas o menos": true,
	"hours,horas,h,hs,hrs,hr": false,
})

// tail reads what follows a clock: p.m., o'clock, de la tarde, horas.
func (r *reader) tail(s said, plain bool) said {
	for range 4 {
		if p, end := r.meridiem(s.end); end > 0 && s.half.part == NoPart {
			s = s.with(p, end)
			continue
		}
		if sure, end := trimmings.at(r, s.end); end > 0 && r.soft(s.end) && (sure || r.hoursMean(s)) {
			s.end, s.sure, s.bare = end, true, false
			continue
		}
		if p, end := spokenParts.at(r, s.end); end > 0 && r.near(s.end) && s.half.part == NoPart && r.partBelongs(s.end) {
			s = s.with(p, end)
			continue
		}
		more := r.yMenos(s.clock, s.end, true)
		if more.end == 0 || plain || s.clock.Minute > 0 || s.half.part == NoPart {
			break
		}
		s.clock, s.end = more.clock, more.end
	}
	return s
}

// partBelongs is false for a part that belongs to a day of its own: "at 9, in
// the morning of the 3rd" still is one, "at 9, mornings are best" is not.
func (r *reader) partBelongs(i int) bool {
	return r.soft(i) || r.word(i) == "in" || r.word(i) == "de" || r.word(i) == "por"
}

// with settles the half of the day.
func (s said) with(p period, end int) said {
	s.end, s.sure, s.bare, s.half = end, true, false, p
	if s.certain {
		return s
	}
	if c, ok := p.settle(s.clock); ok {
		s.clock, s.certain = c, true
	}
	return s
}

// hoursMean says whether the horas behind a number make it a clock: they do
// behind "las", glued to it, or from 13 on; "2 horas" is how long.
func (r *reader) hoursMean(s said) bool {
	if r.tok(s.end).gap == glued || s.sure || !s.bare {
		return s.clock.Hour != 0
	}
	first := s.end - 1
	for first > 0 && r.word(first-1) != "las" && r.number(first-1, r.lang).ok() {
		first--
	}
	before := r.word(first - 1)
	return before == "las" || before == "at" || s.clock.Hour >= 13 && before != "en" && before != "in" && before != "de" && before != "for" && before != "durante" && before != "por"
}

var (
	anteMeridiem = period{part: Morning}
	postMeridiem = period{part: Afternoon}
)

// halfDayAt says whether a.m. or p.m. stands at i.
func (r *reader) halfDayAt(i int) bool {
	_, end := r.meridiem(i)
	return end > 0
}

// meridiem reads "am", "a.m.", "a m", "p. m.", and "8p".
func (r *reader) meridiem(i int) (period, int) {
	t, after := r.tok(i), r.tok(i+1)
	if t.gap > dot || t.gap == colon {
		return period{}, 0
	}
	half := anteMeridiem
	switch t.word {
	case "pm", "p":
		half = postMeridiem
	case "am", "a":
	default:
		return period{}, 0
	}
	switch {
	case len(t.word) == 2:
		return half, i + 1
	case after.word == "m" && (after.gap <= dot && after.gap != colon || after.gap == stop):
		return half, i + 2
	case t.gap == glued && r.tok(i-1).value >= 0:
		return half, i + 1
	}
	return period{}, 0
}

var clockStarts = set(`am pm oclock h hs hrs`)

// startsClock says whether what stands at i makes a time of the number before:
// a colon, "pm", "y media", "de la tarde", "o'clock".
func (r *reader) startsClock(i int) bool {
	t := r.tok(i)
	switch {
	case t.word == "":
		return false
	case t.gap == colon && t.value >= 0 || clockStarts[t.word] && r.soft(i) || r.halfDayAt(i):
		return true
	case (t.word == "y" || t.word == "menos") && r.soft(i):
		_, ok := fractions[r.word(i+1)]
		return ok
	case t.word == "o":
		return r.word(i+1) == "clock"
	case t.word == "en":
		return r.word(i+1) == "punto"
	}
	_, end := spokenParts.at(r, i)
	return end > i+1 && r.soft(i)
}
