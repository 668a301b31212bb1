package calendar_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

// fullDesk is a house that is full on Wednesday: two appointments of an hour.
func fullDesk(t *testing.T) (calendarDesk, []frontdesk.Capture) {
	t.Helper()
	d := newCalendarDesk(t, func(a *frontdesk.Agent) {
		a.Config.Hours[2] = frontdesk.Shift{Open: 10, Close: 12}
		a.Config.Services = json.RawMessage(`[{"id":"cut","name":"Corte","duration_minutes":60}]`)
		a.Settings.Notices.Customer = []frontdesk.NoticeChannel{frontdesk.ByEmail}
	})
	var all []frontdesk.Capture
	for _, hour := range []int{10, 11} {
		all = append(all, d.enter(calendar.Entry{ScheduledAt: frontdesk.LocalTime(fmt.Sprintf("2026-11-18T%d:00:00", hour)), ServiceID: "cut"}))
	}
	return d, all
}

func (d calendarDesk) enter(e calendar.Entry) frontdesk.Capture {
	d.Helper()
	e.Now, e.Source = noon, frontdesk.FromAPI
	c, err := d.calendar.Enter(ctx, d.caller(), e)
	if err != nil {
		d.Fatal(err)
	}
	return c
}

// wait notes somebody for a day or an hour, some seconds after noon.
func (d calendarDesk) wait(name string, at frontdesk.LocalTime, seconds ...int) frontdesk.Capture {
	d.Helper()
	who, now := d.caller(), noon
	for _, n := range seconds {
		now = now.Add(time.Duration(n) * time.Second)
	}
	c, err := d.calendar.Note(ctx, who, calendar.Note{
		Key: name, Kind: frontdesk.Waiting, Name: name, Email: name + "@example.com", Service: "Corte", ServiceID: "cut", At: at, Now: now,
	})
	if err != nil {
		d.Fatal(err)
	}
	return c
}

func (d calendarDesk) offer(now time.Time) {
	d.Helper()
	if err := d.calendar.OfferPlaces(ctx, now); err != nil {
		d.Fatal(err)
	}
}

// told are the places that were offered, as "who when", oldest first.
func (d calendarDesk) told() (lines []string) {
	d.Helper()
	l, err := d.store.Notices(ctx, d.caller().Owner(), frontdesk.NoticeFilter{Kind: frontdesk.NoticePlaceFree}, frontdesk.Page{Limit: 100})
	if err != nil {
		d.Fatal(err)
	}
	for i := len(l.Items) - 1; i >= 0; i-- {
		lines = append(lines, l.Items[i].Address+" "+string(l.Items[i].ScheduledAt))
	}
	return lines
}

func (d calendarDesk) wantTold(want ...string) {
	d.Helper()
	if got := d.told(); fmt.Sprint(got) != fmt.Sprint(want) {
		d.Errorf("told were %q, want %q", got, want)
	}
}

func (d calendarDesk) cancel(c frontdesk.Capture) {
	d.Helper()
	if err := d.calendar.Cancel(ctx, d.caller(), c.ID, noon); err != nil {
		d.Fatal(err)
	}
}

func TestWhoHasWaitedLongestIsToldFirst(t *testing.T) {
	t.Parallel()
	d, booked := fullDesk(t)
	first, second := d.wait("ana", "2026-11-18T00:00:00"), d.wait("bea", "2026-11-18T00:00:00", 1)
	d.offer(noon)
	d.wantTold()
	d.cancel(booked[1])
	d.offer(noon)
	d.offer(noon.Add(time.Minute))
	d.wantTold("ana@example.com 2026-11-18T11:00:00")
	if o := d.openings(d.caller(), calendar.Wish{Date: wish(11, 0).Date, Clock: wish(11, 0).Clock, Timed: true}, noon); o.Free {
		t.Error("others can have the place that is kept")
	}
	if _, err := d.calendar.TakePlace(ctx, d.caller(), second.ID, noon); !errors.Is(err, calendar.ErrTaken) {
		t.Errorf("who was not asked takes it: %v", err)
	}
	// An hour later it is the next one's.
	d.offer(noon.Add(61 * time.Minute))
	d.wantTold("ana@example.com 2026-11-18T11:00:00", "bea@example.com 2026-11-18T11:00:00")
	if _, err := d.calendar.TakePlace(ctx, d.caller(), first.ID, noon.Add(62*time.Minute)); !errors.Is(err, calendar.ErrTaken) {
		t.Errorf("who was late takes it: %v", err)
	}
	taken, err := d.calendar.TakePlace(ctx, d.caller(), second.ID, noon.Add(62*time.Minute))
	if err != nil || !taken.TakesPlace() || taken.ScheduledAt != "2026-11-18T11:00:00" || taken.ConfirmationCode != second.ConfirmationCode ||
		taken.Status != frontdesk.Confirmed || taken.Visit.Duration != 60 || taken.Visit.Email != "bea@example.com" {
		t.Fatalf("she has %+v, %v", taken, err)
	}
	if again, err := d.calendar.TakePlace(ctx, d.caller(), second.ID, noon.Add(63*time.Minute)); err != nil || again != taken {
		t.Errorf("the second click: %+v, %v", again, err)
	}
	d.offer(noon.Add(3 * time.Hour))
	d.wantTold("ana@example.com 2026-11-18T11:00:00", "bea@example.com 2026-11-18T11:00:00")
}

func TestTheAgendaHasPlacesThatAreKept(t *testing.T) {
	t.Parallel()
	d, booked := fullDesk(t)
	waiting := d.wait("ana", "2026-11-18T00:00:00")
	d.cancel(booked[1])
	d.offer(noon)
	kept := func(now time.Time) []frontdesk.KeptPlace {
		t.Helper()
		days, err := d.calendar.Agenda(ctx, d.caller(), wish(11, 0).Date, wish(11, 0).Date.AddDays(1), now)
		if err != nil {
			t.Fatal(err)
		}
		return days[0].Kept
	}
	got := kept(noon)
	if len(got) != 1 || got[0].CallID != waiting.ID || got[0].Name != "ana" || got[0].Service != "Corte" || got[0].ScheduledAt != "2026-11-18T11:00:00" ||
		got[0].Visit.Minutes != 60 || !got[0].Until.Equal(noon.Add(time.Hour)) {
		t.Errorf("kept is %+v", got)
	}
	if got := kept(noon.Add(time.Hour)); len(got) != 0 {
		t.Errorf("an hour later it is kept: %+v", got)
	}
	if _, err := d.calendar.TakePlace(ctx, d.caller(), waiting.ID, noon); err != nil {
		t.Fatal(err)
	}
	if got := kept(noon); len(got) != 0 {
		t.Errorf("taken, it is kept: %+v", got)
	}
}

func TestWhoWaitsForAnHour(t *testing.T) {
	t.Parallel()
	d, booked := fullDesk(t)
	d.wait("ana", "2026-11-18T11:00:00")
	d.cancel(booked[0])
	d.offer(noon)
	d.wantTold() // another hour is not what was wished
	d.cancel(booked[1])
	d.offer(noon)
	d.wantTold("ana@example.com 2026-11-18T11:00:00")
}

func TestWhoDoesNotWaitAnyMore(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		does func(d calendarDesk, waiting frontdesk.Capture)
		at   time.Time
	}{
		"cancelled": {func(d calendarDesk, w frontdesk.Capture) {
			if _, err := d.calendar.SetStatus(ctx, d.caller(), w.ID, frontdesk.Cancelled, noon); err != nil {
				d.Fatal(err)
			}
		}, noon},
		"the day is over": {func(calendarDesk, frontdesk.Capture) {}, noon.AddDate(0, 0, 3)},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, booked := fullDesk(t)
			w := d.wait("ana", "2026-11-18T00:00:00")
			tt.does(d, w)
			d.cancel(booked[0])
			d.offer(tt.at)
			d.wantTold()
			if all, err := d.store.WaitingForWorker(ctx, tt.at, 10); err != nil || len(all) != 0 {
				t.Errorf("on the list are %v, %v", all, err)
			}
		})
	}
}

// However a place comes free.
func TestLongerHoursAreOfferedToWhoWaits(t *testing.T) {
	t.Parallel()
	d, _ := fullDesk(t)
	d.wait("ana", "2026-11-18T00:00:00")
	d.offer(noon)
	d.wantTold()
	if _, err := d.store.ChangeAgent(ctx, d.caller().Owner(), d.agent.Slug, changingHours(2, frontdesk.Shift{Open: 10, Close: 13})); err != nil {
		t.Fatal(err)
	}
	d.offer(noon)
	d.wantTold("ana@example.com 2026-11-18T12:00:00")
}

// Whoever makes up names to wait under does not empty the book, nor stand before
// others.
func TestManyWhoWaitDoNotHoldADay(t *testing.T) {
	t.Parallel()
	d := newCalendarDesk(t, func(a *frontdesk.Agent) {
		a.Config.Services = json.RawMessage(`[{"id":"cut","name":"Corte","duration_minutes":60}]`)
		a.Settings.Notices.Customer = []frontdesk.NoticeChannel{frontdesk.ByEmail}
	})
	for i := range 30 {
		d.wait(fmt.Sprintf("c%d", i), "2026-11-18T00:00:00")
	}
	for range 3 {
		d.offer(noon)
	}
	if got := d.told(); len(got) != 2 {
		t.Errorf("places are kept for %q", got)
	}
	// Who cannot be written to has nothing kept.
	if _, err := d.calendar.Note(ctx, d.caller(), calendar.Note{Key: "x", Kind: frontdesk.Waiting, Phone: "600000001", ServiceID: "cut", At: "2026-11-19T00:00:00", Now: noon}); err != nil {
		t.Fatal(err)
	}
	d.offer(noon)
	if kept, err := d.store.KeptPlaces(ctx, d.caller().Owner(), d.agent.ID, noon); err != nil || len(kept) != 2 {
		t.Errorf("places are kept: %v, %v", kept, err)
	}
}

func TestLeavingTheListUndoesNoAppointment(t *testing.T) {
	t.Parallel()
	d, booked := fullDesk(t)
	w := d.wait("ana", "2026-11-18T00:00:00")
	d.cancel(booked[0])
	d.offer(noon)
	if _, err := d.calendar.TakePlace(ctx, d.caller(), w.ID, noon); err != nil {
		t.Fatal(err)
	}
	if err := d.calendar.LeaveList(ctx, d.caller(), w.ID, noon); err != nil {
		t.Fatal(err)
	}
	if got, err := d.store.Capture(ctx, d.caller().Owner(), w.ID); err != nil || !got.TakesPlace() {
		t.Errorf("it is %+v, %v", got, err)
	}
}

// Who waits is found as who has an appointment is, for as long as the day lasts, and
// may leave the list; a place that is kept for them is let go.
func TestWhoWaitsIsFoundAndLeaves(t *testing.T) {
	t.Parallel()
	d, booked := fullDesk(t)
	w, err := d.calendar.Note(ctx, d.caller(), calendar.Note{
		Key: "ana", Kind: frontdesk.Waiting, Name: "Ana", Phone: "+34600111222", Email: "ana@example.com", Service: "Corte", ServiceID: "cut", At: "2026-11-18T00:00:00", Now: noon,
	})
	if err != nil {
		t.Fatal(err)
	}
	found := func(code, phone string, at time.Time) int {
		all, err := d.calendar.Find(ctx, d.caller(), code, phone, at)
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	evening := time.Date(2026, 11, 18, 20, 0, 0, 0, noon.Location())
	if found(w.ConfirmationCode, "", noon) != 1 || found("", "600111222", evening) != 1 {
		t.Error("it is not found")
	}
	if found("", "600111223", noon) != 0 || found("", "600111222", evening.AddDate(0, 0, 1)) != 0 {
		t.Error("it is found by another number, or when the day is over")
	}
	d.cancel(booked[0])
	d.offer(noon)
	for range 2 {
		if err := d.calendar.Cancel(ctx, d.caller(), w.ID, noon); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := d.store.KeptPlaces(ctx, d.caller().Owner(), d.agent.ID, noon); err != nil || len(kept) != 0 {
		t.Errorf("places are kept: %v, %v", kept, err)
	}
	if found(w.ConfirmationCode, "", noon) != 0 {
		t.Error("it is found after it was left")
	}
}

// An address that is given afterwards goes to what the call has written down. What
// another call has written keeps the one it has.
func TestAnAddressIsAdded(t *testing.T) {
	t.Parallel()
	d, _ := fullDesk(t)
	w := d.wait("ana", "2026-11-18T00:00:00")
	other := d.caller()
	other.CallID = frontdesk.NewID(noon)
	a := calendar.Addition{Email: "ana.b@example.com", Now: noon}
	if err := d.calendar.Add(ctx, other, w.ID, a); err == nil {
		t.Error("another call has changed the address")
	}
	a.Own = true
	if err := d.calendar.Add(ctx, other, w.ID, a); !errors.Is(err, calendar.ErrAddressKept) {
		t.Errorf("a call that knows name and number has changed the address: %v", err)
	}
	mine := d.caller()
	mine.CallID = w.CallID
	if err := d.calendar.Add(ctx, mine, w.ID, a); err != nil {
		t.Fatal(err)
	}
	if got, err := d.store.Capture(ctx, d.caller().Owner(), w.ID); err != nil || got.Visit.Email != a.Email {
		t.Errorf("it is %+v, %v", got, err)
	}
	l, err := d.store.Notices(ctx, d.caller().Owner(), frontdesk.NoticeFilter{Kind: frontdesk.NoticeWaiting}, frontdesk.Page{Limit: 10})
	told := slices.ContainsFunc(l.Items, func(n frontdesk.Notice) bool { return n.Address == a.Email })
	if err != nil || len(l.Items) != 2 || !told {
		t.Errorf("told were %+v, %v", l.Items, err)
	}
}

func TestWhatHasNoAddressGetsOneOfAnotherCall(t *testing.T) {
	t.Parallel()
	d, _ := fullDesk(t)
	c := d.enter(calendar.Entry{ScheduledAt: "2026-11-19T10:00:00", ServiceID: "cut"})
	a := calendar.Addition{Email: "ana@example.com", Own: true, Now: noon}
	if err := d.calendar.Add(ctx, d.caller(), c.ID, a); err != nil {
		t.Fatal(err)
	}
	a.Email = "somebody@example.com"
	if err := d.calendar.Add(ctx, d.caller(), c.ID, a); !errors.Is(err, calendar.ErrAddressKept) {
		t.Errorf("the address was changed: %v", err)
	}
}

func TestMovingWhatAnotherCallHasMadeKeepsItsAddress(t *testing.T) {
	t.Parallel()
	d, _ := fullDesk(t)
	c := d.enter(calendar.Entry{ScheduledAt: "2026-11-19T10:00:00", ServiceID: "cut", Email: "ana@example.com"})
	wish := calendar.Wish{Date: dates.Date{Year: 2026, Month: 11, Day: 19}, Clock: dates.Clock{Hour: 12}, Timed: true, Moving: c.ID}
	got, err := d.calendar.Book(ctx, d.caller(), calendar.Booking{Key: "m", Wish: wish, Email: "somebody@example.com", Now: noon})
	if err != nil || got.Visit.Email != "ana@example.com" {
		t.Errorf("its customer is written to at %q, %v", got.Visit.Email, err)
	}
}

func TestWhatAnotherCallHasNotedIsSaidToBe(t *testing.T) {
	t.Parallel()
	d, _ := fullDesk(t)
	n := calendar.Note{Key: "ana", Kind: frontdesk.Waiting, Name: "Ana", Phone: "600000001", ServiceID: "cut", At: "2026-11-18T00:00:00", Now: noon}
	one := d.caller()
	for range 2 {
		if _, err := d.calendar.Note(ctx, one, n); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.calendar.Note(ctx, d.caller(), n); !errors.Is(err, calendar.ErrNoted) {
		t.Errorf("the second call got %v", err)
	}
}

// Who gives another address for each wish has one place kept all the same.
func TestOneTelephoneHasOnePlaceKept(t *testing.T) {
	t.Parallel()
	d, booked := fullDesk(t)
	for _, name := range []string{"ana", "ana.b"} {
		n := calendar.Note{Key: name, Kind: frontdesk.Waiting, Name: name, Phone: "+34600000001", Email: name + "@example.com", ServiceID: "cut", At: "2026-11-18T00:00:00", Now: noon}
		if _, err := d.calendar.Note(ctx, d.caller(), n); err != nil {
			t.Fatal(err)
		}
	}
	d.cancel(booked[0])
	d.cancel(booked[1])
	d.offer(noon)
	if got := d.told(); len(got) != 1 {
		t.Errorf("places are kept for %q", got)
	}
}

// Two nodes look at the same time.
func TestAPlaceIsOfferedOnce(t *testing.T) {
	t.Parallel()
	d, booked := fullDesk(t)
	for i := range 5 {
		d.wait(fmt.Sprintf("c%d", i), "2026-11-18T00:00:00")
	}
	d.cancel(booked[0])
	done := make(chan error)
	for range 4 {
		go func() { done <- d.calendar.OfferPlaces(ctx, noon) }()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if got := d.told(); len(got) != 1 {
		t.Errorf("told were %q", got)
	}
}

func changingHours(day int, s frontdesk.Shift) store.AgentChange {
	return store.AgentChange{Now: noon, Fields: wire.AgentFields, Change: func(a frontdesk.Agent) (frontdesk.Agent, error) {
		hours := *a.Config.Hours
		hours[day] = s
		a.Config.Hours = &hours
		return a, nil
	}}
}
