package ical

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// What can be wrong with a calendar. Errors of Busy wrap one of these, or are
// those of the reader.
var (
	ErrNoCalendar = errors.New("ical: this is no calendar, or a part of one only")
	ErrTooMuch    = errors.New("ical: the calendar holds more than is read")
	ErrValue      = errors.New("ical: a value that cannot be understood")
)

// EventError is about an event of which not all is known.
type EventError struct {
	UID   string
	Start string // as the calendar spells it
	Err   error  // wraps ErrTooMuch or ErrValue
}

func (e *EventError) Error() string {
	return fmt.Sprintf("the event %.200q of %.40q: %v", e.UID, e.Start, e.Err)
}

func (e *EventError) Unwrap() error { return e.Err }

// Options say what is asked of a calendar, and bound what it may take. The bounds
// have sensible values when they are zero.
type Options struct {
	From, To time.Time
	Zone     *time.Location // of times without a zone and of whole days; nil is UTC

	Bytes       int // of the calendar; 20 MiB
	Line        int // bytes of a line that matters, unfolded; 256 KiB
	Components  int // events, time zones and their blocks; 50,000
	Occurrences int // of one event between From and To; 10,000
	Periods     int // in all; 100,000
	Work        int // days that recurrences look at, times what they look for in each; 10 million
}

func (o Options) withDefaults() Options {
	o.Zone = cmp.Or(o.Zone, time.UTC)
	o.Bytes = cmp.Or(o.Bytes, 20<<20)
	o.Line = cmp.Or(o.Line, 256<<10)
	o.Components = cmp.Or(o.Components, 50_000)
	o.Occurrences = cmp.Or(o.Occurrences, 10_000)
	o.Periods = cmp.Or(o.Periods, 100_000)
	o.Work = cmp.Or(o.Work, 10_000_000)
	return o
}

// Period is a time at which somebody is busy.
type Period struct {
	Start, End time.Time
	UID        string // of its event, "" if it has none
	AllDay     bool
}

// maxFaults is how many events an error names.
const maxFaults = 20

// Busy reads the periods of a calendar that overlap the time from o.From until
// o.To, in the order of their starts. Each is whole, and has the UID of its event:
// periods that overlap each other are not merged, so that whoever wrote an event
// there can leave it out again. Events that are cancelled or transparent make none,
// and neither do those that take no time.
//
// Events that cannot be understood and may be in that time, or that recur too often, are named by the
// EventErrors that the error joins. The periods beside them are those of the other
// events: they are right, but not all. Beside any other error there are none.
func Busy(r io.Reader, o Options) ([]Period, error) {
	o = o.withDefaults()
	if !o.From.Before(o.To) {
		return nil, fmt.Errorf("ical: no time from %v to %v", o.From, o.To)
	}
	all, err := scan(r, o)
	if err != nil {
		return nil, err
	}
	c := newCalendar(all, o)
	c.moved(all.events)
	if c.done != nil {
		return nil, c.done
	}
	for _, event := range all.events {
		err := c.event(event)
		if errors.Is(err, ErrValue) && c.outside(event) {
			err = nil
		}
		c.note(event, err)
		if c.done != nil {
			return nil, c.done
		}
	}
	for _, freeBusy := range all.freeBusy {
		c.note(freeBusy, c.freeBusy(freeBusy))
		if c.done != nil {
			return nil, c.done
		}
	}
	slices.SortFunc(c.periods, func(a, b Period) int {
		return cmp.Or(a.Start.Compare(b.Start), a.End.Compare(b.End), strings.Compare(a.UID, b.UID))
	})
	c.periods = slices.CompactFunc(c.periods, func(a, b Period) bool {
		return a.Start.Equal(b.Start) && a.End.Equal(b.End) && a.UID == b.UID
	})
	return c.periods, errors.Join(c.faults...)
}

// calendar is a calendar that is being read.
type calendar struct {
	o       Options
	zones   zones
	work    *work
	changed map[string]*dateSet // UID -> the occurrences that an event of their own stands for
	periods []Period
	faults  []error
	done    error // why the rest is not read
}

// work is what recurrences may still take. It is never all taken by what was
// finished: none left means that something was not.
type work struct{ left int }

var errWork = fmt.Errorf("%w: it takes too much work", ErrTooMuch)

// spend says whether there was so much left.
func (w *work) spend(units int) bool {
	if units < 0 || units >= w.left {
		w.left = 0
		return false
	}
	w.left -= units
	return true
}

func newCalendar(all contents, o Options) *calendar {
	w := &work{left: o.Work}
	return &calendar{o: o, work: w, zones: newZones(all.zones, o.Zone, w), changed: map[string]*dateSet{}}
}

// note keeps the error of a component, which ends the reading if nothing further
// could be read anyway.
func (c *calendar) note(of *component, err error) {
	if err == nil && c.work.left > 0 {
		return
	}
	if err == nil {
		err = errWork
	}
	err = &EventError{UID: uid(of), Start: of.first("DTSTART").value, Err: err}
	switch {
	case c.work.left == 0 || len(c.periods) > c.o.Periods:
		c.done = err
	case len(c.faults) < maxFaults:
		c.faults = append(c.faults, err)
	}
}

func uid(c *component) string { return unescape(c.first("UID").value) }

func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return strings.NewReplacer(`\\`, `\`, `\,`, `,`, `\;`, `;`, `\n`, "\n", `\N`, "\n").Replace(s)
}

// moved notes which occurrences of recurring events have events of their own.
func (c *calendar) moved(events []*component) {
	for _, event := range events {
		p := event.first("RECURRENCE-ID")
		if p.name == "" {
			continue
		}
		if strings.EqualFold(p.param("RANGE"), "THISANDFUTURE") {
			c.note(event, fmt.Errorf("%w: a change of all later occurrences", ErrValue))
			continue
		}
		s, err := c.zones.stamp(p, p.value)
		if err != nil {
			c.note(event, err)
			continue
		}
		id := uid(event)
		if c.changed[id] == nil {
			c.changed[id] = newDateSet()
		}
		c.changed[id].add(s)
	}
}

// add adds a period if it is in the time that was asked for, and says whether it
// is.
func (c *calendar) add(p Period) (bool, error) {
	if !p.Start.Before(p.End) || !p.Start.Before(c.o.To) || !p.End.After(c.o.From) {
		return false, nil
	}
	p.Start, p.End = p.Start.In(c.o.Zone), p.End.In(c.o.Zone)
	c.periods = append(c.periods, p)
	if len(c.periods) > c.o.Periods {
		return true, fmt.Errorf("%w: too many periods", ErrTooMuch)
	}
	return true, nil
}

// freeBusy adds the periods of a table of them.
func (c *calendar) freeBusy(of *component) error {
	id := uid(of)
	for _, p := range of.all("FREEBUSY") {
		if strings.EqualFold(p.param("FBTYPE"), "FREE") {
			continue
		}
		for value := range strings.SplitSeq(p.value, ",") {
			start, end, err := c.zones.period(p, value)
			if err != nil {
				return err
			}
			if _, err := c.add(Period{Start: start.instant(), End: end, UID: id}); err != nil {
				return err
			}
		}
	}
	return nil
}
