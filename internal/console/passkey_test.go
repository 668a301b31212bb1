package console

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/seal"
)

// withPasskeys offers passkeys at localhost.
func withPasskeys(t *testing.T) func(*Options) {
	t.Helper()
	box, err := seal.New(frontdesk.Secret(base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32))))
	if err != nil {
		t.Fatal(err)
	}
	return func(o *Options) {
		passkeys, err := account.NewPasskeys(o.People, box, account.PasskeyOptions{Domain: "localhost", Origins: []string{"http://localhost"}})
		if err != nil {
			t.Fatal(err)
		}
		o.Passkeys = passkeys
	}
}

// TestPasskeysAreOfferedWhereTheyWork: at their own name, and nowhere else.
func TestPasskeysAreOfferedWhereTheyWork(t *testing.T) {
	t.Parallel()
	o := newOffice(t, withPasskeys(t))
	for host, offered := range map[string]bool{"localhost:8080": true, "127.0.0.1:8080": false} {
		b := o.browse()
		r := b.request(http.MethodGet, "/console/enter", nil)
		r.Host = host
		if page := b.do(r).body; strings.Contains(page, `data-passkey="enter"`) != offered {
			t.Errorf("at %s: %s", host, page)
		}
	}
	// On one's own page there is a hint, until there is a passkey.
	b := o.enter(frontdesk.RoleStaff)
	r := b.request(http.MethodGet, "/console/me", nil)
	r.Host = "localhost"
	cookies := b.client.Jar.Cookies(r.URL)
	for _, c := range cookies {
		r.AddCookie(c)
	}
	if page := b.do(r).body; !strings.Contains(page, "You entered with a link.") || !strings.Contains(page, `data-passkey="add"`) {
		t.Errorf("one's own page: %s", page)
	}
}

// TestAnswersWithoutAQuestionAreRefused: what was asked is kept by the browser for
// five minutes, out of the reach of scripts and other sites, and is needed.
func TestAnswersWithoutAQuestionAreRefused(t *testing.T) {
	t.Parallel()
	o := newOffice(t, withPasskeys(t))
	o.server.URL = strings.Replace(o.server.URL, "127.0.0.1", "localhost", 1) // which passkeys are made for
	b := o.browse()
	if got := b.post("/console/enter/passkey/finish", nil); got.status != http.StatusUnauthorized {
		t.Errorf("without a question: %d", got.status)
	}
	begun := b.post("/console/enter/passkey/begin", nil)
	cookie := begun.header.Get("Set-Cookie")
	if begun.status != http.StatusOK || !strings.Contains(begun.body, `"challenge"`) || strings.Contains(begun.body, "allowCredentials\":[{") {
		t.Errorf("the question is %d %s", begun.status, begun.body)
	}
	for _, want := range []string{"HttpOnly", "SameSite=Strict", "Max-Age=300"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("the cookie has no %s: %s", want, cookie)
		}
	}
	if got := b.post("/console/enter/passkey/finish", nil); got.status != http.StatusUnauthorized || strings.Contains(got.header.Get("Set-Cookie"), plainCookie) {
		t.Errorf("without an answer: %d", got.status)
	}
	staff := o.enter(frontdesk.RoleStaff)
	if got := staff.post("/console/me/passkeys/finish", nil); got.status != http.StatusUnauthorized {
		t.Errorf("registering without a question: %d", got.status)
	}
	for _, way := range []string{"rename", "remove"} {
		if got := staff.post("/console/me/passkeys/AAAA/"+way, nil); got.status != http.StatusNotFound {
			t.Errorf("%s of a passkey that is not mine: %d", way, got.status)
		}
	}
	refused := 0
	for range 40 {
		if b.post("/console/enter/passkey/begin", nil).status == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused == 0 {
		t.Error("40 questions were asked for")
	}
}

// TestPasskeysAreAskedForNowhereElse: where none are offered there is nothing to
// ask for, and the script hears that in the envelope.
func TestPasskeysAreAskedForNowhereElse(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]*office{
		"without an address":                newOffice(t),
		"at another address than their own": newOffice(t, withPasskeys(t)),
	} {
		b := o.enter(frontdesk.RoleStaff)
		for _, path := range []string{"/console/enter/passkey/begin", "/console/enter/passkey/finish", "/console/me/passkeys/begin", "/console/me/passkeys/finish"} {
			got := b.post(path, nil)
			if got.status != http.StatusNotFound || !strings.Contains(got.body, `"code":"passkeys_unavailable"`) || !strings.Contains(got.body, `"request_id":"`) {
				t.Errorf("%s: %s: %d %s", name, path, got.status, got.body)
			}
			if cookie := got.header.Get("Set-Cookie"); cookie != "" {
				t.Errorf("%s: %s: a challenge is kept: %s", name, path, cookie)
			}
		}
	}
}
