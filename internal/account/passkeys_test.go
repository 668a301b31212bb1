package account_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-webauthn/webauthn/protocol/webauthncbor"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const site = "https://desk.example.com"

// authenticator is a passkey in software: a P-256 key, and a counter that stays 0
// as those of synced passkeys do, unless counts says otherwise.
type authenticator struct {
	key     *ecdsa.PrivateKey
	id      []byte
	user    []byte // the user handle it was made for
	counts  bool
	counter uint32
	origin  string
}

func newAuthenticator(t *testing.T) *authenticator {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &authenticator{key: key, id: []byte(rand.Text()), origin: site}
}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func encodeJSON(t *testing.T, v any) []byte {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// asked is what a browser reads of the options.
type asked struct {
	PublicKey struct {
		Challenge string `json:"challenge"`
		RPID      string `json:"rpId"`
		RP        struct {
			ID string `json:"id"`
		} `json:"rp"`
		User struct {
			ID string `json:"id"`
		} `json:"user"`
		Selection struct {
			ResidentKey      string `json:"residentKey"`
			UserVerification string `json:"userVerification"`
		} `json:"authenticatorSelection"`
		Exclude []struct {
			ID string `json:"id"`
		} `json:"excludeCredentials"`
		Allow []any `json:"allowCredentials"`
	} `json:"publicKey"`
}

func read(t *testing.T, options []byte) (a asked) {
	t.Helper()
	if err := json.Unmarshal(options, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// data is the authenticator's data for a site, with more behind it.
func (a *authenticator) data(domain string, flags byte, more []byte) []byte {
	if a.counts {
		a.counter++
	}
	hash := sha256.Sum256([]byte(domain))
	return append(binary.BigEndian.AppendUint32(append(hash[:], flags), a.counter), more...)
}

func (a *authenticator) clientData(t *testing.T, kind, challenge string) []byte {
	return encodeJSON(t, map[string]any{"type": kind, "challenge": challenge, "origin": a.origin, "crossOrigin": false})
}

// create answers navigator.credentials.create.
func (a *authenticator) create(t *testing.T, options []byte) []byte {
	t.Helper()
	q := read(t, options).PublicKey
	user, err := base64.RawURLEncoding.DecodeString(q.User.ID)
	if err != nil {
		t.Fatal(err)
	}
	a.user = user
	public, err := a.key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		t.Fatal(err)
	}
	cose, err := webauthncbor.Marshal(map[int]any{1: 2, 3: -7, -1: 1, -2: public[1:33], -3: public[33:]})
	if err != nil {
		t.Fatal(err)
	}
	attested := append(make([]byte, 16), byte(len(a.id)>>8), byte(len(a.id)))
	attested = append(append(attested, a.id...), cose...)
	object, err := webauthncbor.Marshal(map[string]any{"fmt": "none", "attStmt": map[string]any{}, "authData": a.data(q.RP.ID, 0x45, attested)})
	if err != nil {
		t.Fatal(err)
	}
	return encodeJSON(t, map[string]any{
		"id": b64(a.id), "rawId": b64(a.id), "type": "public-key", "clientExtensionResults": map[string]any{"credProps": map[string]any{"rk": true}},
		"response": map[string]any{"clientDataJSON": b64(a.clientData(t, "webauthn.create", q.Challenge)), "attestationObject": b64(object)},
	})
}

// get answers navigator.credentials.get.
func (a *authenticator) get(t *testing.T, options []byte) []byte {
	t.Helper()
	q := read(t, options).PublicKey
	data, client := a.data(q.RPID, 0x05, nil), a.clientData(t, "webauthn.get", q.Challenge)
	clientHash := sha256.Sum256(client)
	digest := sha256.Sum256(append(bytes.Clone(data), clientHash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, digest[:])
	if err != nil {
		t.Fatal(err)
	}
	return encodeJSON(t, map[string]any{
		"id": b64(a.id), "rawId": b64(a.id), "type": "public-key", "clientExtensionResults": map[string]any{},
		"response": map[string]any{"clientDataJSON": b64(client), "authenticatorData": b64(data), "signature": b64(signature), "userHandle": b64(a.user)},
	})
}

// keyRoom is a staff room with passkeys.
type keyRoom struct {
	staffRoom
	keys *account.Passkeys
}

func newKeyRoom(t *testing.T) keyRoom {
	t.Helper()
	r := newStaffRoom(t)
	keys, err := account.NewPasskeys(r.People, box(t, oldKey), account.PasskeysAt(site, "127.0.0.1:8080"))
	if err != nil {
		t.Fatal(err)
	}
	return keyRoom{r, keys}
}

func (r keyRoom) register(t *testing.T, p frontdesk.Person, a *authenticator) frontdesk.Passkey {
	t.Helper()
	options, state, err := r.keys.BeginRegister(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	k, err := r.keys.FinishRegister(ctx, p, state, bytes.NewReader(a.create(t, options)), "phone")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// ask asks for a passkey.
func (r keyRoom) ask(t *testing.T) (options, state []byte) {
	t.Helper()
	options, state, err := r.keys.BeginEntry()
	if err != nil {
		t.Fatal(err)
	}
	return options, state
}

func (r keyRoom) answer(t *testing.T, state, body []byte, code string) (account.Visitor, string) {
	t.Helper()
	v, secret, err := r.keys.FinishEntry(ctx, state, bytes.NewReader(body), "Firefox", "192.0.2.1")
	is(t, err, code)
	if err != nil && (secret != "" || v != (account.Visitor{})) {
		t.Errorf("an error and %+v", v)
	}
	return v, secret.Reveal()
}

func TestEnterByPasskey(t *testing.T) {
	t.Parallel()
	for name, counts := range map[string]bool{"one that counts": true, "one that is synced": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newKeyRoom(t)
			p, _ := r.invite(t, "Ana", "ana@example.com", frontdesk.RoleOwner)
			a := newAuthenticator(t)
			a.counts = counts
			options, _, err := r.keys.BeginRegister(ctx, p)
			if q := read(t, options).PublicKey; err != nil || q.RP.ID != "desk.example.com" || q.Selection.ResidentKey != "required" || q.Selection.UserVerification != "preferred" {
				t.Errorf("asked for %s, %v", options, err)
			}
			k := r.register(t, p, a)
			if k.Name != "phone" || !bytes.Equal(k.ID, a.id) {
				t.Errorf("got %+v", k)
			}
			for range 3 {
				r.Forward(time.Minute)
				options, state := r.ask(t)
				if q := read(t, options).PublicKey; len(q.Allow) != 0 {
					t.Errorf("asked for %s", options)
				}
				v, token := r.answer(t, state, a.get(t, options), "")
				if v.Person.ID != p.ID || v.Tenant.Slug != "casa-lola" || r.session(t, token, "") != v {
					t.Errorf("got %+v", v)
				}
			}
			all, err := r.keys.List(ctx, p)
			if err != nil || len(all) != 1 || !all[0].LastUsedAt.Equal(r.Now()) {
				t.Errorf("got %+v, %v", all, err)
			}
			// The same authenticator is not asked for another one.
			options, _, err = r.keys.BeginRegister(ctx, p)
			if q := read(t, options).PublicKey; err != nil || len(q.Exclude) != 1 || q.Exclude[0].ID != b64(a.id) {
				t.Errorf("asked for %s, %v", options, err)
			}
		})
	}
}

func TestPasskeysThatAreRefused(t *testing.T) {
	t.Parallel()
	const refused = "passkey_invalid"
	r := newKeyRoom(t)
	ana, _ := r.invite(t, "Ana", "", frontdesk.RoleOwner)
	eva, _ := r.invite(t, "Eva", "", frontdesk.RoleStaff)
	hers, evas, nobodys := newAuthenticator(t), newAuthenticator(t), newAuthenticator(t)
	r.register(t, ana, hers)
	r.register(t, eva, evas)

	t.Run("a wrong origin", func(t *testing.T) {
		there := *hers
		there.origin = "https://desk.example.com.evil.example"
		options, state := r.ask(t)
		r.answer(t, state, there.get(t, options), refused)
	})
	t.Run("a replay", func(t *testing.T) {
		options, state := r.ask(t)
		body := hers.get(t, options)
		r.answer(t, state, body, "")
		r.answer(t, state, body, refused)                 // the same answer
		r.answer(t, state, hers.get(t, options), refused) // another one to the same question
	})
	t.Run("another question", func(t *testing.T) {
		options, _ := r.ask(t)
		_, state := r.ask(t)
		r.answer(t, state, hers.get(t, options), refused)
	})
	t.Run("too late", func(t *testing.T) {
		options, state := r.ask(t)
		r.Forward(5 * time.Minute)
		r.answer(t, state, hers.get(t, options), refused)
	})
	t.Run("another person's handle", func(t *testing.T) {
		mixed := *hers
		mixed.user = evas.user
		options, state := r.ask(t)
		r.answer(t, state, mixed.get(t, options), refused)
	})
	t.Run("another person's credential", func(t *testing.T) {
		mixed := *hers
		mixed.id, mixed.user = evas.id, evas.user // signed by her own key
		options, state := r.ask(t)
		r.answer(t, state, mixed.get(t, options), refused)
	})
	t.Run("nobody's", func(t *testing.T) {
		nobodys.user = []byte(ana.ID)
		options, state := r.ask(t)
		r.answer(t, state, nobodys.get(t, options), refused)
	})
	t.Run("a state of another's or of ours for something else", func(t *testing.T) {
		options, state := r.ask(t)
		body := hers.get(t, options)
		altered := bytes.Clone(state)
		altered[len(altered)-1]++
		_, registering, err := r.keys.BeginRegister(ctx, ana)
		if err != nil {
			t.Fatal(err)
		}
		for _, state := range [][]byte{nil, {1}, altered, registering} {
			r.answer(t, state, body, refused)
		}
		r.answer(t, state, body, "")
	})
	t.Run("no answer at all", func(t *testing.T) {
		_, state := r.ask(t)
		for _, body := range []string{"", "{}", "[]", "null", `{"id":"AA","rawId":"AA","type":"public-key","response":{}}`, strings.Repeat("a", 1<<20)} {
			r.answer(t, state, []byte(body), refused)
		}
	})
	t.Run("a removed one", func(t *testing.T) {
		if err := r.keys.Remove(ctx, ana, evas.id); errorCode(err) != "not_found" {
			t.Errorf("another's: %v", err)
		}
		if err := r.keys.Remove(ctx, eva, evas.id); err != nil {
			t.Fatal(err)
		}
		options, state := r.ask(t)
		r.answer(t, state, evas.get(t, options), refused)
	})
}

// A copy of a passkey shows by its counter, which does not go on.
func TestACopyOfAPasskeyIsRefused(t *testing.T) {
	t.Parallel()
	r := newKeyRoom(t)
	p, _ := r.invite(t, "Ana", "", frontdesk.RoleOwner)
	a := newAuthenticator(t)
	a.counts = true
	r.register(t, p, a)
	replica := *a
	options, state := r.ask(t)
	r.answer(t, state, a.get(t, options), "")
	options, state = r.ask(t)
	r.answer(t, state, replica.get(t, options), "passkey_invalid")
	options, state = r.ask(t)
	r.answer(t, state, a.get(t, options), "")
}

func TestOneAnswerMakesOneSession(t *testing.T) {
	t.Parallel()
	r := newKeyRoom(t)
	p, _ := r.invite(t, "Ana", "", frontdesk.RoleOwner)
	a := newAuthenticator(t)
	r.register(t, p, a)
	options, state := r.ask(t)
	body := a.get(t, options)
	var in atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, _, err := r.keys.FinishEntry(ctx, state, bytes.NewReader(body), "", ""); err == nil {
				in.Add(1)
			} else {
				is(t, err, "passkey_invalid")
			}
		})
	}
	wg.Wait()
	if all, err := r.Sessions(ctx, p); err != nil || in.Load() != 1 || len(all) != 1 {
		t.Errorf("%d came in, %d sessions, %v", in.Load(), len(all), err)
	}
}

func TestRegisterRefuses(t *testing.T) {
	t.Parallel()
	r := newKeyRoom(t)
	ana, _ := r.invite(t, "Ana", "", frontdesk.RoleOwner)
	eva, _ := r.invite(t, "Eva", "", frontdesk.RoleStaff)
	a := newAuthenticator(t)
	begin := func(p frontdesk.Person) (options, state []byte) {
		t.Helper()
		options, state, err := r.keys.BeginRegister(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		return options, state
	}
	finish := func(p frontdesk.Person, state, body []byte, code string) {
		t.Helper()
		_, err := r.keys.FinishRegister(ctx, p, state, bytes.NewReader(body), "")
		is(t, err, code)
	}
	options, state := begin(ana)
	finish(eva, state, a.create(t, options), "passkey_invalid") // begun by another person
	elsewhere := *a
	elsewhere.origin = "http://desk.example.com"
	finish(ana, state, elsewhere.create(t, options), "passkey_invalid")
	body := a.create(t, options)
	finish(ana, state, body, "")
	finish(ana, state, body, "passkey_invalid") // again
	options, state = begin(eva)
	finish(eva, state, a.create(t, options), "passkey_invalid") // ana's
	r.Forward(5 * time.Minute)
	finish(eva, state, newAuthenticator(t).create(t, options), "passkey_invalid") // too late
	if all, err := r.keys.List(ctx, ana); err != nil || len(all) != 1 || all[0].Name != "Passkey" {
		t.Errorf("got %+v, %v", all, err)
	}
	if all, err := r.keys.List(ctx, eva); err != nil || len(all) != 0 {
		t.Errorf("got %+v, %v", all, err)
	}
	if err := r.keys.Rename(ctx, ana, a.id, " work \n phone "); err != nil {
		t.Fatal(err)
	}
	if all, err := r.keys.List(ctx, ana); err != nil || all[0].Name != "work   phone" {
		t.Errorf("got %+v, %v", all, err)
	}
}

func TestWherePasskeysAreOffered(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		public, listen string
		host           string
		offered        bool
	}{
		"a domain":                    {"https://desk.example.com", "127.0.0.1:8080", "desk.example.com", true},
		"a domain with a port":        {"https://Desk.example.com:8443", "127.0.0.1:8080", "desk.example.com:8443", true},
		"another host":                {"https://desk.example.com", "127.0.0.1:8080", "127.0.0.1:8080", false},
		"a domain without encryption": {"http://desk.example.com", "127.0.0.1:8080", "desk.example.com", false},
		"an address":                  {"https://192.0.2.1", "127.0.0.1:8080", "192.0.2.1", false},
		"nothing said, by name":       {"", "127.0.0.1:8080", "localhost:8080", true},
		"nothing said, by address":    {"", "127.0.0.1:8080", "127.0.0.1:8080", false},
		"no port":                     {"", "127.0.0.1", "localhost", false},
	} {
		o := account.PasskeysAt(tt.public, tt.listen)
		keys, err := account.NewPasskeys(nil, nil, o)
		if err != nil || keys.Offered(tt.host) != tt.offered {
			t.Errorf("%s: %+v, %v", name, o, err)
		}
	}
	r := newStaffRoom(t)
	none, err := account.NewPasskeys(r.People, box(t, oldKey), account.PasskeyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = none.BeginEntry()
	is(t, err, "passkeys_unavailable")
	_, _, err = none.FinishEntry(ctx, nil, strings.NewReader(""), "", "")
	is(t, err, "passkeys_unavailable")
}
