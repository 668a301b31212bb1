package frontdesk

import (
	"math"
	"sort"
	"time"
)

// QuartersPerDay is how many quarters of an hour a UTC day has.
const QuartersPerDay = int(24 * time.Hour / Quarter)

// DayTally counts what one agent had on one channel in the quarters of one UTC
// day. Calls, Seconds, Captures and the columns have a figure for each of
// Quarters.
type DayTally struct {
	Day      int64 // UTC days since 1970
	AgentID  ID
	Channel  Channel
	Quarters []uint8 // of the day, from 0 to 95, ascending
	Calls    []int
	Seconds  []int
	Captures []int

	// How many of the calls had each outcome and language.
	Outcomes  []TallyColumn
	Languages []TallyColumn
}

// TallyColumn counts the calls that have one thing in common.
type TallyColumn struct {
	Name  string
	Calls []int
}

// DayAndQuarter is the UTC day of t, in days since 1970, and which of its
// quarters of an hour t is in.
func DayAndQuarter(t time.Time) (day int64, quarter int) {
	n := quarterOf(t)
	day = floorDiv(n, int64(QuartersPerDay))
	return day, int(n - day*int64(QuartersPerDay))
}

// quarterOf is the quarter that t is in, counted from 1970.
func quarterOf(t time.Time) int64 { return floorDiv(t.Unix(), quarterSeconds) }

const quarterSeconds = int64(Quarter / time.Second)

// alone is the tally of a day on which there is nothing else.
func (t CallTally) alone() DayTally {
	day, quarter := DayAndQuarter(t.Quarter)
	return DayTally{
		Day: day, AgentID: t.AgentID, Channel: t.Channel,
		Quarters: []uint8{uint8(quarter)}, Calls: []int{t.Calls}, Seconds: []int{t.Seconds}, Captures: []int{0},
		Outcomes:  []TallyColumn{{string(t.Outcome), []int{t.Calls}}},
		Languages: []TallyColumn{{t.Language, []int{t.Calls}}},
	}
}

func (t CaptureTally) alone() DayTally {
	day, quarter := DayAndQuarter(t.Quarter)
	return DayTally{Day: day, Quarters: []uint8{uint8(quarter)}, Calls: []int{0}, Seconds: []int{0}, Captures: []int{t.Captures}}
}

// Analysis adds tallies up to the Analytics of a window. It looks days and
// hours up in tables by quarter, so that a tally costs a few additions.
type Analysis struct {
	window Window

	// The quarters of the window, by number: those to compare with begin at
	// previous, its own at from, and it ends before to.
	previous, from, to int64

	dayAt  []int   // by quarter since from: which of the window's days
	hourAt []uint8 // by quarter since from: which hour of the local week
	closed map[ID]closedHours

	days       []Volume
	week       [hoursPerWeek]Volume
	before     Volume
	outcomes   map[string][]int // by day
	channels   map[Channel][]int
	languages  map[string]int
	afterHours int
}

// closedHours are the hours of the week in which an agent is closed, and which
// of them each quarter of the window is by its clock.
type closedHours struct {
	closed *[hoursPerWeek]bool
	hourAt []uint8
	openAt []bool // for each quarter, in place of both: whether it is open as it begins
}

func (c closedHours) at(quarter int) bool {
	if c.openAt != nil {
		return !c.openAt[quarter]
	}
	return c.closed[c.hourAt[quarter]]
}

const hoursPerWeek = 7 * 24

// NewAnalysis returns an analysis to which nothing was added yet. Whether a
// call was after hours is decided by the agents as they are.
func NewAnalysis(w Window, agents []Agent) *Analysis {
	a := &Analysis{
		window: w, previous: quarterOf(w.Previous), from: firstQuarter(w.From), to: firstQuarter(w.To),
		days: make([]Volume, w.Days), outcomes: map[string][]int{}, channels: map[Channel][]int{}, languages: map[string]int{},
	}
	a.layOut()
	a.closeAgents(agents)
	return a
}

// firstQuarter is the first quarter that begins at t or later.
func firstQuarter(t time.Time) int64 { return quarterOf(t.Add(Quarter - 1)) }

// layOut finds out on which local day and in which local hour each quarter is.
func (a *Analysis) layOut() {
	first := floorDiv(onTheWall(a.window.From.In(a.window.Location)).Unix(), secondsPerDay)
	a.dayAt = make([]int, a.to-a.from)
	a.eachWall(a.window.Location, func(i int, wall int64) {
		a.dayAt[i] = int(min(max(floorDiv(wall, secondsPerDay)-first, 0), int64(a.window.Days-1)))
	})
	a.hourAt = a.weekHours(a.window.Location)
}

const secondsPerDay = 24 * 60 * 60

// weekHours says for each quarter of the window which hour of the local week it
// is in. The week begins with Monday.
func (a *Analysis) weekHours(loc *time.Location) []uint8 {
	const firstMonday = 4 * secondsPerDay // of 1970
	hours := make([]uint8, a.to-a.from)
	a.eachWall(loc, func(i int, wall int64) {
		hours[i] = uint8(floorDiv(wall-firstMonday, 60*60) - floorDiv(wall-firstMonday, 7*secondsPerDay)*hoursPerWeek)
	})
	return hours
}

// eachWall calls visit for every quarter of the window with what a local clock
// shows as it begins, in seconds since it showed the beginning of 1970.
func (a *Analysis) eachWall(loc *time.Location, visit func(i int, wall int64)) {
	var changes, offset int64 // until when the offset from UTC holds
	for i := range int(a.to - a.from) {
		at := (a.from + int64(i)) * quarterSeconds
		if i == 0 || at >= changes {
			local := time.Unix(at, 0).In(loc)
			_, now := local.Zone()
			offset, changes = int64(now), math.MaxInt64
			if _, end := local.ZoneBounds(); !end.IsZero() {
				changes = end.Unix()
			}
		}
		visit(i, at+offset)
	}
}

// closeAgents notes when the agents with known hours are closed.
func (a *Analysis) closeAgents(agents []Agent) {
	a.closed = make(map[ID]closedHours, len(agents))
	hourAt := map[string][]uint8{a.window.Location.String(): a.hourAt}
	for _, agent := range agents {
		loc, err := LoadZone(agent.Timezone)
		if err != nil || agent.Config.Hours == nil {
			continue
		}
		if hourAt[agent.Timezone] == nil {
			hourAt[agent.Timezone] = a.weekHours(loc)
		}
		a.closed[agent.ID] = closedHours{closed: agent.Config.Hours.closedInWeek(), hourAt: hourAt[agent.Timezone]}
	}
}

// Opens says when an agent was open in the window, from one instant up to another
// each: not by its hours of the week, but day by day.
func (a *Analysis) Opens(agent ID, spans [][2]time.Time) {
	open := make([]bool, a.to-a.from)
	for _, s := range spans {
		for q := max(firstQuarter(s[0]), a.from); q < min(firstQuarter(s[1]), a.to); q++ {
			open[q-a.from] = true
		}
	}
	a.closed[agent] = closedHours{openAt: open}
}

// ClosedAt says whether a call to an agent that began at t, in the window, was after
// hours. Of an agent without hours none is.
func (a *Analysis) ClosedAt(agent ID, t time.Time) bool {
	c, known := a.closed[agent]
	q := quarterOf(t)
	return known && q >= a.from && q < a.to && c.at(int(q-a.from))
}

// AddCounted adds tallies of single quarters.
func (a *Analysis) AddCounted(calls []CallTally, captures []CaptureTally) {
	for _, t := range calls {
		a.Add(t.alone())
	}
	for _, t := range captures {
		a.Add(t.alone())
	}
}

// closedInWeek says for each hour of the week, from Monday, whether the business
// is closed then. OpenAt looks at nothing but the weekday and the hour.
func (h Hours) closedInWeek() *[hoursPerWeek]bool {
	var closed [hoursPerWeek]bool
	aMonday := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for hour := range closed {
		closed[hour] = !h.OpenAt(aMonday.Add(time.Duration(hour) * time.Hour))
	}
	return &closed
}

// NeedsDetails says whether the outcomes and languages of a UTC day matter: of
// the days to compare with, volumes alone are told.
func (a *Analysis) NeedsDetails(day int64) bool { return (day+1)*int64(QuartersPerDay) > a.from }

// Add adds a tally. What is outside the window does not count. Calls of all
// agents together, which have no AgentID, are never after hours: AddAfterHours
// adds those.
func (a *Analysis) Add(t DayTally) {
	begins := t.firstFrom(a.previous)
	own := t.firstFrom(a.from)
	end := t.firstFrom(a.to)
	for i := begins; i < own; i++ {
		a.before.add(Volume{t.Calls[i], t.Seconds[i], t.Captures[i]})
	}
	if own == end {
		return
	}
	// Where the window's tables have the beginning of the tally's day.
	base := int(t.Day*int64(QuartersPerDay) - a.from)
	for i := own; i < end; i++ {
		at := base + int(t.Quarters[i])
		v := Volume{t.Calls[i], t.Seconds[i], t.Captures[i]}
		a.days[a.dayAt[at]].add(v)
		a.week[a.hourAt[at]].add(v)
	}
	if sum(t.Calls[own:end]) > 0 {
		a.addDetails(t, base, own, end)
	}
}

func (v *Volume) add(more Volume) {
	v.Calls += more.Calls
	v.Seconds += more.Seconds
	v.Captures += more.Captures
}

// firstFrom is the position of the first of the tally's quarters that is the
// given one or a later one.
func (t DayTally) firstFrom(quarter int64) int {
	begins := t.Day * int64(QuartersPerDay)
	switch n := len(t.Quarters); {
	case n == 0 || begins+int64(t.Quarters[0]) >= quarter:
		return 0
	case begins+int64(t.Quarters[n-1]) < quarter:
		return n
	default:
		return sort.Search(n, func(i int) bool { return begins+int64(t.Quarters[i]) >= quarter })
	}
}

func (a *Analysis) addDetails(t DayTally, base, own, end int) {
	a.addByDay(column(a.channels, t.Channel, len(a.days)), t, t.Calls, base, own, end)
	for _, c := range t.Outcomes {
		a.addByDay(column(a.outcomes, c.Name, len(a.days)), t, c.Calls, base, own, end)
	}
	for _, c := range t.Languages {
		a.languages[c.Name] += sum(c.Calls[own:end])
	}
	a.addAfterHours(t, base, own, end)
}

// AddAfterHours adds those calls of a tally that were after hours to their
// number, and to nothing else.
func (a *Analysis) AddAfterHours(t DayTally) {
	base := int(t.Day*int64(QuartersPerDay) - a.from)
	a.addAfterHours(t, base, t.firstFrom(a.from), t.firstFrom(a.to))
}

func (a *Analysis) addAfterHours(t DayTally, base, own, end int) {
	agent, known := a.closed[t.AgentID]
	if !known {
		return
	}
	for i := own; i < end; i++ {
		if agent.at(base + int(t.Quarters[i])) {
			a.afterHours += t.Calls[i]
		}
	}
}

func (a *Analysis) addByDay(days []int, t DayTally, calls []int, base, own, end int) {
	for i := own; i < end; i++ {
		days[a.dayAt[base+int(t.Quarters[i])]] += calls[i]
	}
}

func sum(figures []int) (total int) {
	for _, n := range figures {
		total += n
	}
	return total
}

// column is the figures of name, which are laid out when they are needed.
func column[K comparable](columns map[K][]int, name K, days int) []int {
	if columns[name] == nil {
		columns[name] = make([]int, days)
	}
	return columns[name]
}

// Analytics is what was added up.
func (a *Analysis) Analytics() Analytics {
	out := Analytics{
		Days: a.window.Days, Timezone: a.window.Location.String(), PerDay: make([]DayStats, a.window.Days),
		Totals: TotalsStats{
			Outcomes: map[Outcome]int{}, Channels: map[Channel]int{}, Languages: map[string]int{},
			AfterHours: a.afterHours, Previous: a.before,
		},
	}
	first := a.window.From.In(a.window.Location)
	for i, v := range a.days {
		date := time.Date(first.Year(), first.Month(), first.Day()+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		day := DayStats{Date: date, Volume: v, Outcomes: map[Outcome]int{}, Channels: map[Channel]int{}}
		for name, calls := range a.outcomes {
			addSome(day.Outcomes, Outcome(name), calls[i])
			addSome(out.Totals.Outcomes, Outcome(name), calls[i])
		}
		for name, calls := range a.channels {
			addSome(day.Channels, name, calls[i])
			addSome(out.Totals.Channels, name, calls[i])
		}
		out.PerDay[i] = day
		out.Totals.Volume.add(v)
	}
	for name, calls := range a.languages {
		addSome(out.Totals.Languages, name, calls)
	}
	for hour, v := range a.week {
		out.ByHour[hour%24].add(v)
		out.ByWeekHour[hour/24][hour%24] = v
	}
	if n := out.Totals.Calls; n > 0 {
		out.Totals.AvgDuration = round(float64(out.Totals.Seconds)/float64(n), 10)
		out.Totals.BookingRate = round(float64(out.Totals.Outcomes[Booking])/float64(n), 10_000)
	}
	return out
}

// addSome leaves out what did not happen.
func addSome[K comparable](m map[K]int, key K, n int) {
	if n != 0 {
		m[key] += n
	}
}

func round(x, per float64) float64 { return math.Round(x*per) / per }

// floorDiv is a/b, rounded down also below zero.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
