package limit

import (
	"sync"
	"time"
)

// Seldom says when what may happen thousands of times is worth a line in the log: a
// few times a minute, with how often it happened in between. It is safe for
// concurrent use. Keys are the messages, of which there are few.
type Seldom struct {
	pace *Buckets[string]

	mu     sync.Mutex
	passed map[string]int
}

// NewSeldom returns one that lets n lines a minute of each key pass.
func NewSeldom(n int) *Seldom {
	return &Seldom{pace: NewBuckets[string](n, time.Minute, n), passed: map[string]int{}}
}

// Take counts one time more, and says whether it is to be logged, and how many times
// before it were not.
func (s *Seldom) Take(key string, now time.Time) (passed int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pace.Take(key, now) > 0 {
		s.passed[key]++
		return 0, false
	}
	passed = s.passed[key]
	delete(s.passed, key)
	return passed, true
}
