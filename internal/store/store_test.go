package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

var (
	ctx = context.Background()
	day = time.Date(2026, 11, 14, 9, 30, 0, 0, time.UTC)
)

// owned is a store with one tenant, and the tenant in live mode.
func owned(t testing.TB) (*store.Store, frontdesk.Owner) {
	t.Helper()
	s := storetest.New(t)
	return s, frontdesk.Owner{TenantID: storetest.Tenant(t, s, "casa-lola").ID, Live: true}
}

// recording is a call at a time with n captures.
func recording(at time.Time, seconds, n int) store.Recording {
	r := store.Recording{Period: at.Format("2006-01"), Call: frontdesk.Call{
		ID: frontdesk.NewID(at), StartedAt: at, Duration: seconds, Language: "es", Outcome: frontdesk.Info, Channel: frontdesk.Web,
		Summary: json.RawMessage(`{"text":"Hola"}`), Transcript: json.RawMessage(`{"turns":[]}`),
	}}
	for i := range n {
		made := at.Add(time.Duration(i+1) * time.Millisecond)
		r.Captures = append(r.Captures, frontdesk.Capture{
			ID: frontdesk.NewID(made), CallID: r.Call.ID, Channel: r.Call.Channel, Kind: frontdesk.Appointment,
			CustomerName: "Ana", CustomerPhone: "+34600000001", ScheduledAt: "2026-11-20T20:00:00", Service: "Mesa",
			ConfirmationCode: "ACDEFG", Status: frontdesk.PendingConfirm, CreatedAt: made, UpdatedAt: made,
			Source: frontdesk.FromCall, Timezone: "Europe/Madrid",
		})
	}
	return r
}

func record(t testing.TB, s *store.Store, owner frontdesk.Owner, rs ...store.Recording) {
	t.Helper()
	if err := s.RecordCalls(ctx, owner, rs...); err != nil {
		t.Fatal(err)
	}
}

// allCalls reads every page.
func allCalls(t testing.TB, s *store.Store, owner frontdesk.Owner) (all []frontdesk.Call) {
	t.Helper()
	for p := (frontdesk.Page{Limit: 100}); ; p.StartingAfter = all[len(all)-1].ID {
		l, err := s.Calls(ctx, owner, frontdesk.CallFilter{}, p)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l.Items...)
		if !l.More {
			return all
		}
	}
}

// allCaptures reads every page.
func allCaptures(t testing.TB, s *store.Store, owner frontdesk.Owner) (all []frontdesk.Capture) {
	t.Helper()
	for p := (frontdesk.Page{Limit: 100}); ; p.StartingAfter = all[len(all)-1].ID {
		l, err := s.Captures(ctx, owner, frontdesk.CaptureFilter{}, p)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l.Items...)
		if !l.More {
			return all
		}
	}
}

// atOnce runs work n times at the same time and returns its errors.
func atOnce(n int, work func(i int) error) (errs []error) {
	var wg sync.WaitGroup
	start := make(chan struct{})
	all := make([]error, n)
	for i := range n {
		wg.Go(func() {
			<-start
			all[i] = work(i)
		})
	}
	close(start)
	wg.Wait()
	for i, err := range all {
		if err != nil {
			errs = append(errs, fmt.Errorf("%d: %w", i, err))
		}
	}
	return errs
}

func isKind(t testing.TB, err error, kind frontdesk.Kind, code string) {
	t.Helper()
	var e *frontdesk.Error
	if !errors.As(err, &e) || e.Kind != kind || e.Code != code {
		t.Errorf("got %v, want %s", err, code)
	}
}

func isMissing(t testing.TB, err error) {
	t.Helper()
	isKind(t, err, frontdesk.NotFound, "not_found")
}

func TestPingAndName(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	if err := s.Ping(ctx); err != nil {
		t.Error(err)
	}
	want, pools := "sqlite", 2
	if storetest.IsPostgres() {
		want, pools = "postgres", 1
	}
	if s.Name() != want || len(s.Stats()) != pools {
		t.Errorf("%s has %d pools", s.Name(), len(s.Stats()))
	}
}

func TestIsPostgres(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]bool{
		"postgres://h/d": true, "postgresql://h/d": true, "frontdesk.db": false, "/var/lib/postgres/x.db": false, "": false,
	} {
		if got := store.IsPostgres(url); got != want {
			t.Errorf("%q: %v", url, got)
		}
	}
}

func TestOpenRefusesABrokenAddress(t *testing.T) {
	t.Parallel()
	if _, err := store.Open(store.Options{URL: "postgres://h:port/d"}); err == nil {
		t.Error("opened")
	}
}
