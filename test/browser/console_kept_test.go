package browser

import (
	"net/url"
	"testing"
)

const (
	keptLine  = "document.querySelector('[data-kept]')"
	keptItems = "Object.keys(sessionStorage).filter((k) => k.startsWith('frontdesk.kept ')).length"
)

// typed touches a field and types into it.
func (p *tab) typed(id, text string) {
	p.t.Helper()
	p.finger("document.getElementById('" + id + "')")
	p.write(text)
}

// has demands that a field has a value, and that the page says so when it was kept.
func (p *tab) has(id, want string, kept bool) {
	p.t.Helper()
	got := p.text("document.getElementById('" + id + "').value")
	line := p.text("seen(" + keptLine + ")")
	if got != want || line != map[bool]string{true: "true", false: "false"}[kept] {
		p.shot("unkept")
		p.t.Errorf("%s is %q, and that it was kept is shown: %s; want %q and %v", id, got, line, want, kept)
	}
}

// TestAHalfFilledFormIsKept leaves an answer half written, and comes back to it.
func TestAHalfFilledFormIsKept(t *testing.T) {
	t.Parallel()
	p := owner(t, phone, "es")
	p.do("Page.addScriptToEvaluateOnNewDocument", object{"source": axe()})
	place := home + "/console/live/harbour-store/"
	form := place + "teach/answer?question=" + url.QueryEscape("¿Arregláis paraguas?")
	p.open(form)
	p.has("answer", "", false)
	p.typed("answer", "Sí, en una semana")
	p.open(place + "today")
	p.open(form)
	p.has("answer", "Sí, en una semana", true)
	if got := p.text(keptLine + ".innerText"); got != "Hemos guardado lo que escribiste. Descartar" && got != "Hemos guardado lo que escribiste.\nDescartar" {
		t.Errorf("the page says %q", got)
	}
	p.fitsEverybody("a form with what was kept")
	p.faultless("a form with what was kept", "")
	p.shot("kept")

	// The form for another question is another.
	p.open(place + "teach/answer?question=" + url.QueryEscape("¿Hay probadores?"))
	p.has("answer", "", false)

	p.open(form)
	p.finger(named("[data-kept]", "Descartar"))
	p.wait("!seen(" + keptLine + ")")
	p.has("answer", "", false)
	p.open(form)
	p.has("answer", "", false)

	// When the session has ended, what was sent was not taken.
	p.typed("answer", "Sí, en una semana.")
	p.keep("frontdesk_session", "ended")
	p.onward(named("main form", "Enseñar"))
	p.wait("document.body.matches('.door')")
	session, err := ownersSession()
	if err != nil {
		t.Fatal(err)
	}
	p.keep("frontdesk_session", session.Value)
	p.open(form)
	p.has("answer", "Sí, en una semana.", true)

	p.onward(named("main form", "Enseñar"))
	p.done("Aprendido")
	if got := p.text(keptItems); got != "0" {
		t.Errorf("after it was sent, %s forms are kept", got)
	}
	p.open(form)
	p.has("answer", "", false)
	p.clean()
}

// TestWhatIsKeptOfForms looks at the other long forms: the times that depend on what
// was chosen, what is private, and signing out.
func TestWhatIsKeptOfForms(t *testing.T) {
	t.Parallel()
	p := owner(t, phone, "es")
	p.open(home + console + "agenda/new")
	date := p.text("document.getElementById('date').value")
	p.typed("name", "Berta Gil")
	p.typed("notes", "Prefiere la tarde")
	p.open(home + console + "agenda")
	p.open(home + console + "agenda/new")
	p.has("name", "Berta Gil", true)
	p.has("notes", "Prefiere la tarde", true)
	p.has("date", date, true)
	p.shot("kept_agenda")
	// A day that the address names was chosen just now.
	p.open(home + console + "agenda/new?date=2026-12-02")
	p.has("name", "Berta Gil", true)
	p.has("date", "2026-12-02", true)

	p.open(home + console + "developers/connections/new")
	p.typed("name", "CRM de Berta")
	p.typed("url", "https://crm.example.com/hooks/s3cr3t")
	p.open(home + console + "developers")
	if got := p.text("JSON.stringify({...sessionStorage}).includes('s3cr3t')"); got != "false" {
		t.Error("the address of a connection is kept")
	}
	p.open(home + console + "developers/connections/new")
	p.has("name", "CRM de Berta", true)
	p.has("url", "", true)

	if got := p.text(keptItems); got != "2" {
		t.Errorf("%s forms are kept, want 2", got)
	}
	// The session is that of all tests: it is not really ended.
	p.run("document.querySelector(\"form[action='/console/leave']\").addEventListener('submit', (e) => e.preventDefault())")
	p.finger("document.querySelector('details.me summary')")
	p.finger(named(".drop", "Salir"))
	p.wait(keptItems + " === 0")
	p.clean()
}
