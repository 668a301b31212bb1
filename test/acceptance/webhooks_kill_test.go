package acceptance

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/signature"
)

// inbox is a receiver that verifies and counts what it is sent.
type inbox struct {
	*httptest.Server
	ca     string // a file
	mu     sync.Mutex
	secret string
	came   map[string]int // by webhook-id
	bodies map[string]string
	faults []string
}

func newInbox(t testing.TB) *inbox {
	t.Helper()
	in := &inbox{ca: filepath.Join(t.TempDir(), "ca.pem"), came: map[string]int{}, bodies: map[string]string{}}
	in.Server = httptest.NewTLSServer(in)
	t.Cleanup(in.Close)
	must(t, os.WriteFile(in.ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: in.Certificate().Raw}), 0o600))
	return in
}

func (in *inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // its sender was killed
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	id := r.Header.Get(signature.HeaderID)
	if err := signature.Verify(in.secret, r.Header, body, time.Now()); err != nil {
		// In the last sweep the sender's clock is ahead.
		if err = signature.Verify(in.secret, r.Header, body, time.Now().Add(ahead)); err != nil {
			in.faults = append(in.faults, fmt.Sprintf("%s: %v", id, err))
		}
	}
	if before, known := in.bodies[id]; known && before != string(body) || !strings.HasPrefix(string(body), `{"id":"`+id+`"`) {
		in.faults = append(in.faults, id+": its body is not that of before, or of another event")
	}
	in.came[id]++
	in.bodies[id] = string(body)
	w.WriteHeader(http.StatusNoContent)
}

// count is how many events came, and how many requests.
func (in *inbox) count() (events, requests int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, n := range in.came {
		requests += n
	}
	return len(in.came), requests
}

// ahead is by how much the last sweep's clock is: all leases have run out.
const ahead = 2 * time.Minute

// eventually is until with more patience.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for range 10 {
		if until(holds, nil) {
			return
		}
	}
	t.Fatalf("it did not come to be: %s", what)
}

// TestKilledWhileEventsFlow kills the process at random moments while events
// flow. FRONTDESK_TEST_KILLS=20 makes it 20 kills and 10,000 events.
func TestKilledWhileEventsFlow(t *testing.T) {
	t.Parallel()
	kills, each := 4, 500
	if more, err := strconv.Atoi(os.Getenv("FRONTDESK_TEST_KILLS")); err == nil && more > 0 {
		kills = more
	}
	events := kills * each
	in := newInbox(t)
	p := newPlace(t, "FRONTDESK_WEBHOOK_ALLOW="+in.URL, "FRONTDESK_WEBHOOK_CA="+in.ca)
	d := demo(t, p)
	connection := onlyConnection(d, in)
	d.kill()

	emitted := make(chan []string, 1)
	go func() {
		var ids []string
		for range 4 * kills {
			got := p.run("event", "emit", "--tenant", "demo", "--mode", "test", "--type", "call.completed", "--count", strconv.Itoa(each/4), "--json")
			var made struct{ Events []string }
			if err := json.Unmarshal([]byte(got.out), &made); err != nil || got.code != 0 {
				t.Errorf("emitting: exit %d: %s", got.code, got.err)
			}
			ids = append(ids, made.Events...)
		}
		emitted <- ids
	}()
	for kill := range kills {
		n := p.serve()
		// Some deliveries of each kill wait for their lease to run out.
		moment := int(float64(events-64*kills) * (float64(kill) + rand.Float64()) / float64(kills))
		eventually(t, fmt.Sprintf("%d events came", moment), func() bool { came, _ := in.count(); return came >= moment })
		n.kill()
	}
	ids := <-emitted
	before, _ := in.count()

	last := p.with(t, "FRONTDESK_NOW="+time.Now().Add(ahead).UTC().Format(time.RFC3339)).serve()
	eventually(t, "all events came", func() bool { came, _ := in.count(); return came >= events })
	open := func(status string) int {
		return len(walk[any](last, "/connections/"+connection+"/deliveries?status="+status, d.test, 100))
	}
	eventually(t, "all are saved", func() bool { return open("delivering") == 0 })
	if n := open("pending") + open("failed") + open("dead"); n != 0 {
		t.Errorf("%d are not delivered", n)
	}
	attempts, most := 0, 0
	all := walk[struct{ Attempts int }](last, "/connections/"+connection+"/deliveries", d.test, 100)
	for _, d := range all {
		attempts += d.Attempts
		most = max(most, d.Attempts)
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	requests, twice := 0, 0
	for _, id := range ids {
		n := in.came[id]
		requests += n
		switch {
		case n == 0:
			t.Errorf("%s is lost", id)
		case n > 1:
			twice++
		}
	}
	if len(ids) != events || len(in.came) != events || len(all) != events {
		t.Errorf("%d were emitted, %d came, there are %d deliveries", len(ids), len(in.came), len(all))
	}
	if attempts > requests || most > 1+kills {
		t.Errorf("%d attempts are on record, %d requests came", attempts, requests)
	}
	for _, fault := range in.faults {
		t.Error(fault)
	}
	t.Logf("%d kills, %d events, %d requests, %d events came more than once, %d attempts on record, %d were left to the last sweep",
		kills, events, requests, twice, attempts, events-before)
}

// onlyConnection gives the demo's sandbox one connection, to the inbox.
func onlyConnection(d *showroom, in *inbox) string {
	d.t.Helper()
	for _, c := range walk[struct{ ID string }](d.node, "/connections", d.test, 100) {
		if got := d.do("DELETE /connections/"+c.ID, d.test, ""); got.status >= 300 {
			d.t.Fatalf("deleting a connection: %s", got)
		}
	}
	body, err := json.Marshal(map[string]any{"type": "crm.outbound", "name": "Inbox", "url": in.URL, "events": []string{"call.completed"}})
	must(d.t, err)
	got := d.do("POST /connections", d.test, string(body))
	var made struct {
		Connection struct{ ID, Secret string }
	}
	decode(d.t, got.body, &made)
	if made.Connection.Secret == "" {
		d.t.Fatalf("creating a connection: %s", got)
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.secret = made.Connection.Secret
	return made.Connection.ID
}
