package account_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/service/servicetest"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

var ctx = context.Background()

// newClock is a clock that a test moves.
func newClock() *servicetest.Clock {
	return servicetest.NewClock(time.Date(2026, 11, 14, 9, 30, 0, 0, time.UTC))
}

type desk struct {
	*account.Keys
	*servicetest.Clock
	store  *store.Store
	tenant frontdesk.Tenant
}

func newDesk(t *testing.T) desk {
	t.Helper()
	s, c := storetest.New(t), newClock()
	return desk{account.NewKeys(s, c.Now), c, s, storetest.Tenant(t, s, "casa-lola")}
}

func (d desk) create(t *testing.T, n account.NewKey) (frontdesk.Key, string) {
	t.Helper()
	n.Tenant = d.tenant
	if n.Scopes == nil {
		n.Scopes = []string{"all"}
	}
	k, secret, err := d.Create(ctx, n)
	if err != nil {
		t.Fatal(err)
	}
	return k, secret.Reveal()
}

// is wants err to be an Error with the code; "" wants none.
func is(t *testing.T, err error, code string) {
	t.Helper()
	var e *frontdesk.Error
	switch {
	case code == "" && err != nil:
		t.Errorf("refused: %v", err)
	case code != "" && (!errors.As(err, &e) || e.Code != code || e.Message == ""):
		t.Errorf("got %v, want %s", err, code)
	}
}

func (d desk) authenticate(t *testing.T, key, code string) account.Credential {
	t.Helper()
	c, err := d.Authenticate(ctx, key, false)
	is(t, err, code)
	if err != nil && !reflect.DeepEqual(c, account.Credential{}) {
		t.Errorf("an error and %+v", c)
	}
	return c
}

func TestAuthenticate(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for _, live := range []bool{true, false} {
		k, key := d.create(t, account.NewKey{Live: live, Name: "till"})
		for range 2 { // from the store, then from memory
			c := d.authenticate(t, key, "")
			if c.Key.ID != k.ID || c.Tenant.Slug != "casa-lola" || c.Owner() != (frontdesk.Owner{TenantID: d.tenant.ID, Live: live}) || !slices.Equal(c.Key.Scopes, frontdesk.ScopesFor(live)) {
				t.Errorf("got %+v", c)
			}
		}
	}
	d.authenticate(t, frontdesk.NewKeySecret(true).Reveal(), "api_key_invalid")
	d.authenticate(t, "", "api_key_invalid")
}

// The letters of a live key with the prefix of test mode are another key.
func TestTheModeIsPartOfTheKey(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	_, key := d.create(t, account.NewKey{Live: false})
	d.authenticate(t, "svc_live_"+key[9:], "api_key_invalid")
}

func TestABadChecksumNeverAsksTheStore(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	_, key := d.create(t, account.NewKey{Live: true})
	if err := d.store.Close(); err != nil {
		t.Fatal(err)
	}
	altered := []byte(key)
	altered[20]++
	for _, text := range []string{string(altered), "", "svc_live_", "Bearer " + key} {
		d.authenticate(t, text, "api_key_invalid")
	}
	// And one that is good does ask: this is not the answer to everything.
	if _, err := d.Authenticate(ctx, key, false); err == nil || errorCode(err) == "api_key_invalid" {
		t.Errorf("a good key on a closed store: %v", err)
	}
}

func errorCode(err error) string {
	var e *frontdesk.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func TestARevokedKeyStopsOnEveryNode(t *testing.T) {
	t.Parallel()
	url, c := storetest.URL(t), newClock()
	a := account.NewKeys(storetest.Open(t, url), c.Now)
	s := storetest.Open(t, url)
	b := desk{account.NewKeys(s, c.Now), c, s, storetest.Tenant(t, s, "a")}
	k, key := b.create(t, account.NewKey{Live: true})
	b.authenticate(t, key, "")
	if err := a.Revoke(ctx, frontdesk.Actor{}, k.ID); err != nil {
		t.Fatal(err)
	}
	// Node b may believe in it for a second; with fresh it asks at once.
	c.Forward(time.Second - time.Millisecond)
	b.authenticate(t, key, "")
	_, err := b.Authenticate(ctx, key, true)
	is(t, err, "api_key_revoked")
	b.authenticate(t, key, "api_key_revoked")
	_, err = a.Authenticate(ctx, key, false)
	is(t, err, "api_key_revoked")
}

func TestTheMemoryOfAKeyEnds(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	k, key := d.create(t, account.NewKey{Live: true})
	d.authenticate(t, key, "")
	if err := d.store.RevokeKey(ctx, frontdesk.Actor{}, k.ID, d.Now()); err != nil { // by another node
		t.Fatal(err)
	}
	d.authenticate(t, key, "")
	// Using it does not make the memory last longer.
	for range 4 {
		d.Forward(249 * time.Millisecond)
		d.authenticate(t, key, "")
	}
	d.Forward(4 * time.Millisecond)
	d.authenticate(t, key, "api_key_revoked")
}

func TestAnExpiredKeyStopsToTheMoment(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	_, key := d.create(t, account.NewKey{Live: true, ExpiresIn: 90 * time.Minute})
	d.Forward(90*time.Minute - time.Microsecond)
	d.authenticate(t, key, "")
	d.Forward(time.Microsecond) // though it is remembered
	d.authenticate(t, key, "api_key_expired")
}

func TestCreateRefuses(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for name, n := range map[string]account.NewKey{
		"no scopes":            {Tenant: d.tenant, Live: true},
		"an unknown scope":     {Tenant: d.tenant, Live: true, Scopes: []string{"everything"}},
		"a live scope in test": {Tenant: d.tenant, Scopes: []string{"agents:write"}},
		"an end in the past":   {Tenant: d.tenant, Live: true, Scopes: []string{"all"}, ExpiresIn: -1},
	} {
		if _, secret, err := d.Create(ctx, n); errorCode(err) != "parameter_invalid" || secret != "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if keys, err := d.store.Keys(ctx, d.tenant.ID); err != nil || len(keys) != 0 {
		t.Errorf("left behind: %v, %v", keys, err)
	}
}

func TestWriteUseWritesOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	k, key := d.create(t, account.NewKey{Live: true})
	lastUsed := func() time.Time {
		t.Helper()
		got, err := d.store.Key(ctx, k.ID)
		if err != nil {
			t.Fatal(err)
		}
		return got.LastUsedAt
	}
	d.authenticate(t, key, "")
	d.Forward(10 * time.Second)
	d.authenticate(t, key, "")
	last := d.Now()
	if !lastUsed().IsZero() {
		t.Error("a request wrote")
	}
	if err := d.WriteUse(ctx); err != nil || !lastUsed().Equal(last) {
		t.Errorf("used at %s, want %s, %v", lastUsed(), last, err)
	}
	// What is written is done with: it needs no store any more.
	if err := d.store.Close(); err != nil {
		t.Fatal(err)
	}
	if err := d.WriteUse(ctx); err != nil {
		t.Errorf("it was written again: %v", err)
	}
}

func TestRefusedKeysLeaveNoUse(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	k, key := d.create(t, account.NewKey{Live: true})
	if err := d.Revoke(ctx, frontdesk.Actor{}, k.ID); err != nil {
		t.Fatal(err)
	}
	d.authenticate(t, key, "api_key_revoked")
	if err := d.WriteUse(ctx); err != nil {
		t.Fatal(err)
	}
	if got, err := d.store.Key(ctx, k.ID); err != nil || !got.LastUsedAt.IsZero() {
		t.Errorf("used at %s, %v", got.LastUsedAt, err)
	}
}

func TestRotate(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	old, oldKey := d.create(t, account.NewKey{Live: true, Name: "till", Scopes: []string{"calls:read", "usage:read"}, ExpiresIn: 48 * time.Hour})
	d.Forward(time.Hour)
	next, secret, err := d.Rotate(ctx, frontdesk.Actor{}, old.ID, 10*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if next.ID == old.ID || next.Live != old.Live || next.Name != old.Name || !slices.Equal(next.Scopes, old.Scopes) || !next.ExpiresAt.Equal(old.ExpiresAt) || next.TenantID != old.TenantID {
		t.Errorf("the new key is %+v", next)
	}
	if c := d.authenticate(t, secret.Reveal(), ""); c.Tenant.ID != d.tenant.ID {
		t.Errorf("it belongs to %+v", c.Tenant)
	}
	d.Forward(10*time.Minute - time.Microsecond)
	d.authenticate(t, oldKey, "")
	d.Forward(time.Microsecond)
	d.authenticate(t, oldKey, "api_key_revoked")
	d.authenticate(t, secret.Reveal(), "")

	_, _, err = d.Rotate(ctx, frontdesk.Actor{}, old.ID, 0)
	is(t, err, "api_key_revoked")
	_, _, err = d.Rotate(ctx, frontdesk.Actor{}, frontdesk.NewID(d.Now()), 0)
	is(t, err, "not_found")

	_, third, err := d.Rotate(ctx, frontdesk.Actor{}, next.ID, 0) // no grace: at once
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Authenticate(ctx, secret.Reveal(), true)
	is(t, err, "api_key_revoked")
	d.authenticate(t, third.Reveal(), "")
}

func TestRevokeOfNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	is(t, d.Revoke(ctx, frontdesk.Actor{}, frontdesk.NewID(d.Now())), "not_found")
	k, key := d.create(t, account.NewKey{Live: true})
	for range 2 { // twice does no harm
		is(t, d.Revoke(ctx, frontdesk.Actor{}, k.ID), "")
	}
	d.authenticate(t, key, "api_key_revoked")
}

func TestEnsure(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	secret := frontdesk.KeySecretFrom(true, []byte("seed"))
	n := account.NewKey{Tenant: d.tenant, Live: true, Scopes: []string{"all"}}
	for range 3 {
		if err := d.Ensure(ctx, n, secret); err != nil {
			t.Fatal(err)
		}
	}
	keys, err := d.store.Keys(ctx, d.tenant.ID)
	if err != nil || len(keys) != 1 {
		t.Fatalf("there are %d keys, %v", len(keys), err)
	}
	d.authenticate(t, secret.Reveal(), "")
	// One that was revoked stays so.
	if err := d.Revoke(ctx, frontdesk.Actor{}, keys[0].ID); err != nil {
		t.Fatal(err)
	}
	if err := d.Ensure(ctx, n, secret); err != nil {
		t.Fatal(err)
	}
	d.Forward(time.Minute)
	d.authenticate(t, secret.Reveal(), "api_key_revoked")
	if err := d.Ensure(ctx, n, "no key"); err == nil {
		t.Error("something that is no key was made one")
	}
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	k, key := d.create(t, account.NewKey{Live: true})
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if c, err := d.Authenticate(ctx, key, false); err != nil || c.Key.ID != k.ID {
				t.Errorf("got %v, %v", c.Key.ID, err)
			}
			if err := d.WriteUse(ctx); err != nil {
				t.Error(err)
			}
			d.Forward(100 * time.Millisecond)
		})
	}
	wg.Wait()
}
