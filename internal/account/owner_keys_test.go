package account_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// Whoever names a key of another tenant, or of the other mode, finds none, and
// the key works on.
func TestKeysOfOthersStay(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	k, key := d.create(t, account.NewKey{Live: true})
	other := storetest.Tenant(t, d.store, "rizos")
	for who, owner := range map[string]frontdesk.Owner{
		"another tenant": {TenantID: other.ID, Live: true},
		"the other mode": {TenantID: d.tenant.ID, Live: false},
	} {
		_, _, err := d.RotateOwn(ctx, owner, frontdesk.Actor{}, k.ID, 0)
		is(t, err, "not_found")
		is(t, d.RevokeOwn(ctx, owner, frontdesk.Actor{}, k.ID), "not_found")
		if all, err := d.store.Keys(ctx, d.tenant.ID); err != nil || len(all) != 1 {
			t.Errorf("%s left %v, %v", who, all, err)
		}
	}
	d.authenticate(t, key, "")

	owner := frontdesk.Owner{TenantID: d.tenant.ID, Live: true}
	next, secret, err := d.RotateOwn(ctx, owner, frontdesk.Actor{}, k.ID, 0)
	is(t, err, "")
	d.authenticate(t, secret.Reveal(), "")
	is(t, d.RevokeOwn(ctx, owner, frontdesk.Actor{}, next.ID), "")
	d.Forward(2e9) // what the cache believes in is over
	d.authenticate(t, key, "api_key_revoked")
	d.authenticate(t, secret.Reveal(), "api_key_revoked")
}
