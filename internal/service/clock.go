package service

import "time"

// Clock returns the process's clock. With a start it runs on from that instant
// instead of the machine's own time, for development and tests.
func Clock(start time.Time) func() time.Time {
	if start.IsZero() {
		return time.Now
	}
	began := time.Now()
	return func() time.Time { return start.Add(time.Since(began)) }
}
