package reader

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The tests of sums and scores run once more as on machines of another kind: one that
// has dot products of bytes, and an older one.
func TestOnARM64(t *testing.T) {
	t.Parallel()
	if runtime.GOARCH == "arm64" {
		t.Skip("this is such a machine")
	}
	found, err := exec.Command("../../scripts/find-qemu").Output()
	if err != nil {
		t.Skip("NOT COVERED: there is no qemu-user here (scripts/find-qemu --install)")
	}
	program := filepath.Join(t.TempDir(), "reader.test")
	build := exec.Command("go", "test", "-c", "-o", program, ".")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the tests for arm64: %v\n%s", err, out)
	}
	for cpu, path := range map[string]string{"max": "NEON dot products", "cortex-a72": "NEON"} {
		run := exec.Command(strings.TrimSpace(string(found)), "-cpu", cpu, program, "-test.v", "-test.run", "^(TestPathsMultiplyAlike|TestPathsCountAlike|TestScoresAreTheSameToTheBit)$")
		out, err := run.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", cpu, err, out)
		}
		if first := "paths: " + path + ","; !strings.Contains(string(out), first) {
			t.Errorf("%s: there is no %q in\n%s", cpu, first, out)
		}
	}
}
