package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"frontdesk.dev/frontdesk/internal/store"
)

// The names in a data directory while a restore is under way. What is to be put
// in place lies in staging; once ready is there, it is whole, and the restore goes
// on to its end, by another process if this one is killed.
const (
	staging = ".restore"
	ready   = "ready"
	aside   = "before-restore-"
)

// The names of what a restore puts in place.
const (
	databaseName = "frontdesk.db"
	keyName      = "master.key"
)

// belongings are the files of a database: SQLite's own beside it hold what was
// written last.
var belongings = []string{databaseName, databaseName + "-wal", databaseName + "-shm"}

// Staged is a copy of a backup that was looked through and can be put in place.
type Staged struct {
	dir      string // the data directory
	Contents store.Contents
}

// Stage copies a backup beside the database in dir, brings it up to date, and
// looks through it: whether it is a database of ours, whether it is sound, and
// what check says of it. Nothing else in dir is touched. The caller holds the lock
// of dir.
func Stage(ctx context.Context, dir string, from io.Reader, now time.Time, check func(*store.Store) error) (_ *Staged, err error) {
	if err := os.RemoveAll(filepath.Join(dir, staging)); err != nil { // of a restore that was cut off before it was ready
		return nil, fmt.Errorf("clearing away an earlier restore: %w", err)
	}
	if err := os.Mkdir(filepath.Join(dir, staging), 0o700); err != nil {
		return nil, fmt.Errorf("making room for the copy: %w", err)
	}
	s := &Staged{dir: dir}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Discard())
		}
	}()
	if err := writeFile(s.path(databaseName), from); err != nil {
		return nil, err
	}
	return s, s.examine(ctx, now, check)
}

// examine opens the copy as a server would.
func (s *Staged) examine(ctx context.Context, now time.Time, check func(*store.Store) error) (err error) {
	if err := checkHeader(s.path(databaseName)); err != nil {
		return err
	}
	db, err := store.Open(store.Options{URL: s.path(databaseName), Timeout: time.Minute})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	damage, err := db.Damage(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if len(damage) > 0 {
		return fmt.Errorf("%w: %s", ErrDamaged, damage[0])
	}
	todo, err := db.Pending(ctx)
	if err != nil {
		return err
	}
	if len(todo) > 0 && todo[0].Version == 1 {
		return ErrForeign
	}
	if _, err := db.Migrate(ctx, now); err != nil {
		return err
	}
	if s.Contents, err = db.ContentsForWorker(ctx); err != nil {
		return err
	}
	return check(db)
}

// What a backup can be refused for.
var (
	ErrForeign = errors.New("it is not a copy that `frontdesk backup` wrote")
	ErrDamaged = errors.New("the copy is damaged")
)

// checkHeader looks whether a file is an SQLite database before SQLite is asked,
// which takes an empty one for a new database.
func checkHeader(name string) error {
	const magic = "SQLite format 3\x00"
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, len(magic))
	if _, err := io.ReadFull(f, head); err != nil || string(head) != magic {
		return ErrForeign
	}
	return nil
}

// AddKey has a master key put in place together with the database.
func (s *Staged) AddKey(text io.Reader) error { return writeFile(s.path(keyName), text) }

// Discard removes the copy.
func (s *Staged) Discard() error { return os.RemoveAll(filepath.Join(s.dir, staging)) }

func (s *Staged) path(name string) string { return filepath.Join(s.dir, staging, name) }

// Place puts the copy in place. What it replaces is moved into a directory of its
// own, whose name is returned; "" when there was nothing. From the moment it has
// begun it is finished, by Finish if not here.
func (s *Staged) Place(now time.Time) (moved string, err error) {
	// Named in the file, so that whoever finishes moves the rest to the same place.
	name := aside + now.UTC().Format("20060102-150405")
	if err := syncDir(filepath.Join(s.dir, staging)); err != nil {
		return "", err
	}
	tmp := s.path(ready + ".tmp")
	if err := os.WriteFile(tmp, []byte(name), 0o600); err != nil {
		return "", errors.Join(fmt.Errorf("beginning to restore: %w", err), s.Discard())
	}
	if err := syncFile(tmp); err != nil { // it is not begun, and never will be
		return "", errors.Join(fmt.Errorf("beginning to restore: %w", err), s.Discard())
	}
	if err := os.Rename(tmp, s.path(ready)); err != nil {
		return "", errors.Join(fmt.Errorf("beginning to restore: %w", err), s.Discard())
	}
	if err := errors.Join(syncDir(filepath.Join(s.dir, staging)), syncDir(s.dir)); err != nil {
		return "", fmt.Errorf("beginning to restore: %w", err)
	}
	if _, err := Finish(s.dir); err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(s.dir, name)); err != nil {
		return "", nil
	}
	return filepath.Join(s.dir, name), nil
}

// Interrupted says whether a restore into dir was begun and not finished: the
// database there is not to be opened before Finish. Who may not look does not know:
// another user may have begun one.
func Interrupted(dir string) (bool, error) {
	_, err := os.Stat(filepath.Join(dir, staging, ready))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("looking for a restore that was cut off: %w", err)
	}
	return true, nil
}

// Finish brings a restore to its end that was cut off after it had begun, and says
// whether there was one. Every step can be done again. The caller holds the lock
// of dir.
func Finish(dir string) (bool, error) {
	stage := filepath.Join(dir, staging)
	name, err := os.ReadFile(filepath.Join(stage, ready))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("reading how far a restore has come: %w", err)
	}
	old := filepath.Join(dir, filepath.Base(string(name)))
	if err := replace(dir, stage, old, keyName, keyName); err != nil {
		return false, err
	}
	if err := replace(dir, stage, old, databaseName, belongings...); err != nil {
		return false, err
	}
	// The mark goes first: without it the rest is only in the way.
	if err := errors.Join(os.Remove(filepath.Join(stage, ready)), os.RemoveAll(stage), syncDir(dir)); err != nil {
		return false, fmt.Errorf("clearing away the restore: %w", err)
	}
	return true, nil
}

// replace moves what stands in dir under the names aside, and then the staged file
// into its place. A staged file that is not there has been moved before.
func replace(dir, stage, old, file string, names ...string) error {
	if _, err := os.Stat(filepath.Join(stage, file)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, name := range names {
		if err := moveAside(dir, old, name); err != nil {
			return fmt.Errorf("moving %s aside: %w", name, err)
		}
	}
	if err := os.Rename(filepath.Join(stage, file), filepath.Join(dir, file)); err != nil {
		return fmt.Errorf("putting %s in place: %w", file, err)
	}
	return syncDir(dir)
}

func moveAside(dir, old, name string) error {
	if _, err := os.Lstat(filepath.Join(dir, name)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := os.MkdirAll(old, 0o700); err != nil {
		return err
	}
	return errors.Join(os.Rename(filepath.Join(dir, name), filepath.Join(old, name)), syncDir(old))
}

func writeFile(name string, from io.Reader) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("copying: %w", err)
	}
	_, err = io.Copy(f, from)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("copying to %s: %w", name, err)
	}
	return nil
}

func syncFile(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
