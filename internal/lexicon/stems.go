package lexicon

import (
	"strings"
	"sync"
)

// mostStems is how many stems are remembered in each language: about 2 MiB.
const mostStems = 1 << 14

// stems remembers the stems of words. Callers and businesses use the same few
// thousand words again and again, and to find the stem of one takes longer than
// all else that is done with it.
type stems struct {
	find func(word string) string

	mu    sync.RWMutex
	known map[string]string
}

// of is the stem of a word. When too many are known, all are forgotten: those
// that are in use come back at once.
func (s *stems) of(word string) string {
	s.mu.RLock()
	stem, ok := s.known[word]
	s.mu.RUnlock()
	if ok {
		return stem
	}
	stem = s.find(word)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil || len(s.known) >= mostStems {
		s.known = make(map[string]string, 256)
	}
	s.known[strings.Clone(word)] = strings.Clone(stem) // not the text that they stand in
	return stem
}
