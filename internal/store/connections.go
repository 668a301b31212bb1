package store

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const connectionColumns = `id, agent_id, name, url, events, status, disabled_by, disabled_reason,
	secret, secret_prefix, secret_set_at, old_secret, old_until,
	failing_since, last_delivered_at, last_failure_at, last_http_status, consecutive_failures, created_at, updated_at, additional_events`

const selectConnections = `SELECT live, ` + connectionColumns + ` FROM connections`

// Connections lists the owner's connections.
func (s *Store) Connections(ctx context.Context, owner frontdesk.Owner, p frontdesk.Page) (frontdesk.List[frontdesk.Connection], error) {
	return page(ctx, s, "listing connections", selectConnections, owner, p, nil, scanConnection)
}

// CountConnections says how many connections the owner has.
func (s *Store) CountConnections(ctx context.Context, owner frontdesk.Owner) (n int, err error) {
	err = s.row(ctx, "counting connections", `SELECT COUNT(*) FROM connections WHERE tenant_id = $1 AND live = $2`,
		[]any{string(owner.TenantID), owner.Live}, &n)
	return n, err
}

// Connection returns one of the owner's connections.
func (s *Store) Connection(ctx context.Context, owner frontdesk.Owner, id frontdesk.ID) (frontdesk.Connection, error) {
	return one(s.asking(ctx, "reading a connection"), "connection", selectConnections+` WHERE tenant_id = $1 AND live = $2 AND id = $3`,
		[]any{string(owner.TenantID), owner.Live, string(id)}, scanConnection)
}

// CreateConnection writes a new connection, unless the owner has most already.
func (s *Store) CreateConnection(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, c frontdesk.Connection, most int) error {
	return s.transact(ctx, "creating a connection", func(t *tx) error {
		// Two at once must not both find room: they wait for the tenant's row.
		if _, err := t.row(`SELECT id FROM tenants WHERE id = $1`+t.dialect.forUpdate, []any{string(owner.TenantID)}, new(string)); err != nil {
			return err
		}
		var n int
		if _, err := t.row(`SELECT COUNT(*) FROM connections WHERE tenant_id = $1 AND live = $2`,
			[]any{string(owner.TenantID), owner.Live}, &n); err != nil {
			return err
		}
		if n >= most {
			return frontdesk.LimitReached("connections in this mode", most)
		}
		if err := t.insertConnection(owner, c); err != nil {
			return err
		}
		return t.auditConnection(owner, by, frontdesk.Connection{}, c)
	})
}

// auditConnection enters a change of a connection, if it is one. Before a new one
// there was the zero Connection, and after one that was deleted there is.
func (t *tx) auditConnection(owner frontdesk.Owner, by frontdesk.Actor, before, after frontdesk.Connection) error {
	fields := frontdesk.ConnectionChanges(before, after)
	if len(fields) == 0 {
		return nil
	}
	action := frontdesk.AuditConnectionChanged
	switch {
	case before.ID == "":
		action = frontdesk.AuditConnectionCreated
	case after.ID == "":
		action = frontdesk.AuditConnectionDeleted
	case before.Status != after.Status && after.Status == frontdesk.ConnectionActive:
		action = frontdesk.AuditConnectionEnabled
	case before.Status != after.Status:
		action = frontdesk.AuditConnectionDisabled
	case !bytes.Equal(before.Secret.Sealed, after.Secret.Sealed):
		action = frontdesk.AuditConnectionRotated
	}
	return t.audit(owner, by, change{action, string(cmp.Or(after.ID, before.ID)), cmp.Or(after.Name, before.Name), fields})
}

// ChangeConnection lets change work on one of the owner's connections while
// nobody else can, and returns it as it is then.
func (s *Store) ChangeConnection(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID, now time.Time,
	change func(frontdesk.Connection) (frontdesk.Connection, error),
) (changed frontdesk.Connection, err error) {
	err = s.withWork(ctx, "changing a connection", func(t *tx) error {
		c, err := t.lockConnection(owner, id)
		if err != nil {
			return err
		}
		if changed, err = change(c); err != nil {
			return err
		}
		if c.Status != changed.Status && changed.Status == frontdesk.ConnectionActive {
			t.lanes = append(t.lanes, Lane{owner, id}) // what waited for it is due
		}
		changed.UpdatedAt = now
		if err := t.auditConnection(owner, by, c, changed); err != nil {
			return err
		}
		return t.updateConnection(owner, changed)
	})
	return changed, err
}

// DeleteConnection ends one of the owner's connections and its deliveries. Without
// it these are nobody's: most are deleted right away, and of a long history the
// rest by PruneForWorker.
func (s *Store) DeleteConnection(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID) error {
	return s.transact(ctx, "deleting a connection", func(t *tx) error {
		c, err := one(t.each, "connection", `DELETE FROM connections WHERE tenant_id = $1 AND live = $2 AND id = $3 RETURNING live, `+connectionColumns,
			[]any{string(owner.TenantID), owner.Live, string(id)}, scanConnection)
		if err != nil {
			return err
		}
		if err := t.auditConnection(owner, by, c, frontdesk.Connection{}); err != nil {
			return err
		}
		deleted, err := t.deleteDeliveries(Lane{owner, id}, deliveriesAtOnce)
		if err != nil || deleted < deliveriesAtOnce {
			return err
		}
		return t.later(`INSERT INTO deleted_connections (tenant_id, live, id) VALUES ($1, $2, $3)`, laneValues(Lane{owner, id})...)
	})
}

// deliveriesAtOnce is how many deliveries one transaction deletes.
const deliveriesAtOnce = 1000

func (t *tx) deleteDeliveries(l Lane, most int) (int64, error) {
	return t.exec(`DELETE FROM deliveries WHERE tenant_id = $1 AND live = $2 AND id IN
		(SELECT id FROM deliveries WHERE tenant_id = $1 AND live = $2 AND connection_id = $3 LIMIT $4 + 0)`, append(laneValues(l), most)...)
}

// pruneDeletedForWorker deletes some deliveries of a connection that was deleted.
func (s *Store) pruneDeletedForWorker(ctx context.Context) (deleted int64, err error) {
	var l Lane
	err = s.row(ctx, "looking for deleted connections", `SELECT tenant_id, live, id FROM deleted_connections LIMIT 1`, nil,
		&l.Owner.TenantID, &l.Owner.Live, &l.Connection)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	err = s.transact(ctx, "deleting deliveries", func(t *tx) error {
		if deleted, err = t.deleteDeliveries(l, deliveriesAtOnce); err != nil || deleted == deliveriesAtOnce {
			return err
		}
		deleted++ // there may be another connection
		return t.later(`DELETE FROM deleted_connections WHERE tenant_id = $1 AND live = $2 AND id = $3`, laneValues(l)...)
	})
	return deleted, err
}

func (t *tx) lockConnection(owner frontdesk.Owner, id frontdesk.ID) (frontdesk.Connection, error) {
	return one(t.each, "connection", selectConnections+` WHERE tenant_id = $1 AND live = $2 AND id = $3`+t.dialect.forUpdate,
		[]any{string(owner.TenantID), owner.Live, string(id)}, scanConnection)
}

func (t *tx) insertConnection(owner frontdesk.Owner, c frontdesk.Connection) error {
	_, err := t.exec(`INSERT INTO connections (tenant_id, live, `+connectionColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)`,
		connectionValues(owner, c)...)
	return err
}

func (t *tx) updateConnection(owner frontdesk.Owner, c frontdesk.Connection) error {
	return t.later(`UPDATE connections SET (`+strings.TrimPrefix(connectionColumns, "id, ")+`)
		= ($4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)
		WHERE tenant_id = $1 AND live = $2 AND id = $3`, connectionValues(owner, c)...)
}

// updateHeldConnection is updateConnection by a worker that is at work there.
func (t *tx) updateHeldConnection(owner frontdesk.Owner, c frontdesk.Connection, worker string) error {
	if worker == "" {
		return t.updateConnection(owner, c)
	}
	return t.later(`UPDATE connections SET (`+strings.TrimPrefix(connectionColumns, "id, ")+`, worker, worked_at)
		= ($4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25)
		WHERE tenant_id = $1 AND live = $2 AND id = $3`, append(connectionValues(owner, c), worker, micros(time.Now()))...)
}

func connectionValues(owner frontdesk.Owner, c frontdesk.Connection) []any {
	var old any
	if c.OldSecret != nil {
		old = c.OldSecret.Sealed
	}
	h := c.Health
	return []any{
		string(owner.TenantID), owner.Live, string(c.ID), maybeID(c.AgentID), c.Name, c.URL, strings.Join(c.Events, " "),
		string(c.Status), c.DisabledBy, c.DisabledReason, c.Secret.Sealed, c.Secret.Prefix, micros(c.Secret.SetAt), old, maybeMicros(c.OldUntil),
		maybeMicros(c.FailingSince), maybeMicros(h.LastDeliveredAt), maybeMicros(h.LastFailureAt), h.LastHTTPStatus, h.ConsecutiveFailures,
		micros(c.CreatedAt), micros(c.UpdatedAt), maybeText(strings.Join(c.MoreEvents, " ")),
	}
}

func scanConnection(r row) (c frontdesk.Connection, err error) {
	var agentID, more sql.NullString
	var events string
	var old []byte
	var secretSetAt, createdAt, updatedAt int64
	var oldUntil, failingSince, deliveredAt, failureAt sql.NullInt64
	err = r.Scan(&c.Live, &c.ID, &agentID, &c.Name, &c.URL, &events, &c.Status, &c.DisabledBy, &c.DisabledReason,
		&c.Secret.Sealed, &c.Secret.Prefix, &secretSetAt, &old, &oldUntil,
		&failingSince, &deliveredAt, &failureAt, &c.Health.LastHTTPStatus, &c.Health.ConsecutiveFailures, &createdAt, &updatedAt, &more)
	if old != nil {
		c.OldSecret = &frontdesk.SealedSecret{Sealed: old}
	}
	c.AgentID, c.Events, c.Secret.SetAt = frontdesk.ID(agentID.String), strings.Fields(events), fromMicros(secretSetAt)
	if more.String != "" {
		c.MoreEvents = strings.Fields(more.String)
	}
	c.OldUntil, c.FailingSince = fromMaybeMicros(oldUntil), fromMaybeMicros(failingSince)
	c.Health.LastDeliveredAt, c.Health.LastFailureAt = fromMaybeMicros(deliveredAt), fromMaybeMicros(failureAt)
	c.CreatedAt, c.UpdatedAt = fromMicros(createdAt), fromMicros(updatedAt)
	return c, err
}

// ResealForWorker lets reseal turn every connection's sealed secrets into new
// ones, one connection at a time, and says how many there were.
func (s *Store) ResealForWorker(ctx context.Context, reseal func(id frontdesk.ID, sealed []byte) ([]byte, error)) (int, error) {
	var lanes []Lane
	err := s.each(ctx, "listing connections", `SELECT tenant_id, live, id FROM connections`, nil, func(r row) error {
		var l Lane
		err := r.Scan(&l.Owner.TenantID, &l.Owner.Live, &l.Connection)
		lanes = append(lanes, l)
		return err
	})
	if err != nil {
		return 0, err
	}
	for n, l := range lanes {
		err := s.transact(ctx, "sealing secrets anew", func(t *tx) error {
			c, err := t.lockConnection(l.Owner, l.Connection)
			if isMissing(err) {
				return nil // deleted meanwhile
			}
			if err != nil {
				return err
			}
			if c.Secret.Sealed, err = reseal(c.ID, c.Secret.Sealed); err != nil {
				return err
			}
			if c.OldSecret != nil {
				if c.OldSecret.Sealed, err = reseal(c.ID, c.OldSecret.Sealed); err != nil {
					return err
				}
			}
			return t.updateConnection(l.Owner, c)
		})
		if err != nil {
			return n, err
		}
	}
	return len(lanes), nil
}
