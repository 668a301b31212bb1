// Package opening says when a business is open: on an ordinary day, on a public
// holiday, in the week it is away, and on the night the clocks change.
//
//	Agent -> Of -> Hours -> Day (the spans of a date, and why there are none)
//
// Everybody who speaks of hours, offers a time or writes one down asks the same
// Hours, so what is said and what is booked cannot differ. It knows no
// appointments: what is taken is the calendar's business.
package opening

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Hours are when a business, or one of its resources, is open.
type Hours struct {
	zone       *time.Location
	week       *frontdesk.Week // nil: around the clock
	exceptions []frontdesk.Exception
	region     string // whose public holidays are closed; "": none are
	closures   []Span // in their order, without overlaps
	told       told   // closed by the words of the house, where its book has no exceptions
	house      *Hours // of a resource: the hours of the house that it is in
}

// Span is a time from one instant up to another.
type Span struct{ From, To time.Time }

// Contains says whether an instant is within the span.
func (s Span) Contains(t time.Time) bool { return !t.Before(s.From) && t.Before(s.To) }

// Day is when a house is open that opens on a date. After midnight it is still
// that day.
type Day struct {
	Date    frontdesk.Date
	Open    []Span
	Reason  string // of the exception that rules the day, in its owner's words
	Holiday string // the public holiday for which it is closed, as Holiday.Name
}

// Of are the hours of an agent's house.
func Of(a frontdesk.Agent) (*Hours, error) {
	zone, err := frontdesk.LoadZone(a.Timezone)
	if err != nil {
		return nil, fmt.Errorf("the hours of %s: %w", a.Slug, err)
	}
	c := a.Settings.Calendar
	h := &Hours{zone: zone, week: c.Openings, exceptions: c.Exceptions, region: c.Holidays, closures: closures(c, "", zone)}
	if h.week == nil && a.Config.Hours != nil {
		week := frontdesk.WeekOf(*a.Config.Hours)
		h.week = &week
	}
	if len(c.Exceptions) == 0 {
		h.told = readTold(a.Config.Business.HoursHuman, frontdesk.CountryOf(a.Timezone))
	}
	return h, nil
}

// With are the hours of a resource: its own, and never when the house is closed.
func (h *Hours) With(c frontdesk.Calendar, r frontdesk.Resource) *Hours {
	return &Hours{
		zone: h.zone, week: r.Openings, exceptions: r.Exceptions, closures: closures(c, r.ID, h.zone), house: h,
	}
}

// closures are the times in which a resource takes nobody, or the house itself.
func closures(c frontdesk.Calendar, resource string, zone *time.Location) (all []Span) {
	for _, cl := range c.Closures {
		from, _ := cl.From.In(zone)
		to, _ := cl.To.In(zone)
		if cl.ResourceID == resource && from.Before(to) {
			all = append(all, Span{from, to})
		}
	}
	return joined(all)
}

// joined are spans in their order, with those that touch made one.
func joined(all []Span) (joined []Span) {
	slices.SortFunc(all, func(a, b Span) int { return cmp.Or(a.From.Compare(b.From), a.To.Compare(b.To)) })
	for _, s := range all {
		if last := len(joined) - 1; last >= 0 && !s.From.After(joined[last].To) {
			if s.To.After(joined[last].To) {
				joined[last].To = s.To
			}
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

// Zone is where the business's clock is.
func (h *Hours) Zone() *time.Location { return h.zone }

// Known says whether it was said on which days the house is open. Nobody can
// tell of one of which it was not.
func (h *Hours) Known() bool {
	return h.week != nil && slices.ContainsFunc(h.week[:], func(p []frontdesk.Period) bool { return len(p) > 0 })
}

// Week are the periods of an ordinary week.
func (h *Hours) Week() frontdesk.Week {
	if h.week == nil {
		return aroundTheClock
	}
	return *h.week
}

var aroundTheClock = frontdesk.WeekOf(frontdesk.Hours{{Open: 0, Close: 24}, {Open: 0, Close: 24}, {Open: 0, Close: 24}, {Open: 0, Close: 24}, {Open: 0, Close: 24}, {Open: 0, Close: 24}, {Open: 0, Close: 24}})

// Periods are when the house is to open on a date by its book, before closures,
// with why that is not what is usual.
func (h *Hours) Periods(d frontdesk.Date) (periods []frontdesk.Period, reason, holiday string) {
	if e, ok := exceptionOn(h.exceptions, d); ok {
		return e.Openings, e.Reason, ""
	}
	if holiday, closed := h.holiday(d); closed {
		return nil, "", holiday.Name
	}
	if holiday, closed := h.told.closes(d); closed {
		return nil, "", holiday
	}
	return h.Week()[(int(d.Weekday())+6)%7], "", ""
}

// Excepted says whether the house keeps other hours on a date than on an
// ordinary day of the week.
func (h *Hours) Excepted(d frontdesk.Date) bool {
	if _, excepted := exceptionOn(h.exceptions, d); excepted {
		return true
	}
	if _, closed := h.holiday(d); closed {
		return true
	}
	if _, closed := h.told.closes(d); closed {
		return true
	}
	from, to := d.At(0, h.zone), d.AddDays(2).At(0, h.zone)
	return slices.ContainsFunc(h.closures, func(s Span) bool { return s.From.Before(to) && s.To.After(from) })
}

// KnowsHolidays says whether the house has said that it is closed on public holidays.
func (h *Hours) KnowsHolidays() bool { return h.region != "" || h.told.holidays }

// ClosesByWords says whether the words of the house name days on which it is closed
// beside those of the week: who asks for more than a date hears them as they are.
func (h *Hours) ClosesByWords() bool {
	return len(h.told.months)+len(h.told.feasts) > 0
}

func (h *Hours) holiday(d frontdesk.Date) (Holiday, bool) {
	if h.region == "" {
		return Holiday{}, false
	}
	return HolidayOn(h.region, d)
}

// exceptionOn is the exception that rules a date. Of several the shortest does,
// for who is away in August and opens on one day of it says so with a second
// one; of two as short, the one listed later.
func exceptionOn(all []frontdesk.Exception, d frontdesk.Date) (found frontdesk.Exception, ok bool) {
	for _, e := range all {
		if e.Covers(d) && (!ok || e.From.DaysUntil(e.To) <= found.From.DaysUntil(found.To)) {
			found, ok = e, true
		}
	}
	return found, ok
}

// Day is when the house opens on a date, and how long it is open then.
func (h *Hours) Day(d frontdesk.Date) Day {
	periods, reason, holiday := h.Periods(d)
	day := Day{Date: d, Reason: reason, Holiday: holiday}
	for _, p := range periods {
		s := Span{d.At(p.From, h.zone), d.At(p.End(), h.zone)}
		if s.From.Before(s.To) {
			day.Open = append(day.Open, s)
		}
	}
	day.Open = without(joined(day.Open), h.closures)
	if h.house != nil {
		day.Open = common(day.Open, h.house.around(d))
	}
	return day
}

// around are the spans of a house that a resource's day can fall into: a night
// may have begun the day before, and another day may begin before it ends.
func (h *Hours) around(d frontdesk.Date) (all []Span) {
	for n := -1; n <= 1; n++ {
		all = append(all, h.Day(d.AddDays(n)).Open...)
	}
	return joined(all)
}

// without is what is left of spans when others are taken out of them. Both are
// in order.
func without(spans, out []Span) []Span {
	if len(out) == 0 {
		return spans
	}
	var left []Span
	for _, s := range spans {
		for _, o := range out {
			if !o.To.After(s.From) || !o.From.Before(s.To) {
				continue
			}
			if s.From.Before(o.From) {
				left = append(left, Span{s.From, o.From})
			}
			s.From = o.To
		}
		if s.From.Before(s.To) {
			left = append(left, s)
		}
	}
	return left
}

// common is what two lists of spans have in common. Both are in order.
func common(a, b []Span) (both []Span) {
	for _, s := range a {
		for _, o := range b {
			from, to := s.From, s.To
			if o.From.After(from) {
				from = o.From
			}
			if o.To.Before(to) {
				to = o.To
			}
			if from.Before(to) {
				both = append(both, Span{from, to})
			}
		}
	}
	return both
}

// OpenAt says whether the house is open at an instant.
func (h *Hours) OpenAt(t time.Time) bool {
	_, open := h.at(t)
	return open
}

// at is the span that an instant is in, and whether it is in one.
func (h *Hours) at(t time.Time) (Span, bool) {
	today := frontdesk.DateOf(t.In(h.zone))
	for _, d := range []frontdesk.Date{today.AddDays(-1), today} {
		for _, s := range h.Day(d).Open {
			if s.Contains(t) {
				return s, true
			}
		}
	}
	return Span{}, false
}

// Closing is when the house that is open at an instant closes, as far as needed:
// one that opens again as it closes does not close. It is zero when the house
// is closed.
func (h *Hours) Closing(t, needed time.Time) time.Time {
	s, open := h.at(t)
	if !open {
		return time.Time{}
	}
	for s.To.Before(needed) {
		next, goesOn := h.at(s.To)
		if !goesOn {
			break
		}
		s.To = next.To
	}
	return s.To
}

// farthest is how many days ahead the next opening is looked for: a house that
// opens in summer alone says so.
const farthest = 370

// Next is the first instant after t at which the house opens. It is false when
// it is open at t already, or does not open in a year.
func (h *Hours) Next(t time.Time) (time.Time, bool) {
	if h.OpenAt(t) {
		return time.Time{}, false
	}
	d := frontdesk.DateOf(t.In(h.zone))
	for range farthest {
		for _, s := range h.Day(d).Open {
			if s.From.After(t) {
				return s.From, true
			}
		}
		d = d.AddDays(1)
	}
	return time.Time{}, false
}
