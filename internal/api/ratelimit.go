package api

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// limiter is a token bucket for every API key, on this node.
type limiter struct {
	perSecond int
	burst     int
	policy    []string

	mu      sync.Mutex
	buckets map[frontdesk.ID]*rate.Limiter
	swept   time.Time
}

// sweepEvery is how often buckets that are full again, and so mean nothing,
// are thrown away.
const sweepEvery = time.Minute

func newLimiter(perSecond, burst int) *limiter {
	window := int(math.Ceil(float64(burst) / float64(perSecond)))
	return &limiter{
		perSecond: perSecond, burst: burst, buckets: map[frontdesk.ID]*rate.Limiter{},
		policy: []string{fmt.Sprintf(`"default";q=%d;w=%d`, burst, window)},
	}
}

// take takes one token of a key's bucket and says in the headers how many are
// left, and in how many seconds all are back.
func (l *limiter) take(w http.ResponseWriter, key frontdesk.ID, now time.Time) error {
	bucket := l.bucket(key, now)
	allowed := bucket.AllowN(now, 1)
	tokens := max(0, bucket.TokensAt(now))
	full := int(math.Ceil((float64(l.burst) - tokens) / float64(l.perSecond)))
	h := w.Header() // the names as the draft writes them, not as Go would
	h["RateLimit-Policy"] = l.policy
	h["RateLimit"] = []string{`"default";r=` + strconv.Itoa(int(tokens)) + `;t=` + strconv.Itoa(full)}
	if allowed {
		return nil
	}
	wait := int(math.Ceil((1 - tokens) / float64(l.perSecond)))
	h.Set("Retry-After", strconv.Itoa(max(1, wait)))
	return &frontdesk.Error{
		Kind: frontdesk.RateLimited, Code: "rate_limited",
		Message: "Too many requests with this API key. Wait for the time in the Retry-After header, then go on more slowly.",
	}
}

func (l *limiter) bucket(key frontdesk.ID, now time.Time) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.swept) > sweepEvery {
		l.swept = now
		for id, b := range l.buckets {
			if b.TokensAt(now) >= float64(l.burst) {
				delete(l.buckets, id)
			}
		}
	}
	b := l.buckets[key]
	if b == nil {
		b = rate.NewLimiter(rate.Limit(l.perSecond), l.burst)
		l.buckets[key] = b
	}
	return b
}
