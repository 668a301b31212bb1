package console

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// visit is one request on its way.
type visit struct {
	console *Console
	http    *http.Request
	header  http.Header // of the answer
	id      string
	route   *route
	address netip.Addr
	words

	person  frontdesk.Person
	session frontdesk.ConsoleSession
	tenant  frontdesk.Tenant

	mode   *mode             // nil: the address is in no place
	agents []frontdesk.Agent // of the tenant, by name
	agent  *frontdesk.Agent  // of the place; nil: all of them
}

// mode is live or test, as addresses name it.
type mode struct {
	name string
	live bool
}

var modes = []mode{{"live", true}, {"test", false}}

// allAgents stands in an address for all agents of a tenant.
const allAgents = "-"

// Context ends when the browser goes, or has waited too long.
func (v *visit) Context() context.Context { return v.http.Context() }

// owner is whose rows the place shows.
func (v *visit) owner() frontdesk.Owner {
	return frontdesk.Owner{TenantID: v.tenant.ID, Live: v.mode == nil || v.mode.live}
}

// recognise finds out who asks, by the session's cookie.
func (c *Console) recognise(v *visit) error {
	token := v.sessionToken()
	if token == "" {
		return &frontdesk.Error{Kind: frontdesk.Unauthorized, Code: "session_missing", Message: "Enter the console first."}
	}
	who, err := c.people.Session(v.Context(), token, v.address.String())
	if err != nil {
		return err
	}
	v.know(who)
	return nil
}

// know notes who asks, and that they may have chosen a language.
func (v *visit) know(who account.Visitor) {
	v.person, v.session, v.tenant = who.Person, who.Session, who.Tenant
	v.chooseLanguage()
}

// findPlace reads the mode and the agent of the address.
func (c *Console) findPlace(v *visit) error {
	agents, err := c.store.Agents(v.Context(), v.owner())
	if err != nil {
		return err
	}
	slices.SortStableFunc(agents, func(a, b frontdesk.Agent) int { return strings.Compare(a.DisplayName, b.DisplayName) })
	v.agents = agents
	v.zone, v.appointment = v.findZone(), appointmentsOf(agents)
	slug := v.http.PathValue("agent")
	if slug == allAgents {
		return nil
	}
	at := slices.IndexFunc(agents, func(a frontdesk.Agent) bool { return a.Slug == slug })
	if at < 0 {
		return frontdesk.Missing("agent")
	}
	v.agent = &agents[at]
	v.words = v.about(agents[at])
	v.zone = v.findZone()
	return nil
}

// agentID narrows what is asked to the place's agent; "": all of them.
func (v *visit) agentID() frontdesk.ID {
	if v.agent == nil {
		return ""
	}
	return v.agent.ID
}

// oneAgent is the place's agent, for screens that are about one; where the
// address names none, the answer sends the browser to the first.
func (v *visit) oneAgent() (frontdesk.Agent, *answer) {
	if v.agent != nil {
		return *v.agent, nil
	}
	if len(v.agents) == 0 {
		a := v.redirect(v.place(allAgents) + "today")
		return frontdesk.Agent{}, &a
	}
	rest := strings.TrimPrefix(v.http.URL.RequestURI(), v.place(allAgents))
	a := v.redirect(v.place(v.agents[0].Slug) + rest)
	return frontdesk.Agent{}, &a
}

// agentNamed is one of the tenant's agents.
func (v *visit) agentNamed(id frontdesk.ID) (frontdesk.Agent, bool) {
	at := slices.IndexFunc(v.agents, func(a frontdesk.Agent) bool { return a.ID == id })
	if at < 0 {
		return frontdesk.Agent{Timezone: v.tenant.Timezone}, false
	}
	return v.agents[at], true
}

// book is the book of an agent, for the person who asks.
func (v *visit) book(agent frontdesk.Agent) calendar.Caller {
	return calendar.Caller{Tenant: v.tenant, Agent: agent, Services: catalogue.Read(agent).Services, Live: v.owner().Live, Channel: frontdesk.Web, By: v.person.Actor()}
}

// findZone is the clock that the place is told by: its agent's, or the tenant's.
func (v *visit) findZone() *time.Location {
	name := v.tenant.Timezone
	if v.agent != nil {
		name = v.agent.Timezone
	}
	zone, err := frontdesk.LoadZone(name)
	if err != nil {
		return time.UTC
	}
	return zone
}

// place is the address of a place, as the base of all addresses in it.
func (v *visit) place(agent string) string {
	name := modes[0].name
	if v.mode != nil {
		name = v.mode.name
	}
	return Path + "/" + name + "/" + agent + "/"
}

// base is the place that the visit is in.
func (v *visit) base() string {
	slug := allAgents
	if v.agent != nil {
		slug = v.agent.Slug
	}
	return v.place(slug)
}

// htmx says whether a page's script asks, for a part of a page.
func (v *visit) htmx() bool { return v.http.Header.Get("HX-Request") == "true" }

// field is a field of the form that was sent, or of the query where a page is
// asked for, without blanks around it.
func (v *visit) field(name string) string { return strings.TrimSpace(v.raw(name)) }

// raw is a field as it was typed. What stands in the query of an address that a
// form is sent to is not read: whoever made somebody follow such an address would
// have filled in the form.
func (v *visit) raw(name string) string {
	if v.http.Method != post {
		return v.http.URL.Query().Get(name)
	}
	if v.http.PostForm == nil {
		_ = v.readForm() // handlers that mind what is wrong with it have read it before
	}
	return v.http.PostForm.Get(name)
}

// readForm reads the form of a POST, up to its limit.
func (v *visit) readForm() error {
	if err := v.http.ParseForm(); err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return err
		}
		return &frontdesk.Error{Kind: frontdesk.Invalid, Code: "form_invalid", Message: "The form did not arrive whole. Send it again.", Cause: err}
	}
	for name, values := range v.http.PostForm {
		for _, text := range values {
			if !exchange.Storable(text) {
				return frontdesk.InvalidParam(name, "%s must be text without NUL.", name)
			}
		}
	}
	return nil
}

// pathID is the id in the address.
func (v *visit) pathID(thing string) (frontdesk.ID, error) {
	id, ok := frontdesk.ParseID(v.http.PathValue("id"))
	if !ok {
		return "", frontdesk.Missing(thing)
	}
	return id, nil
}

// back is where a form wishes to return to: an address in the place, else what
// is given.
func (v *visit) back(standard string) string {
	wish := v.field("back")
	u, err := url.Parse(wish)
	if wish == "" || err != nil || u.IsAbs() || u.Host != "" || strings.HasPrefix(wish, "/") || strings.Contains(u.Path, "..") || strings.Contains(wish, "\\") {
		wish = standard
	}
	return v.base() + wish
}

// chooseLanguage is the person's own, else the one that the browser keeps or
// wishes for.
func (v *visit) chooseLanguage() {
	code := v.person.Language
	if cookie, err := v.http.Cookie(languageCookie); code == "" && err == nil {
		code = cookie.Value
	}
	if v.lang = language.Of(code); v.lang != nil && slices.Contains(frontdesk.Languages, code) {
		return
	}
	for entry := range strings.SplitSeq(v.http.Header.Get("Accept-Language"), ",") {
		tag, _, _ := strings.Cut(strings.TrimSpace(entry), ";")
		primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
		if slices.Contains(frontdesk.Languages, primary) {
			v.lang = language.Of(primary)
			return
		}
	}
	v.lang = language.Of(frontdesk.Languages[0])
}

const languageCookie = "frontdesk_language"
