package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/trace"
)

// patience is how long a visit may wait for the house, or for its turn in a
// conversation. A turn that has begun is taken to its end, whatever becomes of
// the visitor: how long that may take is reception.TurnTime.
const patience = 10 * time.Second

// gone stands in the log and in the figures for the status of an answer that
// nobody waits for any more.
const gone = 499

// serve answers one visit and writes one line about it.
func (s *Web) serve(w http.ResponseWriter, hr *http.Request, rt *route) {
	began := time.Now()
	ctx, cancel := context.WithTimeout(hr.Context(), patience)
	defer cancel()
	v := &visit{http: hr.WithContext(ctx), header: w.Header(), id: exchange.RequestID(hr), route: rt, address: s.visitor(hr)}
	v.header.Set("X-Request-Id", v.id)
	a, err := s.guarded(v)
	if err != nil {
		a = v.refuse(err)
		if rt.refuse != nil {
			a = rt.refuse(v, err)
		}
	}
	if a.socket != nil {
		s.note(v, a, nil, time.Since(began)) // how long it is open is another matter
		_ = service.Guard(s.log, "microphone", func() error { a.socket(w, hr); return nil })
		return
	}
	// Always: net/http answers 200 for who writes nothing, and a visitor who
	// has closed one direction of the connection may still read the other.
	a.write(w)
	// The database says so too when the visitor's going cuts a question off.
	if err != nil && hr.Context().Err() != nil && (exchange.Domain(err) == nil || errors.Is(err, context.Canceled)) {
		a = answer{status: gone}
	}
	s.note(v, a, err, time.Since(began))
}

// guarded runs the visit; a panic in it is an internal error.
func (s *Web) guarded(v *visit) (_ answer, err error) {
	defer exchange.Recover(&err)
	if v.route.crosses != own {
		v.open("*")
		if v.http.Method == http.MethodOptions {
			return s.preflight(v)
		}
	}
	if !v.route.knows(v.http.Method) {
		v.header.Set("Allow", v.route.methods())
		return answer{}, &frontdesk.Error{
			Kind: frontdesk.NotAllowed, Code: "method_not_allowed",
			Message: fmt.Sprintf("This address does not know that method. It knows: %s.", v.route.methods()),
		}
	}
	if v.route.post != nil && v.http.Method == http.MethodPost {
		return v.route.post(v)
	}
	return v.route.handle(v)
}

func (s *Web) nothing(*visit) (answer, error) {
	return answer{}, &frontdesk.Error{
		Kind: frontdesk.NotFound, Code: "route_not_found",
		Message: "There is no such address on the web channel.",
	}
}

// path is the address of a visit for the log; of one that opens something, only
// its kind.
func (v *visit) path() string {
	if v.route.secret() {
		return v.route.path
	}
	if path := strings.ToLower(v.http.URL.Path); v.route.method == "" && (strings.Contains(path, "appointment") || strings.Contains(path, "calendar")) {
		return "/…" // an address that was mangled on its way still opens what it opened
	}
	return v.http.URL.Path
}

// note writes the one line about a visit: who, what, how it ended, how long it
// took. No tokens, and nothing of what was said.
func (s *Web) note(v *visit, a answer, err error, took time.Duration) {
	operation := v.route.operation(v.http.Method)
	s.metrics.observe(operation, a.status, took)
	level := slog.LevelInfo
	if a.status >= 500 {
		level = slog.LevelError
	}
	attrs := []slog.Attr{
		slog.String("request_id", v.id), slog.String("method", v.http.Method), slog.String("path", v.path()),
		slog.String("operation", operation), slog.Int("status", a.status), slog.Int("bytes", len(a.body)),
		slog.Duration("took", took), slog.String("visitor", v.address.String()),
	}
	if origin := v.http.Header.Get("Origin"); origin != "" {
		attrs = append(attrs, slog.String("origin", origin))
	}
	if v.conversation != "" {
		attrs = append(attrs, slog.String("conversation", string(v.conversation)))
		if id := trace.TraceID(s.sessions.Traced(context.Background(), v.conversation)); id != "" {
			attrs = append(attrs, slog.String("trace_id", id))
		}
	}
	if a.code != "" {
		attrs = append(attrs, slog.String("code", a.code))
	}
	if cause := exchange.Cause(err); cause != "" {
		attrs = append(attrs, slog.String("cause", cause))
	}
	s.log.LogAttrs(context.Background(), level, "visit", attrs...)
}
