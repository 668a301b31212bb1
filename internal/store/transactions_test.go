package store_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// withNotes is a store with a table of numbers to write into.
func withNotes(t *testing.T) *store.Store {
	t.Helper()
	s := storetest.New(t)
	if err := s.WriteAll(nil, `CREATE TABLE notes (n INTEGER PRIMARY KEY)`); err != nil {
		t.Fatal(err)
	}
	return s
}

func note(n int) string { return fmt.Sprintf(`INSERT INTO notes (n) VALUES (%d)`, n) }

// Transactions that wait for each other are committed together; each is kept or
// taken back by itself all the same.
func TestTransactionsAtOnceAreKeptEachByItself(t *testing.T) {
	t.Parallel()
	s := withNotes(t)
	const writers, rounds = 24, 20
	no := errors.New("not this one")
	atOnce(writers, func(w int) error {
		for round := range rounds {
			n := w*1000 + round*10
			switch round % 4 {
			case 0: // refused by its own caller, after it has written
				if err := s.WriteAll(no, note(n), note(n+1)); !errors.Is(err, no) {
					t.Errorf("got %v", err)
				}
			case 1: // broken by the database in the middle
				if err := s.WriteAll(nil, note(n), note(n)); err == nil {
					t.Error("the same note was written twice")
				}
			default:
				if err := s.WriteAll(nil, note(n), note(n+1)); err != nil {
					t.Error(err)
				}
			}
		}
		return nil
	})
	var kept, refused int
	if err := s.Beside().QueryRow(`SELECT COUNT(*), COUNT(CASE WHEN n / 10 % 4 < 2 THEN 1 END) FROM notes`).Scan(&kept, &refused); err != nil {
		t.Fatal(err)
	}
	if want := writers * rounds; kept != want || refused != 0 {
		t.Errorf("%d notes were kept, want %d; %d of those that were taken back", kept, want, refused)
	}
}

// A transaction whose work panics is taken back, and the next one goes on.
func TestAPanicInATransaction(t *testing.T) {
	t.Parallel()
	s := withNotes(t)
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "a").ID, Live: true}
	newAgent(t, s, owner.TenantID)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is gone")
			}
		}()
		_, _ = s.ChangeAgent(ctx, owner, "desk", changing(day, func(frontdesk.Agent) (frontdesk.Agent, error) { panic("spilt coffee") }))
	}()
	if err := s.WriteAll(nil, note(1)); err != nil {
		t.Errorf("after a panic: %v", err)
	}
}

// A question that takes longer than it may is cut off, and the connection is
// good for the next one.
func TestAQuestionThatTakesTooLong(t *testing.T) {
	t.Parallel()
	s := withNotes(t)
	forever := `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) SELECT COUNT(*) FROM n`
	for range 5 {
		isKind(t, s.AskWithin(20*time.Millisecond, forever), frontdesk.Unavailable, "database_unavailable")
		if err := s.AskWithin(time.Minute, `SELECT 1`); err != nil {
			t.Fatalf("the next question: %v", err)
		}
	}
}

// A writer that takes too long is cut off; those who were to be committed with
// it are told, and those after it go on.
func TestAWriterThatTakesTooLong(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	storetest.Open(t, url)
	s, err := store.Open(store.Options{URL: url, Timeout: 300 * time.Millisecond, MaxConnections: 4})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if _, err := s.Beside().Exec(`CREATE TABLE notes (n INTEGER PRIMARY KEY)`); err != nil {
		t.Fatal(err)
	}
	slow := `INSERT INTO notes (n) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) SELECT i FROM n`
	isKind(t, s.WriteAll(nil, note(-1), slow), frontdesk.Unavailable, "database_unavailable")
	kept := 0
	for i := range 100 {
		if s.WriteAll(nil, note(-10-i)) == nil {
			kept++
		}
	}
	if kept == 0 {
		t.Error("nobody could write any more")
	}
	var n int
	if err := s.Beside().QueryRow(`SELECT COUNT(*) FROM notes`).Scan(&n); err != nil || n != kept {
		t.Errorf("%d notes were kept, and %d said so, %v", n, kept, err)
	}
}

// A file that another process has for itself when it is first opened: questions
// and changes are refused in time, and served when it is free again.
func TestAFileThatIsTakenAtFirst(t *testing.T) {
	t.Parallel()
	holder, owner, file := onSQLite(t)
	newAgent(t, holder, owner.TenantID)
	if err := holder.Close(); err != nil {
		t.Fatal(err)
	}
	db := holder.Beside()
	conn, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{"PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE", "UPDATE agents SET status = status"} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	s, err := store.Open(store.Options{URL: file, Timeout: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	for range 3 {
		isKind(t, s.WriteAll(nil, `UPDATE agents SET status = status`), frontdesk.Unavailable, "database_unavailable")
		_, err := s.Agents(ctx, owner)
		isKind(t, err, frontdesk.Unavailable, "database_unavailable")
	}
	if _, err := conn.ExecContext(ctx, "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	conn.Close()
	began := time.Now()
	for s.WriteAll(nil, `UPDATE agents SET status = status`) != nil {
		if time.Since(began) > time.Minute {
			t.Fatal("a minute after the file is free, writing fails")
		}
	}
	if all, err := s.Agents(ctx, owner); err != nil || len(all) != 1 {
		t.Errorf("got %v, %v", all, err)
	}
}

// One that may take long does not hold up those who are done.
func TestALongTransactionIsAlone(t *testing.T) {
	t.Parallel()
	s := withNotes(t)
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, s, "a").ID, Live: true}
	lease := day.Add(time.Minute)
	if _, mine, err := s.ClaimAnswer(ctx, owner, "k", []byte("f"), day, lease, day.Add(time.Hour)); err != nil || !mine {
		t.Fatal(mine, err)
	}
	under, unit := s.NewUnit(ctx, owner, "k", lease)
	var begun sync.WaitGroup
	for i := range 8 {
		begun.Go(func() {
			if err := s.WriteAll(nil, note(i)); err != nil {
				t.Error(err)
			}
		})
	}
	c := frontdesk.Connection{ID: frontdesk.NewID(day), Status: frontdesk.ConnectionActive, Secret: frontdesk.SealedSecret{Sealed: []byte("s"), SetAt: day}, CreatedAt: day, UpdatedAt: day}
	if err := s.CreateConnection(under, owner, frontdesk.Actor{}, c, 10); err != nil {
		t.Fatal(err)
	}
	if err := unit.Keep(ctx, 201, nil); err != nil {
		t.Fatal(err)
	}
	begun.Wait()
}
