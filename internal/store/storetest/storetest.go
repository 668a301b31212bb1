// Package storetest gives tests a real, migrated, empty store. It is SQLite in
// a temporary directory, or, when FRONTDESK_TEST_DATABASE names a PostgreSQL
// server, a database of its own there: the whole suite is the conformance suite.
package storetest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // "pgx", for tests that look at the database itself
	_ "modernc.org/sqlite"             // "sqlite", likewise

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// New returns a store that is gone when the test ends.
func New(t testing.TB) *store.Store {
	t.Helper()
	return Open(t, URL(t))
}

// WriteSQLite writes a migrated, empty SQLite database to a file.
func WriteSQLite(t testing.TB, file string) {
	t.Helper()
	empty, err := migrated()
	if err == nil {
		err = os.WriteFile(file, empty, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// migrated is a migrated, empty SQLite database, made once: under the race
// detector all migrations take longer than most tests.
var migrated = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "frontdesk-storetest-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "frontdesk.db")
	s, err := store.Open(store.Options{URL: file, MaxConnections: 1, Timeout: time.Minute})
	if err != nil {
		return nil, err
	}
	_, err = s.Migrate(context.Background(), time.Now())
	// Closing writes everything into the one file.
	if err := errors.Join(err, s.Close()); err != nil {
		return nil, err
	}
	if _, err := os.Stat(file + "-wal"); err == nil {
		return nil, errors.New("the closed database has left a log behind")
	}
	return os.ReadFile(file)
})

// Open opens and migrates a database that URL or Unmigrated gave; a second store
// on the same one is a second node.
func Open(t testing.TB, url string) *store.Store {
	t.Helper()
	// Tests share a loaded machine: none of them is about the time a question takes.
	s, err := store.Open(store.Options{URL: url, MaxConnections: 4, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if _, err := s.Migrate(context.Background(), time.Now()); err != nil {
		t.Fatal(err)
	}
	return s
}

// URL returns the address of a database for this test alone, whose tables are there
// and empty.
func URL(t testing.TB) string {
	t.Helper()
	if IsPostgres() {
		return migratedDatabase(t)
	}
	file := Unmigrated(t)
	WriteSQLite(t, file)
	return file
}

// Unmigrated returns the address of a database for this test alone, with nothing
// in it: for tests of migrations, and of programs that find nothing.
func Unmigrated(t testing.TB) string {
	t.Helper()
	if IsPostgres() {
		return emptySchema(t)
	}
	return filepath.Join(t.TempDir(), "frontdesk.db")
}

// IsPostgres says which of the two databases this run is on.
func IsPostgres() bool { return os.Getenv("FRONTDESK_TEST_DATABASE") != "" }

// Tenant writes a tenant and returns it.
func Tenant(t testing.TB, s *store.Store, slug string) frontdesk.Tenant {
	t.Helper()
	now := time.Now()
	tenant := frontdesk.Tenant{
		ID: frontdesk.NewID(now), Slug: slug, Name: slug, Timezone: "Europe/Madrid",
		Plan: frontdesk.DefaultPlan(), CreatedAt: now,
	}
	if err := s.CreateTenant(context.Background(), store.NewTenant{Tenant: tenant}); err != nil {
		t.Fatal(err)
	}
	return tenant
}
