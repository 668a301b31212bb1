package faults

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/caldav/caldavtest"
)

// calendarLeases is by how much a clock must be ahead for the leases of writes
// into outside calendars to have run out.
const calendarLeases = 5 * time.Minute

// Calendars kills the process at random moments between bookings and their being
// written into a CalDAV calendar: each appointment is one event there.
func Calendars(t testing.TB, binary string, kills, each int) {
	t.Helper()
	server := caldavtest.Xandikos(t)
	p := NewPlace(t, binary, "FRONTDESK_CALENDAR_ALLOW="+server.Origin, "FRONTDESK_DATABASE_TIMEOUT=30s")
	tenant := p.Tenant("rizos")
	p.Agent(tenant.Slug, "desk")
	p.mustRun(nil, "calendar", "connect", "--tenant", tenant.Slug, "--caldav", server.Calendar)
	key := p.key(tenant.Slug, "live")
	var ids []string
	for kill := range kills {
		n := p.Serve()
		for i := range each {
			var made struct{ Capture struct{ ID string } }
			// A day more than tomorrow: where the business is, tomorrow may have begun.
			at := time.Now().UTC().AddDate(0, 0, 2+kill).Format("2006-01-02") + fmt.Sprintf("T%02d:00:00", i%24)
			n.do(&made, "POST /v1/captures", key, fmt.Sprintf(`{"agent":"desk","scheduled_at":%q,"customer_name":"Ana","force":true}`, at))
			ids = append(ids, made.Capture.ID)
		}
		// What was under way at an earlier kill comes only when its lease has run out.
		mustReach(t, fmt.Sprintf("events before kill %d", kill+1), server.Count, max(0, kill*(each-4))+rand.IntN(max(1, each-4)))
		n.Kill()
	}
	before := server.Count()
	p.Later(calendarLeases).Serve()
	mustReach(t, "events after the last kill", server.Count, len(ids))
	if n := settles(server.Count); n != len(ids) {
		t.Errorf("%d events for %d appointments", n, len(ids))
	}
	for _, id := range ids {
		if server.Event(id) == "" {
			t.Errorf("the appointment %s is not there", id)
		}
	}
	t.Logf("%d kills: %d appointments, %d events, %d of them after the last kill", kills, len(ids), server.Count(), len(ids)-before)
}
