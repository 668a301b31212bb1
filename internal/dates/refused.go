package dates

// Refusal is what a caller ruled out: days, a time, or hours of any day. What is
// not said is zero, and means any.
type Refusal struct {
	First, Last Date
	Weekdays    Weekdays // of any week, when there are no dates
	From, To    Clock
	Clock       Clock // a single time, when Timed
	Timed       bool
	Open        bool // in the morning as well as in the evening
}

// refusal is what a negated mention rules out.
func (m Mention) refusal() Refusal {
	out := Refusal{First: m.Date, Last: m.Until, Weekdays: m.Weekdays}
	switch m.Kind {
	case OneDay, Shift:
		out.Last = m.Date
	case InPart, Hours:
		out.From, out.To, out.Open = m.From, m.To, m.Open
	case AtClock:
		out.Clock, out.Timed, out.Open = m.Clock, true, m.Open
	}
	if !out.First.IsZero() && out.Last.IsZero() {
		out.Last = out.First
	}
	return out
}

// with is a refusal of a day and of a time as one: "not Friday at five".
func (x Refusal) with(y Refusal) Refusal {
	if x.First.IsZero() {
		x.First, x.Last = y.First, y.Last
	}
	if !x.Timed && x.To == (Clock{}) {
		x.From, x.To, x.Clock, x.Timed, x.Open = y.From, y.To, y.Clock, y.Timed, y.Open
	}
	return x
}

// WholeDay says whether a day is ruled out, whatever the time.
func (x Refusal) WholeDay(d Date) bool {
	return !x.Timed && x.To == (Clock{}) && x.Covers(d, Clock{})
}

// Covers says whether a time on a day is ruled out.
func (x Refusal) Covers(d Date, c Clock) bool {
	if !x.First.IsZero() && (d.Before(x.First) || x.Last.Before(d)) || !x.Weekdays.Has(d.Weekday()) {
		return false
	}
	if x.Timed {
		return c == x.Clock || x.Open && c.Hour%12 == x.Clock.Hour%12 && c.Minute == x.Clock.Minute
	}
	return x.To == (Clock{}) || x.during(c) || x.Open && x.during(Clock{Hour: (c.Hour + 12) % 24, Minute: c.Minute})
}

func (x Refusal) during(c Clock) bool { return !c.Before(x.From) && c.Before(x.To) }
