package webhook

import (
	"cmp"
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/store"
)

// Dispatcher sees to it that due deliveries are tried.
//
// Each connection has a lane. A lane with work takes turns: in one transaction a
// turn saves how attempts have ended and claims further deliveries, which are
// then tried side by side. One turn of a lane runs at a time; what ends
// meanwhile waits for the next one, so that a busy lane saves and claims in
// batches. An attempt keeps its slot until it is saved: what a crash can make
// come twice is never more than the slots. slots.go says who gets how many.
type Dispatcher struct {
	store  *store.Store
	sender *Sender
	now    func() time.Time
	log    *slog.Logger
	poll   time.Duration

	mu       sync.Mutex
	slots    slots
	lanes    map[store.Lane]*lane
	line     []*lane // lanes that wait for slots or for a turn, first come first served
	turns    int     // under way
	busy     int     // turns, attempts under way, and results that are not saved
	running  bool
	stopping bool
	quiet    chan struct{} // closed when it stops and nothing is busy any more
}

const (
	// pollEvery is how often the dispatcher looks for itself: retries that
	// have come due, leases that have run out, work of other processes.
	pollEvery = time.Second
	// saveBatch is how many attempts are saved in one turn at most.
	saveBatch = 64
	// turnsAtOnce bounds how many connections to the database turns take.
	turnsAtOnce = 8
	// stopPatience is how long the dispatcher waits, once it is told to stop,
	// for attempts to end and to be saved.
	stopPatience = frontdesk.DeliveryTimeout + 5*time.Second
	// A turn that failed is taken again after firstPause, then twice as long,
	// up to longestPause.
	firstPause   = 50 * time.Millisecond
	longestPause = time.Second
	// peekAfter is when a lane that was left to another node is looked at again.
	peekAfter = 50 * time.Millisecond
)

// DispatcherOptions are figures with useful zero values.
type DispatcherOptions struct {
	Slots int // at once to one connection; 32
	Most  int // at once in all; 1,024
}

// NewDispatcher returns a dispatcher that does nothing until it runs.
func NewDispatcher(s *store.Store, sender *Sender, now func() time.Time, log *slog.Logger, o DispatcherOptions) *Dispatcher {
	return &Dispatcher{
		store: s, sender: sender, now: now, log: log, poll: pollEvery,
		slots: newSlots(cmp.Or(o.Slots, 32), cmp.Or(o.Most, 1024)),
		lanes: map[store.Lane]*lane{},
	}
}

// Tell says that lanes have work. What another process made is left to the node
// that works on the lane, if one does: this one looks after a moment.
func (d *Dispatcher) Tell(lanes []store.Lane, elsewhere bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, key := range lanes {
		l := d.lane(key)
		if elsewhere && !l.ours() {
			d.peek(l)
			continue
		}
		l.hungry, l.told = true, true
		d.consider(l)
	}
}

// Run dispatches until ctx ends; then it waits for the attempts under way, saves
// them, and returns. What is not saved by then comes again when its lease ends.
func (d *Dispatcher) Run(ctx context.Context) {
	d.store.OnWork(d.Tell)
	defer d.store.OnWork(nil)
	d.mu.Lock()
	d.running, d.stopping, d.quiet = true, false, make(chan struct{})
	d.mu.Unlock()
	poll := time.NewTicker(d.poll)
	defer poll.Stop()
	for d.look(ctx); ctx.Err() == nil; {
		select {
		case <-ctx.Done():
		case <-poll.C:
			d.look(ctx)
		}
	}
	d.store.OnWork(nil) // from here on the other nodes take the work
	d.stop()
}

func (d *Dispatcher) stop() {
	d.mu.Lock()
	d.stopping = true
	d.checkQuiet()
	d.mu.Unlock()
	patience := time.NewTimer(stopPatience)
	defer patience.Stop()
	select {
	case <-d.quiet:
	case <-patience.C:
		d.mu.Lock()
		defer d.mu.Unlock()
		d.log.Warn("deliveries: stopped before all attempts were saved; those are sent again when their lease ends", "attempts", d.busy)
	}
}

// Listen passes on what other nodes tell of, and comes back by itself.
func (d *Dispatcher) Listen(ctx context.Context) {
	for ctx.Err() == nil {
		if err := d.store.ListenForWorker(ctx); err == nil {
			return
		} else if ctx.Err() == nil {
			d.log.Warn("listen: lost the connection to the database, retrying; until then this node looks for work once a second", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(pollEvery):
		}
	}
}

// look finds the lanes that have work by themselves.
func (d *Dispatcher) look(ctx context.Context) {
	lanes, err := d.store.LanesWithWorkForWorker(ctx, d.now())
	if err != nil {
		if ctx.Err() == nil {
			d.log.Error("deliveries: looking for work failed, retrying", "error", err)
		}
		return
	}
	d.found(lanes)
	d.forget()
}

// found lets lanes that have work by the look of it take a turn.
func (d *Dispatcher) found(lanes []store.Lane) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, key := range lanes {
		l := d.lane(key)
		l.hungry = true
		d.consider(l)
	}
}

// forget drops lanes that have had nothing to do for a while.
func (d *Dispatcher) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := len(d.lanes)
	for key, l := range d.lanes {
		if !l.hungry && !l.turning && l.used() == 0 && time.Since(l.since) > forgetAfter {
			delete(d.lanes, key)
		}
	}
	if len(d.lanes) < before {
		d.slots.forget(d.lanes)
	}
}

func (d *Dispatcher) lane(key store.Lane) *lane {
	l := d.lanes[key]
	if l == nil {
		l = &lane{key: key, batch: saveBatch}
		d.lanes[key] = l
	}
	l.since = time.Now()
	return l
}

// consider lets a lane take a turn if there is something that it can do. A lane
// that has to wait for others stands in line.
func (d *Dispatcher) consider(l *lane) {
	if !d.running || l.turning || l.pausing {
		return
	}
	saving := min(len(l.ended), l.batch)
	room := d.room(l, saving)
	switch {
	case saving == 0 && (!l.hungry || d.stopping):
		return
	case l.host != nil && saving == 0 && room == 0:
		if l.used() == 0 { // it is not its own attempts that it waits for
			d.queue(l)
		}
		return
	case l.host != nil && saving == 0 && room < d.slots.enough(l) && l.flying > 0:
		return // it claims more at once when some have ended
	case d.turns >= turnsAtOnce:
		d.queue(l)
		return
	}
	// Of a lane whose host is not known yet, the turn only reads the connection.
	d.turn(l, saving, room)
}

// room is how many deliveries the lane's next turn may claim. One that saves
// claims as well, told of work or not: it costs next to nothing, and spares
// other nodes telling this one.
func (d *Dispatcher) room(l *lane, saving int) int {
	if l.host == nil || d.stopping || len(l.ended) > saving || saving == 0 && !l.hungry {
		return 0
	}
	back := saving
	if len(d.line) > 0 && l.class() != proven {
		back = 0 // what it gives back is for those who wait
	}
	return max(0, d.slots.free(l, back))
}

func (d *Dispatcher) queue(l *lane) {
	if !l.blocked {
		l.blocked = true
		d.line = append(d.line, l)
	}
}

// next considers those who have waited longest. Those who still have to wait
// stand at the end of the line again.
func (d *Dispatcher) next() {
	const some = 8
	for range min(some, len(d.line)) {
		if d.turns >= turnsAtOnce {
			break // nobody in the line could go on
		}
		l := d.line[0]
		d.line = d.line[1:]
		l.blocked = false
		d.consider(l)
	}
	d.checkQuiet()
}

// turn saves and claims, beside everything else.
func (d *Dispatcher) turn(l *lane, saving, room int) {
	l.turning = true
	tried := make([]store.Tried, saving)
	for i, f := range l.ended[:saving] {
		tried[i] = f.tried
	}
	// Not hungry until it is told again, be it while it claims.
	hungry, told := l.hungry, l.told
	if room > 0 {
		l.hungry, l.told = false, false
	}
	c, h := l.class(), l.host
	wish := store.Wish{Most: room, Worker: d.store.Worker()}
	d.slots.take(c, h, room)
	d.turns++
	d.busy++
	service.Go(d.log, "dispatcher: turn", func() error {
		var claimed store.Claimed
		err := service.Guard(d.log, "dispatcher: saving and claiming", func() (err error) {
			wish.Now = d.now()
			wish.LeaseUntil = leaseFrom(wish.Now)
			claimed, err = d.store.TurnForWorker(context.Background(), l.key, tried, wish)
			return err
		})
		d.mu.Lock()
		defer d.mu.Unlock()
		d.slots.give(c, h, room)
		d.turns--
		d.busy--
		l.turning = false
		if err != nil {
			l.hungry = l.hungry || hungry
			d.pause(l, saving, err)
		} else {
			d.saved(l, saving)
			d.launch(l, claimed, room)
			if wish.Worker != "" && told && room > 0 && claimed.Taken == 0 {
				d.peek(l)
			}
		}
		d.next()
		d.consider(l)
		d.checkQuiet()
		return nil
	})
}

// peek looks at a lane in a moment that has work and was left to another node:
// should there be none, or should it have been done with the lane just then, the
// work is still there. Nodes do so at different moments.
func (d *Dispatcher) peek(l *lane) {
	if l.peeking || d.stopping || time.Since(l.peeked) < pollEvery {
		return // what is missed now, the next look finds
	}
	l.peeking = true
	service.Later(d.log, "dispatcher: second look", peekAfter+rand.N(peekAfter), func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		l.peeking, l.peeked = false, time.Now()
		l.hungry = true
		d.consider(l)
	})
}

// pause lets a lane whose turn failed try again after a moment, with fewer
// results at once: a database that is slow gets done with some of them.
func (d *Dispatcher) pause(l *lane, saving int, err error) {
	l.batch = max(1, saving/2)
	l.wait = min(max(firstPause, 2*l.wait), longestPause)
	l.pausing = true
	d.log.Error("deliveries: saving or claiming failed, retrying", "connection", l.key.Connection, "attempts", saving, "after", l.wait, "error", err)
	service.Later(d.log, "dispatcher: retry", l.wait, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		l.pausing = false
		d.consider(l)
		d.checkQuiet()
	})
}

// saved gives back the slots of attempts that are in the books.
func (d *Dispatcher) saved(l *lane, n int) {
	for _, f := range l.ended[:n] {
		d.slots.give(f.class, f.host, 1)
	}
	d.busy -= n
	l.ended = append(l.ended[:0], l.ended[n:]...)
	l.batch, l.wait = min(2*l.batch, saveBatch), 0
}

// launch tries what was claimed. What has been claimed while the dispatcher was
// told to stop is given back.
func (d *Dispatcher) launch(l *lane, claimed store.Claimed, room int) {
	c := claimed.Connection
	if c.Status != frontdesk.ConnectionActive { // disabled, or gone: there is nothing to do
		l.hungry = false
		if len(claimed.Claims) > 0 { // it was enabled in that moment
			l.hungry = true
			d.release(claimed.Claims)
		}
		return
	}
	if l.host == nil {
		l.failures = c.Health.ConsecutiveFailures
		if l.failures == 0 && !c.Health.LastDeliveredAt.IsZero() {
			l.proven = 1 // it took what it was sent last
		}
	}
	l.host = d.slots.hostOf(c.URL)
	if room > 0 {
		l.hungry = l.hungry || claimed.Taken == room
	}
	if len(claimed.Claims) == 0 {
		return
	}
	if d.stopping {
		d.release(claimed.Claims)
		return
	}
	for _, claim := range claimed.Claims {
		d.fly(l, c, claim)
	}
}

// fly makes one attempt. An attempt that has begun is finished, also when the
// dispatcher is told to stop.
func (d *Dispatcher) fly(l *lane, c frontdesk.Connection, claim store.Claim) {
	f := &flight{class: l.class(), host: l.host}
	d.slots.take(f.class, f.host, 1)
	l.flying++
	d.busy++
	slow := service.Later(d.log, "dispatcher: slow attempt", slowAfter, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if f.tried.At.IsZero() {
			d.slots.slowed(l, f)
		}
	})
	service.Go(d.log, "dispatcher: attempt", func() error {
		tried := store.Tried{Claim: claim}
		if err := service.Guard(d.log, "dispatcher: sending", func() error {
			tried = d.sender.Try(context.Background(), c, claim)
			return nil
		}); err != nil {
			tried = d.sender.broken(claim)
		}
		slow.Stop()
		d.mu.Lock()
		defer d.mu.Unlock()
		f.tried = tried
		d.slots.learned(l, f)
		l.flying--
		l.since, l.flew = time.Now(), time.Now()
		l.ended = append(l.ended, *f)
		d.consider(l)
		d.next()
		return nil
	})
}

// release gives deliveries back that were claimed and not tried.
func (d *Dispatcher) release(claims []store.Claim) {
	d.busy++
	service.Go(d.log, "dispatcher: release", func() error {
		err := service.Guard(d.log, "dispatcher: giving deliveries back", func() error {
			return d.store.ReleaseForWorker(context.Background(), claims, d.now())
		})
		if err != nil {
			d.log.Error("deliveries: giving back failed; they are sent when their lease ends", "deliveries", len(claims), "error", err)
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		d.busy--
		d.checkQuiet()
		return nil
	})
}

// checkQuiet tells who waits for the end that it has come.
func (d *Dispatcher) checkQuiet() {
	if !d.stopping || d.busy > 0 {
		return
	}
	select {
	case <-d.quiet:
	default:
		close(d.quiet)
	}
}

// Prune forgets deliveries and events that have been kept long enough, a few at
// a time, so that no table is locked for long.
func (d *Dispatcher) Prune(ctx context.Context) error {
	const some = 500
	for ctx.Err() == nil {
		n, err := d.store.PruneForWorker(ctx, d.now().Add(-frontdesk.DeliveryRetention), some)
		if err != nil || n == 0 {
			return err
		}
	}
	return ctx.Err()
}
