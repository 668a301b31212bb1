package browser

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a test waits for what must come soon, on a machine that
// is busy with other things.
const patience = 30 * time.Second

// chromium is a running browser, spoken to over a pipe in its own protocol.
type chromium struct {
	in *os.File

	mu      sync.Mutex
	last    int
	waiting map[int]chan message
	hears   map[string]func(message) // events, by session
	gone    error
}

// request is what we say to the browser.
type request struct {
	ID      int    `json:"id"`
	Session string `json:"sessionId,omitempty"`
	Method  string `json:"method"`
	Params  any    `json:"params,omitempty"`
}

// message is what it says: an answer, or an event.
type message struct {
	ID      int
	Session string `json:"sessionId"`
	Method  string
	Result  json.RawMessage
	Error   *struct{ Message string }
	raw     []byte
}

// findChromium is the browser of this machine: the one that FRONTDESK_BROWSER
// names, or one in the usual places.
func findChromium() (string, bool) {
	for _, name := range []string{os.Getenv("FRONTDESK_BROWSER"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path, true
		}
	}
	return "", false
}

// launch starts a browser, with more switches, that is gone when the tests have ended.
func launch(path string, switches ...string) (*chromium, func(), error) {
	profile, err := os.MkdirTemp("", "frontdesk-browser-")
	if err != nil {
		return nil, nil, err
	}
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	c := exec.Command(path, append(switches, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--disable-extensions", "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
		"--hide-scrollbars", "--mute-audio", "--force-color-profile=srgb", "--user-data-dir="+profile, "about:blank")...)
	c.ExtraFiles = []*os.File{theirIn, theirOut}
	if err := c.Start(); err != nil {
		return nil, nil, err
	}
	theirIn.Close()
	theirOut.Close()
	b := &chromium{in: ourOut, waiting: map[int]chan message{}, hears: map[string]func(message){}}
	go b.listen(ourIn)
	return b, func() {
		if b.do("", "Browser.close", nil, nil) != nil {
			c.Process.Kill()
		}
		c.Wait()
		ourOut.Close()
		os.RemoveAll(profile)
	}, nil
}

// listen hands what the browser says to whom it concerns.
func (b *chromium) listen(from *os.File) {
	r := bufio.NewReader(from)
	for {
		raw, err := r.ReadBytes(0)
		if err != nil {
			b.hangUp(fmt.Errorf("the browser has gone: %w", err))
			return
		}
		raw = bytes.TrimSuffix(raw, []byte{0})
		var m message
		if err := json.Unmarshal(raw, &m); err != nil {
			b.hangUp(fmt.Errorf("the browser speaks no JSON: %w", err))
			return
		}
		m.raw = raw
		b.hand(m)
	}
}

func (b *chromium) hand(m message) {
	b.mu.Lock()
	waiting, hears := b.waiting[m.ID], b.hears[m.Session]
	delete(b.waiting, m.ID)
	b.mu.Unlock()
	switch {
	case waiting != nil:
		waiting <- m
	case hears != nil && m.Method != "":
		hears(m)
	}
}

func (b *chromium) hangUp(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.gone = err
	for _, waiting := range b.waiting {
		close(waiting)
	}
	b.waiting = map[int]chan message{}
}

// do asks the browser for something and waits for its answer.
func (b *chromium) do(session, method string, params, result any) error {
	answer, err := b.say(session, method, params)
	if err != nil {
		return err
	}
	select {
	case m, ok := <-answer:
		switch {
		case !ok:
			return b.gone
		case m.Error != nil:
			return fmt.Errorf("%s: %s", method, m.Error.Message)
		case result != nil:
			return json.Unmarshal(m.Result, result)
		}
		return nil
	case <-time.After(2 * patience):
		return fmt.Errorf("%s: no answer", method)
	}
}

func (b *chromium) say(session, method string, params any) (chan message, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.gone != nil {
		return nil, b.gone
	}
	b.last++
	text, err := json.Marshal(request{ID: b.last, Session: session, Method: method, Params: params})
	if err != nil {
		return nil, err
	}
	answer := make(chan message, 1)
	b.waiting[b.last] = answer
	_, err = b.in.Write(append(text, 0))
	return answer, err
}

// tab is one page of a visitor who shares nothing with the visitors of other
// tests.
type tab struct {
	t       *testing.T
	browser *chromium
	session string

	mu     sync.Mutex
	faults []string // errors in the page's own console
}

// screen is what a visitor looks at.
type screen struct {
	name          string
	width, height int
	phone         bool
	dark          bool
}

var (
	desktop = screen{name: "desktop", width: 1280, height: 800}
	phone   = screen{name: "phone", width: 390, height: 844, phone: true}
)

type object map[string]any

// visit opens an empty page on a screen.
func (b *chromium) visit(t *testing.T, s screen) *tab {
	t.Helper()
	p := &tab{t: t, browser: b}
	var context struct{ BrowserContextID string }
	p.must(b.do("", "Target.createBrowserContext", nil, &context))
	t.Cleanup(func() {
		b.do("", "Target.disposeBrowserContext", object{"browserContextId": context.BrowserContextID}, nil)
	})
	var target struct{ TargetID string }
	p.must(b.do("", "Target.createTarget", object{"url": "about:blank", "browserContextId": context.BrowserContextID}, &target))
	var attached struct{ SessionID string }
	p.must(b.do("", "Target.attachToTarget", object{"targetId": target.TargetID, "flatten": true}, &attached))
	p.session = attached.SessionID
	b.mu.Lock()
	b.hears[p.session] = p.hear
	b.mu.Unlock()
	p.do("Runtime.enable", nil)
	p.do("Log.enable", nil)
	p.do("Page.enable", nil)
	p.do("Page.addScriptToEvaluateOnNewDocument", object{"source": inPage})
	p.do("Emulation.setDeviceMetricsOverride", object{"width": s.width, "height": s.height, "deviceScaleFactor": 2, "mobile": s.phone})
	p.do("Emulation.setFocusEmulationEnabled", object{"enabled": true})
	p.do("Emulation.setTouchEmulationEnabled", object{"enabled": s.phone})
	scheme := "light"
	if s.dark {
		scheme = "dark"
	}
	p.do("Emulation.setEmulatedMedia", object{"features": []object{{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}}})
	return p
}

// inPage is what the tests use inside a page to look into the widget.
const inPage = `
window.desk = (s) => document.querySelector('[data-frontdesk]')?.shadowRoot.querySelector(s);
window.desks = (s) => [...document.querySelector('[data-frontdesk]').shadowRoot.querySelectorAll(s)];
window.seen = (e) => !!e && e.getClientRects().length > 0;
window.kept = () => JSON.parse(sessionStorage.getItem(Object.keys(sessionStorage).find((k) => k.startsWith('frontdesk:'))) || '{}');
window.focused = () => document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
`

// hear notes what the page complains about.
func (p *tab) hear(m message) {
	var fault string
	switch m.Method {
	case "Runtime.exceptionThrown":
		fault = string(m.raw)
	case "Log.entryAdded":
		if bytes.Contains(m.raw, []byte(`"level":"error"`)) {
			fault = string(m.raw)
		}
	}
	if fault != "" {
		p.mu.Lock()
		p.faults = append(p.faults, fault)
		p.mu.Unlock()
	}
}

// clean demands that the page had nothing to complain about.
func (p *tab) clean() {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, fault := range p.faults {
		p.t.Errorf("the page complains: %s", fault)
	}
}

func (p *tab) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *tab) do(method string, params any) {
	p.t.Helper()
	p.must(p.browser.do(p.session, method, params, nil))
}

// open goes to an address and waits until it has loaded.
func (p *tab) open(url string) {
	p.t.Helper()
	p.do("Page.navigate", object{"url": url})
	p.wait("document.readyState === 'complete'")
}

func (p *tab) reload() {
	p.t.Helper()
	p.run("window.old = true")
	p.do("Page.reload", nil)
	p.wait("!window.old && document.readyState === 'complete'")
}

// eval is the value of an expression in the page.
func (p *tab) eval(expression string, result any) error {
	var answer struct {
		Result struct {
			Value json.RawMessage
		}
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	err := p.browser.do(p.session, "Runtime.evaluate", object{"expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true}, &answer)
	switch {
	case err != nil:
		return err
	case answer.ExceptionDetails != nil:
		return errors.New(answer.ExceptionDetails.Text + " " + answer.ExceptionDetails.Exception.Description)
	case result == nil || len(answer.Result.Value) == 0:
		return nil
	}
	return json.Unmarshal(answer.Result.Value, result)
}

func (p *tab) run(expression string) {
	p.t.Helper()
	p.must(p.eval(expression, nil))
}

// text is the value of an expression that is a text.
func (p *tab) text(expression string) (s string) {
	p.t.Helper()
	if err := p.eval("String("+expression+")", &s); err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return s
}

// wait waits until an expression is true. A page that is being replaced takes
// the question with it, so it is asked again.
func (p *tab) wait(expression string) {
	p.t.Helper()
	question := fmt.Sprintf(`new Promise((yes, no) => {
		const end = Date.now() + %d;
		const look = () => {
			let v; try { v = (%s); } catch (e) { v = false; }
			if (v) yes(true); else if (Date.now() > end) no(new Error('waited in vain')); else setTimeout(look, 20);
		};
		look();
	})`, patience.Milliseconds(), expression)
	err := errors.New("not asked")
	for range 20 {
		if err = p.eval(question, nil); err == nil || strings.Contains(err.Error(), "in vain") {
			break
		}
	}
	if err != nil {
		p.shot("failed")
		p.t.Fatalf("%s: %v\n%s", expression, err, p.text("desk('.log')?.innerText ?? document.body.innerText"))
	}
}

// click clicks where an element is: if something lies over it, that is clicked.
func (p *tab) click(element string) {
	p.t.Helper()
	p.wait("seen(" + element + ")")
	var at struct{ X, Y float64 }
	p.must(p.eval(fmt.Sprintf(`(() => { const e = %s; e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect(); return {x: r.x + r.width/2, y: r.y + r.height/2}; })()`, element), &at))
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		p.do("Input.dispatchMouseEvent", object{"type": kind, "x": at.X, "y": at.Y, "button": "left", "clickCount": 1})
	}
}

// keys of the keyboard that are not letters.
var keys = map[string]object{
	"Tab":    {"key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9},
	"Enter":  {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"},
	"Escape": {"key": "Escape", "code": "Escape", "windowsVirtualKeyCode": 27},
	"Space":  {"key": " ", "code": "Space", "windowsVirtualKeyCode": 32, "text": " "},
}

func (p *tab) press(key string, modifiers ...int) {
	p.t.Helper()
	for _, kind := range []string{"keyDown", "keyUp"} {
		event := object{"type": kind}
		for name, value := range keys[key] {
			event[name] = value
		}
		if len(modifiers) > 0 {
			event["modifiers"] = modifiers[0]
		}
		p.do("Input.dispatchKeyEvent", event)
	}
}

// write types into what has the focus.
func (p *tab) write(text string) {
	p.t.Helper()
	p.do("Input.insertText", object{"text": text})
}

// shot keeps a picture of the screen where FRONTDESK_SCREENSHOTS says.
func (p *tab) shot(name string) {
	dir := os.Getenv("FRONTDESK_SCREENSHOTS")
	if dir == "" {
		return
	}
	var picture struct{ Data string }
	if err := p.browser.do(p.session, "Page.captureScreenshot", object{"format": "png"}, &picture); err != nil {
		p.t.Log(err)
		return
	}
	png, err := base64.StdEncoding.DecodeString(picture.Data)
	if err == nil {
		name = strings.NewReplacer("/", "-", " ", "_").Replace(p.t.Name()) + "-" + name + ".png"
		err = os.WriteFile(filepath.Join(dir, name), png, 0o644)
	}
	if err != nil {
		p.t.Log(err)
	}
}
