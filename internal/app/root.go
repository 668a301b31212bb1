package app

import (
	"context"
	_ "embed"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"frontdesk.dev/frontdesk/internal/devlisten"
	"frontdesk.dev/frontdesk/internal/phone"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/web"
)

//go:embed landing.html
var landing []byte

// root sends each address to the part that serves it. Everything that is not
// named here is the API's, which also says what does not exist.
func (p *parts) root(registry *prometheus.Registry) (http.Handler, error) {
	customer, err := p.api.Handler()
	if err != nil {
		return nil, err
	}
	visitors := p.web.Handler()
	carriers := p.phone.Handler()
	named := map[string]http.Handler{
		"/":            get(page("text/html; charset=utf-8", landing)),
		"/healthz":     get(page("application/json", []byte(`{"status":"ok"}`))),
		"/readyz":      get(http.HandlerFunc(p.ready)),
		devlisten.Path: p.devlisten,
		"/metrics":     get(promhttp.HandlerFor(registry, promhttp.HandlerOpts{})),
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h := named[r.URL.Path]; h != nil {
			p.guarded(h, w, r)
			return
		}
		if phone.Serves(r.URL.Path) {
			carriers.ServeHTTP(w, r)
			return
		}
		if web.Serves(r.URL.Path) {
			visitors.ServeHTTP(w, r)
			return
		}
		customer.ServeHTTP(w, r)
	}), nil
}

// guarded serves a request for which a panic is an internal error. The API and
// the web channel see to that themselves.
func (p *parts) guarded(h http.Handler, w http.ResponseWriter, r *http.Request) {
	err := service.Guard(p.log, r.Method+" "+r.URL.Path, func() error {
		h.ServeHTTP(w, r)
		return nil
	})
	if err != nil {
		http.Error(w, "internal error", http.StatusInternalServerError)
	}
}

// get lets only reading through.
func get(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		h.ServeHTTP(w, r)
	})
}

func page(contentType string, text []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Write(text)
	})
}

// ready says whether this process can do its work: the database answers, and
// so does the place of documents' bytes.
func (p *parts) ready(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	unavailable := func(err error, began time.Time, body string) {
		p.log.Warn("not ready", "error", err, "took", time.Since(began))
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
		w.Write([]byte(body))
	}
	began := time.Now()
	if err := p.store.Ping(r.Context()); err != nil {
		unavailable(err, began, `{"status":"unavailable","database":"does not answer"}`)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), blobTime)
	defer cancel()
	if err := p.blobs.Check(ctx); err != nil {
		unavailable(err, began, `{"status":"unavailable","database":"answers","documents":"cannot be stored"}`)
		return
	}
	w.Write([]byte(`{"status":"ready","database":"answers","documents":"can be stored"}`))
}

// blobTime is how long the place of documents' bytes may take to answer.
const blobTime = 2 * time.Second
