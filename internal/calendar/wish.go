package calendar

import (
	"errors"
	"time"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// ErrTaken says that a place has gone to somebody else.
var ErrTaken = errors.New("the place is taken")

// ErrTooMany says that more was to be written down than is allowed in a time.
var ErrTooMany = errors.New("too much was written down lately")

// ErrManyOpen says that the customer has as many appointments to come as one may
// have.
var ErrManyOpen = errors.New("the customer has as many appointments to come as one may have")

// ErrNoted says that another call has noted the same before.
var ErrNoted = errors.New("another call has noted the same before")

// ErrAddressKept says that what another call has written down keeps the address of
// its customer.
var ErrAddressKept = errors.New("the address of another call is kept")

// Wish is when, for what, with whom and for how many somebody wants to come.
// Without a clock it asks what there is between From and To of the day; without
// a date, what there is next.
type Wish struct {
	Service  catalogue.Service // the zero Service when the business has none
	Resource string            // id of who or what it must be with; "": whoever is free
	Date     dates.Date
	Clock    dates.Clock
	Timed    bool        // Clock is the time
	From     dates.Clock // of the day, when no time was said; To is zero when no hours were
	To       dates.Clock
	Party    int                                // people; 0 counts as 1
	Last     dates.Date                         // of a stretch of days that Date begins; zero: Date is the day
	Latest   bool                               // the last that there is on the day, or within the hours
	First    bool                               // the first of them
	Suits    func(dates.Date, dates.Clock) bool // what the caller has not ruled out; nil: everything
	Moving   frontdesk.ID                       // the appointment that is to be moved: it does not count as busy
	Business bool                               // the business itself asks: it books as soon and as far ahead as it likes
}

// Openings is what a wish comes to.
type Openings struct {
	Free  bool      // the very time that was wished for can be had
	Why   string    // when it is not: one of those below
	Near  []Opening // what can be had instead, nearest first, three at most
	Most  int       // WhyLarge: the largest party that ever fits
	Until time.Time // Hold: when the place is let go again
}

// Why a wish cannot be met.
const (
	WhyClosed = "closed"
	WhyAway   = "away" // the house is open, and who was asked for is not there
	WhyFull   = "full"
	WhyPast   = "past"
	WhySoon   = "soon"  // under the minimum notice
	WhyFar    = "far"   // beyond the horizon
	WhyLarge  = "large" // the party never fits
)

// Opening is a time that can be had.
type Opening struct {
	Date  dates.Date
	Clock dates.Clock
}

// Booking is an appointment that somebody has said yes to.
type Booking struct {
	Key   string // once for each: the same key never books twice
	Wish  Wish
	About string // what of the business's it is about, beside the service: the reference of a listing
	Name  string
	Phone string
	Email string
	Notes string // what the caller wished beside, in their words, one wish a line
	// Without are notes of the appointment that is moved which are taken back, one a
	// line.
	Without string
	Now     time.Time
}

// Note is something to be written down that takes no place in the calendar.
type Note struct {
	Key     string
	Kind    string // frontdesk.Lead, Callback, Order, Message or Waiting
	Name    string
	Phone   string
	Email   string
	Service string // what it is about, in a few words
	Topic   string // of a message
	Urgency string // frontdesk.Normal or Urgent; "": Normal
	Notes   string // what the caller said beside, or wishes, one thing a line
	Party   int    // people; 0: not said
	At      frontdesk.LocalTime
	Now     time.Time

	ServiceID  string // what somebody waits for; "": Service says it
	ResourceID string // with whom they do; "": whoever is free
}
