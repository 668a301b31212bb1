package acceptance

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// proxy is a program in front of a node, with the file that the documentation shows.
type proxy struct {
	program string
	example string
	// changes are what stands otherwise in the test: ports, certificates.
	changes func(dir, plain, secured, upstream string) []string
	// whole is a file that has the example in it, and args start the program with it.
	whole func(dir, example string) string
	args  func(dir string) []string
}

var proxies = map[string]proxy{
	"Caddy": {
		program: "caddy", example: "Caddyfile",
		changes: func(dir, _, secured, upstream string) []string {
			return []string{
				"\ndesk.example.com {\n", "\nhttps://127.0.0.1:" + secured + " {\n\ttls " + dir + "/cert.pem " + dir + "/key.pem\n",
				"127.0.0.1:8080", upstream,
			}
		},
		whole: func(_, example string) string {
			return "{\n\tadmin off\n\tauto_https disable_redirects\n}\n" + example
		},
		args: func(dir string) []string {
			return []string{"run", "--adapter", "caddyfile", "--config", dir + "/proxy.conf"}
		},
	},
	"nginx": {
		program: "nginx", example: "nginx.conf",
		changes: func(dir, plain, secured, upstream string) []string {
			return []string{
				"listen 80;", "listen 127.0.0.1:" + plain + ";", "listen 443 ssl;", "listen 127.0.0.1:" + secured + " ssl;",
				"/etc/letsencrypt/live/desk.example.com/fullchain.pem", dir + "/cert.pem",
				"/etc/letsencrypt/live/desk.example.com/privkey.pem", dir + "/key.pem",
				"127.0.0.1:8080", upstream,
			}
		},
		whole: func(dir, example string) string {
			paths := ""
			for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
				paths += kind + "_temp_path " + dir + "/" + kind + ";\n"
			}
			return "pid " + dir + "/pid;\nerror_log stderr;\ndaemon off;\nmaster_process off;\nevents {}\nhttp {\naccess_log off;\n" + paths + example + "}\n"
		},
		args: func(dir string) []string { return []string{"-p", dir, "-c", dir + "/proxy.conf"} },
	},
}

// start runs the proxy before an address and returns where it serves TLS, and its
// certificate's file.
func (p proxy) start(t *testing.T, upstream string) (address, roots string) {
	t.Helper()
	found, err := exec.Command("../../scripts/find-" + p.program).Output()
	if err != nil {
		t.Skipf("NOT COVERED: there is no %s here (scripts/find-%s --install)", p.program, p.program)
	}
	dir, plain, secured := t.TempDir(), freePort(t), freePort(t)
	roots = writeCertificate(t, dir)
	text, err := os.ReadFile("../../docs/examples/" + p.example)
	must(t, err)
	example := string(text)
	changes := p.changes(dir, plain, secured, upstream)
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(example, changes[i]) {
			t.Fatalf("docs/examples/%s has no %q", p.example, changes[i])
		}
		example = strings.ReplaceAll(example, changes[i], changes[i+1])
	}
	must(t, os.WriteFile(filepath.Join(dir, "proxy.conf"), []byte(p.whole(dir, example)), 0o600))
	var log notes
	cmd := exec.Command(strings.TrimSpace(string(found)), p.args(dir)...)
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	cmd.Stdout, cmd.Stderr = &log, &log
	must(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Logf("%s says: %s", p.program, &log)
		}
	})
	address = "127.0.0.1:" + secured
	listens := func() bool {
		c, err := net.Dial("tcp", address)
		if err == nil {
			c.Close()
		}
		return err == nil
	}
	if !until(listens, nil) {
		t.Fatalf("%s does not listen: %s", p.program, &log)
	}
	return address, roots
}

// writeCertificate writes the certificate of net/http's test server, which is for
// 127.0.0.1, and its key.
func writeCertificate(t *testing.T, dir string) (file string) {
	t.Helper()
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	key, err := x509.MarshalPKCS8PrivateKey(s.TLS.Certificates[0].PrivateKey)
	must(t, err)
	file = filepath.Join(dir, "cert.pem")
	must(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "key.pem"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}), 0o600))
	return file
}

// visitors come from here, and are no proxy that is trusted.
const visitorAddress = "127.0.0.9"

// through is the node as it is reached through a proxy.
func (n *node) through(t *testing.T, address, roots string) *node {
	t.Helper()
	text, err := os.ReadFile(roots)
	must(t, err)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(text)
	other := n.in(t)
	other.base = "https://" + address
	client := *n.client
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(visitorAddress)}}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, DisableCompression: true, DialContext: dialer.DialContext}
	client.Transport = transport
	t.Cleanup(transport.CloseIdleConnections)
	other.client = &client
	return other
}

// What docs/examples shows works: the page, the console, the API, conversations, a
// call through a WebSocket, the largest document, and where visitors come from.
func TestBehindProxies(t *testing.T) {
	t.Parallel()
	for name, p := range proxies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			place := newPlace(t, at(0), "FRONTDESK_TRUSTED_PROXIES=127.0.0.1", "FRONTDESK_PUBLIC_URL=https://desk.example.com")
			place.tenant("salud")
			ask[any](place, "agent", "import", "../../internal/demo/businesses/"+dentist+".json", "--tenant", "salud")
			key := place.key("salud", "live").Key
			direct := place.serve()
			address, roots := p.start(t, strings.TrimPrefix(direct.base, "http://"))
			n := direct.through(t, address, roots)

			n.checkPages(t)
			if a := n.agent(key, dentist); a.Status != "active" {
				t.Errorf("the agent is %+v", a)
			}
			n.visit("salud/"+dentist, "live", "en").say("What are your opening hours?")
			if !strings.Contains(direct.log.String(), `"visitor":"`+visitorAddress+`/32"`) {
				t.Errorf("nobody comes from %s: %s", visitorAddress, direct.log)
			}
			n.claimAddress(t, "salud/"+dentist)
			if strings.Contains(direct.log.String(), claimedAddress) {
				t.Errorf("somebody is believed to come from %s", claimedAddress)
			}
			n.uploadLargest(t, key)
			place.callThrough(t, n.base, roots)
		})
	}
}

func (n *node) checkPages(t *testing.T) {
	t.Helper()
	for path, want := range map[string]int{
		"/talk/salud/" + dentist: http.StatusOK, "/console": http.StatusSeeOther, "/healthz": http.StatusOK, "/metrics": http.StatusNotFound,
	} {
		res, err := n.client.Get(n.base + path)
		must(t, err)
		res.Body.Close()
		if res.StatusCode != want || res.Header.Get("Strict-Transport-Security") != "max-age=31536000" {
			t.Errorf("%s is answered %d %v", path, res.StatusCode, res.Header)
		}
	}
}

const claimedAddress = "203.0.113.77"

// claimAddress begins a conversation and says that it comes from elsewhere.
func (n *node) claimAddress(t *testing.T, agent string) {
	t.Helper()
	req, err := http.NewRequest("POST", n.base+"/web/"+agent+"/conversations", strings.NewReader(`{"mode":"live","language":"en"}`))
	must(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Forwarded-For", claimedAddress)
	res, err := n.client.Do(req)
	must(t, err)
	res.Body.Close()
	if res.StatusCode != http.StatusCreated {
		t.Errorf("the conversation is answered %d", res.StatusCode)
	}
}

// uploadLargest uploads as much as the plan allows, and then one byte more, which is
// refused by us and not by the proxy.
func (n *node) uploadLargest(t *testing.T, key string) {
	t.Helper()
	const largest = 10 << 20
	for size, want := range map[int]int{largest: http.StatusCreated, largest + 1: http.StatusRequestEntityTooLarge} {
		if _, got := n.upload(key, fmt.Sprintf("of-%d.txt", size), []byte(strings.Repeat("a line of text\n", size/15+1))[:size]); got.status != want {
			t.Errorf("a document of %d bytes is answered %s", size, got)
		}
	}
}

// callThrough telephones through the proxy's WebSocket.
func (p *place) callThrough(t *testing.T, server, roots string) {
	t.Helper()
	call := p.with(t, "SSL_CERT_FILE="+roots).command("phone", "try", "--tenant", "salud", "--agent", dentist, "--server", server, "--speed", "0")
	call.Stdin = strings.NewReader("What are your opening hours?\n/hang\n")
	if got := finish(t, call); got.code != 0 || !strings.Contains(got.out, "has ended: ") {
		t.Errorf("the call ended with %d: %s %s", got.code, got.out, got.err)
	}
}
