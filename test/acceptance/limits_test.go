package acceptance

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

const bodyLimit = 256 << 10

// ofSize is a patch of exactly so many bytes.
func ofSize(n int) string {
	const around = `{"specials":""}`
	return `{"specials":"` + strings.Repeat("x", n-len(around)) + `"}`
}

func TestTheLimitOfABody(t *testing.T) {
	t.Parallel()
	n, key := office(t)
	for name, tt := range map[string]struct {
		size int
		fits bool
	}{
		"exactly the limit":  {bodyLimit, true},
		"one byte more":      {bodyLimit + 1, false},
		"ten megabytes more": {10 << 20, false},
	} {
		for _, chunked := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, chunked %t", name, chunked), func(t *testing.T) {
				t.Parallel()
				n := n.in(t)
				got := n.send(key, ofSize(tt.size), chunked)
				if tt.fits && got.status != http.StatusOK {
					t.Errorf("got %d", got.status)
				}
				if !tt.fits {
					got.refuses(t, http.StatusRequestEntityTooLarge, "request_too_large")
				}
			})
		}
	}
}

// send sends a patch with its length, or without.
func (n *node) send(key, body string, chunked bool) reply {
	n.t.Helper()
	var reader io.Reader = strings.NewReader(body)
	if chunked {
		reader = struct{ io.Reader }{reader} // hides its length
	}
	req, err := http.NewRequest(http.MethodPatch, n.base+"/v1/agents/bar", reader)
	must(n.t, err)
	req.Header.Set("Authorization", "Bearer "+key)
	res, err := n.client.Do(req)
	must(n.t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	must(n.t, err)
	must(n.t, n.document.CheckAnswer(req.Method, req.URL.Path, res, text))
	return reply{res.StatusCode, res.Header, text}
}

// TestALengthIsNotBelieved announces little and sends much, and the other way
// round: what counts is what comes.
func TestALengthIsNotBelieved(t *testing.T) {
	t.Parallel()
	n, key := office(t)
	head := "PATCH /v1/agents/bar HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + key + "\r\n"
	t.Run("a length far beyond the limit, of a body within it", func(t *testing.T) {
		t.Parallel()
		n := n.in(t)
		w := n.dial()
		n.say(w, head+"Content-Length: 1000000\r\n\r\n"+ofSize(bodyLimit+1))
		n.hear(w).refuses(t, http.StatusRequestEntityTooLarge, "request_too_large")
	})
	t.Run("what goes beyond the length is the next request", func(t *testing.T) {
		t.Parallel()
		n := n.in(t)
		w := n.dial()
		n.say(w, head+"Content-Length: 2\r\n\r\n{}GET /v1/whoami HTTP/1.1\r\nHost: x\r\n\r\n")
		if got := n.hear(w); got.status != http.StatusOK {
			t.Errorf("got %s", got)
		}
		n.hear(w).refuses(t, http.StatusUnauthorized, "api_key_missing")
	})
	t.Run("a body that breaks off", func(t *testing.T) {
		t.Parallel()
		n := n.in(t)
		w := n.dial()
		n.say(w, head+"Content-Length: 100\r\n\r\n{}")
		must(t, w.Conn.(interface{ CloseWrite() error }).CloseWrite())
		n.hear(w).refuses(t, http.StatusBadRequest, "invalid_json")
	})
}

// TestSlowClientsAreLetGo: one that does not finish its header, and one that
// does not finish its body.
func TestSlowClientsAreLetGo(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	header, body := d.dial(), d.dial()
	d.say(header, "GET /v1/whoami HTTP/1.1\r\nHost: x\r\n")
	d.say(body, "PATCH /v1/agents/casa-lola HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+d.live+"\r\nContent-Length: 100\r\n\r\n{")
	if _, err := io.ReadAll(header.reader); err != nil {
		t.Errorf("a client that does not finish its header is still there after %s: %v", patience, err)
	}
	d.hear(body).refuses(t, http.StatusBadRequest, "invalid_json")
	if _, err := io.ReadAll(body.reader); err != nil {
		t.Errorf("a client that does not finish its body is still there after %s: %v", patience, err)
	}
}

func TestTheLimitOfAPage(t *testing.T) {
	t.Parallel()
	d := lookAround(t)
	for _, path := range lists {
		for _, limit := range []string{"0", "101", "-1", "1000", "ten", "1.5", "1e1", "%2B5", "05", " 5", "5 ", "", "9999999999999999999999", "0x10", "١"} {
			got := d.do("GET "+path+"?limit="+strings.ReplaceAll(limit, " ", "%20"), d.live, "")
			if f := got.refuses(t, http.StatusBadRequest, "parameter_invalid"); f.param() != "limit" {
				t.Errorf("limit=%s: %s", limit, got)
			}
		}
		for _, limit := range []int{1, 2, 99, 100} {
			if got := get[list[any]](d.node, fmt.Sprintf("%s?limit=%d", path, limit), d.live); len(got.Data) != limit || !got.HasMore {
				t.Errorf("%s?limit=%d has %d items, has_more %t", path, limit, len(got.Data), got.HasMore)
			}
		}
	}
}

var rateHeader = regexp.MustCompile(`^"default";r=(\d+);t=(\d+)$`)

func TestTheRateIsTold(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "FRONTDESK_RATE_BURST=2000", "FRONTDESK_RATE_PER_SECOND=200")
	p.tenant("lola")
	n, key := p.serve(), p.key("lola", "live", "--scopes", "calls:read").Key
	for _, operation := range []string{"GET /calls", "HEAD /calls", "GET /calls?limit=0", "GET /captures", "GET /calls/x", "GET /whoami"} {
		got := n.do(operation, key, "")
		m := rateHeader.FindStringSubmatch(got.header.Get("RateLimit"))
		if policy := got.header.Get("RateLimit-Policy"); policy != `"default";q=2000;w=10` || m == nil {
			t.Errorf("%s: %q, %q", operation, policy, got.header.Get("RateLimit"))
		}
	}
	for _, operation := range []string{"GET /nowhere", "GET /openapi.json", "DELETE /calls"} {
		if got := n.do(operation, "", ""); got.header.Get("RateLimit") != "" {
			t.Errorf("%s has a rate without a key", operation)
		}
	}
}

func TestTheRateIsLimited(t *testing.T) {
	t.Parallel()
	const burst = 5
	p := newPlace(t, "FRONTDESK_RATE_PER_SECOND=1", fmt.Sprintf("FRONTDESK_RATE_BURST=%d", burst))
	p.tenant("lola")
	n := p.serve()
	key, other := p.key("lola", "live", "--scopes", "calls:read").Key, p.key("lola", "live").Key
	// Every request counts, also one that is refused for its scope or its query.
	requests := []string{"GET /calls", "GET /captures", "GET /calls?limit=0", "GET /calls/x"}
	var refused reply
	for i := 0; refused.status == 0; i++ {
		got := n.do(requests[i%len(requests)], key, "")
		if got.status == http.StatusTooManyRequests {
			refused = got
		}
		if i > 10*burst {
			t.Fatal("the rate is not limited")
		}
		if i < burst && got.status == http.StatusTooManyRequests {
			t.Errorf("request %d is one too many already", i)
		}
	}
	if f := refused.refuses(t, http.StatusTooManyRequests, "rate_limited"); f.Type != "rate_limit_error" {
		t.Errorf("got %s", refused)
	}
	if m := rateHeader.FindStringSubmatch(refused.header.Get("RateLimit")); m == nil || m[1] != "0" {
		t.Errorf("RateLimit is %q", refused.header.Get("RateLimit"))
	}
	if policy := refused.header.Get("RateLimit-Policy"); policy != `"default";q=5;w=5` {
		t.Errorf("RateLimit-Policy is %q", policy)
	}
	wait, err := strconv.Atoi(refused.header.Get("Retry-After"))
	if err != nil || wait < 1 || wait > burst {
		t.Errorf("Retry-After is %q", refused.header.Get("Retry-After"))
	}
	get[any](n, "/calls", other)
	// The check of the rate comes after that of the key, before all others.
	n.do("GET /calls", "svc_live_x", "").refuses(t, http.StatusUnauthorized, "api_key_invalid")
	select {
	case <-time.After(time.Duration(wait) * time.Second):
	case <-n.ended:
	}
	get[any](n, "/calls", key)
}
