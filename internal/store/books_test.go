package store_test

import (
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// What is written is told of once it is there, and what is taken back is not.
func TestWhatIsWrittenIsToldOf(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	tenant := storetest.Tenant(t, s, "casa-lola")
	owner := frontdesk.Owner{TenantID: tenant.ID, Live: true}
	var told []store.Written
	s.OnWritten(func(w store.Written) { told = append(told, w) })
	now := time.Now()
	recording := func() store.Recording {
		id := frontdesk.NewID(now)
		return store.Recording{
			Call:       frontdesk.Call{ID: id, StartedAt: now, Outcome: frontdesk.Info, Channel: frontdesk.Web, Summary: []byte(`{}`), Transcript: []byte(`{}`)},
			Captures:   []frontdesk.Capture{{ID: frontdesk.NewID(now), CallID: id, Kind: frontdesk.Lead, CreatedAt: now}},
			Period:     "2026-11",
			Unanswered: []string{"Why?", "When?"},
		}
	}
	r := recording()
	if err := s.RecordCalls(t.Context(), owner, r); err != nil {
		t.Fatal(err)
	}
	if len(told) != 1 || len(told[0].Calls) != 1 || told[0].Calls[0].Unanswered != 2 || !told[0].Calls[0].Live || told[0].Captures[0].Before.ID != "" {
		t.Fatalf("told of %+v", told)
	}
	if err := s.RecordCalls(t.Context(), owner, r); err == nil || len(told) != 1 {
		t.Errorf("what was not written (%v) is told of: %+v", err, told)
	}

	cancel := store.CaptureChange{
		ID: r.Captures[0].ID, Now: now,
		Change: func(c frontdesk.Capture) (frontdesk.Capture, error) {
			c.Status = frontdesk.Cancelled
			return c, nil
		},
		Event: func(c frontdesk.Capture) (frontdesk.Event, error) {
			return frontdesk.Event{ID: frontdesk.NewID(now), Type: frontdesk.CaptureUpdated, Live: true, CreatedAt: now, Body: []byte(`{}`)}, nil
		},
	}
	ctx, dropped := s.NewUnit(t.Context(), owner, "dropped", now)
	_, err := s.ChangeCapture(ctx, owner, cancel)
	if err != nil {
		t.Fatal(err)
	}
	dropped.Drop()
	if len(told) != 1 {
		t.Errorf("what was taken back is told of: %+v", told)
	}
	for range 2 { // the second time changes nothing
		_, err = s.ChangeCapture(t.Context(), owner, cancel)
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(told) != 2 || told[1].Captures[0].Before.Status == frontdesk.Cancelled || told[1].Captures[0].After.Status != frontdesk.Cancelled {
		t.Errorf("told of %+v", told[1:])
	}
}
