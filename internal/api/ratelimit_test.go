package api

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestBucket(t *testing.T) {
	t.Parallel()
	const key = frontdesk.ID("k")
	l := newLimiter(2, 5, nil)
	now := noon
	take := func() (http.Header, error) {
		w := httptest.NewRecorder()
		err := l.take(w, key, now)
		return w.Header(), err
	}
	for i, step := range []struct {
		wait      time.Duration
		allowed   bool
		remaining string
		retry     string
	}{
		{0, true, `"default";r=4;t=1`, ""},
		{0, true, `"default";r=3;t=1`, ""},
		{0, true, `"default";r=2;t=2`, ""},
		{0, true, `"default";r=1;t=2`, ""},
		{0, true, `"default";r=0;t=3`, ""},
		{0, false, `"default";r=0;t=3`, "1"},
		{250 * time.Millisecond, false, `"default";r=0;t=3`, "1"},
		{250 * time.Millisecond, true, `"default";r=0;t=3`, ""},
		{time.Hour, true, `"default";r=4;t=1`, ""},
	} {
		now = now.Add(step.wait)
		header, err := take()
		if (err == nil) != step.allowed {
			t.Errorf("step %d: %v", i, err)
		}
		raw := map[string][]string(header) // the names as they are sent, which Go would spell otherwise
		if got := raw["RateLimit"]; fmt.Sprint(got) != "["+step.remaining+"]" {
			t.Errorf("step %d: RateLimit is %v, want %s", i, got, step.remaining)
		}
		if got := raw["RateLimit-Policy"]; fmt.Sprint(got) != `["default";q=5;w=3]` {
			t.Errorf("step %d: RateLimit-Policy is %v", i, got)
		}
		if got := header.Get("Retry-After"); got != step.retry {
			t.Errorf("step %d: Retry-After is %q, want %q", i, got, step.retry)
		}
	}
}

func TestRateLimit(t *testing.T) {
	t.Parallel()
	const burst = 5
	h := newHouse(t, func(o *Options) { o.RatePerSecond, o.RateBurst = 1, burst }).start()
	key, sibling := h.key(h.a.Tenant, true, "all"), h.key(h.a.Tenant, true, "all")
	passed := 0
	var got reply
	for range 1000 { // more come in than can be refilled
		if got = h.do("GET /whoami", key, ""); got.status != 200 {
			break
		}
		passed++
	}
	if got.status != 429 || passed < burst {
		t.Fatalf("after %d: %s", passed, got)
	}
	got.envelope(t, 429, "rate_limited")
	if !regexp.MustCompile(`^[1-9][0-9]*$`).MatchString(got.header.Get("Retry-After")) {
		t.Errorf("Retry-After is %q", got.header.Get("Retry-After"))
	}
	if policy := got.header.Get("RateLimit-Policy"); policy != `"default";q=5;w=5` {
		t.Errorf("RateLimit-Policy is %s", policy)
	}
	if limit := got.header.Get("RateLimit"); !regexp.MustCompile(`^"default";r=0;t=[45]$`).MatchString(limit) {
		t.Errorf("RateLimit is %s", limit)
	}
	if got := h.do("GET /whoami", sibling, ""); got.status != 200 {
		t.Errorf("another key of the same tenant: %s", got)
	}
}

func TestRateIsCheckedInItsTurn(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	key := h.key(h.a.Tenant, true, "usage:read")
	h.exhaust(key)
	for name, s := range map[string]scenario{
		"after the route":                {do: "GET /nothing", key: key, want: 404, code: "route_not_found"},
		"after the method":               {do: "DELETE /calls", key: key, want: 405, code: "method_not_allowed"},
		"after the key":                  {do: "GET /usage", key: key + "x", want: 401, code: "api_key_invalid"},
		"before the scope":               {do: "GET /calls", key: key, want: 429, code: "rate_limited"},
		"before the query":               {do: "GET /usage?x=1", key: key, want: 429, code: "rate_limited"},
		"before the body":                {do: "PATCH /agents/desk", key: key, body: "{", want: 429, code: "rate_limited"},
		"also for HEAD":                  {do: "HEAD /usage", key: key, want: 429},
		"not for what is public":         {do: "GET /llms.txt", key: key, want: 200},
		"a wrong key costs nobody a bit": {do: "GET /usage", key: "svc_live_wrong", want: 401, code: "api_key_invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h.play(t, s)
		})
	}
}

func TestEveryAuthenticatedAnswerTellsTheRate(t *testing.T) {
	t.Parallel()
	h := newHouse(t).start()
	for operation, key := range map[string]string{
		"GET /whoami": h.a.live, "GET /calls?limit=0": h.a.live, "GET /calls/42": h.a.live, "PATCH /agents/desk": h.a.test, "HEAD /usage": h.a.test,
	} {
		got := h.do(operation, key, "")
		if policy := got.header.Get("RateLimit-Policy"); policy != `"default";q=2000;w=10` {
			t.Errorf("%s: RateLimit-Policy is %q", operation, policy)
		}
		if limit := got.header.Get("RateLimit"); !regexp.MustCompile(`^"default";r=[0-9]+;t=[0-9]+$`).MatchString(limit) {
			t.Errorf("%s: RateLimit is %q", operation, limit)
		}
	}
	for _, operation := range []string{"GET /openapi.json", "GET /nothing"} {
		if got := h.do(operation, h.a.live, ""); got.header.Get("RateLimit") != "" {
			t.Errorf("%s has no key and no rate: %v", operation, got.header)
		}
	}
}
