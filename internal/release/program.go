package release

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// program builds the program for a target. Everything that could make it another
// one on another machine is said here.
func (r Release) program(ctx context.Context, t Target) ([]byte, error) {
	dir, err := os.MkdirTemp("", "frontdesk-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "frontdesk")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-mod=readonly",
		"-ldflags", "-s -w -X main.version="+r.Version+" -X main.commit="+r.Commit, "-o", binary, "./cmd/frontdesk")
	build.Dir = r.Source
	build.Env = environment(os.Environ(), t)
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, bytes.TrimSpace(out))
	}
	return os.ReadFile(binary)
}

// environment is the machine's without what changes how a program is built.
func environment(machine []string, t Target) []string {
	env := make([]string, 0, len(machine)+8)
	for _, entry := range machine {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "GO") || keptSettings[name] {
			env = append(env, entry)
		}
	}
	return append(env, "CGO_ENABLED=0", "GOOS="+t.OS, "GOARCH="+t.Arch, "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=", "GOEXPERIMENT=", "GOFIPS140=off", "GOWORK=off")
}

// keptSettings say where Go finds things, and nothing about what it makes.
var keptSettings = map[string]bool{
	"GOPATH": true, "GOROOT": true, "GOCACHE": true, "GOMODCACHE": true, "GOPROXY": true, "GOSUMDB": true,
	"GOPRIVATE": true, "GONOPROXY": true, "GONOSUMDB": true, "GOINSECURE": true, "GOTOOLCHAIN": true, "GOTMPDIR": true,
}
