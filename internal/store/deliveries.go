package store

import (
	"context"
	"database/sql"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const deliveryColumns = `id, connection_id, event_id, event, status, attempts, max_attempts, http_status, latency_ms,
	error_code, message, created_at, due_at, delivered_at`

const selectDeliveries = `SELECT live, ` + deliveryColumns + ` FROM deliveries`

// Deliveries lists the deliveries of one of the owner's connections.
func (s *Store) Deliveries(ctx context.Context, owner frontdesk.Owner, connection frontdesk.ID, status frontdesk.DeliveryStatus,
	p frontdesk.Page,
) (frontdesk.List[frontdesk.Delivery], error) {
	filters := []filter{{column: "connection_id", value: string(connection)}, {column: "status", value: string(status), uneven: true}}
	return page(ctx, s, "listing deliveries", selectDeliveries, owner, p, filters, scanDelivery)
}

// Delivery returns one of the owner's deliveries.
func (s *Store) Delivery(ctx context.Context, owner frontdesk.Owner, id frontdesk.ID) (frontdesk.Delivery, error) {
	return one(s.asking(ctx, "reading a delivery"), "delivery", selectDeliveries+` WHERE tenant_id = $1 AND live = $2 AND id = $3`,
		[]any{string(owner.TenantID), owner.Live, string(id)}, scanDelivery)
}

// CountDeliveries counts the deliveries to one of the owner's connections that
// were made since then.
func (s *Store) CountDeliveries(ctx context.Context, owner frontdesk.Owner, connection frontdesk.ID, since time.Time) (c frontdesk.DeliveryCounts, err error) {
	where := map[frontdesk.DeliveryStatus]*int{
		frontdesk.DeliveryPending: &c.Pending, frontdesk.DeliveryDelivering: &c.Pending, frontdesk.DeliveryDelivered: &c.Delivered,
		frontdesk.DeliveryFailed: &c.Failed, frontdesk.DeliveryDead: &c.Dead,
	}
	err = s.each(ctx, "counting deliveries",
		`SELECT status, COUNT(*) FROM deliveries WHERE tenant_id = $1 AND live = $2 AND connection_id = $3 AND id >= $4 GROUP BY status`,
		[]any{string(owner.TenantID), owner.Live, string(connection), string(frontdesk.FirstIDAt(since))}, func(r row) error {
			var status frontdesk.DeliveryStatus
			var n int
			err := r.Scan(&status, &n)
			if count := where[status]; count != nil {
				*count += n
			}
			return err
		})
	return c, err
}

func (t *tx) insertDelivery(owner frontdesk.Owner, d frontdesk.Delivery) error {
	var trace any
	if t.trace != "" {
		trace = t.trace
	}
	return t.later(`INSERT INTO deliveries (tenant_id, live, `+deliveryColumns+`, trace)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`, append(deliveryValues(owner, d), trace)...)
}

func deliveryValues(owner frontdesk.Owner, d frontdesk.Delivery) []any {
	httpStatus, latency := attemptValues(d)
	return []any{
		string(owner.TenantID), owner.Live, string(d.ID), string(d.ConnectionID), string(d.EventID), d.Event, string(d.Status),
		d.Attempts, d.MaxAttempts, httpStatus, latency, d.ErrorCode, d.Message, micros(d.CreatedAt), maybeMicros(dueAt(d)), maybeMicros(d.DeliveredAt),
	}
}

// attemptValues are what the last attempt brought, NULL where it brought nothing.
func attemptValues(d frontdesk.Delivery) (httpStatus, latency any) {
	if d.HTTPStatus != 0 {
		httpStatus = d.HTTPStatus
	}
	if d.Tried {
		latency = d.Latency.Milliseconds()
	}
	return httpStatus, latency
}

// dueAt is when a delivery is to be looked at again.
func dueAt(d frontdesk.Delivery) time.Time {
	if d.Status == frontdesk.DeliveryDelivering {
		return d.LeaseUntil
	}
	return d.NextAttemptAt
}

func scanDelivery(r row) (frontdesk.Delivery, error) { return scanDeliveryAnd(r) }

func scanDeliveryAnd(r row, more ...any) (d frontdesk.Delivery, err error) {
	var httpStatus, latency, due, deliveredAt sql.NullInt64
	var createdAt int64
	err = r.Scan(append([]any{
		&d.Live, &d.ID, &d.ConnectionID, &d.EventID, &d.Event, &d.Status, &d.Attempts, &d.MaxAttempts,
		&httpStatus, &latency, &d.ErrorCode, &d.Message, &createdAt, &due, &deliveredAt,
	}, more...)...)
	d.HTTPStatus, d.Latency, d.Tried = int(httpStatus.Int64), time.Duration(latency.Int64)*time.Millisecond, latency.Valid
	d.CreatedAt, d.DeliveredAt = fromMicros(createdAt), fromMaybeMicros(deliveredAt)
	if d.Status == frontdesk.DeliveryDelivering {
		d.LeaseUntil = fromMaybeMicros(due)
	} else {
		d.NextAttemptAt = fromMaybeMicros(due)
	}
	return d, err
}
