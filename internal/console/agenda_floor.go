package console

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
)

// floor is who or what appointments are with in an agent's house, and when each
// is there. It draws nothing.
type floor struct {
	v     *visit
	agent frontdesk.Agent
	hours *opening.Hours
	today dates.Date
	lanes []*roomLane
	with  string // the only lane that is shown; "": all
	seats bool   // people come in parties, and each takes a seat
	room  int    // appointments at once, or seats, where there are no resources

	marked map[dates.Date][]dayMark // of the days that were asked for
}

// roomLane is one person, room or table; the house itself where it has none.
type roomLane struct {
	id, name string
	hours    *opening.Hours
}

// manyAtOnce is from how many appointments at once on they are shown as a list, or
// counted: side by side nobody could read them.
const manyAtOnce = 5

func newFloor(v *visit, agent frontdesk.Agent, with string) (*floor, error) {
	hours, err := opening.Of(agent)
	if err != nil {
		return nil, err
	}
	f := &floor{v: v, agent: agent, hours: hours, today: dates.DateOf(v.now.In(v.zone)), with: with, seats: agent.Trade().SeatsParties, marked: map[dates.Date][]dayMark{}}
	f.room = cmp.Or(agent.Settings.Capacity, 1)
	if f.seats {
		f.room = cmp.Or(agent.Settings.Capacity, frontdesk.DefaultSeats)
	}
	for _, r := range agent.Settings.Calendar.Resources {
		if with == "" || with == r.ID {
			f.lanes = append(f.lanes, &roomLane{r.ID, r.Name, hours.With(agent.Settings.Calendar, r)})
		}
	}
	if len(f.lanes) == 0 {
		f.lanes = []*roomLane{{hours: hours}}
	}
	return f, nil
}

// resources says whether the house has somebody in particular.
func (f *floor) resources() bool { return f.lanes[0].id != "" }

// pooled says whether so many come at once that they are counted.
func (f *floor) pooled() bool { return !f.resources() && f.room >= manyAtOnce }

// only is a day with what belongs to the lane that is shown.
func (f *floor) only(day calendar.Day) calendar.Day {
	if f.with == "" {
		return day
	}
	other := func(id string) bool { return id != f.with }
	day.Captures = slices.DeleteFunc(slices.Clone(day.Captures), func(c frontdesk.Capture) bool { return other(c.Visit.ResourceID) })
	day.Busy = slices.DeleteFunc(slices.Clone(day.Busy), func(b frontdesk.Busy) bool { return b.Visit.ResourceID != "" && other(b.Visit.ResourceID) })
	day.Kept = slices.DeleteFunc(slices.Clone(day.Kept), func(k frontdesk.KeptPlace) bool { return other(k.Visit.ResourceID) })
	return day
}

// laneOf is the lane of something with a resource; nil: of nobody in particular,
// or of somebody who is not with the house any more.
func (f *floor) laneOf(resource string) *roomLane {
	if !f.resources() {
		return f.lanes[0]
	}
	for _, l := range f.lanes {
		if l.id == resource {
			return l
		}
	}
	return nil
}

// dayMark is something that has its time on a day.
type dayMark struct {
	opening.Span
	kind    string             // visit, kept, busy, closure
	capture *frontdesk.Capture // of a visit, and of a place that is kept
	text    string
	lane    *roomLane // nil: of nobody in particular, or of everybody
}

// lasts is how long a visit is, where the capture says so, else what is usual.
func (f *floor) lasts(v frontdesk.Visit) time.Duration {
	usual := 60
	if f.seats {
		usual = 90
	}
	return time.Duration(cmp.Or(v.Duration, v.Minutes, usual)) * time.Minute
}

// marks are everything that has its time on a day, in order.
func (f *floor) marks(day calendar.Day) []dayMark {
	all, known := f.marked[day.Date]
	if !known {
		all = slices.Concat(f.visits(day), f.absences(day))
		slices.SortStableFunc(all, func(a, b dayMark) int { return a.From.Compare(b.From) })
		f.marked[day.Date] = all
	}
	return all
}

// visits are who comes on a day, and for whom a place is kept.
func (f *floor) visits(day calendar.Day) (all []dayMark) {
	zone := f.hours.Zone()
	for i := range day.Captures {
		c := &day.Captures[i]
		from, _ := c.ScheduledAt.In(zone)
		all = append(all, dayMark{Span: opening.Span{From: from, To: from.Add(f.lasts(c.Visit))}, kind: "visit", capture: c, lane: f.laneOf(c.Visit.ResourceID)})
	}
	for _, k := range day.Kept {
		from, _ := k.ScheduledAt.In(zone)
		kept := &frontdesk.Capture{ID: k.CallID, CustomerName: k.Name, Service: k.Service, Visit: k.Visit, ScheduledAt: k.ScheduledAt}
		all = append(all, dayMark{Span: opening.Span{From: from, To: from.Add(f.lasts(k.Visit))}, kind: "kept", capture: kept, lane: f.laneOf(k.Visit.ResourceID)})
	}
	return all
}

// absences are the times of a day in which nobody is to come: busy in an outside
// calendar, or kept free.
func (f *floor) absences(day calendar.Day) (all []dayMark) {
	zone := f.hours.Zone()
	begin, end := f.bounds(day)
	for _, b := range day.Busy {
		span, ok := clipped(opening.Span{From: b.Outside.From, To: b.Outside.To}, begin, end)
		if ok {
			all = append(all, dayMark{Span: span, kind: "busy", lane: f.laneOf(b.Visit.ResourceID)})
		}
	}
	for _, cl := range f.agent.Settings.Calendar.Closures {
		from, _ := cl.From.In(zone)
		to, _ := cl.To.In(zone)
		span, ok := clipped(opening.Span{From: from, To: to}, begin, end)
		if _, known := f.agent.Settings.Calendar.Resource(cl.ResourceID); !ok || cl.ResourceID != "" && (!known || f.laneOf(cl.ResourceID) == nil) {
			continue
		}
		lane := f.laneOf(cl.ResourceID)
		if cl.ResourceID == "" && f.resources() {
			lane = nil
		}
		all = append(all, dayMark{Span: span, kind: "closure", text: cl.Reason, lane: lane})
	}
	return all
}

// everybody says whether what a mark stands for takes the time of all lanes.
func (m dayMark) everybody() bool { return m.lane == nil && (m.kind == "busy" || m.kind == "closure") }

// bounds are the first and the last instant of a day: a night goes on after
// midnight.
func (f *floor) bounds(day calendar.Day) (begin, end time.Time) {
	begin, end = day.Date.At(0, f.hours.Zone()), day.Date.AddDays(1).At(0, f.hours.Zone())
	for _, s := range day.Open {
		if s.To.After(end) {
			end = s.To
		}
	}
	return begin, end
}

func clipped(s opening.Span, begin, end time.Time) (opening.Span, bool) {
	if s.From.Before(begin) {
		s.From = begin
	}
	if s.To.After(end) {
		s.To = end
	}
	return s, s.From.Before(s.To)
}

// gaps are the times of a day in which a lane is there and has nothing to do.
func (f *floor) gaps(l *roomLane, day calendar.Day, marks []dayMark) (free []opening.Span) {
	free = l.hours.Day(day.Date).Open
	for _, m := range marks {
		if m.lane == l || m.everybody() {
			free = cut(free, m.Span)
		}
	}
	return free
}

// cut is what is left of spans without one.
func cut(all []opening.Span, out opening.Span) (left []opening.Span) {
	for _, s := range all {
		if !out.From.Before(s.To) || !out.To.After(s.From) {
			left = append(left, s)
			continue
		}
		if s.From.Before(out.From) {
			left = append(left, opening.Span{From: s.From, To: out.From})
		}
		if out.To.Before(s.To) {
			left = append(left, opening.Span{From: out.To, To: s.To})
		}
	}
	return left
}

func total(all []opening.Span) (sum time.Duration) {
	for _, s := range all {
		sum += s.To.Sub(s.From)
	}
	return sum
}

// load is how full a day is.
type load struct {
	Closed  bool
	Percent int
	Count   int    // appointments
	Words   string // how much is free
}

func (f *floor) load(day calendar.Day) load {
	l := load{Count: len(day.Captures)}
	marks := f.marks(day)
	var open, free time.Duration
	for _, lane := range f.lanes {
		open += total(lane.hours.Day(day.Date).Open)
		if !f.pooled() {
			free += total(f.gaps(lane, day, marks))
		}
	}
	taken := open - free
	if f.pooled() {
		open, taken = open*time.Duration(f.room), 0
	}
	for _, m := range marks {
		switch {
		case f.pooled() && (m.kind == "visit" || m.kind == "kept"):
			taken += m.To.Sub(m.From) * time.Duration(f.places(m.capture.Visit))
		case m.kind == "visit" && m.lane == nil: // somebody will have to do it
			taken += m.To.Sub(m.From)
		}
	}
	l.Closed = open <= 0
	if !l.Closed {
		l.Percent = min(100, int(100*taken/open))
	}
	l.Words = f.loadWords(l, max(0, open-taken), day)
	return l
}

// places is how many of the house's places a visit takes.
func (f *floor) places(v frontdesk.Visit) int {
	if f.seats {
		return cmp.Or(v.Party, 2)
	}
	return 1
}

func (f *floor) loadWords(l load, free time.Duration, day calendar.Day) string {
	switch {
	case l.Closed:
		return f.closedWords(day)
	case l.Percent == 100 || free < 15*time.Minute:
		return f.v.say("agenda_full")
	case f.pooled():
		return f.v.say("agenda_percent", "n", strconv.Itoa(l.Percent))
	}
	return f.v.say("agenda_free", "time", f.length(free))
}

// closedWords say that a day is closed, and why.
func (f *floor) closedWords(day calendar.Day) string {
	why := cmp.Or(day.Reason, f.v.lang.HolidayName(day.Holiday))
	if why == "" {
		return f.v.say("agenda_closed")
	}
	return f.v.say("agenda_closed_for", "why", why)
}

// length is a length of time as short as it can be written.
func (f *floor) length(d time.Duration) string {
	hours, minutes := int(d/time.Hour), int(d%time.Hour/time.Minute)
	switch {
	case hours == 0:
		return f.v.say("agenda_minutes", "n", strconv.Itoa(minutes))
	case minutes == 0:
		return f.v.say("agenda_hours", "n", strconv.Itoa(hours))
	}
	return f.v.say("agenda_hours", "n", strconv.Itoa(hours)) + " " + f.v.say("agenda_minutes", "n", strconv.Itoa(minutes))
}

// clock is an instant by the clock of the house.
func (f *floor) clock(t time.Time) string { return f.v.clock(t.In(f.hours.Zone())) }

// span is a time from one instant up to another in words.
func (f *floor) span(s opening.Span) string { return f.clock(s.From) + "–" + f.clock(s.To) }

// openDay is the day under which a local time stands in the book of an agent:
// after midnight of a night it is the day before.
func openDay(agent frontdesk.Agent, at frontdesk.LocalTime) dates.Date {
	date := dateOf(at)
	hours, err := opening.Of(agent)
	if err != nil {
		return date
	}
	instant, _ := at.In(hours.Zone())
	for _, d := range []dates.Date{date, date.AddDays(-1)} {
		if slices.ContainsFunc(hours.Day(d).Open, func(s opening.Span) bool { return s.Contains(instant) }) {
			return d
		}
	}
	return date
}
