package browser

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// passkeyDesk is a program of its own at localhost, which is where a browser uses
// passkeys without TLS, and a link that lets its owner in.
func passkeyDesk(t *testing.T) (url, link string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	l.Close() // passkeys belong to an address that is known before the program listens
	settings := []string{"FRONTDESK_DATA=" + filepath.Join(t.TempDir(), "data"), "FRONTDESK_LISTEN=127.0.0.1:" + port}
	_, _, stop, err := program(settings...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	url = "http://localhost:" + port
	binary, err := built()
	if err != nil {
		t.Fatal(err)
	}
	make := exec.Command(binary, "console", "link", "--tenant", "demo", "--server", url)
	make.Env = append(os.Environ(), append(settings, "FRONTDESK_NOW=2026-11-15T10:00:00+01:00", "FRONTDESK_MASTER_KEY="+masterKey)...)
	printed, err := make.Output()
	if err != nil {
		t.Fatal(err)
	}
	return url, strings.Fields(string(printed))[0]
}

// TestSomebodyEntersWithAPasskey adds one on their own page, leaves, and comes back
// with it, in a browser whose authenticator is Chromium's own stand-in.
func TestSomebodyEntersWithAPasskey(t *testing.T) {
	url, link := passkeyDesk(t)
	p := browser.visit(t, phone)
	p.do("WebAuthn.enable", nil)
	p.do("WebAuthn.addVirtualAuthenticator", object{"options": object{
		"protocol": "ctap2", "transport": "internal", "hasResidentKey": true, "hasUserVerification": true, "isUserVerified": true, "automaticPresenceSimulation": true,
	}})
	p.open(link) // which presses its own button
	p.wait("location.pathname.endsWith('/today')")

	p.open(url + "/console/me")
	p.wait("document.querySelector('.said')?.innerText.includes('passkey')")
	p.click("document.querySelector('[data-passkey=add]')")
	p.wait("document.querySelector('#said')?.innerText.includes('The passkey is added')")
	if n := p.text("document.querySelectorAll('.keys li').length"); n != "1" {
		t.Errorf("there are %s passkeys", n)
	}
	p.shot("passkey-added")

	p.run("document.querySelector('form[action=\"/console/leave\"]').requestSubmit()")
	p.wait("location.pathname === '/console/enter' && document.readyState === 'complete'")
	p.click("document.querySelector('[data-passkey=enter]')")
	p.wait("location.pathname.endsWith('/today')")

	p.open(url + "/console/me")
	if used := p.text("document.querySelector('.keys').innerText"); !strings.Contains(used, "used just now") {
		t.Errorf("the passkey shows %s", used)
	}
	p.click("document.querySelector('.keys .danger')")
	p.wait("document.querySelector('#said')?.innerText.includes('removed')")
	p.clean()
}
