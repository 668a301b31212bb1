package store_test

import (
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// A call is after hours by the calendar of its day: in the break, on a holiday,
// and on a day that is closed by exception.
func TestAfterHoursByTheCalendar(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	week := frontdesk.Week{}
	for i := range 5 {
		week[i] = []frontdesk.Period{{From: 600, To: 840}, {From: 1020, To: 1230}}
	}
	hull := week.Hull()
	agent := frontdesk.Agent{
		ID: frontdesk.NewID(day), TenantID: owner.TenantID, Slug: "desk", Vertical: "salon", Status: "active", Timezone: "Europe/Madrid",
		Config: frontdesk.AgentConfig{Hours: &hull}, CreatedAt: day, UpdatedAt: day,
	}
	agent.Settings.Calendar = frontdesk.Calendar{Openings: &week, Holidays: "ES-MD", Exceptions: []frontdesk.Exception{
		{From: frontdesk.Date{Year: 2026, Month: 12, Day: 10}, To: frontdesk.Date{Year: 2026, Month: 12, Day: 11}},
	}}
	zone, err := frontdesk.LoadZone(agent.Timezone)
	if err != nil {
		t.Fatal(err)
	}
	after := 0
	for at, closed := range map[string]bool{
		"2026-12-09T11:00:00": false, "2026-12-09T15:00:00": true, "2026-12-09T20:15:00": false, "2026-12-09T20:45:00": true, "2026-12-09T09:45:00": true,
		"2026-12-08T11:00:00": true, // la Inmaculada
		"2026-12-10T11:00:00": true,
	} {
		start, _ := frontdesk.LocalTime(at).In(zone)
		r := recording(start, 60, 0)
		r.Call.AgentID = agent.ID
		record(t, s, owner, r)
		if closed {
			after++
		}
	}
	now := time.Date(2026, 12, 11, 12, 0, 0, 0, zone)
	for _, name := range []string{"Europe/Madrid", "Asia/Kathmandu"} { // by tallies
		loc, err := frontdesk.LoadZone(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Analytics(ctx, owner, frontdesk.AnalyticsFilter{}, frontdesk.WindowOf(now, 7, loc), []frontdesk.Agent{agent})
		if err != nil || got.Totals.AfterHours != after {
			t.Errorf("%s: %d calls are after hours, want %d, %v", name, got.Totals.AfterHours, after, err)
		}
	}
}

// Versions of one millisecond stand in the history in the order in which they
// were made.
func TestVersionsOfOneMillisecond(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	agent := frontdesk.Agent{ID: frontdesk.NewID(day), TenantID: owner.TenantID, Slug: "desk", Vertical: "salon", Timezone: "UTC", CreatedAt: day, UpdatedAt: day}
	if err := s.CreateAgent(ctx, frontdesk.Actor{}, agent); err != nil {
		t.Fatal(err)
	}
	const versions = 40
	for i := range versions {
		_, err := s.ChangeAgent(ctx, owner, "desk", store.AgentChange{
			Now: day,
			Fields: func(_, _ frontdesk.Agent) []frontdesk.FieldChange {
				return []frontdesk.FieldChange{{Field: "capacity"}}
			},
			Change: func(a frontdesk.Agent) (frontdesk.Agent, error) {
				a.Settings.Capacity = i + 1
				return a, nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.Revisions(ctx, owner, agent.ID, frontdesk.Page{Limit: 100})
	if err != nil || len(list.Items) != versions+1 {
		t.Fatalf("%d versions, %v", len(list.Items), err)
	}
	for i, v := range list.Items[:versions] {
		if want := versions - i; v.Settings.Capacity != want {
			t.Fatalf("version %d from the top has the capacity %d, want %d", i, v.Settings.Capacity, want)
		}
	}
}
