// Package calendar says what is free, and writes down who comes when.
//
// It knows the house's hours (opening), what is taken (the store), and who or
// what an appointment is with; whoever offers a time and whoever books one asks
// the same function. It does not know where a wish comes from: a call, the API
// and the console are served alike.
//
// Beside that it reads the busy times of outside calendars and writes ours into
// them (outside.go), and keeps places that come free for those who wait
// (waiting.go). Who is told of anything is decided by frontdesk.News, and who
// tells them is notice.
package calendar

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

// Calendar says when somebody can come, and writes down when they will.
//
//	Caller + Wish -> diary (what is open, what is taken) -> Openings
//	              -> the same diary inside a transaction  -> a hold, a capture
//
// What is free is decided by a diary, which is pure; the store only makes sure
// that nobody books with the same agent between the looking and the writing.
type Calendar struct {
	store  *store.Store
	limits func(agent frontdesk.ID, phone string) []store.BookingLimit // nil: none
}

// New returns the calendar of all agents in s. limits bound how much is written
// down for one agent or one telephone number; nil: nothing does.
func New(s *store.Store, limits func(agent frontdesk.ID, phone string) []store.BookingLimit) *Calendar {
	return &Calendar{store: s, limits: limits}
}

// diary opens the calendar of the caller's agent, with a wish in mind.
func (who Caller) diary(w Wish, now time.Time) (*diary, error) {
	h, err := houseOf(who.Agent, who.Services)
	if err != nil {
		return nil, err
	}
	return h.diary(w, now), nil
}

// Caller says who asks: one call, to one agent of a business, in one mode.
type Caller struct {
	Tenant   frontdesk.Tenant
	Agent    frontdesk.Agent
	Services []catalogue.Service // the agent's, as its catalogue has them
	Live     bool
	CallID   frontdesk.ID
	Channel  frontdesk.Channel

	By       frontdesk.Actor // who writes, of the business; zero: a customer, or the program for them
	Customer bool            // a customer asks, rather than the business itself
	Language string          // that they speak; "": not known

	// Rehearsal says that an agent is tried out: what is free is what the live
	// book says, and what is written is test data of which nobody is told.
	Rehearsal bool
}

// Owner is whose calendar it is.
func (who Caller) Owner() frontdesk.Owner {
	return frontdesk.Owner{TenantID: who.Tenant.ID, Live: who.Live}
}

// Reads is whose book and documents are looked into: the owner's or, in a
// rehearsal, the live ones.
func (who Caller) Reads() frontdesk.Owner {
	return frontdesk.Owner{TenantID: who.Tenant.ID, Live: who.Live || who.Rehearsal}
}

// holdTime is how long a place is kept for a caller who has heard it read back.
const holdTime = 3 * time.Minute

// Openings says whether a wish can be met, and what is near it if not. To a wish
// without a date or without a time the answer is never Free: Near is what there
// is, and Why is empty as long as that is what was wished for.
func (c *Calendar) Openings(ctx context.Context, who Caller, w Wish, now time.Time) (Openings, error) {
	d, err := who.diary(w, now)
	if err != nil {
		return Openings{}, err
	}
	d.fits = w.Suits
	first, last := d.days(w)
	if err := c.fill(ctx, d, who, d.look(who, first, last), w.Moving); err != nil {
		return Openings{}, err
	}
	return d.openings(w), nil
}

// fill enters what is taken into a diary, row by row: of a busy month there are
// thousands.
func (c *Calendar) fill(ctx context.Context, d *diary, who Caller, l store.Look, moving frontdesk.ID) error {
	d.clear()
	err := c.store.Busy(ctx, who.Owner(), l, func(b frontdesk.Busy) { d.take(b, moving) })
	d.sort()
	return err
}

// Hold is Openings that keeps the place for three minutes when it is free. The
// place that the call held before is let go then.
func (c *Calendar) Hold(ctx context.Context, who Caller, w Wish, now time.Time) (Openings, error) {
	if !w.Timed || w.Date.IsZero() {
		return c.Openings(ctx, who, w, now)
	}
	// A place may come free between the holding that fails and the looking for
	// others; then it is tried again.
	for range 3 {
		until, err := c.keep(ctx, who, w, now)
		if err == nil {
			return Openings{Free: true, Until: until}, nil
		}
		if !errors.Is(err, ErrTaken) {
			return Openings{}, err
		}
		if o, err := c.Openings(ctx, who, w, now); err != nil || !o.Free {
			return o, err
		}
	}
	return Openings{Why: WhyFull}, nil
}

func (c *Calendar) keep(ctx context.Context, who Caller, w Wish, now time.Time) (until time.Time, err error) {
	d, err := who.diary(w, now)
	if err != nil {
		return until, err
	}
	if why := d.against(w.Date, w.Clock); why != "" { // nothing is taken yet: full is not among the reasons
		return until, ErrTaken
	}
	until = now.Add(holdTime)
	h := frontdesk.Hold{CallID: who.CallID, AgentID: who.Agent.ID, ScheduledAt: localTime(w.Date, w.Clock), Visit: d.visit(w), Until: until}
	return until, c.store.HoldPlace(ctx, who.Owner(), h, d.look(who, w.Date, w.Date), func(visit *frontdesk.Visit, taken []frontdesk.Busy) error {
		d.fill(taken, w.Moving)
		if d.against(w.Date, w.Clock) != "" {
			return ErrTaken
		}
		d.assign(visit, w)
		return nil
	})
}

// Book writes an appointment down, with the event that tells of it, and lets the
// call's hold go. One that is moved stays the same capture, with its code. The
// same key books once. ErrTaken says that the place cannot be had any more;
// Openings says why. ErrTooMany says that too much was written down lately,
// ErrManyOpen that the customer has as many appointments to come as one may have.
//
// What outside calendars said last counts, however long ago it was. While one has
// not answered for too long, what is booked is Unchecked, and the business has to
// confirm it.
func (c *Calendar) Book(ctx context.Context, who Caller, b Booking) (frontdesk.Capture, error) {
	d, err := who.diary(b.Wish, b.Now)
	if err != nil {
		return frontdesk.Capture{}, err
	}
	unknown, err := c.store.UnknownOutside(ctx, who.Reads(), who.Agent.ID, b.Now.Add(-frontdesk.OutsideHolds))
	if err != nil {
		return frontdesk.Capture{}, err
	}
	// Who was offered a time in time may take a minute to say yes.
	d.notice = 0
	fits := func(visit *frontdesk.Visit, taken []frontdesk.Busy) error {
		d.fill(taken, b.Wish.Moving)
		if !b.Wish.Timed || d.against(b.Wish.Date, b.Wish.Clock) != "" {
			return ErrTaken
		}
		d.assign(visit, b.Wish)
		return nil
	}
	look := d.look(who, b.Wish.Date, b.Wish.Date)
	if b.Wish.Moving != "" {
		moved, err := c.move(ctx, who, b, d.visit(b.Wish), len(unknown) > 0, look, fits)
		moved.Unchecked = len(unknown) > 0
		return moved, err
	}
	capture := who.capture(b.Now)
	capture.Kind, capture.ScheduledAt, capture.Visit = frontdesk.Appointment, localTime(b.Wish.Date, b.Wish.Clock), d.visit(b.Wish)
	capture.CustomerName, capture.CustomerPhone, capture.Service = b.Name, b.Phone, serviceText(b)
	capture.Visit.Email, capture.Notes = b.Email, b.Notes
	n := store.NewCapture{
		Capture: capture, Once: b.Key, Look: look, Fits: fits,
		MostOpen: who.Agent.Settings.Calendar.OpenPerCustomer(), From: frontdesk.LocalTimeOf(d.now),
	}
	if who.Rehearsal {
		n.MostOpen = 0 // who rehearses has made many under one number
	}
	written, err := c.add(ctx, who, n)
	written.Unchecked = slices.ContainsFunc(unknown, func(resource string) bool { return resource == "" || resource == written.Visit.ResourceID })
	return written, err
}

// move gives an appointment another time, service, party or notes. What the
// caller did not say again stays; what is unchecked is to be confirmed again.
func (c *Calendar) move(ctx context.Context, who Caller, b Booking, visit frontdesk.Visit, unchecked bool, look store.Look,
	fits func(*frontdesk.Visit, []frontdesk.Busy) error,
) (frontdesk.Capture, error) {
	return c.store.ChangeCapture(ctx, who.Owner(), store.CaptureChange{
		ID: b.Wish.Moving, AgentID: who.Agent.ID, Once: b.Key, Now: b.Now, Holder: who.CallID,
		Change: func(old frontdesk.Capture) (frontdesk.Capture, error) {
			if !old.TakesPlace() {
				return old, frontdesk.Missing("appointment")
			}
			moved := old
			moved.ScheduledAt = localTime(b.Wish.Date, b.Wish.Clock)
			moved.CustomerName = cmp.Or(b.Name, old.CustomerName)
			moved.CustomerPhone = cmp.Or(b.Phone, old.CustomerPhone)
			moved.Service = cmp.Or(serviceText(b), old.Service)
			moved.Notes = frontdesk.TidyNotes(withNotes(old.Notes, b.Notes, b.Without))
			moved.Visit = visit
			moved.Visit.Party = cmp.Or(visit.Party, old.Visit.Party)
			moved.Visit.ServiceID = cmp.Or(visit.ServiceID, old.Visit.ServiceID)
			moved.Visit.Email = who.address(old, b.Email)
			moved.Visit.ResourceID = old.Visit.ResourceID // kept where it can be
			if unchecked {
				moved.Status = frontdesk.PendingConfirm
			}
			return wire.FitCapture(moved), nil
		},
		Place: func(frontdesk.Capture) (store.Look, func(*frontdesk.Visit, []frontdesk.Busy) error) {
			return look, fits
		},
		Event: who.event(frontdesk.CaptureUpdated), Tell: who.tell(b.Now),
	})
}

// withNotes are notes with those added that are not among them, and without those that
// are taken back.
func withNotes(old, more, without string) string {
	gone := strings.Split(without, "\n")
	lines := slices.DeleteFunc(strings.Split(old, "\n"), func(line string) bool { return slices.Contains(gone, line) })
	for line := range strings.SplitSeq(more, "\n") {
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// Addition is what is said after something was written down.
type Addition struct {
	Notes string // one a line
	Email string
	Own   bool // the caller has shown that the capture is theirs
	Now   time.Time
}

// Add adds what the caller said afterwards to what this call has written down, or to
// what is theirs, and to nothing else.
func (c *Calendar) Add(ctx context.Context, who Caller, id frontdesk.ID, a Addition) error {
	_, err := c.store.ChangeCapture(ctx, who.Owner(), store.CaptureChange{
		ID: id, AgentID: who.Agent.ID, Now: a.Now,
		Change: func(old frontdesk.Capture) (frontdesk.Capture, error) {
			if old.CallID != who.CallID && !a.Own {
				return old, frontdesk.Missing("capture")
			}
			old.Notes = frontdesk.TidyNotes(old.Notes + "\n" + a.Notes)
			old.Visit.Email = who.address(old, a.Email)
			if a.Email != "" && old.Visit.Email != a.Email {
				return old, ErrAddressKept
			}
			return wire.FitCapture(old), nil
		},
		Event: who.event(frontdesk.CaptureUpdated), Tell: who.tell(a.Now),
	})
	return err
}

// address is where the customer of a capture is written to, once the caller has
// given an address. What another call has written down keeps the one it has: a name
// and a number are enough to move an appointment, not to have its letters.
func (who Caller) address(old frontdesk.Capture, given string) string {
	if old.CallID != who.CallID {
		return cmp.Or(old.Visit.Email, given)
	}
	return cmp.Or(given, old.Visit.Email)
}

// Note writes down what takes no place in the calendar, with the event that
// tells of it, once for each key. ErrNoted, with what was written: another call has
// done so before.
func (c *Calendar) Note(ctx context.Context, who Caller, n Note) (frontdesk.Capture, error) {
	capture := who.capture(n.Now)
	capture.Kind, capture.ScheduledAt = n.Kind, n.At
	capture.CustomerName, capture.CustomerPhone, capture.Service = n.Name, n.Phone, n.Service
	capture.Notes, capture.Topic, capture.Urgency = n.Notes, n.Topic, n.Urgency
	capture.Visit.Email, capture.Visit.Party = n.Email, n.Party
	capture.Visit.ServiceID = n.ServiceID
	if r, known := who.Agent.Settings.Calendar.Resource(n.ResourceID); known {
		capture.Visit.ResourceID, capture.Visit.Resource = r.ID, r.Name
	}
	if who.Rehearsal {
		n.Key = string(who.CallID) + "/" + n.Key // earlier rehearsals have noted nothing
	}
	written, err := c.add(ctx, who, store.NewCapture{Capture: capture, Once: n.Key})
	if err == nil && written.CallID != who.CallID {
		err = ErrNoted
	}
	return written, err
}

// capture is a new one of this call.
func (who Caller) capture(now time.Time) frontdesk.Capture {
	now = now.UTC().Truncate(time.Microsecond)
	source := frontdesk.FromCall
	if who.Rehearsal {
		source = frontdesk.FromRehearsal
	}
	return frontdesk.Capture{
		ID: frontdesk.NewID(now), AgentID: who.Agent.ID, CallID: who.CallID, Source: source, Channel: who.Channel,
		Timezone: who.Agent.Timezone, Language: who.Language, Status: frontdesk.PendingConfirm, CreatedAt: now, UpdatedAt: now,
	}
}

func (c *Calendar) add(ctx context.Context, who Caller, n store.NewCapture) (frontdesk.Capture, error) {
	n.Capture = wire.FitCapture(n.Capture)
	n.NewCode = frontdesk.NewConfirmationCode
	n.Event, n.Tell = who.event(frontdesk.CaptureCreated), who.tell(n.Capture.CreatedAt)
	if c.limits != nil && !who.Rehearsal {
		n.Limits = c.limits(who.Agent.ID, n.Capture.CustomerPhone)
	}
	written, err := c.store.AddCapture(ctx, who.Owner(), n)
	switch {
	case errors.Is(err, store.ErrTooMany):
		err = fmt.Errorf("%w: %w", ErrTooMany, err) // it says which limit
	case errors.Is(err, store.ErrManyOpen):
		err = ErrManyOpen
	}
	return written, err
}

// Find returns the appointments to come that have a confirmation code or, when
// no code is given, a telephone number, and what somebody waits for. Whatever is wrong, the answer is the
// same: none.
func (c *Calendar) Find(ctx context.Context, who Caller, code, phone string, now time.Time) ([]frontdesk.Capture, error) {
	zone, err := frontdesk.LoadZone(who.Agent.Timezone)
	if err != nil {
		return nil, fmt.Errorf("looking into the calendar of %s: %w", who.Agent.Slug, err)
	}
	said := strings.TrimSpace(code) != ""
	code = plainCode(code)
	if said && code == "" {
		return nil, nil
	}
	f := store.AppointmentFilter{AgentID: who.Agent.ID, Code: code, Phone: phone, From: frontdesk.LocalTimeOf(now.In(zone))}
	booked, err := c.store.FindAppointments(ctx, who.Owner(), f)
	if err != nil {
		return nil, err
	}
	waiting, err := c.store.FindWaiting(ctx, who.Owner(), f)
	return who.mayChange(append(booked, waiting...)), err
}

// mayChange are those of some captures that the caller may change: in a rehearsal,
// what was made in one.
func (who Caller) mayChange(found []frontdesk.Capture) []frontdesk.Capture {
	return slices.DeleteFunc(found, func(c frontdesk.Capture) bool { return who.Rehearsal && !c.Rehearsed() })
}

// plainCode is a code as it was given out, however it was spelled: "acd-efg".
func plainCode(code string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToUpper(code))
}

// Cancel gives the place of an appointment back, or ends somebody's waiting for one. To
// do so again changes nothing.
func (c *Calendar) Cancel(ctx context.Context, who Caller, id frontdesk.ID, now time.Time) error {
	_, err := c.store.ChangeCapture(ctx, who.Owner(), store.CaptureChange{
		ID: id, AgentID: who.Agent.ID, Now: now, Holder: id, // of who waits
		Change: func(old frontdesk.Capture) (frontdesk.Capture, error) {
			if old.Kind != frontdesk.Appointment && old.Kind != frontdesk.Waiting || old.Status == frontdesk.NoShow {
				return old, frontdesk.Missing("appointment")
			}
			old.Status = frontdesk.Cancelled
			return old, nil
		},
		Event: who.event(frontdesk.CaptureUpdated), Tell: who.tell(now),
	})
	return err
}

// event makes the event of a kind that tells of a capture.
func (who Caller) event(kind string) func(frontdesk.Capture) (frontdesk.Event, error) {
	return func(written frontdesk.Capture) (frontdesk.Event, error) {
		from := wire.EventSource{Tenant: who.Tenant, Live: who.Live}
		if who.Customer && kind == frontdesk.CaptureUpdated {
			from.By = frontdesk.ChangedByCustomer
		}
		if who.Agent.ID != "" {
			from.Agent = &who.Agent
		}
		e, err := wire.Event(from, kind, written.UpdatedAt, wire.Capture(written))
		if err != nil {
			return e, fmt.Errorf("making an event: %w", err)
		}
		return e, nil
	}
}

// tell says which people are told of what becomes of a capture.
func (who Caller) tell(now time.Time) func(old, changed frontdesk.Capture) frontdesk.Telling {
	return func(old, changed frontdesk.Capture) frontdesk.Telling {
		return frontdesk.News{
			Agent: who.Agent, Live: who.Live, Old: old, New: changed, ByCustomer: who.Customer, Language: who.Language, Now: now,
		}.Telling()
	}
}

// LetGo drops the place that the call holds, if it holds one.
func (c *Calendar) LetGo(ctx context.Context, who Caller) error {
	return c.store.DropHold(ctx, who.Owner(), who.CallID)
}

func localTime(d dates.Date, c dates.Clock) frontdesk.LocalTime {
	return frontdesk.LocalTimeOf(wall(d, c))
}

// wall is what a clock shows then, in no zone.
func wall(d dates.Date, c dates.Clock) time.Time {
	return time.Date(d.Year, d.Month, d.Day, c.Hour, c.Minute, 0, 0, time.UTC)
}

// serviceText is what is booked, as the business reads it: the service, with what
// it is about.
func serviceText(b Booking) string {
	name := b.Wish.Service.Name
	switch {
	case b.About == "":
		return name
	case name == "":
		return b.About
	}
	return name + " (" + b.About + ")"
}
