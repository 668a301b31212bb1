package store_test

import (
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

func TestEveryMoveOfACapture(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	r := recording(day, 1, 1)
	record(t, s, owner, r)
	want := r.Captures[0]
	later := day
	for _, from := range frontdesk.CaptureStatuses {
		for _, to := range frontdesk.CaptureStatuses {
			for _, status := range []frontdesk.CaptureStatus{from, to, to} { // repeating is a no-op
				later = later.Add(time.Minute)
				got, err := setStatus(s, owner, want.ID, status, later)
				if want.Status != status {
					want.Status, want.UpdatedAt = status, later
				}
				if err != nil || got != want {
					t.Fatalf("from %s to %s: %+v, %v", from, to, got, err)
				}
			}
		}
	}
}

func TestConcurrentMovesLoseNone(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	nodes := []*store.Store{storetest.Open(t, url), storetest.Open(t, url)}
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, nodes[0], "a").ID, Live: true}
	const n = 200
	var rs []store.Recording
	for i := range n {
		rs = append(rs, recording(day.Add(time.Duration(i)*time.Second), 1, 1))
	}
	record(t, nodes[0], owner, rs...)
	status := func(i int) frontdesk.CaptureStatus { return frontdesk.CaptureStatuses[1+i%3] }
	for _, err := range atOnce(n, func(i int) error {
		got, err := setStatus(nodes[i%2], owner, rs[i].Captures[0].ID, status(i), day)
		if err == nil && got.Status != status(i) {
			t.Errorf("capture %d was answered as %s", i, got.Status)
		}
		return err
	}) {
		t.Error(err)
	}
	moved := map[frontdesk.ID]frontdesk.CaptureStatus{}
	for _, c := range allCaptures(t, nodes[0], owner) {
		moved[c.ID] = c.Status
	}
	for i, r := range rs {
		if got := moved[r.Captures[0].ID]; got != status(i) {
			t.Errorf("capture %d is %s, want %s", i, got, status(i))
		}
	}
}

// setStatus, addNotes and cancelIn change captures as the calendar does.
func setStatus(s *store.Store, owner frontdesk.Owner, id frontdesk.ID, status frontdesk.CaptureStatus, now time.Time) (frontdesk.Capture, error) {
	return changeCapture(s, owner, id, "", now, func(c frontdesk.Capture) (frontdesk.Capture, error) {
		c.Status = status
		return c, nil
	})
}

func addNotes(s *store.Store, owner frontdesk.Owner, call, id frontdesk.ID, notes string, now time.Time) error {
	_, err := changeCapture(s, owner, id, "", now, func(c frontdesk.Capture) (frontdesk.Capture, error) {
		if c.CallID != call {
			return c, frontdesk.Missing("capture")
		}
		c.Notes = frontdesk.TidyNotes(c.Notes + "\n" + notes)
		return c, nil
	})
	return err
}

func cancelIn(s *store.Store, owner frontdesk.Owner, agent, id frontdesk.ID, now time.Time) error {
	_, err := changeCapture(s, owner, id, agent, now, func(c frontdesk.Capture) (frontdesk.Capture, error) {
		if c.Status == frontdesk.NoShow {
			return c, frontdesk.Missing("appointment")
		}
		c.Status = frontdesk.Cancelled
		return c, nil
	})
	return err
}

func changeCapture(s *store.Store, owner frontdesk.Owner, id, agent frontdesk.ID, now time.Time, change func(frontdesk.Capture) (frontdesk.Capture, error)) (frontdesk.Capture, error) {
	return s.ChangeCapture(ctx, owner, store.CaptureChange{
		ID: id, AgentID: agent, Now: now, Change: change,
		Event: func(c frontdesk.Capture) (frontdesk.Event, error) {
			return event(frontdesk.CaptureUpdated, c.UpdatedAt), nil
		},
	})
}
