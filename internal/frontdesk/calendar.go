package frontdesk

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Calendar is a business's book of hours, beside the settings that an operator
// has long set apart (capacity, notice, horizon). The zero Calendar says nothing:
// the hours of the configuration rule.
type Calendar struct {
	Openings        *Week // nil: AgentConfig.Hours
	Exceptions      []Exception
	Resources       []Resource
	Closures        []Closure
	Holidays        string // country, or country and region, whose public holidays are closed: ES-MD; "": none
	SlotMinutes     int    // the grid on which times are offered; 0: by the length of the service
	PerCustomerOpen int    // appointments to come that one telephone number may hold; 0: the default
}

// DefaultPerCustomerOpen is how many appointments to come one telephone number
// may hold with an agent.
const DefaultPerCustomerOpen = 3

// OpenPerCustomer is PerCustomerOpen, or the default.
func (c Calendar) OpenPerCustomer() int { return cmp.Or(c.PerCustomerOpen, DefaultPerCustomerOpen) }

// Period is a time within a day, in minutes from midnight. An end at or before
// its beginning is on the next day.
type Period struct {
	From int // 0 to 1439
	To   int // 0 to 1440
}

const dayMinutes = 24 * 60

// End is To in minutes from the midnight of the day on which the period begins.
func (p Period) End() int {
	if p.To <= p.From {
		return p.To + dayMinutes
	}
	return p.To
}

// String is the period as 10:00-14:00.
func (p Period) String() string { return clockText(p.From) + "-" + clockText(p.To) }

func clockText(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60, minute%60) }

// Week are the periods of each day, Monday first.
type Week [7][]Period

// Exception sets the periods of the dates from From up to To, which is not one
// of them; none: closed.
type Exception struct {
	From, To Date
	Openings []Period
	Reason   string
}

// Covers says whether the exception is about a date.
func (e Exception) Covers(d Date) bool { return !d.Before(e.From) && d.Before(e.To) }

// WithoutDays are exceptions that say nothing about some dates any more: those
// that reach into them are cut.
func WithoutDays(all []Exception, from, to Date) (kept []Exception) {
	for _, e := range all {
		if !e.From.Before(to) || !from.Before(e.To) {
			kept = append(kept, e)
			continue
		}
		if e.From.Before(from) {
			before := e
			before.To = from
			kept = append(kept, before)
		}
		if to.Before(e.To) {
			after := e
			after.From = to
			kept = append(kept, after)
		}
	}
	return kept
}

// Resource is who or what appointments are with.
type Resource struct {
	ID         string
	Name       string
	Kind       string   // one of ResourceKinds
	Services   []string // ids of what it is for; nil: everything
	Openings   *Week    // when it is there, within the house's hours; nil: always
	Exceptions []Exception
	Seats      int // of a table or a room; 0: nobody counts
}

// PersonKind is the kind of a resource that customers may come back for.
const PersonKind = "person"

// ResourceKinds are all values of Resource.Kind.
var ResourceKinds = []string{PersonKind, "room", "table", "other"}

// Does says whether a service can be had from the resource. Without a service,
// everything can.
func (r Resource) Does(service string) bool {
	return service == "" || r.Services == nil || slices.Contains(r.Services, service)
}

// Closure is a time in which a resource, or the whole house, takes no
// appointments: from From up to To on the business's clock.
type Closure struct {
	From, To   LocalTime
	ResourceID string // "": the whole house
	Reason     string
}

// Resource returns the resource with an id.
func (c Calendar) Resource(id string) (Resource, bool) {
	for _, r := range c.Resources {
		if r.ID == id && id != "" {
			return r, true
		}
	}
	return Resource{}, false
}

// WeekOf are hours as a week of periods.
func WeekOf(h Hours) Week {
	var w Week
	for i, s := range h {
		if !s.closed() {
			w[i] = []Period{{From: 60 * s.Open, To: 60 * s.Close}}
		}
	}
	return w
}

// Hull are the whole hours that hold each day's periods.
func (w Week) Hull() Hours {
	var h Hours
	for i, periods := range w {
		if len(periods) == 0 {
			continue
		}
		from, to := dayMinutes, 0
		for _, p := range periods {
			from, to = min(from, p.From), max(to, p.End())
		}
		opens, closes := from/60, (to+59)/60
		switch {
		case closes-opens >= 24: // a day and a night: it cannot be said longer
			closes = opens
		case closes > 24:
			closes -= 24
		}
		h[i] = Shift{Open: opens, Close: cmp.Or(closes, 24)}
	}
	return h
}

// Patched is the week after the hull of some days was changed: the others keep
// their periods.
func (w Week) Patched(h Hours) Week {
	hull, given := w.Hull(), WeekOf(h)
	for i := range w {
		if hull[i] != h[i] {
			w[i] = given[i]
		}
	}
	return w
}

// The bounds of a calendar.
const (
	maxPeriods    = 12
	maxExceptions = 500
	maxResources  = 200
	maxClosures   = 1000
	maxName       = 200
	minSlot       = 5 // a finer grid makes a month of slots that nobody can read
	maxSlot       = 8 * 60
	maxOpen       = 1000
)

// Check holds the calendar to its rules. zone is where its clock is.
func (c Calendar) Check(zone *time.Location) error {
	if c.Openings != nil {
		if err := c.Openings.check("openings"); err != nil {
			return err
		}
	}
	if err := checkExceptions("exceptions", c.Exceptions); err != nil {
		return err
	}
	if c.SlotMinutes != 0 && (c.SlotMinutes < minSlot || c.SlotMinutes > maxSlot) {
		return InvalidParam("slot_minutes", "slot_minutes must be %d to %d.", minSlot, maxSlot)
	}
	if c.PerCustomerOpen < 0 || c.PerCustomerOpen > maxOpen {
		return InvalidParam("per_customer_open", "per_customer_open must be 1 to %d.", maxOpen)
	}
	if err := c.checkResources(); err != nil {
		return err
	}
	return c.checkClosures(zone)
}

func (w Week) check(at string) error {
	for day, periods := range w {
		if err := checkPeriods(at+"."+strconv.Itoa(day), periods); err != nil {
			return err
		}
	}
	return nil
}

func checkPeriods(at string, periods []Period) error {
	if len(periods) > maxPeriods {
		return InvalidParam(at, "A day can have %d periods at most.", maxPeriods)
	}
	before := -1
	for i, p := range periods {
		here := fmt.Sprintf("%s[%d]", at, i)
		if p.From < 0 || p.From >= dayMinutes || p.To < 0 || p.To > dayMinutes {
			return InvalidParam(here, "A period goes from 00:00-23:59 to 00:00-24:00.")
		}
		if p.From < before {
			return InvalidParam(here, "The period %s begins before the one before it has ended. List the periods of a day in their order, without overlaps.", p)
		}
		before = p.End()
	}
	return nil
}

func checkExceptions(at string, all []Exception) error {
	if len(all) > maxExceptions {
		return InvalidParam(at, "There can be %d exceptions at most; take out those that have passed.", maxExceptions)
	}
	for i, e := range all {
		here := fmt.Sprintf("%s[%d]", at, i)
		if e.From.IsZero() || !e.From.Before(e.To) {
			return InvalidParam(here+".to", "An exception needs a to after its from; to is not included: the 25th alone is from 2026-12-25 to 2026-12-26.")
		}
		if err := checkPeriods(here+".openings", e.Openings); err != nil {
			return err
		}
		if err := checkText(here+".reason", e.Reason); err != nil {
			return err
		}
	}
	return nil
}

func checkText(at, s string) error {
	switch {
	case len([]rune(s)) > maxName:
		return InvalidParam(at, "%s can have %d characters at most.", at, maxName)
	case strings.ContainsRune(s, 0):
		return InvalidParam(at, "%s must be text without NUL.", at)
	}
	return nil
}

func (c Calendar) checkResources() error {
	if len(c.Resources) > maxResources {
		return InvalidParam("resources", "There can be %d resources at most.", maxResources)
	}
	seen := map[string]bool{}
	for i, r := range c.Resources {
		at := fmt.Sprintf("resources[%d]", i)
		switch {
		case r.ID == "" || len([]rune(r.ID)) > 64 || strings.TrimSpace(r.ID) != r.ID || strings.ContainsRune(r.ID, 0):
			return InvalidParam(at+".id", "A resource needs an id of 1 to 64 characters.")
		case seen[r.ID]:
			return InvalidParam(at+".id", "The id %q is there twice.", r.ID)
		case strings.TrimSpace(r.Name) == "":
			return InvalidParam(at+".name", "A resource needs a name: what callers call it.")
		case !slices.Contains(ResourceKinds, r.Kind):
			return InvalidParam(at+".kind", "There is no kind %q; there are: %s.", r.Kind, strings.Join(ResourceKinds, ", "))
		case r.Seats < 0 || r.Seats > maxCapacity:
			return InvalidParam(at+".seats", "seats must be 1 to %d.", maxCapacity)
		}
		seen[r.ID] = true
		if err := r.check(at); err != nil {
			return err
		}
	}
	return nil
}

func (r Resource) check(at string) error {
	if err := checkText(at+".name", r.Name); err != nil {
		return err
	}
	if r.Openings != nil {
		if err := r.Openings.check(at + ".openings"); err != nil {
			return err
		}
	}
	return checkExceptions(at+".exceptions", r.Exceptions)
}

func (c Calendar) checkClosures(zone *time.Location) error {
	if len(c.Closures) > maxClosures {
		return InvalidParam("closures", "There can be %d closures at most; take out those that have passed.", maxClosures)
	}
	for i, cl := range c.Closures {
		at := fmt.Sprintf("closures[%d]", i)
		from, ok := cl.From.In(zone)
		if !ok {
			return InvalidParam(at+".from", "from must be a time that the business's clock shows, such as 2026-12-01T15:00:00.")
		}
		to, ok := cl.To.In(zone)
		if !ok {
			return InvalidParam(at+".to", "to must be a time that the business's clock shows, such as 2026-12-01T18:00:00.")
		}
		if !from.Before(to) {
			return InvalidParam(at+".to", "to must be after from.")
		}
		if _, known := c.Resource(cl.ResourceID); cl.ResourceID != "" && !known {
			return InvalidParam(at+".resource_id", "There is no resource %q in this calendar.", cl.ResourceID)
		}
		if err := checkText(at+".reason", cl.Reason); err != nil {
			return err
		}
	}
	return nil
}
