package blob

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Database is the name of the place that is the database itself.
const Database = "database"

// Table is a database as a place for blobs. A blob in it has an id, chunks in
// their order, and a key, without which nobody finds it.
type Table interface {
	// AddChunk writes a chunk of a blob without a key; the one at 0 begins it.
	AddChunk(ctx context.Context, id frontdesk.ID, position int, data []byte, now time.Time) error
	// SetKey gives a whole blob its key, and returns which blob lost it, "" for none.
	SetKey(ctx context.Context, id frontdesk.ID, key string, size int64, now time.Time) (replaced frontdesk.ID, err error)
	// ClearKey takes the key from its blob, and returns which that was, "" for none.
	ClearKey(ctx context.Context, key string) (frontdesk.ID, error)
	// Remove removes a blob without a key, in bounded pieces.
	Remove(ctx context.Context, id frontdesk.ID) error

	// ByKey finds a blob, "" for none, and its size.
	ByKey(ctx context.Context, key string) (id frontdesk.ID, size int64, err error)
	// Chunk reads one chunk, nil when it is not there.
	Chunk(ctx context.Context, id frontdesk.ID, position int) ([]byte, error)
	// Keys lists up to most keys in their order, after one or, with "", from the first.
	Keys(ctx context.Context, after string, most int, found func(key string, at time.Time)) error
	// WithoutKey lists up to most blobs without a key that are older than an instant.
	WithoutKey(ctx context.Context, before time.Time, most int) ([]frontdesk.ID, error)
	Ping(ctx context.Context) error
}

const (
	// chunkSize is what one statement writes, and what a Put and a Get hold in
	// memory: little enough for the time that a question to the database has,
	// much enough that 10 MiB are 40 of them.
	chunkSize = 256 << 10
	// listSize is how many blobs are listed at once.
	listSize = 500
)

// database keeps blobs as rows. A Put writes chunk after chunk under an id of
// its own, each in a transaction of its own, and gives the blob its key at the
// end: whoever looks sees the old blob or the new one, and a slow upload holds
// neither a connection nor a lock.
type database struct {
	in      Table
	page    int // how many blobs are listed at once
	buffers sync.Pool
}

// OpenDatabase makes a store of a database.
func OpenDatabase(in Table) *Store {
	d := &database{in: in, page: listSize}
	d.buffers.New = func() any { buf := make([]byte, chunkSize); return &buf }
	return &Store{place: "the database", in: d}
}

func (d *database) put(ctx context.Context, key string, from *source) error {
	id := frontdesk.NewID(time.Now())
	if err := d.write(ctx, id, from); err != nil {
		return d.giveUp(ctx, id, err)
	}
	replaced, err := d.in.SetKey(ctx, id, key, from.n, time.Now())
	if err != nil {
		return d.giveUp(ctx, id, err)
	}
	if replaced != "" {
		d.in.Remove(context.WithoutCancel(ctx), replaced) // else Sweep does
	}
	return nil
}

// write writes chunks until the source has ended; an empty source is one empty
// chunk.
func (d *database) write(ctx context.Context, id frontdesk.ID, from *source) error {
	buf := d.buffers.Get().(*[]byte)
	defer d.buffers.Put(buf)
	for position := 0; ; position++ {
		n, err := fill(*buf, from)
		if err != nil {
			return err
		}
		if n == 0 && position > 0 {
			return nil
		}
		if err := d.in.AddChunk(ctx, id, position, (*buf)[:n], time.Now()); err != nil {
			return err
		}
		if n < chunkSize {
			return nil
		}
	}
}

// giveUp removes what was written before err. A database that does not answer
// is not asked again: its caller waits, and Sweep removes the rest.
func (d *database) giveUp(ctx context.Context, id frontdesk.ID, err error) error {
	if !frontdesk.IsUnavailable(err) || ctx.Err() != nil {
		d.in.Remove(context.WithoutCancel(ctx), id)
	}
	return err
}

func (d *database) get(ctx context.Context, key string) (io.ReadCloser, error) {
	id, size, err := d.in.ByKey(ctx, key)
	switch {
	case err != nil:
		return nil, err
	case id == "":
		return nil, ErrNotFound
	}
	return &chunks{ctx: ctx, in: d.in, id: id, left: size}, nil
}

// chunks reads a blob, one chunk after the other as they are asked for.
type chunks struct {
	ctx   context.Context
	in    Table
	id    frontdesk.ID
	next  int
	left  int64 // bytes that are still to be fetched
	chunk []byte
	over  bool // it was closed
}

func (c *chunks) Read(p []byte) (int, error) {
	if c.over {
		return 0, fs.ErrClosed
	}
	if len(c.chunk) == 0 {
		if c.left == 0 {
			return 0, io.EOF
		}
		if err := c.fetch(); err != nil {
			return 0, err
		}
	}
	n := copy(p, c.chunk)
	c.chunk = c.chunk[n:]
	return n, nil
}

func (c *chunks) fetch() error {
	chunk, err := c.in.Chunk(c.ctx, c.id, c.next)
	switch {
	case err != nil:
		return err
	case len(chunk) == 0: // deleted, or replaced, since it was opened
		return ErrNotFound
	case int64(len(chunk)) > c.left:
		return fmt.Errorf("chunk %d has %d bytes, and only %d are left", c.next, len(chunk), c.left)
	}
	c.chunk, c.left, c.next = chunk, c.left-int64(len(chunk)), c.next+1
	return nil
}

func (c *chunks) Close() error {
	c.chunk, c.over = nil, true
	return nil
}

func (d *database) delete(ctx context.Context, key string) error {
	id, err := d.in.ClearKey(ctx, key)
	if err != nil || id == "" {
		return err
	}
	return d.in.Remove(ctx, id)
}

func (d *database) each(ctx context.Context, fn func(key string, at time.Time) error) error {
	type found struct {
		key string
		at  time.Time
	}
	for after := ""; ; {
		var page []found
		if err := d.in.Keys(ctx, after, d.page, func(key string, at time.Time) { page = append(page, found{key, at}) }); err != nil {
			return err
		}
		for _, f := range page {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := fn(f.key, f.at); err != nil {
				return err
			}
			after = f.key
		}
		if len(page) < d.page {
			return ctx.Err()
		}
	}
}

func (d *database) sweep(ctx context.Context, olderThan time.Time) (removed int, err error) {
	for {
		ids, err := d.in.WithoutKey(ctx, olderThan, d.page)
		if err != nil {
			return removed, err
		}
		for _, id := range ids {
			if err := d.in.Remove(ctx, id); err != nil {
				return removed, err
			}
			removed++
		}
		if len(ids) < d.page {
			return removed, ctx.Err()
		}
	}
}

func (d *database) check(ctx context.Context) error { return d.in.Ping(ctx) }

// close leaves the database to whoever opened it.
func (d *database) close() error { return nil }
