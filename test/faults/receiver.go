package faults

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/signature"
)

// Arrival is one request that a receiver got.
type Arrival struct {
	Path, ID string
	Body     string
	At       time.Time
	header   http.Header
}

// Signed says whether a secret is among those that signed it, whatever the
// sender's clock says.
func (a Arrival) Signed(secret string) bool {
	seconds, err := strconv.ParseInt(a.header.Get(signature.HeaderTimestamp), 10, 64)
	return err == nil && signature.Verify(secret, a.header, []byte(a.Body), time.Unix(seconds, 0)) == nil
}

// Inbox is a receiver behind TLS that keeps what it is sent.
type Inbox struct {
	*httptest.Server
	// Answer is the status of the answer to the n-th request, from 0, to a path.
	// nil: always 204.
	Answer func(path string, n int) int

	mu      sync.Mutex
	all     []Arrival
	byID    map[string]int
	byPath  map[string]int
	strange []string
	bodies  map[string]string
}

// Receivers are the addresses and the certificate of all receivers of a test.
type Receivers struct {
	ca      string // a file
	keys    tls.Certificate
	origins []string
}

// NewReceivers makes the certificate.
func NewReceivers(t testing.TB) *Receivers {
	t.Helper()
	keys, err := certificate()
	if err != nil {
		t.Fatal(err)
	}
	r := &Receivers{ca: filepath.Join(t.TempDir(), "ca.pem"), keys: keys}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: keys.Certificate[0]})
	if err := os.WriteFile(r.ca, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return r
}

// Openings are the settings that let deliveries reach the receivers.
func (r *Receivers) Openings() []string {
	return []string{"FRONTDESK_WEBHOOK_ALLOW=" + strings.Join(r.origins, ","), "FRONTDESK_WEBHOOK_CA=" + r.ca}
}

// certificate is one for the first addresses of the loopback network.
func certificate() (tls.Certificate, error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(30 * 24 * time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	for last := byte(1); last < 10; last++ {
		template.IPAddresses = append(template.IPAddresses, net.IPv4(127, 0, 0, last))
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: private}, err
}

// serve starts a receiver at an address of its own: another address is another
// host.
func (r *Receivers) serve(t testing.TB, host string, handler http.Handler) *httptest.Server {
	t.Helper()
	l, err := net.Listen("tcp", host+":0")
	if err != nil {
		t.Skipf("this system's loopback network has no %s: %v", host, err)
	}
	s := httptest.NewUnstartedServer(handler)
	s.Listener.Close()
	s.Listener, s.TLS = l, &tls.Config{Certificates: []tls.Certificate{r.keys}}
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // senders are killed in the middle of a handshake
	s.StartTLS()
	r.origins = append(r.origins, s.URL)
	return s
}

// NewInbox starts a receiver that is well.
func (r *Receivers) NewInbox(t testing.TB) *Inbox {
	t.Helper()
	in := &Inbox{byID: map[string]int{}, byPath: map[string]int{}, bodies: map[string]string{}}
	in.Server = r.serve(t, "127.0.0.1", in)
	t.Cleanup(in.Close)
	return in
}

// ServeHTTP takes a delivery.
func (in *Inbox) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(q.Body)
	if err != nil {
		return // its sender was killed
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	a := Arrival{q.URL.Path, q.Header.Get(signature.HeaderID), string(body), time.Now(), q.Header.Clone()}
	if before, known := in.bodies[a.Path+a.ID]; known && before != a.Body || !strings.HasPrefix(a.Body, `{"id":"`+a.ID+`"`) {
		in.strange = append(in.strange, a.ID)
	}
	in.bodies[a.Path+a.ID] = a.Body
	status := http.StatusNoContent
	if in.Answer != nil {
		status = in.Answer(a.Path, in.byPath[a.Path])
	}
	in.all = append(in.all, a)
	in.byID[a.ID]++
	in.byPath[a.Path]++
	w.WriteHeader(status)
}

// events is how many different events have come.
func (in *Inbox) events() int {
	in.mu.Lock()
	defer in.mu.Unlock()
	return len(in.byID)
}

// Requests is how many requests have come.
func (in *Inbox) Requests() int {
	in.mu.Lock()
	defer in.mu.Unlock()
	return len(in.all)
}

// arrivals are all that have come.
func (in *Inbox) arrivals() []Arrival {
	in.mu.Lock()
	defer in.mu.Unlock()
	return append([]Arrival(nil), in.all...)
}

// times says how often an event has come.
func (in *Inbox) times(id string) int {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.byID[id]
}

// check finds deliveries that are not what they should be: signed by the secret
// of their connection, and the same as before when they come again.
func (in *Inbox) check(t testing.TB, secret string) {
	t.Helper()
	for _, a := range in.arrivals() {
		if !a.Signed(secret) {
			t.Errorf("%s: the signature does not hold", a.ID)
		}
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, id := range in.strange {
		t.Errorf("%s came with the body of another event, or with another body than before", id)
	}
}

// Hanging is a receiver that takes every request and answers none.
type Hanging struct {
	*httptest.Server
	Taken   atomic.Int32 // requests that hang or hung
	GivenUp atomic.Int32 // of those, whose sender has gone
	over    chan struct{}
}

// NewHanging starts one, on a host of its own.
func (r *Receivers) NewHanging(t testing.TB) *Hanging {
	t.Helper()
	h := &Hanging{over: make(chan struct{})}
	h.Server = r.serve(t, "127.0.0.2", h)
	t.Cleanup(func() {
		close(h.over)
		h.CloseClientConnections()
		h.Close()
	})
	return h
}

// ServeHTTP keeps its sender waiting.
func (h *Hanging) ServeHTTP(_ http.ResponseWriter, q *http.Request) {
	io.Copy(io.Discard, q.Body)
	h.Taken.Add(1)
	select {
	case <-h.over:
	case <-q.Context().Done():
		h.GivenUp.Add(1)
	}
	panic(http.ErrAbortHandler) // without an answer
}
