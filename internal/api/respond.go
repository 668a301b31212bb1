package api

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	jsonv2 "github.com/go-json-experiment/json"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

// answer is what goes back to the client.
type answer struct {
	status      int
	contentType string
	body        []byte
	code        string // of an error, for the log
	replayed    bool
}

const jsonType = "application/json"

// created is the result of a handler that made something.
type created struct{ value any }

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
	switch v := result.(type) {
	case []byte:
		return answer{status: status, contentType: jsonType, body: v}, nil
	case fixed:
		return answer{status: status, contentType: v.contentType, body: v.text}, nil
	}
	body, err := jsonv2.Marshal(result, jsonv2.Deterministic(true))
	if err != nil {
		return answer{}, fmt.Errorf("encoding an answer: %w", err)
	}
	return answer{status: status, contentType: jsonType, body: body}, nil
}

func (a answer) write(w http.ResponseWriter) {
	h := w.Header()
	h["Content-Type"] = []string{a.contentType}
	h["Content-Length"] = []string{strconv.Itoa(len(a.body))}
	h["Cache-Control"] = noStore
	h["X-Content-Type-Options"] = noSniff
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

// statuses is the one table from kinds of errors to answers.
var statuses = map[frontdesk.Kind]struct {
	status int
	class  string
}{
	frontdesk.Internal:      {http.StatusInternalServerError, "api_error"},
	frontdesk.Invalid:       {http.StatusBadRequest, "invalid_request_error"},
	frontdesk.Unauthorized:  {http.StatusUnauthorized, "authentication_error"},
	frontdesk.Forbidden:     {http.StatusForbidden, "permission_error"},
	frontdesk.NotFound:      {http.StatusNotFound, "invalid_request_error"},
	frontdesk.NotAllowed:    {http.StatusMethodNotAllowed, "invalid_request_error"},
	frontdesk.Conflict:      {http.StatusConflict, "idempotency_error"},
	frontdesk.TooLarge:      {http.StatusRequestEntityTooLarge, "invalid_request_error"},
	frontdesk.RateLimited:   {http.StatusTooManyRequests, "rate_limit_error"},
	frontdesk.StorageFailed: {http.StatusBadGateway, "api_error"},
	frontdesk.Unavailable:   {http.StatusServiceUnavailable, "api_error"},
}

// errorAnswer turns an error into the envelope. What is not a domain error is
// an internal one: its cause is for the log alone.
func (a *API) errorAnswer(w http.ResponseWriter, r *request, err error) answer {
	e := asDomain(err)
	if e == nil {
		e = &frontdesk.Error{
			Kind: frontdesk.Internal, Code: "internal_error",
			Message: "Something went wrong on our side. Try again; if it stays, tell the operator the request_id.",
		}
	}
	switch e.Kind {
	case frontdesk.Unauthorized:
		w.Header()["WWW-Authenticate"] = []string{"Bearer"}
	case frontdesk.Unavailable:
		w.Header().Set("Retry-After", "1")
	}
	if r.http.ContentLength != 0 && !r.hasBody {
		// net/http would otherwise wait for the body before it answers: for
		// one that is too large, or that a stranger never sends.
		w.Header().Set("Connection", "close")
	}
	return envelope(e, r.id)
}

func envelope(e *frontdesk.Error, requestID string) answer {
	s := statuses[e.Kind]
	return answer{
		status: s.status, contentType: jsonType, code: e.Code,
		body: wire.Error(s.class, e.Code, e.Message, e.Param, requestID),
	}
}

// asDomain is the domain error in err, or nil.
func asDomain(err error) *frontdesk.Error {
	var e *frontdesk.Error
	errors.As(err, &e)
	return e
}
