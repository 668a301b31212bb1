package api

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/limit"
)

// limiter is a token bucket for every API key.
type limiter struct {
	buckets *limit.Buckets[frontdesk.ID]
	policy  []string
}

func newLimiter(perSecond, burst int, nodes *limit.Group) *limiter {
	window := int(math.Ceil(float64(burst) / float64(perSecond)))
	return &limiter{
		buckets: limit.NewBuckets[frontdesk.ID](perSecond, time.Second, burst).In(nodes, "requests of keys"),
		policy:  []string{fmt.Sprintf(`"default";q=%d;w=%d`, burst, window)},
	}
}

// take takes one token of a key's bucket and says in the headers how many are
// left, and in how many seconds all are back.
func (l *limiter) take(w http.ResponseWriter, key frontdesk.ID, now time.Time) error {
	left, wait := l.buckets.TakeOne(key, now)
	h := w.Header() // the names as the draft writes them, not as Go would
	h["RateLimit-Policy"] = l.policy
	h["RateLimit"] = []string{`"default";r=` + strconv.Itoa(int(left)) + `;t=` + strconv.Itoa(seconds(l.buckets.TimeToFill(left)))}
	if wait == 0 {
		return nil
	}
	h.Set("Retry-After", strconv.Itoa(max(1, seconds(wait))))
	return &frontdesk.Error{
		Kind: frontdesk.RateLimited, Code: "rate_limited",
		Message: "Too many requests with this API key. Wait for the time in the Retry-After header, then go on more slowly.",
	}
}

// seconds are whole ones, enough for d.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
