package reception_test

import (
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/wire"
)

// TestEventsFit: whatever was said, an event is within its limit, and what it
// holds is what was recorded.
func TestEventsFit(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ñ\x01\"", 20_000)
	many := strings.Split(strings.Repeat(long[:600]+"|", 500), "|")
	tenant := frontdesk.Tenant{ID: frontdesk.NewID(time.Now()), Slug: "lola", Timezone: "Europe/Madrid"}
	r, err := reception.Prepare(tenant, frontdesk.FinishedCall{
		StartedAt: time.Now(), Language: "es", Outcome: frontdesk.Info, Channel: frontdesk.Web,
		Summary: frontdesk.Summary{
			Text: long, Title: long, Intent: long, KeyPoints: many, UnansweredQuestions: many,
			Handoff: &frontdesk.HandoffNote{Reason: long, Result: long},
		},
		Captures: []frontdesk.Capture{{Kind: long, CustomerName: long, CustomerPhone: long, Service: long}},
	})
	if err != nil {
		t.Fatal(err)
	}
	events, err := reception.Events(wire.EventSource{Tenant: tenant}, r)
	if err != nil || len(events) != 2 {
		t.Fatalf("%d events, %v", len(events), err)
	}
	for _, e := range events {
		if len(e.Body) > frontdesk.MaxEventBody || len(e.Body) < 1000 {
			t.Errorf("%s has %d bytes", e.Type, len(e.Body))
		}
	}
}
