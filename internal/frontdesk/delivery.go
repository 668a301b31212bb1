package frontdesk

import "time"

// Delivery is one event on its way to one connection.
type Delivery struct {
	ID            ID
	ConnectionID  ID
	EventID       ID
	Event         string
	Live          bool
	Status        DeliveryStatus
	Attempts      int // the one under way included
	MaxAttempts   int
	HTTPStatus    int // of the last attempt; 0: none
	Latency       time.Duration
	Tried         bool // Latency means something
	ErrorCode     string
	Message       string
	CreatedAt     time.Time
	NextAttemptAt time.Time // zero: none is planned
	DeliveredAt   time.Time
	// LeaseUntil is until when a worker has it. It names the lease as well: a
	// worker that comes back later finds another one.
	LeaseUntil time.Time
}

// DeliveryStatus is where a delivery stands.
type DeliveryStatus string

// The statuses of a delivery.
const (
	DeliveryPending    DeliveryStatus = "pending"    // not tried yet
	DeliveryDelivering DeliveryStatus = "delivering" // a worker has it
	DeliveryDelivered  DeliveryStatus = "delivered"
	DeliveryFailed     DeliveryStatus = "failed" // tried; will be again
	DeliveryDead       DeliveryStatus = "dead"   // no more attempts by itself
)

// DeliveryStatuses are all five.
var DeliveryStatuses = []DeliveryStatus{DeliveryPending, DeliveryDelivering, DeliveryDelivered, DeliveryFailed, DeliveryDead}

// schedule is how long each attempt waits after the one before.
var schedule = []time.Duration{
	0, 5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 10 * time.Hour,
}

// MaxAttempts is how often an event is tried by itself.
var MaxAttempts = len(schedule)

// RetrySchedule is how long each attempt waits after the one before.
func RetrySchedule() []time.Duration { return append([]time.Duration(nil), schedule...) }

const (
	// DeliveryTimeout bounds one attempt, from the first packet to the last.
	DeliveryTimeout = 15 * time.Second
	// DeliveryLease is how long a worker that says nothing is believed in.
	DeliveryLease = 60 * time.Second
	// RequestLease is the lease of an attempt that a request makes and waits
	// for. It is over before the lease of the request's idempotency key, so
	// that who repeats the request can go on with it.
	RequestLease = 25 * time.Second
	// maxRetryAfter bounds what a receiver can ask for.
	maxRetryAfter = 24 * time.Hour
	// jitter spreads attempts by this share to either side.
	jitter = 0.2
	// GiveUpAfter is how long everything may fail before a connection is
	// disabled.
	GiveUpAfter = 5 * 24 * time.Hour
	// DeliveryRetention is how long the history is kept.
	DeliveryRetention = 30 * 24 * time.Hour
)

// Why an attempt failed, by the stage at which it did.
const (
	DNSFailed       = "dns_failed"
	AddressBlocked  = "address_blocked"
	ConnectFailed   = "connect_failed"
	TLSFailed       = "tls_failed"
	TimedOut        = "timeout"
	RedirectRefused = "redirect_refused"
	HTTP4xx         = "http_4xx"
	HTTP5xx         = "http_5xx"
	Gone            = "gone"
)

// Attempt is how one attempt ended.
type Attempt struct {
	HTTPStatus int // 0: there was no answer
	Latency    time.Duration
	ErrorCode  string // "": delivered
	Message    string
	RetryAfter time.Duration // what the receiver asked for
}

// OK says whether the receiver took the event.
func (a Attempt) OK() bool { return a.ErrorCode == "" }

// Begin returns d as it stands once a worker has it for an attempt, until the
// lease ends. The attempt counts from here on: should the worker die, it is not
// known whether the receiver has seen it.
func (d Delivery) Begin(leaseUntil time.Time) Delivery {
	d.Status, d.LeaseUntil, d.NextAttemptAt = DeliveryDelivering, leaseUntil, time.Time{}
	d.Attempts++
	return d
}

// After returns d as it stands once the attempt that it began has ended at now.
// chance, from 0 to 1, spreads the next one. It decides; it does not store, log
// or send.
func (d Delivery) After(a Attempt, now time.Time, chance float64) Delivery {
	d.HTTPStatus, d.Latency, d.Tried = a.HTTPStatus, a.Latency, true
	d.ErrorCode, d.Message = a.ErrorCode, a.Message
	d.NextAttemptAt, d.LeaseUntil = time.Time{}, time.Time{}
	switch {
	case a.OK():
		d.Status, d.DeliveredAt = DeliveryDelivered, now
	case a.ErrorCode == Gone || d.Attempts >= d.MaxAttempts:
		d.Status = DeliveryDead
	default:
		d.Status = DeliveryFailed
		d.NextAttemptAt = now.Add(nextWait(d.Attempts, a.RetryAfter, chance))
	}
	return d
}

// nextWait is the wait after so many attempts; what the receiver asked for can
// make it longer, never shorter.
func nextWait(attempts int, asked time.Duration, chance float64) time.Duration {
	wait := schedule[min(attempts, len(schedule)-1)]
	wait = time.Duration(float64(wait) * (1 + jitter*(2*chance-1)))
	return max(wait, min(asked, maxRetryAfter))
}

// UnknownEnd is what a delivery says whose last attempt was begun and never
// ended.
const UnknownEnd = "The server was stopped during the last attempt; how that ended is not known."

// CutOff says whether an attempt was begun of which nobody will hear any more:
// its lease is over.
func (d Delivery) CutOff(now time.Time) bool {
	return d.Status == DeliveryDelivering && !now.Before(d.LeaseUntil) || d.Status == DeliveryDead && d.Message == UnknownEnd
}

// LastAttempt is what is known of the delivery's last attempt.
func (d Delivery) LastAttempt() Attempt {
	a := Attempt{HTTPStatus: d.HTTPStatus, Latency: d.Latency, ErrorCode: d.ErrorCode, Message: d.Message}
	if d.Status != DeliveryDelivered && a.ErrorCode == "" {
		a.ErrorCode = TimedOut
	}
	return a
}

// Retryable says whether a customer can ask for an attempt now.
func (d Delivery) Retryable() error {
	if d.Status != DeliveryFailed && d.Status != DeliveryDead {
		return NotRetryable(d.Status)
	}
	return nil
}

// NotRetryable is the error for a delivery that has not failed.
func NotRetryable(s DeliveryStatus) *Error {
	return &Error{
		Kind: Invalid, Code: "delivery_not_retryable",
		Message: "Only a delivery that is failed or dead can be retried; this one is " + string(s) + ".",
	}
}

// NotEnabled is the error for an attempt at a disabled connection.
func NotEnabled() *Error {
	return &Error{
		Kind: Invalid, Code: "connection_disabled",
		Message: "This connection is disabled. Enable it first: POST /connections/{connection_id}/enable.",
	}
}

// After returns the connection as it stands once one of its attempts has ended
// at now: it is disabled when the receiver says that it is gone, or when
// nothing has been delivered for GiveUpAfter.
func (c Connection) After(a Attempt, now time.Time) Connection {
	c.Health.LastHTTPStatus = a.HTTPStatus
	if a.OK() {
		c.Health.LastDeliveredAt, c.Health.ConsecutiveFailures, c.FailingSince = now, 0, time.Time{}
		return c
	}
	c.Health.LastFailureAt = now
	c.Health.ConsecutiveFailures++
	if c.FailingSince.IsZero() {
		c.FailingSince = now
	}
	switch {
	case a.ErrorCode == Gone:
		return c.Disable(BySystem, "The receiver answered 410 Gone.")
	case now.Sub(c.FailingSince) >= GiveUpAfter:
		return c.Disable(BySystem, "Nothing could be delivered for 5 days.")
	}
	return c
}

// DeliveryChanges lists what differs between two versions of a delivery.
func DeliveryChanges(before, after Delivery) []FieldChange {
	var c changes
	c.text("status", string(before.Status), string(after.Status))
	c.number("attempts", int64(before.Attempts), int64(after.Attempts))
	return c
}
