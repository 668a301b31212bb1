package mcp_test

import (
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

type talked struct {
	Conversation string
	Greeting     string
	Reply        *struct{ Text, Expect string }
	Capture      *struct {
		ConfirmationCode string `json:"confirmation_code"`
		ScheduledAt      string `json:"scheduled_at"`
	}
	Ended   bool
	Outcome string
}

// An assistant talks to a receptionist, sentence by sentence, and what it books is
// test data.
func TestARehearsal(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	key := o.key(o.a.Tenant, true, "agents:read")
	talk := map[string]any{"slug": o.a.agent.Slug, "language": "en"}
	first := value[talked](o, key, "talk_to_receptionist", talk)
	if first.Greeting == "" || first.Reply != nil || first.Conversation == "" {
		t.Fatalf("got %+v", first)
	}
	delete(talk, "language")
	talk["conversation"] = first.Conversation
	var last talked
	for _, text := range []string{"A check-up tomorrow at 10, please", "Eva Example", "600 000 012", "yes", "yes"} {
		talk["text"] = text
		if last = value[talked](o, key, "talk_to_receptionist", talk); last.Capture != nil {
			break
		}
	}
	if last.Capture == nil || last.Capture.ScheduledAt != "2026-11-17T10:00:00" || last.Conversation != first.Conversation {
		t.Fatalf("nothing was booked: %+v %+v", last, last.Reply)
	}
	delete(talk, "text")
	talk["end"] = true
	if got := value[talked](o, key, "talk_to_receptionist", talk); !got.Ended || got.Outcome != "booking" {
		t.Errorf("it ended as %+v", got)
	}
	count := func(key string) int {
		return len(value[struct{ Data []any }](o, key, "list_captures", map[string]any{"kind": frontdesk.Appointment}).Data)
	}
	if live, test := count(o.a.live), count(o.a.test); live != 0 || test != 1 {
		t.Errorf("%d live and %d test appointments were written", live, test)
	}
	if strings.Contains(o.log.String(), strings.Split(first.Conversation, ".")[1]) {
		t.Error("the token stands in the log")
	}
}

// How many rehearsals a key begins is bounded.
func TestManyRehearsals(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	begin := func(key string) string {
		return o.call(key, "talk_to_receptionist", map[string]any{"slug": o.a.agent.Slug}).code()
	}
	for range 20 {
		if code := begin(o.a.live); code != "" {
			t.Fatal(code)
		}
	}
	if code := begin(o.a.live); code != "rate_limited" {
		t.Errorf("the 21st: %q", code)
	}
	if code := begin(o.key(o.a.Tenant, true, "agents:read")); code != "" {
		t.Errorf("another key: %q", code)
	}
	o.clock.Forward(2 * time.Minute)
	if code := begin(o.a.live); code != "" {
		t.Errorf("later: %q", code)
	}
}
