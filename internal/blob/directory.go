package blob

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
	"time"
)

// unfinished begins the name of a file that a Put is still writing. No key has
// a segment that begins with a dot.
const unfinished = ".unfinished-"

// directory keeps each blob in a file named by its key. Everything goes through
// an os.Root: not even a symbolic link leads out of it.
type directory struct{ root *os.Root }

// OpenDir opens a directory as a store, and makes it when it is missing. Files
// are readable by their owner alone.
func OpenDir(name string) (*Store, error) {
	if err := os.MkdirAll(name, 0o700); err != nil {
		return nil, fmt.Errorf("making the directory of blobs: %w", err)
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("opening the directory of blobs: %w", err)
	}
	return &Store{place: "directory " + name, in: &directory{root}}, nil
}

// put writes beside the place and renames: whoever looks sees the old blob or
// the new one. Both the bytes and the name are on the disk when it returns.
func (d *directory) put(_ context.Context, key string, from *source) error {
	if err := d.makeParents(key); err != nil {
		return err
	}
	temp := path.Join(path.Dir(key), unfinished+rand.Text())
	err := d.write(temp, from)
	if err == nil {
		err = d.root.Rename(temp, key)
	}
	if err != nil {
		d.root.Remove(temp)
		return err
	}
	return d.sync(path.Dir(key))
}

// makeParents makes the directories above a key. A new one is on the disk only
// when the directory that lists it is.
func (d *directory) makeParents(key string) error {
	for _, dir := range parents(key) {
		err := d.root.Mkdir(dir, 0o700)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := d.sync(path.Dir(dir)); err != nil {
			return err
		}
	}
	return nil
}

func (d *directory) write(name string, from io.Reader) error {
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func (d *directory) sync(name string) error {
	f, err := d.root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func (d *directory) get(_ context.Context, key string) (io.ReadCloser, error) {
	if err := d.find(key); err != nil {
		return nil, err
	}
	f, err := d.root.Open(key)
	if err != nil {
		return nil, missing(err)
	}
	return f, nil
}

// find is nil when there is a blob of that key; a directory is none.
func (d *directory) find(key string) error {
	info, err := d.root.Lstat(key)
	if err != nil {
		return missing(err)
	}
	if !info.Mode().IsRegular() {
		return ErrNotFound
	}
	return nil
}

// missing turns the errors of a file that is not there into ErrNotFound; a file
// where a directory would have to be is one of them.
func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return ErrNotFound
	}
	return err
}

// delete leaves the directories above a key: removing one that has just become
// empty would pull it from under a Put.
func (d *directory) delete(_ context.Context, key string) error {
	if err := d.find(key); err != nil {
		return err
	}
	if err := d.root.Remove(key); err != nil {
		return missing(err)
	}
	return d.sync(path.Dir(key))
}

func (d *directory) each(ctx context.Context, fn func(key string, at time.Time) error) error {
	return d.walk(ctx, func(name string, info fs.FileInfo) error {
		if CheckKey(name) != nil {
			return nil
		}
		return fn(name, info.ModTime())
	})
}

func (d *directory) sweep(ctx context.Context, olderThan time.Time) (removed int, err error) {
	err = d.walk(ctx, func(name string, info fs.FileInfo) error {
		if !strings.HasPrefix(path.Base(name), unfinished) || !info.ModTime().Before(olderThan) {
			return nil
		}
		if err := d.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		removed++
		return nil
	})
	return removed, err
}

// walk visits the files in our directories. Others, such as the lost+found of a
// disk of its own, are left alone, and so is what goes away meanwhile.
func (d *directory) walk(ctx context.Context, fn func(name string, info fs.FileInfo) error) error {
	return fs.WalkDir(d.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist) && name != ".":
			return nil
		case err != nil:
			return err
		case entry.IsDir() && name != "." && CheckKey(name) != nil:
			return fs.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		return fn(name, info)
	})
}

// check makes a file and removes it: a directory that was mounted read-only, or
// went away, is found before a customer finds it.
func (d *directory) check(context.Context) error {
	temp := unfinished + rand.Text()
	f, err := d.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), d.root.Remove(temp))
}

func (d *directory) close() error { return d.root.Close() }
