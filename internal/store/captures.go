package store

import (
	"cmp"
	"context"
	"database/sql"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const captureColumns = `id, agent_id, call_id, source, channel, kind, customer_name, customer_phone, scheduled_at,
	service, confirmation_code, status, notes, topic, urgency, created_at, updated_at,
	service_id, party, duration_minutes, minutes, email, resource_id, resource`

// captureFields are the columns of a capture and the zone of its scheduled_at,
// as it is today: a business that moves keeps its appointments by its own clock.
const captureFields = captureColumns + `,
	COALESCE((SELECT timezone FROM agents WHERE agents.tenant_id = captures.tenant_id AND agents.id = captures.agent_id),
		(SELECT timezone FROM tenants WHERE tenants.id = captures.tenant_id))`

// Captures lists the owner's captures.
func (s *Store) Captures(ctx context.Context, owner frontdesk.Owner, f frontdesk.CaptureFilter, p frontdesk.Page) (frontdesk.List[frontdesk.Capture], error) {
	filters := []filter{{column: "status", value: string(f.Status)}, {column: "kind", value: f.Kind}}
	return page(ctx, s, "listing captures", `SELECT `+captureFields+` FROM captures`, owner, p, filters, scanCapture)
}

// Capture returns one of the owner's captures.
func (s *Store) Capture(ctx context.Context, owner frontdesk.Owner, id frontdesk.ID) (c frontdesk.Capture, err error) {
	err = s.each(ctx, "reading a capture",
		`SELECT `+captureFields+` FROM captures WHERE tenant_id = $1 AND live = $2 AND id = $3`,
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
		`SELECT `+captureFields+` FROM captures WHERE tenant_id = $1 AND live = $2 AND call_id = $3 ORDER BY id`,
		[]any{string(owner.TenantID), owner.Live, string(call)}, func(r row) error {
			c, err := scanCapture(r)
			all = append(all, c)
			return err
		})
	return all, err
}

// AddNotes adds lines to the notes of a capture of a call. What does not fit any
// more is left out.
func (s *Store) AddNotes(ctx context.Context, owner frontdesk.Owner, call, id frontdesk.ID, notes string, now time.Time) error {
	return s.transact(ctx, "adding to the notes of a capture", func(t *tx) error {
		var before sql.NullString
		found := false
		err := t.each(`SELECT notes FROM captures WHERE tenant_id = $1 AND live = $2 AND id = $3 AND call_id = $4`,
			[]any{string(owner.TenantID), owner.Live, string(id), string(call)}, func(r row) error {
				found = true
				return r.Scan(&before)
			})
		if err != nil {
			return err
		}
		if !found {
			return frontdesk.Missing("capture")
		}
		_, err = t.exec(`UPDATE captures SET notes = $4, updated_at = $5 WHERE tenant_id = $1 AND live = $2 AND id = $3`,
			string(owner.TenantID), owner.Live, string(id), frontdesk.TidyNotes(before.String+"\n"+notes), micros(now))
		return err
	})
}

// SetCaptureStatus moves one of the owner's captures and returns it as it is
// then. One that has the status already is left as it is.
func (s *Store) SetCaptureStatus(ctx context.Context, owner frontdesk.Owner, id frontdesk.ID, status frontdesk.CaptureStatus, now time.Time) (c frontdesk.Capture, err error) {
	err = s.transact(ctx, "moving a capture", func(t *tx) error {
		return t.each(`UPDATE captures SET updated_at = CASE WHEN status = $4 THEN updated_at ELSE $5 END, status = $4
			WHERE tenant_id = $1 AND live = $2 AND id = $3 RETURNING `+captureFields,
			[]any{string(owner.TenantID), owner.Live, string(id), string(status), micros(now)}, func(r row) error {
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
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
			$21, $22, $23, $24, $25, $26, $27, $28, TRUE)`,
		string(owner.TenantID), owner.Live, maybeText(frontdesk.PhoneTail(c.CustomerPhone)), maybeText(key),
		string(c.ID), maybeID(c.AgentID), maybeID(c.CallID), string(cmp.Or(c.Source, frontdesk.FromCall)), string(c.Channel),
		c.Kind, c.CustomerName, c.CustomerPhone, maybeText(string(c.ScheduledAt)), c.Service, c.ConfirmationCode, string(c.Status),
		maybeText(c.Notes), maybeText(c.Topic), maybeText(c.Urgency), micros(c.CreatedAt), maybeMicros(c.UpdatedAt),
		maybeText(c.Visit.ServiceID), maybeNumber(c.Visit.Party), maybeNumber(c.Visit.Duration), maybeNumber(c.Visit.Minutes),
		maybeText(c.Visit.Email), maybeText(c.Visit.ResourceID), maybeText(c.Visit.Resource))
}

// maybeText keeps an absent text as NULL.
func maybeText(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }

// maybeNumber keeps a number that was not said as NULL.
func maybeNumber(n int) sql.NullInt64 { return sql.NullInt64{Int64: int64(n), Valid: n != 0} }

func scanCapture(r row) (c frontdesk.Capture, err error) {
	var agentID, callID, source, scheduledAt, notes, topic, urgency, serviceID, email, resourceID, resource sql.NullString
	var updatedAt, party, duration, minutes sql.NullInt64
	var createdAt int64
	err = r.Scan(&c.ID, &agentID, &callID, &source, &c.Channel, &c.Kind, &c.CustomerName, &c.CustomerPhone, &scheduledAt,
		&c.Service, &c.ConfirmationCode, &c.Status, &notes, &topic, &urgency, &createdAt, &updatedAt,
		&serviceID, &party, &duration, &minutes, &email, &resourceID, &resource, &c.Timezone)
	c.AgentID, c.CallID = frontdesk.ID(agentID.String), frontdesk.ID(callID.String)
	c.Source = frontdesk.Source(cmp.Or(source.String, string(frontdesk.FromCall)))
	c.ScheduledAt, c.Notes, c.Topic, c.Urgency = frontdesk.LocalTime(scheduledAt.String), notes.String, topic.String, urgency.String
	c.CreatedAt, c.UpdatedAt = fromMicros(createdAt), fromMicros(cmp.Or(updatedAt.Int64, createdAt))
	c.Visit = visit(serviceID, party, minutes)
	// Appointments from before durations were kept tell what they take.
	c.Visit.Duration = int(cmp.Or(duration.Int64, minutes.Int64))
	c.Visit.Email, c.Visit.ResourceID, c.Visit.Resource = email.String, resourceID.String, resource.String
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
