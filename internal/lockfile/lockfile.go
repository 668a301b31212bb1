// Package lockfile keeps a second process out of a directory. The lock is the
// operating system's, on an open file: it ends with the process, however that
// ends, so that no stale one is ever left. What the file holds is only for people:
// which process has it.
package lockfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Lock is held until it is released or the process ends.
type Lock struct{ file *os.File }

// HeldError is the error for a lock that another process has.
type HeldError struct {
	File string
	PID  int // 0: it has not said so yet
}

func (e *HeldError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("another process holds %s", e.File)
	}
	return fmt.Sprintf("process %d holds %s", e.PID, e.File)
}

// errHeld is what the systems' own calls return for a lock of another process.
var errHeld = errors.New("held")

// Take takes the lock of a file, which is made if it is missing, together with
// its directory. Where another process has it the error is a *HeldError, at once.
func Take(name string) (*Lock, error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, fmt.Errorf("making the directory of the lock: %w", err)
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the lock: %w", err)
	}
	if err := lock(f); err != nil {
		defer f.Close()
		if errors.Is(err, errHeld) {
			return nil, &HeldError{File: name, PID: pid(f)}
		}
		return nil, fmt.Errorf("locking %s: %w", name, err)
	}
	text := []byte(strconv.Itoa(os.Getpid()) + "\n")
	err = f.Truncate(0)
	if err == nil {
		_, err = f.WriteAt(text, 0)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("writing %s: %w", name, err)
	}
	return &Lock{f}, nil
}

// Release lets go. The file stays: to remove it would let two processes lock two
// files of the same name.
func (l *Lock) Release() error { return l.file.Close() }

func pid(f io.ReaderAt) int {
	text := make([]byte, 20)
	n, _ := f.ReadAt(text, 0)
	id, err := strconv.Atoi(strings.TrimSpace(string(text[:n])))
	if err != nil {
		return 0
	}
	return id
}
