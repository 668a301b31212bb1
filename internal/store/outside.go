package store

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const outsideColumns = `tenant_id, live, id, agent_id, resource_id, kind, host, url, username, password, tag, digest, periods,
	problem, read_at, ok_at, failing_since, created_at`

const selectOutside = `SELECT ` + outsideColumns + ` FROM outside_calendars`

// AddOutsideCalendar writes a calendar of the owner's that was just read, with
// its busy times. Appointments to come, from a local time on, are to be written
// into one that can be written.
func (s *Store) AddOutsideCalendar(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, c frontdesk.OutsideCalendar, busy []frontdesk.Span, digest []byte, from frontdesk.LocalTime) error {
	c.TenantID, c.Live = owner.TenantID, owner.Live
	return s.transactFor(ctx, bulk, "connecting a calendar", func(t *tx) error {
		if err := t.lockCalendar(owner, c.AgentID); err != nil {
			return err
		}
		if err := t.later(`INSERT INTO outside_calendars (tenant_id, live, id, agent_id, resource_id, kind, host, url, username, password,
				tag, digest, periods, problem, read_at, ok_at, next_at, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
			string(owner.TenantID), owner.Live, string(c.ID), string(c.AgentID), maybeText(c.ResourceID), string(c.Kind), c.Host, c.URL, c.User,
			c.Password, c.Tag, digest, len(busy), c.Problem, micros(c.ReadAt), micros(c.OKAt), micros(c.NextRead(c.OKAt)), micros(c.CreatedAt)); err != nil {
			return err
		}
		if err := t.insertOutsideBusy(c, busy); err != nil {
			return err
		}
		if err := t.audit(owner, by, change{
			frontdesk.AuditOutsideCalendarAdded, string(c.ID), c.Host, frontdesk.OutsideChanges(frontdesk.OutsideCalendar{}, c),
		}); err != nil {
			return err
		}
		return t.later(newCalendarWrites+` AND o.id = $4 AND c.scheduled_at >= $5 ON CONFLICT DO NOTHING`,
			string(owner.TenantID), owner.Live, micros(c.CreatedAt), string(c.ID), string(from))
	})
}

// OutsideCalendars lists the owner's outside calendars, newest first.
func (s *Store) OutsideCalendars(ctx context.Context, owner frontdesk.Owner) ([]frontdesk.OutsideCalendar, error) {
	all := []frontdesk.OutsideCalendar{}
	err := s.each(ctx, "listing outside calendars", selectOutside+` WHERE tenant_id = $1 AND live = $2 ORDER BY id DESC`,
		[]any{string(owner.TenantID), owner.Live}, func(r row) error {
			c, err := scanOutside(r, nil)
			all = append(all, c)
			return err
		})
	return all, err
}

// DeleteOutsideCalendar forgets one of the owner's outside calendars, its busy
// times, and what was to be written into it.
func (s *Store) DeleteOutsideCalendar(ctx context.Context, owner frontdesk.Owner, by frontdesk.Actor, id frontdesk.ID) error {
	return s.transactFor(ctx, bulk, "disconnecting a calendar", func(t *tx) error {
		mine := []any{string(owner.TenantID), owner.Live, string(id)}
		c, err := one(t.each, "calendar", `DELETE FROM outside_calendars WHERE tenant_id = $1 AND live = $2 AND id = $3 RETURNING `+outsideColumns, mine,
			func(r row) (frontdesk.OutsideCalendar, error) { return scanOutside(r, nil) })
		if err != nil {
			return err
		}
		if err := t.audit(owner, by, change{
			frontdesk.AuditOutsideCalendarRemoved, string(id), c.Host, frontdesk.OutsideChanges(c, frontdesk.OutsideCalendar{}),
		}); err != nil {
			return err
		}
		if err := t.later(`DELETE FROM outside_busy WHERE tenant_id = $1 AND live = $2 AND calendar_id = $3`, mine...); err != nil {
			return err
		}
		return t.later(`DELETE FROM calendar_writes WHERE tenant_id = $1 AND live = $2 AND calendar_id = $3`, mine...)
	})
}

// UnknownOutside lists whose outside calendars of the owner's agent have not
// answered since an instant: ids of resources, "" for everybody.
func (s *Store) UnknownOutside(ctx context.Context, owner frontdesk.Owner, agent frontdesk.ID, since time.Time) (resources []string, err error) {
	err = s.each(ctx, "looking for outside calendars that fail",
		`SELECT resource_id FROM outside_calendars WHERE tenant_id = $1 AND live = $2 AND agent_id = $3 AND ok_at < $4`,
		[]any{string(owner.TenantID), owner.Live, string(agent), micros(since)}, func(r row) error {
			var resource sql.NullString
			err := r.Scan(&resource)
			resources = append(resources, resource.String)
			return err
		})
	return resources, err
}

// OutsideBusy lists the busy times of outside calendars that touch a part of the
// owner's calendar, and may be near it only, in their order.
func (s *Store) OutsideBusy(ctx context.Context, owner frontdesk.Owner, l Look) ([]frontdesk.Busy, error) {
	var all []frontdesk.Busy
	err := outsideBusy(s.asking(ctx, "reading outside calendars"), owner, l, func(b frontdesk.Busy) { all = append(all, b) })
	return all, err
}

// The offsets from UTC that a local time can be at.
const (
	mostAhead  = 14 * time.Hour
	mostBehind = 12 * time.Hour
)

func outsideBusy(ask asks, owner frontdesk.Owner, l Look, visit func(frontdesk.Busy)) error {
	from, _ := l.From.In(time.UTC)
	to, _ := l.To.In(time.UTC)
	if from.IsZero() || to.IsZero() {
		return nil
	}
	return ask(`SELECT starts_at, ends_at, resource_id FROM outside_busy
		WHERE tenant_id = $1 AND live = $2 AND agent_id = $3 AND starts_at < $4 AND ends_at > $5 ORDER BY starts_at, ends_at`,
		[]any{string(owner.TenantID), owner.Live, string(l.AgentID), micros(to.Add(mostBehind)), micros(from.Add(-mostAhead))}, func(r row) error {
			var b frontdesk.Busy
			var starts, ends int64
			var resource sql.NullString
			err := r.Scan(&starts, &ends, &resource)
			b.Outside, b.Visit.ResourceID = frontdesk.Span{From: fromMicros(starts), To: fromMicros(ends)}, resource.String
			if err == nil {
				visit(b)
			}
			return err
		})
}

// OutsideClaim is an outside calendar that a worker reads, until its lease ends.
type OutsideClaim struct {
	Calendar frontdesk.OutsideCalendar
	Digest   []byte // of its busy times as they are kept
	Lease    time.Time
}

// ClaimOutsideForWorker takes the outside calendar that has waited longest to be
// read, if one does. Nobody else gets it before the lease ends.
func (s *Store) ClaimOutsideForWorker(ctx context.Context, now, lease time.Time) (c OutsideClaim, found bool, err error) {
	c.Lease = lease.Truncate(time.Microsecond)
	if some, err := s.finds(ctx, "looking for outside calendars to read", `SELECT 1 FROM outside_calendars WHERE next_at <= $1 LIMIT 1`, micros(now)); err != nil || !some {
		return c, false, err
	}
	err = s.transact(ctx, "claiming an outside calendar", func(t *tx) error {
		err := t.each(selectOutside+` WHERE next_at <= $1 ORDER BY next_at LIMIT 1`+t.dialect.skip, []any{micros(now)}, func(r row) (err error) {
			found = true
			c.Calendar, err = scanOutside(r, &c.Digest)
			return err
		})
		if err != nil || !found {
			return err
		}
		_, err = t.exec(`UPDATE outside_calendars SET next_at = $4 WHERE tenant_id = $1 AND live = $2 AND id = $3`,
			string(c.Calendar.TenantID), c.Calendar.Live, string(c.Calendar.ID), micros(c.Lease))
		return err
	})
	return c, found, err
}

// finds says whether a question finds something. Workers ask before they claim, so
// that who has nothing to do does not hold up who writes.
func (s *Store) finds(ctx context.Context, doing, query string, args ...any) (some bool, err error) {
	err = s.each(ctx, doing, query, args, func(r row) error {
		some = true
		return r.Scan(new(int))
	})
	return some, err
}

// OutsideStateForWorker says how many outside calendars there are, and how many of
// them could not be read when that was last tried.
func (s *Store) OutsideStateForWorker(ctx context.Context) (all, failing int, err error) {
	err = s.row(ctx, "counting outside calendars", `SELECT COUNT(*), COUNT(failing_since) FROM outside_calendars`, nil, &all, &failing)
	return all, failing, err
}

// SaveOutsideForWorker writes how the reading of a claimed calendar ended: its
// state as c.Calendar has it, and its busy times if their digest is another one;
// nil: they stay. What another worker has taken meanwhile is left alone.
func (s *Store) SaveOutsideForWorker(ctx context.Context, c OutsideClaim, busy []frontdesk.Span, digest []byte, now time.Time) error {
	o := c.Calendar
	replace := digest != nil && !bytes.Equal(digest, c.Digest)
	if digest == nil {
		digest = c.Digest
	}
	return s.transactFor(ctx, bulk, "saving an outside calendar", func(t *tx) error {
		if err := t.reviveWrites(c, now); err != nil {
			return err
		}
		changed, err := t.exec(`UPDATE outside_calendars SET tag = $4, digest = $5, periods = $6, problem = $7, read_at = $8, ok_at = $9,
				failing_since = $10, next_at = $11
			WHERE tenant_id = $1 AND live = $2 AND id = $3 AND next_at = $12`,
			string(o.TenantID), o.Live, string(o.ID), o.Tag, digest, o.Periods, o.Problem, maybeMicros(o.ReadAt), micros(o.OKAt),
			maybeMicros(o.FailingSince), micros(o.NextRead(now)), micros(c.Lease))
		if err != nil || changed == 0 || !replace {
			return err
		}
		if err := t.later(`DELETE FROM outside_busy WHERE tenant_id = $1 AND live = $2 AND agent_id = $3 AND calendar_id = $4`,
			string(o.TenantID), o.Live, string(o.AgentID), string(o.ID)); err != nil {
			return err
		}
		return t.insertOutsideBusy(o, busy)
	})
}

// reviveWrites has everything that waits to be written into a calendar that
// answers again written at once, what was given up included.
func (t *tx) reviveWrites(c OutsideClaim, now time.Time) error {
	o := c.Calendar
	if o.Kind != frontdesk.OutsideCalDAV || !o.FailingSince.IsZero() {
		return nil
	}
	return t.later(`UPDATE calendar_writes SET due_at = $4, attempts = 0, dead = FALSE
		WHERE tenant_id = $1 AND live = $2 AND calendar_id = $3 AND (due_at > $4 OR dead) AND EXISTS (
			SELECT 1 FROM outside_calendars o WHERE o.tenant_id = $1 AND o.live = $2 AND o.id = $3 AND o.next_at = $5 AND o.failing_since IS NOT NULL)`,
		string(o.TenantID), o.Live, string(o.ID), micros(now), micros(c.Lease))
}

// insertOutsideBusy writes busy times, many in a statement.
func (t *tx) insertOutsideBusy(c frontdesk.OutsideCalendar, busy []frontdesk.Span) error {
	const some = 200
	for ; len(busy) > 0; busy = busy[min(some, len(busy)):] {
		args := []any{string(c.TenantID), c.Live, string(c.AgentID), string(c.ID), maybeText(c.ResourceID)}
		var rows []string
		for _, span := range busy[:min(some, len(busy))] {
			rows = append(rows, fmt.Sprintf("($1, $2, $3, $4, $5, $%d, $%d)", len(args)+1, len(args)+2))
			args = append(args, micros(span.From), micros(span.To))
		}
		if err := t.later(`INSERT INTO outside_busy (tenant_id, live, agent_id, calendar_id, resource_id, starts_at, ends_at) VALUES `+
			strings.Join(rows, ", "), args...); err != nil {
			return err
		}
	}
	return nil
}

// OwnCaptures says which of some ids are captures of the owner's agent.
func (s *Store) OwnCaptures(ctx context.Context, owner frontdesk.Owner, agent frontdesk.ID, ids []frontdesk.ID) (map[frontdesk.ID]bool, error) {
	const some = 200
	own := map[frontdesk.ID]bool{}
	for ; len(ids) > 0; ids = ids[min(some, len(ids)):] {
		args := []any{string(owner.TenantID), owner.Live, string(agent)}
		var places []string
		for _, id := range ids[:min(some, len(ids))] {
			args = append(args, string(id))
			places = append(places, fmt.Sprintf("$%d", len(args)))
		}
		err := s.each(ctx, "looking for own appointments",
			`SELECT id FROM captures WHERE tenant_id = $1 AND live = $2 AND agent_id = $3 AND id IN (`+strings.Join(places, ", ")+`)`,
			args, func(r row) error {
				var id frontdesk.ID
				err := r.Scan(&id)
				own[id] = true
				return err
			})
		if err != nil {
			return nil, err
		}
	}
	return own, nil
}

// ResealOutsideForWorker lets reseal turn the sealed address and password of
// every outside calendar into new ones, and says how many calendars there are.
func (s *Store) ResealOutsideForWorker(ctx context.Context, reseal func(frontdesk.OutsideCalendar) (frontdesk.OutsideCalendar, error)) (int, error) {
	var all []frontdesk.OutsideCalendar
	err := s.each(ctx, "listing outside calendars", selectOutside, nil, func(r row) error {
		c, err := scanOutside(r, nil)
		all = append(all, c)
		return err
	})
	for n, c := range all {
		if c, err = reseal(c); err != nil {
			return n, err
		}
		// Neither changes once it is written.
		if _, err := s.exec(ctx, "sealing a calendar's address anew", `UPDATE outside_calendars SET url = $4, password = $5 WHERE tenant_id = $1 AND live = $2 AND id = $3`,
			string(c.TenantID), c.Live, string(c.ID), c.URL, c.Password); err != nil {
			return n, err
		}
	}
	return len(all), err
}

func scanOutside(r row, digest *[]byte) (c frontdesk.OutsideCalendar, err error) {
	var resource sql.NullString
	var readAt, failing sql.NullInt64
	var okAt, createdAt int64
	if digest == nil {
		digest = new([]byte)
	}
	err = r.Scan(&c.TenantID, &c.Live, &c.ID, &c.AgentID, &resource, &c.Kind, &c.Host, &c.URL, &c.User, &c.Password, &c.Tag, digest, &c.Periods,
		&c.Problem, &readAt, &okAt, &failing, &createdAt)
	c.ResourceID, c.OKAt, c.CreatedAt = resource.String, fromMicros(okAt), fromMicros(createdAt)
	c.ReadAt, c.FailingSince = fromMaybeMicros(readAt), fromMaybeMicros(failing)
	return c, err
}
