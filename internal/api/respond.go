package api

import (
	"fmt"
	"net/http"
	"strconv"

	jsonv2 "github.com/go-json-experiment/json"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// answer is what goes back to the client.
type answer struct {
	status      int
	contentType string
	body        []byte
	code        string // of an error, for the log
	param       string // that the error is about
	etag        string // "": it has no versions
	replayed    bool
}

// created is the result of a handler that made something.
type created struct{ value any }

// tagged is the result of a handler with the version of what it shows.
type tagged struct {
	etag  string
	value any
}

// fixed is the result of a handler that serves a fixed text.
type fixed struct {
	contentType string
	text        []byte
}

// answerOf encodes the result of a handler. Bytes are JSON already.
func answerOf(result any) (answer, error) {
	status := http.StatusOK
	if c, ok := result.(created); ok {
		status, result = http.StatusCreated, c.value
	}
	etag := ""
	if t, ok := result.(tagged); ok {
		etag, result = t.etag, t.value
	}
	switch v := result.(type) {
	case []byte:
		return answer{status: status, contentType: exchange.JSON, body: v, etag: etag}, nil
	case fixed:
		return answer{status: status, contentType: v.contentType, body: v.text}, nil
	}
	body, err := jsonv2.Marshal(result, jsonv2.Deterministic(true))
	if err != nil {
		return answer{}, fmt.Errorf("encoding an answer: %w", err)
	}
	return answer{status: status, contentType: exchange.JSON, body: body, etag: etag}, nil
}

func (a answer) write(w http.ResponseWriter) {
	h := w.Header()
	h["Content-Type"] = []string{a.contentType}
	h["Content-Length"] = []string{strconv.Itoa(len(a.body))}
	h["Cache-Control"] = noStore
	h["X-Content-Type-Options"] = noSniff
	if a.etag != "" {
		h["Etag"] = []string{a.etag}
	}
	if a.replayed {
		h.Set("Idempotent-Replayed", "true")
	}
	w.WriteHeader(a.status)
	w.Write(a.body) // a client that has gone is no error of ours
}

var (
	noStore = []string{"no-store"}
	noSniff = []string{"nosniff"}
)

// errorAnswer turns an error into the envelope.
func (a *API) errorAnswer(w http.ResponseWriter, r *request, err error) answer {
	e := exchange.Refusal(err)
	if e.Kind == frontdesk.Unauthorized {
		w.Header()["WWW-Authenticate"] = []string{"Bearer"}
	}
	if wait := exchange.RetryAfter(e); wait != "" {
		w.Header().Set("Retry-After", wait)
	}
	if r.http.ContentLength != 0 && !r.hasBody {
		// net/http would otherwise wait for the body before it answers: for
		// one that is too large, or that a stranger never sends.
		w.Header().Set("Connection", "close")
	}
	return envelope(e, r.id)
}

func envelope(e *frontdesk.Error, requestID string) answer {
	status, body := exchange.Envelope(e, requestID)
	return answer{status: status, contentType: exchange.JSON, code: e.Code, param: e.Param, body: body}
}
