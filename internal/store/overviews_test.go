package store_test

import (
	"fmt"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// TestTenantsAreListedWithWhatTheyUse: page by page, newest first, without a
// query for each.
func TestTenantsAreListedWithWhatTheyUse(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for i := range 5 {
		storetest.Tenant(t, s, fmt.Sprintf("shop-%d", i))
	}
	busy := storetest.Tenant(t, s, "busy_bee")
	owner := frontdesk.Owner{TenantID: busy.ID, Live: true}
	newAgent(t, s, busy.ID)
	record(t, s, owner, recording(day, 60, 0))
	record(t, s, frontdesk.Owner{TenantID: busy.ID}, recording(day, 600, 0)) // test mode is not counted

	seen := map[string]bool{}
	page := frontdesk.Page{Limit: 4}
	for {
		list, err := s.Overviews(ctx, "", "2000-01", page)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range list.Items {
			if seen[o.Tenant.Slug] {
				t.Errorf("%s is listed twice", o.Tenant.Slug)
			}
			seen[o.Tenant.Slug] = true
			if o.Tenant.ID != busy.ID && (o.Agents != 0 || !o.LastCall.IsZero() || len(o.Used) != 0) {
				t.Errorf("%s has %+v", o.Tenant.Slug, o)
			}
		}
		if !list.More {
			break
		}
		page.StartingAfter = list.Items[len(list.Items)-1].Tenant.ID
	}
	if len(seen) != 6 {
		t.Errorf("listed: %v", seen)
	}
	for search, want := range map[string]int{"BUSY": 1, "shop": 5, "y_b": 1, "p%": 0, `\`: 0, "_": 1} {
		if list, err := s.Overviews(ctx, search, "2000-01", frontdesk.Page{Limit: 10}); err != nil || len(list.Items) != want {
			t.Errorf("%q finds %d, %v; want %d", search, len(list.Items), err, want)
		}
	}
	list, err := s.Overviews(ctx, "busy", "2000-01", frontdesk.Page{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	o := list.Items[0]
	if o.Agents != 1 || !o.LastCall.Equal(day) || len(o.Used) != 1 || o.Tenant.Plan != frontdesk.DefaultPlan() {
		t.Errorf("got %+v", o)
	}
	for _, u := range o.Used {
		if u.Seconds != 60 || u.Calls != 1 {
			t.Errorf("used: %+v", u)
		}
	}
	if later, err := s.Overviews(ctx, "busy", "2999-01", frontdesk.Page{Limit: 10}); err != nil || len(later.Items[0].Used) != 0 {
		t.Errorf("used later: %+v, %v", later, err)
	}
}

func TestDeadDeliveriesAreCounted(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	connect(t, s, owner)
	emit(t, s, owner, event(frontdesk.CallCompleted, day))
	if n, err := s.CountDeadDeliveriesForWorker(ctx, 10); err != nil || n != 0 {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := s.Beside().Exec(`UPDATE deliveries SET status = 'dead', due_at = NULL`); err != nil {
		t.Fatal(err)
	}
	if n, err := s.CountDeadDeliveriesForWorker(ctx, 10); err != nil || n != 1 {
		t.Errorf("%d, %v", n, err)
	}
}
