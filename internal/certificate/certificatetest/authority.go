// Package certificatetest runs Pebble, a certificate authority for tests, and the DNS
// server that comes with it and says that every name is on this machine.
package certificatetest

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/test/freeport"
)

// Authority is a certificate authority.
type Authority struct {
	Directory string // of the authority
	Roots     string // PEM file: what it is itself trusted by
	TLS, HTTP string // 127.0.0.1:port, where it looks for the servers of all names

	t          testing.TB
	program    string
	dns        string
	dir        string
	management string
	client     *http.Client
	process    *exec.Cmd
	log        *notes
}

// New returns an authority that runs until the test ends.
func New(t testing.TB) *Authority {
	t.Helper()
	found, err := exec.Command("../../scripts/find-pebble").Output() // tests run in the directory of their package
	if err != nil {
		t.Skip("NOT COVERED: there is no Pebble here (scripts/find-pebble --install)")
	}
	programs := strings.Fields(string(found))
	a := &Authority{t: t, program: programs[0], dir: t.TempDir(), TLS: freeport.Address(t), HTTP: freeport.Address(t), dns: freeport.Address(t), management: freeport.Address(t), log: &notes{}}
	address := freeport.Address(t)
	a.Directory = "https://" + address + "/dir"
	a.configure(address)
	a.run(exec.Command(programs[1], "-dns01", a.dns, "-http01", "", "-https01", "", "-tlsalpn01", "", "-defaultIPv6", "", "-management", freeport.Address(t)))
	a.Start()
	return a
}

// configure writes the files of Pebble. It shows the certificate of net/http's own
// test server, which is for 127.0.0.1.
func (a *Authority) configure(address string) {
	a.t.Helper()
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	key, err := x509.MarshalPKCS8PrivateKey(s.TLS.Certificates[0].PrivateKey)
	if err != nil {
		a.t.Fatal(err)
	}
	a.Roots = a.write("cert.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}))
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	a.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, DisableKeepAlives: true}}
	_, tlsPort, _ := net.SplitHostPort(a.TLS)
	_, httpPort, _ := net.SplitHostPort(a.HTTP)
	settings, err := json.Marshal(map[string]any{"pebble": map[string]any{
		"listenAddress": address, "managementListenAddress": a.management,
		"certificate": a.Roots, "privateKey": a.write("key.pem", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})),
		"httpPort": json.Number(httpPort), "tlsPort": json.Number(tlsPort),
	}})
	if err != nil {
		a.t.Fatal(err)
	}
	a.write("pebble.json", settings)
}

func (a *Authority) write(name string, text []byte) string {
	a.t.Helper()
	file := filepath.Join(a.dir, name)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		a.t.Fatal(err)
	}
	return file
}

func (a *Authority) run(c *exec.Cmd) {
	a.t.Helper()
	c.Stdout, c.Stderr = a.log, a.log
	if err := c.Start(); err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
	})
}

// Start lets it answer, again if it was stopped. It has forgotten all accounts and
// orders, and signs with another key.
func (a *Authority) Start() {
	a.t.Helper()
	a.process = exec.Command(a.program, "-config", filepath.Join(a.dir, "pebble.json"), "-dnsserver", a.dns)
	a.process.Env = append(os.Environ(), "PEBBLE_VA_NOSLEEP=1", "PEBBLE_AUTHZREUSE=0")
	a.run(a.process)
	deadline := time.Now().Add(30 * time.Second)
	for {
		if res, err := a.client.Get(a.Directory); err == nil {
			res.Body.Close()
			return
		}
		if time.Now().After(deadline) {
			a.t.Fatalf("Pebble does not answer: %s", a.log)
		}
		<-time.After(10 * time.Millisecond)
	}
}

// Stop ends it.
func (a *Authority) Stop() {
	a.process.Process.Kill()
	a.process.Wait()
}

// Issued is how many certificates it has issued, before it was stopped too.
func (a *Authority) Issued() int { return strings.Count(a.log.String(), "Issued certificate serial") }

// Log is what it has written.
func (a *Authority) Log() string { return a.log.String() }

// Issuer is what trusts the certificates that it issues.
func (a *Authority) Issuer() *x509.CertPool {
	a.t.Helper()
	res, err := a.client.Get("https://" + a.management + "/roots/0")
	if err != nil {
		a.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	pool := x509.NewCertPool()
	if err != nil || !pool.AppendCertsFromPEM(text) {
		a.t.Fatalf("Pebble has no root: %s, %v", text, err)
	}
	return pool
}

// Client trusts the certificates of the authority, and finds every name at an address.
func (a *Authority) Client(at string) *http.Client {
	return &http.Client{
		Timeout: 30 * time.Second,
		Transport: &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: a.Issuer()}, DisableKeepAlives: true,
			DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, network, at)
			},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

type notes struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (n *notes) Write(b []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.b.Write(b)
}

func (n *notes) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.b.String()
}
