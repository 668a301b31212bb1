package calendar

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
)

func madrid(t testing.TB) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Madrid")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// weekly reads the days of a week, Monday first: "9-20 9-20 - - 20-2 …"; days left out are closed.
func weekly(t testing.TB, text string) *opening.Hours {
	t.Helper()
	a := frontdesk.Agent{Timezone: "Europe/Madrid"}
	var hours frontdesk.Hours
	for i, day := range strings.Fields(text) {
		if _, err := fmt.Sscanf(day, "%d-%d", &hours[i].Open, &hours[i].Close); err != nil && day != "-" {
			t.Fatal(err)
		}
	}
	if text != "" {
		a.Config.Hours = &hours
	}
	open, err := opening.Of(a)
	if err != nil {
		t.Fatal(err)
	}
	return open
}

// moment reads "2026-11-16 10:00".
func moment(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// wishAt reads "2026-11-16 10:00", "2026-11-16", "2026-11-16 16:00-20:00",
// "10:00" or "" into a wish.
func wishAt(t testing.TB, text string) (w Wish) {
	t.Helper()
	for _, part := range strings.Fields(text) {
		if day, err := time.Parse("2006-01-02", part); err == nil {
			w.Date = dates.DateOf(day)
			continue
		}
		if n, _ := fmt.Sscanf(part, "%d:%d-%d:%d", &w.From.Hour, &w.From.Minute, &w.To.Hour, &w.To.Minute); n == 4 {
			continue
		}
		w.From = dates.Clock{}
		if _, err := fmt.Sscanf(part, "%d:%d", &w.Clock.Hour, &w.Clock.Minute); err != nil {
			t.Fatal(err)
		}
		w.Timed = true
	}
	return w
}

// takenAt reads "2026-11-16 10:00 service 30 4": what is taken, its service, minutes
// and people. "-" is not known.
func takenAt(t testing.TB, lines ...string) (all []frontdesk.Busy) {
	t.Helper()
	for i, line := range lines {
		f := strings.Fields(line)
		b := frontdesk.Busy{ID: frontdesk.ID(fmt.Sprint("taken-", i)), ScheduledAt: frontdesk.LocalTime(f[0] + "T" + f[1] + ":00")}
		if f[2] != "-" {
			b.Service = strings.ReplaceAll(f[2], "_", " ")
		}
		fmt.Sscan(f[3], &b.Visit.Minutes)
		fmt.Sscan(f[4], &b.Visit.Party)
		all = append(all, b)
	}
	return all
}

var (
	checkup = catalogue.Service{ID: "checkup", Name: "Revisión", Names: map[string]string{"en": "Check-up"}, Duration: 30 * time.Minute, Buffer: 10 * time.Minute, Aliases: []string{"primera visita"}}
	filling = catalogue.Service{ID: "filling", Name: "Empaste", Duration: 45 * time.Minute}
	yoga    = catalogue.Service{ID: "yoga", Name: "Yoga", Duration: time.Hour, Capacity: 3}
	sauna   = catalogue.Service{ID: "sauna", Name: "Sauna", Duration: 15 * time.Minute}
	room    = catalogue.Service{ID: "room", Name: "Mesa en sala", Duration: 105 * time.Minute, Buffer: 15 * time.Minute}
	terrace = catalogue.Service{ID: "terrace", Name: "Terraza", Duration: 90 * time.Minute}
)

func TestWhatStandsAgainstATime(t *testing.T) {
	t.Parallel()
	const (
		clinic = "9-20 9-20 9-20 9-20 9-15"
		bar    = "- - - 20-2 20-2 20-2"
	)
	monday := "2026-11-16 08:00"
	tests := map[string]struct {
		hours    string
		trade    string
		settings frontdesk.AgentSettings
		now      string // in Madrid
		service  catalogue.Service
		party    int
		wish     string
		taken    []string
		moving   frontdesk.ID
		want     string
	}{
		"an empty day":                 {hours: clinic, service: checkup, wish: "2026-11-16 10:00"},
		"any minute will do":           {hours: clinic, service: checkup, wish: "2026-11-16 10:07"},
		"no hours at all: always open": {service: checkup, wish: "2026-11-15 23:45", now: "2026-11-15 20:00"},
		"before opening":               {hours: clinic, service: checkup, wish: "2026-11-17 08:59", want: "closed"},
		"at opening":                   {hours: clinic, service: checkup, wish: "2026-11-17 09:00"},
		"it ends at closing; tidying up comes after":   {hours: clinic, service: checkup, wish: "2026-11-17 19:30"},
		"it ends after closing":                        {hours: clinic, service: checkup, wish: "2026-11-17 19:31", want: "closed"},
		"a day that is left out":                       {hours: clinic, service: checkup, wish: "2026-11-21 10:00", want: "closed"},
		"nothing said: an hour":                        {hours: clinic, wish: "2026-11-17 19:01", want: "closed"},
		"nothing said: an hour that just fits":         {hours: clinic, wish: "2026-11-17 19:00"},
		"yesterday":                                    {hours: clinic, service: checkup, wish: "2026-11-15 10:00", want: "past"},
		"an hour ago":                                  {hours: clinic, service: checkup, wish: "2026-11-16 09:00", now: "2026-11-16 10:00", want: "past"},
		"in fourteen minutes":                          {hours: clinic, service: checkup, wish: "2026-11-16 10:14", now: "2026-11-16 10:00", want: "soon"},
		"in fifteen minutes":                           {hours: clinic, service: checkup, wish: "2026-11-16 10:15", now: "2026-11-16 10:00"},
		"a notice of two hours":                        {hours: clinic, service: checkup, wish: "2026-11-16 11:59", now: "2026-11-16 10:00", settings: frontdesk.AgentSettings{Notice: 2 * time.Hour}, want: "soon"},
		"closed rather than soon":                      {hours: clinic, service: checkup, wish: "2026-11-16 08:05", want: "closed"},
		"the last day of the horizon":                  {hours: clinic, service: checkup, wish: "2026-11-19 18:00", settings: frontdesk.AgentSettings{Horizon: 72 * time.Hour}},
		"the day after the horizon":                    {hours: clinic, service: checkup, wish: "2026-11-20 09:00", settings: frontdesk.AgentSettings{Horizon: 72 * time.Hour}, want: "far"},
		"half a year and more":                         {hours: clinic, service: checkup, wish: "2027-06-01 10:00", want: "far"},
		"taken":                                        {hours: clinic, service: checkup, wish: "2026-11-16 10:00", taken: []string{"2026-11-16 10:00 Revisión 40 1"}, want: "full"},
		"the house has one place for all its services": {hours: clinic, service: checkup, wish: "2026-11-16 10:00", taken: []string{"2026-11-16 09:30 Empaste 45 1"}, want: "full"},
		"one's own that is to be moved":                {hours: clinic, service: checkup, wish: "2026-11-16 10:15", taken: []string{"2026-11-16 10:00 Revisión 40 1"}, moving: "taken-0"},
		"into the buffer of the one before":            {hours: clinic, service: checkup, wish: "2026-11-16 10:39", taken: []string{"2026-11-16 10:00 Revisión 40 1"}, want: "full"},
		"after the buffer of the one before":           {hours: clinic, service: checkup, wish: "2026-11-16 10:40", taken: []string{"2026-11-16 10:00 Revisión 40 1"}},
		"its own buffer runs into the next":            {hours: clinic, service: checkup, wish: "2026-11-16 09:21", taken: []string{"2026-11-16 10:00 Revisión 40 1"}, want: "full"},
		"its own buffer ends at the next":              {hours: clinic, service: checkup, wish: "2026-11-16 09:20", taken: []string{"2026-11-16 10:00 Revisión 40 1"}},
		"minutes by the service's name":                {hours: clinic, service: filling, wish: "2026-11-16 10:39", taken: []string{"2026-11-16 10:00 revisión - -"}, want: "full"},
		"minutes by its English name":                  {hours: clinic, service: filling, wish: "2026-11-16 10:40", taken: []string{"2026-11-16 10:00 check-up - -"}},
		"minutes by its alias":                         {hours: clinic, service: filling, wish: "2026-11-16 10:40", taken: []string{"2026-11-16 10:00 Primera_visita - -"}},
		"a service nobody knows takes an hour":         {hours: clinic, service: filling, wish: "2026-11-16 10:59", taken: []string{"2026-11-16 10:00 Magia - -"}, want: "full"},
		"and no more":                                  {hours: clinic, service: filling, wish: "2026-11-16 11:00", taken: []string{"2026-11-16 10:00 Magia - -"}},
		"two chairs, one taken":                        {hours: clinic, service: checkup, wish: "2026-11-16 10:00", settings: frontdesk.AgentSettings{Capacity: 2}, taken: []string{"2026-11-16 10:00 - 40 1"}},
		"two chairs, both taken":                       {hours: clinic, service: checkup, wish: "2026-11-16 10:00", settings: frontdesk.AgentSettings{Capacity: 2}, taken: []string{"2026-11-16 10:00 - 40 1", "2026-11-16 10:15 - 40 1"}, want: "full"},
		"two chairs, taken one after the other":        {hours: clinic, service: checkup, wish: "2026-11-16 10:00", settings: frontdesk.AgentSettings{Capacity: 2}, taken: []string{"2026-11-16 09:50 - 20 1", "2026-11-16 10:10 - 30 1"}},
		"a class with a capacity of its own":           {hours: clinic, service: yoga, wish: "2026-11-16 10:00", taken: []string{"2026-11-16 10:00 Yoga 60 1", "2026-11-16 10:00 Yoga 60 1", "2026-11-16 10:00 Empaste 45 1"}},
		"a class that is full":                         {hours: clinic, service: yoga, wish: "2026-11-16 10:30", taken: []string{"2026-11-16 10:00 Yoga 60 1", "2026-11-16 10:00 Yoga 60 1", "2026-11-16 10:00 Yoga 60 1"}, want: "full"},
		"a class takes nothing of the house":           {hours: clinic, service: checkup, wish: "2026-11-16 10:00", taken: []string{"2026-11-16 10:00 Yoga 60 1"}},
		"a capacity by setting":                        {hours: clinic, service: sauna, wish: "2026-11-16 10:00", settings: frontdesk.AgentSettings{ServiceCapacity: map[string]int{"sauna": 2}}, taken: []string{"2026-11-16 10:00 Sauna 15 1", "2026-11-16 10:00 Empaste 45 1"}},
		"a capacity by setting, used up":               {hours: clinic, service: sauna, wish: "2026-11-16 10:00", settings: frontdesk.AgentSettings{ServiceCapacity: map[string]int{"sauna": 2}}, taken: []string{"2026-11-16 10:00 Sauna 15 1", "2026-11-16 10:05 Sauna 15 1"}, want: "full"},
		"five people take one place at a clinic":       {hours: clinic, service: checkup, party: 5, wish: "2026-11-16 10:00", settings: frontdesk.AgentSettings{Capacity: 1}},
		"a whole company at a clinic":                  {hours: clinic, service: checkup, party: 9, wish: "2026-11-16 10:00", want: "large"},
		"more people than the operator allows":         {hours: clinic, service: checkup, party: 5, wish: "2026-11-16 10:00", settings: frontdesk.AgentSettings{MaxParty: 4}, want: "large"},

		"a bar before midnight":                       {hours: bar, trade: "restaurant", party: 2, wish: "2026-11-20 23:30"},
		"a bar after midnight":                        {hours: bar, trade: "restaurant", party: 2, wish: "2026-11-22 00:30"},
		"last orders":                                 {hours: bar, trade: "restaurant", party: 2, wish: "2026-11-22 01:30"},
		"after last orders":                           {hours: bar, trade: "restaurant", party: 2, wish: "2026-11-22 01:31", want: "closed"},
		"the night before a closed day has an end":    {hours: bar, trade: "restaurant", party: 2, wish: "2026-11-22 02:00", want: "closed"},
		"the night after a closed day":                {hours: bar, trade: "restaurant", party: 2, wish: "2026-11-19 00:30", want: "closed"},
		"at a clinic a night is one opening":          {hours: "22-6 22-6", wish: "2026-11-16 23:30", service: catalogue.Service{Duration: 4 * time.Hour}},
		"a house that never closes":                   {hours: "0-24 0-24 0-24 0-24 0-24 0-24 0-24", wish: "2026-11-16 23:30", service: catalogue.Service{Duration: 4 * time.Hour}},
		"a house that closes at midnight":             {hours: "0-24 - 0-24", wish: "2026-11-16 23:30", want: "closed"},
		"what began yesterday takes places still":     {hours: bar, trade: "restaurant", party: 39, settings: frontdesk.AgentSettings{MaxParty: 40}, wish: "2026-11-21 00:15", taken: []string{"2026-11-20 23:30 - 90 2"}, want: "full"},
		"seats of the house":                          {hours: bar, trade: "restaurant", party: 4, wish: "2026-11-20 21:00", taken: []string{"2026-11-20 20:30 Mesa_en_sala 120 12", "2026-11-20 20:30 - 90 12", "2026-11-20 21:30 - 90 12"}},
		"one seat too few":                            {hours: bar, trade: "restaurant", party: 5, wish: "2026-11-20 21:00", taken: []string{"2026-11-20 20:30 Mesa_en_sala 120 12", "2026-11-20 20:30 - 90 12", "2026-11-20 21:30 - 90 12"}, want: "full"},
		"a table of nobody knows how many":            {hours: bar, trade: "restaurant", party: 12, settings: frontdesk.AgentSettings{Capacity: 13}, wish: "2026-11-20 21:00", taken: []string{"2026-11-20 21:00 - - -"}, want: "full"},
		"twelve is the largest party":                 {hours: bar, trade: "restaurant", party: 12, wish: "2026-11-20 21:00"},
		"thirteen is one too many":                    {hours: bar, trade: "restaurant", party: 13, wish: "2026-11-20 21:00", want: "large"},
		"thirteen where it is allowed":                {hours: bar, trade: "restaurant", party: 13, settings: frontdesk.AgentSettings{MaxParty: 20}, wish: "2026-11-20 21:00"},
		"more than the seats of the house":            {hours: bar, trade: "restaurant", party: 9, settings: frontdesk.AgentSettings{Capacity: 8}, wish: "2026-11-20 21:00", want: "large"},
		"the terrace has seats of its own":            {hours: bar, trade: "restaurant", party: 4, service: terrace, settings: frontdesk.AgentSettings{ServiceCapacity: map[string]int{"terrace": 6}, Capacity: 10}, wish: "2026-11-20 21:00", taken: []string{"2026-11-20 21:00 - 90 10"}},
		"the terrace is full":                         {hours: bar, trade: "restaurant", party: 4, service: terrace, settings: frontdesk.AgentSettings{ServiceCapacity: map[string]int{"terrace": 6}}, wish: "2026-11-20 21:00", taken: []string{"2026-11-20 21:00 Terraza 90 3"}, want: "full"},
		"a table takes ninety minutes":                {hours: bar, trade: "restaurant", party: 10, settings: frontdesk.AgentSettings{Capacity: 10}, wish: "2026-11-20 21:29", taken: []string{"2026-11-20 20:00 - - -"}, want: "full"},
		"and is free then":                            {hours: bar, trade: "restaurant", party: 10, settings: frontdesk.AgentSettings{Capacity: 10}, wish: "2026-11-20 21:30", taken: []string{"2026-11-20 20:00 - - -"}},
		"a table indoors and the time to clear it":    {hours: bar, trade: "restaurant", party: 10, service: room, settings: frontdesk.AgentSettings{Capacity: 10}, wish: "2026-11-20 20:01", taken: []string{"2026-11-20 22:00 - 90 4"}, want: "full"},
		"what nobody can read takes nothing":          {hours: clinic, service: checkup, wish: "2026-11-16 10:00", taken: []string{"someday soon - 40 1"}},
		"the clock jumps over it":                     {service: checkup, now: "2026-03-28 12:00", wish: "2026-03-29 02:30", want: "closed"},
		"just before the jump":                        {service: checkup, now: "2026-03-28 12:00", wish: "2026-03-29 01:59"},
		"after the jump the hour is only half as far": {service: checkup, now: "2026-03-28 12:00", wish: "2026-03-29 03:10", taken: []string{"2026-03-29 01:45 - 60 1"}, want: "full"},
		"after the jump and after the other":          {service: checkup, now: "2026-03-28 12:00", wish: "2026-03-29 03:45", taken: []string{"2026-03-29 01:45 - 60 1"}},
		"the hour that comes twice is the first":      {service: checkup, now: "2026-10-24 12:00", wish: "2026-10-25 02:30", taken: []string{"2026-10-25 02:30 - 30 1"}, want: "full"},
		"between the two there is an hour more":       {service: checkup, now: "2026-10-24 12:00", wish: "2026-10-25 03:00", taken: []string{"2026-10-25 02:30 - 89 1"}},
		"a night that is longer by an hour":           {hours: "- - - - - 22-4", now: "2026-10-24 12:00", service: catalogue.Service{Duration: 7 * time.Hour}, wish: "2026-10-24 22:00"},
		"but not by two":                              {hours: "- - - - - 22-4", now: "2026-10-24 12:00", service: catalogue.Service{Duration: 7*time.Hour + time.Minute}, wish: "2026-10-24 22:00", want: "closed"},
		"a night that is shorter by an hour":          {hours: "- - - - - 22-4", now: "2026-03-28 12:00", service: catalogue.Service{Duration: 5*time.Hour + time.Minute}, wish: "2026-03-28 22:00", want: "closed"},
		"a night that just fits":                      {hours: "- - - - - 22-4", now: "2026-03-28 12:00", service: catalogue.Service{Duration: 5 * time.Hour}, wish: "2026-03-28 22:00"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			zone := madrid(t)
			h := house{
				zone: zone, hours: weekly(t, tt.hours), settings: tt.settings, restaurant: tt.trade == "restaurant",
				services: []catalogue.Service{checkup, filling, yoga, sauna, room, terrace},
			}
			if tt.now == "" {
				tt.now = monday
			}
			now, _ := frontdesk.FirstShowing(moment(t, tt.now), zone)
			w := wishAt(t, tt.wish)
			w.Service, w.Party, w.Moving = tt.service, tt.party, tt.moving
			d := h.diary(w, now)
			d.fill(takenAt(t, tt.taken...), w.Moving)
			if got := d.against(w.Date, w.Clock); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if o := d.openings(w); o.Free != (tt.want == "") || o.Why != tt.want || o.Free && len(o.Near) > 0 {
				t.Errorf("openings: %+v", o)
			}
		})
	}
}
