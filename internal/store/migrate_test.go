package store_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// unmigrated opens a database and leaves it empty.
func unmigrated(t *testing.T, url string) *store.Store {
	t.Helper()
	s, err := store.Open(store.Options{URL: url, Timeout: time.Minute, MaxConnections: 4})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestMigrateOnce(t *testing.T) {
	t.Parallel()
	s := unmigrated(t, storetest.Unmigrated(t))
	todo, err := s.Pending(ctx)
	if err != nil || len(todo) == 0 {
		t.Fatalf("an empty database lacks %v, %v", todo, err)
	}
	applied, err := s.Migrate(ctx, day)
	if err != nil || len(applied) != len(todo) {
		t.Fatalf("applied %v, %v", applied, err)
	}
	if again, err := s.Migrate(ctx, day); err != nil || len(again) != 0 {
		t.Errorf("applied again %v, %v", again, err)
	}
	if todo, err := s.Pending(ctx); err != nil || len(todo) != 0 {
		t.Errorf("still lacks %v, %v", todo, err)
	}
}

func TestManyNodesMigrateAtOnce(t *testing.T) {
	t.Parallel()
	url := storetest.Unmigrated(t)
	nodes := make([]*store.Store, 8)
	for i := range nodes {
		nodes[i] = unmigrated(t, url)
	}
	var applied, pings atomic.Int64
	for _, err := range atOnce(len(nodes), func(i int) error {
		done, err := nodes[i].Migrate(ctx, day)
		applied.Add(int64(len(done)))
		if err == nil && nodes[i].Ping(ctx) == nil {
			pings.Add(1)
		}
		return err
	}) {
		t.Error(err)
	}
	todo, err := unmigrated(t, storetest.Unmigrated(t)).Pending(ctx)
	if err != nil || applied.Load() != int64(len(todo)) {
		t.Errorf("%d steps were applied, want %d, %v", applied.Load(), len(todo), err)
	}
	if pings.Load() != int64(len(nodes)) {
		t.Errorf("only %d of %d nodes can work", pings.Load(), len(nodes))
	}
}

func TestMigrateRefusesAForeignLedger(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		tamper string
		want   string
	}{
		"another checksum":  {`UPDATE migrations SET checksum = 'x' WHERE version = 1`, "with another"},
		"another version":   {`UPDATE migrations SET version = 77 WHERE version = 1`, "with another"},
		"a newer migration": {`INSERT INTO migrations (version, name, checksum, applied_at) VALUES (9999, '9999_tomorrow', 'x', 1)`, "newer than this binary: it has migration 9999_tomorrow"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storetest.New(t)
			if _, err := s.Beside().Exec(tt.tamper); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Migrate(ctx, day); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Migrate: %v", err)
			}
			if _, err := s.Pending(ctx); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Pending: %v", err)
			}
		})
	}
}

// A migration that is partly there, as after a ledger was lost, fails whole.
func TestMigrateIsOneTransaction(t *testing.T) {
	t.Parallel()
	s := unmigrated(t, storetest.Unmigrated(t))
	if _, err := s.Beside().Exec(`CREATE TABLE captures (a TEXT)`); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Migrate(ctx, day); err == nil || !strings.Contains(err.Error(), "applying 0001_foundation") {
		t.Fatalf("got %v", err)
	}
	if _, err := s.Beside().Exec(`DROP TABLE captures`); err != nil {
		t.Fatal(err)
	}
	if applied, err := s.Migrate(ctx, day); err != nil || len(applied) == 0 {
		t.Errorf("something was left behind: %v, %v", applied, err)
	}
}

// Conversations that were begun before without a word are forgotten; those in
// which somebody has spoken go on.
func TestMigrateToTalking(t *testing.T) {
	t.Parallel()
	s := unmigrated(t, storetest.Unmigrated(t))
	if err := s.MigrateBefore(ctx, "talking", day); err != nil {
		t.Fatal(err)
	}
	tenant := storetest.Tenant(t, s, "lola")
	rows := map[string]struct {
		version int
		ended   any
		kept    bool
	}{
		"without a word":           {0, nil, false},
		"with a word":              {1, nil, true},
		"ended, of the day before": {1, day.UnixMicro(), true},
	}
	ids := map[string]frontdesk.ID{}
	for name, row := range rows {
		ids[name] = frontdesk.NewID(day)
		if _, err := s.Beside().Exec(`INSERT INTO conversations
			(tenant_id, live, id, agent_id, channel, token, language, state, turns, version, started_at, touched_at, ended_at, outcome)
			VALUES ($1, $2, $3, $3, 'web', $4, 'es', '{}', '', $5, 1, 2, $6, '')`,
			string(tenant.ID), true, string(ids[name]), []byte("hash"), row.version, row.ended); err != nil {
			t.Fatal(err)
		}
	}
	if applied, err := s.Migrate(ctx, day); err != nil || len(applied) == 0 {
		t.Fatalf("applied %v, %v", applied, err)
	}
	for name, row := range rows {
		c, err := s.ConversationByID(ctx, ids[name])
		if !row.kept {
			isMissing(t, err)
		} else if err != nil || c.Lasted != 0 || c.Version != int64(row.version) {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}

// Conversations from before there were rehearsals are none, and take their place.
func TestMigrateToRehearsals(t *testing.T) {
	t.Parallel()
	s := unmigrated(t, storetest.Unmigrated(t))
	if err := s.MigrateBefore(ctx, "rehearsals", day); err != nil {
		t.Fatal(err)
	}
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "lola").ID, Live: true}
	id := frontdesk.NewID(day)
	if _, err := s.Beside().Exec(`INSERT INTO conversations
		(tenant_id, live, id, agent_id, channel, token, language, state, turns, version, started_at, touched_at, outcome, lasted)
		VALUES ($1, TRUE, $2, $2, 'web', $3, 'es', '{}', '', 1, $4, $4, '', 2000000)`,
		string(owner.TenantID), string(id), []byte("hash"), micros(day)); err != nil {
		t.Fatal(err)
	}
	if applied, err := s.Migrate(ctx, day); err != nil || len(applied) == 0 {
		t.Fatalf("applied %v, %v", applied, err)
	}
	if c, err := s.ConversationByID(ctx, id); err != nil || c.Rehearsal() || c.Version != 1 {
		t.Errorf("got %+v, %v", c, err)
	}
	if free, err := s.HasPlace(ctx, owner, store.Places{Most: 1, Since: day}); err != nil || free {
		t.Errorf("a place is free: %v, %v", free, err)
	}
	if seconds, err := s.OpenSeconds(ctx, owner, day); err != nil || seconds != 2 {
		t.Errorf("lasted %d, %v", seconds, err)
	}
}

// Calls from before they could be marked are not.
func TestMigrateToCallsSeenTo(t *testing.T) {
	t.Parallel()
	s := unmigrated(t, storetest.Unmigrated(t))
	if err := s.MigrateBefore(ctx, "calls_seen_to", day); err != nil {
		t.Fatal(err)
	}
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "lola").ID, Live: true}
	id := frontdesk.NewID(day)
	for _, insert := range []string{
		`INSERT INTO calls (tenant_id, live, id, started_at, duration_seconds, language, outcome, channel, summary) VALUES ($1, TRUE, $2, 1, 60, 'es', 'handoff', 'phone', '{}')`,
		`INSERT INTO transcripts (tenant_id, live, call_id, transcript) VALUES ($1, TRUE, $2, '{}')`,
	} {
		if _, err := s.Beside().Exec(insert, string(owner.TenantID), string(id)); err != nil {
			t.Fatal(err)
		}
	}
	if applied, err := s.Migrate(ctx, day); err != nil || len(applied) == 0 {
		t.Fatalf("applied %v, %v", applied, err)
	}
	if c, err := s.Call(ctx, owner, id); err != nil || !c.DoneAt.IsZero() {
		t.Errorf("got %+v, %v", c, err)
	}
	if err := s.MarkCall(ctx, owner, store.CallMark{ID: id, Done: day}); err != nil {
		t.Error(err)
	}
	if c, err := s.Call(ctx, owner, id); err != nil || !c.DoneAt.Equal(day) {
		t.Errorf("marked, it is %+v, %v", c, err)
	}
}

// A database from before certificates gets their tables, and keeps what it has.
func TestMigrateToCertificates(t *testing.T) {
	t.Parallel()
	s := unmigrated(t, storetest.Unmigrated(t))
	if err := s.MigrateBefore(ctx, "certificates", day); err != nil {
		t.Fatal(err)
	}
	tenant := storetest.Tenant(t, s, "lola")
	if _, err := s.CertificatesForWorker(ctx); err == nil {
		t.Fatal("there were certificates before")
	}
	if _, err := s.Migrate(ctx, day); err != nil {
		t.Fatal(err)
	}
	if all, err := s.CertificatesForWorker(ctx); err != nil || len(all) != 0 {
		t.Errorf("there are %v, %v", all, err)
	}
	if got, err := s.TenantBySlug(ctx, "lola"); err != nil || got.ID != tenant.ID {
		t.Errorf("the tenant is %v, %v", got, err)
	}
}

// Deliveries from before traces are delivered as ever, and go on with none.
func TestMigrateToDeliveryTraces(t *testing.T) {
	t.Parallel()
	s := unmigrated(t, storetest.Unmigrated(t))
	if err := s.MigrateBefore(ctx, "delivery_traces", day); err != nil {
		t.Fatal(err)
	}
	tenant := storetest.Tenant(t, s, "lola")
	l := store.Lane{Owner: frontdesk.Owner{TenantID: tenant.ID, Live: true}, Connection: frontdesk.NewID(day)}
	connection := frontdesk.Connection{
		ID: l.Connection, Live: true, Name: "CRM", URL: "https://crm.example.com/", Events: frontdesk.EventTypes,
		Status: frontdesk.ConnectionActive, Secret: frontdesk.SealedSecret{Prefix: "whsec_AAAA", Sealed: []byte("sealed")}, CreatedAt: day, UpdatedAt: day,
	}
	if err := s.CreateConnection(ctx, l.Owner, frontdesk.Actor{}, connection, 1); err != nil {
		t.Fatal(err)
	}
	event := frontdesk.NewID(day)
	if _, err := s.Beside().Exec(`INSERT INTO events (tenant_id, live, id, type, body, created_at) VALUES ($1, TRUE, $2, 'call.completed', '{}', 1)`, string(tenant.ID), string(event)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Beside().Exec(`INSERT INTO deliveries (tenant_id, live, id, connection_id, event_id, event, status, attempts, max_attempts, error_code, message, created_at, due_at)
		VALUES ($1, TRUE, $2, $3, $4, 'call.completed', 'pending', 0, 8, '', '', 1, 1)`, string(tenant.ID), string(frontdesk.NewID(day)), string(l.Connection), string(event)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Migrate(ctx, day); err != nil {
		t.Fatal(err)
	}
	claimed, err := s.ClaimForWorker(ctx, l, day, day.Add(time.Minute), 10)
	if err != nil || len(claimed.Claims) != 1 || claimed.Claims[0].Trace != "" || string(claimed.Claims[0].Body) != "{}" {
		t.Errorf("claimed %+v, %v", claimed, err)
	}
}

// A database from before does not say whose it is; the first who asks says so.
func TestMigrateToInstallation(t *testing.T) {
	t.Parallel()
	s := unmigrated(t, storetest.Unmigrated(t))
	if err := s.MigrateBefore(ctx, "installation", day); err != nil {
		t.Fatal(err)
	}
	if applied, err := s.Migrate(ctx, day); err != nil || len(applied) == 0 {
		t.Fatalf("applied %v, %v", applied, err)
	}
	if in, known, err := s.InstallationForWorker(ctx); known || err != nil {
		t.Errorf("got %+v, %v", in, err)
	}
	first := store.Installation{ID: frontdesk.NewID(day), Sealed: []byte("first"), MadeAt: day}
	second := store.Installation{ID: frontdesk.NewID(day), Sealed: []byte("second"), MadeAt: day}
	for _, in := range []store.Installation{first, second} {
		if got, err := s.EnterInstallationForWorker(ctx, in); err != nil || got.ID != first.ID || string(got.Sealed) != "first" {
			t.Errorf("got %+v, %v", got, err)
		}
	}
	if err := s.ResealInstallationForWorker(ctx, []byte("third")); err != nil {
		t.Error(err)
	}
	if in, known, err := s.InstallationForWorker(ctx); !known || err != nil || in.ID != first.ID || string(in.Sealed) != "third" {
		t.Errorf("got %+v, %v, %v", in, known, err)
	}
}

// Indexes on tables with rows are made while others write to them, and what an
// earlier attempt has left unfinished is made anew.
func TestIndexesAreMadeBesideWriters(t *testing.T) {
	t.Parallel()
	if !storetest.IsPostgres() {
		t.Skip("SQLite has one writer at a time: nothing is made beside it")
	}
	s := unmigrated(t, storetest.Unmigrated(t))
	if err := s.MigrateBefore(ctx, "book_indexes", day); err != nil {
		t.Fatal(err)
	}
	tenant := storetest.Tenant(t, s, "lola")
	const insert = `INSERT INTO captures (tenant_id, live, id, channel, kind, customer_name, customer_phone, service, confirmation_code, status, created_at)
		VALUES ($1, TRUE, $2, 'web', 'lead', 'Ana', '', '', 'ACDEFG', 'confirmed', 1)`
	for range 2 {
		if _, err := s.Beside().Exec(insert, string(tenant.ID), string(frontdesk.NewID(day))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Beside().Exec(`CREATE UNIQUE INDEX CONCURRENTLY captures_of_agent ON captures (tenant_id)`); err == nil {
		t.Fatal("an index that cannot be was made")
	}
	writer, err := s.Beside().Begin() // which the making of indexes waits for
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Rollback()
	if _, err := writer.Exec(insert, string(tenant.ID), string(frontdesk.NewID(day))); err != nil {
		t.Fatal(err)
	}
	migrated := make(chan error, 1)
	go func() {
		_, err := s.Migrate(ctx, day)
		migrated <- err
	}()
	for making := false; !making; {
		if err := s.Beside().QueryRow(`SELECT COUNT(*) > 0 FROM pg_stat_activity, pg_sleep(0.01)
			WHERE query LIKE '%INDEX CONCURRENTLY%' AND query NOT LIKE '%pg_stat%' AND state = 'active' AND wait_event_type = 'Lock'`).Scan(&making); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Beside().Exec(insert, string(tenant.ID), string(frontdesk.NewID(day))); err != nil {
		t.Errorf("nobody can write: %v", err)
	}
	if err := writer.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := <-migrated; err != nil {
		t.Fatal(err)
	}
	var made, unfinished, unique int
	if err := s.Beside().QueryRow(`SELECT COUNT(*), COUNT(*) FILTER (WHERE NOT indisvalid), COUNT(*) FILTER (WHERE indisunique)
		FROM pg_index WHERE indexrelid IN ('captures_of_agent'::regclass, 'captures_by_change'::regclass, 'events_of_agent'::regclass)`).Scan(&made, &unfinished, &unique); err != nil {
		t.Fatal(err)
	}
	if made != 3 || unfinished != 0 || unique != 0 {
		t.Errorf("%d indexes are made, %d unfinished, %d still as they were left", made, unfinished, unique)
	}
}
