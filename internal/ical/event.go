package ical

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// busyStatus is how Outlook says whether an event takes time.
const busyStatus = "X-MICROSOFT-CDO-BUSYSTATUS"

// takesNone says whether an event is there and takes no time.
func takesNone(event *component) bool {
	is := func(property, value string) bool { return strings.EqualFold(event.first(property).value, value) }
	return is("STATUS", Cancelled) || is("TRANSP", "TRANSPARENT") || is(busyStatus, "FREE")
}

// event adds the periods of an event.
func (c *calendar) event(of *component) error {
	if takesNone(of) {
		return nil
	}
	p := of.first("DTSTART")
	if p.name == "" {
		return fmt.Errorf("%w: it has no DTSTART", ErrValue)
	}
	start, err := c.zones.stamp(p, p.value)
	if err != nil {
		return err
	}
	end, length, err := c.length(of, start)
	if err != nil {
		return err
	}
	e := series{calendar: c, uid: uid(of), start: start, length: length}
	changed := of.first("RECURRENCE-ID").name != ""
	rules, dates := of.all("RRULE"), of.all("RDATE")
	if changed || len(rules) == 0 && len(dates) == 0 {
		// EXDATE of an event that does not recur can only mean the event itself.
		if !changed {
			if err := e.exclude(of); err != nil {
				return err
			}
		}
		if e.excluded(start) {
			return nil
		}
		_, err := c.add(Period{Start: start.instant(), End: end, UID: e.uid, AllDay: start.date})
		return err
	}
	if length.tooLong() {
		return fmt.Errorf("%w: it recurs and takes longer than %d years", ErrTooMuch, maxYears)
	}
	if err := e.exclude(of); err != nil {
		return err
	}
	e.without = append(e.without, c.changed[e.uid])
	return e.add(rules, dates)
}

// outside says whether an event is too far from the time that was asked for to
// matter in any zone. Calendars keep what is wrong in them for years, and an error
// that is always there is looked at by nobody.
func (c *calendar) outside(of *component) bool {
	if of.first("RRULE").name != "" || of.first("RDATE").name != "" {
		return false
	}
	start, _, _, err := parseStamp(of.first("DTSTART").value)
	if err != nil {
		return false
	}
	end := start
	if p := of.first("DTEND"); p.name != "" {
		if end, _, _, err = parseStamp(p.value); err != nil {
			return false
		}
	} else if p := of.first("DURATION"); p.name != "" {
		length, err := parseSpan(p.value)
		if err != nil {
			return false
		}
		end = start.AddDate(0, 0, length.days).Add(length.exact)
	}
	const far = 3 * 24 * time.Hour
	if end.Before(start) {
		start, end = end, start
	}
	return end.Add(far).Before(c.o.From) || start.Add(-far).After(c.o.To)
}

// length is when an event ends, and how long it takes whenever it recurs.
func (c *calendar) length(of *component, start stamp) (end time.Time, length span, err error) {
	begin := start.instant()
	if p := of.first("DTEND"); p.name != "" {
		stop, err := c.zones.stamp(p, p.value)
		if err != nil {
			return end, length, err
		}
		end = stop.instant()
		switch {
		case end.Before(begin):
			return end, length, fmt.Errorf("%w: it ends before it begins", ErrValue)
		case start.date && stop.date:
			// There are writers that end a day on the day itself.
			length.days = max(int(stop.wall.Unix()-start.wall.Unix())/secondsOfADay, 1)
			return start.plus(length), length, nil
		}
		length.exact = end.Sub(begin) // the longest there is, if it takes centuries
		return end, length, nil
	}
	if p := of.first("DURATION"); p.name != "" {
		if length, err = parseSpan(p.value); err != nil {
			return end, length, err
		}
	} else if start.date {
		length.days = 1
	}
	return start.plus(length), length, nil
}

// series are the occurrences of an event that recurs.
type series struct {
	*calendar
	uid     string
	start   stamp
	length  span
	without []*dateSet
	found   int
}

// exclude leaves out the occurrences that EXDATE names.
func (e *series) exclude(of *component) error {
	set := newDateSet()
	for _, p := range of.all("EXDATE") {
		for value := range strings.SplitSeq(p.value, ",") {
			if value == "" {
				continue
			}
			s, err := e.zones.stamp(p, value)
			if err != nil {
				return err
			}
			set.add(s)
		}
	}
	e.without = append(e.without, set)
	return nil
}

func (e *series) excluded(s stamp) bool {
	for _, set := range e.without {
		if set.has(s) {
			return true
		}
	}
	return false
}

// add adds the periods of all occurrences.
func (e *series) add(rules, dates []property) error {
	if err := e.occurrence(e.start, e.start.plus(e.length)); err != nil {
		return err
	}
	for _, p := range dates {
		for value := range strings.SplitSeq(p.value, ",") {
			if err := e.date(p, value); err != nil {
				return err
			}
		}
	}
	// By the clock of the event, and a day longer at both ends than clocks differ.
	from := e.length.before(e.start.zone.wall(e.o.From).AddDate(0, 0, -2))
	to := e.start.zone.wall(e.o.To).AddDate(0, 0, 2)
	for _, p := range rules {
		r, err := parseRule(p.value, e.start)
		if err != nil {
			return err
		}
		var fault error
		err = r.each(e.work, from, to, func(wall time.Time) bool {
			s := stamp{wall: wall, date: e.start.date, zone: e.start.zone}
			fault = e.occurrence(s, s.plus(e.length))
			return fault == nil
		})
		if err != nil || fault != nil {
			return cmp.Or(fault, err)
		}
	}
	return nil
}

// date adds an occurrence of RDATE, which may be a period.
func (e *series) date(p property, value string) error {
	if value == "" {
		return nil
	}
	if strings.Contains(value, "/") {
		start, end, err := e.zones.period(p, value)
		if err != nil {
			return err
		}
		return e.occurrence(start, end)
	}
	start, err := e.zones.stamp(p, value)
	if err != nil {
		return err
	}
	return e.occurrence(start, start.plus(e.length))
}

// occurrence adds an occurrence unless it is left out.
func (e *series) occurrence(start stamp, end time.Time) error {
	if e.excluded(start) {
		return nil
	}
	added, err := e.calendar.add(Period{Start: start.instant(), End: end, UID: e.uid, AllDay: start.date})
	if added {
		e.found++
	}
	if err == nil && e.found > e.o.Occurrences {
		err = fmt.Errorf("%w: it recurs too often", ErrTooMuch)
	}
	return err
}

// dateSet is a set of occurrences. One that is named by its date is any of that
// day.
type dateSet struct {
	instants map[int64]struct{}
	days     map[int64]struct{} // of those with a date only
	anyDays  map[int64]struct{} // of all
}

func newDateSet() *dateSet {
	return &dateSet{instants: map[int64]struct{}{}, days: map[int64]struct{}{}, anyDays: map[int64]struct{}{}}
}

func (d *dateSet) add(s stamp) {
	day := s.day()
	d.anyDays[day] = struct{}{}
	if s.date {
		d.days[day] = struct{}{}
	} else {
		d.instants[s.instant().Unix()] = struct{}{}
	}
}

func (d *dateSet) has(s stamp) bool {
	if d == nil || len(d.anyDays) == 0 {
		return false
	}
	if s.date {
		_, ok := d.anyDays[s.day()]
		return ok
	}
	if _, ok := d.days[s.day()]; ok {
		return true
	}
	_, ok := d.instants[s.instant().Unix()]
	return ok
}
