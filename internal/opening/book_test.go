package opening_test

import (
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
	"frontdesk.dev/frontdesk/internal/wire"
)

// hairdresser is in Zaragoza: two people, a lunch break, the holidays of Aragon.
const hairdresser = `{
	"openings": {
		"1": [["10:00","14:00"],["17:00","20:30"]], "2": [["10:00","14:00"],["17:00","20:30"]],
		"3": [["10:00","14:00"],["17:00","20:30"]], "4": [["10:00","14:00"],["17:00","20:30"]], "5": [["10:00","14:00"]]
	},
	"holidays": "ES-AR",
	"exceptions": [
		{"from": "2026-08-01", "to": "2026-08-16", "openings": [], "reason": "vacaciones"},
		{"from": "2026-08-07", "to": "2026-08-08", "openings": [["10:00","13:00"]]},
		{"from": "2026-12-24", "to": "2026-12-25", "openings": [["10:00","13:30"]]},
		{"from": "2026-04-23", "to": "2026-04-24", "openings": [["11:00","14:00"]]}
	],
	"resources": [
		{"id": "luis", "name": "Luis", "openings": {"2": [["10:00","20:30"]], "3": [["10:00","20:30"]], "4": [["10:00","20:30"]], "5": [["10:00","14:00"]]}},
		{"id": "ana", "name": "Ana", "exceptions": [{"from": "2026-11-19", "to": "2026-11-20", "openings": [["17:00","19:00"]]}]}
	],
	"closures": [
		{"from": "2026-12-01T12:00:00", "to": "2026-12-01T18:00:00", "reason": "obras"},
		{"from": "2026-12-02T10:00:00", "to": "2026-12-02T11:00:00", "resource_id": "ana"}
	]
}`

func agentWith(t testing.TB, zone, calendar string) frontdesk.Agent {
	t.Helper()
	a, err := wire.DecodeCalendar([]byte(calendar), frontdesk.Agent{Slug: "a", Timezone: zone})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// shown are the openings of a day: "10:00-14:00 17:00-20:30".
func shown(h *opening.Hours, d frontdesk.Date) string {
	day := h.Day(d)
	var all []string
	for _, s := range day.Open {
		all = append(all, s.From.In(h.Zone()).Format("15:04")+"-"+s.To.In(h.Zone()).Format("15:04"))
	}
	if day.Reason != "" {
		all = append(all, "("+day.Reason+")")
	}
	if day.Holiday != "" {
		all = append(all, "("+day.Holiday+")")
	}
	return strings.Join(all, " ")
}

func TestABookOfHours(t *testing.T) {
	t.Parallel()
	a := agentWith(t, "Europe/Madrid", hairdresser)
	house, err := opening.Of(a)
	if err != nil {
		t.Fatal(err)
	}
	with := func(id string) *opening.Hours {
		r, _ := a.Settings.Calendar.Resource(id)
		return house.With(a.Settings.Calendar, r)
	}
	luis, ana := with("luis"), with("ana")
	for name, tt := range map[string]struct {
		hours *opening.Hours
		date  string
		want  string
	}{
		"a Monday":                                 {house, "2026-11-16", ""},
		"a Tuesday":                                {house, "2026-11-17", "10:00-14:00 17:00-20:30"},
		"a Saturday":                               {house, "2026-11-21", "10:00-14:00"},
		"Christmas Day":                            {house, "2026-12-25", "(christmas_day)"},
		"Christmas Eve has hours of its own":       {house, "2026-12-24", "10:00-13:30"},
		"a holiday of the region that is opened":   {house, "2026-04-23", "11:00-14:00"},
		"a holiday":                                {house, "2026-10-12", "(spain_national_day)"},
		"the weeks away":                           {house, "2026-08-05", "(vacaciones)"},
		"a day among them":                         {house, "2026-08-07", "10:00-13:00"},
		"the first day back":                       {house, "2026-08-18", "10:00-14:00 17:00-20:30"},
		"closed for some hours":                    {house, "2026-12-01", "10:00-12:00 18:00-20:30"},
		"Luis on his free Tuesday":                 {luis, "2026-11-17", ""},
		"Luis has the house's lunch break":         {luis, "2026-11-18", "10:00-14:00 17:00-20:30"},
		"Luis on a holiday":                        {luis, "2026-12-25", ""},
		"Ana as the house":                         {ana, "2026-11-17", "10:00-14:00 17:00-20:30"},
		"Ana on a day of her own":                  {ana, "2026-11-19", "17:00-19:00"},
		"Ana is away for an hour, the house is on": {ana, "2026-12-02", "11:00-14:00 17:00-20:30"},
		"and the house is not":                     {house, "2026-12-02", "10:00-14:00 17:00-20:30"},
	} {
		date, ok := frontdesk.ParseDate(tt.date)
		if got := shown(tt.hours, date); !ok || got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
	// Both sides of every boundary.
	for at, open := range map[string]bool{
		"2026-11-17T09:59:59+01:00": false, "2026-11-17T10:00:00+01:00": true,
		"2026-11-17T13:59:59+01:00": true, "2026-11-17T14:00:00+01:00": false,
		"2026-11-17T16:59:59+01:00": false, "2026-11-17T17:00:00+01:00": true,
		"2026-11-17T20:29:59+01:00": true, "2026-11-17T20:30:00+01:00": false,
		"2026-12-24T13:29:00+01:00": true, "2026-12-24T13:30:00+01:00": false,
	} {
		if got := house.OpenAt(instant(t, at)); got != open {
			t.Errorf("open at %s: %v", at, got)
		}
	}
	if next, ok := house.Next(instant(t, "2026-12-24T15:00:00+01:00")); !ok || written(next) != "2026-12-26T10:00:00+01:00" {
		t.Errorf("after Christmas Eve it opens at %s", written(next))
	}
}

func TestHull(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		periods []frontdesk.Period
		want    frontdesk.Shift
	}{
		"a lunch break":            {[]frontdesk.Period{{From: 600, To: 840}, {From: 1020, To: 1230}}, frontdesk.Shift{Open: 10, Close: 21}},
		"half hours":               {[]frontdesk.Period{{From: 570, To: 1110}}, frontdesk.Shift{Open: 9, Close: 19}},
		"over midnight":            {[]frontdesk.Period{{From: 1200, To: 150}}, frontdesk.Shift{Open: 20, Close: 3}},
		"until midnight":           {[]frontdesk.Period{{From: 1200, To: 1440}}, frontdesk.Shift{Open: 20, Close: 24}},
		"until midnight, as zero":  {[]frontdesk.Period{{From: 1200, To: 0}}, frontdesk.Shift{Open: 20, Close: 24}},
		"around the clock":         {[]frontdesk.Period{{From: 0, To: 1440}}, frontdesk.Shift{Open: 0, Close: 24}},
		"a night and nearly a day": {[]frontdesk.Period{{From: 630, To: 615}}, frontdesk.Shift{Open: 10, Close: 10}},
		"closed":                   {nil, frontdesk.Shift{}},
	} {
		if got := (frontdesk.Week{0: tt.periods}).Hull()[0]; got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

// Who reads the hours, changes Saturday and sends all of them keeps the lunch
// breaks of the other days.
func TestAPatchOfHoursKeepsTheBreaks(t *testing.T) {
	t.Parallel()
	a := agentWith(t, "Europe/Madrid", hairdresser)
	changed := *a.Config.Hours
	changed[5] = frontdesk.Shift{Open: 9, Close: 15}
	changed[1] = frontdesk.Shift{}
	a = a.Patched(frontdesk.AgentPatch{Hours: &changed})
	week := *a.Settings.Calendar.Openings
	if len(week[1]) != 0 || len(week[2]) != 2 || len(week[5]) != 1 || week[5][0] != (frontdesk.Period{From: 540, To: 900}) || *a.Config.Hours != changed {
		t.Errorf("got %v, shown as %v", week, *a.Config.Hours)
	}
}

func BenchmarkDay(b *testing.B) {
	house, err := opening.Of(agentWith(b, "Europe/Madrid", hairdresser))
	if err != nil {
		b.Fatal(err)
	}
	d := frontdesk.DateOf(time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC))
	for b.Loop() {
		house.Day(d)
	}
}
