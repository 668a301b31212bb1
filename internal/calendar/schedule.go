package calendar

import (
	"cmp"
	"slices"
	"time"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
)

// stretch is a time from one instant up to another, in seconds since 1970: many
// are compared.
type stretch struct {
	from, to int64
	places   int // that are taken
}

func newStretch(from time.Time, lasts time.Duration, places int) stretch {
	return stretch{from.Unix(), from.Add(lasts).Unix(), places}
}

// schedule is what is taken of something, to be sorted before it is asked.
type schedule struct {
	taken  []stretch
	widest int64 // of the stretches
}

func (s *schedule) add(t stretch) {
	s.taken = append(s.taken, t)
	s.widest = max(s.widest, t.to-t.from)
}

// clear makes the schedule empty.
func (s *schedule) clear() { s.taken, s.widest = s.taken[:0], 0 }

func (s *schedule) sort() {
	slices.SortFunc(s.taken, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
}

// during are the stretches that have something in common with a time.
func (s *schedule) during(from, to time.Time, visit func(stretch)) {
	begin, end := from.Unix(), to.Unix()
	first, _ := slices.BinarySearchFunc(s.taken, begin-s.widest, func(t stretch, at int64) int { return cmp.Compare(t.from, at) })
	for _, t := range s.taken[first:] {
		if t.from >= end {
			break
		}
		if t.to > begin {
			visit(t)
		}
	}
}

// count is how many stretches have something in common with a time.
func (s *schedule) count(from, to time.Time) (n int) {
	s.during(from, to, func(stretch) { n++ })
	return n
}

// peak is the most places that are taken at any moment of a time.
func (s *schedule) peak(from, to time.Time) int {
	type edge struct {
		at     int64
		places int
	}
	var some [16]edge
	edges := some[:0]
	s.during(from, to, func(t stretch) { edges = append(edges, edge{t.from, t.places}, edge{t.to, -t.places}) })
	// One that ends when another begins makes room for it.
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.places, b.places)) })
	taken, most := 0, 0
	for _, e := range edges {
		if e.at >= to.Unix() {
			break
		}
		taken += e.places
		most = max(most, taken)
	}
	return most
}

// openDays remembers the days of hours that were asked for.
type openDays struct {
	hours *opening.Hours
	days  map[dates.Date]opening.Day

	// What was found last: who looks at one time after the other finds the same
	// opening most of the time.
	last  opening.Span
	began dates.Date

	told    frontdesk.LocalTime // of which the day was asked last
	toldDay dates.Date
}

func newOpenDays(h *opening.Hours) *openDays {
	return &openDays{hours: h, days: map[dates.Date]opening.Day{}}
}

func (o *openDays) day(d dates.Date) opening.Day {
	day, known := o.days[d]
	if !known {
		day = o.hours.Day(d)
		o.days[d] = day
	}
	return day
}

// at is the opening that an instant is in, and the day on which it began.
func (o *openDays) at(t time.Time) (opening.Span, dates.Date, bool) {
	if o.last.Contains(t) {
		return o.last, o.began, true
	}
	today := dates.DateOf(t.In(o.hours.Zone()))
	for _, d := range []dates.Date{today, today.AddDays(-1)} {
		for _, s := range o.day(d).Open {
			if s.Contains(t) {
				o.last, o.began = s, d
				return s, d, true
			}
		}
	}
	return opening.Span{}, today, false
}

// covers says whether it is open all the time. Hours that go on with the next
// day do not close.
func (o *openDays) covers(from, to time.Time) bool {
	for {
		s, _, open := o.at(from)
		if !open {
			return false
		}
		if !s.To.Before(to) {
			return true
		}
		from = s.To
	}
}
