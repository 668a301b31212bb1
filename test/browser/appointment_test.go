package browser

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/notice"
	"frontdesk.dev/frontdesk/internal/seal"
)

// api asks the program's API with the demo's live key.
func api(t *testing.T, operation, body string, into any) {
	t.Helper()
	method, path, _ := strings.Cut(operation, " ")
	r, err := http.NewRequest(method, home+"/v1"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+shown.key)
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil || a.StatusCode >= 300 {
		t.Fatalf("%s: %d %s %v", operation, a.StatusCode, text, err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// capture is how an appointment of the demo stands.
type capture struct {
	ID          frontdesk.ID
	Status      string
	ScheduledAt string `json:"scheduled_at"`
}

// appointment writes one into the demo's book and returns it with the link that
// its customer has.
func appointment(t *testing.T, body string) (capture, string) {
	t.Helper()
	var written struct{ Capture capture }
	api(t, "POST /captures", body, &written)
	var who struct{ Tenant struct{ ID frontdesk.ID } }
	api(t, "GET /whoami", "", &who)
	box, err := seal.New(frontdesk.Secret(masterKey))
	if err != nil {
		t.Fatal(err)
	}
	return written.Capture, notice.NewLinks(box, home).Address(frontdesk.Owner{TenantID: who.Tenant.ID, Live: true}, written.Capture.ID)
}

func (c capture) now(t *testing.T) capture {
	t.Helper()
	var read struct{ Capture capture }
	api(t, "GET /captures/"+string(c.ID), "", &read)
	return read.Capture
}

// axe is the program that looks at pages for what keeps people out.
var axe = sync.OnceValue(func() string {
	path, err := exec.Command("../../scripts/find-axe").Output()
	if err != nil {
		return ""
	}
	text, err := os.ReadFile(strings.TrimSpace(string(path)))
	if err != nil {
		return ""
	}
	return string(text)
})

// scripts says whether pages may have any. Without them no timer runs out.
func (p *tab) scripts(run bool) {
	p.t.Helper()
	p.do("Emulation.setScriptExecutionDisabled", object{"value": !run})
}

// waitWithout is wait while no scripts run.
func (p *tab) waitWithout(expression string) {
	p.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		var is bool
		if p.eval("!!("+expression+")", &is) == nil && is {
			return
		}
	}
	p.shot("failed")
	p.t.Fatalf("%s: waited in vain", expression)
}

// tap clicks on an element and waits for the page behind it.
func (p *tab) tap(element string) {
	p.t.Helper()
	p.run("window.old = true")
	var at struct{ X, Y float64 }
	p.must(p.eval(fmt.Sprintf(`(() => { const e = %s; e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect(); return {x: r.x + r.width/2, y: r.y + r.height/2}; })()`, element), &at))
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		p.do("Input.dispatchMouseEvent", object{"type": kind, "x": at.X, "y": at.Y, "button": "left", "clickCount": 1})
	}
	p.waitWithout("!window.old && document.readyState === 'complete'")
}

// look opens an address with scripts switched off.
func (p *tab) look(url string) {
	p.t.Helper()
	p.scripts(false)
	p.run("window.old = true")
	p.do("Page.navigate", object{"url": url})
	p.waitWithout("!window.old && document.readyState === 'complete'")
}

// openToEverybody demands that axe finds no fault with the page, that nothing
// is too small to be hit, and that it does not scroll sideways.
func (p *tab) openToEverybody(what string) {
	p.t.Helper()
	p.shot(what)
	if got := p.text("document.scripts.length + ' ' + (document.documentElement.scrollWidth > innerWidth)"); got != "0 false" {
		p.t.Errorf("%s: scripts, and whether it scrolls sideways: %s", what, got)
	}
	tight := p.text(`[...document.querySelectorAll('a, button, summary')].filter(seen).filter((e) => { const r = e.getBoundingClientRect(); return r.width < 44 || r.height < 44 || r.right > innerWidth + 1; }).map((e) => e.innerText).join('; ')`)
	if tight != "" {
		p.t.Errorf("%s: too small or outside of the screen: %s", what, tight)
	}
	if axe() == "" {
		p.t.Log("NOT COVERED: there is no axe-core here; scripts/find-axe --install fetches it")
		return
	}
	p.scripts(true) // axe is one
	defer p.scripts(false)
	p.run(axe() + "; 0")
	var faults string
	p.must(p.eval(`axe.run(document, {resultTypes: ['violations']}).then((r) => r.passes.length ? r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.html).join(' ')).join('\n') : 'nothing to look at')`, &faults))
	if faults != "" {
		p.t.Errorf("%s: axe finds\n%s", what, faults)
	}
}

func quoted(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

// follow clicks on what has a text, and waits for the page behind it.
func (p *tab) follow(text string) {
	p.t.Helper()
	p.tap(fmt.Sprintf("[...document.querySelectorAll('a, button')].find((e) => e.innerText === %s)", quoted(text)))
}

func (p *tab) says(h1 string) {
	p.t.Helper()
	if got := p.text("document.querySelector('h1').innerText"); got != h1 {
		p.t.Errorf("the page says %q, want %q", got, h1)
	}
}

// words are what a customer reads and clicks on.
type words struct {
	pending, confirm, confirmed, move, choose, ask, yes, other, cancel, sure, cancelled, missing string
}

var customers = map[string]words{
	"es": {
		"Cita pendiente de confirmar", "Confirmar", "Cita confirmada", "Cambiar día u hora", "Elegir otra hora", "¿Cambiar a esta hora?", "Sí, cambiar",
		"English", "Cancelar la cita", "Sí, cancelar", "Cita cancelada", "Aquí no hay ninguna cita",
	},
	"en": {
		"Appointment to be confirmed", "Confirm", "Appointment confirmed", "Change day or time", "Choose another time", "Change to this time?", "Yes, change it",
		"Español", "Cancel the appointment", "Yes, cancel it", "Appointment cancelled", "There is no appointment here",
	},
}

// TestACustomersOwnPage has one customer after the other, as all of them take the
// first time that is free.
func TestACustomersOwnPage(t *testing.T) {
	t.Parallel()
	small, night := screen{name: "small phone", width: 320, height: 568, phone: true}, phone
	night.name, night.dark = "phone at night", true
	tests := []struct {
		screen   screen
		language string
	}{{phone, "es"}, {phone, "en"}, {night, "es"}, {night, "en"}, {small, "es"}, {small, "en"}, {desktop, "es"}}
	for _, tt := range tests {
		t.Run(tt.screen.name+" "+tt.language, func(t *testing.T) {
			c, link := appointment(t, `{"agent":"dental-la-plaza","scheduled_at":"2027-01-12T10:00:00","customer_name":"Ana",
				"notes":"Llego en silla de ruedas","status":"pending_confirm","force":true}`)
			p := browser.visit(t, tt.screen)
			p.customer(c, link+"?lang="+tt.language, customers[tt.language])
			p.clean()
		})
	}
}

// customer confirms, moves and cancels by clicking.
func (p *tab) customer(c capture, link string, w words) {
	p.t.Helper()
	p.look(link)
	p.says(w.pending)
	p.openToEverybody("pending")
	p.follow(w.confirm)
	p.says(w.confirmed)
	p.openToEverybody("confirmed")
	if got := c.now(p.t).Status; got != "confirmed" {
		p.t.Errorf("after the click it is %s", got)
	}
	p.follow(w.move)
	p.says(w.choose)
	p.openToEverybody("times")
	p.tap("[...document.querySelectorAll('.times a')].find(seen)")
	p.says(w.ask)
	p.openToEverybody("ask")
	p.follow(w.yes)
	p.says(w.confirmed)
	p.openToEverybody("moved")
	if got := c.now(p.t).ScheduledAt; got == c.ScheduledAt {
		p.t.Errorf("it is still at %s", got)
	}
	p.follow(w.cancel)
	p.openToEverybody("cancel")
	p.follow(w.sure)
	p.says(w.cancelled)
	p.openToEverybody("cancelled")
	if got := c.now(p.t).Status; got != "cancelled" {
		p.t.Errorf("after the click it is %s", got)
	}
	p.follow(w.other)
	if p.text("document.querySelector('h1').innerText") == w.cancelled {
		p.t.Error("the other language is the same")
	}
}

func TestCustomersWhoseLinkOpensNothing(t *testing.T) {
	t.Parallel()
	for language, w := range customers {
		p := browser.visit(t, phone)
		p.look(home + notice.LinkPath + "x?lang=" + language)
		p.says(w.missing)
		p.openToEverybody("missing")
	}
}

func TestAPlaceThatIsTakenMeanwhile(t *testing.T) {
	t.Parallel()
	c, link := appointment(t, `{"agent":"dental-la-plaza","scheduled_at":"2027-02-01T10:00:00","resource_id":"vidal","status":"confirmed","force":true}`)
	p := browser.visit(t, phone)
	p.look(link + "/move?lang=en&at=2027-02-02T11:00:00")
	p.says("Change to this time?")
	appointment(t, `{"agent":"dental-la-plaza","scheduled_at":"2027-02-02T11:00:00","resource_id":"vidal","force":true}`)
	p.follow("Yes, change it")
	p.says("That time is no longer free")
	p.openToEverybody("taken")
	if got := c.now(t); got != c {
		t.Errorf("it is %+v", got)
	}
	p.tap("document.querySelector('.near a')")
	p.follow("Yes, change it")
	p.says("Appointment confirmed")
}
