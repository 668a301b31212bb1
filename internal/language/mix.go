package language

import (
	"maps"
	"strings"
	"sync"
)

// Mix is the languages that the callers of a business may speak, and mix. What
// it is asked for is that of all of them together.
type Mix struct {
	Languages []*Language

	mu    sync.Mutex
	sets  map[string]Set
	books map[string]*Book
	clean func() *cleaning
}

// MixOf is the mix of the languages with these codes; of all when there are none.
// It is made once for each set of codes.
func MixOf(codes ...string) *Mix {
	if len(codes) == 0 {
		codes = Codes()
	}
	key := strings.Join(codes, " ")
	mixes.mu.Lock()
	defer mixes.mu.Unlock()
	if m, ok := mixes.all[key]; ok {
		return m
	}
	var languages []*Language
	for _, code := range codes {
		if l := Of(code); l != nil {
			languages = append(languages, l)
		}
	}
	m := NewMix(languages...)
	if mixes.all == nil {
		mixes.all = map[string]*Mix{}
	}
	mixes.all[key] = m
	return m
}

var mixes struct {
	mu  sync.Mutex
	all map[string]*Mix
}

// NewMix is the mix of some languages.
func NewMix(languages ...*Language) *Mix {
	m := &Mix{Languages: languages, sets: map[string]Set{}, books: map[string]*Book{}}
	m.clean = sync.OnceValue(func() *cleaning { return newCleaning(m) })
	return m
}

// Words are the words of a section, in any of the languages.
func (m *Mix) Words(section string) Set {
	m.mu.Lock()
	defer m.mu.Unlock()
	if set, ok := m.sets[section]; ok {
		return set
	}
	set := Set{}
	for _, l := range m.Languages {
		maps.Copy(set, l.Words(section))
	}
	m.sets[section] = set
	return set
}

// Phrases are the phrases of a meaning, in any of the languages.
func (m *Mix) Phrases(meaning string) *Book {
	m.mu.Lock()
	defer m.mu.Unlock()
	if b, ok := m.books[meaning]; ok {
		return b
	}
	b := newBook()
	for _, l := range m.Languages {
		b.addAll(l, meaning)
	}
	m.books[meaning] = b
	return b
}

// Value is the value of an expression in a section of pairs, in the first
// language that has it.
func (m *Mix) Value(section, expression string) (string, bool) {
	for _, l := range m.Languages {
		if v, ok := l.Pairs(section)[expression]; ok {
			return v, true
		}
	}
	return "", false
}
