package api

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/service/servicetest"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// line is a connection that a test speaks HTTP on by hand. Nothing on it waits
// for ever.
type line struct {
	t *testing.T
	net.Conn
	in *bufio.Reader
}

func dial(t *testing.T, addr string) *line {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	must(t, err)
	t.Cleanup(func() { c.Close() })
	must(t, c.SetDeadline(time.Now().Add(30*time.Second)))
	return &line{t, c, bufio.NewReader(c)}
}

func (l *line) send(text string) *line {
	l.t.Helper()
	if _, err := io.WriteString(l, text); err != nil {
		l.t.Fatalf("sending: %v", err)
	}
	return l
}

// answer reads one answer, to a request of a method.
func (l *line) answer(method string) reply {
	l.t.Helper()
	res, err := http.ReadResponse(l.in, &http.Request{Method: method})
	if err != nil {
		l.t.Fatalf("no answer: %v", err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		l.t.Fatalf("half an answer: %v", err)
	}
	return reply{res.StatusCode, res.Header, string(body)}
}

// ended says whether the other side has closed the connection, and nothing
// came before that.
func (l *line) ended() error {
	b, err := l.in.Peek(1)
	switch {
	case err == nil:
		return fmt.Errorf("something came instead: %q", b)
	case errors.Is(err, io.EOF), strings.Contains(err.Error(), "reset"):
		return nil
	}
	return err
}

// envelope demands an error with its five fields.
func (r reply) envelope(t *testing.T, status int, code string) {
	t.Helper()
	var e struct{ Error map[string]any }
	if err := json.Unmarshal([]byte(r.body), &e); err != nil {
		t.Fatalf("no envelope: %s", r)
	}
	keys := slices.Sorted(maps.Keys(e.Error))
	if want := []string{"code", "message", "param", "request_id", "type"}; !slices.Equal(keys, want) {
		t.Errorf("the fields are %v", keys)
	}
	if r.status != status || e.Error["code"] != code {
		t.Errorf("want %d %s, got %s", status, code, r)
	}
	if id := r.header.Get("X-Request-Id"); id == "" || id != e.Error["request_id"] {
		t.Errorf("X-Request-Id is %q in %s", id, r)
	}
	if got := r.header.Get("Content-Type"); got != "application/json" {
		t.Errorf("Content-Type is %q", got)
	}
}

func TestRequestsThatNoHandlerSees(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	addr := h.serveWith(nil)
	auth := "Authorization: Bearer " + h.a.live + "\r\n"
	for name, c := range map[string]struct {
		request string
		status  int
		code    string
	}{
		"no HTTP at all":                 {"HELLO\r\n\r\n", 400, "parameter_invalid"},
		"TLS to a plain port":            {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400, "parameter_invalid"},
		"a request line with two words":  {"GET /v1/calls\r\n\r\n", 400, "parameter_invalid"},
		"a version that there is not":    {"GET /v1/calls HTTP/9.9\r\nHost: x\r\n\r\n", 400, "parameter_invalid"},
		"a version that is none":         {"GET /v1/calls HTTP/x\r\nHost: x\r\n\r\n", 400, "parameter_invalid"},
		"a method with a space":          {"GE T /v1/calls HTTP/1.1\r\nHost: x\r\n\r\n", 400, "parameter_invalid"},
		"an address that is none":        {"GET %zz HTTP/1.1\r\nHost: x\r\n\r\n", 400, "parameter_invalid"},
		"a relative address":             {"GET v1/calls HTTP/1.1\r\nHost: x\r\n\r\n", 400, "parameter_invalid"},
		"no Host":                        {"GET /v1/calls HTTP/1.1\r\n\r\n", 400, "parameter_invalid"},
		"two Hosts":                      {"GET /v1/calls HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400, "parameter_invalid"},
		"a Host that is none":            {"GET /v1/calls HTTP/1.1\r\nHost: a b\r\n\r\n", 400, "parameter_invalid"},
		"a header without a colon":       {"GET /v1/calls HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n", 400, "parameter_invalid"},
		"a header with a space":          {"GET /v1/calls HTTP/1.1\r\nHost: x\r\nA B: c\r\n\r\n", 400, "parameter_invalid"},
		"a header with a NUL":            {"GET /v1/calls HTTP/1.1\r\nHost: x\r\nA: \x00\r\n\r\n", 400, "parameter_invalid"},
		"a Content-Length that is none":  {"PATCH /v1/agents/desk HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n{}", 400, "parameter_invalid"},
		"a negative Content-Length":      {"PATCH /v1/agents/desk HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n{}", 400, "parameter_invalid"},
		"two Content-Lengths":            {"PATCH /v1/agents/desk HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400, "parameter_invalid"},
		"an unknown Transfer-Encoding":   {"PATCH /v1/agents/desk HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: banana\r\n\r\n{}", 400, "parameter_invalid"},
		"an expectation we do not know":  {"PATCH /v1/agents/desk HTTP/1.1\r\nHost: x\r\nExpect: banana\r\nContent-Length: 2\r\n\r\n{}", 400, "parameter_invalid"},
		"a header that is too large":     {"GET /v1/calls HTTP/1.1\r\nHost: x\r\nX-Large: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", 413, "request_too_large"},
		"a request line too large":       {"GET /v1/" + strings.Repeat("x", 64<<10) + " HTTP/1.1\r\nHost: x\r\n\r\n", 413, "request_too_large"},
		"two slashes first":              {"GET //x HTTP/1.1\r\nHost: x\r\n\r\n", 404, "route_not_found"},
		"two slashes within":             {"GET /v1//calls HTTP/1.1\r\nHost: x\r\n\r\n", 404, "route_not_found"},
		"two dots":                       {"GET /v1/../v1/calls HTTP/1.1\r\nHost: x\r\n\r\n", 404, "route_not_found"},
		"two dots in disguise":           {"GET /v1/%2e%2e/v1/calls HTTP/1.1\r\nHost: x\r\n\r\n", 404, "route_not_found"},
		"one dot":                        {"GET /v1/./calls HTTP/1.1\r\nHost: x\r\n\r\n", 404, "route_not_found"},
		"a backslash":                    {"GET /v1\\calls HTTP/1.1\r\nHost: x\r\n\r\n", 404, "route_not_found"},
		"the root":                       {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", 404, "route_not_found"},
		"the version alone":              {"GET /v1 HTTP/1.1\r\nHost: x\r\n\r\n", 404, "route_not_found"},
		"the version with a slash":       {"GET /v1/ HTTP/1.1\r\nHost: x\r\n\r\n", 404, "route_not_found"},
		"no slash after the version":     {"GET /v1calls HTTP/1.1\r\nHost: x\r\n\r\n", 404, "route_not_found"},
		"a NUL in the path":              {"GET /v1/calls%00 HTTP/1.1\r\nHost: x\r\n\r\n", 404, "route_not_found"},
		"OPTIONS of everything":          {"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 404, "route_not_found"},
		"OPTIONS of an operation":        {"OPTIONS /v1/calls HTTP/1.1\r\nHost: x\r\nOrigin: https://x\r\nAccess-Control-Request-Method: GET\r\n\r\n", 405, "method_not_allowed"},
		"a proxy's CONNECT":              {"CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n", 404, "route_not_found"},
		"CONNECT to an operation":        {"CONNECT /v1/calls HTTP/1.1\r\nHost: x\r\n\r\n", 405, "method_not_allowed"},
		"TRACE":                          {"TRACE /v1/calls HTTP/1.1\r\nHost: x\r\n" + auth + "\r\n", 405, "method_not_allowed"},
		"a method of the client's own":   {"BREW /v1/calls HTTP/1.1\r\nHost: x\r\n\r\n", 405, "method_not_allowed"},
		"a method in small letters":      {"get /v1/calls HTTP/1.1\r\nHost: x\r\n\r\n", 405, "method_not_allowed"},
		"an absolute address":            {"GET http://elsewhere.example/v1/calls HTTP/1.1\r\nHost: x\r\n\r\n", 401, "api_key_missing"},
		"HTTP/1.0 without a Host":        {"GET /v1/calls HTTP/1.0\r\n\r\n", 401, "api_key_missing"},
		"two keys":                       {"GET /v1/calls HTTP/1.1\r\nHost: x\r\n" + auth + auth + "\r\n", 401, "api_key_missing"},
		"a chunk that is none":           {"PATCH /v1/agents/desk HTTP/1.1\r\nHost: x\r\n" + auth + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", 400, "invalid_json"},
		"a body on GET is not looked at": {"GET /v1/calls?limit=0 HTTP/1.1\r\nHost: x\r\n" + auth + "Content-Length: 1\r\n\r\n{", 400, "parameter_invalid"},
		"an upgrade to HTTP/2":           {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 404, "route_not_found"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := dial(t, addr)
			go io.WriteString(l, c.request) // the server may have answered before it has read all
			got := l.answer(strings.Fields(c.request)[0])
			got.envelope(t, c.status, c.code)
			if strings.Contains(got.body, "banana") || strings.Contains(got.body, h.a.live) {
				t.Errorf("the answer repeats what was sent: %s", got)
			}
			if c.status == 405 && got.header.Get("Allow") == "" {
				t.Error("no Allow")
			}
			if got.header.Get("Access-Control-Allow-Origin") != "" {
				t.Error("the customer API is not for browsers")
			}
		})
	}
	if got := h.do("GET /whoami", h.a.live, ""); got.status != 200 {
		t.Errorf("it does not serve on: %s", got)
	}
}

// TestTheEdgeLeavesAnswersAlone: what a customer stored can look like an answer
// of net/http's own, and comes back as it is all the same.
func TestTheEdgeLeavesAnswersAlone(t *testing.T) {
	t.Parallel()
	h := newHouse(t, unhurried)
	h.serveWith(nil)
	const line = "HTTP/1.1 417 Expectation Failed"
	// Wherever the server cuts its answer into writes, one of them begins here.
	for shift := range len(line) {
		text := strings.Repeat("x", shift) + strings.Repeat(line, 10_000/len(line))
		got := h.do("PATCH /agents/desk", h.a.live, `{"policy":"`+text+`"}`, "Accept-Encoding", "identity")
		if config := at(got.json(t), "agent", "config"); got.status != 200 || config["policy"] != text {
			t.Fatalf("shifted by %d the policy came back changed", shift)
		}
	}
}

func TestKeepAliveAndPipelining(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	addr := h.serveWith(nil)
	get := func(path, more string) string {
		return "GET /v1" + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + h.a.live + "\r\n" + more + "\r\n"
	}
	l := dial(t, addr)
	l.send(get("/whoami", "") + get("/nothing", "") + get("/calls?limit=0", "") + get("/usage", "Connection: close\r\n"))
	for _, want := range []int{200, 404, 400, 200} {
		if got := l.answer("GET"); got.status != want {
			t.Errorf("got %s, want %d", got, want)
		}
	}
	if err := l.ended(); err != nil {
		t.Errorf("after Connection: close: %v", err)
	}
	old := dial(t, addr).send("GET /v1/llms.txt HTTP/1.0\r\n\r\n")
	if got := old.answer("GET"); got.status != 200 {
		t.Errorf("HTTP/1.0: %s", got)
	}
	if err := old.ended(); err != nil {
		t.Errorf("after HTTP/1.0: %v", err)
	}
}

func TestNothingOfABodyIsReadTooEarly(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	addr := h.serveWith(nil)
	patch := func(key, more string) string {
		return "PATCH /v1/agents/desk HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + key + "\r\nContent-Length: 2\r\nExpect: 100-continue\r\n" + more + "\r\n"
	}
	limited := h.key(h.a.Tenant, true, "all")
	h.exhaust(limited)
	for name, c := range map[string]struct {
		request string
		status  int
		code    string
	}{
		"with a wrong key":           {patch("svc_live_wrong", ""), 401, "api_key_invalid"},
		"with a test key":            {patch(h.a.test, ""), 403, "live_key_required"},
		"with a key without a scope": {patch(h.key(h.a.Tenant, true, "calls:read"), ""), 403, "scope_missing"},
		"when there were too many":   {patch(limited, ""), 429, "rate_limited"},
		"on a route that is none":    {strings.Replace(patch(h.a.live, ""), "/v1/agents", "/v1/nothing", 1), 404, "route_not_found"},
		"with a query that is wrong": {strings.Replace(patch(h.a.live, ""), "desk", "desk?x=1", 1), 400, "parameter_unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := dial(t, addr).send(c.request)
			// An interim 100 would be read as the answer here.
			l.answer("PATCH").envelope(t, c.status, c.code)
		})
	}
	upload := func(key, name string) string {
		return "POST /v1/knowledge/documents HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + key + "\r\nContent-Type: text/plain\r\nX-Service-Filename: " + name +
			"\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
	}
	for name, c := range map[string]struct {
		request string
		status  int
		code    string
	}{
		"of an upload with a test key":   {upload(h.a.test, "a.txt"), 403, "live_key_required"},
		"of an upload of something else": {upload(h.a.live, "a.exe"), 400, "unsupported_extension"},
		"of a PDF that is said to be":    {upload(h.a.live, "a.pdf"), 400, "unsupported_content_type"},
		"of an upload for nobody":        {strings.Replace(upload(h.a.live, "a.txt"), "documents", "documents?agent_id="+string(h.b.agent.ID), 1), 404, "not_found"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dial(t, addr).send(c.request).answer("POST").envelope(t, c.status, c.code)
		})
	}
	t.Run("with a good key it is asked for", func(t *testing.T) {
		t.Parallel()
		l := dial(t, addr).send(patch(h.a.live, ""))
		if text, err := l.in.ReadString('\n'); err != nil || text != "HTTP/1.1 100 Continue\r\n" {
			t.Fatalf("%q %v", text, err)
		}
		l.in.ReadString('\n')
		if got := l.send("{}").answer("PATCH"); got.status != 200 {
			t.Errorf("%s", got)
		}
	})
}

func TestBodiesOfTheWrongLength(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	addr := h.serveWith(nil)
	impatient := h.serveWith(func(s *http.Server) { s.ReadTimeout = time.Second })
	head := "PATCH /v1/agents/desk HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + h.a.live + "\r\n"
	chunk := func(text string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(text), text) }
	before := h.do("GET /agents", h.a.live, "").body
	for name, c := range map[string]struct {
		request string
		status  int
		code    string
	}{
		"chunked and over the limit":         {head + "Transfer-Encoding: chunked\r\n\r\n" + chunk(`{"policy":"`) + strings.Repeat(chunk(strings.Repeat("x", 1000)), 300) + chunk(`"}`) + "0\r\n\r\n", 413, "request_too_large"},
		"chunked without end":                {head + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat(chunk(strings.Repeat("x", 1000)), 300), 413, "request_too_large"},
		"a length over the limit and a body": {head + "Content-Length: 262145\r\n\r\n" + strings.Repeat(" ", 262145), 413, "request_too_large"},
		"the length lies: it is less":        {head + "Content-Length: 1000\r\n\r\n" + `{"policy":"x"}`, 400, "invalid_json"},
		"only a length, however large":       {head + "Content-Length: 99999999999\r\n\r\n", 400, "invalid_json"},
		"chunked and never finished":         {head + "Transfer-Encoding: chunked\r\n\r\n" + chunk(`{"policy":"x"}`), 400, "invalid_json"},
		"with an expectation, and no body":   {head + "Content-Length: 10\r\nExpect: 100-continue\r\n\r\n", 400, "invalid_json"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := dial(t, addr)
			if c.status == 400 { // the rest never comes
				l = dial(t, impatient)
			}
			go io.WriteString(l, c.request)
			if strings.Contains(c.request, "Expect") {
				l.in.ReadString('\n')
				l.in.ReadString('\n')
			}
			l.answer("PATCH").envelope(t, c.status, c.code)
			if c.status != 400 {
				return // net/http waits a while for the rest before it closes
			}
			if err := l.ended(); err != nil {
				t.Errorf("the connection is of no more use, and stays: %v", err)
			}
		})
	}
	t.Run("exactly at the limit", func(t *testing.T) {
		t.Parallel()
		body := `{"policy":""` + strings.Repeat(" ", smallBody-len(`{"policy":""}`)) + `}`
		if got := h.do("PATCH /agents/desk", h.a.live, body); got.status != 200 {
			t.Errorf("%.200s", got)
		}
	})
	t.Cleanup(func() {
		if after := h.do("GET /agents", h.a.live, "").body; after != before {
			t.Errorf("a body that did not arrive changed something: %s", after)
		}
	})
}

func TestSlowHeadersAreCutOff(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	addr := h.serveWith(func(s *http.Server) { s.ReadHeaderTimeout = 50 * time.Millisecond })
	for name, text := range map[string]string{
		"nothing at all":   "",
		"half a line":      "GET /v1/cal",
		"half the headers": "GET /v1/calls HTTP/1.1\r\nHost: x\r\nX-A",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := dial(t, addr).send(text)
			if b, _ := l.in.Peek(1); len(b) > 0 { // net/http may say why
				l.answer("GET").envelope(t, 400, "parameter_invalid")
			}
			if err := l.ended(); err != nil {
				t.Errorf("it is still open: %v", err)
			}
		})
	}
}

func TestServerTimesAreSet(t *testing.T) {
	t.Parallel()
	s := NewServer(http.NotFoundHandler(), (&notes{}).logger())
	if s.ReadHeaderTimeout <= 0 || s.ReadTimeout <= 0 || s.WriteTimeout <= s.ReadTimeout || s.IdleTimeout <= 0 || s.MaxHeaderBytes <= 0 {
		t.Errorf("a slow client can hold this server: %+v", s)
	}
}

// TestClientsThatGo sends half a request and leaves. The half must be read as
// such, and nothing must come of it.
func TestClientsThatGo(t *testing.T) {
	t.Parallel()
	log := &notes{}
	h := newHouse(t, func(o *Options) { o.Log = log.logger() })
	addr := h.serveWith(nil)
	before := h.do("GET /agents", h.a.live, "").body
	for i := range 10 {
		l := dial(t, addr)
		l.send(fmt.Sprintf("PATCH /v1/agents/desk HTTP/1.1\r\nHost: x\r\nX-Request-Id: gone-%d\r\nAuthorization: Bearer %s\r\nContent-Length: 100\r\n\r\n", i, h.a.live))
		l.send(`{"policy":"x"}`)
		l.Close()
	}
	for i := range 10 {
		eventually(t, "the request that was left is noted", func() bool {
			return strings.Contains(log.String(), fmt.Sprintf("request_id=gone-%d ", i))
		})
	}
	if after := h.do("GET /agents", h.a.live, "").body; after != before {
		t.Errorf("something came of it: %s", after)
	}
	if strings.Contains(log.String(), "status=500") {
		t.Errorf("a client that goes is no failure of ours: %s", log)
	}
}

// eventually waits for something that must come by itself, asking as often as
// it can.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-ctx.Done():
			t.Fatalf("this did not come about: %s", what)
		case <-tick.C:
		}
	}
}

func TestPanics(t *testing.T) {
	t.Parallel()
	log := &notes{}
	h := newHouse(t, func(o *Options) { o.Log = log.logger() })
	document := h.addRoutes(
		route{operation: "GET /broken", access: public, handle: func(*request) (any, error) { panic("the cat sat on it") }},
		route{operation: "GET /nilled", handle: func(*request) (any, error) { var none *route; return none.operation, nil }},
		route{operation: "GET /failed", handle: func(*request) (any, error) { return nil, errors.New("the pipe burst") }},
		route{operation: "GET /odd", handle: func(*request) (any, error) { return func() {}, nil }},
		route{operation: "POST /broken", bodyLimit: smallBody, handle: func(r *request) (any, error) { r.readBody(); panic(errors.New("the dog ate it")) }},
	)
	h.serveWith(nil)
	for operation, cause := range map[string]string{
		"GET /broken": "the cat sat on it", "GET /nilled": "nil pointer dereference", "GET /failed": "the pipe burst",
		"GET /odd": "encoding an answer", "POST /broken": "the dog ate it",
	} {
		body := ""
		if strings.HasPrefix(operation, "POST") {
			body = "{}"
		}
		got := h.ask(document, operation, h.a.live, body)
		got.envelope(t, 500, "internal_error")
		if strings.Contains(got.body, cause) || strings.Contains(got.body, "goroutine") || strings.Contains(got.body, ".go") {
			t.Errorf("%s shows its cause: %s", operation, got)
		}
		id := got.header.Get("X-Request-Id")
		noted := ""
		eventually(t, operation+" is noted", func() bool {
			for _, line := range strings.Split(log.String(), "\n") {
				if strings.Contains(line, id) {
					noted = line
				}
			}
			return noted != ""
		})
		if !strings.Contains(noted, cause) || !strings.Contains(noted, "level=ERROR") || !strings.Contains(noted, "status=500") {
			t.Errorf("%s was noted as: %s", operation, noted)
		}
	}
	if got := h.ask(document, "GET /whoami", h.a.live, ""); got.status != 200 {
		t.Errorf("it does not serve on: %s", got)
	}
}

// TestTheLogKeepsSecrets plays all kinds of requests and looks for anything in
// the log that was nobody's business: keys, bodies, queries, answers.
func TestTheLogKeepsSecrets(t *testing.T) {
	t.Parallel()
	log := &notes{}
	h := newHouse(t, unhurried, func(o *Options) { o.Log = log.logger() })
	document := h.addRoutes(
		route{operation: "POST /things", bodyLimit: smallBody, handle: func(r *request) (any, error) {
			_, err := readObject(r)
			return created{map[string]string{"secret": "zanahoria-answer"}}, err
		}},
		route{operation: "POST /broken", bodyLimit: smallBody, handle: func(r *request) (any, error) { readObject(r); panic("oops") }},
	)
	addr := h.serveWith(nil)
	unknown := h.key(h.a.Tenant, true, "all")
	unknown = unknown[:len(unknown)-1] + string('a'+(unknown[len(unknown)-1]+1)%26)
	secrets := []string{h.a.live, h.a.test, h.b.live, unknown, "zanahoria"}
	bodies := []string{
		``, `{`, `{"policy":"zanahoria"}`, `{"zanahoria":1}`, `{"zanahoria":1,"zanahoria":2}`, `{"policy":zanahoria}`, `"zanahoria"`, `{"policy":"x"} zanahoria`,
		`{"hours":{"0":["zanahoria",1]}}`, `{"hours":{"0":[9.0,18]}}`, `{"business":{"website":"zanahoria"}}`, `{"voice":{"es":"zanahoria"}}`, `{"slug":"zanahoria"}`,
		`{"status":"zanahoria"}`, "{\"policy\":\"zanahoria\xff\"}", `{"policy":"zanahoria` + strings.Repeat("x", 300_000), `{"services":[{"name":"a","price":["zanahoria"]}]}`,
		strings.Repeat(`{"zanahoria":`, 40) + "1" + strings.Repeat("}", 40), `{"policy":1e999, "x":"zanahoria"}`,
	}
	for _, key := range []string{"", h.a.live, h.a.test, unknown} {
		for _, body := range bodies {
			for _, operation := range []string{"PATCH /agents/desk", "PATCH /captures/" + string(h.a.liveCapture), "POST /things", "POST /broken"} {
				h.ask(document, operation, key, body)
				h.ask(document, operation, key, body, "Idempotency-Key", "zanahoria-key"+fmt.Sprint(len(body)), "Cookie", "zanahoria", "Referer", "https://zanahoria.example")
			}
		}
		for _, query := range []string{"?api_key=" + h.a.live, "?kind=zanahoria", "?limit=zanahoria", "?zanahoria=1", "?starting_after=zanahoria", "?%zzzanahoria"} {
			h.ask(document, "GET /captures"+query, key, "")
		}
	}
	for _, scheme := range []string{"Basic " + h.a.live, h.a.live, "bearer " + h.a.live + " x"} {
		h.ask(document, "GET /calls", "", "", "Authorization", scheme)
	}
	for _, raw := range []string{
		"GET /v1/calls HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + h.a.live + "\r\nbroken header\r\n\r\n",
		"GET /v1/calls HTTP/1.1\r\nAuthorization: Bearer " + h.a.live + "\r\n\r\n",
	} {
		dial(t, addr).send(raw).answer("GET")
	}
	for _, secret := range secrets {
		for _, line := range strings.Split(log.String(), "\n") {
			if strings.Contains(line, secret) {
				t.Errorf("%s is in the log: %.400s", secret, line)
			}
		}
	}
	if n := strings.Count(log.String(), "msg=request"); n < 500 {
		t.Errorf("only %d lines", n)
	}
}

func TestRequestIDs(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	for name, c := range map[string]struct {
		sent string
		kept bool
	}{
		"none":              {"", false},
		"one letter":        {"a", true},
		"all that may be":   {"AZaz09._-", true},
		"64 letters":        {strings.Repeat("x", 64), true},
		"65 letters":        {strings.Repeat("x", 65), false},
		"a space":           {"a b", false},
		"an accent":         {"ñ", false},
		"a quote":           {`a"b`, false},
		"a log line's end":  {"a=b", false},
		"markup":            {"<b>", false},
		"a slash":           {"a/b", false},
		"one of our own":    {"req_ABC", true},
		"a percent":         {"%0d%0a", false},
		"a colon":           {"a:b", false},
		"digits and a dash": {"2026-11-14", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, operation := range []string{"GET /whoami", "GET /nothing", "GET /calls?limit=0"} {
				var headers []string
				if c.sent != "" {
					headers = []string{"X-Request-Id", c.sent}
				}
				got := h.do(operation, h.a.live, "", headers...)
				id := got.header.Get("X-Request-Id")
				if kept := id == c.sent; kept != c.kept {
					t.Errorf("%s: sent %q, got %q", operation, c.sent, id)
				}
				if !c.kept && (!strings.HasPrefix(id, "req_") || !exchange.FitRequestID(id)) {
					t.Errorf("%s: our own is %q", operation, id)
				}
			}
		})
	}
}

func TestCompression(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for range 30 {
		h.recordCall(h.a, true, noon.Add(-3*time.Hour), 60)
	}
	addr := h.serveWith(nil)
	get := func(method, accept string) reply {
		l := dial(t, addr)
		l.send(method + " /v1/calls?limit=30 HTTP/1.1\r\nHost: x\r\nX-Request-Id: same\r\nAuthorization: Bearer " + h.a.live + "\r\n" + accept + "\r\n")
		return l.answer(method)
	}
	plain := get("GET", "")
	if plain.header.Get("Content-Encoding") != "" || plain.header.Get("Content-Length") != fmt.Sprint(len(plain.body)) {
		t.Errorf("without being asked: %v", plain.header)
	}
	packed := get("GET", "Accept-Encoding: gzip, br\r\n")
	if packed.header.Get("Content-Encoding") != "gzip" || len(packed.body) >= len(plain.body) {
		t.Fatalf("asked for gzip: %v, %d bytes of %d", packed.header, len(packed.body), len(plain.body))
	}
	for _, r := range []reply{plain, packed} {
		if !strings.Contains(r.header.Get("Vary"), "Accept-Encoding") {
			t.Errorf("a cache could mix them up: %v", r.header)
		}
	}
	z, err := gzip.NewReader(strings.NewReader(packed.body))
	must(t, err)
	unpacked, err := io.ReadAll(z)
	must(t, err)
	if !bytes.Equal(unpacked, []byte(plain.body)) {
		t.Error("what was packed is not what was said")
	}
	if small := dial(t, addr).send("GET /v1/nothing HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n").answer("GET"); small.header.Get("Content-Encoding") != "" {
		t.Errorf("a few bytes are not worth it: %v", small.header)
	}
	if refused := get("GET", "Accept-Encoding: gzip;q=0\r\n"); refused.header.Get("Content-Encoding") != "" {
		t.Errorf("gzip was refused: %v", refused.header)
	}
}

func TestHeadIsGetWithoutABody(t *testing.T) {
	t.Parallel()
	h := newHouse(t, unhurried)
	for range 30 {
		h.recordCall(h.a, true, noon.Add(-3*time.Hour), 60)
	}
	addr := h.serveWith(nil)
	paths := []string{"/calls?limit=0", "/nothing", "/calls/42", "/agents/desk"}
	for _, rt := range h.api.router.all {
		if rt.method == "GET" {
			path := strings.TrimPrefix(rt.operation, "GET ")
			for name, value := range h.fill() {
				path = strings.ReplaceAll(path, "{"+name+"}", value)
			}
			paths = append(paths, path)
		}
	}
	for _, key := range []string{h.a.live, "svc_live_wrong"} {
		for _, accept := range []string{"", "Accept-Encoding: gzip\r\n"} {
			for _, path := range paths {
				ask := func(method string) reply {
					l := dial(t, addr)
					l.send(method + " /v1" + path + " HTTP/1.1\r\nHost: x\r\nX-Request-Id: same\r\nAuthorization: Bearer " + key + "\r\n" + accept + "\r\n")
					got := l.answer(method)
					got.header.Del("Date")
					got.header.Del("RateLimit")
					got.header.Del("Content-Length") // a server may leave it out for HEAD
					return got
				}
				get, head := ask("GET"), ask("HEAD")
				if accept != "" { // what is not sent is not packed
					get.header.Del("Content-Encoding")
				}
				if head.body != "" || head.status != get.status || fmt.Sprint(head.header) != fmt.Sprint(get.header) {
					t.Errorf("%s %s\nGET  %d %v\nHEAD %d %v %q", path, accept, get.status, get.header, head.status, head.header, head.body)
				}
			}
		}
	}
}

// The log says where a request came from that was refused: behind a proxy that is
// trusted, the client, and else who connected.
func TestTheLogKnowsTheClientBehindAProxy(t *testing.T) {
	t.Parallel()
	for remote, proxies := range map[string]exchange.Proxies{
		"198.51.100.7": {netip.MustParsePrefix("127.0.0.0/8")},
		"127.0.0.1":    {netip.MustParsePrefix("10.0.0.0/8")},
	} {
		log := &notes{}
		h := furnished(t, storetest.New(t), servicetest.NewClock(noon), func(o *Options) { o.Log, o.TrustedProxies = log.logger(), proxies })
		h.serveWith(nil)
		got := h.do("GET /calls", "fd_live_wrong", "", "X-Forwarded-For", "203.0.113.9, 198.51.100.7")
		got.envelope(t, 401, "api_key_invalid")
		eventually(t, "the client "+remote+" is in the log", func() bool { return strings.Contains(log.String(), "remote="+remote+" code=api_key_invalid") })
	}
}
