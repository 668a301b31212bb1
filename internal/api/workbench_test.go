package api

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/api/apitest"
	"frontdesk.dev/frontdesk/internal/description"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/reception/receptiontest"
	"frontdesk.dev/frontdesk/internal/service/servicetest"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/wire"
)

// What the tests of more than one file need beside the house itself.

// unhurried lets a test ask as often as it likes.
func unhurried(o *Options) { o.RatePerSecond, o.RateBurst = 1_000_000, 1_000_000 }

// notes is a log that can be read while it is written.
type notes struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (n *notes) Write(b []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.b.Write(b)
}

func (n *notes) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.b.String()
}

// logger writes everything there is to write into n.
func (n *notes) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(n, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// node is an API on a database that another one may share. It has no tenants
// of its own.
func node(t testing.TB, url string, c *servicetest.Clock, options ...houseOption) *house {
	t.Helper()
	return furnished(t, storetest.Open(t, url), c, options...)
}

// addRoutes lays routes beside those of the table, and describes them just
// enough to be served. It must be called before the house is started.
func (h *house) addRoutes(routes ...route) *apitest.Document {
	h.t.Helper()
	document := copyOfDocument(h.t)
	for _, rt := range routes {
		method, path, _ := strings.Cut(rt.operation, " ")
		item, _ := at(document, "paths")[path].(map[string]any)
		if item == nil {
			item = map[string]any{}
			at(document, "paths")[path] = item
		}
		responses := map[string]any{}
		for _, status := range []string{"200", "201", "400", "401", "403", "404", "409", "413", "429", "500", "503"} {
			responses[status] = map[string]any{"description": status}
		}
		item[strings.ToLower(method)] = map[string]any{"responses": responses}
	}
	text, err := json.Marshal(document)
	must(h.t, err)
	described, err := description.Read(text)
	must(h.t, err)
	h.api.router, err = newRouter(append(h.api.routes(), routes...), described)
	must(h.t, err)
	checker, err := apitest.Load(text)
	must(h.t, err)
	return checker
}

// ask is do with a document of the test's own.
func (h *house) ask(d *apitest.Document, operation, key, body string, headers ...string) reply {
	h.t.Helper()
	got, problem := h.exchange(d, operation, key, body, headers...)
	if problem != nil {
		h.t.Errorf("%s: %v\n%s", operation, problem, got)
	}
	return got
}

// exchange sends a request and holds the answer against a document. It may be
// called from any goroutine.
func (h *house) exchange(d *apitest.Document, operation, key, body string, headers ...string) (reply, error) {
	method, path, _ := strings.Cut(operation, " ")
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	req, err := http.NewRequest(method, h.url+"/v1"+path, reader)
	if err != nil {
		return reply{}, err
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	res, err := client.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return reply{}, err
	}
	got := reply{res.StatusCode, res.Header, string(text)}
	return got, d.CheckAnswer(method, req.URL.Path, res, text)
}

// serveWith is start with a hand on the server, and on the address for tests
// that speak to it by hand.
func (h *house) serveWith(change func(*http.Server)) string {
	h.t.Helper()
	handler, err := h.api.Handler()
	must(h.t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(h.t, err)
	server := NewServer(handler, h.api.log)
	if change != nil {
		change(server)
	}
	go server.Serve(Listener(l, slog.New(slog.DiscardHandler)))
	h.t.Cleanup(func() { server.Close() })
	h.url = "http://" + l.Addr().String()
	return l.Addr().String()
}

// copyOfDocument is openapi.json as a value that a test may change.
func copyOfDocument(t testing.TB) map[string]any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(description.Text()))
	d.UseNumber()
	var document map[string]any
	must(t, d.Decode(&document))
	return document
}

// at goes down a document by names; a reference is followed.
func at(v map[string]any, path ...string) map[string]any {
	for _, name := range path {
		v, _ = v[name].(map[string]any)
	}
	return v
}

// readObject reads the body of a request as the handlers do.
func readObject(r *request) (map[string]any, error) {
	if err := r.readBody(); err != nil {
		return nil, err
	}
	return exchange.ParseObject(r.body)
}

// join writes a place in a place.
func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// escapePointer is a name as a JSON pointer has it.
func escapePointer(s string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(s)
}

// recordCall writes one more call with one capture into the books.
func (h *house) recordCall(owner tenant, live bool, at time.Time, seconds int) error {
	call := sampleCall(owner.agent.ID, at)
	call.Duration = time.Duration(seconds) * time.Second
	return receptiontest.Record(context.Background(), h.store, wire.EventSource{Tenant: owner.Tenant, Live: live}, call)
}

// exhaust leaves nothing of a key's allowance, for longer than any test runs.
func (h *house) exhaust(key string) {
	h.t.Helper()
	c, err := h.keys.Authenticate(context.Background(), key, false)
	must(h.t, err)
	later := time.Now().Add(time.Hour)
	for wait := time.Duration(0); wait == 0; {
		_, wait = h.api.limiter.buckets.TakeOne(c.Key.ID, later)
	}
}
