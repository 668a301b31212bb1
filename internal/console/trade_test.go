package console

import (
	"net/url"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// TestAppointmentsBearTheNameOfTheTrade: what a clinic calls an appointment is a
// booking of a restaurant and a viewing of an estate agency.
func TestAppointmentsBearTheNameOfTheTrade(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	for vertical, want := range map[string]map[string]string{
		"salon":       {"es": "cita", "en": "appointment"},
		"restaurant":  {"es": "reserva", "en": "booking"},
		"real_estate": {"es": "visita", "en": "viewing"},
		"hotel":       {"es": "reserva", "en": "booking"},
	} {
		o.keep(func(a *frontdesk.Agent) { a.Vertical = vertical })
		for _, code := range frontdesk.Languages {
			b.language = code
			for _, path := range []string{"today", "agenda/new", "business", "agenda/block?from=2026-11-18T09:00:00&to=2026-11-18T20:00:00", "people/audit"} {
				page := strings.ToLower(b.open(path))
				if !strings.Contains(page, want[code]) {
					t.Errorf("%s of a %s does not say %q in %s", path, vertical, want[code], code)
				}
				for _, other := range []string{"cita", "visita", "viewing", "{appointment"} {
					if other != want[code] && strings.Contains(page, " "+other+" ") {
						t.Errorf("%s of a %s says %q in %s", path, vertical, other, code)
					}
				}
			}
		}
	}
}

// TestOfSeveralTradesEachAppointmentBearsItsOwnName: a page of all agents has one
// word for all, and what is of one agent that agent's.
func TestOfSeveralTradesEachAppointmentBearsItsOwnName(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.keep(func(a *frontdesk.Agent) { a.Vertical = "restaurant" })
	b := o.enter(frontdesk.RoleOwner)
	b.language = "es"
	alone := b.get("/console/live/-/today").body
	if !strings.Contains(alone, "ninguna reserva.") {
		t.Error("where all agents are restaurants, it does not say reserva")
	}
	b.post(b.at("agenda/new"), url.Values{"name": {"Marta"}, "party": {"2"}, "date": {"2026-11-18"}, "at": {"2026-11-18T13:30:00"}, "force": {"2026-11-18T13:30:00"}})
	o.agent = o.hire(o.tenant, "annex")
	both := b.get("/console/live/-/today").body
	if !strings.Contains(both, "ninguna cita.") || !strings.Contains(both, `<small class="what">Reserva`) {
		t.Errorf("of several trades it shows %s", both)
	}
}
