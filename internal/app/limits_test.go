package app

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/limit"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// What a node of another version tells is logged once, and not each second.
func TestCountsOfAnotherVersion(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	ctx, db := context.Background(), storetest.New(t)
	n := &nodes{store: db, group: limit.NewGroup(nil), now: time.Now, log: slog.New(slog.NewTextHandler(&log, nil)), id: frontdesk.NewID(time.Now()), quiet: true, strange: map[frontdesk.ID]bool{}}
	tell := func(id frontdesk.ID, beat int64, counts string) {
		t.Helper()
		must(t, db.TellCountsForWorker(ctx, store.NodeCounts{Node: id, Beat: beat, Counts: []byte(counts)}))
		n.exchange(ctx)
	}
	lines := func() int { return strings.Count(log.String(), "in a form that this version does not read") }
	usual, newer := frontdesk.NewID(time.Now()), frontdesk.NewID(time.Now())
	tell(usual, 1, `{"rate":{"a":1}}`)
	if lines() != 0 {
		t.Errorf("a node of this version: %s", log.String())
	}
	for beat := range int64(3) {
		tell(newer, beat, `{"rate":[1,2]}`)
	}
	if lines() != 1 || !strings.Contains(log.String(), string(newer)) {
		t.Errorf("%d lines: %s", lines(), log.String())
	}
	// It goes back to the version that is read, and forward again.
	tell(newer, 4, `{}`)
	tell(newer, 5, `[]`)
	if lines() != 2 {
		t.Errorf("%d lines: %s", lines(), log.String())
	}
}
