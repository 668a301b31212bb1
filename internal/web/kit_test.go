package web

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/service/servicetest"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// desk is a business with a web channel, and everything that is real about it
// but the clock.
type desk struct {
	*servicetest.Clock
	t       *testing.T
	store   *store.Store
	tenant  frontdesk.Tenant
	agent   frontdesk.Agent
	figures *prometheus.Registry
	log     *lines
	server  *httptest.Server

	sessions *reception.Sessions
}

// monday is a morning on which the business is open.
var monday = time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)

// proxy is this machine, when a test lets it speak for others.
var proxy = netip.MustParsePrefix("127.0.0.0/8")

func newDesk(t *testing.T, settings ...func(*Options)) *desk {
	t.Helper()
	d := &desk{t: t, store: storetest.New(t), Clock: servicetest.NewClock(monday), figures: prometheus.NewRegistry(), log: &lines{}}
	d.tenant = storetest.Tenant(t, d.store, "lola")
	d.agent = d.hire("desk", frontdesk.AgentActive)
	d.sessions = reception.NewSessions(reception.SessionOptions{Store: d.store, Now: d.Now})
	o := Options{Sessions: d.sessions, Store: d.store, Now: d.Now, Metrics: d.figures, Log: d.logger()}
	for _, set := range settings {
		set(&o)
	}
	d.server = httptest.NewServer(New(o).Handler())
	t.Cleanup(d.server.Close)
	return d
}

func (d *desk) logger() *slog.Logger { return slog.New(slog.NewTextHandler(d.log, nil)) }

// hire writes an agent.
func (d *desk) hire(slug, status string, changes ...func(*frontdesk.Agent)) frontdesk.Agent {
	d.t.Helper()
	a := frontdesk.Agent{
		ID: frontdesk.NewID(monday), TenantID: d.tenant.ID, Slug: slug, Vertical: "clinic", DisplayName: "Clínica Lola",
		Status: status, Languages: []string{"es", "en"}, Timezone: "Europe/Madrid", CreatedAt: monday, UpdatedAt: monday,
		Config: frontdesk.AgentConfig{
			Business:  frontdesk.Business{Name: "Clínica Lola", Phone: "+34 912 345 678"},
			Assistant: frontdesk.Assistant{Name: "Alba"},
			Voice:     frontdesk.VoiceChoice{ES: "voc_es_hugo"},
			Services:  json.RawMessage(`[{"id":"checkup","name":"Revisión","name_en":"Check-up","duration_minutes":30,"price":30}]`),
		},
	}
	for _, change := range changes {
		change(&a)
	}
	if err := d.store.CreateAgent(context.Background(), frontdesk.Actor{}, a); err != nil {
		d.t.Fatal(err)
	}
	return a
}

// answered is what came back.
type answered struct {
	t      *testing.T
	status int
	header http.Header
	body   string
}

// do sends a request: "POST /web/…", a body, and headers in pairs.
func (d *desk) do(operation, body string, headers ...string) answered {
	d.t.Helper()
	method, path, _ := strings.Cut(operation, " ")
	r, err := http.NewRequest(method, d.server.URL+path, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	for pair := range slices.Chunk(headers, 2) {
		r.Header.Set(pair[0], pair[1])
	}
	// A transport of its own leaves what is packed as it is. Whoever is sent
	// elsewhere stays.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	client := http.Client{CheckRedirect: stay, Transport: &http.Transport{DisableCompression: true, DisableKeepAlives: true}}
	answer, err := client.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	return answered{d.t, answer.StatusCode, answer.Header, string(text)}
}

// value is the body as JSON.
func (a answered) value() map[string]any {
	a.t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(a.body), &v); err != nil {
		a.t.Fatalf("%d %q: %v", a.status, a.body, err)
	}
	return v
}

// refused demands an envelope of five fields.
func (a answered) refused(status int, code, param string) {
	a.t.Helper()
	e, _ := a.value()["error"].(map[string]any)
	at, _ := e["param"].(string)
	if a.status != status || e["code"] != code || at != param || len(e) != 5 {
		a.t.Errorf("got %d %s, want %d %s at %q", a.status, a.body, status, code, param)
	}
	if e["request_id"] != a.header.Get("X-Request-Id") || e["message"] == "" {
		a.t.Errorf("the envelope is %s, the header %q", a.body, a.header.Get("X-Request-Id"))
	}
}

// has demands that an object has these properties and no others.
func has(t *testing.T, what string, object any, names ...string) map[string]any {
	t.Helper()
	o, ok := object.(map[string]any)
	if got := slices.Sorted(maps.Keys(o)); !ok || !slices.Equal(got, slices.Sorted(slices.Values(names))) {
		t.Fatalf("%s has %v, want %v", what, got, names)
	}
	return o
}

// visitor is somebody in a conversation.
type visitor struct {
	*desk
	id, token string
	headers   []string
}

func (d *desk) start(body string, headers ...string) *visitor {
	d.t.Helper()
	a := d.do("POST /web/lola/desk/conversations", body, headers...)
	if a.status != http.StatusCreated {
		d.t.Fatalf("starting: %d %s", a.status, a.body)
	}
	c := has(d.t, "the start", a.value()["conversation"], "id", "token", "language", "greeting", "voice", "quick_replies")
	return &visitor{d, c["id"].(string), c["token"].(string), headers}
}

func (v *visitor) post(what, body string) answered {
	v.t.Helper()
	return v.do("POST /web/conversations/"+v.id+"/"+what, body, append(slices.Clip(v.headers), "Authorization", "Bearer "+v.token)...)
}

// say says something and returns the answer.
func (v *visitor) say(text string) map[string]any {
	v.t.Helper()
	body, _ := json.Marshal(map[string]string{"text": text})
	a := v.post("messages", string(body))
	if a.status != http.StatusOK {
		v.t.Fatalf("saying %q: %d %s", text, a.status, a.body)
	}
	return has(v.t, "the answer", a.value(), "reply", "capture", "ended", "outcome")
}

// lines is a log that can be read while it is written.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
