package dates

import (
	"slices"
	"time"
)

// Standing is the day and the time that are being arranged already, from which
// "an hour later" and "the day before" are counted.
type Standing struct {
	Date  Date // zero while there is none
	Clock Clock
	Timed bool // Clock is the time
	// Settled: it was found free or read back, so that another weekday corrects
	// it, and is of its week.
	Settled bool
	// Several: more than one thing is being arranged, so that "las dos" are both
	// of them and no hour.
	Several bool
	// Talked is the day that was asked about last, while none is being arranged:
	// "that day" is it, and wishes for it.
	Talked Date
}

// Step is how far a mention is from what stands.
type Step struct{ Minutes, Days, Months int }

// after is what stands, moved by a step.
func (s Standing) after(by Step) (Date, Clock) {
	d := s.Date.AddMonths(by.Months).AddDays(by.Days)
	if by.Minutes == 0 {
		return d, s.Clock
	}
	at := time.Date(d.Year, d.Month, d.Day, s.Clock.Hour, s.Clock.Minute+by.Minutes, 0, 0, time.UTC)
	return DateOf(at), clockOf(at)
}

// relation reads what is counted from the day that was said before, or else from
// what stands: "the next day", "the week after", "same time", "media hora antes".
func relation(r *reader, i int) (Mention, int) {
	if r.standing.Timed {
		if end := r.heardAt(i, "same_time"); end > 0 {
			return Mention{Kind: Shift, SameTime: true, Clock: r.standing.Clock, points: true}, end
		}
	}
	return r.longest(i, neighbour, thatPart, weekAfter, shifted)
}

// thatPart reads a part of the day that was said, or that stands, or of the one
// beside it: "that same morning", "la tarde anterior".
func thatPart(r *reader, i int) (Mention, int) {
	p, end := r.thatParts.at(r.line, i)
	d, ok := r.said()
	if end == 0 || !ok || p.days != 0 && r.soft(end) && (r.is(end, "compared_with") || r.anyNumber(end).ok()) { // "la mañana, antes de las once"
		return Mention{}, 0
	}
	m := r.within(p)
	m.Date = d.AddDays(p.days)
	m.points = m.Date == r.standing.Date
	return m, end
}

// neighbour reads the day beside the one that was said, or that stands; without
// any, "the next day" is tomorrow.
func neighbour(r *reader, i int) (Mention, int) {
	n, end := r.neighbours.at(r.line, i)
	if end == 0 {
		return Mention{}, 0
	}
	if d, ok := r.lastNamed(); ok {
		return on(d.AddDays(n)), end
	}
	switch {
	case !r.standing.Talked.IsZero():
		return on(r.standing.Talked.AddDays(n)), end
	case r.fromStanding():
		return r.standing.shift(Step{Days: n}), end
	case n == 1:
		return on(r.today.AddDays(n)), end
	}
	return Mention{}, 0
}

// weekAfter reads a week counted from the day that was said, of which it is the
// whole, or from what stands, whose weekday it keeps.
func weekAfter(r *reader, i int) (Mention, int) {
	n, end := r.weeksAfter.at(r.line, i)
	if end == 0 || !r.closed(end) {
		return Mention{}, 0
	}
	if _, follows := r.weekdayAt(r.over(end, "to_day")); follows {
		return Mention{}, 0
	}
	if d, ok := r.lastNamed(); ok && d != r.standing.Date && !r.denials().negated(len(r.found)-1) {
		first := d.Monday().AddDays(7 * n)
		return r.ahead(first, first.AddDays(6)), end
	}
	if !r.fromStanding() {
		return Mention{}, 0
	}
	return r.standing.shift(Step{Days: 7 * n}), end
}

// shifted reads a length of time counted from what stands: "an hour later",
// "media hora antes".
func shifted(r *reader, i int) (Mention, int) {
	u, k := r.length(i)
	if k == 0 {
		u, k = unit{minutes: 30}, r.heardAt(i, "short_while")
	}
	dir, end := r.shiftClose.at(r.line, k)
	if opened, ok := r.shiftOpen.ending(r.line, i); ok && k > 0 && end == 0 { // "push it back half an hour"
		dir, end = opened, k
	} else if k == 0 || end == 0 || !r.soft(k) || !r.closed(end) || r.comparedAt(end) {
		return Mention{}, 0
	}
	by := Step{u.minutes, u.days, u.months}
	if dir == back {
		by = Step{-u.minutes, -u.days, -u.months}
	}
	if d, ok := r.lastNamed(); ok && u.minutes == 0 { // "the wedding is on the 12th, two days earlier"
		return on(d.AddMonths(by.Months).AddDays(by.Days)), end
	}
	if c, ok := lastClock(r.line); ok && u.minutes != 0 { // "at ten, and my son an hour later"
		return c.later(by.Minutes), end
	}
	if !r.fromStanding() || u.minutes != 0 && !r.standing.Timed {
		return Mention{}, 0
	}
	return r.standing.shift(by), end
}

// comparedAt says whether a length is compared with something that follows: "an hour
// later than my wife". Once something is settled, a reason may follow as well: "media
// hora más tarde, que salgo a las nueve".
func (r *reader) comparedAt(i int) bool {
	return r.soft(i) && r.is(i, "compared_with") && !(r.standing.Settled && r.is(i, "explains"))
}

// lastClock is the time of day that was said last in the line, unless another day
// was said since.
func lastClock(r *line) (Mention, bool) {
	for i, m := range slices.Backward(r.found) {
		if m.Kind == AtClock {
			return m, !r.denials().negated(i)
		}
		if m.aboutTime() {
			break
		}
	}
	return Mention{}, false
}

// later is the time some minutes after another, in the same half of the day as far as
// it is known.
func (m Mention) later(minutes int) Mention {
	const day = 24 * 60
	at := (m.Clock.Minutes() + minutes + day) % day
	if m.Open && at > 12*60+59 {
		at -= 12 * 60
	}
	return Mention{Kind: AtClock, Clock: Clock{Hour: at / 60, Minute: at % 60}, Open: m.Open}
}

// shift is what stands, moved by a step.
func (s Standing) shift(by Step) Mention {
	m := Mention{Kind: Shift, By: by, points: by == Step{}}
	m.Date, m.Clock = s.after(by)
	return m
}

// fromStanding says whether what is counted is counted from what stands: there
// is such a day, and no other has been said since. Who tells something about the
// day that stands still speaks of it: "she's out that day, the day before".
func (r *line) fromStanding() bool {
	for i, m := range r.found {
		if m.aboutDay() && m.Date != r.standing.Date && !r.denials().negated(i) {
			return false
		}
	}
	return !r.standing.Date.IsZero()
}

// standingWeek is the weekday at i in the week of the day that stands, when it is
// said so: "the Friday instead", "that Friday", "mejor el viernes"; or when it is
// the weekday of that day, or agreed to. It says where the words that say so end.
func (r *reader) standingWeek(w time.Weekday, i, end int) (Date, int) {
	if d, e := r.weekOfSaid(w, end); e > 0 {
		return d, e
	}
	d := r.standing.Date.InWeek(w)
	if !r.fromStanding() || !r.today.Before(d) {
		return Date{}, 0
	}
	if d == r.standing.Date && !movedTo(r.line, i) || d != r.standing.Date && r.standing.Settled ||
		r.plain["that_before"].before(r.line, i) || instead(r.line, i, end) || agreed(r.line, i, end) {
		return d, end
	}
	return Date{}, 0
}

// weekOfSaid is the weekday in the week of the day that was said, or that stands,
// or in one counted from it: "Monday of that week", "Monday of the week before".
func (r *reader) weekOfSaid(w time.Weekday, end int) (Date, int) {
	d, ok := r.said()
	if !ok || !r.soft(end) {
		return Date{}, 0
	}
	weeks, e := 0, r.heardAt(end, "that_week")
	if e == 0 {
		k := r.skip(end, "of")
		weeks, e = r.weeksAfter.at(r.line, k)
		if _, further := r.stretches.at(r.line, k); e < further { // "the week after next"
			return Date{}, 0
		}
	}
	d = d.InWeek(w).AddDays(7 * weeks)
	if e == 0 || !r.today.Before(d) {
		return Date{}, 0
	}
	return d, e
}

// movedTo says whether something is to be moved to the weekday at i, which then is
// another than that of what stands: "change it to Thursday".
func movedTo(r *line, i int) bool {
	k := i - 1
	for r.is(k, "leading") && !r.is(k, "range_to") {
		k--
	}
	return r.moving && (r.is(k, "range_to") || r.is(k, "part_for"))
}

// agreed says whether the weekday at i is agreed to, in answer to a day that lies
// more than a week ahead: "yeah, Thursday's good", "vale, el jueves". Of nearer
// days, the first to come is as likely.
func agreed(r *line, i, end int) bool {
	if r.standing.Date.Before(r.today.AddDays(7)) {
		return false
	}
	if r.soft(end) && r.heardAt(end, "agreed_after") > 0 {
		return true
	}
	for i > 0 && r.near(i) && (r.is(i-1, "leading") || r.is(i-1, "day_preps")) {
		i--
	}
	return r.near(i) && r.is(i-1, "agreed_before")
}

// instead says whether the clause of the weekday at i replaces what stands.
func instead(r *line, i, end int) bool {
	const far = 4
	for k := max(i-far, 0); k < end+far && k < len(r.toks); k++ {
		if r.is(k, "instead") || r.heardAt(k, "same_time") > 0 || k == i-2 && r.is(k, "denied") || k == i-1 && r.is(k, "denied") {
			return true
		}
	}
	return false
}

// soonest reads "lo antes posible", "the first available", and "as early as you
// can", which is the first of a day where one is known.
func soonest(r *reader, i int) (Mention, int) {
	end, early := r.heardAt(i, "soonest"), r.heardAt(i, "earliest")
	if end = max(end, early); end > 0 {
		return Mention{Kind: Soonest, Earliest: early == end}, end
	}
	return Mention{}, 0
}
