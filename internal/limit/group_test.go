package limit

import (
	"fmt"
	"testing"
	"time"
)

// nodes are groups that tell each other what they count, as processes do over a
// database.
type nodes struct {
	groups []*Group
	beats  []int64
	alive  []bool
}

func newNodes(n int) *nodes {
	all := &nodes{}
	for range n {
		all.groups = append(all.groups, NewGroup([]byte("secret")))
		all.beats, all.alive = append(all.beats, 0), append(all.alive, true)
	}
	return all
}

// exchange has every living node tell, and then hear. What dead ones told last stands.
func (n *nodes) exchange(told []Told, now time.Time) []Told {
	if told == nil {
		told = make([]Told, len(n.groups))
	}
	for i, g := range n.groups {
		if n.alive[i] {
			n.beats[i]++
			told[i] = Told{Node: fmt.Sprint("node-", i), Beat: n.beats[i], Counts: g.Here(now)}
		}
	}
	for i, g := range n.groups {
		others := append(append([]Told{}, told[:i]...), told[i+1:]...)
		if n.alive[i] {
			g.Hear(others, now)
		}
	}
	return told
}

// Whoever asks all nodes at once gets what one node would have given them, and what
// the others gave before they heard of it.
func TestBucketsHoldOverAllNodes(t *testing.T) {
	t.Parallel()
	const perSecond, burst, length = 200, 2000, 120
	for _, size := range []int{1, 2, 3, 5} {
		for _, spread := range []string{"evenly", "one after the other", "mostly on one"} {
			all := newNodes(size)
			var buckets []*Buckets[string]
			for _, g := range all.groups {
				buckets = append(buckets, NewBuckets[string](perSecond, time.Second, burst).In(g, "requests"))
			}
			var told []Told
			passed, now := 0, monday
			for second := range length {
				for i := range 3 * perSecond { // three times as many as may
					now = monday.Add(time.Duration(second)*time.Second + time.Duration(i)*time.Second/(3*perSecond))
					node := i % size
					switch {
					case spread == "one after the other":
						node = second % size
					case spread == "mostly on one" && i%10 > 0:
						node = 0
					}
					if buckets[node].Take("key", now) == 0 {
						passed++
					}
				}
				told = all.exchange(told, now)
			}
			limit := burst + length*perSecond
			late := (size - 1) * 3 * perSecond // what the others let pass in the second of one exchange
			if passed > limit+late || passed < limit*9/10 {
				t.Errorf("%d nodes, %s: %d passed, want %d or so", size, spread, passed, limit)
			}
		}
	}
}

func TestAnHourIsCountedOverAllNodes(t *testing.T) {
	t.Parallel()
	all := newNodes(3)
	var counts []*Hourly[string]
	for _, g := range all.groups {
		counts = append(counts, NewHourly[string](60).In(g, "bookings"))
	}
	var told []Told
	passed := 0
	for i := range 300 {
		now := monday.Add(time.Duration(i) * time.Second)
		if counts[i%3].Take("address", now) {
			passed++
		}
		told = all.exchange(told, now)
	}
	if passed != 60 {
		t.Errorf("%d times, want 60", passed)
	}
	if !counts[1].Take("another", monday) {
		t.Error("another key is counted too")
	}
}

// What a node has counted is held against nobody once it is gone; what it told can be
// deleted then.
func TestANodeThatIsGone(t *testing.T) {
	t.Parallel()
	all := newNodes(2)
	a := NewHourly[string](10).In(all.groups[0], "bookings")
	b := NewHourly[string](10).In(all.groups[1], "bookings")
	for range 10 {
		a.Take("address", monday)
	}
	told := all.exchange(nil, monday)
	all.alive[0] = false
	if b.Take("address", monday.Add(50*time.Second)) {
		t.Error("what the other node counted is forgotten at once")
	}
	gone := told[:1]
	if old := all.groups[1].Hear(gone, monday.Add(50*time.Second)); len(old) > 0 {
		t.Errorf("%v is to be deleted too early", old)
	}
	if old := all.groups[1].Hear(gone, monday.Add(2*time.Minute)); len(old) != 1 {
		t.Errorf("%v is to be deleted", old)
	}
	if !b.Take("address", monday.Add(2*time.Minute)) {
		t.Error("what a dead node counted still holds")
	}
}

// A node that tells the same twice, or is heard late, is not counted twice.
func TestWhatIsHeardTwiceCountsOnce(t *testing.T) {
	t.Parallel()
	all := newNodes(2)
	a := NewBuckets[string](1, time.Hour, 100).In(all.groups[0], "requests")
	b := NewBuckets[string](1, time.Hour, 100).In(all.groups[1], "requests")
	all.groups[1].Hear(nil, monday) // it listens
	for range 40 {
		a.Take("key", monday)
	}
	told := []Told{{Node: "a", Beat: 1, Counts: all.groups[0].Here(monday)}}
	for range 5 {
		all.groups[1].Hear(told, monday)
	}
	told[0].Beat++ // the same again
	all.groups[1].Hear(told, monday)
	if left, _ := b.TakeOne("key", monday); left != 59 {
		t.Errorf("%v are left, want 59", left)
	}
	// It was quiet for so long that it counts from 0.
	later := monday.Add(2 * time.Minute)
	all.groups[1].Hear([]Told{{Node: "a", Beat: 3, Counts: all.groups[0].Here(later)}}, later)
	for range 10 {
		a.Take("key", later)
	}
	all.groups[1].Hear([]Told{{Node: "a", Beat: 4, Counts: all.groups[0].Here(later)}}, later)
	if left, _ := b.TakeOne("key", later); left < 48 || left > 49 {
		t.Errorf("%v are left, want 48", left)
	}
}

// A node that begins, or was cut off, does not charge what others counted long ago.
func TestANodeThatDidNotListen(t *testing.T) {
	t.Parallel()
	all := newNodes(2)
	a := NewBuckets[string](1, time.Second, 100).In(all.groups[0], "requests")
	b := NewBuckets[string](1, time.Second, 100).In(all.groups[1], "requests")
	for range 80 {
		a.Take("key", monday)
	}
	hear := func(beat int64, now time.Time) {
		all.groups[1].Hear([]Told{{Node: "a", Beat: beat, Counts: all.groups[0].Here(now)}}, now)
	}
	hear(1, monday)
	if left, _ := b.TakeOne("key", monday); left != 99 {
		t.Errorf("a node that begins has %v left", left)
	}
	now := monday.Add(30 * time.Second)
	a.Take("key", now)
	hear(2, now)
	if left, _ := b.TakeOne("key", now); left != 99 {
		t.Errorf("a node that was cut off has %v left", left)
	}
}

// However many keys a node tells of over time, a busy one is charged once.
func TestManyKeysAreChargedOnce(t *testing.T) {
	t.Parallel()
	all := newNodes(2)
	a := NewBuckets[string](20, time.Second, 100).In(all.groups[0], "requests")
	b := NewBuckets[string](20, time.Second, 100).In(all.groups[1], "requests")
	for second := range 120 {
		now := monday.Add(time.Duration(second) * time.Second)
		for i := range 60 {
			a.Take(fmt.Sprint("visitor ", second, i), now)
		}
		for range 5 {
			a.Take("key", now)
		}
		all.groups[1].Hear([]Told{{Node: "a", Beat: int64(second), Counts: all.groups[0].Here(now)}}, now)
		if left, wait := b.TakeOne("key", now); wait > 0 || left < 80 {
			t.Fatalf("after %d seconds %v are left of a key with a quarter of its rate", second, left)
		}
	}
}

// Whoever uses up every node at once, and waits, gets no more in the end.
func TestBurstsOnAllNodes(t *testing.T) {
	t.Parallel()
	const perSecond, burst, size, length = 10, 100, 5, 600
	all := newNodes(size)
	var buckets []*Buckets[string]
	for _, g := range all.groups {
		buckets = append(buckets, NewBuckets[string](perSecond, time.Second, burst).In(g, "requests"))
	}
	told := all.exchange(nil, monday)
	passed := 0
	for second := range length {
		now := monday.Add(time.Duration(second) * time.Second)
		if second%(2*burst/perSecond) == 0 {
			for _, b := range buckets {
				for b.Take("key", now) == 0 {
					passed++
				}
			}
		}
		told = all.exchange(told, now)
	}
	if most := burst*size + length*perSecond*11/10; passed > most {
		t.Errorf("%d passed, want %d at most", passed, most)
	}
}

// What is told is bounded, and says nothing of who it is about.
func TestWhatIsTold(t *testing.T) {
	t.Parallel()
	g := NewGroup([]byte("secret"))
	b := NewBuckets[string](1, time.Hour, 100).In(g, "requests")
	for i := range 2000 {
		b.Take(fmt.Sprint("203.0.113.", i), monday)
	}
	for range 20 {
		b.Take("busy", monday)
	}
	counts := g.Here(monday)["requests"]
	if len(counts) != mostTold || counts[g.Mark("busy")] != 20 {
		t.Errorf("%d are told of, the busy one with %d", len(counts), counts[g.Mark("busy")])
	}
	if g.Mark("203.0.113.7") == NewGroup([]byte("another")).Mark("203.0.113.7") {
		t.Error("marks can be made without the secret")
	}
	if m := g.Mark("203.0.113.7"); len(m) != MarkLength {
		t.Errorf("a mark is %q", m)
	}
}
