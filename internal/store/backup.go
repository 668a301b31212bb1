package store

import (
	"context"
	"errors"
	"os"
	"time"
)

// backupTime is how long a copy may take.
const backupTime = time.Hour

// Backup writes a consistent copy of the embedded database to a new file,
// while it is being used. It ends when ctx does.
func (s *Store) Backup(ctx context.Context, file string) error {
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
	ctx, cancel := context.WithTimeout(ctx, backupTime)
	defer cancel()
	c.conn.SetInterrupt(ctx.Done())
	_, err = c.do(`PRAGMA secure_delete = 1`, nil, nil) // or the copy holds, beside its rows, what nobody can erase there
	if err != nil {
		return s.failed("backing up", err)
	}
	_, err = c.do(`VACUUM INTO $1`, []any{file}, nil)
	if err != nil { // SQLite leaves it where the disk was full
		os.Remove(file + "-journal")
	}
	return s.failed("copying the database", err)
}
