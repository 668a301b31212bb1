package console

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/opening"
)

// grid is a day or a week as columns, in which a thing is as high as it is long.
// A page may have no styles of its own, so places are classes of a stylesheet
// that is made when the console starts.
type grid struct {
	Week    bool
	Hours   []gridHour
	Columns []gridColumn
}

// gridHour is an hour at the edge of the grid.
type gridHour struct {
	At    int
	Clock string
}

// gridColumn is a person or room on a day, or a day of a week.
type gridColumn struct {
	Title   string
	Sub     string
	Address string
	Today   bool
	Load    load
	Note    string // why nobody comes
	Open    []gridPlace
	Gaps    []gridBlock
	Blocks  []gridBlock
	NowAt   int // the row of this moment; -1: it is not in the column
}

// gridPlace is where something is in its column.
type gridPlace struct{ At, For int }

// gridBlock is one thing in a column.
type gridBlock struct {
	gridPlace
	Lane, Lanes int // of those side by side
	Kind        string
	Clock       string
	Text        string
	Who         string
	What        string
	Address     string
	Label       string // everything in words
	Pending     bool
	Past        bool
	from, to    time.Time
}

// The measures of the grid.
const (
	gridStep   = 5   // minutes of a row
	gridRows   = 432 // a day, and the night after it
	mostLanes  = 6   // side by side in a column
	leastRows  = 3   // of a block, for its words to be seen
	firstHour  = 9   // what is drawn of a day on which nothing is
	lastHour   = 14
	mostWeekly = 3 // side by side in the column of a week
)

// scale says in which row of a column an instant is. A column is a date of its
// own. By the wall, an hour that the clock shows twice is drawn once, as a week
// with one row of hours for all days needs; otherwise each hour has its place.
type scale struct {
	date  dates.Date
	zone  *time.Location
	first int // minutes after midnight of the first row
	wall  bool
}

func (s scale) row(t time.Time) int {
	minutes := int(t.Sub(s.date.At(s.first, s.zone)) / time.Minute)
	if s.wall {
		minutes = s.minute(t) - s.first
	}
	return min(max(minutes/gridStep, 0), gridRows)
}

// minute is what the clock shows at an instant, in minutes after midnight of the
// date.
func (s scale) minute(t time.Time) int {
	at := t.In(s.zone)
	return 24*60*s.date.DaysUntil(dates.DateOf(at)) + 60*at.Hour() + at.Minute()
}

func (s scale) place(span opening.Span) gridPlace {
	at := s.row(span.From)
	rows := int(span.To.Sub(span.From) / (gridStep * time.Minute))
	if s.wall {
		rows = s.row(span.To) - at
	}
	at = min(at, gridRows-1)
	return gridPlace{at, min(max(rows, 1), gridRows-at)}
}

// extent is the first and the last hour of a day that have to be drawn, in minutes
// after its midnight.
func (f *floor) extent(day calendar.Day) (first, last int) {
	s := scale{date: day.Date, zone: f.hours.Zone()}
	first, last = gridRows*gridStep, 0
	widen := func(span opening.Span) {
		first, last = min(first, max(0, s.minute(span.From))), max(last, s.minute(span.To))
	}
	for _, span := range day.Open {
		widen(span)
	}
	for _, m := range f.marks(day) {
		if m.kind == "visit" || m.kind == "kept" {
			widen(m.Span)
		}
	}
	return first, last
}

// hoursBetween rounds an extent to whole hours, and gives a day of nothing some.
func hoursBetween(first, last int) (int, int) {
	if first >= last {
		return firstHour * 60, lastHour * 60
	}
	return first / 60 * 60, min((last+59)/60*60, gridRows*gridStep)
}

// newDayGrid draws a day with a column for each person or room.
func newDayGrid(f *floor, q agendaQuery, day calendar.Day) *grid {
	first, last := hoursBetween(f.extent(day))
	s := scale{date: day.Date, zone: f.hours.Zone(), first: first}
	g := &grid{}
	begin := day.Date.At(first, s.zone)
	for at := begin; at.Before(day.Date.At(last, s.zone)); at = at.Add(time.Hour) {
		g.Hours = append(g.Hours, gridHour{s.row(at), f.clock(at)})
	}
	marks := f.marks(day)
	for _, lane := range f.lanes {
		c := gridColumn{Title: lane.name, NowAt: f.nowRow(s, day)}
		open := lane.hours.Day(day.Date).Open
		for _, span := range open {
			c.Open = append(c.Open, s.place(span))
		}
		free := f.gaps(lane, day, marks)
		c.Note = f.laneWords(day, open, free)
		for _, gap := range free {
			c.Gaps = append(c.Gaps, f.gapBlocks(q, s, lane, gap)...)
		}
		for _, m := range marks {
			if m.lane == lane || m.everybody() {
				c.Blocks = append(c.Blocks, f.block(s, m))
			}
		}
		c.Blocks = sideBySide(c.Blocks, mostLanes, q.as("").address(), f.v)
		g.Columns = append(g.Columns, c)
	}
	if loose := f.looseColumn(s, day, marks, q); len(loose.Blocks) > 0 {
		g.Columns = append(g.Columns, loose)
	}
	g.Columns[0].Title = cmp.Or(g.Columns[0].Title, f.v.day(day.Date))
	return g
}

// laneWords say how much of a day somebody is free.
func (f *floor) laneWords(day calendar.Day, open, free []opening.Span) string {
	switch left := total(free); {
	case len(day.Open) == 0:
		return f.closedWords(day)
	case len(open) == 0:
		return f.v.say("agenda_not_there")
	case left < leastGap:
		return f.v.say("agenda_full")
	default:
		return f.v.say("agenda_free", "time", f.length(left))
	}
}

// looseColumn is what is with nobody in particular.
func (f *floor) looseColumn(s scale, day calendar.Day, marks []dayMark, q agendaQuery) gridColumn {
	c := gridColumn{Title: f.v.say("nobody_special"), NowAt: -1}
	for _, m := range marks {
		if m.lane == nil && !m.everybody() {
			c.Blocks = append(c.Blocks, f.block(s, m))
		}
	}
	for _, span := range day.Open {
		c.Open = append(c.Open, s.place(span))
	}
	c.Blocks = sideBySide(c.Blocks, mostLanes, q.as("").address(), f.v)
	return c
}

// newWeekGrid draws a week with a column for each day.
func newWeekGrid(f *floor, q agendaQuery, days []calendar.Day) *grid {
	first, last := gridRows*gridStep, 0
	for _, day := range days {
		from, to := f.extent(day)
		first, last = min(first, from), max(last, to)
	}
	first, last = hoursBetween(first, last)
	g := &grid{Week: true}
	for minute := first; minute < last; minute += 60 {
		g.Hours = append(g.Hours, gridHour{(minute - first) / gridStep, dates.WriteTimeIn(f.v.lang, dates.Clock{Hour: minute / 60 % 24})})
	}
	for _, day := range days {
		s := scale{date: day.Date, zone: f.hours.Zone(), first: first, wall: true}
		g.Columns = append(g.Columns, f.weekColumn(q, s, day))
	}
	return g
}

func (f *floor) weekColumn(q agendaQuery, s scale, day calendar.Day) gridColumn {
	weekdays := strings.Fields(f.v.lang.Say("weekdays", ""))
	c := gridColumn{
		Title: weekdays[day.Date.Weekday()], Sub: strconv.Itoa(day.Date.Day), Address: q.on(day.Date).as(viewDay).address(),
		Today: day.Date == f.today, Load: f.load(day), NowAt: f.nowRow(s, day),
	}
	if len(day.Open) == 0 {
		c.Note = f.closedWords(day)
	} else {
		c.Note = day.Reason
	}
	for _, span := range day.Open {
		c.Open = append(c.Open, s.place(span))
	}
	marks := f.marks(day)
	if len(f.lanes) == 1 && !f.pooled() {
		for _, gap := range f.gaps(f.lanes[0], day, marks) {
			c.Gaps = append(c.Gaps, f.gapBlocks(q, s, f.lanes[0], gap)...)
		}
	}
	if f.pooled() || len(f.lanes) >= manyAtOnce {
		c.Blocks = f.counted(s, day, marks, c.Address)
	} else {
		for _, m := range marks {
			c.Blocks = append(c.Blocks, f.block(s, m))
		}
	}
	c.Blocks = sideBySide(c.Blocks, mostWeekly, c.Address, f.v)
	return c
}

// counted are the visits of a day by the half hour in which they begin: of many
// at once only the number can be read.
func (f *floor) counted(s scale, day calendar.Day, marks []dayMark, address string) (all []gridBlock) {
	const half = 30 * time.Minute
	begin := day.Date.At(0, s.zone)
	groups := map[int][2]int{} // visits and people by half hour
	for _, m := range marks {
		if m.kind != "visit" && m.kind != "kept" {
			if !m.everybody() && f.resources() {
				continue
			}
			all = append(all, f.block(s, m))
			continue
		}
		at := int(m.From.Sub(begin) / half)
		n := groups[at]
		groups[at] = [2]int{n[0] + 1, n[1] + m.capture.Visit.Party}
	}
	for at, n := range groups {
		from := begin.Add(time.Duration(at) * half)
		span := opening.Span{From: from, To: from.Add(half)}
		b := gridBlock{gridPlace: s.place(span), Kind: "many", Clock: f.clock(from), Address: address, Past: span.To.Before(f.v.now), from: span.From, to: span.To}
		key := "agenda_many"
		if f.seats {
			key = "agenda_many_people"
		}
		if n[0] == 1 {
			key += "_one"
		}
		b.Text = f.v.say(key, "n", strconv.Itoa(n[0]), "people", strconv.Itoa(n[1]))
		b.Label = b.Clock + " " + b.Text
		all = append(all, b)
	}
	slices.SortFunc(all, func(a, b gridBlock) int { return a.from.Compare(b.from) })
	return all
}

// nowRow is the row of this moment; -1 where the column does not have it.
func (f *floor) nowRow(s scale, day calendar.Day) int {
	begin, end := f.bounds(day)
	if f.v.now.Before(begin) || !f.v.now.Before(end) || s.minute(f.v.now) < s.first {
		return -1
	}
	return s.row(f.v.now)
}

func (f *floor) block(s scale, m dayMark) gridBlock {
	r := f.row(m)
	b := gridBlock{
		gridPlace: s.place(m.Span), Kind: m.kind, Clock: r.Clock, Text: r.Text, Who: r.Who, What: r.What, Address: r.Address,
		Pending: r.Pending, Past: r.Past, from: m.From, to: m.To,
	}
	if least := m.From.Add(leastRows * gridStep * time.Minute); m.To.Before(least) {
		b.For, b.to = min(leastRows, gridRows-b.At), least
	}
	if s.wall && b.Who != "" && m.lane != nil && len(f.lanes) > 1 { // a column of a week has no name
		b.What += " · " + m.lane.name
	}
	if r.Party > 1 || f.seats && r.Party > 0 {
		b.Who += " · " + strconv.Itoa(r.Party)
	}
	b.Label = b.Clock + " " + strings.Join(strings.Fields(b.Who+" "+b.What+" "+r.Notes+" "+b.Text), " ")
	if m.kind == "closure" && r.Notes != "" {
		b.Text = r.Notes
	}
	return b
}

// gapBlocks are a time in which somebody is free, hour by hour: who clicks into
// one adds an appointment there.
func (f *floor) gapBlocks(q agendaQuery, s scale, lane *roomLane, gap opening.Span) (all []gridBlock) {
	for from := gap.From; from.Before(gap.To); {
		to := from.Truncate(time.Hour).Add(time.Hour)
		if to.After(gap.To) {
			to = gap.To
		}
		if part := (opening.Span{From: from, To: to}); to.After(f.v.now) && to.Sub(from) >= leastGap {
			r := f.gapRow(q, lane, part)
			label := f.v.say("agenda_add_at", "time", r.Clock)
			if lane.name != "" {
				label += ", " + lane.name
			}
			all = append(all, gridBlock{gridPlace: s.place(part), Kind: "gap", Clock: r.Clock, Address: r.Address, Label: label})
		}
		from = to
	}
	return all
}

// sideBySide gives things that overlap lanes of their own, as many as most. What
// has no room is counted in the last of them.
func sideBySide(all []gridBlock, most int, address string, v *visit) (placed []gridBlock) {
	for len(all) > 0 {
		n, end := 0, all[0].to
		for n < len(all) && (n == 0 || all[n].from.Before(end)) {
			if all[n].to.After(end) {
				end = all[n].to
			}
			n++
		}
		placed = append(placed, laneOut(slices.Clone(all[:n]), most, address, v)...)
		all = all[n:]
	}
	return placed
}

// laneOut places things of which each overlaps another.
func laneOut(group []gridBlock, most int, address string, v *visit) []gridBlock {
	var ends []time.Time
	for i := range group {
		lane := slices.IndexFunc(ends, func(end time.Time) bool { return !end.After(group[i].from) })
		if lane < 0 {
			lane = len(ends)
			ends = append(ends, time.Time{})
		}
		ends[lane], group[i].Lane = group[i].to, lane
	}
	lanes := min(len(ends), most)
	var hidden []gridBlock
	var shown []gridBlock
	for _, b := range group {
		b.Lanes = lanes
		if len(ends) > most && b.Lane >= most-1 {
			hidden = append(hidden, b)
			continue
		}
		shown = append(shown, b)
	}
	if len(hidden) > 0 {
		shown = append(shown, restOf(hidden, most, address, v))
	}
	return shown
}

// restOf is one block in the place of several.
func restOf(hidden []gridBlock, lanes int, address string, v *visit) gridBlock {
	first := hidden[0]
	at, end := first.At, first.At+first.For
	for _, b := range hidden {
		at, end = min(at, b.At), max(end, b.At+b.For)
	}
	text := v.say("agenda_more", "n", strconv.Itoa(len(hidden)))
	return gridBlock{
		gridPlace: gridPlace{at, end - at}, Lane: lanes - 1, Lanes: lanes, Kind: "many", Text: text, Address: address,
		Label: first.Clock + " " + text,
	}
}

// gridStyle is the stylesheet of the places in a grid: its rows, how many of them
// something takes, lanes side by side, and the widths of bars.
func gridStyle() []byte {
	var b strings.Builder
	b.WriteString("/* The places of the agenda's grid, made by the console. */\n")
	for n := range gridRows {
		fmt.Fprintf(&b, ".at-%d{grid-row-start:%d}.for-%d{grid-row-end:span %d}\n", n, n+1, n+1, n+1)
	}
	for lanes := 2; lanes <= mostLanes; lanes++ {
		for lane := range lanes {
			fmt.Fprintf(&b, ".lane-%d-%d{margin-left:calc(100%%*%d/%d);width:calc(100%%/%d)}\n", lane, lanes, lane, lanes, lanes)
		}
	}
	for n := 0; n <= 100; n += 5 {
		fmt.Fprintf(&b, ".w-%d{width:%d%%}\n", n, n)
	}
	return []byte(b.String())
}
