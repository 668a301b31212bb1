package store

import (
	"context"
	"database/sql"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const passkeyColumns = `k.id, k.person_id, k.name, k.data, k.created_at, k.last_used_at`

// PasskeyByID finds a passkey and whose it is by what an authenticator says that
// it is: what comes before we know who asks.
func (s *Store) PasskeyByID(ctx context.Context, id []byte) (k frontdesk.Passkey, v Visitor, err error) {
	k, err = one(s.asking(ctx, "looking a passkey up"), "passkey",
		`SELECT `+visitorColumns+`, `+passkeyColumns+` FROM passkeys k JOIN people p ON p.id = k.person_id`+theirTenant+` WHERE k.id = $1`,
		[]any{id}, func(r row) (frontdesk.Passkey, error) {
			var kept passkeyRow
			v, err = scanVisitor(r, kept.dest()...)
			return kept.passkey(), err
		})
	return k, v, err
}

// Passkeys lists the passkeys of a person, first come first. The person is who
// asks, or was found among the owner's people.
func (s *Store) Passkeys(ctx context.Context, person frontdesk.ID) ([]frontdesk.Passkey, error) {
	all := []frontdesk.Passkey{}
	err := s.each(ctx, "listing passkeys", `SELECT `+passkeyColumns+` FROM passkeys k WHERE k.person_id = $1 ORDER BY k.created_at, k.id`,
		[]any{string(person)}, func(r row) error {
			var kept passkeyRow
			err := r.Scan(kept.dest()...)
			all = append(all, kept.passkey())
			return err
		})
	return all, err
}

// Challenge is the question that a passkey answered. It is answered once.
type Challenge struct {
	Hash      frontdesk.ConsoleHash
	ExpiresAt time.Time
}

// AddPasskey writes a passkey of a person, who has most of them at most, in
// answer to a challenge. It says whether it did: not when the challenge was
// answered before, or the passkey is there already.
func (s *Store) AddPasskey(ctx context.Context, k frontdesk.Passkey, answered Challenge, most int) (added bool, err error) {
	err = s.transact(ctx, "adding a passkey", func(t *tx) error {
		person, found, err := t.keepPerson(`$1`, string(k.PersonID))
		if err != nil || !found {
			return orElse(err, frontdesk.NoSuchPerson())
		}
		if fresh, err := t.answer(answered); err != nil || !fresh {
			return err
		}
		// Two at once may make one more than the most, which does no harm.
		var have int
		if _, err := t.row(`SELECT COUNT(*) FROM passkeys WHERE person_id = $1`, []any{string(person)}, &have); err != nil {
			return err
		}
		if have >= most {
			return frontdesk.TooManyPasskeys(most)
		}
		changed, err := t.exec(`INSERT INTO passkeys (id, person_id, name, data, created_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
			k.ID, string(person), k.Name, k.Data, micros(k.CreatedAt))
		added = changed > 0
		return err
	})
	return added && err == nil, err
}

// answer notes that a challenge was answered and says whether it was the first
// time.
func (t *tx) answer(c Challenge) (fresh bool, err error) {
	changed, err := t.exec(`INSERT INTO passkey_challenges (hash, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`, c.Hash[:], micros(c.ExpiresAt))
	return changed > 0, err
}

// RenamePasskey gives a passkey of a person another name.
func (s *Store) RenamePasskey(ctx context.Context, person frontdesk.ID, id []byte, name string) error {
	changed, err := s.exec(ctx, "renaming a passkey", `UPDATE passkeys SET name = $3 WHERE person_id = $1 AND id = $2`, string(person), id, name)
	if err == nil && changed == 0 {
		err = frontdesk.NoSuch("passkey")
	}
	return err
}

// RemovePasskey removes a passkey of a person.
func (s *Store) RemovePasskey(ctx context.Context, person frontdesk.ID, id []byte) error {
	changed, err := s.exec(ctx, "removing a passkey", `DELETE FROM passkeys WHERE person_id = $1 AND id = $2`, string(person), id)
	if err == nil && changed == 0 {
		err = frontdesk.NoSuch("passkey")
	}
	return err
}

// UsePasskey notes the use of a passkey, whose data become next, and makes the
// session of its person. It says whether it did: not when the challenge was
// answered before, or the passkey has been used or removed since it was read.
func (s *Store) UsePasskey(ctx context.Context, k frontdesk.Passkey, next []byte, answered Challenge, c frontdesk.ConsoleSession) (v Visitor, used bool, err error) {
	c.PersonID = k.PersonID
	err = s.transact(ctx, "using a passkey", func(t *tx) error {
		if _, found, err := t.keepPerson(`$1`, string(k.PersonID)); err != nil || !found {
			return err
		}
		if fresh, err := t.answer(answered); err != nil || !fresh {
			return err
		}
		changed, err := t.exec(`UPDATE passkeys SET data = $4, last_used_at = $5 WHERE id = $1 AND person_id = $2 AND data = $3`,
			k.ID, string(k.PersonID), k.Data, next, micros(c.CreatedAt))
		if err != nil || changed == 0 {
			return err
		}
		v, err = t.enter(c)
		used = err == nil
		return err
	})
	return v, used && err == nil, err
}

// passkeyRow is a passkey as it is read.
type passkeyRow struct {
	kept       frontdesk.Passkey
	createdAt  int64
	lastUsedAt sql.NullInt64
}

func (k *passkeyRow) dest() []any {
	return []any{&k.kept.ID, &k.kept.PersonID, &k.kept.Name, &k.kept.Data, &k.createdAt, &k.lastUsedAt}
}

func (k *passkeyRow) passkey() frontdesk.Passkey {
	p := k.kept
	p.CreatedAt, p.LastUsedAt = fromMicros(k.createdAt), fromMaybeMicros(k.lastUsedAt)
	return p
}
