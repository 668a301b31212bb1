package demo

import (
	"context"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

func TestDemoGoesIntoTheBooks(t *testing.T) {
	t.Parallel()
	s, n := storetest.New(t), build(t, noon)
	if err := s.CreateTenant(context.Background(), n); err != nil {
		t.Fatal(err)
	}
	agents, err := s.Agents(context.Background(), frontdesk.Owner{TenantID: n.Tenant.ID, Live: true})
	if err != nil || len(agents) != 4 {
		t.Fatalf("%d agents, %v", len(agents), err)
	}
	for live, written := range map[bool][]store.Recording{true: n.Live, false: n.Test} {
		owner := frontdesk.Owner{TenantID: n.Tenant.ID, Live: live}
		checkUsage(t, s, owner, written)
		checkCounts(t, s, owner, written)
	}
	if err := s.CreateTenant(context.Background(), n); err == nil {
		t.Error("the demo can be written twice")
	}
}

func TestSampleGoesIntoTheBooks(t *testing.T) {
	t.Parallel()
	s, tenant := storetest.New(t), sampleTenant("Europe/Madrid")
	sample, err := Sample(tenant, noon)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.CreateTenant(context.Background(), store.NewTenant{Tenant: tenant, Test: sample}); err != nil {
		t.Fatal(err)
	}
	owner := frontdesk.Owner{TenantID: tenant.ID, Live: false}
	checkUsage(t, s, owner, sample)
	checkCounts(t, s, owner, sample)
}

// checkUsage holds that the months add up to the calls.
func checkUsage(t *testing.T, s *store.Store, owner frontdesk.Owner, written []store.Recording) {
	t.Helper()
	used, err := s.Usage(context.Background(), owner, "")
	if err != nil {
		t.Fatal(err)
	}
	var got, want frontdesk.UsagePeriod
	for _, u := range used {
		got.Calls += u.Calls
		got.Seconds += u.Seconds
	}
	for _, r := range written {
		want.Calls++
		want.Seconds += r.Call.Duration
	}
	if got != want {
		t.Errorf("usage is %+v, the calls are %+v", got, want)
	}
}

// checkCounts holds that all calls and captures are found again, newest first.
func checkCounts(t *testing.T, s *store.Store, owner frontdesk.Owner, written []store.Recording) {
	t.Helper()
	var page frontdesk.Page
	calls := 0
	for {
		l, err := s.Calls(context.Background(), owner, frontdesk.CallFilter{}, page)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range l.Items {
			calls++
			if want := written[len(written)-calls].Call.ID; c.ID != want {
				t.Fatalf("call %d is %s, want %s", calls, c.ID, want)
			}
		}
		if !l.More {
			break
		}
		page.StartingAfter = l.Items[len(l.Items)-1].ID
	}
	if calls != len(written) {
		t.Errorf("%d calls, %d written", calls, len(written))
	}
}
