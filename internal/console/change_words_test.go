package console

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// TestChangesAreToldInWords: nobody has to read names of fields, codes or JSON, in
// the history of a business or in the audit log.
func TestChangesAreToldInWords(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.keep(func(a *frontdesk.Agent) {
		a.Vertical = "restaurant"
		a.Settings.Calendar.Resources = []frontdesk.Resource{{ID: "eva", Name: "Eva", Kind: "person"}}
	})
	b := o.enter(frontdesk.RoleOwner)
	b.language = "es"
	capture := o.book("2026-11-18T13:30:00", frontdesk.PendingConfirm)
	b.send("captures/"+string(capture.ID)+"/status", url.Values{"status": {"confirmed"}})
	b.send("agenda/block", url.Values{"resource": {"eva"}, "from_date": {"2026-11-20"}, "from_time": {"15:00"}, "to_date": {"2026-11-20"}, "to_time": {"17:00"}, "reason": {"médico"}})
	b.send("agenda/days", url.Values{"from": {"2026-12-24"}, "kind": {"hours"}, "open_1": {"09:00"}, "close_1": {"14:00"}, "reason": {"Nochebuena"}})
	b.send("today/reception", url.Values{"on": {"no"}})
	hours := b.fill("business/hours")
	hours.Set("openings.1.from", "09:00")
	hours.Set("openings.1.to", "14:00")
	b.send("business/hours", hours)
	b.send("business/draft", b.publishing())
	log := b.open("people/audit")
	texts(t, log, "la reserva de Ana Ruiz, miércoles 18 de noviembre, 13:30", "<del>Por confirmar</del> → <ins>Confirmada</ins>",
		"Horas bloqueadas", "viernes 20 de noviembre, 15:00–17:00 · Eva · médico", "jueves 24 de diciembre: 09:00–14:00", "-viernes 25 de diciembre",
		"Recepción apagada", "<del>en marcha</del> → <ins>apagada</ins>", "Horario: martes", "9:00–14:00", "Datos técnicos", "-<dt>Revision")
	history := b.open("business/history")
	links := strings.Split(history, `href="business/history/`)
	texts(t, history, "Horas bloqueadas", "Horario: martes")
	for _, link := range links[1:] {
		id, _, _ := strings.Cut(link, `"`)
		without(t, b.open("business/history/"+id))
	}
	without(t, log)
	b.language = "en"
	texts(t, b.open("people/audit"), "the booking of Ana Ruiz, Wednesday 18 November, 1:30 pm", "Blocked time", "Technical data")
}

// without says that nothing in a page, beside what is for developers, is a name of
// a field, a code or JSON.
func without(t *testing.T, page string) {
	t.Helper()
	for {
		before, rest, found := strings.Cut(page, `<details class="raw">`)
		if !found {
			break
		}
		_, after, _ := strings.Cut(rest, "</details>")
		page = before + after
	}
	_, main, _ := strings.Cut(page, "<main")
	for _, raw := range []string{"{&#34;", "[{", "[[", "calendar.", "config.", "scheduled_at", "resource_id", "pending_confirm", "2026-11-"} {
		if strings.Contains(main, raw) {
			t.Errorf("%q is in %s", raw, main)
		}
	}
}

// TestWhatIsCutOrUnknownCanBeRead: long values and fields that nobody has named.
func TestWhatIsCutOrUnknownCanBeRead(t *testing.T) {
	t.Parallel()
	v := &visit{words: words{lang: language.Of("en"), now: monday, zone: time.UTC}}
	tell := changeTeller{v: v}
	for name, c := range map[string]struct {
		field frontdesk.FieldChange
		want  diffRow
	}{
		"a cut list":      {frontdesk.FieldChange{Field: "config.menu", From: `[{"name":"Pa…`, To: `[]`}, diffRow{"Menu", "", "changed"}},
		"an unknown flag": {frontdesk.FieldChange{Field: "odd_switch", From: "false", To: "true"}, diffRow{"Odd switch", "no", "yes"}},
		"an object":       {frontdesk.FieldChange{Field: "odd_thing", To: `{"max_people":3}`}, diffRow{"Odd thing", "", "Max people: 3"}},
		"a list of words": {frontdesk.FieldChange{Field: "notices.owner.emails", From: `["a@x.es","b@x.es"]`, To: `["b@x.es","c@x.es"]`}, diffRow{"E-mail addresses for notices", "a@x.es", "c@x.es"}},
		"languages":       {frontdesk.FieldChange{Field: "languages", From: `["es"]`, To: `["es","en"]`}, diffRow{"Languages", "", "English"}},
		"another order":   {frontdesk.FieldChange{Field: "languages", From: `["es","en"]`, To: `["en","es"]`}, diffRow{"Languages", "", "another order"}},
	} {
		if got := tell.field(c.field); len(got) != 1 || got[0] != c.want {
			t.Errorf("%s is told as %q, not as %q", name, got, c.want)
		}
	}
}

// TestABlockStandsAtItsTime: also where it leaves an opening in two, and who comes
// within it stands there.
func TestABlockStandsAtItsTime(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.keep(func(a *frontdesk.Agent) { a.Vertical, a.Settings.Capacity = "restaurant", 40 })
	b := o.enter(frontdesk.RoleStaff)
	b.language = "es"
	for at, name := range map[frontdesk.LocalTime]string{"2026-11-18T10:00:00": "Ana", "2026-11-18T13:30:00": "Berta", "2026-11-18T19:00:00": "Carla"} {
		o.enterInto(true, calendar.Entry{ScheduledAt: at, ServiceID: "cut", Name: name, Status: frontdesk.PendingConfirm, Force: true})
	}
	b.send("agenda/block", url.Values{"from_date": {"2026-11-18"}, "from_time": {"13:00"}, "to_date": {"2026-11-18"}, "to_time": {"15:00"}, "reason": {"obras"}})
	page := b.open("agenda?date=2026-11-18&view=day")
	_, list, _ := strings.Cut(page, `class="daylist"`)
	list, _, _ = strings.Cut(list, "</section>")
	at := -1
	for _, text := range []string{"Ana", "bloqueado 13:00", "Berta", "Carla"} {
		next := strings.Index(list, text)
		if next < at {
			t.Errorf("%s comes too early in %s", text, list)
		}
		at = next
	}
	if strings.Contains(list, "Fuera de horario") {
		t.Error("something is outside the hours")
	}
}

// TestWhatIsInABlockIsConfirmedWithAWarning, and so are its page and the page that
// moves it.
func TestWhatIsInABlockIsConfirmedWithAWarning(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	capture := o.book("2026-11-18T13:30:00", frontdesk.PendingConfirm)
	page := "captures/" + string(capture.ID)
	b := o.enter(frontdesk.RoleStaff)
	b.language = "es"
	const warning = "Ojo: está cerrado"
	lacks(t, b.open(page), warning)
	lacks(t, b.open(page+"/move"), warning)
	b.send("agenda/block", url.Values{"from_date": {"2026-11-18"}, "from_time": {"13:00"}, "to_date": {"2026-11-18"}, "to_time": {"15:00"}})
	shows(t, b.open(page), warning)
	shows(t, b.open(page+"/move"), warning)
	shows(t, b.send(page+"/status", url.Values{"status": {"confirmed"}}), "Confirmado: Ana Ruiz. "+warning, "Deshacer")
	b.language = "en"
	shows(t, b.open(page), "Note: it is closed")
}

// TestTodayTellsOfADraft: to who can publish it, until it is published.
func TestTodayTellsOfADraft(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	const line = "Tienes cambios sin publicar"
	b.language = "es"
	lacks(t, b.open("today"), line)
	b.send("business/texts", url.Values{"specials": {"Lunes cerrado"}})
	shows(t, b.open("today"), line, `href="/console/live/desk/business/draft"`)
	shows(t, b.get("/console/live/-/today").body, line+" · Casa desk")
	lacks(t, b.get("/console/test/desk/today").body, line)
	lacks(t, o.enter(frontdesk.RoleStaff).open("today"), "not published")
	b.send("business/draft", b.publishing())
	lacks(t, b.open("today"), line)
}
