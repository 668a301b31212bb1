package egress_test

import (
	"encoding/pem"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/egress"
)

const long = time.Minute

// knocks is a listener on loopback that counts who comes.
func knocks(t *testing.T) (port string, count *atomic.Int32) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	count = &atomic.Int32{}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			count.Add(1)
			c.Close()
		}
	}()
	t.Cleanup(func() { l.Close() })
	_, port, _ = net.SplitHostPort(l.Addr().String())
	return port, count
}

func TestTheDialIsChecked(t *testing.T) {
	t.Parallel()
	for text := range forbidden {
		at := "[" + text + "]:443"
		if netip.MustParseAddr(text).Is4() {
			at = text + ":443"
		}
		if err := egress.CheckDial(at); !errors.Is(err, egress.ErrBlocked) {
			t.Errorf("%s: %v", at, err)
		}
	}
	for _, text := range public {
		if err := egress.CheckDial(netip.AddrPortFrom(netip.MustParseAddr(text), 443).String()); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, broken := range []string{"", "x", "8.8.8.8", "/run/socket", "name.example.com:443"} {
		if err := egress.CheckDial(broken); !errors.Is(err, egress.ErrBlocked) {
			t.Errorf("%q: %v", broken, err)
		}
	}
}

// Whatever a forbidden address is written like, and whatever name leads to it,
// the client does not go there.
func TestTheClientReachesNothingInside(t *testing.T) {
	t.Parallel()
	port, count := knocks(t)
	names := map[string][][]string{"*": {{"127.0.0.1"}}}
	var urls []string
	for text := range forbidden {
		addr := netip.MustParseAddr(text).WithZone("")
		names[nameFor(addr)] = [][]string{{addr.String()}}
		urls = append(urls, "https://"+nameFor(addr)+"/", "https://"+nameFor(addr)+":"+port+"/",
			"https://"+netip.AddrPortFrom(addr, 443).String()+"/")
	}
	for raw := range notations {
		if u, err := url.Parse(raw); err == nil && u.Host != "" && u.User == nil && (u.Scheme == "https" || u.Scheme == "http") && len(raw) < 2048 {
			urls = append(urls, raw, u.Scheme+"://"+strings.TrimSuffix(u.Host, ":443")+":"+port+"/")
		}
	}
	client := guard(t, egress.Options{Resolver: newNameserver(t, names).resolver()}).Client(long, 1)
	defer client.CloseIdleConnections()
	blocked := 0
	for _, raw := range urls {
		answer, err := client.Post(raw, "application/json", strings.NewReader("{}"))
		if err == nil {
			answer.Body.Close()
			t.Errorf("%s answered %s", raw, answer.Status)
		}
		if errors.Is(err, egress.ErrBlocked) {
			blocked++
		}
	}
	if n := count.Load(); n > 0 {
		t.Errorf("%d connections reached 127.0.0.1", n)
	}
	if blocked < len(forbidden)*3 {
		t.Errorf("only %d of %d were blocked", blocked, len(urls))
	}
	t.Logf("%d of %d blocked by the guard; the others are no address that can be dialled", blocked, len(urls))
}

// A name is public when it is looked at and 127.0.0.1 when it is dialled.
func TestRebinding(t *testing.T) {
	t.Parallel()
	port, count := knocks(t)
	dns := newNameserver(t, map[string][][]string{"rebind.example.com": {{"8.8.8.8"}, {"127.0.0.1"}}})
	g := guard(t, egress.Options{Resolver: dns.resolver()})
	if err := g.CheckURL(ctx, "https://rebind.example.com/"); err != nil {
		t.Fatal(err)
	}
	client := g.Client(long, 1)
	defer client.CloseIdleConnections()
	answer, err := client.Get("https://rebind.example.com:" + port + "/")
	if !errors.Is(err, egress.ErrBlocked) {
		t.Errorf("got %v, %v", answer, err)
	}
	if dns.asked("rebind.example.com") < 2 || count.Load() != 0 {
		t.Errorf("asked %d times, reached %d times", dns.asked("rebind.example.com"), count.Load())
	}
	if codeOf(g.CheckURL(ctx, "https://rebind.example.com/")) != notPublic {
		t.Error("it can still be given to us")
	}
}

// Not parallel: the environment is everybody's.
func TestNoProxyFromTheEnvironment(t *testing.T) {
	port, count := knocks(t)
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		t.Setenv(name, "http://127.0.0.1:"+port)
	}
	for _, name := range []string{"NO_PROXY", "no_proxy", "REQUEST_METHOD"} {
		t.Setenv(name, "")
	}
	dns := newNameserver(t, map[string][][]string{"hooks.example.com": {{"10.0.0.1"}}})
	client := guard(t, egress.Options{Resolver: dns.resolver()}).Client(long, 1)
	for _, raw := range []string{"http://hooks.example.com/", "https://hooks.example.com/"} {
		if _, err := client.Get(raw); !errors.Is(err, egress.ErrBlocked) {
			t.Errorf("%s: %v", raw, err)
		}
	}
	if count.Load() != 0 {
		t.Error("the environment's proxy was used")
	}
}

func TestTheOperatorsProxy(t *testing.T) {
	t.Parallel()
	var asked atomic.Value
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.Method + " " + r.Host)
		w.WriteHeader(http.StatusForbidden)
	}))
	defer proxy.Close()
	client := guard(t, egress.Options{Proxy: proxy.URL}).Client(long, 1)
	if _, err := client.Get("https://hooks.example.com/"); err == nil || asked.Load() != "CONNECT hooks.example.com:443" {
		t.Errorf("the proxy was asked %v: %v", asked.Load(), err)
	}
}

// certificate writes the authority of a test server to a file.
func certificate(t *testing.T, s *httptest.Server) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ca.pem")
	block := &pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}
	if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestTheDevelopmentOpeningOpensItsOriginAlone(t *testing.T) {
	t.Parallel()
	open := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "open") }))
	defer open.Close()
	port, count := knocks(t)
	g := guard(t, egress.Options{Allow: []string{open.URL + "/", " " + open.URL}, CAFile: certificate(t, open)})
	if got := g.Opened(); !slices.Equal(got, []string{open.URL}) {
		t.Errorf("open are %v", got)
	}
	own := strings.TrimPrefix(open.URL, "https://127.0.0.1:")
	tests := map[string]string{
		open.URL + "/hook":               "",
		"https://127.0.0.1:" + port:      invalid,
		"https://127.0.0.1/":             notPublic,
		"http://127.0.0.1:" + own:        invalid,
		"https://localhost:" + own:       invalid,
		"https://127.1:" + own:           invalid,
		"https://[::1]:" + own:           invalid,
		"https://u@127.0.0.1:" + own:     invalid,
		open.URL + "/#x":                 invalid,
		"https://127.0.0.1.:" + own:      invalid,
		"https://hooks.example.com/":     "",
		"https://169.254.169.254/":       notPublic,
		"https://127.0.0.1:" + own + "0": invalid,
	}
	for raw, want := range tests {
		if got := codeOf(g.CheckURL(ctx, raw)); got != want {
			t.Errorf("%s: %q, not %q", raw, got, want)
		}
	}
	client := g.Client(long, 1)
	defer client.CloseIdleConnections()
	answer, err := client.Get(open.URL + "/hook")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("got %s", answer.Status)
	}
	if _, err := client.Get("https://127.0.0.1:" + port); !errors.Is(err, egress.ErrBlocked) || count.Load() != 0 {
		t.Errorf("another port of the same machine: %v", err)
	}
	for raw, fine := range map[string]bool{open.URL: true, "http://127.0.0.1:" + own: false, "http://hooks.example.com/": false, "https://hooks.example.com/": true} {
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.CheckScheme(u); fine != (err == nil) || !fine && !errors.Is(err, egress.ErrBlocked) {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

func TestNothingIsOpenByDefault(t *testing.T) {
	t.Parallel()
	inside := httptest.NewTLSServer(http.NotFoundHandler())
	defer inside.Close()
	g := guard(t, egress.Options{CAFile: certificate(t, inside)})
	if len(g.Opened()) != 0 {
		t.Errorf("open are %v", g.Opened())
	}
	if _, err := g.Client(long, 1).Get(inside.URL); !errors.Is(err, egress.ErrBlocked) {
		t.Error(err)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	port, count := knocks(t)
	s := httptest.NewTLSServer(http.RedirectHandler("http://127.0.0.1:"+port+"/", http.StatusTemporaryRedirect))
	defer s.Close()
	client := guard(t, egress.Options{Allow: []string{s.URL, "http://127.0.0.1:" + port}, CAFile: certificate(t, s)}).Client(long, 1)
	defer client.CloseIdleConnections()
	answer, err := client.Post(s.URL, "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusTemporaryRedirect || count.Load() != 0 {
		t.Errorf("got %s, and %d connections", answer.Status, count.Load())
	}
}

func TestOptionsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	empty := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(empty, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := map[string]egress.Options{
		"an opening without a scheme":       {Allow: []string{"127.0.0.1:8443"}},
		"an opening of another scheme":      {Allow: []string{"ftp://127.0.0.1"}},
		"an opening with a path":            {Allow: []string{"https://127.0.0.1:8443/hook"}},
		"an opening that is no URL":         {Allow: []string{"https://[::1"}},
		"an opening of nothing":             {Allow: []string{"https://"}},
		"authorities that are not there":    {CAFile: filepath.Join(t.TempDir(), "none.pem")},
		"authorities that are none":         {CAFile: empty},
		"a proxy that is no address":        {Proxy: "proxy"},
		"a proxy that cannot be understood": {Proxy: "http://[::1"},
	}
	for name, o := range tests {
		if _, err := egress.New(o); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}
