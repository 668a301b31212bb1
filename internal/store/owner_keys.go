package store

import (
	"context"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const selectOwnKeys = `SELECT ` + keyColumns + ` FROM api_keys k`

// OwnKeys lists the owner's keys, of its mode alone.
func (s *Store) OwnKeys(ctx context.Context, owner frontdesk.Owner, p frontdesk.Page) (frontdesk.List[frontdesk.Key], error) {
	return page(ctx, s, "listing an owner's keys", selectOwnKeys, owner, p, nil, scanOwnKey)
}

// OwnKey returns one of the owner's keys, of its mode alone.
func (s *Store) OwnKey(ctx context.Context, owner frontdesk.Owner, id frontdesk.ID) (frontdesk.Key, error) {
	return one(s.asking(ctx, "reading an owner's key"), "key", selectOwnKeys+` WHERE tenant_id = $1 AND live = $2 AND id = $3`,
		[]any{string(owner.TenantID), owner.Live, string(id)}, scanOwnKey)
}

func scanOwnKey(r row) (frontdesk.Key, error) { return scanKey(r) }
