package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/api/apitest"
	"frontdesk.dev/frontdesk/internal/blob"
	"frontdesk.dev/frontdesk/internal/description"
	"frontdesk.dev/frontdesk/internal/document"
	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/pdf/pdftest"
	"frontdesk.dev/frontdesk/internal/reception/receptiontest"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/service/servicetest"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/webhook"
	"frontdesk.dev/frontdesk/internal/wire"
)

// house is a running API with two tenants, whose every answer is held against
// openapi.json.
type house struct {
	t     testing.TB
	api   *API
	store *store.Store
	keys  *account.Keys
	url   string
	clock *servicetest.Clock
	log   *bytes.Buffer
	a, b  tenant

	webhooks *webhook.Webhooks
	sender   *webhook.Sender
	receiver *receiver // of deliveries; open to this house alone
	shelf    string    // the directory of documents
	blobs    *blob.Store
	library  *knowledge.Library
	reading  *knowledge.Worker
}

// tenant is one of the two, with what it owns.
type tenant struct {
	frontdesk.Tenant
	live, test               string // keys with all scopes
	agent                    frontdesk.Agent
	liveCall, testCall       frontdesk.ID
	liveCapture, testCapture frontdesk.ID
	liveEvent, testEvent     frontdesk.ID // of the captures
	revision                 frontdesk.ID // of the agent
	// One connection for each mode, to the house's receiver, with one delivery
	// that was delivered and one that failed.
	liveConnection, testConnection frontdesk.ID
	liveDelivery, testDelivery     frontdesk.ID // the failed ones
	// One document for each mode, for all agents, that is ready.
	liveDocument, testDocument frontdesk.ID
}

var noon = time.Date(2026, 11, 11, 12, 0, 0, 0, time.UTC) // a Wednesday

type houseOption func(*Options)

func newHouse(t testing.TB, options ...houseOption) *house {
	t.Helper()
	h := furnished(t, storetest.New(t), servicetest.NewClock(noon), options...)
	h.a, h.b = h.newTenant("alfa"), h.newTenant("beta")
	return h
}

// pdfs reads the PDFs of all houses: it takes long to start.
var pdfs = pdftest.Reader()

// readDocuments reads the documents that wait.
func (h *house) readDocuments() {
	h.t.Helper()
	for {
		worked, err := h.reading.RunOnce(context.Background())
		must(h.t, err)
		if !worked {
			return
		}
	}
}

// addDocument brings a document into the house past the API, as the operator
// would: there is no other way into test mode. It waits to be read.
func (h *house) addDocument(t tenant, live bool, n knowledge.NewDocument, text string) frontdesk.ID {
	h.t.Helper()
	ctx, owner := context.Background(), t.owner(live)
	d, err := h.library.Receive(ctx, owner, n, strings.NewReader(text), t.Plan.MaxDocumentBytes)
	must(h.t, err)
	d, _, err = h.library.Add(ctx, owner, frontdesk.Actor{}, d, t.Plan)
	must(h.t, err)
	return d.ID
}

// furnished is a house without tenants.
func furnished(t testing.TB, s *store.Store, c *servicetest.Clock, options ...houseOption) *house {
	t.Helper()
	h := &house{t: t, store: s, clock: c, log: &bytes.Buffer{}, receiver: newReceiver(t)}
	h.keys = account.NewKeys(s, c.Now)
	box, err := seal.New("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
	must(t, err)
	log := slog.New(slog.NewTextHandler(&locked{w: h.log}, nil))
	guard, err := egress.New(egress.Options{Allow: []string{h.receiver.URL, deaf}, Resolver: noNames})
	must(t, err)
	h.sender = webhook.NewSender(guard, box, c.Now, log, nil)
	h.webhooks = webhook.New(s, box, guard, h.sender, c.Now)
	h.shelf = filepath.Join(t.TempDir(), "documents")
	h.blobs, err = blob.OpenDir(h.shelf)
	must(t, err)
	h.library = knowledge.NewLibrary(s, h.blobs, c.Now, log)
	h.reading = knowledge.NewWorker(s, h.blobs, document.NewReader(pdfs), nil, c.Now, log)
	o := Options{
		Store: s, Keys: h.keys, Box: box, Now: c.Now, Metrics: prometheus.NewRegistry(),
		Library: h.library, Shelves: knowledge.NewShelves(s, nil, c.Now, log, 0),
		Webhooks: h.webhooks, Log: log, AnswerTime: time.Minute,
	}
	for _, option := range options {
		option(&o)
	}
	h.api, err = New(o)
	must(t, err)
	return h
}

// start serves on loopback, through the same edge as the product.
func (h *house) start() *house {
	h.t.Helper()
	handler, err := h.api.Handler()
	must(h.t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(h.t, err)
	server := NewServer(handler, slog.New(slog.DiscardHandler))
	go server.Serve(Listener(l, slog.New(slog.DiscardHandler)))
	h.t.Cleanup(func() { server.Close() })
	h.url = "http://" + l.Addr().String()
	return h
}

func (h *house) newTenant(slug string) tenant {
	h.t.Helper()
	ctx := context.Background()
	t := tenant{Tenant: storetest.Tenant(h.t, h.store, slug)}
	t.live, t.test = h.key(t.Tenant, true, "all"), h.key(t.Tenant, false, "all")
	t.agent = frontdesk.Agent{
		ID: frontdesk.NewID(noon), TenantID: t.ID, Slug: "desk", Vertical: "clinic", DisplayName: "Clínica", Status: "active",
		Languages: []string{"es", "en"}, Timezone: "Europe/Madrid", CreatedAt: noon, UpdatedAt: noon,
		Config: frontdesk.AgentConfig{
			Business: frontdesk.Business{Name: "Clínica " + slug},
			Hours:    &frontdesk.Hours{{Open: 9, Close: 18}, {Open: 9, Close: 18}, {Open: 9, Close: 18}},
			Services: json.RawMessage(`[{"name":"Limpieza","price":12.50}]`),
		},
	}
	must(h.t, h.store.CreateAgent(ctx, frontdesk.Actor{}, t.agent))
	t.agent = h.telephone(t, "+34 600 000 001")
	t.revision = t.agent.Revision
	record := func(live bool) (call, capture, event frontdesk.ID) {
		made := sampleCall(t.agent.ID, noon.Add(-time.Hour))
		must(h.t, receptiontest.Record(ctx, h.store, wire.EventSource{Tenant: t.Tenant, Live: live}, made))
		events, err := h.store.Events(ctx, t.owner(live), frontdesk.EventFilter{Type: frontdesk.CaptureCreated}, frontdesk.Page{})
		must(h.t, err)
		return made.ID, made.Captures[0].ID, events.Items[0].ID
	}
	t.liveConnection, t.testConnection = h.connect(t, true, "/"), h.connect(t, false, "/")
	t.liveCall, t.liveCapture, t.liveEvent = record(true)
	t.testCall, t.testCapture, t.testEvent = record(false)
	t.liveDelivery, t.testDelivery = h.failOne(t, true, t.liveConnection), h.failOne(t, false, t.testConnection)
	house := knowledge.NewDocument{Filename: "normas.md", Title: "Normas de la casa"}
	t.liveDocument, t.testDocument = h.addDocument(t, true, house, houseRules), h.addDocument(t, false, house, houseRules)
	h.readDocuments()
	return t
}

// telephone gives the tenant's agent a telephone number, so that it has a history.
func (h *house) telephone(t tenant, number string) frontdesk.Agent {
	h.t.Helper()
	a, err := h.store.ChangeAgent(context.Background(), t.owner(true), t.agent.Slug, store.AgentChange{
		By: frontdesk.Actor{Kind: frontdesk.ByKey, Name: "setup"}, Now: noon, Fields: wire.AgentFields,
		Change: func(a frontdesk.Agent) (frontdesk.Agent, error) {
			a.Config.Business.Phone = number
			return a, nil
		},
	})
	must(h.t, err)
	return a
}

// houseRules is what every tenant's document says.
const houseRules = "# Normas de la casa\n\n## ¿Se admiten perros?\n\nSí, los perros pequeños son bienvenidos si van con correa.\n"

func sampleCall(agent frontdesk.ID, at time.Time) frontdesk.FinishedCall {
	end := at.Add(42 * time.Second)
	return frontdesk.FinishedCall{
		ID: frontdesk.NewID(at), AgentID: agent, StartedAt: at, Duration: 42 * time.Second, Language: "es",
		Outcome: frontdesk.Booking, Channel: frontdesk.Phone,
		Summary: frontdesk.Summary{Text: "Reservó una limpieza.", Title: "Limpieza", Intent: "book"},
		Transcript: frontdesk.Transcript{Language: "es", Turns: []frontdesk.Turn{
			{Role: "agent", Text: "Hola.", End: time.Second, Language: "es"},
			{Role: "tool", Name: "availability", Arguments: map[string]any{"day": "2026-11-12"}, Result: map[string]any{"free": 3}, Start: time.Second, End: 2 * time.Second, Language: "es"},
		}},
		Captures: []frontdesk.Capture{{
			ID: frontdesk.NewID(end), Kind: frontdesk.Appointment, CustomerName: "Ana", CustomerPhone: "+34600000002",
			ScheduledAt: "2026-11-12T10:00:00", Service: "Limpieza", CreatedAt: end,
		}},
	}
}

func (h *house) key(t frontdesk.Tenant, live bool, scopes ...string) string {
	h.t.Helper()
	_, secret, err := h.keys.Create(context.Background(), account.NewKey{Tenant: t, Live: live, Scopes: scopes})
	must(h.t, err)
	return secret.Reveal()
}

// reply is an answer, read whole.
type reply struct {
	status int
	header http.Header
	body   string
}

func (r reply) fail() (e struct {
	Type, Code, Message, RequestID string
	Param                          *string
},
) {
	var envelope struct {
		Error *struct {
			Type, Code, Message string
			Param               *string
			RequestID           string `json:"request_id"`
		}
	}
	envelope.Error = &struct {
		Type, Code, Message string
		Param               *string
		RequestID           string `json:"request_id"`
	}{}
	json.Unmarshal([]byte(r.body), &envelope)
	e.Type, e.Code, e.Message, e.Param, e.RequestID = envelope.Error.Type, envelope.Error.Code, envelope.Error.Message, envelope.Error.Param, envelope.Error.RequestID
	return e
}

func (r reply) String() string { return fmt.Sprintf("%d %s", r.status, r.body) }

// json reads the body into a generic value.
func (r reply) json(t testing.TB) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(r.body), &v); err != nil {
		t.Fatalf("not JSON: %v: %s", err, r.body)
	}
	return v
}

// It has connections of its own: the default ones are closed with any test's server.
var client = &http.Client{Transport: &http.Transport{}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// do sends a request and holds the answer against the document. operation is
// a method and a path under /v1.
func (h *house) do(operation, key, body string, headers ...string) reply {
	h.t.Helper()
	method, path, _ := strings.Cut(operation, " ")
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	req, err := http.NewRequest(method, h.url+"/v1"+path, reader)
	must(h.t, err)
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	res, err := client.Do(req)
	must(h.t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	must(h.t, err)
	if err := h.document().CheckAnswer(method, req.URL.Path, res, text); err != nil {
		h.t.Errorf("%s: the answer is not as described: %v\n%d %s", operation, err, res.StatusCode, text)
	}
	return reply{res.StatusCode, res.Header, string(text)}
}

var loadDocument = sync.OnceValues(func() (*apitest.Document, error) { return apitest.Load(description.Text()) })

func (h *house) document() *apitest.Document {
	d, err := loadDocument()
	must(h.t, err)
	return d
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

type locked struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}
