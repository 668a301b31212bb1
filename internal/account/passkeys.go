package account

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store"
)

const (
	challengeLasts   = 5 * time.Minute
	maxPasskeys      = 20      // of one person
	maxPasskeyName   = 60      // characters
	maxPasskeyAnswer = 1 << 16 // bytes of what a browser sends
)

// PasskeyOptions say for which site passkeys are made.
type PasskeyOptions struct {
	Domain  string   // "": none are offered
	Origins []string // that browsers may be at
}

// PasskeysAt are the options of a server that people reach at a public address, or
// without one on its own machine. Passkeys belong to a domain name and need https:
// at an IP address there are none, and without https on localhost alone.
func PasskeysAt(publicURL, listen string) PasskeyOptions {
	address := publicURL
	if address == "" {
		_, port, err := net.SplitHostPort(listen)
		if err != nil {
			return PasskeyOptions{}
		}
		address = "http://" + net.JoinHostPort("localhost", port)
	}
	u, err := url.Parse(address)
	if err != nil || net.ParseIP(u.Hostname()) != nil || u.Scheme != "https" && u.Hostname() != "localhost" {
		return PasskeyOptions{}
	}
	return PasskeyOptions{Domain: strings.ToLower(u.Hostname()), Origins: []string{strings.TrimSuffix(address, "/")}}
}

// Passkeys are credentials by which people enter without a link. It is safe for
// concurrent use.
//
// A passkey answers a challenge. Between the question and the answer the browser
// keeps the challenge, in a state that is sealed here: the package that checks the
// answer does not rely on who carries it. A state works for five minutes, and once:
// that it was answered is noted in the transaction that makes the session. The
// counter of a passkey would not do for that: those that are kept in an account
// with a vendor always count 0.
type Passkeys struct {
	people *People
	box    *seal.Box
	domain string
	site   *webauthn.WebAuthn // nil: none are offered
}

// NewPasskeys returns the passkeys of people, for a site.
func NewPasskeys(people *People, box *seal.Box, o PasskeyOptions) (*Passkeys, error) {
	p := &Passkeys{people: people, box: box, domain: o.Domain}
	if o.Domain == "" {
		return p, nil
	}
	site, err := webauthn.New(&webauthn.Config{
		RPID: o.Domain, RPDisplayName: "frontdesk", RPOrigins: o.Origins, AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(), UserVerification: protocol.VerificationPreferred,
		},
		// Nothing depends on extensions, and some password managers answer unasked.
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
		Timeouts:                          webauthn.TimeoutsConfig{Login: webauthn.TimeoutConfig{Timeout: challengeLasts}, Registration: webauthn.TimeoutConfig{Timeout: challengeLasts}},
	})
	if err != nil {
		return nil, fmt.Errorf("preparing passkeys for %s: %w", o.Domain, err)
	}
	p.site = site
	return p, nil
}

// Offered says whether a browser that asked for a host, with or without its port,
// can use passkeys.
func (p *Passkeys) Offered(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return p.site != nil && strings.EqualFold(host, p.domain)
}

// List lists the passkeys of a person, first come first.
func (p *Passkeys) List(ctx context.Context, person frontdesk.Person) ([]frontdesk.Passkey, error) {
	return p.people.store.Passkeys(ctx, person.ID)
}

// Rename gives one of a person's passkeys another name.
func (p *Passkeys) Rename(ctx context.Context, person frontdesk.Person, id []byte, name string) error {
	return p.people.store.RenamePasskey(ctx, person.ID, id, passkeyName(name))
}

// Remove removes one of a person's passkeys. Sessions that it began go on.
func (p *Passkeys) Remove(ctx context.Context, person frontdesk.Person, id []byte) error {
	return p.people.store.RemovePasskey(ctx, person.ID, id)
}

func passkeyName(name string) string { return cmp.Or(clip(name, maxPasskeyName), "Passkey") }

// BeginRegister asks a person's browser for a new passkey: the options are for
// navigator.credentials.create, the state is for FinishRegister.
func (p *Passkeys) BeginRegister(ctx context.Context, person frontdesk.Person) (options, state []byte, err error) {
	if p.site == nil {
		return nil, nil, NoPasskeys()
	}
	kept, err := p.people.store.Passkeys(ctx, person.ID)
	if err != nil {
		return nil, nil, err
	}
	if len(kept) >= maxPasskeys {
		return nil, nil, frontdesk.TooManyPasskeys(maxPasskeys)
	}
	has := holder{person: person}
	for _, k := range kept {
		if err := has.add(k); err != nil {
			return nil, nil, err
		}
	}
	asked, session, err := p.site.BeginRegistration(has, webauthn.WithExclusions(webauthn.Credentials(has.credentials).CredentialDescriptors()))
	if err != nil {
		return nil, nil, fmt.Errorf("asking for a passkey: %w", err)
	}
	return p.ask(asked, registering(person), session)
}

// FinishRegister keeps the passkey that a browser made in answer to
// BeginRegister, under a name that the person gives it.
func (p *Passkeys) FinishRegister(ctx context.Context, person frontdesk.Person, state []byte, body io.Reader, name string) (frontdesk.Passkey, error) {
	c, answer, err := p.open(registering(person), state, body)
	if err != nil {
		return frontdesk.Passkey{}, err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return frontdesk.Passkey{}, invalidPasskey(err)
	}
	made, err := p.site.CreateCredential(holder{person: person}, c.Session, parsed)
	if err != nil {
		return frontdesk.Passkey{}, invalidPasskey(err)
	}
	data, err := json.Marshal(made)
	if err != nil {
		return frontdesk.Passkey{}, fmt.Errorf("writing a passkey down: %w", err)
	}
	k := frontdesk.Passkey{ID: made.ID, PersonID: person.ID, Name: passkeyName(name), Data: data, CreatedAt: p.people.now().Truncate(time.Microsecond).UTC()}
	added, err := p.people.store.AddPasskey(ctx, k, c.answered(), maxPasskeys)
	if err != nil {
		return frontdesk.Passkey{}, err
	}
	if !added {
		return frontdesk.Passkey{}, invalidPasskey(errors.New("the challenge was answered before, or the passkey is there already"))
	}
	return k, nil
}

// BeginEntry asks a browser for any passkey that it has for this site: the options
// are for navigator.credentials.get, the state is for FinishEntry.
func (p *Passkeys) BeginEntry() (options, state []byte, err error) {
	if p.site == nil {
		return nil, nil, NoPasskeys()
	}
	asked, session, err := p.site.BeginDiscoverableLogin()
	if err != nil {
		return nil, nil, fmt.Errorf("asking for a passkey: %w", err)
	}
	return p.ask(asked, entering, session)
}

// FinishEntry lets in who answered BeginEntry with a passkey: it makes a session,
// whose secret cannot be had again.
func (p *Passkeys) FinishEntry(ctx context.Context, state []byte, body io.Reader, browser, address string) (Visitor, frontdesk.Secret, error) {
	c, answer, err := p.open(entering, state, body)
	if err != nil {
		return Visitor{}, "", err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return Visitor{}, "", invalidPasskey(err)
	}
	k, next, err := p.check(ctx, c.Session, parsed)
	if err != nil {
		return Visitor{}, "", err
	}
	session, secret := p.people.newSession(browser, address)
	v, used, err := p.people.store.UsePasskey(ctx, k, next, c.answered(), session)
	if err != nil {
		return Visitor{}, "", err
	}
	if !used {
		return Visitor{}, "", invalidPasskey(errors.New("the challenge was answered before, or the passkey was used or removed meanwhile"))
	}
	return entered(v, session), secret, nil
}

// check finds the passkey that was answered with and holds the answer to it. next
// is what is kept of the passkey from now on.
func (p *Passkeys) check(ctx context.Context, session webauthn.SessionData, parsed *protocol.ParsedCredentialAssertionData) (k frontdesk.Passkey, next []byte, err error) {
	var lookUp error
	_, used, err := p.site.ValidatePasskeyLogin(func(id, _ []byte) (webauthn.User, error) {
		var v store.Visitor
		if k, v, lookUp = p.people.store.PasskeyByID(ctx, id); lookUp != nil {
			return nil, lookUp
		}
		// The library holds the user handle of the answer to this person.
		has := holder{person: v.Person}
		lookUp = has.add(k)
		return has, lookUp
	}, session, parsed)
	switch {
	case lookUp != nil && !isMissing(lookUp):
		return k, nil, lookUp
	case err != nil:
		return k, nil, invalidPasskey(err)
	case used.Authenticator.CloneWarning:
		return k, nil, invalidPasskey(errors.New("its counter went back: there may be a copy of it"))
	}
	next, err = json.Marshal(used)
	return k, next, err
}

// The places that states are sealed for: an answer to one question is none to
// another, nor to another person's.
const entering = "passkey entry"

func registering(person frontdesk.Person) string { return "passkey of " + string(person.ID) }

// challenge is what a browser keeps between the question and its answer.
type challenge struct {
	Session webauthn.SessionData `json:"session"`
	Until   time.Time            `json:"until"`
}

// answered is what is noted once the challenge was answered.
func (c challenge) answered() store.Challenge {
	return store.Challenge{Hash: frontdesk.HashConsoleToken(c.Session.Challenge), ExpiresAt: c.Until}
}

func (p *Passkeys) ask(asked any, place string, session *webauthn.SessionData) (options, state []byte, err error) {
	options, err = json.Marshal(asked)
	if err != nil {
		return nil, nil, fmt.Errorf("asking for a passkey: %w", err)
	}
	kept, err := json.Marshal(challenge{Session: *session, Until: p.people.now().Add(challengeLasts)})
	if err != nil {
		return nil, nil, fmt.Errorf("keeping a challenge: %w", err)
	}
	return options, p.box.Seal(place, kept), nil
}

// open opens a state that was sealed for a place, and reads the answer.
func (p *Passkeys) open(place string, state []byte, body io.Reader) (c challenge, answer []byte, err error) {
	if p.site == nil {
		return c, nil, NoPasskeys()
	}
	kept, err := p.box.Open(place, state)
	if err != nil {
		return c, nil, invalidPasskey(err)
	}
	if err := json.Unmarshal(kept, &c); err != nil {
		return c, nil, invalidPasskey(err)
	}
	if !p.people.now().Before(c.Until) {
		return c, nil, invalidPasskey(errors.New("the challenge has expired"))
	}
	answer, err = io.ReadAll(io.LimitReader(body, maxPasskeyAnswer+1))
	if err != nil {
		return c, nil, invalidPasskey(fmt.Errorf("reading the answer: %w", err))
	}
	if len(answer) > maxPasskeyAnswer {
		return c, nil, invalidPasskey(fmt.Errorf("the answer has more than %d bytes", maxPasskeyAnswer))
	}
	return c, answer, nil
}

// holder is a person with passkeys, as the library asks for them.
type holder struct {
	person      frontdesk.Person
	credentials []webauthn.Credential
}

func (h *holder) add(k frontdesk.Passkey) error {
	var c webauthn.Credential
	if err := json.Unmarshal(k.Data, &c); err != nil {
		return fmt.Errorf("reading a passkey of %s: %w", k.PersonID, err)
	}
	h.credentials = append(h.credentials, c)
	return nil
}

func (h holder) WebAuthnID() []byte                         { return []byte(h.person.ID) }
func (h holder) WebAuthnName() string                       { return cmp.Or(h.person.Email, h.person.Name) }
func (h holder) WebAuthnDisplayName() string                { return h.person.Name }
func (h holder) WebAuthnCredentials() []webauthn.Credential { return h.credentials }

func invalidPasskey(cause error) error {
	var known *protocol.Error
	if errors.As(cause, &known) && known.DevInfo != "" {
		cause = fmt.Errorf("%w: %s", cause, known.DevInfo)
	}
	return &frontdesk.Error{
		Kind: frontdesk.Unauthorized, Code: "passkey_invalid", Cause: cause,
		Message: "This passkey was not accepted, or it took longer than five minutes. Try again, or sign in with a link.",
	}
}

// NoPasskeys is the error for who asks for a passkey where there are none.
func NoPasskeys() *frontdesk.Error {
	return &frontdesk.Error{
		Kind: frontdesk.NotFound, Code: "passkeys_unavailable",
		Message: "Passkeys need a domain name and https. Sign in with a link; for passkeys, set FRONTDESK_PUBLIC_URL to an https address with a domain name.",
	}
}
