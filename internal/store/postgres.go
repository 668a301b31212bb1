package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"frontdesk.dev/frontdesk/internal/service"
)

// postgresEngine asks a PostgreSQL server. A journey to it may take long
// compared with the work it does there, so statements travel together where
// they can.
type postgresEngine struct {
	pool *pgxpool.Pool
}

// openPostgres makes the pool; it connects when it is first asked something.
func openPostgres(o Options, timeout time.Duration) (*postgresEngine, error) {
	c, err := pgxpool.ParseConfig(o.URL)
	if err != nil {
		return nil, fmt.Errorf("reading the PostgreSQL address: %w", err)
	}
	// The pool opens some connections for whoever comes next, with nobody's
	// time: a server that accepts and says nothing must not hold it for ever.
	c.ConnConfig.ConnectTimeout = cmp.Or(c.ConnConfig.ConnectTimeout, timeout)
	if o.Pooler {
		// The next transaction may be on another connection to the server,
		// which does not know the statements prepared on this one.
		c.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	} else {
		// A node that vanishes in the middle of a transaction must not hold
		// its locks until the server notices by itself, which takes hours. A
		// pooler does not pass this on.
		c.ConnConfig.RuntimeParams["idle_in_transaction_session_timeout"] = "30s"
	}
	if c.ConnConfig.RuntimeParams["application_name"] == "" { // whose connections these are, in pg_stat_activity
		c.ConnConfig.RuntimeParams["application_name"] = "frontdesk"
	}
	c.MaxConns = int32(cmp.Or(o.MaxConnections, 16))
	c.MinConns, c.MinIdleConns = 0, 0
	c.MaxConnIdleTime = 5 * time.Minute
	pool, err := pgxpool.NewWithConfig(context.Background(), c)
	if err != nil {
		return nil, fmt.Errorf("opening the PostgreSQL pool: %w", err)
	}
	return &postgresEngine{pool}, nil
}

func (e *postgresEngine) ask(ctx context.Context, limit time.Duration, query string, args []any, scan func(row) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	conn, err := e.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer giveBack(ctx, conn)
	rows, err := conn.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	_, err = readRows(rows, scan)
	return err
}

// giveBack returns a connection to its pool. One that was used when the time of ctx
// was over is thrown away: what ends the wait for an answer comes at the same time as
// the answer now and then, and would end the wait of whoever has the connection next.
func giveBack(ctx context.Context, conn *pgxpool.Conn) {
	if ctx.Err() != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 100*time.Millisecond)
		defer cancel()
		_ = conn.Conn().Close(ctx)
	}
	conn.Release()
}

// readRows calls scan for every row of an answer and says how many rows the
// statement changed.
func readRows(rows pgx.Rows, scan func(row) error) (changed int64, err error) {
	defer rows.Close()
	for rows.Next() {
		if scan == nil {
			continue
		}
		if err := scan(rows); err != nil {
			return 0, err
		}
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	return rows.CommandTag().RowsAffected(), nil
}

func (e *postgresEngine) begin(ctx context.Context, _ bool) (session, error) {
	conn, err := e.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	return &postgresSession{ctx: ctx, conn: conn}, nil
}

// check has nothing to say: PostgreSQL looks after its files itself.
func (e *postgresEngine) check() error { return nil }

// wipe leaves it to the server, which reuses room at its own time (VACUUM).
func (e *postgresEngine) wipe(context.Context) error { return nil }

func (e *postgresEngine) stats() map[string]PoolStats {
	s := e.pool.Stat()
	return map[string]PoolStats{"all": {
		Open: int(s.TotalConns()), InUse: int(s.AcquiredConns()), Waits: s.EmptyAcquireCount(), Waited: s.EmptyAcquireWaitTime(),
	}}
}

// close waits for connections in use a moment at most: one that hangs in a
// question must not hold up the end of the process.
func (e *postgresEngine) close() error {
	closed := service.Go(slog.Default(), "closing of the PostgreSQL pool", func() error {
		e.pool.Close()
		return nil
	})
	select {
	case err := <-closed:
		return err
	case <-time.After(time.Second):
		return errors.New("connections to the database were still in use when it was closed")
	}
}

// postgresSession is a transaction on one connection. Statements that may wait
// are gathered and sent with the next one that may not, or with the commit. A
// transaction that fits into one such batch needs no BEGIN and no COMMIT: the
// server carries a batch out as a whole or not at all.
type postgresSession struct {
	ctx     context.Context
	conn    *pgxpool.Conn
	begun   bool
	waiting []statement
}

// mostWaiting bounds what is held back: bulk work is sent in pieces.
const mostWaiting = 500

func (s *postgresSession) later(st statement) error {
	s.waiting = append(s.waiting, st)
	if len(s.waiting) < mostWaiting {
		return nil
	}
	return s.now()
}

func (s *postgresSession) do(query string, args []any, scan func(row) error) (changed int64, err error) {
	s.waiting = append(s.waiting, statement{query, args, scan, &changed})
	err = s.now()
	return changed, err
}

// now sends what waits; the transaction goes on.
func (s *postgresSession) now() error {
	if !s.begun {
		s.begun = true
		s.waiting = append([]statement{{query: "BEGIN"}}, s.waiting...)
	}
	return s.flush()
}

func (s *postgresSession) script(text string) error {
	if err := s.now(); err != nil {
		return err
	}
	// Without arguments: several statements can travel as one text.
	_, err := s.conn.Conn().PgConn().Exec(s.ctx, text).ReadAll()
	return err
}

// errRolledBack is what a COMMIT comes to that the server turned into a
// ROLLBACK.
var errRolledBack = errors.New("the transaction was rolled back by the server")

func (s *postgresSession) commit() error {
	defer s.release()
	if s.begun {
		s.waiting = append(s.waiting, statement{query: "COMMIT"})
	}
	return s.flush()
}

// flush sends what waits, as one batch, and reads all answers.
func (s *postgresSession) flush() error {
	waiting := s.waiting
	s.waiting = nil
	if len(waiting) == 0 {
		return nil
	}
	var batch pgx.Batch
	for _, st := range waiting {
		batch.Queue(st.query, st.args...)
	}
	answers := s.conn.SendBatch(s.ctx, &batch)
	for _, st := range waiting {
		if err := readAnswer(answers, st); err != nil {
			answers.Close()
			return err
		}
	}
	return answers.Close()
}

func readAnswer(answers pgx.BatchResults, st statement) error {
	rows, err := answers.Query()
	if err != nil {
		return err
	}
	changed, err := readRows(rows, st.scan)
	if err != nil {
		return err
	}
	if st.query == "COMMIT" && rows.CommandTag().String() != "COMMIT" {
		return errRolledBack
	}
	if st.changed != nil {
		*st.changed = changed
	}
	return nil
}

func (s *postgresSession) rollback() {
	defer s.release()
	const idle = 'I'
	conn := s.conn.Conn().PgConn()
	if conn.IsClosed() || conn.TxStatus() == idle {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), time.Second)
	defer cancel()
	// Should it fail, the pool throws the connection away, which comes to the
	// same.
	_, _ = s.conn.Exec(ctx, "ROLLBACK")
}

func (s *postgresSession) release() {
	if s.conn != nil {
		giveBack(s.ctx, s.conn)
		s.conn = nil
	}
}

// pgCode is the code of a PostgreSQL error, "" of any other.
func pgCode(err error) string {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code
	}
	return ""
}
