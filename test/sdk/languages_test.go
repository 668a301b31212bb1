package sdk

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// language is a language, with one version of what runs it.
type language struct {
	name  string // for people
	sdk   string // directory in sdk
	agent string // what User-Agent begins with
	// command is a program of the SDK: "conformance", or "tasks", those of docs/sdk.md.
	// It is nil where it cannot be built here, which is then said.
	command func(t *testing.T, program string) *exec.Cmd
}

// languages returns what can be run here, and says what cannot.
func languages(t *testing.T) (all []language) {
	t.Helper()
	nodes := found(t, "find-node")
	if len(nodes) < 2 {
		t.Logf("NOT COVERED: of Node 20 and a later one, only these are here: %q", nodes)
	}
	for _, node := range nodes {
		all = append(all, language{name: "TypeScript on Node " + version(t, node), sdk: "typescript", agent: "frontdesk-typescript/", command: onNode(node)})
	}
	pythons := found(t, "find-python")
	if len(pythons) == 0 {
		t.Log("NOT COVERED: there is no Python of 3.10 or later here")
	}
	for _, python := range pythons {
		all = append(all, language{name: version(t, python), sdk: "python", agent: "frontdesk-python/", command: onPython(python)})
	}
	return append(all, language{name: "Go", sdk: "go", agent: "frontdesk-go/", command: inGo})
}

// found returns the lines that a script prints. It may fail: then it has not found
// everything.
func found(t *testing.T, script string, args ...string) []string {
	t.Helper()
	out, err := exec.Command("../../scripts/"+script, args...).Output()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

func version(t *testing.T, program string) string {
	t.Helper()
	out, err := exec.Command(program, "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// onNode runs a program with the SDK as it is packed, beside which it stands as it
// would in somebody's project.
func onNode(node string) func(*testing.T, string) *exec.Cmd {
	return func(t *testing.T, program string) *exec.Cmd {
		t.Helper()
		dir, err := packed()
		if err != nil {
			t.Fatal(err)
		}
		if dir == "" {
			t.Log("NOT COVERED: the TypeScript compiler is not here (scripts/find-npm --install typescript)")
			return nil
		}
		if program == "tasks" {
			return exec.Command(node, filepath.Join(dir, "tasks.mjs"))
		}
		return exec.Command(node, filepath.Join(dir, "sdk", "conformance", "run.mjs"))
	}
}

// packed builds the SDK for TypeScript, in a directory where programs can import it
// by its name; it is empty where there is no compiler.
var packed = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(work, "typescript")
	c := exec.Command("../../scripts/build-sdks", "typescript", filepath.Join(work, "package"))
	c.Stderr = os.Stderr
	if err := c.Run(); err != nil {
		if code, ok := err.(*exec.ExitError); ok && code.ExitCode() == 3 {
			return "", nil
		}
		return "", fmt.Errorf("building the SDK for TypeScript: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for _, copied := range [][2]string{
		{filepath.Join(work, "package"), "sdk"},
		{"../../sdk/typescript/conformance", "sdk/conformance"},
		{"../../sdk/typescript/test", "sdk/test"},
		{"tasks/tasks.mjs", "tasks.mjs"},
		{"../../docs/recipes", "recipes"},
		{"recipes/n8n.mjs", "n8n.mjs"},
	} {
		if out, err := exec.Command("cp", "-r", copied[0], filepath.Join(dir, copied[1])).CombinedOutput(); err != nil {
			return "", fmt.Errorf("copying %s: %w: %s", copied[0], err, out)
		}
	}
	modules := filepath.Join(dir, "node_modules", "@frontdesk")
	if err := os.MkdirAll(modules, 0o755); err != nil {
		return "", err
	}
	return dir, os.Symlink(filepath.Join(dir, "sdk"), filepath.Join(modules, "sdk"))
})

func onPython(python string) func(*testing.T, string) *exec.Cmd {
	return func(t *testing.T, program string) *exec.Cmd {
		t.Helper()
		source, err := filepath.Abs("../../sdk/python")
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(source, "conformance", "run.py")
		if program == "tasks" {
			file = "tasks/tasks.py"
		}
		c := exec.Command(python, "-W", "error", file)
		c.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join(source, "src"), "PYTHONDONTWRITEBYTECODE=1")
		return c
	}
}

func inGo(t *testing.T, program string) *exec.Cmd {
	t.Helper()
	out := filepath.Join(work, "go-"+program)
	dir, place := "../../sdk/go", "./conformance"
	if program == "tasks" {
		dir, place = "tasks", "."
	}
	if err := build(dir, place, out); err != nil {
		t.Fatal(err)
	}
	return exec.Command(out)
}
