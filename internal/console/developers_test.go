package console

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/pem"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/webhook"
	"frontdesk.dev/frontdesk/signature"
)

// workshop is an office with connections, a receiver for them, and a log that is
// kept.
type workshop struct {
	*office
	receiver *httptest.Server
	status   atomic.Int64
	log      lockedBuffer

	mu   sync.Mutex
	got  http.Header
	body []byte
}

type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.Write(p)
}

func (l *lockedBuffer) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.String()
}

func newWorkshop(t *testing.T) *workshop {
	t.Helper()
	w := &workshop{}
	w.status.Store(http.StatusOK)
	w.receiver = httptest.NewTLSServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.mu.Lock()
		defer w.mu.Unlock()
		w.got, w.body = r.Header, body
		rw.WriteHeader(int(w.status.Load()))
	}))
	t.Cleanup(w.receiver.Close)
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: w.receiver.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	guard, err := egress.New(egress.Options{Allow: []string{w.receiver.URL}, CAFile: file})
	if err != nil {
		t.Fatal(err)
	}
	var key [32]byte
	rand.Read(key[:])
	box, err := seal.New(frontdesk.Secret(base64.StdEncoding.EncodeToString(key[:])))
	if err != nil {
		t.Fatal(err)
	}
	w.office = newOffice(t, func(o *Options) {
		o.Log = slog.New(slog.NewJSONHandler(&w.log, nil))
		o.Webhooks = webhook.New(o.Store, box, guard, webhook.NewSender(guard, box, o.Now, o.Log, nil), o.Now)
	})
	return w
}

var (
	formField = regexp.MustCompile(`name="form" value="([^"]+)"`)
	keyText   = regexp.MustCompile(`svc_(live|test)_[0-9A-Za-z]{38}`)
	signing   = regexp.MustCompile(`whsec_[0-9A-Za-z+/]{43}=`)
	keyLink   = regexp.MustCompile(`developers/keys/([0-9a-f-]{36})`)
	linkOf    = regexp.MustCompile(`developers/connections/([0-9a-f-]{36})`)
	delivered = regexp.MustCompile(`developers/deliveries/([0-9a-f-]{36})`)
)

// formOn is the form that a page has.
func formOn(t *testing.T, page string) string {
	t.Helper()
	return found(t, formField, page)
}

// found is what a pattern finds in a page: its group, if it has one.
func found(t *testing.T, pattern *regexp.Regexp, page string) string {
	t.Helper()
	m := pattern.FindStringSubmatch(strings.ReplaceAll(page, "&#43;", "+"))
	if m == nil {
		t.Fatalf("no %s in %s", pattern, page)
	}
	return m[len(m)-1]
}

func secretIn(t *testing.T, pattern *regexp.Regexp, page string) string {
	t.Helper()
	secret := pattern.FindString(strings.ReplaceAll(page, "&#43;", "+"))
	if secret == "" {
		t.Fatalf("no secret in %s", page)
	}
	return secret
}

func TestAKeyIsShownOnce(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	b := w.enter(frontdesk.RoleOwner)
	holds(t, b.open("developers"), "There is no key yet", "keys that begin with svc_live_")
	form := url.Values{"form": {formOn(t, b.open("developers/keys/new"))}, "name": {"Till"}, "scopes": {"calls:read", "agents:write"}, "expires": {"month"}}
	made := b.post(b.at("developers/keys"), form)
	if made.status != http.StatusOK || made.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %s", made.status, made.header)
	}
	secret := secretIn(t, keyText, made.body)
	if strings.Contains(strings.Join(made.header.Values("Set-Cookie"), " "), secret) || made.location != "" {
		t.Errorf("the secret is in %v", made.header)
	}
	who, err := account.NewKeys(w.store, w.Now).Authenticate(context.Background(), secret, true)
	if err != nil || who.Tenant.ID != w.tenant.ID || !who.Key.Live || !slices.Equal(who.Key.Scopes, []string{"agents:write", "calls:read"}) ||
		!who.Key.ExpiresAt.Equal(w.Now().Add(30*24*time.Hour)) {
		t.Errorf("it is %+v, %v", who, err)
	}

	again := b.post(b.at("developers/keys"), form) // as a browser does that loads the page anew
	if again.status != http.StatusConflict || keyText.MatchString(again.body) {
		t.Errorf("sent again: %d %s", again.status, again.body)
	}
	list := b.open("developers")
	holds(t, list, "Till", "2 scopes", "Never used", "Active", "!"+secret)
	if n := strings.Count(list, `href="developers/keys/`); n != 1+1 { // and the button
		t.Errorf("there are %d keys", n-1)
	}
	one := b.open("developers/keys/" + found(t, keyLink, list))
	holds(t, one, "Change hours, services, menu", "calls:read", "!"+secret, "Replace it by another")
	if strings.Contains(w.log.text(), secret) || !strings.Contains(w.log.text(), "developers/keys") {
		t.Errorf("the log is %s", w.log.text())
	}
	if got := b.get("/console/test/desk/developers"); strings.Contains(got.body, "Till") || !strings.Contains(got.body, "Test keys") {
		t.Errorf("test mode shows %s", got.body)
	}
}

func TestWrongKeysAreRefusedAtTheField(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	b := w.enter(frontdesk.RoleOwner)
	const at = "/console/test/desk/developers/keys"
	for name, s := range map[string]struct {
		form url.Values
		want string
	}{
		"no scopes":        {url.Values{"expires": {"never"}}, "Choose at least one scope."},
		"a scope of live":  {url.Values{"expires": {"never"}, "scopes": {"agents:write"}}, "Choose at least one scope."},
		"no such lifetime": {url.Values{"expires": {"soon"}, "scopes": {"calls:read"}}, "Choose when it expires."},
	} {
		s.form.Set("form", string(frontdesk.NewID(w.Now())))
		s.form.Set("name", "Kept “name”")
		got := b.post(at, s.form)
		if got.status != http.StatusBadRequest || !strings.Contains(got.body, s.want) || !strings.Contains(got.body, "Kept “name”") || keyText.MatchString(got.body) {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	if got := b.post(at, url.Values{"scopes": {"calls:read"}, "expires": {"never"}}); got.status != http.StatusBadRequest {
		t.Errorf("without a form: %d", got.status)
	}
	if keys, err := w.store.Keys(context.Background(), w.tenant.ID); err != nil || len(keys) != 0 {
		t.Errorf("there are %v, %v", keys, err)
	}
	holds(t, b.get(at+"/new").body, "New test key", "calls:read", "!agents:write")
}

func TestKeysAreReplacedAndRevoked(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	b := w.enter(frontdesk.RoleOwner)
	b.language = "es"
	keys := account.NewKeys(w.store, w.Now)
	make := func(tenant frontdesk.Tenant, live bool) frontdesk.Key {
		k, _, err := keys.Create(context.Background(), account.NewKey{Tenant: tenant, Live: live, Scopes: []string{"all"}})
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	other := make(storetest.Tenant(t, w.store, "pepe"), true)
	sandbox, mine := make(w.tenant, false), make(w.tenant, true)
	for _, strange := range []frontdesk.Key{other, sandbox} {
		address := b.at("developers/keys/" + string(strange.ID))
		grace := url.Values{"grace": {"none"}, "form": {string(frontdesk.NewID(w.Now()))}}
		for _, got := range []shown{b.get(address), b.post(address+"/rotate", grace), b.post(address+"/revoke", nil)} {
			if got.status != http.StatusNotFound {
				t.Errorf("%s: %d", address, got.status)
			}
		}
		if k, err := w.store.Key(context.Background(), strange.ID); err != nil || !k.RevokedAt.IsZero() {
			t.Errorf("it is %+v, %v", k, err)
		}
	}

	address := b.at("developers/keys/" + string(mine.ID))
	page := b.get(address).body
	holds(t, page, "Sin nombre", "Activa", "Nunca")
	form := url.Values{"grace": {"day"}, "form": {formOn(t, page)}}
	if got := b.post(address+"/rotate", url.Values{"grace": {"ever"}, "form": form["form"]}); got.status != http.StatusBadRequest {
		t.Errorf("a grace that does not exist: %d", got.status)
	}
	got := b.post(address+"/rotate", form)
	secret := secretIn(t, keyText, got.body)
	holds(t, got.body, "Lo anterior vale hasta: mañana, 10:00.", "no se vuelve a mostrar")
	if again := b.post(address+"/rotate", form); again.status != http.StatusConflict || keyText.MatchString(again.body) {
		t.Errorf("sent again: %d", again.status)
	}
	holds(t, b.get(address).body, "Terminando", "Termina")
	next, err := keys.Authenticate(context.Background(), secret, true)
	if err != nil {
		t.Fatal(err)
	}
	w.Forward(25 * time.Hour)
	holds(t, b.get(address).body, "Anulada", "Terminó", "!Cambiarla por otra")
	late := url.Values{"grace": {"none"}, "form": {string(frontdesk.NewID(w.Now()))}}
	if got := b.post(address+"/rotate", late); got.status != http.StatusSeeOther {
		t.Errorf("a key that has ended: %d", got.status)
	}
	holds(t, b.get(address).body, "Esta clave ya no vale")

	holds(t, b.send("developers/keys/"+string(next.Key.ID)+"/revoke", nil), "La clave está anulada.")
	if _, err := keys.Authenticate(context.Background(), secret, true); err == nil {
		t.Error("it works on")
	}
	entries, err := w.store.Audit(context.Background(), w.owner(), frontdesk.AuditFilter{}, frontdesk.Page{})
	if err != nil || len(entries.Items) == 0 || entries.Items[0].By.Kind != frontdesk.ByPerson {
		t.Errorf("the audit log has %+v, %v", entries, err)
	}
}

func TestAConnectionsLife(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	b := w.enter(frontdesk.RoleDeveloper)
	holds(t, b.open("developers/connections"), "There is none yet")
	form := url.Values{
		"form": {formOn(t, b.open("developers/connections/new"))}, "name": {"CRM"}, "url": {w.receiver.URL + "/hook"},
		"events": {frontdesk.CallCompleted, frontdesk.CaptureUpdated},
	}
	made := b.post(b.at("developers/connections"), form)
	secret := secretIn(t, signing, made.body)
	if again := b.post(b.at("developers/connections"), form); again.status != http.StatusConflict || signing.MatchString(again.body) {
		t.Errorf("sent again: %d", again.status)
	}
	list := b.open("developers/connections")
	holds(t, list, "CRM", "Not used yet", "!"+secret)
	id := found(t, linkOf, list)
	at := "developers/connections/" + id
	holds(t, b.open(at), "call.completed", "capture.updated", secret[:10], "!"+secret, "Nothing has been sent yet")
	if got := b.get("/console/test/desk/" + at); got.status != http.StatusNotFound {
		t.Errorf("in test mode: %d", got.status)
	}
	stranger := w.enterAt(w.other(), frontdesk.RoleOwner)
	for _, action := range []string{"", "/enable", "/disable", "/test", "/rotate", "/delete"} {
		if got := stranger.post("/console/live/-/"+at+action, nil); got.status != http.StatusNotFound {
			t.Errorf("another tenant's %s: %d", action, got.status)
		}
	}

	holds(t, b.send(at+"/test", nil), "The test arrived: HTTP 200")
	w.mu.Lock()
	if err := signature.Verify(secret, w.got, w.body, w.Now()); err != nil {
		t.Error(err)
	}
	w.mu.Unlock()
	holds(t, b.open("developers/connections"), "Works")

	// Changed, and back.
	page := b.send(at, url.Values{"name": {"Other"}, "url": {w.receiver.URL + "/new"}, "events": {frontdesk.CaptureCreated}})
	holds(t, page, "Saved.", "Other", "<code>capture.created", "!<code>call.completed", `name="events" value="capture.updated"`)
	holds(t, b.send(at, url.Values{"name": {"CRM"}, "url": {w.receiver.URL + "/hook"}, "events": {frontdesk.CallCompleted, frontdesk.CaptureUpdated}}),
		"<h1>CRM</h1>", "capture.updated")
	for want, wrong := range map[string]url.Values{
		"Give it a name":                              {"name": {" "}, "url": {"https://a.example.com"}, "events": {frontdesk.CallCompleted}},
		"begins with https://":                        {"name": {"a"}, "url": {"http://a.example.com"}, "events": {frontdesk.CallCompleted}},
		"cannot be reached from the internet":         {"name": {"a"}, "url": {"https://10.0.0.1/"}, "events": {frontdesk.CallCompleted}},
		"at least new appointments or completed call": {"name": {"a"}, "url": {"https://a.example.com"}, "events": {frontdesk.CaptureUpdated}},
	} {
		for _, address := range []string{at, "developers/connections"} {
			wrong.Set("form", string(frontdesk.NewID(w.Now())))
			if got := b.post(b.at(address), wrong); got.status != http.StatusBadRequest || !strings.Contains(got.body, want) || !strings.Contains(got.body, wrong.Get("url")) {
				t.Errorf("%s at %s: %d %s", want, address, got.status, got.body)
			}
		}
	}

	holds(t, b.send(at+"/disable", nil), "The connection is off.", "You have turned it off.", `action="`+at+`/enable"><button>Undo`)
	holds(t, b.send(at+"/enable", nil), "The connection is told again.", "!You have turned it off.")

	form = url.Values{"form": {formOn(t, b.open(at))}, "grace": {"hour"}}
	rotated := b.post(b.at(at+"/rotate"), form)
	if next := secretIn(t, signing, rotated.body); next == secret {
		t.Error("the secret is the old one")
	}
	holds(t, b.open(at), "The one before works until: today, 11 am.", "!"+secret)
	if again := b.post(b.at(at+"/rotate"), form); again.status != http.StatusConflict || signing.MatchString(again.body) {
		t.Errorf("sent again: %d", again.status)
	}
	if strings.Contains(w.log.text(), "whsec_") {
		t.Errorf("the log is %s", w.log.text())
	}
	holds(t, b.send(at+"/delete", nil), "Deleted: CRM", "There is none yet")
}

// other is another tenant.
func (w *workshop) other() frontdesk.Tenant { return storetest.Tenant(w.t, w.store, "pepe") }

func TestDeliveriesAreLookedAtAndRepeated(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	b := w.enter(frontdesk.RoleDeveloper)
	form := url.Values{"form": {string(frontdesk.NewID(w.Now()))}, "name": {"CRM"}, "url": {w.receiver.URL}, "events": {frontdesk.CallCompleted}}
	made := b.post(b.at("developers/connections"), form)
	at := "developers/connections/" + found(t, linkOf, made.body)
	w.status.Store(http.StatusBadGateway)
	holds(t, b.send(at+"/test", nil), "The test did not arrive. The receiver answered 502.", "Given up", "Fails")
	holds(t, b.open(at+"?status=dead"), "HTTP 502", "1 attempt")
	holds(t, b.open(at+"?status=delivered"), "There are none like that.")
	holds(t, b.open(at+"?status=nonsense"), "HTTP 502")

	address := "developers/deliveries/" + found(t, delivered, b.open(at))
	holds(t, b.open(address), "The receiver answered 502", "http_5xx", "webhook-signature: v1,(signature of each attempt)", "&#34;type&#34;: &#34;connection.test&#34;", "Send again")
	if got := w.enterAt(w.other(), frontdesk.RoleOwner).get("/console/live/-/" + address); got.status != http.StatusNotFound {
		t.Errorf("another tenant: %d", got.status)
	}
	w.status.Store(http.StatusMovedPermanently)
	holds(t, b.send(address+"/retry", nil), "It did not arrive. The receiver answered 301")
	w.status.Store(http.StatusNoContent)
	b.send(at+"/disable", nil)
	holds(t, b.open(address), "turn the connection on first", "!Send again")
	holds(t, b.send(address+"/retry", nil), "The connection is off. Turn it on first.")
	b.send(at+"/enable", nil)
	b.post(b.at(at+"/rotate"), url.Values{"form": {string(frontdesk.NewID(w.Now()))}, "grace": {"week"}})
	holds(t, b.send(address+"/retry", nil), "It arrived: HTTP 204", "v1,(signature of each attempt) v1,", "!Send again")
	holds(t, b.send(address+"/retry", nil), "cannot be repeated")
	w.status.Store(http.StatusGone)
	holds(t, b.send(at+"/test", nil), "it wants no more deliveries", "It was turned off by itself.")
	b.language = "es"
	holds(t, b.open(at), "Se ha parado sola.", "Sin entregar", "Entregado")
	holds(t, b.open(address), "Entregado", "Cómo se comprueba la firma")
	for range 12 {
		b.post(b.at(at+"/test"), nil)
	}
	holds(t, b.open(at), "Espera un minuto") // too many tests
}

func TestEventsAreListedAndRead(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	b := w.enter(frontdesk.RoleDeveloper)
	holds(t, b.open("developers/events"), "Nothing has happened yet")
	live, sandbox := w.owner(), frontdesk.Owner{TenantID: w.tenant.ID}
	events := make([]frontdesk.Event, 0, mostRows+3)
	for i := range mostRows + 2 {
		made := w.Now().Add(time.Duration(i) * time.Second)
		events = append(events, frontdesk.Event{ID: frontdesk.NewID(made), Type: frontdesk.CallCompleted, AgentID: w.agent.ID, Live: true, Body: []byte(`{"n":[1]}`), CreatedAt: made})
	}
	one := frontdesk.NewID(w.Now().Add(-time.Hour))
	events = append(events, frontdesk.Event{ID: one, Type: frontdesk.CaptureCreated, AgentID: w.agent.ID, Live: true, Body: []byte(`{"name":"<b>Ana"}`), CreatedAt: w.Now()})
	if err := w.store.Emit(context.Background(), live, events...); err != nil {
		t.Fatal(err)
	}
	first := b.open("developers/events?type=call.completed")
	if n := strings.Count(first, `href="developers/events/`); n != mostRows {
		t.Errorf("%d are shown", n)
	}
	older := regexp.MustCompile(`href="(developers/events\?after=[^"]+)"`).FindStringSubmatch(first)
	if older == nil || !strings.Contains(older[1], "type=call.completed") {
		t.Fatalf("no older ones in %s", first)
	}
	if n := strings.Count(b.open(strings.ReplaceAll(older[1], "&amp;", "&")), `href="developers/events/`); n != 2 {
		t.Errorf("then %d are shown", n)
	}
	holds(t, b.open("developers/events?type=capture.created"), "New appointment or message", "!Call completed")
	holds(t, b.open("developers/events?type=capture.updated"), "There are none like that.")
	holds(t, b.open("developers/events/"+string(one)), "capture.created", "&#34;name&#34;: &#34;&lt;b&gt;Ana&#34;")
	if got := b.get("/console/test/desk/developers/events/" + string(one)); got.status != http.StatusNotFound {
		t.Errorf("in test mode: %d", got.status)
	}
	if got := b.get(b.at("developers/events?after=nothing")); got.status != http.StatusBadRequest {
		t.Errorf("after nothing: %d", got.status)
	}
	if list, err := w.store.Events(context.Background(), sandbox, frontdesk.EventFilter{}, frontdesk.Page{}); err != nil || len(list.Items) != 0 {
		t.Errorf("test mode has %v, %v", list, err)
	}
}

func TestTheQuickStart(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	holds(t, b.open("developers/start"), `FRONTDESK_URL="`+o.server.URL+`/v1`, "svc_live_…", `href="/v1/openapi.json"`, `href="/v1/llms.txt"`, "X-Request-Id: order-1042")
	b.language = "es"
	holds(t, b.get("/console/test/desk/developers/start").body, "svc_test_…", `href="developers/requests">Ver las peticiones`, "!svc_live_")
	at := newOffice(t, func(options *Options) { options.PublicURL = "https://desk.example.com/" })
	holds(t, at.enter(frontdesk.RoleDeveloper).open("developers/start"), "https://desk.example.com/v1")
}
