package frontdesk

import "time"

// Quarter is the grain in which calls are counted before they are sorted into
// days and hours: every zone in use keeps a whole number of quarters of an hour
// from UTC, so quarters never straddle a local hour.
const Quarter = 15 * time.Minute

// CallTally counts the calls of one quarter that are alike.
type CallTally struct {
	Quarter  time.Time // its beginning
	AgentID  ID
	Channel  Channel
	Outcome  Outcome
	Language string
	Calls    int
	Seconds  int
}

// CaptureTally counts the captures made in one quarter.
type CaptureTally struct {
	Quarter  time.Time
	Captures int
}

// Window is a number of whole local days that ends with today, and as many
// before it to compare with.
type Window struct {
	Days     int
	Location *time.Location
	Previous time.Time // where the days to compare with begin
	From     time.Time // where the days themselves begin
	To       time.Time // where today ends
}

// WindowOf returns the window of days that ends with the day of now in loc.
func WindowOf(now time.Time, days int, loc *time.Location) Window {
	today := DateOf(now.In(loc))
	startOf := func(ahead int) time.Time { return today.AddDays(ahead).At(0, loc) }
	return Window{
		Days: days, Location: loc,
		Previous: startOf(1 - 2*days), From: startOf(1 - days), To: startOf(1),
	}
}

// Before is the window of the days to compare with. It has nothing to compare
// with itself.
func (w Window) Before() Window {
	w.From, w.To = w.Previous, w.From
	return w
}

// InQuarters says whether the window begins and ends between quarters of an
// hour, as in every zone in use. In one that does not, tallies by quarter are too
// coarse, and calls have to be counted.
func (w Window) InQuarters() bool {
	for _, t := range []time.Time{w.Previous, w.From, w.To} {
		if !t.Equal(t.Truncate(Quarter)) {
			return false
		}
	}
	return true
}

// AnalyticsFilter narrows what is counted; zero fields do not.
type AnalyticsFilter struct {
	Channel Channel
	AgentID ID
}

// Analytics tells how the calls of a window went.
type Analytics struct {
	Days       int
	Timezone   string
	PerDay     []DayStats    // every day, oldest first
	ByHour     [24]Volume    // of the local day
	ByWeekHour [7][24]Volume // of the local week, from Monday
	Totals     TotalsStats   // over the window
}

// Volume is how much there was of everything.
type Volume struct {
	Calls, Seconds, Captures int
}

// DayStats is one local day.
type DayStats struct {
	Date string // YYYY-MM-DD
	Volume
	Outcomes map[Outcome]int
	Channels map[Channel]int
}

// TotalsStats sums up a window.
type TotalsStats struct {
	Volume
	AvgDuration float64 // seconds
	BookingRate float64 // 0 to 1
	Outcomes    map[Outcome]int
	Channels    map[Channel]int
	Languages   map[string]int
	AfterHours  int
	Previous    Volume
}

// Analyze sorts tallies into the days and hours of a window. A call is after
// hours when its agent, by its own hours and zone, was closed as it began.
func Analyze(w Window, calls []CallTally, captures []CaptureTally, agents []Agent) Analytics {
	a := NewAnalysis(w, agents)
	a.AddCounted(calls, captures)
	return a.Analytics()
}
