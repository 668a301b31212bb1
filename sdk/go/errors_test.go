package frontdesk

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

var kinds = []error{
	ErrInvalidRequest, ErrNotFound, ErrAuthentication, ErrPermissionDenied, ErrConflict,
	ErrIdempotency, ErrRateLimit, ErrServer, ErrConnection, ErrTimeout, ErrSignature,
}

func TestKindsOfErrors(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		answer http.HandlerFunc
		want   []error
	}{
		"invalid":        {fails(400, "invalid_request_error", "parameter_invalid"), []error{ErrInvalidRequest}},
		"not found":      {fails(404, "invalid_request_error", "not_found"), []error{ErrInvalidRequest, ErrNotFound}},
		"outdated":       {fails(412, "invalid_request_error", "version_mismatch"), []error{ErrInvalidRequest}},
		"authentication": {fails(401, "authentication_error", "api_key_invalid"), []error{ErrAuthentication}},
		"permission":     {fails(403, "permission_error", "scope_missing"), []error{ErrPermissionDenied}},
		"conflict":       {fails(409, "conflict_error", "slot_unavailable"), []error{ErrConflict}},
		"idempotency":    {fails(409, "idempotency_error", "idempotency_key_reused"), []error{ErrIdempotency}},
		"rate limit":     {fails(429, "rate_limit_error", "rate_limited"), []error{ErrRateLimit}},
		"server":         {fails(500, "api_error", "internal_error"), []error{ErrServer}},
		"a kind to come": {fails(418, "teapot_error", "short_and_stout"), nil},
		"a proxy's page": {says(404, "<html>not here</html>", "Content-Type", "text/html"), nil},
		"another's JSON": {says(403, `{"error":"forbidden"}`), nil},
		"nothing at all": {says(500, ""), nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := clientOf(t, serve(t, tt.answer))
			_, err := c.Whoami(t.Context(), RequestOptions{MaxRetries: NoRetries})
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v", err)
			}
			for _, kind := range kinds {
				want := false
				for _, one := range tt.want {
					want = want || one == kind
				}
				if errors.Is(err, kind) != want {
					t.Errorf("%v is %v: %v", err, kind, !want)
				}
			}
		})
	}
}

func TestAnError(t *testing.T) {
	t.Parallel()
	c, _ := clientOf(t, serve(t, says(400,
		`{"error":{"type":"invalid_request_error","code":"parameter_invalid","message":"limit must be 1 to 100.","param":"limit","request_id":"req_9"}}`,
		"Retry-After", "5")))
	var res Response
	_, err := c.Calls.List(t.Context(), CallListParams{Limit: 1000}, RequestOptions{Response: &res})
	var e *Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	if got, want := err.Error(), "400 parameter_invalid (limit): limit must be 1 to 100. [req_9]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if e.Status != 400 || e.Type != ErrorTypeInvalidRequestError || e.Code != ErrorCodeParameterInvalid || e.Param != "limit" ||
		e.RequestID != "req_9" || e.RetryAfter != 5*time.Second || e.Message != "limit must be 1 to 100." || len(e.Body) == 0 {
		t.Errorf("got %+v", e)
	}
	if res.Status != 400 || res.RequestID() != "req_1" || res.Attempts != 1 {
		t.Errorf("got %+v", res)
	}
}

func TestAnErrorThatIsNotTheAPIs(t *testing.T) {
	t.Parallel()
	c, _ := clientOf(t, serve(t, says(404, "<html>", "Content-Type", "text/html")))
	_, err := c.Whoami(t.Context())
	var e *Error
	if !errors.As(err, &e) || e.Type != "" || e.Code != "" || string(e.Body) != "<html>" {
		t.Fatalf("got %v", err)
	}
	has(t, err.Error(), "404: Not Found", "text/html", "base URL", "[req_1]")
}

func TestAnAnswerThatIsNotTheAPIs(t *testing.T) {
	t.Parallel()
	c, w := clientOf(t, serve(t, says(200, "<html>")))
	for name, ask := range map[string]func() error{
		"plain":   func() error { _, err := c.Whoami(t.Context()); return err },
		"wrapped": func() error { _, err := c.Calls.Get(t.Context(), anID); return err },
		"list":    func() error { _, err := c.Calls.List(t.Context(), CallListParams{}); return err },
	} {
		if err := ask(); err == nil || !strings.Contains(err.Error(), "base URL") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	c, _ = clientOf(t, serve(t, says(200, "{}")))
	if _, err := c.Calls.Get(t.Context(), anID); err == nil {
		t.Error("a call was read out of nothing")
	}
	if len(w.all) != 0 {
		t.Errorf("%d pauses", len(w.all))
	}
}

// The key is in no error and no print, whatever fails.
func TestTheKeyIsNeverShown(t *testing.T) {
	t.Parallel()
	s := serve(t, fails(401, "authentication_error", "api_key_invalid"))
	c, _ := clientOf(t, s)
	_, answered := c.Whoami(t.Context())
	s.Close()
	_, unanswered := c.Whoami(t.Context())
	_, malformed := New(Options{APIKey: testKey + "\n"})
	_, nowhere := New(Options{APIKey: testKey, BaseURL: "ftp://x"})
	options := Options{APIKey: testKey, BaseURL: "http://x"}
	verifier := WebhookVerifier{Secrets: []string{testKey}}
	for _, shown := range []any{answered, unanswered, malformed, nowhere, c, *c, c.Calls, c.Agents, options, &options, verifier} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
			if text := fmt.Sprintf(verb, shown); strings.Contains(text, testKey[9:]) {
				t.Errorf("%s of %T shows the key: %s", verb, shown, text)
			}
		}
	}
	if malformed == nil || nowhere == nil {
		t.Error("accepted")
	}
}
