package reception_test

import (
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// An outside calendar that has not answered for long may say anything: who books
// meanwhile is told that it is to be confirmed.
func TestAnOutsideCalendarThatIsAway(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		since time.Duration
		said  bool
	}{
		"it has just answered": {time.Minute, false},
		"it is away":           {time.Hour, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFront(t)
			at := f.clock.Now().Add(-tt.since)
			must(t, f.store.AddOutsideCalendar(ctx, f.owner, frontdesk.Actor{}, frontdesk.OutsideCalendar{
				ID: frontdesk.NewID(at), AgentID: f.agent.ID, Kind: frontdesk.OutsideICS, Host: "calendar.example.com", URL: []byte("sealed"),
				CreatedAt: at, ReadAt: at, OKAt: at,
			}, nil, nil, ""))
			c := f.start()
			booked := c.book()
			if booked.Status != frontdesk.PendingConfirm {
				t.Errorf("it is %s", booked.Status)
			}
			if said := strings.Contains(c.last.Text, "pendiente de confirmar"); said != tt.said {
				t.Errorf("said %q", c.last.Text)
			}
		})
	}
}
