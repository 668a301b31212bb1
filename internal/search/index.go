package search

import (
	"slices"
	"sync"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// Index finds fragments. It never changes once made.
type Index struct {
	fragments []frontdesk.Fragment
	notes     []note
	passages  []passage
	said      []int32 // the words of all passages
	words     vocabulary
	average   [fields]float32 // the mean length of each field
	vectors   [][]float32
	meanings  meanings
	scratch   scratchPool
}

// The fields of a fragment.
const (
	inText = iota
	inQuestion
	inHeading
	fields
)

// note is what the index remembers of a fragment beside its words.
type note struct {
	lengths  [fields]uint16
	kinds    kinds
	lang     uint8
	row      bool  // it is a row of a table
	from, to int32 // its passages
}

// passage is a sentence of a fragment's text, or its whole question or heading.
type passage struct {
	stretch
	field    uint8
	kinds    kinds
	from, to int32 // its words, in said
}

// count says how often a word stands in the fields of a fragment.
type count struct {
	fragment int32
	times    [fields]uint8
}

// posting says how much a word stands in a fragment.
type posting struct {
	fragment  int32
	frequency float32
}

// Options are what an index may have beside its fragments.
type Options struct {
	// Vectors are the embeddings of the fragments, one each, in their order. A
	// fragment without one has nil.
	Vectors [][]float32
}

// New returns an index over fragments.
func New(fragments []frontdesk.Fragment) *Index { return NewWith(fragments, Options{}) }

// NewWith returns an index over fragments, with options.
func NewWith(fragments []frontdesk.Fragment, o Options) *Index {
	ix := &Index{fragments: fragments, notes: make([]note, len(fragments)), words: newVocabulary()}
	if len(o.Vectors) == len(fragments) {
		ix.vectors = o.Vectors
	}
	for i := range fragments {
		ix.add(int32(i))
	}
	ix.measure()
	ix.meanings = ix.newMeanings()
	ix.words.finish(ix.frequency)
	ix.passages, ix.said = slices.Clip(ix.passages), slices.Clip(ix.said)
	return ix
}

func (ix *Index) add(i int32) {
	f := &ix.fragments[i]
	n := &ix.notes[i]
	n.lang = fragmentLang(f)
	n.row = rowCells(f.Text) != nil
	n.from = int32(len(ix.passages))
	for field, text := range [fields]string{f.Text, f.Question, f.Heading} {
		before := len(ix.said)
		for _, s := range passages(text, field == inText && !n.row) {
			ix.addPassage(n, field, text, s)
		}
		for _, w := range ix.said[before:] {
			ix.words.post(w, i, field)
		}
		n.lengths[field] = uint16(min(len(ix.said)-before, 1<<16-1))
	}
	n.to = int32(len(ix.passages))
}

// passages are the sentences of a text, or the text as a whole.
func passages(text string, split bool) []stretch {
	switch {
	case split:
		return sentences(text)
	case text != "":
		return []stretch{{0, len(text)}}
	}
	return nil
}

// addPassage notes the words of a passage and, in a text, the facts.
func (ix *Index) addPassage(n *note, field int, text string, s stretch) {
	said := s.of(text)
	all := tokens(said)
	p := passage{stretch: s, field: uint8(field), from: int32(len(ix.said))}
	ix.said = ix.words.ids(ix.said, all, n.lang)
	if field == inText {
		p.kinds = kindsIn(said, all, ix.words.knows)
		p.kinds.each(func(k kinds) { ix.said = append(ix.said, ix.words.word(kindWord(k), true)) })
		n.kinds |= p.kinds
	}
	p.to = int32(len(ix.said))
	ix.passages = append(ix.passages, p)
}

// passagesOf are the passages of a fragment.
func (ix *Index) passagesOf(fragment int32) []passage {
	n := &ix.notes[fragment]
	return ix.passages[n.from:n.to]
}

func fragmentLang(f *frontdesk.Fragment) uint8 {
	if f.Language != "" {
		return langOf(f.Language)
	}
	return langOf(lexicon.Language(f.Question + " " + f.Text))
}

// measure takes the mean length of each field over the fragments that have it.
func (ix *Index) measure() {
	for field := range fields {
		sum, n := 0, 0
		for _, note := range ix.notes {
			if l := int(note.lengths[field]); l > 0 {
				sum, n = sum+l, n+1
			}
		}
		ix.average[field] = max(1, float32(sum)/float32(max(1, n)))
	}
}

// Len is the number of fragments.
func (ix *Index) Len() int { return len(ix.fragments) }

// Bytes is about how much memory the index takes, its fragments' texts included.
func (ix *Index) Bytes() int {
	total := ix.words.bytes() + len(ix.notes)*20 + cap(ix.passages)*32 + cap(ix.said)*4 + len(ix.notes)*(SenseDims+20)
	for _, f := range ix.fragments {
		total += 160 + len(f.Heading) + len(f.Question) + len(f.Text)
	}
	for _, v := range ix.vectors {
		total += 24 + 4*len(v)
	}
	return total
}

// langs is how many languages an index tells apart.
const langs = 2

// langNames are their codes.
var langNames = sync.OnceValue(func() [langs]string { return [langs]string(language.Codes()) })

// nameOf is the code of a language.
func nameOf(lang uint8) string { return langNames()[lang] }

// langOf is the language with a code; the first of all if there is none.
func langOf(name string) uint8 {
	names := langNames()
	return uint8(max(0, slices.Index(names[:], name)))
}
