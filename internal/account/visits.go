package account

import (
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// seenEvery is how far apart it is written down that a session was seen.
const seenEvery = time.Minute

// How much is kept of what a browser says about itself, in characters.
const (
	maxBrowser = 300
	maxAddress = 64
)

// pruneBatch is how many expired rows of each kind are deleted at once.
const pruneBatch = 500

// Link makes a link that lets a person in, once. The person was found already:
// among the owner's people, or by an e-mail address.
func (p *People) Link(ctx context.Context, person frontdesk.Person, purpose frontdesk.LinkPurpose) (frontdesk.Secret, error) {
	return p.LinkBy(ctx, frontdesk.Actor{}, person, purpose)
}

// LinkBy is Link by somebody else than the person, whom the audit log names.
func (p *People) LinkBy(ctx context.Context, by frontdesk.Actor, person frontdesk.Person, purpose frontdesk.LinkPurpose) (frontdesk.Secret, error) {
	token, now := frontdesk.NewConsoleToken(), p.now()
	err := p.store.AddConsoleLink(ctx, by, frontdesk.ConsoleLink{
		Hash: frontdesk.HashConsoleToken(token.Reveal()), PersonID: person.ID, Purpose: purpose, CreatedAt: now, ExpiresAt: now.Add(purpose.Lasts()),
	})
	if err != nil {
		return "", err
	}
	return token, nil
}

// Inspect says whom a link lets in, and leaves it as it is: programs that look at
// the links in a mail do not use them up.
func (p *People) Inspect(ctx context.Context, token string) (frontdesk.Person, frontdesk.Tenant, frontdesk.LinkPurpose, error) {
	hash, ok := frontdesk.ParseConsoleToken(token)
	if !ok {
		return frontdesk.Person{}, frontdesk.Tenant{}, "", invalidLink(nil)
	}
	l, v, err := p.store.ConsoleLinkByHash(ctx, hash, p.now())
	if isMissing(err) {
		return frontdesk.Person{}, frontdesk.Tenant{}, "", invalidLink(err)
	}
	if err != nil {
		return frontdesk.Person{}, frontdesk.Tenant{}, "", err
	}
	return v.Person, v.Tenant, l.Purpose, nil
}

// Enter uses a link up and makes a session, whose secret cannot be had again.
func (p *People) Enter(ctx context.Context, token, browser, address string) (Visitor, frontdesk.Secret, error) {
	hash, ok := frontdesk.ParseConsoleToken(token)
	if !ok {
		return Visitor{}, "", invalidLink(nil)
	}
	session, secret := p.newSession(browser, address)
	v, used, err := p.store.UseConsoleLink(ctx, hash, session)
	if err != nil {
		return Visitor{}, "", err
	}
	if !used {
		return Visitor{}, "", invalidLink(nil)
	}
	return entered(v, session), secret, nil
}

// newSession is a session of nobody yet, and its secret.
func (p *People) newSession(browser, address string) (frontdesk.ConsoleSession, frontdesk.Secret) {
	secret, now := frontdesk.NewConsoleToken(), p.now().Truncate(time.Microsecond).UTC()
	return frontdesk.ConsoleSession{
		ID: frontdesk.NewID(now), Hash: frontdesk.HashConsoleToken(secret.Reveal()), Browser: clip(browser, maxBrowser), Address: clip(address, maxAddress),
		CreatedAt: now, SeenAt: now, ExpiresAt: now.Add(frontdesk.SessionLasts),
	}, secret
}

func entered(v store.Visitor, session frontdesk.ConsoleSession) Visitor {
	session.PersonID = v.Person.ID
	return Visitor{Person: v.Person, Tenant: v.Tenant, Session: session}
}

// clip is the beginning of a text that others wrote, as it can be kept and shown.
func clip(text string, most int) string {
	runes := []rune(text[:min(len(text), utf8.UTFMax*most)])
	for i, r := range runes {
		if r == utf8.RuneError || unicode.IsControl(r) {
			runes[i] = ' '
		}
	}
	return strings.TrimSpace(string(runes[:min(len(runes), most)]))
}

// Session says whose a session is, and notes that it was seen at an address.
func (p *People) Session(ctx context.Context, token, address string) (Visitor, error) {
	hash, ok := frontdesk.ParseConsoleToken(token)
	if !ok {
		return Visitor{}, invalidSession(nil)
	}
	now := p.now()
	v, known := p.recall(hash, now)
	if !known {
		var err error
		if v, err = p.lookUp(ctx, hash, now); err != nil {
			return Visitor{}, err
		}
	}
	if !now.Before(v.Session.ExpiresAt) {
		return Visitor{}, invalidSession(nil)
	}
	p.noteSeen(v, address, now)
	return v, nil
}

func (p *People) recall(hash frontdesk.ConsoleHash, now time.Time) (Visitor, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t, ok := p.trusted[hash]
	return t.visitor, ok && now.Before(t.until)
}

func (p *People) lookUp(ctx context.Context, hash frontdesk.ConsoleHash, now time.Time) (Visitor, error) {
	session, whose, err := p.store.ConsoleSessionByHash(ctx, hash)
	if isMissing(err) {
		return Visitor{}, invalidSession(err)
	}
	if err != nil {
		return Visitor{}, err
	}
	v := entered(whose, session)
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.trusted) >= maxTrusted {
		clear(p.trusted)
	}
	p.trusted[hash] = trustedVisitor{v, now.Add(trustFor)}
	return v, nil
}

// forget stops believing in the sessions of a person on this node.
func (p *People) forget(person frontdesk.ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for hash, t := range p.trusted {
		if t.visitor.Person.ID == person {
			delete(p.trusted, hash)
		}
	}
}

func (p *People) noteSeen(v Visitor, address string, now time.Time) {
	if now.Sub(v.Session.SeenAt) < seenEvery {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen[v.Session.ID] = store.Sighting{Person: v.Person.ID, Address: clip(address, maxAddress), At: now}
}

// WriteSeen writes down when sessions were seen, which then last longer: all of
// them in one go, so that no request waits for it.
func (p *People) WriteSeen(ctx context.Context) error {
	p.mu.Lock()
	seen := p.seen
	p.seen = map[frontdesk.ID]store.Sighting{}
	p.mu.Unlock()
	if len(seen) == 0 {
		return nil
	}
	err := p.store.ConsoleSessionsSeenForWorker(ctx, seen)
	if err != nil { // with the next ones
		p.mu.Lock()
		defer p.mu.Unlock()
		for id, s := range seen {
			if p.seen[id].At.Before(s.At) {
				p.seen[id] = s
			}
		}
	}
	return err
}

// Leave ends the session of which the browser shows the secret.
func (p *People) Leave(ctx context.Context, token string) error {
	hash, ok := frontdesk.ParseConsoleToken(token)
	if !ok {
		return nil
	}
	p.mu.Lock()
	delete(p.trusted, hash)
	p.mu.Unlock()
	return p.store.EndConsoleSessionByHash(ctx, hash)
}

// Sessions lists where a person has entered, the browser seen last first.
func (p *People) Sessions(ctx context.Context, person frontdesk.Person) ([]frontdesk.ConsoleSession, error) {
	return p.store.ConsoleSessions(ctx, person.ID, p.now())
}

// EndSession ends one of a person's sessions.
func (p *People) EndSession(ctx context.Context, person frontdesk.Person, id frontdesk.ID) error {
	err := p.store.EndConsoleSession(ctx, person.ID, id)
	p.forget(person.ID)
	return err
}

// EndOtherSessions ends all of a person's sessions but one, and says how many;
// "" keeps none.
func (p *People) EndOtherSessions(ctx context.Context, person frontdesk.Person, but frontdesk.ID) (int, error) {
	ended, err := p.store.EndOtherConsoleSessions(ctx, person.ID, but)
	p.forget(person.ID)
	return int(ended), err
}

// Prune forgets sessions, links and challenges that have expired, some at a time.
func (p *People) Prune(ctx context.Context) error {
	for {
		gone, err := p.store.ForgetConsoleForWorker(ctx, p.now(), pruneBatch)
		if err != nil || gone == 0 {
			return err
		}
	}
}

func invalidLink(cause error) error {
	return &frontdesk.Error{
		Kind: frontdesk.Unauthorized, Code: "link_invalid", Cause: cause,
		Message: "This link does not work: it was used already, it has expired, or it was not copied whole. Ask for a new one on the page to sign in, or ask who sent it to you.",
	}
}

func invalidSession(cause error) error {
	return &frontdesk.Error{
		Kind: frontdesk.Unauthorized, Code: "session_invalid", Cause: cause,
		Message: "You are not signed in, or not any more. Sign in again.",
	}
}
