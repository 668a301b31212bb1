package webhook

import (
	"fmt"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

var (
	taken    = frontdesk.Attempt{HTTPStatus: 200}
	refused  = frontdesk.Attempt{HTTPStatus: 500, ErrorCode: frontdesk.HTTP5xx}
	timedOut = frontdesk.Attempt{ErrorCode: frontdesk.TimedOut}
)

// newLane is a lane to a host.
func newLane(s *slots, host string) *lane { return &lane{host: s.hostOf("https://" + host + "/hook")} }

// fill launches as much as a lane may.
func fill(s *slots, l *lane) (flights []*flight) {
	for s.free(l, 0) > 0 {
		f := &flight{class: l.class(), host: l.host}
		s.take(f.class, f.host, 1)
		l.flying++
		flights = append(flights, f)
	}
	return flights
}

// end ends an attempt and saves it.
func end(s *slots, l *lane, f *flight, a frontdesk.Attempt) {
	f.tried = store.Tried{Attempt: a}
	s.learned(l, f)
	l.flying--
	s.give(f.class, f.host, 1)
}

func TestALaneGrowsWithWhatItsReceiverTakes(t *testing.T) {
	t.Parallel()
	s := newSlots(32, 1024)
	l := newLane(&s, "a.example")
	for round, want := range []int{2, 4, 8, 16, 32, 32} {
		flights := fill(&s, l)
		if len(flights) != want {
			t.Errorf("in round %d it has %d slots, not %d", round, len(flights), want)
		}
		for _, f := range flights {
			end(&s, l, f, taken)
		}
	}
	for range sickAfter {
		end(&s, l, launchOne(&s, l), refused)
	}
	if n := len(fill(&s, l)); n != firstSlots {
		t.Errorf("one that keeps failing has %d slots", n)
	}
}

func launchOne(s *slots, l *lane) *flight {
	f := &flight{class: l.class(), host: l.host}
	s.take(f.class, f.host, 1)
	l.flying++
	return f
}

// However many lanes lead to a host that hangs, they hold few slots, and fewer
// once it is known to hang.
func TestAHostThatHangs(t *testing.T) {
	t.Parallel()
	s := newSlots(32, 1024)
	var flights []*flight
	var lanes []*lane
	for range 300 {
		l := newLane(&s, "platform.example")
		for _, f := range fill(&s, l) {
			flights, lanes = append(flights, f), append(lanes, l)
		}
	}
	if len(flights) != firstHostSlots {
		t.Errorf("%d attempts are under way", len(flights))
	}
	for i, f := range flights {
		s.slowed(lanes[i], f)
	}
	for i, f := range flights {
		end(&s, lanes[i], f, timedOut)
	}
	again := 0
	for range 300 {
		again += len(fill(&s, newLane(&s, "platform.example")))
	}
	if again != leastHostSlots {
		t.Errorf("%d attempts are under way after it timed out", again)
	}
}

// A thousand hosts that hang leave room for those who are known to be well, and
// those that are known to hang for those whom nobody knows.
func TestManyHostsThatHang(t *testing.T) {
	t.Parallel()
	s := newSlots(32, 1024)
	well := newLane(&s, "well.example")
	for range 8 {
		end(&s, well, launchOne(&s, well), taken)
	}
	hang := func(from, to int, slow bool) {
		for i := from; i < to; i++ {
			l := newLane(&s, fmt.Sprintf("dead%d.example", i))
			for _, f := range fill(&s, l) {
				if slow {
					s.slowed(l, f)
				}
			}
		}
	}
	hang(0, 256, true)
	if n := s.free(newLane(&s, "new.example"), 0); n != firstSlots {
		t.Errorf("one that nobody knows has %d slots beside %d that hang", n, s.used[sick])
	}
	hang(256, 2000, true)
	if n := s.free(well, 0); n < 8 {
		t.Errorf("one that is well has %d slots beside %v", n, s.used)
	}
	sum := s.used[proven] + s.used[unknown] + s.used[sick]
	if sum > s.most*3/4 {
		t.Errorf("%d of %d slots hang", sum, s.most)
	}
}

// Neighbours on a host that is slow for others do not take the last slots of one
// that is well.
func TestAWellLaneOnASlowHost(t *testing.T) {
	t.Parallel()
	s := newSlots(32, 1024)
	well := newLane(&s, "platform.example")
	end(&s, well, launchOne(&s, well), taken)
	for range 50 {
		l := newLane(&s, "platform.example")
		for _, f := range fill(&s, l) {
			s.slowed(l, f)
		}
	}
	if n := s.free(well, 0); n < firstSlots {
		t.Errorf("it has %d slots", n)
	}
}

// What is taken is given back: after any story nothing is in use.
func TestSlotsAddUp(t *testing.T) {
	t.Parallel()
	s := newSlots(4, 16)
	for i := range 50 {
		l := newLane(&s, fmt.Sprintf("h%d.example", i%3))
		for j, f := range fill(&s, l) {
			if j%2 == 0 {
				s.slowed(l, f)
			}
			end(&s, l, f, []frontdesk.Attempt{taken, refused, timedOut}[(i+j)%3])
		}
		if l.slow != 0 || l.flying != 0 {
			t.Errorf("the lane still has %+v", l)
		}
	}
	if s.used != [classes]int{} {
		t.Errorf("in use are %v", s.used)
	}
	for name, h := range s.hosts {
		if h.used != 0 {
			t.Errorf("%s has %d in use", name, h.used)
		}
	}
}

// Lanes that were well, have many slots and then hang do not take the last of
// them from one that is well.
func TestLanesThatWereWellAndHang(t *testing.T) {
	t.Parallel()
	s := newSlots(32, 1024)
	well := newLane(&s, "well.example")
	end(&s, well, launchOne(&s, well), taken)
	for i := range 60 {
		l := newLane(&s, fmt.Sprintf("dead%d.example", i%2))
		for range 40 {
			end(&s, l, launchOne(&s, l), taken)
		}
		for _, f := range fill(&s, l) {
			s.slowed(l, f)
		}
	}
	if n := s.free(well, 0); n < firstSlots {
		t.Errorf("it has %d slots beside %v", n, s.used)
	}
}
