package console

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// addressesOf are all addresses of the console, with something in their gaps.
func addressesOf(c *Console, agent string) (all []*route) {
	fill := strings.NewReplacer("{mode}", "live", "{agent}", agent, "{$}", "", "{version}", "0", "{file}", "style.css", "{token}", "none")
	add := func(prefix string, routes []*route) {
		for _, rt := range routes {
			filled := *rt
			filled.path = fill.Replace(prefix + rt.path)
			for strings.Contains(filled.path, "{") { // ids of things that do not exist
				from, to := strings.Index(filled.path, "{"), strings.Index(filled.path, "}")
				filled.path = filled.path[:from] + string(frontdesk.NewID(monday)) + filled.path[to+1:]
			}
			all = append(all, &filled)
		}
	}
	add(Path, c.outside())
	add(Path+"/{mode}/{agent}", c.inPlaces())
	return all
}

// TestRolesOpenTheirPagesAlone walks every address with every role, and with
// nobody.
func TestRolesOpenTheirPagesAlone(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	for _, role := range append(frontdesk.TenantRoles, frontdesk.RoleOperator) {
		t.Run(string(role), func(t *testing.T) {
			b := o.enter(role)
			for _, rt := range addressesOf(&Console{}, o.agent.Slug) {
				if rt.roles == nil || strings.HasSuffix(rt.path, "/leave") {
					continue
				}
				got := b.do(b.request(rt.method, rt.path, nil))
				if allowed := rt.roles.let(role); (got.status == http.StatusForbidden) == allowed {
					t.Errorf("%s %s as %s: %d", rt.method, rt.path, role, got.status)
				}
				if got.status >= 500 {
					t.Errorf("%s %s as %s: %d", rt.method, rt.path, role, got.status)
				}
			}
		})
	}
	stranger := o.browse()
	for _, rt := range addressesOf(&Console{}, o.agent.Slug) {
		if rt.roles == nil {
			continue
		}
		got := stranger.do(stranger.request(rt.method, rt.path, nil))
		if got.status != http.StatusSeeOther || !strings.HasPrefix(got.location, "/console/enter") {
			t.Errorf("%s %s as nobody: %d %s", rt.method, rt.path, got.status, got.location)
		}
	}
}

// TestOtherTenantsPlacesDoNotExist opens every address with another tenant's
// agent in it.
func TestOtherTenantsPlacesDoNotExist(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	other := storetest.Tenant(t, o.store, "pepe")
	o.hire(other, "pepes-desk")
	b := o.enter(frontdesk.RoleOwner)
	for _, rt := range addressesOf(&Console{}, "pepes-desk") {
		if !strings.HasPrefix(rt.path, "/console/live/") || !rt.roles.let(frontdesk.RoleOwner) {
			continue
		}
		if got := b.do(b.request(rt.method, rt.path, nil)); got.status != http.StatusNotFound {
			t.Errorf("%s %s: %d", rt.method, rt.path, got.status)
		}
	}
}

// TestFormsOfOtherSitesAreRefused sends every form as another site's page would.
func TestFormsOfOtherSitesAreRefused(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	tried := 0
	for _, rt := range addressesOf(&Console{}, o.agent.Slug) {
		if rt.method != post {
			continue
		}
		for name, header := range map[string]http.Header{
			"fetch metadata": {"Sec-Fetch-Site": {"cross-site"}},
			"origin":         {"Origin": {"https://evil.example"}},
			"a sibling":      {"Sec-Fetch-Site": {"same-site"}, "Origin": {"https://shop.example"}},
		} {
			r := b.request(rt.method, rt.path, nil)
			for key, values := range header {
				r.Header[key] = values
			}
			if got := b.do(r); got.status != http.StatusForbidden {
				t.Errorf("%s %s by %s: %d", rt.method, rt.path, name, got.status)
			}
			tried++
		}
	}
	if tried == 0 {
		t.Error("there are no forms")
	}
}

func TestEveryAnswerIsGuarded(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	for _, path := range []string{b.at("today"), "/console/enter", "/console/nowhere", b.at("captures/none")} {
		got := b.get(path)
		if policy := got.header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'self';") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s has the policy %q", path, policy)
		}
		if got.header.Get("Cache-Control") != "no-store" || got.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s may be kept: %v", path, got.header)
		}
		if strings.Contains(got.body, "style=") || strings.Contains(got.body, "onclick=") || strings.Contains(got.body, "<script>") {
			t.Errorf("%s has style or script in its text", path)
		}
	}
}

func TestLinksLetInOnce(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	ctx := context.Background()
	person, err := o.people.FirstOwner(ctx, o.tenant)
	if err != nil {
		t.Fatal(err)
	}
	token, err := o.people.Link(ctx, person, frontdesk.LinkPrinted)
	if err != nil {
		t.Fatal(err)
	}
	b := o.browse()
	address := "/console/enter/" + token.Reveal()
	for range 2 { // to look uses nothing up
		if got := b.get(address); got.status != http.StatusOK || !strings.Contains(got.body, "data-hurry") {
			t.Fatalf("the link shows %d %s", got.status, got.body)
		}
	}
	got := b.post(address, nil)
	if got.status != http.StatusSeeOther {
		t.Fatalf("the link gives %d", got.status)
	}
	cookie := got.header.Get("Set-Cookie")
	if !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Lax") || !strings.Contains(cookie, "Path=/") {
		t.Errorf("the session's cookie is %s", cookie)
	}
	if again := o.browse().post(address, nil); again.status == http.StatusSeeOther {
		t.Error("the link let somebody in twice")
	}
	if got := b.get("/console"); got.location != "/console/live/desk/today" {
		t.Errorf("home is %s", got.location)
	}
	if got := b.post("/console/leave", nil); got.status != http.StatusSeeOther {
		t.Errorf("leaving gives %d", got.status)
	}
	o.Forward(2 * time.Second) // for that long a session is believed in
	if got := b.get(b.at("today")); got.status != http.StatusSeeOther {
		t.Errorf("after leaving, Today is %d", got.status)
	}
}

// TestCookiesOverTLSAreBoundToTheHost enters as through a proxy with TLS: by a
// name that is not this machine's.
func TestCookiesOverTLSAreBoundToTheHost(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	person, err := o.people.FirstOwner(context.Background(), o.tenant)
	if err != nil {
		t.Fatal(err)
	}
	token, err := o.people.Link(context.Background(), person, frontdesk.LinkPrinted)
	if err != nil {
		t.Fatal(err)
	}
	b := o.browse()
	r := b.request(http.MethodPost, "/console/enter/"+token.Reveal(), nil)
	r.Host = "desk.example.com"
	cookie := b.do(r).header.Get("Set-Cookie")
	if !strings.HasPrefix(cookie, "__Host-frontdesk=") || !strings.Contains(cookie, "Secure") {
		t.Errorf("the session's cookie is %s", cookie)
	}
}

// TestABrowserThatKeepsNoSessionIsToldWhy: without TLS, browsers do not keep the
// cookie of another machine.
func TestABrowserThatKeepsNoSessionIsToldWhy(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	got := o.browse().get("/console?entered")
	if got.location != "/console/enter?lost" {
		t.Fatalf("it is sent to %s", got.location)
	}
	if page := o.browse().get(got.location); !strings.Contains(page.body, "did not keep the sign-in") {
		t.Errorf("it reads %s", page.body)
	}
}

func TestGuessingLinksIsBounded(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.browse()
	refused := 0
	for range 40 {
		if b.get("/console/enter/"+frontdesk.NewConsoleToken().Reveal()).status == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused == 0 {
		t.Error("40 guesses were looked at")
	}
}

func TestAddressesToReturnToAreTheConsolesOwn(t *testing.T) {
	t.Parallel()
	for wish, want := range map[string]string{
		"/console/live/desk/calls?search=a": "/console/live/desk/calls?search=a",
		"https://evil.example/console":      "",
		"//evil.example/console":            "",
		"/console/../v1":                    "/console/../v1",
		`/console\evil`:                     "",
		"/elsewhere":                        "",
		"javascript:alert(1)":               "",
	} {
		if got := innerAddress(wish); got != want {
			t.Errorf("innerAddress(%q) = %q, want %q", wish, got, want)
		}
	}
}

func TestTodayAndItsActions(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	if page := b.open("today"); !strings.Contains(page, "Nothing is waiting for you.") || !strings.Contains(page, "Monday 16 November") {
		t.Errorf("an empty day shows %s", page)
	}
	capture := o.book("2026-11-16T17:30:00", frontdesk.PendingConfirm)
	page := b.open("today")
	for _, want := range []string{"Ana Ruiz", "today, 5:30 pm", "Corte", "tel:&#43;34600111222", `value="confirmed"`} {
		if !strings.Contains(page, want) {
			t.Errorf("Today has no %q", want)
		}
	}
	page = b.send("captures/"+string(capture.ID)+"/status", url.Values{"status": {"confirmed"}})
	if !strings.Contains(page, "Confirmed: Ana Ruiz") || !strings.Contains(page, "Undo") {
		t.Errorf("after confirming: %s", page)
	}
	b.send("captures/"+string(capture.ID)+"/status", url.Values{"status": {"pending_confirm"}}) // what Undo sends
	if got, err := o.store.Capture(context.Background(), o.owner(), capture.ID); err != nil || got.Status != frontdesk.PendingConfirm {
		t.Errorf("after undoing: %v, %v", got.Status, err)
	}
	if page := b.open("today"); strings.Contains(page, "Undo") {
		t.Error("what was done is said twice")
	}
	if staff := o.enter(frontdesk.RoleDeveloper).open("today"); strings.Contains(staff, `value="confirmed"`) {
		t.Error("a developer is offered to confirm")
	}
}

func TestTodayRenewsItselfOnlyWhenSomethingIsNew(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleStaff)
	page := b.open("today")
	_, rest, _ := strings.Cut(page, `hx-get="`)
	address, _, _ := strings.Cut(rest, `"`)
	if got := b.get(b.at(address)); got.status != http.StatusNoContent {
		t.Errorf("nothing is new, and it answers %d", got.status)
	}
	o.book("2026-11-16T12:00:00", frontdesk.Confirmed)
	if got := b.get(b.at(address)); got.status != http.StatusOK || !strings.Contains(got.body, "Ana Ruiz") || strings.Contains(got.body, "<html") {
		t.Errorf("after a booking it answers %d %s", got.status, got.body)
	}
}

func TestTheReceptionIsTurnedOffAndOn(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	if page := b.send("today/reception", url.Values{"on": {"no"}}); !strings.Contains(page, "Reception is off") || !strings.Contains(page, "Undo") {
		t.Errorf("after turning it off: %s", page)
	}
	agent, err := o.store.Agent(context.Background(), o.owner(), o.agent.ID)
	if err != nil || agent.Status != frontdesk.AgentPaused {
		t.Errorf("the agent is %s, %v", agent.Status, err)
	}
	if page := b.send("today/reception", url.Values{"on": {"yes"}}); !strings.Contains(page, "Reception is on") {
		t.Errorf("after turning it on: %s", page)
	}
}

func TestTestModeDoesNotSwitchTheReception(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	if got := b.post("/console/test/desk/today/reception", url.Values{"on": {"no"}}); got.status != http.StatusForbidden {
		t.Errorf("it answers %d", got.status)
	}
	if agent, err := o.store.Agent(context.Background(), o.owner(), o.agent.ID); err != nil || agent.Status != frontdesk.AgentActive {
		t.Errorf("the agent is %s, %v", agent.Status, err)
	}
}

func TestFormsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.browse()
	r := b.request(http.MethodPost, "/console/language", strings.NewReader("language=%zz"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if got := b.do(r); got.status != http.StatusBadRequest {
		t.Errorf("it answers %d", got.status)
	}
}

func TestTheConsoleSpeaksSpanish(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	b.language = "es-ES,es;q=0.9"
	if page := b.open("today"); !strings.Contains(page, "lunes 16 de noviembre") || !strings.Contains(page, `<html lang="es">`) {
		t.Errorf("in Spanish: %s", page)
	}
	if got := b.post("/console/language", url.Values{"language": {"en"}, "to": {b.at("today")}}); got.location != b.at("today") {
		t.Errorf("choosing a language leads to %s", got.location)
	}
	if page := b.open("today"); !strings.Contains(page, `<html lang="en">`) {
		t.Error("the language that was chosen is not kept")
	}
}
