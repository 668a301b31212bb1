package store

import (
	"context"
	"database/sql"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// insertWaiting notes who waits for a place. Nobody is told of one in a rehearsal.
func (t *tx) insertWaiting(owner frontdesk.Owner, c frontdesk.Capture) error {
	if c.Kind != frontdesk.Waiting || c.AgentID == "" || c.ScheduledAt == "" || c.Rehearsed() {
		return nil
	}
	return t.later(`INSERT INTO waiting_list (tenant_id, live, capture_id, agent_id, scheduled_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
		string(owner.TenantID), owner.Live, string(c.ID), string(c.AgentID), string(c.ScheduledAt))
}

// Waits is somebody who waits for a place.
type Waits struct {
	Owner   frontdesk.Owner
	Capture frontdesk.ID
	Agent   frontdesk.ID
}

// Of those who wait for one day of an agent, this many are looked at in one run,
// so that nobody's long list stands before others'.
const waitingADay = 10

// WaitingForWorker lists who waits for a place and is not kept one just now,
// those first who have waited longest for their day.
func (s *Store) WaitingForWorker(ctx context.Context, now time.Time, most int) (all []Waits, err error) {
	err = s.each(ctx, "reading the waiting list", `SELECT tenant_id, live, capture_id, agent_id FROM (
			SELECT w.tenant_id, w.live, w.capture_id, w.agent_id,
				ROW_NUMBER() OVER (PARTITION BY w.tenant_id, w.live, w.agent_id, SUBSTR(w.scheduled_at, 1, 10) ORDER BY w.capture_id) AS place
			FROM waiting_list w
			WHERE NOT EXISTS (SELECT 1 FROM holds h WHERE h.tenant_id = w.tenant_id AND h.live = w.live AND h.call_id = w.capture_id AND h.until > $1)
		) listed WHERE place <= $2 ORDER BY place, capture_id LIMIT $3 + 0`, []any{micros(now), waitingADay, most}, func(r row) error {
		var w Waits
		err := r.Scan(&w.Owner.TenantID, &w.Owner.Live, &w.Capture, &w.Agent)
		all = append(all, w)
		return err
	})
	return all, err
}

// KeptPlaces lists the places that are kept for those who wait with one of the
// owner's agents, in their order.
func (s *Store) KeptPlaces(ctx context.Context, owner frontdesk.Owner, agent frontdesk.ID, now time.Time) (all []frontdesk.KeptPlace, err error) {
	err = s.each(ctx, "reading kept places", `SELECT h.call_id, h.scheduled_at, h.service_id, h.party, h.minutes, h.until, h.resource_id, c.service, c.customer_name, c.customer_phone
		FROM holds h JOIN waiting_list w ON w.tenant_id = h.tenant_id AND w.live = h.live AND w.capture_id = h.call_id
		JOIN captures c ON c.tenant_id = h.tenant_id AND c.live = h.live AND c.id = h.call_id
		WHERE h.tenant_id = $1 AND h.live = $2 AND h.agent_id = $3 AND h.until > $4 ORDER BY h.scheduled_at, h.call_id`,
		[]any{string(owner.TenantID), owner.Live, string(agent), micros(now)}, func(r row) error {
			k := frontdesk.KeptPlace{Hold: frontdesk.Hold{AgentID: agent}}
			var until int64
			var resource sql.NullString
			err := r.Scan(&k.CallID, &k.ScheduledAt, &k.Visit.ServiceID, &k.Visit.Party, &k.Visit.Minutes, &until, &resource, &k.Service, &k.Name, &k.Phone)
			k.Until, k.Visit.ResourceID = fromMicros(until), resource.String
			all = append(all, k)
			return err
		})
	return all, err
}

// StopWaiting takes one of the owner's captures from the waiting list.
func (s *Store) StopWaiting(ctx context.Context, owner frontdesk.Owner, capture frontdesk.ID) error {
	_, err := s.exec(ctx, "leaving the waiting list", `DELETE FROM waiting_list WHERE tenant_id = $1 AND live = $2 AND capture_id = $3`,
		string(owner.TenantID), owner.Live, string(capture))
	return err
}

// OfferPlace is HoldPlace that tells somebody of the place, in one transaction.
func (s *Store) OfferPlace(ctx context.Context, owner frontdesk.Owner, h frontdesk.Hold, l Look, fits func(*frontdesk.Visit, []frontdesk.Busy) error, told []frontdesk.Notice) error {
	return s.deciding(ctx, "offering a place", func(t *tx) error {
		if err := t.holdPlace(owner, h, l, fits); err != nil {
			return err
		}
		return t.insertNotices(owner, told)
	})
}

// HeldPlace is the place that is kept for one of the owner's calls or captures.
func (s *Store) HeldPlace(ctx context.Context, owner frontdesk.Owner, holder frontdesk.ID, now time.Time) (frontdesk.Hold, error) {
	return one(s.asking(ctx, "reading a hold"), "hold",
		`SELECT agent_id, scheduled_at, service_id, party, minutes, until, resource_id FROM holds WHERE tenant_id = $1 AND live = $2 AND call_id = $3 AND until > $4`,
		[]any{string(owner.TenantID), owner.Live, string(holder), micros(now)}, func(r row) (frontdesk.Hold, error) {
			h := frontdesk.Hold{CallID: holder}
			var until int64
			var resource sql.NullString
			err := r.Scan(&h.AgentID, &h.ScheduledAt, &h.Visit.ServiceID, &h.Visit.Party, &h.Visit.Minutes, &until, &resource)
			h.Until, h.Visit.ResourceID = fromMicros(until), resource.String
			return h, err
		})
}
