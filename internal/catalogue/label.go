package catalogue

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
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
	slight  uint32 // of them, those that do so only where little else is said
	literal uint32 // units that tell only where they are said in this very form
	core    uint32 // the unit that says what it is
	head    uint32 // the same; all of them where names have no heads
}

func labelLanguages(name, lang string, otherwise []string) []string {
	if lang == "" {
		lang = lexicon.Language(name)
	}
	if lang == "" {
		return otherwise
	}
	return []string{lang}
}

// take makes a unit of n words and returns its number, or -1 when they do not
// count.
func (l *label) take(words []token, i, n int, own map[string]bool) int {
	w := words[i]
	if l.units >= mostUnits || n == 1 && !counts(w, words) {
		return -1
	}
	u := l.units
	l.units++
	l.weights[u] = 1
	mask := uint32(1) << u
	switch {
	case len(words) == 1:
		l.telling |= mask
	case n == 1 && (ownStem(own, w) || audience()[w.word]):
		l.telling |= mask
		l.slight |= mask
	case n > 1 || strong(w):
		l.telling |= mask
	case w.numeral(), talk()[w.word], wordsOf("ordinals")[w.word]:
		l.weights[u] = 0.5
	default:
		l.weights[u] = 0.5
		if !slices.ContainsFunc(words, strong) {
			l.telling |= mask
			l.slight |= mask
		} else if deverbal(w.word) {
			l.literal |= mask
		}
	}
	return u
}

func ownStem(own map[string]bool, w token) bool {
	return slices.ContainsFunc(w.entries, func(e lexicon.Entry) bool { return own[e.Stems] })
}

// audience are words for whom a service is: they tell two services apart and
// name none. Who says that a puppy is ill does not ask for the puppy's first visit.
func audience() language.Set { return wordsOf("audience") }

// deverbal says whether a word has the form of a verb that became the name of
// what is done: "recogido" says little as a form of "recoger", and much as a name.
func deverbal(word string) bool {
	for ending := range wordsOf("deverbal endings") {
		if len(word) > len(ending)+3 && strings.HasSuffix(word, ending) {
			return true
		}
	}
	return false
}

// strong says whether a word tells something by itself. The first of "primera
// visita" does not: it is not that of "the first slot".
func strong(w token) bool {
	return !w.grammar() && !talk()[w.word] && !w.light() && !w.numeral() && !wordsOf("ordinals")[w.word]
}

// counts says whether a word of a name tells anything. The talk of booking, and
// words that are otherwise grammar, do where no other word of the name does: the
// "fuera" of "mesa fuera".
func counts(w token, all []token) bool {
	switch {
	case w.numeral():
		return true
	case w.grammar():
		return len(all) == 1 || len(w.word) > 3 && !slices.ContainsFunc(all, strong)
	case talk()[w.word]:
		return !slices.ContainsFunc(all, strong)
	}
	return true
}

// headOf is the unit that says what an entry is: the first one in Spanish, in
// English the last one before a preposition.
func headOf(words []token, unitOf []int, lang string) (head uint32) {
	last := headLast(lang)
	for i, u := range unitOf {
		if u < 0 {
			if last && head != 0 && words[i].grammar() && !wordsOf("and")[words[i].word] {
				return head
			}
			continue
		}
		if !last && head != 0 {
			return head
		}
		head = 1 << u
	}
	return head
}
