package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const keyColumns = `k.id, k.tenant_id, k.live, k.name, k.prefix, k.hash, k.scopes, k.created_at, k.expires_at, k.revoked_at, k.last_used_at`

// KeyByHash finds a key and its tenant by the hash of what a client sent: the
// one question that comes before we know who asks.
func (s *Store) KeyByHash(ctx context.Context, hash frontdesk.KeyHash) (k frontdesk.Key, t frontdesk.Tenant, err error) {
	err = s.each(ctx, "looking a key up",
		`SELECT `+keyColumns+`, t.slug, t.name, t.timezone, t.plan, t.created_at
		FROM api_keys k JOIN tenants t ON t.id = k.tenant_id WHERE k.hash = $1`,
		[]any{hash[:]}, func(r row) error {
			var plan []byte
			var createdAt int64
			if k, err = scanKey(r, &t.Slug, &t.Name, &t.Timezone, &plan, &createdAt); err != nil {
				return err
			}
			t.ID, t.CreatedAt = k.TenantID, fromMicros(createdAt)
			return json.Unmarshal(plan, &t.Plan)
		})
	if err == nil && k.ID == "" {
		return k, t, frontdesk.Missing("key")
	}
	return k, t, err
}

// Keys lists a tenant's keys of both modes, newest first, for the operator.
func (s *Store) Keys(ctx context.Context, tenantID frontdesk.ID) ([]frontdesk.Key, error) {
	var all []frontdesk.Key
	err := s.each(ctx, "listing keys", `SELECT `+keyColumns+` FROM api_keys k WHERE k.tenant_id = $1 ORDER BY k.id DESC`,
		[]any{string(tenantID)}, func(r row) error {
			k, err := scanKey(r)
			all = append(all, k)
			return err
		})
	return all, err
}

// Key finds a key by its id, for the operator.
func (s *Store) Key(ctx context.Context, id frontdesk.ID) (k frontdesk.Key, err error) {
	err = s.each(ctx, "reading a key", `SELECT `+keyColumns+` FROM api_keys k WHERE k.id = $1`,
		[]any{string(id)}, func(r row) error {
			k, err = scanKey(r)
			return err
		})
	if err == nil && k.ID == "" {
		return k, frontdesk.Missing(fmt.Sprintf("key: %s", id))
	}
	return k, err
}

// CreateKey writes a new key.
func (s *Store) CreateKey(ctx context.Context, by frontdesk.Actor, k frontdesk.Key) error {
	return s.transact(ctx, "creating a key", func(t *tx) error {
		if err := t.insertKey(k); err != nil {
			return err
		}
		return t.auditBoth(k.TenantID, by, change{frontdesk.AuditKeyCreated, string(k.ID), k.Called(), frontdesk.KeyChanges(frontdesk.Key{}, k)})
	})
}

// ReplaceKey writes a new key and lets the old one end at a time, in one
// transaction.
func (s *Store) ReplaceKey(ctx context.Context, by frontdesk.Actor, old frontdesk.ID, oldEnds time.Time, k frontdesk.Key) error {
	return s.transact(ctx, "rotating a key", func(t *tx) error {
		before, after, err := t.endKey(old, oldEnds)
		if err != nil {
			return err
		}
		if err := t.insertKey(k); err != nil {
			return err
		}
		fields := append(frontdesk.KeyChanges(before, after), frontdesk.FieldChange{Field: replacedBy, To: k.Prefix + " " + string(k.ID)})
		return t.auditBoth(k.TenantID, by, change{frontdesk.AuditKeyRotated, string(old), k.Called(), fields})
	})
}

// RevokeKey ends a key at a time. A key that has ended stays ended.
func (s *Store) RevokeKey(ctx context.Context, by frontdesk.Actor, id frontdesk.ID, at time.Time) error {
	return s.transact(ctx, "revoking a key", func(t *tx) error {
		before, after, err := t.endKey(id, at)
		if err != nil || before.RevokedAt.Equal(after.RevokedAt) {
			return err
		}
		return t.auditBoth(after.TenantID, by, change{frontdesk.AuditKeyRevoked, string(id), after.Called(), frontdesk.KeyChanges(before, after)})
	})
}

// endKey ends a key at a time, unless it ends before, and returns it as it was
// and as it is.
func (t *tx) endKey(id frontdesk.ID, at time.Time) (before, after frontdesk.Key, err error) {
	before, err = one(t.each, "key", `SELECT `+keyColumns+` FROM api_keys k WHERE k.id = $1`+t.dialect.forUpdate, []any{string(id)},
		func(r row) (frontdesk.Key, error) { return scanKey(r) })
	if after = before; err != nil || !before.RevokedAt.IsZero() && !before.RevokedAt.After(at) {
		return before, after, err
	}
	after.RevokedAt = at
	return before, after, t.later(`UPDATE api_keys SET revoked_at = $2 WHERE id = $1`, string(id), micros(at))
}

// KeysUsedForWorker notes when keys were last used.
func (s *Store) KeysUsedForWorker(ctx context.Context, used map[frontdesk.ID]time.Time) error {
	return s.transact(ctx, "noting the use of keys", func(t *tx) error {
		// In one order on all nodes, so that none waits for another in a circle.
		for _, id := range slices.Sorted(maps.Keys(used)) {
			if err := t.later(`UPDATE api_keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)`,
				string(id), micros(used[id])); err != nil {
				return err
			}
		}
		return nil
	})
}

func (t *tx) insertKey(k frontdesk.Key) error {
	_, err := t.exec(`INSERT INTO api_keys (id, tenant_id, live, name, prefix, hash, scopes, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		string(k.ID), string(k.TenantID), k.Live, k.Name, k.Prefix, k.Hash[:], strings.Join(k.Scopes, " "), micros(k.CreatedAt), maybeMicros(k.ExpiresAt))
	if isDuplicate(err) {
		return &frontdesk.Error{Kind: frontdesk.Conflict, Code: "key_exists", Message: "This key exists already."}
	}
	return err
}

func scanKey(r row, more ...any) (k frontdesk.Key, err error) {
	var hash []byte
	var scopes string
	var createdAt int64
	var expiresAt, revokedAt, lastUsedAt sql.NullInt64
	dest := append([]any{
		&k.ID, &k.TenantID, &k.Live, &k.Name, &k.Prefix, &hash, &scopes, &createdAt, &expiresAt, &revokedAt, &lastUsedAt,
	}, more...)
	if err = r.Scan(dest...); err != nil {
		return k, err
	}
	if copy(k.Hash[:], hash) != len(k.Hash) {
		return k, errors.New("a key's hash has the wrong length")
	}
	k.Scopes, k.CreatedAt = strings.Fields(scopes), fromMicros(createdAt)
	k.ExpiresAt, k.RevokedAt, k.LastUsedAt = fromMaybeMicros(expiresAt), fromMaybeMicros(revokedAt), fromMaybeMicros(lastUsedAt)
	return k, nil
}
