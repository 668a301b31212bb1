package frontdesk_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Tallies of whole days come to the same as calls one by one, whether each agent
// is added by itself, or all together and then what was after hours.
func TestTalliesOfDaysAgainstCountingOneByOne(t *testing.T) {
	t.Parallel()
	agents := []frontdesk.Agent{
		{ID: "a", Timezone: "Europe/Madrid", Config: frontdesk.AgentConfig{Hours: &office}},
		{ID: "b", Timezone: "Asia/Kathmandu", Config: frontdesk.AgentConfig{Hours: &bar}},
		{ID: "c", Timezone: "Europe/Madrid"},
	}
	random := rand.New(rand.NewPCG(13, 14))
	for _, now := range []string{"2026-11-14T15:00:00Z", "2026-03-30T00:10:00Z", "2026-11-02T15:00:00Z", "2026-04-06T12:00:00Z", "2026-01-02T00:30:00Z"} {
		for _, zone := range append(zones, "Pacific/Kiritimati", "Pacific/Marquesas") {
			w := frontdesk.WindowOf(instant(t, now), 1+random.IntN(10), load(t, zone))
			calls := randomCalls(random, w)
			// What is outside the window does not count.
			for _, at := range []time.Time{w.Previous.Add(-time.Second), w.To, w.To.AddDate(0, 0, 3)} {
				calls = append(calls, call{at: at, seconds: 9, agent: "a", channel: "web", outcome: "info", language: "es", captures: []time.Time{at}})
			}
			want := countOneByOne(w, calls[:len(calls)-3], agents)

			byAgent, together := frontdesk.NewAnalysis(w, agents), frontdesk.NewAnalysis(w, agents)
			for _, d := range dayTallies(calls, false) {
				byAgent.Add(d)
				together.AddAfterHours(d)
			}
			for _, d := range dayTallies(calls, true) {
				together.Add(d)
			}
			if got := byAgent.Analytics(); !reflect.DeepEqual(got, want) {
				t.Errorf("%s in %s, by agent:\ngot  %+v\nwant %+v", now, zone, got, want)
			}
			if got := together.Analytics(); !reflect.DeepEqual(got, want) {
				t.Errorf("%s in %s, together:\ngot  %+v\nwant %+v", now, zone, got, want)
			}
		}
	}
}

// dayTallies sums calls up by UTC day, agent and channel, or by day and channel
// alone.
func dayTallies(calls []call, together bool) (tallies []frontdesk.DayTally) {
	type key struct {
		day     int64
		agent   frontdesk.ID
		channel frontdesk.Channel
	}
	type columns map[string]*[96]int
	days := map[key]columns{}
	count := func(at time.Time, c call, what string, n int) {
		day, quarter := frontdesk.DayAndQuarter(at)
		k := key{day, c.agent, c.channel}
		if together {
			k.agent = ""
		}
		if days[k] == nil {
			days[k] = columns{"calls": {}, "seconds": {}, "captures": {}}
		}
		if days[k][what] == nil {
			days[k][what] = &[96]int{}
		}
		days[k][what][quarter] += n
	}
	for _, c := range calls {
		for what, n := range map[string]int{"calls": 1, "seconds": c.seconds, "outcome " + string(c.outcome): 1, "language " + c.language: 1} {
			count(c.at, c, what, n)
		}
		for _, made := range c.captures {
			count(made, c, "captures", 1)
		}
	}
	var quarters []uint8
	for q := range uint8(96) {
		quarters = append(quarters, q)
	}
	for k, f := range days {
		d := frontdesk.DayTally{
			Day: k.day, AgentID: k.agent, Channel: k.channel, Quarters: quarters,
			Calls: f["calls"][:], Seconds: f["seconds"][:], Captures: f["captures"][:],
		}
		for what, n := range f {
			if name, ok := strings.CutPrefix(what, "outcome "); ok {
				d.Outcomes = append(d.Outcomes, frontdesk.TallyColumn{Name: name, Calls: n[:]})
			}
			if name, ok := strings.CutPrefix(what, "language "); ok {
				d.Languages = append(d.Languages, frontdesk.TallyColumn{Name: name, Calls: n[:]})
			}
		}
		tallies = append(tallies, d)
	}
	return tallies
}

func TestDayAndQuarter(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		at      string
		day     int64
		quarter int
	}{
		"the beginning of time":       {"1970-01-01T00:00:00Z", 0, 0},
		"before it":                   {"1969-12-31T23:59:59.9Z", -1, 95},
		"the day before, early":       {"1969-12-31T00:14:59Z", -1, 0},
		"the end of a quarter":        {"1970-01-02T00:14:59.999Z", 1, 0},
		"the beginning of the next":   {"1970-01-02T00:15:00Z", 1, 1},
		"a zone does not matter":      {"1970-01-02T05:45:00+05:45", 1, 0},
		"the last quarter of the day": {"1970-01-02T23:45:00Z", 1, 95},
	}
	for name, tt := range tests {
		if day, quarter := frontdesk.DayAndQuarter(instant(t, tt.at)); day != tt.day || quarter != tt.quarter {
			t.Errorf("%s: day %d, quarter %d", name, day, quarter)
		}
	}
}

func TestInQuarters(t *testing.T) {
	t.Parallel()
	for offset, want := range map[time.Duration]bool{0: true, 45 * time.Minute: true, -(3*time.Hour + 30*time.Minute): true, 20 * time.Minute: false, time.Second: false} {
		w := frontdesk.WindowOf(instant(t, "2026-11-14T15:00:00Z"), 3, time.FixedZone("x", int(offset.Seconds())))
		if got := w.InQuarters(); got != want {
			t.Errorf("%s from UTC: %v", offset, got)
		}
	}
}
