package dates

import (
	"time"
)

// When is what a reading comes to once now and the opening hours have had their
// say. What is not settled is listed, to be asked.
type When struct {
	Date        Date   // the day; zero while there is none, or more than one
	First, Last Date   // the days of "next week", when no single one was said
	Dates       []Date // the days to choose from: "Thursday or Friday?"
	Bound       bool   // First to Last are as good as each other, as long as it is before the next: "before Friday"

	Clock   Clock
	Timed   bool    // Clock is the time
	Guessed bool    // it is the likelier of two: worth reading back
	Clocks  []Clock // the times to choose from: "six in the morning, or in the evening?"

	From, To Clock // the hours of "por la tarde", "between 3 and 5"; To is zero when none were said

	Weekdays Weekdays  // the days of the week that were said: "entre semana"
	Earliest bool      // the first of the day, or of the hours: "a primera hora"
	Latest   bool      // the last of them
	Soonest  bool      // the first that is free: "lo antes posible"
	Refused  []Refusal // what was ruled out, beside what was wished for

	Impossible     bool // a date that the calendar does not have
	WeekdayDiffers bool // the weekday and the date that were said do not agree
	Past           bool // what was said lies before now
}

// Resolve settles morning or evening: by when the business is open, where only
// one of the two is, by now where one has passed, and otherwise by custom: twelve
// is noon, ten and eleven are in the morning, one to five in the afternoon. Six
// to nine stay open. Without open nothing is known of the business.
func (r Reading) Resolve(now time.Time, open func(Date, Clock) bool) When {
	var w When
	r.resolveDay(&w)
	r.resolveTime(&w, now, open)
	r.resolveWishes(&w)
	w.Past = !w.Date.IsZero() && (w.Date.Before(DateOf(now)) || w.Timed && w.Date == DateOf(now) && w.Clock.Before(clockOf(now)))
	return w
}

func clockOf(t time.Time) Clock { return Clock{Hour: t.Hour(), Minute: t.Minute()} }

func (r Reading) resolveDay(w *When) {
	m, ok := r.Day()
	if !ok {
		return
	}
	w.Impossible, w.WeekdayDiffers = m.Impossible, m.WeekdayDiffers
	switch {
	case m.Impossible:
	case m.Kind == Instant:
		w.Date = DateOf(m.At)
	case m.Kind == Days:
		w.First, w.Last, w.Bound = m.Date, m.Until, m.Bound
		if m.Or {
			w.First = r.fromFirst(m)
		}
	case m.Or:
		w.Dates = r.choices()
	default:
		w.Date = m.Date
	}
	if len(w.Dates) == 1 {
		w.Date, w.Dates = w.Dates[0], nil
	}
}

// fromFirst is where a stretch of days begins together with those that it was offered
// beside, where they lie right before it: "this week or next".
func (r Reading) fromFirst(m Mention) Date {
	first := m.Date
	for _, before := range r.Mentions {
		if before.Counts && before.Kind == Days && before.Date.Before(first) && !before.Until.AddDays(1).Before(first) {
			first = before.Date
		}
	}
	return first
}

// choices are the days that were offered beside each other.
func (r Reading) choices() (all []Date) {
	for _, m := range r.Mentions {
		if m.Counts && !m.Date.IsZero() && (len(all) == 0 || all[len(all)-1] != m.Date) {
			all = append(all, m.Date)
		}
	}
	return all
}

func (r Reading) resolveTime(w *When, now time.Time, open func(Date, Clock) bool) {
	m, ok := r.Time()
	if !ok {
		return
	}
	switch m.Kind {
	case Instant:
		w.Clock, w.Timed = clockOf(m.At), true
	case Shift:
		w.Clock, w.Timed = m.Clock, true
	case InPart:
		w.From, w.To, w.Earliest, w.Latest = m.From, m.To, m.Earliest, m.Latest
	case Hours:
		w.From, w.To = w.settleHours(m, now, open)
		w.Earliest = m.Earliest
	case AtClock:
		w.settleClocks(r.clocks(m), now, open)
	}
}

// resolveWishes takes what narrows the days and hours without being one.
func (r Reading) resolveWishes(w *When) {
	for i, m := range r.Mentions {
		switch {
		case m.Negated && i > 0 && r.Mentions[i-1].Negated && m.tokens.from == r.Mentions[i-1].tokens.to && m.tokens.from > 0:
			w.Refused[len(w.Refused)-1] = w.Refused[len(w.Refused)-1].with(m.refusal())
		case m.Negated:
			w.Refused = append(w.Refused, m.refusal())
		case !m.Counts:
		case m.Kind == DaysOfWeek:
			w.Weekdays = m.Weekdays
		case m.Kind == Soonest:
			w.takeSoonest(m.Earliest)
		}
	}
}

// takeSoonest takes the soonest of all, or as early as can be: that is the first
// of the day that was said, and nothing beside a time.
func (w *When) takeSoonest(early bool) {
	timed := w.Timed || len(w.Clocks) > 0
	w.Earliest = w.Earliest || early && !timed
	w.Soonest = w.Soonest || !early || w.Date.IsZero() && !timed
}

// clocks are the times that were offered: one, or more with an "or".
func (r Reading) clocks(last Mention) (all []Mention) {
	if !last.Or {
		return []Mention{last}
	}
	for _, m := range r.Mentions {
		if m.Counts && m.Kind == AtClock {
			all = append(all, m)
		}
	}
	return all
}

func (w *When) settleClocks(said []Mention, now time.Time, open func(Date, Clock) bool) {
	var left []Clock
	guessed := false
	for _, m := range said {
		if !m.Open {
			left = append(left, m.Clock)
			continue
		}
		c, guess := w.half(m.Clock, now, open)
		left, guessed = append(left, c...), guessed || guess
	}
	if len(left) == 1 {
		w.Clock, w.Timed, w.Guessed = left[0], true, guessed
		return
	}
	w.Clocks = left
}

// half is the one time of day that an open clock means, or both.
func (w *When) half(c Clock, now time.Time, open func(Date, Clock) bool) (left []Clock, guessed bool) {
	left = halves(c)
	if w.Date == DateOf(now) {
		left = keep(left, func(c Clock) bool { return clockOf(now).Before(c) })
	}
	if open != nil {
		left = keep(left, func(c Clock) bool { return w.openAt(c, now, open) })
	}
	if len(left) == 1 {
		return left, false
	}
	switch h := c.Hour % 12; {
	case h <= 5:
		return left[1:], true
	case h >= 10:
		return left[:1], true
	}
	return left, false
}

// keep is what passes, or all when nothing does.
func keep(all []Clock, passes func(Clock) bool) (kept []Clock) {
	for _, c := range all {
		if passes(c) {
			kept = append(kept, c)
		}
	}
	if len(kept) == 0 {
		return all
	}
	return kept
}

// openAt says whether the business is open at c on the day that was said, or on
// any when none was.
func (w *When) openAt(c Clock, now time.Time, open func(Date, Clock) bool) bool {
	first, last := w.Date, w.Date
	switch {
	case !w.First.IsZero():
		first, last = w.First, w.Last
	case w.Date.IsZero():
		first = DateOf(now)
		last = first.AddDays(6)
	}
	for k, d := 0, first; k < 7 && !last.Before(d); k, d = k+1, d.AddDays(1) {
		if open(d, c) {
			return true
		}
	}
	return false
}

// settleHours picks the half of the day for an open range by its later end, or
// by the only end it has. What stays open is taken for the later half.
func (w *When) settleHours(m Mention, now time.Time, open func(Date, Clock) bool) (from, to Clock) {
	if !m.Open {
		return m.From, m.To
	}
	if m.To.Hour == 24 {
		left, _ := w.half(m.From, now, open)
		return left[len(left)-1], m.To
	}
	left, _ := w.half(m.To, now, open)
	to = left[len(left)-1]
	if m.From == (Clock{}) {
		return m.From, to
	}
	return lastBefore(m.From, to), to
}
