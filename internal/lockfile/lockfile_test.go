package lockfile_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"frontdesk.dev/frontdesk/internal/lockfile"
)

// TestMain is also the other process: it takes the lock that it is named, says
// so, and waits to be killed.
func TestMain(m *testing.M) {
	name := os.Getenv("LOCKFILE_TEST_HOLD")
	if name == "" {
		os.Exit(m.Run())
	}
	if _, err := lockfile.Take(name); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("held")
	select {}
}

func TestTheSameProcess(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "data", "x.lock")
	l, err := lockfile.Take(name)
	if err != nil {
		t.Fatal(err)
	}
	var held *lockfile.HeldError
	if _, err := lockfile.Take(name); !errors.As(err, &held) || held.PID != os.Getpid() || held.File != name {
		t.Errorf("taken twice: %v", err)
	}
	if err := l.Release(); err != nil {
		t.Error(err)
	}
	l, err = lockfile.Take(name)
	if err != nil {
		t.Fatalf("after it was released: %v", err)
	}
	l.Release()
}

// TestAKilledProcess leaves no lock behind, but its number.
func TestAKilledProcess(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "x.lock")
	other := exec.CommandContext(t.Context(), os.Args[0])
	other.Env = append(os.Environ(), "LOCKFILE_TEST_HOLD="+name)
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	var held *lockfile.HeldError
	if _, err := lockfile.Take(name); !errors.As(err, &held) || held.PID != other.Process.Pid {
		t.Errorf("while it lives: %v", err)
	}
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	other.Wait() // it was killed
	l, err := lockfile.Take(name)
	if err != nil {
		t.Fatalf("after it was killed: %v", err)
	}
	l.Release()
}

func TestWhereNothingCanBeWritten(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := lockfile.Take(filepath.Join(file, "x.lock")); err == nil {
		t.Error("a file is no directory")
	}
}
