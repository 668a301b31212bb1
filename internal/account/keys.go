// Package account knows who may do what: tenants, their keys and scopes, their
// plans, and the people of the console.
//
// A request's key comes in as text and leaves as a Credential; a browser's
// session comes in as text and leaves as a Visitor. The way is short: the form of
// the text, a cache that forgets after a second, the store. What the package
// refuses to know is HTTP.
package account

import (
	"context"
	"errors"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// trustFor is how long a key that was looked up is believed in without asking
// again: a revoked key works that much longer, on every node.
const trustFor = time.Second

// maxTrusted bounds the memory of the cache.
const maxTrusted = 10_000

// Credential is who a request comes from.
type Credential struct {
	Key    frontdesk.Key
	Tenant frontdesk.Tenant
}

// Owner is whose rows the credential opens.
func (c Credential) Owner() frontdesk.Owner {
	return frontdesk.Owner{TenantID: c.Tenant.ID, Live: c.Key.Live}
}

// Keys creates, checks and ends API keys. It is safe for concurrent use.
type Keys struct {
	store *store.Store
	now   func() time.Time

	mu      sync.Mutex
	trusted map[frontdesk.KeyHash]trust
	used    map[frontdesk.ID]time.Time // not yet written
}

type trust struct {
	credential Credential
	until      time.Time
}

// NewKeys returns the keys kept in s.
func NewKeys(s *store.Store, now func() time.Time) *Keys {
	return &Keys{store: s, now: now, trusted: map[frontdesk.KeyHash]trust{}, used: map[frontdesk.ID]time.Time{}}
}

// Authenticate says whom a key belongs to. With fresh it asks the store even
// if it knows.
func (k *Keys) Authenticate(ctx context.Context, text string, fresh bool) (Credential, error) {
	hash, ok := frontdesk.ParseKey(text)
	if !ok {
		return Credential{}, invalidKey(nil)
	}
	now := k.now()
	c, known := k.recall(hash, now)
	if !known || fresh {
		var err error
		if c, err = k.lookUp(ctx, hash, now); err != nil {
			return Credential{}, err
		}
	}
	if err := c.Key.Usable(now); err != nil {
		return Credential{}, err
	}
	k.noteUse(c.Key.ID, now)
	return c, nil
}

func (k *Keys) recall(hash frontdesk.KeyHash, now time.Time) (Credential, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	t, ok := k.trusted[hash]
	return t.credential, ok && now.Before(t.until)
}

func (k *Keys) lookUp(ctx context.Context, hash frontdesk.KeyHash, now time.Time) (Credential, error) {
	key, tenant, err := k.store.KeyByHash(ctx, hash)
	if err != nil {
		if isMissing(err) {
			return Credential{}, invalidKey(err)
		}
		return Credential{}, err
	}
	c := Credential{Key: key, Tenant: tenant}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.trusted) >= maxTrusted {
		clear(k.trusted)
	}
	k.trusted[hash] = trust{c, now.Add(trustFor)}
	return c, nil
}

func (k *Keys) noteUse(id frontdesk.ID, now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.used[id] = now
}

// WriteUse writes down when keys were last used: all of them in one go, so that
// no request waits for it.
func (k *Keys) WriteUse(ctx context.Context) error {
	k.mu.Lock()
	used := k.used
	k.used = map[frontdesk.ID]time.Time{}
	k.mu.Unlock()
	if len(used) == 0 {
		return nil
	}
	err := k.store.KeysUsedForWorker(ctx, used)
	if err != nil { // with the next ones
		k.mu.Lock()
		defer k.mu.Unlock()
		for id, at := range used {
			if k.used[id].Before(at) {
				k.used[id] = at
			}
		}
	}
	return err
}

// NewKey asks for a key. The zero ExpiresIn means never.
type NewKey struct {
	By        frontdesk.Actor
	Tenant    frontdesk.Tenant
	Live      bool
	Name      string
	Scopes    []string
	ExpiresIn time.Duration
}

// Create makes a key and returns its secret, which cannot be had again.
func (k *Keys) Create(ctx context.Context, n NewKey) (frontdesk.Key, frontdesk.Secret, error) {
	secret := frontdesk.NewKeySecret(n.Live)
	key, err := n.key(secret, k.now())
	if err != nil {
		return frontdesk.Key{}, "", err
	}
	return key, secret, k.store.CreateKey(ctx, n.By, key)
}

// key is the key that n asks for, with a given secret.
func (n NewKey) key(secret frontdesk.Secret, now time.Time) (frontdesk.Key, error) {
	scopes, err := frontdesk.CheckScopes(n.Live, n.Scopes)
	if err != nil {
		return frontdesk.Key{}, err
	}
	if n.ExpiresIn < 0 {
		return frontdesk.Key{}, frontdesk.InvalidParam("expires", "A key cannot expire before it is made.")
	}
	hash, ok := frontdesk.ParseKey(secret.Reveal())
	if !ok {
		return frontdesk.Key{}, errors.New("a new key does not parse")
	}
	key := frontdesk.Key{
		ID: frontdesk.NewID(now), TenantID: n.Tenant.ID, Live: n.Live, Name: n.Name,
		Prefix: frontdesk.KeyPrefix(secret), Hash: hash, Scopes: scopes, CreatedAt: now,
	}
	if n.ExpiresIn > 0 {
		key.ExpiresAt = now.Add(n.ExpiresIn)
	}
	return key, nil
}

// Ensure makes a key with a given secret, unless it exists.
func (k *Keys) Ensure(ctx context.Context, n NewKey, secret frontdesk.Secret) error {
	key, err := n.key(secret, k.now())
	if err != nil {
		return err
	}
	if _, _, err := k.store.KeyByHash(ctx, key.Hash); !isMissing(err) {
		return err
	}
	err = k.store.CreateKey(ctx, n.By, key)
	var e *frontdesk.Error
	if errors.As(err, &e) && e.Code == "key_exists" { // another node was faster
		return nil
	}
	return err
}

// Rotate makes a key like another one, which ends after the grace.
func (k *Keys) Rotate(ctx context.Context, by frontdesk.Actor, id frontdesk.ID, grace time.Duration) (frontdesk.Key, frontdesk.Secret, error) {
	old, err := k.store.Key(ctx, id)
	if err != nil {
		return frontdesk.Key{}, "", err
	}
	now := k.now()
	if err := old.Usable(now); err != nil {
		return frontdesk.Key{}, "", err
	}
	secret := frontdesk.NewKeySecret(old.Live)
	n := NewKey{Tenant: frontdesk.Tenant{ID: old.TenantID}, Live: old.Live, Name: old.Name, Scopes: old.Scopes}
	key, err := n.key(secret, now)
	if err != nil {
		return frontdesk.Key{}, "", err
	}
	key.ExpiresAt = old.ExpiresAt
	return key, secret, k.store.ReplaceKey(ctx, by, old.ID, now.Add(grace), key)
}

// Revoke ends a key now.
func (k *Keys) Revoke(ctx context.Context, by frontdesk.Actor, id frontdesk.ID) error {
	if _, err := k.store.Key(ctx, id); err != nil {
		return err
	}
	return k.store.RevokeKey(ctx, by, id, k.now())
}

func isMissing(err error) bool {
	var e *frontdesk.Error
	return errors.As(err, &e) && e.Kind == frontdesk.NotFound
}

func invalidKey(cause error) error {
	return &frontdesk.Error{
		Kind: frontdesk.Unauthorized, Code: "api_key_invalid", Cause: cause,
		Message: "This API key is not valid. Check that it was copied whole: it starts with svc_live_ or svc_test_.",
	}
}
