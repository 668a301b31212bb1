package webhook_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"maps"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/webhook"
	"frontdesk.dev/frontdesk/signature"
)

// received is one request as a receiver had it.
type received struct {
	header http.Header
	body   []byte
	proto  int
	method string
	target string
}

// receiver keeps what it is sent and answers 204.
type receiver struct {
	*httptest.Server
	mu    sync.Mutex
	all   []received
	conns atomic.Int32
}

func newReceiver(t testing.TB, http2 bool) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return
		}
		r.mu.Lock()
		r.all = append(r.all, received{req.Header, body, req.ProtoMajor, req.Method, req.URL.String()})
		r.mu.Unlock()
		w.WriteHeader(http.StatusNoContent)
	}))
	r.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			r.conns.Add(1)
		}
	}
	r.EnableHTTP2 = http2
	r.StartTLS()
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) got() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.all)
}

func TestADeliveryIsSignedAndNothingElse(t *testing.T) {
	t.Parallel()
	for _, http2 := range []bool{false, true} {
		t.Run(fmt.Sprintf("HTTP/2 is %v", http2), func(t *testing.T) {
			t.Parallel()
			r := newReceiver(t, http2)
			l := newLine(t, opened(t, r.URL), r.URL+"/hook?x=y%20z")
			if a := l.send(t); !a.OK() || a.HTTPStatus != http.StatusNoContent || a.Message != "" || a.RetryAfter != 0 {
				t.Fatalf("got %+v", a)
			}
			got := r.got()
			if len(got) != 1 {
				t.Fatalf("%d requests", len(got))
			}
			one := got[0]
			if one.method != "POST" || one.target != "/hook?x=y%20z" || !bytes.Equal(one.body, eventBody) || (one.proto == 2) != http2 {
				t.Errorf("got %s %s HTTP/%d %s", one.method, one.target, one.proto, one.body)
			}
			if err := signature.Verify(l.secret.Reveal(), one.header, one.body, day); err != nil {
				t.Error(err)
			}
			want := map[string]string{
				"Content-Type": "application/json", "User-Agent": "frontdesk/1", "Content-Length": fmt.Sprint(len(eventBody)),
				"Webhook-Id": string(eventID), "Webhook-Timestamp": fmt.Sprint(day.Unix()),
				"Webhook-Signature": one.header.Get("Webhook-Signature"),
			}
			for name, values := range one.header {
				if len(values) != 1 || values[0] != want[name] {
					t.Errorf("the header %s: %q", name, values)
				}
			}
			if len(one.header) != len(want) {
				t.Errorf("there are %v", slices.Sorted(maps.Keys(one.header)))
			}
		})
	}
}

func TestBothSecretsSignDuringTheGrace(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, false)
	l := newLine(t, opened(t, r.URL), r.URL)
	old := l.secret
	var next frontdesk.SealedSecret
	secret := l.newSecret(&next)
	l.connection = l.connection.Rotate(next, time.Hour, day)
	verifies := func(wantOld, wantNew bool) {
		t.Helper()
		if a := l.send(t); !a.OK() {
			t.Fatalf("got %+v", a)
		}
		got := r.got()
		last := got[len(got)-1]
		withOld := signature.Verify(old.Reveal(), last.header, last.body, l.clock.Now())
		withNew := signature.Verify(secret.Reveal(), last.header, last.body, l.clock.Now())
		if (withOld == nil) != wantOld || (withNew == nil) != wantNew {
			t.Errorf("with the old one: %v, with the new one: %v", withOld, withNew)
		}
		if n := len(strings.Fields(last.header.Get("Webhook-Signature"))); (n == 2) != (wantOld && wantNew) {
			t.Errorf("%d signatures", n)
		}
	}
	verifies(true, true)
	first, err := signature.Sign(secret.Reveal(), string(eventID), day, eventBody)
	if sent := r.got()[0].header.Get("Webhook-Signature"); err != nil || !strings.HasPrefix(sent, first+" ") {
		t.Errorf("the newest does not come first: %s", sent)
	}
	l.clock.Forward(time.Hour)
	verifies(false, true)
}

func TestASecretThatCannotBeOpenedSendsNothing(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, false)
	l := newLine(t, opened(t, r.URL), r.URL)
	l.connection.Secret.Sealed = []byte("moved here from elsewhere")
	if a := l.send(t); a.OK() || a.HTTPStatus != 0 || len(r.got()) != 0 {
		t.Errorf("got %+v, and %d requests", a, len(r.got()))
	}
}

func TestConnectionsAreUsedAgain(t *testing.T) {
	t.Parallel()
	for _, http2 := range []bool{false, true} {
		r := newReceiver(t, http2)
		l := newLine(t, opened(t, r.URL), r.URL)
		for range 30 {
			if a := l.send(t); !a.OK() {
				t.Fatalf("got %+v", a)
			}
		}
		if n := r.conns.Load(); n != 1 || len(r.got()) != 30 {
			t.Errorf("HTTP/2 %v: %d requests over %d connections", http2, len(r.got()), n)
		}
	}
}

// whisper is what a hostile receiver says; nothing of it may be kept.
const whisper = "SEE-ME-NOWHERE"

// hijack takes over the connection of a request.
func hijack(w http.ResponseWriter) (*tls.Conn, error) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return nil, err
	}
	return c.(*tls.Conn), nil
}

func gzipBomb(t *testing.T) []byte {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	zeros := make([]byte, 1<<20)
	for range 16 {
		if _, err := z.Write(zeros); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

func TestWhatReceiversAnswer(t *testing.T) {
	t.Parallel()
	bomb := gzipBomb(t)
	answer := func(status int, headers ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(headers); i += 2 {
				w.Header().Set(headers[i], headers[i+1])
			}
			w.WriteHeader(status)
			if status != http.StatusNoContent && status != http.StatusNotModified {
				io.WriteString(w, whisper)
			}
		}
	}
	raw := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if c, err := hijack(w); err == nil {
				io.WriteString(c, text)
				c.Close()
			}
		}
	}
	const metadata = "http://169.254.169.254/latest/meta-data/"
	tests := map[string]struct {
		handler http.HandlerFunc
		status  int
		code    string
		wait    time.Duration
		hangs   bool // the time of the exchange is made short
	}{
		"200":                         {answer(200), 200, "", 0, false},
		"201":                         {answer(201), 201, "", 0, false},
		"204":                         {answer(204), 204, "", 0, false},
		"299":                         {answer(299), 299, "", 0, false},
		"200 with a Retry-After":      {answer(200, "Retry-After", "60"), 200, "", 0, false},
		"300":                         {answer(300), 300, frontdesk.RedirectRefused, 0, false},
		"301 to a metadata address":   {answer(301, "Location", metadata), 301, frontdesk.RedirectRefused, 0, false},
		"302 to a metadata address":   {answer(302, "Location", metadata), 302, frontdesk.RedirectRefused, 0, false},
		"303 to a metadata address":   {answer(303, "Location", metadata), 303, frontdesk.RedirectRefused, 0, false},
		"304":                         {answer(304), 304, frontdesk.RedirectRefused, 0, false},
		"307 to a metadata address":   {answer(307, "Location", metadata), 307, frontdesk.RedirectRefused, 0, false},
		"308 to a metadata address":   {answer(308, "Location", metadata), 308, frontdesk.RedirectRefused, 0, false},
		"302 to no address":           {answer(302, "Location", "::::"), 302, frontdesk.RedirectRefused, 0, false},
		"302 to nowhere":              {answer(302), 302, frontdesk.RedirectRefused, 0, false},
		"400":                         {answer(400), 400, frontdesk.HTTP4xx, 0, false},
		"401":                         {answer(401, "WWW-Authenticate", "Basic"), 401, frontdesk.HTTP4xx, 0, false},
		"404":                         {answer(404), 404, frontdesk.HTTP4xx, 0, false},
		"407":                         {answer(407), 407, frontdesk.HTTP4xx, 0, false},
		"410":                         {answer(410), 410, frontdesk.Gone, 0, false},
		"429 with seconds":            {answer(429, "Retry-After", "3600"), 429, frontdesk.HTTP4xx, time.Hour, false},
		"429 with a date":             {answer(429, "Retry-After", day.Add(2*time.Hour).Format(http.TimeFormat)), 429, frontdesk.HTTP4xx, 2 * time.Hour, false},
		"429 with a date long past":   {answer(429, "Retry-After", day.AddDate(-1, 0, 0).Format(http.TimeFormat)), 429, frontdesk.HTTP4xx, 0, false},
		"429 with nonsense":           {answer(429, "Retry-After", "soon"), 429, frontdesk.HTTP4xx, 0, false},
		"429 with less than nothing":  {answer(429, "Retry-After", "-5"), 429, frontdesk.HTTP4xx, 0, false},
		"429 with nothing":            {answer(429), 429, frontdesk.HTTP4xx, 0, false},
		"404 with a Retry-After":      {answer(404, "Retry-After", "60"), 404, frontdesk.HTTP4xx, 0, false},
		"500":                         {answer(500), 500, frontdesk.HTTP5xx, 0, false},
		"500 with a Retry-After":      {answer(500, "Retry-After", "60"), 500, frontdesk.HTTP5xx, 0, false},
		"503 with seconds":            {answer(503, "Retry-After", "120"), 503, frontdesk.HTTP5xx, 2 * time.Minute, false},
		"503 with a date":             {answer(503, "Retry-After", day.Add(time.Minute).Format(http.TimeFormat)), 503, frontdesk.HTTP5xx, time.Minute, false},
		"503 with ages":               {answer(503, "Retry-After", "99999999"), 503, frontdesk.HTTP5xx, 7 * 24 * time.Hour, false},
		"503 with more than a number": {answer(503, "Retry-After", "99999999999999999999999"), 503, frontdesk.HTTP5xx, 7 * 24 * time.Hour, false},
		"599":                         {answer(599), 599, frontdesk.HTTP5xx, 0, false},
		"999":                         {answer(999), 999, frontdesk.HTTP5xx, 0, false},
		"an answer that hangs before its headers": {func(_ http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body) // then the server sees the sender go
			<-r.Context().Done()
		}, 0, frontdesk.TimedOut, 0, true},
		"an answer that hangs in its body": {func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			io.WriteString(w, whisper)
			http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}, 0, frontdesk.TimedOut, 0, true},
		"an answer that drips": {func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			drip := time.NewTicker(5 * time.Millisecond)
			defer drip.Stop()
			for r.Context().Err() == nil {
				io.WriteString(w, "x")
				http.NewResponseController(w).Flush()
				<-drip.C
			}
		}, 0, frontdesk.TimedOut, 0, true},
		"headers that drip": {func(w http.ResponseWriter, _ *http.Request) {
			c, err := hijack(w)
			if err != nil {
				return
			}
			defer c.Close()
			drip := time.NewTicker(5 * time.Millisecond)
			defer drip.Stop()
			for _, err = io.WriteString(c, "HTTP/1.1 200 OK\r\nX: "); err == nil; _, err = io.WriteString(c, "x") {
				<-drip.C
			}
		}, 0, frontdesk.TimedOut, 0, true},
		"a gzip bomb": {func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Accept-Encoding") != "" {
				w.WriteHeader(http.StatusTeapot)
			}
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(bomb)
		}, 200, "", 0, false},
		"headers of a megabyte": {func(w http.ResponseWriter, _ *http.Request) {
			for i := range 256 {
				w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("x", 4096))
			}
			w.WriteHeader(http.StatusOK)
		}, 0, frontdesk.ConnectFailed, 0, false},
		"informational answers without end": {func(w http.ResponseWriter, _ *http.Request) {
			c, err := hijack(w)
			for err == nil {
				_, err = io.WriteString(c, "HTTP/1.1 103 Early Hints\r\nLink: </"+whisper+">\r\n\r\n")
			}
			if c != nil {
				c.Close()
			}
		}, 0, frontdesk.ConnectFailed, 0, false},
		"a few informational answers": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(http.StatusOK)
		}, 200, "", 0, false},
		"another protocol":      {raw("SSH-2.0-OpenSSH_9.9\r\n"), 0, frontdesk.ConnectFailed, 0, false},
		"switching protocols":   {raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"), 101, frontdesk.HTTP5xx, 0, false},
		"nothing but the end":   {raw(""), 0, frontdesk.ConnectFailed, 0, false},
		"an answer that is cut": {raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + whisper), 0, frontdesk.ConnectFailed, 0, false},
		"a chunk that is cut":   {raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n" + whisper), 0, frontdesk.ConnectFailed, 0, false},
		"a chunk of any size":   {raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n" + whisper), 0, frontdesk.ConnectFailed, 0, false},
		"a reset in the middle": {func(w http.ResponseWriter, _ *http.Request) {
			if c, err := hijack(w); err == nil {
				io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"+whisper)
				c.NetConn().(*net.TCPConn).SetLinger(0)
				c.NetConn().Close()
			}
		}, 0, frontdesk.ConnectFailed, 0, false},
		"a panic in the middle": {func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, whisper)
			http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}, 0, frontdesk.ConnectFailed, 0, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int32
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				requests.Add(1)
				tt.handler(w, r)
			}))
			s.Config.ErrorLog = log.New(io.Discard, "", 0)
			s.StartTLS()
			t.Cleanup(s.Close)
			l := newLine(t, opened(t, s.URL), s.URL)
			if tt.hangs {
				l.sender.SetTimeout(300 * time.Millisecond)
			}
			a := l.send(t)
			if a.HTTPStatus != tt.status || a.ErrorCode != tt.code || a.RetryAfter != tt.wait {
				t.Errorf("got %+v", a)
			}
			if a.OK() == (a.Message != "") || strings.Contains(a.Message, whisper) || strings.Contains(a.Message, "127.0.0.1") || strings.Contains(a.Message, "169.254") {
				t.Errorf("it says %q", a.Message)
			}
			if n := requests.Load(); n != 1 {
				t.Errorf("it came %d times", n)
			}
		})
	}
}

// Of an answer of 200 MiB little is read, however it comes.
func TestALongAnswerIsNotReadToItsEnd(t *testing.T) {
	t.Parallel()
	for name, http2 := range map[string]bool{"over HTTP/1.1": false, "over HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var written atomic.Int64
			done := make(chan struct{})
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				defer close(done)
				block := make([]byte, 64<<10)
				for range 200 << 20 / len(block) {
					n, err := w.Write(block)
					written.Add(int64(n))
					if err != nil {
						return
					}
				}
			}))
			s.EnableHTTP2 = http2
			s.StartTLS()
			t.Cleanup(s.Close)
			l := newLine(t, opened(t, s.URL), s.URL)
			if a := l.send(t); !a.OK() || a.HTTPStatus != 200 {
				t.Errorf("got %+v", a)
			}
			select {
			case <-done:
			case <-time.After(patience):
				t.Fatal("the receiver still writes")
			}
			if n := written.Load(); n > 32<<20 {
				t.Errorf("%d MiB were taken", n>>20)
			}
		})
	}
}

// raw is a listener that does something to every connection.
func raw(t *testing.T, do func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				do(c)
			}()
		}
	}()
	return l.Addr().String()
}

func TestReceiversThatCannotBeTalkedTo(t *testing.T) {
	t.Parallel()
	secure := func(change func(*tls.Config)) string {
		s := httptest.NewUnstartedServer(http.NotFoundHandler())
		s.Config.ErrorLog = log.New(io.Discard, "", 0)
		s.TLS = &tls.Config{}
		change(s.TLS)
		s.StartTLS()
		t.Cleanup(s.Close)
		return s.URL
	}
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	closed := raw(t, func(net.Conn) {})
	if l, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
		closed = l.Addr().String()
		l.Close()
	}
	good := newReceiver(t, false)
	port := good.URL[strings.LastIndexByte(good.URL, ':'):]
	firstBytes := func(c net.Conn) { io.ReadFull(c, make([]byte, 16)) }
	tests := map[string]struct {
		url   string
		open  bool
		noCA  bool
		code  string
		hangs bool
	}{
		"an unknown authority":                 {good.URL, true, true, frontdesk.TLSFailed, false},
		"a certificate of another name":        {"https://localhost" + port, true, false, frontdesk.TLSFailed, false},
		"plain HTTP where TLS should be":       {"https" + strings.TrimPrefix(plain.URL, "http"), true, false, frontdesk.TLSFailed, false},
		"a handshake that is cut":              {"https://" + raw(t, firstBytes), true, false, frontdesk.TLSFailed, false},
		"a connection that is closed at once":  {"https://" + raw(t, func(net.Conn) {}), true, false, frontdesk.TLSFailed, false},
		"a handshake of nonsense":              {"https://" + raw(t, func(c net.Conn) { firstBytes(c); io.WriteString(c, "220 smtp ready\r\n") }), true, false, frontdesk.TLSFailed, false},
		"a handshake that is reset":            {"https://" + raw(t, func(c net.Conn) { firstBytes(c); c.(*net.TCPConn).SetLinger(0) }), true, false, frontdesk.TLSFailed, false},
		"a protocol of old":                    {secure(func(c *tls.Config) { c.MinVersion, c.MaxVersion = tls.VersionTLS10, tls.VersionTLS11 }), true, false, frontdesk.TLSFailed, false},
		"one that wants our certificate":       {secure(func(c *tls.Config) { c.ClientAuth = tls.RequireAnyClientCert }), true, false, frontdesk.TLSFailed, false},
		"one that wants it, with TLS 1.2":      {secure(func(c *tls.Config) { c.ClientAuth, c.MaxVersion = tls.RequireAnyClientCert, tls.VersionTLS12 }), true, false, frontdesk.TLSFailed, false},
		"a handshake that hangs":               {"https://" + raw(t, func(c net.Conn) { io.Copy(io.Discard, c) }), true, false, frontdesk.TimedOut, true},
		"a port that nobody listens at":        {"https://" + closed, true, false, frontdesk.ConnectFailed, false},
		"an address that is not public":        {good.URL, false, false, frontdesk.AddressBlocked, false},
		"a name of one that is not public":     {"https://localhost" + port, false, false, frontdesk.AddressBlocked, false},
		"a metadata address":                   {"https://169.254.169.254/", false, false, frontdesk.AddressBlocked, false},
		"plain HTTP that is not open any more": {plain.URL, false, false, frontdesk.AddressBlocked, false},
		"a name that does not exist":           {"https://nowhere.invalid/", false, false, frontdesk.DNSFailed, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := egress.Options{CAFile: authority(t)}
			if tt.open {
				o.Allow = []string{tt.url}
			}
			if tt.noCA {
				o.CAFile = ""
			}
			if tt.code == frontdesk.DNSFailed {
				o.Resolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
					return nil, errors.New("there is no name server")
				}}
			}
			guard, err := egress.New(o)
			if err != nil {
				t.Fatal(err)
			}
			l := newLine(t, guard, tt.url)
			if tt.hangs {
				l.sender.SetTimeout(300 * time.Millisecond)
			}
			a := l.send(t)
			if a.ErrorCode != tt.code || a.HTTPStatus != 0 || a.Message == "" || strings.Contains(a.Message, "127.0.0.1") || strings.Contains(a.Message, "localhost") {
				t.Errorf("got %+v", a)
			}
		})
	}
	t.Cleanup(func() {
		if n := len(good.got()); n != 0 {
			t.Errorf("%d requests went through", n)
		}
	})
}

// Yesterday's certificate, of an authority that is trusted.
func TestACertificateThatHasExpired(t *testing.T) {
	t.Parallel()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	certificate := func(until time.Time) tls.Certificate {
		template := &x509.Certificate{
			SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: until, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
			IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		}
		der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
		if err != nil {
			t.Fatal(err)
		}
		return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
	}
	for name, tt := range map[string]struct {
		until time.Time
		code  string
	}{
		"expired": {time.Now().Add(-time.Hour), frontdesk.TLSFailed},
		"valid":   {time.Now().Add(time.Hour), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := certificate(tt.until)
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
			s.Config.ErrorLog = log.New(io.Discard, "", 0)
			s.TLS = &tls.Config{Certificates: []tls.Certificate{c}}
			s.StartTLS()
			t.Cleanup(s.Close)
			file := filepath.Join(t.TempDir(), "ca.pem")
			if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Certificate[0]}), 0o600); err != nil {
				t.Fatal(err)
			}
			guard, err := egress.New(egress.Options{Allow: []string{s.URL}, CAFile: file})
			if err != nil {
				t.Fatal(err)
			}
			if a := newLine(t, guard, s.URL).send(t); a.ErrorCode != tt.code {
				t.Errorf("got %+v", a)
			}
		})
	}
}

// One line tells of each attempt; it holds no secret, no body and no address.
func TestTheLineOfAnAttempt(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, false)
	l := newLine(t, opened(t, r.URL), r.URL+"/hook-token-123")
	var text bytes.Buffer
	registry := prometheus.NewRegistry()
	sender := webhook.NewSender(opened(t, r.URL), l.box, l.clock.Now, slog.New(slog.NewJSONHandler(&text, nil)), registry)
	claim := store.Claim{
		Lane:     store.Lane{Owner: frontdesk.Owner{TenantID: "tenant", Live: true}, Connection: l.connection.ID},
		Delivery: frontdesk.Delivery{ID: "delivery", EventID: eventID, Event: frontdesk.CallCompleted, Status: frontdesk.DeliveryDelivering, Attempts: 1, MaxAttempts: 8},
		Body:     eventBody,
	}
	tried := sender.Try(ctx, l.connection, claim)
	if tried.After.Status != frontdesk.DeliveryDelivered || !tried.At.Equal(day) || !tried.Attempt.OK() || tried.After.Attempts != 1 {
		t.Errorf("got %+v", tried)
	}
	if strings.Count(text.String(), "\n") != 1 {
		t.Errorf("it wrote %s", &text)
	}
	var said map[string]any
	if err := json.Unmarshal(text.Bytes(), &said); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{
		"msg": "delivery", "delivery": "delivery", "tenant": "tenant", "live": true, "event": "call.completed", "event_id": string(eventID),
		"attempt": 1.0, "status": "delivered", "http_status": 204.0, "error_code": "",
	} {
		if said[name] != want {
			t.Errorf("%s is %v, not %v", name, said[name], want)
		}
	}
	for _, hidden := range []string{l.secret.Reveal(), l.secret.Reveal()[10:], "Ñandú", "hook-token-123"} {
		if strings.Contains(text.String(), hidden) {
			t.Errorf("it tells %q", hidden)
		}
	}
	families, err := registry.Gather()
	if err != nil || len(families) != 2 {
		t.Errorf("measured %v, %v", families, err)
	}
}
