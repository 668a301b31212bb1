package browser

import (
	"strings"
	"testing"
)

// tabTo presses Tab until an element has the focus.
func (p *tab) tabTo(element string) {
	p.t.Helper()
	for range 80 {
		if p.text("document.activeElement === "+element) == "true" {
			return
		}
		p.press("Tab")
	}
	p.shot("unreached")
	p.t.Fatalf("80 times Tab do not lead to %s, but to %s", element, p.text("document.activeElement.outerHTML.slice(0, 200)"))
}

// TestConsoleByKeyboardAlone confirms an appointment without a mouse.
func TestConsoleByKeyboardAlone(t *testing.T) {
	t.Parallel()
	c, _ := appointment(t, `{"agent":"dental-la-plaza","scheduled_at":"2026-11-19T10:00:00","customer_name":"Nuria Soler","status":"pending_confirm","force":true}`)
	p := owner(t, desktop, "es")
	p.do("Page.addScriptToEvaluateOnNewDocument", object{"source": axe()})
	p.open(home + console + "today")
	p.press("Tab")
	if got := p.text("document.activeElement.innerText + ' ' + (document.activeElement.getBoundingClientRect().x >= 0)"); got != "Saltar al contenido true" {
		t.Errorf("the first Tab leads to %q", got)
	}
	p.shot("skip")
	p.press("Enter")
	p.wait("location.hash === '#main'")
	p.press("Tab")
	if got := p.text("document.querySelector('main').contains(document.activeElement)"); got != "true" {
		t.Errorf("after the link that skips the menu, Tab leads to %s", p.text("document.activeElement.outerHTML"))
	}

	p.open(home + console + "today")
	const account = "document.querySelector('details.me summary')"
	p.tabTo(account)
	p.press("Enter")
	p.wait("document.querySelector('details.me').open")
	p.fitsEverybody("the account's menu")
	p.faultless("the account's menu", "")
	p.press("Tab")
	if got := p.text("document.activeElement.innerText"); got != "Tu cuenta" {
		t.Errorf("in the open menu, Tab leads to %q", got)
	}
	p.shot("account")
	p.press("Escape")
	p.wait("!document.querySelector('details.me').open")
	if got := p.text("document.activeElement === " + account); got != "true" {
		t.Errorf("after the menu has closed, the focus is on %s", p.text("document.activeElement.outerHTML.slice(0, 200)"))
	}

	p.tabTo(named("#need-"+string(c.ID), "Confirmar"))
	p.shot("confirm_focus")
	p.run("window.old = true")
	p.press("Enter")
	p.wait("!window.old && document.readyState === 'complete'")
	p.done("Confirmado: Nuria Soler")
	if got := c.now(t).Status; got != "confirmed" {
		t.Errorf("after Enter it is %s", got)
	}
	p.clean()
}

// TestLivePartsRenewThemselves has Today open while a customer books. Whoever is
// about to press a button must not lose it.
func TestLivePartsRenewThemselves(t *testing.T) {
	t.Parallel()
	const body = `{"agent":"costa-clara","scheduled_at":"2026-11-20T11:00:00","customer_name":"NAME","status":"pending_confirm","force":true}`
	first, _ := appointment(t, strings.Replace(body, "NAME", "Teo Marín", 1))
	p := owner(t, phone, "es")
	p.open(home + "/console/live/costa-clara/today")
	confirm := named("#need-"+string(first.ID), "Confirmar")
	p.run("window.first = true; " + confirm + ".focus()")
	appointment(t, strings.Replace(body, "NAME", "Olga Prats", 1))
	p.wait("document.querySelector('main').innerText.includes('Olga Prats')")
	if got := p.text("window.first"); got != "true" {
		t.Error("the page was loaded again")
	}
	if got := p.text("document.activeElement === " + confirm); got != "true" {
		t.Errorf("the focus has gone to %s", p.text("document.activeElement.outerHTML.slice(0, 200)"))
	}
	p.shot("renewed")
	p.clean()
}
