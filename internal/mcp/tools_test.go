package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// row is what a test knows of a tool: what it needs, and arguments with which a key
// that may call it succeeds.
type row struct {
	scope string
	live  bool
	with  []string // names of fill that it is called with
	more  map[string]any
	bare  bool // it names nothing that belongs to a mode or a business
}

var rows = map[string]row{
	"whoami":               {bare: true},
	"list_calls":           {scope: "calls:read", bare: true},
	"get_call":             {scope: "calls:read", with: []string{"call_id"}},
	"search_calls":         {scope: "calls:read", more: map[string]any{"search": "revision"}, bare: true},
	"list_captures":        {scope: "captures:read", bare: true},
	"get_agenda":           {scope: "captures:read", with: []string{"slug"}, more: map[string]any{"from": "2026-11-16", "to": "2026-11-18"}},
	"check_availability":   {scope: "agents:read", with: []string{"slug"}, more: map[string]any{"from": "2026-11-16", "to": "2026-11-18"}},
	"create_capture":       {scope: "captures:write", live: true, with: []string{"agent"}, more: map[string]any{"kind": "lead", "customer_name": "Eva"}},
	"change_capture":       {scope: "captures:write", live: true, with: []string{"capture_id"}, more: map[string]any{"notes": "Vuelve mañana"}},
	"set_capture_status":   {scope: "captures:write", live: true, with: []string{"capture_id"}, more: map[string]any{"status": "confirmed"}},
	"list_agents":          {scope: "agents:read", bare: true},
	"get_agent":            {scope: "agents:read", with: []string{"slug"}},
	"update_agent":         {scope: "agents:write", live: true, with: []string{"slug"}, more: map[string]any{"changes": map[string]any{"policy": "Avise antes."}}},
	"get_analytics":        {scope: "calls:read", more: map[string]any{"days": 2}, bare: true},
	"get_usage":            {scope: "usage:read", bare: true},
	"get_knowledge":        {scope: "knowledge:read", bare: true},
	"ask_knowledge":        {scope: "knowledge:read", more: map[string]any{"question": "¿Hay aparcamiento?"}, bare: true},
	"add_document":         {scope: "knowledge:write", live: true, more: map[string]any{"title": "Parking", "text": "# Parking\n\nDetrás de la casa.\n"}, bare: true},
	"list_connections":     {scope: "connections:read", bare: true},
	"list_deliveries":      {scope: "connections:read", with: []string{"connection_id"}},
	"retry_delivery":       {scope: "connections:write", with: []string{"delivery_id"}},
	"test_connection":      {scope: "connections:write", with: []string{"connection_id"}},
	"talk_to_receptionist": {scope: "agents:read", live: true, with: []string{"slug"}, more: map[string]any{"text": "hola"}},
}

// arguments are those of a row that name things of a business and a mode.
func (r row) arguments(b business, mode string) map[string]any {
	all := map[string]any{}
	maps.Copy(all, r.more)
	for _, name := range r.with {
		from := name
		if name == "agent" {
			from = "slug"
		}
		all[name] = b.fill[mode][from]
	}
	return all
}

// expected is the code that a call must be answered with: "" for success.
func (r row) expected(live bool, scopes []string, sameTenant, sameMode bool) string {
	agents := slices.Contains(r.with, "slug") || slices.Contains(r.with, "agent") // are the same in both modes
	switch {
	case r.live && !live && r.scope != "agents:read":
		return "live_key_required"
	case r.scope != "" && !slices.Contains(scopes, r.scope):
		return "scope_missing"
	case !r.bare && !sameTenant, !r.bare && !agents && !sameMode:
		return "not_found"
	case r.live && !live:
		return "live_key_required"
	}
	return ""
}

// Every tool, with keys of both businesses, both modes, all scopes and each alone.
func TestTenantModeAndScope(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	type holder struct {
		name   string
		key    string
		own    bool
		live   bool
		scopes []string
	}
	holders := []holder{
		{"alfa live all", o.a.live, true, true, frontdesk.ScopesFor(true)},
		{"alfa test all", o.a.test, true, false, frontdesk.ScopesFor(false)},
		{"beta live all", o.b.live, false, true, frontdesk.ScopesFor(true)},
		{"beta test all", o.b.test, false, false, frontdesk.ScopesFor(false)},
	}
	for _, s := range frontdesk.Scopes {
		holders = append(holders, holder{"alfa live " + s.Name, o.key(o.a.Tenant, true, s.Name), true, true, []string{s.Name}})
		if s.TestMode {
			holders = append(holders, holder{"alfa test " + s.Name, o.key(o.a.Tenant, false, s.Name), true, false, []string{s.Name}})
		}
	}
	for _, h := range holders {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			o := o.in(t)
			shown := o.tools(h.key)
			for name, r := range rows {
				may := (r.scope == "" || slices.Contains(h.scopes, r.scope)) && (h.live || !r.live)
				if has(shown, name) != may {
					t.Errorf("%s is shown: %t, want %t", name, has(shown, name), may)
				}
				for _, mode := range []string{"live", "test"} {
					got := o.call(h.key, name, r.arguments(o.a, mode))
					r.check(t, name+" of alfa's "+mode, got, r.expected(h.live, h.scopes, h.own, h.live == (mode == "live")))
				}
			}
		})
	}
}

// check holds a call to the code that it must be answered with.
func (r row) check(t *testing.T, what string, got result, want string) {
	t.Helper()
	if want == "" && got.code() == "delivery_not_retryable" {
		return // it waits to be sent: it was found, and that is what counts
	}
	if got.IsError != (want != "") || got.code() != want {
		t.Errorf("%s: got %q, want %q: %s", what, got.code(), want, got.text())
	}
	if want == "scope_missing" && !strings.Contains(got.text(), "param: "+r.scope) {
		t.Errorf("%s: the scope is not named: %s", what, got.text())
	}
}

func TestEveryToolIsInTheMatrix(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	shown := o.tools(o.a.live)
	if len(shown) != len(rows) {
		t.Errorf("%d tools are shown, %d are known here", len(shown), len(rows))
	}
	for _, tool := range shown {
		r, known := rows[tool.Name]
		if !known {
			t.Errorf("%s is in no row", tool.Name)
			continue
		}
		h := tool.Annotations
		writes := strings.HasSuffix(r.scope, ":write") || tool.Name == "talk_to_receptionist"
		if tool.Title == "" || !strings.HasPrefix(tool.Description, "Use it ") || h.DestructiveHint == nil || h.OpenWorldHint == nil || h.ReadOnlyHint == writes {
			t.Errorf("%s is not described: %+v", tool.Name, tool)
		}
		if r.scope != "" && !strings.Contains(tool.Description, r.scope) {
			t.Errorf("%s does not say that it needs %s", tool.Name, r.scope)
		}
		for _, word := range []string{"delete", "secret", "_key_", "rotate"} {
			if strings.Contains(tool.Name, word) {
				t.Errorf("there is a tool %s", tool.Name)
			}
		}
		text, err := json.Marshal(tool)
		must(t, err)
		if strings.Contains(string(text), `"$ref"`) {
			t.Errorf("%s refers to something that is not there", tool.Name)
		}
	}
}

func compile(t *testing.T, schema map[string]any) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(schema)
	must(t, err)
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	must(t, err)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	must(t, c.AddResource("tool.json", value))
	s, err := c.Compile("tool.json")
	must(t, err)
	return s
}

// What tools take and give is as their schemas say, and what they give is what the
// API gives to the same key.
func TestToolsKeepTheirSchemas(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.call(o.a.live, "retry_delivery", map[string]any{"delivery_id": o.a.fill["live"]["delivery_id"]})
	for _, tool := range o.tools(o.a.live) {
		r := rows[tool.Name]
		arguments := r.arguments(o.a, "live")
		text, err := json.Marshal(arguments)
		must(t, err)
		sent, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
		must(t, err)
		if err := compile(t, tool.InputSchema).Validate(sent); err != nil {
			t.Errorf("%s refuses its own arguments: %v", tool.Name, err)
		}
		got := o.call(o.a.live, tool.Name, arguments)
		if got.code() == "delivery_not_retryable" {
			continue
		}
		if got.IsError {
			t.Errorf("%s: %s", tool.Name, got.text())
			continue
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(got.Value)))
		must(t, err)
		if err := compile(t, tool.OutputSchema).Validate(value); err != nil {
			t.Errorf("%s: the answer is not as described: %v\n%s", tool.Name, err, got.Value)
		}
		if got.text() != string(got.Value) {
			t.Errorf("%s says one thing as text and another as a value", tool.Name)
		}
	}
	direct := httptest.NewRequest("GET", "/v1/calls?limit=10", nil)
	direct.Header.Set("Authorization", "Bearer "+o.a.live)
	w := httptest.NewRecorder()
	o.api.ServeHTTP(w, direct)
	if got := o.call(o.a.live, "list_calls", nil); string(got.Value) != w.Body.String() {
		t.Errorf("the tool says %s, the API %s", got.Value, w.Body)
	}
}

func TestArgumentsThatAreRefused(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	id := o.a.fill["live"]["capture_id"]
	tests := map[string]struct {
		tool, arguments, code, param string
	}{
		"a list that is too long":         {"list_calls", `{"limit":26}`, "parameter_invalid", "limit"},
		"a list of none":                  {"list_calls", `{"limit":0}`, "parameter_invalid", "limit"},
		"a length that is no number":      {"list_calls", `{"limit":"many"}`, "parameter_invalid", "limit"},
		"an argument that is not":         {"list_calls", `{"colour":"red"}`, "parameter_unknown", "colour"},
		"one that another tool has":       {"list_calls", `{"search":"x"}`, "parameter_unknown", "search"},
		"a value that is not":             {"list_calls", `{"outcome":"sold"}`, "parameter_invalid", "outcome"},
		"a list in place of a value":      {"list_calls", `{"outcome":["booking"]}`, "parameter_invalid", "outcome"},
		"an id that is missing":           {"get_call", `{}`, "parameter_missing", "call_id"},
		"an id that is null":              {"get_call", `{"call_id":null}`, "parameter_missing", "call_id"},
		"an id that is a way out":         {"get_call", `{"call_id":"../whoami"}`, "not_found", ""},
		"words that are missing":          {"search_calls", `{}`, "parameter_missing", "search"},
		"a body that is missing":          {"update_agent", `{"slug":"alfa-desk"}`, "parameter_missing", "changes"},
		"a body that is a text":           {"update_agent", `{"slug":"alfa-desk","changes":"x"}`, "invalid_json", ""},
		"a field that is protected":       {"update_agent", `{"slug":"alfa-desk","changes":{"status":"paused"}}`, "protected_field", "status"},
		"a property that is not":          {"set_capture_status", `{"capture_id":"` + id + `","status":"confirmed","x":1}`, "parameter_unknown", "x"},
		"arguments twice":                 {"get_call", `{"call_id":"a","call_id":"b"}`, "invalid_json", "call_id"},
		"a document without a title":      {"add_document", `{"text":"x"}`, "parameter_missing", "title"},
		"a document without text":         {"add_document", `{"title":"x","text":""}`, "parameter_missing", "text"},
		"a document and a name for it":    {"add_document", `{"title":"x","text":"y","filename":"z.pdf"}`, "parameter_unknown", "filename"},
		"a talk with nobody":              {"talk_to_receptionist", `{"text":"hola"}`, "parameter_missing", "slug"},
		"a talk with one who is not":      {"talk_to_receptionist", `{"slug":"nobody"}`, "not_found", ""},
		"a talk in another language":      {"talk_to_receptionist", `{"slug":"alfa-desk","language":"fr"}`, "parameter_invalid", "language"},
		"a talk that is not one":          {"talk_to_receptionist", `{"slug":"alfa-desk","text":"hola","conversation":"x"}`, "parameter_invalid", "conversation"},
		"a talk that nobody knows":        {"talk_to_receptionist", `{"slug":"alfa-desk","text":"hola","conversation":"` + id + `.token"}`, "not_found", ""},
		"silence in a talk":               {"talk_to_receptionist", `{"slug":"alfa-desk","conversation":"` + id + `.token"}`, "parameter_missing", "text"},
		"the end of nothing":              {"talk_to_receptionist", `{"slug":"alfa-desk","end":true}`, "parameter_invalid", "end"},
		"an end that is neither":          {"talk_to_receptionist", `{"slug":"alfa-desk","end":"maybe"}`, "parameter_invalid", "end"},
		"a key that is no header":         {"create_capture", `{"agent":"alfa-desk","idempotency_key":"a\nb"}`, "parameter_invalid", "idempotency_key"},
		"too much said":                   {"talk_to_receptionist", `{"slug":"alfa-desk","text":"` + strings.Repeat("a", 1001) + `"}`, "parameter_invalid", "text"},
		"a token that cannot be a header": {"talk_to_receptionist", `{"slug":"alfa-desk","text":"hola","conversation":"` + id + `.a\nb"}`, "parameter_invalid", "conversation"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := o.call(o.a.live, tt.tool, json.RawMessage(tt.arguments))
			want := ""
			if tt.param != "" {
				want = ", param: " + tt.param + ","
			}
			if !got.IsError || got.code() != tt.code || !strings.Contains(got.text(), want) || !strings.Contains(got.text(), "request_id: req_") {
				t.Errorf("got %s, want %s at %q", got.text(), tt.code, tt.param)
			}
		})
	}
}

// A tool call is one request of the API: by its rate, its log and its id.
func TestACallCostsOneRequest(t *testing.T) {
	t.Parallel()
	o := newOffice(t, func(s *settings) { s.api.RatePerSecond, s.api.RateBurst = 1, 3 })
	key := o.key(o.a.Tenant, true, "all")
	ask[struct{}](o, key, "ping", nil)
	ask[struct{}](o, key, "prompts/list", nil)
	for i, tool := range []string{"list_calls", "talk_to_receptionist", "get_agent"} {
		if got := o.call(key, tool, rows[tool].arguments(o.a, "live"), "X-Request-Id", fmt.Sprintf("mine-%d", i)); got.IsError {
			t.Fatalf("%s: %s", tool, got.text())
		}
	}
	for tool, r := range rows {
		got := o.call(key, tool, r.arguments(o.a, "live"))
		if got.code() != "rate_limited" {
			t.Errorf("%s: got %s, want rate_limited", tool, got.text())
		}
	}
	if n := strings.Count(o.log.String(), "msg=request request_id=mine-0 "); n != 1 {
		t.Errorf("the call has %d lines of the API in the log, want 1: %s", n, o.log)
	}
	if !strings.Contains(o.log.String(), "msg=mcp request_id=mine-0 method=tools/call status=200") {
		t.Errorf("the call has no line of its own: %s", o.log)
	}
	if strings.Contains(o.log.String(), key) {
		t.Error("the key stands in the log")
	}
}

// What is changed is changed once, by the key that the call came with.
func TestChanges(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	type changed struct {
		Changes []struct{ Path string }
	}
	change := map[string]any{"slug": o.a.agent.Slug, "dry_run": true, "changes": map[string]any{"policy": "Avise antes."}}
	if got := value[changed](o, o.a.live, "update_agent", change); len(got.Changes) != 1 || got.Changes[0].Path != "config.policy" {
		t.Errorf("the difference is %+v", got)
	}
	type agent struct {
		Agent struct {
			Config struct{ Policy string }
		}
	}
	read := map[string]any{"slug": o.a.agent.Slug}
	if got := value[agent](o, o.a.live, "get_agent", read); got.Agent.Config.Policy != "" {
		t.Errorf("a dry run has written: %+v", got)
	}
	for _, empty := range []any{"", nil, "yes"} {
		change["dry_run"] = empty
		if got := o.call(o.a.live, "update_agent", change); got.code() != "parameter_invalid" {
			t.Errorf("dry_run %v: %s", empty, got.text())
		}
	}
	change["dry_run"] = false
	value[json.RawMessage](o, o.a.live, "update_agent", change)
	if got := value[agent](o, o.a.live, "get_agent", read); got.Agent.Config.Policy != "Avise antes." {
		t.Errorf("nothing was written: %+v", got)
	}
	w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/v1/agents/"+o.a.agent.Slug+"/history", nil)
	r.Header.Set("Authorization", "Bearer "+o.a.live)
	o.api.ServeHTTP(w, r)
	if !strings.Contains(w.Body.String(), `"changed_by":{"kind":"key"`) {
		t.Errorf("who changed it is not known: %s", w.Body)
	}
	booking := map[string]any{"agent": o.a.agent.Slug, "scheduled_at": "2026-11-17T10:00:00", "service_id": "checkup", "customer_name": "Eva", "idempotency_key": "once"}
	type captured struct{ Capture struct{ ID string } }
	first := value[captured](o, o.a.live, "create_capture", booking)
	if again := value[captured](o, o.a.live, "create_capture", booking); again != first {
		t.Errorf("the same call booked %v and %v", first, again)
	}
	booking["idempotency_key"] = "twice"
	booking["scheduled_at"] = "2026-11-17T03:00:00"
	if got := o.call(o.a.live, "create_capture", booking); got.code() != "slot_unavailable" || !strings.Contains(got.text(), "type: conflict_error") {
		t.Errorf("got %s", got.text())
	}
	moved := value[captured](o, o.a.live, "change_capture", map[string]any{"capture_id": first.Capture.ID, "scheduled_at": "2026-11-17T11:00:00"})
	if moved != first {
		t.Errorf("moving it made %v of %v", moved, first)
	}
}

// Agents come in pages too, though the API gives all at once.
func TestManyAgents(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	for i := range 27 {
		agent := o.a.agent
		agent.ID, agent.Slug = frontdesk.NewID(monday), fmt.Sprintf("desk-%d", i)
		must(t, o.store.CreateAgent(context.Background(), frontdesk.Actor{}, agent))
	}
	type page struct {
		Agents  []struct{ ID, Slug string }
		HasMore bool    `json:"has_more"`
		Next    *string `json:"next_starting_after"`
	}
	seen := map[string]bool{}
	first := value[page](o, o.a.live, "list_agents", map[string]any{"limit": 25})
	if len(first.Agents) != 25 || !first.HasMore || first.Next == nil {
		t.Fatalf("the first page has %d, and more: %t", len(first.Agents), first.HasMore)
	}
	last := value[page](o, o.a.live, "list_agents", map[string]any{"limit": 25, "starting_after": *first.Next})
	if len(last.Agents) != 3 || last.HasMore || last.Next != nil {
		t.Errorf("the last page has %d, and more: %t", len(last.Agents), last.HasMore)
	}
	for _, a := range append(first.Agents, last.Agents...) {
		seen[a.Slug] = true
	}
	if len(seen) != 28 {
		t.Errorf("%d agents were seen", len(seen))
	}
	if got := o.call(o.a.live, "list_agents", map[string]any{"starting_after": "x"}); got.code() != "invalid_cursor" {
		t.Errorf("got %s", got.text())
	}
}

// Every entry of a list begins with its id.
func TestIDsComeFirst(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	for _, tool := range []string{"list_calls", "search_calls", "list_captures", "list_agents", "list_connections", "list_deliveries"} {
		if got := o.call(o.a.live, tool, rows[tool].arguments(o.a, "live")); !strings.Contains(got.text(), `":[{"id":"`) {
			t.Errorf("%s: %.200s", tool, got.text())
		}
	}
}

func TestADocument(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	type answer struct {
		Answered bool
		Answer   string
	}
	question := map[string]any{"question": "¿Hay aparcamiento?"}
	if got := value[answer](o, o.a.live, "ask_knowledge", question); got.Answered {
		t.Fatalf("answered from nothing: %+v", got)
	}
	document := map[string]any{"title": "¿Hay aparcamiento?", "text": "## ¿Hay aparcamiento?\n\nHay un aparcamiento gratuito detrás de la casa.\n"}
	type uploaded struct {
		Document struct{ Title, Status string }
		Deduped  bool
	}
	if got := value[uploaded](o, o.a.live, "add_document", document); got.Deduped || got.Document.Title != "¿Hay aparcamiento?" {
		t.Errorf("got %+v", got)
	}
	o.readDocuments()
	if got := value[uploaded](o, o.a.live, "add_document", document); !got.Deduped || got.Document.Status != "ready" {
		t.Errorf("the same again: %+v", got)
	}
	if got := value[answer](o, o.a.live, "ask_knowledge", question); !got.Answered || !strings.Contains(got.Answer, "detrás de la casa") {
		t.Errorf("got %+v", got)
	}
}

// A panic of the API's handler is that call's error, and the process lives on.
func TestAHandlerThatPanics(t *testing.T) {
	t.Parallel()
	o := newOffice(t, func(s *settings) {
		s.mcp.API = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("boom") })
	})
	a := o.post(o.a.live, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami"}}`)
	if a.status != http.StatusOK || !strings.Contains(a.body, "internal_error") || strings.Contains(a.body, "boom") {
		t.Errorf("got %d %s", a.status, a.body)
	}
	if !strings.Contains(o.log.String(), "boom") {
		t.Error("the log does not say what happened")
	}
}

// An answer that is larger than an assistant can read is not kept.
func TestAnAnswerThatIsTooLarge(t *testing.T) {
	t.Parallel()
	o := newOffice(t, func(s *settings) {
		s.mcp.API = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			for range 5 {
				w.Write(make([]byte, 1<<20))
			}
		})
	})
	if got := o.call(o.a.live, "whoami", nil); got.code() != "answer_too_large" {
		t.Errorf("got %.200s", got.text())
	}
}
