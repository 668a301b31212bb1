package store_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// houses are agents with hours of every sort: by the week, with a night that goes
// past midnight, by a calendar with closures, in another zone, and without any.
func houses() []frontdesk.Agent {
	week, nights := frontdesk.Hours{}, frontdesk.Hours{}
	for d := range 6 {
		week[d], nights[d] = frontdesk.Shift{Open: 9, Close: 20}, frontdesk.Shift{Open: 18, Close: 2}
	}
	agents := []frontdesk.Agent{
		{Timezone: "Europe/Madrid", Config: frontdesk.AgentConfig{Hours: &week}},
		{Timezone: "Asia/Kolkata", Config: frontdesk.AgentConfig{Hours: &nights}},
		{Timezone: "Europe/Madrid", Config: frontdesk.AgentConfig{Hours: &week}},
		{Timezone: "Europe/Madrid"},
	}
	agents[2].Settings.Calendar.Exceptions = []frontdesk.Exception{{From: frontdesk.DateOf(day.AddDate(0, 0, -20)), To: frontdesk.DateOf(day.AddDate(0, 0, -18))}}
	for i := range agents {
		agents[i].ID = frontdesk.NewID(day)
	}
	return agents
}

// afterHours reads all pages of the calls after hours.
func afterHours(t testing.TB, s *store.Store, owner frontdesk.Owner, f frontdesk.CallFilter, limit int, agents []frontdesk.Agent) (all []frontdesk.Call) {
	t.Helper()
	p := frontdesk.Page{Limit: limit}
	for {
		list, err := s.CallsAfterHours(ctx, owner, f, p, agents)
		if err != nil {
			t.Fatal(err)
		}
		if len(list.Items) > limit {
			t.Fatalf("%d calls on a page", len(list.Items))
		}
		all = append(all, list.Items...)
		if !list.More {
			break
		}
		if p.StartingAfter = list.Next; list.Next == "" {
			p.StartingAfter = list.Items[len(list.Items)-1].ID
		}
	}
	if !slices.IsSortedFunc(all, func(a, b frontdesk.Call) int { return b.StartedAt.Compare(a.StartedAt) }) {
		t.Error("they are not in order")
	}
	return all
}

// The list of calls after hours has as many as Analytics counts, for every agent and
// for all of them, in any window.
func TestCallsAfterHoursAreThoseThatAreCounted(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agents := houses()
	random := rand.New(rand.NewPCG(1, 2))
	end := day.Truncate(24*time.Hour).AddDate(0, 0, 1)
	var all []store.Recording
	for i := range 400 {
		r := recording(end.Add(-time.Duration(random.Int64N(int64(70*24*time.Hour)))).Truncate(time.Second), 60, 0)
		r.Call.AgentID = agents[i%len(agents)].ID
		r.Call.Outcome = frontdesk.Outcomes[i%3]
		r.Call.Language = frontdesk.Languages[i%2]
		word := []string{"terraza", "menu"}[i%2]
		r.Call.Transcript = json.RawMessage(`{"turns":[{"role":"caller","text":"` + word + `"}]}`)
		all = append(all, r)
	}
	record(t, s, owner, all...)
	madrid, err := time.LoadLocation("Europe/Madrid")
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, days := range []int{1, 7, 30, 90} {
		w := frontdesk.WindowOf(day, days, madrid)
		for _, agent := range append([]frontdesk.Agent{{}}, agents...) {
			counted, err := s.Analytics(ctx, owner, frontdesk.AnalyticsFilter{AgentID: agent.ID}, w, agents)
			if err != nil {
				t.Fatal(err)
			}
			f := frontdesk.CallFilter{AgentID: agent.ID, StartedFrom: w.From, StartedTo: w.To}
			listed := afterHours(t, s, owner, f, 7, agents)
			if len(listed) != counted.Totals.AfterHours {
				t.Errorf("%d days of %s: %d are listed, %d counted", days, agent.ID, len(listed), counted.Totals.AfterHours)
			}
			total += len(listed)
		}
	}
	if total < 200 {
		t.Errorf("only %d were after hours: nothing is shown by that", total)
	}
	checkNarrowed(t, s, owner, agents)
}

// checkNarrowed holds what a filter or a search leaves of the calls after hours
// against all of them.
func checkNarrowed(t *testing.T, s *store.Store, owner frontdesk.Owner, agents []frontdesk.Agent) {
	t.Helper()
	whole := afterHours(t, s, owner, frontdesk.CallFilter{}, 50, agents)
	for name, f := range map[string]frontdesk.CallFilter{
		"outcome":  {Outcome: frontdesk.Outcomes[1]},
		"language": {Language: "en"},
		"search":   {Search: "terraza"},
		"agent":    {AgentID: agents[1].ID, Search: "menu"},
	} {
		want := 0
		for _, c := range whole {
			word := map[string]string{"es": "terraza", "en": "menu"}
			if frontdesk.Languages[0] == "en" {
				word = map[string]string{"en": "terraza", "es": "menu"}
			}
			if (f.Outcome == "" || f.Outcome == c.Outcome) && (f.Language == "" || f.Language == c.Language) && (f.AgentID == "" || f.AgentID == c.AgentID) &&
				(f.Search == "" || f.Search == word[c.Language]) {
				want++
			}
		}
		if got := len(afterHours(t, s, owner, f, 7, agents)); got != want || want == 0 {
			t.Errorf("by %s: got %d, want %d", name, got, want)
		}
	}
}

// Where nothing is found for long, a page ends and says where the next one begins.
func TestAPageOfCallsAfterHoursIsBounded(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agent := houses()[0]
	old := recording(day.AddDate(-1, 0, 0).Truncate(24*time.Hour).Add(3*time.Hour), 60, 0)
	now := recording(day.Truncate(24*time.Hour).Add(11*time.Hour), 60, 0)
	old.Call.AgentID, now.Call.AgentID = agent.ID, agent.ID
	record(t, s, owner, old, now)
	agents := []frontdesk.Agent{agent}
	first, err := s.CallsAfterHours(ctx, owner, frontdesk.CallFilter{}, frontdesk.Page{Limit: 10}, agents)
	if err != nil || len(first.Items) != 0 || !first.More || first.Next == "" {
		t.Errorf("the first page: %+v, %v", first, err)
	}
	if all := afterHours(t, s, owner, frontdesk.CallFilter{}, 10, agents); len(all) != 1 || all[0].ID != old.Call.ID {
		t.Errorf("in all: %+v", all)
	}
	none, err := s.CallsAfterHours(ctx, frontdesk.Owner{TenantID: owner.TenantID}, frontdesk.CallFilter{}, frontdesk.Page{Limit: 10}, agents)
	if err != nil || len(none.Items) != 0 || none.More {
		t.Errorf("without calls: %+v, %v", none, err)
	}
}

// BenchmarkCallsAfterHours lists a page of 100,000 calls, of which the nights of the
// last month have some, or none at all.
func BenchmarkCallsAfterHours(b *testing.B) {
	s, owner := owned(b)
	agents := houses()[:1]
	start := day.Truncate(24*time.Hour).AddDate(0, -3, 0)
	for batch := range 100 {
		var some []store.Recording
		for i := range 1000 {
			at := start.AddDate(0, 0, batch%90).Add(9*time.Hour + time.Duration(i+batch)*30*time.Second)
			r := recording(at, 60, 0)
			r.Call.AgentID = agents[0].ID
			some = append(some, r)
		}
		record(b, s, owner, some...)
	}
	for name, f := range map[string]frontdesk.CallFilter{
		"in a month": {AgentID: agents[0].ID, StartedFrom: start.AddDate(0, 2, 0), StartedTo: start.AddDate(0, 3, 0)},
		"ever":       {AgentID: agents[0].ID},
	} {
		b.Run(fmt.Sprint(name), func(b *testing.B) {
			for b.Loop() {
				if _, err := s.CallsAfterHours(ctx, owner, f, frontdesk.Page{Limit: 30}, agents); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
