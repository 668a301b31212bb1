package dates

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

// denials tell what has been ruled out by what has been read so far.
func (r *line) denials() counting { return counting{r} }

// negated says whether mention i is said only to be ruled out.
func (r counting) negated(i int) bool {
	m := r.found[i]
	if m.other { // the words before it rule out what it replaces
		return r.deniedAfter(m, i)
	}
	first := 0
	if i > 0 {
		first = r.found[i-1].tokens.to
	}
	if i > 0 && (r.deniedAfter(r.found[i-1], i-1) || r.stoodAgainst(i-1)) { // "Friday I can't, Thursday": those words are Friday's
		first = m.tokens.from
	}
	return r.stoodAgainst(i) || r.deniedBefore(m, first) || r.deniedAfter(m, i) || i > 0 && r.deniedWith(i)
}

// deniedWith says whether mention i is ruled out together with the one before:
// "except Monday and Tuesday", "I can't do Friday at five".
func (r counting) deniedWith(i int) bool {
	before, m := r.found[i-1], r.found[i]
	for k := before.tokens.to; k < m.tokens.from; k++ {
		if !r.soft(k) || !r.is(k, "and") && !r.is(k, "or") {
			return false
		}
	}
	if !r.soft(m.tokens.from) || m.aboutDay() != before.aboutDay() && m.tokens.from > before.tokens.to {
		return false
	}
	if before.other { // what was ruled out is the one that it replaces
		return false
	}
	first := 0
	if i > 1 {
		first = r.found[i-2].tokens.to
	}
	return r.deniedBefore(before, first) || i > 1 && r.deniedWith(i-1)
}

// deniedBefore looks at the few words before a mention: "not on", "can't do",
// "no puedo".
func (r counting) deniedBefore(m Mention, first int) bool {
	const far = 5
	for k := m.tokens.from - 1; k >= first && k >= m.tokens.from-far; k-- {
		end := r.heardAt(k, "denials")
		if end > k+1 && end <= m.head && !r.plain["no_denials"].over(r.line, k) || r.excepted(k) {
			return true
		}
		no := r.is(k, "denied")
		if !r.soft(k+1) || r.is(k, "but") || !no && r.is(k, "corrections") {
			return false
		}
		switch {
		case r.plain["no_denials"].over(r.line, k):
			return false
		case end > 0, no && r.is(k+1, "unable"):
			return true
		case no && k == m.tokens.from-1:
			return first > 0 && r.tok(k).gap == language.Comma || r.alternativeAt(m.tokens.to)
		}
	}
	return false
}

// stoodAgainst says whether a day is named for the second time with what stands against
// it, and another day after that: "Tuesday at nine, oh no, Tuesday my kid has a match,
// Wednesday".
func (r counting) stoodAgainst(i int) bool {
	const fewest = 2 // words that tell what stands against it
	if i < 0 || i+1 >= len(r.found) || r.found[i].Kind != OneDay || !r.namedAgain(i) {
		return false
	}
	m, next := r.found[i], r.found[i+1]
	if next.Kind != OneDay || next.Date == m.Date || next.tokens.from-m.tokens.to < fewest || r.orBefore(next) || r.deniedAfter(next, i+1) {
		return false
	}
	for k := m.tokens.to; k < next.tokens.from && r.tok(k).clause == r.tok(m.head).clause; k++ {
		if r.is(k, "at_leisure") || r.tok(k).asks {
			return false
		}
	}
	return true
}

// namedAgain says whether the day of mention i was named before and corrected since. A
// day that was said twice within a restart is found once, behind what was given up.
func (r counting) namedAgain(i int) bool {
	m := r.found[i]
	for k := i - 1; k >= 0; k-- {
		if r.found[k].Kind == OneDay && r.found[k].Date == m.Date {
			return r.correctedWithin(r.found[k].tokens.to, m.tokens.from)
		}
	}
	said := strings.Fields(language.Fold(r.text[m.Start:m.End]))
	before := strings.Fields(language.Fold(r.text[:m.Start]))
	at := slices.Index(before, said[len(said)-1])
	return at >= 0 && slices.ContainsFunc(before[at:], func(w string) bool { return r.sets["corrections"][w] || r.sets["denied"][w] })
}

// correctedWithin says whether a word that corrects stands between two places.
func (r counting) correctedWithin(from, to int) bool {
	for k := from; k < to; k++ {
		if r.is(k, "corrections") || r.is(k, "denied") {
			return true
		}
	}
	return false
}

// excepted says whether the word at k takes something out of any: "any day but
// Friday".
func (r counting) excepted(k int) bool {
	const far = 4
	for b := k - 1; r.is(k, "but_not") && b >= 0 && b >= k-far; b-- {
		if r.is(b, "any") {
			return true
		}
	}
	return false
}

// deniedAfter looks at the words behind a mention: "Friday doesn't work", "el
// viernes no puedo".
func (r counting) deniedAfter(m Mention, i int) bool {
	k := m.tokens.to
	if !r.soft(k) {
		return r.is(k, "denied") && r.alternativeAt(k+1) // "el viernes, no, el otro"
	}
	if r.heardAt(k, "denied_after") > 0 || m.aboutDay() && r.keepsBusy(k, i) {
		return true
	}
	if !r.is(k, "denied") {
		return false
	}
	if r.alternativeAt(k+1) || i > 0 && !r.soft(k+1) && r.found[i-1].aboutDay() == m.aboutDay() {
		return true
	}
	return !r.soft(k+1) && !r.tok(k).asks
}

// keepsBusy says whether the words behind a day, up to the end of the clause, tell what
// keeps the caller: "Friday I'm working", not "el viernes trabajo hasta las seis".
// Mention i ends at k.
func (r counting) keepsBusy(k, i int) bool {
	const subject = 2 // words that may stand before
	for at := k; at <= k+subject && r.soft(at) && !r.is(at, "lasting"); at++ {
		if i+1 < len(r.found) && r.found[i+1].tokens.from <= at {
			return false
		}
		if end := r.heardAt(at, "busy"); end > 0 && !r.soft(end) {
			return true
		}
	}
	return false
}

// alternativeAt says whether another one of what was said is asked for at i: "el
// otro", "the one after".
func (r counting) alternativeAt(i int) bool {
	if !r.near(i) {
		return false
	}
	i = max(i, r.heardAt(i, "this_one"))
	for r.is(i, "but") || r.is(i, "corrections") {
		i++
	}
	_, end := r.others.at(r.line, i)
	return end > 0 && r.ends(end)
}

// ends says whether the words before i are complete: what follows them is ordinary,
// a time or a part of the day.
func (r *line) ends(i int) bool {
	_, lead := r.leads.at(r, i)
	_, part := r.otherParts.at(r, i)
	_, spoken := r.spokenParts.at(r, i)
	return r.closed(i) || max(lead, part, spoken) > 0
}
