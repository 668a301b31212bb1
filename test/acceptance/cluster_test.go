package acceptance

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"frontdesk.dev/frontdesk/internal/blob/blobtest"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

const (
	nodesOfCluster     = 3
	connectionsOfNodes = 6
)

// fleet is a clinic on several nodes with one PostgreSQL and one S3, behind nginx.
type fleet struct {
	*clinic
	t     *testing.T
	ports []string
	nodes []*node
	front *node  // as it is reached through nginx
	roots string // of nginx's certificate
}

// openFleet starts the nodes, and nginx with the example's file and a line for each.
func openFleet(t *testing.T, settings ...string) *fleet {
	t.Helper()
	if !storetest.IsPostgres() {
		t.Skip("several nodes need PostgreSQL")
	}
	documents := blobtest.NewServer(t)
	f := &fleet{t: t, clinic: newClinic(t, append([]string{
		"FRONTDESK_DOCUMENTS=" + documents.Place("documents"), "FRONTDESK_S3_ACCESS_KEY=" + string(blobtest.AccessKey), "FRONTDESK_S3_SECRET_KEY=" + string(blobtest.SecretKey),
		"FRONTDESK_TRUSTED_PROXIES=127.0.0.1", "FRONTDESK_PUBLIC_URL=https://desk.example.com", "FRONTDESK_DATABASE_CONNECTIONS=" + strconv.Itoa(connectionsOfNodes),
	}, settings...)...)}
	f.database += separator(f.database) + "application_name=" + applicationOf(t)
	for range nodesOfCluster {
		f.ports = append(f.ports, freePort(t))
		f.nodes = append(f.nodes, nil)
		f.serve(len(f.nodes)-1, "")
	}
	address, roots := proxies["nginx"].start(t, "127.0.0.1:"+strings.Join(f.ports, " max_fails=0;\n\tserver 127.0.0.1:")+" max_fails=0")
	f.front, f.roots = f.nodes[0].through(t, address, roots), roots
	return f
}

// applicationOf is what the nodes of a test call themselves to the database, which
// tests share.
func applicationOf(t testing.TB) string { return "frontdesk-" + t.Name() }

func separator(url string) string {
	if strings.Contains(url, "?") {
		return "&"
	}
	return "?"
}

// serve starts the node at a place of the fleet, of a program: empty is the one under
// test.
func (f *fleet) serve(at int, program string) {
	f.t.Helper()
	p := f.clinic.beside("FRONTDESK_LISTEN=127.0.0.1:" + f.ports[at])
	p.program = program
	f.nodes[at] = p.serve()
}

// TestSeveralNodesBehindAProxy is what docs/operations.md says of several nodes.
func TestSeveralNodesBehindAProxy(t *testing.T) {
	t.Parallel()
	f := openFleet(t)

	// Any node serves any call: each message reaches the next one.
	v := f.front.visit("salud/"+dentist, "live", "es")
	for _, line := range []string{"Buenos días, quiero pedir cita para una limpieza", "pasado mañana", "a las diez de la mañana", "Marta Ruiz", "612 345 678"} {
		v.say(line)
	}
	if s := v.say("sí, perfecto"); s.Capture == nil || s.Capture.ConfirmationCode == nil {
		t.Fatalf("nothing was booked:\n%s", v.heard())
	}
	v.end()
	for at, n := range f.nodes {
		if got := n.capturesOf(f.live, "+34612345678"); len(got) != 1 {
			t.Errorf("node %d knows of %d bookings", at, len(got))
		}
		if c := v.in(n).callOf(f.live); c.ID != v.id {
			t.Errorf("node %d has the call %+v", at, c)
		}
		if !strings.Contains(n.log.String(), `/messages"`) {
			t.Errorf("node %d served no message", at)
		}
	}

	// Documents are in S3: whichever node reads one, all answer from it.
	d, got := f.front.upload(f.live, "parking.txt", []byte("Patients park for free behind the house.\n"))
	if got.status != http.StatusCreated || f.front.settled(f.live, d.ID).Status != "ready" {
		t.Fatalf("the document is %s", got)
	}
	for at, n := range f.nodes {
		if a := n.question(f.live, "Where do I park?"); !a.has("behind the house") {
			t.Errorf("node %d says %+v", at, a)
		}
	}

	f.revokeOnOne()
	for range f.nodes { // one call for each
		f.place.callThrough(t, f.front.base, f.roots)
	}
}

// revokeOnOne revokes a key on one node: all refuse it soon.
func (f *fleet) revokeOnOne() {
	f.t.Helper()
	k := f.key("salud", "live")
	for at, n := range f.nodes {
		if got := n.do("GET /whoami", k.Key, ""); got.status != http.StatusOK {
			f.t.Fatalf("node %d: %s", at, got)
		}
	}
	ask[any](f.place, "key", "revoke", k.ID)
	for at, n := range f.nodes {
		eventually(f.t, fmt.Sprintf("node %d refuses the key", at), func() bool {
			return n.do("GET /whoami", k.Key, "").status == http.StatusUnauthorized
		})
	}
}

// TestLimitsHoldOverAllNodes takes on one node what there is, and finds the others
// refuse it, as soon as they have heard.
func TestLimitsHoldOverAllNodes(t *testing.T) {
	t.Parallel()
	if !storetest.IsPostgres() {
		t.Skip("several nodes need PostgreSQL")
	}
	const most, burst = 10, 1000
	c := newClinic(t, "FRONTDESK_RATE_BURST="+strconv.Itoa(burst), "FRONTDESK_RATE_PER_SECOND=1", "FRONTDESK_WEB_OPEN_PER_ADDRESS="+strconv.Itoa(most))
	var nodes []*node
	for range nodesOfCluster {
		nodes = append(nodes, c.beside().serve())
	}
	// Open conversations of one address.
	for range most {
		nodes[0].visit("salud/"+dentist, "live", "en").say("Where are you?")
	}
	for at, n := range nodes {
		eventually(t, fmt.Sprintf("node %d has no conversation left", at), func() bool {
			_, got, err := n.begin("salud/" + dentist)
			must(t, err)
			return got.status == http.StatusTooManyRequests
		})
	}
	// Requests of one key. The other nodes hear of them before they are asked as often.
	busy := c.key("salud", "live").Key
	for nodes[0].do("GET /whoami", busy, "").status != http.StatusTooManyRequests {
	}
	for at, n := range nodes[1:] {
		asked := 0
		eventually(t, fmt.Sprintf("node %d knows what was asked of the first", at+1), func() bool {
			asked++
			got := n.do("GET /whoami", busy, "")
			if got.status == http.StatusTooManyRequests && asked < burst {
				return true
			}
			if asked >= burst {
				t.Fatalf("node %d has answered %d requests of a key that has none left", at+1, asked)
			}
			return false
		})
	}
}

// load is clients of a fleet, who make leads and read them while nodes come and go.
// They send a lead again under the same key until it is answered.
type load struct {
	f       *fleet
	stop    chan struct{}
	done    sync.WaitGroup
	made    atomic.Int64 // answered
	read    atomic.Int64
	again   atomic.Int64 // sends of a lead that were not answered
	failed  atomic.Int64 // reads that were not answered
	mu      sync.Mutex
	answers map[string]string // capture by name
}

const clientsOfLoad = 4

func (f *fleet) startLoad() *load {
	l := &load{f: f, stop: make(chan struct{}), answers: map[string]string{}}
	for client := range clientsOfLoad {
		l.done.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-l.stop:
					return
				default:
					l.lead(fmt.Sprintf("client %d lead %d", client, n))
				}
			}
		})
	}
	return l
}

func (l *load) lead(name string) {
	pause := time.NewTicker(100 * time.Millisecond)
	defer pause.Stop()
	body := fmt.Sprintf(`{"agent":%q,"customer_name":%q,"customer_phone":"+34612000000"}`, dentist, name)
	for {
		got, err := l.f.front.tryRaw("POST /captures", l.f.live, body, "Idempotency-Key: "+strings.ReplaceAll(name, " ", "-"))
		if err == nil && got.status == http.StatusCreated {
			var made struct{ Capture capture }
			if json.Unmarshal(got.body, &made) == nil {
				l.mu.Lock()
				l.answers[name] = made.Capture.ID
				l.mu.Unlock()
			}
			break
		}
		if err == nil && got.status != http.StatusBadGateway && got.status != http.StatusConflict && got.status != http.StatusServiceUnavailable {
			l.f.t.Errorf("%s: %s", name, got)
			return
		}
		l.again.Add(1)
		<-pause.C
	}
	l.made.Add(1)
	if got, err := l.f.front.tryRaw("GET /captures?limit=5", l.f.live, ""); err != nil || got.status != http.StatusOK {
		l.failed.Add(1)
	}
	l.read.Add(1)
}

// goOn waits until so many more leads are made.
func (l *load) goOn(more int64) {
	l.f.t.Helper()
	until := l.made.Load() + more
	eventually(l.f.t, "the load goes on", func() bool { return l.made.Load() >= until })
}

// end stops the load, and demands every lead that was answered, each once.
func (l *load) end() {
	l.f.t.Helper()
	close(l.stop)
	l.done.Wait()
	found := map[string]int{}
	for _, c := range walk[capture](l.f.nodes[0], "/captures", l.f.live, 100) {
		found[c.CustomerName]++
	}
	for name := range l.answers {
		if found[name] != 1 {
			l.f.t.Errorf("%s is there %d times", name, found[name])
		}
	}
	for name, times := range found {
		if times > 1 {
			l.f.t.Errorf("%s is there %d times", name, times)
		}
	}
	if l.failed.Load() > 0 {
		l.f.t.Errorf("of %d reads %d were not answered", l.read.Load(), l.failed.Load())
	}
	l.f.t.Logf("%d leads were made and as many pages read; %d sends of a lead had to be repeated", l.made.Load(), l.again.Load())
}

// tryRaw is try for what comes through a proxy, whose own answers are not in the
// description.
func (n *node) tryRaw(operation, key, body string, headers ...string) (reply, error) {
	return n.knockRaw(strings.Replace(operation, " ", " /v1", 1), key, body, headers...)
}

// connections is how many the nodes have to the database.
func (f *fleet) connections() (count int) {
	f.t.Helper()
	c, err := pgx.Connect(context.Background(), f.database)
	must(f.t, err)
	defer c.Close(context.Background())
	must(f.t, c.QueryRow(context.Background(),
		`SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()`, applicationOf(f.t)).Scan(&count))
	return count
}

// TestNodesAreKilledAndAddedUnderLoad kills one node after the other and starts it
// again, while clients go on.
func TestNodesAreKilledAndAddedUnderLoad(t *testing.T) {
	t.Parallel()
	f := openFleet(t)
	l := f.startLoad()
	most := 0
	for at := range f.nodes {
		l.goOn(20)
		f.nodes[at].kill()
		l.goOn(20)
		f.serve(at, "")
		most = max(most, f.connections())
	}
	l.goOn(20)
	most = max(most, f.connections())
	l.end()
	if bound := nodesOfCluster * (connectionsOfNodes + 1); most > bound || most == 0 {
		t.Errorf("the nodes had %d connections, and may have %d", most, bound)
	}
}

// TestUpgradeNodeByNode replaces every node by one of a newer version, which has a
// migration more, while clients go on. The older ones serve beside it.
func TestUpgradeNodeByNode(t *testing.T) {
	t.Parallel()
	f := openFleet(t)
	newer := buildNewer(t)
	l := f.startLoad()
	for at := range f.nodes {
		l.goOn(20)
		if code := f.nodes[at].stop(); code != 0 {
			t.Errorf("node %d ended with %d", at, code)
		}
		f.serve(at, newer)
		if migrated := strings.Contains(f.nodes[at].log.String(), `"migrated the database"`); migrated != (at == 0) {
			t.Errorf("node %d migrated: %t", at, migrated)
		}
		l.goOn(20)
		for older := at + 1; older < len(f.nodes); older++ {
			v := f.nodes[older].visit("salud/"+dentist, "live", "en")
			v.say("What are your opening hours?")
			v.end()
		}
	}
	l.end()
	// An older one does not start any more, and says why.
	if got := f.clinic.beside().run("serve"); got.code == 0 || !strings.Contains(got.err, "newer") {
		t.Errorf("a program older than its database starts: %d %s", got.code, got.err)
	}
}

// buildNewer builds the program with one migration more: a table, a column in a table
// that has rows, and an index on it.
func buildNewer(t *testing.T) (program string) {
	t.Helper()
	dir := t.TempDir()
	migrations, err := filepath.Abs("../../internal/store/migrations")
	must(t, err)
	all, err := os.ReadDir(migrations)
	must(t, err)
	last, err := strconv.Atoi(all[len(all)-1].Name()[:4])
	must(t, err)
	next := filepath.Join(dir, "next.sql")
	must(t, os.WriteFile(next, []byte("CREATE TABLE of_the_next_version (id {id} PRIMARY KEY);\nALTER TABLE captures ADD COLUMN of_the_next_version TEXT;\n"), 0o600))
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(migrations, fmt.Sprintf("%04d_next.sql", last+1)): next}})
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600))
	program = filepath.Join(dir, "frontdesk")
	build := exec.Command("go", "build", "-trimpath", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, "frontdesk.dev/frontdesk/cmd/frontdesk")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the next version: %v\n%s", err, out)
	}
	return program
}
