package certificate

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/acme"

	"frontdesk.dev/frontdesk/internal/store"
)

func problem(kind string, header http.Header) error {
	return &acme.Error{StatusCode: 403, ProblemType: "urn:ietf:params:acme:error:" + kind, Header: header}
}

func TestPause(t *testing.T) {
	t.Parallel()
	away := errors.New("dial tcp: connection refused")
	unproven := &acme.AuthorizationError{Errors: []error{problem("connection", nil)}}
	limited := func(after string) error {
		return fmt.Errorf("by tls-alpn-01: %w", problem("rateLimited", http.Header{"Retry-After": {after}}))
	}
	for name, tt := range map[string]struct {
		cause    error
		attempts int
		want     time.Duration
	}{
		"an authority that is away":        {away, 1, 10 * time.Second},
		"that is away for long":            {away, 4, 80 * time.Second},
		"that is away for very long":       {away, 1000, 10 * time.Minute},
		"a name that is not ours":          {errors.Join(unproven), 1, 10 * time.Minute},
		"that is not ours for long":        {unproven, 3, 40 * time.Minute},
		"that is not ours for very long":   {unproven, 1000, 6 * time.Hour},
		"an order that is refused":         {&acme.OrderError{}, 1, 10 * time.Minute},
		"a limit that is over soon":        {limited("60"), 1, 10 * time.Minute},
		"a limit that is over in a day":    {limited("86400"), 1, 24 * time.Hour},
		"a limit of which nothing is told": {limited(""), 2, 20 * time.Minute},
	} {
		if got := pause(tt.cause, tt.attempts); got != tt.want {
			t.Errorf("%s: %s, not %s", name, got, tt.want)
		}
	}
}

func TestAdvice(t *testing.T) {
	t.Parallel()
	for failure, want := range map[string]string{
		problem("rateLimited", nil).Error():                "staging",
		problem("dns", nil).Error():                        "does not resolve",
		problem("connection", nil).Error():                 "ports 443 and 80",
		problem("unauthorized", nil).Error():               "Another server",
		problem("caa", nil).Error():                        "CAA",
		problem("somethingNew", nil).Error():               "refuses",
		"tls: x509: certificate signed by unknown":         "FRONTDESK_ACME_ROOTS",
		"dial tcp 192.0.2.1:443: connect: no route":        "cannot be reached",
		"opening a sealed value: it was sealed with other": "FRONTDESK_MASTER_KEY_OLD",
	} {
		if got := Advice(failure); !strings.Contains(got, want) {
			t.Errorf("%s: %s", failure, got)
		}
	}
}

func TestDue(t *testing.T) {
	t.Parallel()
	issued := time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC)
	day := 24 * time.Hour
	of := func(lifetime time.Duration) store.Certificate {
		return store.Certificate{Directory: "ca", Sealed: []byte{1}, IssuedAt: issued, ExpiresAt: issued.Add(lifetime)}
	}
	waits := of(90 * day)
	waits.RetryAt = issued.Add(70 * day)
	for name, tt := range map[string]struct {
		c    store.Certificate
		from time.Duration // since it was issued
	}{
		"90 days":                      {of(90 * day), 60 * day},
		"6 days":                       {of(6 * day), 4 * day},
		"a year: 30 days are enough":   {of(365 * day), 335 * day},
		"one that was tried and waits": {waits, 70 * day},
	} {
		if due(tt.c, "ca", issued.Add(tt.from-time.Second)) || !due(tt.c, "ca", issued.Add(tt.from)) {
			t.Errorf("%s: it is not due just after %s", name, tt.from)
		}
	}
	if !due(of(90*day), "another", issued) || !due(store.Certificate{}, "ca", issued) {
		t.Error("one of another authority, or none, is not due")
	}
}
