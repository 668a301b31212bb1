package calendar_test

import (
	"fmt"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// A month of a house with six people and 2,000 appointments.
func BenchmarkAvailability(b *testing.B) {
	cal, who := busyHouse(b, 6, 2000)
	from := dates.Date{Year: 2026, Month: 11, Day: 17}
	w := calendar.Wish{Service: catalogue.Service{ID: "cut", Duration: 30 * time.Minute}}
	slots := 0
	for b.Loop() {
		days, err := cal.Availability(ctx, who, w, from, from.AddDays(30), noon)
		if err != nil {
			b.Fatal(err)
		}
		slots = 0
		for _, d := range days {
			slots += len(d.Slots)
		}
	}
	b.ReportMetric(float64(slots), "slots")
	report(b, 5)
}

// A month in which 5,000 people come.
func BenchmarkAgenda(b *testing.B) {
	cal, who := busyHouse(b, 6, 5000)
	from := dates.Date{Year: 2026, Month: 11, Day: 17}
	for b.Loop() {
		days, err := cal.Agenda(ctx, who, from, from.AddDays(30), noon)
		if err != nil || len(days) != 30 {
			b.Fatal(err)
		}
	}
	report(b, 20)
}

// report shows the milliseconds that one of them takes beside those that it may
// take on a quiet machine.
func report(b *testing.B, goal float64) {
	b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms/op")
	b.ReportMetric(goal, "ms-goal")
}

// busyHouse is one with people to be with, and appointments over a month.
func busyHouse(b *testing.B, people, appointments int) (*calendar.Calendar, calendar.Caller) {
	b.Helper()
	s := storetest.New(b)
	tenant := storetest.Tenant(b, s, "busy")
	a := frontdesk.Agent{
		ID: frontdesk.NewID(noon), TenantID: tenant.ID, Slug: "desk", Vertical: "salon", DisplayName: "Desk", Status: "active",
		Languages: []string{"es"}, Timezone: "Europe/Madrid", CreatedAt: noon, UpdatedAt: noon,
	}
	week := frontdesk.Week{}
	for i := range 6 {
		week[i] = []frontdesk.Period{{From: 540, To: 840}, {From: 960, To: 1260}}
	}
	a.Settings.Calendar.Openings, a.Settings.Calendar.Holidays = &week, "ES-MD"
	for i := range people {
		a.Settings.Calendar.Resources = append(a.Settings.Calendar.Resources, frontdesk.Resource{ID: fmt.Sprint("r", i), Name: fmt.Sprint("R", i), Kind: "person"})
	}
	if err := s.CreateAgent(ctx, frontdesk.Actor{}, a); err != nil {
		b.Fatal(err)
	}
	cal := calendar.New(s, nil)
	who := calendar.Caller{Tenant: tenant, Agent: a, Services: []catalogue.Service{{ID: "cut", Name: "Cut", Duration: 30 * time.Minute}}, Live: true}
	for i := range appointments {
		at := time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC).AddDate(0, 0, i%30).Add(time.Duration(i/30*15%600) * time.Minute)
		_, err := cal.Enter(ctx, who, calendar.Entry{
			ScheduledAt: frontdesk.LocalTimeOf(at), ServiceID: "cut", ResourceID: fmt.Sprint("r", i%people), Name: "Ana García",
			Phone: "+34600000001", Notes: "una nota", Source: frontdesk.FromAPI, Force: true, Now: noon,
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	return cal, who
}
