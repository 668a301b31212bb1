package opening_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/opening"
)

var (
	office = frontdesk.Hours{0: {Open: 9, Close: 17}, 1: {Open: 9, Close: 17}, 2: {Open: 9, Close: 17}, 3: {Open: 9, Close: 17}, 4: {Open: 9, Close: 17}}
	bar    = frontdesk.Hours{4: {Open: 20, Close: 2}, 5: {Open: 20, Close: 4}}
	always = frontdesk.Hours{{Open: 0, Close: 24}, {Open: 0, Close: 24}, {Open: 0, Close: 24}, {Open: 0, Close: 24}, {Open: 0, Close: 24}, {Open: 0, Close: 24}, {Open: 0, Close: 24}}
	never  = frontdesk.Hours{}
	sunday = func(opens, closes int) frontdesk.Hours { return frontdesk.Hours{6: {Open: opens, Close: closes}} }
)

func TestHours(t *testing.T) {
	t.Parallel()
	const (
		madrid    = "Europe/Madrid"
		newYork   = "America/New_York"
		havana    = "America/Havana"
		lordHowe  = "Australia/Lord_Howe"
		kathmandu = "Asia/Kathmandu"
	)
	// Times are RFC 3339, so that an hour that comes twice can be told apart.
	tests := map[string]struct {
		hours frontdesk.Hours
		zone  string
		at    string
		open  bool
		next  string // "": none
	}{
		"a minute before opening":        {office, madrid, "2026-11-16T08:59:00+01:00", false, "2026-11-16T09:00:00+01:00"},
		"at the moment of opening":       {office, madrid, "2026-11-16T09:00:00+01:00", true, ""},
		"just before closing":            {office, madrid, "2026-11-16T16:59:59.999999+01:00", true, ""},
		"at the moment of closing":       {office, madrid, "2026-11-16T17:00:00+01:00", false, "2026-11-17T09:00:00+01:00"},
		"on Friday evening":              {office, madrid, "2026-11-20T17:30:00+01:00", false, "2026-11-23T09:00:00+01:00"},
		"on the last evening of a year":  {office, madrid, "2026-12-31T18:00:00+01:00", false, "2027-01-01T09:00:00+01:00"},
		"never open":                     {never, madrid, "2026-11-16T12:00:00+01:00", false, ""},
		"always open":                    {always, madrid, "2026-11-16T00:00:00+01:00", true, ""},
		"always open, at day's end":      {always, madrid, "2026-11-16T23:59:59+01:00", true, ""},
		"until midnight, just before":    {sunday(20, 24), madrid, "2026-11-15T23:59:59+01:00", true, ""},
		"until midnight, at midnight":    {sunday(20, 24), madrid, "2026-11-16T00:00:00+01:00", false, "2026-11-22T20:00:00+01:00"},
		"from midnight on":               {sunday(0, 1), madrid, "2026-11-14T23:59:59+01:00", false, "2026-11-15T00:00:00+01:00"},
		"a bar after midnight":           {bar, madrid, "2026-11-21T01:59:00+01:00", true, ""},
		"a bar when it closes":           {bar, madrid, "2026-11-21T02:00:00+01:00", false, "2026-11-21T20:00:00+01:00"},
		"a bar's second night":           {bar, madrid, "2026-11-22T03:30:00+01:00", true, ""},
		"a bar over the weekend's end":   {bar, madrid, "2026-11-22T04:00:00+01:00", false, "2026-11-27T20:00:00+01:00"},
		"a bar on Sunday night":          {sunday(20, 2), madrid, "2026-11-16T01:00:00+01:00", true, ""},
		"round the clock, in the night":  {sunday(5, 5), madrid, "2026-11-16T04:59:00+01:00", true, ""},
		"round the clock, when it ends":  {sunday(5, 5), madrid, "2026-11-16T05:00:00+01:00", false, "2026-11-22T05:00:00+01:00"},
		"round the clock, not begun":     {sunday(5, 5), madrid, "2026-11-15T04:59:00+01:00", false, "2026-11-15T05:00:00+01:00"},
		"yesterday's hours do not count": {sunday(9, 17), madrid, "2026-11-16T10:00:00+01:00", false, "2026-11-22T09:00:00+01:00"},

		// 29 March 2026: 02:00 becomes 03:00. 25 October: 03:00 becomes 02:00.
		"Madrid, opening after the gap":            {sunday(9, 17), madrid, "2026-03-29T01:59:59+01:00", false, "2026-03-29T09:00:00+02:00"},
		"Madrid, opening in the gap":               {sunday(2, 5), madrid, "2026-03-29T01:30:00+01:00", false, "2026-03-29T03:00:00+02:00"},
		"Madrid, open only in the gap":             {sunday(2, 3), madrid, "2026-03-29T01:30:00+01:00", false, "2026-04-05T02:00:00+02:00"},
		"Madrid, the week before such a gap":       {sunday(2, 3), madrid, "2026-03-22T03:00:00+01:00", false, "2026-04-05T02:00:00+02:00"},
		"Madrid, closing in the gap":               {frontdesk.Hours{5: {Open: 22, Close: 2}}, madrid, "2026-03-29T03:00:00+02:00", false, "2026-04-04T22:00:00+02:00"},
		"Madrid, opening at the hour coming twice": {sunday(2, 4), madrid, "2026-10-25T01:59:00+02:00", false, "2026-10-25T02:00:00+02:00"},
		"Madrid, the first of two hours":           {sunday(2, 3), madrid, "2026-10-25T02:30:00+02:00", true, ""},
		"Madrid, the second of two hours":          {sunday(2, 3), madrid, "2026-10-25T02:30:00+01:00", true, ""},
		"Madrid, after both":                       {sunday(2, 3), madrid, "2026-10-25T03:00:00+01:00", false, "2026-11-01T02:00:00+01:00"},
		"Madrid, over the night of 25 hours":       {sunday(9, 17), madrid, "2026-10-24T17:00:00+02:00", false, "2026-10-25T09:00:00+01:00"},

		// 8 March 2026: 02:00 becomes 03:00. 1 November: 02:00 becomes 01:00.
		"New York, opening in the gap":       {sunday(2, 12), newYork, "2026-03-08T01:00:00-05:00", false, "2026-03-08T03:00:00-04:00"},
		"New York, the second of two hours":  {sunday(1, 2), newYork, "2026-11-01T01:30:00-05:00", true, ""},
		"New York, opening after both":       {sunday(2, 3), newYork, "2026-11-01T01:30:00-04:00", false, "2026-11-01T02:00:00-05:00"},
		"New York, a bar in the night of 25": {frontdesk.Hours{5: {Open: 20, Close: 2}}, newYork, "2026-11-01T01:59:00-05:00", true, ""},

		// 8 March 2026: midnight becomes 01:00. 1 November: 01:00 becomes 00:00.
		"Havana, a day that begins at one":        {sunday(0, 24), havana, "2026-03-07T23:59:00-05:00", false, "2026-03-08T01:00:00-04:00"},
		"Havana, open only in the gap":            {sunday(0, 1), havana, "2026-03-07T23:59:00-05:00", false, "2026-03-15T00:00:00-04:00"},
		"Havana, midnight twice":                  {sunday(0, 1), havana, "2026-11-01T00:30:00-05:00", true, ""},
		"Havana, opening at the first midnight":   {sunday(0, 1), havana, "2026-10-31T23:30:00-04:00", false, "2026-11-01T00:00:00-04:00"},
		"Havana, Saturday's night over both":      {frontdesk.Hours{5: {Open: 20, Close: 1}}, havana, "2026-11-01T00:59:00-05:00", true, ""},
		"Havana, Saturday's night into the gap":   {frontdesk.Hours{5: {Open: 20, Close: 1}}, havana, "2026-03-08T01:00:00-04:00", false, "2026-03-14T20:00:00-04:00"},
		"Havana, the second midnight is no later": {sunday(1, 2), havana, "2026-11-01T00:59:59-05:00", false, "2026-11-01T01:00:00-05:00"},

		// 4 October 2026: 02:00 becomes 02:30. 5 April: 02:00 becomes 01:30.
		"Lord Howe, opening in half a gap":  {sunday(2, 3), lordHowe, "2026-10-04T01:59:00+10:30", false, "2026-10-04T02:30:00+11:00"},
		"Lord Howe, half an hour twice":     {sunday(1, 2), lordHowe, "2026-04-05T01:45:00+10:30", true, ""},
		"Lord Howe, opening after half one": {sunday(2, 3), lordHowe, "2026-04-05T01:45:00+11:00", false, "2026-04-05T02:00:00+10:30"},

		"Kathmandu, a zone of quarters":  {office, kathmandu, "2026-11-16T08:59:59+05:45", false, "2026-11-16T09:00:00+05:45"},
		"Kathmandu, open at the quarter": {office, kathmandu, "2026-11-16T09:00:00+05:45", true, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hours, at := withHours(t, tt.zone, tt.hours), instant(t, tt.at)
			next, _ := hours.Next(at)
			if open := hours.OpenAt(at); open != tt.open {
				t.Errorf("open at %s: %v", tt.at, open)
			}
			if got := written(next); got != tt.next && (next.IsZero() || tt.next == "" || !next.Equal(instant(t, tt.next))) {
				t.Errorf("opens next at %s, want %s", got, tt.next)
			}
		})
	}
}

func instant(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func written(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

func withHours(t testing.TB, zone string, h frontdesk.Hours) *opening.Hours {
	t.Helper()
	hours, err := opening.Of(frontdesk.Agent{Timezone: zone, Config: frontdesk.AgentConfig{Hours: &h}})
	if err != nil {
		t.Fatal(err)
	}
	return hours
}

func TestNothingIsKnownWithoutHours(t *testing.T) {
	t.Parallel()
	for name, a := range map[string]frontdesk.Agent{
		"no hours":   {Timezone: "Europe/Madrid"},
		"never open": {Timezone: "Europe/Madrid", Config: frontdesk.AgentConfig{Hours: &never}},
	} {
		if hours, err := opening.Of(a); err != nil || hours.Known() {
			t.Errorf("with %s: known, %v", name, err)
		}
	}
	for name, zone := range map[string]string{"no zone": "", "no zone of ours": "Mars/Olympus"} {
		if _, err := opening.Of(frontdesk.Agent{Timezone: zone}); err == nil {
			t.Errorf("with %s there are hours", name)
		}
	}
}

// zones shift their clocks in every way that there is today.
var zones = []string{
	"UTC", "Europe/Madrid", "America/New_York", "America/Havana", "Australia/Lord_Howe", "Asia/Kathmandu",
	"America/St_Johns", "America/Santiago", "America/Nuuk", "Africa/Casablanca", "Africa/Cairo", "Asia/Beirut",
	"Atlantic/Azores", "Pacific/Chatham", "Pacific/Apia", "Asia/Kolkata",
}

// A year, quarter by quarter of an hour: the business opens next at the first
// of them at which it is open.
func TestNextOpeningAgainstEveryQuarter(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, zone := range zones {
		hours := withHours(t, zone, randomHours(random))
		t.Run(zone, func(t *testing.T) {
			t.Parallel()
			end := time.Date(2027, 1, 15, 0, 0, 0, 0, load(t, zone))
			start := end.AddDate(-1, 0, -15)
			var opens time.Time // the first open quarter after at, if known
			for at := end; at.After(start); at = at.Add(-15 * time.Minute) {
				switch {
				case hours.OpenAt(at):
					opens = at
				case opens.IsZero():
				case opens.Sub(at) == 15*time.Minute || at.Unix()%(3*3600) == 1800: // at every quarter it would take too long
					if next, ok := hours.Next(at); !ok || !next.Equal(opens) {
						t.Fatalf("%v at %s opens at %s, want %s", hours, at, next, opens)
					}
				}
			}
		})
	}
}

func randomHours(random *rand.Rand) (h frontdesk.Hours) {
	for day := range h {
		if random.IntN(3) > 0 {
			h[day] = frontdesk.Shift{Open: random.IntN(24), Close: 1 + random.IntN(24)}
		}
	}
	return h
}

func load(t testing.TB, zone string) *time.Location {
	t.Helper()
	loc, err := frontdesk.LoadZone(zone)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

func FuzzHours(f *testing.F) {
	f.Add([]byte{0, 24, 255, 255, 9, 17, 20, 2, 5, 5, 2, 3, 0, 1}, int64(1_774_746_000), uint8(1))
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2, 3}, int64(1_774_744_200), uint8(1))
	f.Add([]byte{}, int64(0), uint8(0))
	f.Fuzz(func(t *testing.T, shifts []byte, second int64, zone uint8) {
		var h frontdesk.Hours
		for day := range h {
			if len(shifts) < 2*day+2 {
				break
			}
			if s := (frontdesk.Shift{Open: int(shifts[2*day]), Close: int(shifts[2*day+1])}); s.Valid() {
				h[day] = s
			}
		}
		// 2012 to 2112: since then no zone has skipped a day.
		const first, span = 1_325_376_000, 100 * 365 * 24 * 3600
		at := time.Unix(first+(second%span+span)%span, 0).In(load(t, zones[int(zone)%len(zones)]))
		hours := withHours(t, zones[int(zone)%len(zones)], h)
		next, ok := hours.Next(at)
		switch {
		case !ok && !hours.OpenAt(at) && h != frontdesk.Hours{}:
			t.Errorf("%v never opens after %s", h, at)
		case !ok:
		case hours.OpenAt(at):
			t.Errorf("%v is open at %s, but opens at %s", h, at, next)
		case !next.After(at):
			t.Errorf("%v at %s opens at %s, which is past", h, at, next)
		case !hours.OpenAt(next):
			t.Errorf("%v at %s opens at %s, but is closed then", h, at, next)
		case hours.OpenAt(next.Add(-time.Nanosecond)):
			t.Errorf("%v at %s opens at %s, but is open before", h, at, next)
		}
	})
}
