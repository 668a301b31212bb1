package reception

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/limit"
	"frontdesk.dev/frontdesk/internal/store"
)

// callDesk is what the engine has of the house during one turn of one call: the
// calendar and the documents of its agent, and nobody else's.
type callDesk struct {
	store    *store.Store
	calendar *calendar.Calendar
	shelves  *knowledge.Shelves // nil: no documents
	bookings *limit.Hourly[netip.Prefix]
	refused  func(limit string)
	from     netip.Prefix // where the caller is; zero: not counted
	who      calendar.Caller
	told     []frontdesk.ID // captures that the caller has heard of
	now      time.Time
}

var _ conversation.Desk = callDesk{}

// Answer asks the documents as the customer's own test does.
func (d callDesk) Answer(ctx context.Context, question string) (frontdesk.Answer, error) {
	question = frontdesk.Clip(question, frontdesk.MaxQuestion)
	threshold := d.who.Agent.Settings.Threshold()
	if d.shelves == nil {
		return frontdesk.Answer{Question: question, ThresholdPct: threshold, Confidence: "none"}, nil
	}
	return d.shelves.Ask(ctx, d.who.Reads(), knowledge.Question{Text: question, AgentID: d.who.Agent.ID, ThresholdPct: threshold, Money: d.who.Agent.Currency()})
}

func (d callDesk) Openings(ctx context.Context, w conversation.Wish) (conversation.Openings, error) {
	o, err := d.calendar.Openings(ctx, d.who, wished(w), d.now)
	return offered(o), err
}

func (d callDesk) Hold(ctx context.Context, w conversation.Wish) (conversation.Openings, error) {
	o, err := d.calendar.Hold(ctx, d.who, wished(w), d.now)
	return offered(o), err
}

// Book books, once for each key. What an earlier turn of this call has booked
// whose end was lost, its caller never heard of: saying yes to something else
// now, they want that and not both. It is moved.
func (d callDesk) Book(ctx context.Context, b conversation.Booking) (frontdesk.Capture, error) {
	unheard, err := d.unheard(ctx)
	if err != nil {
		return frontdesk.Capture{}, err
	}
	if b.Wish.Moving == "" && len(unheard) > 0 {
		b.Wish.Moving = unheard[0]
	}
	made, err := d.within(func() (frontdesk.Capture, error) { return d.calendar.Book(ctx, d.who, booked(b)) })
	if err != nil {
		return made, err
	}
	for _, id := range unheard {
		if id == made.ID { // the same key: it is what they say yes to again
			continue
		}
		if err := d.calendar.Cancel(ctx, d.who, id, d.now); err != nil {
			return made, err
		}
	}
	return made, nil
}

// unheard are the appointments of this call that its caller was not told of.
func (d callDesk) unheard(ctx context.Context) (ids []frontdesk.ID, err error) {
	captures, err := d.store.CapturesOfCall(ctx, d.who.Owner(), d.who.CallID)
	if err != nil {
		return nil, err
	}
	for _, c := range captures {
		standing := c.Kind == frontdesk.Appointment && (c.Status == frontdesk.PendingConfirm || c.Status == frontdesk.Confirmed)
		if standing && !slices.Contains(d.told, c.ID) {
			ids = append(ids, c.ID)
		}
	}
	return ids, nil
}

func (d callDesk) Note(ctx context.Context, n conversation.Note) (frontdesk.Capture, error) {
	return d.within(func() (frontdesk.Capture, error) { return d.calendar.Note(ctx, d.who, calendar.Note(n)) })
}

// within writes something down if not too much came from the caller's address
// lately. What comes to nothing does not count.
func (d callDesk) within(write func() (frontdesk.Capture, error)) (frontdesk.Capture, error) {
	if !d.from.IsValid() {
		c, err := write()
		d.countRefusal(err)
		return c, refusal(err)
	}
	if !d.bookings.Take(d.from, d.now) {
		d.refused(limitAddress)
		return frontdesk.Capture{}, conversation.ErrTooMany
	}
	c, err := write()
	if err != nil {
		d.bookings.GiveBack(d.from)
		d.countRefusal(err)
	}
	return c, refusal(err)
}

// countRefusal counts an error that says that a limit was reached.
func (d callDesk) countRefusal(err error) {
	var reached store.TooManyError
	switch {
	case errors.As(err, &reached):
		d.refused(reached.Limit)
	case errors.Is(err, calendar.ErrManyOpen):
		d.refused(limitOpen)
	}
}

// Add adds to what this call has written down or changed, and to nothing else.
func (d callDesk) Add(ctx context.Context, id frontdesk.ID, a conversation.Addition) error {
	return refusal(d.calendar.Add(ctx, d.who, id, calendar.Addition{Notes: a.Notes, Email: a.Email, Own: slices.Contains(d.told, id), Now: d.now}))
}

func (d callDesk) Find(ctx context.Context, code, phone string) ([]frontdesk.Capture, error) {
	return d.calendar.Find(ctx, d.who, code, phone, d.now)
}

func (d callDesk) Cancel(ctx context.Context, id frontdesk.ID) error {
	return d.calendar.Cancel(ctx, d.who, id, d.now)
}

// wished is a wish of the engine's as the calendar takes it.
func wished(w conversation.Wish) calendar.Wish {
	return calendar.Wish{
		Service: w.Service, Resource: w.Resource, Date: w.Date, Clock: w.Clock, Timed: w.Timed, From: w.From, To: w.To, Party: w.Party,
		Last: w.Last, Latest: w.Latest, First: w.First, Suits: w.Suits, Moving: w.Moving,
	}
}

func booked(b conversation.Booking) calendar.Booking {
	return calendar.Booking{
		Key: b.Key, Wish: wished(b.Wish), About: b.About, Name: b.Name, Phone: b.Phone, Email: b.Email, Notes: b.Notes, Without: b.Without, Now: b.Now,
	}
}

// offered is what the calendar found, as the engine knows it.
func offered(o calendar.Openings) conversation.Openings {
	out := conversation.Openings{Free: o.Free, Why: o.Why, Most: o.Most, Until: o.Until}
	for _, near := range o.Near {
		out.Near = append(out.Near, conversation.Opening(near))
	}
	return out
}

// refusal is a no of the calendar's, as the engine knows it.
func refusal(err error) error {
	switch {
	case errors.Is(err, calendar.ErrTaken):
		return conversation.ErrTaken
	case errors.Is(err, calendar.ErrTooMany):
		return conversation.ErrTooMany
	case errors.Is(err, calendar.ErrManyOpen):
		return conversation.ErrManyOpen
	case errors.Is(err, calendar.ErrNoted):
		return conversation.ErrNoted
	case errors.Is(err, calendar.ErrAddressKept):
		return conversation.ErrAddressKept
	}
	return err
}
