package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Blobs keeps blobs in the database, cut into chunks. Each call is one short
// transaction, or several that are each bounded, so that a large blob holds
// neither a connection nor a lock while it comes or goes.
//
// A blob is found by its key alone: there is no Owner here, because whoever
// mints a key begins it with the owner's tenant and mode.
type Blobs struct{ store *Store }

// Blobs are the blobs of this database.
func (s *Store) Blobs() *Blobs { return &Blobs{s} }

// AddChunk writes one chunk of a blob that has no key yet. The chunk at
// position 0 begins the blob; it alone may be empty.
func (b *Blobs) AddChunk(ctx context.Context, id frontdesk.ID, position int, data []byte, now time.Time) error {
	return b.store.transact(ctx, "writing a chunk of a blob", func(t *tx) error {
		if position == 0 {
			if err := t.later(`INSERT INTO blobs (id, key, size_bytes, stored_at) VALUES ($1, NULL, 0, $2)`, string(id), micros(now)); err != nil {
				return err
			}
		}
		if len(data) == 0 {
			return nil
		}
		return t.later(`INSERT INTO blob_chunks (blob_id, position, bytes) VALUES ($1, $2, $3)`, string(id), position, data)
	})
}

// SetKey gives a blob that is whole its key: from now on it is found. The blob
// that had the key before has none any more; its id is returned, "" for none.
func (b *Blobs) SetKey(ctx context.Context, id frontdesk.ID, key string, size int64, now time.Time) (replaced frontdesk.ID, err error) {
	// Of two that want the same key at once on PostgreSQL, the second fails
	// and finds the first when it tries again.
	for range 3 {
		if replaced, err = b.setKey(ctx, id, key, size, now); !isDuplicate(err) {
			break
		}
	}
	return replaced, err
}

func (b *Blobs) setKey(ctx context.Context, id frontdesk.ID, key string, size int64, now time.Time) (replaced frontdesk.ID, err error) {
	err = b.store.transact(ctx, "giving a blob its key", func(t *tx) error {
		if _, err := t.row(clearKey, []any{[]byte(key)}, &replaced); err != nil {
			return err
		}
		var set string
		found, err := t.row(`UPDATE blobs SET key = $2, size_bytes = $3, stored_at = $4 WHERE id = $1 AND key IS NULL RETURNING id`,
			[]any{string(id), []byte(key), size, micros(now)}, &set)
		if err == nil && !found {
			err = errors.New("the blob was removed before it was whole")
		}
		return err
	})
	return replaced, err
}

// clearKey makes the blob of a key invisible.
const clearKey = `UPDATE blobs SET key = NULL WHERE key = $1 RETURNING id`

// ClearKey takes its key from a blob: from now on it is not found. Its id is
// returned, "" when there is none of that key.
func (b *Blobs) ClearKey(ctx context.Context, key string) (id frontdesk.ID, err error) {
	err = b.store.transact(ctx, "deleting a blob", func(t *tx) error {
		_, err := t.row(clearKey, []any{[]byte(key)}, &id)
		return err
	})
	return id, err
}

// ByKey finds a blob and how many bytes it has; the id is "" when there is none.
func (b *Blobs) ByKey(ctx context.Context, key string) (id frontdesk.ID, size int64, err error) {
	err = b.store.row(ctx, "finding a blob", `SELECT id, size_bytes FROM blobs WHERE key = $1`, []any{[]byte(key)}, &id, &size)
	return id, size, ignoreNoRows(err)
}

// Chunk reads one chunk of a blob; nil when it is not there.
func (b *Blobs) Chunk(ctx context.Context, id frontdesk.ID, position int) (data []byte, err error) {
	err = b.store.row(ctx, "reading a chunk of a blob", `SELECT bytes FROM blob_chunks WHERE blob_id = $1 AND position = $2`,
		[]any{string(id), position}, &data)
	return data, ignoreNoRows(err)
}

func ignoreNoRows(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// chunksAtOnce is how many chunks one transaction removes.
const chunksAtOnce = 16

// Remove removes a blob that has no key.
func (b *Blobs) Remove(ctx context.Context, id frontdesk.ID) error {
	for {
		removed, err := b.store.exec(ctx, "removing chunks of a blob", `DELETE FROM blob_chunks WHERE blob_id = $1 AND position IN
			(SELECT c.position FROM blob_chunks c JOIN blobs b ON b.id = c.blob_id WHERE c.blob_id = $1 AND b.key IS NULL ORDER BY c.position LIMIT $2 + 0)`,
			string(id), chunksAtOnce)
		if err != nil {
			return err
		}
		if removed < chunksAtOnce {
			break
		}
	}
	// Where another removes it too, the last of the two finds no chunk.
	_, err := b.store.exec(ctx, "removing a blob", `DELETE FROM blobs WHERE id = $1 AND key IS NULL AND NOT EXISTS
		(SELECT 1 FROM blob_chunks WHERE blob_id = $1)`, string(id))
	return err
}

// Keys lists some keys in their order, after one of them or from the first, and
// when their blobs became whole.
func (b *Blobs) Keys(ctx context.Context, after string, most int, found func(key string, at time.Time)) error {
	return b.store.each(ctx, "listing blobs", `SELECT key, stored_at FROM blobs WHERE key > $1 ORDER BY key LIMIT $2 + 0`,
		[]any{[]byte(cmp.Or(after, "\x00")), most}, func(r row) error {
			var key []byte
			var at int64
			err := r.Scan(&key, &at)
			found(string(key), fromMicros(at))
			return err
		})
}

// WithoutKey lists some blobs that have no key and were begun, or became whole,
// before an instant.
func (b *Blobs) WithoutKey(ctx context.Context, before time.Time, most int) (ids []frontdesk.ID, err error) {
	err = b.store.each(ctx, "listing blobs without a key", `SELECT id FROM blobs WHERE key IS NULL AND stored_at < $1 ORDER BY stored_at LIMIT $2 + 0`,
		[]any{micros(before), most}, func(r row) error {
			var id frontdesk.ID
			err := r.Scan(&id)
			ids = append(ids, id)
			return err
		})
	return ids, err
}

// Ping says whether the database answers.
func (b *Blobs) Ping(ctx context.Context) error { return b.store.Ping(ctx) }
