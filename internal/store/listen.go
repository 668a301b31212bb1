package store

import (
	"cmp"
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Listens says whether this store can be told of work by other nodes: on SQLite
// there are none, and a pooler does not pass the word on.
func (s *Store) Listens() bool {
	return s.dialect.notify != "" && (!s.options.Pooler || s.options.ListenURL != "")
}

// ListenForWorker passes on, until ctx ends or the connection breaks, the work
// that any node on the same PostgreSQL tells of, on a connection of its own.
// Where there is nobody to listen to, it returns at once.
func (s *Store) ListenForWorker(ctx context.Context) error {
	if !s.Listens() {
		return nil
	}
	conn, err := s.listen(ctx)
	if err != nil {
		return s.failed("listening for work", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return fmt.Errorf("listening for work: %w", err)
		}
		s.tellOfDocuments(n.Payload == documentsWait)
		if l, ok := parseLane(n.Payload); ok {
			s.tell([]Lane{l}, true)
		}
	}
}

func (s *Store) listen(ctx context.Context) (*pgx.Conn, error) {
	// As the pool reads it, whose own parameters may stand in it.
	pool, err := pgxpool.ParseConfig(cmp.Or(s.options.ListenURL, s.options.URL))
	if err != nil {
		return nil, fmt.Errorf("reading the address to listen at: %w", err)
	}
	c := pool.ConnConfig
	c.ConnectTimeout = cmp.Or(c.ConnectTimeout, s.timeout)
	conn, err := pgx.ConnectConfig(ctx, c)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, "LISTEN "+workChannel); err != nil {
		conn.Close(context.WithoutCancel(ctx))
		return nil, err
	}
	return conn, nil
}
