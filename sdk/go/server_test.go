package frontdesk

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

const testKey = "svc_test_0123456789abcdefghijklmnopqrstuvwxyzAB"

// got is a request as the server received it.
type got struct {
	method, path, query string
	header              http.Header
	body                string
}

// script is a server that gives its answers in order, the last one again and
// again, and remembers what it was asked.
type script struct {
	*httptest.Server
	mu      sync.Mutex
	answers []http.HandlerFunc
	asked   []got
}

func serve(t *testing.T, answers ...http.HandlerFunc) *script {
	t.Helper()
	s := &script{answers: answers}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	answer := s.answers[min(len(s.asked), len(s.answers)-1)]
	s.asked = append(s.asked, got{r.Method, r.URL.EscapedPath(), r.URL.RawQuery, r.Header, string(body)})
	s.mu.Unlock()
	answer(w, r)
}

func (s *script) requests() []got {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// says answers with a status, a body and headers, by name and value.
func says(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Request-Id", "req_1")
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// fails answers with an error of the API.
func fails(status int, kind, code string, headers ...string) http.HandlerFunc {
	return says(status, `{"error":{"type":"`+kind+`","code":"`+code+`","message":"Do otherwise.","param":null,"request_id":"req_1"}}`, headers...)
}

// resets closes the connection instead of answering.
func resets(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// waits are the pauses that a client made.
type waits struct {
	mu  sync.Mutex
	all []time.Duration
}

func (w *waits) wait(ctx context.Context, d time.Duration) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, d)
	return ctx.Err()
}

// clientOf is a client of the server that does not spend its pauses.
func clientOf(t *testing.T, s *script) (*Client, *waits) {
	t.Helper()
	c, err := New(Options{APIKey: testKey, BaseURL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	w := &waits{}
	c.wait = w.wait
	return c, w
}

func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q does not have %q", text, part)
		}
	}
}
