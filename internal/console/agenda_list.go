package console

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
)

// dayList is a day as one reads it on a phone: one thing after the other, with the
// gaps between them.
type dayList struct {
	Title    string
	Load     load
	Note     string // why the day is not as usual
	Sections []daySection
	Empty    bool
	Add      string
}

// daySection is what one person or room has to do, or what comes in one of the
// house's openings.
type daySection struct {
	Name string
	Sub  string
	Rows []dayRow
	More int // rows that are not shown
}

// dayRow is one line of a day.
type dayRow struct {
	Kind    string // visit, kept, busy, closure, gap
	Clock   string
	Text    string // of what is no visit
	Address string
	Who     string
	What    string
	Party   int
	Notes   string
	Pending bool
	Past    bool
	Next    bool
	from    time.Time
}

// mostDayRows is how many lines of a section are shown at once.
const mostDayRows = 200

// leastGap is how long somebody must be free for it to be worth a line.
const leastGap = 15 * time.Minute

func newDayList(f *floor, q agendaQuery, day calendar.Day) *dayList {
	d := &dayList{Title: f.v.day(day.Date), Load: f.load(day), Add: q.at("", q.with)}
	if len(day.Open) == 0 {
		d.Note = f.closedWords(day)
	} else {
		d.Note = day.Reason
	}
	marks := f.marks(day)
	if f.pooled() {
		d.Sections = f.openingSections(q, day, marks)
	} else {
		d.Sections = f.laneSections(q, day, marks)
	}
	d.Empty = !slices.ContainsFunc(d.Sections, func(s daySection) bool { return len(s.Rows) > 0 })
	return d
}

// laneSections are one for each person or room, with what is free between.
func (f *floor) laneSections(q agendaQuery, day calendar.Day, marks []dayMark) (all []daySection) {
	for _, lane := range f.lanes {
		s := daySection{Name: lane.name}
		for _, m := range marks {
			if m.lane == lane || m.everybody() {
				s.Rows = append(s.Rows, f.row(m))
			}
		}
		for _, gap := range f.gaps(lane, day, marks) {
			if gap.To.Sub(gap.From) >= leastGap {
				s.Rows = append(s.Rows, f.gapRow(q, lane, gap))
			}
		}
		all = append(all, s.finished())
	}
	loose := daySection{Name: f.v.say("nobody_special")}
	for _, m := range marks {
		if m.lane == nil && !m.everybody() {
			loose.Rows = append(loose.Rows, f.row(m))
		}
	}
	if len(loose.Rows) > 0 {
		all = append(all, loose.finished())
	}
	return all
}

// finished is the section in the order of time, with the next visit marked.
func (s daySection) finished() daySection {
	slices.SortStableFunc(s.Rows, func(a, b dayRow) int { return a.from.Compare(b.from) })
	if at := slices.IndexFunc(s.Rows, func(r dayRow) bool { return r.Kind == "visit" && !r.Past }); at >= 0 {
		s.Rows[at].Next = true
	}
	if len(s.Rows) > mostDayRows {
		s.Rows, s.More = s.Rows[:mostDayRows], len(s.Rows)-mostDayRows
	}
	return s
}

// openingSections are one for each opening of a house to which many come at once:
// how full it gets, and who comes. Time that is blocked between openings stands
// where it is in the day.
func (f *floor) openingSections(q agendaQuery, day calendar.Day, marks []dayMark) (all []daySection) {
	parts, left := dayParts(day, marks)
	for _, p := range parts {
		s := daySection{Name: f.span(p.Span)}
		for _, m := range p.marks {
			s.Rows = append(s.Rows, f.row(m))
		}
		if p.open {
			s.Sub = f.peakWords(f.peak(marks, p.Span))
		}
		if len(s.Rows) == 0 {
			s.Rows = append(s.Rows, f.gapRow(q, f.lanes[0], p.Span))
		}
		all = append(all, s.finished())
	}
	if len(left) > 0 {
		s := daySection{Name: f.v.say("agenda_outside")}
		for _, m := range left {
			s.Rows = append(s.Rows, f.row(m))
		}
		all = append(all, s.finished())
	}
	return all
}

func (f *floor) peakWords(peak int) string {
	key := "agenda_peak"
	if f.seats {
		key = "agenda_peak_seats"
	}
	return f.v.say(key, "n", strconv.Itoa(peak), "of", strconv.Itoa(f.room))
}

// dayPart is an opening of a day, or a time between openings in which nobody is to
// come, with what has its time in it.
type dayPart struct {
	opening.Span
	open  bool
	marks []dayMark
}

// dayParts divides a day, in its order. What is in no part of it is left.
func dayParts(day calendar.Day, marks []dayMark) (parts []*dayPart, left []dayMark) {
	for _, span := range day.Open {
		parts = append(parts, &dayPart{Span: span, open: true})
	}
	for _, m := range marks { // absences first: who comes within one stands there
		if m.kind != "busy" && m.kind != "closure" {
			continue
		}
		at := slices.IndexFunc(parts, func(p *dayPart) bool { return m.From.Before(p.To) && m.To.After(p.From) })
		if at < 0 {
			parts, at = append(parts, &dayPart{Span: m.Span}), len(parts)
		}
		parts[at].marks = append(parts[at].marks, m)
	}
	for _, m := range marks {
		if m.kind == "busy" || m.kind == "closure" {
			continue
		}
		if at := slices.IndexFunc(parts, func(p *dayPart) bool { return p.Contains(m.From) }); at >= 0 {
			parts[at].marks = append(parts[at].marks, m)
		} else {
			left = append(left, m)
		}
	}
	slices.SortStableFunc(parts, func(a, b *dayPart) int { return a.From.Compare(b.From) })
	return parts, left
}

// peak is the most places that are taken at any moment of a span.
func (f *floor) peak(marks []dayMark, span opening.Span) (most int) {
	type edge struct {
		at     time.Time
		places int
	}
	var edges []edge
	for _, m := range marks {
		if m.kind == "visit" || m.kind == "kept" {
			n := f.places(m.capture.Visit)
			edges = append(edges, edge{m.From, n}, edge{m.To, -n})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.places, b.places)) })
	taken := 0
	for _, e := range edges {
		taken += e.places
		if span.Contains(e.at) {
			most = max(most, taken)
		}
	}
	return most
}

func (f *floor) row(m dayMark) dayRow {
	r := dayRow{Kind: m.kind, Clock: f.clock(m.From), Past: m.To.Before(f.v.now), from: m.From}
	switch m.kind {
	case "busy":
		r.Text = f.v.say("agenda_busy", "span", f.span(m.Span))
	case "closure":
		r.Text = f.v.say("agenda_away", "span", f.span(m.Span))
		r.Notes = m.text
		r.Address = "agenda/block"
	default:
		c := *m.capture
		r.Address = "captures/" + string(c.ID)
		r.Who, r.What, r.Party = cmp.Or(c.CustomerName, f.v.say("nameless")), nameOf(f.v, c), c.Visit.Party
		r.Notes, r.Pending = c.Notes, c.Status == frontdesk.PendingConfirm
	}
	return r
}

// gapRow is a time in which somebody is free, which one taps to add an
// appointment. What has passed is shown to nobody.
func (f *floor) gapRow(q agendaQuery, lane *roomLane, gap opening.Span) dayRow {
	r := dayRow{Kind: "gap", Clock: f.clock(gap.From), Past: !gap.To.After(f.v.now), from: gap.From}
	r.Text = f.v.say("agenda_gap", "span", f.span(gap))
	if !r.Past {
		from := gap.From
		if from.Before(f.v.now) {
			from = f.v.now.Truncate(15 * time.Minute).Add(15 * time.Minute)
		}
		at := from.In(f.hours.Zone())
		r.Address = q.on(frontdesk.DateOf(at)).at(at.Format("15:04"), lane.id)
	}
	return r
}
