package hearing

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

// asksOtherHouse hears who asks whether this is a house of another kind than
// ours: "is that the bakery?". The lines of "other houses" are kinds, one each.
func (e reasonReader) asksOtherHouse(words []language.Token) bool {
	if e.Booking || e.Expect != Nothing || e.Catalogue == nil {
		return false
	}
	for i := range words {
		to, ok := e.at("is_this", words, i)
		if !ok {
			continue
		}
		for k := to; k < len(words) && k-to < longestName && words[k].Clause == words[to-1].Clause; k++ {
			if kind := e.houseKind(words[k].Word); len(kind) > 0 && e.endsName(words, k) {
				return !slices.ContainsFunc(kind, e.Catalogue.SpeaksOf)
			}
		}
	}
	return false
}

// houseKind are the words for houses of the kind that a word names; none when
// it names no house.
func (e reasonReader) houseKind(word string) []string {
	var all []string
	for _, l := range e.Mix.Languages {
		for _, line := range l.Lines("other houses") {
			if kind := strings.Fields(language.Fold(line)); slices.Contains(kind, word) {
				all = append(all, kind...)
			}
		}
	}
	return all
}

// endsName says whether what is named ends with word i: nothing follows that it
// could belong to, as in "the bank card".
func (e reasonReader) endsName(words []language.Token, i int) bool {
	if i+1 == len(words) || words[i+1].Clause != words[i].Clause {
		return true
	}
	next := words[i+1]
	return next.Capital || e.smallTalk(next.Word) || e.smallest(next.Word) || e.is("given_names", next.Word)
}
