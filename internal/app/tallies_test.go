package app

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// What was recorded is folded, and an outage is logged once, not every second.
func TestTalliesAreKept(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := storetest.New(t)
	seed(t, s)
	var log bytes.Buffer
	k := &tallies{store: s, log: slog.New(slog.NewTextHandler(&log, nil))}
	k.keep(ctx)
	if left, err := s.FoldTalliesForWorker(ctx, 1); err != nil || left != 0 || log.Len() > 0 {
		t.Errorf("%d entries are left, %v: %s", left, err, &log)
	}
	tenant, err := s.TenantBySlug(ctx, "alfa")
	must(t, err)
	w := frontdesk.WindowOf(time.Now(), 2, time.UTC)
	got, err := s.Analytics(ctx, frontdesk.Owner{TenantID: tenant.ID, Live: true}, frontdesk.AnalyticsFilter{}, w, nil)
	if want := (frontdesk.Volume{Calls: 1, Seconds: 60, Captures: 1}); err != nil || got.Totals.Volume != want {
		t.Errorf("got %+v, %v", got.Totals, err)
	}
	s.Close()
	k.keep(ctx)
	k.keep(ctx)
	if n := strings.Count(log.String(), "folding tallies failed"); n != 1 {
		t.Errorf("it is logged %d times: %s", n, &log)
	}
	k.store = storetest.New(t)
	k.keep(ctx)
	if !strings.Contains(log.String(), "tallies are folded again") {
		t.Errorf("nobody is told that it is over: %s", &log)
	}
}
