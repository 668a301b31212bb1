package calendar_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/wire"
)

var ctx = context.Background()

// noon of a Monday, as a business in Madrid sees it.
var noon = time.Date(2026, 11, 16, 11, 0, 0, 0, time.UTC)

// calendarDesk is a business with a calendar.
type calendarDesk struct {
	*testing.T
	store    *store.Store
	calendar *calendar.Calendar
	tenant   frontdesk.Tenant
	agent    frontdesk.Agent
}

func newCalendarDesk(t *testing.T, change func(*frontdesk.Agent)) calendarDesk {
	t.Helper()
	s := storetest.New(t)
	tenant := storetest.Tenant(t, s, "la-plaza")
	a := frontdesk.Agent{
		ID: frontdesk.NewID(noon), TenantID: tenant.ID, Slug: "desk", Vertical: "clinic", DisplayName: "Desk", Status: "active",
		Languages: []string{"es", "en"}, Timezone: "Europe/Madrid", CreatedAt: noon, UpdatedAt: noon,
	}
	a.Config.Hours = &frontdesk.Hours{}
	for i := range 5 {
		a.Config.Hours[i] = frontdesk.Shift{Open: 9, Close: 20}
	}
	if change != nil {
		change(&a)
	}
	if err := s.CreateAgent(ctx, frontdesk.Actor{}, a); err != nil {
		t.Fatal(err)
	}
	// As it is in the books, settings included.
	a, err := s.Agent(ctx, frontdesk.Owner{TenantID: tenant.ID}, a.ID)
	if err != nil {
		t.Fatal(err)
	}
	crm := frontdesk.Connection{
		ID: frontdesk.NewID(noon), Name: "crm", URL: "https://example.com/hook", Events: []string{frontdesk.CaptureCreated},
		Status: frontdesk.ConnectionActive, Secret: frontdesk.SealedSecret{Sealed: []byte{1}, SetAt: noon}, CreatedAt: noon, UpdatedAt: noon,
	}
	if err := s.CreateConnection(ctx, frontdesk.Owner{TenantID: tenant.ID, Live: true}, frontdesk.Actor{}, crm, 1); err != nil {
		t.Fatal(err)
	}
	return calendarDesk{t, s, calendar.New(s, nil), tenant, a}
}

// caller is a new one, in live mode.
func (d calendarDesk) caller() calendar.Caller {
	return calendar.Caller{
		Tenant: d.tenant, Agent: d.agent, Services: catalogue.Read(d.agent).Services, Live: true, CallID: frontdesk.NewID(noon), Channel: frontdesk.Web,
	}
}

var cleaning = catalogue.Service{ID: "cleaning", Name: "Limpieza", Duration: 40 * time.Minute, Buffer: 10 * time.Minute}

// wish is for a cleaning on Wednesday.
func wish(hour, minute int) calendar.Wish {
	return calendar.Wish{
		Service: cleaning, Date: dates.Date{Year: 2026, Month: 11, Day: 18}, Clock: dates.Clock{Hour: hour, Minute: minute}, Timed: true,
	}
}

func booking(key string, w calendar.Wish) calendar.Booking {
	return calendar.Booking{Key: key, Wish: w, Name: "Ana García", Phone: "+34600000001", Email: "ana@example.com", Now: noon}
}

func (d calendarDesk) book(who calendar.Caller, b calendar.Booking) frontdesk.Capture {
	d.Helper()
	c, err := d.calendar.Book(ctx, who, b)
	if err != nil {
		d.Fatal(err)
	}
	return c
}

func (d calendarDesk) hold(who calendar.Caller, w calendar.Wish, now time.Time) calendar.Openings {
	d.Helper()
	o, err := d.calendar.Hold(ctx, who, w, now)
	if err != nil {
		d.Fatal(err)
	}
	return o
}

func (d calendarDesk) openings(who calendar.Caller, w calendar.Wish, now time.Time) calendar.Openings {
	d.Helper()
	o, err := d.calendar.Openings(ctx, who, w, now)
	if err != nil {
		d.Fatal(err)
	}
	return o
}

func (d calendarDesk) find(who calendar.Caller, code, phone string) []frontdesk.Capture {
	d.Helper()
	all, err := d.calendar.Find(ctx, who, code, phone, noon)
	if err != nil {
		d.Fatal(err)
	}
	return all
}

// written are the captures and the events of an owner.
func (d calendarDesk) written(live bool) (captures []frontdesk.Capture, events []frontdesk.Event) {
	d.Helper()
	owner := frontdesk.Owner{TenantID: d.tenant.ID, Live: live}
	l, err := d.store.Captures(ctx, owner, frontdesk.CaptureFilter{}, frontdesk.Page{Limit: 100})
	if err != nil {
		d.Fatal(err)
	}
	events, err = d.store.EventsAfter(ctx, owner, frontdesk.FirstIDAt(noon.AddDate(-1, 0, 0)), 100)
	if err != nil {
		d.Fatal(err)
	}
	return l.Items, events
}

func TestABooking(t *testing.T) {
	t.Parallel()
	d := newCalendarDesk(t, nil)
	who := d.caller()
	if o := d.openings(who, wish(10, 0), noon); !o.Free {
		t.Fatalf("got %+v", o)
	}
	got := d.book(who, booking("k", wish(10, 0)))
	want := frontdesk.Capture{
		ID: got.ID, AgentID: d.agent.ID, CallID: who.CallID, Channel: frontdesk.Web, Kind: frontdesk.Appointment,
		CustomerName: "Ana García", CustomerPhone: "+34600000001", ScheduledAt: "2026-11-18T10:00:00", Service: "Limpieza",
		ConfirmationCode: got.ConfirmationCode, Status: frontdesk.PendingConfirm, CreatedAt: noon, UpdatedAt: noon,
		Source: frontdesk.FromCall, Timezone: "Europe/Madrid",
		Visit: frontdesk.Visit{ServiceID: "cleaning", Duration: 40, Minutes: 50, Email: "ana@example.com"},
	}
	captures, events := d.written(true)
	if got != want || len(got.ConfirmationCode) != 6 || len(captures) != 1 || captures[0] != want {
		t.Errorf("got %+v\nwritten %+v", got, captures)
	}
	if len(events) != 1 || events[0].Type != frontdesk.CaptureCreated || !strings.Contains(string(events[0].Body), string(wire.Capture(got))) {
		t.Errorf("events: %+v", events)
	}
	lanes, err := d.store.LanesWithWorkForWorker(ctx, noon.Add(time.Second))
	if err != nil || len(lanes) != 1 {
		t.Errorf("nothing is to be delivered: %v, %v", lanes, err)
	}
	if o := d.openings(d.caller(), wish(10, 45), noon); o.Free || o.Why != calendar.WhyFull || len(o.Near) != 3 {
		t.Errorf("the place of a booking is %+v", o)
	}
	other := d.caller()
	other.Live = false
	if o := d.openings(other, wish(10, 0), noon); !o.Free {
		t.Errorf("in the sandbox: %+v", o)
	}
}

// However many say yes at once, a place goes to one, and a class of three to
// three; each is told of once.
func TestFiftyAtOnce(t *testing.T) {
	t.Parallel()
	for _, room := range []int{1, 3} {
		t.Run(fmt.Sprintf("%d places", room), func(t *testing.T) {
			t.Parallel()
			d := newCalendarDesk(t, func(a *frontdesk.Agent) { a.Settings.Capacity = room })
			errs := make([]error, 50)
			var wg sync.WaitGroup
			for i := range errs {
				wg.Go(func() {
					// All of them want a time that runs into the others'.
					_, errs[i] = d.calendar.Book(ctx, d.caller(), booking(fmt.Sprint(i), wish(10, i%30)))
				})
			}
			wg.Wait()
			won := 0
			for _, err := range errs {
				if err == nil {
					won++
				} else if !errors.Is(err, calendar.ErrTaken) {
					t.Error(err)
				}
			}
			captures, events := d.written(true)
			if won != room || len(captures) != room || len(events) != room {
				t.Errorf("%d won; %d captures, %d events", won, len(captures), len(events))
			}
		})
	}
}

func TestAHold(t *testing.T) {
	t.Parallel()
	d := newCalendarDesk(t, nil)
	mine, yours := d.caller(), d.caller()
	if o := d.hold(mine, wish(10, 0), noon); !o.Free || !o.Until.Equal(noon.Add(3*time.Minute)) {
		t.Fatalf("got %+v", o)
	}
	if o := d.hold(yours, wish(10, 30), noon); o.Free || o.Why != calendar.WhyFull || len(o.Near) == 0 || !o.Until.IsZero() {
		t.Errorf("held by two: %+v", o)
	}
	if _, err := d.calendar.Book(ctx, yours, booking("y", wish(10, 0))); !errors.Is(err, calendar.ErrTaken) {
		t.Errorf("what another holds was booked: %v", err)
	}
	if o := d.openings(mine, wish(10, 0), noon); !o.Free {
		t.Errorf("one's own hold is in the way: %+v", o)
	}
	if o := d.hold(mine, wish(12, 0), noon); !o.Free {
		t.Fatalf("got %+v", o)
	}
	if o := d.openings(yours, wish(10, 0), noon); !o.Free {
		t.Errorf("a call holds two places: %+v", o)
	}
	if o := d.openings(yours, wish(12, 0), noon.Add(3*time.Minute)); !o.Free {
		t.Errorf("it has not run out: %+v", o)
	}
	if err := d.calendar.LetGo(ctx, mine); err != nil {
		t.Fatal(err)
	}
	if o := d.hold(yours, wish(12, 0), noon); !o.Free {
		t.Errorf("it was not let go: %+v", o)
	}
	d.book(yours, booking("y", wish(12, 0)))
	if o := d.openings(yours, wish(12, 0), noon); o.Free {
		t.Error("it is booked and free")
	}
	if o := d.hold(mine, calendar.Wish{Service: cleaning}, noon); o.Free || len(o.Near) != 3 {
		t.Errorf("to hold no time in particular: %+v", o)
	}
}

func TestTheSameKeyBooksOnce(t *testing.T) {
	t.Parallel()
	d := newCalendarDesk(t, nil)
	who := d.caller()
	first := d.book(who, booking("k", wish(10, 0)))
	// The visitor repeats the yes after the server was away, a day later.
	late := booking("k", wish(10, 0))
	late.Now = noon.AddDate(0, 0, 3)
	if got := d.book(who, late); got != first {
		t.Errorf("got %+v", got)
	}
	note := calendar.Note{Key: "n", Kind: frontdesk.Lead, Name: "Ana", Phone: "600000001", Service: "Ortodoncia", Now: noon}
	one, err := d.calendar.Note(ctx, who, note)
	if err != nil || one.Kind != frontdesk.Lead || one.CallID != who.CallID || one.ScheduledAt != "" || one.Service != "Ortodoncia" {
		t.Fatalf("got %+v, %v", one, err)
	}
	if two, err := d.calendar.Note(ctx, who, note); err != nil || two != one {
		t.Errorf("got %+v, %v", two, err)
	}
	if captures, events := d.written(true); len(captures) != 2 || len(events) != 2 {
		t.Errorf("%d captures, %d events", len(captures), len(events))
	}
	// A lead takes no place, whatever time it names.
	note.Key, note.At = "o", "2026-11-18T12:00:00"
	if _, err := d.calendar.Note(ctx, who, note); err != nil {
		t.Fatal(err)
	}
	if o := d.openings(who, wish(12, 0), noon); !o.Free {
		t.Errorf("got %+v", o)
	}
}

func TestAMove(t *testing.T) {
	t.Parallel()
	d := newCalendarDesk(t, nil)
	old := d.book(d.caller(), booking("1", wish(10, 0)))
	d.book(d.caller(), booking("2", wish(12, 0)))
	who, w := d.caller(), wish(12, 15)
	w.Moving = old.ID
	if _, err := d.calendar.Book(ctx, who, booking("3", w)); !errors.Is(err, calendar.ErrTaken) {
		t.Fatal(err)
	}
	if found := d.find(who, old.ConfirmationCode, ""); len(found) != 1 || found[0] != old {
		t.Errorf("a move that failed: %+v", found)
	}
	w.Clock = dates.Clock{Hour: 10, Minute: 15} // over its own old place
	if o := d.hold(who, w, noon); !o.Free {
		t.Fatalf("got %+v", o)
	}
	moved := d.book(who, booking("4", w))
	if moved.ID != old.ID || moved.ConfirmationCode != old.ConfirmationCode || moved.CallID != old.CallID || !moved.UpdatedAt.After(old.UpdatedAt) {
		t.Errorf("it is another one: %+v", moved)
	}
	captures, events := d.written(true)
	if len(captures) != 2 || len(events) != 3 || events[2].Type != frontdesk.CaptureUpdated || !strings.Contains(string(events[2].Body), string(wire.Capture(moved))) {
		t.Errorf("%d captures, events %+v", len(captures), events)
	}
	if found := d.find(who, moved.ConfirmationCode, ""); len(found) != 1 || found[0] != moved {
		t.Errorf("got %+v", found)
	}
	if got := d.book(who, booking("4", w)); got != moved {
		t.Errorf("the second time: %+v", got)
	}
}

func TestFindAndCancel(t *testing.T) {
	t.Parallel()
	d := newCalendarDesk(t, nil)
	who := d.caller()
	c := d.book(who, booking("1", wish(10, 0)))
	later := d.book(who, booking("2", wish(12, 0)))
	code := c.ConfirmationCode
	spelled := strings.ToLower(code[:3]) + " - " + code[3:]
	for name, tt := range map[string]struct {
		code, phone string
		want        int
	}{
		"by code":                     {code, "", 1},
		"by code, as it is said":      {spelled, "", 1},
		"by number":                   {"", "600 00 00 01", 2},
		"a wrong code":                {"XXXXXX", "", 0},
		"a wrong code, a good number": {"XXXXXX", "+34600000001", 0},
		"signs for a code":            {"¿?", "+34600000001", 0},
		"a wrong number":              {"", "+34600000009", 0},
		"nothing":                     {"", "", 0},
	} {
		if found := d.find(who, tt.code, tt.phone); len(found) != tt.want {
			t.Errorf("%s: %+v", name, found)
		}
	}
	sandbox := who
	sandbox.Live = false
	if found := d.find(sandbox, code, ""); len(found) != 0 {
		t.Errorf("in the sandbox: %+v", found)
	}
	if err := d.calendar.Cancel(ctx, sandbox, c.ID, noon); err == nil {
		t.Error("cancelled from the sandbox")
	}
	if err := d.calendar.Cancel(ctx, who, c.ID, noon); err != nil {
		t.Fatal(err)
	}
	if found := d.find(who, "", "+34600000001"); len(found) != 1 || found[0] != later {
		t.Errorf("got %+v", found)
	}
	if o := d.openings(who, wish(10, 0), noon); !o.Free {
		t.Errorf("its place is not free: %+v", o)
	}
	passed, err := d.calendar.Find(ctx, who, later.ConfirmationCode, "", noon.AddDate(0, 0, 3))
	if err != nil || len(passed) != 0 {
		t.Errorf("one that has passed: %+v, %v", passed, err)
	}
}

// What a customer's own system does to a capture counts here as well.
func TestTheStatusDecides(t *testing.T) {
	t.Parallel()
	d := newCalendarDesk(t, nil)
	c := d.book(d.caller(), booking("1", wish(10, 0)))
	for status, free := range map[frontdesk.CaptureStatus]bool{
		frontdesk.Confirmed: false, frontdesk.Cancelled: true, frontdesk.NoShow: true, frontdesk.PendingConfirm: false,
	} {
		if _, err := d.calendar.SetStatus(ctx, d.caller(), c.ID, status, noon); err != nil {
			t.Fatal(err)
		}
		if o := d.openings(d.caller(), wish(10, 0), noon); o.Free != free {
			t.Errorf("%s: %+v", status, o)
		}
	}
}

// A yes that takes a while is a yes, as long as the time has not come.
func TestALateYes(t *testing.T) {
	t.Parallel()
	d := newCalendarDesk(t, nil)
	b := booking("1", wish(10, 0))
	b.Now = time.Date(2026, 11, 18, 8, 59, 0, 0, time.UTC) // a minute to ten
	if o := d.openings(d.caller(), b.Wish, b.Now); o.Why != calendar.WhySoon {
		t.Errorf("got %+v", o)
	}
	d.book(d.caller(), b)
	b.Key, b.Now = "2", b.Now.Add(2*time.Minute)
	if _, err := d.calendar.Book(ctx, d.caller(), b); !errors.Is(err, calendar.ErrTaken) {
		t.Errorf("got %v", err)
	}
}

func TestSeatsOfARestaurant(t *testing.T) {
	t.Parallel()
	d := newCalendarDesk(t, func(a *frontdesk.Agent) {
		a.Vertical = "restaurant"
		a.Settings = frontdesk.AgentSettings{Capacity: 10, MaxParty: 8, Notice: time.Hour, Horizon: 30 * 24 * time.Hour}
	})
	table := func(party int) calendar.Wish {
		w := wish(14, 0)
		w.Service, w.Party = catalogue.Service{}, party
		return w
	}
	d.book(d.caller(), booking("1", table(6)))
	if o := d.openings(d.caller(), table(4), noon); !o.Free {
		t.Errorf("four more: %+v", o)
	}
	if o := d.openings(d.caller(), table(5), noon); o.Why != calendar.WhyFull {
		t.Errorf("five more: %+v", o)
	}
	if o := d.openings(d.caller(), table(9), noon); o.Why != calendar.WhyLarge || o.Most != 8 || len(o.Near) != 0 {
		t.Errorf("a party of nine: %+v", o)
	}
	far := table(2)
	far.Date = far.Date.AddDays(60)
	if o := d.openings(d.caller(), far, noon); o.Why != calendar.WhyFar {
		t.Errorf("in two months: %+v", o)
	}
}

// Notes of an appointment stay when it is changed, but for those taken back.
func TestNotesAreTakenBack(t *testing.T) {
	t.Parallel()
	d := newCalendarDesk(t, nil)
	b := booking("1", wish(10, 0))
	b.Notes = "una trona\nalergia al marisco"
	booked := d.book(d.caller(), b)
	b = booking("2", wish(10, 0))
	b.Wish.Moving, b.Notes, b.Without = booked.ID, "un carrito", "una trona"
	if changed := d.book(d.caller(), b); changed.Notes != "alergia al marisco\nun carrito" {
		t.Errorf("the notes are %q", changed.Notes)
	}
}

// What a caller said beside is written down, shown, and told in the event.
func TestWishesAreWrittenDown(t *testing.T) {
	t.Parallel()
	d := newCalendarDesk(t, nil)
	b := booking("1", wish(10, 0))
	b.Notes = " una trona \n\nalergia al marisco\x00"
	booked := d.book(d.caller(), b)
	if booked.Notes != "una trona\nalergia al marisco" || booked.Source != frontdesk.FromCall {
		t.Errorf("booked %+v", booked)
	}
	noted, err := d.calendar.Note(ctx, d.caller(), calendar.Note{
		Key: "2", Kind: frontdesk.Message, Name: "Ana", Email: "ana@example.com", Service: "Factura", Topic: "invoice", Urgency: frontdesk.Urgent,
		Notes: "la de marzo está mal", Party: 30, At: "2026-12-01T21:00:00", Now: noon,
	})
	if err != nil {
		t.Fatal(err)
	}
	if noted.Kind != frontdesk.Message || noted.Notes != "la de marzo está mal" || noted.Topic != "invoice" || noted.Urgency != frontdesk.Urgent ||
		noted.Visit.Party != 30 || noted.Visit.Email != "ana@example.com" || noted.ScheduledAt != "2026-12-01T21:00:00" {
		t.Errorf("noted %+v", noted)
	}
	captures, events := d.written(true)
	for _, c := range []frontdesk.Capture{booked, noted} {
		if !slices.Contains(captures, c) {
			t.Errorf("not written: %+v", c)
		}
		if !slices.ContainsFunc(events, func(e frontdesk.Event) bool { return strings.Contains(string(e.Body), string(wire.Capture(c))) }) {
			t.Errorf("not told: %s", wire.Capture(c))
		}
	}
}
