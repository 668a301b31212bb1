package egress

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"syscall"
	"time"
)

// ErrBlocked is the error of a dial to an address that is not public.
var ErrBlocked = errors.New("the address is not public")

// Guard makes clients that reach public addresses only.
type Guard struct {
	opened   map[string]bool // origins that the operator opened, for development
	hosts    map[string]bool // their host:port
	roots    *x509.CertPool  // nil: the system's
	proxy    *url.URL
	resolver *net.Resolver
}

// Options open what is closed by default.
type Options struct {
	Allow    []string // origins such as https://127.0.0.1:8443
	CAFile   string   // PEM: more certificate authorities
	Proxy    string   // through which everything goes; the environment's is not used
	Resolver *net.Resolver
}

// New returns a guard.
func New(o Options) (*Guard, error) {
	g := &Guard{opened: map[string]bool{}, hosts: map[string]bool{}, resolver: o.Resolver}
	if g.resolver == nil {
		g.resolver = net.DefaultResolver
	}
	for _, origin := range o.Allow {
		u, err := url.Parse(strings.TrimSpace(origin))
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.Trim(u.Path, "/") != "" {
			return nil, fmt.Errorf("%q is not an origin such as https://127.0.0.1:8443", origin)
		}
		g.opened[originOf(u)] = true
		g.hosts[hostPort(u)] = true
	}
	if err := g.readRoots(o.CAFile); err != nil {
		return nil, err
	}
	if o.Proxy != "" {
		u, err := url.Parse(o.Proxy)
		if err != nil || u.Host == "" {
			return nil, fmt.Errorf("%q is not a proxy's address such as http://proxy.example.com:3128", o.Proxy)
		}
		g.proxy = u
		g.hosts[hostPort(u)] = true
	}
	return g, nil
}

func (g *Guard) readRoots(file string) error {
	if file == "" {
		return nil
	}
	pem, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("reading certificate authorities: %w", err)
	}
	if g.roots, err = x509.SystemCertPool(); err != nil {
		g.roots = x509.NewCertPool()
	}
	if !g.roots.AppendCertsFromPEM(pem) {
		return fmt.Errorf("%s holds no certificate in PEM form", file)
	}
	return nil
}

// Opened lists the origins that are open, for the operator to see.
func (g *Guard) Opened() []string {
	var all []string
	for origin := range g.opened {
		all = append(all, origin)
	}
	return all
}

// Dial returns what connects to no address that is not public, but for those of
// origins that are open: for transports that a client of our own does not fit.
func (g *Guard) Dial(timeout time.Duration) func(ctx context.Context, network, addr string) (net.Conn, error) {
	dialer := &net.Dialer{Timeout: timeout, KeepAlive: 30 * time.Second, Resolver: g.resolver, ControlContext: control}
	open := &net.Dialer{Timeout: timeout, KeepAlive: 30 * time.Second, Resolver: g.resolver}
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		if g.hosts[addr] {
			return open.DialContext(ctx, network, addr)
		}
		return dialer.DialContext(ctx, network, addr)
	}
}

// Client returns a client whose every connection is checked as it is dialled.
// Connections are kept and shared between requests to the same host: an
// address that was checked stays the one that is talked to. perHost bounds how
// many are kept idle for one host.
func (g *Guard) Client(timeout time.Duration, perHost int) *http.Client {
	t := &http.Transport{
		DialContext:            g.Dial(timeout),
		TLSClientConfig:        &tls.Config{RootCAs: g.roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    timeout,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           512,
		MaxIdleConnsPerHost:    perHost,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true, // an answer is never unpacked
	}
	if g.proxy != nil {
		t.Proxy = http.ProxyURL(g.proxy)
	}
	return &http.Client{
		Transport:     t,
		Timeout:       timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// CheckScheme says whether a URL that was checked before may still be sent to:
// plain http only to origins that are open now.
func (g *Guard) CheckScheme(u *url.URL) error {
	if u.Scheme != "https" && !g.opened[originOf(u)] {
		return fmt.Errorf("%w: %s is not https", ErrBlocked, u.Host)
	}
	return nil
}

// control looks at the address that is about to be connected to: after all
// resolving, so that no name can change its mind.
func control(_ context.Context, _, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %s", ErrBlocked, address)
	}
	if class := Classify(at.Addr()); class != Public {
		return fmt.Errorf("%w: %s is %s", ErrBlocked, at.Addr(), class)
	}
	return nil
}

func originOf(u *url.URL) string {
	return strings.ToLower(u.Scheme) + "://" + hostPort(u)
}

// hostPort is what a transport dials for a URL.
func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = "443"
		if u.Scheme == "http" {
			port = "80"
		}
	}
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}
