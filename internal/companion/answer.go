package companion

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// answer writes v as JSON.
func answer(w http.ResponseWriter, status int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		status, b = http.StatusInternalServerError, []byte(`{}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(b)+1))
	w.WriteHeader(status)
	_, _ = w.Write(append(b, '\n')) // who has gone is told nothing
}

// status of an error, and what OpenAI calls its kind.
var statuses = map[frontdesk.Kind]struct {
	status int
	name   string
}{
	frontdesk.Invalid:      {http.StatusBadRequest, "invalid_request_error"},
	frontdesk.Unauthorized: {http.StatusUnauthorized, "invalid_request_error"},
	frontdesk.Forbidden:    {http.StatusForbidden, "invalid_request_error"},
	frontdesk.NotFound:     {http.StatusNotFound, "invalid_request_error"},
	frontdesk.TooLarge:     {http.StatusRequestEntityTooLarge, "invalid_request_error"},
	frontdesk.RateLimited:  {http.StatusTooManyRequests, "rate_limit_error"},
	frontdesk.Unavailable:  {http.StatusServiceUnavailable, "server_error"},
	frontdesk.Internal:     {http.StatusInternalServerError, "server_error"},
}

// fail answers with an error in OpenAI's form, and logs what is our fault.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		s.log.Info("the client has gone", "path", r.URL.Path)
		return
	}
	var e *frontdesk.Error
	if !errors.As(err, &e) {
		e = &frontdesk.Error{Message: "Something is wrong on this machine. The server's log says what.", Cause: err}
	}
	as, known := statuses[e.Kind]
	if !known {
		as = statuses[frontdesk.Internal]
	}
	if as.status == http.StatusInternalServerError {
		s.log.Error("a request failed", "path", r.URL.Path, "error", e)
	} else {
		s.log.Info("a request was refused", "path", r.URL.Path, "status", as.status, "error", e)
	}
	if e.Wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(e.Wait.Seconds()))))
	}
	orNull := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	answer(w, as.status, map[string]any{"error": map[string]any{
		"message": e.Message, "type": as.name, "param": orNull(e.Param), "code": orNull(e.Code),
	}})
}

// queue lets a few work and a few more wait.
type queue struct {
	places chan struct{} // of those who work or wait
	turns  chan struct{} // of those who work
}

func newQueue(working, waiting int) *queue {
	return &queue{places: make(chan struct{}, working+waiting), turns: make(chan struct{}, working)}
}

// enter takes a place, and says whether there was one.
func (q *queue) enter() (leave func(), ok bool) {
	select {
	case q.places <- struct{}{}:
		return func() { <-q.places }, true
	default:
		return nil, false
	}
}

// turn waits for a turn, for whoever has a place.
func (q *queue) turn(ctx context.Context) (done func(), err error) {
	select {
	case q.turns <- struct{}{}:
		return func() { <-q.turns }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
