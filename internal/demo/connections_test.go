package demo

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// openSecret is one that nobody has to open.
func openSecret(connection frontdesk.ID, at time.Time) frontdesk.SealedSecret {
	return frontdesk.SealedSecret{Prefix: "whsec_demo", Sealed: []byte(connection), SetAt: at}
}

// TestConnectionsOfEveryKind looks at what a visitor of the demo finds, on every
// odd day.
func TestConnectionsOfEveryKind(t *testing.T) {
	t.Parallel()
	for name, now := range oddDays {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := build(t, now)
			for _, live := range []bool{true, false} {
				kinds := map[string]int{}
				statuses := map[frontdesk.DeliveryStatus]int{}
				for _, c := range n.Connections {
					if c.Live != live {
						continue
					}
					kinds[string(c.Status)+" "+c.DisabledBy]++
					checkHistory(t, n, c, now, statuses)
					if c.Status == frontdesk.ConnectionActive && statuses[frontdesk.DeliveryDead] == 0 {
						t.Errorf("live %t: %s has nothing that a visitor could retry", live, c.Name)
					}
				}
				if kinds["active "] != 1 || kinds["disabled customer"] != 1 || kinds["disabled system"] != 1 {
					t.Errorf("live %t: connections are %v", live, kinds)
				}
				for status, count := range statuses {
					if count > statuses[frontdesk.DeliveryDelivered] {
						t.Errorf("live %t: most are %s: %v", live, status, statuses)
					}
				}
				for _, s := range []frontdesk.DeliveryStatus{frontdesk.DeliveryPending, frontdesk.DeliveryFailed, frontdesk.DeliveryDead} {
					if statuses[s] == 0 {
						t.Errorf("live %t: none is %s: %v", live, s, statuses)
					}
				}
			}
		})
	}
}

// checkHistory holds the deliveries of one connection together.
func checkHistory(t *testing.T, n store.NewTenant, c frontdesk.Connection, now time.Time, statuses map[frontdesk.DeliveryStatus]int) {
	t.Helper()
	if !strings.HasSuffix(strings.Split(strings.TrimPrefix(c.URL, "https://"), "/")[0], ".example.com") || c.Secret.Prefix == "" {
		t.Errorf("connection %+v", c)
	}
	for _, d := range n.Deliveries {
		if d.ConnectionID != c.ID {
			continue
		}
		statuses[d.Status]++
		open := d.Status == frontdesk.DeliveryPending || d.Status == frontdesk.DeliveryFailed
		at := slices.IndexFunc(n.Events, func(e frontdesk.Event) bool { return e.ID == d.EventID })
		switch {
		case at < 0 || n.Events[at].Type != d.Event || n.Events[at].Live != d.Live || !slices.Contains(c.Events, d.Event) || d.Live != c.Live:
			t.Errorf("%+v is not of an event that %s wants", d, c.Name)
		case open == d.NextAttemptAt.IsZero():
			t.Errorf("next attempt of %+v", d)
		case open && c.Status == frontdesk.ConnectionActive:
			t.Errorf("the demo would send %+v by itself", d)
		case d.Status == frontdesk.DeliveryFailed && !d.NextAttemptAt.After(now):
			t.Errorf("a failed one that is due: %+v", d)
		case d.CreatedAt.After(now) || d.DeliveredAt.After(now) || d.CreatedAt.Before(c.CreatedAt):
			t.Errorf("not in its time: %+v", d)
		case (d.Status == frontdesk.DeliveryDelivered) != (d.ErrorCode == "" && d.Tried):
			t.Errorf("an error that is none: %+v", d)
		}
	}
}

// TestEventsAreOfTheCallsThemselves: what was sent is what GET would return.
func TestEventsAreOfTheCallsThemselves(t *testing.T) {
	t.Parallel()
	n := build(t, noon)
	if len(n.Events) < 50 {
		t.Fatalf("only %d events", len(n.Events))
	}
	known := map[string]bool{}
	for _, r := range slices.Concat(n.Live, n.Test) {
		known[string(r.Call.ID)] = true
		for _, c := range r.Captures {
			known[string(c.ID)] = true
		}
	}
	for _, e := range n.Events {
		var body struct {
			ID, Type      string
			Livemode      bool
			Tenant, Agent struct{ Slug string }
			Data          struct{ Object struct{ ID string } }
		}
		if err := json.Unmarshal(e.Body, &body); err != nil {
			t.Fatal(err)
		}
		if body.ID != string(e.ID) || body.Type != e.Type || body.Livemode != e.Live || body.Tenant.Slug != Slug || body.Agent.Slug == "" || !known[body.Data.Object.ID] {
			t.Errorf("%s", e.Body)
		}
		if len(e.Body) > frontdesk.MaxEventBody {
			t.Errorf("an event of %d bytes", len(e.Body))
		}
	}
}

// TestTheDemoSendsNothingByItself asks the queue, for as long as the demo could
// run.
func TestTheDemoSendsNothingByItself(t *testing.T) {
	t.Parallel()
	ctx, s, n := context.Background(), storetest.New(t), build(t, noon)
	if err := s.CreateTenant(ctx, n); err != nil {
		t.Fatal(err)
	}
	for _, after := range []time.Duration{0, time.Hour, 24 * time.Hour, 365 * 24 * time.Hour} {
		if lanes, err := s.LanesWithWorkForWorker(ctx, noon.Add(after)); err != nil || len(lanes) > 0 {
			t.Errorf("after %v: %v %v", after, lanes, err)
		}
	}
	for _, c := range n.Connections {
		owner := frontdesk.Owner{TenantID: n.Tenant.ID, Live: c.Live}
		got, err := s.Connection(ctx, owner, c.ID)
		if err != nil || got.URL != c.URL || got.Health.ConsecutiveFailures != c.Health.ConsecutiveFailures {
			t.Errorf("%+v %v", got, err)
		}
		l, err := s.Deliveries(ctx, owner, c.ID, "", frontdesk.Page{Limit: 100})
		if err != nil || len(l.Items) < 5 {
			t.Errorf("%s: %d deliveries %v", c.Name, len(l.Items), err)
		}
	}
}
