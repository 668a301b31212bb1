package search

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// Index finds fragments. It never changes once made.
type Index struct {
	fragments []frontdesk.Fragment
	notes     []note
	words     vocabulary
	average   [fields]float32 // the mean length of each field
	vectors   [][]float32
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
	lengths [fields]uint16
	kinds   kinds
	lang    uint8
}

// posting says how often a word stands in a fragment.
type posting struct {
	fragment int32
	times    [fields]uint8
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
	ix.words.finish()
	ix.measure()
	return ix
}

func (ix *Index) add(i int32) {
	f := &ix.fragments[i]
	n := &ix.notes[i]
	n.lang = fragmentLang(f)
	for field, text := range [fields]string{f.Text, f.Question, f.Heading} {
		all := tokens(text)
		if field == inText {
			n.kinds = kindsIn(text, all)
			n.kinds.each(func(k kinds) { ix.words.post(ix.words.word(kindWord(k), true), i, inText) })
		}
		words := ix.words.ids(all, n.lang, true)
		for _, w := range words {
			ix.words.post(w, i, field)
		}
		n.lengths[field] = uint16(min(len(words), 1<<16-1))
	}
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
	total := ix.words.bytes() + len(ix.notes)*10
	for _, f := range ix.fragments {
		total += 160 + len(f.Heading) + len(f.Question) + len(f.Text)
	}
	for _, v := range ix.vectors {
		total += 24 + 4*len(v)
	}
	return total
}

const (
	es = iota
	en
	langs
)

var langNames = [langs]string{lexicon.Spanish, lexicon.English}

func langOf(name string) uint8 {
	return uint8(max(0, slices.Index(langNames[:], name)))
}
