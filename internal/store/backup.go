package store

import (
	"context"
	"errors"
	"time"
)

// backupTime is how long a copy may take.
const backupTime = time.Hour

// Backup writes a consistent copy of the embedded database to a new file,
// while it is being used.
func (s *Store) Backup(_ context.Context, file string) error {
	if s.dialect.name != sqliteDialect.name {
		return errors.New("backup copies the embedded database; for PostgreSQL use pg_dump")
	}
	// On a connection of its own: a reader may not write, and the writer has
	// better to do.
	c, err := openLite(s.options.URL, s.timeout)
	if err != nil {
		return s.failed("copying the database", err)
	}
	defer c.conn.Close()
	c.arm(backupTime)
	defer c.disarm()
	_, err = c.do(`VACUUM INTO $1`, []any{file}, nil)
	return s.failed("copying the database", err)
}
