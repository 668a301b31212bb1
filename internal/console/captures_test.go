package console

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestOneAppointment(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.keep(twoPeople)
	c := o.enterInto(true, calendar.Entry{
		ScheduledAt: "2026-11-17T10:00:00", ServiceID: "cut", ResourceID: "eva", Name: "Ana Ruiz", Phone: "+34600111222", Email: "ana@example.com",
		Party: 2, Notes: "con flequillo", Status: frontdesk.PendingConfirm,
	})
	at := "captures/" + string(c.ID)
	b := o.enter(frontdesk.RoleStaff)
	page := b.open(at)
	shows(t, page, "Ana Ruiz", `href="tel:&#43;34600111222"`, "mailto:ana@example.com", "tomorrow, 10 am", "Eva", "con flequillo", c.ConfirmationCode, "another program", "2 people", "30 min", at+"/move", at+"/edit", "To confirm")

	o.Forward(time.Minute)
	page = b.send(at+"/status", url.Values{"status": {"confirmed"}, "back": {at}})
	shows(t, page, "Confirmed: Ana Ruiz", "Undo")
	lacks(t, page, `value="no_show"`)
	o.Forward(time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC).Sub(o.Now()))
	page = b.open(at)
	shows(t, page, `value="no_show"`, "changed")
	page = b.send(at+"/status", url.Values{"status": {"no_show"}, "back": {at}})
	shows(t, page, "Did not come", `value="confirmed"`)
	lacks(t, page, at+"/edit", at+"/move")
	for _, path := range []string{"/edit", "/move"} {
		if got := b.get(b.at(at + path)); got.status != http.StatusSeeOther {
			t.Errorf("%s of what nobody came to: %d", path, got.status)
		}
	}
	if got := b.post(b.at(at+"/edit"), url.Values{"name": {"Eva"}, "seen": {versionOf(o.stands(c.ID))}}); got.status != http.StatusConflict {
		t.Errorf("it was changed: %d", got.status)
	}
	if got := b.get(b.at("captures")); got.location != b.at("agenda") {
		t.Errorf("the list is at %s", got.location)
	}
}

func TestWhatIsNoAppointmentHasAPage(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleStaff)
	b.language = "es"
	for _, kind := range []string{frontdesk.Message, frontdesk.Callback, frontdesk.Lead, frontdesk.Order, frontdesk.Waiting} {
		e := calendar.Entry{Kind: kind, Name: "Ana Ruiz", Notes: "un recado", Status: frontdesk.PendingConfirm}
		if kind == frontdesk.Waiting {
			e.ScheduledAt = "2026-11-20T00:00:00"
		}
		c := o.enterInto(true, e)
		at := "captures/" + string(c.ID)
		page := b.open(at)
		shows(t, page, "un recado", "Pendiente", "Hecho", "Descartar", at+"/edit")
		lacks(t, page, at+"/move")
		if kind == frontdesk.Waiting {
			shows(t, page, "viernes 20 de noviembre")
			lacks(t, page, "00:00")
		}
		edit := b.open(at + "/edit")
		lacks(t, edit, `name="duration"`)
		shows(t, b.send(at+"/edit", url.Values{"name": {"Eva"}, "notes": {"otro"}, "seen": {hiddenField(t, edit, "seen")}}), "Guardado.", "otro", "Eva")
		shows(t, b.send(at+"/status", url.Values{"status": {"confirmed"}, "back": {at}}), "Abrir otra vez")
	}
}

func TestAnAppointmentIsMovedAndBack(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.keep(twoPeople)
	c := o.enterInto(true, calendar.Entry{ScheduledAt: "2026-11-17T10:00:00", ServiceID: "cut", ResourceID: "eva", Name: "Ana Ruiz"})
	at := "captures/" + string(c.ID)
	b := o.enter(frontdesk.RoleStaff)
	page := b.open(at + "/move")
	shows(t, page, "Times with Eva.", `value="2026-11-17T10:30:00"`, "now: tomorrow, 10 am")
	lacks(t, page, `value="2026-11-17T10:00:00"`)
	shows(t, b.open(at+"/move?anyone=yes&from=2026-11-19"), "Times with whoever is free.", "2026-11-19T09:00:00")

	o.Forward(time.Minute)
	page = b.send(at+"/move", url.Values{"at": {"2026-11-18T12:00:00"}, "seen": {hiddenField(t, page, "seen")}})
	shows(t, page, "Moved: Ana Ruiz", "Undo", "Wednesday 18")
	back := url.Values{"at": {hiddenField(t, page, "at")}, "seen": {hiddenField(t, page, "seen")}, "resource": {hiddenField(t, page, "resource")}}
	if back.Get("at") != "2026-11-17T10:00:00" || back.Get("resource") != "eva" {
		t.Errorf("the way back is %v", back)
	}
	o.Forward(time.Minute)
	b.send(at+"/move", back)
	if got := o.stands(c.ID); got.ScheduledAt != "2026-11-17T10:00:00" || got.Visit.ResourceID != "eva" || got.ConfirmationCode != c.ConfirmationCode {
		t.Errorf("after the undo: %+v", got)
	}
}

// A place that was taken twice is not offered as the way back.
func TestAPlaceThatIsTakenIsNoWayBack(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first := o.book("2026-11-17T10:00:00", frontdesk.Confirmed)
	second := o.enterInto(true, calendar.Entry{ScheduledAt: "2026-11-17T10:00:00", ServiceID: "cut", Name: "Bea Sol", Force: true})
	b := o.enter(frontdesk.RoleStaff)
	page := b.send("captures/"+string(second.ID)+"/move", url.Values{"at": {"2026-11-17T16:00:00"}})
	shows(t, page, "Moved: Bea Sol")
	lacks(t, page, "Undo")

	taken := b.post(b.at("captures/"+string(first.ID)+"/move"), url.Values{"date": {"2026-11-17"}, "other": {"16:15"}})
	if taken.status != http.StatusConflict {
		t.Fatalf("a place that is taken: %d", taken.status)
	}
	shows(t, taken.body, "that place is taken.", `name="force" value="2026-11-17T16:15:00"`, "Move anyway")
	shows(t, b.send("captures/"+string(first.ID)+"/move", url.Values{"force": {"2026-11-17T16:15:00"}}), "Moved: Ana Ruiz")
	wrong := b.post(b.at("captures/"+string(first.ID)+"/move"), url.Values{})
	if wrong.status != http.StatusBadRequest {
		t.Errorf("no time: %d", wrong.status)
	}
}

// Of two people who change the same, the second sees what the first has done, and
// nothing is lost.
func TestTwoPeopleChangeTheSame(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	c := o.book("2026-11-17T10:00:00", frontdesk.Confirmed)
	at := "captures/" + string(c.ID)
	one, two := o.enter(frontdesk.RoleStaff), o.enter(frontdesk.RoleOwner)
	form := two.open(at + "/edit")
	move := two.open(at + "/move")
	o.Forward(time.Minute)
	first := one.open(at + "/edit")
	one.send(at+"/edit", url.Values{"name": {"Ana R. Ruiz"}, "phone": {"+34600999999"}, "service": {"cut"}, "notes": {"tarde"}, "duration": {"30"}, "seen": {hiddenField(t, first, "seen")}})

	fields := url.Values{"seen": {hiddenField(t, form, "seen")}, "name": {"Anita"}, "phone": {c.CustomerPhone}, "service": {"cut"}, "duration": {"30"}, "notes": {"con perro"}}
	for _, name := range []string{"name", "phone", "email", "notes", "service", "resource", "party", "duration"} {
		fields.Set("was_"+name, hiddenField(t, form, "was_"+name))
	}
	o.Forward(time.Minute)
	got := two.post(two.at(at+"/edit"), fields)
	if got.status != http.StatusConflict {
		t.Fatalf("the second: %d", got.status)
	}
	shows(t, got.body, "Somebody else wrote: Ana R. Ruiz", "Somebody else wrote: tarde", `value="Anita"`, "con perro", `value="&#43;34600999999"`)
	if now := o.stands(c.ID); now.CustomerName != "Ana R. Ruiz" || now.Notes != "tarde" {
		t.Errorf("something was lost: %+v", now)
	}
	fields.Set("seen", hiddenField(t, got.body, "seen"))
	fields.Set("phone", "+34600999999")
	two.send(at+"/edit", fields)
	if now := o.stands(c.ID); now.CustomerName != "Anita" || now.CustomerPhone != "+34600999999" || now.Notes != "con perro" {
		t.Errorf("after the second yes: %+v", now)
	}

	moved := two.post(two.at(at+"/move"), url.Values{"at": {"2026-11-18T12:00:00"}, "seen": {hiddenField(t, move, "seen")}})
	if moved.status != http.StatusConflict {
		t.Fatalf("a move of what was changed: %d", moved.status)
	}
	shows(t, moved.body, "Somebody else has changed it meanwhile.", `name="at" value="2026-11-18T12:00:00"`)
	if now := o.stands(c.ID); now.ScheduledAt != "2026-11-17T10:00:00" {
		t.Errorf("it moved to %s", now.ScheduledAt)
	}
}

func TestWhatIsWrittenOfAnAppointmentIsCorrected(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.keep(twoPeople)
	c := o.enterInto(true, calendar.Entry{ScheduledAt: "2026-11-17T10:00:00", ServiceID: "cut", ResourceID: "eva", Name: "Ana Ruiz"})
	o.enterInto(true, calendar.Entry{ScheduledAt: "2026-11-17T10:00:00", ServiceID: "cut", ResourceID: "leo", Name: "Bea Sol"})
	at := "captures/" + string(c.ID)
	b := o.enter(frontdesk.RoleStaff)
	form := url.Values{"name": {"Ana Ruiz"}, "service": {"colour"}, "resource": {"eva"}, "duration": {"45"}, "party": {"2"}}
	seen := func(f url.Values) url.Values { f.Set("seen", versionOf(o.stands(c.ID))); return f }
	if got := b.post(b.at(at+"/edit"), url.Values{}); got.status != http.StatusBadRequest || o.stands(c.ID).CustomerName != "Ana Ruiz" {
		t.Errorf("a form without fields: %d, and the name is %q", got.status, o.stands(c.ID).CustomerName)
	}
	b.send(at+"/edit", seen(form))
	if got := o.stands(c.ID); got.Visit.ServiceID != "colour" || got.Visit.Duration != 45 || got.Visit.Party != 2 {
		t.Errorf("got %+v", got.Visit)
	}
	form.Set("resource", "leo")
	taken := b.post(b.at(at+"/edit"), seen(form))
	if taken.status != http.StatusConflict || !strings.Contains(taken.body, "Save anyway") {
		t.Errorf("Leo has somebody: %d", taken.status)
	}
	form.Set("force", "yes")
	b.send(at+"/edit", seen(form))
	if got := o.stands(c.ID); got.Visit.Resource != "Leo" {
		t.Errorf("got %+v", got.Visit)
	}
	for field, wrong := range map[string]string{"party": "0", "duration": "9999", "phone": strings.Repeat("1", 51), "resource": "gone"} {
		bad := url.Values{"name": {"Ana"}, "service": {"colour"}, "resource": {"leo"}}
		bad.Set(field, wrong)
		if got := b.post(b.at(at+"/edit"), seen(bad)); got.status != http.StatusBadRequest || !strings.Contains(got.body, field+"-fault") {
			t.Errorf("%s: %d", field, got.status)
		}
	}
	bad := url.Values{"name": {"Ana"}, "service": {"some words"}, "resource": {"leo"}, "force": {"yes"}}
	b.send(at+"/edit", seen(bad))
	if got := o.stands(c.ID); got.Service != "some words" || got.Visit.ServiceID != "" {
		t.Errorf("got %+v", got)
	}
}

func TestCapturesOfOthersDoNotExist(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	c := o.book("2026-11-17T10:00:00", frontdesk.Confirmed)
	at := "captures/" + string(c.ID)
	b := o.enter(frontdesk.RoleOwner)
	for _, path := range []string{at, at + "/move", at + "/edit"} {
		if got := b.get("/console/test/desk/" + path); got.status != http.StatusNotFound {
			t.Errorf("%s in test: %d", path, got.status)
		}
	}
	for _, path := range []string{"/move", "/edit", "/status"} {
		if got := b.post("/console/test/desk/"+at+path, url.Values{"status": {"cancelled"}, "at": {"2026-11-18T12:00:00"}}); got.status != http.StatusNotFound {
			t.Errorf("POST %s in test: %d", path, got.status)
		}
	}
	if got := b.get(b.at("captures/nothing")); got.status != http.StatusNotFound {
		t.Errorf("an id that is none: %d", got.status)
	}
	if got := o.stands(c.ID); got.UpdatedAt != c.UpdatedAt {
		t.Error("it was changed")
	}
}

func TestWhoIsToldIsSaid(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		texts bool
		phone string
		live  bool
		want  string
	}{
		"a text message goes out":           {true, "+34600111222", true, "A notice goes to &#43;34600111222."},
		"there is no number":                {true, "", true, "They get no notice"},
		"the server sends no text messages": {false, "+34600111222", true, "They get no notice"},
		"nobody is told of what is a test":  {true, "+34600111222", false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOffice(t, func(s *Options) { s.Texts = tt.texts })
			o.keep(func(a *frontdesk.Agent) {
				twoPeople(a)
				a.Settings.Notices.Customer = []frontdesk.NoticeChannel{frontdesk.ByText}
			})
			c := o.enterInto(tt.live, calendar.Entry{ScheduledAt: "2026-11-17T10:00:00", ServiceID: "cut", ResourceID: "eva", Name: "Ana Ruiz", Phone: tt.phone, Status: frontdesk.PendingConfirm})
			b := o.enter(frontdesk.RoleStaff)
			place := map[bool]string{true: "/console/live/desk/", false: "/console/test/desk/"}[tt.live]
			at := "captures/" + string(c.ID)
			for path, done := range map[string][]string{"/status": {"status", "confirmed", "Confirmed: Ana Ruiz"}, "/move": {"at", "2026-11-18T12:00:00", "Moved: Ana Ruiz, "}} {
				o.Forward(time.Minute)
				sent := b.post(place+at+path, url.Values{done[0]: {done[1]}, "back": {at}})
				page := b.get(sent.location).body
				shows(t, page, done[2], tt.want)
				if tt.want == "" {
					lacks(t, page, "notice")
				}
			}
		})
	}
}
