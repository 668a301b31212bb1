package api

import (
	"context"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

// Where calls are put through to is the operator's: no answer of the API shows
// it, and nothing that customers can do changes it or brings an older one back.
func TestTransferNumberIsTheOperators(t *testing.T) {
	t.Parallel()
	h := newHouse(t, unhurried).start()
	const older, present = "+34600111222", "+34600333444"
	put := func(number string) {
		h.clock.Forward(time.Second)
		_, err := h.store.ChangeAgent(context.Background(), h.a.owner(true), "desk", store.AgentChange{
			By: frontdesk.Actor{Kind: frontdesk.ByOperatorActing, Name: "command line"}, Now: h.clock.Now(), Fields: wire.AgentFields,
			Change: func(a frontdesk.Agent) (frontdesk.Agent, error) {
				a.Settings.TransferNumber = number
				return a, nil
			},
		})
		must(t, err)
	}
	kept := func(after string) {
		a, err := h.store.AgentBySlug(context.Background(), h.a.owner(true), "desk")
		must(t, err)
		if a.Settings.TransferNumber != present {
			t.Errorf("after %s it is %q", after, a.Settings.TransferNumber)
		}
	}
	put(older)
	h.clock.Forward(time.Second)
	read[any](h, "PATCH /agents/desk", h.a.live, `{"policy":"one"}`) // a version that has the older number
	type version struct{ Revision frontdesk.ID }
	versions := func() []version {
		return read[struct{ Data []version }](h, "GET /agents/desk/history", h.a.live, "").Data
	}
	made := versions()[0]
	put(present)
	at := "/agents/desk/history/" + string(made.Revision)
	for _, request := range []struct{ do, body string }{
		{"GET /agents", ""},
		{"GET /agents/desk", ""},
		{"GET /agents/desk/history", ""},
		{"GET " + at, ""},
		{"GET /agents/desk/calendar", ""},
		{"PATCH /agents/desk?dry_run=true", `{"policy":"two"}`},
		{"PATCH /agents/desk", `{"policy":"two"}`},
		{"PUT /agents/desk/calendar", `{"slot_minutes":20}`},
		{"POST " + at + "/restore", ""},
	} {
		h.clock.Forward(time.Second)
		a := h.do(request.do, h.a.live, request.body)
		if a.status != 200 {
			t.Errorf("%s: %s", request.do, a)
		}
		for _, shown := range []string{older[1:], present[1:], "transfer_number"} {
			if strings.Contains(a.body, shown) {
				t.Errorf("%s shows %s: %s", request.do, shown, a.body)
			}
		}
		kept(request.do)
	}
	h.play(t, scenario{do: "PATCH /agents/desk", key: "a.live", body: `{"transfer_number":"` + older + `"}`, want: 403, code: "protected_field", param: "transfer_number"})
	h.play(t, scenario{do: "PUT /agents/desk/calendar", key: "a.live", body: `{"transfer_number":"` + older + `"}`, want: 400, code: "parameter_unknown", param: "transfer_number"})
	kept("what was refused")
}
