package limit_test

import (
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/limit"
)

func TestSeldom(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)
	s := limit.NewSeldom(3)
	said := 0
	for range 100 {
		if _, ok := s.Take("a", now); ok {
			said++
		}
	}
	if said != 3 {
		t.Errorf("%d of 100 are said", said)
	}
	if _, ok := s.Take("b", now); !ok {
		t.Error("another is not said")
	}
	if passed, ok := s.Take("a", now.Add(time.Minute)); !ok || passed != 97 {
		t.Errorf("a minute later %d were passed over, %v", passed, ok)
	}
	if passed, ok := s.Take("a", now.Add(time.Minute)); !ok || passed != 0 {
		t.Errorf("then %d, %v", passed, ok)
	}
}
