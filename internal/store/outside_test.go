package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// outsideCalendar is one that was read at day, and can be written.
func outsideCalendar(agent frontdesk.ID) frontdesk.OutsideCalendar {
	return frontdesk.OutsideCalendar{
		ID: frontdesk.NewID(day), AgentID: agent, Kind: frontdesk.OutsideCalDAV, Host: "calendar.example.com", URL: []byte("sealed"), User: "ana",
		Password: []byte("sealed too"), CreatedAt: day, ReadAt: day, OKAt: day, Periods: 1,
	}
}

// connectOutside connects one whose only busy time is an hour of the next day.
func connectOutside(t *testing.T, s *store.Store, owner frontdesk.Owner, agent frontdesk.ID) frontdesk.OutsideCalendar {
	t.Helper()
	c := outsideCalendar(agent)
	busy := []frontdesk.Span{{From: day.Add(24 * time.Hour), To: day.Add(25 * time.Hour)}}
	if err := s.AddOutsideCalendar(ctx, owner, frontdesk.Actor{}, c, busy, []byte("digest"), "2026-01-01T00:00:00"); err != nil {
		t.Fatal(err)
	}
	return c
}

func containsOutside(all []frontdesk.OutsideCalendar, id frontdesk.ID) bool {
	return slices.ContainsFunc(all, func(c frontdesk.OutsideCalendar) bool { return c.ID == id })
}

// outsideDesk is an agent with an outside calendar.
func outsideDesk(t *testing.T) (*store.Store, frontdesk.Owner, frontdesk.OutsideCalendar) {
	t.Helper()
	s := storetest.New(t)
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "lola").ID, Live: true}
	return s, owner, connectOutside(t, s, owner, newAgent(t, s, owner.TenantID).ID)
}

func TestOutsideCalendarIsReadByOneAtATime(t *testing.T) {
	t.Parallel()
	s, _, c := outsideDesk(t)
	if _, found, err := s.ClaimOutsideForWorker(ctx, day, day.Add(time.Minute)); err != nil || found {
		t.Fatalf("it was read just now: %v, %v", found, err)
	}
	now := day.Add(frontdesk.OutsideEvery)
	claim, found, err := s.ClaimOutsideForWorker(ctx, now, now.Add(time.Minute))
	if err != nil || !found || claim.Calendar.ID != c.ID || string(claim.Digest) != "digest" || string(claim.Calendar.Password) != "sealed too" {
		t.Fatalf("claimed %+v, %v, %v", claim, found, err)
	}
	if _, found, err := s.ClaimOutsideForWorker(ctx, now, now.Add(time.Minute)); err != nil || found {
		t.Fatalf("two have it: %v, %v", found, err)
	}
	// Who had it is gone; another takes it, and what the first one says then does
	// not count.
	later := now.Add(2 * time.Minute)
	second, found, err := s.ClaimOutsideForWorker(ctx, later, later.Add(time.Minute))
	if err != nil || !found {
		t.Fatal(found, err)
	}
	claim.Calendar.Problem = "too late"
	if err := s.SaveOutsideForWorker(ctx, claim, nil, []byte("none"), later); err != nil {
		t.Fatal(err)
	}
	second.Calendar.OKAt, second.Calendar.Periods = later, 0
	if err := s.SaveOutsideForWorker(ctx, second, nil, []byte("other"), later); err != nil {
		t.Fatal(err)
	}
	owner := second.Calendar.Owner()
	all, err := s.OutsideCalendars(ctx, owner)
	if err != nil || len(all) != 1 || all[0].Problem != "" || !all[0].OKAt.Equal(later) {
		t.Errorf("it is now %+v, %v", all, err)
	}
	if busy, err := s.OutsideBusy(ctx, owner, store.Look{AgentID: c.AgentID, From: "2026-01-01T00:00:00", To: "2027-01-01T00:00:00"}); err != nil || len(busy) != 0 {
		t.Errorf("busy %v, %v", busy, err)
	}
}

// Many busy times go in and out whole, and are found by where they are.
func TestOutsideBusyOfManyTimes(t *testing.T) {
	t.Parallel()
	s, owner, c := outsideDesk(t)
	now := day.Add(frontdesk.OutsideEvery)
	claim, _, err := s.ClaimOutsideForWorker(ctx, now, now.Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	first := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	var busy []frontdesk.Span
	for i := range 5000 {
		from := first.Add(time.Duration(i) * time.Hour)
		busy = append(busy, frontdesk.Span{From: from, To: from.Add(30 * time.Minute)})
	}
	if err := s.SaveOutsideForWorker(ctx, claim, busy, []byte("many"), now); err != nil {
		t.Fatal(err)
	}
	got, err := s.OutsideBusy(ctx, owner, store.Look{AgentID: c.AgentID, From: "2027-01-10T00:00:00", To: "2027-01-11T00:00:00"})
	if err != nil || len(got) != 24+14+12 { // the day, wherever on earth
		t.Errorf("%d busy times, %v", len(got), err)
	}
}

// A change that comes while the older state is being written stays due, and is
// not given to a second worker before the first is done.
func TestCalendarWritesKeepTheirOrder(t *testing.T) {
	t.Parallel()
	s, owner, c := outsideDesk(t)
	capture := frontdesk.Capture{
		ID: frontdesk.NewID(day), AgentID: c.AgentID, Kind: frontdesk.Appointment, Channel: frontdesk.Web, ScheduledAt: "2026-11-20T10:00:00",
		Status: frontdesk.Confirmed, CreatedAt: day, UpdatedAt: day,
	}
	tell := func(frontdesk.Capture) (frontdesk.Event, error) { return event(frontdesk.CaptureCreated, day), nil }
	if _, err := s.AddCapture(ctx, owner, store.NewCapture{Capture: capture, NewCode: frontdesk.NewConfirmationCode, Event: tell}); err != nil {
		t.Fatal(err)
	}
	lease := day.Add(time.Minute)
	w, found, err := s.ClaimCalendarWriteForWorker(ctx, day, lease)
	if err != nil || !found || w.Capture != capture.ID || w.Calendar.ID != c.ID || w.Attempts != 1 || w.Written {
		t.Fatalf("claimed %+v, %v, %v", w, found, err)
	}
	note := func(text string) {
		t.Helper()
		if _, err := s.ChangeCapture(ctx, owner, store.CaptureChange{ID: capture.ID, Now: day, Event: tell, Change: func(c frontdesk.Capture) (frontdesk.Capture, error) {
			c.Notes = text
			return c, nil
		}}); err != nil {
			t.Fatal(err)
		}
	}
	note("with a dog")
	if _, found, err := s.ClaimCalendarWriteForWorker(ctx, day.Add(time.Second), lease); err != nil || found {
		t.Fatalf("two write at once: %v, %v", found, err)
	}
	if err := s.SaveCalendarWriteForWorker(ctx, w, store.CalendarWritten{OK: true, There: true}); err != nil {
		t.Fatal(err)
	}
	w, found, err = s.ClaimCalendarWriteForWorker(ctx, day.Add(time.Second), lease)
	if err != nil || !found || !w.Written || w.Version != 2 {
		t.Fatalf("the change is not due: %+v, %v, %v", w, found, err)
	}
	if err := s.SaveCalendarWriteForWorker(ctx, w, store.CalendarWritten{Problem: "no"}); err != nil {
		t.Fatal(err)
	}
	if f, err := s.CalendarWrites(ctx, owner); err != nil || f[c.ID] != (frontdesk.CalendarWrites{Dead: 1, Problem: "no"}) {
		t.Errorf("figures %v, %v", f, err)
	}
	note("with a cat") // what changes again is tried again
	if f, err := s.CalendarWrites(ctx, owner); err != nil || f[c.ID] != (frontdesk.CalendarWrites{Waiting: 1}) {
		t.Errorf("figures %v, %v", f, err)
	}
}

// What stands in the book when a calendar is connected is written into it, and
// what was there before the upgrade too.
func TestMigrateToOutsideCalendars(t *testing.T) {
	t.Parallel()
	s := unmigrated(t, storetest.Unmigrated(t))
	if err := s.MigrateBefore(ctx, "outside_calendars", day); err != nil {
		t.Fatal(err)
	}
	tenant := storetest.Tenant(t, s, "lola")
	owner := frontdesk.Owner{TenantID: tenant.ID, Live: true}
	agent := newAgent(t, s, tenant.ID)
	for i, status := range []string{"confirmed", "pending_confirm", "cancelled"} {
		if _, err := s.Beside().Exec(`INSERT INTO captures (tenant_id, live, id, agent_id, channel, kind, customer_name, customer_phone, scheduled_at, service, confirmation_code, status, created_at)
			VALUES ($1, $2, $3, $4, 'web', 'appointment', '', '', $5, '', $6, $7, $8)`,
			string(tenant.ID), true, string(frontdesk.NewID(day)), string(agent.ID), fmt.Sprintf("2026-11-2%dT10:00:00", i), fmt.Sprint("CODE0", i), status, day.UnixMicro()); err != nil {
			t.Fatal(err)
		}
	}
	if applied, err := s.Migrate(ctx, day); err != nil || len(applied) == 0 {
		t.Fatalf("applied %v, %v", applied, err)
	}
	c := connectOutside(t, s, owner, agent.ID)
	if f, err := s.CalendarWrites(ctx, owner); err != nil || f[c.ID].Waiting != 2 {
		t.Errorf("to be written: %v, %v", f, err)
	}
	if err := s.DeleteOutsideCalendar(ctx, owner, frontdesk.Actor{}, c.ID); err != nil {
		t.Fatal(err)
	}
	if f, err := s.CalendarWrites(ctx, owner); err != nil || len(f) != 0 {
		t.Errorf("left behind: %v, %v", f, err)
	}
}
