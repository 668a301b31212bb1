package bench

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// BenchmarkConsole asks the store what a console shows again and again: what is
// to be done, what came in today, and who comes when. There are 100,000 calls
// and 50,000 captures of one tenant with eight agents; one of them has nothing
// that anybody must look at, which must not take longer to find out.
func BenchmarkConsole(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { measureConsole(b, filepath.Join(b.TempDir(), "frontdesk.db")) })
	if os.Getenv("FRONTDESK_TEST_DATABASE") == "" {
		b.Log("PostgreSQL is not covered: FRONTDESK_TEST_DATABASE is not set")
		return
	}
	b.Run("postgres", func(b *testing.B) { measureConsole(b, storetest.URL(b)) })
}

func measureConsole(b *testing.B, url string) {
	books := openBooks(b, url, 100_000)
	books.addCaptures(b, url, 50_000)
	busy, idle := books.agents[0], books.agents[7]
	today := frontdesk.DateOf(time.Now().UTC())
	from := frontdesk.LocalTimeOf(time.Now().UTC())
	for _, m := range []struct {
		name string
		ask  func() (int, error)
		none bool // there is nothing to be found
	}{
		{"unconfirmed", books.captures(frontdesk.CaptureFilter{Status: frontdesk.PendingConfirm}), false},
		{"unconfirmed of an agent", books.captures(frontdesk.CaptureFilter{Status: frontdesk.PendingConfirm, AgentID: busy.ID}), false},
		{"unconfirmed of an agent without any", books.captures(frontdesk.CaptureFilter{Status: frontdesk.PendingConfirm, AgentID: idle.ID}), true},
		{"unconfirmed that are still to come", books.captures(frontdesk.CaptureFilter{Status: frontdesk.PendingConfirm, ScheduledFrom: from}), false},
		{"messages", books.captures(frontdesk.CaptureFilter{Kind: frontdesk.Message}), false},
		{"callbacks", books.captures(frontdesk.CaptureFilter{Kind: frontdesk.Callback}), false},
		{"leads", books.captures(frontdesk.CaptureFilter{Kind: frontdesk.Lead}), false},
		{"unconfirmed messages", books.captures(frontdesk.CaptureFilter{Kind: frontdesk.Message, Status: frontdesk.PendingConfirm}), false},
		{"messages of an agent", books.captures(frontdesk.CaptureFilter{Kind: frontdesk.Message, AgentID: busy.ID}), false},
		{"messages of an agent without any", books.captures(frontdesk.CaptureFilter{Kind: frontdesk.Message, AgentID: idle.ID}), true},
		{"unconfirmed messages of an agent without any", books.captures(frontdesk.CaptureFilter{Kind: frontdesk.Message, Status: frontdesk.PendingConfirm, AgentID: idle.ID}), true},
		{"calls of today", books.callsOf(frontdesk.CallFilter{StartedFrom: today.In(time.UTC)}), false},
		{"calls of today of an agent", books.callsOf(frontdesk.CallFilter{StartedFrom: today.In(time.UTC), AgentID: busy.ID}), false},
		{"calls by outcome", books.callsOf(frontdesk.CallFilter{Outcome: frontdesk.Handoff}), false},
		{"calls by outcome of an agent", books.callsOf(frontdesk.CallFilter{Outcome: frontdesk.Handoff, AgentID: busy.ID}), false},
		{"failed calls of an agent without any", books.callsOf(frontdesk.CallFilter{Outcome: frontdesk.Failed, AgentID: idle.ID}), true},
		{"agenda of a day", books.agenda(busy, today, 1), false},
		{"agenda of a week", books.agenda(busy, today, 7), false},
	} {
		b.Run(m.name, func(b *testing.B) { measureRead(b, m.ask, m.none) })
	}
}

// measureRead asks b.N times, one after the other.
func measureRead(b *testing.B, ask func() (int, error), none bool) {
	took := make([]time.Duration, max(b.N, 200)) // of fewer the slowest would be the p99
	for i := range took {
		began := time.Now()
		n, err := ask()
		took[i] = time.Since(began)
		check(b, err)
		if (n == 0) != none {
			b.Fatalf("found %d", n)
		}
	}
	slices.Sort(took)
	b.ReportMetric(micros(took[len(took)/2])/1000, "p50-ms")
	b.ReportMetric(micros(took[len(took)*99/100])/1000, "p99-ms")
	b.ReportMetric(0, "ns/op")
}

func (b *books) captures(f frontdesk.CaptureFilter) func() (int, error) {
	return func() (int, error) {
		list, err := b.store.Captures(context.Background(), b.owner, f, frontdesk.Page{Limit: 20})
		return len(list.Items), err
	}
}

func (b *books) callsOf(f frontdesk.CallFilter) func() (int, error) {
	return func() (int, error) {
		list, err := b.store.Calls(context.Background(), b.owner, f, frontdesk.Page{Limit: 20})
		return len(list.Items), err
	}
}

func (b *books) agenda(a frontdesk.Agent, from frontdesk.Date, days int) func() (int, error) {
	who := calendar.Caller{Tenant: frontdesk.Tenant{ID: b.owner.TenantID}, Agent: a, Live: true}
	return func() (n int, err error) {
		all, err := calendar.New(b.store, nil).Agenda(context.Background(), who, from, from.AddDays(days), time.Now())
		for _, day := range all {
			n += len(day.Captures)
		}
		return n, err
	}
}

// addCaptures lays in captures of all kinds in place of those that there are.
// Three of five are appointments, ten days after they were made; one of fifty
// waits to be confirmed. The last agent has confirmed appointments alone.
func (b *books) addCaptures(t testing.TB, url string, n int) {
	t.Helper()
	r := b.spread(n)
	scheduled := `strftime('%Y-%m-%dT%H:%M:00', ` + r.at + ` / 1000000 + 864000, 'unixepoch')`
	if b.store.Name() == "postgres" {
		scheduled = `to_char(to_timestamp(` + r.at + ` / 1000000 + 864000) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:00')`
	}
	statements := []string{
		`DELETE FROM captures`,
		`INSERT INTO captures (tenant_id, live, id, agent_id, channel, kind, scheduled_at, customer_name, customer_phone, service, confirmation_code, status, created_at)
		SELECT ` + r.whose + `, 'phone', CASE WHEN i % 8 = 7 OR i % 5 < 3 THEN 'appointment' WHEN i % 3 = 0 THEN 'message' WHEN i % 3 = 1 THEN 'callback' ELSE 'lead' END,
			CASE WHEN i % 8 = 7 OR i % 5 < 3 THEN ` + scheduled + ` END, 'Ana', '+34600000000', 'Mesa', 'ACDEFG',
			CASE WHEN i % 8 <> 7 AND i % 49 = 0 THEN 'pending_confirm' ELSE 'confirmed' END, ` + r.at + ` FROM ` + r.series,
	}
	if b.store.Name() == "postgres" {
		statements = append(statements, `VACUUM ANALYZE captures`, `CHECKPOINT`)
	}
	for _, s := range statements {
		b.exec(t, url, s)
	}
}
