package account

import (
	"context"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// People are those who enter the console: they come in by a link or a passkey,
// and stay by a session. It is safe for concurrent use.
//
// A link is used up in the transaction that makes the session, so that two clicks
// make one. A session is believed in for a second without asking the database: one
// that was ended works that much longer, on every other node.
type People struct {
	store *store.Store
	now   func() time.Time

	mu      sync.Mutex
	trusted map[frontdesk.ConsoleHash]trustedVisitor
	seen    map[frontdesk.ID]store.Sighting // of sessions, not yet written
}

type trustedVisitor struct {
	visitor Visitor
	until   time.Time
}

// Visitor is a person who has entered. Tenant is zero for an operator.
type Visitor struct {
	Person  frontdesk.Person
	Tenant  frontdesk.Tenant
	Session frontdesk.ConsoleSession
}

// Owner is whose rows the visitor sees in a mode. An operator sees none this way.
func (v Visitor) Owner(live bool) frontdesk.Owner {
	return frontdesk.Owner{TenantID: v.Tenant.ID, Live: live}
}

// NewPeople returns the people kept in s.
func NewPeople(s *store.Store, now func() time.Time) *People {
	return &People{store: s, now: now, trusted: map[frontdesk.ConsoleHash]trustedVisitor{}, seen: map[frontdesk.ID]store.Sighting{}}
}

// NewPerson asks for a person.
type NewPerson struct {
	By       frontdesk.Actor
	Name     string
	Email    string
	Role     frontdesk.Role
	Language string // "": as their browser wishes
}

// People lists the owner's people, first come first.
func (p *People) People(ctx context.Context, owner frontdesk.Owner) ([]frontdesk.Person, error) {
	return p.store.People(ctx, owner)
}

// Person is one of the owner's people.
func (p *People) Person(ctx context.Context, owner frontdesk.Owner, id frontdesk.ID) (frontdesk.Person, error) {
	return p.store.Person(ctx, owner, id)
}

// ByEmail finds everybody with an e-mail address, of all tenants. What is told to
// who asks must not depend on whether there is anybody.
func (p *People) ByEmail(ctx context.Context, email string) ([]frontdesk.Person, error) {
	if !frontdesk.IsEmail(frontdesk.EmailKey(email)) {
		return nil, nil
	}
	return p.store.PeopleByEmail(ctx, email)
}

// Invite makes one of the owner's people and the link that lets them in.
func (p *People) Invite(ctx context.Context, owner frontdesk.Owner, n NewPerson) (frontdesk.Person, frontdesk.Secret, error) {
	invited, err := frontdesk.PersonChange{Name: &n.Name, Email: &n.Email, Role: &n.Role, Language: &n.Language}.Apply(p.newPerson(owner.TenantID))
	if err != nil {
		return frontdesk.Person{}, "", err
	}
	if err := p.store.AddPerson(ctx, owner, n.By, invited); err != nil {
		return frontdesk.Person{}, "", err
	}
	link, err := p.Link(ctx, invited, frontdesk.LinkInvites)
	return invited, link, err
}

func (p *People) newPerson(tenant frontdesk.ID) frontdesk.Person {
	now := p.now().Truncate(time.Microsecond).UTC()
	return frontdesk.Person{ID: frontdesk.NewID(now), TenantID: tenant, CreatedAt: now}
}

// Change changes one of the owner's people. The only owner stays one.
func (p *People) Change(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID, c frontdesk.PersonChange) (frontdesk.Person, error) {
	changed, err := p.store.ChangePerson(ctx, owner, by, id, c.Apply)
	if err == nil {
		p.forget(id)
	}
	return changed, err
}

// ChangeOperator changes an operator, who asks for it.
func (p *People) ChangeOperator(ctx context.Context, id frontdesk.ID, c frontdesk.PersonChange) (frontdesk.Person, error) {
	changed, err := p.store.ChangeOperator(ctx, id, c.Apply)
	if err == nil {
		p.forget(id)
	}
	return changed, err
}

// Remove removes one of the owner's people, with their sessions, links and
// passkeys. The only owner stays.
func (p *People) Remove(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID) error {
	err := p.store.RemovePerson(ctx, owner, by, id)
	if err == nil {
		p.forget(id)
	}
	return err
}

// SignOut ends all sessions of one of the owner's people.
func (p *People) SignOut(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID) error {
	_, err := p.store.SignOut(ctx, owner, by, id)
	p.forget(id)
	return err
}

// FirstOwner is a tenant's first owner: made with the tenant's name, if there is
// none.
func (p *People) FirstOwner(ctx context.Context, t frontdesk.Tenant) (frontdesk.Person, error) {
	made := p.newPerson(t.ID)
	made.Name, made.Role = t.Name, frontdesk.RoleOwner
	return p.store.FirstOwner(ctx, frontdesk.Owner{TenantID: t.ID, Live: true}, made)
}

// Operator is the first operator: made, if there is none.
func (p *People) Operator(ctx context.Context) (frontdesk.Person, error) {
	made := p.newPerson("")
	made.Name, made.Role = "Operator", frontdesk.RoleOperator
	return p.store.FirstOperator(ctx, made)
}
