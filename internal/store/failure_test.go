package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

func TestWhatMakesTheDatabaseUnavailable(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		err  error
		want bool
	}{
		"too slow":                     {context.DeadlineExceeded, true},
		"wrapped":                      {fmt.Errorf("reading: %w", context.DeadlineExceeded), true},
		"a bad connection":             {io.EOF, true},
		"a connection that is done":    {sql.ErrConnDone, true},
		"an answer that broke off":     {io.ErrUnexpectedEOF, true},
		"nobody listens":               {&net.OpError{Op: "dial", Err: errors.New("connection refused")}, true},
		"connection exception":         {&pgconn.PgError{Code: "08006"}, true},
		"too many connections":         {&pgconn.PgError{Code: "53300"}, true},
		"disk full":                    {&pgconn.PgError{Code: "53100"}, true},
		"shutting down":                {&pgconn.PgError{Code: "57P01"}, true},
		"starting up":                  {&pgconn.PgError{Code: "57P03"}, true},
		"cancelled by its timeout":     {&pgconn.PgError{Code: "57014"}, true},
		"read-only after a fail-over":  {&pgconn.PgError{Code: "25006"}, true},
		"a lock not to be had":         {&pgconn.PgError{Code: "55P03"}, true},
		"a deadlock":                   {&pgconn.PgError{Code: "40P01"}, true},
		"a broken constraint":          {&pgconn.PgError{Code: "23505"}, false},
		"wrong SQL":                    {&pgconn.PgError{Code: "42601"}, false},
		"a table that is missing":      {&pgconn.PgError{Code: "42P01"}, false},
		"no rows":                      {sql.ErrNoRows, false},
		"anything else":                {errors.New("anything"), false},
		"a value that does not fit in": {&pgconn.PgError{Code: "22003"}, false},
	}
	for name, tt := range tests {
		if got := store.Unavailable(tt.err); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// operations asks the store every question of a customer; the error of each.
func operations(s *store.Store, owner frontdesk.Owner) map[string]error {
	errs := map[string]error{}
	_, errs["Agents"] = s.Agents(ctx, owner)
	_, errs["AgentBySlug"] = s.AgentBySlug(ctx, owner, "desk")
	_, errs["ChangeAgent"] = s.ChangeAgent(ctx, owner, "desk", changing(day, func(a frontdesk.Agent) (frontdesk.Agent, error) { return a, nil }))
	_, errs["Calls"] = s.Calls(ctx, owner, frontdesk.CallFilter{}, frontdesk.Page{})
	_, errs["Call"] = s.Call(ctx, owner, frontdesk.NewID(day))
	_, errs["Captures"] = s.Captures(ctx, owner, frontdesk.CaptureFilter{}, frontdesk.Page{})
	_, errs["Capture"] = s.Capture(ctx, owner, frontdesk.NewID(day))
	_, errs["ChangeCapture"] = setStatus(s, owner, frontdesk.NewID(day), frontdesk.Confirmed, day)
	_, errs["CallTallies"] = s.CallTallies(ctx, owner, frontdesk.AnalyticsFilter{}, day, day)
	_, errs["CaptureTallies"] = s.CaptureTallies(ctx, owner, frontdesk.AnalyticsFilter{}, day, day)
	_, errs["Analytics"] = s.Analytics(ctx, owner, frontdesk.AnalyticsFilter{}, frontdesk.WindowOf(day, 1, time.UTC), nil)
	_, errs["Usage"] = s.Usage(ctx, owner, "2026-01")
	_, _, errs["KeyByHash"] = s.KeyByHash(ctx, frontdesk.KeyHash{})
	_, _, errs["ClaimAnswer"] = s.ClaimAnswer(ctx, owner, "k", []byte("f"), day, day, day)
	errs["KeepAnswer"] = s.KeepAnswer(ctx, owner, "k", day, 200, nil)
	errs["ReleaseAnswer"] = s.ReleaseAnswer(ctx, owner, "k", day)
	errs["RecordCalls"] = s.RecordCalls(ctx, owner, recording(day, 1, 1))
	errs["Ping"] = s.Ping(ctx)
	return errs
}

// A server that is not there, and one that accepts and says nothing: every
// question ends in time, as database_unavailable.
func TestAServerThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { silent.Close() })
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	for name, l := range map[string]net.Listener{"silent": silent, "gone": gone} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := store.Open(store.Options{URL: "postgres://u:p@" + l.Addr().String() + "/d?sslmode=disable", Timeout: 100 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Close() })
			began := time.Now()
			errs := operations(s, frontdesk.Owner{TenantID: frontdesk.NewID(day), Live: true})
			if took := time.Since(began); took > time.Duration(len(errs))*time.Second {
				t.Errorf("%d questions took %s", len(errs), took)
			}
			for method, err := range errs {
				t.Run(method, func(t *testing.T) { isKind(t, err, frontdesk.Unavailable, "database_unavailable") })
			}
		})
	}
}

// The message for the customer says nothing of the database.
func TestTheCustomerLearnsNothingOfTheDatabase(t *testing.T) {
	t.Parallel()
	s, err := store.Open(store.Options{URL: "postgres://u:hunter2@127.0.0.1:1/d", Timeout: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	var e *frontdesk.Error
	if err := s.Ping(ctx); !errors.As(err, &e) || strings.Contains(e.Message, "127.0.0.1") || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v", err)
	}
}

// Questions wait for a lock as long as they may, and say then what is wrong;
// when it is free again, all is well.
func TestALockThatIsHeldTooLong(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	holder := storetest.Open(t, url)
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, holder, "a").ID, Live: true}
	newAgent(t, holder, owner.TenantID)
	s, err := store.Open(store.Options{URL: url, Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	tx, err := holder.Beside().Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.Exec(`UPDATE agents SET status = 'paused'`); err != nil {
		t.Fatal(err)
	}
	change := func() error {
		_, err := s.ChangeAgent(ctx, owner, "desk", changing(day, func(a frontdesk.Agent) (frontdesk.Agent, error) { return a, nil }))
		return err
	}
	isKind(t, change(), frontdesk.Unavailable, "database_unavailable")
	if _, err := s.AgentBySlug(ctx, owner, "desk"); err != nil {
		t.Errorf("a reader waits for a writer: %v", err)
	}
	tx.Rollback()
	if err := change(); err != nil {
		t.Errorf("after the lock was given back: %v", err)
	}
}

func onSQLite(t *testing.T) (*store.Store, frontdesk.Owner, string) {
	t.Helper()
	if storetest.IsPostgres() {
		t.Skip("this is about SQLite")
	}
	file := storetest.URL(t)
	s := storetest.Open(t, file)
	return s, frontdesk.Owner{TenantID: storetest.Tenant(t, s, "a").ID, Live: true}, file
}

// A disk that is full refuses every write with a clear error; nothing is
// corrupted, reading goes on, and writing too once there is room.
func TestAFullDisk(t *testing.T) {
	t.Parallel()
	s, owner, _ := onSQLite(t)
	newAgent(t, s, owner.TenantID)
	first := recording(day, 5, 1)
	record(t, s, owner, first)
	var pages int
	if err := s.WriterRow(`PRAGMA page_count`, &pages); err != nil {
		t.Fatal(err)
	}
	limit := func(n int) {
		t.Helper()
		var got int
		if err := s.WriterRow(fmt.Sprintf(`PRAGMA max_page_count = %d`, n), &got); err != nil {
			t.Fatal(err)
		}
	}
	limit(pages + 2)

	var full error
	recorded := 1
	for i := 0; full == nil && i < 10_000; i++ {
		if full = s.RecordCalls(ctx, owner, recording(day.Add(time.Duration(i+1)*time.Second), 5, 1)); full == nil {
			recorded++
		}
	}
	isKind(t, full, frontdesk.Unavailable, "database_unavailable")
	// A change that needs room, of a row that is there: it is not missing.
	_, err := s.ChangeAgent(ctx, owner, "desk", changing(day, func(a frontdesk.Agent) (frontdesk.Agent, error) {
		a.Config.Policy = strings.Repeat("long ", 10_000)
		return a, nil
	}))
	isKind(t, err, frontdesk.Unavailable, "database_unavailable")

	check := func() {
		t.Helper()
		var result string
		if err := s.Beside().QueryRow(`PRAGMA integrity_check`).Scan(&result); err != nil || result != "ok" {
			t.Errorf("integrity check: %s, %v", result, err)
		}
		used, err := s.Usage(ctx, owner, "2000-01")
		if calls := len(allCalls(t, s, owner)); err != nil || calls != recorded || len(allCaptures(t, s, owner)) != recorded || used[0].Calls != recorded {
			t.Errorf("%d calls are there, %v used, %d were recorded, %v", calls, used, recorded, err)
		}
	}
	check()
	limit(1 << 30)
	record(t, s, owner, recording(day.AddDate(0, 0, 1), 5, 1))
	recorded++
	check()
}

func TestBackupWhileWriting(t *testing.T) {
	t.Parallel()
	s, owner, file := onSQLite(t)
	const n = 60
	halfway, done := make(chan struct{}), make(chan error, 1)
	go func() {
		var err error
		for i := range n {
			if i == n/2 {
				close(halfway)
			}
			err = errors.Join(err, s.RecordCalls(ctx, owner, recording(day.Add(time.Duration(i)*time.Second), 1, 1)))
		}
		done <- err
	}()
	<-halfway
	copied := filepath.Join(t.TempDir(), "it's a copy.db")
	if err := s.Backup(ctx, copied); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Errorf("a write failed beside the backup: %v", err)
	}
	if calls := allCalls(t, s, owner); len(calls) != n {
		t.Errorf("%d calls were recorded, not %d", len(calls), n)
	}

	c := storetest.Open(t, copied)
	var result string
	if err := c.Beside().QueryRow(`PRAGMA integrity_check`).Scan(&result); err != nil || result != "ok" {
		t.Errorf("integrity check: %s, %v", result, err)
	}
	calls, captures := allCalls(t, c, owner), allCaptures(t, c, owner)
	used, err := c.Usage(ctx, owner, "2000-01")
	if err != nil || len(calls) < n/2 || len(calls) != len(captures) || used[0].Calls != len(calls) {
		t.Errorf("the copy has %d calls, %d captures, used %v, %v", len(calls), len(captures), used, err)
	}
	for _, call := range calls {
		original, err := s.Call(ctx, owner, call.ID)
		if got, err2 := c.Call(ctx, owner, call.ID); err != nil || err2 != nil || !reflect.DeepEqual(got, original) {
			t.Fatalf("call %s differs: %v, %v", call.ID, err, err2)
		}
	}

	if err := s.Backup(ctx, copied); err == nil {
		t.Error("a backup was overwritten")
	}
	if err := s.Backup(ctx, file); err == nil {
		t.Error("the database was overwritten by its copy")
	}
	if err := s.Backup(ctx, filepath.Join(t.TempDir(), "no", "such", "place")); err == nil {
		t.Error("a copy was written nowhere")
	}
}

func TestBackupIsForTheEmbeddedDatabase(t *testing.T) {
	t.Parallel()
	if !storetest.IsPostgres() {
		t.Skip("this is about PostgreSQL")
	}
	file := filepath.Join(t.TempDir(), "copy")
	if err := storetest.New(t).Backup(ctx, file); err == nil || !strings.Contains(err.Error(), "pg_dump") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// A path may hold any character that an address gives a meaning to.
func TestPathsWithOddCharacters(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"with space", "question?mark", "100%25", "hash#tag", "ampersand&x=y", "café"} {
		dir := filepath.Join(t.TempDir(), name)
		file := filepath.Join(dir, "front desk.db")
		s := storetest.Open(t, file)
		storetest.Tenant(t, s, "a")
		if _, err := os.Stat(file); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if entries, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(entries) != 1 {
			t.Errorf("%s: %v, %v", name, entries, err)
		}
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: others can look inside: %v, %v", name, info.Mode(), err)
		}
	}
}
