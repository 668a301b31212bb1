// Package ical writes and reads iCalendar (RFC 5545).
//
// Out, a calendar of appointments becomes a file or a feed:
//
//	Calendar.Write -> header -> timeZone -> event -> line
//
// In, the calendar of a stranger becomes the times at which its owner is busy:
//
//	Busy -> scan -> calendar.event -> series.add -> rule.each -> calendar.add
//
// Whatever is read ends within the bounds of Options, in periods or in an error:
// a time that is taken and not known to be would be given away twice, so nothing
// is left out in silence. The package knows nothing of captures, agents or HTTP.
package ical

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"
)

// Calendar is what a file or a feed holds.
type Calendar struct {
	Name    string
	Zone    *time.Location // in which the times are written; nil is UTC
	Refresh time.Duration  // how often readers should come back; 0 does not say
	Kept    bool           // on a CalDAV server, where nothing may say how it was sent (RFC 4791, 4.1)
	Events  []Event
}

// Event is an appointment.
type Event struct {
	UID         string
	Sequence    int // how often the event was changed; 0 is not written
	Start, End  time.Time
	Summary     string
	Location    string
	Description string
	URL         string
	Categories  []string
	Status      string // one of those below, or ""
	Changed     time.Time
}

// What the status of an event can be.
const (
	Tentative = "TENTATIVE"
	Confirmed = "CONFIRMED"
	Cancelled = "CANCELLED"
)

// ErrEvent is wrapped by the errors about an event that cannot be written.
var ErrEvent = errors.New("ical: an event that cannot be written")

// flushAt is how many bytes are gathered before they are written.
const flushAt = 16 << 10

// Write writes the calendar. End of an event is zero when nobody knows it.
func (c Calendar) Write(w io.Writer) error {
	b := lines{buf: make([]byte, 0, flushAt+4<<10)}
	zone := namedZone(c.Zone)
	c.header(&b, zone)
	for i := range c.Events {
		if err := b.event(&c.Events[i], zone); err != nil {
			return err
		}
		if len(b.buf) >= flushAt {
			if _, err := w.Write(b.buf); err != nil {
				return err
			}
			b.buf = b.buf[:0]
		}
	}
	b.line("END", "VCALENDAR")
	_, err := w.Write(b.buf)
	return err
}

// AppendText appends what Write writes to text.
func (c Calendar) AppendText(text []byte) ([]byte, error) {
	b := lines{buf: text}
	zone := namedZone(c.Zone)
	c.header(&b, zone)
	for i := range c.Events {
		if err := b.event(&c.Events[i], zone); err != nil {
			return text, err
		}
	}
	b.line("END", "VCALENDAR")
	return b.buf, nil
}

// namedZone is zone if a reader can be told its name; else it is nil, for UTC.
func namedZone(zone *time.Location) *time.Location {
	if zone == nil || zone == time.UTC || slices.Contains([]string{"", "Local", "UTC"}, zone.String()) {
		return nil
	}
	return zone
}

func (c Calendar) header(b *lines, zone *time.Location) {
	b.line("BEGIN", "VCALENDAR")
	b.line("VERSION", "2.0")
	b.line("PRODID", "-//frontdesk//frontdesk//EN")
	b.line("CALSCALE", "GREGORIAN")
	if !c.Kept {
		b.line("METHOD", "PUBLISH")
	}
	b.text("NAME", c.Name) // RFC 7986; X-WR-CALNAME is what most readers know
	b.text("X-WR-CALNAME", c.Name)
	if c.Refresh >= time.Minute {
		b.line("REFRESH-INTERVAL;VALUE=DURATION", minutes(c.Refresh))
		b.line("X-PUBLISHED-TTL", minutes(c.Refresh))
	}
	if zone == nil {
		return
	}
	b.text("X-WR-TIMEZONE", zone.String())
	if first, last, ok := c.span(); ok {
		b.timeZone(zone, first, last)
	}
}

func minutes(d time.Duration) string {
	return "PT" + strconv.FormatInt(int64(d/time.Minute), 10) + "M"
}

// span is from the first to the last instant of all events.
func (c Calendar) span() (first, last time.Time, ok bool) {
	for i := range c.Events {
		for _, t := range []time.Time{c.Events[i].Start, c.Events[i].End} {
			if t.IsZero() {
				continue
			}
			if !ok || t.Before(first) {
				first = t
			}
			if !ok || t.After(last) {
				last = t
			}
			ok = true
		}
	}
	return first, last, ok
}

func (b *lines) event(e *Event, zone *time.Location) error {
	switch {
	case e.UID == "":
		return fmt.Errorf("%w: it has no UID", ErrEvent)
	case e.Start.IsZero():
		return fmt.Errorf("%w: %s has no start", ErrEvent, e.UID)
	case e.Status != "" && e.Status != Tentative && e.Status != Confirmed && e.Status != Cancelled:
		return fmt.Errorf("%w: %s has the status %q", ErrEvent, e.UID, e.Status)
	}
	b.line("BEGIN", "VEVENT")
	b.text("UID", e.UID)
	b.time("DTSTAMP", e.Changed, nil)
	b.time("LAST-MODIFIED", e.Changed, nil)
	if e.Sequence > 0 {
		b.line("SEQUENCE", strconv.Itoa(e.Sequence))
	}
	b.time("DTSTART", e.Start, zone)
	b.time("DTEND", e.End, zone)
	b.text("SUMMARY", e.Summary)
	b.text("LOCATION", e.Location)
	b.text("DESCRIPTION", e.Description)
	b.uri("URL", e.URL)
	b.list("CATEGORIES", e.Categories)
	b.line("STATUS", e.Status)
	b.line("END", "VEVENT")
	return nil
}
