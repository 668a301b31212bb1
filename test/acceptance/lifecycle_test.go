package acceptance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// everything is what a key can read: the answers that must stay the same.
func (n *node) everything(key string) string {
	n.t.Helper()
	var all []any
	for _, path := range []string{"/whoami", "/agents", "/voices", "/usage", "/analytics?days=90"} {
		all = append(all, get[any](n, path, key))
	}
	all = append(all, walk[any](n, "/calls", key, 100), walk[any](n, "/captures", key, 100))
	text, err := json.Marshal(all)
	must(n.t, err)
	return string(text)
}

// TestTheDemoIsCreatedOnce starts it twice: the second start prints the same
// keys and changes nothing.
func TestTheDemoIsCreatedOnce(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "FRONTDESK_NOW="+noon)
	first := demo(t, p)
	c := walk[capture](first.node, "/captures", first.live, 100)[0]
	first.move(first.live, c.ID, "no_show")
	before := first.everything(first.live)
	// The link into the console is another one at every start.
	port := regexp.MustCompile(`127\.0\.0\.1:\d+(/console/enter/\S+)?`)
	printed := port.ReplaceAllString(first.out.String(), "")
	first.stop()
	second := demo(t, p)
	if got := port.ReplaceAllString(second.out.String(), ""); got != printed {
		t.Errorf("the second start printed\n%s\nthe first\n%s", got, printed)
	}
	if after := second.everything(first.live); after != before {
		t.Error("the second start changed something")
	}
	if tenants := ask[struct{ Tenants []any }](p, "tenant", "list").Tenants; len(tenants) != 1 {
		t.Errorf("there are %d tenants", len(tenants))
	}
	second.stop()
	third := p.with(t, "FRONTDESK_NOW=2026-11-15T09:30:00Z").serve()
	if who := get[map[string]any](third, "/whoami", first.test); who["livemode"] != false {
		t.Errorf("without --demo the keys say %v", who)
	}
}

// TestTheDemoIsTheSameEverywhere: the same day gives the same past.
func TestTheDemoIsTheSameEverywhere(t *testing.T) {
	t.Parallel()
	a, b := lookAround(t), demo(t, newPlace(t, "FRONTDESK_NOW=2026-11-14T09:30:00Z"))
	first, second := walk[call](a.node, "/calls", a.live, 100), walk[call](b.node, "/calls", b.live, 100)
	if !sameJSON(first, second) {
		t.Errorf("two demos of the same instant differ: %d calls and %d", len(first), len(second))
	}
}

// TestTwoDemosAtOnce starts two nodes on one database at the same time, several
// times.
func TestTwoDemosAtOnce(t *testing.T) {
	t.Parallel()
	if !storetest.IsPostgres() {
		t.Skip("several nodes need PostgreSQL")
	}
	for range 5 {
		p := newPlace(t, "FRONTDESK_NOW="+noon)
		started := []*node{p.start("--demo"), p.beside().start("--demo")}
		var rooms []*showroom
		for _, n := range started {
			if !n.awaitReady() {
				t.Fatalf("one of two nodes did not start: %s", n.log)
			}
			rooms = append(rooms, enter(t, n))
		}
		if rooms[0].live != rooms[1].live || rooms[0].test != rooms[1].test {
			t.Error("the two printed different keys")
		}
		if rooms[0].everything(rooms[0].live) != rooms[1].everything(rooms[1].live) {
			t.Error("the two answer differently")
		}
		if tenants := ask[struct{ Tenants []any }](p, "tenant", "list").Tenants; len(tenants) != 1 {
			t.Errorf("there are %d tenants", len(tenants))
		}
		for _, r := range rooms {
			r.stop()
		}
	}
}

// TestTwoProcessesOnOneDirectory: the second is refused while the first serves,
// and commands go on working beside it. A process that was killed leaves nothing
// in the way.
func TestTwoProcessesOnOneDirectory(t *testing.T) {
	t.Parallel()
	if storetest.IsPostgres() {
		t.Skip("about the embedded database")
	}
	p := newPlace(t)
	first := p.serve()
	second := p.run("serve")
	if second.code != 1 || !strings.Contains(second.err, fmt.Sprintf("process %d", first.cmd.Process.Pid)) || !strings.Contains(second.err, p.data) || !strings.Contains(second.err, "PostgreSQL") {
		t.Errorf("a second process: %+v", second)
	}
	p.tenant("lola")
	key := p.key("lola", "live").Key
	for _, args := range [][]string{{"plan", "set", "--tenant", "lola", "--max-documents", "7"}, {"console", "link", "--tenant", "lola"}, {"backup", filepath.Join(t.TempDir(), "copy.db")}, {"rekey"}} {
		if got := p.run(args...); got.code != 0 {
			t.Errorf("%v beside a server: %+v", args, got)
		}
	}
	get[any](first, "/whoami", key)
	first.kill()
	get[any](p.serve(), "/whoami", key)
}

func TestTheClockCanBeSet(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "FRONTDESK_NOW=2031-02-03T04:05:06Z")
	created := p.run("tenant", "create", "lola", "--json")
	if created.code != 0 || !strings.Contains(created.err, "FRONTDESK_NOW") || !strings.Contains(created.out, "2031-02-03T04:05:0") {
		t.Errorf("tenant create: %+v", created)
	}
	n := p.serve()
	warned := slices.ContainsFunc(slices.Collect(n.log.lines()), func(line string) bool {
		return strings.Contains(line, `"WARN"`) && strings.Contains(line, "FRONTDESK_NOW") && strings.Contains(line, "2031-02-03")
	})
	if !warned {
		t.Errorf("the log does not warn of the clock: %s", n.log)
	}
	per := get[analytics](n, "/analytics?timezone=UTC", p.key("lola", "test").Key).PerDay
	if last := per[len(per)-1].Date; last != "2031-02-03" {
		t.Errorf("today is %s", last)
	}
	if got := p.with(t, "FRONTDESK_NOW=yesterday").run("tenant", "list", "--json"); got.code == 0 || !strings.Contains(got.err, "FRONTDESK_NOW") {
		t.Errorf("a clock that cannot be read: %+v", got)
	}
}

// TestKilledInTheMiddle kills the process while 200 changes come in. Every one
// that was answered is there afterwards, and the database is sound.
func TestKilledInTheMiddle(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "FRONTDESK_NOW="+noon)
	d := demo(t, p)
	all := kept(walk[capture](d.node, "/captures", d.live, 100), func(c capture) bool { return c.Status != "no_show" })
	const many, enough = 200, 60
	if len(all) < many {
		t.Fatalf("the demo has %d captures to change", len(all))
	}
	var answered sync.Map
	var count atomic.Int32
	half := make(chan struct{})
	go func() {
		<-half
		d.kill()
	}()
	atOnce(many, func(i int) {
		got, err := d.try("PATCH /captures/"+all[i].ID, d.live, `{"status":"no_show"}`)
		if err != nil || got.status != http.StatusOK {
			return // it came too late
		}
		answered.Store(all[i].ID, true)
		if count.Add(1) == enough {
			close(half)
		}
	})
	d.await()
	t.Logf("%d of %d changes were answered", count.Load(), many)
	again := p.serve()
	before := map[string]capture{}
	for _, c := range all {
		before[c.ID] = c
	}
	for _, c := range walk[capture](again, "/captures", d.live, 100) {
		was, changed := before[c.ID]
		_, told := answered.Load(c.ID)
		switch {
		case told && c.Status != "no_show":
			t.Errorf("%s was answered and is lost", c.ID)
		case changed && c.Status != "no_show" && c.Status != was.Status:
			t.Errorf("%s is %s", c.ID, c.Status)
		}
	}
	if found := p.examine(); found["database"] != "ok" {
		t.Errorf("doctor finds %v", found)
	}
}

// examine runs the doctor and returns what it found, by check.
func (p *place) examine() map[string]string {
	p.t.Helper()
	got := p.run("doctor", "--json")
	var report struct {
		Checks []struct{ Check, Status, Message string }
	}
	decode(p.t, []byte(got.out), &report)
	found := map[string]string{}
	for _, c := range report.Checks {
		if found[c.Check] == "" || found[c.Check] == "ok" {
			found[c.Check] = c.Status
		}
	}
	return found
}

// TestAStopFinishesWhatRuns stops the process while requests are on their way
// in; all are answered, and the process ends well.
func TestAStopFinishesWhatRuns(t *testing.T) {
	t.Parallel()
	n, key := office(t)
	const many = 10
	body := `{"specials":"to the last"}`
	var wires []*wire
	for range many {
		w := n.dial()
		n.say(w, "PATCH /v1/agents/bar HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+key+
			fmt.Sprintf("\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", len(body)))
		// With this the request is known to run: it waits for its body.
		line, err := w.reader.ReadString('\n')
		must(t, err)
		if !strings.HasPrefix(line, "HTTP/1.1 100") {
			t.Fatalf("got %s", line)
		}
		_, err = w.reader.ReadString('\n')
		must(t, err)
		wires = append(wires, w)
	}
	idle := n.dial()
	n.say(idle, "GET /v1/llms.txt HTTP/1.1\r\nHost: x\r\n\r\n")
	n.hear(idle)
	must(t, n.cmd.Process.Signal(syscall.SIGTERM))
	stopping := func() bool { return strings.Contains(n.log.String(), `"stopping"`) }
	if !until(stopping, n.ended) {
		t.Fatalf("it does not say that it stops: %s", n.log)
	}
	refused := func() bool {
		c, err := net.Dial("tcp", strings.TrimPrefix(n.base, "http://"))
		if err == nil {
			c.Close()
		}
		return err != nil
	}
	if !until(refused, n.ended) {
		t.Error("it goes on taking connections")
	}
	for _, w := range wires {
		n.say(w, body)
		if got := n.hear(w); got.status != http.StatusOK {
			t.Errorf("a request that ran was answered %s", got)
		}
	}
	if _, err := idle.reader.ReadByte(); err == nil {
		t.Error("an idle connection is still served")
	}
	if code := n.await(); code != 0 {
		t.Errorf("exit %d: %s", code, n.log)
	}
	if !storetest.IsPostgres() {
		for _, file := range files(t, n.place.data) {
			if strings.HasSuffix(file, "-wal") {
				t.Error("after a clean stop the database is not one file")
			}
		}
	}
	if got := n.place.serve().agent(key, "bar").Config["specials"]; got != "to the last" {
		t.Errorf("stored is %v", got)
	}
}

// TestAStopDoesNotWaitForever: what does not finish in time is cut off.
func TestAStopDoesNotWaitForever(t *testing.T) {
	t.Parallel()
	n, key := office(t, "FRONTDESK_STOP_TIMEOUT=4s")
	w := n.dial()
	n.say(w, "PATCH /v1/agents/bar HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+key+"\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n")
	_, err := w.reader.ReadString('\n')
	must(t, err)
	if code := n.stop(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

func TestANewTenantHasASandbox(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "FRONTDESK_NOW="+noon)
	p.tenant("lola", "--name", "Casa Lola", "--timezone", "America/Mexico_City")
	p.tenant("berta")
	n := p.serve()
	test, live := p.key("lola", "test").Key, p.key("lola", "live").Key
	calls, captures := walk[call](n, "/calls", test, 100), walk[capture](n, "/captures", test, 100)
	if len(calls) < 20 || len(captures) == 0 {
		t.Errorf("test mode has %d calls and %d captures", len(calls), len(captures))
	}
	if got := len(walk[call](n, "/calls", live, 100)) + len(walk[capture](n, "/captures", live, 100)); got != 0 {
		t.Errorf("live mode has %d things already", got)
	}
	ids := projected(calls, callID)
	for _, c := range walk[call](n, "/calls", p.key("berta", "test").Key, 100) {
		if slices.Contains(ids, c.ID) {
			t.Error("two tenants share a call")
		}
	}
	detail := get[struct{ Call call }](n, "/calls/"+calls[0].ID, test).Call
	checkTranscript(t, detail)
	for query, want := range map[string]int{"outcome=booking": 1, "channel=web": 1, "channel=phone": 1} {
		if got := len(walk[call](n, "/calls?"+query, test, 100)); got < want {
			t.Errorf("the sample has %d calls with %s", got, query)
		}
	}
}

// TestABackupIsTheDatabase copies it while it is written to, and serves the
// copy.
func TestABackupIsTheDatabase(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "FRONTDESK_NOW="+noon)
	file := filepath.Join(t.TempDir(), "copy.db")
	if storetest.IsPostgres() {
		if got := p.run("backup", file, "--json"); got.code != 1 || !strings.Contains(got.err, "pg_dump") {
			t.Errorf("backup says %+v", got)
		}
		return
	}
	d := demo(t, p)
	c := walk[capture](d.node, "/captures", d.live, 100)[0]
	done := make(chan struct{})
	var writers sync.WaitGroup
	for i := range 4 {
		writers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					if got, err := d.try("PATCH /agents/casa-lola", d.live, fmt.Sprintf(`{"policy":"%d"}`, i)); err != nil || got.status != http.StatusOK {
						t.Errorf("while the backup runs: %v %s", err, got)
						return
					}
				}
			}
		})
	}
	d.move(d.live, c.ID, "no_show")
	made := ask[map[string]any](p, "backup", file)
	close(done)
	writers.Wait()
	if made["file"] != file || made["bytes"].(float64) < 1000 {
		t.Errorf("backup says %v", made)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy is %v, %v", info, err)
	}
	if again := p.run("backup", file); again.code != 1 || !strings.Contains(again.err, "exists") {
		t.Errorf("a second backup to the same file: %+v", again)
	}
	d.patch(d.live, "casa-lola", `{"policy":"the same"}`)
	restored := restore(t, p, file)
	restored.patch(d.live, "casa-lola", `{"policy":"the same"}`)
	for _, key := range []string{d.live, d.test} {
		if restored.everything(key) != d.everything(key) {
			t.Error("the copy answers differently")
		}
	}
	if found := restored.place.examine(); found["database"] != "ok" || found["master key"] == "fail" {
		t.Errorf("doctor finds %v in the copy", found)
	}
}

// restore does what docs/operations.md says.
func restore(t *testing.T, p *place, file string) *node {
	t.Helper()
	other := p.with(t)
	other.data = filepath.Join(t.TempDir(), "restored")
	must(t, os.Mkdir(other.data, 0o700))
	for from, to := range map[string]string{file: "frontdesk.db", filepath.Join(p.data, "master.key"): "master.key"} {
		text, err := os.ReadFile(from)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(other.data, to), text, 0o600))
	}
	return other.serve()
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	t.Run("before the first start", func(t *testing.T) {
		t.Parallel()
		p := newPlace(t)
		got := p.run("doctor", "--json")
		if got.code != 0 {
			t.Errorf("doctor on a new place: %+v", got)
		}
		if _, err := os.Stat(p.data); err == nil {
			t.Error("doctor made the data directory; it must change nothing")
		}
	})
	t.Run("while all is well", func(t *testing.T) {
		t.Parallel()
		n, _ := office(t)
		for check, status := range n.place.examine() {
			if status == "fail" {
				t.Errorf("%s: %s", check, status)
			}
		}
	})
	t.Run("with a setting that is wrong", func(t *testing.T) {
		t.Parallel()
		got := newPlace(t, "FRONTDESK_RATE_BURST=lots", "FRONTDESK_LISEN=x").run("doctor", "--json")
		if got.code != 1 || !strings.Contains(got.out, "FRONTDESK_RATE_BURST") || !strings.Contains(got.out, "did you mean FRONTDESK_LISTEN") {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("with a database that is damaged", func(t *testing.T) {
		t.Parallel()
		if storetest.IsPostgres() {
			t.Skip("PostgreSQL looks after itself")
		}
		p := newPlace(t)
		p.tenant("lola")
		file := filepath.Join(p.data, "frontdesk.db")
		text, err := os.ReadFile(file)
		must(t, err)
		for i := 8192; i < len(text)-4096; i += 4096 {
			copy(text[i:], bytes.Repeat([]byte{0xaa}, 512))
		}
		must(t, os.WriteFile(file, text, 0o600))
		got := p.run("doctor", "--json")
		if got.code != 1 || p.examine()["database"] != "fail" {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("with an address that is taken", func(t *testing.T) {
		t.Parallel()
		n, _ := office(t)
		got := n.place.run("doctor", "--listen", strings.TrimPrefix(n.base, "http://"), "--json")
		if !strings.Contains(got.out, strings.TrimPrefix(n.base, "http://")) {
			t.Errorf("doctor does not speak of the address: %+v", got)
		}
	})
}

// TestEveryCommandWorksOnAnEmptyPlace: none needs another to come first.
func TestEveryCommandWorksOnAnEmptyPlace(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"tenant", "list"}, 0, ""},
		{[]string{"tenant", "create", "lola"}, 0, "lola"},
		{[]string{"agent", "list", "--tenant", "lola"}, 1, "tenant list"},
		{[]string{"agent", "create", "--tenant", "lola", "--slug", "a", "--vertical", "general", "--name", "A"}, 1, "tenant list"},
		{[]string{"key", "create", "--tenant", "lola", "--mode", "live"}, 1, "tenant list"},
		{[]string{"key", "list", "--tenant", "lola"}, 1, "tenant list"},
		{[]string{"key", "revoke", "x"}, 1, "key list"},
		{[]string{"plan", "show", "--tenant", "lola"}, 1, "tenant list"},
		{[]string{"migrate"}, 0, "up to date"},
		{[]string{"doctor"}, 0, "Ready"},
		{[]string{"version"}, 0, "frontdesk"},
		{[]string{"completion", "bash"}, 0, "frontdesk"},
		{[]string{"--help"}, 0, "serve"},
		{[]string{"srve"}, 2, "did you mean"},
		{[]string{"key", "create", "--tenant", "lola"}, 2, "--mode"},
		{[]string{"key", "create", "--tenant", "lola", "--mode", "prod"}, 2, "live or test"},
		{[]string{"serve", "--listen", "nowhere"}, 2, "--listen"},
		{[]string{"serve", "--database", "mysql://x"}, 2, "--database"},
		{[]string{"tenant", "create", "Not A Slug"}, 1, "slug"},
		{[]string{"tenant", "create", "x", "--timezone", "Madrid"}, 1, "Madrid"},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			t.Parallel()
			got := newPlace(t).run(tt.args...)
			if got.code != tt.code || !strings.Contains(got.out+got.err, tt.says) {
				t.Errorf("exit %d, want %d with %q: %s%s", got.code, tt.code, tt.says, got.out, got.err)
			}
			if strings.Contains(got.err, "goroutine") {
				t.Errorf("it panicked: %s", got.err)
			}
		})
	}
}

// TestJSONEverywhere runs an operator's day with --json.
func TestJSONEverywhere(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	config := filepath.Join(t.TempDir(), "config.json")
	must(t, os.WriteFile(config, []byte(`{"business":{"name":"Bar"}}`), 0o600))
	file := filepath.Join(t.TempDir(), "agents.yaml")
	must(t, os.WriteFile(file, []byte("slug: cafe\nvertical: restaurant\ndisplay_name: Café\n"), 0o600))
	steps := []struct{ args, fields string }{
		{"version", "go platform version"},
		{"migrate", "applied database"},
		{"doctor", "checks ok"},
		{"tenant create --slug lola --name Lola", "created_at id name plan slug timezone"},
		{"tenant list", "tenants"},
		{"agent create --tenant lola --slug bar --vertical restaurant --name Bar --timezone Europe/Lisbon --config " + config, "created_at display_name id languages slug status tenant timezone updated_at vertical"},
		{"agent import " + file + " --tenant lola", ""},
		{"agent list --tenant lola", "agents"},
		{"agent pause bar --tenant lola", "created_at display_name id languages slug status tenant timezone updated_at vertical"},
		{"agent resume --agent bar --tenant lola", "created_at display_name id languages slug status tenant timezone updated_at vertical"},
		{"key create --tenant lola --mode live --scopes all --expires 90d", "id key livemode prefix scopes tenant"},
		{"key list --tenant lola", "keys"},
		{"plan set --tenant lola --included-seconds 10", "plan tenant"},
		{"plan show --tenant lola", "plan tenant"},
	}
	for _, step := range steps {
		got := ask[map[string]any](p, strings.Fields(step.args)...)
		fields := make([]string, 0, len(got))
		for name := range got {
			fields = append(fields, name)
		}
		slices.Sort(fields)
		if text := strings.Join(fields, " "); step.fields != "" && text != step.fields {
			t.Errorf("%s has %s, want %s", step.args, text, step.fields)
		}
	}
	for args, code := range map[string]string{
		"tenant create lola": "slug_taken",
		"agent create --tenant lola --slug bar --vertical general --name x": "slug_taken",
		"key create --tenant nobody --mode live":                            "not_found",
		"key create --tenant lola --mode test --scopes agents:write":        "parameter_invalid",
		"key create --tenant lola --mode test --scopes magic":               "parameter_invalid",
		"tenant create": "usage",
		"nothing":       "usage",
		"serve --demoo": "usage",
	} {
		got := p.run(append(strings.Fields(args), "--json")...)
		var said struct {
			Error struct {
				Code, Message string
				Param         *string
			}
		}
		decode(t, []byte(got.err), &said)
		if got.code == 0 || said.Error.Code != code || said.Error.Message == "" || got.out != "" {
			t.Errorf("%s: exit %d %s%s, want %s", args, got.code, got.out, got.err, code)
		}
	}
}

// TestTheReadmesInstallation runs the README's chapter for operators.
func TestTheReadmesInstallation(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	must(t, err)
	p := newPlace(t)
	ran := 0
	for _, line := range regexp.MustCompile(`(?m)^bin/frontdesk (.*)$`).FindAllStringSubmatch(string(text), -1) {
		if strings.HasPrefix(line[1], "serve") {
			continue
		}
		c := p.command()
		c.Args = []string{"sh", "-c", `exec "$0" ` + line[1]}
		c.Path, err = exec.LookPath("sh")
		must(t, err)
		c.Args = append(c.Args, binary)
		c.Dir = "../.."
		if got := finish(t, c); got.code != 0 {
			t.Errorf("%s: exit %d: %s", line[1], got.code, got.err)
		}
		ran++
	}
	if ran < 3 {
		t.Errorf("the README has %d commands", ran)
	}
}

func TestAnAddressThatIsTaken(t *testing.T) {
	t.Parallel()
	n, _ := office(t)
	address := strings.TrimPrefix(n.base, "http://")
	got := newPlace(t, "FRONTDESK_LOG_LEVEL=warn").run("serve", "--listen", address)
	if got.code != 1 || !strings.Contains(got.err, address) || !strings.Contains(got.err, "in use") || strings.Count(got.err, "\n") > 3 {
		t.Errorf("exit %d: %s", got.code, got.err)
	}
}

func TestADataDirectoryThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	if storetest.IsPostgres() {
		t.Skip("nothing is written there with PostgreSQL and a master key")
	}
	dir := filepath.Join(os.TempDir(), "frontdesk-acceptance-"+filepath.Base(t.TempDir())+fmt.Sprint(os.Getpid()))
	must(t, os.Mkdir(dir, 0o555))
	t.Cleanup(func() { os.RemoveAll(dir) })
	must(t, os.Chmod(dir, 0o555))
	p := newPlace(t)
	p.data = dir
	for _, args := range [][]string{{"serve"}, {"tenant", "create", "lola"}, {"doctor"}} {
		c := p.command(args...)
		if os.Getuid() == 0 { // root may write everywhere
			c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
			c.Dir = "/"
		}
		got := finish(t, c)
		if text := got.out + got.err; got.code != 1 || !strings.Contains(text, dir) {
			t.Errorf("%v: exit %d: %s", args, got.code, text)
		}
		if strings.Contains(got.err, "goroutine ") {
			t.Errorf("%v panicked: %s", args, got.err)
		}
	}
	t.Run("a file in its place", func(t *testing.T) {
		p := newPlace(t)
		p.data = filepath.Join(t.TempDir(), "file")
		must(t, os.WriteFile(p.data, nil, 0o600))
		if got := p.run("tenant", "list"); got.code != 1 || !strings.Contains(got.err, p.data) {
			t.Errorf("got %+v", got)
		}
	})
}

// TestAFullDisk fills the disk of the data directory: writes are refused with
// a clear answer, reads go on, and all is well when there is room again.
func TestAFullDisk(t *testing.T) {
	t.Parallel()
	if storetest.IsPostgres() {
		t.Skip("the data directory holds no database")
	}
	disk := t.TempDir()
	if err := exec.Command("mount", "-t", "tmpfs", "-o", "size=4m,mode=0700", "tmpfs", disk).Run(); err != nil {
		t.Skipf("a small disk cannot be mounted here (that takes root on Linux): %v", err)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", disk).CombinedOutput(); err != nil {
			t.Errorf("umount: %v %s", err, out)
		}
	})
	p := newPlace(t, "FRONTDESK_DATABASE_TIMEOUT=1500ms")
	p.data = filepath.Join(disk, "data")
	p.tenant("lola")
	p.agent("lola", "bar")
	key := p.key("lola", "live").Key
	n := p.serve()
	n.patch(key, "bar", `{"policy":"from before"}`)
	filler := filepath.Join(disk, "filler")
	fill(t, filler)
	// The log that is there already may have room for a few changes.
	var refused reply
	for i := 0; refused.status == 0 && i < 100; i++ {
		if got := n.do("PATCH /agents/bar", key, fmt.Sprintf(`{"specials":%q}`, strings.Repeat(fmt.Sprint(i%10), 200<<10))); got.status != http.StatusOK {
			refused = got
		}
	}
	if f := refused.refuses(t, http.StatusServiceUnavailable, "database_unavailable"); f.Type != "api_error" || refused.header.Get("Retry-After") == "" {
		t.Errorf("got %s", refused)
	}
	for range 3 {
		n.do("PATCH /agents/bar", key, `{"specials":"`+strings.Repeat("y", 200<<10)+`"}`).refuses(t, http.StatusServiceUnavailable, "database_unavailable")
		for _, path := range []string{"/whoami", "/agents", "/calls", "/captures", "/usage", "/analytics"} {
			get[any](n, path, key)
		}
	}
	if got := n.status("/healthz"); got != http.StatusOK {
		t.Errorf("/healthz is %d", got)
	}
	if got := n.agent(key, "bar").Config; got["policy"] != "from before" || strings.HasPrefix(fmt.Sprint(got["specials"]), "y") {
		t.Error("what was refused was applied")
	}
	must(t, os.Remove(filler))
	n.patch(key, "bar", `{"specials":"there is room again"}`)
	if got := n.agent(key, "bar").Config["specials"]; got != "there is room again" {
		t.Errorf("stored is %v", got)
	}
	if found := p.examine(); found["database"] != "ok" {
		t.Errorf("doctor finds %v", found)
	}
	n.stop()
	if got := p.serve().agent(key, "bar").Config["specials"]; got != "there is room again" {
		t.Errorf("after a restart it is %v", got)
	}
}

// fill writes until nothing more fits.
func fill(t *testing.T, file string) {
	t.Helper()
	f, err := os.Create(file)
	must(t, err)
	defer f.Close()
	for size := 1 << 20; size > 0; size /= 2 {
		for err = nil; err == nil; {
			_, err = io.Copy(f, bytes.NewReader(make([]byte, size)))
		}
	}
}

// TestTheDataDirectoryIsClosedToOthers: it holds what callers said, and the
// master key.
func TestTheDataDirectoryIsClosedToOthers(t *testing.T) {
	t.Parallel()
	if storetest.IsPostgres() {
		t.Skip("the data directory holds no database")
	}
	n, _ := office(t)
	err := filepath.WalkDir(n.place.data, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && d.IsDir() && info.Mode().Perm() != 0o700 {
			t.Errorf("%s has the mode %04o", filepath.Base(name), info.Mode().Perm())
		}
		if err == nil && d.Name() == "master.key" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s has the mode %04o", d.Name(), info.Mode().Perm())
		}
		return err
	})
	must(t, err)
}
