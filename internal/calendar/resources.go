package calendar

import (
	"cmp"
	"slices"
	"time"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// attendant is somebody or something that an appointment can be with: a person,
// a room, a table.
type attendant struct {
	resource frontdesk.Resource
	open     *openDays
	taken    schedule
}

// attendants are those from whom a service can be had. There are none where the
// house has nobody in particular for it, and for a service whose places are
// counted apart: many come to a class at once.
func (h house) attendants(s catalogue.Service, p pool, open *openDays) (all []*attendant) {
	if p.service != "" {
		return nil
	}
	for _, r := range h.settings.Calendar.Resources {
		if r.Does(s.ID) {
			all = append(all, &attendant{resource: r, open: h.openDaysOf(r, open)})
		}
	}
	return all
}

// openDaysOf are when a resource is there: with hours of its own, or whenever the
// house is open, which is worked out once for all of them.
func (h house) openDaysOf(r frontdesk.Resource, ofHouse *openDays) *openDays {
	c := h.settings.Calendar
	closed := slices.ContainsFunc(c.Closures, func(cl frontdesk.Closure) bool { return cl.ResourceID == r.ID })
	if r.Openings == nil && len(r.Exceptions) == 0 && !closed {
		return ofHouse
	}
	return newOpenDays(h.hours.With(c, r))
}

// mostSeats is the largest party that one of them has seats for; 0: some do not
// count.
func mostSeats(all []*attendant) (most int) {
	for _, a := range all {
		if a.resource.Seats == 0 {
			return 0
		}
		most = max(most, a.resource.Seats)
	}
	return most
}

func (a *attendant) seats(party int) bool { return a.resource.Seats == 0 || a.resource.Seats >= party }

// attending are those whom the wish can be with who are there at an instant, and
// those of them who are free.
func (d *diary) attending(at time.Time) (there, free []*attendant) {
	if d.attended.Equal(at) {
		return d.there, d.unengaged
	}
	there, free = d.there[:0], d.unengaged[:0]
	for _, a := range d.with {
		if d.named != "" && a.resource.ID != d.named || !a.seats(d.party) {
			continue
		}
		if !a.open.covers(at, at.Add(d.needs())) {
			continue
		}
		there = append(there, a)
		if a.taken.count(at, at.Add(d.takes)) == 0 {
			free = append(free, a)
		}
	}
	d.attended, d.there, d.unengaged = at, there, free
	return there, free
}

// freeOfAll is how many of those who do what is wished for are free at an
// instant, whoever was asked for: an appointment with nobody in particular needs
// one of them.
func (d *diary) freeOfAll(at time.Time) (n int) {
	for _, a := range d.with {
		if a.open.covers(at, at.Add(d.needs())) && a.taken.count(at, at.Add(d.takes)) == 0 {
			n++
		}
	}
	return n
}

// assign says with whom a visit is that can be had: whom it was with before, the
// smallest table, else who
// has the least to do that day, else who stands first in the list.
func (d *diary) assign(visit *frontdesk.Visit, w Wish) {
	if len(d.with) == 0 {
		return
	}
	at, _ := frontdesk.FirstShowing(wall(w.Date, w.Clock), d.house.zone)
	_, free := d.attending(at)
	if len(free) == 0 {
		return
	}
	if i := slices.IndexFunc(free, func(a *attendant) bool { return a.resource.ID == visit.ResourceID }); i >= 0 {
		visit.Resource = free[i].resource.Name // who it was with before
		return
	}
	begin := w.Date.In(d.house.zone)
	busy := func(a *attendant) int { return a.taken.count(begin, begin.Add(24*time.Hour)) }
	chosen := slices.MinFunc(free, func(a, b *attendant) int {
		return cmp.Or(cmp.Compare(a.resource.Seats, b.resource.Seats), cmp.Compare(busy(a), busy(b)))
	})
	visit.ResourceID, visit.Resource = chosen.resource.ID, chosen.resource.Name
}

// freeAt are the ids of those with whom something can be had at an instant.
func (d *diary) freeAt(at time.Time) []string {
	_, free := d.attending(at)
	ids := make([]string, 0, len(free))
	for _, a := range free {
		ids = append(ids, a.resource.ID)
	}
	return ids
}
