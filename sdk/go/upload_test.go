package frontdesk

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

const uploadBody = `{"document":{"id":"1","size_bytes":4},"deduped":false,"limits":{}}`

// onlyReader hides that what it reads could be read again.
type onlyReader struct{ io.Reader }

func TestUpload(t *testing.T) {
	t.Parallel()
	s := serve(t, says(201, uploadBody))
	c, _ := clientOf(t, s)
	name := filepath.Join(t.TempDir(), "preguntas y más.MD")
	if err := os.WriteFile(name, []byte("# Hola"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	out, err := c.Knowledge.Documents.Upload(t.Context(), file, Upload{Title: "Preguntas", AgentID: anID})
	if err != nil || out.Document.ID != "1" {
		t.Fatalf("got %v, %v", out, err)
	}
	asked := s.requests()[0]
	has(t, asked.query, "filename=preguntas+y+m%C3%A1s.MD", "title=Preguntas", "agent_id="+anID)
	if asked.body != "# Hola" || asked.header.Get("Content-Type") != "text/markdown" || asked.header.Get("Content-Length") != "6" {
		t.Errorf("sent %q as %v", asked.body, asked.header)
	}
	if _, err := file.Stat(); err != nil {
		t.Errorf("the file was closed: %v", err)
	}
}

func TestUploadFromTheMiddleOfAFile(t *testing.T) {
	t.Parallel()
	s := serve(t, says(503, ""), says(201, uploadBody))
	c, _ := clientOf(t, s)
	r := strings.NewReader("head,body")
	if _, err := r.Seek(5, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Knowledge.Documents.Upload(t.Context(), r, Upload{Filename: "a.csv"}); err != nil {
		t.Fatal(err)
	}
	for _, asked := range s.requests() {
		if asked.body != "body" || asked.header.Get("Content-Type") != "text/csv" {
			t.Errorf("sent %q as %v", asked.body, asked.header)
		}
	}
	if len(s.requests()) != 2 {
		t.Errorf("%d requests", len(s.requests()))
	}
}

func TestContentTypes(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"a.PDF": "application/pdf", "a.md": "text/markdown", "a.csv": "text/csv", "a.txt": "text/plain", "a": "text/plain"} {
		if got := contentType(name); got != want {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

func TestUploadWithoutAName(t *testing.T) {
	t.Parallel()
	s := serve(t, says(201, uploadBody))
	c, _ := clientOf(t, s)
	_, err := c.Knowledge.Documents.Upload(t.Context(), strings.NewReader("x"), Upload{})
	if err == nil || len(s.requests()) != 0 {
		t.Fatalf("got %v after %d requests", err, len(s.requests()))
	}
	has(t, err.Error(), "Filename")
}

func TestWhatCanBeReadOnceIsSentOnce(t *testing.T) {
	t.Parallel()
	s := serve(t, says(503, ""), says(201, uploadBody))
	c, w := clientOf(t, s)
	_, err := c.Knowledge.Documents.Upload(t.Context(), onlyReader{strings.NewReader("text")}, Upload{Filename: "a.txt"})
	var e *Error
	if !errors.As(err, &e) || e.Status != 503 || len(s.requests()) != 1 || len(w.all) != 0 {
		t.Errorf("got %v after %d requests", err, len(s.requests()))
	}
	if asked := s.requests()[0]; asked.body != "text" {
		t.Errorf("sent %q", asked.body)
	}
}

// A pipe has a Seek method, like every *os.File, but cannot be read again.
func TestAPipeIsSentOnce(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	go func() {
		io.WriteString(w, "from a pipe")
		w.Close()
	}()
	s := serve(t, says(201, uploadBody))
	c, _ := clientOf(t, s)
	if _, err := c.Knowledge.Documents.Upload(t.Context(), r, Upload{Filename: "a.txt"}); err != nil {
		t.Fatal(err)
	}
	if got := s.requests()[0].body; got != "from a pipe" {
		t.Errorf("sent %q", got)
	}
}

func TestWhatWasNotReadYetIsSentAgain(t *testing.T) {
	t.Parallel()
	s := serve(t, says(201, uploadBody))
	var dials atomic.Int32
	c, err := New(Options{APIKey: testKey, BaseURL: s.URL, HTTPClient: &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if dials.Add(1) == 1 {
				return nil, errors.New("no route")
			}
			return (&net.Dialer{}).DialContext(ctx, network, address)
		},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	c.wait = (&waits{}).wait
	if _, err := c.Knowledge.Documents.Upload(t.Context(), onlyReader{strings.NewReader("text")}, Upload{Filename: "a.txt"}); err != nil {
		t.Fatal(err)
	}
	if got := s.requests(); len(got) != 1 || got[0].body != "text" {
		t.Errorf("got %v", got)
	}
}

func TestAFileThatCannotBeRead(t *testing.T) {
	t.Parallel()
	s := serve(t, says(201, uploadBody))
	broken := errors.New("bad sector")
	reader := io.MultiReader(strings.NewReader("text"), failing{broken})
	for name, file := range map[string]io.Reader{
		"once": reader,
		"again": struct {
			io.Reader
			io.Seeker
		}{reader, strings.NewReader("long text")},
	} {
		c, w := clientOf(t, s)
		_, err := c.Knowledge.Documents.Upload(t.Context(), file, Upload{Filename: "a.txt"})
		if !errors.Is(err, broken) || errors.Is(err, ErrConnection) || len(w.all) != 0 {
			t.Errorf("%s: got %v after %d pauses", name, err, len(w.all))
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// A server that answers before it has read everything leaves the HTTP client
// reading the file while the next attempt goes back to its beginning.
func TestAnswersBeforeTheEndOfTheFile(t *testing.T) {
	t.Parallel()
	text := bytes.Repeat([]byte("0123456789abcdef"), 1<<19) // 8 MiB
	var requests atomic.Int32
	var received atomic.Value
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) < 3 {
			says(503, "")(w, r)
			return
		}
		body, _ := io.ReadAll(r.Body)
		received.Store(body)
		says(201, uploadBody)(w, r)
	}))
	t.Cleanup(s.Close)
	c, err := New(Options{APIKey: testKey, BaseURL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	c.wait = (&waits{}).wait
	if _, err := c.Knowledge.Documents.Upload(t.Context(), bytes.NewReader(text), Upload{Filename: "a.txt"}); err != nil {
		t.Fatal(err)
	}
	if got, _ := received.Load().([]byte); !bytes.Equal(got, text) {
		t.Errorf("the server received %d bytes, not the %d that were sent", len(got), len(text))
	}
}

func TestAnEmptyFile(t *testing.T) {
	t.Parallel()
	s := serve(t, fails(400, "invalid_request_error", "document_empty"))
	c, _ := clientOf(t, s)
	_, err := c.Knowledge.Documents.Upload(t.Context(), strings.NewReader(""), Upload{Filename: "a.txt"})
	if !errors.Is(err, ErrInvalidRequest) || s.requests()[0].header.Get("Content-Length") != "0" {
		t.Errorf("got %v, %v", err, s.requests()[0].header)
	}
}
