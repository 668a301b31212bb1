package console

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestADayWithoutAppointmentsShowsTheNext(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.book("2026-11-18T12:00:00", frontdesk.Confirmed)
	o.book("2026-11-19T13:00:00", frontdesk.Confirmed)
	b := o.enter(frontdesk.RoleStaff)
	for language, want := range map[string][]string{
		"en": {"Who comes on Wednesday 18 November", "No appointments today."},
		"es": {"Quién viene el miércoles 18 de noviembre", "Hoy no hay ninguna cita."},
	} {
		b.language = language
		page := b.open("today")
		for _, text := range want {
			if !strings.Contains(page, text) {
				t.Errorf("in %s there is no %q", language, text)
			}
		}
		if n := strings.Count(page, "Ana Ruiz"); n != 1 {
			t.Errorf("in %s %d appointments are shown", language, n)
		}
	}
	b.language = "es"
	o.book("2026-11-16T17:00:00", frontdesk.Confirmed)
	if page := b.open("today"); !strings.Contains(page, "Quién viene hoy") || strings.Contains(page, "miércoles 18") {
		t.Errorf("with an appointment today it shows %s", page)
	}
}

func TestBeforeTheFirstCallTheLastOnesAreShown(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleStaff)
	if page := b.open("today"); strings.Contains(page, "Last calls") || !strings.Contains(page, "Nobody has called yet today.") {
		t.Errorf("where nobody ever called it shows %s", page)
	}
	o.recordCall(true, o.titled(monday.Add(-48*time.Hour), "About parking"))
	page := b.open("today")
	for _, want := range []string{"Last calls", "Nobody has called yet today.", "About parking"} {
		if !strings.Contains(page, want) {
			t.Errorf("before the first call there is no %q", want)
		}
	}
	b.language = "es"
	if page := b.open("today"); !strings.Contains(page, "Últimas llamadas") {
		t.Error("in Spanish it has no heading")
	}
	b.language = "en"
	o.recordCall(true, o.titled(monday.Add(-time.Hour), "About dogs"))
	if page := b.open("today"); strings.Contains(page, "Last calls") || strings.Contains(page, "About parking") || !strings.Contains(page, "About dogs") {
		t.Errorf("after the first call it shows %s", page)
	}
}

// titled is a call of the office's agent that had no words worth keeping.
func (o *office) titled(at time.Time, title string) frontdesk.FinishedCall {
	return frontdesk.FinishedCall{
		AgentID: o.agent.ID, StartedAt: at, Duration: time.Minute, Language: "en", Outcome: frontdesk.Info, Channel: frontdesk.Web,
		Summary: frontdesk.Summary{Title: title},
	}
}

func TestOfSeveralAgentsLanesBearTheirNames(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.book("2026-11-16T12:00:00", frontdesk.Confirmed)
	o.agent = o.hire(o.tenant, "annex")
	o.book("2026-11-16T13:00:00", frontdesk.Confirmed)
	b := o.enter(frontdesk.RoleOwner)
	page := b.get("/console/live/-/today").body
	for _, want := range []string{"<h3>Casa desk</h3>", "<h3>Casa annex</h3>"} {
		if !strings.Contains(page, want) {
			t.Errorf("there is no %s", want)
		}
	}
	if strings.Contains(page, "Nobody in particular") {
		t.Error("a lane is nobody's")
	}
}

// TestAPromisedTimeIsShown: who is to be called back at a time is not called after it.
func TestAPromisedTimeIsShown(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	wish := o.left(frontdesk.Callback, "Marta Gil")
	wish.ScheduledAt = "2026-11-17T15:45:00"
	o.missed(wish)
	b := o.enter(frontdesk.RoleStaff)
	b.language = "es"
	texts(t, b.open("today"), "Marta Gil", `<p class="when">mañana, 15:45</p>`)
}

// TestWhoStandsInABlockedTimeWaitsForSomebody: a block cancels nobody, so somebody has
// to see to them.
func TestWhoStandsInABlockedTimeWaitsForSomebody(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.keep(twoPeople)
	eva := o.enterInto(true, calendar.Entry{ScheduledAt: "2026-11-18T16:00:00", ServiceID: "cut", ResourceID: "eva", Name: "Ana Ruiz"})
	o.enterInto(true, calendar.Entry{ScheduledAt: "2026-11-18T16:00:00", ServiceID: "cut", ResourceID: "leo", Name: "Bea Sol"})
	b := o.enter(frontdesk.RoleStaff)
	texts(t, b.open("today"), "-In a time that is blocked")
	b.send("agenda/block", url.Values{"resource": {"eva"}, "from_date": {"2026-11-18"}, "from_time": {"15:00"}, "to_date": {"2026-11-18"}, "to_time": {"20:00"}})
	today := b.open("today")
	texts(t, today, "In a time that is blocked", "Ana Ruiz", `href="captures/`+string(eva.ID)+`/move"`)
	if n := strings.Count(today, `class="card need`); n != 1 {
		t.Errorf("%d wait", n)
	}
	b.send("captures/"+string(eva.ID)+"/status", url.Values{"status": {"cancelled"}})
	texts(t, b.open("today"), "-In a time that is blocked")
}

func TestAHolidayThatNobodyDecidedOnIsShown(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	asks := `href="agenda/days"`
	lacks(t, b.open("today"), asks)
	o.Forward(time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC).Sub(o.Now()))
	shows(t, b.open("today"), asks, "Tuesday 8 December: ", "do you close?")
	lacks(t, o.enter(frontdesk.RoleStaff).open("today"), "do you close?")
	o.keep(func(a *frontdesk.Agent) { a.Settings.Calendar.Holidays = "ES" })
	lacks(t, b.open("today"), "do you close?")
	o.keep(func(a *frontdesk.Agent) {
		a.Settings.Calendar.Holidays = ""
		day := frontdesk.Date{Year: 2026, Month: time.December, Day: 8}
		a.Settings.Calendar.Exceptions = []frontdesk.Exception{{From: day, To: day.AddDays(1), Openings: []frontdesk.Period{{From: 600, To: 840}}}}
	})
	lacks(t, b.open("today"), "do you close?")
}
