package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// openAppointments are those that take a place. The indexes of the calendar are
// of these alone, so every question must say it in these words.
const openAppointments = `kind = 'appointment' AND status IN ('pending_confirm', 'confirmed')`

// Look says which part of an agent's calendar to look at: from one local time
// up to another, as it is for a call, whose own hold is not in its way.
type Look struct {
	AgentID  frontdesk.ID
	From, To frontdesk.LocalTime
	For      frontdesk.ID // the call
	Now      time.Time

	// Rehearsal says that what is taken is taken of the live calendar, though what
	// is written is test data.
	Rehearsal bool
}

// Busy visits what is taken of the owner's calendar: open appointments, holds of
// other calls that have not run out, and the busy times of outside calendars.
func (s *Store) Busy(ctx context.Context, owner frontdesk.Owner, l Look, visit func(frontdesk.Busy)) error {
	return busy(s.asking(ctx, "reading the calendar"), owner, l, visit)
}

// Agenda visits the owner's appointments that stand in a part of the calendar, in
// their order. Their zone is the agent's, which who asks knows: it is left out.
func (s *Store) Agenda(ctx context.Context, owner frontdesk.Owner, l Look, visit func(frontdesk.Capture)) error {
	scan := captureRows()
	return s.each(ctx, "reading the agenda", `SELECT `+captureColumns+`, '' FROM captures
		WHERE tenant_id = $1 AND live = $2 AND agent_id = $3 AND `+openAppointments+` AND scheduled_at >= $4 AND scheduled_at < $5
		ORDER BY scheduled_at`,
		[]any{string(owner.TenantID), owner.Live, string(l.AgentID), string(l.From), string(l.To)}, func(r row) error {
			c, err := scan(r)
			if err == nil {
				visit(c)
			}
			return err
		})
}

func busy(ask asks, owner frontdesk.Owner, l Look, visit func(frontdesk.Busy)) error {
	owner.Live = owner.Live || l.Rehearsal
	// What the columns are read into serves one row after the other.
	shared := newTexts()
	var id text
	at, service, serviceID, resourceID := text{shared: shared}, text{shared: shared}, text{shared: shared}, text{shared: shared}
	var party, minutes sql.NullInt64
	columns := []any{&id, &at, &service, &serviceID, &party, &minutes, &resourceID}
	// All of this stands in SQLite's index captures_taken.
	err := ask(`SELECT id, scheduled_at, service, service_id, party, minutes, resource_id FROM captures
		WHERE tenant_id = $1 AND live = $2 AND agent_id = $3 AND `+openAppointments+` AND scheduled_at >= $4 AND scheduled_at < $5`,
		[]any{string(owner.TenantID), owner.Live, string(l.AgentID), string(l.From), string(l.To)}, func(r row) error {
			err := r.Scan(columns...)
			if err != nil {
				return err
			}
			visit(frontdesk.Busy{
				ID: frontdesk.ID(id.value), ScheduledAt: frontdesk.LocalTime(at.value), Service: service.value,
				Visit: frontdesk.Visit{ServiceID: serviceID.value, Party: int(party.Int64), Minutes: int(minutes.Int64), ResourceID: resourceID.value},
			})
			return nil
		})
	if err != nil {
		return err
	}
	err = ask(`SELECT call_id, scheduled_at, service_id, party, minutes, resource_id FROM holds
		WHERE tenant_id = $1 AND live = $2 AND agent_id = $3 AND until > $4`,
		[]any{string(owner.TenantID), owner.Live, string(l.AgentID), micros(l.Now)}, func(r row) error {
			var b frontdesk.Busy
			var call frontdesk.ID
			var resourceID sql.NullString
			err := r.Scan(&call, &b.ScheduledAt, &b.Visit.ServiceID, &b.Visit.Party, &b.Visit.Minutes, &resourceID)
			b.Visit.ResourceID = resourceID.String
			if err == nil && call != l.For && b.ScheduledAt >= l.From && b.ScheduledAt < l.To {
				visit(b)
			}
			return err
		})
	if err != nil {
		return err
	}
	return outsideBusy(ask, owner, l, visit)
}

// HoldPlace keeps a place for a call if fits finds nothing against it in what is
// taken; its error is returned as it is. The call's earlier hold is let go.
// Nobody else holds or books with the agent meanwhile.
func (s *Store) HoldPlace(ctx context.Context, owner frontdesk.Owner, h frontdesk.Hold, l Look, fits func(*frontdesk.Visit, []frontdesk.Busy) error) error {
	return s.deciding(ctx, "holding a place", func(t *tx) error { return t.holdPlace(owner, h, l, fits) })
}

func (t *tx) holdPlace(owner frontdesk.Owner, h frontdesk.Hold, l Look, fits func(*frontdesk.Visit, []frontdesk.Busy) error) error {
	if err := t.lockCalendar(owner, h.AgentID); err != nil {
		return err
	}
	if err := t.checkPlace(owner, l, &h.Visit, fits); err != nil {
		return err
	}
	if err := t.dropHold(owner, h.CallID); err != nil {
		return err
	}
	if _, err := t.exec(`DELETE FROM holds WHERE tenant_id = $1 AND live = $2 AND agent_id = $3 AND until <= $4`,
		string(owner.TenantID), owner.Live, string(h.AgentID), micros(l.Now)); err != nil {
		return err
	}
	_, err := t.exec(`INSERT INTO holds (tenant_id, live, call_id, agent_id, scheduled_at, service_id, party, minutes, until, resource_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		string(owner.TenantID), owner.Live, string(h.CallID), string(h.AgentID), string(h.ScheduledAt),
		h.Visit.ServiceID, h.Visit.Party, h.Visit.Minutes, micros(h.Until), maybeText(h.Visit.ResourceID))
	return err
}

// DropHold lets the place go that a call holds, if it holds one.
func (s *Store) DropHold(ctx context.Context, owner frontdesk.Owner, call frontdesk.ID) error {
	return s.transact(ctx, "letting a place go", func(t *tx) error { return t.dropHold(owner, call) })
}

func (t *tx) dropHold(owner frontdesk.Owner, call frontdesk.ID) error {
	return t.later(`DELETE FROM holds WHERE tenant_id = $1 AND live = $2 AND call_id = $3`,
		string(owner.TenantID), owner.Live, string(call))
}

// NewCapture is a capture that is to be written while its call goes on.
type NewCapture struct {
	By      frontdesk.Actor
	Capture frontdesk.Capture // its code comes from NewCode
	Once    string            // what it is made by; the same never makes a second one
	NewCode func() string

	// Look and Fits are for what takes a place: Fits says what stands against
	// it, and settles with whom it is.
	Look Look
	Fits func(*frontdesk.Visit, []frontdesk.Busy) error

	// MostOpen is how many appointments from From on the customer's telephone
	// number may have with the agent: ErrManyOpen; 0: any number.
	MostOpen int
	From     frontdesk.LocalTime

	// Limits bound how often this may be done: ErrTooMany.
	Limits []BookingLimit

	// Event tells of the capture as it was written.
	Event func(frontdesk.Capture) (frontdesk.Event, error)
	// Tell says which people are told of it; nil: nobody.
	Tell func(old, written frontdesk.Capture) frontdesk.Telling
}

// AddCapture writes a capture and the event that tells of it, in one
// transaction during which nobody else books with the agent. When the same was
// done before it returns what came of that, as it is now.
func (s *Store) AddCapture(ctx context.Context, owner frontdesk.Owner, n NewCapture) (c frontdesk.Capture, err error) {
	err = s.deciding(ctx, "writing a capture", func(t *tx) error {
		if err := t.lockCalendar(owner, n.Capture.AgentID); err != nil {
			return err
		}
		if c, err = t.captureMadeBy(owner, n.Once); err == nil || !isMissing(err) {
			return err
		}
		if err := t.checkPlace(owner, n.Look, &n.Capture.Visit, n.Fits); err != nil {
			return err
		}
		if err := t.countOpen(owner, n); err != nil {
			return err
		}
		if err := t.countBookings(owner, n.Limits, n.Capture.CreatedAt); err != nil {
			return err
		}
		c, err = t.addCapture(owner, n)
		return err
	})
	return c, err
}

// ErrManyOpen says that a telephone number has as many appointments to come as it
// may have.
var ErrManyOpen = errors.New("the customer has as many appointments to come as one may have")

// countOpen holds a telephone number to how many appointments it may have.
func (t *tx) countOpen(owner frontdesk.Owner, n NewCapture) error {
	tail := frontdesk.PhoneTail(n.Capture.CustomerPhone)
	if n.MostOpen == 0 || tail == "" {
		return nil
	}
	var open int
	_, err := t.row(`SELECT COUNT(*) FROM captures WHERE tenant_id = $1 AND live = $2 AND agent_id = $3 AND `+openAppointments+`
		AND phone_tail = $4 AND scheduled_at >= $5`,
		[]any{string(owner.TenantID), owner.Live, string(n.Capture.AgentID), tail, string(n.From)}, &open)
	if err == nil && open >= n.MostOpen {
		return refusal{ErrManyOpen}
	}
	return err
}

func (t *tx) addCapture(owner frontdesk.Owner, n NewCapture) (c frontdesk.Capture, err error) {
	c = n.Capture
	if c.ConfirmationCode, err = t.freeCode(owner, c.AgentID, n.NewCode); err != nil {
		return c, err
	}
	if err := t.insertCaptureOnce(owner, c, n.Once); err != nil {
		return c, err
	}
	if err := t.tally(owner, nil, []frontdesk.Capture{c}); err != nil {
		return c, err
	}
	t.wroteCapture(owner, frontdesk.Capture{}, c)
	if n.Fits != nil && c.CallID != "" {
		if err := t.dropHold(owner, c.CallID); err != nil {
			return c, err
		}
	}
	if c.Rehearsed() {
		return c, nil // nobody is told
	}
	if n.Tell != nil {
		if err := t.tell(owner, c.ID, n.Tell(frontdesk.Capture{}, c)); err != nil {
			return c, err
		}
	}
	if err := t.auditCapture(owner, n.By, frontdesk.Capture{}, c); err != nil {
		return c, err
	}
	e, err := n.Event(c)
	if err != nil {
		return c, err
	}
	return c, t.emit(owner, []frontdesk.Event{e})
}

// refusal is an error that says no, rather than that something went wrong.
type refusal struct{ error }

// deciding is withWork for work that may end in a no of the caller's own, which
// comes back as it was.
func (s *Store) deciding(ctx context.Context, doing string, work func(*tx) error) error {
	var no refusal
	err := s.withWork(ctx, doing, work)
	if errors.As(err, &no) {
		return no.error
	}
	return err
}

// lockCalendar makes everybody who wants to book with the agent, in either mode,
// wait for the end of this transaction.
func (t *tx) lockCalendar(owner frontdesk.Owner, agent frontdesk.ID) error {
	var id frontdesk.ID
	found, err := t.row(`SELECT id FROM agents WHERE tenant_id = $1 AND id = $2`+t.dialect.forUpdate,
		[]any{string(owner.TenantID), string(agent)}, &id)
	if err == nil && !found {
		return frontdesk.Missing("agent")
	}
	return err
}

func (t *tx) checkPlace(owner frontdesk.Owner, l Look, v *frontdesk.Visit, fits func(*frontdesk.Visit, []frontdesk.Busy) error) error {
	if fits == nil {
		return nil
	}
	var taken []frontdesk.Busy
	if err := busy(t.each, owner, l, func(b frontdesk.Busy) { taken = append(taken, b) }); err != nil {
		return err
	}
	if err := fits(v, taken); err != nil {
		return refusal{err}
	}
	return nil
}

func (t *tx) captureMadeBy(owner frontdesk.Owner, once string) (frontdesk.Capture, error) {
	if once == "" {
		return frontdesk.Capture{}, frontdesk.Missing("capture")
	}
	return one(t.each, "capture", `SELECT `+captureFields+` FROM captures WHERE tenant_id = $1 AND live = $2 AND once = $3`,
		[]any{string(owner.TenantID), owner.Live, once}, scanCapture)
}

// freeCode is a code that no open appointment of the agent has: a caller who
// says it means one appointment.
func (t *tx) freeCode(owner frontdesk.Owner, agent frontdesk.ID, newCode func() string) (string, error) {
	for range 100 {
		code := newCode()
		var id frontdesk.ID
		found, err := t.row(`SELECT id FROM captures WHERE tenant_id = $1 AND live = $2 AND agent_id = $3 AND `+openAppointments+` AND confirmation_code = $4`,
			[]any{string(owner.TenantID), owner.Live, string(agent), code}, &id)
		if err != nil || !found {
			return code, err
		}
	}
	return "", errors.New("no confirmation code is free")
}

// AppointmentFilter says whose appointments to find: by the code, or else by the
// telephone number, however it is written.
type AppointmentFilter struct {
	AgentID frontdesk.ID
	Code    string
	Phone   string
	From    frontdesk.LocalTime
}

// mostFound is how many appointments of one telephone number are shown.
const mostFound = 10

// FindAppointments lists the owner's open appointments that a filter means,
// soonest first. What is wrong or too little to go by finds none.
func (s *Store) FindAppointments(ctx context.Context, owner frontdesk.Owner, f AppointmentFilter) ([]frontdesk.Capture, error) {
	return s.findOpen(ctx, owner, f, openAppointments)
}

// FindWaiting lists the owner's captures that a filter means by which somebody waits
// for a place, as FindAppointments does. Who waits for any time of a day waits until
// it is over.
func (s *Store) FindWaiting(ctx context.Context, owner frontdesk.Owner, f AppointmentFilter) ([]frontdesk.Capture, error) {
	if day, _, timed := strings.Cut(string(f.From), "T"); timed {
		f.From = frontdesk.LocalTime(day + "T00:00:00")
	}
	return s.findOpen(ctx, owner, f, `kind = 'waiting' AND status IN ('pending_confirm', 'confirmed')`)
}

func (s *Store) findOpen(ctx context.Context, owner frontdesk.Owner, f AppointmentFilter, which string) ([]frontdesk.Capture, error) {
	column, value := "confirmation_code", f.Code
	if f.Code == "" {
		column, value = "phone_tail", frontdesk.PhoneTail(f.Phone)
	}
	if value == "" {
		return nil, nil
	}
	var all []frontdesk.Capture
	scan := captureRows()
	err := s.each(ctx, "finding appointments",
		`SELECT `+captureFields+` FROM captures WHERE tenant_id = $1 AND live = $2 AND agent_id = $3 AND `+which+`
			AND `+column+` = $4 AND scheduled_at >= $5 ORDER BY scheduled_at LIMIT $6 + 0`,
		[]any{string(owner.TenantID), owner.Live, string(f.AgentID), value, string(f.From), mostFound},
		func(r row) error {
			c, err := scan(r)
			all = append(all, c)
			return err
		})
	return all, err
}
