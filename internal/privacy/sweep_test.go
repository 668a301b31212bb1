package privacy_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/privacy"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

var now = time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC)

func newKeeper(t testing.TB, s *store.Store) *privacy.Keeper {
	t.Helper()
	return privacy.New(privacy.Options{Store: s, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }})
}

// tenant is one whose plan keeps things for some days.
func tenant(t *testing.T, s *store.Store, slug string, keep func(*frontdesk.Plan)) frontdesk.ID {
	t.Helper()
	tenant := storetest.Tenant(t, s, slug)
	keep(&tenant.Plan)
	must(t, s.SetPlan(t.Context(), frontdesk.Actor{}, tenant.ID, tenant.Plan))
	return tenant.ID
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// called is a call some days ago, with a capture that is scheduled some days from
// now, and a question that was not answered.
func called(t *testing.T, s *store.Store, owner frontdesk.Owner, ago, in int, edit ...func(*store.Recording)) store.Recording {
	t.Helper()
	at := now.AddDate(0, 0, -ago)
	r := store.Recording{
		Call: frontdesk.Call{
			ID: frontdesk.NewID(at), StartedAt: at, Duration: 60, Language: "es", Outcome: "booking", Channel: "web",
			Summary: json.RawMessage(`{}`), Transcript: json.RawMessage(`{"language":"es","turns":[{"text":"terraza"}]}`),
		},
		Unanswered: []string{"¿Hay terraza?"},
	}
	r.Captures = []frontdesk.Capture{{
		ID: frontdesk.NewID(at.Add(time.Second)), CallID: r.Call.ID, Channel: "web", Kind: frontdesk.Appointment, CustomerName: "Ana", CustomerPhone: "+34600111222",
		ScheduledAt: frontdesk.LocalTimeOf(now.AddDate(0, 0, in)), Status: frontdesk.Confirmed, CreatedAt: at, Source: frontdesk.FromCall,
	}}
	r.Call.CaptureIDs = []frontdesk.ID{r.Captures[0].ID}
	for _, change := range edit {
		change(&r)
	}
	must(t, s.RecordCalls(t.Context(), owner, r))
	return r
}

// has says what is left of a call: "c" the call, "t" its transcript, "b" what it
// booked, "l" that the booking knows its call, "w" that its words are found.
func has(t *testing.T, s *store.Store, owner frontdesk.Owner, r store.Recording) (left string) {
	t.Helper()
	ctx := t.Context()
	switch c, err := s.Call(ctx, owner, r.Call.ID); {
	case err == nil:
		left += "c"
		if c.Transcript != nil {
			left += "t"
		}
	case !gone(err):
		t.Fatal(err)
	}
	switch c, err := s.Capture(ctx, owner, r.Captures[0].ID); {
	case err == nil:
		left += "b"
		if c.CallID != "" {
			left += "l"
		}
	case !gone(err):
		t.Fatal(err)
	}
	found, err := s.Calls(ctx, owner, frontdesk.CallFilter{Search: "terraza"}, frontdesk.Page{Limit: 100})
	must(t, err)
	for _, c := range found.Items {
		if c.ID == r.Call.ID {
			left += "w"
		}
	}
	return left
}

func gone(err error) bool {
	var e *frontdesk.Error
	return errors.As(err, &e) && e.Kind == frontdesk.NotFound
}

func TestWhatIsKeptForSomeDaysIsForgotten(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	keeping := tenant(t, s, "keeping", func(p *frontdesk.Plan) { p.TranscriptDays, p.CallDays, p.CaptureDays = 0, 0, 0 })
	short := tenant(t, s, "short", func(p *frontdesk.Plan) { p.TranscriptDays, p.CallDays, p.CaptureDays = 10, 20, 30 })
	tests := map[string]struct {
		tenant  frontdesk.ID
		ago, in int
		left    string
	}{
		"a new one":                               {short, 9, -9, "ctblw"},
		"a transcript that is too old":            {short, 11, -11, "cbl"},
		"a call that is too old":                  {short, 21, -21, "b"},
		"a capture that is too old":               {short, 32, -32, ""}, // a day more, for the clocks of the world
		"an old capture of a day to come":         {short, 400, 3, "b"},
		"an old capture of a day not long ago":    {short, 400, -29, "b"},
		"somebody who keeps all for good":         {keeping, 4000, -3999, "ctblw"},
		"somebody who keeps all for good, lately": {keeping, 1, 1, "ctblw"},
	}
	for _, live := range []bool{true, false} {
		made := map[string]store.Recording{}
		for name, tt := range tests {
			made[name] = called(t, s, frontdesk.Owner{TenantID: tt.tenant, Live: live}, tt.ago, tt.in)
		}
		must(t, newKeeper(t, s).Sweep(t.Context()))
		for name, tt := range tests {
			if left := has(t, s, frontdesk.Owner{TenantID: tt.tenant, Live: live}, made[name]); left != tt.left {
				t.Errorf("%s, live %t: left is %q, not %q", name, live, left, tt.left)
			}
		}
	}
}

// How many called stays known when it is forgotten who did.
func TestFiguresOutliveWhatTheyCount(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	owner := frontdesk.Owner{TenantID: tenant(t, s, "short", func(p *frontdesk.Plan) { p.CallDays, p.CaptureDays = 5, 5 }), Live: true}
	for range 3 {
		called(t, s, owner, 6, -6)
	}
	figures := func() (calls, captures int) {
		a, err := s.Analytics(t.Context(), owner, frontdesk.AnalyticsFilter{}, frontdesk.WindowOf(now, 30, time.UTC), nil)
		must(t, err)
		return a.Totals.Calls, a.Totals.Captures
	}
	calls, captures := figures()
	must(t, newKeeper(t, s).Sweep(t.Context()))
	left, err := s.Calls(t.Context(), owner, frontdesk.CallFilter{}, frontdesk.Page{Limit: 10})
	must(t, err)
	if c, b := figures(); len(left.Items) != 0 || c != calls || b != captures || calls != 3 {
		t.Errorf("%d calls are left; counted are %d and %d, before %d and %d", len(left.Items), c, b, calls, captures)
	}
}

// More is forgotten than goes into one transaction.
func TestAllThatIsOldIsForgottenAtOnce(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	owner := frontdesk.Owner{TenantID: tenant(t, s, "short", func(p *frontdesk.Plan) { p.CallDays, p.CaptureDays = 5, 5 }), Live: true}
	var all []store.Recording
	for i := range 450 {
		at := now.AddDate(0, 0, -6).Add(time.Duration(i) * time.Second)
		all = append(all, store.Recording{Call: frontdesk.Call{
			ID: frontdesk.NewID(at), StartedAt: at, Duration: 1, Language: "es", Outcome: "info", Channel: "web", Summary: json.RawMessage(`{}`), Transcript: json.RawMessage(`{}`),
		}})
	}
	must(t, s.RecordCalls(t.Context(), owner, all...))
	must(t, newKeeper(t, s).Sweep(t.Context()))
	left, err := s.Calls(t.Context(), owner, frontdesk.CallFilter{}, frontdesk.Page{Limit: 10})
	if err != nil || len(left.Items) != 0 {
		t.Errorf("%d are left, %v", len(left.Items), err)
	}
}

func TestASweepThatIsStoppedSaysSo(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	owner := frontdesk.Owner{TenantID: tenant(t, s, "short", func(p *frontdesk.Plan) { p.CallDays = 5 }), Live: true}
	called(t, s, owner, 6, -6)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := newKeeper(t, s).Sweep(ctx); err == nil {
		t.Error("it says that it swept")
	}
}

func TestQuestionsAndEventsOfAShorterPlan(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	short := frontdesk.Owner{TenantID: tenant(t, s, "short", func(p *frontdesk.Plan) { p.QuestionDays, p.EventDays = 3, 3 }), Live: true}
	long := frontdesk.Owner{TenantID: tenant(t, s, "long", func(*frontdesk.Plan) {}), Live: true}
	for _, owner := range []frontdesk.Owner{short, long} {
		called(t, s, owner, 5, -5)
	}
	must(t, newKeeper(t, s).Sweep(t.Context()))
	for owner, want := range map[frontdesk.Owner]int{short: 0, long: 1} {
		k, err := s.KnowledgeSummary(t.Context(), owner, now.AddDate(0, 0, -90), 10)
		must(t, err)
		if k.Unanswered != want {
			t.Errorf("%v: %d questions are left", owner, k.Unanswered)
		}
	}
}
