package faults

import (
	"testing"
	"time"
)

const (
	// stopTimeout is what a node of these series has for a stop: a quarter of a
	// second is what it needs, but the disk of a busy machine can stand still for
	// seconds.
	stopTimeout = 20 * time.Second
	// watchdog is when a stop is taken for one that does not end: far beyond what
	// a busy machine adds.
	watchdog = 45 * time.Second
)

// Far is what a series with a far database found.
type Far struct {
	Outcome
	Stop    time.Duration // that a stop in the middle took
	Stopped Outcome       // of the events of that stop, after a restart
}

// FarDatabase delivers events while every packet from and to PostgreSQL takes
// so much longer: none comes twice, every attempt is counted. Then it stops the
// process in the middle of as many more, starts it again, and all have come.
// The program's own limits of time hold, not those of a test.
func FarDatabase(t testing.TB, binary string, delay time.Duration, events int) (f Far) {
	t.Helper()
	s := newStream(t, binary)
	if !s.place.Postgres() {
		t.Skip("a file is never far away: this is about PostgreSQL")
	}
	far := s.place.away(delay).With("FRONTDESK_STOP_TIMEOUT=" + stopTimeout.String())
	n := far.Serve()
	ids := s.emit(events, 250)()
	came := reaches(s.inbox.events, events)
	saved := s.awaitSaved(n, events)
	f.Outcome = s.outcome(n, ids)
	t.Logf("%v away: %v", delay, f.Outcome)
	if !came || !saved || f.Lost > 0 || f.Unsaved > 0 {
		t.Errorf("%v away: %d events have not come, %d deliveries are not saved", delay, f.Lost, f.Unsaved)
	}
	if f.Repeats > 0 || f.Uncount > 0 {
		t.Errorf("%v away: %d events came %d times too often, %d have another count of attempts than 1", delay, f.Again, f.Repeats, f.Uncount)
	}
	s.stopInTheMiddle(n, far, events, &f)
	if came := s.inbox.events(); came > 2*events {
		t.Errorf("%d events came, %d were made", came, 2*events)
	}
	return f
}

// stopInTheMiddle stops a node while as many events as before are on their way.
func (s *stream) stopInTheMiddle(n *Node, far *Place, events int, f *Far) {
	n.t.Helper()
	already := s.inbox.events()
	more := s.emit(events, 250)
	if !reaches(s.inbox.events, already+events/4) {
		n.t.Errorf("%d of %d events came before the stop, and no more for %v", s.inbox.events()-already, events, patience)
	}
	f.Stop = n.Stop(watchdog)
	ids := more()
	again := far.Later(leases).Serve()
	if !reaches(s.inbox.events, already+events) {
		n.t.Errorf("after a stop and a start %d of %d events have come", s.inbox.events()-already, events)
	}
	s.awaitSaved(again, 2*events)
	f.Stopped = s.outcome(again, ids)
	n.t.Logf("a stop took %v (it has %v), then: %v", f.Stop.Round(time.Millisecond), stopTimeout, f.Stopped)
	if f.Stopped.Lost > 0 || f.Stopped.Unsaved > 0 {
		n.t.Errorf("after a stop and a start %d events are lost, %d are not saved", f.Stopped.Lost, f.Stopped.Unsaved)
	}
	if f.Stopped.Repeats > laneSlots {
		n.t.Errorf("after a stop and a start %d requests were repeats, %d were under way at most", f.Stopped.Repeats, laneSlots)
	}
}
