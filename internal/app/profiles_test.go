package app

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
)

// TestProfiles: the debug listener shows profiles to who asks for a loopback
// address, and to nobody after it has stopped.
func TestProfiles(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	stop, err := serveProfiles("127.0.0.1:0", slog.New(slog.NewTextHandler(&log, nil)))
	must(t, err)
	_, rest, found := strings.Cut(log.String(), "debug_listen=http://")
	address, _, _ := strings.Cut(rest, "/")
	if !found {
		t.Fatalf("it does not say where it listens: %s", &log)
	}
	_, port, err := net.SplitHostPort(address)
	must(t, err)
	for name, tt := range map[string]struct {
		path, host string
		want       int
		has        string
	}{
		"the list":              {"/debug/pprof/", "", 200, "goroutine"},
		"by the machine's name": {"/debug/pprof/", "localhost:" + port, 200, "goroutine"},
		"goroutines":            {"/debug/pprof/goroutine?debug=1", "", 200, "serveProfiles"},
		"memory":                {"/debug/pprof/heap?debug=1", "", 200, "HeapAlloc"},
		"nothing of the API":    {"/v1/openapi.json", "", 404, ""},
		"a page's own name":     {"/debug/pprof/heap", "rebound.example.com:" + port, 403, "loopback"},
	} {
		if status, body := fetch(t, address, tt.path, tt.host); status != tt.want || !strings.Contains(body, tt.has) {
			t.Errorf("%s: %d %.200s", name, status, body)
		}
	}
	stop()
	if c, err := net.Dial("tcp", address); err == nil {
		c.Close()
		t.Error("it still listens")
	}
}

// fetch asks for a path, under another name than the address if there is one.
func fetch(t *testing.T, address, path, host string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("http://%s%s", address, path), nil)
	must(t, err)
	req.Host = host
	res, err := http.DefaultClient.Do(req)
	must(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	must(t, err)
	return res.StatusCode, string(text)
}

func TestAnAddressForProfilesThatIsTaken(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	if _, err := serveProfiles(l.Addr().String(), slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "for debugging") {
		t.Errorf("got %v", err)
	}
}
