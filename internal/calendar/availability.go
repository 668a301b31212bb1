package calendar

import (
	"context"
	"time"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
	"frontdesk.dev/frontdesk/internal/store"
)

// MostDays is how many days can be asked for at once.
const MostDays = 31

// Day is a day of the calendar: when the house opens on it, what can be had, and
// who comes. What is after midnight stands under the day on which it opened.
type Day struct {
	opening.Day
	Slots    []Slot
	Captures []frontdesk.Capture
	Busy     []frontdesk.Busy      // of outside calendars
	Kept     []frontdesk.KeptPlace // for who waits
}

// Slot is a time that can be had.
type Slot struct {
	At        frontdesk.LocalTime
	Starts    time.Time
	Resources []string // ids of those with whom it can be had
}

// Availability lists what can be had for a wish on the days from one up to
// another, which is not one of them. It is what a booking for the same wish
// would find.
func (c *Calendar) Availability(ctx context.Context, who Caller, w Wish, from, to dates.Date, now time.Time) ([]Day, error) {
	d, err := who.diary(w, now)
	if err != nil {
		return nil, err
	}
	if err := c.fill(ctx, d, who, d.look(who, from, to), w.Moving); err != nil {
		return nil, err
	}
	days := make([]Day, 0, from.DaysUntil(to))
	for date := from; date.Before(to); date = date.AddDays(1) {
		if err := ctx.Err(); err != nil { // many people and a fine grid take their time
			return nil, frontdesk.DatabaseUnavailable(err)
		}
		day := Day{Day: d.open.day(date)}
		if len(days) > 0 {
			day.Slots = make([]Slot, 0, len(days[len(days)-1].Slots)) // most days are like the one before
		}
		d.eachChoice(date, func(c choice) {
			o := c.opening
			day.Slots = append(day.Slots, Slot{At: localTime(o.Date, o.Clock), Starts: c.at, Resources: d.freeAt(c.at)})
		})
		days = append(days, day)
	}
	return days, nil
}

// Agenda lists who comes on the days from one up to another, which is not one of
// them: the appointments that stand, in their order, and beside them the busy
// times of outside calendars and the places that are kept for who waits.
func (c *Calendar) Agenda(ctx context.Context, who Caller, from, to dates.Date, now time.Time) ([]Day, error) {
	h, err := houseOf(who.Agent, who.Services)
	if err != nil {
		return nil, err
	}
	// A night that begins on the last day ends on the next one.
	look := store.Look{AgentID: who.Agent.ID, From: localTime(from, dates.Clock{}), To: localTime(to.AddDays(1), dates.Clock{})}
	busy, err := c.store.OutsideBusy(ctx, who.Owner(), look)
	if err != nil {
		return nil, err
	}
	open := newOpenDays(h.hours)
	days := make([]Day, 0, from.DaysUntil(to))
	for date := from; date.Before(to); date = date.AddDays(1) {
		days = append(days, Day{Day: open.day(date), Busy: busyOn(date, busy, h.zone)})
	}
	var rows agendaRows
	date := from.AddDays(-1)
	err = c.store.Agenda(ctx, who.Owner(), look, func(capture frontdesk.Capture) {
		capture.Timezone = who.Agent.Timezone
		// Captures come in the order of time, and so do days.
		if d := open.dayOf(capture.ScheduledAt); date.Before(d) {
			date = d
		}
		if k := from.DaysUntil(date); k >= 0 && k < len(days) {
			days[k].Captures = rows.add(days[k].Captures, capture)
		}
	})
	if err != nil {
		return nil, err
	}
	kept, err := c.store.KeptPlaces(ctx, who.Owner(), who.Agent.ID, now)
	for _, place := range kept {
		if r, known := who.Agent.Settings.Calendar.Resource(place.Visit.ResourceID); known {
			place.Visit.Resource = r.Name
		}
		if k := from.DaysUntil(open.dayOf(place.ScheduledAt)); k >= 0 && k < len(days) {
			days[k].Kept = append(days[k].Kept, place)
		}
	}
	return days, err
}

// busyOn are the busy times of outside calendars that touch a date. One that goes
// past midnight stands under both days.
func busyOn(date dates.Date, all []frontdesk.Busy, zone *time.Location) (some []frontdesk.Busy) {
	begin, end := date.In(zone), date.AddDays(1).In(zone)
	for _, b := range all {
		if b.Outside.From.Before(end) && b.Outside.To.After(begin) {
			some = append(some, b)
		}
	}
	return some
}

// agendaRows gives the captures of days room. Those of a day stand in a row, and
// only those of one day are copied when the room is full.
type agendaRows struct{ room []frontdesk.Capture }

// leastRoom is how many captures there is room for at once.
const leastRoom = 64

// add adds a capture to those of a day, the last that was added to.
func (a *agendaRows) add(day []frontdesk.Capture, c frontdesk.Capture) []frontdesk.Capture {
	if len(a.room) == cap(a.room) {
		a.room = append(make([]frontdesk.Capture, 0, max(leastRoom, 2*len(day), min(2*cap(a.room), 8*leastRoom))), day...)
	}
	first := len(a.room) - len(day)
	a.room = append(a.room, c)
	return a.room[first:len(a.room):len(a.room)]
}

// dayOf is the day on which the house opened that a local time is in, else its
// date.
func (o *openDays) dayOf(l frontdesk.LocalTime) dates.Date {
	if l == o.told {
		return o.toldDay
	}
	at, _ := l.In(o.hours.Zone())
	_, date, within := o.at(at)
	if !within {
		date = dates.DateOf(at.In(o.hours.Zone()))
	}
	o.told, o.toldDay = l, date
	return date
}
