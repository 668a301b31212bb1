package install

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What cannot be given to its owner is not there for the next install to take for
// done.
func TestWhatHasNoOwnerIsNotLeft(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	file, dir := filepath.Join(above, "etc", "frontdesk.env"), filepath.Join(above, "lib", "frontdesk")
	make := func(own func(string) error) error {
		return errors.Join(replaceFrom(file, strings.NewReader("A=b\n"), 0o640, own), makeOwned(dir, own))
	}
	refused := errors.New("no")
	if err := make(func(string) error { return refused }); !errors.Is(err, refused) {
		t.Fatalf("got %v", err)
	}
	for _, place := range []string{file, dir} {
		if left, err := os.ReadDir(filepath.Dir(place)); err != nil || len(left) > 0 {
			t.Errorf("%s: left are %v, %v", place, left, err)
		}
	}
	var owned []string
	if err := make(func(path string) error { owned = append(owned, path); return nil }); err != nil || len(owned) != 2 {
		t.Fatalf("owned %v, %v", owned, err)
	}
	for place, mode := range map[string]os.FileMode{file: 0o640, dir: 0o700 | os.ModeDir} {
		if info, err := os.Stat(place); err != nil || info.Mode() != mode {
			t.Errorf("%s is %v, %v", place, info, err)
		}
		if left, err := os.ReadDir(filepath.Dir(place)); err != nil || len(left) != 1 {
			t.Errorf("%s: beside it are %v, %v", place, left, err)
		}
	}
}
