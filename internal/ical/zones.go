package ical

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// zone tells instants from what its clocks show. A time that the clocks jump over
// counts from before the jump, and one that they show twice is the first of the
// two, as RFC 5545 has it.
type zone interface {
	instant(wall time.Time) time.Time
	wall(instant time.Time) time.Time
}

// location is a zone that Go knows.
type location struct{ *time.Location }

func (l location) offset(t time.Time) time.Duration {
	_, seconds := t.In(l.Location).Zone()
	return time.Duration(seconds) * time.Second
}

func (l location) wall(instant time.Time) time.Time {
	return instant.UTC().Add(l.offset(instant))
}

func (l location) instant(wall time.Time) time.Time {
	// No offset is longer than a day, and no two changes are closer.
	before, after := l.offset(wall.Add(-24*time.Hour)), l.offset(wall.Add(24*time.Hour))
	first := wall.Add(-before)
	if before == after || l.offset(first) == before {
		return first
	}
	if second := wall.Add(-after); l.offset(second) == after {
		return second
	}
	return first
}

// zones are the zones of a calendar by the names that it has for them.
type zones struct {
	floating zone // of times without one
	own      map[string]*component
	known    map[string]zone
	failed   map[string]error
	work     *work
}

// maxZones is how many names are looked up: each costs a look at the disk.
const maxZones = 300

func newZones(own []*component, floating *time.Location, w *work) zones {
	z := zones{floating: location{floating}, own: map[string]*component{}, known: map[string]zone{}, failed: map[string]error{}, work: w}
	for _, c := range own {
		z.own[unescape(c.first("TZID").value)] = c
	}
	return z
}

// stamp reads a date or a time that is a value of a property.
func (z *zones) stamp(p property, value string) (stamp, error) {
	wall, date, utc, err := parseStamp(value)
	if err != nil {
		return stamp{}, err
	}
	s := stamp{wall: wall, date: date, zone: z.floating}
	if name := p.param("TZID"); utc {
		s.zone = location{time.UTC}
	} else if name != "" && !date {
		s.zone, err = z.named(name)
	}
	return s, err
}

// period reads a period with an end or a duration.
func (z *zones) period(p property, value string) (start stamp, end time.Time, err error) {
	first, second, _ := strings.Cut(value, "/")
	start, err = z.stamp(p, first)
	if err != nil {
		return start, end, err
	}
	if strings.HasPrefix(strings.TrimPrefix(second, "+"), "P") {
		length, err := parseSpan(second)
		return start, start.plus(length), err
	}
	stop, err := z.stamp(p, second)
	if err != nil {
		return start, end, err
	}
	if stop.instant().Before(start.instant()) {
		return start, end, fmt.Errorf("%w: it ends before it begins", ErrValue)
	}
	return start, stop.instant(), nil
}

// named is the zone of a name: one of the world's, one of Windows', or one that
// the calendar itself describes. The calendar comes last because those that write
// one often describe the zone of this year only.
func (z *zones) named(name string) (zone, error) {
	if found, ok := z.known[name]; ok {
		return found, nil
	}
	if err, ok := z.failed[name]; ok {
		return nil, err
	}
	if len(z.known)+len(z.failed) >= maxZones {
		return nil, fmt.Errorf("%w: too many time zones", ErrTooMuch)
	}
	found, err := z.find(name)
	if err != nil {
		z.failed[name] = err
		return nil, err
	}
	z.known[name] = found
	return found, nil
}

func (z *zones) find(name string) (zone, error) {
	// Some writers put a path of their own before the name, as in
	// /example.org/20260101_1/Europe/Madrid.
	for rest, more := name, true; more; _, rest, more = strings.Cut(rest, "/") {
		if l, ok := loadZone(rest); ok {
			return location{l}, nil
		}
	}
	if l, ok := loadZone(windowsZone(name)); ok {
		return location{l}, nil
	}
	if c, ok := z.own[name]; ok {
		return newOwnZone(c, z.work)
	}
	return nil, fmt.Errorf("%w: no time zone is called %.100q", ErrValue, name)
}

// loadZone is a zone of the world. "Local" is none: it would be that of this
// machine.
func loadZone(name string) (*time.Location, bool) {
	plain := func(r rune) bool {
		return r < 0x80 && (r == '/' || r == '_' || r == '-' || r == '+' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z')
	}
	if name == "" || len(name) > 64 || name == "Local" || strings.ContainsFunc(name, func(r rune) bool { return !plain(r) }) {
		return nil, false
	}
	l, err := time.LoadLocation(name)
	return l, err == nil
}

// ownZone is a zone that a calendar describes.
type ownZone struct {
	blocks []observance
	years  map[int][]onset
	work   *work
}

// observance is a block of a time zone: how its clocks go from some dates on.
type observance struct {
	start    time.Time // by the clock before it
	from, to time.Duration
	rule     *rule
	dates    []time.Time
}

// onset is a time at which clocks are put from one offset to another.
type onset struct {
	wall     time.Time // by the clock before it
	from, to time.Duration
}

func newOwnZone(c *component, w *work) (*ownZone, error) {
	z := &ownZone{years: map[int][]onset{}, work: w}
	for _, block := range c.blocks {
		b, err := newObservance(block)
		if err != nil {
			return nil, err
		}
		z.blocks = append(z.blocks, b)
	}
	if len(z.blocks) == 0 {
		return nil, fmt.Errorf("%w: a time zone without offsets", ErrValue)
	}
	slices.SortStableFunc(z.blocks, func(a, b observance) int { return a.start.Compare(b.start) })
	return z, nil
}

func newObservance(c *component) (b observance, err error) {
	if b.from, err = parseOffset(c.first("TZOFFSETFROM").value); err != nil {
		return b, err
	}
	if b.to, err = parseOffset(c.first("TZOFFSETTO").value); err != nil {
		return b, err
	}
	if b.start, _, _, err = parseStamp(c.first("DTSTART").value); err != nil {
		return b, err
	}
	if p := c.first("RRULE"); p.name != "" {
		// UNTIL of a time zone is in UTC, and its clock is the one before the change.
		before := location{time.FixedZone("", int(b.from/time.Second))}
		if b.rule, err = parseRule(p.value, stamp{wall: b.start, zone: before}); err != nil {
			return b, err
		}
	}
	for _, p := range c.all("RDATE") {
		for value := range strings.SplitSeq(p.value, ",") {
			date, _, _, err := parseStamp(value)
			if err != nil {
				return b, err
			}
			b.dates = append(b.dates, date)
		}
	}
	b.dates = append(b.dates, b.start)
	slices.SortFunc(b.dates, time.Time.Compare)
	return b, nil
}

// parseOffset reads an offset such as +0100 or -001444.
func parseOffset(text string) (time.Duration, error) {
	digits := strings.TrimLeft(text, "+-")
	if len(digits) == 4 {
		digits += "00"
	}
	if len(digits) != 6 || len(text)-len(strings.TrimLeft(text, "+-")) > 1 || number(digits) < 0 || number(digits) > 23_59_59 {
		return 0, fmt.Errorf("%w: %.40q is no offset", ErrValue, text)
	}
	seconds := number(digits[:2])*3600 + number(digits[2:4])*60 + number(digits[4:])
	if text[0] == '-' {
		seconds = -seconds
	}
	return time.Duration(seconds) * time.Second, nil
}

// each calls do with the onsets from one time until another. The first of them are
// not in order.
func (b *observance) each(w *work, from, to time.Time, do func(onset)) {
	first, _ := slices.BinarySearchFunc(b.dates, from, time.Time.Compare)
	for _, date := range b.dates[first:] {
		if !w.spend(1) || !date.Before(to) {
			break
		}
		do(onset{date, b.from, b.to})
	}
	if b.rule == nil {
		return
	}
	// What ends this early is noticed by the work that is left.
	_ = b.rule.each(w, from, to, func(wall time.Time) bool {
		do(onset{wall, b.from, b.to})
		return true
	})
}

// last is the last onset before a time.
func (b *observance) last(w *work, before time.Time) (last onset, ok bool) {
	if b.rule != nil && !b.rule.until.IsZero() && b.rule.until.Before(before) {
		before = b.rule.until.Add(time.Second)
	}
	if i, _ := slices.BinarySearchFunc(b.dates, before, time.Time.Compare); i > 0 {
		last, ok = onset{b.dates[i-1], b.from, b.to}, true
	}
	if b.rule == nil {
		return last, ok
	}
	// The rules of zones are yearly.
	b.each(w, before.AddDate(0, -14, 0), before, func(o onset) {
		if !ok || o.wall.After(last.wall) {
			last, ok = o, true
		}
	})
	return last, ok
}

// onsets are the one that is in force when a year begins, and those of the year.
func (z *ownZone) onsets(year int) []onset {
	if all, ok := z.years[year]; ok {
		return all
	}
	begins, ends := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(year+1, 1, 1, 0, 0, 0, 0, time.UTC)
	before := onset{from: z.blocks[0].from, to: z.blocks[0].from} // as it was before all that is known
	all := []onset{before}
	for i := range z.blocks {
		if !z.work.spend(1) {
			return all
		}
		if last, ok := z.blocks[i].last(z.work, begins); ok && !last.wall.Before(all[0].wall) {
			all[0] = last
		}
		z.blocks[i].each(z.work, begins, ends, func(o onset) { all = append(all, o) })
	}
	slices.SortFunc(all[1:], func(a, b onset) int { return cmp.Or(a.wall.Compare(b.wall), cmp.Compare(a.to, b.to)) })
	z.years[year] = all
	return all
}

// inForce is the last of onsets that is not after t, as far as it is told by at.
func inForce(all []onset, t time.Time, at func(onset) time.Time) onset {
	i, _ := slices.BinarySearchFunc(all[1:], t, func(o onset, t time.Time) int {
		if at(o).After(t) {
			return 1
		}
		return -1
	})
	return all[i]
}

func (z *ownZone) instant(wall time.Time) time.Time {
	o := inForce(z.onsets(wall.Year()), wall, func(o onset) time.Time { return o.wall })
	if wall.Before(o.wall.Add(o.to - o.from)) {
		return wall.Add(-o.from) // the clocks jump over it
	}
	return wall.Add(-o.to)
}

func (z *ownZone) wall(instant time.Time) time.Time {
	instant = instant.UTC()
	o := inForce(z.onsets(instant.Year()), instant, func(o onset) time.Time { return o.wall.Add(-o.from) })
	return instant.Add(o.to)
}
