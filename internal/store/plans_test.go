package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// Every question that a customer can ask is answered by the index made for it:
// no sorting, no looking through rows that are not shown. The texts are those
// that the store really asks; the plans are those of the database of this run,
// with enough rows that another plan would tempt it.
func TestEveryQuestionHasItsIndex(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	fill(t, s, owner)
	texts := tellingStore(t)
	whole := frontdesk.Page{Limit: 25}
	position, before := string(frontdesk.FirstIDAt(day)), string(frontdesk.FirstIDAt(day.AddDate(-5, 0, 0)))
	me := []any{string(owner.TenantID), owner.Live}
	span := append(slices.Clone(me), micros(day), micros(day.AddDate(0, 0, 1)))

	tests := map[string]struct {
		ask   func(*store.Store) error
		args  []any
		index string
		sorts bool // counting by quarters sorts what it counted
	}{
		"calls": {func(s *store.Store) error {
			_, err := s.Calls(ctx, owner, frontdesk.CallFilter{}, whole)
			return err
		}, append(slices.Clone(me), position), "calls_pkey", false},
		"calls by outcome": {func(s *store.Store) error {
			_, err := s.Calls(ctx, owner, frontdesk.CallFilter{Outcome: "error"}, whole)
			return err
		}, append(slices.Clone(me), position, "error"), "calls_by_outcome", false},
		"calls by channel": {func(s *store.Store) error {
			_, err := s.Calls(ctx, owner, frontdesk.CallFilter{Channel: "phone"}, whole)
			return err
		}, append(slices.Clone(me), position, "phone"), "calls_by_channel", false},
		"calls by outcome and channel": {func(s *store.Store) error {
			_, err := s.Calls(ctx, owner, frontdesk.CallFilter{Outcome: "error", Channel: "phone"}, whole)
			return err
		}, append(slices.Clone(me), position, "error", "phone"), "calls_by_outcome_channel", false},
		"calls of a time": {func(s *store.Store) error {
			_, err := s.Calls(ctx, owner, frontdesk.CallFilter{StartedFrom: day, StartedTo: day.Add(time.Hour)}, whole)
			return err
		}, append(slices.Clone(me), position, before), "calls_pkey", false},
		"calls of a time by channel": {func(s *store.Store) error {
			_, err := s.Calls(ctx, owner, frontdesk.CallFilter{Channel: "phone", StartedFrom: day}, whole)
			return err
		}, append(slices.Clone(me), position, "phone", before), "calls_by_channel", false},
		"captures": {func(s *store.Store) error {
			_, err := s.Captures(ctx, owner, frontdesk.CaptureFilter{}, whole)
			return err
		}, append(slices.Clone(me), position), "captures_pkey", false},
		"captures by status": {func(s *store.Store) error {
			_, err := s.Captures(ctx, owner, frontdesk.CaptureFilter{Status: "no_show"}, whole)
			return err
		}, append(slices.Clone(me), position, "no_show"), "captures_by_status", false},
		"captures by kind": {func(s *store.Store) error {
			_, err := s.Captures(ctx, owner, frontdesk.CaptureFilter{Kind: "order"}, whole)
			return err
		}, append(slices.Clone(me), position, "order"), "captures_by_kind", false},
		"captures by status and kind": {func(s *store.Store) error {
			_, err := s.Captures(ctx, owner, frontdesk.CaptureFilter{Status: "no_show", Kind: "order"}, whole)
			return err
		}, append(slices.Clone(me), position, "no_show", "order"), "captures_by_status_kind", false},
		"calls of an agent": {func(s *store.Store) error {
			_, err := s.Calls(ctx, owner, frontdesk.CallFilter{AgentID: rareAgent}, whole)
			return err
		}, append(slices.Clone(me), position, string(rareAgent)), "calls_of_agent", false},
		"calls in a language": {func(s *store.Store) error {
			_, err := s.Calls(ctx, owner, frontdesk.CallFilter{Language: "en"}, whole)
			return err
		}, append(slices.Clone(me), position, "en"), "calls_by_language", false},
		"calls of a caller": {func(s *store.Store) error {
			_, err := s.Calls(ctx, owner, frontdesk.CallFilter{Caller: "+34600000009"}, whole)
			return err
		}, append(slices.Clone(me), position, "+34600000009"), "calls_of_caller", false},
		"captures of an agent": {func(s *store.Store) error {
			_, err := s.Captures(ctx, owner, frontdesk.CaptureFilter{AgentID: rareAgent}, whole)
			return err
		}, append(slices.Clone(me), position, string(rareAgent)), "captures_of_agent", false},
		"calls of an agent by outcome": {func(s *store.Store) error {
			_, err := s.Calls(ctx, owner, frontdesk.CallFilter{AgentID: commonAgent, Outcome: "error"}, whole)
			return err
		}, append(slices.Clone(me), position, "error", string(commonAgent)), "calls_of_agent_by_outcome", false},
		"captures of an agent by status": {func(s *store.Store) error {
			_, err := s.Captures(ctx, owner, frontdesk.CaptureFilter{AgentID: commonAgent, Status: "no_show"}, whole)
			return err
		}, append(slices.Clone(me), position, "no_show", string(commonAgent)), "captures_of_agent_by_status", false},
		"captures of an agent by kind": {func(s *store.Store) error {
			_, err := s.Captures(ctx, owner, frontdesk.CaptureFilter{AgentID: commonAgent, Kind: "order"}, whole)
			return err
		}, append(slices.Clone(me), position, "order", string(commonAgent)), "captures_of_agent_by_kind", false},
		"captures by telephone": {func(s *store.Store) error {
			_, err := s.Captures(ctx, owner, frontdesk.CaptureFilter{PhoneTail: "600000009"}, whole)
			return err
		}, append(slices.Clone(me), position, "600000009"), "captures_of_phone", false},
		"events of an agent": {func(s *store.Store) error {
			_, err := s.Events(ctx, owner, frontdesk.EventFilter{Type: "call.completed", AgentID: rareAgent}, whole)
			return err
		}, append(slices.Clone(me), position, "connection.test", "call.completed", string(rareAgent)), "events_of_agent", false},
		"events of a type": {func(s *store.Store) error {
			_, err := s.Events(ctx, owner, frontdesk.EventFilter{Type: "capture.updated"}, whole)
			return err
		}, append(slices.Clone(me), position, "connection.test", "capture.updated"), "events_by_type", false},
		"one call": {func(s *store.Store) error {
			_, err := s.Call(ctx, owner, frontdesk.ID(position))
			return ignoreMissing(err)
		}, append(slices.Clone(me), position), "calls_pkey transcripts_pkey", false},
		"one capture": {func(s *store.Store) error {
			_, err := s.Capture(ctx, owner, frontdesk.ID(position))
			return ignoreMissing(err)
		}, append(slices.Clone(me), position), "captures_pkey", false},
		"a key": {func(s *store.Store) error {
			_, _, err := s.KeyByHash(ctx, frontdesk.KeyHash{})
			return ignoreMissing(err)
		}, []any{make([]byte, 32)}, "api_keys_hash_key tenants_pkey", false},
		"tallies of calls": {func(s *store.Store) error {
			_, err := s.CallTallies(ctx, owner, frontdesk.AnalyticsFilter{}, day, day)
			return err
		}, span, "calls_by_time", true},
		"tallies of calls by agent and channel": {func(s *store.Store) error {
			_, err := s.CallTallies(ctx, owner, frontdesk.AnalyticsFilter{Channel: "web", AgentID: commonAgent}, day, day)
			return err
		}, append(slices.Clone(span), "web", string(commonAgent)), "calls_by_time", true},
		"tallies of captures": {func(s *store.Store) error {
			_, err := s.CaptureTallies(ctx, owner, frontdesk.AnalyticsFilter{}, day, day)
			return err
		}, span, "captures_by_time", true},
		"requests": {func(s *store.Store) error {
			_, err := s.Requests(ctx, owner, frontdesk.RequestFilter{}, whole)
			return err
		}, append(slices.Clone(me), position), "requests_pkey", false},
		"requests that failed by our fault": {func(s *store.Store) error {
			_, err := s.FaultsForWorker(ctx, day, 21)
			return err
		}, []any{day.UnixMicro(), 21}, "requests_by_fault", false},
		"requests that failed": {func(s *store.Store) error {
			_, err := s.Requests(ctx, owner, frontdesk.RequestFilter{Failed: true}, whole)
			return err
		}, append(slices.Clone(me), position, 1), "requests_by_failed", false},
		"requests by method": {func(s *store.Store) error {
			_, err := s.Requests(ctx, owner, frontdesk.RequestFilter{Method: "DELETE"}, whole)
			return err
		}, append(slices.Clone(me), position, "DELETE"), "requests_by_method", false},
		"requests by method that failed": {func(s *store.Store) error {
			_, err := s.Requests(ctx, owner, frontdesk.RequestFilter{Method: "DELETE", Failed: true}, whole)
			return err
		}, append(slices.Clone(me), position, "DELETE", 1), "requests_by_failed_method", false},
		"requests by their client's id": {func(s *store.Store) error {
			_, err := s.Requests(ctx, owner, frontdesk.RequestFilter{RequestID: "order-7"}, whole)
			return err
		}, append(slices.Clone(me), position, "order-7"), "requests_by_request_id", false},
		"one request": {func(s *store.Store) error {
			_, err := s.Request(ctx, owner, frontdesk.ID(position))
			return ignoreMissing(err)
		}, append(slices.Clone(me), position), "requests_pkey", false},
		"documents": {func(s *store.Store) error {
			_, err := s.Documents(ctx, owner, frontdesk.DocumentFilter{}, whole)
			return err
		}, append(slices.Clone(me), position), "documents_pkey", false},
		"documents by agent": {func(s *store.Store) error {
			_, err := s.Documents(ctx, owner, frontdesk.DocumentFilter{AgentID: rareAgent}, whole)
			return err
		}, append(slices.Clone(me), position, string(rareAgent)), "documents_by_shelf", false},
		"documents by status": {func(s *store.Store) error {
			_, err := s.Documents(ctx, owner, frontdesk.DocumentFilter{Status: "error"}, whole)
			return err
		}, append(slices.Clone(me), position, "error"), "documents_by_status", false},
		"documents by agent and status": {func(s *store.Store) error {
			_, err := s.Documents(ctx, owner, frontdesk.DocumentFilter{AgentID: rareAgent, Status: "error"}, whole)
			return err
		}, append(slices.Clone(me), position, string(rareAgent), "error"), "documents_by_shelf_status", false},
		"one document": {func(s *store.Store) error {
			_, err := s.Document(ctx, owner, frontdesk.ID(position))
			return ignoreMissing(err)
		}, append(slices.Clone(me), position), "documents_pkey", false},
		"the fragments of an index": {func(s *store.Store) error {
			return s.Fragments(ctx, owner, "", func(frontdesk.Fragment) error { return nil })
		}, append(slices.Clone(me), string(owner.TenantID)), "fragments_pkey", true},
		"titles": {func(s *store.Store) error {
			_, err := s.Titles(ctx, owner)
			return err
		}, me, "documents_by_status", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			earlier := texts.Asked()
			if err := tt.ask(texts); err != nil {
				t.Fatal(err)
			}
			asked := slices.DeleteFunc(texts.Asked(), func(q string) bool { return slices.Contains(earlier, q) })
			if len(asked) != 1 {
				t.Fatalf("asked %d questions: %q", len(asked), asked)
			}
			for _, plan := range plans(t, s, asked[0], tt.args) {
				for _, index := range strings.Fields(tt.index) {
					if !uses(plan, index) {
						t.Errorf("%s is not used:\n%s\n%s", index, asked[0], plan)
					}
				}
				plan = strings.ReplaceAll(plan, "SCAN CONSTANT ROW", "") // a value that comes out of a SELECT
				// What an index of events finds is looked at once more for tests of connections.
				if looksThroughATable.MatchString(plan) && (!strings.HasPrefix(name, "events ") || strings.Contains(plan, "Seq Scan")) {
					t.Errorf("a table is looked through:\n%s\n%s", asked[0], plan)
				}
				if !tt.sorts && sorts.MatchString(plan) {
					t.Errorf("something is sorted:\n%s\n%s", asked[0], plan)
				}
			}
		})
	}
}

// Captures of a span of times that has few of them are found by its index, and
// those that are not in it are not looked at.
func TestASpanOfCapturesHasItsIndex(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	fill(t, s, owner)
	texts := tellingStore(t)
	position := string(frontdesk.FirstIDAt(day))
	for index, tt := range map[string]struct {
		filter frontdesk.CaptureFilter
		args   []any
	}{
		"captures_by_schedule": {frontdesk.CaptureFilter{ScheduledFrom: "2026-03-01T00:00:00", ScheduledTo: "2026-03-02T00:00:00"}, []any{"2026-03-01T00:00:00", "2026-03-02T00:00:00"}},
		"captures_by_change":   {frontdesk.CaptureFilter{UpdatedFrom: day.AddDate(1, 0, 0)}, []any{micros(day.AddDate(1, 0, 0))}},
	} {
		before := texts.Asked()
		if _, err := texts.Captures(ctx, owner, tt.filter, frontdesk.Page{Limit: 25}); err != nil {
			t.Fatal(err)
		}
		asked := slices.DeleteFunc(texts.Asked(), func(q string) bool { return slices.Contains(before, q) })
		if len(asked) != 2 {
			t.Fatalf("asked %q", asked)
		}
		for _, query := range asked {
			args := append([]any{string(owner.TenantID), owner.Live}, tt.args...)
			if !strings.HasPrefix(query, "SELECT COUNT") {
				args = append([]any{string(owner.TenantID), owner.Live, position}, tt.args...)
			}
			for _, plan := range plans(t, s, query, args) {
				if !uses(plan, index) && !strings.Contains(plan, "Bitmap Index Scan on "+index) || regexp.MustCompile(`Seq Scan|SCAN captures`).MatchString(plan) {
					t.Errorf("%s is not used:\n%s\n%s", index, query, plan)
				}
			}
		}
	}
}

// The questions that found no answer are summed up by day, and those of other
// days and owners are not looked at.
func TestTheSummaryHasItsIndex(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	fillKnowledge(t, s, owner)
	texts := tellingStore(t)
	if _, err := texts.KnowledgeSummary(ctx, owner, day, 10); err != nil {
		t.Fatal(err)
	}
	if _, err := texts.Unanswered(ctx, owner, rareAgent, day, 10); err != nil {
		t.Fatal(err)
	}
	args := []any{string(owner.TenantID), owner.Live, day.Unix() / 86_400}
	found := 0
	for _, query := range texts.Asked() {
		if !strings.Contains(query, "unanswered") {
			continue
		}
		found++
		mine := slices.Clone(args)
		if strings.Contains(query, "agent_id = $4") {
			mine = append(mine, string(rareAgent))
		}
		if strings.Contains(query, "LIMIT") {
			mine = append(mine, 10)
		}
		for _, plan := range plans(t, s, query, mine) {
			for _, index := range []string{"unanswered_pkey", "unanswered_of_agents_pkey"} {
				// For many rows PostgreSQL goes through the index first, then to the table.
				if !uses(plan, index) && !strings.Contains(plan, "Bitmap Index Scan on "+index) || regexp.MustCompile(`Seq Scan|SCAN unanswered|Filter:`).MatchString(plan) {
					t.Errorf("%s: it is looked through:\n%s\n%s", index, query, plan)
				}
			}
		}
	}
	if found != 4 {
		t.Errorf("asked %d questions", found)
	}
}

// A worker that asks for work does not look at documents that are done.
func TestAClaimOfADocumentHasItsIndex(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	fillKnowledge(t, s, owner)
	args := []any{micros(day), micros(day), 1000}
	for light, n := range map[bool]int{false: 2, true: 3} {
		for _, plan := range plans(t, s, s.ClaimDocument(light), args[:n]) {
			if !uses(plan, "documents_due") || regexp.MustCompile(`Seq Scan|SCAN documents$|Sort`).MatchString(plan) {
				t.Errorf("it is looked through:\n%s", plan)
			}
		}
	}
}

var (
	sorts              = regexp.MustCompile(`Sort|USE TEMP B-TREE`)
	looksThroughATable = regexp.MustCompile(`Seq Scan|SCAN |Bitmap Heap Scan|Filter:`)
)

// uses says whether a plan walks the index. SQLite calls the index of a
// table's key sqlite_autoindex_TABLE_N.
func uses(plan, index string) bool {
	if storetest.IsPostgres() {
		return regexp.MustCompile(`Index (Only )?Scan (Backward )?using ` + index + ` `).MatchString(plan)
	}
	if table, ok := strings.CutSuffix(index, "_pkey"); ok {
		index = "sqlite_autoindex_" + table + `_1`
	}
	if index == "api_keys_hash_key" {
		index = "sqlite_autoindex_api_keys_2"
	}
	return regexp.MustCompile(`SEARCH .*USING (COVERING )?INDEX ` + index + ` \(`).MatchString(plan)
}

// plans are the ways in which the database may answer. PostgreSQL has two:
// one for these very arguments, and one for any, which it may come to prefer
// for a statement that is asked often.
func plans(t *testing.T, s *store.Store, query string, args []any) []string {
	t.Helper()
	if !storetest.IsPostgres() {
		return []string{explain(t, s.Beside(), "EXPLAIN QUERY PLAN "+query, args...)}
	}
	conn, err := s.Beside().Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	values := make([]string, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case []byte:
			values[i] = fmt.Sprintf(`'\x%x'`, a)
		case string:
			values[i] = "'" + a + "'"
		case []string:
			values[i] = "'{" + strings.Join(a, ",") + "}'"
		default:
			values[i] = fmt.Sprint(a)
		}
	}
	for _, statement := range []string{"SET plan_cache_mode = force_generic_plan", "PREPARE question AS " + query} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	defer conn.ExecContext(ctx, "DEALLOCATE question")
	names := tableNames(t, s)
	return []string{
		names.Replace(explain(t, s.Beside(), "EXPLAIN "+query, args...)),
		names.Replace(explain(t, conn, "EXPLAIN EXECUTE question("+strings.Join(values, ", ")+")")),
	}
}

// tableNames gives the indexes of partitions the names that they have in the tables
// which they are partitions of.
func tableNames(t *testing.T, s *store.Store) *strings.Replacer {
	t.Helper()
	rows, err := s.Beside().Query(`SELECT i.relname, p.relname FROM pg_inherits h JOIN pg_class i ON i.oid = h.inhrelid JOIN pg_class p ON p.oid = h.inhparent
		WHERE i.relkind = 'i' AND i.relnamespace = current_schema()::regnamespace`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name, ofTable string
		if err := rows.Scan(&name, &ofTable); err != nil {
			t.Fatal(err)
		}
		names = append(names, "using "+name+" ", "using "+ofTable+" ", "on "+name+" ", "on "+ofTable+" ")
	}
	if rows.Err() != nil || len(names) == 0 {
		t.Fatal("there are no partitions: ", rows.Err())
	}
	return strings.NewReplacer(names...)
}

// asker is a pool or a connection of it.
type asker interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}

func explain(t *testing.T, db asker, query string, args ...any) string {
	t.Helper()
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, _ := rows.Columns()
	var lines []string
	for rows.Next() {
		var line string
		dest := []any{&line}
		for range len(columns) - 1 { // SQLite: id, parent, notused, detail
			dest = append([]any{new(any)}, dest...)
		}
		if err := rows.Scan(dest...); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	if rows.Err() != nil {
		t.Fatal(rows.Err())
	}
	return strings.Join(lines, "\n")
}

// tellingStore is a store on SQLite that tells its questions, whatever
// database this run is on: their texts are the same.
func tellingStore(t *testing.T) *store.Store {
	t.Helper()
	return storetest.Open(t, filepath.Join(t.TempDir(), "texts.db"))
}

func ignoreMissing(err error) error {
	if err != nil && strings.HasPrefix(err.Error(), "not_found") {
		return nil
	}
	return err
}

func micros(t time.Time) int64 { return t.UnixMicro() }

// fill gives the owner, the other mode and another tenant 20,000 calls and
// captures each, of which the rare ones are few. It is for PostgreSQL, which
// plans by what is in the tables; SQLite plans by the schema alone.
func fill(t *testing.T, s *store.Store, owner frontdesk.Owner) {
	t.Helper()
	if !storetest.IsPostgres() {
		return
	}
	other := storetest.Tenant(t, s, "other").ID
	const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)`
	for nth, o := range []frontdesk.Owner{owner, {TenantID: owner.TenantID, Live: !owner.Live}, {TenantID: other, Live: true}} {
		id := fmt.Sprintf(`('01900000-0000-7000-8000-' || lpad(to_hex(i + %d), 12, '0'))::uuid`, nth*100_000)
		at := fmt.Sprintf("%d + i * CAST(60000000 AS BIGINT)", day.AddDate(0, 0, -10).UnixMicro())
		tenant := fmt.Sprintf("'%s'::uuid, %v", o.TenantID, o.Live)
		agent := `CASE WHEN i % 1000 = 7 THEN '` + string(rareAgent) + `'::uuid ELSE '` + string(commonAgent) + `'::uuid END`
		for _, statement := range []string{
			`INSERT INTO calls (tenant_id, live, id, agent_id, caller, started_at, duration_seconds, language, outcome, channel, summary) ` + numbers + `
			SELECT ` + tenant + `, ` + id + `, ` + agent + `, '+34600000' || lpad((i % 1000)::text, 3, '0'), ` + at + `, 60, CASE WHEN i % 900 = 0 THEN 'en' ELSE 'es' END, CASE WHEN i % 1000 = 0 THEN 'error' WHEN i % 3 = 0 THEN 'booking' ELSE 'info' END,
				CASE WHEN i % 50 = 0 THEN 'phone' ELSE 'web' END, '{"text":"a summary of some length, as they are"}' FROM n`,
			`INSERT INTO transcripts (tenant_id, live, call_id, transcript) ` + numbers + ` SELECT ` + tenant + `, ` + id + `, '{}' FROM n`,
			`INSERT INTO captures (tenant_id, live, id, agent_id, phone_tail, scheduled_at, channel, kind, customer_name, customer_phone, service, confirmation_code, status, created_at) ` + numbers + `
			SELECT ` + tenant + `, ` + id + `, ` + agent + `, '600000' || lpad((i % 1000)::text, 3, '0'), to_char(timestamp '2026-01-01' + i * interval '20 minutes', 'YYYY-MM-DD"T"HH24:MI:SS'),
				'web', CASE WHEN i % 500 = 0 THEN 'order' ELSE 'lead' END, 'Ana', '+34600000001', 'Mesa', 'ACDEFG',
				CASE WHEN i % 700 = 0 THEN 'no_show' WHEN i % 2 = 0 THEN 'confirmed' ELSE 'pending_confirm' END, ` + at + ` FROM n`,
			`INSERT INTO events (tenant_id, live, id, type, agent_id, body, created_at) ` + numbers + `
			SELECT ` + tenant + `, ` + id + `, CASE WHEN i % 800 = 0 THEN 'capture.updated' ELSE 'call.completed' END, ` + agent + `, '{}', ` + at + ` FROM n`,
			`INSERT INTO requests (tenant_id, live, id, request_id, at, method, path, status, failed, code, param, took, key_id, replayed) ` + numbers + `
			SELECT ` + tenant + `, ` + id + `, 'order-' || i, ` + at + `, CASE WHEN i % 600 = 0 THEN 'DELETE' ELSE 'POST' END, '/v1/captures', CASE WHEN i % 500 = 0 THEN 400 ELSE 200 END,
				CASE WHEN i % 500 = 0 THEN 1 ELSE 0 END, '', '', 900, ` + agent + `, FALSE FROM n`,
		} {
			if _, err := s.Beside().Exec(statement); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range 300 {
		_, k := newKey(owner.TenantID, i%2 == 0)
		if err := s.CreateKey(ctx, frontdesk.Actor{}, k); err != nil {
			t.Fatal(err)
		}
		tenant := frontdesk.Tenant{ID: frontdesk.NewID(day), Slug: fmt.Sprint("t", i), CreatedAt: day}
		if err := s.CreateTenant(ctx, store.NewTenant{Tenant: tenant}); err != nil {
			t.Fatal(err)
		}
	}
	fillAgents(t, s, owner.TenantID)
	fillKnowledge(t, s, owner)
	analyze(t, s, "tenants", "api_keys", "calls", "transcripts", "captures", "events", "requests")
}

// fillAgents gives a tenant so many agents that PostgreSQL finds one by its key.
func fillAgents(t *testing.T, s *store.Store, tenant frontdesk.ID) {
	t.Helper()
	if !storetest.IsPostgres() {
		return
	}
	for i := range 300 {
		a := frontdesk.Agent{ID: frontdesk.NewID(day), TenantID: tenant, Slug: fmt.Sprint("agent-", i), Timezone: "UTC", CreatedAt: day, UpdatedAt: day}
		if err := s.CreateAgent(ctx, frontdesk.Actor{}, a); err != nil {
			t.Fatal(err)
		}
	}
	analyze(t, s, "agents")
}

func analyze(t *testing.T, s *store.Store, tables ...string) {
	t.Helper()
	for _, table := range tables {
		if _, err := s.Beside().Exec(`VACUUM ANALYZE ` + table); err != nil {
			t.Fatal(err)
		}
	}
}

// rareAgent has a document of a hundred, and a call of a thousand; commonAgent
// has the others.
const (
	rareAgent   = frontdesk.ID("01900000-0000-7000-9000-000000000001")
	commonAgent = frontdesk.ID("01900000-0000-7000-9000-000000000002")
)

// fillKnowledge gives the owner, the other mode and another tenant 3,000
// documents each, few of which are ready, fail or wait, with their fragments,
// and unanswered questions of many days.
func fillKnowledge(t *testing.T, s *store.Store, owner frontdesk.Owner) {
	t.Helper()
	if !storetest.IsPostgres() {
		return
	}
	other := storetest.Tenant(t, s, "others").ID
	const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) `
	for nth, o := range []frontdesk.Owner{owner, {TenantID: owner.TenantID, Live: !owner.Live}, {TenantID: other, Live: true}} {
		id := func(i string) string {
			return fmt.Sprintf(`('01900000-0000-7000-8000-' || lpad(to_hex(%s + %d), 12, '0'))::uuid`, i, nth*100_000)
		}
		tenant := fmt.Sprintf("'%s'::uuid, %v", o.TenantID, o.Live)
		for _, statement := range []string{
			`INSERT INTO documents (tenant_id, live, id, shelf, title, filename, kind, size_bytes, sha256, status, help, attempts, due_at, fragments, languages, created_at, updated_at) ` +
				fmt.Sprintf(numbers, 3000) + `SELECT ` + tenant + `, ` + id("i") + `, CASE WHEN i % 100 = 1 THEN '` + string(rareAgent) + `'::uuid WHEN i % 60 = 0 THEN '` + string(o.TenantID) +
				`'::uuid ELSE '01900000-0000-7000-9000-000000000002'::uuid END,
				'A title', 'a-file.md', 'markdown', 1000, sha256(i::text::bytea), CASE WHEN i % 60 = 0 THEN 'ready' WHEN i % 700 = 1 THEN 'error' WHEN i % 500 = 2 THEN 'pending' ELSE 'archived' END,
				'', 0, CASE WHEN i % 500 = 2 THEN ` + fmt.Sprint(micros(day)) + ` - i END, 10, 'es', 0, 0 FROM n`,
			`INSERT INTO fragments (tenant_id, live, document_id, position, id, page, line, language, heading, question, text) ` + fmt.Sprintf(numbers, 30_000) +
				`SELECT ` + tenant + `, ` + id("i / 10 + 1") + `, i % 10, ` + id("i") + `, 0, i, 'es', '', '', repeat('Una frase de la carta. ', 10) FROM n WHERE i / 10 < 3000`,
			`INSERT INTO unanswered (tenant_id, live, day, spelling, question, times, last_asked_at) ` + fmt.Sprintf(numbers, 9000) +
				`SELECT ` + tenant + fmt.Sprintf(`, %d - i / 100, 'question ' || i, 'Question?', 1, 0 FROM n`, day.Unix()/86_400),
			`INSERT INTO unanswered_of_agents (tenant_id, live, day, agent_id, spelling, question, times, last_asked_at) ` + fmt.Sprintf(numbers, 9000) +
				`SELECT ` + tenant + fmt.Sprintf(`, %d - i / 100, CASE WHEN i %% 100 = 1 THEN '%s'::uuid ELSE '%s'::uuid END, 'question ' || i, 'Question?', 1, 0 FROM n`,
				day.Unix()/86_400, rareAgent, commonAgent),
		} {
			if _, err := s.Beside().Exec(statement); err != nil {
				t.Fatal(err)
			}
		}
	}
	analyze(t, s, "documents", "fragments", "unanswered", "unanswered_of_agents")
}
