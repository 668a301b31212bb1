package ical_test

import (
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/ical"
)

// What is written is read as it was, by the name of the zone and, where that is
// not known, by the blocks that describe it.
func TestZonesThereAndBack(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"Europe/Madrid", "America/Mexico_City", "America/Argentina/Buenos_Aires", "America/St_Johns", "Australia/Lord_Howe",
		"Africa/Casablanca", "America/Caracas", "Europe/Dublin", "Pacific/Apia", "Etc/GMT-5", "Asia/Kathmandu",
	} {
		for _, from := range []int{1985, 2005, 2010, 2021, 2026, 2045} {
			t.Run(name+time.Date(from, 1, 1, 0, 0, 0, 0, time.UTC).Format(" 2006"), func(t *testing.T) {
				t.Parallel()
				thereAndBack(t, zone(t, name), time.Date(from, 1, 1, 0, 0, 0, 0, time.UTC))
			})
		}
	}
}

func thereAndBack(t *testing.T, z *time.Location, from time.Time) {
	t.Helper()
	to := from.AddDate(4, 0, 0) // a leap year is among them
	c := ical.Calendar{Zone: z}
	for at := from; at.Before(to); at = at.Add(23*time.Hour + 30*time.Minute) {
		if local := at.In(z); !comesTwice(local) && !comesTwice(local.Add(time.Minute)) {
			c.Events = append(c.Events, ical.Event{UID: at.Format(time.RFC3339), Start: at, End: at.Add(time.Minute)})
		}
	}
	file := written(t, c)
	for _, text := range []string{file, strings.NewReplacer("TZID:"+z.String(), "TZID:Here", "TZID="+z.String(), "TZID=Here").Replace(file)} {
		got, err := ical.Busy(strings.NewReader(text), ical.Options{From: from.AddDate(0, 0, -2), To: to.AddDate(0, 0, 2)})
		if err != nil || len(got) != len(c.Events) {
			t.Fatalf("%d of %d events: %v", len(got), len(c.Events), err)
		}
		for i, p := range got {
			if e := c.Events[i]; p.UID != e.UID || !p.Start.Equal(e.Start) || !p.End.Equal(e.End) {
				t.Fatalf("%s: got %v to %v, want %v to %v", e.UID, p.Start, p.End, e.Start.UTC(), e.End.UTC())
			}
		}
	}
}

// comesTwice says whether the clock shows t a second time: of such times a file
// can only name the first.
func comesTwice(t time.Time) bool {
	since, _ := t.ZoneBounds()
	_, here := t.Zone()
	if since.IsZero() {
		return false
	}
	_, before := since.Add(-time.Second).Zone()
	return before > here && t.Sub(since) < time.Duration(before-here)*time.Second
}

// Zones as Outlook and Exchange describe them, with a name of their own.
func TestZonesOfACalendar(t *testing.T) {
	t.Parallel()
	custom := strings.Join([]string{
		"BEGIN:VTIMEZONE", "TZID:Customized Time Zone",
		"BEGIN:STANDARD", "DTSTART:16010101T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10", "END:STANDARD",
		"BEGIN:DAYLIGHT", "DTSTART:16010101T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3", "END:DAYLIGHT",
		"END:VTIMEZONE",
	}, "\r\n")
	ended := strings.Join([]string{
		"BEGIN:VTIMEZONE", "TZID:Gone",
		"BEGIN:STANDARD", "DTSTART:19961027T020000", "TZOFFSETFROM:-0500", "TZOFFSETTO:-0600", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10;UNTIL=20221030T070000Z", "END:STANDARD",
		"BEGIN:DAYLIGHT", "DTSTART:19960407T020000", "TZOFFSETFROM:-0600", "TZOFFSETTO:-0500", "RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=4;UNTIL=20220403T080000Z", "END:DAYLIGHT",
		"END:VTIMEZONE",
	}, "\r\n")
	fixed := "BEGIN:VTIMEZONE\r\nTZID:(UTC+05:45) Kathmandu\r\nBEGIN:STANDARD\r\nDTSTART:16010101T000000\r\nTZOFFSETFROM:+0545\r\nTZOFFSETTO:+0545\r\nEND:STANDARD\r\nEND:VTIMEZONE"
	tests := map[string]struct{ zone, name, start, want string }{
		"summer":                     {custom, "Customized Time Zone", "20260601T100000", "2026-06-01T08:00:00Z"},
		"winter":                     {custom, "Customized Time Zone", "20260115T100000", "2026-01-15T09:00:00Z"},
		"the last of summer":         {custom, "Customized Time Zone", "20261025T023000", "2026-10-25T00:30:00Z"},
		"the first of winter":        {custom, "Customized Time Zone", "20261025T033000", "2026-10-25T02:30:00Z"},
		"in the jump":                {custom, "Customized Time Zone", "20260329T023000", "2026-03-29T01:30:00Z"},
		"after the jump":             {custom, "Customized Time Zone", "20260329T030000", "2026-03-29T01:00:00Z"},
		"while there were summers":   {ended, "Gone", "20220601T100000", "2022-06-01T15:00:00Z"},
		"after the last of them":     {ended, "Gone", "20260601T100000", "2026-06-01T16:00:00Z"},
		"before all that it says":    {ended, "Gone", "19500601T100000", "1950-06-01T16:00:00Z"},
		"an offset and nothing else": {fixed, `"(UTC+05:45) Kathmandu"`, "20260601T100000", "2026-06-01T04:15:00Z"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := calendar(event("DTSTART;TZID="+tt.name+":"+tt.start, "DURATION:PT1H"), tt.zone)
			got, err := ical.Busy(strings.NewReader(text), ical.Options{From: day.AddDate(-100, 0, 0), To: day.AddDate(10, 0, 0)})
			if err != nil || len(got) != 1 || got[0].Start.Format(time.RFC3339) != tt.want {
				t.Errorf("got %+v, %v; want %s", got, err, tt.want)
			}
		})
	}
}

func TestZonesThatAreNone(t *testing.T) {
	t.Parallel()
	block := func(lines ...string) string {
		return "BEGIN:VTIMEZONE\r\nTZID:Here\r\nBEGIN:STANDARD\r\n" + strings.Join(lines, "\r\n") + "\r\nEND:STANDARD\r\nEND:VTIMEZONE"
	}
	for name, text := range map[string]string{
		"no blocks":     "BEGIN:VTIMEZONE\r\nTZID:Here\r\nEND:VTIMEZONE",
		"no start":      block("TZOFFSETFROM:+0100", "TZOFFSETTO:+0100"),
		"no offset":     block("DTSTART:20000101T000000", "TZOFFSETFROM:+0100"),
		"an odd offset": block("DTSTART:20000101T000000", "TZOFFSETFROM:+-100", "TZOFFSETTO:+0100"),
		"a huge offset": block("DTSTART:20000101T000000", "TZOFFSETFROM:+9900", "TZOFFSETTO:+0100"),
		"a bad rule":    block("DTSTART:20000101T000000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0100", "RRULE:FREQ=SECONDLY"),
		"a bad date":    block("DTSTART:20000101T000000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0100", "RDATE:x"),
	} {
		got, err := ical.Busy(strings.NewReader(calendar(text, event("DTSTART;TZID=Here:20260601T100000", "DURATION:PT1H"))), week(t))
		if err == nil || len(got) > 0 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
