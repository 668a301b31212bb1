package acceptance

import (
	"crypto/rand"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// pooler is PgBouncer in transaction mode before a database of the test's own:
// a schema would be named in a parameter that a pooler does not pass on.
type pooler struct {
	direct, pooled string // addresses
	log            *notes
}

func newPooler(t testing.TB) *pooler {
	t.Helper()
	if !storetest.IsPostgres() {
		t.Skip("a pooler is for PostgreSQL")
	}
	found, err := exec.Command("../../scripts/find-pgbouncer").Output()
	if err != nil {
		t.Skip("NOT COVERED: there is no PgBouncer here (scripts/find-pgbouncer --install)")
	}
	direct := ownDatabase(t)
	p := &pooler{direct: direct.String(), log: &notes{}}
	port := freePort(t)
	cmd := exec.Command(strings.TrimSpace(string(found)), p.configure(t, direct, port)...)
	cmd.Stdout, cmd.Stderr = p.log, p.log
	must(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	direct.Host = "127.0.0.1:" + port
	p.pooled = direct.String()
	listens := func() bool {
		c, err := net.Dial("tcp", direct.Host)
		if err == nil {
			c.Close()
		}
		return err == nil
	}
	if !until(listens, nil) {
		t.Fatalf("PgBouncer does not listen: %s", p.log)
	}
	return p
}

// ownDatabase makes a database on the tests' server.
func ownDatabase(t testing.TB) *url.URL {
	t.Helper()
	server, err := url.Parse(os.Getenv("FRONTDESK_TEST_DATABASE"))
	must(t, err)
	name := "t_" + strings.ToLower(rand.Text())
	do := func(statement string) {
		c, err := pgx.Connect(bounded(t), server.String())
		must(t, err)
		defer c.Close(bounded(t))
		_, err = c.Exec(bounded(t), statement)
		must(t, err)
	}
	do("CREATE DATABASE " + name)
	t.Cleanup(func() { do("DROP DATABASE " + name + " WITH (FORCE)") })
	own := *server
	own.Path = "/" + name
	return &own
}

// configure writes PgBouncer's files and returns its arguments. Fewer
// connections than one node would like: they must be shared.
func (p *pooler) configure(t testing.TB, database *url.URL, port string) []string {
	t.Helper()
	dir := t.TempDir()
	password, _ := database.User.Password()
	files := map[string]string{
		"users.txt": fmt.Sprintf("%q %q\n", database.User.Username(), password),
		"pgbouncer.ini": strings.Join([]string{
			"[databases]", "* = host=" + database.Hostname() + " port=" + database.Port(),
			"[pgbouncer]", "listen_addr = 127.0.0.1", "listen_port = " + port, "unix_socket_dir =",
			"auth_type = scram-sha-256", "auth_file = " + filepath.Join(dir, "users.txt"),
			"pool_mode = transaction", "default_pool_size = 6", "max_client_conn = 200", "",
		}, "\n"),
	}
	for name, text := range files {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	args := []string{filepath.Join(dir, "pgbouncer.ini")}
	if os.Getuid() != 0 {
		return args
	}
	for _, name := range []string{"postgres", "nobody"} { // it refuses to run as root
		if _, err := user.Lookup(name); err == nil {
			return append([]string{"-u", name}, args...)
		}
	}
	return args
}

// TestBehindAPooler runs two nodes whose questions go through PgBouncer in
// transaction mode. Only what listens goes straight to the server.
func TestBehindAPooler(t *testing.T) {
	t.Parallel()
	pool := newPooler(t)
	r := newReceiver(t, true)
	p := newPlace(t, slices.Concat([]string{
		at(0), "FRONTDESK_DATABASE_POOLER=transaction", "FRONTDESK_DATABASE_LISTEN=" + pool.direct,
	}, crowded, r.openings(t))...)
	p.database = pool.pooled
	p.tenant("salud")
	ask[any](p, "agent", "import", "../../internal/demo/businesses/"+dentist+".json", "--tenant", "salud")
	live := p.key("salud", "live").Key
	here, there := p.serve(), p.beside().serve()

	for _, n := range []*node{here, there} {
		if a := n.agent(live, dentist); a.Status != "active" {
			t.Errorf("the agent is %+v", a)
		}
	}
	secret := here.connect(live, r.URL).Secret
	for _, b := range kept(bookings, func(b booking) bool { return b.agent == dentist }) {
		v := here.visit("salud/"+dentist, "live", b.language)
		b.make(v)
		if outcome := v.in(there).end(); outcome != "booking" {
			t.Errorf("the outcome is %s", outcome)
		}
		r.onceEach(t, secret, there.capturesOf(live, b.phone)[0].ID, v.id)
	}
	made, got := here.upload(live, "parking.txt", []byte("Patients park for free behind the house.\n"))
	if made.ID == "" {
		t.Fatalf("the upload was answered %s", got)
	}
	if d := there.settled(live, made.ID); d.Status != "ready" {
		t.Fatalf("the document is %+v", d)
	}
	for _, n := range []*node{here, there} {
		if a := n.question(live, "Where do patients park?"); !a.has("behind the house") {
			t.Errorf("a node says %+v", a)
		}
	}
	if t.Failed() {
		t.Logf("PgBouncer says: %s", pool.log)
	}
}
