package console

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// hours is the book of hours of the office's agent as it is in the store.
func (o *office) hours() frontdesk.Calendar {
	o.t.Helper()
	agent, err := o.store.AgentBySlug(context.Background(), o.owner(), o.agent.Slug)
	if err != nil {
		o.t.Fatal(err)
	}
	return agent.Settings.Calendar
}

func TestTimeIsBlockedAndNothingCancelled(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.keep(twoPeople)
	inside := o.enterInto(true, calendar.Entry{ScheduledAt: "2026-11-18T16:00:00", ServiceID: "cut", ResourceID: "eva", Name: "Ana Ruiz", Status: frontdesk.PendingConfirm})
	o.enterInto(true, calendar.Entry{ScheduledAt: "2026-11-18T16:00:00", ServiceID: "cut", ResourceID: "leo", Name: "Bea Sol"})
	b := o.enter(frontdesk.RoleStaff)
	shows(t, b.open("agenda/block?date=2026-11-18"), "Nothing is blocked.", "The whole business", `<option value="?" selected>Choose for whom</option>`, `value="2026-11-18"`)

	page := b.send("agenda/block", url.Values{"resource": {"eva"}, "from_date": {"2026-11-18"}, "from_time": {"15:00"}, "to_date": {"2026-11-18"}, "to_time": {"20:00"}, "reason": {"Médico"}})
	shows(t, page, "Blocked: Wednesday 18 November, 3 pm–8 pm", "1 appointment falls in this time", "Ana Ruiz", "captures/"+string(inside.ID), "Médico", "Nothing was cancelled.", "Undo")
	lacks(t, page, "Bea Sol")
	if got := o.stands(inside.ID); got.Status != frontdesk.PendingConfirm {
		t.Errorf("it is %s", got.Status)
	}
	want := frontdesk.Closure{From: "2026-11-18T15:00:00", To: "2026-11-18T20:00:00", ResourceID: "eva", Reason: "Médico"}
	if got := o.hours().Closures; len(got) != 1 || got[0] != want {
		t.Fatalf("got %+v", got)
	}
	undo := url.Values{"from": {string(want.From)}, "to": {string(want.To)}, "resource": {"eva"}, "reason": {"Médico"}}
	shows(t, b.send("agenda/block/remove", undo), "Not blocked any more")
	if got := o.hours().Closures; len(got) != 0 {
		t.Errorf("got %+v", got)
	}
	if got := b.post(b.at("agenda/block/remove"), undo); got.status != http.StatusNotFound {
		t.Errorf("removed twice: %d", got.status)
	}
	b.send("agenda/block", undo)
	b.send("agenda/block", undo)
	if got := o.hours().Closures; len(got) != 1 || got[0] != want {
		t.Errorf("after taking it back twice: %+v", got)
	}
	b.send("agenda/block", url.Values{"all_day": {"yes"}, "from_date": {"2026-12-01"}, "to_date": {"2026-12-03"}})
	if got := o.hours().Closures; len(got) != 2 || got[1] != (frontdesk.Closure{From: "2026-12-01T00:00:00", To: "2026-12-04T00:00:00"}) {
		t.Errorf("whole days: %+v", got)
	}
	shows(t, b.open("agenda/block"), "Tuesday 1 December – Thursday 3 December")
}

func TestWhatIsWrongWithABlockIsSaid(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.keep(twoPeople)
	b := o.enter(frontdesk.RoleStaff)
	for name, form := range map[string]url.Values{
		"no times":          {"from_date": {"2026-11-18"}, "to_date": {"2026-11-18"}},
		"an end before":     {"from_date": {"2026-11-18"}, "from_time": {"15:00"}, "to_date": {"2026-11-18"}, "to_time": {"14:00"}},
		"an hour not there": {"from_date": {"2027-03-28"}, "from_time": {"02:30"}, "to_date": {"2027-03-28"}, "to_time": {"04:00"}},
		"somebody unknown":  {"resource": {"gone"}, "from_date": {"2026-11-18"}, "from_time": {"15:00"}, "to_date": {"2026-11-18"}, "to_time": {"16:00"}},
		"nobody chosen":     {"resource": {"?"}, "from_date": {"2026-11-18"}, "from_time": {"15:00"}, "to_date": {"2026-11-18"}, "to_time": {"16:00"}},
		"no dates":          {"from_date": {"soon"}, "from_time": {"x"}, "to_date": {"2026"}, "to_time": {"y"}},
	} {
		form.Set("reason", "kept words")
		got := b.post(b.at("agenda/block"), form)
		if got.status != http.StatusBadRequest || !strings.Contains(got.body, `class="fault"`) || !strings.Contains(got.body, "kept words") {
			t.Errorf("%s: %d", name, got.status)
		}
	}
	if got := o.hours().Closures; len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestSpecialDays(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	early := o.enterInto(true, calendar.Entry{ScheduledAt: "2026-12-24T18:00:00", ServiceID: "cut", Name: "Ana Ruiz"})
	o.enterInto(true, calendar.Entry{ScheduledAt: "2026-12-24T10:00:00", ServiceID: "cut", Name: "Bea Sol"})
	b := o.enter(frontdesk.RoleOwner)
	shows(t, b.open("agenda/days"), "There are no special days to come.", "Public holidays are not closed automatically.", "Madrid (ES-MD)")
	page := b.send("agenda/days", url.Values{"from": {"2026-12-24"}, "kind": {"hours"}, "open_1": {"09:00"}, "close_1": {"14:00"}, "reason": {"Nochebuena"}})
	shows(t, page, "Saved: Thursday 24 December", "Nochebuena", "9 am–2 pm", "captures/"+string(early.ID), "1 appointment falls in this time")
	lacks(t, page, "Bea Sol")

	b.send("agenda/days", url.Values{"from": {"2027-08-02"}, "to": {"2027-08-15"}, "kind": {"closed"}, "reason": {"Vacaciones"}})
	all := o.hours().Exceptions
	if len(all) != 2 || all[1].To != dateIn("2027-08-16") || len(all[1].Openings) != 0 {
		t.Fatalf("got %+v", all)
	}
	fields := url.Values{"from": {"2026-12-24"}, "end": {"2026-12-25"}, "openings": {"09:00-14:00"}, "reason": {"Nochebuena"}}
	shows(t, b.send("agenda/days/remove", fields), "As usual again: Thursday 24 December", "Undo")
	if got := o.hours().Exceptions; len(got) != 1 {
		t.Errorf("got %+v", got)
	}
	b.send("agenda/days/restore", fields)
	if got := o.hours().Exceptions; len(got) != 2 || got[1].Reason != "Nochebuena" || len(got[1].Openings) != 1 {
		t.Errorf("got %+v", got)
	}
	for name, form := range map[string]url.Values{
		"no day":                {"kind": {"closed"}},
		"an end before":         {"from": {"2026-12-24"}, "to": {"2026-12-23"}},
		"hours that are none":   {"from": {"2026-12-24"}, "kind": {"hours"}, "open_1": {"09:00"}},
		"hours that overlap":    {"from": {"2026-12-24"}, "kind": {"hours"}, "open_1": {"09:00"}, "close_1": {"14:00"}, "open_2": {"13:00"}, "close_2": {"20:00"}},
		"no hours with special": {"from": {"2026-12-24"}, "kind": {"hours"}},
	} {
		if got := b.post(b.at("agenda/days"), form); got.status != http.StatusBadRequest || !strings.Contains(got.body, `class="fault"`) {
			t.Errorf("%s: %d", name, got.status)
		}
	}
}

func TestPublicHolidays(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	b.language = "es"
	page := b.send("agenda/days/holidays", url.Values{"region": {"ES-MD"}})
	shows(t, page, "Se cierra en los festivos de Madrid (ES-MD).", "Inmaculada Concepción", "Navidad", "Deshacer")
	page = b.send("agenda/days/open", url.Values{"date": {"2026-12-08"}})
	shows(t, page, "Guardado: martes 8 de diciembre", "abierto")
	lacks(t, b.open("agenda?date=2026-12-08"), "cerrado: Inmaculada")
	if got := b.post(b.at("agenda/days/open"), url.Values{"date": {"2026-12-06"}}); !strings.Contains(got.location, "from=2026-12-06") {
		t.Errorf("a Sunday: %d %s", got.status, got.location)
	}
	if got := b.post(b.at("agenda/days/holidays"), url.Values{"region": {"XX"}}); got.status != http.StatusBadRequest {
		t.Errorf("a region that there is not: %d", got.status)
	}
	shows(t, b.send("agenda/days/holidays", url.Values{"region": {""}}), "Ya no se cierra solo en los festivos.")
	if got := o.hours().Holidays; got != "" {
		t.Errorf("got %s", got)
	}
}

// The hours are those of both modes, so that test mode does not change them.
func TestHoursAreNotChangedInTestMode(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	for _, path := range []string{"agenda/block", "agenda/days"} {
		page := b.get("/console/test/desk/" + path)
		shows(t, page.body, "The hours are the same in test and live.", "disabled")
		got := b.post("/console/test/desk/"+path, url.Values{"from": {"2026-12-24"}, "from_date": {"2026-12-24"}, "to_date": {"2026-12-24"}, "all_day": {"yes"}})
		if got.status != http.StatusForbidden {
			t.Errorf("%s: %d", path, got.status)
		}
	}
	if c := o.hours(); len(c.Closures)+len(c.Exceptions) != 0 {
		t.Errorf("got %+v", c)
	}
}

// TestHoursThatWereTypedAreMeant: to close on a day on which guests are expected
// is the worse mistake.
func TestHoursThatWereTypedAreMeant(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	form := url.Values{"from": {"2026-12-24"}, "kind": {"closed"}, "open_1": {"13:00"}, "close_1": {"16:00"}}
	b.send("agenda/days", form)
	if e := o.hours().Exceptions; len(e) != 1 || len(e[0].Openings) != 1 || e[0].Openings[0].String() != "13:00-16:00" {
		t.Errorf("the day is %+v", e)
	}
	if got := b.post(b.at("agenda/days"), url.Values{"from": {"2026-01-01"}, "to": {"9999-12-31"}, "kind": {"closed"}}); got.status != http.StatusBadRequest {
		t.Errorf("to the end of time: %d", got.status)
	}
}
