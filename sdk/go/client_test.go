package frontdesk

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
)

func TestNewWithoutAKey(t *testing.T) {
	t.Setenv("FRONTDESK_API_KEY", "")
	_, err := New(Options{})
	if err == nil {
		t.Fatal("made")
	}
	has(t, err.Error(), "FRONTDESK_API_KEY", "APIKey")
}

func TestNewFromTheEnvironment(t *testing.T) {
	s := serve(t, says(200, whoamiBody))
	t.Setenv("FRONTDESK_API_KEY", "svc_live_env")
	t.Setenv("FRONTDESK_BASE_URL", s.URL+"/")
	c, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Whoami(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := s.requests()[0].header.Get("Authorization"); got != "Bearer svc_live_env" {
		t.Errorf("sent %q", got)
	}
	t.Setenv("FRONTDESK_BASE_URL", "")
	if c, err := New(Options{}); err != nil || c.String() != "frontdesk.Client(http://127.0.0.1:8080)" {
		t.Errorf("got %v, %v", c, err)
	}
}

func TestBaseURL(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://fd.example.com":          "https://fd.example.com",
		"https://fd.example.com/":         "https://fd.example.com",
		"https://fd.example.com/v1":       "https://fd.example.com",
		"https://fd.example.com/v1/":      "https://fd.example.com",
		"https://example.com/desk/v1":     "https://example.com/desk",
		"http://127.0.0.1:8080":           "http://127.0.0.1:8080",
		"fd.example.com":                  "",
		"127.0.0.1:8080":                  "",
		"ftp://fd.example.com":            "",
		"https://":                        "",
		"https://me:pass@fd.example.com":  "",
		"https://fd.example.com?key=1":    "",
		"https://fd.example.com#fragment": "",
		"https://fd.example.com:port":     "",
	} {
		got, err := baseURL(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v", text, got, err)
		}
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	s := serve(t, says(200, `{"capture":{}}`))
	c, err := New(Options{
		APIKey: testKey, BaseURL: s.URL,
		Header: http.Header{"x-all": {"1"}, "X-Both": {"client"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Captures.Change(t.Context(), anID, CaptureChange{Notes: Set("x")},
		RequestOptions{Header: http.Header{"x-both": {"request"}}, IfMatch: `"v1"`},
		RequestOptions{Header: http.Header{"X-One": {"1"}}})
	if err != nil {
		t.Fatal(err)
	}
	h := s.requests()[0].header
	for name, want := range map[string]string{
		"User-Agent": "frontdesk-go/0.1.0", "Authorization": "Bearer " + testKey, "Accept": "application/json",
		"Content-Type": "application/json", "If-Match": `"v1"`, "X-All": "1", "X-Both": "request", "X-One": "1",
	} {
		if got := h.Values(name); len(got) != 1 || got[0] != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if _, err := c.Captures.Get(t.Context(), anID); err != nil {
		t.Fatal(err)
	}
	if h := s.requests()[1].header; h.Get("X-Both") != "client" || h.Get("Content-Type") != "" || h.Get("If-Match") != "" {
		t.Errorf("the next request has %v", h)
	}
}

func TestResponse(t *testing.T) {
	t.Parallel()
	s := serve(t, says(200, `{"agent":{"slug":"a"}}`, "ETag", `"v7"`, "Idempotent-Replayed", "true"))
	c, _ := clientOf(t, s)
	var res Response
	agent, err := c.Agents.Get(t.Context(), "a", RequestOptions{Response: &res})
	if err != nil || agent.Slug != "a" {
		t.Fatalf("got %v, %v", agent, err)
	}
	if res.Status != 200 || res.RequestID() != "req_1" || res.ETag() != `"v7"` || !res.Replayed() || res.Attempts != 1 {
		t.Errorf("got %+v", res)
	}
}

// A redirect is not followed: neither to where the key would go along, nor at
// home.
func TestRedirects(t *testing.T) {
	t.Parallel()
	other := serve(t, says(200, whoamiBody))
	for _, status := range []int{301, 302, 303, 307, 308} {
		s := serve(t, says(status, "", "Location", other.URL+"/v1/whoami"))
		c, _ := clientOf(t, s)
		for _, err := range []error{
			second(c.Whoami(t.Context())),
			second(c.Knowledge.Ask(t.Context(), KnowledgeQuestion{Question: "?"})),
			second(c.Knowledge.Documents.Upload(t.Context(), strings.NewReader("x"), Upload{Filename: "a.txt"})),
		} {
			var e *Error
			if !errors.As(err, &e) || e.Status != status {
				t.Fatalf("got %v", err)
			}
			has(t, err.Error(), "redirects", other.URL)
		}
	}
	if len(other.requests()) != 0 {
		t.Errorf("the other host was asked %d times", len(other.requests()))
	}
}

func second[T any](_ T, err error) error { return err }

func TestIds(t *testing.T) {
	t.Parallel()
	s := serve(t, says(200, `{"agent":{}}`))
	c, _ := clientOf(t, s)
	for _, id := range []string{"", ".", ".."} {
		for name, err := range map[string]error{
			"call":         second(c.Calls.Get(t.Context(), id)),
			"agent":        second(c.Agents.Get(t.Context(), id)),
			"history":      second(c.Agents.History.Get(t.Context(), "a", id)),
			"preview":      second(c.Agents.Preview(t.Context(), id, AgentPatch{})),
			"versions":     second(c.Agents.History.List(t.Context(), id, AgentHistoryListParams{})),
			"availability": second(c.Agents.Availability(t.Context(), id, AvailabilityParams{})),
			"agenda":       second(c.Agents.Agenda(t.Context(), id, AgendaParams{})),
			"calendar":     second(c.Agents.Calendar.Get(t.Context(), id)),
			"replacing it": second(c.Agents.Calendar.Replace(t.Context(), id, Calendar{})),
			"deleting":     second(c.Connections.Delete(t.Context(), id)),
			"testing":      second(c.Connections.Test(t.Context(), id)),
			"deliveries":   second(c.Connections.Deliveries(t.Context(), id, DeliveryListParams{})),
			"retrying":     second(c.Deliveries.Retry(t.Context(), id)),
			"document":     second(c.Knowledge.Documents.Delete(t.Context(), id)),
		} {
			if err == nil {
				t.Errorf("%s: %q was sent", name, id)
			}
		}
	}
	if len(s.requests()) != 0 {
		t.Fatalf("%d requests", len(s.requests()))
	}
	if _, err := c.Agents.Get(t.Context(), "a/../b?c#d%"); err != nil {
		t.Fatal(err)
	}
	if got := s.requests()[0].path; got != "/v1/agents/a%2F..%2Fb%3Fc%23d%25" {
		t.Errorf("asked %s", got)
	}
}

func TestRequest(t *testing.T) {
	t.Parallel()
	s := serve(t, says(200, `{"n":7}`))
	c, _ := clientOf(t, s)
	var out struct{ N int }
	err := c.Request(t.Context(), "post", "/later/things", Input{Query: url.Values{"a": {"b c"}}, Body: map[string]int{"x": 1}}, &out)
	asked := s.requests()[0]
	if err != nil || out.N != 7 || asked.method != "POST" || asked.path != "/v1/later/things" || asked.query != "a=b+c" || asked.body != `{"x":1}` {
		t.Errorf("asked %+v, got %v, %v", asked, out, err)
	}
	for _, path := range []string{"calls", "", "/calls?limit=1", "/calls#x", "/../admin", "/calls/..", "/%2e%2E/admin", "/./x", "/%zz"} {
		if err := c.Request(t.Context(), "GET", path, Input{}, nil); err == nil {
			t.Errorf("%q was sent", path)
		}
	}
	if err := c.Request(t.Context(), "POST", "/x", Input{Body: func() {}}, nil); err == nil {
		t.Error("a function was sent")
	}
	if err := c.Request(t.Context(), "BAD METHOD", "/x", Input{}, nil); err == nil {
		t.Error("a bad method was sent")
	}
}

func TestBodies(t *testing.T) {
	t.Parallel()
	s := serve(t, says(200, `{"capture":{},"connection":{},"agent":{}}`))
	c, _ := clientOf(t, s)
	ctx := t.Context()
	tests := []struct {
		want string
		err  error
	}{
		{`{"status":"no_show"}`, second(c.Captures.SetStatus(ctx, anID, CaptureStatusNoShow))},
		{`{"policy":""}`, second(c.Agents.Update(ctx, "a", AgentPatch{Policy: Ptr("")}))},
		{`{}`, second(c.Agents.Preview(ctx, "a", AgentPatch{}))},
		{``, second(c.Agents.History.Restore(ctx, "a", anID))},
		{`{"events":[]}`, second(c.Connections.SetAdditionalEvents(ctx, anID, nil))},
		{`{"events":["capture.updated"]}`, second(c.Connections.SetAdditionalEvents(ctx, anID, []AdditionalEventType{AdditionalEventTypeCaptureUpdated}))},
		{``, second(c.Connections.Enable(ctx, anID))},
		{`{"reason":"moving"}`, second(c.Connections.Disable(ctx, anID, DisableInput{Reason: "moving"}))},
		{`{"grace_seconds":0}`, second(c.Connections.RotateSecret(ctx, anID, RotateInput{GraceSeconds: Ptr(0)}))},
		{`{"question":"?"}`, second(c.Knowledge.Ask(ctx, KnowledgeQuestion{Question: "?"}))},
	}
	for i, tt := range tests {
		if got := s.requests()[i].body; tt.err != nil || got != tt.want {
			t.Errorf("sent %q, %v; want %q", got, tt.err, tt.want)
		}
	}
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	s := serve(t, says(503, ""), says(200, `{"call":{"id":"1"}}`))
	c, _ := clientOf(t, s)
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if _, err := c.Calls.Get(t.Context(), fmt.Sprint(i)); err != nil {
				t.Error(err)
			}
		}()
	}
	wg.Wait()
	if got := len(s.requests()); got != 33 {
		t.Errorf("%d requests", got)
	}
}

// The package signature is here as a copy, so that the client's users do not
// have the server's module in their build.
func TestTheSignatureIsTheServers(t *testing.T) {
	t.Parallel()
	readDescription(t) // skips outside the repository
	theirs, err := os.ReadFile("../../signature/signature.go")
	if err != nil {
		t.Fatal(err)
	}
	ours, err := os.ReadFile("internal/signature/signature.go")
	if err != nil {
		t.Fatal(err)
	}
	if string(ours) != string(theirs) {
		t.Error("signature has changed; run go generate in sdk/go")
	}
}

func TestOpenAPIAndLLMs(t *testing.T) {
	t.Parallel()
	s := serve(t, says(200, `{"openapi":"3.1.0"}`))
	c, _ := clientOf(t, s)
	text, err := c.OpenAPI(t.Context())
	var d struct{ OpenAPI string }
	if err != nil || json.Unmarshal(text, &d) != nil || d.OpenAPI != "3.1.0" {
		t.Errorf("got %s, %v", text, err)
	}
	if text, err := c.LLMs(t.Context()); err != nil || text != `{"openapi":"3.1.0"}` || s.requests()[1].header.Get("Accept") != "text/plain" {
		t.Errorf("got %s, %v", text, err)
	}
}
