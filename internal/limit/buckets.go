// Package limit says who comes too often: token buckets for a steady pace, and
// counts for what may happen a number of times an hour.
//
// Both are kept in the memory of one node, for many keys at once, and bounded:
// whoever commands more addresses than are remembered is not stopped by a limit
// for each of them. Those of a Group hold over all nodes together. They send nothing
// and refuse nothing; whose limit it is decides what is said.
package limit

import (
	"maps"
	"sync"
	"time"
)

// Buckets is a token bucket for every key. It is safe for concurrent use.
type Buckets[K comparable] struct {
	perSecond float64
	burst     float64
	group     *Group

	mu    sync.Mutex
	held  map[string]*bucket // by mark
	swept time.Time
	told  map[string]map[string]int64 // what each other node told last, by mark
}

// bucket holds tokens; fewer than none if others have taken too many elsewhere.
type bucket struct {
	tokens float64
	at     time.Time // when it held so many
	taken  int64     // here, while it was in use
	used   time.Time // when one was taken here last
}

const (
	// sweepEvery is how often what means nothing any more is thrown away.
	sweepEvery = time.Minute
	// idle is after how long without use a bucket begins to count from 0.
	idle = time.Minute
	// mostKeys bounds the memory: about 10 MiB.
	mostKeys = 1 << 16
)

// NewBuckets returns buckets that are filled with n tokens in a time, and hold
// burst of them.
func NewBuckets[K comparable](n int, per time.Duration, burst int) *Buckets[K] {
	return &Buckets[K]{
		perSecond: float64(n) / per.Seconds(), burst: float64(burst),
		held: map[string]*bucket{}, told: map[string]map[string]int64{},
	}
}

// In has the buckets hold over all nodes of a group, under a name that they have on
// each, and returns them.
func (b *Buckets[K]) In(g *Group, name string) *Buckets[K] {
	b.group = g
	g.Add(name, b)
	return b
}

// Take takes one token, or says how long it is until there is one.
func (b *Buckets[K]) Take(key K, now time.Time) (wait time.Duration) {
	_, wait = b.TakeOne(key, now)
	return wait
}

// TakeOne is Take, and says how many tokens are left.
func (b *Buckets[K]) TakeOne(key K, now time.Time) (left float64, wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.of(b.group.Mark(key), now)
	if t.tokens < 1 {
		return max(0, t.tokens), max(time.Nanosecond, b.time(1-t.tokens))
	}
	t.tokens--
	t.taken++
	t.used = now
	return t.tokens, 0
}

// TimeToFill is how long it takes until a bucket with so many tokens is full.
func (b *Buckets[K]) TimeToFill(left float64) time.Duration { return b.time(b.burst - left) }

func (b *Buckets[K]) time(tokens float64) time.Duration {
	return time.Duration(tokens / b.perSecond * float64(time.Second))
}

// of is the bucket of a mark, filled up to now.
func (b *Buckets[K]) of(mark string, now time.Time) *bucket {
	t := b.held[mark]
	if t == nil {
		b.makeRoom(now)
		t = &bucket{tokens: b.burst, at: now}
		b.held[mark] = t
	}
	b.fill(t, now)
	return t
}

func (b *Buckets[K]) fill(t *bucket, now time.Time) {
	if since := now.Sub(t.at); since > 0 {
		t.tokens, t.at = min(b.burst, t.tokens+since.Seconds()*b.perSecond), now
	}
}

// Here is what was taken on this node from buckets that are in use.
func (b *Buckets[K]) Here(now time.Time) map[string]int64 {
	counts := map[string]int64{}
	b.mu.Lock()
	for mark, t := range b.held {
		switch {
		case t.taken == 0:
		case now.Sub(t.used) > idle:
			t.taken = 0
		default:
			counts[mark] = t.taken
		}
	}
	b.mu.Unlock()
	return largest(counts)
}

// Elsewhere takes from the buckets what was taken on another node since it last told.
// Who has not listened for a while only notes it: the buckets have been filled again
// meanwhile. A bucket owes at most what all other nodes can let pass at once.
func (b *Buckets[K]) Elsewhere(node string, counts map[string]int64, late bool, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := b.told[node]
	b.told[node] = remembered(before, counts)
	if late {
		return
	}
	for mark, taken := range counts {
		more := taken - before[mark]
		if more < 0 { // it has begun to count from 0
			more = taken
		}
		if more > 0 {
			t := b.of(mark, now)
			t.tokens = max(-b.burst*float64(len(b.told)), t.tokens-float64(more))
		}
	}
}

// remembered is what a node has told. A mark that it tells no more begins from 0, unless
// there was no room for it: then what was told before holds.
func remembered(before, counts map[string]int64) map[string]int64 {
	all := maps.Clone(counts)
	if len(counts) < mostTold {
		return all
	}
	for mark, taken := range before {
		if _, told := all[mark]; !told && len(all) < 4*mostTold {
			all[mark] = taken
		}
	}
	return all
}

// Gone forgets what a node has told.
func (b *Buckets[K]) Gone(node string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.told, node)
}

// makeRoom throws away buckets that are full again and not in use. If there is still
// no room, others go.
func (b *Buckets[K]) makeRoom(now time.Time) {
	if now.Sub(b.swept) < sweepEvery && len(b.held) < mostKeys {
		return
	}
	b.swept = now
	for mark, t := range b.held {
		if b.fill(t, now); t.tokens >= b.burst && (b.group == nil || now.Sub(t.used) > idle) {
			delete(b.held, mark)
		}
	}
	drop(b.held)
}

// drop deletes whatever comes first until a quarter of the room is free.
func drop[K comparable, V any](held map[K]V) {
	for key := range held {
		if len(held) < mostKeys*3/4 {
			return
		}
		delete(held, key)
	}
}
