package app

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// A node that starts makes the partitions of the months to come, and says so once.
func TestPartitionsAreMadeAtTheStart(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	now := time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC)
	p := &parts{store: storetest.New(t), log: slog.New(slog.NewTextHandler(&log, nil)), now: func() time.Time { return now }}
	want := 0
	if storetest.IsPostgres() {
		want = 5 // tables
	}
	for range 2 {
		must(t, housekeeping{p}.keepPartitions(context.Background()))
		if made := strings.Count(log.String(), `msg="made a partition"`); made != want {
			t.Errorf("made %d partitions, want %d:\n%s", made, want, log.String())
		}
	}
	p.store.Close()
	if err := (housekeeping{p}).keepPartitions(context.Background()); (err == nil) == storetest.IsPostgres() {
		t.Errorf("of a database that is closed: %v", err)
	}
}
