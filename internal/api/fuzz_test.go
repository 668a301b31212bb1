package api

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"frontdesk.dev/frontdesk/internal/api/apitest"
	"frontdesk.dev/frontdesk/internal/description"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

// bareAPI is an API without a database: enough to read requests.
func bareAPI(f *testing.F) *API {
	f.Helper()
	a, err := New(Options{Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return noon }})
	must(f, err)
	return a
}

// bareRequest is a request as it comes to a handler.
func bareRequest(a *API, method, target string, body []byte) *request {
	r := &request{
		http: httptest.NewRequest(method, "/", strings.NewReader(string(body))), id: "req_x", api: a,
		route: &route{bodyLimit: smallBody}, left: time.Minute,
	}
	r.http.URL.RawQuery = target
	r.startClock()
	return r
}

// refusal demands that an error is one for the customer, with one of some
// codes, and says what it is.
func refusal(t *testing.T, err error, codes ...string) *frontdesk.Error {
	t.Helper()
	var e *frontdesk.Error
	if !errors.As(err, &e) {
		t.Fatalf("no error for a customer: %v", err)
	}
	if !slices.Contains(codes, e.Code) || e.Message == "" {
		t.Fatalf("%s (%d): %v", e.Code, e.Kind, e)
	}
	if s := exchange.Statuses[e.Kind]; apitest.ErrorType(s.Code, e.Code) != s.Class {
		t.Fatalf("%s is no code of %d", e.Code, s.Code)
	}
	var answer map[string]map[string]any
	if err := json.Unmarshal(envelope(e, "req_x").body, &answer); err != nil || len(answer["error"]) != 5 {
		t.Fatalf("the answer is no envelope: %v", err)
	}
	return e
}

func addBodies(f *testing.F) {
	for _, body := range []string{
		``, ` `, `{}`, `{"a":1}`, `{"a":1,"a":2}`, `{"a":{"b":[1,{"c":null,"c":1}]}}`, `[]`, `null`, `"x"`, `{`, `{"a":`, `{} {}`, `{"a":1e999}`, `{"a":-0}`,
		`{"a":"\u0000"}`, `{"a":"\ud800"}`, "{\"a\":\"\xff\"}", `{"\u0061":1,"a":2}`, `{"a~1b/c":{"a~1b/c":1,"a~1b/c":2}}`, strings.Repeat(`{"a":`, 33) + `1` + strings.Repeat(`}`, 33),
		strings.Repeat(`[`, 1000), `{"a":12345678901234567890.123456789}`, "\ufeff{}", `{"a":1}//`, `{'a':1}`, `{"a":01}`, `{"a":NaN}`,
		`{"status":"confirmed"}`, `{"status":"done"}`, `{"Status":"confirmed"}`, `{"status":null}`, `{"status":"confirmed","kind":1}`,
		`{"policy":"x"}`, `{"config":{"policy":"x"}}`, `{"config":{},"policy":"x"}`, `{"config":null}`, `{"slug":"x"}`, `{"config":{"slug":"x"}}`, `{"hours":{"status":1}}`,
		`{"hours":{"0":[9,18],"6":[20,2]}}`, `{"hours":{"0":[9.0,18]}}`, `{"hours":{"0":[9,1e1]}}`, `{"hours":{"7":[9,18]}}`, `{"hours":{"0":[9]}}`, `{"hours":{"00":[9,18]}}`, `{"hours":{}}`,
		`{"business":{"website":"https://x.example"}}`, `{"business":{"website":"javascript:1"}}`, `{"business":{"fax":"1"}}`, `{"voice":{"es":"voc_es_alba"}}`, `{"voice":{"es":"voc_en_jack"}}`,
		`{"services":[{"name":"a","price":{"amount":1,"currency":"EUR"},"x":[1,2,{"y":null}]}]}`, `{"services":[{"price":[]}]}`, `{"menu":{"":[{"name":"x"}]}}`, `{"products":{"a.b[0]":[{"name":""}]}}`,
		`{"listings":[{"title":"x","price":"1"}],"specials":"","dietary":"\n","assistant":{"greeting":"¿?"}}`,
	} {
		f.Add([]byte(body))
	}
	for _, path := range []string{"/agents/{slug}", "/captures/{capture_id}"} {
		for _, example := range at(copyOfDocument(f), "paths", path, "patch", "requestBody", "content", "application/json", "examples") {
			f.Add([]byte(encode(at(example.(map[string]any), "value"))))
		}
	}
}

// FuzzParseJSON: what is accepted is one JSON object by anybody's reading, and
// reads the same when it is written again. All else is invalid_json.
func FuzzParseJSON(f *testing.F) {
	addBodies(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		value, err := exchange.ParseObject(body)
		if err != nil {
			if e := refusal(t, err, "invalid_json"); e.Kind != frontdesk.Invalid {
				t.Fatalf("kind %d", e.Kind)
			}
			return
		}
		if !json.Valid(body) {
			t.Fatalf("accepted, but no JSON: %q", body)
		}
		if value == nil {
			t.Fatalf("accepted, but no object: %q", body)
		}
		if depth := depthOf(body); depth > exchange.MaxDepth {
			t.Fatalf("%d deep", depth)
		}
		text, err := jsonv2.Marshal(value)
		if err != nil {
			t.Fatalf("cannot be written again: %v", err)
		}
		again, err := exchange.ParseObject(text)
		if err != nil || !reflect.DeepEqual(value, again) {
			t.Fatalf("%q became %q: %v", body, text, err)
		}
	})
}

// depthOf counts brackets outside of texts.
func depthOf(body []byte) (deepest int) {
	d := jsontext.NewDecoder(strings.NewReader(string(body)))
	for {
		if _, err := d.ReadToken(); err != nil {
			return deepest
		}
		deepest = max(deepest, d.StackDepth())
	}
}

// FuzzAgentPatchBody: any body is refused as a customer's mistake, or makes an
// agent that can be shown as the description says.
func FuzzAgentPatchBody(f *testing.F) {
	addBodies(f)
	a := bareAPI(f)
	d, err := apitest.Load(description.Text())
	must(f, err)
	shown, err := d.Schema("/components/schemas/AgentEnvelope")
	must(f, err)
	f.Fuzz(func(t *testing.T, body []byte) {
		r := bareRequest(a, http.MethodPatch, "", body)
		defer r.cancel()
		patch, err := a.readAgentPatch(r)
		if err != nil {
			e := refusal(t, err, "invalid_json", "parameter_missing", "parameter_unknown", "parameter_invalid", "protected_field", "request_too_large")
			if e.Kind == frontdesk.Forbidden && !frontdesk.IsProtectedAgentField(e.Param[strings.LastIndex(e.Param, ".")+1:]) {
				t.Fatalf("%q is not protected", e.Param)
			}
			return
		}
		agent := frontdesk.Agent{
			ID: frontdesk.NewID(noon), Slug: "desk", Vertical: "clinic", DisplayName: "Desk", Status: "active", Languages: []string{"es"},
			Timezone: "Europe/Madrid", Config: patch.Apply(frontdesk.AgentConfig{}),
		}
		answer, err := answerOf(wire.AgentEnvelope(agent, true, noon))
		if err != nil {
			t.Fatalf("accepted, but cannot be shown: %v", err)
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(answer.body)))
		if err != nil {
			t.Fatalf("%v: %s", err, answer.body)
		}
		if err := shown.Validate(value); err != nil && !strings.Contains(err.Error(), "'uri'") {
			t.Fatalf("not as described: %v\n%s", err, answer.body)
		}
		// What was shown can be sent back: nothing changes by that.
		config, err := json.Marshal(value.(map[string]any)["agent"].(map[string]any)["config"])
		if err != nil {
			t.Fatal(err)
		}
		back := bareRequest(a, http.MethodPatch, "", config)
		defer back.cancel()
		if _, err := a.readAgentPatch(back); err != nil && len(config) < smallBody {
			t.Fatalf("what was shown is not accepted: %v\n%s", err, config)
		}
	})
}

// FuzzCapturePatchBody: only an object with one of the four statuses, and
// nothing else, is accepted.
func FuzzCapturePatchBody(f *testing.F) {
	addBodies(f)
	a := bareAPI(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		r := bareRequest(a, http.MethodPatch, "", body)
		defer r.cancel()
		var patch struct {
			Status frontdesk.CaptureStatus `json:"status"`
		}
		if err := r.decode("CapturePatch", &patch); err != nil {
			refusal(t, err, "invalid_json", "parameter_missing", "parameter_unknown", "parameter_invalid", "request_too_large")
			return
		}
		var plain map[string]string
		if err := json.Unmarshal(body, &plain); err != nil || len(plain) != 1 || plain["status"] != string(patch.Status) || !slices.Contains(frontdesk.CaptureStatuses, patch.Status) {
			t.Fatalf("%q was read as %q", body, patch.Status)
		}
	})
}

// FuzzQuery: the query of every operation is refused as a customer's mistake,
// or is one that says nothing unknown and nothing twice.
func FuzzQuery(f *testing.F) {
	for _, query := range []string{
		"", "limit=5", "limit=0", "limit=101", "limit=%2B5", "limit=5&limit=5", "starting_after=01a1cf22-934d-772e-bf19-cfc8225b3d9b", "starting_after=x",
		"outcome=booking&channel=phone", "outcome=", "status=confirmed&kind=lead", "kind=%00", "kind=%ff", "kind=", "days=90&timezone=Asia/Kathmandu&agent=desk", "days=91",
		"timezone=../../etc/passwd", "timezone=Local", "timezone=", "timezone=/etc/localtime", "timezone=UTC%00", "a=%zz", "a;b", "&&&", "=", "=1", "limit", "limit=5;channel=web", "Limit=5", "%6cimit=5",
		"title=x&filename=a.md&agent_id=01a1cf22-934d-772e-bf19-cfc8225b3d9b", "agent_id=x", "status=ready", "filename=%00",
	} {
		f.Add(query)
	}
	a := bareAPI(f)
	f.Fuzz(func(t *testing.T, query string) {
		for i := range a.router.all {
			rt := &a.router.all[i]
			r := bareRequest(a, http.MethodGet, query, nil)
			r.route = rt
			readOneQuery(t, r)
			r.cancel()
		}
	})
}

func readOneQuery(t *testing.T, r *request) {
	t.Helper()
	if err := r.readQuery(); err != nil {
		refusal(t, err, "parameter_unknown", "parameter_invalid")
		return
	}
	values, err := url.ParseQuery(r.http.URL.RawQuery)
	if err != nil {
		t.Fatalf("read, but no query: %v", err)
	}
	for name, given := range values {
		if _, known := r.route.query[name]; !known || len(given) != 1 {
			t.Fatalf("%s passed over %q=%q", r.route.operation, name, given)
		}
	}
	if _, paged := r.route.query["limit"]; paged {
		page, err := r.page()
		if err != nil {
			refusal(t, err, "invalid_cursor")
		} else if page.Limit < 1 || page.Limit > frontdesk.MaxPageSize {
			t.Fatalf("a page of %d", page.Limit)
		}
	}
	if _, counted := r.route.query["days"]; counted {
		if days := r.number("days"); days < 1 || days > 90 {
			t.Fatalf("%d days", days)
		}
		if zone := r.text("timezone"); zone != "" {
			if loc, err := frontdesk.LoadZone(zone); err != nil {
				refusal(t, err, "parameter_invalid")
			} else {
				frontdesk.WindowOf(noon, r.number("days"), loc)
			}
		}
	}
}

// FuzzUploadHeaders: whatever the headers and the query say of a file, it is
// refused as a customer's mistake, or is a name that can be kept and a kind that
// the content type fits.
func FuzzUploadHeaders(f *testing.F) {
	for _, name := range []string{"a.txt", "a.PDF", "men%C3%BA.md", "a%00.md", "a%ff.md", "%", "100%.csv", "..%2F..%2Fa.md", `C:\a.md`, ".md", "", " .txt", "a.md ", "a\nb.md", strings.Repeat("ñ", 300) + ".md"} {
		for _, contentType := range []string{"text/plain", "application/pdf", "TEXT/CSV; charset=utf-8", "", "text/plain;", "multipart/form-data"} {
			f.Add(name, "query.txt", contentType)
		}
	}
	a := bareAPI(f)
	f.Fuzz(func(t *testing.T, header, query, contentType string) {
		r := bareRequest(a, http.MethodPost, "", nil)
		defer r.cancel()
		r.http.Header.Set("X-Service-Filename", header)
		r.http.Header.Set("Content-Type", contentType)
		r.query = map[string]any{"filename": query}
		n, err := a.newDocument(r)
		if err != nil {
			refusal(t, err, "parameter_missing", "parameter_invalid", "unsupported_extension", "unsupported_content_type")
			return
		}
		kind := frontdesk.KindOf(n.Filename)
		if !exchange.Storable(n.Filename) || strings.ContainsAny(n.Filename, `/\`) || kind == "" || (kind == frontdesk.PDF) != strings.Contains(strings.ToLower(contentType), "application/pdf") {
			t.Fatalf("%q, %q, %q were read as %q", header, query, contentType, n.Filename)
		}
	})
}

// FuzzRouter: whatever is asked for, it is answered, and only an operation of
// the table whose address it is ever runs.
func FuzzRouter(f *testing.F) {
	for _, target := range []string{
		"/v1/calls", "/v1/calls/", "/v1//calls", "/v1/calls/42", "/v1/calls/42/43", "/v1/calls/%2F", "/v1/calls/..", "/v1/../v1/calls", "/v1%2Fcalls", "/%761/calls", "/v1/agents/a%2Fb",
		"/v1", "/v1/", "/v1calls", "/v2/calls", "/", "//", "//x", "*", "/v1/agents/%00", "/v1/agents/%ff", "/v1/{slug}", "/v1/agents/{slug}", "/V1/calls", "/v1/CALLS", "/v1/calls?limit=1", "/v1/calls#x",
		"http://x/v1/calls", "/v1/openapi.json", "/v1/llms.txt", "/v1/whoami%20", "/v1/%63alls",
	} {
		for _, method := range []string{"GET", "HEAD", "PATCH", "POST", "OPTIONS", "BREW", ""} {
			f.Add(method, target)
		}
	}
	a := bareAPI(f)
	type seen struct{ operation string }
	addresses := map[string]*regexp.Regexp{}
	for i := range a.router.all {
		rt := &a.router.all[i]
		_, path, _ := strings.Cut(rt.operation, " ")
		pattern := regexp.MustCompile(`\\\{[a-z_]+\\\}`).ReplaceAllString(regexp.QuoteMeta("/v1"+path), `(?s:.+)`)
		addresses[rt.operation] = regexp.MustCompile("^" + pattern + "$")
		rt.access = public
		rt.handle = func(r *request) (any, error) { panic(seen{rt.operation}) } // out of the guard, below
	}
	f.Fuzz(func(t *testing.T, method, target string) {
		u, err := url.ParseRequestURI(target)
		if err != nil {
			return // net/http refuses it before we see it
		}
		u.RawQuery = ""
		hr := &http.Request{Method: method, URL: u, Header: http.Header{}, Body: http.NoBody}
		r := &request{http: hr, id: "req_x", api: a, left: time.Minute}
		r.startClock()
		defer r.cancel()
		w := httptest.NewRecorder()
		ran := ""
		func() {
			defer func() {
				if p, ok := recover().(seen); ok {
					ran = p.operation
				}
			}()
			_, err = a.run(w, r)
		}()
		if ran == "" {
			e := refusal(t, err, "route_not_found", "method_not_allowed")
			if e.Code == "method_not_allowed" && w.Header().Get("Allow") == "" {
				t.Fatal("no Allow")
			}
			return
		}
		wanted, _, _ := strings.Cut(ran, " ")
		if method != wanted && !(method == "HEAD" && wanted == "GET") {
			t.Fatalf("%s ran for %s", ran, method)
		}
		if !addresses[ran].MatchString(u.Path) {
			t.Fatalf("%s ran for %q", ran, target)
		}
		for name, value := range r.path {
			if value == "" {
				t.Fatalf("%s ran with %s=%q for %q", ran, name, value, target)
			}
		}
	})
}
