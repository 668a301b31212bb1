package api

import (
	"context"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// entered are the audit entries of the first tenant, newest first.
func (h *house) entered() []frontdesk.AuditEntry {
	h.t.Helper()
	list, err := h.store.Audit(context.Background(), h.a.owner(true), frontdesk.AuditFilter{By: frontdesk.ByKey}, frontdesk.Page{Limit: 100})
	must(h.t, err)
	return list.Items
}

// changingRequest is a request that changes something, and the entry that it must
// leave in the audit log.
type changingRequest struct {
	path, body string
	headers    []string
	action     string
}

// changingRequests has one request for each route that changes something, in an
// order in which each of them does.
func changingRequests(h *house) []struct {
	operation string
	changingRequest
} {
	connection, capture := "/connections/"+string(h.a.liveConnection), "/captures/"+string(h.a.liveCapture)
	return []struct {
		operation string
		changingRequest
	}{
		{"PATCH /agents/{slug}", changingRequest{"/agents/desk", `{"policy":"Sin perros."}`, nil, "agent.changed"}},
		{"POST /agents/{slug}/history/{revision}/restore", changingRequest{"/agents/desk/history/" + string(h.a.revision) + "/restore", "", nil, "agent.restored"}},
		{"PUT /agents/{slug}/calendar", changingRequest{"/agents/desk/calendar", `{"capacity":7}`, nil, "agent.changed"}},
		{"PATCH /captures/{capture_id}", changingRequest{capture, `{"status":"confirmed"}`, nil, "capture.status_changed"}},
		{"POST /captures", changingRequest{"/captures", `{"agent":"desk","customer_name":"Eva"}`, nil, "capture.created"}},
		{"POST /captures/{capture_id}/change", changingRequest{capture + "/change", `{"customer_name":"Ana Ruiz"}`, nil, "capture.changed"}},
		{"POST /connections", changingRequest{"/connections", `{"type":"crm.outbound","name":"ERP","url":"` + h.receiver.URL + `/erp?token=hush","events":["call.completed"]}`, nil, "connection.created"}},
		{"PATCH /connections/{connection_id}", changingRequest{connection, `{"name":"CRM 2"}`, nil, "connection.changed"}},
		{"PUT /connections/{connection_id}/additional-events", changingRequest{connection + "/additional-events", `{"events":["capture.updated"]}`, nil, "connection.changed"}},
		{"POST /connections/{connection_id}/rotate-secret", changingRequest{connection + "/rotate-secret", "", nil, "connection.secret_rotated"}},
		{"POST /deliveries/{delivery_id}/retry", changingRequest{"/deliveries/" + string(h.a.liveDelivery) + "/retry", "", nil, "delivery.retried"}},
		{"POST /connections/{connection_id}/disable", changingRequest{connection + "/disable", `{"reason":"Pausa"}`, nil, "connection.disabled"}},
		{"POST /connections/{connection_id}/enable", changingRequest{connection + "/enable", "", nil, "connection.enabled"}},
		{"DELETE /connections/{connection_id}", changingRequest{connection, "", nil, "connection.deleted"}},
		{"POST /knowledge/documents", changingRequest{"/knowledge/documents?filename=carta.md", "# Carta\n\nPaella.", []string{"Content-Type", "text/markdown"}, "document.added"}},
		{"DELETE /knowledge/documents/{document_id}", changingRequest{"/knowledge/documents/" + string(h.a.liveDocument), "", nil, "document.deleted"}},
	}
}

// changeless are the routes that change nothing, though their method says so: they
// try something.
var changeless = map[string]bool{"POST /connections/{connection_id}/test": true, "POST /knowledge/test": true}

// Every route that changes something leaves one entry, that says which key did it.
// A new route fails this test until it has a request here.
func TestEveryChangeIsAudited(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	requests := changingRequests(h)
	tried := map[string]bool{}
	for _, r := range requests {
		tried[r.operation] = true
	}
	for _, rt := range h.api.routes() {
		if !strings.HasPrefix(rt.operation, "GET ") && !tried[rt.operation] && !changeless[rt.operation] {
			t.Errorf("%s has no request here", rt.operation)
		}
	}
	hash, _ := frontdesk.ParseKey(h.a.live)
	key, _, err := h.store.KeyByHash(t.Context(), hash)
	must(t, err)
	for _, r := range requests {
		method, _, _ := strings.Cut(r.operation, " ")
		before := len(h.entered())
		if got := h.do(method+" "+r.path, h.a.live, r.body, r.headers...); got.status >= 300 {
			t.Fatalf("%s: %s", r.operation, got)
		}
		all := h.entered()
		if len(all) != before+1 {
			t.Fatalf("%s left %d entries", r.operation, len(all)-before)
		}
		if e := all[0]; e.Action != r.action || e.ObjectID == "" || len(e.Changes) == 0 || e.By != key.Actor() {
			t.Errorf("%s left %+v", r.operation, e)
		}
	}
	for _, e := range h.entered() {
		for _, c := range e.Changes {
			if strings.Contains(c.From+c.To, "hush") || strings.Contains(c.From+c.To, "whsec_") {
				t.Errorf("a secret stands in %+v", e)
			}
		}
	}
	if all, err := h.store.Audit(t.Context(), h.b.owner(true), frontdesk.AuditFilter{}, frontdesk.Page{}); err != nil || len(all.Items) != 1 {
		t.Errorf("another tenant sees %+v, %v", all, err) // its own setup
	}
}

// What is refused, or changes nothing, or is asked for twice, leaves no entry of
// its own.
func TestWhatChangesNothingIsNotAudited(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	connection := "/connections/" + string(h.a.liveConnection)
	before := len(h.entered())
	for _, r := range []struct {
		operation, body string
		want            int
		headers         []string
	}{
		{"PATCH /agents/desk", `{}`, 200, nil},
		{"PATCH /agents/desk?dry_run=true", `{"policy":"Sin perros."}`, 200, nil},
		{"PATCH /agents/desk", `{"policy":"Sin perros."}`, 412, []string{"If-Match", `"x"`}},
		{"PATCH /agents/nobody", `{"policy":"Sin perros."}`, 404, nil},
		{"PATCH /captures/" + string(h.a.liveCapture), `{"status":"pending_confirm"}`, 200, nil},
		{"PATCH /captures/" + string(h.b.liveCapture), `{"status":"confirmed"}`, 404, nil},
		{"POST " + connection + "/enable", "", 200, nil},
		{"POST " + connection + "/test", "", 200, nil},
		{"POST /knowledge/test", `{"question":"¿Se admiten perros?"}`, 200, nil},
		{"DELETE /connections/" + string(h.b.liveConnection), "", 404, nil},
	} {
		if got := h.do(r.operation, h.a.live, r.body, r.headers...); got.status != r.want {
			t.Errorf("%s: %s", r.operation, got)
		}
		if all := h.entered(); len(all) != before {
			t.Fatalf("%s left %+v", r.operation, all[0])
		}
	}
	for range 2 {
		h.do("PATCH "+connection, h.a.live, `{"name":"ERP"}`)
	}
	once := []string{"Idempotency-Key", "once"}
	for range 2 {
		h.do("POST "+connection+"/disable", h.a.live, "", once...)
	}
	if all := h.entered(); len(all) != before+2 {
		t.Errorf("two changes, each asked for twice, left %+v", all[:len(all)-before])
	}
}
