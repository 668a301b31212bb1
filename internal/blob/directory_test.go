package blob_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/blob"
)

// TestMain lets the test binary be the process that a test kills or starves:
// FRONTDESK_TEST_ROLE says which.
func TestMain(m *testing.M) {
	role := os.Getenv("FRONTDESK_TEST_ROLE")
	if role == "" {
		os.Exit(m.Run())
	}
	if err := roles[role](os.Getenv("FRONTDESK_TEST_DIR")); err != nil {
		fmt.Println(role+":", err)
		os.Exit(1)
	}
}

// roles are what the test binary can be, each in a directory.
var roles = map[string]func(dir string) error{"put endlessly": putEndlessly}

func putEndlessly(dir string) error {
	s, err := blob.OpenDir(dir)
	if err != nil {
		return err
	}
	_, err = s.Put(context.Background(), key, &endless{})
	return err
}

// as makes a command that plays a role in a directory.
func as(t *testing.T, role, dir string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), self)
	c.Env = append(os.Environ(), "FRONTDESK_TEST_ROLE="+role, "FRONTDESK_TEST_DIR="+dir)
	c.Stderr = os.Stderr
	return c
}

func openDir(t *testing.T, dir string) *blob.Store {
	t.Helper()
	s, err := blob.OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// endless says on stdout that bytes have been taken, and goes on for ever.
type endless struct{ taken int }

func (e *endless) Read(p []byte) (int, error) {
	if e.taken += len(p); e.taken > 1<<20 {
		os.Stdout.WriteString("in the middle\n")
		io.Copy(io.Discard, os.Stdin) // until killed
	}
	return len(p), nil
}

func TestAKilledProcessLeavesNoBlob(t *testing.T) {
	t.Parallel()
	for name, old := range map[string]string{"a new blob": "", "one that is replaced": "the old one"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := openDir(t, dir)
			if old != "" {
				put(t, s, key, old)
			}
			killInTheMiddle(t, dir)

			left := files(t, dir, blob.Unfinished)
			if len(left) != 1 {
				t.Fatalf("the process was not in the middle: %v", left)
			}
			if old == "" {
				gone(t, s, key)
			} else if got := get(t, s, key); string(got) != old {
				t.Errorf("got %d bytes", len(got))
			}
			for _, found := range keys(t, s, time.Time{}) {
				if found != key || old == "" {
					t.Errorf("found %s", found)
				}
			}
			sweepIn(t, s, dir, left[0])
			put(t, s, key, "the new one")
		})
	}
}

func killInTheMiddle(t *testing.T, dir string) {
	t.Helper()
	c := as(t, "put endlessly", dir)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("%q, %v", line, err)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	c.Wait()
}

// sweepIn sweeps what is fresh, which it must leave, and then what is old.
func sweepIn(t *testing.T, s *blob.Store, dir, left string) {
	t.Helper()
	if n, err := s.Sweep(t.Context(), time.Now().Add(-time.Hour)); n != 0 || err != nil {
		t.Errorf("swept %d that are fresh: %v", n, err)
	}
	old := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(left, old, old); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Sweep(t.Context(), time.Now().Add(-time.Hour)); n != 1 || err != nil {
		t.Errorf("swept %d: %v", n, err)
	}
	if left := files(t, dir, blob.Unfinished); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

// files are those in a directory whose names begin so.
func files(t *testing.T, dir, prefix string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasPrefix(d.Name(), prefix) {
			all = append(all, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestFilesAreTheOwnersAlone(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "made", "anew")
	s := openDir(t, dir)
	put(t, s, key, "x")
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if want := map[bool]fs.FileMode{true: 0o700, false: 0o600}[d.IsDir()]; info.Mode().Perm() != want {
			t.Errorf("%s has %v", name, info.Mode())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestStrangersInADirectoryAreLeftAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openDir(t, dir)
	put(t, s, "ours/1", "x")
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, []byte("not ours"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"lost+found/x", "ours/README.TXT", ".dot"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for from, to := range map[string]string{"ours/link": outside, "away": filepath.Dir(outside)} {
		if err := os.Symlink(to, filepath.Join(dir, from)); err != nil {
			t.Fatal(err)
		}
	}
	if got := keys(t, s, time.Time{}); !slices.Equal(got, []string{"ours/1"}) {
		t.Errorf("found %v", got)
	}
	gone(t, s, "ours/link")
	for _, do := range map[string]func() error{
		"get":    func() error { _, err := s.Get(t.Context(), "away/outside"); return err },
		"put":    func() error { _, err := s.Put(t.Context(), "away/new", strings.NewReader("x")); return err },
		"delete": func() error { return s.Delete(t.Context(), "away/outside") },
	} {
		if do() == nil {
			t.Error("a link leads out of the directory")
		}
	}
	if got, err := os.ReadFile(outside); err != nil || string(got) != "not ours" {
		t.Errorf("%q, %v", got, err)
	}
	if n, err := s.Sweep(t.Context(), time.Now().Add(time.Hour)); n != 0 || err != nil {
		t.Errorf("swept %d: %v", n, err)
	}
}

func TestADirectoryThatIsGoneIsFound(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "blobs")
	s := openDir(t, dir)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(t.Context()); err == nil || !strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
	if _, err := s.Put(t.Context(), key, strings.NewReader("x")); err == nil {
		t.Error("put into a directory that is gone")
	}
}
