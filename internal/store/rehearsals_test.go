package store_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// What is written in a rehearsal goes into no outside calendar, onto no waiting list
// and into no event, when it is made and when a calendar is connected later.
func TestWhatIsRehearsedStaysInTheHouse(t *testing.T) {
	t.Parallel()
	for source, leaves := range map[frontdesk.Source]bool{frontdesk.FromCall: true, frontdesk.FromRehearsal: false} {
		t.Run(string(source), func(t *testing.T) {
			s, owner, c := outsideDesk(t)
			booked := newCapture(c.AgentID, "booked", nil)
			waits := newCapture(c.AgentID, "waits", nil)
			waits.Capture.Kind = frontdesk.Waiting
			booked.Capture.Source, waits.Capture.Source = source, source
			addOne(t, s, owner, booked)
			addOne(t, s, owner, waits)
			w, found, err := s.ClaimCalendarWriteForWorker(ctx, day, day.Add(1))
			if err != nil || found != leaves || leaves && w.Capture != booked.Capture.ID {
				t.Errorf("to be written outside: %+v, %v, %v", w, found, err)
			}
			later := connectOutside(t, s, owner, c.AgentID)
			figures, err := s.CalendarWrites(ctx, owner)
			if err != nil || (figures[later.ID].Waiting > 0) != leaves {
				t.Errorf("to be written into the calendar that was connected later: %+v, %v", figures, err)
			}
			waiting, err := s.WaitingForWorker(ctx, day, 10)
			if err != nil || (len(waiting) > 0) != leaves {
				t.Errorf("waiting: %+v, %v", waiting, err)
			}
			events, err := s.EventsAfter(ctx, owner, frontdesk.FirstIDAt(day.AddDate(0, 0, -1)), 10)
			if err != nil || (len(events) > 0) != leaves {
				t.Errorf("events: %+v, %v", events, err)
			}
		})
	}
}
