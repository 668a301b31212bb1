package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"zombiezen.com/go/sqlite"
)

// sqliteEngine asks a SQLite file: with any number of readers and one writer, so
// that writers queue here, where waiting is fair, and not in the file.
type sqliteEngine struct {
	path    string
	file    fileIdentity
	timeout time.Duration
	readers readerPool
	writer  *sqliteWriter
}

func openSQLite(o Options, timeout time.Duration) (*sqliteEngine, error) {
	if err := os.MkdirAll(filepath.Dir(o.URL), 0o700); err != nil {
		return nil, fmt.Errorf("making the data directory: %w", err)
	}
	if err := closeToOthers(o.URL); err != nil {
		return nil, err
	}
	file, err := identify(o.URL)
	if err != nil {
		return nil, err
	}
	n := cmp.Or(o.MaxConnections, max(4, 2*runtime.GOMAXPROCS(0)))
	e := &sqliteEngine{path: o.URL, file: file, timeout: timeout}
	e.readers = readerPool{open: func() (*liteConn, error) { return openLite(o.URL, timeout, "query_only = 1") }, idle: make(chan *liteConn, n)}
	e.writer = newSQLiteWriter(func() (*liteConn, error) {
		return openLite(o.URL, timeout, "synchronous = FULL", "foreign_keys = 1", "secure_delete = 1")
	}, timeout)
	return e, nil
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

func (e *sqliteEngine) ask(ctx context.Context, limit time.Duration, query string, args []any, scan func(row) error) error {
	end := time.Now().Add(limit)
	if deadline, ok := ctx.Deadline(); ok && deadline.Before(end) {
		end = deadline
	}
	c, err := e.readers.take(ctx, time.Until(end))
	if err != nil {
		return err
	}
	defer e.readers.giveBack(c)
	left := time.Until(end)
	if left <= 0 {
		return context.DeadlineExceeded
	}
	c.arm(left)
	defer c.disarm()
	_, err = c.do(query, args, scan)
	return err
}

func (e *sqliteEngine) begin(ctx context.Context, alone bool) (session, error) {
	if err := e.file.check(); err != nil {
		return nil, err
	}
	return e.writer.begin(ctx, alone)
}

func (e *sqliteEngine) check() error { return e.file.check() }

func (e *sqliteEngine) stats() map[string]PoolStats {
	return map[string]PoolStats{"read": e.readers.stats(), "write": e.writer.stats()}
}

// wipe takes the words of deleted transcripts out of the index, and empties SQLite's
// log, in which pages stand as they were before.
func (e *sqliteEngine) wipe(ctx context.Context) error {
	return errors.Join(e.mergeWords(ctx), e.writer.emptyLog(ctx))
}

const (
	// mergedAtOnce is how many pages of the index are written in a transaction: others
	// write in between.
	mergedAtOnce = 100
	// mergeWithin is how long putting the index in order may take.
	mergeWithin = 10 * time.Second
)

// mergeWords puts the index of words in order. A transcript that is deleted is only
// marked in it, and its words stand there until the pages they are on are written anew.
func (e *sqliteEngine) mergeWords(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, mergeWithin)
	defer cancel()
	for pages := -mergedAtOnce; ; pages = mergedAtOnce { // below zero: all of it is to be merged
		changed, err := e.mergeSome(ctx, pages)
		if err != nil || changed < 2 { // it notes that it was asked, and nothing else
			return err
		}
	}
}

// mergeSome merges some pages of the index, and says how many rows it has changed.
func (e *sqliteEngine) mergeSome(ctx context.Context, pages int) (changed int, err error) {
	t, err := e.begin(ctx, true)
	if err != nil {
		return 0, err
	}
	before, after := 0, 0
	_, err = t.do(`SELECT total_changes()`, nil, func(r row) error { return r.Scan(&before) })
	if err == nil {
		_, err = t.do(`INSERT INTO call_words_index (call_words_index, rank) VALUES ('merge', $1)`, []any{pages}, nil)
	}
	if err == nil {
		_, err = t.do(`SELECT total_changes()`, nil, func(r row) error { return r.Scan(&after) })
	}
	if err != nil {
		t.rollback()
		return 0, err
	}
	return after - before, t.commit()
}

// close ends the readers, then the writer: it tidies SQLite's log up, which a
// reader may not.
func (e *sqliteEngine) close() error {
	return errors.Join(e.readers.close(e.timeout), e.writer.close(e.timeout))
}

// liteConn is one connection to the file. It belongs to one goroutine at a time.
type liteConn struct {
	conn   *sqlite.Conn
	orders map[string][]int // by query: which argument each parameter takes

	// What runs longer than its limit is interrupted: the timer closes kill,
	// which the connection watches.
	timer *time.Timer
	armed bool
	kill  chan struct{}
	fired chan struct{} // gets one when the timer has closed kill
}

func openLite(path string, timeout time.Duration, pragmas ...string) (*liteConn, error) {
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite) // one that is gone is not made anew
	if err != nil {
		return nil, err
	}
	c := &liteConn{conn: conn, orders: map[string][]int{}, kill: make(chan struct{}), fired: make(chan struct{}, 1)}
	conn.SetInterrupt(c.kill)
	c.timer = time.AfterFunc(time.Hour, c.expire)
	c.timer.Stop()
	// While another process has the file, the connection waits until its limit
	// runs out.
	c.arm(timeout)
	for _, pragma := range append([]string{"journal_mode = WAL"}, pragmas...) {
		if _, err = c.do("PRAGMA "+pragma, nil, nil); err != nil {
			break
		}
	}
	c.disarm()
	if err != nil {
		conn.Close()
		return nil, err
	}
	return c, nil
}

func (c *liteConn) arm(limit time.Duration) {
	c.armed = true
	c.timer.Reset(limit)
}

func (c *liteConn) expire() {
	close(c.kill)
	c.fired <- struct{}{}
}

// disarm ends the limit. When it has run out, the connection is made fit for
// the next one.
func (c *liteConn) disarm() {
	if !c.armed {
		return
	}
	c.armed = false
	if c.timer.Stop() {
		return
	}
	<-c.fired
	c.kill = make(chan struct{})
	c.conn.SetInterrupt(c.kill)
}

// do runs one statement.
func (c *liteConn) do(query string, args []any, scan func(row) error) (changed int64, err error) {
	stmt, err := c.conn.Prepare(query)
	if err != nil {
		return 0, err
	}
	order, err := c.order(query, stmt, len(args))
	if err != nil {
		return 0, err
	}
	for i, arg := range order {
		if err := bind(stmt, i+1, args[arg]); err != nil {
			return 0, err
		}
	}
	// What has read a row and is not reset keeps the file from being tidied up.
	defer stmt.Reset()
	for {
		more, err := stmt.Step()
		if err != nil {
			return 0, err
		}
		if !more {
			return int64(c.conn.Changes()), nil
		}
		if scan != nil {
			if err := scan(liteRow{stmt}); err != nil {
				return 0, err
			}
		}
	}
}

// order is which argument each parameter of a statement takes: SQLite numbers
// parameters as they first appear, whatever number they have in their name.
func (c *liteConn) order(query string, stmt *sqlite.Stmt, args int) ([]int, error) {
	order, known := c.orders[query]
	if !known {
		order = make([]int, stmt.BindParamCount())
		for i := range order {
			n, err := strconv.Atoi(strings.TrimPrefix(stmt.BindParamName(i+1), "$"))
			if err != nil {
				return nil, fmt.Errorf("parameter %d of %q has no number", i+1, query)
			}
			order[i] = n - 1
		}
		c.orders[query] = order
	}
	for _, arg := range order {
		if arg >= args {
			return nil, fmt.Errorf("%q has no argument $%d", query, arg+1)
		}
	}
	return order, nil
}

func bind(stmt *sqlite.Stmt, i int, arg any) error {
	switch v := arg.(type) {
	case nil:
		stmt.BindNull(i)
	case string:
		stmt.BindText(i, v)
	case []byte:
		if v == nil {
			stmt.BindNull(i)
		} else {
			stmt.BindBytes(i, v)
		}
	case int:
		stmt.BindInt64(i, int64(v))
	case int64:
		stmt.BindInt64(i, v)
	case bool:
		stmt.BindBool(i, v)
	case float64:
		stmt.BindFloat(i, v)
	case driver.Valuer:
		value, err := v.Value()
		if err != nil {
			return err
		}
		return bind(stmt, i, value)
	default:
		return fmt.Errorf("a %T cannot be an argument", arg)
	}
	return nil
}

// liteRow is the row that a statement stands on.
type liteRow struct{ stmt *sqlite.Stmt }

func (r liteRow) Scan(dest ...any) error {
	for i, d := range dest {
		if err := r.column(i, d); err != nil {
			return fmt.Errorf("column %d: %w", i+1, err)
		}
	}
	return nil
}

func (r liteRow) column(i int, dest any) error {
	switch d := dest.(type) {
	case *string:
		*d = r.stmt.ColumnText(i)
	case *text:
		r.text(i, d)
	case *int64:
		*d = r.stmt.ColumnInt64(i)
	case *int:
		*d = r.stmt.ColumnInt(i)
	case *bool:
		*d = r.stmt.ColumnBool(i)
	case *[]byte:
		*d = r.bytes(i)
	case *float64:
		*d = r.stmt.ColumnFloat(i)
	case *sql.NullString:
		d.String, d.Valid = r.stmt.ColumnText(i), !r.stmt.ColumnIsNull(i)
	case *sql.NullInt64:
		d.Int64, d.Valid = r.stmt.ColumnInt64(i), !r.stmt.ColumnIsNull(i)
	default:
		return r.named(i, dest)
	}
	return nil
}

// named fills a value of a type that has a name of its own.
func (r liteRow) named(i int, dest any) error {
	v := reflect.ValueOf(dest).Elem()
	switch v.Kind() {
	case reflect.String:
		v.SetString(r.stmt.ColumnText(i))
	case reflect.Int, reflect.Int64:
		v.SetInt(r.stmt.ColumnInt64(i))
	default:
		return fmt.Errorf("a column cannot be read into a %T", dest)
	}
	return nil
}

// bytes copies a column, nil for NULL.
func (r liteRow) bytes(i int) []byte {
	if r.stmt.ColumnIsNull(i) {
		return nil
	}
	b := make([]byte, r.stmt.ColumnLen(i))
	r.stmt.ColumnBytes(i, b)
	return b
}

// readerPool lends connections for reading, as many as idle has room for, each
// opened when it is first needed.
type readerPool struct {
	open func() (*liteConn, error)
	idle chan *liteConn

	mu     sync.Mutex
	opened int
	closed bool

	waits  atomic.Int64
	waited atomic.Int64 // nanoseconds
}

func (p *readerPool) take(ctx context.Context, limit time.Duration) (*liteConn, error) {
	select {
	case c := <-p.idle:
		return c, nil
	default:
	}
	if c, err := p.openOne(); c != nil || err != nil {
		return c, err
	}
	began := time.Now()
	defer func() {
		p.waits.Add(1)
		p.waited.Add(int64(time.Since(began)))
	}()
	patience := time.NewTimer(limit)
	defer patience.Stop()
	select {
	case c := <-p.idle:
		return c, nil
	case <-patience.C:
		return nil, context.DeadlineExceeded
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// openOne opens one more connection, nil when there are as many as may be.
func (p *readerPool) openOne() (*liteConn, error) {
	if more, err := p.reserve(); !more || err != nil {
		return nil, err
	}
	c, err := p.open()
	if err != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.opened--
	}
	return c, err
}

// reserve counts a connection that is about to be opened: opening may take a
// moment, in which the others must not wait.
func (p *readerPool) reserve() (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false, sql.ErrConnDone
	}
	if p.opened == cap(p.idle) {
		return false, nil
	}
	p.opened++
	return true, nil
}

func (p *readerPool) giveBack(c *liteConn) { p.idle <- c }

func (p *readerPool) stats() PoolStats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return PoolStats{Open: p.opened, InUse: p.opened - len(p.idle), Waits: p.waits.Load(), Waited: time.Duration(p.waited.Load())}
}

// close ends the connections, waiting for those in use no longer than a limit.
func (p *readerPool) close(limit time.Duration) (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	patience := time.NewTimer(limit)
	defer patience.Stop()
	for ; p.opened > 0; p.opened-- {
		select {
		case c := <-p.idle:
			err = errors.Join(err, c.conn.Close())
		case <-patience.C:
			return errors.Join(err, errors.New("connections to the database were still in use when it was closed"))
		}
	}
	return err
}

// script runs several statements without arguments, each once.
func (c *liteConn) script(text string) error {
	for text = statements(text); text != ""; text = statements(text) {
		stmt, rest, err := c.conn.PrepareTransient(text)
		if err != nil {
			return err
		}
		text = text[len(text)-rest:]
		_, err = stmt.Step()
		if err := errors.Join(err, stmt.Finalize()); err != nil {
			return err
		}
	}
	return nil
}

// statements is a text without the blanks and comments before its first
// statement.
func statements(text string) string {
	for {
		text = strings.TrimSpace(text)
		end := "\n"
		switch {
		case strings.HasPrefix(text, "/*"): // what the other database alone has
			end = "*/"
		case !strings.HasPrefix(text, "--"):
			return text
		}
		_, text, _ = strings.Cut(text, end)
	}
}

// rollback runs a statement that ends a transaction, without a limit: there is
// nothing sensible to do when it fails, and SQLite says afterwards itself
// whether a transaction is open.
func (c *liteConn) rollback(statement string) { _, _ = c.do(statement, nil, nil) }
