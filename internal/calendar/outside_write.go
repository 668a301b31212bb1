package calendar

import (
	"context"
	"errors"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/ical"
	"frontdesk.dev/frontdesk/internal/store"
)

// writeOne brings one appointment in one calendar up to date, if one is due.
func (o *Outside) writeOne(ctx context.Context) (more bool, err error) {
	now := o.now()
	w, found, err := o.store.ClaimCalendarWriteForWorker(ctx, now, now.Add(outsideLease))
	if err != nil || !found {
		return false, err
	}
	there, err := o.write(ctx, w)
	if ctx.Err() != nil {
		return false, nil // it is written again when the lease ends: once more is not twice
	}
	return true, o.store.SaveCalendarWriteForWorker(ctx, w, o.written(w, there, err))
}

// write writes the appointment as it is now, or takes it away. It says whether
// it stands in the calendar then.
func (o *Outside) write(ctx context.Context, w store.CalendarWrite) (there bool, err error) {
	capture, err := o.store.Capture(ctx, w.Calendar.Owner(), w.Capture)
	if err != nil && !isGone(err) {
		return false, err
	}
	to, err := o.open(w.Calendar)
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(ctx, 3*outsideTimeout)
	defer cancel()
	if !standsIn(capture, w.Calendar) {
		return false, to.remove(ctx, w.Capture)
	}
	agent, err := o.store.Agent(ctx, w.Calendar.Owner(), capture.AgentID)
	if err != nil && !isGone(err) {
		return false, err
	}
	zone, err := frontdesk.LoadZone(capture.Timezone)
	if err != nil {
		return false, err
	}
	return true, to.put(ctx, capture.ID, ical.Calendar{Zone: zone, Events: []ical.Event{ownEvent(capture, agent)}}, w.Written)
}

func isGone(err error) bool {
	var e *frontdesk.Error
	return errors.As(err, &e) && e.Kind == frontdesk.NotFound
}

// standsIn says whether an appointment is to stand in a calendar. One that was
// cancelled is taken out rather than marked: many programs show what is marked
// as if it took the time, and its owner wants to see that it is free. Who did
// not come is left there, marked.
func standsIn(c frontdesk.Capture, in frontdesk.OutsideCalendar) bool {
	return c.Kind == frontdesk.Appointment && c.ScheduledAt != "" && c.Status != frontdesk.Cancelled &&
		(in.ResourceID == "" || in.ResourceID == c.Visit.ResourceID)
}

// written says what the end of a write means for the next.
func (o *Outside) written(w store.CalendarWrite, there bool, err error) store.CalendarWritten {
	if err == nil {
		return store.CalendarWritten{OK: true, There: there}
	}
	end := store.CalendarWritten{Problem: inWords(err)}
	now, waits := o.now(), frontdesk.RetrySchedule()
	if w.Attempts < len(waits) {
		end.Again = now.Add(waits[w.Attempts])
	}
	if status := statusOf(err); status == 0 || status >= 500 { // it would not take the others either
		end.Others = now.Add(min(waits[min(w.Attempts, len(waits)-1)], frontdesk.OutsideEvery))
	}
	level := o.log.Warn
	if end.Again.IsZero() {
		level = o.log.Error
	}
	level("outside calendar: writing an appointment failed", "capture", w.Capture, "calendar", w.Calendar.ID, "host", w.Calendar.Host,
		"tenant", w.Calendar.TenantID, "attempt", w.Attempts, "again", end.Again, "given_up", end.Again.IsZero(), "error", err)
	return end
}

// keepWrites is how long it is remembered that an appointment which is over was
// written.
const keepWrites = 62 * 24 * time.Hour

// Prune forgets what was written for appointments that are long over.
func (o *Outside) Prune(ctx context.Context) error {
	const some = 500
	before := frontdesk.LocalTimeOf(o.now().UTC().Add(-keepWrites))
	for ctx.Err() == nil {
		n, err := o.store.PruneCalendarWritesForWorker(ctx, before, some)
		if err != nil || n == 0 {
			return err
		}
	}
	return ctx.Err()
}
