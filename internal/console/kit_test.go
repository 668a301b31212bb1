package console

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/blob/blobtest"
	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/document"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/pdf/pdftest"
	"frontdesk.dev/frontdesk/internal/privacy"
	"frontdesk.dev/frontdesk/internal/service/servicetest"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// office is a business with a console, and everything that is real about it but
// the clock.
type office struct {
	*servicetest.Clock
	t      *testing.T
	store  *store.Store
	people *account.People
	tenant frontdesk.Tenant
	agent  frontdesk.Agent
	worker *knowledge.Worker // reads documents when it is told to
	server *httptest.Server

	console *Console
}

// monday is a morning on which the business is open.
var monday = time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)

func newOffice(t *testing.T, settings ...func(*Options)) *office {
	t.Helper()
	o := &office{t: t, store: storetest.New(t), Clock: servicetest.NewClock(monday)}
	o.tenant = storetest.Tenant(t, o.store, "lola")
	o.agent = o.hire(o.tenant, "desk")
	o.people = account.NewPeople(o.store, o.Now)
	options := Options{
		Store: o.store, People: o.people, Keys: account.NewKeys(o.store, o.Now), Now: o.Now, Log: slog.New(slog.DiscardHandler),
	}
	options.Privacy = privacy.New(privacy.Options{Store: o.store, Log: options.Log, Now: o.Now})
	blobs := blobtest.New(t)
	options.Library = knowledge.NewLibrary(o.store, blobs, o.Now, options.Log)
	options.Shelves = knowledge.NewShelves(o.store, nil, o.Now, options.Log, 0)
	o.worker = knowledge.NewWorker(o.store, blobs, document.NewReader(pdftest.Reader()), nil, o.Now, options.Log)
	for _, set := range settings {
		set(&options)
	}
	c, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	o.console = c
	o.server = httptest.NewServer(c.Handler())
	t.Cleanup(o.server.Close)
	return o
}

// hire gives a tenant a receptionist for a house that is open from Monday to
// Saturday.
func (o *office) hire(tenant frontdesk.Tenant, slug string) frontdesk.Agent {
	o.t.Helper()
	hours := frontdesk.Hours{}
	for day := range 6 {
		hours[day] = frontdesk.Shift{Open: 9, Close: 20}
	}
	agent := frontdesk.Agent{
		ID: frontdesk.NewID(monday), TenantID: tenant.ID, Slug: slug, Vertical: "salon", DisplayName: "Casa " + slug,
		Status: frontdesk.AgentActive, Languages: []string{"es", "en"}, Timezone: "Europe/Madrid", CreatedAt: monday, UpdatedAt: monday,
		Config: frontdesk.AgentConfig{
			Hours:    &hours,
			Services: []byte(`[{"id":"cut","name":"Corte","name_en":"Haircut","duration_minutes":30,"price":20},{"id":"colour","name":"Color","duration_minutes":90,"price":55}]`),
		},
	}
	if err := o.store.CreateAgent(context.Background(), frontdesk.Actor{}, agent); err != nil {
		o.t.Fatal(err)
	}
	return agent
}

// browser is one in which somebody has entered, or nobody.
type browser struct {
	o        *office
	client   *http.Client
	language string
}

// browse opens a browser in which nobody has entered.
func (o *office) browse() *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		o.t.Fatal(err)
	}
	// With connections of its own: those of all tests are closed when any server is.
	client := &http.Client{Transport: o.server.Client().Transport, Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &browser{o, client, "en"}
}

// enter opens a browser in which a person of the office's tenant with a role has
// entered.
func (o *office) enter(role frontdesk.Role) *browser { return o.enterAt(o.tenant, role) }

func (o *office) enterAt(tenant frontdesk.Tenant, role frontdesk.Role) *browser {
	o.t.Helper()
	ctx := context.Background()
	var token frontdesk.Secret
	var err error
	if role == frontdesk.RoleOperator {
		var operator frontdesk.Person
		if operator, err = o.people.Operator(ctx); err == nil {
			token, err = o.people.Link(ctx, operator, frontdesk.LinkPrinted)
		}
	} else {
		_, token, err = o.people.Invite(ctx, frontdesk.Owner{TenantID: tenant.ID, Live: true}, account.NewPerson{
			Name: "Eva " + string(role), Email: string(role) + strings.ToLower(string(frontdesk.NewID(o.Now())))[24:] + "@example.com", Role: role,
		})
	}
	if err != nil {
		o.t.Fatal(err)
	}
	b := o.browse()
	if got := b.post("/console/enter/"+token.Reveal(), nil); got.status != http.StatusSeeOther {
		o.t.Fatalf("entering: %d %s", got.status, got.body)
	}
	return b
}

// shown is what came back.
type shown struct {
	status   int
	location string
	header   http.Header
	body     string
}

func (b *browser) do(r *http.Request) shown {
	b.o.t.Helper()
	r.Header.Set("Accept-Language", b.language)
	answer, err := b.client.Do(r)
	if err != nil {
		b.o.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		b.o.t.Fatal(err)
	}
	return shown{answer.StatusCode, answer.Header.Get("Location"), answer.Header, string(body)}
}

func (b *browser) request(method, path string, body io.Reader) *http.Request {
	b.o.t.Helper()
	r, err := http.NewRequest(method, b.o.server.URL+path, body)
	if err != nil {
		b.o.t.Fatal(err)
	}
	return r
}

// get opens an address as it is.
func (b *browser) get(path string) shown {
	b.o.t.Helper()
	return b.do(b.request(http.MethodGet, path, nil))
}

// open opens a page of the office's live place that must be there.
func (b *browser) open(path string) string {
	b.o.t.Helper()
	got := b.get(b.at(path))
	if got.status != http.StatusOK {
		b.o.t.Fatalf("%s: %d %s %s", path, got.status, got.location, got.body)
	}
	return got.body
}

// at is an address in the office's live place.
func (b *browser) at(path string) string { return "/console/live/" + b.o.agent.Slug + "/" + path }

// post sends a form.
func (b *browser) post(path string, form url.Values) shown {
	b.o.t.Helper()
	r := b.request(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return b.do(r)
}

// send posts a form of the office's live place, and returns the page that the
// browser is sent to.
func (b *browser) send(path string, form url.Values) string {
	b.o.t.Helper()
	got := b.post(b.at(path), form)
	if got.status != http.StatusSeeOther {
		b.o.t.Fatalf("%s: %d %s", path, got.status, got.body)
	}
	page := b.get(got.location)
	if page.status != http.StatusOK {
		b.o.t.Fatalf("%s after %s: %d", got.location, path, page.status)
	}
	return page.body
}

// owner is whose rows the office's live place shows.
func (o *office) owner() frontdesk.Owner { return frontdesk.Owner{TenantID: o.tenant.ID, Live: true} }

// book writes an appointment into the live book of the office's agent.
func (o *office) book(at frontdesk.LocalTime, status frontdesk.CaptureStatus) frontdesk.Capture {
	o.t.Helper()
	who := calendar.Caller{Tenant: o.tenant, Agent: o.agent, Services: catalogue.Read(o.agent).Services, Live: true, Channel: frontdesk.Web}
	capture, err := calendar.New(o.store, nil).Enter(context.Background(), who, calendar.Entry{
		ScheduledAt: at, ServiceID: "cut", Name: "Ana Ruiz", Phone: "+34600111222", Status: status, Source: frontdesk.FromAPI, Now: o.Now(),
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return capture
}

// rival is another tenant of the same server.
func (o *office) rival() frontdesk.Tenant {
	o.t.Helper()
	return storetest.Tenant(o.t, o.store, "rival")
}
