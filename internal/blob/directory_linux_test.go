package blob_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/blob"
)

// A disk of its own, for a process of its own: without privileges where the
// system has user namespaces.
func TestDisksThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ role, want string }{
		"a full disk":       {"fill a disk", "no space left on device"},
		"a disk to be read": {"write to a disk to be read", "read-only file system"},
		"a limit on files":  {"exceed a limit", "file too large"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := as(t, tt.role, t.TempDir())
			c.SysProcAttr = &syscall.SysProcAttr{
				Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
				UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
				GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
			}
			out, err := c.Output()
			if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.ENOSPC) {
				t.Skipf("NOT COVERED: no user namespaces here: %v", err)
			}
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if !strings.Contains(string(out), tt.want) {
				t.Errorf("said %s", out)
			}
		})
	}
}

func init() {
	roles["fill a disk"] = fillDisk
	roles["write to a disk to be read"] = writeToReadOnly
	roles["exceed a limit"] = exceedLimit
}

func fillDisk(dir string) error {
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=1m"); err != nil {
		return err
	}
	return refused(dir, syscall.ENOSPC)
}

func exceedLimit(dir string) error {
	limit := syscall.Rlimit{Cur: 1 << 20, Max: 1 << 20}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	return refused(dir, syscall.EFBIG)
}

// refused puts a small blob, one that finds no room, and a small one again.
func refused(dir string, want error) error {
	signal.Ignore(syscall.SIGXFSZ) // else it ends the process
	s, err := blob.OpenDir(dir)
	if err != nil {
		return err
	}
	ctx := context.Background()
	if _, err := s.Put(ctx, "small", strings.NewReader("x")); err != nil {
		return err
	}
	_, err = s.Put(ctx, "large", io.LimitReader(zeroes{}, 2<<20))
	if !errors.Is(err, want) {
		return fmt.Errorf("not refused as expected: %w", err)
	}
	fmt.Println(err)
	if _, err := s.Get(ctx, "large"); !errors.Is(err, blob.ErrNotFound) {
		return fmt.Errorf("something is left: %w", err)
	}
	if n, err := s.Sweep(ctx, time.Now().Add(time.Hour)); n != 0 || err != nil {
		return fmt.Errorf("swept %d: %w", n, err)
	}
	_, err = s.Put(ctx, "another", strings.NewReader("x"))
	return err
}

func writeToReadOnly(dir string) error {
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=1m"); err != nil {
		return err
	}
	s, err := blob.OpenDir(dir)
	if err != nil {
		return err
	}
	ctx := context.Background()
	if _, err := s.Put(ctx, key, strings.NewReader("x")); err != nil {
		return err
	}
	if err := syscall.Mount("none", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		return err
	}
	_, put := s.Put(ctx, key, strings.NewReader("y"))
	for _, err := range []error{put, s.Check(ctx), s.Probe(ctx), s.Delete(ctx, key)} {
		if !errors.Is(err, syscall.EROFS) {
			return fmt.Errorf("not refused as expected: %w", err)
		}
		fmt.Println(err)
	}
	r, err := s.Get(ctx, key)
	if err != nil {
		return err
	}
	return r.Close()
}
