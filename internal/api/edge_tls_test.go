package api

import (
	"bytes"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// logged is a log that tests read while it is written.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// byTLS serves a handler over TLS, as the program does, and returns its address and a
// client that trusts it.
func byTLS(t *testing.T, h http.Handler) (addr string, client *http.Client, log *logged) {
	t.Helper()
	donor := httptest.NewTLSServer(nil) // for its certificate
	t.Cleanup(donor.Close)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	log = &logged{}
	to := slog.New(slog.NewTextHandler(log, nil))
	server := NewServer(h, to)
	go server.Serve(Listener(tls.NewListener(l, &tls.Config{Certificates: donor.TLS.Certificates}), to))
	t.Cleanup(func() { server.Close() })
	return l.Addr().String(), donor.Client(), log
}

func TestHandlersSeeTLS(t *testing.T) {
	t.Parallel()
	addr, client, log := byTLS(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.TLS == nil || !r.TLS.HandshakeComplete {
			http.Error(w, "no TLS", http.StatusTeapot)
		}
	}))
	for range 2 { // the second comes by the same connection
		res, err := client.Get("https://" + addr)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if res.StatusCode != http.StatusOK {
			t.Errorf("the handler does not see TLS: %s", res.Status)
		}
	}
	if text := log.String(); text != "" {
		t.Errorf("what succeeds is logged: %s", text)
	}
}

func TestHandshakesThatFailAreLogged(t *testing.T) {
	t.Parallel()
	addr, _, log := byTLS(t, http.NotFoundHandler())
	failing := func() {
		c, err := tls.Dial("tcp", addr, &tls.Config{}) // which does not trust the certificate
		if err == nil {
			c.Close()
			t.Fatal("an unknown certificate is trusted")
		}
	}
	failing()
	eventually(t, "the failure is logged", func() bool {
		return strings.Contains(log.String(), "could not connect by TLS") && strings.Contains(log.String(), "bad certificate") && strings.Contains(log.String(), "remote=127.0.0.1:")
	})
	for range 20 {
		failing()
	}
	open, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	open.Close()
	if n := strings.Count(log.String(), "could not connect by TLS"); n != 1 {
		t.Errorf("%d lines were written", n)
	}
}
