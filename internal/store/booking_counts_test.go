package store_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// noting is a message that an agent takes at a time, under limits.
func noting(agent frontdesk.ID, at time.Time, limits ...store.BookingLimit) store.NewCapture {
	c := frontdesk.Capture{
		ID: frontdesk.NewID(at), AgentID: agent, Kind: frontdesk.Lead, Channel: frontdesk.Web, Status: frontdesk.PendingConfirm, CreatedAt: at,
	}
	return store.NewCapture{
		Capture: c, Limits: limits, NewCode: frontdesk.NewConfirmationCode,
		Event: func(c frontdesk.Capture) (frontdesk.Event, error) {
			return frontdesk.Event{ID: frontdesk.NewID(at), Type: frontdesk.CaptureCreated, CreatedAt: at, Body: []byte("{}")}, nil
		},
	}
}

// However many come at once, and with whatever agent, no more is written down
// within an hour than is allowed; and what was refused does not count.
func TestNoMoreIsWrittenDownThanAllowed(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	tenant := storetest.Tenant(t, s, "lola").ID
	owner, agent := frontdesk.Owner{TenantID: tenant, Live: true}, newAgent(t, s, tenant).ID
	limits := []store.BookingLimit{{Whose: "agent", Most: 100}, {Whose: "phone", Most: 5}}
	var written atomic.Int64
	for _, err := range atOnce(20, func(int) error {
		_, err := s.AddCapture(ctx, owner, noting(agent, day, limits...))
		if errors.Is(err, store.ErrTooMany) {
			return nil
		}
		written.Add(1)
		return err
	}) {
		t.Error(err)
	}
	if written.Load() != 5 {
		t.Errorf("%d were written down", written.Load())
	}
	steps := map[string]struct {
		owner  frontdesk.Owner
		after  time.Duration
		limits []store.BookingLimit
		want   error
	}{
		"within the hour":                {owner, 59 * time.Minute, limits, store.ErrTooMany},
		"with another number":            {owner, 0, []store.BookingLimit{{Whose: "agent", Most: 7}, {Whose: "other", Most: 1}}, nil},
		"in the other mode":              {frontdesk.Owner{TenantID: tenant}, 0, limits, nil},
		"when the agent has had its own": {owner, 0, []store.BookingLimit{{Whose: "agent", Most: 4}}, store.ErrTooMany},
	}
	for name, tt := range steps {
		t.Run(name, func(t *testing.T) {
			if _, err := s.AddCapture(ctx, tt.owner, noting(agent, day.Add(tt.after), tt.limits...)); !errors.Is(err, tt.want) {
				t.Errorf("got %v", err)
			}
		})
	}
	if _, err := s.AddCapture(ctx, owner, noting(agent, day.Add(time.Hour), limits...)); err != nil {
		t.Errorf("after the hour: %v", err)
	}
	before, err := s.ForgetBookingCountsForWorker(ctx, day.Add(time.Minute), 1)
	more, moreErr := s.ForgetBookingCountsForWorker(ctx, day.Add(time.Minute), 100)
	if err = errors.Join(err, moreErr); err != nil || before != 1 || more != 2 {
		t.Errorf("forgot %d and %d, %v", before, more, err)
	}
}
