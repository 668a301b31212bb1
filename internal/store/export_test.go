package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

var looks sync.Map // of URLs: *sql.DB

// Beside is the same database on connections of its own, for tests that look at
// it or stand in the store's way.
func (s *Store) Beside() *sql.DB {
	if db, ok := looks.Load(s.options.URL); ok {
		return db.(*sql.DB)
	}
	driver, url := "sqlite", s.options.URL+"?_pragma=busy_timeout(60000)&_txlock=immediate"
	if IsPostgres(s.options.URL) {
		driver, url = "pgx", s.options.URL
	}
	db, err := sql.Open(driver, url)
	if err != nil {
		panic(err)
	}
	db.SetMaxIdleConns(-1) // nobody closes it: it keeps nothing open
	looks.Store(s.options.URL, db)
	return db
}

// WriterRow asks the connection that writes.
func (s *Store) WriterRow(query string, dest ...any) error {
	return s.transact(context.Background(), "asking the writer", func(t *tx) error {
		_, err := t.row(query, nil, dest...)
		return err
	})
}

// AskWithin asks a question that may take only so long.
func (s *Store) AskWithin(limit time.Duration, query string, args ...any) error {
	return s.failed("asking", s.engine.ask(context.Background(), limit, query, args, nil))
}

// WriteAll runs statements in one transaction and then says whether it shall be
// kept.
func (s *Store) WriteAll(keep error, statements ...string) error {
	return s.transact(context.Background(), "writing", func(t *tx) error {
		for _, statement := range statements {
			if _, err := t.exec(statement); err != nil {
				return err
			}
		}
		return keep
	})
}

// Asked are the texts of all reading questions that SQLite was asked so far.
func (s *Store) Asked() []string {
	e := s.engine.(*sqliteEngine)
	asked := map[string]bool{}
	var idle []*liteConn
	for len(e.readers.idle) > 0 {
		c := <-e.readers.idle
		idle = append(idle, c)
		for query := range c.orders {
			asked[query] = true
		}
	}
	for _, c := range idle {
		e.readers.idle <- c
	}
	delete(asked, "PRAGMA journal_mode = WAL")
	delete(asked, "PRAGMA query_only = 1")
	return slices.Sorted(maps.Keys(asked))
}

// Unavailable is how errors are told apart.
var Unavailable = unavailable

// ClaimDocument is what the database is asked for a document to read.
func (s *Store) ClaimDocument(light bool) string { return claimDocument(s.dialect, light) }

// MigrationText is the SQL of a migration, as its file has it.
func MigrationText(version int) string {
	all, err := migrations()
	if err != nil {
		panic(err)
	}
	return all[version-1].sql
}

// MigrateBefore applies the migrations that come before the one of a name, as
// in "blobs": the state that it finds.
func (s *Store) MigrateBefore(ctx context.Context, name string, now time.Time) error {
	all, err := migrations()
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all, func(m Migration) bool { return strings.HasSuffix(m.Name, "_"+name) })
	if at < 0 {
		return fmt.Errorf("there is no migration %s", name)
	}
	return s.exclusively(ctx, "migrating the database", func(t *tx) error {
		_, err := s.applyAll(t, all[:at], now)
		return err
	})
}

// OwnedTables are the names of the tables that are emptied with a tenant.
func OwnedTables() (names []string) {
	for _, table := range ownedTables {
		names = append(names, table.name)
	}
	return names
}
