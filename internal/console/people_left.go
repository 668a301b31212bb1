package console

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// leftPage is what somebody made who was removed, or is still here, and works
// without them, in both modes.
type leftPage struct {
	ID    frontdesk.ID
	Name  string
	Lines []leftLine
}

// leftLine is a key or a connection.
type leftLine struct {
	Kind string // key or connection
	ID   frontdesk.ID
	Mode string
	Name string
	What string // what a key begins with, or where a connection leads
	Used string // "": never
}

// readLeft is what a person of the address made. Who was removed is known by the
// audit log alone.
func (c peopleScreen) readLeft(v *visit) (p leftPage, left store.Left, err error) {
	if p.ID, err = v.pathID("person"); err != nil {
		return p, left, err
	}
	if p.Name, err = c.nameOf(v, p.ID); err != nil {
		return p, left, err
	}
	left, err = c.store.LeftBy(v.Context(), v.owner(), p.ID, c.now())
	for _, k := range left.Keys {
		p.Lines = append(p.Lines, leftLine{"key", k.ID, modeName(k.Live), k.Called(), k.Prefix, momentOf(v, k.LastUsedAt)})
	}
	for _, k := range left.Connections {
		p.Lines = append(p.Lines, leftLine{"connection", k.ID, modeName(k.Live), k.Name, k.URL, momentOf(v, k.Health.LastDeliveredAt)})
	}
	return p, left, err
}

func modeName(live bool) string {
	return modes[slices.IndexFunc(modes, func(m mode) bool { return m.live == live })].name
}

// nameOf is the name of a person who is here, or was.
func (c peopleScreen) nameOf(v *visit, id frontdesk.ID) (string, error) {
	here, err := c.people.Person(v.Context(), v.owner(), id)
	if e := exchange.Domain(err); e == nil || e.Kind != frontdesk.NotFound {
		return here.Name, err
	}
	list, err := c.store.Audit(v.Context(), v.owner(), frontdesk.AuditFilter{Action: frontdesk.AuditPersonRemoved, Object: string(id)}, frontdesk.Page{Limit: 1})
	if err != nil {
		return "", err
	}
	if len(list.Items) == 0 {
		return "", frontdesk.NoSuchPerson()
	}
	return list.Items[0].Object, nil
}

func (c peopleScreen) showLeft(v *visit) (answer, error) {
	p, _, err := c.readLeft(v)
	if err != nil {
		return answer{}, err
	}
	return v.page("people_left", p)
}

// revokeLeft ends a key, or turns a connection off, of what a person left.
func (c peopleScreen) revokeLeft(v *visit) (answer, error) {
	if err := v.readForm(); err != nil {
		return answer{}, err
	}
	p, left, err := c.readLeft(v)
	if err != nil {
		return answer{}, err
	}
	id, owner, name := frontdesk.ID(v.field("left")), v.owner(), ""
	for _, k := range left.Keys {
		if k.ID == id {
			owner.Live, name = k.Live, k.Called()
			err = c.keys.RevokeOwn(v.Context(), owner, v.person.Actor(), id)
		}
	}
	for _, k := range left.Connections {
		if k.ID == id {
			owner.Live, name = k.Live, k.Name
			_, err = c.webhooks.Disable(v.Context(), owner, v.person.Actor(), id, frontdesk.ByCustomer, "")
		}
	}
	if err != nil {
		return answer{}, err
	}
	address := v.base() + "people/" + string(p.ID) + "/left"
	if name == "" { // it has ended meanwhile
		return v.redirect(address), nil
	}
	return v.done(address, said{Text: v.say("people_left_revoked", "what", name)}), nil
}
