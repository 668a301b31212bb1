package ical_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the zones are the same on every machine

	"frontdesk.dev/frontdesk/internal/ical"
)

var day = time.Date(2026, 11, 14, 8, 30, 0, 0, time.UTC)

func zone(tb testing.TB, name string) *time.Location {
	tb.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		tb.Fatal(err)
	}
	return z
}

func written(tb testing.TB, c ical.Calendar) string {
	tb.Helper()
	var b bytes.Buffer
	if err := c.Write(&b); err != nil {
		tb.Fatal(err)
	}
	if text, err := c.AppendText(nil); err != nil || !bytes.Equal(text, b.Bytes()) {
		tb.Errorf("AppendText: %v\n%s\nWrite:\n%s", err, text, b.String())
	}
	return b.String()
}

func TestAFileOfOneEvent(t *testing.T) {
	t.Parallel()
	madrid := time.FixedZone("", 3600)
	got := written(t, ical.Calendar{Events: []ical.Event{{
		UID: "01a1d964-6e3b-774b-bfff-000000000002@frontdesk", Start: time.Date(2026, 11, 20, 20, 0, 0, 0, madrid),
		End: time.Date(2026, 11, 20, 21, 30, 0, 0, madrid), Summary: `Mesa; "fuera", C:\x`, Location: "Calle Mayor 1, Madrid",
		Description: "una trona\r\nEND:VEVENT\x00\x07", Status: "CONFIRMED", Changed: day,
	}}})
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

func TestLongLines(t *testing.T) {
	t.Parallel()
	for _, letter := range []string{"x", "ñ", "€", "👍"} {
		for before := range 5 {
			text := strings.Repeat("-", before) + strings.Repeat(letter, 500)
			file := written(t, ical.Calendar{Events: []ical.Event{{UID: "u", Start: day, Summary: text, URL: "https://a.example/" + text}}})
			for line := range strings.SplitSeq(strings.TrimSuffix(file, "\r\n"), "\r\n") {
				if len(line) > 75 || strings.ToValidUTF8(line, "") != line {
					t.Errorf("%d bytes: %q", len(line), line)
				}
			}
			unfolded := strings.ReplaceAll(file, "\r\n ", "")
			if !strings.Contains(unfolded, "SUMMARY:"+text+"\r\n") || !strings.Contains(unfolded, "/"+text+"\r\n") || strings.Contains(file, "DTEND") {
				t.Errorf("%s: %s", letter, file)
			}
		}
	}
}

func TestAFeed(t *testing.T) {
	t.Parallel()
	got := written(t, ical.Calendar{Name: "Clínica, Lola", Zone: zone(t, "Europe/Madrid"), Refresh: 90 * time.Minute, Events: []ical.Event{{
		UID: "a@frontdesk", Sequence: 3, Start: day, End: day.Add(time.Hour), Changed: day, Summary: "\xffuno\u007f\t\x01",
		URL: "https://a.example/?a=1,2;3\r\nX:y", Categories: []string{"Revisión", "a,b"}, Status: ical.Tentative,
	}}})
	want := strings.Join([]string{
		"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//frontdesk//frontdesk//EN", "CALSCALE:GREGORIAN", "METHOD:PUBLISH",
		`NAME:Clínica\, Lola`, `X-WR-CALNAME:Clínica\, Lola`, "REFRESH-INTERVAL;VALUE=DURATION:PT90M", "X-PUBLISHED-TTL:PT90M",
		"X-WR-TIMEZONE:Europe/Madrid", "BEGIN:VTIMEZONE", "TZID:Europe/Madrid", "BEGIN:STANDARD", "DTSTART:20261025T030000",
		"TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "TZNAME:CET", "END:STANDARD", "END:VTIMEZONE",
		"BEGIN:VEVENT", "UID:a@frontdesk", "DTSTAMP:20261114T083000Z", "LAST-MODIFIED:20261114T083000Z", "SEQUENCE:3",
		"DTSTART;TZID=Europe/Madrid:20261114T093000", "DTEND;TZID=Europe/Madrid:20261114T103000", "SUMMARY:uno",
		"URL:https://a.example/?a=1,2;3X:y", `CATEGORIES:Revisión,a\,b`, "STATUS:TENTATIVE", "END:VEVENT", "END:VCALENDAR", "",
	}, "\r\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTheBlocksOfATimeZone(t *testing.T) {
	t.Parallel()
	at := func(year int, month time.Month) time.Time { return time.Date(year, month, 15, 12, 0, 0, 0, time.UTC) }
	tests := map[string]struct {
		zone        string
		first, last time.Time
		want        string
	}{
		"summer time": {
			"Europe/Madrid", at(2026, 1), at(2027, 12),
			"STANDARD 20251026T030000 +0200 +0100 CET 20261025T030000 20271031T030000; DAYLIGHT 20260329T020000 +0100 +0200 CEST 20270328T020000",
		},
		"a rule that was given up": {
			"America/Mexico_City", at(2022, 2), at(2026, 12),
			"STANDARD 20211031T020000 -0500 -0600 CST 20221030T020000; DAYLIGHT 20220403T020000 -0600 -0500 CDT",
		},
		"no changes for years": {
			"America/Argentina/Buenos_Aires", at(2026, 1), at(2026, 12), "STANDARD 20090315T000000 -0200 -0300 -03",
		},
		"no changes ever":         {"Etc/GMT-5", at(2026, 1), at(2026, 12), "STANDARD 19700101T000000 +0500 +0500 +05"},
		"an offset of half hours": {"America/St_Johns", at(2026, 7), at(2026, 8), "DAYLIGHT 20260308T020000 -0330 -0230 NDT"},
		"half an hour of summer time": {
			"Australia/Lord_Howe", at(2026, 1), at(2026, 6),
			"DAYLIGHT 20251005T020000 +1030 +1100 +11; STANDARD 20260405T020000 +1100 +1030 +1030",
		},
		"before there were zones": {"Europe/Madrid", at(1890, 1), at(1890, 2), "STANDARD 18900101T000000 -001444 -001444 LMT"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := written(t, ical.Calendar{Zone: zone(t, tt.zone), Events: []ical.Event{
				{UID: "a", Start: tt.last}, {UID: "b", Start: tt.first, End: tt.first.Add(time.Hour)},
			}})
			if got := blocks(file); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// blocks are the blocks of the time zone in a file, one after the other.
func blocks(file string) string {
	_, rest, _ := strings.Cut(file, "BEGIN:VTIMEZONE\r\n")
	rest, _, _ = strings.Cut(rest, "END:VTIMEZONE")
	var all []string
	for block := range strings.SplitSeq(rest, "BEGIN:") {
		var words []string
		for i, line := range strings.Split(strings.TrimSpace(block), "\r\n") {
			_, value, isProperty := strings.Cut(line, ":")
			switch {
			case i == 0:
				words = append(words, line)
			case isProperty && !strings.HasPrefix(line, "END:"):
				words = append(words, value)
			}
		}
		all = append(all, strings.Join(words, " "))
	}
	return strings.Join(all[1:], "; ")
}

func TestZonesWithoutAName(t *testing.T) {
	t.Parallel()
	for _, z := range []*time.Location{nil, time.UTC, time.FixedZone("", 3600), time.FixedZone("UTC", 0)} {
		file := written(t, ical.Calendar{Zone: z, Events: []ical.Event{{UID: "a", Start: day}}})
		if !strings.Contains(file, "DTSTART:20261114T083000Z\r\n") || strings.Contains(file, "VTIMEZONE") {
			t.Errorf("%v: %s", z, file)
		}
	}
}

func TestEventsThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]ical.Event{
		"no UID": {Start: day}, "no start": {UID: "a"}, "another status": {UID: "a", Start: day, Status: "CONFIRMED\r\nX:y"},
	} {
		c := ical.Calendar{Events: []ical.Event{e}}
		if err := c.Write(io.Discard); !errors.Is(err, ical.ErrEvent) {
			t.Errorf("%s: %v", name, err)
		}
		if text, err := c.AppendText([]byte("x")); !errors.Is(err, ical.ErrEvent) || string(text) != "x" {
			t.Errorf("%s: %v, %q", name, err, text)
		}
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestAWriterThatFails(t *testing.T) {
	t.Parallel()
	for _, events := range []int{0, 2000} {
		if err := feed(t, events).Write(brokenWriter{}); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%d events: %v", events, err)
		}
	}
}

// feed is the calendar of a business with so many appointments.
func feed(tb testing.TB, events int) ical.Calendar {
	c := ical.Calendar{Name: "Clínica Lola", Zone: zone(tb, "Europe/Madrid"), Refresh: time.Hour}
	for i := range events {
		start := day.Add(time.Duration(i) * 90 * time.Minute)
		c.Events = append(c.Events, ical.Event{
			UID: fmt.Sprintf("%08d@frontdesk", i), Sequence: i % 3, Start: start, End: start.Add(45 * time.Minute), Changed: day,
			Summary: "Revisión, Ana García", Location: "Calle Mayor 1, Madrid", Status: ical.Confirmed,
			Description: "ABC-123\n+34 912 345 678\nviene con su hija, que tiene miedo; por favor, paciencia",
			URL:         "https://desk.example/captures/" + fmt.Sprint(i),
		})
	}
	return c
}

func TestAFeedAllocatesLittle(t *testing.T) {
	c := feed(t, 2000)
	if n := testing.AllocsPerRun(5, func() { _ = c.Write(io.Discard) }); n > 50 {
		t.Errorf("%v allocations for a feed", n)
	}
}

func BenchmarkWrite(b *testing.B) {
	c := feed(b, 2000)
	b.ReportAllocs()
	for b.Loop() {
		if err := c.Write(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
