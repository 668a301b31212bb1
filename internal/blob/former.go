package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// former is a place, and beside it the directory in which blobs were kept
// before. What is still in there is found and deleted; nothing new is put there.
type former struct {
	backend
	dir *directory
}

// withFormer adds a directory to a store, where it exists.
func withFormer(s *Store, name string) (*Store, error) {
	if name == "" {
		return s, nil
	}
	root, err := os.OpenRoot(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, nil
	case err != nil:
		return nil, fmt.Errorf("opening the former directory of blobs: %w", err)
	}
	return &Store{place: s.place + ", earlier ones in directory " + name, in: &former{s.in, &directory{root}}}, nil
}

func (f *former) get(ctx context.Context, key string) (io.ReadCloser, error) {
	r, err := f.backend.get(ctx, key)
	if errors.Is(err, ErrNotFound) {
		return f.dir.get(ctx, key)
	}
	return r, err
}

// delete deletes both, so that nothing comes to light again.
func (f *former) delete(ctx context.Context, key string) error {
	err := f.backend.delete(ctx, key)
	if errors.Is(err, ErrNotFound) {
		err = nil
	}
	if there := f.dir.delete(ctx, key); !errors.Is(there, ErrNotFound) {
		err = errors.Join(err, there)
	}
	return err
}

func (f *former) each(ctx context.Context, fn func(key string, at time.Time) error) error {
	if err := f.backend.each(ctx, fn); err != nil {
		return err
	}
	return f.dir.each(ctx, fn)
}

func (f *former) sweep(ctx context.Context, olderThan time.Time) (int, error) {
	n, err := f.backend.sweep(ctx, olderThan)
	if err != nil {
		return n, err
	}
	more, err := f.dir.sweep(ctx, olderThan)
	return n + more, err
}

func (f *former) close() error { return errors.Join(f.backend.close(), f.dir.close()) }
