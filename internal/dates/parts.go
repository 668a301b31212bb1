package dates

import (
	"strconv"
	"strings"
)

// Part is a part of the day.
type Part int

// The parts of a day. Their hours come with the mention, for words differ: a
// tarde is longer than an afternoon.
const (
	NoPart Part = iota
	SmallHours
	Morning
	Midday
	Afternoon
	Evening
	Night
	EndOfDay
)

// period is a part of the day as a language bounds it.
type period struct {
	part     Part
	from, to Clock
	noonIsAM bool
	today    bool
	earliest bool
	latest   bool
	days     int // before or after the day that was said
}

// periodOf reads "afternoon 13-21 today earliest".
func periodOf(s string) (p period) {
	for word := range strings.FieldsSeq(s) {
		switch from, to, hours := strings.Cut(word, "-"); {
		case hours:
			p.from, p.to = clockNamed(from), clockNamed(to)
		case word == "noon":
			p.noonIsAM = true
		case word == "today":
			p.today = true
		case word == "earliest":
			p.earliest = true
		case word == "latest":
			p.latest = true
		case word == "before":
			p.days = -1
		case word == "after":
			p.days = 1
		default:
			p.part = partNamed(word)
		}
	}
	return p
}

func partNamed(s string) Part {
	for i, name := range []string{"", "small_hours", "morning", "midday", "afternoon", "evening", "night", "end_of_day"} {
		if name == s {
			return Part(i)
		}
	}
	panic("dates: " + strconv.Quote(s) + " is no part of the day")
}

// part reads a part of the day that stands without a clock.
func part(r *reader, i int) (Mention, int) {
	best, end := r.spokenParts.at(r.line, i)
	if p, e := r.otherParts.at(r.line, i); e > end {
		best, end = p, e
	}
	if p, e := r.partsAfterDay.at(r.line, i); e > end && r.followsDay(i) {
		best, end = p, e
	}
	if p, e := r.partsOfDay.at(r.line, i); e > end && (r.is(e, "part_of") || r.is(i-1, "part_for")) {
		best, end = p, e
	}
	if e := r.heardAt(i, "day_ends"); e > end && r.soft(e) {
		if m, found := r.longest(e, relative, weekday); found > 0 && m.Kind == OneDay {
			best, end = period{part: EndOfDay, from: Clock{Hour: 17}, to: Clock{Hour: 24}, latest: true}, e
		}
	}
	if end == 0 {
		return Mention{}, 0
	}
	return r.within(best), end
}

// followsDay says whether the mention before ends right before token i, and is
// a day.
func (r clocks) followsDay(i int) bool {
	last, ok := r.last()
	return ok && r.soft(i) && last.tokens.to == i && (last.Kind == OneDay || last.Kind == Days)
}

func (r clocks) within(p period) Mention {
	m := Mention{Kind: InPart, Part: p.part, From: p.from, To: p.to, Earliest: p.earliest, Latest: p.latest, noonIsAM: p.noonIsAM}
	if p.today {
		m.Date = r.today
	}
	return m
}

// settle is the hour that an open clock means in a part of the day.
func (p period) settle(c Clock) (Clock, bool) {
	h := c.Hour % 12
	switch p.part {
	case SmallHours:
	case Morning:
		if h == 0 && p.noonIsAM {
			h = 12
		}
	case Midday:
		if h >= 5 && h <= 10 {
			return c, false
		}
		if h < 5 {
			h += 12
		}
	case Afternoon, EndOfDay:
		h += 12
	case Evening:
		if h > 0 {
			h += 12
		}
	case Night:
		if h > 4 {
			h += 12
		}
	default:
		return c, false
	}
	return Clock{Hour: h, Minute: c.Minute}, true
}

func (m Mention) period() period { return period{part: m.Part, noonIsAM: m.noonIsAM} }
