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
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // the SQLite driver
)

// Store is the one store. It is safe for concurrent use.
type Store struct {
	dialect dialect
	read    *sql.DB
	write   *sql.DB // the same as read on PostgreSQL; one connection on SQLite
	timeout time.Duration

	mu          sync.RWMutex
	prepared    map[string]*sql.Stmt // on read, by SQL text
	onWork      func([]Lane)
	onDocuments func()

	writing writing
}

// Options say where the database is. The zero value of the others is useful.
type Options struct {
	URL            string        // postgres://… or a file's path
	Timeout        time.Duration // for one question; 1.5 s
	MaxConnections int           // 16 to PostgreSQL; readers of SQLite: two a core
}

// IsPostgres says whether a database setting names a PostgreSQL server rather
// than a file.
func IsPostgres(url string) bool {
	return strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://")
}

// Open opens the database. It does not create or change tables: Migrate does.
func Open(o Options) (*Store, error) {
	s := &Store{timeout: cmp.Or(o.Timeout, 1500*time.Millisecond), prepared: map[string]*sql.Stmt{}}
	s.writing.stmts = map[string]*sql.Stmt{}
	if IsPostgres(o.URL) {
		return s, s.openPostgres(o)
	}
	return s, s.openSQLite(o)
}

func (s *Store) openPostgres(o Options) error {
	c, err := pgx.ParseConfig(o.URL)
	if err != nil {
		return fmt.Errorf("reading the PostgreSQL address: %w", err)
	}
	// The pool opens some connections for whoever comes next, with nobody's
	// time: a server that accepts and says nothing must not hold it for ever.
	c.ConnectTimeout = cmp.Or(c.ConnectTimeout, s.timeout)
	s.dialect = postgres
	s.read = stdlib.OpenDB(*c)
	s.write = s.read
	n := cmp.Or(o.MaxConnections, 16)
	s.read.SetMaxOpenConns(n)
	s.read.SetMaxIdleConns(n)
	s.read.SetConnMaxIdleTime(5 * time.Minute)
	return nil
}

// openSQLite opens the file twice: any number of readers, and one writer, so
// that writers queue here, where waiting is fair, and not in the file.
func (s *Store) openSQLite(o Options) error {
	s.dialect = sqlite
	if err := os.MkdirAll(filepath.Dir(o.URL), 0o700); err != nil {
		return fmt.Errorf("making the data directory: %w", err)
	}
	if err := closeToOthers(o.URL); err != nil {
		return err
	}
	pragmas := []string{
		fmt.Sprintf("busy_timeout(%d)", s.timeout.Milliseconds()),
		"journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)",
	}
	var err error
	s.write, err = sql.Open("sqlite", sqliteURL(o.URL, pragmas...))
	if err != nil {
		return fmt.Errorf("opening the database: %w", err)
	}
	s.write.SetMaxOpenConns(1)
	s.read, err = sql.Open("sqlite", sqliteURL(o.URL, append(pragmas, "query_only(1)")...))
	if err != nil {
		return fmt.Errorf("opening the database: %w", err)
	}
	n := cmp.Or(o.MaxConnections, max(4, 2*runtime.GOMAXPROCS(0)))
	s.read.SetMaxOpenConns(n)
	s.read.SetMaxIdleConns(n)
	return nil
}

// closeToOthers makes the file before SQLite would, readable by its owner only.
// The files that SQLite lays beside it take its mode over.
func closeToOthers(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("opening the database: %w", err)
	}
	return f.Close()
}

func sqliteURL(path string, pragmas ...string) string {
	q := url.Values{"_pragma": pragmas, "_txlock": {"immediate"}}
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: q.Encode()}).String()
}

// Close ends all connections.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, stmt := range s.prepared {
		stmt.Close()
	}
	s.writing.close()
	// The writer last: it tidies SQLite's log up, which a reader may not.
	err := s.read.Close()
	if s.read != s.write {
		err = cmp.Or(s.write.Close(), err)
	}
	return err
}

// Ping says whether the database answers.
func (s *Store) Ping(ctx context.Context) error {
	var one int
	return s.row(ctx, "asking the database", `SELECT 1`, nil, &one)
}

// Name is "sqlite" or "postgres".
func (s *Store) Name() string { return s.dialect.name }

// Stats are the figures of the connection pools, by name.
func (s *Store) Stats() map[string]sql.DBStats {
	if s.read == s.write {
		return map[string]sql.DBStats{"all": s.read.Stats()}
	}
	return map[string]sql.DBStats{"read": s.read.Stats(), "write": s.write.Stats()}
}

// each asks a question and calls scan for every row of the answer.
func (s *Store) each(ctx context.Context, doing, query string, args []any, scan func(*sql.Rows) error) error {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	rows, err := s.query(ctx, query, args)
	if err != nil {
		return s.failed(doing, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return s.failed(doing, err)
		}
	}
	return s.failed(doing, rows.Err())
}

// row asks a question that has one row for an answer. Without one the error
// is sql.ErrNoRows.
func (s *Store) row(ctx context.Context, doing, query string, args []any, dest ...any) error {
	found := false
	err := s.each(ctx, doing, query, args, func(r *sql.Rows) error {
		found = true
		return r.Scan(dest...)
	})
	if err == nil && !found {
		return sql.ErrNoRows
	}
	return err
}

// bound gives a question its time.
func (s *Store) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	if s.dialect.detach {
		return context.WithoutCancel(ctx), func() {}
	}
	return context.WithTimeout(ctx, s.timeout)
}

func (s *Store) query(ctx context.Context, query string, args []any) (*sql.Rows, error) {
	if !s.dialect.prepare {
		return s.read.QueryContext(ctx, query, args...)
	}
	stmt, err := s.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

// statement prepares a query once. The texts are the constants of this
// package, so there is a bounded number of them.
func (s *Store) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	s.mu.RLock()
	stmt := s.prepared[query]
	s.mu.RUnlock()
	if stmt != nil {
		return stmt, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if stmt := s.prepared[query]; stmt != nil {
		return stmt, nil
	}
	stmt, err := s.read.PrepareContext(ctx, query)
	if err == nil {
		s.prepared[query] = stmt
	}
	return stmt, err
}

// tx is a transaction under way. Its statements are prepared once each, and kept
// for those after it.
type tx struct {
	*sql.Tx
	ctx      context.Context
	dialect  dialect
	writing  *writing
	prepared map[string]*sql.Stmt
	lanes    []Lane // that were given work

	documents bool // some wait to be read
}

// transact runs work in one transaction: all of it happens, or nothing.
func (s *Store) transact(ctx context.Context, doing string, work func(*tx) error) error {
	return s.transactFor(ctx, s.timeout, doing, work)
}

// transactFor is transact with a time of its own, for an operator's bulk work.
func (s *Store) transactFor(ctx context.Context, limit time.Duration, doing string, work func(*tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	s.writing.prepare(ctx, s.write)
	begun, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return s.failed(doing, err)
	}
	t := &tx{Tx: begun, ctx: ctx, dialect: s.dialect, writing: &s.writing, prepared: map[string]*sql.Stmt{}}
	if err := work(t); err != nil {
		begun.Rollback()
		return s.failed(doing, err)
	}
	return s.failed(doing, begun.Commit())
}

func (t *tx) exec(query string, args ...any) (sql.Result, error) {
	if !t.dialect.prepare {
		return t.ExecContext(t.ctx, query, args...)
	}
	stmt, err := t.statement(query)
	if err != nil {
		return nil, err
	}
	return stmt.ExecContext(t.ctx, args...)
}

func (t *tx) query(query string, args []any) (*sql.Rows, error) {
	if !t.dialect.prepare {
		return t.QueryContext(t.ctx, query, args...)
	}
	stmt, err := t.statement(query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(t.ctx, args...)
}

// statement is a query, prepared. One that no transaction before has used is
// prepared for this one alone, and for all later ones once this one is over:
// there is one connection to write on, and the transaction has it.
func (t *tx) statement(query string) (stmt *sql.Stmt, err error) {
	if stmt = t.prepared[query]; stmt != nil {
		return stmt, nil
	}
	if kept := t.writing.keep(query); kept != nil {
		stmt = t.StmtContext(t.ctx, kept)
	} else if stmt, err = t.PrepareContext(t.ctx, query); err != nil {
		return nil, err
	}
	t.prepared[query] = stmt
	return stmt, nil
}

// writing are the statements of transactions: those that are prepared, and nil
// for those that are to be.
type writing struct {
	mu    sync.Mutex
	stmts map[string]*sql.Stmt
	want  []string
}

func (w *writing) keep(query string) *sql.Stmt {
	w.mu.Lock()
	defer w.mu.Unlock()
	stmt, known := w.stmts[query]
	if !known {
		w.stmts[query] = nil
		w.want = append(w.want, query)
	}
	return stmt
}

// prepare prepares what transactions have asked for; the next one finds it.
func (w *writing) prepare(ctx context.Context, db *sql.DB) {
	w.mu.Lock()
	want := w.want
	w.want = nil
	w.mu.Unlock()
	for _, query := range want {
		stmt, err := db.PrepareContext(ctx, query)
		w.mu.Lock()
		if err != nil {
			delete(w.stmts, query) // to be asked for again
		} else {
			w.stmts[query] = stmt
		}
		w.mu.Unlock()
	}
}

func (w *writing) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, stmt := range w.stmts {
		if stmt != nil {
			stmt.Close()
		}
	}
}

// each asks a question inside the transaction.
func (t *tx) each(query string, args []any, scan func(*sql.Rows) error) error {
	rows, err := t.query(query, args)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return errors.Join(rows.Err(), rows.Close())
}

// row asks a question inside the transaction that has one row for an answer,
// and says whether it had.
func (t *tx) row(query string, args []any, dest ...any) (found bool, err error) {
	err = t.each(query, args, func(r *sql.Rows) error {
		found = true
		return r.Scan(dest...)
	})
	return found, err
}

// exec runs one statement in a transaction of its own and says how many rows
// it changed.
func (s *Store) exec(ctx context.Context, doing, query string, args ...any) (changed int64, err error) {
	err = s.transact(ctx, doing, func(t *tx) error {
		res, err := t.exec(query, args...)
		if err != nil {
			return err
		}
		changed, err = res.RowsAffected()
		return err
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
