package store_test

import (
	"reflect"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

func newKey(tenant frontdesk.ID, live bool) (frontdesk.Secret, frontdesk.Key) {
	secret := frontdesk.NewKeySecret(live)
	hash, _ := frontdesk.ParseKey(secret.Reveal())
	return secret, frontdesk.Key{
		ID: frontdesk.NewID(day), TenantID: tenant, Live: live, Name: "till", Prefix: frontdesk.KeyPrefix(secret), Hash: hash,
		Scopes: frontdesk.ScopesFor(live), CreatedAt: day, ExpiresAt: day.AddDate(1, 0, 0),
	}
}

func TestKeyByHash(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	tenant := storetest.Tenant(t, s, "a")
	storetest.Tenant(t, s, "b")
	for _, live := range []bool{true, false} {
		secret, want := newKey(tenant.ID, live)
		if err := s.CreateKey(ctx, frontdesk.Actor{}, want); err != nil {
			t.Fatal(err)
		}
		hash, _ := frontdesk.ParseKey(secret.Reveal())
		got, owner, err := s.KeyByHash(ctx, hash)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
		}
		if owner.ID != tenant.ID || owner.Slug != "a" || owner.Timezone != tenant.Timezone || owner.Plan != tenant.Plan || !owner.CreatedAt.Equal(tenant.CreatedAt.Truncate(time.Microsecond)) {
			t.Errorf("it belongs to %+v", owner)
		}
		isKind(t, s.CreateKey(ctx, frontdesk.Actor{}, want), frontdesk.Conflict, "key_exists")
		hash[0]++
		_, _, err = s.KeyByHash(ctx, hash)
		isMissing(t, err)
	}
	if all, err := s.Keys(ctx, tenant.ID); err != nil || len(all) != 2 || all[0].ID < all[1].ID {
		t.Errorf("got %v, %v", all, err)
	}
}

// A key cannot belong to nobody.
func TestAKeyNeedsATenant(t *testing.T) {
	t.Parallel()
	_, k := newKey(frontdesk.NewID(day), true)
	if err := storetest.New(t).CreateKey(ctx, frontdesk.Actor{}, k); err == nil {
		t.Error("created")
	}
}

func TestRevokeKey(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	_, k := newKey(storetest.Tenant(t, s, "a").ID, true)
	if err := s.CreateKey(ctx, frontdesk.Actor{}, k); err != nil {
		t.Fatal(err)
	}
	// A key that has ended stays ended; one that is to end can end sooner.
	steps := []struct{ at, want time.Time }{
		{day.Add(time.Hour), day.Add(time.Hour)},
		{day.Add(time.Minute), day.Add(time.Minute)},
		{day.Add(2 * time.Hour), day.Add(time.Minute)},
	}
	for _, step := range steps {
		if err := s.RevokeKey(ctx, frontdesk.Actor{}, k.ID, step.at); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Key(ctx, k.ID); err != nil || !got.RevokedAt.Equal(step.want) {
			t.Errorf("revoked at %s: %s, %v", step.at, got.RevokedAt, err)
		}
	}
}

func TestReplaceKeyIsOneTransaction(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	tenant := storetest.Tenant(t, s, "a").ID
	_, old := newKey(tenant, true)
	_, next := newKey(tenant, true)
	if err := s.CreateKey(ctx, frontdesk.Actor{}, old); err != nil {
		t.Fatal(err)
	}
	taken := next
	taken.Hash = old.Hash
	isKind(t, s.ReplaceKey(ctx, frontdesk.Actor{}, old.ID, day, taken), frontdesk.Conflict, "key_exists")
	if got, err := s.Key(ctx, old.ID); err != nil || !got.RevokedAt.IsZero() {
		t.Errorf("the old key ends at %s, though there is no new one, %v", got.RevokedAt, err)
	}
	if err := s.ReplaceKey(ctx, frontdesk.Actor{}, old.ID, day.Add(time.Hour), next); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Key(ctx, old.ID); err != nil || !got.RevokedAt.Equal(day.Add(time.Hour)) {
		t.Errorf("the old key ends at %s, %v", got.RevokedAt, err)
	}
	if got, err := s.Key(ctx, next.ID); err != nil || !got.RevokedAt.IsZero() {
		t.Errorf("the new key ends at %s, %v", got.RevokedAt, err)
	}
}

func TestKeysUsedMovesOnlyForward(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	_, k := newKey(storetest.Tenant(t, s, "a").ID, true)
	if err := s.CreateKey(ctx, frontdesk.Actor{}, k); err != nil {
		t.Fatal(err)
	}
	steps := []struct{ at, want time.Time }{{day, day}, {day.Add(-time.Hour), day}, {day.Add(time.Hour), day.Add(time.Hour)}}
	for _, step := range steps {
		if err := s.KeysUsedForWorker(ctx, map[frontdesk.ID]time.Time{k.ID: step.at, frontdesk.NewID(day): step.at}); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Key(ctx, k.ID); err != nil || !got.LastUsedAt.Equal(step.want) {
			t.Errorf("used at %s: %s, %v", step.at, got.LastUsedAt, err)
		}
	}
}
