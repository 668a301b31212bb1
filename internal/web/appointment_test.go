package web

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/notice"
	"frontdesk.dev/frontdesk/internal/seal"
)

// links are those of a master key.
func links(t *testing.T, key byte) notice.Links {
	t.Helper()
	box, err := seal.New(frontdesk.Secret(base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{key}, 32))))
	if err != nil {
		t.Fatal(err)
	}
	return notice.NewLinks(box, "https://desk.example.com")
}

// newCounter is a desk whose customers have links.
func newCounter(t *testing.T, settings ...func(*Options)) *desk {
	t.Helper()
	return newDesk(t, append([]func(*Options){func(o *Options) { o.Links = links(t, 1) }}, settings...)...)
}

func (d *desk) caller(live bool) calendar.Caller {
	return calendar.Caller{Tenant: d.tenant, Agent: d.agent, Services: catalogue.Read(d.agent).Services, Live: live}
}

// enter writes an appointment into the book.
func (d *desk) enter(at frontdesk.LocalTime, live bool, changes ...func(*calendar.Entry)) frontdesk.Capture {
	d.t.Helper()
	e := calendar.Entry{
		ScheduledAt: at, ServiceID: "checkup", Name: "Ana García", Status: frontdesk.PendingConfirm,
		Source: frontdesk.FromAPI, Force: true, Now: d.Now(),
	}
	for _, change := range changes {
		change(&e)
	}
	c, err := calendar.New(d.store, nil).Enter(d.t.Context(), d.caller(live), e)
	if err != nil {
		d.t.Fatal(err)
	}
	return c
}

func (d *desk) owner(live bool) frontdesk.Owner {
	return frontdesk.Owner{TenantID: d.tenant.ID, Live: live}
}

// link is the address of an appointment.
func (d *desk) link(c frontdesk.Capture, live bool) string {
	return notice.LinkPath + links(d.t, 1).Token(d.owner(live), c.ID)
}

// now is how an appointment stands, and how many events told of changes.
func (d *desk) stands(id frontdesk.ID, live bool) (frontdesk.Capture, int) {
	d.t.Helper()
	c, err := d.store.Capture(d.t.Context(), d.owner(live), id)
	if err != nil {
		d.t.Fatal(err)
	}
	events, err := d.store.Events(d.t.Context(), d.owner(live), frontdesk.EventFilter{Type: frontdesk.CaptureUpdated}, frontdesk.Page{Limit: 100})
	if err != nil {
		d.t.Fatal(err)
	}
	n := 0
	for _, e := range events.Items {
		if strings.Contains(string(e.Body), string(id)) {
			n++
			if !strings.Contains(string(e.Body), `"changed_by":"customer"`) {
				d.t.Errorf("the event does not say that the customer did it: %s", e.Body)
			}
		}
	}
	return c, n
}

const (
	wednesday = frontdesk.LocalTime("2026-11-18T12:00:00")
	thursday  = frontdesk.LocalTime("2026-11-19T10:00:00")
	yesterday = frontdesk.LocalTime("2026-11-15T12:00:00")
)

func form(from, at frontdesk.LocalTime) string { return "from=" + string(from) + "&at=" + string(at) }

// TestWhatCustomersDo tries every form in every state, each of them twice.
func TestWhatCustomersDo(t *testing.T) {
	t.Parallel()
	type end struct {
		status frontdesk.CaptureStatus
		at     frontdesk.LocalTime
		events int
	}
	states := map[string]struct {
		at     frontdesk.LocalTime
		status frontdesk.CaptureStatus
		// what it becomes
		confirm, cancel, move end
	}{
		"to be confirmed": {
			wednesday, frontdesk.PendingConfirm,
			end{frontdesk.Confirmed, wednesday, 1},
			end{frontdesk.Cancelled, wednesday, 1},
			end{frontdesk.PendingConfirm, thursday, 1},
		},
		"confirmed": {
			wednesday, frontdesk.Confirmed,
			end{frontdesk.Confirmed, wednesday, 0},
			end{frontdesk.Cancelled, wednesday, 1},
			end{frontdesk.Confirmed, thursday, 1},
		},
		"cancelled": {
			wednesday, frontdesk.Cancelled,
			end{frontdesk.Cancelled, wednesday, 0},
			end{frontdesk.Cancelled, wednesday, 0},
			end{frontdesk.Cancelled, wednesday, 0},
		},
		"not come to": {
			yesterday, frontdesk.NoShow,
			end{frontdesk.NoShow, yesterday, 0},
			end{frontdesk.NoShow, yesterday, 0},
			end{frontdesk.NoShow, yesterday, 0},
		},
		"past": {
			yesterday, frontdesk.PendingConfirm,
			end{frontdesk.PendingConfirm, yesterday, 0},
			end{frontdesk.PendingConfirm, yesterday, 0},
			end{frontdesk.PendingConfirm, yesterday, 0},
		},
		"begun this minute": {
			"2026-11-16T10:00:00", frontdesk.Confirmed,
			end{frontdesk.Confirmed, "2026-11-16T10:00:00", 0},
			end{frontdesk.Confirmed, "2026-11-16T10:00:00", 0},
			end{frontdesk.Confirmed, "2026-11-16T10:00:00", 0},
		},
	}
	for name, state := range states {
		for action, want := range map[string]end{"confirm": state.confirm, "cancel": state.cancel, "move": state.move} {
			for _, live := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s, %s, live %v", name, action, live), func(t *testing.T) {
					t.Parallel()
					d := newCounter(t)
					c := d.enter(state.at, live, func(e *calendar.Entry) { e.Status = state.status })
					for range 2 {
						a := d.postForm(d.link(c, live)+"/"+action, form(state.at, thursday))
						if place := a.header.Get("Location"); a.status != http.StatusSeeOther || !strings.HasPrefix(place, d.link(c, live)) {
							t.Fatalf("got %d to %q: %s", a.status, place, a.body)
						}
						got, events := d.stands(c.ID, live)
						if got.Status != want.status || got.ScheduledAt != want.at || events != want.events {
							t.Errorf("it is %s at %s after %d events, want %v", got.Status, got.ScheduledAt, events, want)
						}
						if got.ConfirmationCode != c.ConfirmationCode || got.CustomerName != c.CustomerName || got.Visit.ServiceID != "checkup" || got.Visit.Duration != 30 {
							t.Errorf("something else has changed: %+v", got)
						}
					}
				})
			}
		}
	}
}

// postForm sends a form as a browser does, and does not follow.
func (d *desk) postForm(path, body string, headers ...string) answered {
	d.t.Helper()
	return d.do("POST "+path, body, append([]string{"Content-Type", "application/x-www-form-urlencoded"}, headers...)...)
}

func TestOpeningLinksChangesNothing(t *testing.T) {
	t.Parallel()
	d := newCounter(t, func(o *Options) {
		o.StopReminders = func(context.Context, frontdesk.Owner, frontdesk.ID) error {
			t.Error("reminders were stopped by looking")
			return nil
		}
	})
	c := d.enter(wednesday, true)
	for _, path := range []string{"", "/confirm", "/cancel", "/move", "/move?at=" + string(thursday), "/reminders", "/appointment.ics", "?done=confirmed"} {
		for _, method := range []string{"GET ", "HEAD "} {
			if a := d.do(method+d.link(c, true)+path, ""); a.status != http.StatusOK && a.status != http.StatusSeeOther {
				t.Errorf("%s%s: %d", method, path, a.status)
			}
		}
	}
	if got, events := d.stands(c.ID, true); got != c || events != 0 {
		t.Errorf("changed to %+v, %d events", got, events)
	}
}

func TestTheAppointmentPage(t *testing.T) {
	t.Parallel()
	d := newCounter(t)
	silent := d.hire("silent", frontdesk.AgentPaused, func(a *frontdesk.Agent) { a.Config.Business.Phone = "" })
	status := func(s frontdesk.CaptureStatus) func(*calendar.Entry) {
		return func(e *calendar.Entry) { e.Status = s }
	}
	noted := d.enter(wednesday, true, func(e *calendar.Entry) { e.Notes, e.Party = "silla de ruedas\n<b>alergia</b>", 2 })
	confirmed := d.enter("2026-11-16T17:30:00", true, status(frontdesk.Confirmed))
	cancelled := d.enter(thursday, true, status(frontdesk.Cancelled))
	past := d.enter(yesterday, true)
	tried := d.enter(thursday, false)
	next := d.enter("2027-01-08T09:30:00", true)
	d.agent = silent
	alone := d.enter(wednesday, true)
	tests := map[string]struct {
		path   string
		has    []string
		hasNot []string
	}{
		"to be confirmed": {d.link(noted, true), []string{
			`<html lang="es">`, "<h1>Cita pendiente de confirmar</h1>", "Miércoles 18 de noviembre", `<b class="clock">12:00</b>`, "hora de Madrid (UTC+1)",
			"<dd>Revisión</dd>", "<dd>2</dd>", "silla de ruedas\n&lt;b&gt;alergia", noted.ConfirmationCode, `<p class="business">Clínica Lola</p>`,
			`method="post" action="` + d.link(noted, true) + `/confirm"`, `href="` + d.link(noted, true) + `/move"`, `/cancel"`, `/appointment.ics"`,
			`href="tel:&#43;34912345678"`, `href="/talk/lola/desk?lang=es"`, `?lang=en" lang="en" hreflang="en"`,
		}, []string{"<script", "Prueba:", "Ana García"}},
		"in English": {d.link(noted, true) + "?lang=en", []string{
			`<html lang="en">`, "<h1>Appointment to be confirmed</h1>", "Wednesday 18 November", "12 noon", "Madrid time (UTC&#43;1)", "<dd>Check-up</dd>",
			`/confirm?lang=en"`, `/move?lang=en"`, "/talk/lola/desk?lang=en", `?lang=es" lang="es"`,
		}, nil},
		"confirmed, today":      {d.link(confirmed, true), []string{"<h1>Cita confirmada</h1>", "Hoy, lunes 16 de noviembre", "17:30", "/move", "/cancel"}, []string{"/confirm"}},
		"next year":             {d.link(next, true), []string{"Viernes 8 de enero de 2027", "9:30"}, nil},
		"just confirmed":        {d.link(confirmed, true) + "?done=confirmed", []string{`role="status"`, "Gracias. La cita queda confirmada."}, nil},
		"not confirmed at all":  {d.link(noted, true) + "?done=confirmed", nil, []string{"Gracias"}},
		"cancelled":             {d.link(cancelled, true), []string{"<h1>Cita cancelada</h1>", `class="when off"`, "¿Hace falta otra cita?", "/talk/lola/desk", "tel:"}, []string{"<form", "/move", "/confirm"}},
		"past":                  {d.link(past, true), []string{"<h1>Esta cita ya ha pasado</h1>", "/talk/lola/desk", "tel:"}, []string{"<form", "/move", "/cancel", `class="when off"`}},
		"in test mode":          {d.link(tried, false), []string{"Prueba: esta cita no es de verdad.", "/talk/lola/desk?lang=es&amp;mode=test"}, nil},
		"nobody to talk to":     {d.link(alone, true), []string{"/cancel"}, []string{"/talk/", "tel:", "¿Hace falta algo más?"}},
		"asking before the end": {d.link(noted, true) + "/cancel?lang=en", []string{"<h1>Cancel the appointment?</h1>", `method="post" action="` + d.link(noted, true) + `/cancel?lang=en"`}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := d.do("GET "+tt.path, "")
			if a.status != http.StatusOK {
				t.Fatalf("got %d %s", a.status, a.body)
			}
			holds(t, a.body, tt.has, tt.hasNot)
			for header, want := range map[string]string{
				"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow", "Content-Type": "text/html; charset=utf-8",
			} {
				if got := a.header.Get(header); got != want {
					t.Errorf("%s is %q", header, got)
				}
			}
			if policy := a.header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-") || strings.Contains(policy, "script") {
				t.Errorf("the policy is %q", policy)
			}
		})
	}
	if log := d.log.String(); strings.Contains(log, strings.TrimPrefix(d.link(noted, true), notice.LinkPath)) {
		t.Error("the log has the token, which opens the appointment")
	}
}

var style = regexp.MustCompile(`(?s)<style>.*</style>`)

// holds demands that a page has some texts and has not others.
func holds(t *testing.T, page string, has, hasNot []string) {
	t.Helper()
	// A plus in a text is escaped, which is of no interest here.
	page = strings.ReplaceAll(page, "&#43;", "+")
	page = style.ReplaceAllString(page, "")
	for _, want := range has {
		if !strings.Contains(page, strings.ReplaceAll(want, "&#43;", "+")) {
			t.Errorf("%q is not in\n%s", want, page)
		}
	}
	for _, not := range hasNot {
		if strings.Contains(page, not) {
			t.Errorf("%q is in\n%s", not, page)
		}
	}
}

func TestTheLanguageOfTheAppointmentPage(t *testing.T) {
	t.Parallel()
	d := newCounter(t)
	v := d.start(`{"language":"es"}`)
	v.book()
	v.post("end", "")
	captures, err := d.store.CapturesOfCall(t.Context(), d.owner(true), frontdesk.ID(v.id))
	if err != nil || len(captures) != 1 {
		t.Fatal(captures, err)
	}
	called, entered := d.link(captures[0], true), d.link(d.enter(thursday, true), true)
	for name, tt := range map[string]struct{ path, accept, want string }{
		"the one that is asked for":      {called + "?lang=en", "es", "en"},
		"that of the call":               {called, "en", "es"},
		"the browser's, without a call":  {entered, "fr, en-GB;q=0.8", "en"},
		"the agent's":                    {entered, "", "es"},
		"one that we do not speak":       {entered + "?lang=xx", "en", "en"},
		"of what there is not":           {"/appointment/x?lang=en", "", "en"},
		"of what there is not, browser":  {"/appointment/x", "en", "en"},
		"of what there is not, no wish":  {"/appointment/x", "", "es"},
		"with something else in its way": {entered + "?lang=en&lang=es", "", "en"},
	} {
		a := d.do("GET "+tt.path, "", "Accept-Language", tt.accept)
		if !strings.Contains(a.body, `<html lang="`+tt.want+`">`) || a.header.Get("Content-Language") != tt.want {
			t.Errorf("%s: %d %s", name, a.status, a.header.Get("Content-Language"))
		}
	}
}

func TestLinksThatOpenNothing(t *testing.T) {
	t.Parallel()
	d := newCounter(t)
	c := d.enter(wednesday, true)
	lead := d.enter("", true)
	token := strings.TrimPrefix(d.link(c, true), notice.LinkPath)
	altered := strings.Replace(token, token[30:31], map[bool]string{true: "B", false: "A"}[token[30] == 'A'], 1)
	foreign := links(t, 2).Token(d.owner(true), c.ID)
	others := links(t, 1).Token(frontdesk.Owner{TenantID: frontdesk.NewID(monday), Live: true}, c.ID)
	paths := map[string]string{
		"nothing":                 "/appointment/x",
		"another letter":          notice.LinkPath + altered,
		"another master key":      notice.LinkPath + foreign,
		"another owner":           notice.LinkPath + others,
		"another mode":            d.link(c, false),
		"no appointment":          d.link(lead, true),
		"a page that there isn't": d.link(c, true) + "/nothing",
		"a page of nothing":       d.link(c, true) + "/",
		"reminders without any":   d.link(c, true) + "/reminders",
	}
	for _, tail := range []string{"/move", "/cancel", "/confirm", "/appointment.ics"} {
		paths["a page of another letter "+tail] = notice.LinkPath + altered + tail
	}
	first := d.do("GET /appointment/x", "")
	for _, name := range slices.Sorted(maps.Keys(paths)) {
		a := d.do("GET "+paths[name], "")
		if a.status != http.StatusNotFound || a.body != first.body || !strings.Contains(a.body, "<h1>Aquí no hay ninguna cita</h1>") {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	if a := d.postForm(notice.LinkPath+altered+"/cancel", ""); a.status != http.StatusNotFound {
		t.Errorf("cancelling with another letter: %d", a.status)
	}
	if log := d.log.String(); strings.Contains(log, token) || strings.Contains(log, altered) || strings.Contains(log, foreign) {
		t.Error("a token is in the log")
	}
	unsigned := newDesk(t)
	if a := unsigned.do("GET "+notice.LinkPath+notice.Links{}.Token(d.owner(true), c.ID), ""); a.status != http.StatusNotFound {
		t.Errorf("without a key: %d", a.status)
	}
}

var address = regexp.MustCompile(`href="([^"]*[?&](?:amp;)?at=[^"]*)"`)

func TestMovingAnAppointment(t *testing.T) {
	t.Parallel()
	d := newCounter(t)
	c := d.enter(wednesday, true)
	d.enter("2026-11-16T17:00:00", true) // takes the only place
	page := d.link(c, true)
	list := d.do("GET "+page+"/move?lang=en", "")
	holds(t, list.body, []string{
		"<h1>Choose another time</h1>", "Now: Wednesday 18 November, 12 noon.", "All times are Madrid time.", `name="from" value="2026-11-16" min="2026-11-16" max="2027-05-15"`, `name="lang" value="en"`,
		"Today, Monday 16 November", "Tomorrow, Tuesday 17 November", ">4:30 pm<", "More days", `<details class="day" open>`,
	}, []string{">5 pm</a></li>\n<li><a class=\"button\" href=\"" + page + "/move?at=2026-11-16T17%3A00", "2026-11-18T12%3A00%3A00", "at=2026-11-16T10%3A00", "at=2026-11-16T17%3A00"})
	found := address.FindAllStringSubmatch(list.body, -1)
	if len(found) < 20 {
		t.Fatalf("%d times: %s", len(found), list.body)
	}
	chosen := strings.ReplaceAll(found[len(found)-1][1], "&amp;", "&")
	asked := d.do("GET "+chosen, "")
	hidden := regexp.MustCompile(`name="(from|at)" value="([^"]*)"`).FindAllStringSubmatch(asked.body, -1)
	if asked.status != http.StatusOK || len(hidden) != 2 {
		t.Fatalf("%d %s", asked.status, asked.body)
	}
	holds(t, asked.body, []string{"<h1>Change to this time?</h1>", "Until now", "Wednesday 18 November", "New time", `action="` + page + `/move?lang=en"`}, nil)
	done := d.postForm(page+"/move?lang=en", "from="+hidden[0][2]+"&at="+hidden[1][2])
	if got, _ := d.stands(c.ID, true); done.status != http.StatusSeeOther || string(got.ScheduledAt) != hidden[1][2] || hidden[0][2] != string(wednesday) {
		t.Errorf("%d, it is at %s, chosen was %v", done.status, got.ScheduledAt, hidden)
	}
	holds(t, d.do("GET "+done.header.Get("Location"), "").body, []string{"Done. Your appointment has a new time."}, nil)
}

func TestMovingToWhatCannotBeHad(t *testing.T) {
	t.Parallel()
	d := newCounter(t)
	d.agent = d.hire("days", frontdesk.AgentActive, func(a *frontdesk.Agent) {
		day := []frontdesk.Period{{From: 9 * 60, To: 20 * 60}}
		a.Settings.Calendar.Openings = &frontdesk.Week{day, day, day, day, day, nil, nil}
	})
	c := d.enter(wednesday, true)
	d.enter(thursday, true)
	page := d.link(c, true)
	for name, tt := range map[string]struct {
		from, at frontdesk.LocalTime
		heading  string
		near     bool
	}{
		"taken meanwhile":         {wednesday, thursday, "That time is no longer free", true},
		"between two times":       {wednesday, "2026-11-19T11:07:00", "That time is no longer free", true},
		"under the notice":        {wednesday, "2026-11-16T10:05:00", "That time is too soon", true},
		"past":                    {wednesday, "2026-11-13T10:00:00", "That time has passed", true},
		"beyond the horizon":      {wednesday, "2027-11-19T10:00:00", "That date is too far ahead", true},
		"at the end of all years": {wednesday, "9999-12-31T10:00:00", "That date is too far ahead", true},
		"when it is closed":       {wednesday, "2026-11-19T03:00:00", "It is closed at that time", true},
		"moved by somebody else":  {"2026-11-17T12:00:00", "2026-11-20T10:00:00", "Change to this time?", false},
	} {
		a := d.postForm(page+"/move?lang=en", form(tt.from, tt.at))
		if a.status != http.StatusConflict || !strings.Contains(a.body, "<h1>"+tt.heading) || tt.near != address.MatchString(a.body) {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
		if !tt.near {
			continue
		}
		holds(t, a.body, []string{"Nothing has changed. Your appointment is still: Wednesday 18 November, 12 noon."}, nil)
		if looked := d.do("GET "+page+"/move?lang=en&at="+string(tt.at), ""); looked.status != http.StatusConflict || !strings.Contains(looked.body, "<h1>"+tt.heading) {
			t.Errorf("%s, asked before: %d %s", name, looked.status, looked.body)
		}
	}
	for _, odd := range []string{"", "at=soon", "at=2026-11-19T10:00:30", "%zz", "at=2026-02-30T10:00:00"} {
		if a := d.postForm(page+"/move", odd); a.status != http.StatusSeeOther || a.header.Get("Location") != page+"/move" {
			t.Errorf("%q: %d %s", odd, a.status, a.body)
		}
	}
	if got, events := d.stands(c.ID, true); got != c || events != 0 {
		t.Errorf("changed to %+v, %d events", got, events)
	}
}

func TestTwoCustomersMoveToOnePlace(t *testing.T) {
	t.Parallel()
	d := newCounter(t)
	first, second := d.enter(wednesday, true), d.enter("2026-11-18T13:00:00", true)
	statuses := make(chan int)
	for _, c := range []frontdesk.Capture{first, second} {
		go func() { statuses <- d.postForm(d.link(c, true)+"/move", form(c.ScheduledAt, thursday)).status }()
	}
	got := []int{<-statuses, <-statuses}
	if slices.Sort(got); !slices.Equal(got, []int{http.StatusSeeOther, http.StatusConflict}) {
		t.Errorf("got %v", got)
	}
}

func TestFurtherDays(t *testing.T) {
	t.Parallel()
	d := newCounter(t)
	c := d.enter(wednesday, true)
	page := d.link(c, true)
	more := regexp.MustCompile(`href="([^"]*from=[^"]*)">Más días`)
	path, seen, pages := page+"/move", map[string]bool{}, 0
	for ; path != ""; pages++ {
		a := d.do("GET "+path, "")
		for _, found := range address.FindAllStringSubmatch(a.body, -1) {
			if seen[found[1]] {
				t.Errorf("%s is listed twice", found[1])
			}
			seen[found[1]] = true
		}
		path = ""
		if next := more.FindStringSubmatch(a.body); next != nil {
			path = strings.ReplaceAll(next[1], "&amp;", "&")
		}
		if pages > 100 {
			t.Fatal("there is always another page")
		}
	}
	if pages < 10 || len(seen) < 1000 {
		t.Errorf("%d pages with %d times", pages, len(seen))
	}
	for _, odd := range []string{"2020-01-01", "9999-01-01", "soon"} {
		if a := d.do("GET "+page+"/move?from="+odd, ""); !strings.Contains(a.body, "Hoy, lunes 16 de noviembre") {
			t.Errorf("%s: %d %s", odd, a.status, a.body)
		}
	}
	closed := d.hire("closed", frontdesk.AgentActive, func(a *frontdesk.Agent) {
		a.Settings.Calendar.Exceptions = []frontdesk.Exception{{From: frontdesk.DateOf(monday), To: frontdesk.DateOf(monday.AddDate(2, 0, 0))}}
	})
	d.agent = closed
	none := d.link(d.enter(wednesday, true), true)
	holds(t, d.do("GET "+none+"/move", "").body, []string{"No hay nada libre desde el lunes 16 de noviembre hasta el miércoles 16 de diciembre."}, nil)
	holds(t, d.do("GET "+none+"/move?from=2027-05-14", "").body, []string{"No queda nada libre más adelante."}, []string{"Más días"})
}

func TestTheSamePersonAfterAMove(t *testing.T) {
	t.Parallel()
	d := newCounter(t)
	d.agent = d.hire("staffed", frontdesk.AgentActive, func(a *frontdesk.Agent) {
		a.Settings.Calendar.Resources = []frontdesk.Resource{
			{ID: "luis", Name: "Luis", Kind: "person"},
			{ID: "eva", Name: "Eva", Kind: "person"},
			{ID: "box", Name: "Box 1", Kind: "room"},
		}
	})
	with := func(id string) func(*calendar.Entry) { return func(e *calendar.Entry) { e.ResourceID = id } }
	mine := d.enter(wednesday, true, with("luis"))
	d.enter(thursday, true, with("luis"))
	if a := d.postForm(d.link(mine, true)+"/move", form(wednesday, thursday)); a.status != http.StatusConflict {
		t.Errorf("with Luis, who is not free: %d %s", a.status, a.body)
	}
	if a := d.postForm(d.link(mine, true)+"/move", form(wednesday, "2026-11-19T11:00:00")); a.status != http.StatusSeeOther {
		t.Errorf("with Luis: %d %s", a.status, a.body)
	}
	if got, _ := d.stands(mine.ID, true); got.Visit.ResourceID != "luis" || got.ScheduledAt != "2026-11-19T11:00:00" {
		t.Errorf("it is with %s at %s", got.Visit.Resource, got.ScheduledAt)
	}
	holds(t, d.do("GET "+d.link(mine, true), "").body, []string{"<dt>Con</dt><dd>Luis</dd>"}, nil)
	room := d.enter(wednesday, true, with("box"))
	holds(t, d.do("GET "+d.link(room, true), "").body, []string{"<dt>Sitio</dt><dd>Box 1</dd>"}, nil)
	d.enter("2026-11-20T10:00:00", true, with("box"))
	if a := d.postForm(d.link(room, true)+"/move", form(wednesday, "2026-11-20T10:00:00")); a.status != http.StatusSeeOther {
		t.Errorf("any room or person will do: %d %s", a.status, a.body)
	}
}

func TestFormsFromOtherSites(t *testing.T) {
	t.Parallel()
	d := newCounter(t)
	for name, tt := range map[string]struct {
		headers []string
		want    int
	}{
		"our page":                        {[]string{"Sec-Fetch-Site", "same-origin", "Origin", "null"}, http.StatusSeeOther},
		"our page, without encryption":    {[]string{"Origin", "null"}, http.StatusSeeOther},
		"a program":                       {nil, http.StatusSeeOther},
		"another site":                    {[]string{"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"}, http.StatusForbidden},
		"another site, hidden":            {[]string{"Sec-Fetch-Site", "cross-site", "Origin", "null"}, http.StatusForbidden},
		"another site of an old browser":  {[]string{"Origin", "https://evil.example"}, http.StatusForbidden},
		"a page next to ours on the host": {[]string{"Sec-Fetch-Site", "same-site", "Origin", "https://x.example.com"}, http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			c := d.enter(wednesday, true)
			a := d.postForm(d.link(c, true)+"/cancel", "", tt.headers...)
			got, _ := d.stands(c.ID, true)
			if a.status != tt.want || (got.Status == frontdesk.Cancelled) != (tt.want == http.StatusSeeOther) {
				t.Errorf("%d, it is %s", a.status, got.Status)
			}
		})
	}
}

func TestStoppingReminders(t *testing.T) {
	t.Parallel()
	var stopped []frontdesk.ID
	var fails error
	d := newCounter(t, func(o *Options) {
		o.StopReminders = func(_ context.Context, owner frontdesk.Owner, id frontdesk.ID) error {
			if !owner.Live {
				t.Error("in test mode")
			}
			stopped = append(stopped, id)
			return fails
		}
	})
	c := d.enter(wednesday, true)
	page := d.link(c, true) + "/reminders"
	holds(t, d.do("GET "+page, "").body, []string{"¿Dejar de recibir recordatorios?", `method="post" action="` + page + `"`}, nil)
	boundary := "--x\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--x--\r\n"
	for name, send := range map[string]func() answered{
		"the button":      func() answered { return d.postForm(page, "", "Sec-Fetch-Site", "same-origin") },
		"a mail provider": func() answered { return d.postForm(page, "List-Unsubscribe=One-Click") },
		"one in parts": func() answered {
			return d.do("POST "+page, boundary, "Content-Type", "multipart/form-data; boundary=x")
		},
	} {
		stopped = nil
		a := send()
		if a.status != http.StatusOK || !slices.Equal(stopped, []frontdesk.ID{c.ID}) {
			t.Errorf("%s: %d %s, stopped %v", name, a.status, a.body, stopped)
		}
		holds(t, a.body, []string{"<h1>Sin más recordatorios</h1>"}, []string{"<form"})
	}
	fails = errors.New("the disk is full")
	if a := d.postForm(page, ""); a.status != http.StatusInternalServerError || !strings.Contains(a.body, "<h1>Ahora mismo no ha podido ser</h1>") || strings.Contains(a.body, "disk") {
		t.Errorf("when it fails: %d %s", a.status, a.body)
	}
	if !strings.Contains(d.log.String(), "the disk is full") {
		t.Error("the log does not say why it failed")
	}
}

func TestTheFileOfAnAppointment(t *testing.T) {
	t.Parallel()
	d := newCounter(t)
	c := d.enter(wednesday, true)
	a := d.do("GET "+d.link(c, true)+"/appointment.ics", "")
	if a.status != http.StatusOK || a.header.Get("Content-Type") != "text/calendar; charset=utf-8" || a.header.Get("Cache-Control") != "no-store" ||
		!strings.Contains(a.body, "UID:"+string(c.ID)) || !strings.Contains(a.body, "DTSTART:20261118T110000Z") {
		t.Errorf("%d %v %s", a.status, a.header, a.body)
	}
}

func TestAppointmentPagesHaveLimits(t *testing.T) {
	t.Parallel()
	d := newCounter(t, func(o *Options) { o.MessagesPerSecond, o.MessagesBurst = 1, 3 })
	c := d.enter(wednesday, true)
	if a := d.postForm(d.link(c, true)+"/cancel", strings.Repeat("x", bodyLimit+1)); a.status != http.StatusRequestEntityTooLarge {
		t.Errorf("a large form: %d %s", a.status, a.body)
	}
	if a := d.do("PUT "+d.link(c, true), ""); a.status != http.StatusMethodNotAllowed || a.header.Get("Allow") != "GET, HEAD" {
		t.Errorf("another method: %d %s", a.status, a.header.Get("Allow"))
	}
	if a := d.do("DELETE "+d.link(c, true)+"/cancel", ""); a.status != http.StatusMethodNotAllowed || a.header.Get("Allow") != "GET, HEAD, POST" {
		t.Errorf("another method: %d %s", a.status, a.header.Get("Allow"))
	}
	for range 2 {
		d.do("GET "+d.link(c, true), "")
	}
	a := d.do("GET "+d.link(c, true), "")
	if a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") == "" || !strings.Contains(a.body, "<h1>Un momento</h1>") {
		t.Errorf("too often: %d %s", a.status, a.body)
	}
	d.Forward(time.Minute)
	if a := d.do("GET "+d.link(c, true), ""); a.status != http.StatusOK {
		t.Errorf("later: %d", a.status)
	}
}

// TestEveryLanguageHasTheWordsOfThePage reads the keys out of the code.
func TestEveryLanguageHasTheWordsOfThePage(t *testing.T) {
	t.Parallel()
	first := language.Of(language.Codes()[0])
	var keys []string
	for _, line := range first.Lines("wording") {
		if key, _, _ := strings.Cut(line, ":"); strings.HasPrefix(key, "page_") {
			keys = append(keys, key)
		}
	}
	for _, found := range regexp.MustCompile(`"(page_[a-z_]+[a-z])"`).FindAllStringSubmatch(appointmentText, -1) {
		keys = append(keys, found[1])
	}
	if len(keys) < 50 {
		t.Fatalf("only %d keys", len(keys))
	}
	for _, code := range language.Codes() {
		for _, key := range keys {
			if language.Of(code).Say(key, "") == "" {
				t.Errorf("%s has no words for %s", code, key)
			}
		}
	}
}

func FuzzReadOpening(f *testing.F) {
	for _, text := range []string{string(wednesday), "", "soon", "2026-11-19T10:00:30", "9999-12-31T23:59:00", "2026-11-19T10:00:00.5", "2026-11-19T9:00:00", "0000-01-01T00:00:00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if o, ok := readOpening(text); ok && string(localOf(o)) != text {
			t.Errorf("%q reads as %s", text, localOf(o))
		}
	})
}
