package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// console is where the console of the demo's dentist is, for real calls.
const console = "/console/live/dental-la-plaza/"

// ownersSession is the session of the demo's owner, whose link is used up by it.
var ownersSession = sync.OnceValues(func() (*http.Cookie, error) {
	r, err := http.NewRequest(http.MethodPost, shown.entrance, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Origin", home)
	a, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	a.Body.Close()
	for _, c := range a.Cookies() {
		if c.Name == "frontdesk_session" {
			return c, nil
		}
	}
	return nil, fmt.Errorf("entering by %s: %s and no session", shown.entrance, a.Status)
})

// owner opens an empty page of the demo's owner, who reads a language.
func owner(t *testing.T, s screen, language string) *tab {
	t.Helper()
	session, err := ownersSession()
	if err != nil {
		t.Fatal(err)
	}
	p := browser.visit(t, s)
	p.keep("frontdesk_session", session.Value)
	p.keep("frontdesk_language", language)
	return p
}

// keep gives the browser a cookie of the program.
func (p *tab) keep(name, value string) {
	p.t.Helper()
	p.do("Network.setCookie", object{"name": name, "value": value, "url": home, "httpOnly": true})
}

// status is how the server answered when the page was asked for.
func (p *tab) status() string {
	p.t.Helper()
	return p.text("performance.getEntriesByType('navigation')[0].responseStatus")
}

// quiet demands that the page had nothing to complain about so far.
func (p *tab) quiet(what string) {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, fault := range p.faults {
		p.t.Errorf("%s complains: %s", what, fault)
	}
	p.faults = nil
}

// consolePages are the addresses of all screens of the console.
func consolePages(t *testing.T) []string {
	t.Helper()
	pages := []string{
		"today", "agenda", "agenda?view=day", "agenda?view=week", "agenda/new", "agenda/block", "agenda/days",
		"calls", "teach", "teach/answer", "teach/ask?question=" + url.QueryEscape("¿Cuánto cuesta una limpieza?"),
		"business", "business/hours", "business/services", "business/services/1", "business/rules", "business/talk", "business/history",
		"insights", "insights?days=last-month", "calls?hours=closed", "channels", "channels/poster", "channels/stickers", "developers", "developers/connections", "developers/events", "people", "people/audit", "people/privacy", "more",
	}
	written, _ := appointment(t, `{"agent":"dental-la-plaza","scheduled_at":"2027-03-01T10:00:00","customer_name":"Eva Ruiz","customer_phone":"+34612000001",
		"notes":"Viene con su hija","force":true}`)
	var dentist struct{ Agent struct{ ID frontdesk.ID } }
	api(t, "GET /agents/dental-la-plaza", "", &dentist)
	var calls struct{ Data []struct{ ID frontdesk.ID } }
	api(t, "GET /calls?limit=1&agent_id="+string(dentist.Agent.ID), "", &calls)
	if len(calls.Data) == 0 {
		t.Fatal("nobody has called the demo's dentist")
	}
	c := "captures/" + string(written.ID)
	pages = append(pages, c, c+"/move", c+"/edit", "calls/"+string(calls.Data[0].ID))
	for i, page := range pages {
		pages[i] = console + page
	}
	return append(pages, "/console/live/-/today", "/console/live/casa-lola/agenda", "/console/test/dental-la-plaza/today", "/console/me", "/console/enter")
}

// tooSmall lists what is there to be hit and is too small for a finger, or lies
// where nobody can scroll to. Links inside of a text are as high as its lines.
const tooSmall = `(() => {
	const scrolls = (e) => e && (/auto|scroll/.test(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
	const targets = 'button, summary, .button, label.check, nav a, .drop a, .rows a, .tiles a, .visits a, select, textarea, input:not([type=hidden], [type=checkbox], [type=radio])';
	return [...document.querySelectorAll(targets)].filter((e) => seen(e) && !e.matches('.hidden, :disabled')).filter((e) => {
		const r = e.getBoundingClientRect();
		return r.width < 43.5 || r.height < 43.5 || (r.right > innerWidth + 1 && !scrolls(e));
	}).map((e) => e.outerHTML.slice(0, 120) + ' ' + e.getBoundingClientRect().width + '×' + e.getBoundingClientRect().height).join('\n');
})()`

// fitsEverybody demands that a page of the console uses the width there is, does
// not scroll sideways, and that everything in it can be hit.
func (p *tab) fitsEverybody(what string) {
	p.t.Helper()
	if got := p.text("document.documentElement.scrollWidth > innerWidth"); got != "false" {
		p.t.Errorf("%s scrolls sideways: %s", what, p.text(`[...document.querySelectorAll('main *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 3).map((e) => e.outerHTML.slice(0, 120)).join('\n')`))
	}
	if narrow := p.text(`[...document.querySelectorAll('main .columns')].filter((c) => Math.max(...[...c.children].map((e) => e.getBoundingClientRect().right)) < c.getBoundingClientRect().right - 2).map((c) => c.outerHTML.slice(0, 120)).join('\n')`); narrow != "" {
		p.t.Errorf("%s leaves a part of its width empty: %s", what, narrow)
	}
	if got := p.text(`new Set([...document.querySelectorAll('.sheet .col')].filter(seen).map((e) => Math.round(e.getBoundingClientRect().top))).size`); got != "0" && got != "1" {
		p.t.Errorf("%s: the hours of the agenda's columns begin at %s different heights", what, got)
	}
	if tight := p.text(tooSmall); tight != "" {
		p.t.Errorf("%s: too small or outside of the screen:\n%s", what, tight)
	}
}

// faultless demands that axe, which the page has, finds no fault. rules is a list
// of them, or "": all. A text in the colour of its ground is one too, although axe
// takes it for hidden on purpose.
func (p *tab) faultless(what, rules string) {
	p.t.Helper()
	if axe() == "" {
		return
	}
	options := object{"resultTypes": []string{"violations", "incomplete"}}
	if rules != "" {
		options["runOnly"] = strings.Fields(rules)
	}
	text, err := json.Marshal(options)
	p.must(err)
	var faults string
	p.must(p.eval(fmt.Sprintf(`axe.run(document, %s).then((r) => r.passes.length ? [...r.violations,
		...r.incomplete.map((v) => ({id: v.id, nodes: v.nodes.filter((n) => n.any.some((c) => c.data?.messageKey === 'equalRatio'))})).filter((v) => v.nodes.length)].map((v) => v.id + ': ' + v.nodes.map((n) => n.html + ' ' + n.failureSummary).join('\n\t')).join('\n') : 'nothing to look at')`, text), &faults))
	if faults != "" {
		p.t.Errorf("%s: axe finds\n%s", what, faults)
	}
}

// theme sets whether the visitor's device is dark.
func (p *tab) theme(name string) {
	p.t.Helper()
	p.do("Emulation.setEmulatedMedia", object{"features": []object{{"name": "prefers-color-scheme", "value": name}, {"name": "prefers-reduced-motion", "value": "reduce"}}})
}

// TestConsoleIsOpenToEverybody opens every screen once for each size. The dark
// theme differs in its colours alone, so only they are looked at again.
func TestConsoleIsOpenToEverybody(t *testing.T) {
	t.Parallel()
	if axe() == "" {
		t.Log("NOT COVERED: there is no axe-core here; scripts/find-axe --install fetches it")
	}
	pages := consolePages(t)
	for _, s := range []screen{{name: "small phone", width: 320, height: 568, phone: true}, phone, desktop} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			p := owner(t, s, "es")
			p.do("Page.addScriptToEvaluateOnNewDocument", object{"source": axe()})
			for _, page := range pages {
				p.openConsole(page)
			}
		})
	}
}

// openConsole looks at one page of the console in both themes.
func (p *tab) openConsole(page string) {
	p.t.Helper()
	p.theme("light")
	p.open(home + page)
	if got := p.status(); got != "200" {
		p.t.Errorf("%s: %s %s", page, got, p.text("document.body.innerText"))
		return
	}
	picture := strings.ReplaceAll(strings.Trim(page, "/"), "/", "_")
	p.shot(picture)
	p.run("document.querySelectorAll('main details').forEach((d) => { d.open = true; })")
	p.fitsEverybody(page)
	p.faultless(page, "")
	p.theme("dark")
	p.shot(picture + "-dark")
	p.faultless(page+" in the dark", "color-contrast link-in-text-block")
	p.quiet(page)
}

// TestConsoleIsReadWithoutScripts opens every screen in a browser that runs none.
func TestConsoleIsReadWithoutScripts(t *testing.T) {
	t.Parallel()
	p := owner(t, phone, "es")
	for _, page := range consolePages(t) {
		p.look(home + page)
		if got := p.status(); got != "200" {
			t.Errorf("%s: %s", page, got)
		}
		h1, main := p.text("document.querySelector('h1')?.innerText ?? ''"), p.text("document.querySelector('main').innerText")
		if h1 == "" || len(main) < len(h1)+40 {
			t.Errorf("%s says %q, and in all: %s", page, h1, main)
		}
		p.quiet(page)
	}
}
