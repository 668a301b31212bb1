package sdk

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOwnTests runs the tests that the SDKs have themselves; among them is one for
// each that walks the description and finds what has no method.
func TestOwnTests(t *testing.T) {
	t.Parallel()
	t.Run("typescript", func(t *testing.T) {
		t.Parallel()
		nodes := found(t, "find-node")
		dir, err := packed()
		if err != nil {
			t.Fatal(err)
		}
		if dir == "" || len(nodes) == 0 {
			t.Skip("NOT COVERED: Node or the TypeScript compiler is not here")
		}
		// Where the tests look for it from their place.
		description := filepath.Join(work, "internal", "description")
		if err := os.CopyFS(description, os.DirFS("../../internal/description")); err != nil {
			t.Fatal(err)
		}
		// make lint looks at the package and its types; so does TestRelease.
		files, err := filepath.Glob(filepath.Join(dir, "sdk", "test", "*.test.mjs"))
		if err != nil {
			t.Fatal(err)
		}
		args := []string{"--test"}
		for _, file := range files {
			if filepath.Base(file) != "package.test.mjs" {
				args = append(args, file)
			}
		}
		passes(t, filepath.Join(dir, "sdk"), exec.Command(nodes[0], args...))
	})
	t.Run("python", func(t *testing.T) {
		t.Parallel()
		pythons := found(t, "find-python")
		if len(pythons) == 0 {
			t.Skip("NOT COVERED: there is no Python here")
		}
		passes(t, "../../sdk/python", exec.Command(pythons[len(pythons)-1], "-m", "unittest", "--quiet"))
	})
	t.Run("go", func(t *testing.T) {
		t.Parallel()
		passes(t, "../../sdk/go", exec.Command("go", "test", "-count=1", "./..."))
	})
}

func passes(t *testing.T, dir string, c *exec.Cmd) {
	t.Helper()
	c.Dir = dir
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "FRONTDESK_") {
			c.Env = append(c.Env, entry)
		}
	}
	c.Env = append(c.Env, "PYTHONDONTWRITEBYTECODE=1", "GOWORK=off", "CGO_ENABLED=0")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", c.Args, err, out)
	}
	t.Logf("it took %v of processor time", c.ProcessState.UserTime()+c.ProcessState.SystemTime())
}
