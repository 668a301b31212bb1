package search

import (
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
	sense    [langs]uint8 // which of the lexicon's words with that stem
	next     [langs]int32
	worth    [langs]float32 // how much of a text's meaning it carries
	meant    [langs]int32   // its row among the senses
	seen     uint8          // the languages of the fragments it stands in, one bit each
	known    bool           // to the lexicon
	counts   []count        // while the vocabulary grows
	postings []posting      // once it is finished
}

const nowhere = int32(-1)

// entry is the word's place in the lexicon.
func (w *word) entry(lang uint8) lexicon.Entry {
	return lexicon.Entry{Lang: nameOf(lang), Stems: w.stem[lang], Sense: w.sense[lang]}
}

// row is the word's row among the senses.
func (w *word) row(lex *lexicon.Lexicon, lang uint8) int32 {
	switch w.text[0] {
	case '#':
		return learned().row(w.text)
	case ' ':
		return learned().rowOf(lex, lexicon.Entry{Lang: nameOf(lang), Stems: w.text[1:]})
	}
	return learned().rowOf(lex, w.entry(lang))
}

// phraseWord is the word of the vocabulary for a phrase of the lexicon.
func phraseWord(e lexicon.Entry) string { return " " + e.Stems }

// made tells whether a word of the vocabulary is made up by the index: for a
// phrase, or for a kind of fact. No text has such a word.
func made(text string) bool { return text[0] == ' ' || text[0] == '#' }

func newVocabulary() vocabulary {
	return vocabulary{lex: lexicon.Words(), id: map[string]int32{}, head: heads()}
}

func heads() (all [langs]map[string]int32) {
	for lang := range all {
		all[lang] = map[string]int32{}
	}
	return all
}

// ids adds the words of a text in a language to a list, and to the vocabulary:
// those that carry meaning, words that hyphens join, and phrases of the lexicon.
func (v *vocabulary) ids(list []int32, all []token, lang uint8) []int32 {
	stems := make([]string, len(all))
	for i, t := range all {
		id := v.word(t.word, true)
		stems[i] = v.words[id].stem[lang]
		if !lexicon.Grammar(nameOf(lang), t.word) {
			list = v.see(list, id, lang)
		}
		if t.joined {
			list = v.see(list, v.word(all[i-1].word+t.word, true), lang)
		}
	}
	for i := range stems {
		if e, n := v.lex.PhraseAt(nameOf(lang), stems[i:]); n > 0 {
			list = v.see(list, v.word(phraseWord(e), true), lang)
		}
	}
	return list
}

// lookUp are the single words of a text that the vocabulary has.
func (v *vocabulary) lookUp(all []token) (list []int32) {
	for _, t := range all {
		if id := v.word(t.word, false); id != nowhere {
			list = append(list, id)
		}
	}
	return list
}

func (v *vocabulary) see(list []int32, id int32, lang uint8) []int32 {
	v.words[id].seen |= 1 << lang
	return append(list, id)
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
			e := v.lex.Entry(nameOf(uint8(lang)), text)
			w.stem[lang], w.sense[lang] = e.Stems, e.Sense
			w.worth[lang] = worth(e, text)
			w.known = w.known || v.lex.Knows(e)
		}
		w.meant[lang] = w.row(v.lex, uint8(lang))
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
	if n := len(w.counts); n == 0 || w.counts[n-1].fragment != fragment {
		w.counts = append(w.counts, count{fragment: fragment})
	}
	if times := &w.counts[len(w.counts)-1].times[field]; *times < 255 {
		*times++
	}
}

// finish turns counts into postings, and learns to spell.
func (v *vocabulary) finish(frequency func(count) float32) {
	for i := range v.words {
		w := &v.words[i]
		w.postings = make([]posting, len(w.counts))
		for j, c := range w.counts {
			w.postings[j] = posting{c.fragment, frequency(c)}
		}
		w.counts = nil
		if len(w.postings) > 0 && !made(w.text) {
			v.spell.add(int32(i), w.text)
		}
	}
}

// knows tells whether a word of the vocabulary is known to the lexicon.
func (v *vocabulary) knows(text string) bool {
	id := v.word(text, false)
	return id != nowhere && v.words[id].known
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

func (v *vocabulary) bytes() int {
	total := v.spell.bytes()
	for i := range v.words {
		w := &v.words[i]
		total += 128 + 2*len(w.text) + 8*cap(w.postings) + 3*24
		for _, stem := range w.stem {
			total += len(stem)
		}
	}
	return total
}
