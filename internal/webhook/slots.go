package webhook

import (
	"net/url"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/store"
)

// An attempt that is under way holds a slot, until its result is saved. How many
// slots a lane gets is decided here, by what is known of its receiver:
//
//   - The lane itself: two until its receiver has taken something, one more for
//     everything it takes, 32 at most.
//   - Its host: many connections may lead to one platform, and when that hangs
//     they hang together. So a host has slots too, which grow and shrink alike.
//   - All lanes together: those that are unwell may hold half of all slots, with
//     those that nobody knows yet three quarters. The last quarter is for lanes
//     whose receivers are known to be well: however many hang, those find room.
const (
	// firstSlots is what a lane begins with, and what one that fails is left with.
	firstSlots = 2
	// firstHostSlots is what all lanes of a host begin with together,
	// leastHostSlots what a host is left with that hangs.
	firstHostSlots = 8
	leastHostSlots = 4
	// sickAfter is how many failures in a row make a lane unwell.
	sickAfter = 5
	// slowAfter is how long an attempt takes to make its lane unwell before it
	// has ended.
	slowAfter = 2 * time.Second
	// forgetAfter is how long a lane without work is remembered.
	forgetAfter = 10 * time.Minute
)

// class is how much is known of a lane's receiver.
type class int

const (
	proven  class = iota // took what it was sent
	unknown              // has not been sent anything yet, or failed lately
	sick                 // keeps failing, or does not answer
	classes
)

// lane is what the dispatcher knows of one connection's queue.
type lane struct {
	key   store.Lane
	host  *host     // nil until the connection has been read
	since time.Time // when something was last heard of it
	flew  time.Time // when its last attempt ended

	hungry  bool // there may be more to claim
	told    bool // somebody said so, since its last claim
	turning bool // a turn is under way: it saves and claims
	blocked bool // it waits in the dispatcher's line for somebody's slots
	peeking bool // it is to be looked at again in a moment
	peeked  time.Time
	pausing bool // its last turn failed; it waits a moment

	flying int      // attempts under way
	ended  []flight // attempts to be saved
	batch  int      // how many are saved at once
	wait   time.Duration

	failures int // in a row
	proven   int // attempts that went well, halved by each that did not
	slow     int // attempts under way that take long
}

// host is what the lanes that lead to one host have in common.
type host struct {
	name  string
	used  int // slots
	slots int
}

// flight is an attempt from its launch until it is saved.
type flight struct {
	class class
	slow  bool
	host  *host
	tried store.Tried
}

// slots counts what is in use of all that there are.
type slots struct {
	most  int
	lane  int // of one lane at most
	used  [classes]int
	hosts map[string]*host
}

func newSlots(lane, most int) slots {
	return slots{most: most, lane: lane, hosts: map[string]*host{}}
}

// class is what the lane's next attempt counts as.
func (l *lane) class() class {
	switch {
	case l.failures >= sickAfter || l.slow > 0:
		return sick
	case l.proven > 0:
		return proven
	}
	return unknown
}

// ours says whether this node works on the lane: other nodes leave it to us.
func (l *lane) ours() bool { return l.used() > 0 || time.Since(l.flew) < store.HeldFor }

// used is how many slots the lane holds.
func (l *lane) used() int { return l.flying + len(l.ended) }

// free is how many further slots a lane may take now, when it gives some of those
// that it holds back.
func (s *slots) free(l *lane, back int) int {
	mine := min(s.lane, firstSlots+l.proven)
	if l.failures >= sickAfter {
		mine = firstSlots
	}
	used := l.used() - back
	free := min(mine-used, s.left(l.class())+back)
	if l.host == nil {
		return free
	}
	hosts := l.host.slots - l.host.used + back
	if l.class() == proven { // its neighbours' trouble leaves it some
		hosts = max(hosts, firstSlots-used)
	}
	return min(free, hosts)
}

// enough is how many slots a lane waits for before it claims with nothing to
// save: half of what it may have, so that it claims in batches.
func (s *slots) enough(l *lane) int { return max(1, min(s.lane, firstSlots+l.proven)/2) }

// left is how many slots a class of lanes may still take.
func (s *slots) left(c class) int {
	all := s.used[proven] + s.used[unknown] + s.used[sick]
	switch c {
	case sick:
		return min(s.most/2-s.used[sick], s.most-all)
	case unknown:
		return min(s.most*3/4-s.used[sick]-s.used[unknown], s.most-all)
	}
	// Lanes that were well and hang now hold more than their half: that must not
	// be at the expense of those that are well.
	over := max(0, s.used[sick]-s.most/2)
	return min(s.most-all+over, 3*s.most-all)
}

// take counts slots as used, give as free again.
func (s *slots) take(c class, h *host, n int) {
	s.used[c] += n
	if h != nil {
		h.used += n
	}
}

func (s *slots) give(c class, h *host, n int) { s.take(c, h, -n) }

// forget drops the hosts that no lane leads to any more.
func (s *slots) forget(lanes map[store.Lane]*lane) {
	kept := map[string]*host{}
	for _, l := range lanes {
		if l.host != nil {
			kept[l.host.name] = l.host
		}
	}
	for name, h := range s.hosts {
		if h.used > 0 {
			kept[name] = h
		}
	}
	s.hosts = kept
}

// hostOf finds the host that an address leads to.
func (s *slots) hostOf(address string) *host {
	u, err := url.Parse(address)
	if err != nil { // such a connection is not made
		u = &url.URL{}
	}
	name := strings.ToLower(u.Host)
	h := s.hosts[name]
	if h == nil {
		h = &host{name: name, slots: firstHostSlots}
		s.hosts[name] = h
	}
	return h
}

// slowed counts an attempt as unwell before it has ended.
func (s *slots) slowed(l *lane, f *flight) {
	f.slow = true
	l.slow++
	s.take(f.class, nil, -1)
	f.class = sick
	s.take(f.class, nil, 1)
	f.host.slots = max(leastHostSlots, f.host.slots/2)
}

// learned notes how an attempt ended.
func (s *slots) learned(l *lane, f *flight) {
	if f.slow {
		l.slow--
	}
	if f.tried.Attempt.OK() {
		l.failures = 0
		l.proven = min(l.proven+1, s.lane)
		f.host.slots = min(f.host.slots+1, s.most/2)
		return
	}
	l.failures++
	l.proven /= 2
	if f.tried.Attempt.HTTPStatus == 0 { // the host did not answer at all
		f.host.slots = max(leastHostSlots, f.host.slots/2)
	}
}
