package store

import (
	"context"
	"database/sql"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const feedColumns = `tenant_id, live, id, agent_id, resource_id, hash, created_at`

const selectFeeds = `SELECT ` + feedColumns + ` FROM calendar_feeds`

// CreateFeed writes a new feed of the owner's.
func (s *Store) CreateFeed(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, f frontdesk.Feed) error {
	return s.transact(ctx, "creating a feed", func(t *tx) error {
		if err := t.later(`INSERT INTO calendar_feeds (`+feedColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			string(owner.TenantID), owner.Live, string(f.ID), string(f.AgentID), maybeText(f.ResourceID), f.Hash[:], micros(f.CreatedAt)); err != nil {
			return err
		}
		return t.audit(owner, by, change{frontdesk.AuditFeedCreated, string(f.ID), f.ResourceID, frontdesk.FeedChanges(frontdesk.Feed{}, f)})
	})
}

// Feeds lists the owner's feeds, newest first.
func (s *Store) Feeds(ctx context.Context, owner frontdesk.Owner) ([]frontdesk.Feed, error) {
	all := []frontdesk.Feed{}
	err := s.each(ctx, "listing feeds", selectFeeds+` WHERE tenant_id = $1 AND live = $2 ORDER BY id DESC`,
		[]any{string(owner.TenantID), owner.Live}, func(r row) error {
			f, err := scanFeed(r)
			all = append(all, f)
			return err
		})
	return all, err
}

// DeleteFeed ends one of the owner's feeds: its address shows nothing any more.
func (s *Store) DeleteFeed(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID) error {
	return s.transact(ctx, "deleting a feed", func(t *tx) error {
		f, err := one(t.each, "feed", `DELETE FROM calendar_feeds WHERE tenant_id = $1 AND live = $2 AND id = $3 RETURNING `+feedColumns,
			[]any{string(owner.TenantID), owner.Live, string(id)}, scanFeed)
		if err != nil {
			return err
		}
		return t.audit(owner, by, change{frontdesk.AuditFeedDeleted, string(id), f.ResourceID, frontdesk.FeedChanges(f, frontdesk.Feed{})})
	})
}

// FeedByHash finds a feed by the hash of its address: who asks is not known
// before.
func (s *Store) FeedByHash(ctx context.Context, hash [32]byte) (frontdesk.Feed, error) {
	return one(s.asking(ctx, "looking a feed up"), "feed", selectFeeds+` WHERE hash = $1`, []any{hash[:]}, scanFeed)
}

func scanFeed(r row) (f frontdesk.Feed, err error) {
	var resource sql.NullString
	var hash []byte
	var createdAt int64
	err = r.Scan(&f.TenantID, &f.Live, &f.ID, &f.AgentID, &resource, &hash, &createdAt)
	f.ResourceID, f.CreatedAt = resource.String, fromMicros(createdAt)
	copy(f.Hash[:], hash)
	return f, err
}

// CancelledAppointments lists the owner's appointments in a part of the calendar
// that were cancelled or not come to, of those made since an instant, newest
// first.
func (s *Store) CancelledAppointments(ctx context.Context, owner frontdesk.Owner, l Look, since time.Time, most int) ([]frontdesk.Capture, error) {
	var all []frontdesk.Capture
	scan := captureRows()
	err := s.each(ctx, "reading cancelled appointments", `SELECT `+captureFields+` FROM captures
		WHERE tenant_id = $1 AND live = $2 AND id >= $3 AND agent_id = $4 AND kind = 'appointment' AND status IN ('cancelled', 'no_show')
			AND scheduled_at >= $5 AND scheduled_at < $6
		ORDER BY id DESC LIMIT $7 + 0`,
		[]any{string(owner.TenantID), owner.Live, firstIDFrom(since), string(l.AgentID), string(l.From), string(l.To), most}, func(r row) error {
			c, err := scan(r)
			all = append(all, c)
			return err
		})
	return all, err
}
