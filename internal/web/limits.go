package web

import (
	"math"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// buckets is a token bucket for every visitor, or every agent, on this node.
type buckets[K comparable] struct {
	limit rate.Limit
	burst int

	mu    sync.Mutex
	held  map[K]*rate.Limiter
	swept time.Time
}

const (
	// sweepEvery is how often buckets that are full again, and so mean nothing,
	// are thrown away.
	sweepEvery = time.Minute
	// mostBuckets bounds the memory: about 10 MiB.
	mostBuckets = 1 << 16
)

func newBuckets[K comparable](n int, per time.Duration, burst int) *buckets[K] {
	return &buckets[K]{limit: rate.Limit(float64(n) / per.Seconds()), burst: burst, held: map[K]*rate.Limiter{}}
}

// take takes one token, or says how long it is until there is one.
func (b *buckets[K]) take(key K, now time.Time) (wait time.Duration) {
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

// makeRoom throws away what means nothing any more. If there is still no room,
// others go: who commands so many addresses is not stopped by a limit for each,
// but by the one for the agent.
func (b *buckets[K]) makeRoom(now time.Time) {
	if now.Sub(b.swept) < sweepEvery && len(b.held) < mostBuckets {
		return
	}
	b.swept = now
	for key, bucket := range b.held {
		if bucket.TokensAt(now) >= float64(b.burst) {
			delete(b.held, key)
		}
	}
	for key := range b.held {
		if len(b.held) < mostBuckets*3/4 {
			break
		}
		delete(b.held, key)
	}
}

// limit refuses a visit that has to wait.
func (s *Web) limit(v *visit, whose string, wait time.Duration) error {
	if wait <= 0 {
		return nil
	}
	s.metrics.refused.WithLabelValues(whose).Inc()
	v.header.Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(wait.Seconds())))))
	return &frontdesk.Error{
		Kind: frontdesk.RateLimited, Code: "rate_limited",
		Message: "That was a lot at once. Wait for the time in the Retry-After header, then go on more slowly.",
	}
}
