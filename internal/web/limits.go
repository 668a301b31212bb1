package web

import (
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// limit refuses a visit that has to wait.
func (s *Web) limit(whose string, wait time.Duration) error {
	if wait <= 0 {
		return nil
	}
	s.metrics.refused.WithLabelValues(whose).Inc()
	return frontdesk.TooOften(wait, "That was a lot at once. Wait for the time in the Retry-After header, then go on more slowly.")
}

// share is how many conversations a minute one address may start: never more
// than a quarter of what an agent takes in all, so that no address keeps the
// others out; but always a few.
func share(perAddress, perAgent int) int {
	const few = 10
	return min(perAddress, max(perAgent/4, few))
}
