// Package store keeps everything in one SQL database: SQLite in a file, or
// PostgreSQL. The SQL text is the same for both; dialect.go holds what differs.
//
// Every method that serves a customer takes the Owner right after the context
// and names it in its query: that is how one tenant never sees another's rows.
// Methods without an owner serve the operator or end in ForWorker.
//
// Times are integers, microseconds since 1970; JSON is text; time zones and
// ranking are left to Go, so that both databases answer alike to the digit.
//
// A question to a database that is down, hangs or is full ends, within
// Options.Timeout, in frontdesk.DatabaseUnavailable.
package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"frontdesk.dev/frontdesk/internal/trace"
)

// Store is the one store. It is safe for concurrent use.
type Store struct {
	dialect dialect
	engine  engine
	timeout time.Duration
	now     func() time.Time
	options Options
	worker  string // names this process among those that hold lanes; "" where there is one

	damaged atomic.Bool // the file has been found to be broken

	mu          sync.RWMutex
	onWork      func([]Lane, bool)
	onDocuments func()
	onWritten   func(Written)
	heavy       heavy
}

// Options say where the database is. The zero value of the others is useful.
type Options struct {
	URL            string        // postgres://… or a file's path
	Timeout        time.Duration // for one question; 1.5 s
	MaxConnections int           // 16 to PostgreSQL; readers of SQLite: two a core

	// Pooler says that the address is that of a pooler that gives every
	// transaction another connection to the server. LISTEN does not work
	// through one: ListenURL is the server's own address, for that alone.
	// Without it this node looks for work by itself.
	Pooler    bool
	ListenURL string

	Now func() time.Time // that audit entries are dated by; time.Now
}

// IsPostgres says whether a database setting names a PostgreSQL server rather
// than a file.
func IsPostgres(url string) bool {
	return strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://")
}

// Open opens the database. It does not create or change tables: Migrate does.
func Open(o Options) (*Store, error) {
	s := &Store{timeout: cmp.Or(o.Timeout, 1500*time.Millisecond), options: o}
	if s.now = o.Now; s.now == nil {
		s.now = time.Now
	}
	var err error
	if IsPostgres(o.URL) {
		s.dialect, s.worker = postgresDialect, rand.Text()
		s.engine, err = openPostgres(o, s.timeout)
	} else {
		s.dialect = sqliteDialect
		s.engine, err = openSQLite(o, s.timeout)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Close ends all connections.
func (s *Store) Close() error { return s.engine.close() }

// Ping says whether the database answers, keeps what is written, and has not been
// found to be damaged.
func (s *Store) Ping(ctx context.Context) error {
	const doing = "asking the database"
	if err := s.engine.check(); err != nil {
		return s.failed(doing, err)
	}
	if s.damaged.Load() {
		return s.failed(doing, errDamaged)
	}
	var one int
	return s.row(ctx, doing, `SELECT 1`, nil, &one)
}

// Name is "sqlite" or "postgres".
func (s *Store) Name() string { return s.dialect.name }

// Stats are the figures of the connection pools, by name.
func (s *Store) Stats() map[string]PoolStats { return s.engine.stats() }

// each asks a question and calls scan for every row of the answer.
func (s *Store) each(ctx context.Context, doing, query string, args []any, scan func(row) error) error {
	if t := unitOf(ctx).open(); t != nil {
		_, span := s.span(ctx, doing)
		return ended(span, s.failed(doing, t.each(query, args, scan)))
	}
	return s.ask(ctx, s.timeout, doing, query, args, scan)
}

// ask asks a question outside of any transaction, within a limit of time.
func (s *Store) ask(ctx context.Context, limit time.Duration, doing, query string, args []any, scan func(row) error) error {
	ctx, span := s.span(ctx, doing)
	err := alone(ctx)
	if err == nil {
		err = s.engine.ask(ctx, limit, query, args, scan)
	}
	return ended(span, s.failed(doing, err))
}

// row asks a question that has one row for an answer. Without one the error
// is sql.ErrNoRows.
func (s *Store) row(ctx context.Context, doing, query string, args []any, dest ...any) error {
	found := false
	err := s.each(ctx, doing, query, args, func(r row) error {
		found = true
		return r.Scan(dest...)
	})
	if err == nil && !found {
		return sql.ErrNoRows
	}
	return err
}

// tx is a transaction under way.
type tx struct {
	session session
	dialect dialect
	now     func() time.Time
	worker  string // this process's own, among those that hold lanes
	trace   string // the span that makes it, for the deliveries that come of it
	lanes   []Lane // that were given work, for this process
	others  []Lane // that were given work and are held by another

	documents bool // some wait to be read
	written   Written
}

// transact runs work in one transaction: all of it happens, or nothing.
func (s *Store) transact(ctx context.Context, doing string, work func(*tx) error) error {
	return s.transactFor(ctx, s.timeout, doing, work)
}

// transactFor is transact with a time of its own, for what takes longer than a
// question of a customer.
func (s *Store) transactFor(ctx context.Context, limit time.Duration, doing string, work func(*tx) error) (err error) {
	ctx, span := s.span(ctx, doing)
	defer func() { ended(span, err) }()
	if u := unitOf(ctx); u != nil {
		return u.transact(ctx, limit, doing, work)
	}
	if err := alone(ctx); err != nil {
		return s.failed(doing, err)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	begun, err := s.engine.begin(ctx, limit > s.timeout)
	if err != nil {
		return s.failed(doing, err)
	}
	ended := false
	defer func() { // also when work panics
		if !ended {
			begun.rollback()
		}
	}()
	if err := work(s.newTx(ctx, begun)); err != nil {
		return s.failed(doing, err)
	}
	ended = true
	if err := begun.commit(); err != nil {
		return s.failed(doing, err)
	}
	return nil
}

func (s *Store) newTx(ctx context.Context, begun session) *tx {
	return &tx{session: begun, dialect: s.dialect, now: s.now, worker: s.worker, trace: trace.Parent(ctx)}
}

// exec runs a statement now and says how many rows it changed.
func (t *tx) exec(query string, args ...any) (changed int64, err error) {
	return t.session.do(query, args, nil)
}

// later runs a statement whose result nobody waits for: at the latest before
// the commit. When it fails, the transaction does.
func (t *tx) later(query string, args ...any) error {
	return t.session.later(statement{query: query, args: args})
}

// eachLater is later for a statement that returns rows.
func (t *tx) eachLater(query string, args []any, scan func(row) error) error {
	return t.session.later(statement{query: query, args: args, scan: scan})
}

// each asks a question inside the transaction.
func (t *tx) each(query string, args []any, scan func(row) error) error {
	_, err := t.session.do(query, args, scan)
	return err
}

// row asks a question inside the transaction that has one row for an answer,
// and says whether it had.
func (t *tx) row(query string, args []any, dest ...any) (found bool, err error) {
	err = t.each(query, args, func(r row) error {
		found = true
		return r.Scan(dest...)
	})
	return found, err
}

// exec runs one statement in a transaction of its own and says how many rows
// it changed.
func (s *Store) exec(ctx context.Context, doing, query string, args ...any) (changed int64, err error) {
	err = s.transact(ctx, doing, func(t *tx) error {
		return t.session.later(statement{query: query, args: args, changed: &changed})
	})
	return changed, err
}

func micros(t time.Time) int64 { return t.UnixMicro() }

// maybeMicros keeps the zero time as NULL.
func maybeMicros(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMicro()
}

func fromMicros(us int64) time.Time { return time.UnixMicro(us).UTC() }

func fromMaybeMicros(us sql.NullInt64) time.Time {
	if !us.Valid {
		return time.Time{}
	}
	return fromMicros(us.Int64)
}
