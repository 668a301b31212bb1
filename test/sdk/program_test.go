package sdk

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"frontdesk.dev/frontdesk/internal/pdf/pdftest"
)

// work is where everything is built.
var work string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if work, err = os.MkdirTemp("", "frontdesk-sdk-"); err != nil {
		panic(err)
	}
	defer os.RemoveAll(work)
	if err := build("../..", "./cmd/frontdesk", binary()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// binary is the program that the SDKs speak to.
func binary() string { return filepath.Join(work, "frontdesk") }

// build builds a Go program of the module in dir.
func build(dir, place, out string) error {
	c := exec.Command("go", "build", "-trimpath", "-o", out, place)
	c.Dir = dir
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if text, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", place, err, text)
	}
	return nil
}

// service is a running frontdesk with the demo business.
type service struct {
	url string // without /v1
	key string // live, every scope
}

// serve starts one with further settings, which ends with the test.
func serve(t *testing.T, settings ...string) service {
	t.Helper()
	c := exec.Command(binary(), "serve", "--demo")
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "FRONTDESK_") {
			c.Env = append(c.Env, entry)
		}
	}
	c.Env = append(c.Env, "FRONTDESK_DATA="+filepath.Join(t.TempDir(), "data"), "FRONTDESK_LISTEN=127.0.0.1:0",
		"FRONTDESK_LOG_FORMAT=json", "FRONTDESK_DATABASE_TIMEOUT=30s", "FRONTDESK_RATE_BURST=1000000",
		"FRONTDESK_CACHE="+pdftest.ProgramCacheDir())
	c.Env = append(c.Env, settings...)
	output, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	log, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Signal(syscall.SIGTERM)
		c.Wait()
		t.Logf("the service took %v of processor time", c.ProcessState.UserTime()+c.ProcessState.SystemTime())
	})
	var s service
	if s.url, err = readAddress(log); err != nil {
		t.Fatal(err)
	}
	if s.key, err = readKey(output); err != nil {
		t.Fatal(err)
	}
	return s
}

// readKey reads what the demo prints until its live key, and then away.
func readKey(output io.Reader) (string, error) {
	for lines := bufio.NewScanner(output); lines.Scan(); {
		if _, key, found := strings.Cut(lines.Text(), "FRONTDESK_KEY="); found {
			go io.Copy(io.Discard, output)
			return strings.Fields(key)[0], nil
		}
	}
	return "", errors.New("the program has printed no key")
}

// readAddress reads the log until the program is ready, and then away.
func readAddress(log io.Reader) (string, error) {
	for lines := bufio.NewScanner(log); lines.Scan(); {
		var line struct{ Msg, Listen string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "ready" {
			go io.Copy(io.Discard, log)
			return "http://" + line.Listen, nil
		}
	}
	return "", errors.New("the program has ended before it was ready")
}

// do sends a request of the harness's own, straight to the service, and decodes
// the answer.
func (s service) do(t *testing.T, method, path string, body, answer any) {
	t.Helper()
	var sent bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&sent).Encode(body); err != nil {
			t.Fatal(err)
		}
	}
	s.ask(t, method, "/v1"+path, s.key, &sent, answer)
}

// talk sends a request of the web channel, and decodes the answer.
func (s service) talk(t *testing.T, path, token, body string, answer any) {
	t.Helper()
	s.ask(t, http.MethodPost, path, token, strings.NewReader(body), answer)
}

func (s service) ask(t *testing.T, method, path, bearer string, sent io.Reader, answer any) {
	t.Helper()
	// Also when the test has ended, to see what it left.
	request, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), method, s.url+path, sent)
	if err != nil {
		t.Fatal(err)
	}
	if bearer != "" {
		request.Header.Set("Authorization", "Bearer "+bearer)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 300 {
		t.Fatalf("%s %s: %d, %v: %s", method, path, response.StatusCode, err, text)
	}
	if err := json.Unmarshal(text, answer); err != nil {
		t.Fatal(err)
	}
}

// captures returns the ids of the captures of a kind, newest first; of all
// captures where it is empty.
func (s service) captures(t *testing.T, kind string) (ids []string) {
	t.Helper()
	after := ""
	for {
		path := "/captures?limit=100"
		if kind != "" {
			path += "&kind=" + kind
		}
		if after != "" {
			path += "&starting_after=" + after
		}
		var page struct {
			Data []struct {
				ID string `json:"id"`
			} `json:"data"`
			Next *string `json:"next_starting_after"`
		}
		s.do(t, http.MethodGet, path, nil, &page)
		for _, c := range page.Data {
			ids = append(ids, c.ID)
		}
		if page.Next == nil {
			return ids
		}
		after = *page.Next
	}
}
