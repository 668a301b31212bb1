package search

import (
	"sync"

	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// Lengths below which words are too short to be compared by their letters.
const (
	shortestSpelled = 4
	shortestFamily  = 6
)

// family adds words that begin alike and so are likely of one family, as
// "ortodoncia" and "ortodoncista". Two words that the lexicon has are what it
// says they are, as "entretener" and "entrega".
func (e *expansion) family(t *term) {
	if len(t.word) < shortestFamily {
		return
	}
	for _, id := range e.spell.near(t.word) {
		w := &e.words[id]
		if t.known && e.lex.Knows(w.entry(e.q.lang)) {
			continue
		}
		n := sharedBeginning(t.word, w.text)
		if w.seen&(1<<e.q.lang) != 0 && n >= shortestFamily-1 && 10*n >= 7*min(len(w.text), len(t.word)) {
			e.add(id, sameFamily)
		}
	}
}

func sharedBeginning(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// spelling is for a word that nothing stands for: it may be misspelled, or have
// a word of the same origin in the other language.
func (e *expansion) spelling(t *term) {
	if len(t.word) < shortestSpelled {
		return
	}
	for _, id := range e.spell.near(t.word) {
		if weight := e.alike(t, &e.words[id]); weight > 0 {
			e.add(id, weight)
		}
	}
	if !t.known {
		e.respell(t.word)
	}
}

// alike is how surely a word of the vocabulary is the one that was meant. What
// the lexicon knows is not misspelled.
func (e *expansion) alike(t *term, w *word) (weight float32) {
	if d := language.Distance(t.word, w.text); !t.known && d <= slips(t.word) {
		weight = misspelled - 0.1*float32(d-1)
	}
	if other := 1 - e.q.lang; w.seen&(1<<other) != 0 {
		if l := likeness(skeleton(e.q.lang, t.word), skeleton(other, w.text)); l >= leastAlike(t.word) {
			weight = max(weight, cognate*l)
		}
	}
	return weight
}

// leastAlike is the likeness from which a word may have the same origin: of a
// short one a single letter makes another word, as "drones" and "drops".
func leastAlike(word string) float32 {
	if len(word) < 7 {
		return 0.8
	}
	return 0.75
}

// slips is how many letters of a word may be wrong.
func slips(word string) int {
	if len(word) >= 8 {
		return 2
	}
	return 1
}

// likeness is the share of letters that two words have in common.
func likeness(a, b string) float32 {
	return 1 - float32(language.Distance(a, b))/float32(max(len(a), len(b), 1))
}

// respell looks for a misspelled word in the lexicon: it may have a meaning
// that fragments speak of in other words.
func (e *expansion) respell(word string) {
	name := nameOf(e.q.lang)
	stem := lexicon.Stem(name, word)
	if len(stem) < shortestSpelled {
		return
	}
	book := &spellings()[e.q.lang]
	for _, id := range book.near(stem) {
		if text := book.texts[id]; len(text) >= shortestSpelled && language.Distance(stem, text) == 1 {
			e.meaning(e.lex.EntryOf(name, word, text), misspelled)
		}
	}
}

// spellings are the words of the lexicon, by language.
var spellings = sync.OnceValue(func() *[langs]speller {
	var books [langs]speller
	n := int32(0)
	for e := range lexicon.Words().All {
		books[langOf(e.Lang)].add(n, e.Stems)
		n++
	}
	return &books
})
