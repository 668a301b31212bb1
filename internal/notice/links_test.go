package notice_test

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/notice"
	"frontdesk.dev/frontdesk/internal/seal"
)

func box(t *testing.T, b byte) *seal.Box {
	t.Helper()
	x, err := seal.New(frontdesk.Secret(base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{b}, 32))))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestLinksNameOneCapture(t *testing.T) {
	t.Parallel()
	links := notice.NewLinks(box(t, 1), "https://desk.example.com/")
	now := time.Date(2026, 11, 16, 10, 0, 0, 0, time.UTC)
	owner, capture := frontdesk.Owner{TenantID: frontdesk.NewID(now), Live: true}, frontdesk.NewID(now)
	address := links.Address(owner, capture)
	token, found := strings.CutPrefix(address, "https://desk.example.com/appointment/")
	if !found {
		t.Fatalf("the address is %s", address)
	}
	if o, c, ok := links.Read(token); !ok || o != owner || c != capture {
		t.Errorf("read %v %v %v", o, c, ok)
	}
	raw, _ := base64.RawURLEncoding.DecodeString(token)
	for i := range raw {
		altered := bytes.Clone(raw)
		altered[i] ^= 1
		if _, _, ok := links.Read(base64.RawURLEncoding.EncodeToString(altered)); ok {
			t.Errorf("a token with another byte %d was read", i)
		}
	}
	if _, _, ok := notice.NewLinks(box(t, 2), "").Read(token); ok {
		t.Error("a token of another master key was read")
	}
	if a := notice.NewLinks(box(t, 1), "").Address(owner, capture); a != "" {
		t.Errorf("without a public address there is %q", a)
	}
}

func FuzzLinks(f *testing.F) {
	key := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{1}, 32))
	box, _ := seal.New(frontdesk.Secret(key))
	links := notice.NewLinks(box, "")
	f.Add(links.Token(frontdesk.Owner{TenantID: "0199e0a0-0000-7000-8000-000000000000", Live: true}, "0199e0a0-0000-7000-8000-000000000001"))
	f.Add("")
	f.Fuzz(func(t *testing.T, token string) {
		if owner, capture, ok := links.Read(token); ok && links.Token(owner, capture) != token {
			t.Errorf("%q reads as another token", token)
		}
	})
}
