package reception

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
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
	places int // that the wish takes of the pool
	taken  []stretch
	widest time.Duration // of the stretches

	shifts map[dates.Date]stretch // by the date they begin on
	free   map[dates.Date][]choice
	fits   func(dates.Date, dates.Clock) bool // what the caller has not ruled out; nil: everything
}

// suits says whether the caller has not ruled out a time of a day.
func (d *diary) suits(date dates.Date, c dates.Clock) bool { return d.fits == nil || d.fits(date, c) }

// house is what of an agent matters to its calendar.
type house struct {
	zone       *time.Location
	hours      *frontdesk.Hours // nil: always open
	services   []catalogue.Service
	settings   frontdesk.AgentSettings
	restaurant bool
}

// pool is what appointments take their places from: the house's own, which has
// no name, or that of one service.
type pool struct {
	service string
	room    int
}

// stretch is a time from one instant up to another.
type stretch struct {
	from, to time.Time
	places   int // that are taken
}

const (
	usualTime  = 60 * time.Minute // of an appointment, when nothing is said
	tableTime  = 90 * time.Minute // the same in a restaurant
	lastOrders = 30 * time.Minute // before closing: the last table is given then
	tableParty = 2                // people at a table of which nobody knows how many
	usualParty = 5                // people who come to one appointment at most, where it has places for fewer
)

func (h house) diary(w conversation.Wish, now time.Time) *diary {
	d := &diary{
		house: h, now: now.In(h.zone), notice: h.settings.MinimumNotice(),
		last:   dates.DateOf(now.In(h.zone).Add(h.settings.BookingHorizon())),
		lasts:  h.lasts(w.Service),
		party:  max(1, w.Party),
		most:   h.settings.MaxParty,
		pool:   h.pool(w.Service),
		places: 1,
		shifts: map[dates.Date]stretch{},
		free:   map[dates.Date][]choice{},
	}
	d.takes = d.lasts + w.Service.Buffer
	d.most = cmp.Or(d.most, max(usualParty, d.pool.room))
	if h.restaurant {
		d.places = d.party
		d.most = min(cmp.Or(h.settings.MaxParty, frontdesk.DefaultMaxParty), d.pool.room)
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
func (d *diary) visit(w conversation.Wish) frontdesk.Visit {
	return frontdesk.Visit{
		ServiceID: clip(storable(w.Service.ID), maxText), Party: w.Party,
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
		For: who.CallID, Now: d.now,
	}
}

// fill enters what is taken of the wish's own pool, except the appointment that
// is to be moved.
func (d *diary) fill(taken []frontdesk.Busy, moving frontdesk.ID) {
	d.taken, d.widest = d.taken[:0], 0
	for _, b := range taken {
		if moving != "" && b.ID == moving {
			continue
		}
		s, ok := d.house.stretch(b, d.pool)
		if !ok {
			continue
		}
		d.taken = append(d.taken, s)
		d.widest = max(d.widest, s.to.Sub(s.from))
	}
	slices.SortFunc(d.taken, func(a, b stretch) int { return a.from.Compare(b.from) })
}

// stretch is when something takes places of a pool, and how many.
func (h house) stretch(b frontdesk.Busy, p pool) (stretch, bool) {
	s := h.serviceOf(b)
	from, _ := b.ScheduledAt.In(h.zone)
	if h.pool(s).service != p.service || from.IsZero() {
		return stretch{}, false
	}
	takes := cmp.Or(time.Duration(b.Visit.Minutes)*time.Minute, h.lasts(s)+s.Buffer)
	places := 1
	if h.restaurant {
		places = cmp.Or(b.Visit.Party, tableParty)
	}
	return stretch{from, from.Add(takes), places}, true
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
	if d.most > 0 && d.party > d.most {
		return conversation.WhyLarge
	}
	at, exists := frontdesk.FirstShowing(wall(date, clock), d.house.zone)
	switch {
	case at.Before(d.now):
		return conversation.WhyPast
	case d.last.Before(date):
		return conversation.WhyFar
	case !exists || !d.open(at):
		return conversation.WhyClosed
	case at.Before(d.now.Add(d.notice)):
		return conversation.WhySoon
	case d.peak(at, at.Add(d.takes))+d.places > d.pool.room:
		return conversation.WhyFull
	}
	return ""
}

// open says whether the house is open at an instant, and for long enough.
func (d *diary) open(at time.Time) bool {
	today := dates.DateOf(at.In(d.house.zone))
	for _, date := range []dates.Date{today.AddDays(-1), today} {
		s := d.shift(date)
		if at.Before(s.from) || !at.Before(s.to) {
			continue
		}
		if d.house.restaurant {
			return !d.closing(date, at.Add(lastOrders)).Before(at.Add(lastOrders))
		}
		return !d.closing(date, at.Add(d.lasts)).Before(at.Add(d.lasts))
	}
	return false
}

// closing is when the house closes that opened on a date, as far as needed: a
// house that opens again when it closes does not close.
func (d *diary) closing(date dates.Date, needed time.Time) time.Time {
	end := d.shift(date).to
	for end.Before(needed) {
		date = date.AddDays(1)
		next := d.shift(date)
		if next.from.IsZero() || next.from.After(end) || !next.to.After(end) {
			break
		}
		end = next.to
	}
	return end
}

// shift is when the house is open that opens on a date; zero when it does not.
func (d *diary) shift(date dates.Date) stretch {
	if s, known := d.shifts[date]; known {
		return s
	}
	noon := time.Date(date.Year, date.Month, date.Day, 12, 0, 0, 0, d.house.zone)
	hours := frontdesk.Hours{}
	for i := range hours {
		hours[i] = frontdesk.Shift{Open: 0, Close: 24}
	}
	if d.house.hours != nil {
		hours = *d.house.hours
	}
	opens, closes, _ := hours.On(noon)
	d.shifts[date] = stretch{from: opens, to: closes}
	return d.shifts[date]
}

// peak is the most places that are taken at any moment of a time.
func (d *diary) peak(from, to time.Time) int {
	type edge struct {
		at     time.Time
		places int
	}
	var some [16]edge
	edges := some[:0]
	first, _ := slices.BinarySearchFunc(d.taken, from.Add(-d.widest), func(s stretch, t time.Time) int { return s.from.Compare(t) })
	for _, s := range d.taken[first:] {
		if !s.from.Before(to) {
			break
		}
		if s.to.After(from) {
			edges = append(edges, edge{s.from, s.places}, edge{s.to, -s.places})
		}
	}
	// One that ends when another begins makes room for it.
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.places, b.places)) })
	taken, most := 0, 0
	for _, e := range edges {
		if !e.at.Before(to) {
			break
		}
		taken += e.places
		if most < taken {
			most = taken
		}
	}
	return most
}
