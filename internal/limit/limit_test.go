package limit

import (
	"testing"
	"time"
)

var monday = time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)

func TestABucketRefills(t *testing.T) {
	t.Parallel()
	b := NewBuckets[string](60, time.Minute, 3)
	for range 3 {
		if wait := b.Take("a", monday); wait != 0 {
			t.Fatalf("has to wait %s", wait)
		}
	}
	if wait := b.Take("a", monday); wait != time.Second {
		t.Errorf("has to wait %s, want a second", wait)
	}
	if wait := b.Take("b", monday); wait != 0 {
		t.Error("another key has to wait too")
	}
	if wait := b.Take("a", monday.Add(time.Second)); wait != 0 {
		t.Errorf("has to wait %s after a second", wait)
	}
}

func TestAnHourIsCounted(t *testing.T) {
	t.Parallel()
	h := NewHourly[string](2)
	steps := []struct {
		key   string
		after time.Duration
		want  bool
	}{
		{"a", 0, true},
		{"a", time.Minute, true},
		{"a", 59 * time.Minute, false},
		{"b", 59 * time.Minute, true},
		{"a", time.Hour, true},
		{"a", time.Hour, true},
		{"a", time.Hour, false},
	}
	for i, s := range steps {
		if got := h.Take(s.key, monday.Add(s.after)); got != s.want {
			t.Errorf("step %d: got %v", i, got)
		}
	}
	h.GiveBack("a")
	if !h.Take("a", monday.Add(time.Hour)) {
		t.Error("what was given back cannot be had")
	}
	h.GiveBack("nobody")
}

func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	b, h := NewBuckets[int](10, time.Minute, 10), NewHourly[int](10)
	for n := range 2 * mostKeys {
		b.Take(n, monday)
		h.Take(n, monday)
	}
	if len(b.held) > mostKeys || len(h.held) > mostKeys {
		t.Errorf("%d buckets and %d counts are held", len(b.held), len(h.held))
	}
	b.Take(-1, monday.Add(2*time.Hour))
	h.Take(-1, monday.Add(2*time.Hour))
	if len(b.held) != 1 || len(h.held) != 1 {
		t.Errorf("%d buckets and %d counts are held after two hours of silence", len(b.held), len(h.held))
	}
}
