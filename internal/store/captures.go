package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

const captureColumns = `id, agent_id, call_id, source, channel, kind, customer_name, customer_phone, scheduled_at,
	service, confirmation_code, status, notes, topic, urgency, created_at, updated_at,
	service_id, party, duration_minutes, minutes, email, resource_id, resource, language`

// captureFields are the columns of a capture and the zone of its scheduled_at,
// as it is today: a business that moves keeps its appointments by its own clock.
const captureFields = captureColumns + `,
	COALESCE((SELECT timezone FROM agents WHERE agents.tenant_id = captures.tenant_id AND agents.id = captures.agent_id),
		(SELECT timezone FROM tenants WHERE tenants.id = captures.tenant_id))`

// Captures lists the owner's captures.
func (s *Store) Captures(ctx context.Context, owner frontdesk.Owner, f frontdesk.CaptureFilter, p frontdesk.Page) (frontdesk.List[frontdesk.Capture], error) {
	filters := []filter{
		{column: "status", value: string(f.Status)},
		{column: "kind", value: f.Kind},
		{column: "agent_id", value: string(f.AgentID)},
		{column: "phone_tail", value: f.PhoneTail},
	}
	changed := filter{column: "COALESCE(updated_at, created_at)", compare: ">="}
	if !f.UpdatedFrom.IsZero() {
		changed.number = micros(f.UpdatedFrom)
	}
	for _, span := range [][]filter{
		{changed},
		{
			{column: "scheduled_at", compare: ">=", value: string(f.ScheduledFrom)},
			{column: "scheduled_at", compare: "<", value: string(f.ScheduledTo)},
		},
	} {
		few, err := s.few(ctx, owner, span)
		if err != nil {
			return frontdesk.List[frontdesk.Capture]{}, err
		}
		filters = append(filters, narrow(span, few)...)
	}
	return page(ctx, s, "listing captures", `SELECT `+captureFields+` FROM captures`, owner, p, filters, captureRows())
}

// mostSorted is how many rows of a span are sorted for a page.
const mostSorted = 1000

// few says whether a span of times has so few captures that a page is found by
// looking at all of them. Else it is found by going through the list, newest
// first: where many are in the span, a page is soon full.
func (s *Store) few(ctx context.Context, owner frontdesk.Owner, span []filter) (bool, error) {
	where, args := conditions(span, []any{string(owner.TenantID), owner.Live})
	if where == "" {
		return false, nil
	}
	var n int
	// In its order, so that the span's own index is used whatever the planner
	// takes the span for.
	err := s.row(ctx, "counting captures", fmt.Sprintf(`SELECT COUNT(*) FROM (SELECT 1 FROM captures WHERE tenant_id = $1 AND live = $2%s
		ORDER BY %s LIMIT %d) AS found`, where, span[0].column, mostSorted+1), args, &n)
	return n <= mostSorted, err
}

// narrow are the filters of a span. Of few, the ids are looked up by the span's
// own index: within, the condition that they are of the span.
func narrow(span []filter, few bool) []filter {
	if !few {
		return span
	}
	return []filter{{within: span}}
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

// CapturesByID reads those of the owner's captures that are still there.
func (s *Store) CapturesByID(ctx context.Context, owner frontdesk.Owner, ids []frontdesk.ID) (all []frontdesk.Capture, err error) {
	err = inBatches(ids, func(some []frontdesk.ID) error {
		return s.each(ctx, "reading captures", `SELECT `+captureFields+` FROM captures WHERE tenant_id = $1 AND live = $2 AND id IN `+listed(3, len(some))+` ORDER BY id`,
			byID(owner, some), func(r row) error {
				c, err := scanCapture(r)
				all = append(all, c)
				return err
			})
	})
	return all, err
}

// CapturesNamed lists those of the owner's captures that have one of some ids: as
// many as a page shows.
func (s *Store) CapturesNamed(ctx context.Context, owner frontdesk.Owner, ids []frontdesk.ID) ([]frontdesk.Capture, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	args := []any{string(owner.TenantID), owner.Live}
	places := make([]string, len(ids))
	for i, id := range ids {
		args = append(args, string(id))
		places[i] = "$" + strconv.Itoa(len(args))
	}
	var all []frontdesk.Capture
	scan := captureRows()
	err := s.each(ctx, "reading captures", `SELECT `+captureFields+` FROM captures
		WHERE tenant_id = $1 AND live = $2 AND id IN (`+strings.Join(places, ", ")+`) ORDER BY id`, args, func(r row) error {
		c, err := scan(r)
		all = append(all, c)
		return err
	})
	return all, err
}

// CapturesOfCall lists what one of the owner's calls has brought in, in the order
// it was written down.
func (s *Store) CapturesOfCall(ctx context.Context, owner frontdesk.Owner, call frontdesk.ID) ([]frontdesk.Capture, error) {
	var all []frontdesk.Capture
	scan := captureRows()
	err := s.each(ctx, "reading the captures of a call",
		`SELECT `+captureFields+` FROM captures WHERE tenant_id = $1 AND live = $2 AND call_id = $3 ORDER BY id`,
		[]any{string(owner.TenantID), owner.Live, string(call)}, func(r row) error {
			c, err := scan(r)
			all = append(all, c)
			return err
		})
	return all, err
}

// CaptureChange is a change of a capture that may take another place.
type CaptureChange struct {
	By      frontdesk.Actor
	ID      frontdesk.ID
	AgentID frontdesk.ID // whose it must be; "": anybody's
	Once    string       // what it is done by; the same is never done a second time
	Now     time.Time

	// Change says what becomes of the capture. One that stays as it is is not
	// written, and not told of.
	Change func(frontdesk.Capture) (frontdesk.Capture, error)
	// Place says, of the capture as it becomes, what part of the calendar
	// matters to it, and what stands against it; nil: it takes no other place.
	Place func(frontdesk.Capture) (Look, func(*frontdesk.Visit, []frontdesk.Busy) error)
	// Holder is the call whose hold is let go; "": none.
	Holder frontdesk.ID
	// Event tells of the capture as it is then.
	Event func(frontdesk.Capture) (frontdesk.Event, error)
	// Tell says which people are told of the change; nil: nobody.
	Tell func(old, changed frontdesk.Capture) frontdesk.Telling
}

// ChangeCapture changes one of the owner's captures, in one transaction during
// which nobody else books with its agent, and writes the event that tells of it.
// It returns the capture as it is then.
func (s *Store) ChangeCapture(ctx context.Context, owner frontdesk.Owner, ch CaptureChange) (c frontdesk.Capture, err error) {
	err = s.deciding(ctx, "changing a capture", func(t *tx) error {
		if c, err = t.lockCapture(owner, ch.ID); err != nil {
			return err
		}
		if ch.AgentID != "" && c.AgentID != ch.AgentID {
			return frontdesk.Missing("capture")
		}
		if done, err := t.captureMadeBy(owner, ch.Once); err == nil || !isMissing(err) {
			c = done
			return err
		}
		changed, err := ch.Change(c)
		if err != nil {
			return refusal{err}
		}
		if changed == c {
			return nil
		}
		if ch.Place != nil {
			look, fits := ch.Place(changed)
			if err := t.checkPlace(owner, look, &changed.Visit, fits); err != nil {
				return err
			}
		}
		changed.UpdatedAt = later(ch.Now, c.UpdatedAt)
		if ch.Tell != nil && !c.Rehearsed() {
			if err := t.tell(owner, c.ID, ch.Tell(c, changed)); err != nil {
				return err
			}
		}
		if err := t.auditCapture(owner, ch.By, c, changed); err != nil {
			return err
		}
		t.wroteCapture(owner, c, changed)
		c = changed
		return t.writeChange(owner, changed, ch)
	})
	return c, err
}

// auditCapture enters a change of a capture, or a new one where before is the
// zero Capture.
func (t *tx) auditCapture(owner frontdesk.Owner, by frontdesk.Actor, before, after frontdesk.Capture) error {
	fields := frontdesk.CaptureChanges(before, after)
	action := frontdesk.AuditCaptureChanged
	switch {
	case before.ID == "":
		action = frontdesk.AuditCaptureCreated
	case len(fields) == 1 && before.Status != after.Status:
		action = frontdesk.AuditCaptureStatus
	}
	return t.audit(owner, by, change{action, string(after.ID), cmp.Or(after.ConfirmationCode, after.CustomerName), fields})
}

// later is now, and in any case a millisecond after before: updated_at tells one
// version of a capture from the next, and is shown in milliseconds.
func later(now, before time.Time) time.Time {
	now = now.UTC().Truncate(time.Microsecond)
	if next := before.Truncate(time.Millisecond).Add(time.Millisecond); now.Before(next) {
		return next
	}
	return now
}

// lockCapture reads a capture that nobody else changes meanwhile. The lock of
// its agent's calendar comes first, as with everybody who books.
func (t *tx) lockCapture(owner frontdesk.Owner, id frontdesk.ID) (frontdesk.Capture, error) {
	read := func(lock string) (frontdesk.Capture, error) {
		return one(t.each, "capture", `SELECT `+captureFields+` FROM captures WHERE tenant_id = $1 AND live = $2 AND id = $3`+lock,
			[]any{string(owner.TenantID), owner.Live, string(id)}, scanCapture)
	}
	c, err := read("")
	if err != nil {
		return c, err
	}
	if c.AgentID != "" {
		if err := t.lockCalendar(owner, c.AgentID); err != nil && !isMissing(err) {
			return c, err
		}
	}
	return read(t.dialect.forUpdate)
}

func (t *tx) writeChange(owner frontdesk.Owner, c frontdesk.Capture, ch CaptureChange) error {
	err := t.later(`UPDATE captures SET kind = $4, customer_name = $5, customer_phone = $6, phone_tail = $7, scheduled_at = $8,
			service = $9, status = $10, notes = $11, updated_at = $12, service_id = $13, party = $14, duration_minutes = $15,
			minutes = $16, email = $17, resource_id = $18, resource = $19, once = COALESCE($20, once), language = $21
		WHERE tenant_id = $1 AND live = $2 AND id = $3`,
		string(owner.TenantID), owner.Live, string(c.ID), c.Kind, c.CustomerName, c.CustomerPhone,
		maybeText(frontdesk.PhoneTail(c.CustomerPhone)), maybeText(string(c.ScheduledAt)), c.Service, string(c.Status),
		maybeText(c.Notes), micros(c.UpdatedAt), maybeText(c.Visit.ServiceID), maybeNumber(c.Visit.Party),
		maybeNumber(c.Visit.Duration), maybeNumber(c.Visit.Minutes), maybeText(c.Visit.Email),
		maybeText(c.Visit.ResourceID), maybeText(c.Visit.Resource), maybeText(ch.Once), maybeText(c.Language))
	if err != nil {
		return err
	}
	if err := t.writeOutside(owner, c); err != nil {
		return err
	}
	if ch.Holder != "" {
		if err := t.dropHold(owner, ch.Holder); err != nil {
			return err
		}
	}
	if c.Rehearsed() {
		return nil // nobody is told
	}
	e, err := ch.Event(c)
	if err != nil {
		return err
	}
	return t.emit(owner, []frontdesk.Event{e})
}

func (t *tx) insertCapture(owner frontdesk.Owner, c frontdesk.Capture) error {
	return t.insertCaptureOnce(owner, c, "")
}

// insertCaptureOnce is insertCapture for what is done once: the same key fails
// the second time.
func (t *tx) insertCaptureOnce(owner frontdesk.Owner, c frontdesk.Capture, key string) error {
	if err := t.insertWaiting(owner, c); err != nil {
		return err
	}
	err := t.later(`INSERT INTO captures (tenant_id, live, phone_tail, once, `+captureColumns+`, tallied)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
			$21, $22, $23, $24, $25, $26, $27, $28, $29, TRUE)`,
		string(owner.TenantID), owner.Live, maybeText(frontdesk.PhoneTail(c.CustomerPhone)), maybeText(key),
		string(c.ID), maybeID(c.AgentID), maybeID(c.CallID), string(cmp.Or(c.Source, frontdesk.FromCall)), string(c.Channel),
		c.Kind, c.CustomerName, c.CustomerPhone, maybeText(string(c.ScheduledAt)), c.Service, c.ConfirmationCode, string(c.Status),
		maybeText(c.Notes), maybeText(c.Topic), maybeText(c.Urgency), micros(c.CreatedAt), maybeMicros(c.UpdatedAt),
		maybeText(c.Visit.ServiceID), maybeNumber(c.Visit.Party), maybeNumber(c.Visit.Duration), maybeNumber(c.Visit.Minutes),
		maybeText(c.Visit.Email), maybeText(c.Visit.ResourceID), maybeText(c.Visit.Resource), maybeText(c.Language))
	if err != nil {
		return err
	}
	return t.writeOutside(owner, c)
}

// maybeText keeps an absent text as NULL.
func maybeText(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }

// maybeNumber keeps a number that was not said as NULL.
func maybeNumber(n int) sql.NullInt64 { return sql.NullInt64{Int64: int64(n), Valid: n != 0} }

// captureRow is what the columns of a capture are read into. It serves one row
// after the other, so that an answer of many costs few allocations.
type captureRow struct {
	columns []any

	id, agentID, callID, name, phone, code, notes, email      text
	source, channel, kind, scheduledAt, service, status       text
	topic, urgency, serviceID, resourceID, resource, timezone text
	language                                                  text
	createdAt                                                 int64
	updatedAt, party, duration, minutes                       sql.NullInt64
}

// captureRows returns a function that reads rows with the columns captureFields.
func captureRows() func(row) (frontdesk.Capture, error) {
	c := &captureRow{}
	shared := newTexts()
	for _, t := range []*text{
		&c.agentID, &c.source, &c.channel, &c.kind, &c.scheduledAt, &c.service, &c.status, &c.topic, &c.urgency,
		&c.serviceID, &c.resourceID, &c.resource, &c.language, &c.timezone,
	} {
		t.shared = shared
	}
	c.columns = []any{
		&c.id, &c.agentID, &c.callID, &c.source, &c.channel, &c.kind, &c.name, &c.phone, &c.scheduledAt,
		&c.service, &c.code, &c.status, &c.notes, &c.topic, &c.urgency, &c.createdAt, &c.updatedAt,
		&c.serviceID, &c.party, &c.duration, &c.minutes, &c.email, &c.resourceID, &c.resource, &c.language, &c.timezone,
	}
	return c.read
}

func scanCapture(r row) (frontdesk.Capture, error) { return captureRows()(r) }

func (c *captureRow) read(r row) (frontdesk.Capture, error) {
	err := r.Scan(c.columns...)
	return frontdesk.Capture{
		ID: frontdesk.ID(c.id.value), AgentID: frontdesk.ID(c.agentID.value), CallID: frontdesk.ID(c.callID.value),
		Source: frontdesk.Source(cmp.Or(c.source.value, string(frontdesk.FromCall))), Channel: frontdesk.Channel(c.channel.value),
		Kind: c.kind.value, CustomerName: c.name.value, CustomerPhone: c.phone.value,
		ScheduledAt: frontdesk.LocalTime(c.scheduledAt.value), Timezone: c.timezone.value, Service: c.service.value,
		ConfirmationCode: c.code.value, Status: frontdesk.CaptureStatus(c.status.value),
		Notes: c.notes.value, Topic: c.topic.value, Urgency: c.urgency.value, Language: c.language.value,
		CreatedAt: fromMicros(c.createdAt), UpdatedAt: fromMicros(cmp.Or(c.updatedAt.Int64, c.createdAt)),
		Visit: frontdesk.Visit{
			ServiceID: c.serviceID.value, Party: int(c.party.Int64), Minutes: int(c.minutes.Int64),
			// Appointments from before durations were kept tell what they take.
			Duration: int(cmp.Or(c.duration.Int64, c.minutes.Int64)),
			Email:    c.email.value, ResourceID: c.resourceID.value, Resource: c.resource.value,
		},
	}, err
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
