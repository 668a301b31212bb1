package calendar

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
	"frontdesk.dev/frontdesk/internal/store"
)

// diary is an agent's calendar with one wish in mind: when the house is open,
// what is taken, and what the wish would take. It is pure.
type diary struct {
	house house
	now   time.Time // in the zone of the house

	notice time.Duration
	last   dates.Date // that can be booked

	lasts time.Duration // what is wished for
	takes time.Duration // and the time to tidy up after it
	party int
	most  int // people in one appointment; 0: no matter

	pool   pool
	places int       // that the wish takes of the pool
	taken  schedule  // of the pool
	loose  schedule  // of the pool, with nobody in particular
	shut   schedule  // by outside calendars of the whole house
	latest beginning // at which what was entered last begins
	open   *openDays
	with   []*attendant // whom the wish can be with; none: the house has nobody in particular
	named  string       // the one of them that it must be with

	attended         time.Time // the instant that was looked at last: who was there then, and free
	there, unengaged []*attendant

	free map[dates.Date][]choice
	fits func(dates.Date, dates.Clock) bool // what the caller has not ruled out; nil: everything
}

// beginning is an instant, and what the clock of the house shows then.
type beginning struct {
	local frontdesk.LocalTime
	at    time.Time
}

// suits says whether the caller has not ruled out a time of a day.
func (d *diary) suits(date dates.Date, c dates.Clock) bool { return d.fits == nil || d.fits(date, c) }

// house is what of an agent matters to its calendar.
type house struct {
	zone       *time.Location
	hours      *opening.Hours
	services   []catalogue.Service
	settings   frontdesk.AgentSettings
	restaurant bool
}

func houseOf(a frontdesk.Agent, services []catalogue.Service) (house, error) {
	hours, err := opening.Of(a)
	if err != nil {
		return house{}, err
	}
	return house{zone: hours.Zone(), hours: hours, services: services, settings: a.Settings, restaurant: a.Trade().SeatsParties}, nil
}

// pool is what appointments take their places from: the house's own, which has
// no name, or that of one service.
type pool struct {
	service string
	room    int
}

const (
	usualTime  = 60 * time.Minute // of an appointment, when nothing is said
	tableTime  = 90 * time.Minute // the same in a restaurant
	lastOrders = 30 * time.Minute // before closing: the last table is given then
	tableParty = 2                // people at a table of which nobody knows how many
	usualParty = 5                // people who come to one appointment at most, where it has places for fewer
)

func (h house) diary(w Wish, now time.Time) *diary {
	d := &diary{
		house: h, now: now.In(h.zone), notice: h.settings.MinimumNotice(),
		last:   dates.DateOf(now.In(h.zone).Add(h.settings.BookingHorizon())),
		lasts:  h.lasts(w.Service),
		party:  max(1, w.Party),
		pool:   h.pool(w.Service),
		places: 1,
		open:   newOpenDays(h.hours),
		free:   map[dates.Date][]choice{},
		named:  w.Resource,
	}
	if w.Business {
		d.notice, d.last = 0, dates.Date{Year: 9999, Month: 12, Day: 31}
	}
	d.takes = d.lasts + w.Service.Buffer
	d.with = h.attendants(w.Service, d.pool, d.open)
	d.most = cmp.Or(h.settings.MaxParty, max(usualParty, d.pool.room))
	if h.restaurant {
		d.places = d.party
		d.most = min(cmp.Or(h.settings.MaxParty, frontdesk.DefaultMaxParty), d.pool.room)
	}
	if seats := mostSeats(d.with); seats > 0 {
		d.most = min(cmp.Or(h.settings.MaxParty, seats), seats)
	}
	return d
}

func (h house) lasts(s catalogue.Service) time.Duration {
	if h.restaurant {
		return cmp.Or(s.Duration, tableTime)
	}
	return cmp.Or(s.Duration, usualTime)
}

// pool is where a service takes its places from. A service with a capacity of
// its own is counted apart; all others share what the house has.
func (h house) pool(s catalogue.Service) pool {
	if own := cmp.Or(s.Capacity, h.settings.ServiceCapacity[s.ID]); own > 0 {
		return pool{service: s.ID, room: own}
	}
	if h.restaurant {
		return pool{room: cmp.Or(h.settings.Capacity, frontdesk.DefaultSeats)}
	}
	return pool{room: cmp.Or(h.settings.Capacity, 1)}
}

// visit is what the wish would take, to be written down.
func (d *diary) visit(w Wish) frontdesk.Visit {
	return frontdesk.Visit{
		ServiceID: w.Service.ID, Party: w.Party,
		Duration: int(d.lasts / time.Minute), Minutes: int(d.takes / time.Minute),
	}
}

// look is the part of the calendar that matters to appointments on the dates
// from first to last: also what began before and is not over.
func (d *diary) look(who Caller, first, last dates.Date) store.Look {
	longest := max(24*time.Hour, d.takes)
	for _, s := range d.house.services {
		longest = max(longest, d.house.lasts(s)+s.Buffer)
	}
	from := wall(first, dates.Clock{}).Add(-longest)
	to := wall(last.AddDays(1), dates.Clock{}).Add(d.takes)
	return store.Look{
		AgentID: who.Agent.ID, From: frontdesk.LocalTimeOf(from), To: frontdesk.LocalTimeOf(to),
		For: who.CallID, Now: d.now, Rehearsal: who.Rehearsal,
	}
}

// fill enters what is taken, except the appointment that is to be moved.
func (d *diary) fill(taken []frontdesk.Busy, moving frontdesk.ID) {
	d.clear()
	for _, b := range taken {
		d.take(b, moving)
	}
	d.sort()
}

func (d *diary) clear() {
	d.attended, d.latest = time.Time{}, beginning{}
	d.taken.clear()
	d.loose.clear()
	d.shut.clear()
	for _, a := range d.with {
		a.taken.clear()
	}
}

func (d *diary) sort() {
	d.taken.sort()
	d.loose.sort()
	d.shut.sort()
	for _, a := range d.with {
		a.taken.sort()
	}
}

// take enters one thing that is taken, unless it is what is to be moved.
func (d *diary) take(b frontdesk.Busy, moving frontdesk.ID) {
	if b.Outside != (frontdesk.Span{}) {
		d.enterOutside(b)
		return
	}
	if b.ScheduledAt != d.latest.local { // several begin at the same time
		d.latest.local = b.ScheduledAt
		d.latest.at, _ = b.ScheduledAt.In(d.house.zone)
	}
	if !d.latest.at.IsZero() && (moving == "" || b.ID != moving) {
		d.enter(b, d.latest.at)
	}
}

// enter enters one thing that is taken, from an instant on. Who it is with is
// busy, whatever it is for; of the pool it takes places only if it is of the same.
func (d *diary) enter(b frontdesk.Busy, from time.Time) {
	service := d.house.serviceOf(b)
	takes := cmp.Or(time.Duration(b.Visit.Minutes)*time.Minute, d.house.lasts(service)+service.Buffer)
	s := newStretch(from, takes, 1)
	if d.house.restaurant {
		s.places = cmp.Or(b.Visit.Party, tableParty)
	}
	samePool := d.house.pool(service).service == d.pool.service
	if samePool {
		d.taken.add(s)
	}
	known := false
	for _, a := range d.with {
		if b.Visit.ResourceID != "" && a.resource.ID == b.Visit.ResourceID {
			a.taken.add(s)
			known = true
		}
	}
	if !known && samePool && d.house.unassigned(b) {
		d.loose.add(s)
	}
}

// enterOutside enters a busy time of an outside calendar: of the whole house, or
// of one who is with it. Those of somebody who is not any more take nothing.
func (d *diary) enterOutside(b frontdesk.Busy) {
	const almost = time.Second - 1 // a part of a second is busy too
	s := newStretch(b.Outside.From, b.Outside.To.Add(almost).Sub(b.Outside.From), 1)
	if b.Visit.ResourceID == "" {
		d.shut.add(s)
		return
	}
	for _, a := range d.with {
		if a.resource.ID == b.Visit.ResourceID {
			a.taken.add(s)
		}
	}
}

// unassigned says whether nobody is named for what is taken, or somebody who is
// not with the house any more: then one of those who are will have to do it.
func (h house) unassigned(b frontdesk.Busy) bool {
	_, known := h.settings.Calendar.Resource(b.Visit.ResourceID)
	return !known
}

// serviceOf is the service that an appointment is for; the zero one when the
// house has no such, or no more.
func (h house) serviceOf(b frontdesk.Busy) catalogue.Service {
	for _, s := range h.services {
		if b.Visit.ServiceID != "" && s.ID == b.Visit.ServiceID {
			return s
		}
	}
	name := strings.TrimSpace(b.Service)
	for _, s := range h.services {
		if name != "" && isCalled(s, name) {
			return s
		}
	}
	return catalogue.Service{}
}

func isCalled(s catalogue.Service, name string) bool {
	same := func(other string) bool { return strings.EqualFold(other, name) }
	return same(s.ID) || slices.ContainsFunc(s.AllNames(), same) || slices.ContainsFunc(s.Aliases, same)
}

// against says what stands against coming at a time; nothing does when it is "".
func (d *diary) against(date dates.Date, clock dates.Clock) string {
	at, exists := frontdesk.FirstShowing(wall(date, clock), d.house.zone)
	return d.againstInstant(date, at, exists)
}

// againstInstant is against for the instant at which the clock of the house shows
// that time, if it ever does.
func (d *diary) againstInstant(date dates.Date, at time.Time, exists bool) string {
	switch {
	case d.most > 0 && d.party > d.most:
		return WhyLarge
	case at.Before(d.now):
		return WhyPast
	case d.last.Before(date):
		return WhyFar
	case !exists || !d.opens(at):
		return WhyClosed
	case at.Before(d.now.Add(d.notice)):
		return WhySoon
	}
	return d.againstPlaces(at)
}

// againstPlaces says whether there is a place, and somebody to be with.
func (d *diary) againstPlaces(at time.Time) string {
	if d.shut.count(at, at.Add(d.takes)) > 0 {
		return WhyFull
	}
	if len(d.with) == 0 {
		if d.taken.peak(at, at.Add(d.takes))+d.places > d.pool.room {
			return WhyFull
		}
		return ""
	}
	there, free := d.attending(at)
	switch {
	case len(there) == 0:
		return WhyAway
	case len(free) == 0:
		return WhyFull
	}
	if needed := d.loose.count(at, at.Add(d.takes)); needed > 0 && d.freeOfAll(at) <= needed {
		return WhyFull
	}
	if most := d.house.settings.Capacity; most > 0 && d.taken.peak(at, at.Add(d.takes))+d.places > most {
		return WhyFull
	}
	return ""
}

// opens says whether the house is open at an instant, and for long enough.
func (d *diary) opens(at time.Time) bool { return d.open.covers(at, at.Add(d.needs())) }

// needs is how long the house must stay open for what is wished for.
func (d *diary) needs() time.Duration {
	if d.house.restaurant {
		return lastOrders
	}
	return d.lasts
}
