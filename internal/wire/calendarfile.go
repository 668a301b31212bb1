package wire

import (
	"strings"
	"time"
	"unicode/utf8"
)

// CalendarEntry is an appointment for a customer's own calendar.
type CalendarEntry struct {
	UID         string
	Start, End  time.Time // End is zero when nobody knows it
	Summary     string
	Location    string
	Description string
	Status      string // TENTATIVE, CONFIRMED or CANCELLED
	Changed     time.Time
}

// CalendarFile spells an entry as iCalendar (RFC 5545). Its times are in UTC, so
// that it needs no table of zones to be right.
func CalendarFile(e CalendarEntry) []byte {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fold(&b, name+":"+value)
		}
	}
	line("BEGIN", "VCALENDAR")
	line("VERSION", "2.0")
	line("PRODID", "-//frontdesk//frontdesk//EN")
	line("CALSCALE", "GREGORIAN")
	line("METHOD", "PUBLISH")
	line("BEGIN", "VEVENT")
	line("UID", calendarText(e.UID))
	line("DTSTAMP", calendarTime(e.Changed))
	line("LAST-MODIFIED", calendarTime(e.Changed))
	line("DTSTART", calendarTime(e.Start))
	line("DTEND", calendarTime(e.End))
	line("SUMMARY", calendarText(e.Summary))
	line("LOCATION", calendarText(e.Location))
	line("DESCRIPTION", calendarText(e.Description))
	line("STATUS", e.Status)
	line("END", "VEVENT")
	line("END", "VCALENDAR")
	return []byte(b.String())
}

func calendarTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("20060102T150405Z")
}

// calendarText escapes a text. Control characters have no place in one.
func calendarText(s string) string {
	s = strings.NewReplacer("\\", "\\\\", ";", "\\;", ",", "\\,", "\r\n", "\\n", "\n", "\\n").Replace(strings.ToValidUTF8(s, ""))
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
}

// fold writes a line in pieces of 75 bytes at most, without cutting a character.
func fold(b *strings.Builder, line string) {
	for room := 75; len(line) > room; room = 74 { // the blank that begins a further piece counts
		cut := room
		for !utf8.RuneStart(line[cut]) {
			cut--
		}
		b.WriteString(line[:cut] + "\r\n ")
		line = line[cut:]
	}
	b.WriteString(line + "\r\n")
}
