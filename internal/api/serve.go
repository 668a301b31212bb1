package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/trace"
)

// serve answers one request and writes one line about it.
func (a *API) serve(w http.ResponseWriter, hr *http.Request) {
	began := time.Now()
	hr, span := a.traced(hr)
	defer span.End()
	r := &request{http: hr, id: exchange.RequestID(hr), api: a, left: a.answerTime}
	r.startClock()
	defer func() { r.cancel() }()
	w.Header().Set("X-Request-Id", r.id)
	answer, err := a.guarded(w, r)
	if err != nil {
		answer = a.errorAnswer(w, r, err)
	}
	a.record(r, answer, time.Since(began)) // first: whoever has the answer can look it up
	answer.write(w)
	a.describe(span, r, answer)
	a.note(r, answer, err, time.Since(began))
}

// guarded runs the request; a panic in it is an internal error, and the process
// lives on.
func (a *API) guarded(w http.ResponseWriter, r *request) (_ answer, err error) {
	defer exchange.Recover(&err)
	return a.run(w, r)
}

// run takes a request through the checks, in the order that the contract
// gives, and to its handler. Nothing of a body is read before the key, the
// rate, the scope and the mode have passed.
func (a *API) run(w http.ResponseWriter, r *request) (answer, error) {
	if err := a.findRoute(w, r); err != nil {
		return answer{}, err
	}
	if r.route.access != public {
		if err := a.authenticate(r); err != nil {
			return answer{}, err
		}
		if err := a.limiter.take(w, r.caller.Key.ID, a.now()); err != nil {
			a.metrics.limited.WithLabelValues("rate").Inc()
			return answer{}, err
		}
		if err := r.route.permits(r.caller.Key); err != nil {
			return answer{}, err
		}
	}
	if err := r.readQuery(); err != nil {
		return answer{}, err
	}
	if r.route.uploads {
		r.http = a.uploadPace.Hold(w, r.http)
	}
	if key, given := idempotencyKey(r.http); given {
		return a.once(w, r, key)
	}
	return a.handle(r)
}

// handle calls the handler and encodes what it returns.
func (a *API) handle(r *request) (answer, error) {
	result, err := r.route.handle(r)
	if err != nil {
		return answer{}, err
	}
	return answerOf(result)
}

func (a *API) findRoute(w http.ResponseWriter, r *request) error {
	routes, values := a.router.find(r.http.URL)
	if routes == nil {
		return &frontdesk.Error{
			Kind: frontdesk.NotFound, Code: "route_not_found",
			Message: "There is no such address. GET /v1/openapi.json lists those there are.",
		}
	}
	if r.route = pick(routes, r.http.Method); r.route == nil {
		allow := allowed(routes)
		w.Header().Set("Allow", allow)
		return &frontdesk.Error{
			Kind: frontdesk.NotAllowed, Code: "method_not_allowed",
			Message: fmt.Sprintf("This address does not know that method. It knows: %s.", allow),
		}
	}
	r.path = values
	return nil
}

// authenticate finds out who asks. Only an Authorization header counts.
func (a *API) authenticate(r *request) error {
	header := r.http.Header.Values("Authorization")
	if len(header) == 0 {
		return &frontdesk.Error{
			Kind: frontdesk.Unauthorized, Code: "api_key_missing",
			Message: "No API key was sent. Send it in the header: Authorization: Bearer <API_KEY>.",
		}
	}
	scheme, key, _ := strings.Cut(header[0], " ")
	key = strings.TrimSpace(key)
	if len(header) > 1 || !strings.EqualFold(scheme, "Bearer") || key == "" {
		return &frontdesk.Error{
			Kind: frontdesk.Unauthorized, Code: "api_key_missing",
			Message: "The Authorization header must be given once, as: Bearer <API_KEY>.",
		}
	}
	caller, err := a.keys.Authenticate(r.Context(), key, r.route.access == freshKey)
	if err != nil {
		return err
	}
	r.caller, r.owner = caller, caller.Owner()
	return nil
}

// permits says whether a key may use the operation. A test key at an operation
// of live mode is told so, not that it lacks a scope that it can never have.
func (rt *route) permits(k frontdesk.Key) error {
	if rt.access == liveKey && !k.Live {
		return frontdesk.LiveKeyRequired()
	}
	if rt.scope != "" && !k.Has(rt.scope) {
		return frontdesk.ScopeMissing(rt.scope)
	}
	if len(rt.anyScope) > 0 && !slices.ContainsFunc(rt.anyScope, k.Has) {
		return frontdesk.ScopeMissing(rt.anyScope[0])
	}
	return nil
}

// remote is where a request came from, for the log: behind a proxy that is trusted,
// the client's address.
func (a *API) remote(r *http.Request) string {
	if at := a.proxies.Client(r); at.IsValid() {
		return at.String()
	}
	return r.RemoteAddr
}

// note writes the one line about a request: who, what, how it ended, how long
// it took. No secrets, no bodies, no query.
func (a *API) note(r *request, ans answer, err error, took time.Duration) {
	operation := "none"
	if r.route != nil {
		operation = r.route.operation
	}
	a.metrics.observe(operation, ans.status, ans.code, took)
	level := slog.LevelInfo
	if ans.status >= 500 {
		level = slog.LevelError
	}
	if !a.log.Enabled(context.Background(), level) {
		return
	}
	attrs := make([]slog.Attr, 0, 13)
	attrs = append(attrs,
		slog.String("request_id", r.id), slog.String("method", r.http.Method), slog.String("path", shown(r.http.URL.Path)),
		slog.String("operation", operation), slog.Int("status", ans.status), slog.Int("bytes", len(ans.body)),
		slog.Duration("took", took), slog.String("remote", a.remote(r.http)))
	if r.caller.Key.ID != "" {
		attrs = append(attrs, slog.String("tenant", r.caller.Tenant.Slug), slog.String("key", string(r.caller.Key.ID)), slog.Bool("live", r.caller.Key.Live))
	}
	if ans.code != "" {
		attrs = append(attrs, slog.String("code", ans.code))
	}
	if cause := exchange.Cause(err); cause != "" {
		attrs = append(attrs, slog.String("cause", cause))
	}
	if id := trace.TraceID(r.http.Context()); id != "" {
		attrs = append(attrs, slog.String("trace_id", id))
	}
	a.log.LogAttrs(context.Background(), level, "request", attrs...)
}

// shown is a path fit for the log: one into which a key was pasted is not.
func shown(path string) string {
	if strings.Contains(path, "svc_") {
		return "[a key in the path]"
	}
	return path
}
