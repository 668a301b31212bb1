package wire_test

import (
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/wire"
)

func TestCalendarFile(t *testing.T) {
	t.Parallel()
	madrid := time.FixedZone("", 3600)
	got := string(wire.CalendarFile(wire.CalendarEntry{
		UID: "01a1d964-6e3b-774b-bfff-000000000002@frontdesk", Start: time.Date(2026, 11, 20, 20, 0, 0, 0, madrid),
		End: time.Date(2026, 11, 20, 21, 30, 0, 0, madrid), Summary: `Mesa; "fuera", C:\x`, Location: "Calle Mayor 1, Madrid",
		Description: "una trona\r\nEND:VEVENT\x00\x07", Status: "CONFIRMED", Changed: day,
	}))
	want := strings.Join([]string{
		"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//frontdesk//frontdesk//EN", "CALSCALE:GREGORIAN", "METHOD:PUBLISH", "BEGIN:VEVENT",
		"UID:01a1d964-6e3b-774b-bfff-000000000002@frontdesk", "DTSTAMP:20261114T083000Z", "LAST-MODIFIED:20261114T083000Z",
		"DTSTART:20261120T190000Z", "DTEND:20261120T203000Z", `SUMMARY:Mesa\; "fuera"\, C:\\x`, `LOCATION:Calle Mayor 1\, Madrid`,
		`DESCRIPTION:una trona\nEND:VEVENT`, "STATUS:CONFIRMED", "END:VEVENT", "END:VCALENDAR", "",
	}, "\r\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestLongLinesOfACalendarFile(t *testing.T) {
	t.Parallel()
	for _, letter := range []string{"x", "ñ", "€", "👍"} {
		text := strings.Repeat(letter, 500)
		file := string(wire.CalendarFile(wire.CalendarEntry{UID: "u", Start: day, Summary: text}))
		for line := range strings.SplitSeq(strings.TrimSuffix(file, "\r\n"), "\r\n") {
			if len(line) > 75 || strings.ToValidUTF8(line, "") != line {
				t.Errorf("%d bytes: %q", len(line), line)
			}
		}
		if !strings.Contains(strings.ReplaceAll(file, "\r\n ", ""), "SUMMARY:"+text+"\r\n") || strings.Contains(file, "DTEND") {
			t.Errorf("%s: %s", letter, file)
		}
	}
}
