package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const (
	// messageLimit bounds a message; a document that an assistant adds is part of one.
	messageLimit = 1 << 20
	// patience is how long a message may take, all that it asks of the API included.
	patience = 25 * time.Second
)

// visit is one message on its way.
type visit struct {
	http   *http.Request
	id     string
	caller account.Credential
	method string // of the protocol, if it is one that we know
	tool   string // that is called, if there is one of that name
	rpc    sent

	mu   sync.Mutex // the protocol answers in a goroutine of its own
	code string     // of the error that a tool has answered
}

// sent is what a message calls itself.
type sent struct {
	id     json.RawMessage
	method string
}

// failed notes the code of an error for the log.
func (v *visit) failed(code string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.code = code
}

func (v *visit) failure() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.code
}

type visitKey struct{}

// visitOf is the message that a handler of the protocol is called for.
func visitOf(ctx context.Context) (*visit, error) {
	v, ok := ctx.Value(visitKey{}).(*visit)
	if !ok {
		return nil, errors.New("a message without its request")
	}
	return v, nil
}

// serve answers one request and writes one line about it.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	v := &visit{http: r.WithContext(ctx), id: exchange.RequestID(r), method: "none"}
	h := w.Header()
	h.Set("X-Request-Id", v.id)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	counted := &countingWriter{ResponseWriter: w, status: http.StatusOK}
	err := s.run(counted, v)
	if err != nil {
		s.refuse(counted, v, err)
	}
	s.note(v, counted, err, time.Since(began))
}

// run takes a request through the checks, and to the protocol.
func (s *Server) run(w http.ResponseWriter, v *visit) (err error) {
	defer exchange.Recover(&err)
	if metadataOf[v.http.URL.Path] {
		return s.serveMetadata(w, v)
	}
	if v.http.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return &frontdesk.Error{
			Kind: frontdesk.NotAllowed, Code: "method_not_allowed",
			Message: "Assistants send their messages here with POST. There is no stream to listen to and no session to end.",
		}
	}
	if err := s.checkOrigin(v.http); err != nil {
		return err
	}
	if err := s.authenticate(v); err != nil {
		return err
	}
	body, err := readMessage(v)
	if err != nil {
		return err
	}
	r := v.http.Clone(context.WithValue(v.http.Context(), visitKey{}, v))
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	answer := &plainless{ResponseWriter: w}
	s.protocol.ServeHTTP(answer, r)
	if answer.status != 0 {
		refuseMessage(w, v, answer.status)
	}
	return nil
}

// plainless holds an answer back that is an error in plain text: those are words of the
// library that serves the protocol, for its own users.
type plainless struct {
	http.ResponseWriter
	status int // of what is held back
}

// WriteHeader lets all other answers begin.
func (p *plainless) WriteHeader(status int) {
	if status >= http.StatusBadRequest && strings.HasPrefix(p.Header().Get("Content-Type"), "text/plain") {
		p.status = status
		return
	}
	p.ResponseWriter.WriteHeader(status)
}

func (p *plainless) Write(b []byte) (int, error) {
	if p.status != 0 {
		return len(b), nil
	}
	return p.ResponseWriter.Write(b)
}

// Unwrap lets the server's own writer be found.
func (p *plainless) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// refuseMessage says as the protocol does that a message is none of its own.
func refuseMessage(w http.ResponseWriter, v *visit, status int) {
	code, text := int64(jsonrpc.CodeInvalidRequest), "This is no message of the Model Context Protocol. Send one JSON object with jsonrpc \"2.0\", id, method and params, and the headers that the protocol asks for."
	if v.rpc.method != "" && !slices.Contains(knownMethods, v.rpc.method) {
		code, text = jsonrpc.CodeMethodNotFound, "There is no such method here. Known: "+strings.Join(knownMethods, ", ")+"."
	}
	id := v.rpc.id
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	body, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": text}})
	v.failed(strconv.FormatInt(code, 10))
	w.Header().Set("Content-Type", exchange.JSON)
	w.WriteHeader(status)
	w.Write(body)
}

// authenticate finds out who asks, by the same keys and in the same way as the API.
// The API asks again when a tool is called; here it is so that nobody else speaks
// to the protocol at all.
func (s *Server) authenticate(v *visit) (err error) {
	header := v.http.Header.Values("Authorization")
	var scheme, key string
	if len(header) == 1 {
		scheme, key, _ = strings.Cut(header[0], " ")
		key = strings.TrimSpace(key)
	}
	if !strings.EqualFold(scheme, "Bearer") || key == "" {
		return &frontdesk.Error{
			Kind: frontdesk.Unauthorized, Code: "api_key_missing",
			Message: "No API key was sent. Send it, once, in the header: Authorization: Bearer <API_KEY>.",
		}
	}
	v.caller, err = s.keys.Authenticate(v.http.Context(), key, false)
	return err
}

// readMessage reads the one message of a request, and what the log says of it.
func readMessage(v *visit) ([]byte, error) {
	var b bytes.Buffer
	n, err := b.ReadFrom(io.LimitReader(v.http.Body, messageLimit+1))
	switch {
	case n > messageLimit:
		return nil, &frontdesk.Error{Kind: frontdesk.TooLarge, Code: "request_too_large", Message: "The message is larger than 1 MiB. Send less at once; larger documents go to POST /v1/knowledge/documents."}
	case err != nil:
		return nil, &frontdesk.Error{
			Kind: frontdesk.Invalid, Code: "invalid_json", Cause: err,
			Message: "The message did not arrive whole, or not in time. Send it again.",
		}
	case bytes.HasPrefix(bytes.TrimSpace(b.Bytes()), []byte("[")):
		// One line in the log, and one request id, for each message.
		return nil, &frontdesk.Error{Kind: frontdesk.Invalid, Code: "invalid_json", Message: "Send one message in a request: batches are not served."}
	}
	var message struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Name string `json:"name"`
		} `json:"params"`
	}
	_ = json.Unmarshal(b.Bytes(), &message) // the protocol says what is wrong with it
	v.rpc = sent{message.ID, message.Method}
	if slices.Contains(knownMethods, message.Method) {
		v.method = message.Method
	}
	if v.method == methodCall && slices.ContainsFunc(toolTable, func(t tool) bool { return t.name == message.Params.Name }) {
		v.tool = message.Params.Name
	}
	return b.Bytes(), nil
}

const (
	methodCall      = "tools/call"
	methodTools     = "tools/list"
	methodResources = "resources/list"
)

// knownMethods are those that the log and the figures name.
var knownMethods = []string{
	"initialize", "ping", "server/discover", methodTools, methodCall, methodResources, "resources/templates/list", "resources/read",
	"prompts/list", "prompts/get", "notifications/initialized", "notifications/cancelled",
}

// refuse answers in the API's envelope.
func (s *Server) refuse(w http.ResponseWriter, v *visit, err error) {
	e := exchange.Refusal(err)
	v.failed(e.Code)
	h := w.Header()
	if e.Kind == frontdesk.Unauthorized {
		h.Set("WWW-Authenticate", s.challenge(v.http, e))
	}
	if wait := exchange.RetryAfter(e); wait != "" {
		h.Set("Retry-After", wait)
	}
	if v.http.ContentLength != 0 {
		h.Set("Connection", "close") // nobody waits for the body of what is refused
	}
	status, body := exchange.Envelope(e, v.id)
	h.Set("Content-Type", exchange.JSON)
	w.WriteHeader(status)
	w.Write(body) // a client that has gone is no error of ours
}

// countingWriter remembers what an answer was.
type countingWriter struct {
	http.ResponseWriter
	status int
	bytes  int
}

func (c *countingWriter) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

func (c *countingWriter) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.bytes += n
	return n, err
}

// Unwrap lets the server's own writer be found.
func (c *countingWriter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// note writes the one line about a message: who, what, how it ended, how long it
// took. No secrets, and nothing of what was asked or answered. What it asked of the
// API has a line of its own, with the same request id.
func (s *Server) note(v *visit, a *countingWriter, err error, took time.Duration) {
	code := v.failure()
	s.metrics.observe(v.method, v.tool, a.status, code, took)
	level := slog.LevelInfo
	if a.status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	attrs := []slog.Attr{
		slog.String("request_id", v.id), slog.String("method", v.method), slog.Int("status", a.status), slog.Int("bytes", a.bytes),
		slog.Duration("took", took),
	}
	if at := s.proxies.Client(v.http); at.IsValid() {
		attrs = append(attrs, slog.String("remote", at.String()))
	}
	if v.tool != "" {
		attrs = append(attrs, slog.String("tool", v.tool))
	}
	if v.caller.Key.ID != "" {
		attrs = append(attrs, slog.String("tenant", v.caller.Tenant.Slug), slog.String("key", string(v.caller.Key.ID)), slog.Bool("live", v.caller.Key.Live))
	}
	if code != "" {
		attrs = append(attrs, slog.String("code", code))
	}
	if cause := exchange.Cause(err); cause != "" {
		attrs = append(attrs, slog.String("cause", cause))
	}
	s.log.LogAttrs(context.Background(), level, "mcp", attrs...)
}
