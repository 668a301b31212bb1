package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// question is a request to a handler of this process.
type question struct {
	method      string
	target      string // path and query
	contentType string // of the body
	body        string
	bearer      string // in place of the caller's own key; "": that
	once        string // Idempotency-Key; "": the one that the message came with, if any
}

// reply is what a handler has answered.
type reply struct {
	status int
	body   []byte
}

// taken over from the message: where it came from, and who traces it.
var handedOn = []string{"X-Forwarded-For", "X-Forwarded-Proto", "Traceparent", "Tracestate", "User-Agent"}

// ask sends a request to a handler, as the one who sent the message: with the same
// key, the same request id, from the same address.
func ask(h http.Handler, v *visit, q question) (reply, error) {
	r, err := http.NewRequestWithContext(v.http.Context(), q.method, q.target, strings.NewReader(q.body))
	if err != nil {
		return reply{}, frontdesk.InvalidParam("", "An argument has a form that no address can have. Check ids and slugs.")
	}
	if q.body == "" {
		r.Body = http.NoBody // a handler reads the body of every request
	} else {
		r.Header.Set("Content-Type", q.contentType)
	}
	for _, name := range handedOn {
		if values := v.http.Header.Values(name); len(values) > 0 {
			r.Header[name] = values
		}
	}
	r.Header["Authorization"] = v.http.Header["Authorization"]
	if q.bearer != "" {
		r.Header.Set("Authorization", "Bearer "+q.bearer)
	}
	r.Header.Set("X-Request-Id", v.id)
	if key := v.http.Header.Values("Idempotency-Key"); q.method == http.MethodPost && len(key) > 0 {
		r.Header["Idempotency-Key"] = key
	}
	if q.once != "" {
		r.Header.Set("Idempotency-Key", q.once)
	}
	r.Host, r.RemoteAddr, r.RequestURI, r.TLS = v.http.Host, v.http.RemoteAddr, q.target, v.http.TLS
	w := &recorder{header: http.Header{}}
	h.ServeHTTP(w, r)
	if w.full {
		return reply{}, &frontdesk.Error{
			Kind: frontdesk.TooLarge, Code: "answer_too_large",
			Message: "The answer is too large for an assistant. Ask for less at once.",
		}
	}
	return reply{w.status, w.body.Bytes()}, nil
}

// answerLimit bounds what is kept of an answer. The longest transcript is a tenth
// of it.
const answerLimit = 4 << 20

// recorder keeps the answer of a handler.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
	full   bool
}

// Header is that of the answer.
func (w *recorder) Header() http.Header { return w.header }

// WriteHeader keeps the first status.
func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

var errFull = errors.New("the answer is larger than is kept")

// Write keeps b, up to the limit.
func (w *recorder) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.body.Len()+len(b) > answerLimit {
		w.full = true
		return 0, errFull
	}
	return w.body.Write(b)
}

// refusal is an error as the API tells it.
type refusal struct {
	Type      string `json:"type"`
	Code      string `json:"code"`
	Message   string `json:"message"`
	Param     string `json:"param"`
	RequestID string `json:"request_id"`
}

// refused reads the error of an answer that is one.
func (r reply) refused() (refusal, bool) {
	if r.status < http.StatusBadRequest {
		return refusal{}, false
	}
	var envelope struct {
		Error refusal `json:"error"`
	}
	if err := json.Unmarshal(r.body, &envelope); err != nil || envelope.Error.Code == "" {
		return refusal{Type: "api_error", Code: "internal_error", Message: fmt.Sprintf("The API answered %d.", r.status)}, true
	}
	return envelope.Error, true
}

// String is the error in the words that an assistant reads: first what to do.
func (e refusal) String() string {
	text := fmt.Sprintf("%s\ntype: %s, code: %s", e.Message, e.Type, e.Code)
	if e.Param != "" {
		text += ", param: " + e.Param
	}
	return text + ", request_id: " + e.RequestID
}
