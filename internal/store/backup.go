package store

import (
	"context"
	"errors"
)

// Backup writes a consistent copy of the embedded database to a new file,
// while it is being used.
func (s *Store) Backup(ctx context.Context, file string) error {
	if s.dialect.name != sqlite.name {
		return errors.New("backup copies the embedded database; for PostgreSQL use pg_dump")
	}
	_, err := s.write.ExecContext(ctx, `VACUUM INTO $1`, file)
	return s.failed("copying the database", err)
}
