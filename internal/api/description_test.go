package api

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/api/apitest"
	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/description"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

// fewestFaults is how many broken requests the document must give rise to, so
// that the test cannot come to do nothing without anybody noticing.
const fewestFaults = 900

func TestRequestsAreHeldToTheDescription(t *testing.T) {
	t.Parallel()
	h := newHouse(t, unhurried).start()
	h.spacious(&h.a)
	accepted, refused := 0, 0
	for _, rt := range h.api.router.all {
		h.roomy(&h.a) // whatever the operations before have made of it
		_, template, _ := strings.Cut(rt.operation, " ")
		trials, err := trialsOf(h.document(), rt.method, template, h.fill())
		must(t, err)
		for _, tr := range trials {
			if problem := h.tryOut(tr); problem != "" {
				t.Error(problem)
			}
			if tr.broken() {
				refused++
			} else {
				accepted++
			}
		}
	}
	t.Logf("%d requests that the document allows, %d that it does not", accepted, refused)
	if refused < fewestFaults {
		t.Errorf("only %d constraints were broken, want at least %d", refused, fewestFaults)
	}
}

// fill are the values that exist in the house.
func (h *house) fill() map[string]string {
	return map[string]string{
		"slug": h.a.agent.Slug, "call_id": string(h.a.liveCall), "capture_id": string(h.a.liveCapture), "agent": h.a.agent.Slug,
		"connection_id": string(h.a.liveConnection), "delivery_id": string(h.a.liveDelivery),
		"document_id": string(h.a.liveDocument), "agent_id": string(h.a.agent.ID),
		"revision": string(h.a.revision), "event_id": string(h.a.liveEvent), "service_id": "Limpieza", "resource_id": "ana",
	}
}

// roomy makes the tenant's agent, and the capture that tests use, as a request
// for any time, any length and any number of people wants them.
func (h *house) roomy(t *tenant) {
	h.t.Helper()
	ctx := context.Background()
	_, err := h.store.ChangeAgent(ctx, t.owner(true), t.agent.Slug, store.AgentChange{
		By: frontdesk.Actor{Kind: frontdesk.ByOperatorActing}, Now: h.clock.Now(), Fields: wire.AgentFields,
		Change: func(a frontdesk.Agent) (frontdesk.Agent, error) {
			a.Config = t.agent.Config
			a.Config.Hours = nil
			a.Settings = frontdesk.AgentSettings{Capacity: 10_000, ServiceCapacity: map[string]int{"Limpieza": 10_000}}
			for i := range 200 {
				r := frontdesk.Resource{ID: fmt.Sprintf("person%d", i), Name: "Ana", Kind: "person"}
				if i == 0 {
					r.ID = "ana"
				}
				a.Settings.Calendar.Resources = append(a.Settings.Calendar.Resources, r)
			}
			return a, nil
		},
	})
	must(h.t, err)
	_, err = h.api.calendar.SetStatus(ctx, calendar.Caller{Tenant: t.Tenant, Agent: t.agent, Live: true}, t.liveCapture, frontdesk.Confirmed, h.clock.Now())
	must(h.t, err)
}

// tryOut sends a trial and says what is wrong with the answer, or "".
func (h *house) tryOut(tr trial) string {
	h.t.Helper()
	got := h.do(tr.operation, h.a.live, tr.body, tr.file.headers()...)
	e := got.fail()
	at := ""
	if e.Param != nil {
		at = *e.Param
	}
	if got.status == tr.status && e.Code == tr.code && (at == tr.param || tr.code == "invalid_json" && tr.param == "") {
		return ""
	}
	return fmt.Sprintf("%s\n\tgot %d %s %q, want %d %s %q", tr, got.status, e.Code, at, tr.status, tr.code, tr.param)
}

// TestNumbersThatAreWholeInAnotherForm: a schema takes 9.0 for an integer, the
// place for it does not, and the place of the fault is named all the same.
func TestNumbersThatAreWholeInAnotherForm(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	for body, param := range map[string]string{
		`{"hours":{"0":[9.0,18]}}`:                        "hours.0[0]",
		`{"hours":{"3":[9,1e1]}}`:                         "hours.3[1]",
		`{"config":{"hours":{"6":[9,18.0]}}}`:             "config.hours.6[1]",
		`{"config":{"policy":"x","hours":{"0":[1e0,2]}}}`: "config.hours.0[0]",
	} {
		h.play(t, scenario{do: "PATCH /agents/desk", key: "a.live", body: body, want: 400, code: "parameter_invalid", param: param})
	}
}

// TestPlantedRequestFaults shows that the test above bites: the document that
// drives it is changed in one point, the API is not, and that must come out.
func TestPlantedRequestFaults(t *testing.T) {
	t.Parallel()
	h := newHouse(t, unhurried).start()
	h.spacious(&h.a)
	// What the real document promises as well holds: the test above has seen it.
	promised := map[trial]bool{}
	for _, rt := range h.api.router.all {
		_, template, _ := strings.Cut(rt.operation, " ")
		trials, err := trialsOf(h.document(), rt.method, template, h.fill())
		must(t, err)
		for _, tr := range trials {
			promised[tr] = true
		}
	}
	schema := func(d map[string]any, path ...string) map[string]any {
		return at(d, append([]string{"components", "schemas"}, path...)...)
	}
	parameter := func(d map[string]any, name string) map[string]any {
		return at(d, "components", "parameters", name, "schema")
	}
	for name, plant := range map[string]struct {
		operation string
		change    func(map[string]any)
	}{
		"a lower maximum of a parameter":  {"GET /calls", func(d map[string]any) { parameter(d, "LimitParam")["maximum"] = json.Number("99") }},
		"a higher maximum of a parameter": {"GET /captures", func(d map[string]any) { parameter(d, "LimitParam")["maximum"] = json.Number("101") }},
		"a lower minimum of a parameter":  {"GET /analytics", func(d map[string]any) { parameter(d, "DaysParam")["minimum"] = json.Number("0") }},
		"an outcome more": {"GET /calls", func(d map[string]any) {
			s := schema(d, "Outcome")
			s["enum"] = append(s["enum"].([]any), "sold")
		}},
		"a parameter more": {"GET /whoami", func(d map[string]any) {
			at(d, "paths", "/whoami", "get")["parameters"] = []any{map[string]any{"$ref": "#/components/parameters/LimitParam"}}
		}},
		"a parameter less": {"GET /calls", func(d map[string]any) {
			operation := at(d, "paths", "/calls", "get")
			operation["parameters"] = operation["parameters"].([]any)[:3]
		}},
		"a status more": {"PATCH /captures/{capture_id}", func(d map[string]any) {
			s := schema(d, "CaptureStatus")
			s["enum"] = append(s["enum"].([]any), "done")
		}},
		"a required property less": {"PATCH /captures/{capture_id}", func(d map[string]any) { schema(d, "CapturePatch")["required"] = []any{} }},
		"a required property more": {"PATCH /agents/{slug}", func(d map[string]any) { schema(d, "Service")["required"] = []any{"name", "price"} }},
		"a property more": {"PATCH /agents/{slug}", func(d map[string]any) {
			schema(d, "Business", "properties")["fax"] = map[string]any{"type": "string", "examples": []any{"1"}}
		}},
		"a property less":          {"PATCH /agents/{slug}", func(d map[string]any) { delete(schema(d, "Business", "properties"), "phone") }},
		"an object that is open":   {"PATCH /agents/{slug}", func(d map[string]any) { schema(d, "Assistant")["additionalProperties"] = true }},
		"an object that is closed": {"PATCH /agents/{slug}", func(d map[string]any) { schema(d, "Listing")["additionalProperties"] = false }},
		"an hour more":             {"PATCH /agents/{slug}", func(d map[string]any) { schema(d, "DayHours")["maxItems"] = json.Number("3") }},
		"an hour less":             {"PATCH /agents/{slug}", func(d map[string]any) { schema(d, "DayHours")["minItems"] = json.Number("1") }},
		"a later opening hour": {"PATCH /agents/{slug}", func(d map[string]any) {
			schema(d, "DayHours")["prefixItems"].([]any)[0].(map[string]any)["maximum"] = json.Number("24")
		}},
		"a name that may be empty": {"PATCH /agents/{slug}", func(d map[string]any) { delete(schema(d, "MenuItem", "properties", "name"), "minLength") }},
		"a text that may not be": {"PATCH /agents/{slug}", func(d map[string]any) {
			schema(d, "AgentPatch", "properties", "policy")["minLength"] = json.Number("1")
		}},
		"a text that may be null": {"PATCH /agents/{slug}", func(d map[string]any) {
			schema(d, "AgentPatch", "properties", "specials")["type"] = []any{"string", "null"}
		}},
		"a longer name": {"POST /connections", func(d map[string]any) {
			schema(d, "ConnectionInput", "properties", "name")["maxLength"] = json.Number("61")
		}},
		"a shorter name of a connection": {"PATCH /connections/{connection_id}", func(d map[string]any) {
			schema(d, "ConnectionPatch", "properties", "name")["maxLength"] = json.Number("59")
		}},
		"an event more": {"POST /connections", func(d map[string]any) {
			s := schema(d, "EventType")
			s["enum"] = append(s["enum"].([]any), "call.started")
		}},
		"no event at all": {"POST /connections", func(d map[string]any) {
			schema(d, "ConnectionInput", "properties", "events")["minItems"] = json.Number("0")
		}},
		"a patch that may be empty": {"PATCH /connections/{connection_id}", func(d map[string]any) { delete(schema(d, "ConnectionPatch"), "minProperties") }},
		"a type that is required": {"POST /connections", func(d map[string]any) {
			schema(d, "ConnectionInput")["required"] = []any{"name", "url", "events", "type"}
		}},
		"a longer reason": {"POST /connections/{connection_id}/disable", func(d map[string]any) {
			schema(d, "DisableInput", "properties", "reason")["maxLength"] = json.Number("201")
		}},
		"a body that is required": {"POST /connections/{connection_id}/disable", func(d map[string]any) {
			at(d, "paths", "/connections/{connection_id}/disable", "post", "requestBody")["required"] = true
		}},
		"a longer grace": {"POST /connections/{connection_id}/rotate-secret", func(d map[string]any) {
			schema(d, "RotateInput", "properties", "grace_seconds")["maximum"] = json.Number("604801")
		}},
		"a delivery status more": {"GET /connections/{connection_id}/deliveries", func(d map[string]any) {
			s := schema(d, "DeliveryStatus")
			s["enum"] = append(s["enum"].([]any), "lost")
		}},
		"a longer title":      {"POST /knowledge/documents", func(d map[string]any) { parameter(d, "TitleParam")["maxLength"] = json.Number("201") }},
		"a shorter file name": {"POST /knowledge/documents", func(d map[string]any) { parameter(d, "FilenameParam")["maxLength"] = json.Number("254") }},
		"an agent by its slug": {"POST /knowledge/documents", func(d map[string]any) {
			parameter(d, "DocumentAgentParam")["enum"] = []any{"desk"}
		}},
		"a content type more": {"POST /knowledge/documents", func(d map[string]any) {
			content := at(d, "paths", "/knowledge/documents", "post", "requestBody", "content")
			content["text/html"] = content["text/plain"]
		}},
		"a content type less": {"POST /knowledge/documents", func(d map[string]any) {
			delete(at(d, "paths", "/knowledge/documents", "post", "requestBody", "content"), "text/csv")
		}},
		"an upload that is answered otherwise": {"POST /knowledge/documents", func(d map[string]any) {
			responses := at(d, "paths", "/knowledge/documents", "post", "responses")
			responses["202"] = responses["201"]
			delete(responses, "201")
		}},
		"a document status more": {"GET /knowledge/documents", func(d map[string]any) {
			s := schema(d, "DocumentStatus")
			s["enum"] = append(s["enum"].([]any), "lost")
		}},
		"a longer question": {"POST /knowledge/test", func(d map[string]any) {
			schema(d, "KnowledgeQuestion", "properties", "question")["maxLength"] = json.Number("301")
		}},
		"a question that is not required": {"POST /knowledge/test", func(d map[string]any) { schema(d, "KnowledgeQuestion")["required"] = []any{} }},
		"a question with more to it":      {"POST /knowledge/test", func(d map[string]any) { schema(d, "KnowledgeQuestion")["additionalProperties"] = true }},
		"longer notes of a capture": {"POST /captures", func(d map[string]any) {
			schema(d, "CaptureInput", "properties", "notes")["maxLength"] = json.Number("2001")
		}},
		"a capture without an agent": {"POST /captures", func(d map[string]any) { delete(schema(d, "CaptureInput"), "anyOf") }},
		"a change of a status": {"POST /captures/{capture_id}/change", func(d map[string]any) {
			schema(d, "CaptureChange", "properties")["status"] = map[string]any{"type": "string"}
		}},
		"a name that null does not clear": {"POST /captures/{capture_id}/change", func(d map[string]any) {
			schema(d, "CaptureChange", "properties", "customer_name")["type"] = "string"
		}},
		"a longer slot": {"PUT /agents/{slug}/calendar", func(d map[string]any) {
			schema(d, "Calendar", "properties", "slot_minutes")["maximum"] = json.Number("481")
		}},
		"a day of 25 hours": {"PUT /agents/{slug}/calendar", func(d map[string]any) {
			schema(d, "Period")["prefixItems"].([]any)[1].(map[string]any)["pattern"] = "^.*$"
		}},
		"a resource of no kind": {"PUT /agents/{slug}/calendar", func(d map[string]any) {
			s := schema(d, "Resource", "properties", "kind")
			s["enum"] = append(s["enum"].([]any), "robot")
		}},
		"a further event": {"PUT /connections/{connection_id}/additional-events", func(d map[string]any) {
			s := schema(d, "AdditionalEventType")
			s["enum"] = append(s["enum"].([]any), "call.started")
		}},
		"a filter less": {"GET /captures", func(d map[string]any) {
			operation := at(d, "paths", "/captures", "get")
			operation["parameters"] = operation["parameters"].([]any)[:8]
		}},
		"a larger party": {"GET /agents/{slug}/availability", func(d map[string]any) { parameter(d, "PartySizeParam")["maximum"] = json.Number("1001") }},
		"a type of events more": {"GET /events", func(d map[string]any) {
			s := parameter(d, "EventTypeParam")
			s["enum"] = append(s["enum"].([]any), "call.started")
		}},
		"a price that must be a sum": {"PATCH /agents/{slug}", func(d map[string]any) { s := schema(d, "Price"); s["oneOf"] = s["oneOf"].([]any)[1:] }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document := copyOfDocument(t)
			plant.change(document)
			if !h.notices(t, document, plant.operation, promised) {
				t.Error("nobody noticed")
			}
		})
	}
}

// notices says whether an operation is found to differ from a document.
func (h *house) notices(t *testing.T, document map[string]any, operation string, promised map[trial]bool) bool {
	t.Helper()
	method, template, _ := strings.Cut(operation, " ")
	examples := at(document, "paths", template, strings.ToLower(method), "requestBody", "content", "application/json", "examples")
	maps.DeleteFunc(examples, func(name string, _ any) bool { return name != "complete" }) // the others are less
	text, err := json.Marshal(document)
	must(t, err)
	d, err := apitest.Load(text)
	must(t, err)
	trials, err := trialsOf(d, method, template, h.fill())
	if err != nil {
		return true // an example of the document does not fit it any more
	}
	return slices.ContainsFunc(trials, func(tr trial) bool { return !promised[tr] && h.tryOut(tr) != "" })
}

// TestPlantedAnswerFaults shows that what holds the answers against the
// document bites: each answer is a real one, changed in one point.
func TestPlantedAnswerFaults(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	body := func(old, changed string) func(*reply) {
		return func(r *reply) {
			if !strings.Contains(r.body, old) {
				t.Errorf("there is no %s in %s", old, r.body)
			}
			r.body = strings.Replace(r.body, old, changed, 1)
		}
	}
	dropped := func(name string) func(*reply) { return func(r *reply) { r.header.Del(name) } }
	status := func(n int) func(*reply) { return func(r *reply) { r.status = n } }
	for name, plant := range map[string]struct {
		operation string
		body      string
		key       string
		change    func(*reply)
	}{
		"a field more in a call":              {operation: "GET /calls", key: h.a.live, change: body(`"object":"call"`, `"object":"call","tenant_id":"x"`)},
		"a field less in a call":              {operation: "GET /calls", key: h.a.live, change: body(`"outcome":"booking",`, ``)},
		"a field more in a list":              {operation: "GET /captures", key: h.a.live, change: body(`"has_more":false`, `"has_more":false,"total":1`)},
		"a list that is null":                 {operation: "GET /captures", key: h.a.test, change: body(`"data":[`, `"data":null,"x":[`)},
		"another outcome":                     {operation: "GET /calls/{call_id}", key: h.a.live, change: body(`"booking"`, `"sold"`)},
		"a time without milliseconds":         {operation: "GET /calls/{call_id}", key: h.a.live, change: body(`11:00:00.000Z`, `11:00:00Z`)},
		"a time with an offset":               {operation: "GET /captures/{capture_id}", key: h.a.live, change: body(`.000Z"`, `.000+00:00"`)},
		"an id in capitals":                   {operation: "GET /calls/{call_id}", key: h.a.live, change: body(string(h.a.liveCall), strings.ToUpper(string(h.a.liveCall)))},
		"a negative duration":                 {operation: "GET /calls", key: h.a.live, change: body(`"duration_seconds":42`, `"duration_seconds":-1`)},
		"a number that is text":               {operation: "GET /usage", key: h.a.live, change: body(`"current_period_seconds":42`, `"current_period_seconds":"42"`)},
		"an hour less":                        {operation: "GET /analytics", key: h.a.live, change: body(`{"hour":0,"calls":0,"seconds":0,"captures":0},`, ``)},
		"a field more in whoami":              {operation: "GET /whoami", key: h.a.live, change: body(`"livemode":true`, `"livemode":true,"key":"x"`)},
		"no X-Request-Id":                     {operation: "GET /whoami", key: h.a.live, change: dropped("X-Request-Id")},
		"no RateLimit":                        {operation: "GET /whoami", key: h.a.live, change: dropped("RateLimit")},
		"no RateLimit-Policy":                 {operation: "GET /calls?limit=0", key: h.a.live, change: dropped("RateLimit-Policy")},
		"no WWW-Authenticate":                 {operation: "GET /whoami", change: dropped("WWW-Authenticate")},
		"no Allow":                            {operation: "DELETE /calls", key: h.a.live, change: dropped("Allow")},
		"another Content-Type":                {operation: "GET /voices", key: h.a.live, change: func(r *reply) { r.header.Set("Content-Type", "text/html") }},
		"another Content-Type of an error":    {operation: "GET /nothing", change: func(r *reply) { r.header.Set("Content-Type", "text/plain") }},
		"a status that is not described":      {operation: "GET /calls", key: h.a.live, change: status(http.StatusAccepted)},
		"an error that is not described":      {operation: "GET /calls?limit=0", key: h.a.live, change: status(http.StatusConflict)},
		"a sixth field of an error":           {operation: "GET /calls?limit=0", key: h.a.live, change: body(`"code":`, `"hint":"x","code":`)},
		"a fourth field only":                 {operation: "GET /nothing", change: body(`"param":null,`, ``)},
		"a code that nobody knows":            {operation: "GET /nothing", change: body(`route_not_found`, `no_such_route`)},
		"a code of another status":            {operation: "GET /calls/{call_id}", key: h.b.live, change: body(`not_found`, `method_not_allowed`)},
		"a type of another status":            {operation: "GET /nothing", change: body(`invalid_request_error`, `api_error`)},
		"another request's id":                {operation: "GET /nothing", change: func(r *reply) { r.header.Set("X-Request-Id", "req_other") }},
		"no JSON at all":                      {operation: "GET /usage", key: h.a.live, change: func(r *reply) { r.body = "ok" }},
		"an operation that is not described":  {operation: "GET /nothing", change: func(r *reply) { r.status, r.body = 200, "{}" }},
		"HEAD with a status of its own":       {operation: "HEAD /calls", key: h.a.live, change: status(http.StatusNoContent)},
		"a capture with an unknown status":    {operation: "PATCH /captures/{capture_id}", key: h.b.live, body: `{"status":"confirmed"}`, change: body(`confirmed`, `done`)},
		"a secret in a connection":            {operation: "GET /connections/{connection_id}", key: h.a.live, change: body(`"secret_prefix":`, `"secret":"whsec_x","secret_prefix":`)},
		"a secret in a list":                  {operation: "GET /connections", key: h.a.live, change: body(`"secret_prefix":`, `"secret":"whsec_x","secret_prefix":`)},
		"a status of no connection":           {operation: "GET /connections", key: h.a.live, change: body(`"status":"active"`, `"status":"paused"`)},
		"a delivery without its attempts":     {operation: "GET /connections/{connection_id}/deliveries", key: h.a.live, change: body(`"attempts":1,`, ``)},
		"an error code that is none":          {operation: "GET /connections/{connection_id}/deliveries", key: h.a.live, change: body(`"error_code":"http_5xx"`, `"error_code":"http_6xx"`)},
		"limits that say less":                {operation: "GET /connections", key: h.a.live, change: body(`"used":1,`, ``)},
		"a document without its agent":        {operation: "GET /knowledge/documents/{document_id}", key: h.a.live, change: body(`"agent_id":null,`, ``)},
		"a document with its file's name":     {operation: "GET /knowledge/documents", key: h.a.live, change: body(`"kind":`, `"filename":"x","kind":`)},
		"a kind of no document":               {operation: "GET /knowledge/documents", key: h.a.live, change: body(`"kind":"markdown"`, `"kind":"docx"`)},
		"a status that is not counted":        {operation: "GET /knowledge", key: h.a.live, change: body(`"archived":0,`, ``)},
		"a match of more than all":            {operation: "POST /knowledge/test", key: h.b.live, body: `{"question":"x"}`, change: body(`"match_pct":0`, `"match_pct":100.1`)},
		"an answer that is left out":          {operation: "POST /knowledge/test", key: h.b.live, body: `{"question":"x"}`, change: body(`"answer":null,`, ``)},
		"an agent's vertical that nobody has": {operation: "GET /agents", key: h.a.live, change: body(`"vertical":"clinic"`, `"vertical":"zoo"`)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			operation := plant.operation
			values := h.fill()
			if plant.body != "" {
				values["capture_id"] = string(h.b.liveCapture)
			}
			for parameter, value := range values {
				operation = strings.ReplaceAll(operation, "{"+parameter+"}", value)
			}
			got := h.do(operation, plant.key, plant.body)
			if err := h.checked(operation, got); err != nil {
				t.Fatalf("the answer is not as described before anything was planted: %v", err)
			}
			plant.change(&got)
			if err := h.checked(operation, got); err == nil {
				t.Errorf("nobody noticed: %s", got)
			}
		})
	}
}

func (h *house) checked(operation string, r reply) error {
	method, path, _ := strings.Cut(operation, " ")
	path, _, _ = strings.Cut(path, "?")
	return h.document().CheckAnswer(method, "/v1"+path, &http.Response{StatusCode: r.status, Header: r.header}, []byte(r.body))
}

// TestPlantedDocumentFaults: the answers stay, the document changes.
func TestPlantedDocumentFaults(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	for name, plant := range map[string]struct {
		operation string
		change    func(map[string]any)
	}{
		"a status less": {"GET /calls?limit=0", func(d map[string]any) { delete(at(d, "paths", "/calls", "get", "responses"), "400") }},
		"a required field more": {"GET /calls", func(d map[string]any) {
			s := at(d, "components", "schemas", "Call")
			s["required"] = append(s["required"].([]any), "cost")
		}},
		"a field less": {"GET /captures", func(d map[string]any) { delete(at(d, "components", "schemas", "Capture", "properties"), "service") }},
		"a smaller limit": {"GET /calls", func(d map[string]any) {
			at(d, "components", "schemas", "CallList", "properties", "data")["maxItems"] = json.Number("0")
		}},
		"an operation": {"GET /whoami", func(d map[string]any) { delete(at(d, "paths"), "/whoami") }},
		"a header more": {"GET /calls", func(d map[string]any) {
			at(d, "components", "headers", "XRequestId")["required"] = true
			at(d, "paths", "/calls", "get", "responses", "200", "headers")["X-New"] = map[string]any{"$ref": "#/components/headers/XRequestId"}
		}},
		"another type": {"GET /usage", func(d map[string]any) {
			at(d, "components", "schemas", "Usage", "properties", "livemode")["type"] = "string"
		}},
		"an error code": {"GET /nothing", func(d map[string]any) {
			at(d, "components", "schemas", "Error", "properties", "code")["enum"] = []any{"not_found"}
		}},
		"a media type": {"GET /llms.txt", func(d map[string]any) {
			c := at(d, "paths", "/llms.txt", "get", "responses", "200", "content")
			c["text/markdown"] = c["text/plain"]
			delete(c, "text/plain")
		}},
		"an enum's member": {"GET /calls", func(d map[string]any) { at(d, "components", "schemas", "Channel")["enum"] = []any{"web"} }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document := copyOfDocument(t)
			plant.change(document)
			text, err := json.Marshal(document)
			must(t, err)
			d, err := apitest.Load(text)
			must(t, err)
			if got, problem := h.exchange(d, plant.operation, h.a.live, ""); problem == nil {
				t.Errorf("nobody noticed: %s", got)
			}
		})
	}
}

func TestRouteTableAndDocumentAgree(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for _, problem := range disagreements(h.api.routes(), h.document().Root) {
		t.Error(problem)
	}
}

// disagreements are the points in which the document and the routes differ.
func disagreements(routes []route, document map[string]any) (problems []string) {
	say := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	described := map[string]map[string]any{}
	for path, item := range at(document, "paths") {
		for method, operation := range item.(map[string]any) {
			described[strings.ToUpper(method)+" "+path] = operation.(map[string]any)
		}
	}
	for _, rt := range routes {
		operation := described[rt.operation]
		delete(described, rt.operation)
		if operation == nil {
			say("%s is not described", rt.operation)
			continue
		}
		if anyScope := texts(operation["x-any-scope"]); !slices.Equal(slices.Sorted(slices.Values(anyScope)), slices.Sorted(slices.Values(rt.anyScope))) {
			say("%s: the document demands one of the scopes %q, the route %q", rt.operation, anyScope, rt.anyScope)
		}
		if scope, _ := operation["x-required-scope"].(string); scope != rt.scope {
			say("%s: the document demands the scope %q, the route %q", rt.operation, scope, rt.scope)
		}
		if live, _ := operation["x-live-only"].(bool); live != (rt.access == liveKey) {
			say("%s: x-live-only is %t", rt.operation, live)
		}
		if security, _ := operation["security"].([]any); (len(security) == 0) != (rt.access == public) {
			say("%s: security is %v", rt.operation, security)
		}
		if (operation["requestBody"] != nil) != (rt.bodyLimit > 0 || rt.uploads) {
			say("%s: a body is either described and limited, or neither", rt.operation)
		}
		if isUpload(operation) != rt.uploads {
			say("%s: a file is described, or JSON is", rt.operation)
		}
		for _, status := range statusesOf(rt) {
			if at(operation, "responses", status) == nil {
				say("%s: the status %s is not described", rt.operation, status)
			}
		}
		for _, scope := range append([]string{rt.scope}, rt.anyScope...) {
			if scope != "" && !strings.Contains(fmt.Sprint(operation["description"]), "`"+scope+"`") {
				say("%s: the description does not name the scope %s", rt.operation, scope)
			}
		}
	}
	for operation := range described {
		say("%s is described and does not exist", operation)
	}
	return problems
}

// texts is a list of texts in a document.
func texts(value any) (all []string) {
	list, _ := value.([]any)
	for _, item := range list {
		all = append(all, item.(string))
	}
	return all
}

// statusesOf are the statuses that a route can always answer.
func statusesOf(rt route) []string {
	statuses := []string{"400", "500"}
	if rt.access != public {
		statuses = append(statuses, "401", "429", "503")
	}
	if rt.scope != "" || rt.anyScope != nil {
		statuses = append(statuses, "403")
	}
	if strings.Contains(rt.operation, "{") {
		statuses = append(statuses, "404")
	}
	if rt.bodyLimit > 0 || rt.uploads {
		statuses = append(statuses, "413")
	}
	if rt.uploads {
		statuses = append(statuses, "502")
	}
	if strings.HasPrefix(rt.operation, "POST ") {
		statuses = append(statuses, "409")
	}
	return statuses
}

func TestPlantedDisagreements(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for name, plant := range map[string]func(map[string]any, []route) []route{
		"an operation that is not described": func(_ map[string]any, r []route) []route { return append(r, route{operation: "GET /new"}) },
		"an operation that does not exist":   func(_ map[string]any, r []route) []route { return r[1:] },
		"another of several scopes": func(d map[string]any, r []route) []route {
			at(d, "paths", "/events", "get")["x-any-scope"] = []any{"calls:read", "usage:read"}
			return r
		},
		"another scope in the document": func(d map[string]any, r []route) []route {
			at(d, "paths", "/usage", "get")["x-required-scope"] = "calls:read"
			return r
		},
		"no scope in the document": func(d map[string]any, r []route) []route {
			at(d, "paths", "/usage", "get")["x-required-scope"] = nil
			return r
		},
		"no longer for live keys only": func(d map[string]any, r []route) []route {
			at(d, "paths", "/agents/{slug}", "patch")["x-live-only"] = false
			return r
		},
		"a public operation": func(d map[string]any, r []route) []route {
			at(d, "paths", "/calls", "get")["security"] = []any{}
			return r
		},
		"a body that is not described": func(d map[string]any, r []route) []route {
			delete(at(d, "paths", "/agents/{slug}", "patch"), "requestBody")
			return r
		},
		"a status that is not described": func(d map[string]any, r []route) []route {
			delete(at(d, "paths", "/calls", "get", "responses"), "503")
			return r
		},
		"a file that is JSON": func(d map[string]any, r []route) []route {
			content := at(d, "paths", "/knowledge/documents", "post", "requestBody", "content")
			content["application/json"] = content["text/plain"]
			return r
		},
		"a storage that cannot fail": func(d map[string]any, r []route) []route {
			delete(at(d, "paths", "/knowledge/documents", "post", "responses"), "502")
			return r
		},
		"a live-only operation for every key": func(_ map[string]any, r []route) []route {
			r = slices.Clone(r)
			r[slices.IndexFunc(r, func(rt route) bool { return rt.access == liveKey })].access = anyKey
			return r
		},
		"an operation of every key for live ones only": func(_ map[string]any, r []route) []route {
			r = slices.Clone(r)
			r[slices.IndexFunc(r, func(rt route) bool { return rt.operation == "POST /connections" })].access = liveKey
			return r
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document := copyOfDocument(t)
			routes := plant(document, h.api.routes())
			if len(disagreements(routes, document)) == 0 {
				t.Error("nobody noticed")
			}
		})
	}
}

func TestScopesTellTheOperationsOfTheDocument(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	want := map[string][]string{}
	for path, item := range at(h.document().Root, "paths") {
		for method, operation := range item.(map[string]any) {
			described := operation.(map[string]any)
			scopes := texts(described["x-any-scope"])
			if scope, _ := described["x-required-scope"].(string); scope != "" {
				scopes = append(scopes, scope)
			}
			for _, scope := range scopes {
				want[scope] = append(want[scope], strings.ToUpper(method)+" "+path)
			}
		}
	}
	for _, entry := range h.do("GET /scopes", h.a.live, "").json(t)["scopes"].([]any) {
		scope := entry.(map[string]any)
		got := []string{}
		for _, operation := range scope["operations"].([]any) {
			got = append(got, operation.(string))
		}
		name := scope["scope"].(string)
		if !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want[name]))) {
			t.Errorf("%s: operations are %v, want %v", name, got, want[name])
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("these scopes are not told: %v", want)
	}
}

func TestErrorCodesAreThoseOfTheContract(t *testing.T) {
	t.Parallel()
	document := copyOfDocument(t)
	var got []string
	for _, code := range at(document, "components", "schemas", "Error", "properties", "code")["enum"].([]any) {
		got = append(got, code.(string))
	}
	var want []string
	for _, classes := range apitest.Errors {
		for _, class := range classes {
			want = append(want, class.Codes...)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the codes are\n%v\nwant\n%v", got, want)
	}
	for kind, s := range exchange.Statuses {
		if !slices.ContainsFunc(apitest.Errors[s.Code], func(c apitest.ErrorClass) bool { return c.Type == s.Class }) {
			t.Errorf("kind %d is answered as %d %s", kind, s.Code, s.Class)
		}
	}
}

// TestExamplesFitTheirSchemas walks the whole document.
func TestExamplesFitTheirSchemas(t *testing.T) {
	t.Parallel()
	d, err := apitest.Load(description.Text())
	must(t, err)
	problems, count := exampleFaults(d)
	for _, problem := range problems {
		t.Error(problem)
	}
	if count < 100 {
		t.Errorf("only %d examples were found", count)
	}
}

func TestPlantedExampleFaults(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(map[string]any){
		"of a parameter": func(d map[string]any) {
			at(d, "components", "parameters", "LimitParam")["example"] = json.Number("101")
		},
		"of a header": func(d map[string]any) { at(d, "components", "headers", "RetryAfter")["example"] = "soon" },
		"of a property": func(d map[string]any) {
			at(d, "components", "schemas", "Call", "properties", "duration_seconds")["examples"] = []any{json.Number("-1")}
		},
		"of a body": func(d map[string]any) {
			at(d, "paths", "/captures/{capture_id}", "patch", "requestBody", "content", "application/json", "examples", "complete", "value")["status"] = "done"
		},
		"of an answer": func(d map[string]any) {
			for _, example := range at(d, "paths", "/whoami", "get", "responses", "200", "content", "application/json", "examples") {
				delete(at(example.(map[string]any), "value"), "tenant")
			}
		},
		"of an error under another status": func(d map[string]any) {
			at(d, "components", "responses", "UnknownParameter", "content", "application/json", "examples", "parameter_unknown", "value", "error")["code"] = "not_found"
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document := copyOfDocument(t)
			change(document)
			text, err := json.Marshal(document)
			must(t, err)
			d, err := apitest.Load(text)
			must(t, err)
			if problems, _ := exampleFaults(d); len(problems) == 0 {
				t.Error("nobody noticed")
			}
		})
	}
}

// exampleFaults says which examples of a document do not fit the schema they
// stand beside, and how many there are in all.
func exampleFaults(d *apitest.Document) (problems []string, count int) {
	check := func(schema, where string, value any) {
		count++
		s, err := d.Schema(schema)
		if err == nil {
			err = s.Validate(value)
		}
		if err != nil {
			problems = append(problems, fmt.Sprintf("%s: %v", where, err))
		}
	}
	var walk func(v any, pointer string)
	walk = func(v any, pointer string) {
		switch v := v.(type) {
		case []any:
			for i, item := range v {
				walk(item, fmt.Sprintf("%s/%d", pointer, i))
			}
		case map[string]any:
			schema := pointer
			if v["schema"] != nil {
				schema += "/schema"
			}
			if example, ok := v["example"]; ok && v["schema"] != nil {
				check(schema, pointer+"/example", example)
			}
			switch examples := v["examples"].(type) {
			case []any: // of a schema
				for i, example := range examples {
					check(pointer, fmt.Sprintf("%s/examples/%d", pointer, i), example)
				}
			case map[string]any: // of a media type or a parameter
				if v["schema"] == nil {
					break
				}
				for name, example := range examples {
					check(schema, pointer+"/examples/"+name, example.(map[string]any)["value"])
				}
			}
			for name, inner := range v {
				if name != "example" && name != "examples" {
					walk(inner, pointer+"/"+escapePointer(name))
				}
			}
		}
	}
	walk(d.Root, "")
	return append(problems, misplacedErrors(d)...), count
}

// misplacedErrors are examples of errors that stand under a status which is
// not theirs.
func misplacedErrors(d *apitest.Document) (problems []string) {
	e := &examiner{doc: d}
	for path, item := range at(d.Root, "paths") {
		for method, operation := range item.(map[string]any) {
			for status := range at(operation.(map[string]any), "responses") {
				pointer := "/paths/" + escapePointer(path) + "/" + method + "/responses/" + status
				response, _ := e.lookUp(pointer)
				for name, example := range at(response, "content", "application/json", "examples") {
					code, isError := at(example.(map[string]any), "value", "error")["code"].(string)
					if isError && apitest.ErrorType(atoi(status), code) == "" {
						problems = append(problems, fmt.Sprintf("%s: the example %s has the code %s", pointer, name, code))
					}
				}
			}
		}
	}
	return problems
}

func atoi(s string) (n int) {
	fmt.Sscan(s, &n)
	return n
}
