package frontdesk_test

import (
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

var (
	office = frontdesk.Hours{0: {9, 17}, 1: {9, 17}, 2: {9, 17}, 3: {9, 17}, 4: {9, 17}}
	bar    = frontdesk.Hours{4: {20, 2}, 5: {20, 4}}
	always = frontdesk.Hours{{0, 24}, {0, 24}, {0, 24}, {0, 24}, {0, 24}, {0, 24}, {0, 24}}
)

func TestHoursOpenAt(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		hours frontdesk.Hours
		at    string
		open  bool
	}{
		"a minute before opening":   {office, "2026-11-16T08:59:00Z", false},
		"at the moment of opening":  {office, "2026-11-16T09:00:00Z", true},
		"at the moment of closing":  {office, "2026-11-16T17:00:00Z", false},
		"a bar after midnight":      {bar, "2026-11-21T01:59:00Z", true},
		"a bar when it closes":      {bar, "2026-11-21T02:00:00Z", false},
		"always open, at day's end": {always, "2026-11-16T23:59:59Z", true},
		"never open":                {frontdesk.Hours{}, "2026-11-16T12:00:00Z", false},
	} {
		if got := tt.hours.OpenAt(instant(t, tt.at)); got != tt.open {
			t.Errorf("%s: %v", name, got)
		}
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

func TestShiftValid(t *testing.T) {
	t.Parallel()
	for open := -1; open <= 25; open++ {
		for closing := -1; closing <= 25; closing++ {
			want := open >= 0 && open <= 23 && closing >= 1 && closing <= 24
			if got := (frontdesk.Shift{Open: open, Close: closing}).Valid(); got != want {
				t.Errorf("%d to %d: %v", open, closing, got)
			}
		}
	}
}

// zones shift their clocks in every way that there is today.
var zones = []string{
	"UTC", "Europe/Madrid", "America/New_York", "America/Havana", "Australia/Lord_Howe", "Asia/Kathmandu",
	"America/St_Johns", "America/Santiago", "America/Nuuk", "Africa/Casablanca", "Africa/Cairo", "Asia/Beirut",
	"Atlantic/Azores", "Pacific/Chatham", "Antarctica/Troll", "Pacific/Apia", "Asia/Kolkata",
}

func load(t testing.TB, zone string) *time.Location {
	t.Helper()
	loc, err := frontdesk.LoadZone(zone)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}
