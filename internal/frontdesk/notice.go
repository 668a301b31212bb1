package frontdesk

import (
	"slices"
	"time"
)

// Notice is something that one person is told, at one address. What it says is
// made when it is sent, from what is so then.
type Notice struct {
	ID          ID // minted at CreatedAt; it makes the Message-ID of a mail
	AgentID     ID
	CaptureID   ID // what it is about; "": no capture
	CallID      ID // what it is about; "": no call
	Live        bool
	Kind        NoticeKind
	Channel     NoticeChannel
	Address     string
	Language    string    // "": that of the call, else the first of the agent's
	ScheduledAt LocalTime // of the capture when the notice was made
	Former      LocalTime // where a moved appointment stood before
	Once        string    // the same is never written a second time; "": anything is
	Status      NoticeStatus
	Attempts    int // the one under way included
	ErrorCode   string
	Message     string // why it has failed, or was ended
	Reference   string // what the carrier calls it
	CreatedAt   time.Time
	DueAt       time.Time // of the next attempt; zero: there is none
	SentAt      time.Time
	PlannedAt   time.Time // of the first attempt, whenever that was made
	// LeaseUntil is until when a worker has it, and names the lease as well.
	LeaseUntil time.Time
}

// NoticeKind says what a notice tells, and whom.
type NoticeKind string

// What customers are told, and what owners are.
const (
	NoticeConfirmation NoticeKind = "confirmation"
	NoticeChange       NoticeKind = "change"
	NoticeCancellation NoticeKind = "cancellation"
	NoticeReminder     NoticeKind = "reminder"
	NoticeWaiting      NoticeKind = "waiting"    // that somebody is on the waiting list
	NoticePlaceFree    NoticeKind = "place_free" // to who waits for one

	OwnerBooking      NoticeKind = "owner_booking"
	OwnerChange       NoticeKind = "owner_change"
	OwnerCancellation NoticeKind = "owner_cancellation"
	OwnerMessage      NoticeKind = "owner_message"
	OwnerUrgent       NoticeKind = "owner_urgent"
	OwnerPlaceFree    NoticeKind = "owner_place_free" // for who waits and cannot be written to
	OwnerSummary      NoticeKind = "owner_summary"    // of a day
)

// NoticeKinds are all of them.
var NoticeKinds = []NoticeKind{
	NoticeConfirmation, NoticeChange, NoticeCancellation, NoticeReminder, NoticeWaiting, NoticePlaceFree,
	OwnerBooking, OwnerChange, OwnerCancellation, OwnerMessage, OwnerUrgent, OwnerPlaceFree, OwnerSummary,
}

// ForOwner says whether the business is told, rather than its customer.
func (k NoticeKind) ForOwner() bool {
	return slices.Index(NoticeKinds, k) >= slices.Index(NoticeKinds, OwnerBooking)
}

// NoticeChannel is how a notice goes out.
type NoticeChannel string

// The channels.
const (
	ByEmail NoticeChannel = "email"
	ByText  NoticeChannel = "text"
)

// NoticeChannels are both.
var NoticeChannels = []NoticeChannel{ByEmail, ByText}

// NoticeStatus is where a notice stands.
type NoticeStatus string

// The statuses of a notice.
const (
	NoticePending NoticeStatus = "pending" // not tried yet
	NoticeSending NoticeStatus = "sending" // a worker has it
	NoticeSent    NoticeStatus = "sent"    // the relay or the carrier has taken it
	NoticeFailed  NoticeStatus = "failed"  // tried; will be again
	NoticeDead    NoticeStatus = "dead"    // refused for good, or tried often enough
	NoticeEnded   NoticeStatus = "ended"   // not to be sent any more
)

// NoticeStatuses are all six.
var NoticeStatuses = []NoticeStatus{NoticePending, NoticeSending, NoticeSent, NoticeFailed, NoticeDead, NoticeEnded}

// NoticeFilter narrows a list of notices; zero fields do not.
type NoticeFilter struct {
	Status    NoticeStatus
	Kind      NoticeKind
	CaptureID ID
}

// Why a notice was not sent, beside the errors of deliveries.
const (
	NoticeRefused   = "refused"          // the relay or the carrier does not take it for this address
	NoticeBounced   = "bounced"          // taken by the relay, and sent back
	NoticeNoChannel = "channel_not_set"  // the operator has not set mail, or text messages, up
	NoticeNoRoom    = "too_many_today"   // a limit of the carrier, or ours
	NoticeBadAnswer = "unexpected_reply" // of the relay or the carrier

	NoticeBadAddress = "address_invalid" // what the customer left is no e-mail address
)

// BadAddress is how an attempt ends at what is no e-mail address: the message says
// what to do. What is cancelled cannot be changed any more.
func (k NoticeKind) BadAddress() SendResult {
	r := SendResult{ErrorCode: NoticeBadAddress, ForGood: true, Message: "This is no e-mail address, so nothing is sent to it. "}
	if k == NoticeCancellation {
		r.Message += "Tell the customer in another way."
		return r
	}
	r.Message += "Correct it with POST /captures/{capture_id}/change, or `frontdesk capture move --email`; the customer is told then."
	return r
}

// SendResult is how one attempt to send a notice ended.
type SendResult struct {
	ErrorCode  string // "": it was taken
	Message    string
	ForGood    bool // trying again would end the same way
	RetryAfter time.Duration
	Reference  string
}

// After returns n as it stands once the attempt that a claim began has ended at
// now. Attempts follow each other as those of deliveries do. It decides; it does
// not store, log or send.
func (n Notice) After(r SendResult, now time.Time, chance float64) Notice {
	n.ErrorCode, n.Message, n.DueAt, n.LeaseUntil = r.ErrorCode, r.Message, time.Time{}, time.Time{}
	switch {
	case r.ErrorCode == "":
		n.Status, n.SentAt, n.Reference = NoticeSent, now, r.Reference
	case r.ForGood || n.Attempts >= MaxAttempts:
		n.Status = NoticeDead
	default:
		n.Status = NoticeFailed
		n.DueAt = now.Add(nextWait(n.Attempts, r.RetryAfter, chance))
	}
	return n
}

// Postponed returns n as it stands when it is not to be sent before an instant:
// nothing was tried.
func (n Notice) Postponed(until time.Time) Notice {
	n.Attempts--
	n.DueAt, n.LeaseUntil = until.UTC().Truncate(time.Microsecond), time.Time{}
	if n.Status = NoticeFailed; n.Attempts == 0 {
		n.Status = NoticePending
	}
	return n
}

// soonAgain is how soon the next reminder may come after one that is late.
const soonAgain = time.Hour

// SupersededBy says whether another reminder of the same appointment makes n
// needless: n is late, and the time of the other, which is after n's, has come as
// well or will within the hour. One that is on time never is, however near the
// other.
func (n Notice) SupersededBy(o Notice, now time.Time) bool {
	if n.Kind != NoticeReminder || o.Kind != NoticeReminder || o.ID == n.ID || o.CaptureID != n.CaptureID ||
		o.Address != n.Address || o.ScheduledAt != n.ScheduledAt || o.Status == NoticeEnded || o.Status == NoticeDead {
		return false
	}
	apart := o.PlannedAt.Sub(n.PlannedAt)
	if apart < 0 || apart == 0 && o.ID < n.ID {
		return false
	}
	return o.PlannedAt.Sub(now) <= min(apart/2, soonAgain)
}

// Ended returns n as it stands when there is no more reason to send it.
func (n Notice) Ended(why string) Notice {
	n.Status, n.ErrorCode, n.Message, n.DueAt, n.LeaseUntil = NoticeEnded, "", why, time.Time{}, time.Time{}
	return n
}

// NoticeChanges lists what differs between two versions of a notice, of what
// somebody who has it tried again changes.
func NoticeChanges(before, after Notice) []FieldChange {
	var c changes
	c.text("status", string(before.Status), string(after.Status))
	c.number("attempts", int64(before.Attempts), int64(after.Attempts))
	return c
}
