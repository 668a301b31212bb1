package bench

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// books are a tenant with many calls in the 180 days that analytics of 90 days
// look at, none of them tallied yet.
type books struct {
	store  *store.Store
	owner  frontdesk.Owner
	agents []frontdesk.Agent
	key    string
	calls  int
}

// mostCalls is what the benchmark lays in: FRONTDESK_BENCH_CALLS, or a million.
func mostCalls() int {
	if n, _ := strconv.Atoi(os.Getenv("FRONTDESK_BENCH_CALLS")); n > 0 {
		return n
	}
	return 1_000_000
}

// openBooks writes the calls straight into the tables, as a binary without
// tallies has left them.
func openBooks(t testing.TB, url string, calls int) books {
	t.Helper()
	s, err := store.Open(store.Options{URL: url, Timeout: 10 * time.Minute})
	check(t, err)
	t.Cleanup(func() { s.Close() })
	_, err = s.Migrate(context.Background(), time.Now())
	check(t, err)
	tenant := storetest.Tenant(t, s, "bench")
	_, key, err := account.NewKeys(s, time.Now).Create(context.Background(), account.NewKey{Tenant: tenant, Live: true, Scopes: []string{"all"}})
	check(t, err)
	b := books{store: s, owner: frontdesk.Owner{TenantID: tenant.ID, Live: true}, key: key.Reveal(), calls: calls}
	b.addAgents(t)
	for _, statement := range b.statements() {
		b.exec(t, url, statement)
	}
	for _, source := range []string{"calls", "captures"} {
		b.exec(t, url, `INSERT INTO tally_backfills (tenant_id, live, source, after) SELECT id, TRUE, '`+source+`', '00000000-0000-0000-0000-000000000000' FROM tenants`)
	}
	return b
}

func (b *books) addAgents(t testing.TB) {
	t.Helper()
	for i := range 8 {
		a := frontdesk.Agent{
			ID: frontdesk.NewID(time.Now()), TenantID: b.owner.TenantID, Slug: fmt.Sprint("desk-", i), Vertical: "general", DisplayName: "Desk",
			Status: "active", Languages: frontdesk.Languages, Timezone: "Europe/Madrid", CreatedAt: time.Now(), UpdatedAt: time.Now(),
			Config: frontdesk.AgentConfig{Hours: &frontdesk.Hours{{Open: 9, Close: 18}, {Open: 9, Close: 18}, {Open: 20, Close: 2}}},
		}
		check(t, b.store.CreateAgent(context.Background(), frontdesk.Actor{}, a))
		b.agents = append(b.agents, a)
	}
}

// statements spread the calls evenly over day and night, which is the worst
// case: no quarter of an hour is empty. Every third call has a capture.
func (b *books) statements() []string {
	r := b.spread(b.calls)
	channel := `CASE WHEN i % 3 = 0 THEN 'phone' ELSE 'web' END`
	statements := []string{
		`INSERT INTO calls (tenant_id, live, id, agent_id, started_at, duration_seconds, language, outcome, channel, summary)
		SELECT ` + r.whose + `, ` + r.at + `, 20 + i % 211, CASE WHEN i % 5 < 2 THEN 'en' ELSE 'es' END,
			CASE WHEN i % 7 < 2 THEN 'booking' WHEN i % 7 < 4 THEN 'info' WHEN i % 11 < 3 THEN 'handoff' WHEN i % 11 < 9 THEN 'abandoned'
				WHEN i % 2 = 0 THEN 'error' ELSE 'over_limit' END,
			` + channel + `, '{"text":"Llamó para reservar una mesa para dos el viernes a las nueve."}' FROM ` + r.series,
		`INSERT INTO captures (tenant_id, live, id, agent_id, channel, kind, customer_name, customer_phone, service, confirmation_code, status, created_at)
		SELECT ` + r.whose + `, ` + channel + `, 'lead', 'Ana', '', 'Mesa', 'ACDEFG', 'confirmed', ` + r.at + ` FROM ` + r.series + ` WHERE i % 3 = 1`,
	}
	if b.store.Name() == "postgres" {
		statements = append(statements, `VACUUM ANALYZE calls`, `VACUUM ANALYZE captures`, `CHECKPOINT`)
	}
	return statements
}

// spread are the parts of a statement that writes many rows at once. They are
// numbered by i, the newest last, and taken by the agents in turn.
type spread struct {
	series string // what they are selected from
	whose  string // tenant_id, live, id and agent_id
	at     string // when one was made, in microseconds
}

// spread spreads n rows over the 180 days up to now.
func (b *books) spread(n int) spread {
	const days = 180 * 24 * time.Hour
	at := fmt.Sprintf("(%d + i * %d)", time.Now().Add(-days).UnixMicro(), days.Microseconds()/int64(n))
	agent := "CASE i % " + strconv.Itoa(len(b.agents))
	for n, a := range b.agents {
		agent += fmt.Sprintf(" WHEN %d THEN '%s'", n, a.ID)
	}
	// A UUIDv7: the milliseconds, then the number of the row.
	id := `printf('%08x-%04x-7000-8000-%012x', ` + at + ` / 1000 >> 16, ` + at + ` / 1000 & 65535, i)`
	series, uuid := fmt.Sprintf(`(WITH RECURSIVE g (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM g WHERE i < %d - 1) SELECT i FROM g)`, n), ""
	if b.store.Name() == "postgres" {
		id = `lpad(to_hex(` + at + ` / 1000 >> 16), 8, '0') || '-' || lpad(to_hex(` + at + ` / 1000 & 65535), 4, '0') || '-7000-8000-' || lpad(to_hex(i), 12, '0')`
		series, uuid = fmt.Sprintf(`generate_series(0::bigint, %d - 1) g (i)`, n), "::uuid"
	}
	return spread{series: series, at: at, whose: fmt.Sprintf("'%s'%[2]s, TRUE, (%[3]s)%[2]s, (%[4]s END)%[2]s", b.owner.TenantID, uuid, id, agent)}
}

// exec runs a statement beneath the store.
func (b *books) exec(t testing.TB, url, statement string) {
	t.Helper()
	driver := "sqlite"
	if strings.HasPrefix(url, "postgres") {
		driver = "pgx"
	}
	db, err := sql.Open(driver, url)
	check(t, err)
	defer db.Close()
	_, err = db.Exec(statement)
	check(t, err)
}

// tally tallies all of the calls, as after an upgrade.
func (b *books) tally(t testing.TB) {
	t.Helper()
	for more := true; more; {
		var err error
		more, err = b.store.BackfillTalliesForWorker(context.Background(), 2_000)
		check(t, err)
	}
}

// counted are analytics as they are without tallies.
func (b *books) counted(t testing.TB, f frontdesk.AnalyticsFilter, w frontdesk.Window) frontdesk.Analytics {
	t.Helper()
	calls, err := b.store.CallTallies(context.Background(), b.owner, f, w.Previous, w.To)
	check(t, err)
	captures, err := b.store.CaptureTallies(context.Background(), b.owner, f, w.Previous, w.To)
	check(t, err)
	return frontdesk.Analyze(w, calls, captures, b.agents)
}
