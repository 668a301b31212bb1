package console

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// TestAMessageIsOfItsSession: what another site below the same domain, or another
// session, has put into the cookie is not shown.
func TestAMessageIsOfItsSession(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b, other := o.enter(frontdesk.RoleOwner), o.enter(frontdesk.RoleOwner)
	form := url.Values{"origins": {"https://lola.es"}}
	told := func(b *browser) *http.Cookie {
		t.Helper()
		got := b.post(b.at("channels/origins"), form)
		for _, c := range (&http.Response{Header: got.header}).Cookies() {
			if c.Name == saidCookie {
				return c
			}
		}
		t.Fatalf("nothing was said: %d %s", got.status, got.body)
		return nil
	}
	plant := func(b *browser, value string) string {
		t.Helper()
		b.open("channels") // takes what was said before
		r := b.request(http.MethodGet, b.at("channels"), nil)
		r.AddCookie(&http.Cookie{Name: saidCookie, Value: value})
		return b.do(r).body
	}
	mine := told(b)
	if page := plant(b, mine.Value); !strings.Contains(page, "The sites are saved") {
		t.Fatal("what was said to this session is not shown")
	}
	text := `{"t":"Your account is locked","a":"people/1/remove"}`
	kept, err := base64.RawURLEncoding.DecodeString(mine.Value)
	if err != nil || len(kept) < 32 {
		t.Fatal(len(kept), err)
	}
	for name, value := range map[string]string{
		"unsigned":                 base64.RawURLEncoding.EncodeToString([]byte(text)),
		"with another's signature": base64.RawURLEncoding.EncodeToString(append(kept[:32:32], text...)),
		"of another session":       told(other).Value,
		"no cookie of ours":        "%%%",
		"empty":                    "",
	} {
		if page := plant(b, value); strings.Contains(page, "locked") || strings.Contains(page, "The sites are saved") || strings.Contains(page, "people/1/remove") {
			t.Errorf("%s: shown", name)
		}
	}
}

// TestAFormIsReadFromItsBody: an address with a filled in query fills in no form.
func TestAFormIsReadFromItsBody(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	b := o.enter(frontdesk.RoleOwner)
	b.send("channels/transfer?number=%2B34600999888", url.Values{"number": {""}})
	b.send("channels/transfer?number=%2B34600999888", nil)
	if got := o.now().Settings.TransferNumber; got != "" {
		t.Errorf("calls are put through to %s", got)
	}
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		// visit.field and visit.raw know where a field comes from.
		if !strings.HasSuffix(file, "_test.go") && (strings.Contains(string(text), "FormValue(") || strings.Contains(string(text), "http.Form[") || strings.Contains(string(text), "http.Form.")) {
			t.Errorf("%s reads a form past visit.field", file)
		}
	}
}
