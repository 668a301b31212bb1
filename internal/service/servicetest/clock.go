// Package servicetest has the time that tests run by.
package servicetest

import (
	"sync"
	"time"
)

// Clock is a time that only moves when it is told to.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// NewClock returns a clock that stands at a moment.
func NewClock(at time.Time) *Clock { return &Clock{at: at} }

// Now is the time that it shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Forward moves it.
func (c *Clock) Forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}
