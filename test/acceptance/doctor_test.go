package acceptance

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestTheDoctorLooksAtAServer: its own, another one, and what a proxy in front of
// it lets through.
func TestTheDoctorLooksAtAServer(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.tenant("lola")
	p.agent("lola", "desk")
	n := p.serve()
	server, err := url.Parse(n.base)
	must(t, err)
	proxied := func(rewrite func(w http.ResponseWriter, r *http.Request) bool) string {
		proxy := httputil.NewSingleHostReverseProxy(server)
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if rewrite(w, r) {
				proxy.ServeHTTP(w, r)
			}
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	stranger := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(stranger.Close)
	other := newPlace(t)
	other.tenant("rizos")
	tests := map[string]struct {
		on       *place
		settings []string
		code     int
		says     string
	}{
		"its own": {p, []string{"FRONTDESK_LISTEN=" + server.Host}, 0, "frontdesk serves on " + server.Host},
		"another": {other.serveOnce(), []string{"FRONTDESK_LISTEN=" + server.Host}, 1, "another frontdesk, which serves another database"},
		"another, and an address for figures that is taken": {
			other,
			[]string{"FRONTDESK_LISTEN=" + server.Host, "FRONTDESK_METRICS_LISTEN=" + strings.TrimPrefix(stranger.URL, "http://")},
			1,
			"Stop what uses it, or choose another address with FRONTDESK_METRICS_LISTEN.",
		},
		"an address of another machine": {p, []string{"FRONTDESK_LISTEN=192.0.2.7:8080"}, 1, "This machine does not have that address: choose one of its own with FRONTDESK_LISTEN or --listen"},
		"another program":               {p, []string{"FRONTDESK_LISTEN=" + strings.TrimPrefix(stranger.URL, "http://")}, 1, "is no frontdesk"},
		"a proxy that lets all through": {p, []string{"FRONTDESK_LISTEN=" + server.Host, "FRONTDESK_PUBLIC_URL=" + proxied(func(http.ResponseWriter, *http.Request) bool {
			return true
		})}, 0, "/talk/lola/desk leads here, WebSockets too"},
		"a proxy that hides the page": {p, []string{"FRONTDESK_LISTEN=" + server.Host, "FRONTDESK_PUBLIC_URL=" + proxied(func(w http.ResponseWriter, r *http.Request) bool {
			if strings.HasPrefix(r.URL.Path, "/v1/") {
				return true
			}
			http.NotFound(w, r)
			return false
		})}, 0, "a proxy hides it"},
		"a proxy without WebSockets": {p, []string{"FRONTDESK_LISTEN=" + server.Host, "FRONTDESK_PUBLIC_URL=" + proxied(func(_ http.ResponseWriter, r *http.Request) bool {
			r.Header.Del("Upgrade")
			return true
		})}, 0, "does not let WebSockets through"},
	}
	for name, tt := range tests {
		if got := tt.on.with(t, tt.settings...).run("doctor"); got.code != tt.code || !strings.Contains(got.out, tt.says) {
			t.Errorf("%s: %d\n%s", name, got.code, got.out)
		}
	}
}

// serveOnce starts a place and stops it: it is known by a name then.
func (p *place) serveOnce() *place {
	p.t.Helper()
	p.serve().stop()
	return p
}

// TestTheDoctorFindsWhatServeRefuses: an origin without its scheme.
func TestTheDoctorFindsWhatServeRefuses(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "FRONTDESK_WEBHOOK_ALLOW=127.0.0.1:9000")
	for _, command := range []string{"serve", "doctor"} {
		if got := p.run(command); got.code != 1 || !strings.Contains(got.out+got.err, "FRONTDESK_WEBHOOK_ALLOW") {
			t.Errorf("%s: %+v", command, got)
		}
	}
}

// TestTheDoctorFindsADirectoryThatCannotBeMade: not even the first start could.
func TestTheDoctorFindsADirectoryThatCannotBeMade(t *testing.T) {
	t.Parallel()
	above, err := os.MkdirTemp("", "frontdesk-acceptance-")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(above) })
	must(t, os.Chmod(above, 0o555))
	p := newPlace(t)
	p.data, p.database, p.env = filepath.Join(above, "deep", "data"), "", nil
	c := p.command("doctor")
	if os.Getuid() == 0 { // root may write everywhere
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		c.Dir = "/"
	}
	if got := finish(t, c); got.code != 1 || !strings.Contains(got.out, "this user cannot make it") {
		t.Errorf("exit %d: %s%s", got.code, got.out, got.err)
	}
}
