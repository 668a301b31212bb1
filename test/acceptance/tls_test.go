package acceptance

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/certificate/certificatetest"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

const deskDomain = "desk.example.com"

// secured are the settings of a node that serves TLS where the authority looks.
func secured(a *certificatetest.Authority) []string {
	return []string{
		"FRONTDESK_DOMAIN=" + deskDomain, "FRONTDESK_TLS_LISTEN=" + a.TLS, "FRONTDESK_HTTP_LISTEN=" + a.HTTP,
		"FRONTDESK_ACME_DIRECTORY=" + a.Directory, "FRONTDESK_ACME_ROOTS=" + a.Roots,
	}
}

// serial is the number of the certificate that is shown at an address, "" while
// nobody can connect.
func serial(a *certificatetest.Authority, at string) string {
	res, err := a.Client(at).Get("https://" + deskDomain + "/healthz")
	if err != nil {
		return ""
	}
	defer res.Body.Close()
	return res.TLS.PeerCertificates[0].SerialNumber.String()
}

// An authority that is away keeps nobody from starting; when it is back, the
// certificate comes by itself. A restart orders nothing, and neither does a second
// node. Later it is renewed, and while that fails the old one is served.
func TestServeByTLS(t *testing.T) {
	t.Parallel()
	a := certificatetest.New(t)
	a.Stop()
	p := newPlace(t, secured(a)...)
	n := p.serve()
	if !until(func() bool { return strings.Contains(n.log.String(), "a certificate could not be ordered") }, n.ended) {
		t.Fatalf("the log does not say that the authority is away: %s", n.log)
	}
	if doctor := p.run("doctor", "--domain", deskDomain); !strings.Contains(doctor.out, "cannot be reached") {
		t.Errorf("the doctor says %s", doctor.out)
	}
	a.Start()
	var first string
	eventually(t, "a certificate is served", func() bool { first = serial(a, a.TLS); return first != "" })
	n.checkFronts(t, a)
	if code := n.stop(); code != 0 {
		t.Fatalf("it ended with %d", code)
	}

	n = p.serve()
	if got := serial(a, a.TLS); got != first {
		t.Errorf("after a restart %q is served, not %q", got, first)
	}
	if storetest.IsPostgres() {
		other := "127.0.0.1:" + freePort(t)
		p.beside("FRONTDESK_TLS_LISTEN="+other, "FRONTDESK_HTTP_LISTEN=127.0.0.1:0").serve()
		if got := serial(a, other); got != first {
			t.Errorf("a second node serves %q, not %q", got, first)
		}
	}
	if issued := a.Issued(); issued != 1 {
		t.Errorf("%d certificates were issued", issued)
	}
	if doctor := p.run("doctor", "--domain", deskDomain); !strings.Contains(doctor.out, "valid until") {
		t.Errorf("the doctor says %s", doctor.out)
	}
	n.stop()
	p.renew(t, a, first)
}

// renew starts when the certificate is due: a month before its end. Pebble's last for
// five years.
func (p *place) renew(t *testing.T, a *certificatetest.Authority, first string) {
	t.Helper()
	trusted := a.Client(a.TLS) // the old one's issuer is not that of a later run
	late := p.with(t, "FRONTDESK_NOW="+time.Now().AddDate(5, 0, -10).Format(time.RFC3339))
	a.Stop()
	n := late.serve()
	if !until(func() bool { return strings.Contains(n.log.String(), "the one that expires at") }, n.ended) {
		t.Fatalf("the log does not say that the old one is served: %s", n.log)
	}
	res, err := trusted.Get("https://" + deskDomain + "/healthz")
	if err != nil || res.TLS.PeerCertificates[0].SerialNumber.String() != first {
		t.Fatalf("the old one is not served: %v", err)
	}
	res.Body.Close()
	a.Start()
	eventually(t, "another certificate is served", func() bool {
		got := serial(a, a.TLS)
		return got != "" && got != first
	})
}

// checkFronts looks at what each address answers.
func (n *node) checkFronts(t *testing.T, a *certificatetest.Authority) {
	t.Helper()
	byTLS, plain := a.Client(a.TLS), a.Client(a.HTTP)
	for _, tt := range []struct {
		what    string
		client  *http.Client
		address string
		status  int
		header  string // that the answer has
		value   string
	}{
		{"the page of the API", byTLS, "https://" + deskDomain + "/v1/openapi.json", http.StatusOK, "Strict-Transport-Security", "max-age=31536000"},
		{"the console", byTLS, "https://" + deskDomain + "/console", http.StatusSeeOther, "Strict-Transport-Security", "max-age=31536000"},
		{"figures by TLS", byTLS, "https://" + deskDomain + "/metrics", http.StatusNotFound, "", ""},
		{"figures on this machine", n.client, n.base + "/metrics", http.StatusOK, "Strict-Transport-Security", ""},
		{"plain HTTP", plain, "http://" + deskDomain + "/talk/x?y=z", http.StatusMovedPermanently, "Location", "https://" + deskDomain + "/talk/x?y=z"},
		{"plain HTTP under another name", plain, "http://other.example.com/", http.StatusMisdirectedRequest, "Location", ""},
	} {
		res, err := tt.client.Get(tt.address)
		if err != nil {
			t.Errorf("%s: %v", tt.what, err)
			continue
		}
		res.Body.Close()
		if res.StatusCode != tt.status || res.Header.Get(tt.header) != tt.value {
			t.Errorf("%s: %d %v", tt.what, res.StatusCode, res.Header)
		}
	}
	if _, err := byTLS.Get("https://other.example.com/"); err == nil {
		t.Error("another name is served by TLS")
	}
}

// The figures have an address of their own, and are nowhere else then.
func TestFiguresApart(t *testing.T) {
	t.Parallel()
	at := "127.0.0.1:" + freePort(t)
	n := newPlace(t).serve("--metrics-listen", at)
	var answers []int
	for _, address := range []string{"http://" + at, n.base} {
		for _, path := range []string{"/metrics", "/healthz", "/readyz", "/v1/openapi.json", "/"} {
			res, err := n.client.Get(address + path)
			must(t, err)
			res.Body.Close()
			answers = append(answers, res.StatusCode)
		}
	}
	res, err := n.client.Get(n.base + "/")
	must(t, err)
	defer res.Body.Close()
	landing, err := io.ReadAll(res.Body)
	must(t, err)
	if text := string(landing); strings.Contains(text, "/metrics") || !strings.Contains(text, "/readyz") {
		t.Errorf("the first page is %s", text)
	}
	if want := []int{200, 200, 200, 404, 404, 404, 200, 200, 200, 200}; !slices.Equal(answers, want) {
		t.Errorf("the answers are %d, not %d", answers, want)
	}
}
