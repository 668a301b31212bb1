package web

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestTheCalendarFileOfABooking(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	v := d.start(`{"language":"es"}`)
	card := v.book()["capture"].(map[string]any)
	address := card["ics"].(string)
	a := d.do("GET "+address, "")
	if a.status != http.StatusOK || a.header.Get("Content-Type") != "text/calendar; charset=utf-8" || !strings.Contains(a.header.Get("Content-Disposition"), ".ics") {
		t.Fatalf("got %d %v %s", a.status, a.header, a.body)
	}
	lines := strings.Split(a.body, "\r\n")
	for _, want := range []string{
		"BEGIN:VEVENT", "DTSTART:20261118T110000Z", "DTEND:20261118T113000Z", `SUMMARY:Revisión\, Clínica Lola`, "STATUS:CONFIRMED",
		`DESCRIPTION:` + card["confirmation_code"].(string) + `\nAna García\n+34 912 345 678`,
	} {
		if !strings.Contains("\n"+strings.Join(lines, "\n")+"\n", "\n"+want+"\n") {
			t.Errorf("%s is not in\n%s", want, a.body)
		}
	}
	if log := d.log.String(); strings.Contains(log, strings.TrimPrefix(address, "/web/conversations/"+v.id)) {
		t.Error("the log has the address, which opens the appointment")
	}

	// It tells how the appointment is now.
	owner := frontdesk.Owner{TenantID: d.tenant.ID, Live: true}
	captures, err := d.store.CapturesOfCall(context.Background(), owner, frontdesk.ID(v.id))
	if err != nil || len(captures) != 1 {
		t.Fatal(captures, err)
	}
	if _, err := calendar.New(d.store, nil).SetStatus(context.Background(), calendar.Caller{Tenant: d.tenant, Live: true}, captures[0].ID, frontdesk.Cancelled, monday); err != nil {
		t.Fatal(err)
	}
	if a := d.do("GET "+address, ""); !strings.Contains(a.body, "STATUS:CANCELLED\r\n") {
		t.Errorf("cancelled: %s", a.body)
	}
}

func TestCalendarFilesThatAreNotThere(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	v := d.start(`{"language":"es"}`)
	address := v.book()["capture"].(map[string]any)["ics"].(string)
	place, file, _ := strings.Cut(strings.TrimPrefix(address, "/web/conversations/"), "/captures/")
	other := d.start("").id
	tests := map[string]string{
		"another ticket":         "/web/conversations/" + place + "/captures/" + strings.Repeat("A", len(file)-4) + ".ics",
		"half a ticket":          "/web/conversations/" + place + "/captures/" + file[:20] + ".ics",
		"no ticket":              "/web/conversations/" + place + "/captures/.ics",
		"no base64":              "/web/conversations/" + place + "/captures/*.ics",
		"not a calendar file":    strings.TrimSuffix(address, ".ics"),
		"another conversation":   "/web/conversations/" + other + "/captures/" + file,
		"no conversation at all": "/web/conversations/x/captures/" + file,
		"the token":              "/web/conversations/" + place + "/captures/" + v.token + ".ics",
	}
	for name, path := range tests {
		t.Run(name, func(t *testing.T) {
			a := d.do("GET "+path, "")
			a.t = t
			a.refused(http.StatusNotFound, "not_found", "")
		})
	}
	d.do("POST "+address, "").refused(http.StatusMethodNotAllowed, "method_not_allowed", "")
}
