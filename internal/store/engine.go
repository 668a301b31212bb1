package store

import (
	"context"
	"time"
)

// engine is one of the two databases: how a question is asked of it, and how a
// transaction is held with it. What it is asked is the same text for both.
type engine interface {
	// ask asks one question within a limit of time, and before the deadline of
	// ctx, and calls scan for every row of the answer.
	ask(ctx context.Context, limit time.Duration, query string, args []any, scan func(row) error) error
	// begin starts a transaction that lasts until it is committed or rolled
	// back, at most until the deadline of ctx. alone says that it may take long:
	// it is not committed together with others.
	begin(ctx context.Context, alone bool) (session, error)
	// check says whether what is written is kept, as far as that is known without
	// asking the database.
	check() error
	// wipe overwrites what is left of deleted rows beside the tables, where the
	// database lets it, at once.
	wipe(ctx context.Context) error
	stats() map[string]PoolStats
	close() error
}

// session is a transaction under way. It belongs to one goroutine.
type session interface {
	// do runs one statement now, calls scan for every row it returns (nil:
	// they are passed over), and says how many rows it changed.
	do(query string, args []any, scan func(row) error) (changed int64, err error)
	// later runs one statement before the next one that runs now, or before
	// the commit: where the database is far away, both take one journey. Its
	// error may therefore come from what follows.
	later(s statement) error
	// script runs several statements without arguments.
	script(text string) error
	commit() error
	rollback()
}

// statement is one that runs later.
type statement struct {
	query   string
	args    []any
	scan    func(row) error // nil: what it returns is passed over
	changed *int64          // gets the number of rows that it changed; may be nil
}

// row is one row of an answer.
type row interface {
	// Scan copies the columns into what dest points to: strings, numbers,
	// booleans, bytes, or the sql.Null types where a column may be NULL.
	Scan(dest ...any) error
}

// PoolStats are the figures of a pool of connections.
type PoolStats struct {
	Open   int
	InUse  int
	Waits  int64         // questions that had to wait for a connection
	Waited time.Duration // how long they waited in all
}
