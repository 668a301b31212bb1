package browser

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"frontdesk.dev/frontdesk/internal/pdf/pdftest"
)

// masterKey is the program's, so that tests can make customers' links.
var masterKey = base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32))

// program starts frontdesk with the demo, on a Sunday in
// November, and with more settings. It returns where it listens, and what the demo
// printed.
func program(settings ...string) (url string, shown printed, stop func(), err error) {
	binary, err := built()
	if err != nil {
		return "", printed{}, nil, err
	}
	dir, err := os.MkdirTemp("", "frontdesk-web-")
	if err != nil {
		return "", printed{}, nil, err
	}
	serve := exec.Command(binary, "serve", "--demo")
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "FRONTDESK_") {
			serve.Env = append(serve.Env, entry)
		}
	}
	serve.Env = append(serve.Env, "FRONTDESK_DATA="+filepath.Join(dir, "data"), "FRONTDESK_LISTEN=127.0.0.1:0",
		"FRONTDESK_LOG_FORMAT=json", "FRONTDESK_DATABASE_TIMEOUT=30s", "FRONTDESK_NOW=2026-11-15T10:00:00+01:00",
		// All visitors of the tests come from one address.
		"FRONTDESK_WEB_STARTS_PER_MINUTE=1000", "FRONTDESK_WEB_MESSAGES_PER_SECOND=1000", "FRONTDESK_WEB_MESSAGES_BURST=1000",
		"FRONTDESK_MASTER_KEY="+masterKey, "FRONTDESK_CACHE="+pdftest.ProgramCacheDir())
	serve.Env = append(serve.Env, settings...)
	log, err := serve.StderrPipe()
	if err != nil {
		return "", printed{}, nil, err
	}
	output, err := serve.StdoutPipe()
	if err != nil {
		return "", printed{}, nil, err
	}
	if err := serve.Start(); err != nil {
		return "", printed{}, nil, err
	}
	stop = func() {
		serve.Process.Signal(syscall.SIGTERM)
		serve.Wait()
		os.RemoveAll(dir)
	}
	if url, err = listening(log); err == nil {
		shown, err = readPrinted(output)
	}
	if err != nil {
		stop()
	}
	return url, shown, stop, err
}

// built is the program, which is built once.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "frontdesk-web-")
	if err != nil {
		return "", err
	}
	binary := filepath.Join(dir, "frontdesk")
	build := command("go", "build", "-trimpath", "-o", binary, "frontdesk.dev/frontdesk/cmd/frontdesk")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if err := build.Run(); err != nil {
		return "", fmt.Errorf("building the program: %w", err)
	}
	return binary, nil
})

// printed is what the demo prints at its start.
type printed struct {
	key      string // a live one
	entrance string // the link that lets its owner into the console, once
}

// readPrinted reads what the demo prints until its live key, and then away.
func readPrinted(output io.Reader) (p printed, err error) {
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "/console/enter/") {
			p.entrance = strings.TrimSpace(lines.Text())
		}
		if _, key, found := strings.Cut(lines.Text(), "FRONTDESK_KEY="); found {
			go io.Copy(io.Discard, output)
			p.key = strings.Fields(key)[0]
			return p, nil
		}
	}
	return p, errors.New("the program has printed no key")
}

// listening reads the log until the program is ready, and then away.
func listening(log io.Reader) (string, error) {
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		var line struct{ Msg, Listen string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "ready" {
			go io.Copy(io.Discard, log)
			return "http://" + line.Listen, nil
		}
		fmt.Fprintln(os.Stderr, lines.Text())
	}
	return "", errors.New("the program has ended before it was ready")
}
