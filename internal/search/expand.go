package search

import (
	"cmp"
	"math"
	"slices"

	"frontdesk.dev/frontdesk/internal/lexicon"
)

// How much a word counts that stands for the one that was asked.
const (
	asWritten   = 1
	sameStem    = 0.95
	sameFamily  = 0.65
	homonym     = 0.3 // the same stem in another word
	sameMeaning = 0.75
	translated  = 0.85
	related     = 0.6
	further     = 0.25 // related to a word of the same meaning
	spread      = 0.35 // by how much relations count less for a word that has many
	faint       = 0.1  // what a relation must count to be followed
	cognate     = 0.7
	misspelled  = 0.75
	sameKind    = 0.7 // a fact, for a word that asks for its kind
	inPhrase    = 0.6 // what a word means alone that is part of a phrase
	strange     = 0.5 // what a word is worth that neither fragments nor lexicon have
)

// expand finds for every term of a question the words of the vocabulary that
// can stand for it.
func (ix *Index) expand(q *question, all []token) {
	for i := range q.terms {
		e := ix.newExpansion(q)
		e.term(&q.terms[i])
		q.terms[i].variants = e.variants()
		if t := &q.terms[i]; len(t.variants) == 0 && !t.known {
			t.worth *= strange // more often a name or a slip than what is asked
		}
	}
	ix.expandPhrases(q, all)
	ix.expandJoined(q, all)
	for i := range q.terms {
		t := &q.terms[i]
		for _, v := range t.variants {
			t.best = max(t.best, v.weight)
		}
	}
}

// expansion gathers the variants of one term, each with its best weight.
type expansion struct {
	*vocabulary
	q    *question
	best map[int32]float32
}

func (ix *Index) newExpansion(q *question) expansion {
	return expansion{&ix.words, q, map[int32]float32{}}
}

func (e *expansion) add(id int32, weight float32) { e.best[id] = max(e.best[id], weight) }

func (e *expansion) addText(text string, weight float32) {
	if id, ok := e.id[text]; ok {
		e.add(id, weight)
	}
}

func (e *expansion) variants() []variant {
	all := make([]variant, 0, len(e.best))
	for id, weight := range e.best {
		all = append(all, variant{id, weight})
	}
	slices.SortFunc(all, byWord)
	return all
}

func byWord(a, b variant) int { return cmp.Compare(a.word, b.word) }

func (e *expansion) term(t *term) {
	e.addText(t.word, asWritten)
	for _, n := range lexicon.Numbers(nameOf(e.q.lang), t.word) {
		e.addText(n, sameStem)
	}
	facts().asking[t.word].each(func(k kinds) { e.addText(kindWord(k), sameKind) })
	if t.number {
		return
	}
	for lang := range uint8(langs) {
		if e.q.sure && lang != e.q.lang {
			continue
		}
		entry := e.lex.Entry(nameOf(lang), t.word)
		e.entry(lexicon.Meaning{Entry: entry, Text: t.word}, sameStem)
		e.meaning(entry, 1)
		t.known = t.known || e.lex.Knows(entry)
	}
	e.family(t)
	if len(e.best) == 0 {
		e.spelling(t)
	}
}

// meaning adds what means the same as an entry of the lexicon, in both
// languages, and what is related to it.
func (e *expansion) meaning(entry lexicon.Entry, weight float32) {
	for same := range e.lex.Same(entry) {
		w := weight * sameMeaning
		if same.Lang != entry.Lang {
			w = weight * translated
		}
		e.entry(same, w)
		e.relations(same.Entry, w*further)
	}
	e.relations(entry, weight*related)
}

// relations adds what is related to an entry. The more relations it has, the
// less each of them tells.
func (e *expansion) relations(entry lexicon.Entry, weight float32) {
	breadth := e.lex.Breadth(entry)
	if breadth == 0 {
		return
	}
	if weight *= focus[min(breadth, len(focus)-1)]; weight < faint {
		return
	}
	for other := range e.lex.Related(entry) {
		e.entry(other, weight)
	}
}

// focus is how much less a relation of a word counts that has so many.
var focus = func() (all [64]float32) {
	for n := range all {
		all[n] = float32(math.Pow(float64(max(1, n)), -spread))
	}
	return all
}()

// entry adds the words or the phrase of the vocabulary that an entry of the
// lexicon stands for. A stem alone may be shared by words that are far from each
// other, as "estacionamiento" and "estación".
func (e *expansion) entry(m lexicon.Meaning, weight float32) {
	if m.Phrase() {
		e.addText(phraseWord(m.Entry), weight)
		return
	}
	lang := langOf(m.Lang)
	e.withStem(lang, m.Stems, func(id int32) {
		if e.words[id].sense[lang] == m.Sense {
			e.add(id, weight)
		} else {
			e.add(id, weight*homonym)
		}
	})
}

// expandPhrases gives the words of a phrase, as "car park", what the phrase
// means as a whole. What they mean each for itself counts less then.
func (ix *Index) expandPhrases(q *question, all []token) {
	name := nameOf(q.lang)
	stems := make([]string, len(all))
	for i, t := range all {
		stems[i] = lexicon.Stem(name, t.word)
	}
	for i := range stems {
		entry, n := ix.words.lex.PhraseAt(name, stems[i:])
		if n == 0 {
			continue
		}
		e := ix.newExpansion(q)
		e.addText(phraseWord(entry), asWritten)
		e.meaning(entry, 1)
		q.join(i, i+n, e.variants())
	}
}

// expandJoined lets "check in" and "wi fi" find "checkin" and "wifi", and two
// letters that were heard one by one, as "t v", the word that they spell.
func (ix *Index) expandJoined(q *question, all []token) {
	for i := 1; i < len(all); i++ {
		a, b := all[i-1], all[i]
		id, ok := ix.words.id[a.word+b.word]
		switch {
		case !ok:
		case len(a.word) == 1 && len(b.word) == 1 && q.aligned[i-1] < 0 && q.aligned[i] < 0:
			q.terms = append(q.terms, term{token: token{word: a.word + b.word}, worth: contentWorth, known: true, variants: []variant{{id, sameStem}}})
		default:
			q.join(i-1, i+1, []variant{{id, sameStem}})
		}
	}
}

// join gives the variants of a phrase to the terms that it is made of, which
// are tokens from one to another of the question.
func (q *question) join(from, to int, phrase []variant) {
	for _, at := range q.aligned[from:to] {
		if at >= 0 {
			q.terms[at].join(phrase)
		}
	}
}

func (t *term) join(phrase []variant) {
	for i := range t.variants {
		if t.variants[i].weight < sameStem {
			t.variants[i].weight *= inPhrase
		}
	}
	for _, p := range phrase {
		i, ok := slices.BinarySearchFunc(t.variants, p, byWord)
		if ok {
			t.variants[i].weight = max(t.variants[i].weight, p.weight)
		} else {
			t.variants = slices.Insert(t.variants, i, p)
		}
	}
}
