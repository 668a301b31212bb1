package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
	"frontdesk.dev/frontdesk/signature"
)

// shownConnection is what an integrator reads of a connection.
type shownConnection struct {
	ID               frontdesk.ID `json:"id"`
	Status           string       `json:"status"`
	Secret           string       `json:"secret"`
	SecretPrefix     string       `json:"secret_prefix"`
	SecretNotice     string       `json:"secret_notice"`
	SecretSetAt      string       `json:"secret_set_at"`
	SecretGraceUntil *string      `json:"secret_grace_until"`
	Events           []string     `json:"events"`
}

type shownDelivery struct {
	ID            frontdesk.ID `json:"id"`
	Event         string       `json:"event"`
	Status        string       `json:"status"`
	Attempts      int          `json:"attempts"`
	MaxAttempts   int          `json:"max_attempts"`
	HTTPStatus    *int         `json:"http_status"`
	LatencyMS     *int         `json:"latency_ms"`
	ErrorCode     string       `json:"error_code"`
	NextAttemptAt *string      `json:"next_attempt_at"`
	DeliveredAt   *string      `json:"delivered_at"`
}

// read decodes the answer of an operation that must succeed.
func read[T any](h *house, operation, key, body string, headers ...string) (value T) {
	h.t.Helper()
	got := h.do(operation, key, body, headers...)
	if got.status != http.StatusOK && got.status != http.StatusCreated {
		h.t.Fatalf("%s: %s", operation, got)
	}
	must(h.t, json.Unmarshal([]byte(got.body), &value))
	return value
}

type connectionEnvelope struct{ Connection shownConnection }

func (h *house) newConnection(key, path string) shownConnection {
	h.t.Helper()
	return read[connectionEnvelope](h, "POST /connections", key,
		fmt.Sprintf(`{"name":"CRM","url":%q,"events":["capture.created","call.completed"]}`, h.receiver.URL+path)).Connection
}

func (h *house) deliveries(key string, connection frontdesk.ID, query string) []shownDelivery {
	h.t.Helper()
	return read[struct{ Data []shownDelivery }](h, "GET /connections/"+string(connection)+"/deliveries"+query, key, "").Data
}

// TestConnectionRequests are single requests at the house's own connection; the
// ones that are refused change nothing.
func TestConnectionRequests(t *testing.T) {
	t.Parallel()
	h := newHouse(t, unhurried).start()
	const conn = "/connections/{conn}"
	input := func(members string) string {
		return `{"name":"CRM","url":"https://hooks.example.com/","events":["call.completed"]` + members + `}`
	}
	for name, s := range map[string]scenario{
		"one connection, without its secret": {
			do: "GET " + conn, key: "a.live", want: 200,
			has:    []string{`"secret_prefix":"whsec_`, `"type":"crm.outbound"`, `"agent_id":null`, `"secret_grace_until":null`, `"livemode":true`, `"events":["capture.created","call.completed"]`},
			hasNot: []string{`"secret":`, `"secret_notice"`, `"disabled_by"`, `"disabled_reason"`},
		},
		"the list, without secrets, with limits": {
			do: "GET /connections", key: "a.live", want: 200,
			has:    []string{`"limits":{"max_connections":20,"used":1,"remaining":19,"max_attempts":8,"delivery_timeout_ms":15000,"delivery_retention_days":30}`},
			hasNot: []string{`"secret":`, `"secret_notice"`},
		},
		"how its deliveries went": {
			do: "GET " + conn, key: "a.live", want: 200,
			has: []string{`"deliveries":{"last_24h":{"pending":0,"delivered":1,"failed":1,"dead":0},"last_delivered_at":"2026-11-11T12:00:00.000Z","last_failure_at":"2026-11-11T12:00:00.000Z","last_http_status":500,"consecutive_failures":1}`},
		},
		"the other mode's":                 {do: "GET " + conn, key: "a.test", want: 404, code: "not_found"},
		"the other mode's deliveries":      {do: "GET " + conn + "/deliveries", key: "a.test", want: 404, code: "not_found"},
		"an id in capitals":                {do: "GET /connections/{CONN}", key: "a.live", want: 200},
		"deliveries name their connection": {do: "GET " + conn + "/deliveries", key: "a.live", want: 200, has: []string{`"connection_id":"{conn}"`, `"http_status":500`, `"error_code":"http_5xx"`, `"next_attempt_at":"2026-11-11T12:00:05.000Z"`}},
		"a delivery status that is none":   {do: "GET " + conn + "/deliveries?status=lost", key: "a.live", want: 400, code: "parameter_invalid", param: "status"},
		"an empty delivery status":         {do: "GET " + conn + "/deliveries?status=", key: "a.live", want: 400, code: "parameter_invalid", param: "status"},
		"connectors page like any list":    {do: "GET /connectors?limit=1&starting_after=00000000-0000-7000-8000-000000000000", key: "a.live", want: 200, has: []string{`"data":[]`}},

		"no name":                   {do: "POST /connections", key: "a.live", body: `{"url":"https://hooks.example.com/","events":["call.completed"]}`, want: 400, code: "parameter_missing", param: "name"},
		"no url":                    {do: "POST /connections", key: "a.live", body: `{"name":"CRM","events":["call.completed"]}`, want: 400, code: "parameter_missing", param: "url"},
		"no events":                 {do: "POST /connections", key: "a.live", body: `{"name":"CRM","url":"https://hooks.example.com/"}`, want: 400, code: "parameter_missing", param: "events"},
		"an unknown property":       {do: "POST /connections", key: "a.live", body: input(`,"colour":"red"`), want: 400, code: "parameter_unknown", param: "colour"},
		"livemode is not theirs":    {do: "POST /connections", key: "a.live", body: input(`,"livemode":true`), want: 400, code: "parameter_unknown", param: "livemode"},
		"a secret is not theirs":    {do: "POST /connections", key: "a.live", body: input(`,"secret":"whsec_AAAA"`), want: 400, code: "parameter_unknown", param: "secret"},
		"another type":              {do: "POST /connections", key: "a.live", body: input(`,"type":"crm.inbound"`), want: 400, code: "parameter_invalid", param: "type"},
		"an empty name":             {do: "POST /connections", key: "a.live", body: `{"name":"","url":"https://hooks.example.com/","events":["call.completed"]}`, want: 400, code: "parameter_invalid", param: "name"},
		"a blank name":              {do: "POST /connections", key: "a.live", body: `{"name":"  ","url":"https://hooks.example.com/","events":["call.completed"]}`, want: 400, code: "parameter_invalid", param: "name"},
		"a name of 61":              {do: "POST /connections", key: "a.live", body: `{"name":"` + strings.Repeat("ñ", 61) + `","url":"https://hooks.example.com/","events":["call.completed"]}`, want: 400, code: "parameter_invalid", param: "name"},
		"a name with a NUL":         {do: "POST /connections", key: "a.live", body: `{"name":"C\u0000M","url":"https://hooks.example.com/","events":["call.completed"]}`, want: 400, code: "parameter_invalid", param: "name"},
		"an empty list of events":   {do: "POST /connections", key: "a.live", body: `{"name":"CRM","url":"https://hooks.example.com/","events":[]}`, want: 400, code: "parameter_invalid", param: "events"},
		"an event twice":            {do: "POST /connections", key: "a.live", body: `{"name":"CRM","url":"https://hooks.example.com/","events":["call.completed","call.completed"]}`, want: 400, code: "parameter_invalid", param: "events"},
		"an event that is none":     {do: "POST /connections", key: "a.live", body: `{"name":"CRM","url":"https://hooks.example.com/","events":["call.completed","call.started"]}`, want: 400, code: "parameter_invalid", param: "events[1]"},
		"tests are not subscribed":  {do: "POST /connections", key: "a.live", body: `{"name":"CRM","url":"https://hooks.example.com/","events":["connection.test"]}`, want: 400, code: "parameter_invalid", param: "events[0]"},
		"plain http":                {do: "POST /connections", key: "a.live", body: `{"name":"CRM","url":"http://hooks.example.com/","events":["call.completed"]}`, want: 400, code: "url_invalid", param: "url"},
		"another port":              {do: "PATCH " + conn, key: "a.live", body: `{"url":"https://hooks.example.com:444/"}`, want: 400, code: "url_invalid", param: "url"},
		"a private address":         {do: "PATCH " + conn, key: "a.live", body: `{"url":"https://10.0.0.1/"}`, want: 400, code: "url_not_public", param: "url"},
		"the receiver's other port": {do: "PATCH " + conn, key: "a.live", body: `{"url":"http://127.0.0.1:2/"}`, want: 400, code: "url_invalid", param: "url"},
		"nothing to change":         {do: "PATCH " + conn, key: "a.live", body: `{}`, want: 400, code: "empty_patch"},
		"a patch of the type":       {do: "PATCH " + conn, key: "a.live", body: `{"type":"crm.outbound"}`, want: 400, code: "parameter_unknown", param: "type"},
		"a patch with no body":      {do: "PATCH " + conn, key: "a.live", want: 400, code: "invalid_json"},
		"a patch of nobody's":       {do: "PATCH /connections/00000000-0000-7000-8000-000000000000", key: "a.live", body: `{"name":"x"}`, want: 404, code: "not_found"},
		"null is no value":          {do: "PATCH " + conn, key: "a.live", body: `{"name":null}`, want: 400, code: "parameter_invalid", param: "name"},
		"a reason of 201":           {do: "POST " + conn + "/disable", key: "a.live", body: `{"reason":"` + strings.Repeat("ñ", 201) + `"}`, want: 400, code: "parameter_invalid", param: "reason"},
		"a reason with a NUL":       {do: "POST " + conn + "/disable", key: "a.live", body: `{"reason":"\u0000"}`, want: 400, code: "parameter_invalid", param: "reason"},
		"a reason beside another":   {do: "POST " + conn + "/disable", key: "a.live", body: `{"reason":"x","until":"y"}`, want: 400, code: "parameter_unknown", param: "until"},
		"a grace of a week and 1 s": {do: "POST " + conn + "/rotate-secret", key: "a.live", body: `{"grace_seconds":604801}`, want: 400, code: "parameter_invalid", param: "grace_seconds"},
		"a negative grace":          {do: "POST " + conn + "/rotate-secret", key: "a.live", body: `{"grace_seconds":-1}`, want: 400, code: "parameter_invalid", param: "grace_seconds"},
		"a grace in words":          {do: "POST " + conn + "/rotate-secret", key: "a.live", body: `{"grace_seconds":"86400"}`, want: 400, code: "parameter_invalid", param: "grace_seconds"},
		"a retry of nobody's":       {do: "POST /deliveries/00000000-0000-7000-8000-000000000000/retry", key: "a.live", want: 404, code: "not_found"},
		"a delivery has no GET":     {do: "GET /deliveries/{delivery}", key: "a.live", want: 404, code: "route_not_found"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			replace := strings.NewReplacer("{conn}", string(h.a.liveConnection), "{CONN}", strings.ToUpper(string(h.a.liveConnection)), "{delivery}", string(h.a.liveDelivery))
			s.do = replace.Replace(s.do)
			for i := range s.has {
				s.has[i] = replace.Replace(s.has[i])
			}
			h.play(t, s)
		})
	}
	t.Cleanup(func() {
		if list := read[struct{ Data []shownConnection }](h, "GET /connections", h.a.live, ""); len(list.Data) != 1 || list.Data[0].Status != "active" || len(list.Data[0].Events) != 2 {
			t.Errorf("a refused request changed something: %+v", list)
		}
		if h.receiver.count() != 0 {
			t.Error("something was sent")
		}
	})
}

// TestTheSecretIsShownOnce looks for it in every other answer, in both modes:
// test keys may do all of this.
func TestTheSecretIsShownOnce(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"live", "test"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, unhurried).start()
			key := map[string]string{"live": h.a.live, "test": h.a.test}[mode]
			c := h.newConnection(key, "/crm")
			if !strings.HasPrefix(c.Secret, "whsec_") || len(c.Secret) != len("whsec_")+44 || c.SecretPrefix != c.Secret[:10] || c.SecretNotice == "" || c.SecretSetAt != "2026-11-11T12:00:00.000Z" {
				t.Fatalf("%+v", c)
			}
			at := "/connections/" + string(c.ID)
			rotated := read[connectionEnvelope](h, "POST "+at+"/rotate-secret", key, "").Connection
			if rotated.Secret == c.Secret || rotated.SecretPrefix != rotated.Secret[:10] || rotated.SecretGraceUntil == nil || *rotated.SecretGraceUntil != "2026-11-12T12:00:00.000Z" || rotated.SecretNotice == "" {
				t.Errorf("%+v", rotated)
			}
			for _, operation := range []string{
				"GET " + at, "GET /connections", "PATCH " + at + ` {"name":"other"}`, "POST " + at + "/disable", "POST " + at + "/enable",
				"POST " + at + "/test", "GET " + at + "/deliveries", "GET /connectors", "DELETE " + at,
			} {
				operation, body, _ := strings.Cut(operation, " {")
				if body != "" {
					body = "{" + body
				}
				got := h.do(operation, key, body)
				if got.status != 200 || strings.Contains(got.body, c.Secret) || strings.Contains(got.body, rotated.Secret) || strings.Contains(got.body, `"secret_notice"`) {
					t.Errorf("%s: %s", operation, got)
				}
			}
			if text := h.log.String(); strings.Contains(text, c.Secret) || strings.Contains(text, rotated.Secret) {
				t.Error("a secret is in the log")
			}
		})
	}
}

func TestConnectionsAreLimited(t *testing.T) {
	t.Parallel()
	h := newHouse(t, unhurried).start()
	var mu sync.Mutex
	made, refused := 0, 0
	var wg sync.WaitGroup
	for i := range 30 {
		wg.Go(func() {
			got, problem := h.exchange(h.document(), "POST /connections", h.a.live, fmt.Sprintf(`{"name":"n%d","url":"https://hooks.example.com/","events":["call.completed"]}`, i))
			mu.Lock()
			defer mu.Unlock()
			switch {
			case problem != nil:
				t.Error(problem)
			case got.status == 201:
				made++
			case got.status == 400 && got.fail().Code == "limit_reached" && got.fail().Param == nil:
				refused++
			default:
				t.Error(got)
			}
		})
	}
	wg.Wait()
	if made != 19 || refused != 11 { // one was there
		t.Errorf("%d were made, %d refused", made, refused)
	}
	h.play(t, scenario{do: "GET /connections?limit=1", key: "a.live", want: 200, has: []string{`"max_connections":20,"used":20,"remaining":0,`, `"has_more":true`}})
	if all := h.pages("connections", h.a.live); len(all) != 20 || !slices.IsSortedFunc(all, func(a, b string) int { return strings.Compare(b, a) }) {
		t.Errorf("the pages hold %v", all)
	}
	// The other mode, and the other tenant, have room of their own.
	h.newConnection(h.a.test, "/crm")
	h.newConnection(h.b.live, "/crm")
	h.do("DELETE /connections/"+string(h.a.liveConnection), h.a.live, "")
	h.newConnection(h.a.live, "/crm")
}

func TestAConnectionIsChanged(t *testing.T) {
	t.Parallel()
	h := newHouse(t, unhurried).start()
	c := h.newConnection(h.a.live, "/crm")
	at := "/connections/" + string(c.ID)
	h.clock.Forward(time.Minute)
	for _, step := range []scenario{
		{do: "PATCH " + at, body: `{"events":["call.completed"]}`, has: []string{`"events":["call.completed"]`, `"name":"CRM"`, `"created_at":"2026-11-11T12:00:00.000Z"`, `"updated_at":"2026-11-11T12:01:00.000Z"`}},
		{do: "PATCH " + at, body: `{"events":["capture.created"]}`, has: []string{`"events":["capture.created"]`}},
		{do: "PATCH " + at, body: `{"name":"Otro ☎","url":"https://hooks.example.com/x?y=1"}`, has: []string{`"name":"Otro ☎"`, `"url":"https://hooks.example.com/x?y=1"`, `"events":["capture.created"]`}},
		{do: "POST " + at + "/enable", has: []string{`"status":"active"`}, hasNot: []string{`"disabled_by"`}},
		{do: "POST " + at + "/disable", body: `{"reason":"CRM migration"}`, has: []string{`"status":"disabled","disabled_by":"customer","disabled_reason":"CRM migration"`}},
		{do: "POST " + at + "/disable", body: `{"reason":"another"}`, has: []string{`"status":"disabled","disabled_by":"customer","disabled_reason":"CRM migration"`}},
		{do: "POST " + at + "/disable", has: []string{`"disabled_reason":"CRM migration"`}},
		{do: "GET " + at, has: []string{`"status":"disabled","disabled_by":"customer","disabled_reason":"CRM migration"`}},
		{do: "POST " + at + "/enable", has: []string{`"status":"active"`}, hasNot: []string{`"disabled_by"`, `"disabled_reason"`}},
		{do: "POST " + at + "/enable", has: []string{`"status":"active"`}},
		{do: "POST " + at + "/disable", has: []string{`"disabled_by":"customer"`}, hasNot: []string{`"disabled_reason"`}},
		{do: "POST " + at + "/enable", has: []string{`"status":"active"`}},
		{do: "POST " + at + "/disable", body: `{}`, has: []string{`"disabled_by":"customer"`}, hasNot: []string{`"disabled_reason"`}},
	} {
		step.key, step.want = "a.live", 200
		h.play(t, step)
	}
}

func TestATestIsSentAndRecorded(t *testing.T) {
	t.Parallel()
	h := newHouse(t, unhurried).start()
	type result struct {
		OK         bool
		HTTPStatus *int `json:"http_status"`
		LatencyMS  *int `json:"latency_ms"`
	}
	for name, c := range map[string]struct {
		url      string
		disabled bool
		ok       bool
		status   int
		code     string
	}{
		"taken":                   {url: h.receiver.URL + "/taken", ok: true, status: 200},
		"taken, though disabled":  {url: h.receiver.URL + "/disabled", disabled: true, ok: true, status: 200},
		"taken with no content":   {url: h.receiver.URL + "/none/204", ok: true, status: 204},
		"refused":                 {url: h.receiver.URL + "/r/401", status: 401, code: "http_4xx"},
		"broken":                  {url: h.receiver.URL + "/r/500", status: 500, code: "http_5xx"},
		"redirected":              {url: h.receiver.URL + "/r/302", status: 302, code: "redirect_refused"},
		"nobody listens":          {url: deaf + "/", code: "connect_failed"},
		"the name does not exist": {url: "https://hooks.example.com/", code: "dns_failed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := fmt.Sprintf(`{"name":"CRM","url":%q,"events":["call.completed"]}`, c.url)
			conn := read[connectionEnvelope](h, "POST /connections", h.a.live, body).Connection
			at := "/connections/" + string(conn.ID)
			if c.disabled {
				h.do("POST "+at+"/disable", h.a.live, "")
			}
			got := read[result](h, "POST "+at+"/test", h.a.live, "")
			if got.OK != c.ok || got.LatencyMS == nil || (got.HTTPStatus == nil) != (c.status == 0) || got.HTTPStatus != nil && *got.HTTPStatus != c.status {
				t.Errorf("%+v", got)
			}
			all := h.deliveries(h.a.live, conn.ID, "")
			if len(all) != 1 {
				t.Fatalf("%+v", all)
			}
			d := all[0]
			status := map[bool]string{true: "delivered", false: "dead"}[c.ok]
			if d.Event != "connection.test" || d.MaxAttempts != 1 || d.Attempts != 1 || d.Status != status || d.ErrorCode != c.code || d.NextAttemptAt != nil || d.LatencyMS == nil {
				t.Errorf("%+v", d)
			}
			if path, open := strings.CutPrefix(c.url, h.receiver.URL); open {
				h.sawTest(t, path, conn)
			}
			if c.disabled {
				h.play(t, scenario{do: "GET " + at, key: "a.live", want: 200, has: []string{`"status":"disabled"`}})
			}
		})
	}
	t.Run("gone", func(t *testing.T) {
		conn := h.newConnection(h.a.live, "/r/410")
		at := "/connections/" + string(conn.ID)
		if got := read[result](h, "POST "+at+"/test", h.a.live, ""); got.OK || *got.HTTPStatus != 410 {
			t.Errorf("%+v", got)
		}
		h.play(t, scenario{do: "GET " + at, key: "a.live", want: 200, has: []string{`"status":"disabled","disabled_by":"system"`}})
	})
}

// Nobody can make us throw requests at a receiver: not with one key, nor with
// several, and not with an Idempotency-Key that keeps the refusal.
func TestTestsOfAConnectionAreLimited(t *testing.T) {
	t.Parallel()
	h := newHouse(t, unhurried).start()
	busy, other := h.newConnection(h.a.live, "/busy"), h.newConnection(h.a.live, "/other")
	at := "POST /connections/" + string(busy.ID) + "/test"
	for range 10 {
		h.play(t, scenario{do: at, key: "a.live", want: 200})
	}
	h.play(t, scenario{do: at, key: "a.live", want: 429, code: "rate_limited", has: []string{"tested often"}})
	keyed := func() reply { return h.do(at, h.a.live, "", "Idempotency-Key", "t1") }
	if got := keyed(); got.status != 429 || got.header.Get("Retry-After") != "1" {
		t.Errorf("%d %v", got.status, got.header)
	}
	if n := len(h.receiver.got("/busy")); n != 10 {
		t.Errorf("%d came", n)
	}
	if all := h.deliveries(h.a.live, busy.ID, ""); len(all) != 10 {
		t.Errorf("%d are recorded", len(all))
	}
	h.play(t, scenario{do: "POST /connections/" + string(other.ID) + "/test", key: "a.live", want: 200})
	h.play(t, scenario{do: "POST /connections/01a19b51-60c9-7114-bda2-bc54c495c4be/test", key: "a.live", want: 404, code: "not_found"})
	h.clock.Forward(time.Second)
	if got := keyed(); got.status != 200 || got.header.Get("Idempotent-Replayed") != "" {
		t.Errorf("%d %v", got.status, got.header)
	}
}

// sawTest holds the one test that came to a path against the contract.
func (h *house) sawTest(t *testing.T, path string, c shownConnection) {
	t.Helper()
	got := h.receiver.got(path)
	if len(got) != 1 {
		t.Fatalf("%d came", len(got))
	}
	one := got[0]
	must(t, signature.Verify(c.Secret, one.header, []byte(one.body), h.clock.Now()))
	id := one.header.Get("Webhook-Id")
	want := fmt.Sprintf(`{"id":%q,"object":"event","type":"connection.test","api_version":"1.0.0","timestamp":"2026-11-11T12:00:00.000Z","livemode":true,"tenant":{"id":%q,"slug":"alfa"},"agent":null,"data":{"object":{"connection_id":%q}}}`, id, h.a.ID, c.ID)
	if one.body != want || one.header.Get("Content-Type") != "application/json" || one.header.Get("Webhook-Timestamp") != "1794398400" {
		t.Errorf("%v %s\nwant %s", one.header, one.body, want)
	}
}

// TestTheGraceAfterARotation looks at signatures as the clock goes on.
func TestTheGraceAfterARotation(t *testing.T) {
	t.Parallel()
	h := newHouse(t, unhurried).start()
	first := h.newConnection(h.a.live, "/crm")
	at := "/connections/" + string(first.ID)
	signers := func() (entries int, fits func(string) bool) {
		t.Helper()
		read[any](h, "POST "+at+"/test", h.a.live, "")
		all := h.receiver.got("/crm")
		last := all[len(all)-1]
		return len(strings.Fields(last.header.Get("Webhook-Signature"))), func(secret string) bool {
			return signature.Verify(secret, last.header, []byte(last.body), h.clock.Now()) == nil
		}
	}
	rotate := func(body string) string {
		t.Helper()
		return read[connectionEnvelope](h, "POST "+at+"/rotate-secret", h.a.live, body).Connection.Secret
	}
	check := func(when string, entries int, fitting []string, not []string) {
		t.Helper()
		n, fits := signers()
		if n != entries {
			t.Errorf("%s: %d signatures, want %d", when, n, entries)
		}
		for _, s := range fitting {
			if !fits(s) {
				t.Errorf("%s: a secret does not fit", when)
			}
		}
		for _, s := range not {
			if fits(s) {
				t.Errorf("%s: a secret fits that must not", when)
			}
		}
	}
	check("before", 1, []string{first.Secret}, nil)
	second := rotate(`{"grace_seconds":600}`)
	check("in the grace", 2, []string{first.Secret, second}, nil)
	h.clock.Forward(600*time.Second - time.Millisecond)
	check("at its end", 2, []string{first.Secret, second}, nil)
	h.clock.Forward(time.Millisecond)
	check("after it", 1, []string{second}, []string{first.Secret})
	h.play(t, scenario{do: "GET " + at, key: "a.live", want: 200, has: []string{`"secret_grace_until":null`}})
	third := rotate("")
	fourth := rotate("{}")
	check("two rotations in a row", 2, []string{third, fourth}, []string{first.Secret, second})
	h.clock.Forward(24*time.Hour - time.Second)
	check("a day, less a second", 2, []string{third, fourth}, nil)
	fifth := rotate(`{"grace_seconds":0}`)
	check("without grace", 1, []string{fifth}, []string{third, fourth})
}

// TestDeliveriesAreListedAndRetried makes one delivery of every status.
func TestDeliveriesAreListedAndRetried(t *testing.T) {
	t.Parallel()
	for _, live := range []bool{true, false} {
		t.Run(fmt.Sprintf("live %t", live), func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, unhurried).start()
			key := h.a.test
			if live {
				key = h.a.live
			}
			id := h.newConnection(key, "/r/500").ID
			at := "/connections/" + string(id)
			patch := func(path string) {
				t.Helper()
				read[any](h, "PATCH "+at, key, fmt.Sprintf(`{"url":%q}`, h.receiver.URL+path))
			}
			emit := func() {
				t.Helper()
				e, err := wire.Event(wire.EventSource{Tenant: h.a.Tenant, Live: live}, frontdesk.CallCompleted, h.clock.Now(), []byte(`{"id":"x"}`))
				must(t, err)
				must(t, h.store.Emit(context.Background(), h.a.owner(live), e))
				h.clock.Forward(time.Second)
			}
			emit()
			for range frontdesk.MaxAttempts { // until it is dead
				h.dispatch(h.a, live, id)
				h.clock.Forward(13 * time.Hour)
			}
			emit()
			h.dispatch(h.a, live, id) // failed
			patch("/ok")
			emit()
			if n := h.dispatch(h.a, live, id); n != 1 {
				t.Fatalf("%d were due", n)
			} // delivered
			emit() // pending
			for status, want := range map[string][2]int{"dead": {8, 500}, "failed": {1, 500}, "delivered": {1, 200}, "pending": {0, 0}} {
				got := h.deliveries(key, id, "?status="+status)
				if len(got) != 1 || got[0].Status != status || got[0].Attempts != want[0] || got[0].MaxAttempts != 8 || (got[0].HTTPStatus == nil) != (want[1] == 0) {
					t.Errorf("%s: %+v", status, got)
				}
			}
			if got := h.deliveries(key, id, "?status=delivering"); len(got) != 0 {
				t.Errorf("delivering: %+v", got)
			}
			if all := h.pages(at[1:]+"/deliveries", key); len(all) != 4 || !slices.IsSortedFunc(all, func(a, b string) int { return strings.Compare(b, a) }) {
				t.Errorf("pages hold %v", all)
			}
			if page := read[struct {
				HasMore      bool `json:"has_more"`
				Data         []shownDelivery
				ConnectionID frontdesk.ID `json:"connection_id"`
			}](h, "GET "+at+"/deliveries?limit=3", key, ""); !page.HasMore || len(page.Data) != 3 || page.ConnectionID != id {
				t.Errorf("%+v", page)
			}
			h.retries(t, key, id, patch)
		})
	}
}

// retries asks for attempts at deliveries of every status.
func (h *house) retries(t *testing.T, key string, id frontdesk.ID, patch func(string)) {
	t.Helper()
	retry := func(d shownDelivery) string { return "POST /deliveries/" + string(d.ID) + "/retry" }
	one := func(status string) shownDelivery {
		t.Helper()
		return h.deliveries(key, id, "?status="+status)[0]
	}
	type result struct {
		OK       bool
		Delivery shownDelivery
	}
	h.play(t, scenario{do: retry(one("delivered")), key: key, want: 400, code: "delivery_not_retryable"})
	h.play(t, scenario{do: retry(one("pending")), key: key, want: 400, code: "delivery_not_retryable"})
	at := "/connections/" + string(id)
	h.do("POST "+at+"/disable", key, "")
	sent := h.receiver.count()
	h.play(t, scenario{do: retry(one("failed")), key: key, want: 400, code: "connection_disabled"})
	h.play(t, scenario{do: retry(one("dead")), key: key, want: 400, code: "connection_disabled"})
	if h.receiver.count() != sent {
		t.Error("a disabled connection was sent to")
	}
	h.do("POST "+at+"/enable", key, "")

	patch("/r/404")
	failed, dead := one("failed"), one("dead")
	if got := read[result](h, retry(failed), key, ""); got.OK || got.Delivery.Status != "failed" || got.Delivery.Attempts != 2 || *got.Delivery.HTTPStatus != 404 || got.Delivery.ErrorCode != "http_4xx" || got.Delivery.NextAttemptAt == nil {
		t.Errorf("%+v", got)
	}
	for attempts := 9; attempts < 12; attempts++ { // without a limit
		if got := read[result](h, retry(dead), key, ""); got.OK || got.Delivery.Status != "dead" || got.Delivery.Attempts != attempts || got.Delivery.NextAttemptAt != nil {
			t.Errorf("%+v", got)
		}
	}
	patch("/late")
	for _, d := range []shownDelivery{failed, dead} {
		got := read[result](h, retry(d), key, "")
		if !got.OK || got.Delivery.Status != "delivered" || got.Delivery.ErrorCode != "" || got.Delivery.DeliveredAt == nil || got.Delivery.NextAttemptAt != nil {
			t.Errorf("%+v", got)
		}
		h.play(t, scenario{do: retry(d), key: key, want: 400, code: "delivery_not_retryable"})
	}
	if again := h.receiver.got("/late"); len(again) != 2 || again[0].header.Get("Webhook-Id") != h.receiver.got("/r/404")[0].header.Get("Webhook-Id") {
		t.Errorf("%d came late, or under another webhook-id", len(again))
	}
	h.play(t, scenario{do: "DELETE " + at, key: key, want: 200, has: []string{`{"deleted":true,"id":"` + string(id) + `"}`}})
	for _, gone := range []string{"GET " + at, "GET " + at + "/deliveries", "DELETE " + at, "POST " + at + "/test", "POST " + at + "/enable", retry(dead)} {
		h.play(t, scenario{do: gone, key: key, want: 404, code: "not_found"})
	}
}

// TestRealPostsAreReplayed: the answers that hold a secret come again, whole,
// and nothing is made or sent twice.
func TestRealPostsAreReplayed(t *testing.T) {
	t.Parallel()
	h := newHouse(t, unhurried).start()
	values := h.fresh(h.a, true)
	bodies := map[string]string{
		"POST /connections":                  `{"name":"CRM","url":"https://hooks.example.com/","events":["call.completed"]}`,
		"POST /knowledge/documents":          "Replayed.",
		"POST /captures":                     `{"agent":"desk","customer_name":"Replayed"}`,
		"POST /captures/{capture_id}/change": `{"notes":"Replayed"}`,
		"POST /knowledge/test":               `{"question":"Is it replayed?"}`,
	}
	for _, rt := range h.api.router.all {
		if rt.method != http.MethodPost {
			continue
		}
		operation := refill(rt.operation, values)
		if rt.operation == "POST /connections/{connection_id}/disable" {
			operation = refill(rt.operation, h.fresh(h.a, true))
		}
		operation = refill(operation, h.fill())
		idempotency := append(headersFor(&rt), "Idempotency-Key", rt.operation)
		first := h.do(operation, h.a.live, bodies[rt.operation], idempotency...)
		sent := h.receiver.count()
		h.clock.Forward(time.Second)
		again := h.do(operation, h.a.live, bodies[rt.operation], idempotency...)
		if first.status >= 300 || replayed(first) || !replayed(again) || again.body != first.body || again.status != first.status || again.header.Get("ETag") != first.header.Get("ETag") {
			t.Errorf("%s: %s, then %s", rt.operation, first, again)
		}
		if h.receiver.count() != sent {
			t.Errorf("%s: it was sent again", rt.operation)
		}
		if secret := strings.Contains(rt.operation, "rotate") || rt.operation == "POST /connections"; strings.Contains(again.body, `"secret":"whsec_`) != secret {
			t.Errorf("%s: %s", rt.operation, again)
		}
		if other := h.do(operation, h.a.test, bodies[rt.operation], idempotency...); replayed(other) {
			t.Errorf("%s: the other mode gets the answer", rt.operation)
		}
		h.do(operation, h.a.live, `{"reason":"x"}`, idempotency...) // a body of another request
	}
	h.do("POST /connections", h.a.live, `{"name":"CRM 2","url":"https://hooks.example.com/","events":["call.completed"]}`,
		"Idempotency-Key", "POST /connections").envelope(t, 409, "idempotency_key_reused")
}

// TestTheConnectorSaysWhatIsTrue holds the one entry of GET /connectors against
// the document and against the figures that the code goes by.
func TestTheConnectorSaysWhatIsTrue(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	got := h.do("GET /connectors", h.a.live, "").json(t)
	example := at(h.document().Root, "paths", "/connectors", "get", "responses", "200", "content", "application/json", "examples", "complete", "value")
	text, err := json.Marshal(example)
	must(t, err)
	var want map[string]any
	must(t, json.Unmarshal(text, &want))
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	entry := got["data"].([]any)[0].(map[string]any)
	var schedule []any
	for _, wait := range frontdesk.RetrySchedule() {
		schedule = append(schedule, wait.Seconds())
	}
	var events []any
	for _, e := range entry["events"].([]any) {
		events = append(events, e.(map[string]any)["name"])
	}
	for what, pair := range map[string][2]any{
		"type":            {entry["type"], frontdesk.ConnectorType},
		"schedule":        {at(entry, "delivery")["schedule_seconds"], schedule},
		"max_attempts":    {at(entry, "delivery")["max_attempts"], float64(frontdesk.MaxAttempts)},
		"timeout":         {at(entry, "delivery")["timeout_ms"], float64(frontdesk.DeliveryTimeout.Milliseconds())},
		"retention":       {at(entry, "limits")["delivery_retention_days"], frontdesk.DeliveryRetention.Hours() / 24},
		"name":            {at(entry, "limits")["max_name_chars"], float64(frontdesk.MaxConnectionName)},
		"max_connections": {at(entry, "limits")["max_connections"], float64(frontdesk.DefaultPlan().MaxConnections)},
		"events":          {events, []any{frontdesk.CaptureCreated, frontdesk.CallCompleted, frontdesk.CaptureUpdated}},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%s is %v, the code says %v", what, pair[0], pair[1])
		}
	}
	vector := at(entry, "signature", "example")
	text2 := func(name string) string { return fmt.Sprint(vector[name]) }
	var seconds int64
	fmt.Sscan(text2("timestamp"), &seconds)
	signed, err := signature.Sign(text2("secret"), text2("id"), time.Unix(seconds, 0), []byte(text2("body")))
	must(t, err)
	if signed != text2("signature") {
		t.Errorf("the example's signature is %s, want %s", text2("signature"), signed)
	}
	h.spacious(&h.b)
	if most := read[struct {
		Data []struct {
			Limits struct {
				MaxConnections int `json:"max_connections"`
			}
		}
	}](h, "GET /connectors", h.b.live, ""); most.Data[0].Limits.MaxConnections != 1_000_000 {
		t.Errorf("the plan's limit is %+v", most)
	}
}

// TestEventsAreWhatTheDocumentSays holds the bodies that are really sent to the
// webhooks section.
func TestEventsAreWhatTheDocumentSays(t *testing.T) {
	t.Parallel()
	h := newHouse(t, unhurried).start()
	c := h.newConnection(h.a.live, "/crm")
	must(t, h.recordCall(h.a, true, noon.Add(-time.Minute), 42))
	h.dispatch(h.a, true, c.ID)
	read[any](h, "POST /connections/"+string(c.ID)+"/test", h.a.live, "")
	seen := map[string]bool{}
	for _, one := range h.receiver.got("/crm") {
		var event struct {
			Type string
			Data struct{ Object map[string]any }
		}
		must(t, json.Unmarshal([]byte(one.body), &event))
		seen[event.Type] = true
		schema, err := h.document().Schema("/webhooks/" + event.Type + "/post/requestBody/content/application~1json/schema")
		must(t, err)
		var value any
		must(t, json.Unmarshal([]byte(one.body), &value))
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", one.body, err)
		}
		list := map[string]string{"capture.created": "capture", "call.completed": "call"}[event.Type]
		if list == "" {
			continue
		}
		got := h.do("GET /"+list+"s/"+event.Data.Object["id"].(string), h.a.live, "").json(t)[list].(map[string]any)
		delete(got, "transcript")
		if !reflect.DeepEqual(got, event.Data.Object) {
			t.Errorf("%s holds %v, GET gives %v", event.Type, event.Data.Object, got)
		}
	}
	if len(seen) != 3 {
		t.Errorf("seen are %v", seen)
	}
}
