package acceptance

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var lists = []string{"/calls", "/captures"}

func TestListsHaveOneEnvelope(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	for _, path := range lists {
		for name, query := range map[string]string{
			"a first page": "?limit=2",
			"all there is": "?starting_after=00000000-0000-7000-8000-000000000000",
			"the standard": "",
		} {
			t.Run(path+", "+name, func(t *testing.T) {
				t.Parallel()
				d := d.in(t)
				page := get[map[string]any](d.node, path+query, d.live)
				if got := slices.Sorted(maps.Keys(page)); !slices.Equal(got, []string{"data", "has_more", "next_starting_after", "object"}) {
					t.Errorf("the envelope has %v", got)
				}
				if page["object"] != "list" {
					t.Errorf("object is %v", page["object"])
				}
				data := page["data"].([]any)
				next, more := page["next_starting_after"], page["has_more"].(bool)
				switch {
				case !more && next != nil:
					t.Errorf("has_more is false, next_starting_after %v", next)
				case more && next != data[len(data)-1].(map[string]any)["id"]:
					t.Errorf("next_starting_after %v is not the last item's id", next)
				}
			})
		}
	}
	if got := len(get[list[call]](d.node, "/calls", d.live).Data); got != 25 {
		t.Errorf("a page has %d items when nobody says how many, want 25", got)
	}
}

func TestAnEmptyListIsAnEmptyArray(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	got := d.do("GET /captures?kind=nobody-makes-these", d.live, "")
	if want := `{"object":"list","data":[],"has_more":false,"next_starting_after":null}`; string(got.body) != want {
		t.Errorf("got %s", got)
	}
}

var (
	uuidV7    = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	timestamp = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)
	wallTime  = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$`)
)

// nullable are the fields of calls and captures that may be null.
var nullable = []string{"agent_id", "call_id", "caller", "duration_minutes", "number", "party_size", "resource_id", "scheduled_at", "starts_at"}

// TestFieldsAreSpelledAlike reads every object of both lists: ids, times, what
// is null and what is left out.
func TestFieldsAreSpelledAlike(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	for _, key := range []string{d.live, d.test} {
		for _, path := range lists {
			for _, object := range walk[map[string]any](d.node, path, key, 100) {
				checkSpelling(t, object)
			}
		}
	}
}

func checkSpelling(t *testing.T, object map[string]any) {
	t.Helper()
	if id, _ := object["id"].(string); !uuidV7.MatchString(id) {
		t.Errorf("the id %q is no UUIDv7 in lower case", id)
	}
	for _, name := range []string{"started_at", "created_at", "updated_at"} {
		if at, given := object[name]; given && !timestamp.MatchString(at.(string)) {
			t.Errorf("%s is %q", name, at)
		}
	}
	for name, value := range object {
		switch {
		case value == "":
			t.Errorf("%s is empty, not left out: %v", name, object)
		case value == nil && !slices.Contains(nullable, name):
			t.Errorf("%s is null: %v", name, object)
		}
	}
	if object["object"] != "capture" {
		return
	}
	at, given := object["scheduled_at"]
	if !given {
		t.Errorf("scheduled_at is nullable and must be present: %v", object)
	}
	if text, ok := at.(string); ok && !wallTime.MatchString(text) {
		t.Errorf("scheduled_at is %q", text)
	}
}

func TestEveryAnswerHasARequestID(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	own := regexp.MustCompile(`^req_[A-Za-z0-9]+$`)
	tests := map[string]struct {
		sent  string
		taken bool
	}{
		"none is sent":                 {"", false},
		"a fit one":                    {"order-42_b.7", true},
		"the longest":                  {strings.Repeat("a", 64), true},
		"one letter":                   {"x", true},
		"too long":                     {strings.Repeat("a", 65), false},
		"with a space":                 {"a b", false},
		"with a letter from elsewhere": {"pedido-ñ", false},
		"with a quote":                 {`a"b`, false},
	}
	for name, tt := range tests {
		for _, operation := range []string{"GET /whoami", "GET /nowhere", "GET /calls?limit=0", "DELETE /calls"} {
			t.Run(name+", "+operation, func(t *testing.T) {
				t.Parallel()
				d := d.in(t)
				var headers []string
				if tt.sent != "" {
					headers = append(headers, "X-Request-Id: "+tt.sent)
				}
				// That an error's request_id is the header's is checked with every answer.
				got := d.do(operation, d.live, "", headers...).header.Get("X-Request-Id")
				if tt.taken && got != tt.sent || !tt.taken && !own.MatchString(got) {
					t.Errorf("sent %q, got %q", tt.sent, got)
				}
			})
		}
	}
}

func TestErrorsHaveOneEnvelope(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	for _, operation := range []string{"GET /nowhere", "POST /calls", "GET /calls?limit=0", "GET /calls/x", "PATCH /agents/x"} {
		for _, key := range []string{"", d.live} {
			got := d.do(operation, key, "")
			var envelope map[string]map[string]any
			decode(t, got.body, &envelope)
			if len(envelope) != 1 || !slices.Equal(slices.Sorted(maps.Keys(envelope["error"])), []string{"code", "message", "param", "request_id", "type"}) {
				t.Errorf("%s: the envelope is not the one: %s", operation, got)
			}
		}
	}
}

func TestHeadWorksWhereGetDoes(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	values := d.examples(d.live)
	for _, o := range d.operations() {
		if o.method != http.MethodGet {
			continue
		}
		t.Run(o.path, func(t *testing.T) {
			t.Parallel()
			d := d.in(t)
			address := strings.TrimPrefix(o.at(values), "GET ")
			long := d.do("GET "+address, d.live, "")
			short := d.do("HEAD "+address, d.live, "")
			if short.status != long.status || len(short.body) != 0 {
				t.Errorf("HEAD answers %d with %d bytes, GET %d", short.status, len(short.body), long.status)
			}
			for _, name := range []string{"Content-Type", "Content-Length", "RateLimit-Policy"} {
				if short.header.Get(name) != long.header.Get(name) {
					t.Errorf("%s is %q with HEAD, %q with GET", name, short.header.Get(name), long.header.Get(name))
				}
			}
		})
	}
}

// examples are values of the path parameters that exist for a key.
func (n *node) examples(key string) map[string]string {
	n.t.Helper()
	active := kept(get[list[connection]](n, "/connections?limit=100", key).Data, func(c connection) bool {
		return c.Name != "CRM" && c.Status == "active" || strings.HasPrefix(c.URL, "https://crm.example.com/hooks")
	})[0].ID
	return map[string]string{
		"slug":          "casa-lola",
		"call_id":       get[list[call]](n, "/calls?limit=1", key).Data[0].ID,
		"capture_id":    get[list[capture]](n, "/captures?limit=1&status=confirmed", key).Data[0].ID,
		"event_id":      get[list[struct{ ID string }]](n, "/events?limit=1", key).Data[0].ID,
		"revision":      nobody,
		"connection_id": active,
		"delivery_id":   get[list[delivery]](n, "/connections/"+active+"/deliveries?limit=1&status=dead", key).Data[0].ID,
		"document_id":   get[list[document]](n, "/knowledge/documents?limit=1", key).Data[0].ID,
	}
}

// nobody is an id that nothing has.
const nobody = "01993c5e-0000-7000-8000-000000000000"

// revision is a version of the demo's restaurant.
func (s *showroom) revision() string {
	s.t.Helper()
	s.do("PATCH /agents/casa-lola", s.live, `{"business":{"zones_human":"`+rand.Text()+`"}}`)
	return get[list[struct{ Revision string }]](s.node, "/agents/casa-lola/history?limit=1", s.live).Data[0].Revision
}

// throwaway is the id of a document made for the occasion.
func (n *node) throwaway(key string) string {
	n.t.Helper()
	d, _ := n.upload(key, "note.txt", []byte(rand.Text()+" is the code of the door.\n"))
	return d.ID
}

func TestAnswersAreCompressedForThoseWhoAsk(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	plain := d.do("GET /calls?limit=100", d.live, "")
	// The answer is read by hand: the description speaks of what is inside.
	req, err := http.NewRequest(http.MethodGet, d.base+"/v1/calls?limit=100", nil)
	must(t, err)
	req.Header.Set("Authorization", "Bearer "+d.live)
	req.Header.Set("Accept-Encoding", "gzip")
	res, err := d.client.Do(req)
	must(t, err)
	defer res.Body.Close()
	if got := res.Header.Get("Content-Encoding"); got != "gzip" {
		t.Fatalf("Content-Encoding is %q", got)
	}
	unpacked, err := gzip.NewReader(res.Body)
	must(t, err)
	text, err := io.ReadAll(unpacked)
	must(t, err)
	if !bytes.Equal(text, plain.body) {
		t.Error("the compressed answer is not the plain one")
	}
	if !strings.Contains(plain.header.Get("Vary"), "Accept-Encoding") {
		t.Errorf("Vary is %q", plain.header.Get("Vary"))
	}
}

func TestTheAPIIsNotForBrowsers(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	for _, operation := range []string{"GET /whoami", "OPTIONS /whoami", "GET /openapi.json"} {
		got := d.do(operation, d.live, "", "Origin: https://example.com", "Access-Control-Request-Method: GET")
		for name := range got.header {
			if strings.HasPrefix(name, "Access-Control-") {
				t.Errorf("%s answers with %s", operation, name)
			}
		}
	}
}

// TestAnswersHoldNothingElse holds the objects to the fields of the
// specification, where it does not leave them open.
func TestAnswersHoldNothingElse(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	values := d.examples(d.live)
	tests := map[string]string{
		"/whoami":                           "authenticated_as key_prefix livemode scopes tenant",
		"/usage":                            "current_period_seconds history limits livemode",
		"/analytics":                        "by_hour days per_day timezone totals",
		"/calls/" + values["call_id"]:       "call",
		"/captures/" + values["capture_id"]: "capture",
		"/connectors":                       "data has_more next_starting_after object",
		"/connections":                      "data has_more limits next_starting_after object",
		"/connections/" + values["connection_id"]:                 "connection",
		"/connections/" + values["connection_id"] + "/deliveries": "connection_id data has_more next_starting_after object",
		"/knowledge":           "limits livemode summary",
		"/knowledge/documents": "data has_more limits next_starting_after object",
		"/knowledge/documents/" + values["document_id"]: "document",
		"/agents": "agents",
		"/voices": "voices",
		"/scopes": "scopes",
	}
	for path, want := range tests {
		var got map[string]json.RawMessage
		decode(t, d.do("GET "+path, d.live, "").body, &got)
		if fields := strings.Join(slices.Sorted(maps.Keys(got)), " "); fields != want {
			t.Errorf("GET %s has %s, want %s", path, fields, want)
		}
	}
	detail := get[map[string]map[string]any](d.node, "/calls/"+values["call_id"], d.live)["call"]
	want := "agent_id caller capture_ids channel counted duration_seconds id language number object outcome started_at summary transcript"
	if fields := strings.Join(slices.Sorted(maps.Keys(detail)), " "); fields != want {
		t.Errorf("a call has %s, want %s", fields, want)
	}
	allowed := strings.Fields("agent_id call_id confirmation_code created_at customer_email customer_name customer_phone duration_minutes id kind notes object party_size " +
		"resource resource_id scheduled_at service service_id source starts_at status updated_at")
	for _, object := range walk[map[string]any](d.node, "/captures", d.live, 100) {
		for name := range object {
			if !slices.Contains(allowed, name) {
				t.Fatalf("a capture has %s", name)
			}
		}
	}
}
