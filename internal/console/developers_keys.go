package console

import (
	"errors"
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// devKeys is the list of keys.
type devKeys struct {
	Keys  []devKey
	Older string
}

// devKey is a key: never its secret.
type devKey struct {
	ID      frontdesk.ID
	Name    string
	Prefix  string
	Status  string // active, ending, revoked or expired
	Usable  bool
	All     bool // has every scope of its mode
	Scopes  []devScope
	Created string
	Expires string
	Ended   string // when it was revoked, or will be
	Used    string // "": never
	Maker   string // who made it; "": not known any more
	Beyond  bool   // it may do more than who looks at it, who cannot replace it
}

// devScope is something that a key opens.
type devScope struct {
	Name   string
	Words  string
	Chosen bool
}

// devKeyPage is one key, and what can be done with it.
type devKeyPage struct {
	devKey
	Form   frontdesk.ID
	Graces []choice
}

// devKeyForm asks for a key.
type devKeyForm struct {
	Form    frontdesk.ID
	Name    string
	Scopes  []devScope
	Expires []choice
	Fault   devFault
}

// lifetimes are how long a key can work, by the names of the form.
var lifetimes = []struct {
	name string
	time.Duration
}{{"never", 0}, {"month", 30 * 24 * time.Hour}, {"quarter", 90 * 24 * time.Hour}, {"year", 365 * 24 * time.Hour}}

func (c developersScreen) listKeys(v *visit) (answer, error) {
	page, err := startingAfter(v)
	if err != nil {
		return answer{}, err
	}
	list, err := c.store.OwnKeys(v.Context(), v.owner(), page)
	if err != nil {
		return answer{}, err
	}
	makers, err := c.store.MakersOfKeys(v.Context(), v.owner())
	if err != nil {
		return answer{}, err
	}
	data := devKeys{}
	for _, k := range list.Items {
		data.Keys = append(data.Keys, newDevKey(v, k, makers))
		data.Older = older("developers", list.More, k.ID)
	}
	return v.page("dev_keys", data)
}

func newDevKey(v *visit, k frontdesk.Key, makers map[frontdesk.ID]frontdesk.Actor) devKey {
	d := devKey{
		ID: k.ID, Name: k.Name, Prefix: k.Prefix, Status: keyStatus(k, v.now), Usable: k.Usable(v.now) == nil,
		All:     len(k.Scopes) == len(frontdesk.ScopesFor(k.Live)),
		Created: momentOf(v, k.CreatedAt), Expires: momentOf(v, k.ExpiresAt), Ended: momentOf(v, k.RevokedAt), Used: momentOf(v, k.LastUsedAt),
		Maker: makers[k.ID].Name, Beyond: checkRole(v, k.Scopes) != nil,
	}
	for _, name := range k.Scopes {
		d.Scopes = append(d.Scopes, newScope(v, name))
	}
	return d
}

func newScope(v *visit, name string) devScope {
	return devScope{Name: name, Words: v.say("scope_" + strings.ReplaceAll(name, ":", "_"))}
}

// keyStatus is active, ending (replaced, in its grace), revoked or expired.
func keyStatus(k frontdesk.Key, now time.Time) string {
	var e *frontdesk.Error
	switch {
	case errors.As(k.Usable(now), &e):
		return strings.TrimPrefix(e.Code, "api_key_")
	case !k.RevokedAt.IsZero():
		return "ending"
	}
	return "active"
}

func (c developersScreen) showKey(v *visit) (answer, error) {
	id, err := v.pathID("key")
	if err != nil {
		return answer{}, err
	}
	k, err := c.store.OwnKey(v.Context(), v.owner(), id)
	if err != nil {
		return answer{}, err
	}
	makers, err := c.store.MakersOfKeys(v.Context(), v.owner())
	if err != nil {
		return answer{}, err
	}
	return v.page("dev_key", devKeyPage{newDevKey(v, k, makers), newForm(v), graceChoices(v)})
}

// newKey is the form for a key. Who has not chosen lets it read.
func (c developersScreen) newKey(v *visit) (answer, error) {
	var reading []string
	for _, name := range frontdesk.ScopesFor(v.owner().Live) { // the form leaves those out that the role does not give
		if strings.HasSuffix(name, ":read") {
			reading = append(reading, name)
		}
	}
	return v.page("dev_key_form", newKeyForm(v, "", reading, lifetimes[0].name))
}

func newKeyForm(v *visit, name string, scopes []string, expires string) devKeyForm {
	f := devKeyForm{Form: newForm(v), Name: name}
	for _, scope := range frontdesk.ScopesFor(v.owner().Live) {
		if checkRole(v, []string{scope}) != nil {
			continue
		}
		s := newScope(v, scope)
		s.Chosen = slices.Contains(scopes, scope)
		f.Scopes = append(f.Scopes, s)
	}
	for _, l := range lifetimes {
		f.Expires = append(f.Expires, choice{v.say("dev_expires_" + l.name), l.name, l.name == expires})
	}
	return f
}

// createKey makes a key of this mode and shows it.
func (c developersScreen) createKey(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	return c.once(v, devSecret{Tab: "keys", Back: "developers"}, func() (answer, error) {
		name, scopes, expires := v.field("name"), v.http.PostForm["scopes"], v.field("expires")
		key, secret, err := c.makeKey(v, name, scopes, expires)
		if fault, is := devFaultOf(v, err, "name", "scopes", "expires"); is {
			form := newKeyForm(v, name, scopes, expires)
			form.Fault = fault
			return v.render(400, "dev_key_form", form)
		}
		if err != nil {
			return answer{}, err
		}
		return showSecret(v, devSecret{Tab: "keys", Name: key.Name, Secret: secret.Reveal(), Back: "developers"})
	})
}

// scopeRoles are who gives a key a scope. Whoever makes a key has its secret and can
// do what it opens, so it opens no more than the console does to their role:
// developers see calls, the business, and captures in the events and deliveries
// they see to; what callers are told from the knowledge is no secret to them. The
// book, the business and the answers are changed by others, and the figures of
// the plan are the owner's.
var scopeRoles = map[string]roles{
	"agents:read": developers, "agents:write": owners,
	"calls:read":    developers,
	"captures:read": developers, "captures:write": owners,
	"connections:read": developers, "connections:write": developers,
	"knowledge:read": developers, "knowledge:write": owners,
	"usage:read": owners,
}

// checkRole refuses scopes that the role of who asks does not give.
func checkRole(v *visit, scopes []string) error {
	for _, name := range scopes {
		if !scopeRoles[name].let(v.person.Role) {
			return &frontdesk.Error{
				Kind: frontdesk.Invalid, Code: "scope_beyond_role", Param: "scopes",
				Message: "A key may do no more than you. Ask an owner of the business for one with " + name + ".",
			}
		}
	}
	return nil
}

func (c developersScreen) makeKey(v *visit, name string, scopes []string, expires string) (frontdesk.Key, frontdesk.Secret, error) {
	granted, err := frontdesk.CheckScopes(v.owner().Live, scopes)
	if err != nil {
		return frontdesk.Key{}, "", err
	}
	if err := checkRole(v, granted); err != nil {
		return frontdesk.Key{}, "", err
	}
	for _, l := range lifetimes {
		if l.name == expires {
			return c.keys.Create(v.Context(), account.NewKey{
				By: v.person.Actor(), Tenant: v.tenant, Live: v.owner().Live, Name: name, Scopes: scopes, ExpiresIn: l.Duration,
			})
		}
	}
	return frontdesk.Key{}, "", frontdesk.InvalidParam("expires", "There is no such time.")
}

// rotateKey replaces a key by a new one and shows it.
func (c developersScreen) rotateKey(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	id, err := v.pathID("key")
	if err != nil {
		return answer{}, err
	}
	grace, err := readGrace(v)
	if err != nil {
		return answer{}, err
	}
	before, err := c.store.OwnKey(v.Context(), v.owner(), id)
	if err != nil {
		return answer{}, err
	}
	if err := checkRole(v, before.Scopes); err != nil { // the new secret would be theirs
		return told(v, "developers/keys/"+string(id), err)
	}
	return c.once(v, devSecret{Tab: "keys", Back: "developers"}, func() (answer, error) {
		key, secret, err := c.keys.RotateOwn(v.Context(), v.owner(), v.person.Actor(), id, grace)
		if isUnauthorized(err) { // it has ended: there is nothing to replace
			return v.done(v.base()+"developers/keys/"+string(id), said{Text: v.say("dev_key_ended")}), nil
		}
		if err != nil {
			return answer{}, err
		}
		return showSecret(v, devSecret{
			Tab: "keys", Name: key.Name, Secret: secret.Reveal(), OldEnd: v.moment(c.now().Add(grace).In(v.zone)), Back: "developers",
		})
	})
}

func (c developersScreen) revokeKey(v *visit) (answer, error) {
	id, err := v.pathID("key")
	if err != nil {
		return answer{}, err
	}
	if err := c.keys.RevokeOwn(v.Context(), v.owner(), v.person.Actor(), id); err != nil {
		return answer{}, err
	}
	return v.done(v.base()+"developers", said{Text: v.say("dev_key_revoked")}), nil
}
