package store

import "frontdesk.dev/frontdesk/internal/frontdesk"

// Written is what one transaction has written into the books: for who counts what
// happens in this process.
type Written struct {
	Calls    []WrittenCall
	Captures []WrittenCapture
}

// WrittenCall is a call that was recorded.
type WrittenCall struct {
	Live       bool
	Call       frontdesk.Call
	Unanswered int // questions in it that nobody could answer
}

// WrittenCapture is a capture that was made or changed.
type WrittenCapture struct {
	Live          bool
	Before, After frontdesk.Capture // Before is the zero Capture where it was made
}

// OnWritten says whom to tell, in this process, what was written into the books,
// once it is there to be seen. What a tenant is created with is not told of.
func (s *Store) OnWritten(tell func(Written)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.onWritten = tell
}

func (s *Store) tellWritten(w Written) {
	s.mu.RLock()
	tell := s.onWritten
	s.mu.RUnlock()
	if tell != nil && len(w.Calls)+len(w.Captures) > 0 {
		tell(w)
	}
}

// wroteCapture remembers that a capture was made, or changed, for who counts.
func (t *tx) wroteCapture(owner frontdesk.Owner, before, after frontdesk.Capture) {
	t.written.Captures = append(t.written.Captures, WrittenCapture{Live: owner.Live, Before: before, After: after})
}

// wroteCalls remembers that calls were recorded, with what they have captured.
func (t *tx) wroteCalls(owner frontdesk.Owner, recordings []Recording) {
	for _, r := range recordings {
		t.written.Calls = append(t.written.Calls, WrittenCall{Live: owner.Live, Call: r.Call, Unanswered: len(r.Unanswered)})
		for _, c := range r.Captures {
			t.wroteCapture(owner, frontdesk.Capture{}, c)
		}
	}
}
