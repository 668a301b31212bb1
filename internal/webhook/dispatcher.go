package webhook

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// Dispatcher sees to it that due deliveries are tried.
//
// Each connection has a lane with a few slots. A lane that is told to have work
// claims some deliveries, tries them side by side in its slots, and claims more
// when those run low: a receiver that hangs fills its own slots and nobody
// else's. What has ended is saved in batches by one saver.
type Dispatcher struct {
	store  *store.Store
	sender *Sender
	now    func() time.Time
	log    *slog.Logger

	slots     int // of a lane whose receiver is well
	sickSlots int // of one that keeps failing
	most      int // attempts at once, of all lanes
	poll      time.Duration

	mu      sync.Mutex
	lanes   map[store.Lane]*lane
	flying  int // or about to: what lanes that claim have room for
	sick    int // attempts at once of lanes that keep failing
	wake    chan struct{}
	results chan store.Tried
	flights sync.WaitGroup
}

// lane is what the dispatcher knows of one connection's queue.
type lane struct {
	hungry   bool // there may be more to claim
	claiming bool
	flying   int
	failures int // in a row, as last seen
	proven   int // attempts that went well since the last one that did not
}

const (
	// sickAfter is how many failures in a row make a lane a sick one.
	sickAfter = 5
	// firstSlots is what a lane begins with. Each attempt that goes well adds
	// one, so that a receiver that is well has them all after a few moments,
	// and many that hang from the start do not fill the house.
	firstSlots = 8
	// pollEvery is how often the dispatcher looks for itself: retries that
	// have come due, leases that have run out, work of other processes.
	pollEvery = time.Second
	// saveBatch is how many attempts are saved in one transaction at most.
	saveBatch = 128
)

// DispatcherOptions are figures with useful zero values.
type DispatcherOptions struct {
	Slots int // at once to one connection; 32
	Most  int // at once in all; 1,024
}

// NewDispatcher returns a dispatcher that does nothing until it runs.
func NewDispatcher(s *store.Store, sender *Sender, now func() time.Time, log *slog.Logger, o DispatcherOptions) *Dispatcher {
	d := &Dispatcher{
		store: s, sender: sender, now: now, log: log,
		slots: cmp.Or(o.Slots, 32), sickSlots: 2, most: cmp.Or(o.Most, 1024), poll: pollEvery,
		lanes: map[store.Lane]*lane{}, wake: make(chan struct{}, 1),
	}
	d.results = make(chan store.Tried, d.most)
	s.OnWork(d.Tell)
	return d
}

// Tell says that lanes have work.
func (d *Dispatcher) Tell(lanes []store.Lane) {
	d.mu.Lock()
	for _, l := range lanes {
		d.lane(l).hungry = true
	}
	d.mu.Unlock()
	d.rouse()
}

// Run dispatches until ctx ends; then it finishes the attempts under way, saves
// them, and returns.
func (d *Dispatcher) Run(ctx context.Context) {
	saved := make(chan struct{})
	go func() {
		defer close(saved)
		d.saveAll()
	}()
	poll := time.NewTicker(d.poll)
	defer poll.Stop()
	d.look(ctx)
	for running := true; running; {
		d.dispatch(ctx)
		select {
		case <-ctx.Done():
			running = false
		case <-d.wake:
		case <-poll.C:
			d.look(ctx)
		}
	}
	d.flights.Wait()
	close(d.results)
	<-saved
}

// Listen passes on what other nodes tell of, and comes back by itself.
func (d *Dispatcher) Listen(ctx context.Context) {
	for ctx.Err() == nil {
		if err := d.store.ListenForWorker(ctx); err == nil {
			return
		} else if ctx.Err() == nil {
			d.log.Warn("work of other nodes is not heard of for a moment", "error", err)
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
			d.log.Error("looking for deliveries failed", "error", err)
		}
		return
	}
	if len(lanes) > 0 {
		d.Tell(lanes)
	}
}

// dispatch lets every hungry lane with free slots claim.
func (d *Dispatcher) dispatch(ctx context.Context) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for key, l := range d.lanes {
		if !l.hungry && !l.claiming && l.flying == 0 {
			delete(d.lanes, key) // nothing is known of it that the database does not know
			continue
		}
		room := d.room(l)
		if !l.hungry || l.claiming || room <= 0 || ctx.Err() != nil {
			continue
		}
		// Not hungry until it is told again, be it while it claims.
		l.claiming, l.hungry = true, false
		sick := l.failures >= sickAfter
		d.count(room, sick)
		d.flights.Go(func() {
			d.claim(ctx, key, l, room)
			d.mu.Lock()
			defer d.mu.Unlock()
			d.count(-room, sick)
			d.rouse()
		})
	}
}

// room is how many deliveries a lane may claim now. A lane that is well waits
// until half its slots are free, so that it claims in batches.
func (d *Dispatcher) room(l *lane) int {
	slots := min(d.slots, firstSlots+l.proven)
	if l.failures >= sickAfter {
		slots = d.sickSlots
		// The sick leave a half to the well, however many they are.
		if d.sick+slots > d.most/2 {
			return 0
		}
	}
	free := min(slots-l.flying, d.most-d.flying)
	if l.flying > slots/2 {
		return 0
	}
	return free
}

// count books attempts as flying.
func (d *Dispatcher) count(n int, sick bool) {
	d.flying += n
	if sick {
		d.sick += n
	}
}

// claim takes deliveries of a lane and sets them flying. Once it has begun it
// ends, so that it is known what was claimed; when the dispatcher is told to
// stop meanwhile, it is given back.
func (d *Dispatcher) claim(ctx context.Context, key store.Lane, l *lane, room int) {
	now := d.now()
	claimed, err := d.store.ClaimForWorker(context.WithoutCancel(ctx), key, now, now.Add(frontdesk.DeliveryLease).Truncate(time.Microsecond), room)
	if err == nil && ctx.Err() != nil && len(claimed.Claims) > 0 {
		err = d.store.ReleaseForWorker(context.WithoutCancel(ctx), claimed.Claims, d.now())
		claimed.Claims = nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	l.claiming = false
	if err != nil { // the next look finds the lane again
		d.log.Error("claiming deliveries failed", "connection", key.Connection, "error", err)
		return
	}
	l.hungry = l.hungry || len(claimed.Claims) == room
	l.failures = claimed.Connection.Health.ConsecutiveFailures
	for _, c := range claimed.Claims {
		d.launch(ctx, l, claimed.Connection, c)
	}
	d.rouse()
}

// launch tries one delivery in a slot of its lane. An attempt that has begun is
// finished, also when the dispatcher is told to stop.
func (d *Dispatcher) launch(ctx context.Context, l *lane, c frontdesk.Connection, claim store.Claim) {
	sick := l.failures >= sickAfter
	l.flying++
	d.count(1, sick)
	d.flights.Go(func() {
		tried := d.sender.Try(context.WithoutCancel(ctx), c, claim)
		d.results <- tried
		d.mu.Lock()
		defer d.mu.Unlock()
		l.flying--
		d.count(-1, sick)
		if tried.Attempt.OK() {
			l.failures = 0
			l.proven++
		} else {
			l.failures++
			l.proven = 0
		}
		d.rouse()
	})
}

func (d *Dispatcher) lane(key store.Lane) *lane {
	l := d.lanes[key]
	if l == nil {
		l = &lane{}
		d.lanes[key] = l
	}
	return l
}

func (d *Dispatcher) rouse() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// saveAll writes what has ended, as much at once as has come together while the
// last batch was being written.
func (d *Dispatcher) saveAll() {
	for first := range d.results {
		batch := append(make([]store.Tried, 0, saveBatch), first)
	gather:
		for len(batch) < saveBatch {
			select {
			case t, more := <-d.results:
				if !more {
					break gather
				}
				batch = append(batch, t)
			default:
				break gather
			}
		}
		d.save(batch)
	}
}

// save writes a batch, and tries again for as long as its leases last: what
// cannot be written by then is delivered a second time.
func (d *Dispatcher) save(batch []store.Tried) {
	wait := 50 * time.Millisecond
	for giveUp := time.Now().Add(frontdesk.DeliveryLease - frontdesk.DeliveryTimeout); ; wait = min(2*wait, time.Second) {
		err := d.store.SaveAttempts(context.Background(), batch...)
		if err == nil {
			return
		}
		d.log.Error("saving attempts failed", "attempts", len(batch), "error", err)
		if time.Now().After(giveUp) {
			return
		}
		<-time.After(wait)
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
