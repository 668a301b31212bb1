package exchange_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestRequestID(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		sent string
		kept bool
	}{
		"a fit one":            {"abc-DEF_1.2", true},
		"none":                 {"", false},
		"one with a blank":     {"a b", false},
		"one with a line end":  {"a\nb", false},
		"the longest":          {strings.Repeat("a", 64), true},
		"one that is too long": {strings.Repeat("a", 65), false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest("GET", "/", nil)
			r.Header["X-Request-Id"] = []string{tt.sent}
			got := exchange.RequestID(r)
			if (got == tt.sent) != tt.kept || !exchange.FitRequestID(got) {
				t.Errorf("sent %q, got %q", tt.sent, got)
			}
		})
	}
}

func TestWhatAClientIsTold(t *testing.T) {
	t.Parallel()
	ours := errors.New("disk on fire")
	known := frontdesk.InvalidParam("text", "text must be shorter.")
	tests := map[string]struct {
		err    error
		status int
		code   string
		cause  string
	}{
		"a domain error":              {known, 400, "parameter_invalid", ""},
		"a domain error, wrapped":     {fmt.Errorf("saying: %w", known), 400, "parameter_invalid", ""},
		"a domain error with a cause": {frontdesk.DatabaseUnavailable(ours), 503, "database_unavailable", "disk on fire"},
		"anything else":               {ours, 500, "internal_error", "disk on fire"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, body := exchange.Envelope(exchange.Refusal(tt.err), "req_x")
			if status != tt.status || !strings.Contains(string(body), `"code":"`+tt.code+`"`) || strings.Contains(string(body), "fire") {
				t.Errorf("got %d %s", status, body)
			}
			if got := exchange.Cause(tt.err); got != tt.cause {
				t.Errorf("the cause is %q, want %q", got, tt.cause)
			}
		})
	}
	if exchange.Cause(nil) != "" || exchange.Domain(nil) != nil {
		t.Error("no error has a cause")
	}
}

func TestRecover(t *testing.T) {
	t.Parallel()
	run := func(what any) (err error) {
		defer exchange.Recover(&err)
		if what != nil {
			panic(what)
		}
		return nil
	}
	if err := run(nil); err != nil {
		t.Error(err)
	}
	if err := run("boom"); err == nil || !strings.HasPrefix(err.Error(), "panic: boom\n") {
		t.Errorf("got %v", err)
	}
	defer func() {
		if recover() != http.ErrAbortHandler {
			t.Error("a handler can no longer cut its connection off")
		}
	}()
	run(http.ErrAbortHandler)
}
