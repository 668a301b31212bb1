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

// few is how many conversations a minute an address may start in any case,
// whatever others do to the same agent: a start writes nothing.
const few = 10

// agentMode is whose starts are counted together: those of test mode do not use
// up those of live mode.
type agentMode struct {
	agent frontdesk.ID
	live  bool
}

// share is how many conversations a minute one address may start: never more
// than a quarter of what an agent takes in all, so that no address keeps the
// others out; but always a few.
func share(perAddress, perAgent int) int {
	return min(perAddress, max(perAgent/4, few))
}
