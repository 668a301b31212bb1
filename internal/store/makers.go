package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// mostMakers is how far back it is looked up who made something.
const mostMakers = 2000

// Left is what somebody made that works without them.
type Left struct {
	Keys        []frontdesk.Key
	Connections []frontdesk.Connection
}

// Names are what people call what is left, for the audit log.
func (l Left) Names() (keys, connections []string) {
	for _, k := range l.Keys {
		keys = append(keys, k.Called()+" ("+k.Prefix+")")
	}
	for _, c := range l.Connections {
		connections = append(connections, c.Name)
	}
	return keys, connections
}

// MakersOfKeys says who made which of the owner's keys, as far as the audit log
// goes back.
func (s *Store) MakersOfKeys(ctx context.Context, owner frontdesk.Owner) (map[frontdesk.ID]frontdesk.Actor, error) {
	return makers(s.asking(ctx, "reading who made keys"), owner, "key")
}

// LeftBy is what a person made of the owner's, in both modes, and still works at
// now. The person may have been removed.
func (s *Store) LeftBy(ctx context.Context, owner frontdesk.Owner, person frontdesk.ID, now time.Time) (Left, error) {
	return leftBy(s.asking(ctx, "reading what a person made"), owner, person, now)
}

func leftBy(ask asks, owner frontdesk.Owner, person frontdesk.ID, now time.Time) (left Left, err error) {
	keys, err := makers(ask, owner, "key")
	if err != nil {
		return left, err
	}
	connections, err := makers(ask, owner, "connection")
	if err != nil {
		return left, err
	}
	tenant := []any{string(owner.TenantID)}
	err = ask(selectOwnKeys+` WHERE tenant_id = $1 ORDER BY id`, tenant, func(r row) error {
		k, err := scanKey(r)
		if err == nil && keys[k.ID].ID == person && k.Usable(now) == nil {
			left.Keys = append(left.Keys, k)
		}
		return err
	})
	if err != nil {
		return left, err
	}
	err = ask(selectConnections+` WHERE tenant_id = $1 ORDER BY id`, tenant, func(r row) error {
		c, err := scanConnection(r)
		if err == nil && connections[c.ID].ID == person && c.Status == frontdesk.ConnectionActive {
			left.Connections = append(left.Connections, c)
		}
		return err
	})
	return left, err
}

// makers says who made the things of a kind. A key that replaced another was made
// by who rotated that one and has seen the secret.
func makers(ask asks, owner frontdesk.Owner, kind string) (map[frontdesk.ID]frontdesk.Actor, error) {
	all := map[frontdesk.ID]frontdesk.Actor{}
	err := ask(`SELECT id, at, by_kind, by_name, by_id, action, object_id, object, changes FROM audit
		WHERE tenant_id = $1 AND kind = $2 AND action IN ($3, $4, $5) ORDER BY id DESC LIMIT $6 + 0`,
		[]any{string(owner.TenantID), kind, frontdesk.AuditKeyCreated, frontdesk.AuditKeyRotated, frontdesk.AuditConnectionCreated, mostMakers}, func(r row) error {
			e, err := scanAudit(r)
			if err == nil {
				all[madeIn(e)] = e.By
			}
			return err
		})
	return all, err
}

// madeIn is what was made in an entry.
func madeIn(e frontdesk.AuditEntry) frontdesk.ID {
	at := slices.IndexFunc(e.Changes, func(c frontdesk.FieldChange) bool { return c.Field == replacedBy })
	if at < 0 {
		return frontdesk.ID(e.ObjectID)
	}
	_, id, _ := strings.Cut(e.Changes[at].To, " ")
	return frontdesk.ID(id)
}

// replacedBy is the field of an entry that names the key which replaced another.
const replacedBy = "replaced_by"
