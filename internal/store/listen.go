package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/stdlib"
)

// ListenForWorker passes on, until ctx ends or the connection breaks, the work
// that any node on the same PostgreSQL tells of. On SQLite there are no other
// nodes, and it returns at once.
func (s *Store) ListenForWorker(ctx context.Context) error {
	if s.dialect.notify == "" {
		return nil
	}
	conn, err := s.read.Conn(ctx)
	if err != nil {
		return s.failed("listening for work", err)
	}
	defer conn.Close()
	return conn.Raw(func(driver any) error {
		pg := driver.(*stdlib.Conn).Conn()
		if _, err := pg.Exec(ctx, "LISTEN "+workChannel); err != nil {
			return fmt.Errorf("listening for work: %w", err)
		}
		for {
			n, err := pg.WaitForNotification(ctx)
			if err != nil {
				pg.Close(context.WithoutCancel(ctx)) // it still listens: not fit for the pool
				return fmt.Errorf("listening for work: %w", err)
			}
			s.tellOfDocuments(n.Payload == documentsWait)
			if l, ok := parseLane(n.Payload); ok {
				s.tell([]Lane{l})
			}
		}
	})
}
