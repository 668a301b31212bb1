package store_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// partitioned is a store whose calls stand in partitions.
func partitioned(t *testing.T) (*store.Store, frontdesk.Owner) {
	t.Helper()
	if !storetest.IsPostgres() {
		t.Skip("SQLite has no partitions")
	}
	return owned(t)
}

// keep keeps the partitions as at a time, and says what was done to those of calls.
func keep(t *testing.T, s *store.Store, now time.Time) (did []string) {
	t.Helper()
	changes, err := s.KeepPartitionsForWorker(ctx, now)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		if c.Table == "calls" {
			did = append(did, string(c.Step)+" "+c.Partition)
		}
	}
	return did
}

func partitionsOf(t *testing.T, s *store.Store, table string) []string {
	t.Helper()
	all, err := s.Partitions(ctx, table)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func isNow(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\ngot  %s\nwant %s", what, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

// said is a call at a time in which something is said, with a capture and an event.
func said(at time.Time, text string) store.Recording {
	r := recording(at, 60, 1)
	r.Call.Transcript = transcriptOf(text)
	r.Events = []frontdesk.Event{event(frontdesk.CallCompleted, at)}
	return r
}

// TestAYearInPartitions lets a year pass, month by month, and then forgets its
// first half.
func TestAYearInPartitions(t *testing.T) {
	t.Parallel()
	s, owner := partitioned(t)
	c := connect(t, s, owner, frontdesk.CallCompleted)
	begin := time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC)
	var calls []store.Recording
	for m := range 12 {
		now := begin.AddDate(0, m, 0)
		keep(t, s, now)
		if did := keep(t, s, now.Add(time.Hour)); len(did) > 0 {
			t.Errorf("an hour later: %s", did)
		}
		for d := range 3 {
			r := said(now.AddDate(0, 0, d), fmt.Sprint("terraza mes", m))
			record(t, s, owner, r)
			calls = append(calls, r)
		}
	}
	for _, table := range store.PartitionedTables() {
		want := []string{table + "_first [,2026-03)"}
		for m := time.March; m <= 13; m++ {
			from := time.Date(2026, m, 1, 0, 0, 0, 0, time.UTC)
			want = append(want, fmt.Sprintf("%s_from_%s [%s,%s)", table, from.Format("200601"), from.Format("2006-01"), from.AddDate(0, 1, 0).Format("2006-01")))
		}
		isNow(t, table, partitionsOf(t, s, table), append(want, table+"_from_202702 [2027-02,)")...)
	}

	got := allCalls(t, s, owner)
	slices.Reverse(got)
	if len(got) != len(calls) || !slices.EqualFunc(got, calls, func(a frontdesk.Call, b store.Recording) bool { return a.ID == b.Call.ID }) {
		t.Errorf("%d of %d calls are listed, or in another order", len(got), len(calls))
	}
	for word, want := range map[string]int{"terraza": 36, "mes4": 3, "mes11": 3} {
		found := 0
		for p := (frontdesk.Page{Limit: 2}); ; {
			l, err := s.Calls(ctx, owner, frontdesk.CallFilter{Search: word}, p)
			if err != nil {
				t.Fatal(err)
			}
			if found += len(l.Items); !l.More {
				break
			}
			p.StartingAfter = l.Items[len(l.Items)-1].ID
		}
		if found != want {
			t.Errorf("%s is found in %d calls, want %d", word, found, want)
		}
	}
	if all := deliveriesOf(t, s, owner, c.ID); len(all) == 0 || all[0].EventID != calls[35].Events[0].ID {
		t.Errorf("of deliveries the last is not the first: %v", all)
	}

	// Half of the calls are forgotten; their events are kept.
	half := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	for n := int64(1); n > 0; {
		var err error
		if n, err = s.ForgetCalls(ctx, owner, half, 5); err != nil {
			t.Fatal(err)
		}
	}
	end := begin.AddDate(0, 11, 5)
	isNow(t, "dropped", keep(t, s, end), "dropped calls_first", "dropped calls_from_202603", "dropped calls_from_202604", "dropped calls_from_202605", "dropped calls_from_202606")
	for table, first := range map[string]string{
		"calls": "calls_from_202607 [,2026-08)", "transcripts": "transcripts_from_202607 [,2026-08)", "call_words": "call_words_from_202607 [,2026-08)",
		"deliveries": "deliveries_first [,2026-03)", "events": "events_first [,2026-03)",
	} {
		if parts := partitionsOf(t, s, table); parts[0] != first {
			t.Errorf("%s begin with %s, want %s", table, parts[0], first)
		}
	}
	if left := allCalls(t, s, owner); len(left) != 18 {
		t.Errorf("%d calls are left", len(left))
	}
	for i, r := range calls {
		capture, err := s.Capture(ctx, owner, r.Captures[0].ID)
		if err != nil || (capture.CallID == "") != (i < 18) {
			t.Errorf("capture %d: %+v, %v", i, capture, err)
		}
	}
	if rows(t, s, "call_words") != 18 || rows(t, s, "transcripts") != 18 {
		t.Errorf("%d words and %d transcripts are left", rows(t, s, "call_words"), rows(t, s, "transcripts"))
	}
	// A call of long ago finds its place, and keeps it.
	record(t, s, owner, said(begin, "de antes"))
	if did := keep(t, s, end); len(did) > 0 || len(allCalls(t, s, owner)) != 19 {
		t.Errorf("with a call of long ago: %s", did)
	}
}

// A partition in the middle that is empty goes too, and leaves no hole.
func TestAMonthWithoutCalls(t *testing.T) {
	t.Parallel()
	s, owner := partitioned(t)
	for m := range 4 {
		want := []string{"made calls_from_" + day.AddDate(0, m+1, 30).Format("200601")}
		if m == 3 {
			want = append(want, "dropped calls_from_202701")
		}
		isNow(t, fmt.Sprint("month ", m), keep(t, s, day.AddDate(0, m, 0)), want...)
		if m != 2 {
			record(t, s, owner, said(day.AddDate(0, m, 0), "hola"))
		}
	}
	isNow(t, "left", partitionsOf(t, s, "calls"), "calls_first [,2027-01)", "calls_from_202702 [2027-01,2027-03)",
		"calls_from_202703 [2027-03,2027-04)", "calls_from_202704 [2027-04,)")
	record(t, s, owner, said(day.AddDate(0, 2, 0), "hola"))
	if all := allCalls(t, s, owner); len(all) != 4 {
		t.Errorf("%d calls are there", len(all))
	}
	// It can be joined once more.
	for n := int64(1); n > 0; {
		var err error
		if n, err = s.ForgetCalls(ctx, owner, day.AddDate(0, 2, 1), 5); err != nil {
			t.Fatal(err)
		}
	}
	isNow(t, "dropped", keep(t, s, day.AddDate(0, 3, 1)), "dropped calls_first")
	isNow(t, "left", partitionsOf(t, s, "calls"), "calls_from_202702 [,2027-03)", "calls_from_202703 [2027-03,2027-04)", "calls_from_202704 [2027-04,)")
	record(t, s, owner, said(day, "hola"))
}

// Nobody keeps the partitions for a year while calls go on: the last one takes them
// all, and is given its end without moving one.
func TestPartitionsAfterAYearAlone(t *testing.T) {
	t.Parallel()
	s, owner := partitioned(t)
	c := connect(t, s, owner, frontdesk.CallCompleted)
	keep(t, s, day)
	for m := range 14 {
		record(t, s, owner, said(day.AddDate(0, m, 0), "hola"))
	}
	isNow(t, "made", keep(t, s, day.AddDate(0, 13, 0)), "made calls_from_202802")
	isNow(t, "partitions", partitionsOf(t, s, "calls"), "calls_first [,2027-01)", "calls_from_202701 [2027-01,2028-02)", "calls_from_202802 [2028-02,)")
	record(t, s, owner, said(day.AddDate(0, 15, 0), "hola"))
	if all := allCalls(t, s, owner); len(all) != 15 {
		t.Errorf("%d calls are there", len(all))
	}
	if n := len(claimAll(t, s, store.Lane{Owner: owner, Connection: c.ID}, day.AddDate(2, 0, 0), 50).Claims); n != 15 {
		t.Errorf("%d deliveries are claimed", n)
	}
}

// A call from the far future, made by a clock that was wrong, keeps the last
// partition open. Nothing is refused for it.
func TestACallFromTheFuture(t *testing.T) {
	t.Parallel()
	s, owner := partitioned(t)
	keep(t, s, day)
	far := said(day.AddDate(70, 0, 0), "hola")
	record(t, s, owner, far)
	for m := 1; m < 6; m++ {
		isNow(t, "kept", keep(t, s, day.AddDate(0, m, 0)), "stray calls_from_202701")
		record(t, s, owner, said(day.AddDate(0, m, 0), "hola"))
	}
	// docs/operations.md says how to look for it.
	page, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	look := regexp.MustCompile("`(SELECT tenant_id, id, [^`]* FROM calls ORDER BY id DESC LIMIT 10)`").FindSubmatch(page)
	if look == nil {
		t.Fatal("docs/operations.md does not say how to look for calls of a wrong clock")
	}
	var tenant, id string
	var started time.Time
	if err := s.Beside().QueryRow(string(look[1])).Scan(&tenant, &id, &started); err != nil || id != string(far.Call.ID) || !started.Equal(far.Call.StartedAt.Truncate(time.Second)) {
		t.Errorf("it is found as %s at %s, %v", id, started, err)
	}
	if n, err := s.Beside().Exec(`DELETE FROM calls WHERE id = $1`, string(far.Call.ID)); err != nil {
		t.Fatal(n, err)
	}
	isNow(t, "without it", keep(t, s, day.AddDate(0, 6, 0)), "made calls_from_202707")
	if all := allCalls(t, s, owner); len(all) != 5 {
		t.Errorf("%d calls are there", len(all))
	}
}

// Partitions that somebody has taken away are made anew.
func TestHolesAreClosed(t *testing.T) {
	t.Parallel()
	s, owner := partitioned(t)
	for m := range 4 {
		keep(t, s, day.AddDate(0, m, 0))
		record(t, s, owner, said(day.AddDate(0, m, 0), "hola"))
	}
	before := partitionsOf(t, s, "calls")
	for _, taken := range []string{"calls_first", "calls_from_202702", "calls_from_202704"} {
		if _, err := s.Beside().Exec(`DROP TABLE ` + taken); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.RecordCalls(ctx, owner, said(day, "hola")); err == nil {
		t.Fatal("a call was recorded without a place for it")
	}
	now := day.AddDate(0, 2, 15)
	isNow(t, "made", keep(t, s, now), "made calls_first", "made calls_from_202702", "made calls_from_202704", "dropped calls_first")
	isNow(t, "partitions", partitionsOf(t, s, "calls"), append([]string{"calls_from_202701 [,2027-02)"}, before[2:]...)...)
	record(t, s, owner, said(day, "hola"), said(now, "hola"), said(now.AddDate(0, 2, 0), "hola"))
}

// Of many nodes that keep the partitions at once, one does it, beside who records.
func TestManyKeepPartitionsAtOnce(t *testing.T) {
	t.Parallel()
	s, owner := partitioned(t)
	var mu sync.Mutex
	var made int
	var wanted []store.Recording
	for i := range 40 {
		wanted = append(wanted, said(day.AddDate(0, 0, i), "hola"))
	}
	for _, err := range atOnce(8, func(i int) error {
		if i%2 == 0 {
			return s.RecordCalls(ctx, owner, wanted[i*5:i*5+5]...)
		}
		changes, err := s.KeepPartitionsForWorker(ctx, day.AddDate(0, 0, i))
		mu.Lock()
		defer mu.Unlock()
		for _, c := range changes {
			if c.Step == store.PartitionMade {
				made++
			}
		}
		return err
	}) {
		t.Error(err)
	}
	if all := allCalls(t, s, owner); len(all) != 20 || made != len(store.PartitionedTables()) {
		t.Errorf("%d calls are there, and %d partitions were made", len(all), made)
	}
}

// A partition is told what its table was told.
func TestPartitionsAreAlike(t *testing.T) {
	t.Parallel()
	s, _ := partitioned(t)
	keep(t, s, day)
	keep(t, s, day.AddDate(0, 1, 0))
	for _, table := range store.PartitionedTables() {
		alike := map[string]string{}
		for _, part := range partitionsOf(t, s, table) {
			name, _, _ := strings.Cut(part, " ")
			var how string
			if err := s.Beside().QueryRow(`SELECT CONCAT(c.reloptions::text, ' ',
				(SELECT string_agg(CONCAT(a.attname, a.attstorage, a.attnotnull, a.attstattarget), ' ' ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0), ' ',
				(SELECT string_agg(regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING', ''), ' ' ORDER BY regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING', '')) FROM pg_index i WHERE i.indrelid = c.oid), ' ',
				(SELECT string_agg(pg_get_constraintdef(k.oid), ' ' ORDER BY k.contype) FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype IN ('p', 'f')), ' ',
				(SELECT string_agg(g.tgname, ' ') FROM pg_trigger g WHERE g.tgrelid = c.oid AND NOT g.tgisinternal))
				FROM pg_class c WHERE c.relname = $1 AND c.relnamespace = current_schema()::regnamespace`, name).Scan(&how); err != nil {
				t.Fatal(err)
			}
			alike[how] = name
		}
		if len(alike) != 1 {
			t.Errorf("partitions of %s differ: %v", table, alike)
		}
	}
}

// Two deliveries that stand in the same place of two partitions are two.
func TestADeliveryIsClaimedInItsPartitionAlone(t *testing.T) {
	t.Parallel()
	s, owner := partitioned(t)
	c := connect(t, s, owner, frontdesk.CallCompleted)
	keep(t, s, day)
	emit(t, s, owner, event(frontdesk.CallCompleted, day), event(frontdesk.CallCompleted, day.AddDate(0, 3, 0)))
	claimed := claimAll(t, s, store.Lane{Owner: owner, Connection: c.ID}, day, 10)
	if len(claimed.Claims) != 1 || !claimed.Claims[0].Delivery.CreatedAt.Equal(day) {
		t.Errorf("claimed are %+v", claimed.Claims)
	}
}

// With many partitions a question takes longer to plan than to answer. PostgreSQL
// keeps the plans of those that customers ask.
func TestPlansAreKept(t *testing.T) {
	t.Parallel()
	s, owner := partitioned(t)
	fillMonths(t, s, owner, 13, 5000)
	before := "ffffffff-ffff-ffff-ffff-ffffffffffff"
	search, args := store.FindWords(s, owner, "mesa")
	questions := map[string][]any{search: args}
	texts := tellingStore(t)
	for _, f := range []frontdesk.CallFilter{{}, {Outcome: "error"}, {Outcome: "error", Channel: "phone"}, {Language: "es"}} {
		asked := texts.Asked()
		if _, err := texts.Calls(ctx, owner, f, frontdesk.Page{}); err != nil {
			t.Fatal(err)
		}
		args := []any{string(owner.TenantID), owner.Live, before}
		for _, value := range []string{string(f.Outcome), string(f.Channel), f.Language} {
			if value != "" {
				args = append(args, value)
			}
		}
		for _, query := range texts.Asked() {
			if !slices.Contains(asked, query) {
				questions[query] = args
			}
		}
	}
	if len(questions) != 5 {
		t.Fatalf("%d questions are asked", len(questions))
	}
	conn, err := s.Beside().Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for query, args := range questions {
		// pgx prepares what it is asked.
		for range 10 {
			if _, err := conn.ExecContext(ctx, query, args...); err != nil {
				t.Fatal(err)
			}
		}
		var kept, anew int
		if err := conn.QueryRowContext(ctx, `SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement = $1`, query).Scan(&kept, &anew); err != nil {
			t.Fatal(err)
		}
		if kept != 5 || anew != 5 {
			t.Errorf("planned %d times, and %d times not:\n%s", anew, kept, query)
		}
	}
}

// fillMonths lays in calls on a day of each month.
func fillMonths(t *testing.T, s *store.Store, owner frontdesk.Owner, months, each int) {
	t.Helper()
	for m := range months {
		at := day.AddDate(0, m, 0)
		keep(t, s, at)
		for _, statement := range []string{
			`INSERT INTO calls (tenant_id, live, id, agent_id, started_at, duration_seconds, language, outcome, channel, summary)
				SELECT $1::uuid, TRUE, (left($2, 24) || lpad(to_hex(i), 12, '0'))::uuid, '` + string(commonAgent) + `', $3::bigint + i, 60, 'es', CASE WHEN i % 50 = 0 THEN 'error' WHEN i % 7 < 2 THEN 'booking' ELSE 'info' END,
				CASE WHEN i % 3 = 0 THEN 'phone' ELSE 'web' END, '{"text":"Called to book a table for two on Friday at nine."}' FROM generate_series(1, $4) i`,
			`INSERT INTO transcripts (tenant_id, live, call_id, transcript)
				SELECT $1::uuid, TRUE, (left($2, 24) || lpad(to_hex(i), 12, '0'))::uuid, '{}' FROM generate_series(1, $4) i WHERE $3::bigint > 0`,
			`INSERT INTO call_words (tenant_id, live, call_id, words)
				SELECT $1::uuid, TRUE, (left($2, 24) || lpad(to_hex(i), 12, '0'))::uuid, '{some,words}' FROM generate_series(1, $4) i WHERE $3::bigint > 0`,
		} {
			if _, err := s.Beside().Exec(statement, string(owner.TenantID), string(frontdesk.FirstIDAt(at)), micros(at), each); err != nil {
				t.Fatal(err)
			}
		}
	}
	analyze(t, s, "calls", "transcripts", "call_words")
}

// A page reads the newest partitions alone, in their order, and what it goes on
// from leaves out those behind.
func TestPagesReadFewPartitions(t *testing.T) {
	t.Parallel()
	s, owner := partitioned(t)
	fillMonths(t, s, owner, 24, 500)
	me := fmt.Sprintf("tenant_id = '%s' AND live AND ", owner.TenantID)
	middle := string(frontdesk.FirstIDAt(day.AddDate(0, 12, 1)))
	for name, tt := range map[string]struct {
		query, position string
		read            int // partitions of calls
	}{
		"the first page":  {`id < $1 ORDER BY id DESC LIMIT 26 + 0`, "ffffffff-ffff-ffff-ffff-ffffffffffff", 3}, // two of them are of months to come
		"a page":          {`id < $1 ORDER BY id DESC LIMIT 26 + 0`, middle, 1},
		"a filtered page": {`id < $1 AND outcome = 'error' ORDER BY id DESC LIMIT 26 + 0`, middle, 3},
		"one call":        {`id = $1`, middle, 1},
	} {
		conn, err := s.Beside().Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
			for _, statement := range []string{"SET plan_cache_mode = " + mode, "PREPARE question (uuid) AS SELECT id FROM calls WHERE " + me + tt.query} {
				if _, err := conn.ExecContext(ctx, statement); err != nil {
					t.Fatal(err)
				}
			}
			plan := explain(t, conn, "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE question('"+tt.position+"')")
			read := len(regexp.MustCompile(`on calls_\w+ (calls(_\d+)? )?\(actual`).FindAllString(plan, -1))
			if read != tt.read || strings.Contains(plan, "Sort") || strings.Contains(plan, "Seq Scan") {
				t.Errorf("%s, %s, reads %d partitions, want %d:\n%s", name, mode, read, tt.read, plan)
			}
			if _, err := conn.ExecContext(ctx, "DEALLOCATE question"); err != nil {
				t.Fatal(err)
			}
		}
		conn.Close()
	}
}

// A database with calls and deliveries keeps them, and goes on serving programs of
// the version before.
func TestMigrateToPartitions(t *testing.T) {
	t.Parallel()
	s := unmigrated(t, storetest.Unmigrated(t))
	if err := s.MigrateBefore(ctx, "partitions", day); err != nil {
		t.Fatal(err)
	}
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "lola").ID, Live: true}
	c := connect(t, s, owner, frontdesk.CallCompleted)
	first, second := said(day.AddDate(-1, 0, 0), "terraza"), said(day, "terraza")
	record(t, s, owner, first, second)
	before := map[string]int{}
	for _, table := range store.PartitionedTables() {
		before[table] = rows(t, s, table)
	}

	migrateBesideAReader(t, s)
	for table, n := range before {
		if got := rows(t, s, table); got != n || n != 2 {
			t.Errorf("of %d %s %d are left", n, table, got)
		}
	}
	third := said(day.AddDate(0, 0, 1), "terraza")
	record(t, s, owner, third)
	keep(t, s, day.AddDate(0, 0, 2))
	l, err := s.Calls(ctx, owner, frontdesk.CallFilter{Search: "terraza"}, frontdesk.Page{})
	if err != nil || len(l.Items) != 3 || l.Items[0].ID != third.Call.ID {
		t.Errorf("found %v, %v", l.Items, err)
	}
	if claimed := claimAll(t, s, store.Lane{Owner: owner, Connection: c.ID}, day.AddDate(0, 0, 2), 10); len(claimed.Claims) != 3 {
		t.Errorf("claimed are %+v", claimed.Claims)
	}
	// What deletes a transcript need not know of its words.
	if n, err := s.ForgetTranscripts(ctx, owner, day, 10); n != 1 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
	if n := rows(t, s, "call_words"); n != 2 {
		t.Errorf("the words of %d calls are left", n)
	}
}

// migrateBesideAReader migrates while somebody reads calls for long, whom nobody
// else has to wait for.
func migrateBesideAReader(t *testing.T, s *store.Store) {
	t.Helper()
	if !storetest.IsPostgres() {
		if _, err := s.Migrate(ctx, day); err != nil {
			t.Fatal(err)
		}
		return
	}
	reader, err := s.Beside().Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Rollback()
	if _, err := reader.Exec(`SELECT COUNT(*) FROM calls`); err != nil {
		t.Fatal(err)
	}
	migrated := make(chan error, 1)
	go func() {
		_, err := s.Migrate(ctx, day)
		migrated <- err
	}()
	for waiting := false; !waiting; {
		if err := s.Beside().QueryRow(`SELECT COUNT(*) > 0 FROM pg_locks, pg_sleep(0.01) WHERE relation = 'calls'::regclass AND mode = 'AccessExclusiveLock' AND NOT granted`).Scan(&waiting); err != nil {
			t.Fatal(err)
		}
	}
	if n := rows(t, s, "calls"); n != 2 { // it waits for the migration to give up, and no longer
		t.Errorf("%d calls are read", n)
	}
	if err := reader.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := <-migrated; err != nil {
		t.Fatal(err)
	}
}

// A database whose words went row by row keeps them, and they go with their
// transcripts.
func TestMigrateToWordsOfTranscripts(t *testing.T) {
	t.Parallel()
	s := unmigrated(t, storetest.Unmigrated(t))
	if err := s.MigrateBefore(ctx, "words_of_transcripts", day); err != nil {
		t.Fatal(err)
	}
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "lola").ID, Live: true}
	other := frontdesk.Owner{TenantID: owner.TenantID}
	keep(t, s, day)
	keep(t, s, day.AddDate(0, 2, 0))
	for m := range 4 {
		record(t, s, owner, said(day.AddDate(0, m, 0), "terraza"))
		record(t, s, other, said(day.AddDate(0, m, 0), "terraza"))
	}
	if _, err := s.Migrate(ctx, day); err != nil {
		t.Fatal(err)
	}
	if n := rows(t, s, "call_words"); n != 8 {
		t.Fatalf("the words of %d calls are left", n)
	}
	// In two partitions at once, and only of one owner.
	if n, err := s.ForgetTranscripts(ctx, owner, day.AddDate(0, 2, 0), 10); n != 2 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
	if n, err := s.ForgetTranscripts(ctx, owner, day.AddDate(0, 2, 0), 10); n != 0 || err != nil {
		t.Errorf("forgot %d more, %v", n, err)
	}
	for who, want := range map[frontdesk.Owner]int{owner: 2, other: 4} {
		l, err := s.Calls(ctx, who, frontdesk.CallFilter{Search: "terraza"}, frontdesk.Page{})
		if err != nil || len(l.Items) != want {
			t.Errorf("found %d calls, %v, want %d", len(l.Items), err, want)
		}
	}
	if n := rows(t, s, "call_words"); n != 6 {
		t.Errorf("the words of %d calls are left", n)
	}
}
