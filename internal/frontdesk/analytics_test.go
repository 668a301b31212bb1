package frontdesk_test

import (
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestWindowOf(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		zone               string
		now                string
		days               int
		previous, from, to string
	}{
		"today alone":                {"UTC", "2026-11-14T23:59:59Z", 1, "2026-11-13T00:00:00Z", "2026-11-14T00:00:00Z", "2026-11-15T00:00:00Z"},
		"the first moment of a day":  {"UTC", "2026-11-14T00:00:00Z", 1, "2026-11-13T00:00:00Z", "2026-11-14T00:00:00Z", "2026-11-15T00:00:00Z"},
		"a week over the year's end": {"UTC", "2026-01-03T12:00:00Z", 7, "2025-12-21T00:00:00Z", "2025-12-28T00:00:00Z", "2026-01-04T00:00:00Z"},
		"a day of 23 hours":          {"Europe/Madrid", "2026-03-29T12:00:00Z", 1, "2026-03-28T00:00:00+01:00", "2026-03-29T00:00:00+01:00", "2026-03-30T00:00:00+02:00"},
		"a day of 25 hours":          {"Europe/Madrid", "2026-10-25T12:00:00Z", 1, "2026-10-24T00:00:00+02:00", "2026-10-25T00:00:00+02:00", "2026-10-26T00:00:00+01:00"},
		"a day that begins at one":   {"America/Havana", "2026-03-08T12:00:00Z", 1, "2026-03-07T00:00:00-05:00", "2026-03-08T01:00:00-04:00", "2026-03-09T00:00:00-04:00"},
		"a day with two midnights":   {"America/Havana", "2026-11-01T12:00:00Z", 1, "2026-10-31T00:00:00-04:00", "2026-11-01T00:00:00-04:00", "2026-11-02T00:00:00-05:00"},
		"a day that ends twice":      {"America/Nuuk", "2026-10-24T12:00:00Z", 1, "2026-10-23T00:00:00-01:00", "2026-10-24T00:00:00-01:00", "2026-10-25T00:00:00-02:00"},
		"a zone of quarters":         {"Asia/Kathmandu", "2026-11-14T18:15:00Z", 2, "2026-11-12T00:00:00+05:45", "2026-11-14T00:00:00+05:45", "2026-11-16T00:00:00+05:45"},
		"a zone of halves":           {"America/St_Johns", "2026-11-14T03:29:59Z", 1, "2026-11-12T00:00:00-03:30", "2026-11-13T00:00:00-03:30", "2026-11-14T00:00:00-03:30"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := frontdesk.WindowOf(instant(t, tt.now), tt.days, load(t, tt.zone))
			for _, got := range []struct {
				what string
				at   time.Time
				want string
			}{{"previous", w.Previous, tt.previous}, {"from", w.From, tt.from}, {"to", w.To, tt.to}} {
				if !got.at.Equal(instant(t, got.want)) {
					t.Errorf("%s is %s, want %s", got.what, got.at, got.want)
				}
			}
		})
	}
}

// call is one call with the times of its captures.
type call struct {
	at       time.Time
	seconds  int
	agent    frontdesk.ID
	channel  frontdesk.Channel
	outcome  frontdesk.Outcome
	language string
	captures []time.Time
}

// Random calls around every kind of day, counted once by Analyze and once one
// by one.
func TestAnalyzeAgainstCountingOneByOne(t *testing.T) {
	t.Parallel()
	days := map[string]string{
		"an ordinary day": "2026-11-14T15:00:00Z", "after spring forward": "2026-03-31T15:00:00Z", "after fall back": "2026-11-02T15:00:00Z",
		"Havana's gap": "2026-03-08T12:00:00Z", "Lord Howe's half hour": "2026-04-06T12:00:00Z", "a new year": "2026-01-02T00:30:00Z",
	}
	random := rand.New(rand.NewPCG(3, 4))
	for day, now := range days {
		for _, zone := range append(zones, "Pacific/Kiritimati", "Pacific/Marquesas") {
			seed, length := random.Uint64(), 1+random.IntN(10)
			t.Run(day+" in "+zone, func(t *testing.T) {
				t.Parallel()
				random := rand.New(rand.NewPCG(seed, 5))
				w := frontdesk.WindowOf(instant(t, now), length, load(t, zone))
				agents := []frontdesk.Agent{
					{ID: "a", Timezone: "Europe/Madrid", Config: frontdesk.AgentConfig{Hours: &office}},
					{ID: "b", Timezone: "Asia/Kathmandu", Config: frontdesk.AgentConfig{Hours: &bar}},
					{ID: "c", Timezone: "Europe/Madrid"},
				}
				calls := randomCalls(random, w)
				callTallies, captureTallies := tally(calls)
				got := frontdesk.Analyze(w, callTallies, captureTallies, agents)
				want := countOneByOne(w, calls, agents)
				if !reflect.DeepEqual(got, want) {
					t.Errorf("got  %+v\nwant %+v", got, want)
				}
			})
		}
	}
}

func randomCalls(random *rand.Rand, w frontdesk.Window) (calls []call) {
	in := func(from, to time.Time) time.Time {
		return from.Add(time.Duration(random.Int64N(int64(to.Sub(from))))).Truncate(time.Microsecond)
	}
	for range 300 {
		c := call{
			at: in(w.Previous, w.To), seconds: random.IntN(600),
			agent:    []frontdesk.ID{"a", "b", "c", "", "gone"}[random.IntN(5)],
			channel:  frontdesk.Channels[random.IntN(2)],
			outcome:  frontdesk.Outcomes[random.IntN(6)],
			language: frontdesk.Languages[random.IntN(2)],
		}
		for range random.IntN(3) {
			c.captures = append(c.captures, in(w.Previous, w.To))
		}
		calls = append(calls, c)
	}
	// The edges, where a mistake would be.
	for _, at := range []time.Time{w.Previous, w.From.Add(-time.Microsecond), w.From, w.To.Add(-time.Microsecond)} {
		calls = append(calls, call{at: at, seconds: 1, channel: "web", outcome: "info", language: "es", captures: []time.Time{at}})
	}
	return calls
}

// tally counts calls as the store does.
func tally(calls []call) (tallies []frontdesk.CallTally, captures []frontdesk.CaptureTally) {
	for _, c := range calls {
		tallies = append(tallies, frontdesk.CallTally{
			Quarter: time.Unix(c.at.Unix()/900*900, 0).UTC(),
			AgentID: c.agent, Channel: c.channel, Outcome: c.outcome, Language: c.language, Calls: 1, Seconds: c.seconds,
		})
		for _, at := range c.captures {
			captures = append(captures, frontdesk.CaptureTally{Quarter: time.Unix(at.Unix()/900*900, 0).UTC(), Captures: 1})
		}
	}
	return tallies, captures
}

func countOneByOne(w frontdesk.Window, calls []call, agents []frontdesk.Agent) frontdesk.Analytics {
	a := frontdesk.Analytics{Days: w.Days, Timezone: w.Location.String()}
	a.Totals.Outcomes, a.Totals.Channels, a.Totals.Languages = map[frontdesk.Outcome]int{}, map[frontdesk.Channel]int{}, map[string]int{}
	// Every date between the ends, found by walking through the hours.
	dates := map[string]*frontdesk.DayStats{}
	var order []string
	for at := w.From; at.Before(w.To); at = at.Add(15 * time.Minute) {
		if date := at.In(w.Location).Format("2006-01-02"); dates[date] == nil {
			dates[date] = &frontdesk.DayStats{Date: date, Outcomes: map[frontdesk.Outcome]int{}, Channels: map[frontdesk.Channel]int{}}
			order = append(order, date)
		}
	}
	for _, c := range calls {
		for _, at := range c.captures {
			if at.Before(w.From) {
				a.Totals.Previous.Captures++
				continue
			}
			local := at.In(w.Location)
			dates[local.Format("2006-01-02")].Captures++
			a.ByHour[local.Hour()].Captures++
			a.ByWeekHour[fromMonday(local)][local.Hour()].Captures++
			a.Totals.Captures++
		}
		if c.at.Before(w.From) {
			a.Totals.Previous.Calls++
			a.Totals.Previous.Seconds += c.seconds
			continue
		}
		local := c.at.In(w.Location)
		day := dates[local.Format("2006-01-02")]
		day.Calls++
		day.Seconds += c.seconds
		day.Outcomes[c.outcome]++
		day.Channels[c.channel]++
		a.ByHour[local.Hour()].Calls++
		a.ByHour[local.Hour()].Seconds += c.seconds
		a.ByWeekHour[fromMonday(local)][local.Hour()].Calls++
		a.ByWeekHour[fromMonday(local)][local.Hour()].Seconds += c.seconds
		a.Totals.Calls++
		a.Totals.Seconds += c.seconds
		a.Totals.Outcomes[c.outcome]++
		a.Totals.Channels[c.channel]++
		a.Totals.Languages[c.language]++
		for _, agent := range agents {
			if agent.ID == c.agent && agent.Config.Hours != nil {
				zone, _ := frontdesk.LoadZone(agent.Timezone)
				if !agent.Config.Hours.OpenAt(c.at.In(zone)) {
					a.Totals.AfterHours++
				}
			}
		}
	}
	for _, date := range order {
		a.PerDay = append(a.PerDay, *dates[date])
	}
	a.Totals.AvgDuration = math.Round(float64(a.Totals.Seconds)/float64(a.Totals.Calls)*10) / 10
	a.Totals.BookingRate = math.Round(float64(a.Totals.Outcomes["booking"])/float64(a.Totals.Calls)*10_000) / 10_000
	return a
}

// fromMonday is the weekday of a local time, Monday being 0.
func fromMonday(local time.Time) int { return (int(local.Weekday()) + 6) % 7 }

// The days to compare with, told as a window of their own, are those that the
// window itself compares with.
func TestTheWindowBefore(t *testing.T) {
	t.Parallel()
	w := frontdesk.WindowOf(instant(t, "2026-11-14T12:00:00Z"), 30, load(t, "Europe/Madrid"))
	calls := []call{
		{at: w.Previous, seconds: 10, channel: "web", outcome: "booking", language: "es", captures: []time.Time{w.Previous}},
		{at: w.From.Add(-time.Minute), seconds: 20, channel: "phone", outcome: "info", language: "en"},
		{at: w.From, seconds: 40, channel: "web", outcome: "info", language: "es"},
	}
	tallies, captures := tally(calls)
	own, before := frontdesk.Analyze(w, tallies, captures, nil), frontdesk.Analyze(w.Before(), tallies, captures, nil)
	if before.Totals.Volume != own.Totals.Previous || before.Totals.Volume != (frontdesk.Volume{Calls: 2, Seconds: 30, Captures: 1}) {
		t.Errorf("got %+v, and the window compares with %+v", before.Totals.Volume, own.Totals.Previous)
	}
	if before.Totals.Outcomes[frontdesk.Booking] != 1 || before.Totals.Previous != (frontdesk.Volume{}) {
		t.Errorf("got %+v", before.Totals)
	}
	if first, last := before.PerDay[0].Date, before.PerDay[len(before.PerDay)-1].Date; len(before.PerDay) != 30 || first != "2026-09-16" || last != "2026-10-15" {
		t.Errorf("got %d days, %s to %s", len(before.PerDay), first, last)
	}
}

func TestAnalyzeNothing(t *testing.T) {
	t.Parallel()
	w := frontdesk.WindowOf(instant(t, "2026-11-14T12:00:00Z"), 90, load(t, "Europe/Madrid"))
	a := frontdesk.Analyze(w, nil, nil, nil)
	if len(a.PerDay) != 90 || a.PerDay[0].Date != "2026-08-17" || a.PerDay[89].Date != "2026-11-14" {
		t.Errorf("got %d days, %s to %s", len(a.PerDay), a.PerDay[0].Date, a.PerDay[len(a.PerDay)-1].Date)
	}
	if a.Totals.AvgDuration != 0 || a.Totals.BookingRate != 0 || a.Totals.Calls != 0 {
		t.Errorf("nothing came to %+v", a.Totals)
	}
	if a.Totals.Outcomes == nil || len(maps.Clone(a.Totals.Outcomes)) != 0 {
		t.Errorf("got %v", a.Totals.Outcomes)
	}
}

// The local day of 25 hours has an hour that counts double, the one of 23 an
// hour that stays empty.
func TestAnalyzeCountsAnHourThatComesTwice(t *testing.T) {
	t.Parallel()
	for now, want := range map[string][24]int{
		"2026-10-25T20:00:00Z": hoursWith(2, 2),
		"2026-03-29T20:00:00Z": hoursWith(2, 0),
		"2026-11-14T20:00:00Z": hoursWith(2, 1),
	} {
		w := frontdesk.WindowOf(instant(t, now), 1, load(t, "Europe/Madrid"))
		var calls []call
		for at := w.From; at.Before(w.To); at = at.Add(time.Hour) {
			calls = append(calls, call{at: at.Add(59 * time.Minute), outcome: "info", channel: "web", language: "en"})
		}
		tallies, _ := tally(calls)
		a := frontdesk.Analyze(w, tallies, nil, nil)
		for hour, v := range a.ByHour {
			if v.Calls != want[hour] {
				t.Errorf("on the day of %s hour %d has %d calls, want %d", now, hour, v.Calls, want[hour])
			}
		}
		if a.PerDay[0].Calls != len(calls) || a.Totals.Calls != len(calls) {
			t.Errorf("on the day of %s: %+v", now, a.PerDay)
		}
	}
}

func hoursWith(hour, calls int) (h [24]int) {
	for i := range h {
		h[i] = 1
	}
	h[hour] = calls
	return h
}
