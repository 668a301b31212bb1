// Package limit says who comes too often: token buckets for a steady pace, and
// counts for what may happen a number of times an hour.
//
// Both are kept in the memory of one node, for many keys at once, and bounded:
// whoever commands more addresses than are remembered is not stopped by a limit
// for each of them. They send nothing and refuse nothing; whose limit it is
// decides what is said.
package limit

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Buckets is a token bucket for every key. It is safe for concurrent use.
type Buckets[K comparable] struct {
	limit rate.Limit
	burst int

	mu    sync.Mutex
	held  map[K]*rate.Limiter
	swept time.Time
}

const (
	// sweepEvery is how often what means nothing any more is thrown away.
	sweepEvery = time.Minute
	// mostKeys bounds the memory: about 10 MiB.
	mostKeys = 1 << 16
)

// NewBuckets returns buckets that are filled with n tokens in a time, and hold
// burst of them.
func NewBuckets[K comparable](n int, per time.Duration, burst int) *Buckets[K] {
	return &Buckets[K]{limit: rate.Limit(float64(n) / per.Seconds()), burst: burst, held: map[K]*rate.Limiter{}}
}

// Take takes one token, or says how long it is until there is one.
func (b *Buckets[K]) Take(key K, now time.Time) (wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	bucket := b.held[key]
	if bucket == nil {
		b.makeRoom(now)
		bucket = rate.NewLimiter(b.limit, b.burst)
		b.held[key] = bucket
	}
	r := bucket.ReserveN(now, 1)
	if wait = r.DelayFrom(now); wait > 0 {
		r.CancelAt(now)
	}
	return wait
}

// makeRoom throws away buckets that are full again. If there is still no room,
// others go.
func (b *Buckets[K]) makeRoom(now time.Time) {
	if now.Sub(b.swept) < sweepEvery && len(b.held) < mostKeys {
		return
	}
	b.swept = now
	for key, bucket := range b.held {
		if bucket.TokensAt(now) >= float64(b.burst) {
			delete(b.held, key)
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
