package ical

import (
	"fmt"
	"slices"
	"time"
)

// The layouts of dates and times, without the Z of those in UTC.
const (
	dateLayout  = "20060102"
	clockLayout = "20060102T150405"
)

// change is when the clocks of a zone are put from one offset to another.
type change struct {
	at       time.Time
	from, to int // seconds east of UTC
	name     string
	summer   bool
}

// sameKind says whether two changes belong in one block of a time zone.
func (c change) sameKind(d change) bool {
	return c.from == d.from && c.to == d.to && c.name == d.name && c.summer == d.summer
}

// onset is what the clock showed when it was put to another time.
func (c change) onset() time.Time {
	return c.at.UTC().Add(time.Duration(c.from) * time.Second)
}

// timeZone writes the offsets of a zone between two instants. Changes of one kind
// share a block that names the dates of all of them. No rule is made up from the
// dates: governments do not keep to any, and a date is always right.
func (b *lines) timeZone(zone *time.Location, first, last time.Time) {
	b.line("BEGIN", "VTIMEZONE")
	b.text("TZID", zone.String())
	var written []change // one of each kind
	all := changes(zone, first, last)
	for i, c := range all {
		if !slices.ContainsFunc(written, c.sameKind) {
			b.observance(c, all[i+1:])
			written = append(written, c)
		}
	}
	b.line("END", "VTIMEZONE")
}

// observance writes the block of a change and of those like it that come later.
func (b *lines) observance(c change, later []change) {
	kind := "STANDARD"
	if c.summer {
		kind = "DAYLIGHT"
	}
	b.line("BEGIN", kind)
	b.begin("DTSTART:")
	b.clock(c.onset())
	b.end()
	b.line("TZOFFSETFROM", offset(c.from))
	b.line("TZOFFSETTO", offset(c.to))
	b.text("TZNAME", c.name)
	for _, d := range later {
		if d.sameKind(c) {
			b.begin("RDATE:")
			b.clock(d.onset())
			b.end()
		}
	}
	b.line("END", kind)
}

// changes are the change that is in force at first and those until last. The
// years that a file can name bound them.
func changes(zone *time.Location, first, last time.Time) (all []change) {
	t := first.In(zone)
	since, until := bounds(t)
	name, to := t.Zone()
	c := change{at: since, from: to, to: to, name: name, summer: t.IsDST()}
	if since.IsZero() || since.Year() < 1 {
		// It was always so. The year is any that is long ago.
		c.at = time.Date(min(t.Year(), 1970), 1, 1, 0, 0, 0, 0, time.UTC).Add(-time.Duration(to) * time.Second)
	} else {
		_, c.from = since.Add(-time.Second).Zone()
	}
	all = append(all, c)
	for !until.IsZero() && !until.After(last) && until.Year() <= 9999 {
		from := to
		t = until
		name, to = t.Zone()
		all = append(all, change{at: t, from: from, to: to, name: name, summer: t.IsDST()})
		_, until = bounds(t)
	}
	return all
}

// bounds are since when and until when the clocks go as they do at t. Go's own
// bounds are also those of the year where a zone has no dates but a rule, so that
// nothing may have changed at one; and Go ends such a year after 365 days, so that
// one may be no further than the one before it.
func bounds(t time.Time) (since, until time.Time) {
	const day = 24 * time.Hour
	since, until = t.ZoneBounds()
	for !since.IsZero() && since.Year() > 0 && sameClock(since.Add(-time.Second), t) {
		earlier, _ := since.Add(-time.Second).ZoneBounds()
		if !earlier.Before(since) {
			earlier = since.Add(-day)
		}
		since = earlier
	}
	for !until.IsZero() && until.Year() <= 9999 && sameClock(until, t) {
		_, later := until.ZoneBounds()
		if !later.IsZero() && !later.After(until) {
			later = until.Add(day)
		}
		until = later
	}
	return since, until
}

func sameClock(a, b time.Time) bool {
	nameA, offsetA := a.Zone()
	nameB, offsetB := b.Zone()
	return nameA == nameB && offsetA == offsetB && a.IsDST() == b.IsDST()
}

// offset spells seconds east of UTC.
func offset(seconds int) string {
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	text := fmt.Sprintf("%c%02d%02d", sign, seconds/3600, seconds/60%60)
	if seconds%60 != 0 {
		text += fmt.Sprintf("%02d", seconds%60)
	}
	return text
}
