package phone_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/carrier"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/phone"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

var ctx = context.Background()

// day is a Monday on which the business is open.
var day = time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)

const public = "https://desk.example.com"

// The numbers that are called, one of each carrier, and who calls.
const (
	twilioNumber = "+34910000001"
	telnyxNumber = "+34910000002"
	sipNumber    = "+34910000003"
	caller       = "+34612345678"
	person       = "+34600111222"
	authToken    = "0123456789abcdef0123456789abcdef"
)

// house is a business with two numbers, on one node.
type house struct {
	testing.TB
	url    string // of the database
	store  *store.Store
	box    *seal.Box
	owner  frontdesk.Owner
	tenant frontdesk.Tenant
	agent  frontdesk.Agent
	key    ed25519.PrivateKey
	began  time.Time // of the test: the clock goes on from day
}

func newHouse(t testing.TB, changes ...func(*frontdesk.Agent)) *house {
	t.Helper()
	h := &house{TB: t, url: storetest.URL(t), began: time.Now()}
	h.store = storetest.Open(t, h.url)
	h.box, _ = seal.New(frontdesk.Secret(base64.StdEncoding.EncodeToString(make([]byte, 32))))
	h.tenant = storetest.Tenant(t, h.store, "lola")
	h.owner = frontdesk.Owner{TenantID: h.tenant.ID, Live: true}
	h.agent = frontdesk.Agent{
		ID: frontdesk.NewID(day), TenantID: h.tenant.ID, Slug: "desk", Vertical: "clinic", DisplayName: "Clínica Lola",
		Status: frontdesk.AgentActive, Languages: []string{"es", "en"}, Timezone: "Europe/Madrid", CreatedAt: day, UpdatedAt: day,
		Config: frontdesk.AgentConfig{
			Business: frontdesk.Business{Name: "Clínica Lola", Phone: "+34 912 345 678"},
			Services: json.RawMessage(`[{"id":"checkup","name":"Revisión","name_en":"Check-up","duration_minutes":30,"price":30}]`),
		},
	}
	h.agent.Settings.TransferNumber = person
	for _, change := range changes {
		change(&h.agent)
	}
	must(t, h.store.CreateAgent(ctx, frontdesk.Actor{}, h.agent))
	public, key, err := ed25519.GenerateKey(nil)
	must(t, err)
	h.key = key
	numbers := account.NewNumbers(h.store, h.box, h.now)
	for _, in := range []account.NumberInput{
		{Number: twilioNumber, AgentSlug: "desk", Carrier: frontdesk.Twilio, Secret: authToken},
		{Number: sipNumber, AgentSlug: "desk", Carrier: frontdesk.SIP},
		{Number: telnyxNumber, AgentSlug: "desk", Carrier: frontdesk.Telnyx, Secret: frontdesk.Secret(base64.StdEncoding.EncodeToString(public))},
	} {
		_, err := numbers.Add(ctx, h.owner, in)
		must(t, err)
	}
	return h
}

// now is a clock that goes on from a Monday morning.
func (h *house) now() time.Time { return day.Add(time.Since(h.began)) }

// node is a server on the house's database.
type node struct {
	*house
	sessions *reception.Sessions
	phone    *phone.Phone
	server   *httptest.Server
}

func (h *house) node() *node {
	h.Helper()
	s := storetest.Open(h, h.url)
	n := &node{house: h, sessions: reception.NewSessions(reception.SessionOptions{Store: s, Box: h.box, Now: h.now})}
	n.phone = phone.New(phone.Options{
		Sessions: n.sessions, Store: s, Numbers: account.NewNumbers(s, h.box, h.now), PublicURL: public, Box: h.box,
		Now: h.now, Log: slog.New(slog.DiscardHandler),
	})
	n.server = httptest.NewServer(n.phone.Handler())
	h.Cleanup(n.server.Close)
	return n
}

// options are a caller's.
func (n *node) options(habits carrier.Habits) carrier.Options {
	o := carrier.Options{Habits: habits, Server: n.server.URL, Public: public, Number: twilioNumber, From: caller, Secret: authToken, Now: n.now}
	if habits == carrier.Telnyx {
		o.Number, o.Secret = telnyxNumber, base64.StdEncoding.EncodeToString(n.key)
	}
	return o
}

// line is a call in a test.
type line struct {
	*carrier.Call
	n    *node
	last carrier.Said
}

func (n *node) dial(habits carrier.Habits, changes ...func(*carrier.Options)) *line {
	n.Helper()
	o := n.options(habits)
	for _, change := range changes {
		change(&o)
	}
	call, err := carrier.Dial(ctx, o)
	must(n, err)
	return &line{Call: call, n: n}
}

// hear is what the receptionist says next.
func (l *line) hear(cut ...int) carrier.Said {
	l.n.Helper()
	within, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	said, err := l.Hear(within, cut...)
	if err != nil {
		l.n.Fatalf("after %q: %v", l.last.Text, err)
	}
	l.last = said
	return said
}

// say says something, in pieces, and hears the answer.
func (l *line) say(pieces ...string) carrier.Said {
	l.n.Helper()
	must(l.n, l.Prompt(ctx, pieces...))
	return l.hear()
}

// leaves hears on until the receptionist has hung up or put the caller through.
func (l *line) leaves() {
	l.n.Helper()
	if text := l.last.Text; !l.last.Ended && l.last.Dialed == "" {
		l.hear()
		l.last.Text = text + l.last.Text
	}
}

func (l *line) wants(part string) {
	l.n.Helper()
	if !strings.Contains(l.last.Text, part) {
		l.n.Errorf("it says %q, want %q in it", l.last.Text, part)
	}
}

// call is the call in the books, once it is over.
func (h *house) calls() []frontdesk.Call {
	h.Helper()
	l, err := h.store.Calls(ctx, h.owner, frontdesk.CallFilter{}, frontdesk.Page{Limit: 100})
	must(h, err)
	return l.Items
}

func (h *house) captures() []frontdesk.Capture {
	h.Helper()
	l, err := h.store.Captures(ctx, h.owner, frontdesk.CaptureFilter{}, frontdesk.Page{Limit: 100})
	must(h, err)
	return l.Items
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var both = []carrier.Habits{carrier.Twilio, carrier.Telnyx}
