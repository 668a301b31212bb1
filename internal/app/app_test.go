package app

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/pdf/pdftest"
	"frontdesk.dev/frontdesk/internal/reception/receptiontest"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/wire"
)

// process is a whole frontdesk, running, with one tenant that has something of
// everything.
type process struct {
	t       *testing.T
	addr    string
	live    string
	fill    map[string]string // path parameters
	stop    context.CancelFunc
	stopped chan error
}

// seed writes a tenant into a database and returns its key and its ids.
func seed(t *testing.T, s *store.Store) (live string, fill map[string]string) {
	t.Helper()
	ctx, now := context.Background(), time.Now()
	tenant := storetest.Tenant(t, s, "alfa")
	_, secret, err := account.NewKeys(s, time.Now).Create(ctx, account.NewKey{Tenant: tenant, Live: true, Scopes: []string{"all"}})
	must(t, err)
	agent := frontdesk.Agent{
		ID: frontdesk.NewID(now), TenantID: tenant.ID, Slug: "desk", Vertical: "clinic", DisplayName: "Desk", Status: "active",
		Languages: []string{"es"}, Timezone: "Europe/Madrid", CreatedAt: now, UpdatedAt: now,
	}
	must(t, s.CreateAgent(ctx, frontdesk.Actor{}, agent))
	call := frontdesk.FinishedCall{
		ID: frontdesk.NewID(now), AgentID: agent.ID, StartedAt: now, Duration: time.Minute, Language: "es", Outcome: frontdesk.Booking, Channel: frontdesk.Web,
		Captures: []frontdesk.Capture{{ID: frontdesk.NewID(now), Kind: frontdesk.Lead, CreatedAt: now}},
	}
	must(t, receptiontest.Record(ctx, s, wire.EventSource{Tenant: tenant, Live: true}, call))
	fill = map[string]string{"slug": "desk", "call_id": string(call.ID), "capture_id": string(call.Captures[0].ID)}
	fill["connection_id"], fill["delivery_id"] = seedDelivery(t, s, tenant, now)
	fill["revision"], fill["event_id"] = seedHistory(t, s, tenant, now)
	d := frontdesk.Document{ID: frontdesk.NewID(now), Live: true, Title: "Rules", Filename: "rules.txt", Kind: frontdesk.Text, SHA256: []byte("none"), CreatedAt: now, UpdatedAt: now}
	_, _, err = s.AddDocument(ctx, frontdesk.Owner{TenantID: tenant.ID, Live: true}, frontdesk.Actor{}, d, tenant.Plan)
	must(t, err)
	fill["document_id"] = string(d.ID)
	return secret.Reveal(), fill
}

// seedHistory changes the agent, and returns that version and an event of the call.
func seedHistory(t *testing.T, s *store.Store, tenant frontdesk.Tenant, now time.Time) (revision, event string) {
	t.Helper()
	ctx, owner := context.Background(), frontdesk.Owner{TenantID: tenant.ID, Live: true}
	agent, err := s.ChangeAgent(ctx, owner, "desk", store.AgentChange{
		By: frontdesk.Actor{Kind: frontdesk.ByOperatorActing}, Now: now, Fields: wire.AgentFields,
		Change: func(a frontdesk.Agent) (frontdesk.Agent, error) {
			a.Config.Policy = "Changed."
			return a, nil
		},
	})
	must(t, err)
	events, err := s.Events(ctx, owner, frontdesk.EventFilter{}, frontdesk.Page{})
	must(t, err)
	return string(agent.Revision), string(events.Items[0].ID)
}

// seedDelivery writes a connection and a delivery that can be retried.
func seedDelivery(t *testing.T, s *store.Store, tenant frontdesk.Tenant, now time.Time) (connection, delivery string) {
	t.Helper()
	ctx, owner := context.Background(), frontdesk.Owner{TenantID: tenant.ID, Live: true}
	c := frontdesk.Connection{
		ID: frontdesk.NewID(now), Live: true, Name: "CRM", URL: "https://crm.example.com/", Events: frontdesk.EventTypes,
		Status: frontdesk.ConnectionActive, Secret: frontdesk.SealedSecret{Prefix: "whsec_AAAA", Sealed: []byte("sealed elsewhere")}, CreatedAt: now, UpdatedAt: now,
	}
	must(t, s.CreateConnection(ctx, owner, frontdesk.Actor{}, c, 1))
	e, err := wire.Event(wire.EventSource{Tenant: tenant, Live: true}, frontdesk.ConnectionTest, now, []byte(`{}`))
	must(t, err)
	claimed, err := s.StartDelivery(ctx, owner, e, frontdesk.Delivery{
		ID: frontdesk.NewID(now), ConnectionID: c.ID, EventID: e.ID, Event: e.Type, Live: true, Status: frontdesk.DeliveryDelivering,
		MaxAttempts: 1, CreatedAt: now, LeaseUntil: now.Add(time.Minute).Truncate(time.Microsecond),
	})
	must(t, err)
	failed := frontdesk.Attempt{ErrorCode: frontdesk.DNSFailed}
	claim := claimed.Claims[0]
	must(t, s.SaveAttempts(ctx, store.Tried{Claim: claim, Attempt: failed, After: claim.Delivery.After(failed, now, 0.5), At: now}))
	return string(c.ID), string(claim.Delivery.ID)
}

// launch runs the parts of a process on loopback.
func launch(t *testing.T, s config.Settings) *process {
	t.Helper()
	return launchLogged(t, s, slog.New(slog.DiscardHandler))
}

func launchLogged(t *testing.T, s config.Settings, log *slog.Logger) *process {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	parts, err := assemble(ctx, s, Options{Log: log, Version: "test"})
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	p := &process{t: t, addr: l.Addr().String(), stop: cancel, stopped: make(chan error, 1)}
	go func() {
		defer parts.store.Close()
		p.stopped <- parts.run(ctx, []front{{"listen", l, parts.handler}})
		close(p.stopped)
	}()
	t.Cleanup(func() {
		cancel()
		<-p.stopped
	})
	return p
}

// settings are those of a process on an empty database, and the address of
// that database.
func settings(t *testing.T) (config.Settings, string) {
	t.Helper()
	s := config.Settings{
		Listen: "127.0.0.1:0", Data: t.TempDir(), Cache: pdftest.CacheDir(), KnowledgeMemory: 64, StopTimeout: time.Minute,
		// On a busy machine a question may take longer than the 1.5 s of the product.
		DatabaseTimeout: time.Minute,
	}
	if storetest.IsPostgres() {
		s.Database = frontdesk.Secret(storetest.URL(t))
		return s, s.Database.Reveal()
	}
	storetest.WriteSQLite(t, s.DatabaseFile())
	return s, s.DatabaseFile()
}

// reply is an answer, read whole.
type reply struct {
	status int
	header http.Header
	body   string
	err    error
}

func (r reply) String() string { return fmt.Sprintf("%d %.300s %v", r.status, r.body, r.err) }

func (r reply) code() string {
	var e struct{ Error struct{ Code string } }
	json.Unmarshal([]byte(r.body), &e)
	return e.Error.Code
}

// ask sends a request that must be answered within a time.
func (p *process) ask(within time.Duration, operation, key, body string) reply {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	method, path, _ := strings.Cut(operation, " ")
	req, err := http.NewRequestWithContext(ctx, method, "http://"+p.addr+path, strings.NewReader(body))
	if err != nil {
		return reply{err: err}
	}
	req.Header.Set("Content-Type", "text/plain") // of a document; JSON is read whatever it is called
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return reply{err: err}
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return reply{res.StatusCode, res.Header, string(text), err}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// eventually waits for something that must come by itself, asking as often as
// it can.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-ctx.Done():
			t.Fatalf("this did not come about: %s", what)
		case <-tick.C:
		}
	}
}

const patience = 30 * time.Second

func TestWhatStandsOutsideTheAPI(t *testing.T) {
	t.Parallel()
	s, _ := settings(t)
	p := launch(t, s)
	for operation, want := range map[string]struct {
		status int
		has    string
	}{
		"GET /":            {200, "/v1/openapi.json"},
		"GET /healthz":     {200, "ok"},
		"HEAD /healthz":    {200, ""},
		"GET /readyz":      {200, "ready"},
		"GET /metrics":     {200, "frontdesk_notices_oldest_due_seconds{channel=\"email\"} 0\n"},
		"POST /healthz":    {405, ""},
		"GET /nothing":     {404, `"route_not_found"`},
		"GET /v1/nothing":  {404, `"route_not_found"`},
		"GET /healthz/":    {404, `"route_not_found"`},
		"GET //healthz":    {404, `"route_not_found"`},
		"GET /v1/whoami":   {401, `"api_key_missing"`},
		"GET /v1/llms.txt": {200, "Authorization: Bearer"},
	} {
		if got := p.ask(patience, operation, "", ""); got.status != want.status || !strings.Contains(got.body, want.has) {
			t.Errorf("%s: %s", operation, got)
		}
	}
}

// TestStopFinishesWhatRuns stops a process in the middle of a request: that one
// is finished, new ones are not taken.
func TestStopFinishesWhatRuns(t *testing.T) {
	t.Parallel()
	s, url := settings(t)
	p := launch(t, s)
	live, _ := seed(t, storetest.Open(t, url))
	c, err := net.Dial("tcp", p.addr)
	must(t, err)
	defer c.Close()
	must(t, c.SetDeadline(time.Now().Add(patience)))
	in := bufio.NewReader(c)
	const body = `{"policy":"finished"}`
	_, err = fmt.Fprintf(c, "PATCH /v1/agents/desk HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", live, len(body))
	must(t, err)
	// The server asks for the body only when the handler reads it.
	if line, err := in.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("%q %v", line, err)
	}
	in.ReadString('\n')
	p.stop()
	eventually(t, "new connections are refused", func() bool {
		c, err := net.Dial("tcp", p.addr)
		if err == nil {
			c.Close()
		}
		return err != nil
	})
	select {
	case err := <-p.stopped:
		t.Fatalf("it stopped in the middle of a request: %v", err)
	default:
	}
	_, err = io.WriteString(c, body)
	must(t, err)
	res, err := http.ReadResponse(in, nil)
	must(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != 200 || !strings.Contains(string(text), "finished") {
		t.Errorf("%d %s %v", res.StatusCode, text, err)
	}
	select {
	case err := <-p.stopped:
		must(t, err)
	case <-time.After(patience):
		t.Fatal("it does not stop")
	}
	// What was in memory only is written: when the key was used, and the request.
	again := storetest.Open(t, url)
	tenant, err := again.TenantBySlug(context.Background(), "alfa")
	must(t, err)
	keys, err := again.Keys(context.Background(), tenant.ID)
	must(t, err)
	if len(keys) != 1 || keys[0].LastUsedAt.IsZero() {
		t.Errorf("the use of the key was not written: %+v", keys)
	}
	requests, err := again.Requests(context.Background(), frontdesk.Owner{TenantID: tenant.ID, Live: true}, frontdesk.RequestFilter{}, frontdesk.Page{})
	if err != nil || len(requests.Items) != 1 || requests.Items[0].RequestID != res.Header.Get("X-Request-Id") {
		t.Errorf("the request was not kept: %+v, %v", requests, err)
	}
}

// TestStopCutsOffWhatDoesNotEnd: a request that never ends does not hold a
// process for ever.
func TestStopCutsOffWhatDoesNotEnd(t *testing.T) {
	t.Parallel()
	s, url := settings(t)
	s.StopTimeout = 4 * time.Second
	p := launch(t, s)
	live, _ := seed(t, storetest.Open(t, url))
	c, err := net.Dial("tcp", p.addr)
	must(t, err)
	defer c.Close()
	must(t, c.SetDeadline(time.Now().Add(patience)))
	_, err = fmt.Fprintf(c, "PATCH /v1/agents/desk HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n", live)
	must(t, err)
	if _, err := bufio.NewReader(c).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	p.stop()
	select {
	case err := <-p.stopped:
		must(t, err)
	case <-time.After(patience):
		t.Fatal("it does not stop")
	}
}

// through is the address of a database behind a proxy.
func through(t *testing.T, database, proxy string) string {
	t.Helper()
	u, err := url.Parse(database)
	must(t, err)
	u.Host = proxy
	return u.String()
}
