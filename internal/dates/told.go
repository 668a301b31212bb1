package dates

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

// tell marks what is told beside what is wished for: what happened, since when
// something is so, and when other things are.
func (r counting) tell() {
	for i := range r.found {
		m := &r.found[i]
		first := 0
		if i > 0 {
			first = r.found[i-1].tokens.to
		}
		if r.stoodAgainst(i - 1) { // those words are told of the day before
			first = m.tokens.from
		}
		m.frees = r.frees(*m, first)
		switch {
		case m.frees:
			m.Told = true
		case reasons{r}.concluded(i) && !(reasons{r}).keptThen(i):
		case m.aboutDay() && r.since(*m):
			m.Told, m.past = true, true
		case r.toldBy(m.tokens.from, first, r.toldAt), r.followed(i):
			m.Told = true
			r.putBack(m)
		case reasons{r}.reasoned(i, first), reasons{r}.keptThen(i), reasons{r}.subjectIs(*m, first):
			m.Told = true
		case r.toldBy(m.tokens.from, reasons{r}.pastKept(i, first), r.eventAt), i > 0 && r.toldWith(i):
			m.Told = true
		}
	}
}

// concluded says whether mention i is the time that a caller comes to who has taken back
// the one before and told why: "at nine, no, the bus gets in at nine, so at ten". The word
// that concludes is passed over elsewhere.
func (r reasons) concluded(i int) bool {
	m := r.found[i]
	if !m.aboutTime() || !slices.ContainsFunc(r.found[:i], Mention.aboutTime) {
		return false
	}
	words := strings.Fields(language.Fold(r.text[:m.Start]))
	if len(words) == 0 || !r.sets["concludes"][words[len(words)-1]] {
		return false
	}
	first := slices.IndexFunc(r.found, Mention.aboutTime)
	return r.correctedWithin(r.found[first].tokens.to, m.tokens.from)
}

func (r counting) toldAt(k int) bool { return r.is(k, "told") }

func (r counting) eventAt(k int) bool { return r.heardAt(k, "events") > 0 }

// reasons tells what is said only to explain a wish.
type reasons struct{ counting }

// reasoned says whether mention i stands in a reason: "because I've court at ten",
// "que a las diez tengo un juicio".
func (r reasons) reasoned(i, first int) bool {
	from := r.found[i].tokens.from
	if r.toldBy(from, first, func(k int) bool { return r.heardAt(k, "because") > 0 }) {
		return true
	}
	k := from - 1
	for k > first && r.is(k, "and_then") {
		k--
	}
	// A word that also joins a reason does so behind what was wished for.
	return i > 0 && k >= first && r.is(k, "because_after") && (k == first || !r.soft(k)) && !r.unwanted(r.found[i-1], false)
}

// keptThen says whether the words behind mention i, in its clause, tell what keeps the
// caller then: "a las once tengo dentista", "at four the kids get home". Who is free
// then wishes for it.
func (r reasons) keptThen(i int) bool {
	const far = 4
	m := r.found[i]
	if m.Kind != AtClock && m.Kind != Hours && !r.besideWish(i) {
		return false
	}
	kept := false
	for k := m.tokens.to; k < len(r.toks) && r.soft(k) && r.tok(k).clause == r.tok(m.head).clause; k++ {
		if r.is(k, "wishes") || r.is(k, "at_leisure") || r.tok(k).asks || r.heardAt(k, "because") > 0 || r.is(k, "because_after") || i+1 < len(r.found) && k >= r.found[i+1].tokens.from {
			break
		}
		kept = kept || k < m.tokens.to+far && r.heardAt(k, "keeps") > 0
		if r.is(k+1, "at_leisure") || r.tok(k+1).asks && r.soft(k+1) {
			return false
		}
	}
	return kept
}

// besideWish says whether mention i is a day without a time, named last behind another
// one with a time: "Thursday at ten, Friday I have the dentist".
func (r reasons) besideWish(i int) bool {
	if r.found[i].Kind != OneDay || i < 2 || i+1 < len(r.found) {
		return false
	}
	day, clock := r.found[i-2], r.found[i-1]
	return day.Kind == OneDay && day.Date != r.found[i].Date && !day.Negated && !day.Told && clock.Kind == AtClock && !clock.Negated && !clock.Told && !r.correctedWithin(clock.tokens.to, r.found[i].tokens.from)
}

// subjectIs says whether a clock is that of a thing that is named before it and is
// not asked for: "the show is at eight", "la ceremonia es a las cinco".
func (r reasons) subjectIs(m Mention, first int) bool {
	is := m.tokens.from - 1
	if m.Kind != AtClock || is-2 < first || !r.is(is, "being") || !r.soft(is) || !r.soft(m.tokens.from) {
		return false
	}
	for k := is - 1; k >= first && k >= is-5 && r.soft(k+1); k-- {
		if r.is(k, "wishes") || r.is(k, "at_leisure") {
			return false
		}
		if k < is-1 && r.is(k, "thing_before") {
			return true
		}
	}
	return false
}

// pastKept is where the words begin that may tell of mention i: what keeps the caller on
// the day before it is told of that one, as in "el martes tengo clase, el jueves".
func (r reasons) pastKept(i, first int) int {
	if i > 0 && r.found[i].aboutDay() && r.found[i-1].aboutDay() && r.soft(first) {
		return max(first, r.heardAt(first, "keeps"))
	}
	return first
}

// toldWith says whether mention i goes on from the one before, of which something is
// told. A word that wishes may stand between them that is passed over otherwise.
func (r counting) toldWith(i int) bool {
	before, m := r.found[i-1], r.found[i]
	if before.tokens.to != m.tokens.from || !before.Told || m.aboutTime() == before.aboutTime() {
		return false
	}
	between := strings.Fields(language.Fold(r.text[before.End:max(before.End, m.Start)]))
	return !slices.ContainsFunc(between, func(w string) bool { return r.sets["wishes"][w] })
}

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
		if r.is(k, "told") || k == m.tokens.to && r.is(k, "told_after") {
			return true
		}
	}
	return false
}

// ofToldDay says whether a day is told of and another one is wished for: times
// that are told are then those of the former.
func (r counting) ofToldDay() bool {
	told := func(m Mention) bool { return m.Told && m.Kind == OneDay }
	return slices.ContainsFunc(r.found, told) && r.lastOf(Mention.aboutDay, false) >= 0
}

// countFreed counts the time from which the caller is free, when no other is
// wished for: "I finish at six", "I'm at work until six". The first place after
// it is meant. A part of the day, or -1, says until when.
func (r counting) countFreed(part int) bool {
	for i := len(r.found) - 1; i >= 0; i-- {
		m := &r.found[i]
		if m.Negated || m.past || !m.frees {
			continue
		}
		from := m.Clock
		if m.Kind == Hours {
			from = m.To
		}
		*m = Mention{
			Kind: Hours, Start: m.Start, End: m.End, From: justAfter(from), To: Clock{Hour: 24}, Open: m.Open,
			Earliest: true, Told: true, Counts: true, tokens: m.tokens, head: m.head,
		}
		if part >= 0 && m.Open {
			m.settle(r.found[part].period())
		}
		return true
	}
	return false
}

// frees says whether the caller, or who comes along, is free from a time on
// that is told: a clock at which something ends, or the end of what keeps them.
func (r counting) frees(m Mention, first int) bool {
	switch {
	case m.Kind == AtClock:
		return r.toldBy(m.tokens.from, first, func(k int) bool { return r.heardAt(k, "freeing") > 0 })
	case m.Kind == Hours && m.From == (Clock{}) && r.is(m.head, "range_to"): // until, and not by
		return r.toldBy(m.tokens.from, first, func(k int) bool { return r.heardAt(k, "busy") > 0 })
	}
	return false
}

// busyThen says whether a part of the day that stands is ruled out by what keeps
// the caller: "I work that afternoon".
func (r counting) busyThen(m Mention) bool {
	if m.Kind != InPart || !m.points {
		return false
	}
	for k := range r.toks {
		if r.tok(k).clause == r.tok(m.head).clause && r.heardAt(k, "busy") > 0 {
			return true
		}
	}
	return false
}

// putBack puts a weekday, or a day of a month, of which something is told into the past.
func (r counting) putBack(m *Mention) {
	if m.weekdayOnly && r.today.Before(m.Date) {
		m.Date, m.past = m.Date.AddDays(-7), true
	}
	if m.dayOnly && r.today.Before(m.Date) { // "I saw her on the ninth"
		m.Date, m.past = m.Date.AddMonths(-1), true
	}
}
