package demo

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
	"frontdesk.dev/frontdesk/internal/store"
)

var noon = time.Date(2026, time.November, 11, 12, 0, 0, 0, time.UTC)

// oddDays are instants at which calendars are at their worst.
var oddDays = map[string]time.Time{
	"the middle of a day":                  noon,
	"the start of a day":                   time.Date(2026, time.May, 4, 0, 0, 0, 0, time.UTC),
	"the last moment of a day":             time.Date(2026, time.May, 4, 23, 59, 59, 999_999_999, time.UTC),
	"the night the clock springs forward":  time.Date(2026, time.March, 29, 1, 0, 0, 0, time.UTC),
	"the day the clock springs forward":    time.Date(2026, time.March, 29, 15, 0, 0, 0, time.UTC),
	"the night the clock falls back":       time.Date(2026, time.October, 25, 1, 30, 0, 0, time.UTC),
	"the day the clock falls back":         time.Date(2026, time.October, 25, 20, 0, 0, 0, time.UTC),
	"a leap day":                           time.Date(2028, time.February, 29, 17, 45, 0, 0, time.UTC),
	"New Year's Eve in another zone's day": time.Date(2026, time.December, 31, 23, 30, 0, 0, time.FixedZone("", 3*3600)),
}

func TestSameMomentSameDemo(t *testing.T) {
	t.Parallel()
	if !reflect.DeepEqual(build(t, noon), build(t, noon.In(time.FixedZone("", -5*3600)))) {
		t.Error("two builds at the same moment differ")
	}
	other, err := Build(Seed+1, noon, openSecret)
	if err != nil {
		t.Fatal(err)
	}
	if reflect.DeepEqual(other.Live[0], build(t, noon).Live[0]) {
		t.Error("another seed gives the same calls")
	}
}

func TestThePastDependsOnTheDayAlone(t *testing.T) {
	t.Parallel()
	morning, night := build(t, noon.Add(-6*time.Hour)), build(t, noon.Add(11*time.Hour))
	if !reflect.DeepEqual(morning.Tenant, night.Tenant) || !reflect.DeepEqual(morning.Agents, night.Agents) {
		t.Error("the account changes within a day")
	}
	past := func(rs []store.Recording) []store.Recording {
		yesterday := today(noon).Add(-12 * time.Hour) // later ones may be errands, which are always fresh
		return slices.DeleteFunc(slices.Clone(rs), func(r store.Recording) bool { return !r.Call.StartedAt.Before(yesterday) })
	}
	if !reflect.DeepEqual(past(morning.Live), past(night.Live)) || !reflect.DeepEqual(past(morning.Test), past(night.Test)) {
		t.Error("what happened before yesterday noon changes within the day")
	}
	if len(night.Live) <= len(morning.Live) {
		t.Error("no call comes in during the day")
	}
}

func TestDemoIsSound(t *testing.T) {
	t.Parallel()
	for name, now := range oddDays {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := build(t, now)
			if len(n.Agents) != 4 || n.Tenant.Slug != Slug {
				t.Fatalf("%d agents of %s", len(n.Agents), n.Tenant.Slug)
			}
			for _, a := range n.Agents {
				if err := a.Check(); err != nil {
					t.Error(err)
				}
			}
			if err := n.Tenant.Plan.Check(); err != nil {
				t.Error(err)
			}
			if len(n.Live) < 400 || len(n.Test) < 120 {
				t.Errorf("%d live calls, %d test calls", len(n.Live), len(n.Test))
			}
			checkRecordings(t, n.Agents, n.Live, now)
			checkRecordings(t, n.Agents, n.Test, now)
			checkVariety(t, n.Live)
			checkVariety(t, n.Test)
			checkPlanLasts(t, n, now)
		})
	}
}

func TestNewestCallsAreFresh(t *testing.T) {
	t.Parallel()
	live := build(t, noon).Live
	newest := live[len(live)-1].Call.StartedAt
	if noon.Sub(newest) > 2*time.Hour {
		t.Errorf("at noon on a Wednesday the newest call is of %s", newest)
	}
	oldest := live[0].Call.StartedAt
	if days := noon.Sub(oldest).Hours() / 24; days < Days-3 || days > Days {
		t.Errorf("the oldest call is %.1f days old", days)
	}
}

func TestProportionsAreBelievable(t *testing.T) {
	t.Parallel()
	n := build(t, noon)
	share := map[string]float64{}
	for _, r := range n.Live {
		share[r.Call.Language] += 1 / float64(len(n.Live))
		share[string(r.Call.Outcome)] += 1 / float64(len(n.Live))
		if hours, err := opening.Of(agentOf(n.Agents, r.Call.AgentID)); err == nil && hours.OpenAt(r.Call.StartedAt) {
			share["open"] += 1 / float64(len(n.Live))
		}
	}
	for what, want := range map[string][2]float64{
		"es": {0.65, 0.85}, "booking": {0.3, 0.45}, "info": {0.3, 0.45}, "handoff": {0.05, 0.12},
		"abandoned": {0.08, 0.16}, "error": {0.005, 0.04}, "over_limit": {0.005, 0.04}, "open": {0.7, 0.95},
	} {
		if got := share[what]; got < want[0] || got > want[1] {
			t.Errorf("share of %s: %.3f, want %v", what, got, want)
		}
	}
}

func build(t *testing.T, now time.Time) store.NewTenant {
	t.Helper()
	n, err := Build(Seed, now, openSecret)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func agentOf(agents []frontdesk.Agent, id frontdesk.ID) frontdesk.Agent {
	for _, a := range agents {
		if a.ID == id {
			return a
		}
	}
	return frontdesk.Agent{}
}

// checkPlanLasts holds that no month uses more than the plan includes.
func checkPlanLasts(t *testing.T, n store.NewTenant, now time.Time) {
	t.Helper()
	used := map[string]int{}
	for _, r := range n.Live {
		used[r.Period] += r.Call.Duration
	}
	for period, seconds := range used {
		if seconds > n.Tenant.Plan.IncludedSeconds {
			t.Errorf("at %s %d seconds are used in %s, %d included", now, seconds, period, n.Tenant.Plan.IncludedSeconds)
		}
	}
}

// checkVariety holds that everything that can be met is met.
func checkVariety(t *testing.T, rs []store.Recording) {
	t.Helper()
	met := map[string]bool{}
	for _, r := range rs {
		met[string(r.Call.Outcome)], met[string(r.Call.Channel)], met[r.Call.Language] = true, true, true
		for _, c := range r.Captures {
			met[c.Kind], met[string(c.Status)] = true, true
		}
	}
	wanted := []string{"es", "en", frontdesk.Appointment, frontdesk.Lead, frontdesk.Order, frontdesk.Callback}
	for _, list := range []any{frontdesk.Outcomes, frontdesk.Channels, frontdesk.CaptureStatuses} {
		for i := range reflect.ValueOf(list).Len() {
			wanted = append(wanted, fmt.Sprint(reflect.ValueOf(list).Index(i)))
		}
	}
	for _, w := range wanted {
		if !met[w] {
			t.Errorf("among %d calls there is no %s", len(rs), w)
		}
	}
}

// decoded is what a customer reads of a call.
type decoded struct {
	Summary struct {
		Text, Title, Intent string
		KeyPoints           []string        `json:"key_points"`
		Unanswered          []string        `json:"unanswered_questions"`
		CaptureIDs          []frontdesk.ID  `json:"capture_ids"`
		Handoff             json.RawMessage `json:"handoff"`
	}
	Transcript struct {
		Language string
		Turns    []decodedTurn
	}
}

type decodedTurn struct {
	Role, Text, Name, Language string
	Arguments, Result          map[string]any
	StartMS                    int `json:"start_ms"`
	EndMS                      int `json:"end_ms"`
}

func decode(t *testing.T, c frontdesk.Call) (d decoded) {
	t.Helper()
	if err := json.Unmarshal(c.Summary, &d.Summary); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(c.Transcript, &d.Transcript); err != nil {
		t.Fatal(err)
	}
	return d
}
