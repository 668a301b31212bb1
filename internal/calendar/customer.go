package calendar

import (
	"cmp"
	"context"
	"errors"
	"time"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// What a customer does without a call is done by the methods of this file. They
// act on one appointment that is still to come, they are held to what callers
// are held to (the notice, the horizon, what is free), and doing the same again
// changes nothing.

// ErrOver says that an appointment is not to come any more: it has begun, or it
// was cancelled.
var ErrOver = errors.New("the appointment is over")

// ErrMoved says that an appointment is at another time than its customer thinks.
var ErrMoved = errors.New("the appointment has moved")

// ErrUnchecked says that only the business can confirm an appointment for now.
var ErrUnchecked = errors.New("the business has to confirm it")

// Unchecked says whether an outside calendar has not answered for so long that
// the business has to look itself before anything is confirmed.
func (c *Calendar) Unchecked(ctx context.Context, who Caller, now time.Time) (bool, error) {
	unknown, err := c.store.UnknownOutside(ctx, who.Owner(), who.Agent.ID, now.Add(-frontdesk.OutsideHolds))
	return len(unknown) > 0, err
}

// Coming says whether an appointment stands and has not begun.
func Coming(c frontdesk.Capture, now time.Time) bool {
	return c.TakesPlace() && c.StartsAt().After(now)
}

// TimesFor lists the times to which the customer of an appointment can move it,
// on the days from one up to another, which is not one of them.
func (c *Calendar) TimesFor(ctx context.Context, who Caller, capture frontdesk.Capture, from, to dates.Date, now time.Time) ([]Day, error) {
	return c.Availability(ctx, who, who.customersWish(capture), from, to, now)
}

// LastDay is the last day that customers can book.
func (who Caller) LastDay(now time.Time) (dates.Date, error) {
	d, err := who.diary(Wish{}, now)
	if err != nil {
		return dates.Date{}, err
	}
	return d.last, nil
}

// OpeningsFor says whether the customer of an appointment can move it to a time,
// and what is free nearest if not.
func (c *Calendar) OpeningsFor(ctx context.Context, who Caller, capture frontdesk.Capture, at Opening, now time.Time) (Openings, error) {
	w := who.customersWish(capture)
	w.Date, w.Clock, w.Timed = at.Date, at.Clock, true
	d, err := who.diary(w, now)
	if err != nil {
		return Openings{}, err
	}
	first, last := d.days(w)
	if err := c.fill(ctx, d, who, d.look(who, first, last), w.Moving); err != nil {
		return Openings{}, err
	}
	o := d.openings(w)
	if o.Free && !d.offers(at) { // free, but between two times that are offered
		o = Openings{Why: WhyFull, Near: d.near(w, w.Clock)}
	}
	return o, nil
}

// Rescheduling is a customer's wish to come at another time.
type Rescheduling struct {
	ID   frontdesk.ID
	From frontdesk.LocalTime // where the customer last saw it
	To   Opening
	Now  time.Time
}

// Reschedule moves an appointment as its customer asks, with the event that tells
// of it. It stays the same capture, with its code, and with the same person. One
// that is at the time already is left as it is. ErrTaken says that the time
// cannot be had; OpeningsFor says why.
func (c *Calendar) Reschedule(ctx context.Context, who Caller, r Rescheduling) (frontdesk.Capture, error) {
	to := localTime(r.To.Date, r.To.Clock)
	return c.store.ChangeCapture(ctx, who.Owner(), store.CaptureChange{
		ID: r.ID, AgentID: who.Agent.ID, Now: r.Now,
		Change: func(old frontdesk.Capture) (frontdesk.Capture, error) {
			switch {
			case !Coming(old, r.Now):
				return old, ErrOver
			case old.ScheduledAt == to:
				return old, nil
			case old.ScheduledAt != r.From:
				return old, ErrMoved
			}
			old.ScheduledAt = to
			return old, nil
		},
		Place: func(moved frontdesk.Capture) (store.Look, func(*frontdesk.Visit, []frontdesk.Busy) error) {
			return who.customersPlace(moved, r)
		},
		Event: who.event(frontdesk.CaptureUpdated), Tell: who.tell(r.Now),
	})
}

// customersPlace is the part of the calendar that matters to a new time, and what
// stands against it.
func (who Caller) customersPlace(c frontdesk.Capture, r Rescheduling) (store.Look, func(*frontdesk.Visit, []frontdesk.Busy) error) {
	w := who.customersWish(c)
	w.Date, w.Clock, w.Timed = r.To.Date, r.To.Clock, true
	d, err := who.diary(w, r.Now)
	if err != nil {
		return store.Look{}, func(*frontdesk.Visit, []frontdesk.Busy) error { return err }
	}
	return d.look(who, w.Date, w.Date), func(visit *frontdesk.Visit, taken []frontdesk.Busy) error {
		d.fill(taken, w.Moving)
		if !d.offers(r.To) {
			return ErrTaken
		}
		d.assign(visit, w)
		return nil
	}
}

// customersWish is what the customer of an appointment looks for who wants to
// move it: the same service for as long and as many, with the same person. Any
// table or room will do.
func (who Caller) customersWish(c frontdesk.Capture) Wish {
	w := who.wishOf(c)
	w.Moving = c.ID
	if r, known := who.Agent.Settings.Calendar.Resource(w.Resource); !known || r.Kind != frontdesk.PersonKind {
		w.Resource = ""
	}
	return w
}

// offers says whether a time is one of those that are listed as free.
func (d *diary) offers(o Opening) bool {
	at, exists := frontdesk.FirstShowing(wall(o.Date, o.Clock), d.house.zone)
	if !exists {
		return false
	}
	for _, c := range d.choices(d.openDay(o.Date, at)) {
		if c.opening == o {
			return true
		}
	}
	return false
}

// ConfirmFor confirms an appointment as its customer asks.
func (c *Calendar) ConfirmFor(ctx context.Context, who Caller, id frontdesk.ID, now time.Time) (frontdesk.Capture, error) {
	unchecked, err := c.Unchecked(ctx, who, now)
	if err != nil {
		return frontdesk.Capture{}, err
	}
	if unchecked {
		return frontdesk.Capture{}, ErrUnchecked
	}
	return c.setStatusFor(ctx, who, id, frontdesk.Confirmed, now)
}

// CancelFor gives the place of an appointment back as its customer asks.
func (c *Calendar) CancelFor(ctx context.Context, who Caller, id frontdesk.ID, now time.Time) (frontdesk.Capture, error) {
	return c.setStatusFor(ctx, who, id, frontdesk.Cancelled, now)
}

func (c *Calendar) setStatusFor(ctx context.Context, who Caller, id frontdesk.ID, status frontdesk.CaptureStatus, now time.Time) (frontdesk.Capture, error) {
	return c.store.ChangeCapture(ctx, who.Owner(), store.CaptureChange{
		ID: id, AgentID: who.Agent.ID, Now: now,
		Change: func(old frontdesk.Capture) (frontdesk.Capture, error) {
			if old.Status == status {
				return old, nil
			}
			if !Coming(old, now) {
				return old, ErrOver
			}
			old.Status = status
			return old, nil
		},
		Event: who.event(frontdesk.CaptureUpdated), Tell: who.tell(now),
	})
}

// Named is what a capture is for, in a language where the house has the name in it.
func (who Caller) Named(c frontdesk.Capture, lang string) string {
	if s := who.serviceOf(c); s.Name != "" && (c.Service == "" || c.Service == s.Name) {
		return cmp.Or(s.Say(lang), c.Service)
	}
	return c.Service
}
