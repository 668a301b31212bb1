package calendar

import (
	"errors"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

// A hairdresser's in Zaragoza: Luis cuts, Ana cuts and colours, and he is free on
// Tuesdays.
const zaragoza = `{
	"openings": {
		"1": [["10:00","14:00"],["17:00","20:30"]], "2": [["10:00","14:00"],["17:00","20:30"]],
		"3": [["10:00","14:00"],["17:00","20:30"]], "4": [["10:00","14:00"],["17:00","20:30"]], "5": [["10:00","14:00"]]
	},
	"holidays": "ES-AR", "slot_minutes": 30,
	"resources": [
		{"id": "luis", "name": "Luis", "services": ["cut"], "openings": {"2": [["10:00","20:30"]], "3": [["10:00","20:30"]], "4": [["10:00","20:30"]], "5": [["10:00","14:00"]]}},
		{"id": "ana", "name": "Ana"}
	]
}`

// tables are those of a small restaurant.
const tables = `{
	"openings": {"4": [["20:00","00:30"]]},
	"resources": [
		{"id": "t6", "name": "Mesa grande", "kind": "table", "seats": 6},
		{"id": "t2", "name": "Mesa pequeña", "kind": "table", "seats": 2},
		{"id": "t4", "name": "Mesa mediana", "kind": "table", "seats": 4}
	]
}`

var (
	cut    = catalogue.Service{ID: "cut", Name: "Corte", Duration: 30 * time.Minute}
	colour = catalogue.Service{ID: "colour", Name: "Color", Duration: 90 * time.Minute}
)

func houseWith(t testing.TB, vertical, calendar string, services ...catalogue.Service) house {
	t.Helper()
	a, err := wire.DecodeCalendar([]byte(calendar), frontdesk.Agent{Slug: "a", Vertical: vertical, Timezone: "Europe/Madrid"})
	if err != nil {
		t.Fatal(err)
	}
	h, err := houseOf(a, services)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestABookOfHoursIsReplaced(t *testing.T) {
	t.Parallel()
	a := frontdesk.Agent{Slug: "a", Vertical: "salon", Timezone: "Europe/Madrid"}
	a.Config.Services = []byte(`[{"id":"cut","name":"Corte"}]`)
	got, err := Replaced(a, []byte(zaragoza))
	if r := got.Settings.Calendar.Resources; err != nil || len(r) != 2 || r[0].Services[0] != "cut" {
		t.Errorf("got %+v, %v", r, err)
	}
	for body, param := range map[string]string{
		`{"resources":[{"id":"luis","name":"Luis","services":["cut","shave"]}]}`: "resources[0].services[1]",
		`{"openings":{"1":[["25:00","26:00"]]}}`:                                 "openings.1[0]",
	} {
		var e *frontdesk.Error
		if _, err := Replaced(a, []byte(body)); !errors.As(err, &e) || e.Param != param {
			t.Errorf("%s: got %v, want it refused at %s", body, err, param)
		}
	}
}

// withAt reads "2026-11-18 10:00 service 30 resource": what is taken, and whose
// it is. "-" is nobody's.
func withAt(t testing.TB, lines ...string) []frontdesk.Busy {
	t.Helper()
	var all []frontdesk.Busy
	for _, line := range lines {
		f := strings.Fields(line)
		busy := takenAt(t, strings.Join(append(f[:4:4], "-"), " "))
		if f[4] != "-" {
			busy[0].Visit.ResourceID = f[4]
		}
		all = append(all, busy...)
	}
	return all
}

func TestWithWhom(t *testing.T) {
	t.Parallel()
	salon := houseWith(t, "salon", zaragoza, cut, colour)
	restaurant := houseWith(t, "restaurant", tables)
	for name, tt := range map[string]struct {
		house   house
		service catalogue.Service
		with    string
		party   int
		wish    string
		taken   []string
		want    string // why not, or whom it is with
	}{
		"whoever is free":                         {house: salon, service: cut, wish: "2026-11-18 10:00", want: "luis"},
		"with Ana":                                {house: salon, service: cut, with: "ana", wish: "2026-11-18 10:00", want: "ana"},
		"Luis is busy, Ana is not":                {house: salon, service: cut, wish: "2026-11-18 10:00", taken: []string{"2026-11-18 10:00 cut 30 luis"}, want: "ana"},
		"Luis is busy, and he was asked for":      {house: salon, service: cut, with: "luis", wish: "2026-11-18 10:00", taken: []string{"2026-11-18 10:00 cut 30 luis"}, want: "full"},
		"both are busy":                           {house: salon, service: cut, wish: "2026-11-18 10:15", taken: []string{"2026-11-18 10:00 cut 30 luis", "2026-11-18 10:30 cut 30 ana"}, want: "full"},
		"who has less to do that day":             {house: salon, service: cut, wish: "2026-11-18 12:00", taken: []string{"2026-11-18 10:00 cut 30 luis"}, want: "ana"},
		"Luis's free Tuesday":                     {house: salon, service: cut, with: "luis", wish: "2026-11-17 10:00", want: "away"},
		"on a Tuesday it is Ana":                  {house: salon, service: cut, wish: "2026-11-17 10:00", want: "ana"},
		"Luis does not colour":                    {house: salon, service: colour, with: "luis", wish: "2026-11-18 10:00", want: "away"},
		"a colour is Ana's":                       {house: salon, service: colour, wish: "2026-11-18 10:00", want: "ana"},
		"a colour that runs into the break":       {house: salon, service: colour, wish: "2026-11-18 13:00", want: "closed"},
		"a cut that ends at the break":            {house: salon, service: cut, wish: "2026-11-18 13:30", want: "luis"},
		"a cut in the break":                      {house: salon, service: cut, wish: "2026-11-18 14:00", want: "closed"},
		"a cut after the break":                   {house: salon, service: cut, wish: "2026-11-18 17:00", want: "luis"},
		"the last cut":                            {house: salon, service: cut, wish: "2026-11-18 20:00", want: "luis"},
		"after the last cut":                      {house: salon, service: cut, wish: "2026-11-18 20:01", want: "closed"},
		"Christmas Day":                           {house: salon, service: cut, wish: "2026-12-25 10:00", want: "closed"},
		"one with nobody in particular needs one": {house: salon, service: cut, wish: "2026-11-18 10:00", taken: []string{"2026-11-18 10:00 cut 30 -"}, want: "luis"},
		"two of them need both":                   {house: salon, service: cut, wish: "2026-11-18 10:00", taken: []string{"2026-11-18 10:00 cut 30 -", "2026-11-18 10:00 cut 30 -"}, want: "full"},
		"one who has left counts as nobody":       {house: salon, service: cut, wish: "2026-11-18 10:00", taken: []string{"2026-11-18 10:00 cut 30 eva", "2026-11-18 10:00 cut 30 ana"}, want: "full"},
		"nobody in particular, and Ana is needed": {house: salon, service: colour, wish: "2026-11-18 10:00", taken: []string{"2026-11-18 10:00 cut 30 -"}, want: "full"},
		"somebody else's work keeps her busy too": {house: salon, service: cut, with: "ana", wish: "2026-11-18 10:30", taken: []string{"2026-11-18 10:00 colour 90 ana"}, want: "full"},
		"two take the smallest table":             {house: restaurant, party: 2, wish: "2026-11-20 21:00", want: "t2"},
		"and the next one when it is taken":       {house: restaurant, party: 2, wish: "2026-11-20 21:00", taken: []string{"2026-11-20 20:30 - 90 t2"}, want: "t4"},
		"five take the large one":                 {house: restaurant, party: 5, wish: "2026-11-20 21:00", want: "t6"},
		"five when it is taken":                   {house: restaurant, party: 5, wish: "2026-11-20 21:00", taken: []string{"2026-11-20 20:30 - 90 t6"}, want: "full"},
		"seven have no table":                     {house: restaurant, party: 7, wish: "2026-11-20 21:00", want: "large"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := wishAt(t, tt.wish)
			w.Service, w.Party, w.Resource = tt.service, tt.party, tt.with
			d := tt.house.diary(w, moment(t, "2026-11-16 08:00"))
			d.fill(withAt(t, tt.taken...), "")
			got := d.against(w.Date, w.Clock)
			if got == "" {
				var v frontdesk.Visit
				d.assign(&v, w)
				got = v.ResourceID
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestWhatIsOfferedWithSomebody(t *testing.T) {
	t.Parallel()
	h := houseWith(t, "salon", zaragoza, cut, colour)
	for wish, want := range map[string]string{
		"2026-11-17 10:00": "away 18/11 10:00, 19/11 10:00, 20/11 10:00",   // Luis's free day
		"2026-11-18 14:00": "closed 18/11 13:30, 18/11 17:00, 19/11 13:30", // the break
		"2026-12-25 10:00": "closed 26/12 10:00, 24/12 10:00, 23/12 10:00", // Christmas Day
		"2026-11-18 20:30": "closed 18/11 20:00, 19/11 20:00, 20/11 20:00",
	} {
		w := wishAt(t, wish)
		w.Service, w.Resource = cut, "luis"
		d := h.diary(w, moment(t, "2026-11-16 08:00"))
		d.fill(nil, "")
		if got := offered(d.openings(w)); got != want {
			t.Errorf("%s: %s, want %s", wish, got, want)
		}
	}
}
