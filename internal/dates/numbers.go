package dates

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

// number is a number in digits or words, as it stands in the text.
type number struct {
	value   int
	end     int // the token after it; 0: there is none
	ordinal bool
	digits  int // how many; 0 for words
}

func (n number) ok() bool { return n.end > 0 }

func (n number) within(low, high int) bool { return n.ok() && low <= n.value && n.value <= high }

// number reads the number at token i in one language, or in digits.
func (r *line) number(i int, l *lexicon) number {
	t := r.tok(i)
	switch {
	case t.price || t.taken || t.word == "":
		return number{}
	case t.value >= 0:
		return r.digits(i)
	}
	if v, ok := l.ordinals[t.word]; ok {
		if r.namesTime(i) {
			return number{}
		}
		return number{value: v, end: i + 1, ordinal: true}
	}
	v, ok := l.cardinals[t.word]
	if !ok {
		return number{}
	}
	return r.compound(number{value: v, end: i + 1}, l)
}

// namesTime says whether the ordinal at i begins an expression that says when, and
// is no number: "first thing", "first available".
func (r *line) namesTime(i int) bool {
	_, end := r.otherParts.at(r, i)
	return max(end, r.heardAt(i, "soonest"), r.heardAt(i, "earliest")) > i+1
}

// anyNumber reads the number at token i, the reader's language first.
func (r *line) anyNumber(i int) number {
	if n := r.number(i, r.lang); n.ok() {
		return n
	}
	for _, l := range r.lexicons {
		if n := r.number(i, l); l != r.lang && n.ok() {
			return n
		}
	}
	return number{}
}

func (r *line) digits(i int) number {
	t, after := r.tok(i), r.tok(i+1)
	n := number{value: t.value, end: i + 1, digits: t.wide}
	switch {
	case t.gap == language.Glued && i > 0: // B12
		return number{}
	case after.word == "" || after.value >= 0:
		return n
	case (after.gap == language.Glued || after.gap == language.Dot || r.raised(after)) && r.ordinalEnd(i+1):
		n.end, n.ordinal = i+2, true
		return n
	case after.gap == language.Glued && !r.is(i+1, "unit_ends") && after.month == 0: // 3B
		return number{}
	}
	return n
}

// raised says whether a token is the raised letter of an ordinal, which can stand
// for nothing else: "1 º".
func (r *line) raised(t token) bool {
	return t.gap == language.Space && strings.ContainsAny(r.text[t.start:t.end], "ºª")
}

// ordinalEnd says whether the letters at i make an ordinal of the figures before
// them, and are not short for a.m. or p.m.
func (r *line) ordinalEnd(i int) bool {
	w := r.word(i)
	if w == "p" || w == "a" && (r.word(i+1) == "m" || !r.lang.ordinalEnds[w]) {
		return false
	}
	for _, l := range r.lexicons {
		if l.ordinalEnds[w] {
			return true
		}
	}
	return false
}

// compound adds the unit to a ten: twenty-one, treinta y uno.
func (r *line) compound(n number, l *lexicon) number {
	i := n.end
	if l.joiner != "" {
		if n.value < l.joinedFrom || r.word(i) != l.joiner || !r.soft(i) {
			return n
		}
		i++
	}
	if n.value < 20 || n.value%10 != 0 || !r.soft(i) {
		return n
	}
	if v := l.cardinals[r.word(i)]; v >= 1 && v <= 9 {
		return number{value: n.value + v, end: i + 1}
	}
	if v := l.ordinals[r.word(i)]; v >= 1 && v <= 9 && l.ordinalTens {
		return number{value: n.value + v, end: i + 1, ordinal: true}
	}
	return n
}

// year reads a year: 2027, "dos mil veintisiete", "twenty twenty seven".
func (r *line) year(i int) number {
	t := r.tok(i)
	if t.value >= 0 {
		if t.value >= 1900 && t.value <= 2199 && t.wide == 4 && !t.price && !t.taken && !r.startsClock(i+1) {
			return number{value: t.value, end: i + 1}
		}
		return number{}
	}
	if n, end := r.thousands.at(r, i); end > 0 {
		if more := r.anyNumber(end); more.within(1, 99) && r.soft(end) {
			return number{value: n + more.value, end: more.end}
		}
		return number{value: n, end: end}
	}
	for _, l := range r.lexicons {
		if !l.pairYears || l.cardinals[t.word] != 20 || !r.soft(i+1) {
			continue
		}
		if n := r.number(i+1, l); n.within(20, 59) && n.digits == 0 && !n.ordinal {
			return number{value: 2000 + n.value, end: n.end}
		}
	}
	return number{}
}
