package store

import (
	"context"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// newCalendarWrites makes a row for each appointment that stands and calendar it
// is to be written into: those that can be written, of its agent, or of whom it
// is with. Rehearsals stay among us. $3 is when.
const newCalendarWrites = `INSERT INTO calendar_writes
		(tenant_id, live, capture_id, calendar_id, version, attempts, written, dead, due_at, problem)
	SELECT c.tenant_id, c.live, c.id, o.id, 1, 0, FALSE, FALSE, CAST($3 AS BIGINT), ''
	FROM captures c JOIN outside_calendars o ON o.tenant_id = c.tenant_id AND o.live = c.live AND o.agent_id = c.agent_id
	WHERE c.tenant_id = $1 AND c.live = $2 AND c.kind = 'appointment' AND c.status IN ('pending_confirm', 'confirmed')
		AND c.scheduled_at IS NOT NULL AND COALESCE(c.source, '') <> 'rehearsal' AND o.kind = 'caldav' AND (o.resource_id IS NULL OR o.resource_id = c.resource_id)`

// writeOutside has a capture, as it was just written, written into outside
// calendars: those that it belongs into, and those that it stood in before. It
// is a part of the transaction that writes the capture, so that neither is there
// without the other.
func (t *tx) writeOutside(owner frontdesk.Owner, c frontdesk.Capture) error {
	if c.Kind != frontdesk.Appointment || c.AgentID == "" {
		return nil
	}
	at := c.UpdatedAt
	if at.IsZero() {
		at = c.CreatedAt
	}
	args := []any{string(owner.TenantID), owner.Live, micros(at), string(c.ID)}
	if err := t.later(`UPDATE calendar_writes SET version = version + 1, attempts = 0, dead = FALSE, due_at = $3, problem = ''
		WHERE tenant_id = $1 AND live = $2 AND capture_id = $4`, args...); err != nil {
		return err
	}
	return t.later(newCalendarWrites+` AND c.id = $4 ON CONFLICT DO NOTHING`, args...)
}

// CalendarWrite is an appointment that a worker writes into an outside calendar,
// or takes out of it, until its lease ends.
type CalendarWrite struct {
	Calendar frontdesk.OutsideCalendar
	Capture  frontdesk.ID
	Version  int
	Attempts int  // this one included
	Written  bool // it is known to be there
	Lease    time.Time
}

// ClaimCalendarWriteForWorker takes what has waited longest to be written into an
// outside calendar, if something does. Nobody else gets it before the lease ends.
func (s *Store) ClaimCalendarWriteForWorker(ctx context.Context, now, lease time.Time) (w CalendarWrite, found bool, err error) {
	w.Lease = lease.Truncate(time.Microsecond)
	if some, err := s.finds(ctx, "looking for appointments to write", `SELECT 1 FROM calendar_writes WHERE due_at IS NOT NULL AND due_at <= $1 LIMIT 1`, micros(now)); err != nil || !some {
		return w, false, err
	}
	err = s.transact(ctx, "claiming an appointment to write", func(t *tx) error {
		err := t.each(`SELECT tenant_id, live, capture_id, calendar_id, version, attempts, written FROM calendar_writes
			WHERE due_at IS NOT NULL AND due_at <= $1 AND COALESCE(lease_until, 0) <= $1 ORDER BY due_at LIMIT 1`+t.dialect.skip,
			[]any{micros(now)}, func(r row) error {
				found = true
				c := &w.Calendar
				return r.Scan(&c.TenantID, &c.Live, &w.Capture, &c.ID, &w.Version, &w.Attempts, &w.Written)
			})
		if err != nil || !found {
			return err
		}
		w.Attempts++
		if _, err := t.exec(`UPDATE calendar_writes SET attempts = $5, lease_until = $6 WHERE tenant_id = $1 AND live = $2 AND capture_id = $3 AND calendar_id = $4`,
			append(w.key(), w.Attempts, micros(w.Lease))...); err != nil {
			return err
		}
		w.Calendar, err = one(t.each, "calendar", selectOutside+` WHERE tenant_id = $1 AND live = $2 AND id = $3`,
			[]any{string(w.Calendar.TenantID), w.Calendar.Live, string(w.Calendar.ID)}, func(r row) (frontdesk.OutsideCalendar, error) { return scanOutside(r, nil) })
		return err
	})
	return w, found, err
}

func (w CalendarWrite) key() []any {
	return []any{string(w.Calendar.TenantID), w.Calendar.Live, string(w.Capture), string(w.Calendar.ID)}
}

// CalendarWritten is how a write ended.
type CalendarWritten struct {
	OK      bool
	There   bool      // the appointment stands in the calendar
	Again   time.Time // when it is tried again; zero: it is given up
	Problem string    // what went wrong, for the operator
	Others  time.Time // until when nothing else is written into the calendar, which did not answer; zero: it did
}

// SaveCalendarWriteForWorker writes how a claimed write ended. A change of the
// appointment that came meanwhile stays due.
func (s *Store) SaveCalendarWriteForWorker(ctx context.Context, w CalendarWrite, end CalendarWritten) error {
	return s.transact(ctx, "saving a write into a calendar", func(t *tx) error {
		if end.OK {
			return t.later(`UPDATE calendar_writes SET lease_until = NULL, written = $5, attempts = 0, problem = '',
					due_at = CASE WHEN version = $6 THEN NULL ELSE due_at END
				WHERE tenant_id = $1 AND live = $2 AND capture_id = $3 AND calendar_id = $4 AND lease_until = $7`,
				append(w.key(), end.There, w.Version, micros(w.Lease))...)
		}
		dead := end.Again.IsZero()
		if err := t.later(`UPDATE calendar_writes SET lease_until = NULL, problem = $5,
				dead = CASE WHEN version = $6 THEN $7 ELSE dead END,
				due_at = CASE WHEN version = $6 THEN CAST($8 AS BIGINT) ELSE due_at END
			WHERE tenant_id = $1 AND live = $2 AND capture_id = $3 AND calendar_id = $4 AND lease_until = $9`,
			append(w.key(), end.Problem, w.Version, dead, maybeMicros(end.Again), micros(w.Lease))...); err != nil || end.Others.IsZero() {
			return err
		}
		return t.later(`UPDATE calendar_writes SET due_at = $4 WHERE tenant_id = $1 AND live = $2 AND calendar_id = $3 AND due_at IS NOT NULL AND due_at < $4`,
			string(w.Calendar.TenantID), w.Calendar.Live, string(w.Calendar.ID), micros(end.Others))
	})
}

// CalendarWrites are the figures of what is written into the owner's outside
// calendars, by calendar. Those without anything to tell are left out.
func (s *Store) CalendarWrites(ctx context.Context, owner frontdesk.Owner) (map[frontdesk.ID]frontdesk.CalendarWrites, error) {
	all := map[frontdesk.ID]frontdesk.CalendarWrites{}
	err := s.each(ctx, "counting writes into calendars", `SELECT calendar_id, SUM(CASE WHEN dead THEN 0 ELSE 1 END), SUM(CASE WHEN dead THEN 1 ELSE 0 END), MAX(problem)
		FROM calendar_writes WHERE tenant_id = $1 AND live = $2 AND (due_at IS NOT NULL OR dead) GROUP BY calendar_id`,
		[]any{string(owner.TenantID), owner.Live}, func(r row) error {
			var id frontdesk.ID
			var f frontdesk.CalendarWrites
			err := r.Scan(&id, &f.Waiting, &f.Dead, &f.Problem)
			all[id] = f
			return err
		})
	return all, err
}

// PruneCalendarWritesForWorker forgets some rows of appointments that are long
// over or gone, and says how many. Callers ask again until it is none.
func (s *Store) PruneCalendarWritesForWorker(ctx context.Context, before frontdesk.LocalTime, most int) (int64, error) {
	return s.exec(ctx, "pruning writes into calendars", `DELETE FROM calendar_writes WHERE (tenant_id, live, capture_id, calendar_id) IN (
		SELECT w.tenant_id, w.live, w.capture_id, w.calendar_id FROM calendar_writes w
		LEFT JOIN captures c ON c.tenant_id = w.tenant_id AND c.live = w.live AND c.id = w.capture_id
		WHERE w.due_at IS NULL AND (c.id IS NULL OR c.scheduled_at < $1) LIMIT $2 + 0)`, string(before), most)
}
