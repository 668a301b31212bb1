package store

import (
	"context"
	"database/sql"
	"errors"
	"sync/atomic"
	"time"
)

// sqliteWriter lets one transaction at a time write.
//
// What costs most about a transaction is that its commit waits for the disk. So
// while others wait for their turn, a transaction that is done does not commit:
// it passes the open transaction on to the next one, which works inside it under
// a savepoint. Together they are a group. The last one commits it, and only then
// do all of them know that their work is kept.
//
// Whose turn it is holds the only value of turn: the group that is open, or nil.
// A channel gives its values to those who wait in the order in which they came.
// Who has passed a group on waits at the end of that line for it to be
// committed: when it gets the group back, nobody else wanted it any more, and it
// commits it itself: those who came later stand behind it, and open the next.
type sqliteWriter struct {
	open    func() (*liteConn, error)
	timeout time.Duration
	conn    *liteConn // nil until it is first needed; belongs to whose turn it is
	turn    chan *writeGroup
	closed  chan struct{}

	waits  atomic.Int64
	waited atomic.Int64 // nanoseconds
}

// The bounds of a group: what its first members wait for the others.
const (
	mostMembers  = 64
	longestGroup = 20 * time.Millisecond
)

// writeGroup are transactions that are committed as one.
type writeGroup struct {
	members int
	alone   bool // its only member may have taken long: nobody joins it
	began   time.Time
	done    chan struct{}
	err     error // once done: why none of it was kept
}

func newSQLiteWriter(open func() (*liteConn, error), timeout time.Duration) *sqliteWriter {
	w := &sqliteWriter{open: open, timeout: timeout, turn: make(chan *writeGroup, 1), closed: make(chan struct{})}
	w.turn <- nil
	return w
}

// begin waits for its turn and opens a transaction, or joins the open one. One
// that may take long stays alone: the others of a group would wait for it.
func (w *sqliteWriter) begin(ctx context.Context, alone bool) (_ session, err error) {
	g, err := w.wait(ctx)
	if err != nil {
		return nil, err
	}
	begun := false
	defer func() { // also after a panic: without the turn nobody could write again
		if !begun {
			w.passOn(g)
		}
	}()
	if alone && g != nil {
		w.end(g)
		g = nil
	}
	s := &sqliteSession{writer: w, group: g, joined: g != nil, alone: alone}
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	begun = true
	return s, nil
}

func (w *sqliteWriter) wait(ctx context.Context) (*writeGroup, error) {
	select {
	case g := <-w.turn:
		return g, nil
	default:
	}
	began := time.Now()
	defer func() {
		w.waits.Add(1)
		w.waited.Add(int64(time.Since(began)))
	}()
	select {
	case g := <-w.turn:
		return g, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-w.closed:
		return nil, sql.ErrConnDone
	}
}

// passOn gives the turn to the next in line. Of a group that is open, somebody
// stands in that line.
func (w *sqliteWriter) passOn(g *writeGroup) { w.turn <- g }

// settle passes an open group on, and comes back when the group is committed,
// by whomever. A group that is large or old is committed at once.
func (w *sqliteWriter) settle(g *writeGroup) {
	if !g.alone && g.members < mostMembers && time.Since(g.began) < longestGroup {
		w.turn <- g
		select {
		case <-g.done:
			return
		case back := <-w.turn:
			if back != g { // ours is done, and this is the next one
				w.turn <- back
				<-g.done
				return
			}
		}
	}
	w.end(g)
	w.turn <- nil
}

// end commits a group and tells all of its members. Whose turn it is does that.
func (w *sqliteWriter) end(g *writeGroup) {
	if w.conn.conn.AutocommitEnabled() { // rolled back by the database itself
		g.err = errGroupFailed
	} else {
		w.conn.arm(w.timeout)
		_, g.err = w.conn.do("COMMIT", nil, nil)
		w.conn.disarm()
		if g.err != nil && !w.conn.conn.AutocommitEnabled() {
			w.conn.rollback("ROLLBACK")
		}
	}
	close(g.done)
}

// fail ends a group that the database has rolled back as a whole.
func (w *sqliteWriter) fail(g *writeGroup, cause error) {
	g.err = cause
	close(g.done)
	w.turn <- nil
}

// emptyLogWithin is how long the log may take to be emptied: it waits for who reads,
// and who writes waits for it.
const emptyLogWithin = time.Second

// emptyLog moves all that stands in SQLite's log into the database, and empties it.
func (w *sqliteWriter) emptyLog(ctx context.Context) (err error) {
	g, err := w.wait(ctx)
	if err != nil {
		return err
	}
	if g != nil {
		w.end(g)
	}
	defer w.passOn(nil)
	if w.conn == nil {
		return nil
	}
	w.conn.arm(min(w.timeout, emptyLogWithin))
	defer w.conn.disarm()
	busy := 0
	if _, err = w.conn.do("PRAGMA wal_checkpoint(TRUNCATE)", nil, func(r row) error { return r.Scan(&busy) }); err == nil && busy != 0 {
		err = errors.New("somebody reads from the log")
	}
	return err
}

func (w *sqliteWriter) stats() PoolStats {
	s := PoolStats{Waits: w.waits.Load(), Waited: time.Duration(w.waited.Load()), Open: 1}
	if len(w.turn) == 0 {
		s.InUse = 1
	}
	return s
}

// close ends the connection, once whoever has it is done, at most after a limit.
func (w *sqliteWriter) close(limit time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	g, err := w.wait(ctx)
	if g != nil {
		w.end(g)
	}
	if errors.Is(err, sql.ErrConnDone) { // closed before
		return nil
	}
	if err != nil {
		return errors.New("a transaction was still under way when the database was closed")
	}
	close(w.closed)
	if w.conn == nil {
		return nil
	}
	return w.conn.conn.Close()
}

// sqliteSession is a transaction: the first of its group, or one that has joined
// it.
type sqliteSession struct {
	writer *sqliteWriter
	group  *writeGroup
	joined bool
	alone  bool

	deadline time.Time
}

// savepoint is what a member of a group works under. There is one at a time.
const savepoint = "member"

func (s *sqliteSession) open(ctx context.Context) (err error) {
	w := s.writer
	if w.conn == nil {
		if w.conn, err = w.open(); err != nil {
			return err
		}
	}
	limit := w.timeout
	if deadline, ok := ctx.Deadline(); ok {
		limit = max(time.Millisecond, time.Until(deadline))
		s.deadline = deadline
	}
	if s.joined {
		// To interrupt a change takes back what the others of the group did: a
		// deadline that has passed is seen before the next statement instead.
		limit = max(limit, w.timeout)
	}
	w.conn.arm(limit)
	if s.joined {
		_, err = w.conn.do("SAVEPOINT "+savepoint, nil, nil)
	} else {
		_, err = w.conn.do("BEGIN IMMEDIATE", nil, nil)
		s.group = &writeGroup{began: time.Now(), alone: s.alone, done: make(chan struct{})}
	}
	if err != nil {
		w.conn.disarm()
	}
	return err
}

func (s *sqliteSession) do(query string, args []any, scan func(row) error) (int64, error) {
	if s.joined && !s.deadline.IsZero() && time.Now().After(s.deadline) {
		return 0, context.DeadlineExceeded
	}
	return s.writer.conn.do(query, args, scan)
}

func (s *sqliteSession) later(st statement) error {
	changed, err := s.do(st.query, st.args, st.scan)
	if err == nil && st.changed != nil {
		*st.changed = changed
	}
	return err
}

func (s *sqliteSession) script(text string) error { return s.writer.conn.script(text) }

func (s *sqliteSession) commit() error {
	w, g := s.writer, s.group
	if s.joined {
		if _, err := w.conn.do("RELEASE "+savepoint, nil, nil); err != nil {
			s.rollback()
			return err
		}
	}
	w.conn.disarm()
	g.members++
	w.settle(g)
	<-g.done
	return g.err
}

// rollback takes back what this transaction did. What the others of its group
// did stays, unless the database has rolled the whole back, as it does when it
// is out of space or interrupted in the middle of a change.
func (s *sqliteSession) rollback() {
	w, g := s.writer, s.group
	w.conn.disarm()
	switch {
	case w.conn.conn.AutocommitEnabled():
		w.fail(g, errGroupFailed)
	case !s.joined:
		w.conn.rollback("ROLLBACK")
		w.fail(g, errGroupFailed)
	default:
		w.conn.rollback("ROLLBACK TO " + savepoint)
		w.conn.rollback("RELEASE " + savepoint)
		if w.conn.conn.AutocommitEnabled() {
			w.fail(g, errGroupFailed)
			return
		}
		w.passOn(g)
	}
}

// errGroupFailed is what the others of a group get when the database has rolled
// all of it back.
var errGroupFailed = errors.New("the database rolled the transaction back together with others")
