package cli

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// outsideState is how an outside calendar is.
type outsideState struct {
	calendar frontdesk.OutsideCalendar
	writes   frontdesk.CalendarWrites
	state    string // fine, unwell or broken
	problem  string
	fix      string
}

func (s *session) outsideStates(t frontdesk.Tenant, owner frontdesk.Owner) ([]outsideState, error) {
	calendars, err := s.store.OutsideCalendars(s.ctx, owner)
	if err != nil {
		return nil, err
	}
	writes, err := s.store.CalendarWrites(s.ctx, owner)
	if err != nil {
		return nil, err
	}
	all := make([]outsideState, len(calendars))
	for i, c := range calendars {
		all[i] = stateOf(c, writes[c.ID], t.Slug, s.now())
	}
	return all, nil
}

// stateOf says how a calendar is, and what to do.
func stateOf(c frontdesk.OutsideCalendar, w frontdesk.CalendarWrites, tenant string, now time.Time) outsideState {
	o := outsideState{calendar: c, writes: w, state: fine}
	again := fmt.Sprintf("`frontdesk calendar disconnect --tenant %s %s`, and connect it again", tenant, c.ID)
	switch {
	case c.Unknown(now) && c.FailingSince.IsZero():
		o.state, o.problem = broken, "Nobody has read it since "+when(c.OKAt)+"; what callers book is said to be unconfirmed."
		o.fix = "Start frontdesk (`frontdesk serve`), which reads it every five minutes."
	case c.Unknown(now):
		o.state, o.problem = broken, c.Problem+" What callers book is said to be unconfirmed."
		o.fix = "Put it right; it is asked again every five minutes. If its address or password has changed: " + again + "."
	case !c.FailingSince.IsZero():
		o.state, o.problem, o.fix = unwell, c.Problem, "It is asked again every minute; its last known busy times hold until then."
	case w.Dead > 0:
		o.state, o.problem = unwell, fmt.Sprintf("Appointments that could not be written into it: %d. %s", w.Dead, w.Problem)
		o.fix = "Put it right; to have them written at once: " + again + "."
	case w.Waiting > 0 && w.Problem != "":
		o.state, o.problem = unwell, fmt.Sprintf("Appointments that wait to be written into it: %d. %s", w.Waiting, w.Problem)
		o.fix = "They are tried again by themselves, for a day, and when it answers again."
	case c.Problem != "":
		o.state, o.problem, o.fix = unwell, c.Problem, "Change those events, or enter their times in the book of hours as closures."
	}
	return o
}

func (o outsideState) shape(slugs map[frontdesk.ID]string) map[string]any {
	c := o.calendar
	return map[string]any{
		"id": c.ID, "agent": slugs[c.AgentID], "resource_id": c.ResourceID, "kind": c.Kind, "host": c.Host, "livemode": c.Live,
		"status": o.state, "problem": o.problem, "fix": o.fix, "last_ok_at": stamp(c.OKAt), "failing_since": stamp(c.FailingSince),
		"busy_times": c.Periods, "writes_waiting": o.writes.Waiting, "writes_dead": o.writes.Dead, "created_at": stamp(c.CreatedAt),
	}
}

func printOutside(w io.Writer, all []outsideState, slugs map[frontdesk.ID]string) {
	row(w, "CALENDAR AT", "KIND", "AGENT", "OF", "STATE", "ANSWERED", "BUSY TIMES", "TO WRITE", "ID")
	for _, o := range all {
		c := o.calendar
		row(w, c.Host, string(c.Kind), slugs[c.AgentID], cmp.Or(c.ResourceID, everybody), o.state, when(c.OKAt), strconv.Itoa(c.Periods), strconv.Itoa(o.writes.Waiting), string(c.ID))
	}
	for _, o := range all {
		if o.problem != "" {
			fmt.Fprintf(w, "%s: %s\n→ %s\n", o.calendar.ID, plain(o.problem), plain(o.fix))
		}
	}
}

// checkCalendars looks for outside calendars that fail.
func (d *doctor) checkCalendars(s *store.Store) {
	const check = "calendars"
	states, err := d.outsideStates(s)
	if err != nil {
		d.fail(check, d.awayFix(), "they cannot be read: %v", cause(err))
		return
	}
	well := 0
	for _, o := range states {
		if o.state == fine {
			well++
			continue
		}
		d.warn(check, o.fix, "the calendar at %s: %s", o.calendar.Host, o.problem)
	}
	if well > 0 {
		d.ok(check, "%d outside calendars answer", well)
	}
}

func (d *doctor) outsideStates(s *store.Store) (all []outsideState, err error) {
	tenants, err := s.Tenants(d.ctx)
	if err != nil {
		return nil, err
	}
	now := d.settings.Now
	if now.IsZero() {
		now = time.Now()
	}
	of := &session{ctx: d.ctx, settings: d.settings, now: func() time.Time { return now }, store: s}
	for _, t := range tenants {
		for _, live := range []bool{true, false} {
			some, err := of.outsideStates(t, frontdesk.Owner{TenantID: t.ID, Live: live})
			if err != nil {
				return nil, err
			}
			all = append(all, some...)
		}
	}
	return all, nil
}
