package store

import (
	"context"
	"database/sql"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const captureColumns = `id, agent_id, call_id, channel, kind, customer_name, customer_phone, scheduled_at,
	service, confirmation_code, status, created_at, service_id, party, minutes, email`

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
		func(r row) error {
			c, err = scanCapture(r)
			return err
		})
	if err == nil && c.ID == "" {
		return c, frontdesk.Missing("capture")
	}
	return c, err
}

// CapturesOfCall lists what one of the owner's calls has brought in, in the order
// it was written down.
func (s *Store) CapturesOfCall(ctx context.Context, owner frontdesk.Owner, call frontdesk.ID) ([]frontdesk.Capture, error) {
	var all []frontdesk.Capture
	err := s.each(ctx, "reading the captures of a call",
		`SELECT `+captureColumns+` FROM captures WHERE tenant_id = $1 AND live = $2 AND call_id = $3 ORDER BY id`,
		[]any{string(owner.TenantID), owner.Live, string(call)}, func(r row) error {
			c, err := scanCapture(r)
			all = append(all, c)
			return err
		})
	return all, err
}

// SetCaptureStatus moves one of the owner's captures and returns it as it is
// then.
func (s *Store) SetCaptureStatus(ctx context.Context, owner frontdesk.Owner, id frontdesk.ID, status frontdesk.CaptureStatus) (c frontdesk.Capture, err error) {
	err = s.transact(ctx, "moving a capture", func(t *tx) error {
		return t.each(`UPDATE captures SET status = $4 WHERE tenant_id = $1 AND live = $2 AND id = $3 RETURNING `+captureColumns,
			[]any{string(owner.TenantID), owner.Live, string(id), string(status)}, func(r row) error {
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
	return t.insertCaptureOnce(owner, c, "")
}

// insertCaptureOnce is insertCapture for what is done once: the same key fails
// the second time.
func (t *tx) insertCaptureOnce(owner frontdesk.Owner, c frontdesk.Capture, key string) error {
	return t.later(`INSERT INTO captures (tenant_id, live, phone_tail, once, `+captureColumns+`, tallied)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, TRUE)`,
		string(owner.TenantID), owner.Live, maybeText(frontdesk.PhoneTail(c.CustomerPhone)), maybeText(key),
		string(c.ID), maybeID(c.AgentID), maybeID(c.CallID), string(c.Channel),
		c.Kind, c.CustomerName, c.CustomerPhone, maybeText(string(c.ScheduledAt)),
		c.Service, c.ConfirmationCode, string(c.Status), micros(c.CreatedAt),
		maybeText(c.Visit.ServiceID), maybeNumber(c.Visit.Party), maybeNumber(c.Visit.Minutes), maybeText(c.Visit.Email))
}

// maybeText keeps an absent text as NULL.
func maybeText(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }

// maybeNumber keeps a number that was not said as NULL.
func maybeNumber(n int) sql.NullInt64 { return sql.NullInt64{Int64: int64(n), Valid: n != 0} }

func scanCapture(r row) (c frontdesk.Capture, err error) {
	var agentID, callID, scheduledAt, serviceID, email sql.NullString
	var party, minutes sql.NullInt64
	var createdAt int64
	err = r.Scan(&c.ID, &agentID, &callID, &c.Channel, &c.Kind, &c.CustomerName, &c.CustomerPhone, &scheduledAt,
		&c.Service, &c.ConfirmationCode, &c.Status, &createdAt, &serviceID, &party, &minutes, &email)
	c.AgentID, c.CallID = frontdesk.ID(agentID.String), frontdesk.ID(callID.String)
	c.ScheduledAt, c.CreatedAt = frontdesk.LocalTime(scheduledAt.String), fromMicros(createdAt)
	c.Visit = visit(serviceID, party, minutes)
	c.Visit.Email = email.String
	return c, err
}

func visit(serviceID sql.NullString, party, minutes sql.NullInt64) frontdesk.Visit {
	return frontdesk.Visit{ServiceID: serviceID.String, Party: int(party.Int64), Minutes: int(minutes.Int64)}
}

// CaptureTallies counts the owner's captures made in [from, to) by quarter of
// an hour, as CallTallies does calls.
func (s *Store) CaptureTallies(ctx context.Context, owner frontdesk.Owner, f frontdesk.AnalyticsFilter, from, to time.Time) ([]frontdesk.CaptureTally, error) {
	query := `SELECT created_at / 900000000, COUNT(*)
		FROM captures WHERE tenant_id = $1 AND live = $2 AND created_at >= $3 AND created_at < $4`
	where, args := analyticsWhere(owner, f, from, to)
	var tallies []frontdesk.CaptureTally
	err := s.eachHeavy(ctx, &s.heavy.counting, "counting captures", query+where+` GROUP BY 1`, args, func(r row) error {
		var t frontdesk.CaptureTally
		var quarter int64
		err := r.Scan(&quarter, &t.Captures)
		t.Quarter = fromQuarter(quarter)
		tallies = append(tallies, t)
		return err
	})
	return tallies, err
}
