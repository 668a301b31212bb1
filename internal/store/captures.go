package store

import (
	"context"
	"database/sql"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const captureColumns = `id, agent_id, call_id, channel, kind, customer_name, customer_phone, scheduled_at,
	service, confirmation_code, status, created_at`

// Captures lists the owner's captures.
func (s *Store) Captures(ctx context.Context, owner frontdesk.Owner, f frontdesk.CaptureFilter, p frontdesk.Page) (frontdesk.List[frontdesk.Capture], error) {
	filters := []filter{{"status", string(f.Status)}, {"kind", f.Kind}}
	return page(ctx, s, "listing captures", `SELECT `+captureColumns+` FROM captures`, owner, p, filters, scanCapture)
}

// Capture returns one of the owner's captures.
func (s *Store) Capture(ctx context.Context, owner frontdesk.Owner, id frontdesk.ID) (c frontdesk.Capture, err error) {
	err = s.each(ctx, "reading a capture",
		`SELECT `+captureColumns+` FROM captures WHERE tenant_id = $1 AND live = $2 AND id = $3`,
		[]any{string(owner.TenantID), owner.Live, string(id)},
		func(r *sql.Rows) error {
			c, err = scanCapture(r)
			return err
		})
	if err == nil && c.ID == "" {
		return c, frontdesk.Missing("capture")
	}
	return c, err
}

// SetCaptureStatus moves one of the owner's captures and returns it as it is
// then.
func (s *Store) SetCaptureStatus(ctx context.Context, owner frontdesk.Owner, id frontdesk.ID, status frontdesk.CaptureStatus) (c frontdesk.Capture, err error) {
	err = s.transact(ctx, "moving a capture", func(t *tx) error {
		return t.each(`UPDATE captures SET status = $4 WHERE tenant_id = $1 AND live = $2 AND id = $3 RETURNING `+captureColumns,
			[]any{string(owner.TenantID), owner.Live, string(id), string(status)}, func(r *sql.Rows) error {
				c, err = scanCapture(r)
				return err
			})
	})
	if err == nil && c.ID == "" {
		return c, frontdesk.Missing("capture")
	}
	return c, err
}

func (t *tx) insertCapture(owner frontdesk.Owner, c frontdesk.Capture) error {
	_, err := t.exec(`INSERT INTO captures (tenant_id, live, `+captureColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
		string(owner.TenantID), owner.Live, string(c.ID), maybeID(c.AgentID), maybeID(c.CallID), string(c.Channel),
		c.Kind, c.CustomerName, c.CustomerPhone, sql.NullString{String: string(c.ScheduledAt), Valid: c.ScheduledAt != ""},
		c.Service, c.ConfirmationCode, string(c.Status), micros(c.CreatedAt))
	return err
}

func scanCapture(r *sql.Rows) (c frontdesk.Capture, err error) {
	var agentID, callID, scheduledAt sql.NullString
	var createdAt int64
	err = r.Scan(&c.ID, &agentID, &callID, &c.Channel, &c.Kind, &c.CustomerName, &c.CustomerPhone, &scheduledAt,
		&c.Service, &c.ConfirmationCode, &c.Status, &createdAt)
	c.AgentID, c.CallID = frontdesk.ID(agentID.String), frontdesk.ID(callID.String)
	c.ScheduledAt, c.CreatedAt = frontdesk.LocalTime(scheduledAt.String), fromMicros(createdAt)
	return c, err
}

// CaptureTallies counts the owner's captures made in [from, to) by quarter of
// an hour.
func (s *Store) CaptureTallies(ctx context.Context, owner frontdesk.Owner, f frontdesk.AnalyticsFilter, from, to time.Time) ([]frontdesk.CaptureTally, error) {
	query := `SELECT created_at / 900000000, COUNT(*)
		FROM captures WHERE tenant_id = $1 AND live = $2 AND created_at >= $3 AND created_at < $4`
	where, args := analyticsWhere(owner, f, from, to)
	var tallies []frontdesk.CaptureTally
	err := s.each(ctx, "counting captures", query+where+` GROUP BY 1`, args, func(r *sql.Rows) error {
		var t frontdesk.CaptureTally
		var quarter int64
		err := r.Scan(&quarter, &t.Captures)
		t.Quarter = fromQuarter(quarter)
		tallies = append(tallies, t)
		return err
	})
	return tallies, err
}
