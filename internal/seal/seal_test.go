package seal_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/seal"
)

func master(b byte) frontdesk.Secret {
	return frontdesk.Secret(base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{b}, 32)))
}

func box(t *testing.T, b byte) *seal.Box {
	t.Helper()
	x, err := seal.New(master(b))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestSealAndOpen(t *testing.T) {
	t.Parallel()
	x := box(t, 1)
	for name, value := range map[string][]byte{
		"nothing": {}, "a word": []byte("whsec_"), "bytes": {0, 1, 255}, "a megabyte": bytes.Repeat([]byte("a"), 1<<20),
	} {
		sealed := x.Seal("here", value)
		if got, err := x.Open("here", sealed); err != nil || !bytes.Equal(got, value) {
			t.Errorf("%s: %v", name, err)
		}
		if len(value) > 3 && bytes.Contains(sealed, value) {
			t.Errorf("%s can be read", name)
		}
		if bytes.Equal(sealed, x.Seal("here", value)) {
			t.Errorf("%s is sealed twice to the same bytes", name)
		}
		// The same master key on another node.
		if got, err := box(t, 1).Open("here", sealed); err != nil || !bytes.Equal(got, value) {
			t.Errorf("%s on another node: %v", name, err)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	x := box(t, 1)
	sealed := x.Seal("here", []byte("secret"))
	for name, open := range map[string]func() ([]byte, error){
		"another place":       func() ([]byte, error) { return x.Open("there", sealed) },
		"no place":            func() ([]byte, error) { return x.Open("", sealed) },
		"another master key":  func() ([]byte, error) { return box(t, 2).Open("here", sealed) },
		"nothing":             func() ([]byte, error) { return x.Open("here", nil) },
		"the version alone":   func() ([]byte, error) { return x.Open("here", sealed[:1]) },
		"what is cut off":     func() ([]byte, error) { return x.Open("here", sealed[:len(sealed)-1]) },
		"what has more to it": func() ([]byte, error) { return x.Open("here", append(bytes.Clone(sealed), 0)) },
	} {
		if got, err := open(); err == nil || got != nil {
			t.Errorf("%s: opened %q", name, got)
		}
	}
	for i := range sealed {
		altered := bytes.Clone(sealed)
		altered[i] ^= 1
		if got, err := x.Open("here", altered); err == nil || got != nil {
			t.Errorf("with byte %d altered: opened %q", i, got)
		}
	}
}

func TestNewRefusesABadMasterKey(t *testing.T) {
	t.Parallel()
	for name, key := range map[string]string{
		"nothing": "", "31 bytes": base64.StdEncoding.EncodeToString(make([]byte, 31)), "33 bytes": base64.StdEncoding.EncodeToString(make([]byte, 33)),
		"not base64": "hunter2 hunter2!", "hexadecimal": strings.Repeat("0f", 32),
	} {
		if _, err := seal.New(frontdesk.Secret(key)); err == nil || key != "" && strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := seal.New(" " + master(1) + "\n"); err != nil {
		t.Errorf("with white space around: %v", err)
	}
}

func TestDerive(t *testing.T) {
	t.Parallel()
	a, again, other, elsewhere := box(t, 1).Derive("demo"), box(t, 1).Derive("demo"), box(t, 1).Derive("other"), box(t, 2).Derive("demo")
	if len(a) != 64 || !bytes.Equal(a, again) || bytes.Equal(a, other) || bytes.Equal(a, elsewhere) {
		t.Error("the same key and purpose give the same 64 bytes, and no others do")
	}
}

func TestABoxDoesNotPrintItsKey(t *testing.T) {
	t.Parallel()
	raw := fmt.Sprintf("%v", bytes.Repeat([]byte{1}, 32))
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		if got := fmt.Sprintf(verb, box(t, 1)); strings.Contains(got, raw[1:40]) || strings.Contains(got, strings.Repeat("0x1, ", 10)) || strings.Contains(got, strings.Repeat("\x01", 32)) {
			t.Errorf("%s prints it: %.80s", verb, got)
		}
	}
}

func TestLoadOrCreate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data", "new")
	file := filepath.Join(dir, "master.key")
	first, created, err := seal.LoadOrCreate(file)
	if err != nil || !created {
		t.Fatalf("created %v, %v", created, err)
	}
	if _, err := seal.New(first); err != nil {
		t.Error(err)
	}
	if again, created, err := seal.LoadOrCreate(file); err != nil || created || again != first {
		t.Errorf("the second time: another key %v, created %v, %v", again != first, created, err)
	}
	for path, want := range map[string]fs.FileMode{file: 0o600, dir: 0o700} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s can be read by others: %v", filepath.Base(path), info.Mode())
		}
	}
}

func TestManyProcessesCreateOneKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var wg sync.WaitGroup
	start := make(chan struct{})
	keys, created := make([]frontdesk.Secret, 20), make([]bool, 20)
	for i := range keys {
		wg.Go(func() {
			<-start
			var err error
			if keys[i], created[i], err = seal.LoadOrCreate(filepath.Join(dir, "master.key")); err != nil {
				t.Error(err)
			}
		})
	}
	close(start)
	wg.Wait()
	creators := 0
	for i := range keys {
		if keys[i] != keys[0] {
			t.Error("there are two keys")
		}
		if created[i] {
			creators++
		}
	}
	if creators != 1 {
		t.Errorf("%d of them say that they created it", creators)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestLoadOrCreateFailsWhereItCannotWrite(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := seal.LoadOrCreate(filepath.Join(file, "master.key")); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
