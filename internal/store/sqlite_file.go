package store

import (
	"errors"
	"fmt"
	"os"

	"zombiezen.com/go/sqlite"
)

// errFileGone says that what is written would be lost: the file that is open is no
// longer the one that the next start opens.
var errFileGone = errors.New("was removed, moved or replaced while the server runs. Nothing is written down any more. " +
	"Put the directory back, with frontdesk.db and the files beside it whose names begin with that, or restore a backup; then restart the server")

// fileIdentity knows the database's file again.
type fileIdentity struct {
	path   string
	opened os.FileInfo
}

func identify(path string) (fileIdentity, error) {
	opened, err := os.Stat(path)
	if err != nil {
		return fileIdentity{}, fmt.Errorf("opening the database: %w", err)
	}
	return fileIdentity{path, opened}, nil
}

// check says whether the file is still in its place. It costs a look at the directory,
// which is little beside a transaction.
func (f fileIdentity) check() error {
	now, err := os.Stat(f.path)
	if err != nil || !os.SameFile(f.opened, now) {
		return fmt.Errorf("the database %s %w", f.path, errFileGone)
	}
	return nil
}

// errDamaged says that SQLite has found the file to be broken.
var errDamaged = errors.New("the database's file is damaged: some of it cannot be read. Stop the server, keep a copy of the data directory, " +
	"see with frontdesk doctor what is broken, and restore a backup (docs/operations.md)")

// isDamage says whether an error is that of a file that is broken.
func isDamage(err error) bool {
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultCorrupt, sqlite.ResultNotADB:
		return true
	}
	return false
}
