package sdk

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"sync"
	"testing"
	"time"
)

// proxy stands between an SDK and the service. Requests whose X-Conformance
// header names a scenario meet that scenario's fault.
type proxy struct {
	url     string
	forward *httputil.ReverseProxy

	mu   sync.Mutex
	seen map[string][]*attempt // by scenario, in order
}

// attempt is a request as the proxy saw it.
type attempt struct {
	method, path        string
	key, agent, bearer  string // headers
	at                  time.Time
	body                hash.Hash // of what was passed on
	status              int       // of the service's answer; 0 where it was not asked
	requestID, replayed string    // headers of that answer
}

func (a *attempt) digest() string { return hex.EncodeToString(a.body.Sum(nil)) }

type attemptKey struct{}

// behind starts a proxy for the service, which ends with the test.
func behind(t *testing.T, s service) *proxy {
	t.Helper()
	target, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{seen: map[string][]*attempt{}}
	p.forward = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Header.Del("X-Conformance")
		},
		ModifyResponse: p.answered,
	}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

func (p *proxy) attempts(scenario string) []*attempt {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen[scenario]
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	scenario := r.Header.Get("X-Conformance")
	a := &attempt{
		method: r.Method, path: r.URL.Path, at: time.Now(), body: sha256.New(),
		key: r.Header.Get("Idempotency-Key"), agent: r.Header.Get("User-Agent"), bearer: r.Header.Get("Authorization"),
	}
	p.mu.Lock()
	p.seen[scenario] = append(p.seen[scenario], a)
	n := len(p.seen[scenario])
	p.mu.Unlock()
	r.Body = tee{io.TeeReader(r.Body, a.body), r.Body}
	fault := faults[scenario]
	if fault == nil {
		fault = pass
	}
	fault(p, n, a, w, r)
}

type tee struct {
	io.Reader
	io.Closer
}

// answered notes the service's answer to an attempt.
func (p *proxy) answered(r *http.Response) error {
	a, ok := r.Request.Context().Value(attemptKey{}).(*attempt)
	if !ok {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	a.status, a.requestID = r.StatusCode, r.Header.Get("X-Request-Id")
	a.replayed = r.Header.Get("Idempotent-Replayed")
	return nil
}

// faults are what the proxy does to the n-th request of a scenario, from 1.
var faults = map[string]func(p *proxy, n int, a *attempt, w http.ResponseWriter, r *http.Request){
	"rate-limited": func(p *proxy, n int, a *attempt, w http.ResponseWriter, r *http.Request) {
		if n == 1 {
			refuse(w, http.StatusTooManyRequests, "1")
			return
		}
		pass(p, n, a, w, r)
	},
	"unavailable-twice": func(p *proxy, n int, a *attempt, w http.ResponseWriter, r *http.Request) {
		if n <= 2 {
			page(w)
			return
		}
		pass(p, n, a, w, r)
	},
	"reset-in-post": func(p *proxy, n int, a *attempt, w http.ResponseWriter, r *http.Request) {
		if n == 1 {
			pass(p, n, a, httptest.NewRecorder(), r)
			reset(w)
			return
		}
		pass(p, n, a, w, r)
	},
	"three-pages": func(p *proxy, n int, a *attempt, w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		q.Set("kind", pagesKind)
		r.URL.RawQuery = q.Encode()
		pass(p, n, a, w, r)
	},
	"timeout": func(_ *proxy, _ int, _ *attempt, w http.ResponseWriter, r *http.Request) {
		// Not before the client has gone, unless it waits very long.
		select {
		case <-r.Context().Done():
		case <-time.After(5 * time.Second):
			page(w)
		}
	},
	"unknown-enum": func(p *proxy, n int, a *attempt, w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Accept-Encoding")
		answer := httptest.NewRecorder()
		pass(p, n, a, answer, r)
		rewritten(w, answer)
	},
	"retry-gives-up": func(_ *proxy, _ int, _ *attempt, w http.ResponseWriter, _ *http.Request) { page(w) },
	"long-retry-after": func(_ *proxy, _ int, _ *attempt, w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusTooManyRequests, "3600")
	},
	// The client would wait for half a minute, if it were not told to stop.
	"cancelled": func(_ *proxy, _ int, _ *attempt, w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusServiceUnavailable, "30")
	},
}

func pass(p *proxy, _ int, a *attempt, w http.ResponseWriter, r *http.Request) {
	p.forward.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), attemptKey{}, a)))
}

// refuse answers as the service does when there are too many requests.
func refuse(w http.ResponseWriter, status int, after string) {
	w.Header().Set("Retry-After", after)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprint(w, `{"error":{"type":"rate_limit_error","code":"rate_limited","message":"Too many requests.","param":null,"request_id":"req_of_the_proxy"}}`)
}

// page answers as proxies do whose service is not there: with no envelope.
func page(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(http.StatusServiceUnavailable)
	fmt.Fprint(w, "<html><body><h1>503 Service Unavailable</h1></body></html>")
}

// reset ends the connection with a reset, so that no answer comes.
func reset(w http.ResponseWriter) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	conn.(*net.TCPConn).SetLinger(0)
	conn.Close()
}

// What the captures of unknown-enum are like.
const (
	unknownStatus = "status_of_tomorrow"
	unknownKind   = "kind_of_tomorrow"
	unknownField  = "kept as it came"
)

// rewritten passes an answer on in which all captures are like that.
func rewritten(w http.ResponseWriter, answer *httptest.ResponseRecorder) {
	var value any
	if err := json.Unmarshal(answer.Body.Bytes(), &value); err != nil {
		panic(err)
	}
	change(value)
	var text bytes.Buffer
	if err := json.NewEncoder(&text).Encode(value); err != nil {
		panic(err)
	}
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Length", strconv.Itoa(text.Len()))
	w.WriteHeader(answer.Code)
	w.Write(text.Bytes())
}

func change(value any) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			change(item)
		}
	case map[string]any:
		if value["object"] == "capture" {
			value["status"], value["kind"], value["future"] = unknownStatus, unknownKind, unknownField
		}
		for _, item := range value {
			change(item)
		}
	}
}
