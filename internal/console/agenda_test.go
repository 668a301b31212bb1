package console

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

// keep gives the office's agent another book of hours.
func (o *office) keep(change func(*frontdesk.Agent)) {
	o.t.Helper()
	changed, err := o.store.ChangeAgent(context.Background(), o.owner(), o.agent.Slug, store.AgentChange{
		Now: o.Now(), Fields: wire.AgentFields, Change: func(a frontdesk.Agent) (frontdesk.Agent, error) {
			change(&a)
			return a, nil
		},
	})
	if err != nil {
		o.t.Fatal(err)
	}
	o.agent = changed
}

// enterInto writes an entry into the book of the office's agent.
func (o *office) enterInto(live bool, e calendar.Entry) frontdesk.Capture {
	o.t.Helper()
	who := calendar.Caller{Tenant: o.tenant, Agent: o.agent, Services: catalogue.Read(o.agent).Services, Live: live, Channel: frontdesk.Web}
	e.Source, e.Now = frontdesk.FromAPI, o.Now()
	capture, err := calendar.New(o.store, nil).Enter(context.Background(), who, e)
	if err != nil {
		o.t.Fatal(err)
	}
	return capture
}

// stands is a capture as it is in the store.
func (o *office) stands(id frontdesk.ID) frontdesk.Capture {
	o.t.Helper()
	capture, err := o.store.Capture(context.Background(), o.owner(), id)
	if err != nil {
		o.t.Fatal(err)
	}
	return capture
}

// twoPeople gives the house two whom appointments are with.
func twoPeople(a *frontdesk.Agent) {
	a.Settings.Calendar.Resources = []frontdesk.Resource{{ID: "eva", Name: "Eva", Kind: "person"}, {ID: "leo", Name: "Leo", Kind: "person"}}
}

func shows(t *testing.T, page string, all ...string) {
	t.Helper()
	for _, text := range all {
		if !strings.Contains(page, text) {
			t.Errorf("%q is not in the page:\n%s", text, page)
		}
	}
}

func lacks(t *testing.T, page string, all ...string) {
	t.Helper()
	for _, text := range all {
		if strings.Contains(page, text) {
			t.Errorf("%q is in the page", text)
		}
	}
}

// hiddenField is the value of a hidden field of a page.
func hiddenField(t *testing.T, page, name string) string {
	t.Helper()
	found := regexp.MustCompile(`name="` + name + `" value="([^"]*)"`).FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("no field %s in the page:\n%s", name, page)
	}
	return found[1]
}

func TestTheAgendaShowsADayAndAWeek(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.keep(twoPeople)
	o.enterInto(true, calendar.Entry{ScheduledAt: "2026-11-16T12:00:00", ServiceID: "cut", ResourceID: "eva", Name: "Ana Ruiz"})
	o.enterInto(true, calendar.Entry{ScheduledAt: "2026-11-18T10:00:00", ServiceID: "cut", ResourceID: "leo", Name: "Bea Sol", Status: frontdesk.PendingConfirm})
	o.enterInto(false, calendar.Entry{ScheduledAt: "2026-11-16T13:00:00", ServiceID: "cut", ResourceID: "eva", Name: "Rehearsal"})
	b := o.enter(frontdesk.RoleStaff)

	page := b.open("agenda")
	shows(t, page, "Ana Ruiz", "Bea Sol", "free 12:30 pm–8 pm", "21 h 30 min free", `aria-current="date"`, "16–22 November 2026", "grid.css")
	lacks(t, page, "Rehearsal", `style="`)

	day := b.open("agenda?view=day&date=2026-11-16")
	shows(t, day, "Ana Ruiz", "<h2>Eva</h2>", "<h2>Leo</h2>", "10 h 30 min free", "at-36 for-6")
	lacks(t, day, "Bea Sol")
	if one := b.open("agenda?view=day&date=2026-11-18&with=eva"); strings.Contains(one, "Bea Sol") {
		t.Error("Leo's customer is shown with Eva")
	}
	shows(t, b.open("agenda?view=week&date=2026-11-18&with=leo"), "Bea Sol", "pending", "agenda/new?date=2026-11-18&amp;resource=leo")
	shows(t, b.open("agenda?date=2026-11-22"), "closed", "There is nothing on this day.")

	test := b.get("/console/test/desk/agenda")
	shows(t, test.body, "Rehearsal")
	lacks(t, test.body, "Ana Ruiz")

	if got := b.get("/console/live/-/agenda?date=2026-11-18"); got.status != http.StatusSeeOther || got.location != "/console/live/desk/agenda?date=2026-11-18" {
		t.Errorf("the agenda of all agents: %d %s", got.status, got.location)
	}
}

func TestTheAgendaRenewsItself(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	found := regexp.MustCompile(`hx-get="(agenda/now/[^"]+)"`).FindStringSubmatch(b.open("agenda?date=2026-11-17"))
	if found == nil {
		t.Fatal("nothing renews itself")
	}
	if got := b.get(b.at(found[1])); got.status != http.StatusNoContent {
		t.Errorf("nothing is new: %d", got.status)
	}
	o.book("2026-11-17T10:00:00", frontdesk.Confirmed)
	got := b.get(b.at(found[1]))
	if got.status != http.StatusOK {
		t.Errorf("something is new: %d", got.status)
	}
	shows(t, got.body, "Ana Ruiz")
}

func TestTheAgendaShowsWhyNobodyComes(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.keep(func(a *frontdesk.Agent) {
		twoPeople(a)
		c := &a.Settings.Calendar
		c.Holidays = "ES-MD"
		c.Exceptions = []frontdesk.Exception{{From: dateIn("2026-11-17"), To: dateIn("2026-11-18"), Reason: "Inventario"}}
		c.Closures = []frontdesk.Closure{
			{From: "2026-11-18T12:00:00", To: "2026-11-18T14:00:00", ResourceID: "eva", Reason: "Curso"},
			{From: "2026-11-19T09:00:00", To: "2026-11-19T20:00:00", Reason: "Obras"},
		}
	})
	b := o.enter(frontdesk.RoleStaff)
	b.language = "es"
	page := b.open("agenda?view=week")
	shows(t, page, "cerrado: Inventario", "Curso", "Obras")
	shows(t, b.open("agenda?date=2026-12-08"), "cerrado: Inmaculada Concepción")
	shows(t, b.open("agenda?view=day&date=2026-11-18"), "bloqueado 12:00–14:00", "libre 09:00–12:00")
}

func dateIn(text string) frontdesk.Date {
	d, _ := frontdesk.ParseDate(text)
	return d
}

// A night stands under the day on which it began, in the grid after midnight.
func TestANightStandsUnderItsDay(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.keep(func(a *frontdesk.Agent) {
		a.Config.Hours = nil
		var week frontdesk.Week
		for i := range week {
			week[i] = []frontdesk.Period{{From: 20 * 60, To: 2 * 60}}
		}
		a.Settings.Calendar.Openings = &week
	})
	late := o.enterInto(true, calendar.Entry{ScheduledAt: "2026-11-18T01:00:00", ServiceID: "cut", Name: "Ana Noche"})
	b := o.enter(frontdesk.RoleStaff)
	page := b.open("agenda?view=day&date=2026-11-17")
	shows(t, page, "Ana Noche", "at-60 for-6", "free 8 pm–1 am")
	lacks(t, b.open("agenda?view=day&date=2026-11-18"), "Ana Noche")
	shows(t, b.open("captures/"+string(late.ID)), "agenda?date=2026-11-17&amp;view=day")
}

// On the night on which the clock is put back, the hour from two to three is
// there twice, and what comes after it stands where it is.
func TestTheClockIsPutBack(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.Forward(time.Date(2026, 10, 20, 9, 0, 0, 0, time.UTC).Sub(o.Now()))
	o.keep(func(a *frontdesk.Agent) {
		a.Config.Hours = nil
		var week frontdesk.Week
		for i := range week {
			week[i] = []frontdesk.Period{{From: 0, To: 24 * 60}}
		}
		a.Settings.Calendar.Openings = &week
	})
	o.enterInto(true, calendar.Entry{ScheduledAt: "2026-10-25T10:00:00", ServiceID: "cut", Name: "Ana Ruiz"})
	b := o.enter(frontdesk.RoleStaff)
	b.language = "es"
	page := b.open("agenda?view=day&date=2026-10-25")
	if n := strings.Count(page, ">02:00</span>"); n != 2 {
		t.Errorf("two o'clock is there %d times", n)
	}
	shows(t, page, "at-132 for-6", "24 h 30 min libres") // eleven hours after midnight
	shows(t, b.open("agenda?view=week&date=2026-10-25"), "at-120 for-6")
}

func TestTheAgendaKeepsTheClockOfItsHouse(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.Forward(time.Date(2026, 11, 17, 3, 0, 0, 0, time.UTC).Sub(o.Now())) // still Monday evening in Mexico
	o.keep(func(a *frontdesk.Agent) { a.Timezone = "America/Mexico_City" })
	o.enterInto(true, calendar.Entry{ScheduledAt: "2026-11-16T19:00:00", ServiceID: "cut", Name: "Ana Ruiz", Force: true})
	b := o.enter(frontdesk.RoleStaff)
	b.language = "es"
	shows(t, b.open("agenda"), "lunes 16 de noviembre", "<time>19:00</time>", "Ana Ruiz")
}

// A week of a large house is read in one go, and what nobody could read is
// counted.
func TestAFullWeekIsCounted(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.keep(func(a *frontdesk.Agent) { a.Vertical = "restaurant"; a.Settings.Capacity = 2000 })
	var n int
	for d := 16; d < 21; d++ {
		for i := range 60 {
			o.enterInto(true, calendar.Entry{ScheduledAt: frontdesk.LocalTime(fmt.Sprintf("2026-11-%dT%02d:%02d:00", d, 12+i%6, i%2*30)), Party: 2, Name: "Guest", Force: true})
			n++
		}
	}
	b := o.enter(frontdesk.RoleStaff)
	page := b.open("agenda?view=week")
	shows(t, page, "10 tables · 20")
	shows(t, b.open("agenda?view=day&date=2026-11-20"), "up to", "of 2000 seats")
	if size := len(page); size > 60_000 {
		t.Errorf("%d appointments make a page of %d bytes", n, size)
	}
}

func TestThingsAtOnceStandSideBySide(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	for i := range 9 {
		o.enterInto(true, calendar.Entry{ScheduledAt: "2026-11-17T10:00:00", ServiceID: "cut", Name: fmt.Sprintf("Guest %d", i), Force: true})
	}
	b := o.enter(frontdesk.RoleStaff)
	shows(t, b.open("agenda?view=day&date=2026-11-17"), "lane-0-6", "lane-5-6", "&#43;4 more")
	shows(t, b.open("agenda?view=week&date=2026-11-17"), "lane-0-3", "&#43;7 more")
}

func TestAnAppointmentIsAdded(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.keep(twoPeople)
	b := o.enter(frontdesk.RoleStaff)
	form := b.open("agenda/new?date=2026-11-17&time=11:00&resource=eva")
	shows(t, form, `value="2026-11-17T11:00:00" checked`, `<option value="eva" selected>`, "Haircut")
	times := b.get(b.at("agenda/new/times?service=colour&date=2026-11-17&resource=eva"))
	shows(t, times.body, `id="times"`, "2026-11-17T18:30:00")
	lacks(t, times.body, "2026-11-17T19:00:00", "<html")

	fields := url.Values{"name": {"Eva Cano"}, "phone": {"+34600111222"}, "service": {"cut"}, "resource": {"eva"}, "date": {"2026-11-17"}, "at": {"2026-11-17T11:00:00"}, "notes": {"rubio"}}
	page := b.send("agenda/new", fields)
	shows(t, page, "Added: Eva Cano, tomorrow, 11 am", "Undo")
	id := regexp.MustCompile(`captures/([0-9a-f-]{36})/status`).FindStringSubmatch(page)[1]
	made := o.stands(frontdesk.ID(id))
	if made.Source != frontdesk.FromConsole || made.Status != frontdesk.Confirmed || made.Visit.ResourceID != "eva" || made.Notes != "rubio" || made.Visit.Duration != 30 {
		t.Errorf("made %+v", made)
	}

	refused := b.post(b.at("agenda/new"), fields)
	if refused.status != http.StatusConflict {
		t.Fatalf("the same again: %d", refused.status)
	}
	shows(t, refused.body, "that place is taken.", `name="pick" value="2026-11-17T10:30:00"`, `name="force" value="2026-11-17T11:00:00"`, "Eva Cano")
	fields.Set("force", "2026-11-17T11:00:00")
	shows(t, b.send("agenda/new", fields), "Added: Eva Cano")

	shows(t, b.send("captures/"+id+"/status", url.Values{"status": {"cancelled"}}), "Cancelled: Eva Cano")
}

func TestAFormThatIsWrongKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleStaff)
	tests := map[string]struct {
		change map[string]string
		want   string
	}{
		"no name":                {map[string]string{"name": ""}, "Write a name."},
		"no time":                {map[string]string{"at": ""}, "Choose a time"},
		"a time that is none":    {map[string]string{"at": "soon"}, "Choose a time"},
		"a party that is none":   {map[string]string{"party": "-1"}, "From 1 to 1000 people."},
		"a long name":            {map[string]string{"name": strings.Repeat("ñ", 201)}, "200 characters at most."},
		"a service that is gone": {map[string]string{"service": "gone"}, "That service does not exist any more."},
		"a clock that jumps":     {map[string]string{"at": "2027-03-28T02:30:00"}, "Choose a time"},
	}
	for name, tt := range tests {
		form := url.Values{"name": {"Ana"}, "at": {"2026-11-17T11:00:00"}, "date": {"2026-11-17"}, "service": {"cut"}, "notes": {"kept words"}}
		for field, value := range tt.change {
			form.Set(field, value)
		}
		got := b.post(b.at("agenda/new"), form)
		if got.status != http.StatusBadRequest || !strings.Contains(got.body, tt.want) && name != "a party that is none" || !strings.Contains(got.body, "kept words") {
			t.Errorf("%s: %d, without %q or what was typed", name, got.status, tt.want)
		}
	}
	looked := b.post(b.at("agenda/new"), url.Values{"look": {"yes"}, "name": {"Ana"}, "date": {"2026-11-18"}})
	shows(t, looked.body, "2026-11-18T09:00:00", `value="Ana"`)
	shows(t, b.open("agenda/new?date=2026-11-22"), "it is closed")
	shows(t, b.open("agenda/new?date=2026-11-17&time=08:10"), `value="08:10"`)
}

// The busy times of outside calendars, and places that are kept for who waits, are
// shown and not free.
func TestTheAgendaShowsWhatElseTakesTime(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.keep(func(a *frontdesk.Agent) {
		a.Settings.Notices.Customer = []frontdesk.NoticeChannel{frontdesk.ByEmail}
	})
	ctx := context.Background()
	outside := frontdesk.OutsideCalendar{ID: frontdesk.NewID(o.Now()), AgentID: o.agent.ID, Kind: frontdesk.OutsideICS, Host: "example.com", URL: []byte("x"), OKAt: o.Now(), CreatedAt: o.Now(), ReadAt: o.Now()}
	busy := []frontdesk.Span{{From: time.Date(2026, 11, 18, 11, 0, 0, 0, time.UTC), To: time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)}}
	if err := o.store.AddOutsideCalendar(ctx, o.owner(), frontdesk.Actor{}, outside, busy, nil, "2026-11-01T00:00:00"); err != nil {
		t.Fatal(err)
	}
	o.enterInto(true, calendar.Entry{Kind: frontdesk.Waiting, ScheduledAt: "2026-11-18T10:00:00", ServiceID: "cut", Name: "Ana Espera", Email: "ana@example.com", Status: frontdesk.PendingConfirm})
	if err := calendar.New(o.store, nil).OfferPlaces(ctx, o.Now()); err != nil {
		t.Fatal(err)
	}
	b := o.enter(frontdesk.RoleStaff)
	b.language = "es"
	page := b.open("agenda?view=day&date=2026-11-18")
	shows(t, page, "ocupado en otro calendario, 12:00–13:00", "Ana Espera", "guardado", "libre 10:30–12:00", "libre 13:00–20:00")
}

// What holds callers, the notice and how far ahead they book, does not hold the
// business.
func TestTheBusinessBooksAsSoonAndAsFarAsItLikes(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleStaff)
	shows(t, b.open("agenda/new?date=2026-11-16"), "2026-11-16T10:00:00") // this very moment
	shows(t, b.open("agenda/new?date=2028-11-16"), "2028-11-16T10:00:00")
}
