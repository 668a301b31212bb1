package cli

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/caldav/caldavtest"
)

const icsFile = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTAMP:20260101T000000Z\r\n" +
	"DTSTART:20261118T090000Z\r\nDTEND:20261118T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"

// calendarDesk is an installation with one business, on a Monday.
func calendarDesk(t *testing.T, origin string) *desk {
	t.Helper()
	d := newDesk(t, "FRONTDESK_CALENDAR_ALLOW="+origin, "FRONTDESK_NOW=2026-11-16T08:00:00Z")
	d.must("tenant", "create", "rizos", "--timezone", "Europe/Madrid")
	d.must("agent", "import", "../../docs/examples/hairdresser-zaragoza.yaml", "--tenant", "rizos")
	return d
}

func TestCalendarConnect(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/secret.ics" {
			http.NotFound(w, r)
			return
		}
		w.Write([]byte(icsFile))
	}))
	t.Cleanup(s.Close)
	d := calendarDesk(t, s.URL)
	hold(t, "connect", d.must("calendar", "connect", "--tenant", "rizos", s.URL+"/secret.ics"), "can be booked: 1.", "frontdesk calendar disconnect --tenant rizos ")
	listed := d.must("calendar", "list", "--tenant", "rizos")
	hold(t, "list", listed, strings.TrimPrefix(s.URL, "http://"), "ics", "ok", "2026-11-16 08:00 UTC")
	if strings.Contains(listed, "secret") {
		t.Errorf("the address shows:\n%s", listed)
	}
	hold(t, "agenda", d.must("agenda", "--tenant", "rizos", "--on", "2026-11-18"), "10:00-11:00", "busy in an outside calendar")
	if a := d.run("capture", "add", "--tenant", "rizos", "--at", "2026-11-18T10:00", "--service", "corte", "--name", "Ana"); a.code == 0 || !strings.Contains(a.stderr, "taken") {
		t.Errorf("it can be booked: %d %s", a.code, a.stderr)
	}
	id := first(t, d.read("calendar", "list", "--tenant", "rizos"), "calendars")["id"].(string)
	for name, tt := range map[string]struct{ args, says string }{
		"nothing there":     {"connect --tenant rizos " + s.URL + "/other.ics", "no calendar at the address (404)"},
		"an inner address":  {"connect --tenant rizos https://192.168.1.5:5232/a.ics", "FRONTDESK_CALENDAR_ALLOW=https://192.168.1.5:5232"},
		"a password in it":  {"connect --tenant rizos https://ana:hunter2@example.com/a.ics", "--user"},
		"nobody's":          {"connect --tenant rizos --resource eva " + s.URL + "/secret.ics", "eva"},
		"no password":       {"connect --tenant rizos --user ana " + s.URL + "/secret.ics", "the password is missing on standard input"},
		"no such calendar":  {"disconnect --tenant rizos 01993c5e-0000-7000-8000-000000000000", "there is no such calendar"},
		"what is no id":     {"disconnect --tenant rizos x", "is no id"},
		"not a CalDAV one":  {"connect --tenant rizos --caldav " + s.URL + "/secret.ics", "no calendar at the address"},
		"an address at all": {"connect --tenant rizos calendar", "absolute"},
	} {
		a := d.run(append([]string{"calendar"}, strings.Fields(tt.args)...)...)
		if a.code == 0 || !strings.Contains(a.stderr, tt.says) || strings.Contains(a.stderr, "hunter2") {
			t.Errorf("%s: %d %s", name, a.code, a.stderr)
		}
	}
	d.must("calendar", "disconnect", "--tenant", "rizos", id)
	if strings.Contains(d.must("agenda", "--tenant", "rizos", "--on", "2026-11-18"), "busy") {
		t.Error("it still takes places away")
	}
}

func TestCalendarConnectByCalDAV(t *testing.T) {
	server := caldavtest.Radicale(t)
	d := calendarDesk(t, server.Origin)
	d.must("capture", "add", "--tenant", "rizos", "--at", "2026-11-18T10:00", "--service", "corte", "--name", "Ana")
	connect := []string{"calendar", "connect", "--tenant", "rizos", "--caldav", "--user", server.User}
	a := d.feed("guessed\n", append(connect, server.Calendar)...)
	if a.code == 0 || !strings.Contains(a.stderr, "user and password") {
		t.Errorf("a wrong password: %d %s", a.code, a.stderr)
	}
	a = d.feed(server.Password+"\n", append(connect, server.Home)...)
	if a.code == 0 || !strings.Contains(a.stderr, server.Calendar) {
		t.Errorf("the address of the account: %d %s", a.code, a.stderr)
	}
	a = d.feed(server.Calendar+"\n"+server.Password+"\n", append(connect, "-")...)
	if a.code != 0 {
		t.Fatalf("exit code %d\n%s", a.code, a.stderr)
	}
	hold(t, "connect", a.stdout, "can be booked: 0.", "stand already: 1.")
	hold(t, "rekey", d.must("rekey"), "1 outside calendars")
	_, status, message := d.findingsOf()
	if status["calendars"] != fine {
		t.Errorf("the doctor: %s %s", status["calendars"], message["calendars"])
	}
	late := &desk{t: t, data: d.data}
	for _, setting := range d.env {
		late.env = append(late.env, strings.ReplaceAll(setting, "FRONTDESK_NOW=2026-11-16T08", "FRONTDESK_NOW=2026-11-16T09"))
	}
	_, status, message = late.findingsOf()
	if status["calendars"] != unwell || !strings.Contains(message["calendars"], "Nobody has read it") {
		t.Errorf("the doctor an hour later: %s %s", status["calendars"], message["calendars"])
	}
}
