package frontdesk

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	firstWait     = 500 * time.Millisecond
	longestWait   = 8 * time.Second
	longestAsked  = 60 * time.Second // a longer Retry-After is the caller's to decide
	jitterPercent = 25
)

// passing says whether an answer may be another one soon.
func passing(e *Error) bool {
	switch e.Status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	case http.StatusConflict:
		return e.Code == ErrorCodeIdempotencyKeyInUse
	}
	return false
}

// backoff is how long to wait after the nth failure, counted from 0.
func backoff(n int) time.Duration {
	wait := longestWait
	if n < 4 {
		wait = min(firstWait<<n, longestWait)
	}
	jitter := 1 + (rand.Float64()*2-1)*jitterPercent/100
	return min(time.Duration(float64(wait)*jitter), longestWait)
}

// retryAfter reads how long a server asks to wait: seconds, or a date.
func retryAfter(header http.Header, now time.Time) (time.Duration, bool) {
	text := strings.TrimSpace(header.Get("Retry-After"))
	if seconds, err := strconv.Atoi(text); err == nil && seconds >= 0 && seconds < 1<<31 {
		return time.Duration(seconds) * time.Second, true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(at.Sub(now), 0), true
	}
	return 0, false
}

// wait waits, or ends with its context.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
