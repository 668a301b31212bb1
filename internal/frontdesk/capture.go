package frontdesk

import (
	"crypto/rand"
	"time"
)

// Capture is what a call brought in: an appointment, a lead, an order, a
// callback.
type Capture struct {
	ID               ID // minted at CreatedAt
	AgentID          ID
	CallID           ID
	Channel          Channel
	Kind             string
	CustomerName     string
	CustomerPhone    string
	ScheduledAt      LocalTime // "": none
	Service          string
	ConfirmationCode string
	Status           CaptureStatus
	CreatedAt        time.Time
	Visit            Visit // of an appointment; not shown to customers
}

// The kinds of captures made here. Any other string may stand in Kind too.
const (
	Appointment = "appointment"
	Lead        = "lead"
	Order       = "order"
	Callback    = "callback"
)

// CaptureStatus is where a capture stands. Every move between two of them is
// allowed, and repeating one changes nothing.
type CaptureStatus string

// The statuses; a new capture is PendingConfirm.
const (
	PendingConfirm CaptureStatus = "pending_confirm"
	Confirmed      CaptureStatus = "confirmed"
	Cancelled      CaptureStatus = "cancelled"
	NoShow         CaptureStatus = "no_show"
)

// CaptureStatuses are all four.
var CaptureStatuses = []CaptureStatus{PendingConfirm, Confirmed, Cancelled, NoShow}

// CaptureFilter narrows a list of captures; zero fields do not.
type CaptureFilter struct {
	Status CaptureStatus
	Kind   string
}

// LocalTime is a date and time on the business's own wall, without a zone.
type LocalTime string

const localLayout = "2006-01-02T15:04:05"

// LocalTimeOf is what the clock shows at t in t's own zone.
func LocalTimeOf(t time.Time) LocalTime { return LocalTime(t.Format(localLayout)) }

// CodeLetters are those of confirmation codes. They leave out what is mistaken
// for something else when read aloud or written down: 0 O, 1 I L, 5 S, 8 B, 2 Z,
// U V.
const CodeLetters = "34679ACDEFGHJKMNPQRTWXY"

// NewConfirmationCode makes a code of six letters that a caller can note down.
func NewConfirmationCode() string {
	return ConfirmationCodeFrom(func() byte {
		var b [1]byte
		rand.Read(b[:])
		return b[0]
	})
}

// ConfirmationCodeFrom is NewConfirmationCode with randomness from elsewhere.
// Bytes that would make some letters likelier than others are passed over.
func ConfirmationCodeFrom(random func() byte) string {
	const fair = 256 / len(CodeLetters) * len(CodeLetters)
	code := make([]byte, 0, 6)
	for len(code) < 6 {
		if b := int(random()); b < fair {
			code = append(code, CodeLetters[b%len(CodeLetters)])
		}
	}
	return string(code)
}
