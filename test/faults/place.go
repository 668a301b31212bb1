package faults

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/pdf/pdftest"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// Build builds the program into a directory and returns its path.
func Build(dir string) (string, error) {
	binary := filepath.Join(dir, "frontdesk")
	build := exec.Command("go", "build", "-trimpath", "-o", binary, "frontdesk.dev/frontdesk/cmd/frontdesk")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the program: %w\n%s", err, out)
	}
	return binary, nil
}

// Place is what an operator has before the first command: a data directory, a
// database, and settings.
type Place struct {
	t        testing.TB
	binary   string
	data     string
	database string // empty: SQLite in data
	settings []string
}

// masterKey lets several nodes share one database.
const masterKey = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

// NewPlace makes an empty one. Settings come as NAME=value; they hold for every
// command and process.
func NewPlace(t testing.TB, binary string, settings ...string) *Place {
	t.Helper()
	p := &Place{t: t, binary: binary, data: filepath.Join(t.TempDir(), "data"), settings: settings}
	if storetest.IsPostgres() {
		p.database = storetest.Unmigrated(t)
	}
	return p
}

// Postgres says whether the place is on PostgreSQL.
func (p *Place) Postgres() bool { return p.database != "" }

// Database is the address of its PostgreSQL.
func (p *Place) Database() string { return p.database }

// With is the same place with more settings.
func (p *Place) With(settings ...string) *Place {
	other := *p
	other.settings = append(slices.Clip(p.settings), settings...)
	return &other
}

// Later is the same place with a clock that is ahead.
func (p *Place) Later(ahead time.Duration) *Place {
	return p.With("FRONTDESK_NOW=" + time.Now().Add(ahead).UTC().Format(time.RFC3339))
}

// Beside is a place for another node on the same database.
func (p *Place) Beside() *Place {
	other := *p
	if p.Postgres() {
		other.data = filepath.Join(p.t.TempDir(), "data")
	}
	return &other
}

// away is the same place with its PostgreSQL so far away.
func (p *Place) away(delay time.Duration) *Place {
	p.t.Helper()
	u, err := url.Parse(p.database)
	if err != nil {
		p.t.Fatal(err)
	}
	u.Host = NewDistance(p.t, u.Host, delay).Address()
	other := *p
	other.database = u.String()
	return &other
}

// command is the program with its settings, and none of those that this
// process happens to have.
func (p *Place) command(args ...string) *exec.Cmd {
	c := exec.Command(p.binary, args...)
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "FRONTDESK_") {
			c.Env = append(c.Env, entry)
		}
	}
	c.Env = append(c.Env, "FRONTDESK_DATA="+p.data, "FRONTDESK_DATABASE="+p.database, "FRONTDESK_MASTER_KEY="+masterKey,
		"FRONTDESK_LISTEN=127.0.0.1:0", "FRONTDESK_LOG_FORMAT=json", "FRONTDESK_CACHE="+pdftest.ProgramCacheDir(),
		"FRONTDESK_RATE_PER_SECOND=1000000", "FRONTDESK_RATE_BURST=1000000",
		"FRONTDESK_WEB_STARTS_PER_MINUTE=1000000", "FRONTDESK_WEB_AGENT_STARTS_PER_MINUTE=1000000",
		"FRONTDESK_WEB_MESSAGES_PER_SECOND=1000000", "FRONTDESK_WEB_MESSAGES_BURST=1000000")
	c.Env = append(c.Env, p.settings...)
	return c
}

// run runs a command to its end and decodes what it prints. On a busy machine
// an operator's command may take its time.
func (p *Place) run(into any, args ...string) (used time.Duration, err error) {
	c := p.With("FRONTDESK_DATABASE_TIMEOUT=30s").command(append(args, "--json")...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		return 0, fmt.Errorf("frontdesk %s: %w: %s", strings.Join(args, " "), err, stderr.Bytes())
	}
	used = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	if into == nil {
		return used, nil
	}
	if err := json.Unmarshal(stdout.Bytes(), into); err != nil {
		return used, fmt.Errorf("frontdesk %s printed no JSON: %w\n%s", strings.Join(args, " "), err, stdout.Bytes())
	}
	return used, nil
}

func (p *Place) mustRun(into any, args ...string) {
	p.t.Helper()
	if _, err := p.run(into, args...); err != nil {
		p.t.Fatal(err)
	}
}

// Tenant is an account with room for everything, and a key to its sandbox.
type Tenant struct{ Slug, Test string }

// Tenant makes an account.
func (p *Place) Tenant(slug string) Tenant {
	p.t.Helper()
	p.mustRun(nil, "tenant", "create", slug)
	p.mustRun(nil, "plan", "set", "--tenant", slug, "--max-connections", "100000", "--max-documents", "100000",
		"--max-concurrent-calls", "100000", "--included-seconds", "0")
	return Tenant{Slug: slug, Test: p.key(slug, "test")}
}

// key makes a key for a mode.
func (p *Place) key(tenant, mode string) string {
	p.t.Helper()
	var made struct{ Key string }
	p.mustRun(&made, "key", "create", "--tenant", tenant, "--mode", mode)
	return made.Key
}

// Agent gives an account somebody to talk to.
func (p *Place) Agent(tenant, slug string) {
	p.t.Helper()
	p.mustRun(nil, "agent", "create", "--tenant", tenant, "--slug", slug, "--vertical", "general", "--name", slug)
}

// Emit makes events of the account's sandbox, one transaction each, and returns
// their ids and the processor time that it took.
func (p *Place) Emit(tenant, kind string, count int) ([]string, time.Duration, error) {
	var made struct{ Events []string }
	used, err := p.run(&made, "event", "emit", "--tenant", tenant, "--mode", "test", "--type", kind, "--count", strconv.Itoa(count))
	if err == nil && len(made.Events) != count {
		err = fmt.Errorf("%d events were made, not %d", len(made.Events), count)
	}
	return made.Events, used, err
}

func (p *Place) mustEmit(tenant, kind string, count int) []string {
	p.t.Helper()
	ids, _, err := p.Emit(tenant, kind, count)
	if err != nil {
		p.t.Fatal(err)
	}
	return ids
}

// emitMeanwhile makes events a few at a time beside whatever else happens. The
// function that it returns waits for the ids.
func (p *Place) emitMeanwhile(tenant, kind string, count, batch int) func() []string {
	var ids []string
	var trouble error
	var working sync.WaitGroup
	working.Go(func() {
		for left := count; left > 0 && trouble == nil; left -= batch {
			var some []string
			some, _, trouble = p.Emit(tenant, kind, min(batch, left))
			ids = append(ids, some...)
		}
	})
	return func() []string {
		p.t.Helper()
		working.Wait()
		if trouble != nil {
			p.t.Fatal(trouble)
		}
		return ids
	}
}
