package frontdesk

import (
	"crypto/rand"
	"strings"
	"time"
)

// Capture is what a call brought in: an appointment, a lead, an order, a
// callback, a message.
type Capture struct {
	ID               ID // minted at CreatedAt
	AgentID          ID // "": of no agent in particular
	CallID           ID // "": made by no call
	Source           Source
	Channel          Channel
	Kind             string
	CustomerName     string
	CustomerPhone    string
	ScheduledAt      LocalTime // "": none
	Timezone         string    // in which ScheduledAt is: the agent's, or the tenant's
	Service          string
	ConfirmationCode string
	Status           CaptureStatus
	Notes            string // what the customer wished beside, in their words, one wish a line
	Topic            string // what a message is about, as Summary.Reason
	Urgency          string // of a message, as Summary.Urgency
	Language         string // that the customer is written to in, where somebody has said it; "": nobody has
	CreatedAt        time.Time
	UpdatedAt        time.Time // when something of it changed last
	Visit            Visit

	// Unchecked says, of one that was written just now, that an outside calendar
	// could not be asked. It is not kept.
	Unchecked bool
}

// TakesPlace says whether the capture is an appointment that stands.
func (c Capture) TakesPlace() bool {
	return c.Kind == Appointment && c.ScheduledAt != "" && (c.Status == PendingConfirm || c.Status == Confirmed)
}

// StartsAt is the instant of ScheduledAt; zero when there is none.
func (c Capture) StartsAt() time.Time {
	if c.ScheduledAt == "" {
		return time.Time{}
	}
	zone, err := LoadZone(c.Timezone)
	if err != nil {
		return time.Time{}
	}
	at, _ := c.ScheduledAt.In(zone)
	return at
}

// Over says whether the time of a capture has come. Who waits for any time of a day
// waits until it is over.
func (c Capture) Over(now time.Time) bool {
	if c.ScheduledAt == "" {
		return false
	}
	at := c.StartsAt()
	if c.Kind == Waiting && strings.HasSuffix(string(c.ScheduledAt), "T00:00:00") {
		at = at.AddDate(0, 0, 1)
	}
	return !at.After(now)
}

// Source says who made a capture.
type Source string

// The sources.
const (
	FromCall    Source = "call"
	FromAPI     Source = "api"
	FromConsole Source = "console"

	// FromRehearsal is a conversation in which somebody tries an agent out. What it
	// makes is test data of which nobody is told, whatever becomes of it.
	FromRehearsal Source = "rehearsal"
)

// Rehearsed says whether a capture was made in a rehearsal.
func (c Capture) Rehearsed() bool { return c.Source == FromRehearsal }

// The kinds of captures made here. Any other string may stand in Kind too.
const (
	Appointment = "appointment"
	Lead        = "lead"
	Order       = "order"
	Callback    = "callback"
	Message     = "message"
	Waiting     = "waiting" // for a place: ScheduledAt is the wished day or hour
)

// MaxNotes is how many characters the notes of a capture can have.
const MaxNotes = 2000

// TidyNotes is a text as notes are kept: one wish a line, without empty lines or
// blanks around, and no longer than notes can be.
func TidyNotes(text string) string {
	var lines []string
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	text = strings.Join(lines, "\n")
	if runes := []rune(text); len(runes) > MaxNotes {
		text = strings.TrimSpace(string(runes[:MaxNotes]))
	}
	return text
}

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
	Status        CaptureStatus
	Kind          string
	AgentID       ID
	ScheduledFrom LocalTime
	ScheduledTo   LocalTime
	UpdatedFrom   time.Time
	PhoneTail     string
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

// CaptureChanges lists what differs between two versions of a capture, of what a
// business can see and write. Of a new one, before is the zero Capture.
func CaptureChanges(before, after Capture) []FieldChange {
	var c changes
	c.text("kind", before.Kind, after.Kind)
	c.text("status", string(before.Status), string(after.Status))
	c.text("scheduled_at", string(before.ScheduledAt), string(after.ScheduledAt))
	c.text("service", before.Service, after.Service)
	c.text("service_id", before.Visit.ServiceID, after.Visit.ServiceID)
	c.text("resource_id", before.Visit.ResourceID, after.Visit.ResourceID)
	c.number("party_size", int64(before.Visit.Party), int64(after.Visit.Party))
	c.number("duration_minutes", int64(before.Visit.Duration), int64(after.Visit.Duration))
	c.text("customer_name", before.CustomerName, after.CustomerName)
	c.text("customer_phone", before.CustomerPhone, after.CustomerPhone)
	c.text("customer_email", before.Visit.Email, after.Visit.Email)
	c.text("notes", before.Notes, after.Notes)
	c.text("language", before.Language, after.Language)
	return c
}
