package faults

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Kills kills the process at random moments while events flow: nothing is lost,
// and no more comes again than was under way.
func Kills(t testing.TB, binary string, kills, events int) Outcome {
	t.Helper()
	s := newStream(t, binary)
	p := s.place.With("FRONTDESK_DATABASE_TIMEOUT=30s")
	ids := s.emit(events, max(events/(4*kills), 1))
	for kill := range kills {
		n := p.Serve()
		// What was under way at a kill comes again only when its lease has run out.
		within := float64(events-kills*2*laneSlots) / float64(kills)
		moment := int(within * (float64(kill) + rand.Float64()))
		mustReach(t, fmt.Sprintf("events before kill %d", kill+1), s.inbox.events, moment)
		n.Kill()
	}
	made := ids()
	before := s.inbox.events()
	last := p.Later(leases).Serve()
	mustReach(t, "events after the last kill", s.inbox.events, events)
	saved := s.awaitSaved(last, events)
	o := s.outcome(last, made)
	t.Logf("%d kills: %v; %d came after the last kill", kills, o, events-before)
	if came := s.inbox.events(); came > events {
		t.Errorf("%d events came, %d were made", came, events)
	}
	if !saved || o.Lost > 0 || o.Unsaved > 0 {
		t.Errorf("%d events are lost, %d deliveries are not delivered", o.Lost, o.Unsaved)
	}
	if o.Repeats > kills*laneSlots {
		t.Errorf("%d requests were repeats; %d kills with %d deliveries under way make %d at most", o.Repeats, kills, laneSlots, kills*laneSlots)
	}
	if o.Counted > o.Requests+kills*laneSlots || o.Counted < o.Events {
		t.Errorf("%d attempts are on record, %d requests came", o.Counted, o.Requests)
	}
	return o
}
