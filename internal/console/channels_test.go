package console

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// settings are those of the office's agent now.
func (o *office) settings() frontdesk.AgentSettings {
	o.t.Helper()
	agent, err := o.store.Agent(context.Background(), o.owner(), o.agent.ID)
	if err != nil {
		o.t.Fatal(err)
	}
	return agent.Settings
}

func TestHowCallersReachAnAgent(t *testing.T) {
	t.Parallel()
	o := newOffice(t, func(options *Options) { options.PublicURL = "https://desk.example.com/" })
	b := o.enter(frontdesk.RoleOwner)
	page := b.open("channels")
	texts(t, page, `value="https://desk.example.com/talk/lola/desk"`, `https://desk.example.com/talk/lola/desk?mode=test`, `class="code"`, "No number yet",
		`src="https://desk.example.com/widget.js" data-tenant="lola" data-agent="desk" async`, "frontdesk phone try --tenant lola --agent desk", "-The reception is off")
	test := b.get(strings.Replace(b.at("channels"), "/live/", "/test/", 1)).body
	texts(t, test, `value="https://desk.example.com/talk/lola/desk?mode=test"`, `data-mode="test"`, "In test mode you can only look")

	for _, n := range []frontdesk.Number{{Number: "+34910000001", Carrier: frontdesk.Twilio}, {Number: "+34910000002", Carrier: frontdesk.Telnyx}, {Number: "+34910000003", Carrier: frontdesk.SIP}} {
		n.AgentID, n.CreatedAt = o.agent.ID, monday
		if err := o.store.AddNumber(context.Background(), o.owner(), frontdesk.Actor{}, n, nil); err != nil {
			t.Fatal(err)
		}
	}
	texts(t, b.open("channels"), `href="tel:+34910000001"`, "Twilio", "Telnyx", "Own line (SIP)", "-No number yet")
	texts(t, b.get(strings.Replace(b.at("channels"), "/live/", "/test/", 1)).body, "No number yet")
	b.send("today/reception", url.Values{"on": {"no"}})
	texts(t, b.open("channels"), "The reception is off")
}

func TestTheCodeIsDrawn(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	got := b.get(b.at("channels/qr.svg"))
	if got.header.Get("Content-Type") != "image/svg+xml" || !strings.Contains(got.header.Get("Content-Disposition"), `"desk.svg"`) {
		t.Errorf("the headers are %v", got.header)
	}
	// Three corners that readers look for, each with a bar of seven modules on top.
	texts(t, got.body, `<svg xmlns="http://www.w3.org/2000/svg"`, "M4 4h7v1h-7z", `fill="#fff"`)
	for _, paper := range []string{"channels/poster", "channels/stickers"} {
		page := b.open(paper)
		texts(t, page, "Scan the code", `lang="es">Escanea el código`, `class="code"`, "paper.css", "data-print", "Print / save PDF", "<noscript><p>To print it", `-class="trial"`)
		if got, want := strings.Count(page, `class="code"`), map[string]int{"channels/poster": 1, "channels/stickers": 12}[paper]; got != want {
			t.Errorf("%s has %d codes, want %d", paper, got, want)
		}
		// A code of test mode says so.
		texts(t, b.get("/console/test/desk/"+paper).body, `class="trial"`)
	}
	texts(t, b.open("channels/poster"), "/talk/lola/desk")
	texts(t, b.open("channels"), `href="channels/poster"`, `href="channels/stickers"`)
	spanish := o.enter(frontdesk.RoleOwner)
	spanish.language = "es"
	texts(t, spanish.open("channels/stickers"), "Pegatinas", "Imprimir / guardar PDF", "elige Imprimir")
	if got := o.enter(frontdesk.RoleStaff).get("/console/live/desk/channels/stickers"); got.status != http.StatusForbidden {
		t.Errorf("for staff: %d", got.status)
	}
	other, err := drawCode("https://example.com", `"<`)
	if err != nil || strings.Contains(string(other), `"<"`) || strings.Contains(got.body, string(other)) {
		t.Errorf("got %s, %v", other, err)
	}
}

func TestThePreviewIsShownWithinTheConsole(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	got := o.enter(frontdesk.RoleOwner).get("/console/live/desk/channels/preview")
	texts(t, got.body, `src="/widget.js" data-tenant="lola" data-agent="desk" data-mode="test"`)
	if policy := got.header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'self'") || !strings.Contains(policy, "frame-ancestors 'self'") {
		t.Errorf("the policy is %s", policy)
	}
}

func TestSitesThatMayShowTheAgent(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	texts(t, b.send("channels/origins", url.Values{"origins": {"https://www.Lola.es/carta\r\nlola.com"}}), "The sites are saved", "https://www.lola.es\nhttps://lola.com", "Undo")
	if got := strings.Join(o.settings().Origins, " "); got != "https://www.lola.es https://lola.com" {
		t.Errorf("the origins are %s", got)
	}
	got := b.post(b.at("channels/origins"), url.Values{"origins": {"ftp://lola.es"}})
	if got.status != http.StatusUnprocessableEntity {
		t.Errorf("no origin: %d", got.status)
	}
	texts(t, got.body, "one per line", "ftp://lola.es", `aria-invalid="true"`)
	for _, every := range []string{"*", "https://*", "https://*.lola.es"} {
		if got := b.post(b.at("channels/origins"), url.Values{"origins": {every}}); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "without *") {
			t.Errorf("%s: %d", every, got.status)
		}
	}
	texts(t, b.send("channels/privacy", url.Values{"privacy": {"www.lola.es/privacidad"}}), "Saved.", `value="https://www.lola.es/privacidad"`, "Undo")
	for _, wrong := range []string{"javascript:alert(1)", "ftp://lola.es", "https://", "https://a:b@lola.es"} {
		if got := b.post(b.at("channels/privacy"), url.Values{"privacy": {wrong}}); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Write an address") {
			t.Errorf("%s: %d", wrong, got.status)
		}
	}
	b.send("channels/origins", url.Values{"origins": {""}})
	if got := o.settings().Origins; len(got) != 0 {
		t.Errorf("the origins are %v", got)
	}
}

func TestCallsArePutThrough(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	texts(t, b.send("channels/transfer", url.Values{"number": {"600 11 12 22"}}), "put through to +34600111222", "Undo")
	if got := o.settings().TransferNumber; got != "+34600111222" {
		t.Errorf("it is %s", got)
	}
	got := b.post(b.at("channels/transfer"), url.Values{"number": {"the boss"}})
	if got.status != http.StatusUnprocessableEntity {
		t.Errorf("no number: %d", got.status)
	}
	texts(t, got.body, "telephone number that exists", `value="the boss"`)
	if err := o.store.AddNumber(context.Background(), o.owner(), frontdesk.Actor{}, frontdesk.Number{Number: "+34600111222", AgentID: o.agent.ID, Carrier: frontdesk.SIP, CreatedAt: monday}, nil); err != nil {
		t.Fatal(err)
	}
	texts(t, b.open("channels"), "go round in a circle")
	texts(t, b.send("channels/transfer", url.Values{"number": {""}}), "no longer put through", "-circle")
}

func TestNoticesAreSet(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	texts(t, b.open("channels"), `value="1440" checked`, `value="21:00"`, `value="07:30"`, `-value="email" checked`)
	form := url.Values{
		"customer": {"email", "text"}, "remind": {"2880", "120"}, "emails": {"ana@lola.es, eva@lola.es"}, "phones": {"600111222"}, "when": {"daily"}, "at": {"08:15"},
		"quiet_from": {""}, "quiet_to": {""}, "reply_to": {"hola@lola.es"},
	}
	texts(t, b.send("channels/notices", form), "The notices are saved", `value="email" checked`, `value="2880" checked`, `-value="1440" checked`, `value="08:15"`, "ana@lola.es, eva@lola.es", "Undo")
	n := o.settings().Notices
	if len(n.Customer) != 2 || len(n.Reminders) != 2 || n.Reminders[0] != 48*time.Hour || !n.Owner.Daily || n.Owner.At != 8*60+15 || *n.Quiet != (frontdesk.Period{}) || n.Owner.Phones[0] != "+34600111222" {
		t.Errorf("the notices are %+v", n)
	}
	for field, wrong := range map[string]url.Values{
		"emails": {"emails": {"ana"}}, "phones": {"phones": {"the boss"}}, "reply_to": {"reply_to": {"ana"}}, "quiet": {"quiet_from": {"21:00"}},
		"reminders": {"remind": {"1"}}, "at": {"at": {"noon"}}, "customer": {"customer": {"pigeon"}},
	} {
		got := b.post(b.at("channels/notices"), wrong)
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, `class="fault"`) {
			t.Errorf("%s: %d", field, got.status)
		}
	}
	if got := o.settings().Notices; got.ReplyTo != n.ReplyTo {
		t.Errorf("after faults they are %+v", got)
	}
	// The way back leads to what was there before.
	back := url.Values{}
	for _, f := range noticeFields(&visit{words: words{lang: language.Of("en")}}, frontdesk.NoticeSettings{}) {
		back.Add(f[0], f[1])
	}
	b.send("channels/notices", back)
	if got := o.settings().Notices; got.Told() || got.Quiet != nil || got.Reminders != nil || got.Owner.At != 0 {
		t.Errorf("taken back they are %+v", got)
	}
}

func TestSettingsAreChangedInLive(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	for _, form := range []string{"origins", "transfer", "notices"} {
		if got := b.post("/console/test/desk/channels/"+form, nil); got.status != http.StatusForbidden {
			t.Errorf("%s: %d", form, got.status)
		}
	}
	if got := b.get("/console/live/-/channels"); got.location != b.at("channels") {
		t.Errorf("of all agents: %d %s", got.status, got.location)
	}
	b.language = "es"
	texts(t, b.open("channels"), "Tu página", "Avisos", "Pasar llamadas a")
}
