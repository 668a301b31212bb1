package faults

import (
	"testing"
	"time"
)

// patience is how long a test waits for what must come soon, or for the next
// step of what must go on, on a machine that is busy with other things. It is
// longer than a lease: what a busy node lost sight of is due again by then.
const patience = 90 * time.Second

// until polls a condition until it holds, patience ends, or ended is closed.
func until(holds func() bool, ended <-chan struct{}) bool {
	deadline := time.After(patience)
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for {
		if holds() {
			return true
		}
		select {
		case <-tick.C:
		case <-ended:
			return holds()
		case <-deadline:
			return false
		}
	}
}

// reaches waits until a count is there, for as long as it goes on growing.
func reaches(count func() int, want int) bool {
	for {
		before := count()
		if before >= want {
			return true
		}
		if !until(func() bool { return count() > before }, nil) {
			return false
		}
	}
}

// mustReach is reaches for what a test cannot go on without.
func mustReach(t testing.TB, what string, count func() int, want int) {
	t.Helper()
	if !reaches(count, want) {
		t.Fatalf("%s: %d of %d, and no more for %v", what, count(), want, patience)
	}
}

// settles waits until a count has stayed the same for a while.
func settles(count func() int) int {
	const often = 50
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	last, same := count(), 0
	for same < often {
		<-tick.C
		if now := count(); now != last {
			last, same = now, 0
		} else {
			same++
		}
	}
	return last
}
