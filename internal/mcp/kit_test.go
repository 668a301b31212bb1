package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/api"
	"frontdesk.dev/frontdesk/internal/blob"
	"frontdesk.dev/frontdesk/internal/document"
	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/mcp"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/reception/receptiontest"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/service/servicetest"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/web"
	"frontdesk.dev/frontdesk/internal/webhook"
	"frontdesk.dev/frontdesk/internal/wire"
)

// monday is a morning on which the businesses are open.
var monday = time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)

// office is two businesses with all that serves assistants, on loopback. All of it
// is real but the clock.
type office struct {
	t        testing.TB
	clock    *servicetest.Clock
	store    *store.Store
	keys     *account.Keys
	reading  *knowledge.Worker
	webhooks *webhook.Webhooks
	handler  http.Handler // of assistants
	api      http.Handler
	figures  *prometheus.Registry
	url      string
	log      *lines
	a, b     business
}

// business is one of the two, with what it owns.
type business struct {
	frontdesk.Tenant
	live, test string // keys with all scopes
	agent      frontdesk.Agent
	fill       map[string]map[string]string // arguments that name its things, by mode
}

// settings are what a test may have otherwise.
type settings struct {
	api api.Options
	mcp mcp.Options
}

func newOffice(t testing.TB, changes ...func(*settings)) *office {
	t.Helper()
	o := &office{
		t: t, clock: servicetest.NewClock(monday), store: storetest.New(t), figures: prometheus.NewRegistry(), log: &lines{},
	}
	o.keys = account.NewKeys(o.store, o.clock.Now)
	box, err := seal.New("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
	must(t, err)
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(receiver.Close)
	guard, err := egress.New(egress.Options{Allow: []string{receiver.URL}})
	must(t, err)
	log := slog.New(slog.NewTextHandler(o.log, nil))
	o.webhooks = webhook.New(o.store, box, guard, webhook.NewSender(guard, box, o.clock.Now, log, nil), o.clock.Now)
	blobs, err := blob.OpenDir(filepath.Join(t.TempDir(), "documents"))
	must(t, err)
	library := knowledge.NewLibrary(o.store, blobs, o.clock.Now, log)
	o.reading = knowledge.NewWorker(o.store, blobs, document.NewReader(nil), nil, o.clock.Now, log)
	shelves := knowledge.NewShelves(o.store, nil, o.clock.Now, log, 0)
	s := settings{
		api: api.Options{
			Store: o.store, Keys: o.keys, Box: box, Webhooks: o.webhooks, Library: library, Shelves: shelves, Now: o.clock.Now, Log: log,
			RatePerSecond: 1_000_000, RateBurst: 1_000_000, AnswerTime: time.Minute,
		},
		mcp: mcp.Options{Keys: o.keys, Now: o.clock.Now, Log: log, Metrics: o.figures, Version: "test"},
	}
	for _, change := range changes {
		change(&s)
	}
	served, err := api.New(s.api)
	must(t, err)
	o.api, err = served.Handler()
	must(t, err)
	if s.mcp.API == nil {
		s.mcp.API = o.api
	}
	sessions := reception.NewSessions(reception.SessionOptions{Store: o.store, Now: o.clock.Now, Log: log, Shelves: shelves, Box: box})
	s.mcp.Web = web.New(web.Options{Sessions: sessions, Store: o.store, Keys: o.keys, Now: o.clock.Now, Log: log}).Handler()
	assistants, err := mcp.New(s.mcp)
	must(t, err)
	o.handler = assistants.Handler()
	server := httptest.NewServer(o.handler)
	t.Cleanup(server.Close)
	o.url = server.URL
	o.a, o.b = o.open("alfa", receiver.URL), o.open("beta", receiver.URL)
	return o
}

// open opens a business with something of everything, in both modes.
func (o *office) open(slug, receiver string) business {
	o.t.Helper()
	ctx := context.Background()
	b := business{Tenant: storetest.Tenant(o.t, o.store, slug), fill: map[string]map[string]string{}}
	b.live, b.test = o.key(b.Tenant, true, "all"), o.key(b.Tenant, false, "all")
	b.agent = frontdesk.Agent{
		ID: frontdesk.NewID(monday), TenantID: b.ID, Slug: slug + "-desk", Vertical: "clinic", DisplayName: "Clínica", Status: "active",
		Languages: []string{"es", "en"}, Timezone: "Europe/Madrid", CreatedAt: monday, UpdatedAt: monday,
		Config: frontdesk.AgentConfig{
			Business: frontdesk.Business{Name: "Clínica " + slug},
			Hours:    &frontdesk.Hours{{Open: 9, Close: 18}, {Open: 9, Close: 18}, {Open: 9, Close: 18}},
			Services: json.RawMessage(`[{"id":"checkup","name":"Revisión","name_en":"Check-up","duration_minutes":30,"price":30}]`),
		},
	}
	must(o.t, o.store.CreateAgent(ctx, frontdesk.Actor{}, b.agent))
	for mode, live := range map[string]bool{"live": true, "test": false} {
		owner := frontdesk.Owner{TenantID: b.ID, Live: live}
		c, _, err := o.webhooks.Connect(ctx, owner, frontdesk.Actor{}, frontdesk.ConnectionInput{Name: "CRM", URL: receiver + "/", Events: frontdesk.EventTypes}, 20)
		must(o.t, err)
		at := monday.Add(-time.Hour)
		call := frontdesk.FinishedCall{
			ID: frontdesk.NewID(at), AgentID: b.agent.ID, StartedAt: at, Duration: 42 * time.Second, Language: "es", Outcome: frontdesk.Booking, Channel: frontdesk.Web,
			Summary:    frontdesk.Summary{Text: "Reservó una revisión.", Title: "Revisión", Intent: "book"},
			Transcript: frontdesk.Transcript{Language: "es", Turns: []frontdesk.Turn{{Role: "caller", Text: "Una revisión, por favor.", Language: "es"}}},
			Captures:   []frontdesk.Capture{{ID: frontdesk.NewID(at), AgentID: b.agent.ID, Kind: frontdesk.Lead, CustomerName: "Ana", CreatedAt: at}},
		}
		must(o.t, receptiontest.Record(ctx, o.store, wire.EventSource{Tenant: b.Tenant, Live: live}, call))
		deliveries, err := o.store.Deliveries(ctx, owner, c.ID, "", frontdesk.Page{Limit: 1})
		must(o.t, err)
		b.fill[mode] = map[string]string{
			"slug": b.agent.Slug, "call_id": string(call.ID), "capture_id": string(call.Captures[0].ID),
			"connection_id": string(c.ID), "delivery_id": string(deliveries.Items[0].ID),
		}
	}
	return b
}

// in is the same office as a part of the test sees it.
func (o *office) in(t testing.TB) *office {
	other := *o
	other.t = t
	return &other
}

func (o *office) key(t frontdesk.Tenant, live bool, scopes ...string) string {
	o.t.Helper()
	_, secret, err := o.keys.Create(context.Background(), account.NewKey{Tenant: t, Live: live, Name: "assistant", Scopes: scopes})
	must(o.t, err)
	return secret.Reveal()
}

// readDocuments reads the documents that wait.
func (o *office) readDocuments() {
	o.t.Helper()
	for {
		worked, err := o.reading.RunOnce(context.Background())
		must(o.t, err)
		if !worked {
			return
		}
	}
}

// answered is what came back over HTTP.
type answered struct {
	status int
	header http.Header
	body   string
}

// post sends a message; headers come in pairs.
func (o *office) post(key, message string, headers ...string) answered {
	o.t.Helper()
	return o.send("POST /mcp", key, message, headers...)
}

func (o *office) send(operation, key, body string, headers ...string) answered {
	o.t.Helper()
	method, path, _ := strings.Cut(operation, " ")
	r, err := http.NewRequest(method, o.url+path, strings.NewReader(body))
	must(o.t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
			continue
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	a, err := http.DefaultClient.Do(r)
	must(o.t, err)
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	must(o.t, err)
	return answered{a.StatusCode, a.Header, string(text)}
}

// result is what a tool has answered.
type result struct {
	Content []struct{ Type, Text string }
	Value   json.RawMessage `json:"structuredContent"`
	IsError bool
}

func (r result) text() string {
	if len(r.Content) == 0 {
		return ""
	}
	return r.Content[0].Text
}

// code is that of the error a tool has answered, "" for none.
func (r result) code() string {
	_, rest, _ := strings.Cut(r.text(), "\ntype: ")
	_, rest, found := strings.Cut(rest, "code: ")
	if !r.IsError || !found {
		return ""
	}
	code, _, _ := strings.Cut(rest, ",")
	return code
}

// ask sends a request of the protocol that must be answered, and returns its result.
func ask[T any](o *office, key, method string, params any, headers ...string) (value T) {
	o.t.Helper()
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	must(o.t, err)
	a := o.post(key, string(text), headers...)
	var got struct {
		Result *T
		Error  json.RawMessage
	}
	must(o.t, json.Unmarshal([]byte(a.body), &got))
	if a.status != http.StatusOK || got.Result == nil {
		o.t.Fatalf("%s: %d %s", method, a.status, a.body)
	}
	return *got.Result
}

// call calls a tool.
func (o *office) call(key, tool string, arguments any, headers ...string) result {
	o.t.Helper()
	return ask[result](o, key, "tools/call", map[string]any{"name": tool, "arguments": arguments}, headers...)
}

// value calls a tool that must succeed, and reads its answer.
func value[T any](o *office, key, tool string, arguments any) (v T) {
	o.t.Helper()
	r := o.call(key, tool, arguments)
	if r.IsError {
		o.t.Fatalf("%s: %s", tool, r.text())
	}
	must(o.t, json.Unmarshal(r.Value, &v))
	return v
}

// described is a tool as a client sees it.
type described struct {
	Name, Title, Description  string
	InputSchema, OutputSchema map[string]any
	Annotations               struct {
		ReadOnlyHint, IdempotentHint   bool
		DestructiveHint, OpenWorldHint *bool
	}
}

func (o *office) tools(key string) (all []described) {
	o.t.Helper()
	return ask[struct{ Tools []described }](o, key, "tools/list", map[string]any{}).Tools
}

// lines is a log that can be read while it is written.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func has(list []described, name string) bool {
	for _, t := range list {
		if t.Name == name {
			return true
		}
	}
	return false
}
