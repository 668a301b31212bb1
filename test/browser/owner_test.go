package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// finger touches an element, which must lie open there.
func (p *tab) finger(element string) {
	p.t.Helper()
	p.wait("seen(" + element + ")")
	var at struct {
		X, Y float64
		Over string
	}
	p.must(p.eval(fmt.Sprintf(`(() => {
		const e = %s; e.scrollIntoView({block: 'nearest'});
		const r = e.getClientRects()[0], x = r.x + r.width/2, y = r.y + r.height/2, top = document.elementFromPoint(x, y);
		return {x, y, over: e.contains(top) ? '' : (top?.outerHTML ?? 'nothing').slice(0, 200)};
	})()`, element), &at))
	if at.Over != "" {
		p.shot("covered")
		p.t.Errorf("%s cannot be touched, over it lies %s", element, at.Over)
	}
	p.do("Input.dispatchTouchEvent", object{"type": "touchStart", "touchPoints": []object{{"x": at.X, "y": at.Y}}})
	p.do("Input.dispatchTouchEvent", object{"type": "touchEnd", "touchPoints": []object{}})
}

// onward touches an element and waits for the page behind it.
func (p *tab) onward(element string) {
	p.t.Helper()
	p.wait("document.readyState === 'complete'")
	p.run("window.old = true")
	p.finger(element)
	p.wait("!window.old && document.readyState === 'complete'")
}

// named is what can be touched and has a text, in a part of the page.
func named(part, text string) string {
	return fmt.Sprintf("[...document.querySelectorAll(%s)].find((e) => seen(e) && !e.matches('.hidden') && e.innerText.trim().startsWith(%s))", quoted(part+" a, "+part+" button"), quoted(text))
}

// fill writes into a field what a person would type or pick there.
func (p *tab) fill(id, value string) {
	p.t.Helper()
	p.run(fmt.Sprintf("(() => { const e = document.getElementById(%s); e.value = %s; e.dispatchEvent(new Event('change', {bubbles: true})); })()", quoted(id), quoted(value)))
}

// done demands that the page says what was done, and offers to take it back.
func (p *tab) done(text string) {
	p.t.Helper()
	if got := p.text("document.querySelector('#said').innerText"); !strings.Contains(got, text) || !strings.Contains(got, "Deshacer") {
		p.shot("not_done")
		p.t.Errorf("the page says %q, want %q and how to take it back", got, text)
	}
}

// contains demands a text on the page.
func (p *tab) contains(text string) {
	p.t.Helper()
	if got := p.text("document.querySelector('main').innerText"); !strings.Contains(got, text) {
		p.shot("missing")
		p.t.Errorf("the page has no %q:\n%s", text, got)
	}
}

// taught is a question that several of the demo's callers asked in vain.
const taught = "¿Hacéis cursos de cocina?"

// TestAnOwnersDay is what the owner of a business does on a phone between two
// customers.
func TestAnOwnersDay(t *testing.T) {
	t.Parallel()
	p := owner(t, phone, "es")
	p.confirmsAndMoves()
	p.blocksAnAfternoon()
	p.teaches(taught, "Sí, hacemos cursos de cocina los lunes por la tarde, en grupos de seis.")
	p.changesAPrice()
	link := p.invites("Rosa Vidal")
	p.clean()
	colleague(t, link)
	if said := asks(t, "casa-lola", taught); !strings.Contains(said, "grupos de seis") {
		t.Errorf("a caller hears %q", said)
	}
}

// firstFree is the first free time for a cleaning at the demo's dentist on a day,
// which the next one ends.
func firstFree(t *testing.T, day, next string) string {
	t.Helper()
	var free struct {
		Days []struct {
			Slots []struct {
				ScheduledAt string `json:"scheduled_at"`
			}
		}
	}
	api(t, "GET /agents/dental-la-plaza/availability?service_id=limpieza&from="+day+"&to="+next, "", &free)
	if len(free.Days) == 0 || len(free.Days[0].Slots) == 0 {
		t.Fatalf("no time is free on %s: %+v", day, free)
	}
	return free.Days[0].Slots[0].ScheduledAt
}

// confirmsAndMoves gives a customer the business's word, and then another time.
func (p *tab) confirmsAndMoves() {
	p.t.Helper()
	c, _ := appointment(p.t, fmt.Sprintf(`{"agent":"dental-la-plaza","service_id":"limpieza","scheduled_at":%q,"customer_name":"Lucía Ferrer",
		"customer_phone":"+34612000002","status":"pending_confirm"}`, firstFree(p.t, "2026-11-26", "2026-11-27")))
	p.open(home + console + "today")
	p.says("Hoy")
	p.onward(named("#need-"+string(c.ID), "Confirmar"))
	p.done("Confirmado: Lucía Ferrer")
	p.shot("confirmed")
	if got := c.now(p.t).Status; got != "confirmed" {
		p.t.Errorf("after the touch it is %s", got)
	}

	p.onward(named("nav.menu", "Agenda"))
	p.open(home + console + "agenda?date=2026-11-26")
	p.onward(`[...document.querySelectorAll('.daylist a')].find((e) => e.innerText.includes('Lucía Ferrer'))`)
	p.says("Lucía Ferrer")
	p.onward(named("main", "Mover"))
	p.onward(`[...document.querySelectorAll('.movedays .slots button')].find(seen)`)
	p.done("Movido: Lucía Ferrer")
	p.shot("moved")
	if got := c.now(p.t).ScheduledAt; got == c.ScheduledAt {
		p.t.Errorf("it is still at %s", got)
	}
}

// blocksAnAfternoon closes the house for one.
func (p *tab) blocksAnAfternoon() {
	p.t.Helper()
	const times = `[...document.querySelectorAll('#times [name=at]')].filter((e) => e.value !== 'other' && e.value.slice(11) >= '16:00').length`
	p.open(home + console + "agenda/new?date=2026-12-03")
	if p.text(times) == "0" {
		p.t.Error("there was nothing to be blocked")
	}
	p.open(home + console + "agenda")
	p.onward(named("main", "Bloquear horas"))
	p.fill("from_date", "2026-12-03")
	p.fill("from_time", "15:00")
	p.fill("to_date", "2026-12-03")
	p.fill("to_time", "21:00")
	p.fill("reason", "Obras")
	p.onward(named("main form", "Bloquear"))
	p.done("Bloqueado: ")
	p.shot("blocked")
	p.open(home + console + "agenda/new?date=2026-12-03")
	if got := p.text(times); got != "0" {
		p.t.Errorf("%s times of the afternoon are still free", got)
	}
}

// teaches answers a question that callers asked, and waits until it is known.
func (p *tab) teaches(question, answer string) {
	p.t.Helper()
	p.open(home + "/console/live/casa-lola/teach")
	p.wait(`!document.querySelector('[hx-get="teach/open"]')`) // which questions are answered by now is there
	p.onward(named("main", question))
	p.finger("document.getElementById('answer')")
	p.write(answer)
	p.onward(named("main form", "Enseñar"))
	p.done("Aprendido")
	p.wait(fmt.Sprintf("[...document.querySelectorAll('.shelf li')].find((e) => e.innerText.includes(%s))?.querySelector('.chip.good')", quoted(question)))
	p.shot("taught")
	p.open(home + "/console/live/casa-lola/teach")
	p.wait(`!document.querySelector('[hx-get="teach/open"]')`) // nothing moves any more
	p.fill("ask", question)
	p.finger(named("main form[role=search]", "Preguntar"))
	p.wait("document.querySelector('#asked')?.innerText.includes('Lo sabe')")
	p.shot("asked")
}

// dentistsPrice is what a cleaning costs at the demo's dentist, for callers.
func dentistsPrice(t *testing.T) float64 {
	t.Helper()
	var read struct {
		Agent struct {
			Config struct {
				Services []struct {
					ID    string
					Price json.RawMessage // an object, or words
				}
			}
		}
	}
	api(t, "GET /agents/dental-la-plaza", "", &read)
	var price struct{ Amount float64 }
	for _, s := range read.Agent.Config.Services {
		if s.ID == "limpieza" && json.Unmarshal(s.Price, &price) == nil {
			return price.Amount
		}
	}
	t.Fatalf("the dentist does no cleanings: %+v", read)
	return 0
}

// changesAPrice writes another one into the draft, hears the draft say it,
// publishes it, and takes that back.
func (p *tab) changesAPrice() {
	p.t.Helper()
	before := dentistsPrice(p.t)
	p.open(home + console + "today")
	p.onward(named("nav.menu", "Más"))
	p.onward(named("main", "Negocio"))
	p.onward(named("main", "Servicios"))
	p.onward(named("main", "Limpieza dental"))
	p.run("document.getElementById('f-price').select()")
	p.fill("f-price", "73 EUR")
	p.onward(named("#sheet", "Guardar en el borrador"))
	p.contains("1 cambio sin publicar")
	if got := dentistsPrice(p.t); got != before {
		p.t.Errorf("the draft is what callers hear: %v", got)
	}
	p.onward(named("main", "Probar cómo contesta"))
	p.finger(named("main", "Empezar la prueba"))
	p.finger("document.getElementById('talk-text')")
	p.write("¿Cuánto cuesta la limpieza dental?")
	p.finger(named("#chat", "Decir"))
	p.wait("[...document.querySelectorAll('#chat .theirs')].at(-1)?.innerText.includes('73')")
	p.shot("rehearsed")

	p.open(home + console + "business")
	p.onward(named("main", "Publicar"))
	p.done("Publicado")
	p.shot("published")
	if got := dentistsPrice(p.t); got != 73 {
		p.t.Errorf("published, it costs %v", got)
	}
	p.onward(named("#said", "Deshacer"))
	if got := dentistsPrice(p.t); got != before {
		p.t.Errorf("taken back, it costs %v, want %v", got, before)
	}
}

// invites makes somebody a colleague and returns the link that lets them in.
func (p *tab) invites(name string) string {
	p.t.Helper()
	p.open(home + console + "people")
	p.fill("name", name)
	p.fill("role", "staff")
	p.fill("language", "es")
	p.onward(named("main form", "Crear un enlace"))
	p.says("Un enlace para " + name)
	p.shot("invited")
	return strings.TrimSpace(p.text("document.getElementById('handed-link').innerText"))
}

// colleague enters by an invitation, and may not do everything.
func colleague(t *testing.T, link string) {
	t.Helper()
	p := browser.visit(t, phone)
	p.open(link)
	p.onward(named("main", "Entrar"))
	p.says("Hoy")
	p.onward(named("nav.menu", "Más"))
	p.contains("Negocio")
	p.clean()
	if got := p.text("document.querySelectorAll('a[href$=developers], a[href$=people], a[href$=insights]').length"); got != "0" {
		t.Errorf("the menu has %s entries that are not for staff", got)
	}
	p.open(home + console + "developers")
	p.says("No se ha podido hacer")
	if got := p.status(); got != "403" {
		t.Errorf("developers answers staff with %s", got)
	}
	p.shot("refused")
	p.onward(named("main", "")) // the way out
	p.says("Hoy")
}

// asks is what a receptionist says to a visitor of the web who asks something.
func asks(t *testing.T, agent, question string) string {
	t.Helper()
	var begun struct{ Conversation struct{ ID, Token string } }
	web(t, "/web/demo/"+agent+"/conversations", "", object{"language": "es"}, &begun)
	c := begun.Conversation
	var heard struct{ Reply struct{ Text string } }
	web(t, "/web/conversations/"+c.ID+"/messages", c.Token, object{"text": question}, &heard)
	web(t, "/web/conversations/"+c.ID+"/end", c.Token, object{}, nil)
	return heard.Reply.Text
}

// web posts to the web channel.
func web(t *testing.T, path, token string, body, into any) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequest(http.MethodPost, home+path, strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	if a.StatusCode >= 300 {
		t.Fatalf("%s: %s", path, a.Status)
	}
	if into == nil {
		return
	}
	if err := json.NewDecoder(a.Body).Decode(into); err != nil {
		t.Fatal(err)
	}
}
