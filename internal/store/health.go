package store

import (
	"context"
	"time"
)

// MinPostgres is the oldest PostgreSQL that serves, as server_version_num.
const MinPostgres = 130000

// Version is the database's own version, for people and, on PostgreSQL, as a
// number to compare with MinPostgres.
func (s *Store) Version(ctx context.Context) (text string, number int, err error) {
	doing := "asking for the database's version"
	if s.dialect.name == sqliteDialect.name {
		err = s.row(ctx, doing, `SELECT sqlite_version()`, nil, &text)
		return text, 0, err
	}
	err = s.row(ctx, doing, `SELECT current_setting('server_version'), current_setting('server_version_num')::int`, nil, &text, &number)
	return text, number, err
}

// Damage returns what is broken in the embedded database's file: nothing, if
// all is well, and nothing for PostgreSQL, which looks after itself.
func (s *Store) Damage(ctx context.Context) (found []string, err error) {
	if s.dialect.name != sqliteDialect.name {
		return nil, nil
	}
	err = s.engine.ask(ctx, checkTime, `PRAGMA quick_check(10)`, nil, func(r row) error {
		var line string
		err := r.Scan(&line)
		if line != "ok" {
			found = append(found, line)
		}
		return err
	})
	return found, s.failed("checking the database's file", err)
}

// checkTime is how long a check of the whole file may take.
const checkTime = time.Hour

// Now is the time by the database's clock: that of a server, which may differ
// from ours, or our own for the embedded database.
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	if s.dialect.name == sqliteDialect.name {
		return time.Now(), nil
	}
	var us int64
	err := s.row(ctx, "asking for the database's time", `SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint`, nil, &us)
	return fromMicros(us), err
}
