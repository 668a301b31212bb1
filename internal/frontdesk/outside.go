package frontdesk

import "time"

// OutsideCalendar is a calendar of somebody else's that takes places away: of an
// agent, or of one of its resources. Appointments are written into those that
// can be written.
type OutsideCalendar struct {
	ID         ID // minted at CreatedAt
	TenantID   ID
	Live       bool
	AgentID    ID
	ResourceID string // whose calendar it is; "": everybody's
	Kind       OutsideKind
	Host       string // of its address, to tell it by
	URL        []byte // sealed: whoever has it reads the calendar
	User       string
	Password   []byte // sealed; nil: none
	CreatedAt  time.Time

	Tag          string    // by which its server tells one state from the next; "": not known
	ReadAt       time.Time // when all of it was read last
	OKAt         time.Time // when it answered last
	FailingSince time.Time // zero: it does not
	Problem      string    // why it fails, or what of it cannot be read; "": nothing
	Periods      int       // busy times that are known
}

// Owner is whose calendar it is.
func (c OutsideCalendar) Owner() Owner { return Owner{TenantID: c.TenantID, Live: c.Live} }

// OutsideKind says how a calendar is spoken to.
type OutsideKind string

// The kinds. Those that speak a vendor's own language come beside them.
const (
	OutsideICS    OutsideKind = "ics"    // a file at an address: read
	OutsideCalDAV OutsideKind = "caldav" // read and written
)

const (
	// OutsideEvery is how often an outside calendar is read.
	OutsideEvery = 5 * time.Minute
	// OutsideHolds is how long what is known of one counts for what it says now.
	OutsideHolds = 15 * time.Minute
)

// Unknown says whether a calendar has not answered for so long that nobody knows
// what it says now.
func (c OutsideCalendar) Unknown(now time.Time) bool { return now.Sub(c.OKAt) > OutsideHolds }

// NextRead is when a calendar is read again after it has answered at now, or has
// not: one that failed a moment ago is tried sooner.
func (c OutsideCalendar) NextRead(now time.Time) time.Time {
	if !c.FailingSince.IsZero() && !c.Unknown(now) {
		return now.Add(time.Minute)
	}
	return now.Add(OutsideEvery)
}

// Span is a time from one instant up to another.
type Span struct{ From, To time.Time }

// CalendarWrites are figures of what is written into an outside calendar.
type CalendarWrites struct {
	Waiting int
	Dead    int    // given up
	Problem string // of one that waits or is dead
}

// OutsideChanges lists what differs between two versions of an outside calendar,
// of what people decide. Its address is a secret: its host tells it.
func OutsideChanges(before, after OutsideCalendar) []FieldChange {
	var c changes
	c.text("kind", string(before.Kind), string(after.Kind))
	c.text("host", before.Host, after.Host)
	c.text("user", before.User, after.User)
	c.text("agent_id", string(before.AgentID), string(after.AgentID))
	c.text("resource_id", before.ResourceID, after.ResourceID)
	return c
}
