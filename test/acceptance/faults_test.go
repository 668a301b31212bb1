package acceptance

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/test/faults"
)

// The short forms of what make soak does for long.

// TestKilledWhileEventsFlow kills the process at random moments while events
// flow.
func TestKilledWhileEventsFlow(t *testing.T) {
	t.Parallel()
	faults.Kills(t, binary, 3, 600)
}

// TestADatabaseFarAway delivers while PostgreSQL is 15 ms away in each direction.
func TestADatabaseFarAway(t *testing.T) {
	t.Parallel()
	faults.FarDatabase(t, binary, 15*time.Millisecond, 300)
}

// TestReceiversThatHangHoldNobodyUp: three hundred on one host would fill every
// slot that there is, and a healthy account is served meanwhile.
func TestReceiversThatHangHoldNobodyUp(t *testing.T) {
	t.Parallel()
	faults.HangingReceivers(t, binary, 300, 20)
}

// TestKilledUnderKeyedPosts repeats every POST with its key afterwards.
func TestKilledUnderKeyedPosts(t *testing.T) {
	t.Parallel()
	faults.KeyedPosts(t, binary, 3, 12)
}

// TestKilledBetweenBookingAndCalendar: each appointment is one event in the
// outside calendar.
func TestKilledBetweenBookingAndCalendar(t *testing.T) {
	t.Parallel()
	faults.Calendars(t, binary, 3, 12)
}

// TestKilledBetweenBookingAndMail: each customer is told at least once, and by
// one mail, however often it comes.
func TestKilledBetweenBookingAndMail(t *testing.T) {
	t.Parallel()
	faults.Mails(t, binary, 3, 14)
}

// TestKilledWhileOnTheTelephone: calls go on where they were.
func TestKilledWhileOnTheTelephone(t *testing.T) {
	t.Parallel()
	faults.Calls(t, binary, 2, 20)
}

// TestKilledWhileCallersBook lets fifty callers book at once, through two nodes
// where there is PostgreSQL.
func TestKilledWhileCallersBook(t *testing.T) {
	t.Parallel()
	faults.Bookings(t, binary, 2, 50, 3)
}

// TestADataDirectoryThatIsMoved: what the next start would not find is not confirmed.
func TestADataDirectoryThatIsMoved(t *testing.T) {
	t.Parallel()
	if storetest.IsPostgres() {
		t.Skip("PostgreSQL has its data elsewhere")
	}
	c := newClinic(t)
	n := c.later(0)
	v := n.visit("salud/"+dentist, "live", "es")
	v.say(cleaning("Marta Ruiz", "612 345 678", "mañana a las 12:00"))
	must(t, os.Rename(c.data, c.data+"-moved"))
	got, err := n.knock("POST /web/conversations/"+v.id+"/messages", v.token, `{"text":"sí"}`)
	must(t, err)
	if got.status != http.StatusServiceUnavailable {
		t.Errorf("a yes is answered with %s", got)
	}
	ready := func() int {
		res, err := n.client.Get(n.base + "/readyz")
		must(t, err)
		defer res.Body.Close()
		return res.StatusCode
	}
	if status := ready(); status != http.StatusServiceUnavailable || !strings.Contains(n.log.String(), "restore a backup; then restart the server") {
		t.Errorf("/readyz says %d, and the log %s", status, n.log)
	}
	must(t, os.Rename(c.data+"-moved", c.data))
	if status := ready(); status != http.StatusOK {
		t.Errorf("it is back, and /readyz says %d", status)
	}
	if s := v.say("sí"); s.Capture == nil {
		t.Errorf("the yes is not taken then: %+v", s)
	}
}
