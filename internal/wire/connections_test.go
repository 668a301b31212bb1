package wire

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

var (
	connectedAt = time.Date(2026, 11, 11, 12, 0, 0, 0, time.UTC)
	connected   = frontdesk.Connection{
		ID: "01a1ca7a-ae00-7000-8ecb-94d35259e432", Live: true, Name: "CRM", URL: "https://crm.example.com/?a=1&b=<2>", Events: []string{"call.completed"},
		Status: frontdesk.ConnectionActive, Secret: frontdesk.SealedSecret{Prefix: "whsec_AAAA", Sealed: []byte("SEALED"), SetAt: connectedAt},
		CreatedAt: connectedAt, UpdatedAt: connectedAt,
	}
)

func spelled(t *testing.T, v any) string {
	t.Helper()
	b, err := encode(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestConnection(t *testing.T) {
	t.Parallel()
	const plain = `{"id":"01a1ca7a-ae00-7000-8ecb-94d35259e432","type":"crm.outbound","name":"CRM","url":"https://crm.example.com/?a=1&b=<2>","events":["call.completed"],"additional_events":[],"status":"active","livemode":true,"agent_id":null,"secret_prefix":"whsec_AAAA","secret_set_at":"2026-11-11T12:00:00.000Z","secret_grace_until":null,"created_at":"2026-11-11T12:00:00.000Z","updated_at":"2026-11-11T12:00:00.000Z","deliveries":{"last_24h":{"pending":0,"delivered":0,"failed":0,"dead":0},"last_delivered_at":null,"last_failure_at":null,"last_http_status":null,"consecutive_failures":0}}`
	if got := spelled(t, Connection(connected, connectedAt)); got != plain {
		t.Errorf("got  %s\nwant %s", got, plain)
	}
	c := connected
	c.AgentID = "01a1ca7a-ae00-7000-9dce-225381009547"
	c.OldSecret, c.OldUntil = &frontdesk.SealedSecret{Sealed: []byte("OLD")}, connectedAt.Add(time.Hour)
	c = c.Disable(frontdesk.ByCustomer, "why")
	c.Health = frontdesk.ConnectionHealth{DeliveryCounts: frontdesk.DeliveryCounts{Pending: 1, Delivered: 2, Failed: 3, Dead: 4}, LastDeliveredAt: connectedAt, LastFailureAt: connectedAt, LastHTTPStatus: 500, ConsecutiveFailures: 5}
	got := spelled(t, ConnectionWithSecret(c, "whsec_whole", connectedAt))
	for _, has := range []string{
		`"status":"disabled","disabled_by":"customer","disabled_reason":"why"`, `"agent_id":"01a1ca7a-ae00-7000-9dce-225381009547"`, `"secret_grace_until":"2026-11-11T13:00:00.000Z"`,
		`"secret":"whsec_whole","secret_notice":"`,
		`"deliveries":{"last_24h":{"pending":1,"delivered":2,"failed":3,"dead":4},"last_delivered_at":"2026-11-11T12:00:00.000Z","last_failure_at":"2026-11-11T12:00:00.000Z","last_http_status":500,"consecutive_failures":5}`,
	} {
		if !strings.Contains(got, has) {
			t.Errorf("%s is not in %s", has, got)
		}
	}
	if got := spelled(t, Connection(c, connectedAt.Add(time.Hour))); !strings.Contains(got, `"secret_grace_until":null`) {
		t.Errorf("a grace that is over: %s", got)
	}
}

// TestSealedSecretsAreNowhere: no shape has a place for one.
func TestSealedSecretsAreNowhere(t *testing.T) {
	t.Parallel()
	list := frontdesk.List[frontdesk.Connection]{Items: []frontdesk.Connection{connected}, More: true}
	for _, v := range []any{Connection(connected, connectedAt), ConnectionList(list, 1, frontdesk.DefaultPlan(), connectedAt)} {
		if got := spelled(t, v); strings.Contains(got, "SEALED") || strings.Contains(got, "U0VBTEVE") || strings.Contains(got, `"secret":`) {
			t.Errorf("%s", got)
		}
	}
}

func TestConnectionLists(t *testing.T) {
	t.Parallel()
	empty := spelled(t, ConnectionList(frontdesk.List[frontdesk.Connection]{}, 25, frontdesk.DefaultPlan(), connectedAt))
	if want := `{"object":"list","data":[],"has_more":false,"next_starting_after":null,"limits":{"max_connections":20,"used":25,"remaining":0,"max_attempts":8,"delivery_timeout_ms":15000,"delivery_retention_days":30}}`; empty != want {
		t.Errorf("got  %s\nwant %s", empty, want)
	}
	more := spelled(t, ConnectionList(frontdesk.List[frontdesk.Connection]{Items: []frontdesk.Connection{connected}, More: true}, 2, frontdesk.DefaultPlan(), connectedAt))
	if !strings.Contains(more, `"has_more":true,"next_starting_after":"01a1ca7a-ae00-7000-8ecb-94d35259e432"`) {
		t.Error(more)
	}
	if got := spelled(t, DeliveryList(frontdesk.List[frontdesk.Delivery]{}, "c")); got != `{"object":"list","data":[],"has_more":false,"next_starting_after":null,"connection_id":"c"}` {
		t.Error(got)
	}
}

func TestDelivery(t *testing.T) {
	t.Parallel()
	d := frontdesk.Delivery{ID: "d", ConnectionID: "c", EventID: "e", Event: "call.completed", Live: true, Status: frontdesk.DeliveryPending, MaxAttempts: 8, CreatedAt: connectedAt, NextAttemptAt: connectedAt}
	if got, want := spelled(t, Delivery(d)), `{"id":"d","connection_id":"c","event":"call.completed","status":"pending","attempts":0,"max_attempts":8,"http_status":null,"latency_ms":null,"livemode":true,"created_at":"2026-11-11T12:00:00.000Z","next_attempt_at":"2026-11-11T12:00:00.000Z","delivered_at":null}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	d = d.Begin(connectedAt)
	ok := d.After(frontdesk.Attempt{HTTPStatus: 204}, connectedAt, 0.5) // as fast as can be
	if got, want := spelled(t, RetryResult(ok)), `{"ok":true,"delivery":{"id":"d","connection_id":"c","event":"call.completed","status":"delivered","attempts":1,"max_attempts":8,"http_status":204,"latency_ms":0,"livemode":true,"created_at":"2026-11-11T12:00:00.000Z","next_attempt_at":null,"delivered_at":"2026-11-11T12:00:00.000Z"}}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	failed := d.After(frontdesk.Attempt{ErrorCode: "timeout", Message: "m", Latency: 15 * time.Second}, connectedAt, 0.5)
	if got := spelled(t, RetryResult(failed)); !strings.Contains(got, `{"ok":false,`) || !strings.Contains(got, `"http_status":null,"latency_ms":15000,"error_code":"timeout","message":"m"`) || !strings.Contains(got, `"next_attempt_at":"2026-11-11T12:00:05.000Z"`) {
		t.Error(got)
	}
	for want, a := range map[string]frontdesk.Attempt{
		`{"ok":true,"http_status":200,"latency_ms":12}`:     {HTTPStatus: 200, Latency: 12 * time.Millisecond},
		`{"ok":false,"http_status":null,"latency_ms":3}`:    {ErrorCode: "dns_failed", Latency: 3 * time.Millisecond},
		`{"ok":false,"http_status":500,"latency_ms":15000}`: {HTTPStatus: 500, ErrorCode: "http_5xx", Latency: 15 * time.Second},
	} {
		if got := spelled(t, TestResult(a)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestEvent(t *testing.T) {
	t.Parallel()
	from := EventSource{
		Tenant: frontdesk.Tenant{ID: "t", Slug: "alfa"}, Agent: &frontdesk.Agent{ID: "a", Slug: "desk"}, Live: true,
		NewID: func(at time.Time) frontdesk.ID { return frontdesk.ID(fmt.Sprint("at", at.Unix())) },
	}
	object := Capture(frontdesk.Capture{ID: "x", Kind: "lead", CustomerName: "<Ana> & ☎", CreatedAt: connectedAt, Status: frontdesk.PendingConfirm})
	e, err := Event(from, frontdesk.CaptureCreated, connectedAt, object)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"at1794398400","object":"event","type":"capture.created","api_version":"1.0.0","timestamp":"2026-11-11T12:00:00.000Z","livemode":true,"tenant":{"id":"t","slug":"alfa"},"agent":{"id":"a","slug":"desk"},"data":{"object":` + string(object) + `}}`
	if string(e.Body) != want || e.ID != "at1794398400" || e.Type != frontdesk.CaptureCreated || !e.Live || !e.CreatedAt.Equal(connectedAt) {
		t.Errorf("got  %s\nwant %s", e.Body, want)
	}
	from.Agent, from.NewID = nil, nil
	bare, err := Event(from, frontdesk.ConnectionTest, connectedAt, json.RawMessage(`{}`))
	if err != nil || !strings.Contains(string(bare.Body), `"agent":null`) {
		t.Errorf("%s %v", bare.Body, err)
	}
	if _, ok := frontdesk.ParseID(string(bare.ID)); !ok {
		t.Errorf("the id is %q", bare.ID)
	}
	if reflect.DeepEqual(bare, e) {
		t.Error("two events are one")
	}
}
