package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Answer is what was answered to a request with an Idempotency-Key. Status is
// 0 while the first request still runs; Body is sealed.
type Answer struct {
	Fingerprint []byte
	Status      int
	Body        []byte
	Work        frontdesk.ID // what a request that was cut off had begun
}

// ClaimAnswer takes an idempotency key for a request. When it is free, or its
// holder has died, or it has expired, the claim succeeds and mine is true; the
// answer then names what its holder had begun. Else the answer that stands there
// is returned.
func (s *Store) ClaimAnswer(ctx context.Context, owner frontdesk.Owner, key string, fingerprint []byte,
	now, leaseUntil, expiresAt time.Time,
) (a Answer, mine bool, err error) {
	var work sql.NullString
	err = s.transact(ctx, "claiming an idempotency key", func(t *tx) error {
		return t.eachLater(`INSERT INTO idempotency_keys (tenant_id, live, key, fingerprint, lease_until, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (tenant_id, live, key) DO UPDATE
			SET fingerprint = excluded.fingerprint, status = NULL, answer = NULL, lease_until = excluded.lease_until, expires_at = excluded.expires_at,
				work = CASE WHEN idempotency_keys.expires_at <= $7 THEN NULL ELSE idempotency_keys.work END
			WHERE idempotency_keys.expires_at <= $7
				OR (idempotency_keys.status IS NULL AND idempotency_keys.lease_until <= $7 AND idempotency_keys.fingerprint = excluded.fingerprint)
			RETURNING work`,
			[]any{string(owner.TenantID), owner.Live, key, fingerprint, micros(leaseUntil), micros(expiresAt), micros(now)}, func(r row) error {
				mine = true
				return r.Scan(&work)
			})
	})
	if err != nil || mine {
		return Answer{Work: frontdesk.ID(work.String)}, mine, err
	}
	var status sql.NullInt64
	err = s.row(ctx, "reading an idempotency key",
		`SELECT fingerprint, status, answer FROM idempotency_keys WHERE tenant_id = $1 AND live = $2 AND key = $3`,
		[]any{string(owner.TenantID), owner.Live, key}, &a.Fingerprint, &status, &a.Body)
	if errors.Is(err, sql.ErrNoRows) { // released between the two questions
		return Answer{Fingerprint: fingerprint}, false, nil
	}
	a.Status = int(status.Int64)
	return a, false, err
}

const keepAnswer = `UPDATE idempotency_keys SET status = $5, answer = $6
	WHERE tenant_id = $1 AND live = $2 AND key = $3 AND lease_until = $4 AND status IS NULL`

func keepValues(owner frontdesk.Owner, key string, lease time.Time, status int, body []byte) []any {
	return []any{string(owner.TenantID), owner.Live, key, micros(lease), status, body}
}

// KeepAnswer stores the answer of a request that holds the key and has written
// nothing. lease is the one it was claimed with: a request that lost its claim
// keeps nothing. For those that write there is Unit.
func (s *Store) KeepAnswer(ctx context.Context, owner frontdesk.Owner, key string, lease time.Time, status int, body []byte) error {
	_, err := s.exec(ctx, "keeping an answer", keepAnswer, keepValues(owner, key, lease, status, body)...)
	return err
}

// ReleaseAnswer frees the key of a request that came to nothing, so that it
// can be tried again. What it has begun stays noted.
func (s *Store) ReleaseAnswer(ctx context.Context, owner frontdesk.Owner, key string, lease time.Time) error {
	return s.transact(ctx, "releasing an idempotency key", func(t *tx) error {
		me := []any{string(owner.TenantID), owner.Live, key, micros(lease)}
		if err := t.later(`DELETE FROM idempotency_keys WHERE tenant_id = $1 AND live = $2 AND key = $3 AND lease_until = $4 AND status IS NULL AND work IS NULL`,
			me...); err != nil {
			return err
		}
		return t.later(`UPDATE idempotency_keys SET lease_until = 0 WHERE tenant_id = $1 AND live = $2 AND key = $3 AND lease_until = $4 AND status IS NULL`, me...)
	})
}

// ForgetAnswersForWorker deletes some expired answers and says how many.
func (s *Store) ForgetAnswersForWorker(ctx context.Context, now time.Time, most int) (int64, error) {
	return s.exec(ctx, "forgetting old answers",
		`DELETE FROM idempotency_keys WHERE (tenant_id, live, key) IN
			(SELECT tenant_id, live, key FROM idempotency_keys WHERE expires_at <= $1 LIMIT $2)`, micros(now), most)
}
