package api

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/service/servicetest"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// TestTwoPatchesAtOnceBothSurvive: they touch different fields, of the agent or
// of the same object in it, and come in on two nodes.
func TestTwoPatchesAtOnceBothSurvive(t *testing.T) {
	t.Parallel()
	url, c := storetest.URL(t), servicetest.NewClock(noon)
	one := node(t, url, c, unhurried).start()
	one.a = one.newTenant("alfa")
	other := node(t, url, c, unhurried).start()
	for round := range 50 {
		patches := map[string]string{
			"policy":            fmt.Sprintf(`{"policy":"p%d"}`, round),
			"business.phone":    fmt.Sprintf(`{"business":{"phone":"b%d"}}`, round),
			"business.address":  fmt.Sprintf(`{"config":{"business":{"address":"a%d"}}}`, round),
			"services":          fmt.Sprintf(`{"services":[{"name":"s%d"}]}`, round),
			"assistant.name":    fmt.Sprintf(`{"assistant":{"name":"n%d"}}`, round),
			"hours and another": fmt.Sprintf(`{"hours":{"0":[%d,24]},"specials":"x%d"}`, round%24, round),
		}
		var wg sync.WaitGroup
		for i, name := range slices.Sorted(maps.Keys(patches)) {
			wg.Go(func() {
				h := []*house{one, other}[i%2]
				if got, err := h.exchange(h.document(), "PATCH /agents/desk", one.a.live, patches[name]); err != nil || got.status != 200 {
					t.Errorf("%s: %s %v", name, got, err)
				}
			})
		}
		wg.Wait()
		got := one.do("GET /agents", one.a.live, "").body
		for _, has := range []string{`"policy":"p%d"`, `"phone":"b%d"`, `"address":"a%d"`, `"services":[{"name":"s%d"}]`, `"name":"n%d"`, `"specials":"x%d"`} {
			if has = fmt.Sprintf(has, round); !strings.Contains(got, has) {
				t.Fatalf("round %d: %s was lost: %s", round, has, got)
			}
		}
		if has := fmt.Sprintf(`"hours":{"0":[%d,24]}`, round%24); !strings.Contains(got, has) {
			t.Fatalf("round %d: %s was lost: %s", round, has, got)
		}
	}
}

// TestNoStatusIsLost changes 200 captures at once, and reads them all again.
func TestNoStatusIsLost(t *testing.T) {
	t.Parallel()
	const many = 200
	h := newHouse(t, unhurried).start()
	for i := range many - 1 { // the house has one already
		must(t, h.recordCall(h.a, true, noon.Add(-time.Duration(i)*time.Minute), 10))
	}
	ids := h.allCaptures(t)
	if len(ids) != many {
		t.Fatalf("there are %d captures", len(ids))
	}
	wanted := frontdesk.CaptureStatuses[1:]
	var wg sync.WaitGroup
	for i, id := range slices.Sorted(maps.Keys(ids)) {
		status := string(wanted[i%len(wanted)])
		ids[id] = status
		wg.Go(func() {
			got, err := h.exchange(h.document(), "PATCH /captures/"+id, h.a.live, `{"status":"`+status+`"}`)
			if err != nil || got.status != 200 || !strings.Contains(got.body, `"status":"`+status+`"`) {
				t.Errorf("%s: %s %v", id, got, err)
			}
		})
	}
	wg.Wait()
	if stored := h.allCaptures(t); !maps.Equal(stored, ids) {
		for id, status := range ids {
			if stored[id] != status {
				t.Errorf("%s is %s, want %s", id, stored[id], status)
			}
		}
	}
}

// allCaptures are the ids of the captures and where they stand.
func (h *house) allCaptures(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	after := ""
	for {
		page := h.do("GET /captures?limit=100"+after, h.a.live, "").json(t)
		for _, item := range page["data"].([]any) {
			capture := item.(map[string]any)
			all[capture["id"].(string)] = capture["status"].(string)
		}
		next, more := page["next_starting_after"].(string)
		if !more {
			return all
		}
		after = "&starting_after=" + next
	}
}

// TestUsageEqualsTheCallsWhileTheyComeIn: every call lasts 7 seconds, so any
// answer that saw half of one would show. What is told lies between what was
// recorded before it was asked for and after, in usage and in analytics.
func TestUsageEqualsTheCallsWhileTheyComeIn(t *testing.T) {
	t.Parallel()
	const desks, each, seconds = 4, 40, 7
	h := newHouse(t, unhurried).start()
	desk := tenant{Tenant: storetest.Tenant(t, h.store, "gamma"), agent: h.a.agent}
	desk.live = h.key(desk.Tenant, true, "all")
	desk.agent.ID, desk.agent.TenantID = frontdesk.NewID(noon), desk.ID
	must(t, h.store.CreateAgent(t.Context(), frontdesk.Actor{}, desk.agent))
	var begun, done atomic.Int64
	var wg sync.WaitGroup
	for range desks {
		wg.Go(func() {
			for range each {
				begun.Add(1)
				if err := h.recordCall(desk, true, noon.Add(-time.Minute), seconds); err != nil {
					t.Error(err)
				}
				done.Add(1)
			}
		})
	}
	check := func() {
		least := done.Load()
		usage := h.do("GET /usage", desk.live, "").json(t)
		totals := at(h.do("GET /analytics?days=1", desk.live, "").json(t), "totals")
		most := begun.Load()
		month := usage["history"].([]any)[0].(map[string]any)
		if usage["current_period_seconds"] != month["seconds"] {
			t.Errorf("usage is at odds with itself: %v", usage)
		}
		for what, figures := range map[string]map[string]any{"usage": month, "analytics": totals} {
			calls := int64(figures["calls"].(float64))
			if int64(figures["seconds"].(float64)) != calls*seconds {
				t.Errorf("%s: %d calls of 7 seconds are %v seconds", what, calls, figures["seconds"])
			}
			if calls < least || calls > most {
				t.Errorf("%s: %d calls, recorded were %d to %d", what, calls, least, most)
			}
		}
		if totals["calls"].(float64) < month["calls"].(float64) {
			t.Errorf("the calls fell behind usage, asked for before: %v %v", totals["calls"], month["calls"])
		}
	}
	for done.Load() < desks*each && !t.Failed() {
		check()
	}
	wg.Wait()
	check()
	listed := 0
	for after := ""; ; {
		page := h.do("GET /calls?limit=100"+after, desk.live, "").json(t)
		for _, item := range page["data"].([]any) {
			listed += int(item.(map[string]any)["duration_seconds"].(float64))
		}
		next, more := page["next_starting_after"].(string)
		if !more {
			break
		}
		after = "&starting_after=" + next
	}
	if usage := h.do("GET /usage", desk.live, "").json(t); usage["current_period_seconds"] != float64(listed) || listed != desks*each*seconds {
		t.Errorf("usage says %v, the list %d", usage["current_period_seconds"], listed)
	}
}
