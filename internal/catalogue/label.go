package catalogue

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/lexicon"
)

// The bounds of a label.
const (
	mostUnits  = 12 // words that count
	mostLabels = 24 // of one entry
	mostPhrase = 5  // words of a phrase that is looked up
)

// label is one name of an entry.
type label struct {
	entry   int
	units   int
	weights [mostUnits]float64
	telling uint32 // the units that may name the entry by themselves
	head    uint32 // the unit that says what it is; all of them where names have no heads
}

func labelLanguages(name, lang string) []string {
	if lang == "" {
		lang = lexicon.Language(name)
	}
	if lang == "" {
		return languages[:]
	}
	return []string{lang}
}

// take makes a unit of n words and returns its number, or -1 when they do not
// count.
func (l *label) take(words []token, i, n int) int {
	w := words[i]
	if l.units >= mostUnits || n == 1 && !counts(w, words) {
		return -1
	}
	u := l.units
	l.units++
	l.weights[u] = 1
	switch {
	case n > 1 || strong(w) || len(words) == 1:
		l.telling |= 1 << u
	case w.numeral(), talk[w.word], ordinals[w.word]:
		l.weights[u] = 0.5
	default:
		l.weights[u] = 0.5
		if !slices.ContainsFunc(words, strong) {
			l.telling |= 1 << u
		}
	}
	return u
}

// strong says whether a word tells something by itself.
func strong(w token) bool {
	return !w.grammar() && !talk[w.word] && !w.light() && !w.numeral() && !ordinals[w.word]
}

// ordinals tell something only beside another word: the first of "primera
// visita" is not that of "the first slot".
var ordinals = set(`primer primera primero segunda segundo tercera tercero ultima ultimo first second third last next proxima proximo siguiente`)

// counts says whether a word of a name tells anything. The talk of booking, and
// words that are otherwise grammar, do where no other word of the name does: the
// "fuera" of "mesa fuera".
func counts(w token, all []token) bool {
	switch {
	case w.numeral():
		return true
	case w.grammar():
		return len(all) == 1 || len(w.word) > 3 && !slices.ContainsFunc(all, strong)
	case talk[w.word]:
		return !slices.ContainsFunc(all, strong)
	}
	return true
}

// headOf is the unit that says what an entry is: the first one in Spanish, in
// English the last one before a preposition.
func headOf(words []token, unitOf []int, lang string) (head uint32) {
	for i, u := range unitOf {
		if u < 0 {
			if lang == lexicon.English && head != 0 && words[i].grammar() && words[i].word != "and" {
				return head
			}
			continue
		}
		if lang == lexicon.Spanish && head != 0 {
			return head
		}
		head = 1 << u
	}
	return head
}
