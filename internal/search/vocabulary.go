package search

import (
	"cmp"
	"slices"

	"frontdesk.dev/frontdesk/internal/lexicon"
)

// vocabulary are the different words of all fragments: for each, where it
// stands, and how to get to it from a stem.
type vocabulary struct {
	lex   *lexicon.Lexicon
	id    map[string]int32
	words []word
	head  [langs]map[string]int32 // the last word of each stem; word.next leads to the others
	spell speller
}

// word is one entry of the vocabulary: a word as it is written, folded, a
// phrase of the lexicon, or a kind of fact.
type word struct {
	text     string
	stem     [langs]string
	next     [langs]int32
	seen     uint8 // the languages of the fragments it stands in, one bit each
	postings []posting
}

const nowhere = int32(-1)

// phraseWord is the word of the vocabulary for a phrase of the lexicon.
func phraseWord(e lexicon.Entry) string { return " " + e.Stems }

// made tells whether a word of the vocabulary is made up by the index: for a
// phrase, or for a kind of fact. No text has such a word.
func made(text string) bool { return text[0] == ' ' || text[0] == '#' }

func newVocabulary() vocabulary {
	return vocabulary{lex: lexicon.Words(), id: map[string]int32{}, head: [langs]map[string]int32{{}, {}}}
}

// ids are the words of a text in a language: those that carry meaning, words
// that hyphens join, and phrases of the lexicon. Words that are not in the
// vocabulary are left out, or put into it.
func (v *vocabulary) ids(all []token, lang uint8, learn bool) (ids []int32) {
	stems := make([]string, len(all))
	for i, t := range all {
		id := v.word(t.word, learn)
		stems[i] = v.stemOf(id, t.word, lang)
		if id != nowhere && !lexicon.Grammar(langNames[lang], t.word) {
			ids = v.see(ids, id, lang, learn)
		}
		if t.joined {
			ids = v.see(ids, v.word(all[i-1].word+t.word, learn), lang, learn)
		}
	}
	for i := range stems {
		if e, n := v.lex.PhraseAt(langNames[lang], stems[i:]); n > 0 {
			ids = v.see(ids, v.word(phraseWord(e), learn), lang, learn)
		}
	}
	return ids
}

func (v *vocabulary) see(ids []int32, id int32, lang uint8, learn bool) []int32 {
	if id == nowhere {
		return ids
	}
	if learn {
		v.words[id].seen |= 1 << lang
	}
	return append(ids, id)
}

func (v *vocabulary) stemOf(id int32, text string, lang uint8) string {
	if id == nowhere {
		return lexicon.Stem(langNames[lang], text)
	}
	return v.words[id].stem[lang]
}

// word returns the number of a word, or nowhere. It adds one that is new when
// it may learn.
func (v *vocabulary) word(text string, learn bool) int32 {
	if id, ok := v.id[text]; ok {
		return id
	}
	if !learn {
		return nowhere
	}
	id := int32(len(v.words))
	w := word{text: text}
	for lang := range langs {
		w.stem[lang] = text
		if !made(text) {
			w.stem[lang] = lexicon.Stem(langNames[lang], text)
		}
		w.next[lang] = nowhere
		if last, ok := v.head[lang][w.stem[lang]]; ok {
			w.next[lang] = last
		}
		v.head[lang][w.stem[lang]] = id
	}
	v.id[text] = id
	v.words = append(v.words, w)
	return id
}

// post notes that a word stands in a field of a fragment. Fragments come in
// order.
func (v *vocabulary) post(id, fragment int32, field int) {
	w := &v.words[id]
	if n := len(w.postings); n == 0 || w.postings[n-1].fragment != fragment {
		w.postings = append(w.postings, posting{fragment: fragment})
	}
	if times := &w.postings[len(w.postings)-1].times[field]; *times < 255 {
		*times++
	}
}

// finish gives back what growing took too much, and learns to spell.
func (v *vocabulary) finish() {
	for i := range v.words {
		w := &v.words[i]
		w.postings = slices.Clip(w.postings)
		if len(w.postings) > 0 && !made(w.text) {
			v.spell.add(int32(i), w.text)
		}
	}
}

// withStem calls yield with the words that have a stem in a language, and that
// fragments of that language speak.
func (v *vocabulary) withStem(lang uint8, stem string, yield func(id int32)) {
	id, ok := v.head[lang][stem]
	for ok && id != nowhere {
		if v.words[id].seen&(1<<lang) != 0 {
			yield(id)
		}
		id = v.words[id].next[lang]
	}
}

// standsIn tells whether a word stands in a fragment.
func (w *word) standsIn(fragment int32) bool {
	_, ok := slices.BinarySearchFunc(w.postings, fragment, func(p posting, f int32) int { return cmp.Compare(p.fragment, f) })
	return ok
}

func (v *vocabulary) bytes() int {
	total := v.spell.bytes()
	for i := range v.words {
		w := &v.words[i]
		total += 120 + 2*len(w.text) + len(w.stem[es]) + len(w.stem[en]) + 8*cap(w.postings) + 3*24
	}
	return total
}
