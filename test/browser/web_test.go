// Package browser looks at the web channel as a visitor does: the built
// program with its demo, and a real headless Chromium that clicks, types and
// reads the screen. On a machine without one it says so and covers nothing.
package browser

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

var (
	browser *chromium
	home    string // where the program listens
	shown   printed
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	path, found := findChromium()
	if !found {
		missing := "NOT COVERED: there is no Chromium here, so nobody looked at the page and the widget."
		if err := command("../../scripts/say", missing).Run(); err != nil {
			fmt.Fprintln(os.Stderr, missing)
		}
		return 0
	}
	var stop func()
	var err error
	if home, shown, stop, err = program(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer stop()
	if binary, err := built(); err == nil {
		defer os.RemoveAll(filepath.Dir(binary))
	}
	var quit func()
	if browser, quit, err = launch(path); err != nil {
		fmt.Fprintln(os.Stderr, "starting the browser:", err)
		return 1
	}
	defer quit()
	return m.Run()
}

func command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return c
}

// answers are what a visitor says to what the receptionist asks for.
var answers = map[string]map[string]string{
	"es": {
		"": "Quiero reservar una mesa", "date": "el viernes que viene a las nueve de la noche", "time": "a las nueve de la noche",
		"party_size": "4", "name": "Ana García", "phone": "612 345 678", "email": "ana@example.com", "confirm": "Sí",
	},
	"en": {
		"": "I would like to book a table, please", "date": "next Friday at nine in the evening", "time": "at nine in the evening",
		"party_size": "four of us", "name": "Ana García", "phone": "612 345 678", "email": "ana@example.com", "confirm": "yes, please",
	},
}

// visitors counts those who have booked.
var visitors atomic.Int32

// enter opens an address and sees to it that no conversation stays open: a
// business has only so many at once.
func (p *tab) enter(url string) {
	p.t.Helper()
	p.open(url)
	p.t.Cleanup(func() {
		p.eval("kept().id && fetch("+fmt.Sprintf("%q", home)+" + '/web/conversations/' + kept().id + '/end', {method: 'POST', headers: {Authorization: 'Bearer ' + kept().token}})", nil)
	})
}

// waitForAnswer waits until that many messages have been said.
func (p *tab) waitForAnswer(messages int) {
	p.t.Helper()
	p.wait(fmt.Sprintf("kept().messages?.length >= %d && desk('.dots').hidden", messages))
}

// book says what is asked for until the confirmation is on the screen. say puts
// a text in; choices are clicked by the caller's own means.
func (p *tab) book(language string, say func(text string)) {
	p.t.Helper()
	// One number may hold a few appointments only: every visitor has another.
	number := fmt.Sprintf("612 345 %03d", visitors.Add(1))
	p.waitForAnswer(1)
	for turn := 1; turn <= 14; turn++ {
		if p.text("!!desk('.card')") == "true" {
			return
		}
		expect := p.text("kept().expect ?? ''")
		text, known := answers[language][expect]
		if expect == "phone" {
			text = number
		}
		if !known {
			text = p.text("kept().quick[0] ?? 'sí'")
		}
		if turn == 4 {
			p.shot("talking")
		}
		say(text)
		p.waitForAnswer(2*turn + 1)
	}
	p.t.Fatalf("no confirmation after 14 turns:\n%s", p.text("desk('.log').innerText"))
}

// byField writes into the field and presses Enter.
func (p *tab) byField(text string) {
	p.t.Helper()
	p.click("desk('textarea')")
	p.write(text)
	p.press("Enter")
}

var code = regexp.MustCompile(`^[346790ACDEFGHJKMNPQRTWXY]{6}$`)

// confirmed looks at the card.
func (p *tab) confirmed(language string) {
	p.t.Helper()
	title := map[string]string{"es": "Reserva", "en": "Your booking"}[language]
	if got := p.text("desk('.card .done').innerText"); got != title {
		p.t.Errorf("the card says %q, want %q", got, title)
	}
	if got := p.text("desk('.card').lang"); got != language {
		p.t.Errorf("the card is in %q", got)
	}
	if got := p.text("desk('.code strong').innerText"); !code.MatchString(got) {
		p.t.Errorf("the code is %q", got)
	}
	day := map[string]string{"es": "viernes|jueves|sábado", "en": "Friday|Thursday|Saturday"}[language]
	if got := p.text("desk('.card dl').innerText"); !regexp.MustCompile(`(?i)` + day).MatchString(got) {
		p.t.Errorf("the card has no day of the week: %q", got)
	}
	if got := p.text("desk('.card .ics').href"); !strings.HasSuffix(got, ".ics") {
		p.t.Errorf("the calendar file is at %q", got)
	}
}

// fits demands that nothing is cut off or too small to be hit.
func (p *tab) fits() {
	p.t.Helper()
	if got := p.text("document.documentElement.scrollWidth > innerWidth"); got != "false" {
		p.t.Error("the page scrolls sideways")
	}
	tight := p.text(`desks('button').filter((b) => seen(b)).filter((b) => { const r = b.getBoundingClientRect(); return r.width < 44 || r.height < 44 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1; }).map((b) => b.ariaLabel || b.innerText).join('; ')`)
	if tight != "" {
		p.t.Errorf("too small or outside of the screen: %s", tight)
	}
}

func TestPage(t *testing.T) {
	t.Parallel()
	for _, s := range []screen{desktop, phone} {
		for _, language := range []string{"es", "en"} {
			t.Run(s.name+" "+language, func(t *testing.T) {
				t.Parallel()
				s.dark = language == "en" // so that both are looked at
				p := browser.visit(t, s)
				p.enter(home + "/talk/demo/casa-lola?lang=" + language)
				p.waitForAnswer(1)
				p.shot("greeting")
				p.book(language, p.byField)
				p.confirmed(language)
				p.fits()
				p.run("desk('.log').scrollTop = 1e6")
				p.shot("confirmed")
				if got := p.text("desk('.root').lang + ' ' + document.title"); got != language+" Carmen · Casa Lola" {
					t.Errorf("the page is %q", got)
				}
				p.clean()
			})
		}
	}
}

// hostile is a style that takes no prisoners.
const hostile = `* { font-family: serif !important; letter-spacing: 3px; color: #a00 } div { display: none !important; border: 9px dashed }
button { background: lime !important; width: 7px } #other { width: auto } textarea { display: none } body { font-size: 30px; margin: 2em }`

// site is some business's own page, on an origin of its own. It lets in our
// script, and nothing else that is not its own.
func site(t *testing.T, attributes string) string {
	t.Helper()
	return siteOf(t, home, attributes)
}

// siteOf is one that has its receptionist from a server.
func siteOf(t *testing.T, home, attributes string) string {
	t.Helper()
	page := fmt.Sprintf(`<!doctype html><html lang="es"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><title>Casa Lola</title>
<style>%s</style></head>
<body><h1>Casa Lola</h1><p>Cocina de mercado desde 1987.</p><p><button id="other">Ver la carta</button></p>
<script src="%s/widget.js" data-tenant="demo" data-agent="casa-lola" %s async></script></body></html>`, hostile, home, attributes)
	sum := sha256.Sum256([]byte(hostile))
	policy := fmt.Sprintf("default-src 'none'; style-src 'sha256-%s'; script-src %s; connect-src %s ws%s; img-src data:; require-trusted-types-for 'script'",
		base64.StdEncoding.EncodeToString(sum[:]), home, home, strings.TrimPrefix(home, "http"))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", policy)
		w.Write([]byte(page))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestWidgetOnAForeignSite(t *testing.T) {
	t.Parallel()
	for _, s := range []screen{desktop, phone} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			p := browser.visit(t, s)
			p.enter(site(t, ""))
			p.wait("seen(desk('.launcher'))")
			p.shot("closed")
			p.click("desk('.launcher')")
			p.book("es", p.byField)
			p.confirmed("es")
			p.fits()
			p.shot("confirmed")
			if got := p.text("getComputedStyle(desk('.m')).fontFamily + getComputedStyle(desk('.m')).letterSpacing"); strings.Contains(got, "3px") || !strings.HasPrefix(got, "system-ui") {
				t.Errorf("the site's style reaches the widget: %s", got)
			}
			if got, want := p.text("desk('.panel').getAttribute('aria-modal')"), fmt.Sprint(s.phone); got != want {
				t.Errorf("aria-modal is %s, want %s", got, want)
			}
			p.clean()
		})
	}
}

func TestKeyboardAlone(t *testing.T) {
	t.Parallel()
	p := browser.visit(t, desktop)
	p.enter(site(t, ""))
	p.wait("seen(desk('.launcher'))")
	p.press("Tab") // the site's own button
	p.press("Tab")
	if got := p.text("focused().className"); got != "launcher" {
		t.Fatalf("the focus is on %q, want the launcher", got)
	}
	p.shot("launcher_focus")
	p.press("Enter")
	p.wait("focused().tagName === 'TEXTAREA'")
	p.book("es", func(text string) {
		p.t.Helper()
		p.wait("focused().tagName === 'TEXTAREA'")
		p.write(text)
		p.press("Enter")
	})
	p.confirmed("es")
	// Back to the button that copies the code, through what lies between.
	for range 12 {
		if p.text("focused().title") == "Copiar el código" {
			break
		}
		p.press("Tab", 8)
	}
	p.shot("copy_focus")
	p.press("Enter")
	p.wait("desk('.notice').innerText === 'Copiado'")
	p.press("Escape")
	p.wait("!seen(desk('.panel')) && focused().className === 'launcher'")
	if got := p.text("desk('.launcher').ariaExpanded"); got != "false" {
		t.Errorf("aria-expanded is %s", got)
	}
	p.press("Enter")
	p.wait("seen(desk('.card'))")
	p.clean()
}

func TestQuickRepliesAreButtons(t *testing.T) {
	t.Parallel()
	p := browser.visit(t, phone)
	p.enter(home + "/talk/demo/casa-lola?lang=es")
	p.waitForAnswer(1)
	p.book("es", func(text string) {
		if n := p.text("desks('.quick button').length"); n != "0" {
			p.shot("quick")
			p.fits()
			text = p.text("desk('.quick button').innerText")
			p.click("desk('.quick button')")
			p.wait("desks('.m.me').at(-1).innerText.endsWith(" + fmt.Sprintf("%q", text) + ")")
			return
		}
		p.byField(text)
	})
	p.clean()
}

// TestTheBeginningOnASmallPhone looks at what a visitor sees before anything is said.
func TestTheBeginningOnASmallPhone(t *testing.T) {
	t.Parallel()
	for language, role := range map[string]string{"es": "asistente virtual", "en": "virtual assistant"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			p := browser.visit(t, screen{name: "small phone", width: 320, height: 568, phone: true})
			p.enter(home + "/talk/demo/dental-la-plaza?lang=" + language)
			p.waitForAnswer(1)
			p.shot("beginning")
			if got := p.text("desk('.sub b').innerText"); !strings.HasSuffix(got, role) {
				t.Errorf("it says that it is %q", got)
			}
			if got := p.text("desk('.sub b').scrollWidth <= desk('.sub b').clientWidth + 1 && desk('.sub b').getBoundingClientRect().right <= desk('.names').getBoundingClientRect().right + 1"); got != "true" {
				t.Error("what it is, is cut off")
			}
			if got := p.text("desk('.fine').innerText"); !strings.Contains(got, role) || !strings.Contains(got, "180") {
				t.Errorf("of what is kept it says %q", got)
			}
			if got := p.text("getComputedStyle(focused() ?? document.body).outlineStyle"); got != "none" {
				t.Errorf("something is framed: %s", got)
			}
			if got := p.text("desks('.quick button').length"); got != "3" {
				t.Errorf("%s suggestions", got)
			}
			p.fits()
			p.byField(map[string]string{"es": "¿Cuál es la dirección?", "en": "What is the address?"}[language])
			p.waitForAnswer(3)
			if got := p.text("[...desks('.m').at(-1).querySelectorAll('a')].map((a) => a.href).join(' ')"); !strings.Contains(got, "query=") {
				t.Errorf("the links are %q, of %q", got, p.text("desks('.m').at(-1).innerText"))
			}
			p.clean()
		})
	}
}

func TestTestModeSaysSo(t *testing.T) {
	t.Parallel()
	p := browser.visit(t, phone)
	p.enter(home + "/talk/demo/casa-lola?mode=test&lang=es")
	p.waitForAnswer(1)
	if got := p.text("desk('.test').innerText"); !strings.Contains(got, "Modo de prueba") {
		t.Errorf("the banner says %q", got)
	}
	p.byField("Hello, do you speak English?")
	p.waitForAnswer(3)
	p.wait("desk('.root').lang === 'en'")
	if got := p.text("desk('.test').innerText"); !strings.Contains(got, "Test mode") {
		t.Errorf("after the language has changed the banner says %q", got)
	}
	if got := p.text("desks('.m').map((m) => m.lang).join(' ')"); got != "es en en" {
		t.Errorf("the messages are in %q", got)
	}
	p.shot("english")
	p.clean()
}

func TestReloadKeepsTheConversation(t *testing.T) {
	t.Parallel()
	p := browser.visit(t, desktop)
	p.enter(site(t, `data-color="#ffd23f" data-position="left"`))
	p.click("desk('.launcher')")
	p.waitForAnswer(1)
	p.byField("Quiero reservar una mesa")
	p.waitForAnswer(3)
	before := p.text("kept().id + desk('.log').innerText + desk('.quick').innerText")
	p.shot("before")
	p.reload()
	p.wait("seen(desk('.panel'))")
	if after := p.text("kept().id + desk('.log').innerText + desk('.quick').innerText"); after != before {
		t.Errorf("before the reload:\n%s\nafter it:\n%s", before, after)
	}
	if got := p.text("focused() === document.body"); got != "true" {
		t.Error("a reload steals the focus")
	}
	p.byField("Para el viernes a las nueve de la noche")
	p.waitForAnswer(5)
	p.clean()
}

func TestEndAndStartAgain(t *testing.T) {
	t.Parallel()
	p := browser.visit(t, phone)
	p.enter(home + "/talk/demo/casa-lola?lang=es")
	p.waitForAnswer(1)
	first := p.text("kept().id")
	p.click("desk('[aria-label=\"Terminar la conversación\"]')")
	p.shot("asked")
	p.click("desks('.bar .main').find(seen)")
	p.wait("kept().ended && seen(desks('.bar').at(-1))")
	p.shot("ended")
	p.fits()
	p.click("desks('.bar .main').find(seen)")
	p.wait("kept().id && kept().id !== " + fmt.Sprintf("%q", first))
	p.waitForAnswer(1)
	if got := p.text("seen(desk('textarea'))"); got != "true" {
		t.Error("there is no field to write in")
	}
	p.clean()
}

// TestAMessageThatFailsIsShownOnce cuts the line, says something, tries again, and
// mends the line: what waits is sent by itself.
func TestAMessageThatFailsIsShownOnce(t *testing.T) {
	t.Parallel()
	p := browser.visit(t, phone)
	p.enter(home + "/talk/demo/casa-lola?lang=es")
	p.waitForAnswer(1)
	offline := object{"offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
	p.do("Network.enable", nil)
	p.do("Network.emulateNetworkConditions", offline)
	p.byField("Quiero reservar una mesa")
	p.wait("seen(desk('.fail button'))")
	p.shot("unsent")
	if got := p.text("seen(desks('.strip').at(-1))"); got != "true" {
		t.Error("nothing says that there is no connection")
	}
	p.click("desk('.fail button')")
	p.wait("seen(desk('.fail button')) && desks('.fail').length === 1")
	offline["offline"] = false
	p.do("Network.emulateNetworkConditions", offline)
	p.waitForAnswer(3)
	if got := p.text("desks('.m.me').length + ' ' + desks('.fail').length"); got != "1 0" {
		t.Errorf("messages and faults: %s, want 1 0", got)
	}
}

func TestNobodyAtTheDesk(t *testing.T) {
	t.Parallel()
	p := browser.visit(t, phone)
	p.open(home + "/talk/demo/nobody?lang=en")
	if got := p.text("document.querySelector('h1').innerText"); got != "There is nobody at this desk" {
		t.Errorf("the page says %q", got)
	}
	p.shot("missing")
}
