package webhook

import "time"

// SetTimeout makes an exchange end sooner, so that a test of one that hangs does.
func (s *Sender) SetTimeout(d time.Duration) { s.timeout = d }

// SetPoll says how often a dispatcher looks for itself.
func (d *Dispatcher) SetPoll(every time.Duration) { d.poll = every }
