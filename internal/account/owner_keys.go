package account

import (
	"context"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// RotateOwn is Rotate of one of the owner's keys, of its mode alone.
func (k *Keys) RotateOwn(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID, grace time.Duration) (frontdesk.Key, frontdesk.Secret, error) {
	if _, err := k.store.OwnKey(ctx, owner, id); err != nil {
		return frontdesk.Key{}, "", err
	}
	return k.Rotate(ctx, by, id, grace)
}

// RevokeOwn is Revoke of one of the owner's keys, of its mode alone.
func (k *Keys) RevokeOwn(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID) error {
	if _, err := k.store.OwnKey(ctx, owner, id); err != nil {
		return err
	}
	return k.Revoke(ctx, by, id)
}
