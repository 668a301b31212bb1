package app

import (
	"bytes"
	_ "embed"
	"maps"
	"net/http"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"frontdesk.dev/frontdesk/internal/console"
	"frontdesk.dev/frontdesk/internal/devlisten"
	"frontdesk.dev/frontdesk/internal/mcp"
	"frontdesk.dev/frontdesk/internal/phone"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/web"
)

//go:embed landing.html
var landing []byte

// landingWithoutFigures has no link to what is not served beside it.
func landingWithoutFigures() []byte {
	var kept []byte
	for line := range bytes.Lines(landing) {
		if !bytes.Contains(line, []byte(`href="/metrics"`)) {
			kept = append(kept, line...)
		}
	}
	return kept
}

// addHandlers makes the handlers of all fronts. What anybody can reach by TLS never
// has the figures of the process; the address without TLS has them unless they have
// one of their own.
func (p *parts) addHandlers(registry *prometheus.Registry) error {
	customer, err := p.api.Handler()
	if err != nil {
		return err
	}
	proxies, err := p.settings.Proxies()
	if err != nil {
		return err
	}
	if p.mcp, err = mcp.New(mcp.Options{
		API: customer, Web: p.web.Handler(), Keys: p.keys, Now: p.now, Log: p.log, Metrics: registry, Version: p.version,
		PublicURL: p.settings.PublicURL, TrustedProxies: proxies, Nodes: p.nodes.limits(),
	}); err != nil {
		return err
	}
	health := map[string]http.Handler{
		"/healthz": get(page("application/json", []byte(`{"status":"ok"}`))),
		"/readyz":  get(http.HandlerFunc(p.ready)),
	}
	figures := maps.Clone(health)
	figures["/metrics"] = get(promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	p.figures = p.named(figures, http.NotFoundHandler())
	p.public = p.named(health, p.root(customer, landingWithoutFigures()))
	p.handler = p.named(figures, p.root(customer, landing))
	if p.settings.MetricsListen != "" {
		p.handler = p.public
	}
	return nil
}

// named serves some addresses, and leaves the others to another.
func (p *parts) named(addresses map[string]http.Handler, others http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.introduce(w, r)
		if h := addresses[r.URL.Path]; h != nil {
			p.guarded(h, w, r)
			return
		}
		others.ServeHTTP(w, r)
	})
}

// root sends each address to the part that serves it. Everything that is not
// named here is the API's, which also says what does not exist.
func (p *parts) root(customer http.Handler, landing []byte) http.Handler {
	visitors := p.web.Handler()
	carriers := p.phone.Handler()
	owners := p.console.Handler()
	assistants := p.mcp.Handler()
	return p.named(map[string]http.Handler{
		"/":            get(page("text/html; charset=utf-8", landing)),
		devlisten.Path: p.devlisten,
	}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case phone.Serves(path):
			carriers.ServeHTTP(w, r)
		case console.Serves(path):
			owners.ServeHTTP(w, r)
		case web.Serves(path):
			visitors.ServeHTTP(w, r)
		case mcp.Serves(path):
			assistants.ServeHTTP(w, r)
		default:
			customer.ServeHTTP(w, r)
		}
	}))
}

// What an answer to the doctor is known by.
const (
	InstallationHeader = "Frontdesk-Installation" // the database that is served, by a name that says nothing else
	UpgradeHeader      = "Frontdesk-Upgrade"      // that a request to upgrade has come through
)

// introduce says on which database we are, where the doctor asks: so it tells us
// from others on the port, and from a proxy that answers in our place.
func (p *parts) introduce(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/healthz" && !strings.HasPrefix(r.URL.Path, "/talk/") {
		return
	}
	w.Header().Set(InstallationHeader, string(p.installation))
	if strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		w.Header().Set(UpgradeHeader, "websocket")
	}
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
