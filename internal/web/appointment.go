package web

import (
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/ical"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/notice"
)

// A customer's own appointment stands on pages of its own, each made here without
// a script:
//
//	link's token -> owner and capture -> page (GET changes nothing)
//	             -> form -> calendar, held to what callers are -> back to the page
//
// Whoever has the link may act on that appointment, so the address stands in no
// log, goes to no other site, and is kept by no cache.

var (
	//go:embed appointment.html
	appointmentText string
	//go:embed appointment.css
	appointmentStyle string

	appointmentPages = template.Must(template.New("appointment").Parse(appointmentText))
)

// appointmentPolicy lets nothing in but the pages' own style and forms.
var appointmentPolicy = "default-src 'none'; style-src 'sha256-" + digestOf(appointmentStyle) +
	"'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// counter is the web channel for customers who come to see to their own
// appointments.
type counter struct{ *Web }

func (s counter) routes() []*route {
	const page = notice.LinkPath + "{token}"
	routes := append(s.waitingRoutes(),
		&route{method: http.MethodGet, path: page, handle: s.customers(s.showAppointment)},
		&route{method: http.MethodGet, path: page + "/appointment.ics", handle: s.customers(pagesForAppointments(s.appointmentFile))},
		&route{method: http.MethodGet, path: page + "/confirm", handle: s.customers(backToPage), post: s.customers(pagesForAppointments(s.confirmAppointment))},
		&route{method: http.MethodGet, path: page + "/cancel", handle: s.customers(pagesForAppointments(s.askToCancel)), post: s.customers(pagesForAppointments(s.cancelAppointment))},
		&route{method: http.MethodGet, path: page + "/move", handle: s.customers(pagesForAppointments(s.askToMove)), post: s.customers(pagesForAppointments(s.moveAppointment))},
		&route{method: http.MethodGet, path: page + "/reminders", handle: s.customers(s.askForSilence), post: s.customers(s.stopReminders)},
		// Also what is no page, so that no part of a link gets into the log.
		&route{path: notice.LinkPath, handle: func(*visit) (answer, error) { return answer{}, noAppointment }},
	)
	for _, r := range routes {
		r.crosses, r.refuse = own, s.refusedPage
	}
	return routes
}

// customer is the visit of somebody to their own appointment.
type customer struct {
	*visit
	who     calendar.Caller
	capture frontdesk.Capture
	now     time.Time // by the clock of the business
	lang    *language.Language
	form    url.Values // what a form sent
}

// customers lets those in who have a link to an appointment.
func (s counter) customers(handle func(*customer) (answer, error)) func(*visit) (answer, error) {
	return func(v *visit) (answer, error) {
		if err := s.limit("address", s.messages.Take(v.address, s.now())); err != nil {
			return answer{}, err
		}
		if v.http.Method == http.MethodPost {
			if err := fromHere(v.http); err != nil {
				return answer{}, err
			}
		}
		c, err := s.customer(v)
		if err != nil {
			return answer{}, unknown(err, noAppointment)
		}
		if v.http.Method == http.MethodPost {
			if c.form, err = v.formValues(); err != nil {
				return answer{}, err
			}
		}
		return handle(c)
	}
}

// customer finds what a link names. Links to what there is not, or no more, and
// links that nobody signed are all the same.
func (s counter) customer(v *visit) (*customer, error) {
	owner, id, ok := s.links.Read(v.http.PathValue("token"))
	if !ok {
		return nil, noAppointment
	}
	capture, err := s.store.Capture(v.Context(), owner, id)
	if err != nil {
		return nil, err
	}
	if capture.Kind != frontdesk.Appointment && capture.Kind != frontdesk.Waiting || capture.StartsAt().IsZero() {
		return nil, noAppointment
	}
	tenant, err := s.store.Tenant(v.Context(), owner)
	if err != nil {
		return nil, err
	}
	agent := frontdesk.Agent{Timezone: capture.Timezone, DisplayName: tenant.Name}
	if capture.AgentID != "" {
		if agent, err = s.store.Agent(v.Context(), owner, capture.AgentID); err != nil {
			return nil, err
		}
	}
	c := &customer{visit: v, capture: capture, now: s.now().In(capture.StartsAt().Location()), who: calendar.Caller{
		Tenant: tenant, Agent: agent, Services: catalogue.Read(agent).Services, Live: owner.Live, Channel: frontdesk.Web,
		Customer: true,
	}}
	if c.lang, err = s.languageFor(c); err != nil {
		return nil, err
	}
	c.who.Language = c.lang.Code
	return c, nil
}

// languageFor is the language of the page: the one asked for, else that of the
// call in which the appointment was made, else the browser's, else the agent's.
func (s counter) languageFor(c *customer) (*language.Language, error) {
	codes := language.Codes()
	wish := spoken(codes, c.http.URL.Query().Get("lang"), "")
	if wish == "" && c.capture.CallID != "" {
		call, err := s.store.Call(c.Context(), c.who.Owner(), c.capture.CallID)
		if e := exchange.Domain(err); err != nil && (e == nil || e.Kind != frontdesk.NotFound) {
			return nil, err
		}
		wish = spoken(codes, call.Language, "")
	}
	if wish == "" {
		wish = spoken(codes, "", c.http.Header.Get("Accept-Language"))
	}
	for _, code := range append(append([]string{wish}, c.who.Agent.Languages...), codes...) {
		if l := language.Of(code); l != nil {
			return l, nil
		}
	}
	return nil, fmt.Errorf("there is no language to show a page in: %v", codes)
}

// fromHere refuses what another site's page sends in a visitor's name. Programs
// send no such headers, and mail providers may send a form (RFC 8058). Because
// our pages send no referrer, browsers name no origin with their forms either,
// where they do not tell in another header where they come from.
func fromHere(r *http.Request) error {
	if r.Header.Get("Sec-Fetch-Site") == "" && r.Header.Get("Origin") == "null" {
		return nil
	}
	if err := http.NewCrossOriginProtection().Check(r); err != nil {
		return &frontdesk.Error{
			Kind: frontdesk.Forbidden, Code: "origin_not_allowed", Cause: err,
			Message: "The form was sent from another site. Open the link to the appointment itself.",
		}
	}
	return nil
}

// formValues reads a form of ours. What mail providers send is read no further
// than that it came.
func (v *visit) formValues() (url.Values, error) {
	body, err := v.body()
	if err != nil {
		return nil, err
	}
	values, err := url.ParseQuery(string(body))
	if err != nil {
		return url.Values{}, nil // its fields are missing then
	}
	return values, nil
}

// showAppointment is the page itself.
func (s counter) showAppointment(c *customer) (answer, error) {
	if c.waits() {
		return s.showWaiting(c)
	}
	p := c.page("show")
	switch done := c.http.URL.Query().Get("done"); {
	case done == "confirmed" && p.Coming && !p.Pending:
		p.Done = p.Say("page_done_confirmed")
	case done == "moved" && p.Coming:
		p.Done = p.Say("page_done_moved")
	}
	p.Heading, p.Lead = p.state(c.capture.Status)
	if p.Pending && p.Coming && c.who.Agent.ID != "" {
		unchecked, err := s.calendar.Unchecked(c.Context(), c.who, c.now)
		if err != nil {
			return answer{}, err
		}
		if unchecked {
			p.Pending, p.Lead = false, []string{p.Say("page_unchecked_help")}
		}
	}
	return p.answer(http.StatusOK)
}

// backToPage sends whoever opens the address of a form to the page it is on.
func backToPage(c *customer) (answer, error) { return c.seeOther("") }

// seeOther sends the browser to the page, after a form: loading that again sends
// no form again.
func (c *customer) seeOther(path string, pairs ...string) (answer, error) {
	c.header.Set("Location", c.address(path, pairs...))
	c.private()
	return answer{status: http.StatusSeeOther, contentType: "text/plain; charset=utf-8"}, nil
}

// confirmAppointment, and the other forms: what is over shows on the page.
func (s counter) confirmAppointment(c *customer) (answer, error) {
	_, err := s.calendar.ConfirmFor(c.Context(), c.who, c.capture.ID, c.now)
	return c.changed(err, "confirmed")
}

func (c *customer) changed(err error, done string) (answer, error) {
	switch {
	case errors.Is(err, calendar.ErrOver), errors.Is(err, calendar.ErrUnchecked):
		return c.seeOther("")
	case err != nil:
		return answer{}, unknown(err, noAppointment)
	}
	return c.seeOther("", "done", done)
}

func (s counter) askToCancel(c *customer) (answer, error) {
	p := c.page("cancel")
	if !p.Coming {
		return c.seeOther("")
	}
	p.Heading, p.Lead = p.Say("page_cancel_ask"), []string{p.Say("page_cancel_help")}
	return p.answer(http.StatusOK)
}

func (s counter) cancelAppointment(c *customer) (answer, error) {
	_, err := s.calendar.CancelFor(c.Context(), c.who, c.capture.ID, c.now)
	return c.changed(err, "cancelled")
}

// appointmentFile is the appointment for the customer's own calendar.
func (s counter) appointmentFile(c *customer) (answer, error) {
	text, err := ical.Calendar{Events: []ical.Event{calendar.Event(c.capture, c.who.Agent)}}.AppendText(nil)
	if err != nil {
		return answer{}, err
	}
	c.private()
	c.header.Set("Content-Disposition", `attachment; filename="appointment.ics"`)
	return answer{status: http.StatusOK, contentType: "text/calendar; charset=utf-8", body: text}, nil
}

func (s counter) askForSilence(c *customer) (answer, error) {
	if s.silence == nil {
		return answer{}, noAppointment
	}
	p := c.page("reminders")
	p.Asks, p.Heading, p.Lead = true, p.Say("page_reminders_ask"), []string{p.Say("page_reminders_help")}
	if !p.Coming {
		p.Lead = nil
	}
	return p.answer(http.StatusOK)
}

// stopReminders answers with a page rather than sending the browser to one: mail
// providers that send the form themselves follow no further (RFC 8058).
func (s counter) stopReminders(c *customer) (answer, error) {
	if s.silence == nil {
		return answer{}, noAppointment
	}
	if err := s.silence(c.Context(), c.who.Owner(), c.capture.ID); err != nil {
		return answer{}, unknown(err, noAppointment)
	}
	p := c.page("reminders")
	p.Heading, p.Lead = p.Say("page_reminders_done"), []string{p.Say("page_reminders_done_help")}
	if !p.Coming {
		p.Lead = []string{p.Say("page_reminders_done_over")}
	}
	return p.answer(http.StatusOK)
}

// refusedPage is what somebody sees who cannot be shown an appointment.
func (s counter) refusedPage(v *visit, err error) answer {
	refused := v.refuse(err)
	kind := "page_fault"
	switch refused.status {
	case http.StatusNotFound:
		kind = "page_missing"
	case http.StatusTooManyRequests:
		kind = "page_busy"
	}
	codes := language.Codes()
	wish := spoken(codes, v.http.URL.Query().Get("lang"), v.http.Header.Get("Accept-Language"))
	l := language.Of(wish)
	if l == nil {
		l = language.Of(codes[0])
	}
	p := &appointmentPage{name: "plain", header: v.header, lang: l}
	p.Heading, p.Lead = p.Say(kind), []string{p.Say(kind + "_help")}
	shown, err := p.answer(refused.status)
	if err != nil {
		return refused
	}
	shown.code = refused.code
	return shown
}
