package calendar

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

// Entry is what a business itself writes into its book, beside its callers. The
// zero values say nothing.
type Entry struct {
	Kind        string // "": Appointment with a time, else Lead
	ScheduledAt frontdesk.LocalTime
	Service     string // its name, or any words
	ServiceID   string
	ResourceID  string
	Party       int
	Duration    int // minutes; 0: that of the service
	Name        string
	Phone       string
	Email       string
	Notes       string
	Language    string                  // that the customer is written to in; "": that of their telephone's country, else the agent's first
	Status      frontdesk.CaptureStatus // "": Confirmed
	Source      frontdesk.Source
	Force       bool // whether or not there is a place
	Now         time.Time
}

// Patch is a change that a business makes to what stands in its book; nil fields
// stay as they are, and pointers to nothing clear.
type Patch struct {
	ScheduledAt *frontdesk.LocalTime
	Service     *string
	ServiceID   *string
	ResourceID  *string
	Party       *int
	Duration    *int
	Name        *string
	Phone       *string
	Email       *string
	Notes       *string
	Force       bool
	Unless      func(frontdesk.Capture) error // refuses a change of what is not as the business thinks; nil: never
	Now         time.Time
}

// Enter writes an entry of the business's own. A place that cannot be had is a
// conflict that says what is near, unless it is forced.
func (c *Calendar) Enter(ctx context.Context, who Caller, e Entry) (frontdesk.Capture, error) {
	capture := who.capture(e.Now)
	capture.CallID, capture.Source, capture.Channel = "", e.Source, frontdesk.Web
	capture.Kind = e.Kind
	if capture.Kind == "" {
		capture.Kind = frontdesk.Lead
		if e.ScheduledAt != "" {
			capture.Kind = frontdesk.Appointment
		}
	}
	if capture.Kind == frontdesk.Waiting && e.ScheduledAt == "" {
		return capture, frontdesk.InvalidParam("scheduled_at", "Who waits for a place waits for a day: send the day as 2026-11-20T00:00:00, or an hour of it.")
	}
	capture.Status = cmp.Or(e.Status, frontdesk.Confirmed)
	capture.ScheduledAt, capture.CustomerName, capture.CustomerPhone, capture.Notes = e.ScheduledAt, e.Name, e.Phone, e.Notes
	capture.Language = e.Language
	capture.Visit = frontdesk.Visit{Party: e.Party, Email: e.Email, Duration: e.Duration}
	if err := who.setService(&capture, e.Service, e.ServiceID); err != nil {
		return capture, err
	}
	if err := who.setResource(&capture, e.ResourceID); err != nil {
		return capture, err
	}
	p, err := who.placeOf(capture, e.Now)
	if err != nil {
		return capture, err
	}
	capture.Visit.Duration, capture.Visit.Minutes = p.duration(capture), p.minutes(capture)
	n := store.NewCapture{Capture: capture}
	if capture.TakesPlace() && !e.Force {
		n.Look, n.Fits = p.look(who), p.fits
	}
	// What the business writes is not held to what its callers are.
	return c.enter(ctx, who, n)
}

func (c *Calendar) enter(ctx context.Context, who Caller, n store.NewCapture) (frontdesk.Capture, error) {
	n.By, n.Capture = who.By, wire.FitCapture(n.Capture)
	n.NewCode = frontdesk.NewConfirmationCode
	n.Event, n.Tell = who.event(frontdesk.CaptureCreated), who.tell(n.Capture.CreatedAt)
	return c.store.AddCapture(ctx, who.Owner(), n)
}

// Change changes what stands in the book. It stays the same capture, with its
// code. What is cancelled, or was not come to, cannot be changed.
func (c *Calendar) Change(ctx context.Context, who Caller, id frontdesk.ID, p Patch) (frontdesk.Capture, error) {
	var moved bool
	return c.store.ChangeCapture(ctx, who.Owner(), store.CaptureChange{
		By: who.By, ID: id, Now: p.Now,
		Change: func(old frontdesk.Capture) (frontdesk.Capture, error) {
			changed, err := who.patched(old, p)
			moved = takesAnother(old, changed)
			return changed, err
		},
		Place: func(changed frontdesk.Capture) (store.Look, func(*frontdesk.Visit, []frontdesk.Busy) error) {
			if p.Force || !moved || !changed.TakesPlace() || changed.AgentID == "" { // nobody's book is full
				return store.Look{}, nil
			}
			place, err := who.placeOf(changed, p.Now)
			if err != nil {
				return store.Look{}, func(*frontdesk.Visit, []frontdesk.Busy) error { return err }
			}
			place.moving = changed.ID
			return place.look(who), place.fits
		},
		Event: who.event(frontdesk.CaptureUpdated), Tell: who.tell(p.Now),
	})
}

// takesAnother says whether a change needs a place that the capture does not have.
func takesAnother(old, changed frontdesk.Capture) bool {
	old.Visit.Email, changed.Visit.Email = "", ""
	return changed.ScheduledAt != old.ScheduledAt || changed.Visit != old.Visit
}

// patched is a capture with a patch laid over it.
func (who Caller) patched(old frontdesk.Capture, p Patch) (frontdesk.Capture, error) {
	if p.Unless != nil {
		if err := p.Unless(old); err != nil {
			return old, err
		}
	}
	if old.Status == frontdesk.Cancelled || old.Status == frontdesk.NoShow {
		return old, &frontdesk.Error{
			Kind: frontdesk.Clash, Code: "capture_not_changeable", Param: "status",
			Message: fmt.Sprintf("The capture is %s. Set its status with PATCH /captures/{capture_id} before you change it.", old.Status),
		}
	}
	c := old
	set(&c.ScheduledAt, p.ScheduledAt)
	set(&c.CustomerName, p.Name)
	set(&c.CustomerPhone, p.Phone)
	set(&c.Visit.Email, p.Email)
	set(&c.Notes, p.Notes)
	set(&c.Visit.Party, p.Party)
	if p.Service != nil || p.ServiceID != nil {
		c.Visit.Duration = 0
		if err := who.setService(&c, deref(p.Service), deref(p.ServiceID)); err != nil {
			return old, err
		}
	}
	set(&c.Visit.Duration, p.Duration)
	if p.ResourceID != nil {
		if err := who.setResource(&c, *p.ResourceID); err != nil {
			return old, err
		}
	}
	if p.aboutPlace() {
		place, err := who.placeOf(c, p.Now)
		if err != nil {
			return old, err
		}
		c.Visit.Duration, c.Visit.Minutes = place.duration(c), place.minutes(c)
	}
	return wire.FitCapture(c), nil
}

// aboutPlace says whether the patch has to do with the place in the book.
func (p Patch) aboutPlace() bool {
	return p.ScheduledAt != nil || p.Service != nil || p.ServiceID != nil || p.ResourceID != nil || p.Party != nil || p.Duration != nil
}

func set[T any](dst, src *T) {
	if src != nil {
		*dst = *src
	}
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// SetStatus moves a capture to a status. One that has it already is left as it
// is.
func (c *Calendar) SetStatus(ctx context.Context, who Caller, id frontdesk.ID, status frontdesk.CaptureStatus, now time.Time) (frontdesk.Capture, error) {
	return c.store.ChangeCapture(ctx, who.Owner(), store.CaptureChange{
		By: who.By, ID: id, Now: now,
		Change: func(old frontdesk.Capture) (frontdesk.Capture, error) {
			old.Status = status
			return old, nil
		},
		Event: who.event(frontdesk.CaptureUpdated), Tell: who.tell(now),
	})
}

// setService writes what a capture is for. An id must be one of the house's; a
// name that is not is taken as it was written.
func (who Caller) setService(c *frontdesk.Capture, name, id string) error {
	c.Service, c.Visit.ServiceID = name, ""
	for _, s := range who.Services {
		if id != "" && s.ID == id || id == "" && name != "" && isCalled(s, name) {
			c.Service, c.Visit.ServiceID = cmp.Or(name, s.Name), s.ID
			return nil
		}
	}
	if id == "" {
		return nil
	}
	var known []string
	for _, s := range who.Services {
		known = append(known, s.ID)
	}
	return frontdesk.InvalidParam("service_id", "There is no service %q; there are: %s.", id, strings.Join(known, ", "))
}

func (who Caller) setResource(c *frontdesk.Capture, id string) error {
	c.Visit.ResourceID, c.Visit.Resource = "", ""
	if id == "" {
		return nil
	}
	r, known := who.Agent.Settings.Calendar.Resource(id)
	if !known {
		return frontdesk.InvalidParam("resource_id", "There is no resource %q; GET /agents/%s/calendar lists them.", id, who.Agent.Slug)
	}
	c.Visit.ResourceID, c.Visit.Resource = r.ID, r.Name
	return nil
}

// Service is the house's service with an id; without one, none in particular.
func (who Caller) Service(id string) (catalogue.Service, error) {
	if id == "" {
		return catalogue.Service{}, nil
	}
	var c frontdesk.Capture
	if err := who.setService(&c, "", id); err != nil {
		return catalogue.Service{}, err
	}
	return who.serviceOf(c), nil
}

// Replaced is an agent with another book of hours: the one that a body has, which
// is a Calendar of the API's description.
func Replaced(a frontdesk.Agent, body []byte) (frontdesk.Agent, error) {
	changed, err := wire.DecodeCalendar(body, a)
	if err != nil {
		return a, err
	}
	return changed, CheckServices(changed)
}

// CheckServices refuses resources for services that an agent does not have: a
// mistyped id would leave somebody without work.
func CheckServices(a frontdesk.Agent) error {
	known := map[string]bool{}
	for _, s := range catalogue.Read(a).Services {
		known[s.ID] = true
	}
	for i, r := range a.Settings.Calendar.Resources {
		for k, id := range r.Services {
			if !known[id] {
				return frontdesk.InvalidParam(fmt.Sprintf("resources[%d].services[%d]", i, k),
					"There is no service %q; there are: %s.", id, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
			}
		}
	}
	return nil
}

// place is the place that a capture of the business's own takes.
type place struct {
	diary  *diary
	wish   Wish
	moving frontdesk.ID
}

// placeOf is the place of a capture. The business books as soon and as far ahead
// as it likes.
func (who Caller) placeOf(c frontdesk.Capture, now time.Time) (*place, error) {
	w := who.wishOf(c)
	w.Timed, w.Business = true, true
	d, err := who.diary(w, now)
	if err != nil {
		return nil, err
	}
	if c.ScheduledAt == "" {
		return &place{diary: d, wish: w}, nil
	}
	at, err := time.Parse("2006-01-02T15:04:05", string(c.ScheduledAt))
	if err != nil {
		return nil, frontdesk.InvalidParam("scheduled_at", "scheduled_at must be a local time such as 2026-11-20T17:30:00.")
	}
	if _, exists := frontdesk.FirstShowing(at, d.house.zone); !exists {
		return nil, frontdesk.InvalidParam("scheduled_at", "The clock in %s jumps over %s. Choose another time.", who.Agent.Timezone, c.ScheduledAt)
	}
	w.Date, w.Clock = dates.DateOf(at), dates.Clock{Hour: at.Hour(), Minute: at.Minute()}
	return &place{diary: d, wish: w}, nil
}

// WishToMove is what the business looks for that moves an appointment: the same
// for as long and as many, with the same person. Any table or room will do.
func (who Caller) WishToMove(c frontdesk.Capture) Wish {
	w := who.customersWish(c)
	w.Business = true
	return w
}

// wishOf is what a capture takes: the same at another time is found with it.
func (who Caller) wishOf(c frontdesk.Capture) Wish {
	w := Wish{Service: who.serviceOf(c), Resource: c.Visit.ResourceID, Party: c.Visit.Party}
	if c.Visit.Duration > 0 {
		w.Service.Duration = time.Duration(c.Visit.Duration) * time.Minute
	}
	return w
}

// serviceOf is the service that a capture is for.
func (who Caller) serviceOf(c frontdesk.Capture) catalogue.Service {
	return house{services: who.Services}.serviceOf(frontdesk.Busy{Service: c.Service, Visit: c.Visit})
}

func (p *place) duration(c frontdesk.Capture) int {
	if c.Kind != frontdesk.Appointment || c.ScheduledAt == "" {
		return c.Visit.Duration
	}
	return int(p.diary.lasts / time.Minute)
}

func (p *place) minutes(c frontdesk.Capture) int {
	if c.Kind != frontdesk.Appointment || c.ScheduledAt == "" {
		return 0
	}
	return int(p.diary.takes / time.Minute)
}

func (p *place) look(who Caller) store.Look {
	first, last := p.diary.days(p.wish)
	return p.diary.look(who, earlier(first, p.wish.Date), later(last, p.wish.Date))
}

// fits says what stands against the place, with what is free nearest.
func (p *place) fits(visit *frontdesk.Visit, taken []frontdesk.Busy) error {
	p.diary.fill(taken, p.moving)
	o := p.diary.openings(p.wish)
	if o.Free {
		p.diary.assign(visit, p.wish)
		return nil
	}
	return &frontdesk.Error{
		Kind: frontdesk.Clash, Code: "slot_unavailable", Param: "scheduled_at",
		Message: refused(o) + nearest(o),
	}
}

func refused(o Openings) string {
	switch o.Why {
	case WhyPast:
		return "That time has passed."
	case WhyAway:
		return "Nobody who can do it is there at that time."
	case WhyFull:
		return "That place is taken."
	case WhyLarge:
		return fmt.Sprintf("The party is too large: %d fit at most.", o.Most)
	}
	return "The business is closed at that time, or closes before it would end."
}

func nearest(o Openings) string {
	if len(o.Near) == 0 {
		return ""
	}
	all := make([]string, len(o.Near))
	for i, n := range o.Near {
		all[i] = string(localTime(n.Date, n.Clock))
	}
	return " Free nearest: " + strings.Join(all, ", ") + "."
}
