package search

import "strings"

// second adds to an answer what another fragment has of a second kind of fact that was
// asked for, "how much is it and how long does it take?", where the first has none.
func (ix *Index) second(q *question, query Query, all ranking, r *Result) {
	words := tokens(query.Text)
	lacking := kindsAskedBeside(words, q.kinds) &^ kindsIn(r.Answer, tokens(r.Answer), ix.words.knows)
	if lacking == 0 || r.Answer == "" {
		return
	}
	rest := *q
	rest.kinds = lacking
	for i := range all[:min(len(all), mostHits)] {
		e := &all[i].evidence
		if r.Hits[i].Used || ix.notes[e.fragment].kinds&lacking == 0 || !q.sameMatter(all[0].found, e.found) {
			continue
		}
		said := ix.answer(&rest, e)
		if ix.notes[e.fragment].row || kindsIn(said, tokens(said), ix.words.knows)&lacking == 0 || len(r.Answer)+len(said) >= longestAnswer {
			continue
		}
		r.Answer = strings.TrimRight(r.Answer, " ") + " " + said
		r.Hits[i].Used = true
		r.Worded = nil // it is prose now
		return
	}
}

// sameMatter tells whether another fragment speaks of all words with a meaning of their
// own that the first speaks of.
func (q *question) sameMatter(first, other []float32) bool {
	matter := false
	for i := range q.terms {
		if q.terms[i].worth < contentWorth || first[i] < cognate {
			continue
		}
		matter = true
		if other[i] < cognate {
			return false
		}
	}
	return matter
}

// kindsAskedBeside are the kinds of facts that a question asks for beside the first: of a
// price and a length the one that is not.
func kindsAskedBeside(all []token, first kinds) kinds {
	if first != price && first != span {
		return 0
	}
	for i := range all {
		for _, part := range [][]token{all[:i], all[i:]} {
			if other := kindsAsked(part); other != first && (other == price || other == span) && kindsAsked(all[:i])|kindsAsked(all[i:]) == price|span {
				return other
			}
		}
	}
	return 0
}
