package certificate_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/certificate"
	"frontdesk.dev/frontdesk/internal/certificate/certificatetest"
	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

const domain = "desk.example.com"

// desk is a node that keeps certificates.
type desk struct {
	*certificate.Keeper
	log *bytes.Buffer
	now time.Time
}

func key(n byte) frontdesk.Secret {
	return frontdesk.Secret(base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{n}, 32)))
}

func newDesk(t *testing.T, a *certificatetest.Authority, s *store.Store, box *seal.Box) *desk {
	t.Helper()
	guard, err := egress.New(egress.Options{Allow: []string{strings.TrimSuffix(a.Directory, "/dir")}, CAFile: a.Roots})
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{log: &bytes.Buffer{}, now: time.Now()}
	d.Keeper = certificate.New(certificate.Options{
		Store: s, Box: box, Domains: []string{domain}, Directory: a.Directory, Email: "ana@example.com", Client: guard.Client(10*time.Second, 2),
		PublicURL: "https://" + domain, Now: func() time.Time { return d.now }, Log: slog.New(slog.NewTextHandler(d.log, nil)),
	})
	return d
}

func newBox(t *testing.T, master frontdesk.Secret, older ...frontdesk.Secret) *seal.Box {
	t.Helper()
	box, err := seal.New(master, older...)
	if err != nil {
		t.Fatal(err)
	}
	return box
}

// serveTLS and servePlain answer where the authority looks.
func (d *desk) serveTLS(t *testing.T, at string) string {
	t.Helper()
	return serve(t, at, d.TLS(), certificate.Strict(http.NotFoundHandler()))
}

func (d *desk) servePlain(t *testing.T, at string) { serve(t, at, nil, d.Plain()) }

func serve(t *testing.T, at string, c *tls.Config, h http.Handler) string {
	t.Helper()
	l, err := net.Listen("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	at = l.Addr().String()
	if c != nil {
		l = tls.NewListener(l, c)
	}
	server := &http.Server{Handler: h, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	return at
}

// shown is the serial number of the certificate that a node shows, "" for none.
func shown(t *testing.T, a *certificatetest.Authority, at, name string) string {
	t.Helper()
	c, err := tls.Dial("tcp", at, &tls.Config{ServerName: name, RootCAs: a.Issuer()})
	if err != nil {
		return ""
	}
	defer c.Close()
	return fmt.Sprint(c.ConnectionState().PeerCertificates[0].SerialNumber)
}

// Each way to show that the name is ours is enough, whatever node the authority
// asks: here one orders and another answers.
func TestAnyNodeAnswersTheAuthority(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(*desk, *certificatetest.Authority){
		"by TLS":   func(d *desk, a *certificatetest.Authority) { d.serveTLS(t, a.TLS) },
		"by HTTP":  func(d *desk, a *certificatetest.Authority) { d.servePlain(t, a.HTTP) },
		"by both":  func(d *desk, a *certificatetest.Authority) { d.serveTLS(t, a.TLS); d.servePlain(t, a.HTTP) },
		"not that": nil,
	} {
		t.Run(name, func(t *testing.T) {
			a, s, box := certificatetest.New(t), storetest.New(t), newBox(t, key(1))
			orders, answers := newDesk(t, a, s, box), newDesk(t, a, s, box)
			if answer != nil {
				answer(answers, a)
			}
			orders.RunOnce(t.Context())
			at := orders.serveTLS(t, "127.0.0.1:0")
			got := shown(t, a, at, domain)
			if (got != "") != (answer != nil) {
				t.Fatalf("it shows %q; the node says %s; the authority says %s", got, orders.log, a.Log())
			}
			if answer == nil {
				if !strings.Contains(orders.log.String(), "Open the ports 443 and 80") {
					t.Errorf("the log does not say what to do: %s", orders.log)
				}
				return
			}
			if elsewhere := shown(t, a, answers.serveTLS(t, "127.0.0.1:0"), domain); elsewhere != got {
				t.Errorf("the other node shows %q, not %q", elsewhere, got)
			}
			for _, unknown := range []string{"other.example.com", "example.com", "www." + domain} {
				if got := shown(t, a, at, unknown); got != "" {
					t.Errorf("under %s it shows %s", unknown, got)
				}
			}
			if tokens, err := s.ChallengesForWorker(t.Context(), domain, time.Now()); err != nil || len(tokens) > 0 {
				t.Errorf("challenges stay: %q, %v", tokens, err)
			}
			if n := a.Issued(); n != 1 {
				t.Errorf("%d certificates were issued", n)
			}
		})
	}
}

func TestCertificatesAreRenewedInTime(t *testing.T) {
	t.Parallel()
	a, s, box := certificatetest.New(t), storetest.New(t), newBox(t, key(1))
	d := newDesk(t, a, s, box)
	at := d.serveTLS(t, a.TLS)
	d.RunOnce(t.Context())
	first := shown(t, a, at, domain)
	rows, err := s.CertificatesForWorker(t.Context())
	if err != nil || first == "" || len(rows) != 1 {
		t.Fatalf("%q is shown, %d are kept, %v: %s", first, len(rows), err, d.log)
	}
	restarted := newDesk(t, a, s, box)
	restarted.RunOnce(t.Context())
	renewal := rows[0].ExpiresAt.Add(-min(rows[0].ExpiresAt.Sub(rows[0].IssuedAt)/3, 30*24*time.Hour))
	d.now = renewal.Add(-time.Second)
	d.RunOnce(t.Context())
	if got := shown(t, a, at, domain); got != first || a.Issued() != 1 {
		t.Errorf("%d were issued, and %s is shown: not one of them was due", a.Issued(), got)
	}
	a.Stop()
	d.now = renewal
	d.RunOnce(t.Context())
	if rows, _ := s.CertificatesForWorker(t.Context()); rows[0].Attempts != 1 || rows[0].Failure == "" || !rows[0].RetryAt.Equal(d.now.Add(10*time.Second).Truncate(time.Microsecond)) {
		t.Errorf("after a failure it says %+v", rows[0])
	}
	if !strings.Contains(d.log.String(), "authority cannot be reached") || !strings.Contains(d.log.String(), "the one that expires at") {
		t.Errorf("the log says %s", d.log)
	}
	a.Start()
	d.RunOnce(t.Context())
	if n := a.Issued(); n != 1 {
		t.Errorf("%d were issued: it did not wait", n)
	}
	d.now = d.now.Add(10 * time.Second)
	d.RunOnce(t.Context())
	second := shown(t, a, at, domain)
	if rows, _ := s.CertificatesForWorker(t.Context()); second == "" || second == first || rows[0].Attempts != 0 || rows[0].Failure != "" {
		t.Errorf("%q is shown after %q, and it says %+v: %s", second, first, rows[0], d.log)
	}
	restarted.RunOnce(t.Context())
	if got := shown(t, a, restarted.serveTLS(t, "127.0.0.1:0"), domain); got != second {
		t.Errorf("another node shows %q, not %q", got, second)
	}
}

// Of nodes that start at once, one orders.
func TestOneNodeOrders(t *testing.T) {
	t.Parallel()
	a, url, box := certificatetest.New(t), storetest.URL(t), newBox(t, key(1))
	var nodes []*desk
	for range 4 {
		nodes = append(nodes, newDesk(t, a, storetest.Open(t, url), box))
	}
	nodes[0].serveTLS(t, a.TLS)
	var all sync.WaitGroup
	for _, d := range nodes {
		all.Go(func() { d.RunOnce(t.Context()) })
	}
	all.Wait()
	if n := a.Issued(); n != 1 {
		t.Errorf("%d certificates were issued: %s", n, nodes[0].log)
	}
	for _, d := range nodes {
		if shown(t, a, d.serveTLS(t, "127.0.0.1:0"), domain) == "" {
			t.Errorf("a node has none: %s", d.log)
		}
	}
}

// A node that stops in the middle of an order leaves it to the others, at once.
func TestAnOrderIsGivenBackAtStop(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	asked := make(chan struct{})
	hangs := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
	}))
	t.Cleanup(hangs.Close)
	s := storetest.New(t)
	k := certificate.New(certificate.Options{
		Store: s, Box: newBox(t, key(1)), Domains: []string{domain}, Directory: hangs.URL, Client: hangs.Client(),
		Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	ended := make(chan struct{})
	go func() {
		k.Run(ctx)
		close(ended)
	}()
	<-asked
	if _, mine, err := s.ClaimCertificateForWorker(t.Context(), domain, time.Now(), time.Now().Add(time.Minute)); mine || err != nil {
		t.Errorf("while one orders, another may: %v, %v", mine, err)
	}
	stop()
	<-ended
	c, mine, err := s.ClaimCertificateForWorker(t.Context(), domain, time.Now(), time.Now().Add(time.Minute))
	if !mine || err != nil || c.Attempts != 0 {
		t.Errorf("after the stop nobody may order: %v, %v, %+v", mine, err, c)
	}
}

// What is in the database opens with the master key alone, and rekey moves it to
// another one.
func TestPrivateKeysAreSealed(t *testing.T) {
	t.Parallel()
	a, s := certificatetest.New(t), storetest.New(t)
	d := newDesk(t, a, s, newBox(t, key(1)))
	at := d.serveTLS(t, a.TLS)
	d.RunOnce(t.Context())
	first := shown(t, a, at, domain)
	rows, err := s.CertificatesForWorker(t.Context())
	if err != nil || first == "" || bytes.Contains(rows[0].Sealed, []byte("PRIVATE")) {
		t.Fatalf("%q is shown, %v: %s", first, err, d.log)
	}
	stranger := newDesk(t, a, s, newBox(t, key(2)))
	stranger.RunOnce(t.Context())
	if got := shown(t, a, stranger.serveTLS(t, "127.0.0.1:0"), domain); got != "" || !strings.Contains(stranger.log.String(), "FRONTDESK_MASTER_KEY_OLD") {
		t.Errorf("with another key %q is shown: %s", got, stranger.log)
	}
	if n, err := certificate.Rekey(t.Context(), s, newBox(t, key(2), key(1)), nil); n != 2 || err != nil {
		t.Errorf("%d keys were sealed anew, %v", n, err)
	}
	moved := newDesk(t, a, s, newBox(t, key(2)))
	if got := shown(t, a, moved.serveTLS(t, "127.0.0.1:0"), domain); got != first {
		t.Errorf("after it %q is shown, not %q: %s", got, first, moved.log)
	}
	if _, err := certificate.Rekey(t.Context(), s, newBox(t, key(3)), nil); err == nil {
		t.Error("what no key opens was sealed anew")
	}
	var lost []string
	n, err := certificate.Rekey(t.Context(), s, newBox(t, key(3)), func(err error) { lost = append(lost, err.Error()) })
	if rows, readErr := s.CertificatesForWorker(t.Context()); n != 0 || err != nil || len(lost) != 2 || readErr != nil || len(rows) != 0 {
		t.Errorf("%d keys, %v, lost %v, left %v, %v", n, err, lost, rows, readErr)
	}
}

func TestPlainHTTP(t *testing.T) {
	t.Parallel()
	k := certificate.New(certificate.Options{
		Store: storetest.New(t), Box: newBox(t, key(1)), Domains: []string{domain}, PublicURL: "https://" + domain + ":8443",
		Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	at := serve(t, "127.0.0.1:0", nil, k.Plain())
	client := &http.Client{Transport: &http.Transport{}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for name, tt := range map[string]struct {
		method, host, path string
		status             int
		location           string
	}{
		"it redirects":                    {"GET", domain, "/a/b?c=d%20e", http.StatusMovedPermanently, "https://" + domain + ":8443/a/b?c=d%20e"},
		"whatever the port":               {"HEAD", "Desk.Example.com:80", "/", http.StatusMovedPermanently, "https://" + domain + ":8443/"},
		"not to who is named in the path": {"GET", domain, "//other.example.com/", http.StatusMovedPermanently, "https://" + domain + ":8443//other.example.com/"},
		"not for other names":             {"GET", "other.example.com", "/", http.StatusMisdirectedRequest, ""},
		"not for addresses":               {"GET", "127.0.0.1", "/", http.StatusMisdirectedRequest, ""},
		"nothing is taken":                {"POST", domain, "/v1/calls", http.StatusForbidden, ""},
		"no token of its own":             {"GET", domain, "/.well-known/acme-challenge/abc", http.StatusNotFound, ""},
		"no token of others":              {"GET", "other.example.com", "/.well-known/acme-challenge/abc", http.StatusMisdirectedRequest, ""},
	} {
		req, err := http.NewRequest(tt.method, "http://"+at+tt.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = tt.host
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != tt.status || res.Header.Get("Location") != tt.location {
			t.Errorf("%s: %d %s", name, res.StatusCode, res.Header.Get("Location"))
		}
	}
	odd := httptest.NewRequest(http.MethodGet, "/", nil)
	odd.Host, odd.URL = domain, &url.URL{Scheme: "x", Opaque: ".evil.example/"} // as "GET x:.evil.example/" is read
	w := httptest.NewRecorder()
	if k.Plain().ServeHTTP(w, odd); w.Header().Get("Location") != "https://"+domain+":8443/" {
		t.Errorf("it redirects to %s", w.Header().Get("Location"))
	}
}
