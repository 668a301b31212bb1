package frontdesk

import (
	"math"
	"time"
)

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
	today := now.In(loc)
	startOf := func(ahead int) time.Time {
		return wallClock(time.Date(today.Year(), today.Month(), today.Day()+ahead, 12, 0, 0, 0, loc), 0)
	}
	return Window{
		Days: days, Location: loc,
		Previous: startOf(1 - 2*days), From: startOf(1 - days), To: startOf(1),
	}
}

// AnalyticsFilter narrows what is counted; zero fields do not.
type AnalyticsFilter struct {
	Channel Channel
	AgentID ID
}

// Analytics tells how the calls of a window went.
type Analytics struct {
	Days     int
	Timezone string
	PerDay   []DayStats  // every day, oldest first
	ByHour   [24]Volume  // of the local day
	Totals   TotalsStats // over the window
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
	out := Analytics{Days: w.Days, Timezone: w.Location.String(), Totals: TotalsStats{
		Outcomes: map[Outcome]int{}, Channels: map[Channel]int{}, Languages: map[string]int{},
	}}
	days := out.layOutDays(w)
	closed := closedAt(agents)
	for _, t := range calls {
		if t.Quarter.Before(w.From) {
			out.Totals.Previous.Calls += t.Calls
			out.Totals.Previous.Seconds += t.Seconds
			continue
		}
		local := t.Quarter.In(w.Location)
		day, hour := &out.PerDay[days[local.Format(time.DateOnly)]], &out.ByHour[local.Hour()]
		for _, v := range []*Volume{&day.Volume, hour, &out.Totals.Volume} {
			v.Calls += t.Calls
			v.Seconds += t.Seconds
		}
		day.Outcomes[t.Outcome] += t.Calls
		day.Channels[t.Channel] += t.Calls
		out.Totals.Outcomes[t.Outcome] += t.Calls
		out.Totals.Channels[t.Channel] += t.Calls
		out.Totals.Languages[t.Language] += t.Calls
		if closed(t.AgentID, t.Quarter) {
			out.Totals.AfterHours += t.Calls
		}
	}
	for _, t := range captures {
		if t.Quarter.Before(w.From) {
			out.Totals.Previous.Captures += t.Captures
			continue
		}
		local := t.Quarter.In(w.Location)
		out.PerDay[days[local.Format(time.DateOnly)]].Captures += t.Captures
		out.ByHour[local.Hour()].Captures += t.Captures
		out.Totals.Captures += t.Captures
	}
	if n := out.Totals.Calls; n > 0 {
		out.Totals.AvgDuration = round(float64(out.Totals.Seconds)/float64(n), 10)
		out.Totals.BookingRate = round(float64(out.Totals.Outcomes[Booking])/float64(n), 10_000)
	}
	return out
}

// layOutDays makes a row for every day of the window and returns where each
// date stands.
func (a *Analytics) layOutDays(w Window) map[string]int {
	index := make(map[string]int, w.Days)
	first := w.From.In(w.Location)
	for i := range w.Days {
		date := time.Date(first.Year(), first.Month(), first.Day()+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		index[date] = len(a.PerDay)
		a.PerDay = append(a.PerDay, DayStats{Date: date, Outcomes: map[Outcome]int{}, Channels: map[Channel]int{}})
	}
	return index
}

// closedAt returns a function that says whether an agent with known hours was
// closed at an instant.
func closedAt(agents []Agent) func(ID, time.Time) bool {
	type wall struct {
		hours *Hours
		loc   *time.Location
	}
	walls := make(map[ID]wall, len(agents))
	for _, a := range agents {
		if loc, err := LoadZone(a.Timezone); err == nil && a.Config.Hours != nil {
			walls[a.ID] = wall{a.Config.Hours, loc}
		}
	}
	return func(id ID, at time.Time) bool {
		w, known := walls[id]
		return known && !w.hours.OpenAt(at.In(w.loc))
	}
}

func round(x, per float64) float64 { return math.Round(x*per) / per }
