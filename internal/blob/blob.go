// Package blob keeps the bytes of documents: in the database, in a directory of
// this machine, or in a bucket that speaks the S3 protocol.
//
// The way in and out is the same for all of them:
//
//	Open -> Put -> Get -> Delete
//
// A blob is there whole or not at all. What a Put that was cut off leaves
// behind is seen by nobody, and Sweep removes it; blobs that nobody knows any
// more are found with Each. The package does not know what a document is, who
// owns it, or whether it may be read: keys are minted by the caller. Nor does it
// know SQL: a database is a Table.
package blob

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"
)

// ErrNotFound is the error of reading a blob that is not there. It is an
// fs.ErrNotExist.
var ErrNotFound error = notFound{}

type notFound struct{}

func (notFound) Error() string        { return "there is no such blob" }
func (notFound) Is(target error) bool { return target == fs.ErrNotExist }

// Store keeps blobs under keys. It is safe for concurrent use.
type Store struct {
	place string
	in    backend
}

// backend is what the places do differently. Keys that reach it have been
// checked.
type backend interface {
	put(ctx context.Context, key string, from *source) error
	get(ctx context.Context, key string) (io.ReadCloser, error)
	delete(ctx context.Context, key string) error
	each(ctx context.Context, fn func(key string, at time.Time) error) error
	sweep(ctx context.Context, olderThan time.Time) (int, error)
	check(ctx context.Context) error
	close() error
}

// String says where the blobs are, for the log: never with credentials.
func (s *Store) String() string { return s.place }

// Put stores what r yields under a key and returns how many bytes that were. A
// blob that is there already is replaced. When r fails, its error is in the
// chain and nothing has changed. When the place itself fails at the very end
// (the answer is lost, the last fsync fails), the blob may be there although an
// error is returned: the caller records only what was stored without one, and
// sweeps the rest with Each.
func (s *Store) Put(ctx context.Context, key string, r io.Reader) (int64, error) {
	if err := CheckKey(key); err != nil {
		return 0, err
	}
	from := &source{ctx: ctx, r: r}
	if err := s.in.put(ctx, key, from); err != nil {
		return 0, s.failed("storing", key, err)
	}
	return from.n, nil
}

// Get opens a blob. A blob that is not there is ErrNotFound; a place that does
// not answer, or a bucket that is missing, is another error. The bytes are
// complete when the reader says io.EOF, and only then.
func (s *Store) Get(ctx context.Context, key string) (io.ReadCloser, error) {
	if err := CheckKey(key); err != nil {
		return nil, err
	}
	r, err := s.in.get(ctx, key)
	if err != nil {
		return nil, s.failed("opening", key, err)
	}
	return r, nil
}

// Delete removes a blob. One that is not there is no error.
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := CheckKey(key); err != nil {
		return err
	}
	if err := s.in.delete(ctx, key); err != nil && !errors.Is(err, ErrNotFound) {
		return s.failed("deleting", key, err)
	}
	return nil
}

// Each calls fn for every blob stored before olderThan, or for all when it is
// zero. The times are those of the place, which in a bucket are whole seconds
// of another machine's clock: leave a margin. An error of fn ends the walk and
// is returned as it is. fn may delete the blob it is called for.
func (s *Store) Each(ctx context.Context, olderThan time.Time, fn func(key string, at time.Time) error) error {
	var stopped error
	err := s.in.each(ctx, func(key string, at time.Time) error {
		if !olderThan.IsZero() && !at.Before(olderThan) {
			return nil
		}
		stopped = fn(key, at)
		return stopped
	})
	if stopped != nil {
		return stopped
	}
	if err != nil {
		return fmt.Errorf("listing blobs in %s: %w", s.place, err)
	}
	return nil
}

// Sweep removes what Puts that were cut off before olderThan left behind, and
// returns how many: files that were never renamed, uploads that were never
// completed, rows that were never given their key. olderThan must lie further
// back than the longest Put takes.
func (s *Store) Sweep(ctx context.Context, olderThan time.Time) (int, error) {
	n, err := s.in.sweep(ctx, olderThan)
	if err != nil {
		return n, fmt.Errorf("sweeping %s: %w", s.place, err)
	}
	return n, nil
}

// Check says whether the place can be reached, cheaply enough to be asked every
// few seconds.
func (s *Store) Check(ctx context.Context) error {
	if err := s.in.check(ctx); err != nil {
		return fmt.Errorf("checking %s: %w", s.place, err)
	}
	return nil
}

// Probe says whether blobs can be stored, read and deleted, by doing so.
func (s *Store) Probe(ctx context.Context) (err error) {
	key := "probe/" + strings.ToLower(rand.Text())
	want := []byte("frontdesk was here\n")
	if _, err := s.Put(ctx, key, bytes.NewReader(want)); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Delete(context.WithoutCancel(ctx), key)) }()
	r, err := s.Get(ctx, key)
	if err != nil {
		return err
	}
	defer r.Close()
	got, err := io.ReadAll(r)
	if err != nil {
		return s.failed("reading", key, err)
	}
	if !bytes.Equal(got, want) {
		return s.failed("reading", key, errors.New("the bytes are not those that were stored"))
	}
	return nil
}

// Close lets go of the place. Blobs that are being read can be read to the end.
func (s *Store) Close() error { return s.in.close() }

func (s *Store) failed(doing, key string, err error) error {
	return fmt.Errorf("%s blob %s in %s: %w", doing, key, s.place, err)
}

// source is the reader of a Put. It counts, ends with the context, and gives
// errors a type of their own: an io.ErrUnexpectedEOF, which is what a client
// that went away looks like, must not pass for the end of the bytes.
type source struct {
	ctx context.Context
	r   io.Reader
	n   int64
}

func (s *source) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, readError{err}
	}
	n, err := s.r.Read(p)
	s.n += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		err = readError{err}
	}
	return n, err
}

type readError struct{ cause error }

func (e readError) Error() string { return "reading what is to be stored: " + e.cause.Error() }
func (e readError) Unwrap() error { return e.cause }
