package ical_test

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/ical"
)

// foreignReader prints the events of a calendar as the icalendar library of Python
// reads them, with the zone that the calendar itself describes.
const foreignReader = `
import sys, datetime, icalendar
calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
zones = {str(z["TZID"]): z.to_tz() for z in calendar.walk("VTIMEZONE")}
def utc(t):
    name = t.params.get("TZID")
    at = t.dt
    if name:
        at = zones[name].localize(at.replace(tzinfo=None))
    return at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
for e in calendar.walk("VEVENT"):
    print("|".join([str(e["UID"]), utc(e["DTSTART"]), utc(e["DTEND"]), str(e["SUMMARY"]).replace("\n", "/"), str(e["STATUS"])]))
`

// python is one that has the library, "" if there is none.
func python() string {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import icalendar").Run() == nil {
			return name
		}
	}
	return ""
}

func TestAForeignReader(t *testing.T) {
	t.Parallel()
	reader := python()
	if reader == "" {
		t.Skip("NOT CHECKED: nobody else has read what is written here. Install Python's icalendar (Debian: python3-icalendar).")
	}
	for _, name := range []string{
		"UTC", "Europe/Madrid", "America/Mexico_City", "America/Argentina/Buenos_Aires", "America/St_Johns", "Australia/Lord_Howe", "Africa/Casablanca",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			z := zone(t, name)
			c := ical.Calendar{Name: "Clínica; Lola", Zone: z, Refresh: time.Hour}
			var want strings.Builder
			for at := time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() < 2028; at = at.Add(61 * time.Hour) {
				if comesTwice(at.In(z)) || comesTwice(at.In(z).Add(time.Hour)) {
					continue
				}
				e := ical.Event{
					UID: at.Format("20060102T15") + "@frontdesk", Start: at, End: at.Add(time.Hour), Changed: day, Status: ical.Confirmed,
					Summary: "Revisión, \"Ana\"; C:\\x\n" + strings.Repeat("niño 👍 ", 20) + ".", Categories: []string{"a", "b,c"}, URL: "https://a.example/?b=c;d,e",
				}
				c.Events = append(c.Events, e)
				want.WriteString(strings.Join([]string{
					e.UID, at.Format(time.RFC3339), e.End.Format(time.RFC3339), strings.ReplaceAll(e.Summary, "\n", "/"), e.Status,
				}, "|") + "\n")
			}
			command := exec.Command(reader, "-c", foreignReader)
			command.Env = append(command.Environ(), "PYTHONIOENCODING=utf-8")
			command.Stdin = strings.NewReader(written(t, c))
			out, err := command.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if string(out) != want.String() {
				t.Errorf("it read\n%.2000s", firstDifference(string(out), want.String()))
			}
		})
	}
}

// firstDifference is the first line in which two texts differ, of both.
func firstDifference(got, want string) string {
	wants := strings.Split(want, "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(wants) || line != wants[i] {
			return line + "\nfor\n" + strings.Join(wants[min(i, len(wants)):min(i+1, len(wants))], "")
		}
	}
	return "less than it should"
}
