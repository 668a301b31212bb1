package search

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/lexicon"
)

// Bounds of a question: what comes after them is not read.
const (
	longestQuestion = 1000
	mostTerms       = 32
	mostSigns       = 48
)

// question is what is asked, as the index understands it.
type question struct {
	lang    uint8
	sure    bool // that it is of this language
	terms   []term
	kinds   kinds
	aligned []int     // for each token, its term, or -1
	focus   int       // the term it is about, or -1
	whether bool      // it asks whether there is something
	sense   []float32 // where it lies among the senses
	signs   []sign
	weights float32             // of all signs
	near    map[int32][]float32 // how near the signs are to those of rows
}

// term is one word of a question and all that may stand for it in fragments.
type term struct {
	token
	worth    float32 // how much of the question's meaning it carries
	variants []variant
	best     float32   // the weight of the best variant
	rarity   float32   // its weight among all fragments, from how few have it
	known    bool      // to the lexicon
	sense    []float32 // where it lies among the senses
	length   float32   // of that vector: how much it tells
	sensed   float32   // how well senses know it
}

// variant is a word of the vocabulary that can stand for a term.
type variant struct {
	word   int32
	weight float32
}

// heft is how much of a question's meaning a term carries.
func (t *term) heft() float32 { return t.worth * t.rarity }

// weightOf is how much a word of the vocabulary counts for the term.
func (t *term) weightOf(word int32) float32 {
	i, ok := slices.BinarySearchFunc(t.variants, variant{word: word}, byWord)
	if !ok {
		return 0
	}
	return t.variants[i].weight
}

// The worth of a question's words.
const (
	contentWorth = 1
	lightWorth   = 0.6
)

func (ix *Index) understand(text string) question {
	if len(text) > longestQuestion {
		text = text[:longestQuestion]
	}
	name := lexicon.Language(text)
	q := question{lang: langOf(name), sure: name != ""}
	all := tokens(text)
	q.kinds = kindsAsked(all)
	q.pick(all)
	q.aim(all)
	ix.expand(&q, all)
	ix.makeSense(&q, all)
	return q
}

// pick makes terms of the words that carry meaning, each once.
func (q *question) pick(all []token) {
	q.aligned = make([]int, len(all))
	for i, t := range all {
		q.aligned[i] = slices.IndexFunc(q.terms, func(o term) bool { return o.word == t.word })
		w := worth(lexicon.Entry{Lang: nameOf(q.lang), Stems: lexicon.Stem(nameOf(q.lang), t.word)}, t.word)
		if q.aligned[i] < 0 && w > 0 && len(q.terms) < mostTerms {
			q.aligned[i] = len(q.terms)
			q.terms = append(q.terms, term{token: t, worth: w})
		}
	}
}

// worth is how much of a text's meaning a word carries.
func worth(e lexicon.Entry, word string) float32 {
	switch {
	case lexicon.Grammar(e.Lang, word), lexicon.Manners(e.Lang, word):
		return 0
	case lexicon.LightStem(e.Lang, e.Stems), word[0] > '9' && lexicon.Numbers(e.Lang, word) != nil:
		return lightWorth
	}
	return contentWorth
}

// aim finds what a question is about that asks whether there is something: the
// first word with a meaning of its own after "do you have" or "hay".
func (q *question) aim(all []token) {
	q.focus = -1
	for i, t := range all {
		if !q.whether {
			q.whether = facts().whether[t.word]
			continue
		}
		if at := q.aligned[i]; at >= 0 && q.terms[at].worth >= contentWorth {
			q.focus = at
			return
		}
	}
}
