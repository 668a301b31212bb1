package webhook_test

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/egress"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/service/servicetest"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/webhook"
	"frontdesk.dev/frontdesk/internal/wire"
	"frontdesk.dev/frontdesk/signature"
)

// post is a receiver that counts how often each event comes. handle, if set,
// answers; otherwise it is 204.
type post struct {
	*httptest.Server
	handle func(http.ResponseWriter, *http.Request)
	mu     sync.Mutex
	ids    map[string]int
	bodies map[string]string
	last   http.Header
}

func newPost(t testing.TB) *post {
	t.Helper()
	p := &post{ids: map[string]int{}, bodies: map[string]string{}}
	p.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		id := r.Header.Get(signature.HeaderID)
		p.mu.Lock()
		p.ids[id]++
		p.last = r.Header
		if before, known := p.bodies[id]; known && before != string(body) {
			t.Errorf("%s came with another body", id)
		}
		p.bodies[id] = string(body)
		handle := p.handle
		p.mu.Unlock()
		if handle != nil {
			handle(w, r)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(p.Close)
	return p
}

// answer makes the receiver answer with a status from now on.
func (p *post) answer(status int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.handle = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
}

// count is how many events came, and how many requests.
func (p *post) count() (events, requests int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range p.ids {
		requests += n
	}
	return len(p.ids), requests
}

func (p *post) times(id frontdesk.ID) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ids[string(id)]
}

// eventually waits for what must become true.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	tick, end := time.NewTicker(2*time.Millisecond), time.After(patience)
	defer tick.Stop()
	for !is() {
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("it did not come to be: %s", what)
		}
	}
}

// receive takes what must come on a channel.
func receive[T any](t testing.TB, what string, from <-chan T) (got T) {
	t.Helper()
	select {
	case got = <-from:
	case <-time.After(patience):
		t.Fatalf("it did not come to be: %s", what)
	}
	return got
}

// office is one node: a store, its connections and its dispatcher.
type office struct {
	t          testing.TB
	database   string
	store      *store.Store
	tenant     frontdesk.Tenant
	owner      frontdesk.Owner
	clock      *servicetest.Clock
	box        *seal.Box
	guard      *egress.Guard
	sender     *webhook.Sender
	webhooks   *webhook.Webhooks
	dispatcher *webhook.Dispatcher
}

func newOffice(t testing.TB, o webhook.DispatcherOptions, posts ...*post) *office {
	t.Helper()
	var origins []string
	for _, p := range posts {
		origins = append(origins, p.URL)
	}
	f := &office{t: t, database: storetest.URL(t), clock: newClock(), box: newBox(t), guard: opened(t, origins...)}
	f.store = storetest.Open(t, f.database)
	f.tenant = storetest.Tenant(t, f.store, "casa-lola")
	f.owner = frontdesk.Owner{TenantID: f.tenant.ID, Live: true}
	f.furnish(o, quiet())
	return f
}

func (f *office) furnish(o webhook.DispatcherOptions, log *slog.Logger) {
	f.sender = webhook.NewSender(f.guard, f.box, f.clock.Now, quiet(), nil)
	f.webhooks = webhook.New(f.store, f.box, f.guard, f.sender, f.clock.Now)
	f.dispatcher = webhook.NewDispatcher(f.store, f.sender, f.clock.Now, log, o)
	f.dispatcher.SetPoll(10 * time.Millisecond)
}

// beside is a second node on the same database.
func (f *office) beside(o webhook.DispatcherOptions) *office {
	other := *f
	other.store = storetest.Open(f.t, f.database)
	other.furnish(o, quiet())
	return &other
}

// run runs the dispatcher until stop, which returns when it has ended.
func (f *office) run() (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f.dispatcher.Run(ctx)
	}()
	stop = func() {
		cancel()
		select {
		case <-ended:
		case <-time.After(patience):
			f.t.Error("the dispatcher does not stop")
		}
	}
	f.t.Cleanup(stop)
	return stop
}

func (f *office) connect(url string) frontdesk.Connection {
	f.t.Helper()
	c, _, err := f.webhooks.Connect(ctx, f.owner, frontdesk.Actor{}, frontdesk.ConnectionInput{Name: "CRM", URL: url, Events: frontdesk.EventTypes}, 1000)
	if err != nil {
		f.t.Fatal(err)
	}
	return c
}

func (f *office) lane(c frontdesk.Connection) store.Lane {
	return store.Lane{Owner: f.owner, Connection: c.ID}
}

// emit makes events, all in one transaction.
func (f *office) emit(n int) []frontdesk.Event {
	f.t.Helper()
	var events []frontdesk.Event
	for i := range n {
		e, err := wire.Event(wire.EventSource{Tenant: f.tenant, Live: true}, frontdesk.CallCompleted, f.clock.Now(), fmt.Appendf(nil, `{"n":%d}`, i))
		if err != nil {
			f.t.Fatal(err)
		}
		events = append(events, e)
	}
	if err := f.store.Emit(ctx, f.owner, events...); err != nil {
		f.t.Fatal(err)
	}
	return events
}

// statuses counts the deliveries of a connection by where they stand.
func (f *office) statuses(c frontdesk.Connection) map[frontdesk.DeliveryStatus]int {
	f.t.Helper()
	n := map[frontdesk.DeliveryStatus]int{}
	for _, d := range f.deliveries(c) {
		n[d.Status]++
	}
	return n
}

func (f *office) deliveries(c frontdesk.Connection) (all []frontdesk.Delivery) {
	f.t.Helper()
	for p := (frontdesk.Page{Limit: 100}); ; p.StartingAfter = all[len(all)-1].ID {
		l, err := f.store.Deliveries(ctx, f.owner, c.ID, "", p)
		if err != nil {
			f.t.Fatal(err)
		}
		all = append(all, l.Items...)
		if !l.More {
			return all
		}
	}
}

func (f *office) connection(c frontdesk.Connection) frontdesk.Connection {
	f.t.Helper()
	c, err := f.store.Connection(ctx, f.owner, c.ID)
	if err != nil {
		f.t.Fatal(err)
	}
	return c
}

func (f *office) isDue() bool {
	f.t.Helper()
	lanes, err := f.store.LanesWithWorkForWorker(ctx, f.clock.Now())
	if err != nil {
		f.t.Fatal(err)
	}
	return len(lanes) > 0
}

func TestEveryEventComesOnceToEachConnection(t *testing.T) {
	t.Parallel()
	a, b := newPost(t), newPost(t)
	f := newOffice(t, webhook.DispatcherOptions{}, a, b)
	toA, toB := f.connect(a.URL), f.connect(b.URL)
	stop := f.run()
	var events []frontdesk.Event
	for range 4 {
		events = append(events, f.emit(50)...)
	}
	for _, p := range []*post{a, b} {
		eventually(t, "all events came", func() bool { n, _ := p.count(); return n == len(events) })
	}
	stop()
	for _, e := range events {
		if a.times(e.ID) != 1 || b.times(e.ID) != 1 || a.bodies[string(e.ID)] != string(e.Body) {
			t.Errorf("%s came %d and %d times", e.ID, a.times(e.ID), b.times(e.ID))
		}
	}
	for _, c := range []frontdesk.Connection{toA, toB} {
		for _, d := range f.deliveries(c) {
			if d.Status != frontdesk.DeliveryDelivered || d.Attempts != 1 || d.HTTPStatus != 204 || !d.DeliveredAt.Equal(day) || d.MaxAttempts != 8 {
				t.Errorf("got %+v", d)
			}
		}
		if h := f.connection(c).Health; h.ConsecutiveFailures != 0 || h.LastHTTPStatus != 204 || !h.LastDeliveredAt.Equal(day) {
			t.Errorf("got %+v", h)
		}
	}
}

// With a dispatcher that looks for itself once an hour, events come at once.
func TestTheDispatcherIsWoken(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	f := newOffice(t, webhook.DispatcherOptions{}, p)
	f.dispatcher.SetPoll(time.Hour)
	f.connect(p.URL)
	first := f.emit(1) // found by the first look
	f.run()
	eventually(t, "the first event came", func() bool { return p.times(first[0].ID) == 1 })
	for range 20 {
		next := f.emit(1)
		eventually(t, "the next event came", func() bool { return p.times(next[0].ID) == 1 })
	}
}

func TestAFailureIsTriedAgain(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	p.answer(http.StatusInternalServerError)
	f := newOffice(t, webhook.DispatcherOptions{}, p)
	c := f.connect(p.URL)
	f.run()
	e := f.emit(1)[0]
	for attempt := 1; attempt <= 8; attempt++ {
		want := frontdesk.DeliveryFailed
		if attempt == 8 {
			want = frontdesk.DeliveryDead
		}
		var d frontdesk.Delivery
		eventually(t, fmt.Sprintf("attempt %d failed", attempt), func() bool {
			d = f.deliveries(c)[0]
			return d.Attempts == attempt && d.Status == want
		})
		if p.times(e.ID) != attempt || d.ErrorCode != frontdesk.HTTP5xx || d.HTTPStatus != 500 {
			t.Fatalf("after %d requests: %+v", p.times(e.ID), d)
		}
		if attempt == 8 {
			break
		}
		wait := frontdesk.RetrySchedule()[attempt]
		if got := d.NextAttemptAt.Sub(f.clock.Now()); got < wait*8/10 || got > wait*12/10 {
			t.Errorf("attempt %d comes after %v", attempt+1, got)
		}
		if f.isDue() {
			t.Error("it is due before its time")
		}
		f.clock.Forward(d.NextAttemptAt.Sub(f.clock.Now()))
	}
	f.clock.Forward(1000 * time.Hour)
	if f.isDue() {
		t.Error("a dead delivery is due")
	}
	p.answer(http.StatusOK)
	d, err := f.webhooks.Retry(ctx, f.owner, frontdesk.Actor{}, f.deliveries(c)[0].ID)
	if err != nil || d.Status != frontdesk.DeliveryDelivered || d.Attempts != 9 {
		t.Errorf("got %+v, %v", d, err)
	}
}

func TestTheLeaseOfADeadWorkerRunsOut(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	f := newOffice(t, webhook.DispatcherOptions{}, p)
	c := f.connect(p.URL)
	events := f.emit(3)
	lease := f.clock.Now().Add(frontdesk.DeliveryLease)
	dead, err := f.store.ClaimForWorker(ctx, f.lane(c), f.clock.Now(), lease, 10)
	if err != nil || len(dead.Claims) != 3 || string(dead.Claims[0].Body) == "" {
		t.Fatalf("claimed %d, %v", len(dead.Claims), err)
	}
	f.run()
	f.clock.Forward(frontdesk.DeliveryLease - time.Microsecond)
	if f.isDue() {
		t.Error("what a worker has is due")
	}
	f.clock.Forward(time.Microsecond)
	eventually(t, "another worker delivered", func() bool { return f.statuses(c)[frontdesk.DeliveryDelivered] == 3 })
	// The dead one comes back to life and says that it failed.
	var late []store.Tried
	for _, claim := range dead.Claims {
		bad := frontdesk.Attempt{ErrorCode: frontdesk.TimedOut}
		late = append(late, store.Tried{Claim: claim, Attempt: bad, After: claim.Delivery.After(bad, f.clock.Now(), 0.5), At: f.clock.Now()})
	}
	if err := f.store.SaveAttempts(ctx, late...); err != nil {
		t.Fatal(err)
	}
	for _, d := range f.deliveries(c) {
		if d.Status != frontdesk.DeliveryDelivered || d.Attempts != 2 { // the dead one's counts
			t.Errorf("got %+v", d)
		}
	}
	if h := f.connection(c).Health; h.ConsecutiveFailures != 0 {
		t.Errorf("got %+v", h)
	}
	for _, e := range events {
		if p.times(e.ID) != 1 {
			t.Errorf("%s came %d times", e.ID, p.times(e.ID))
		}
	}
}

func TestADisabledOrDeletedConnectionIsNotSentTo(t *testing.T) {
	t.Parallel()
	p, other := newPost(t), newPost(t)
	f := newOffice(t, webhook.DispatcherOptions{}, p, other)
	f.dispatcher.SetPoll(time.Hour)
	waits, gone, barrier := f.connect(p.URL), f.connect(p.URL+"/gone"), f.connect(other.URL)
	f.emit(5)
	if _, err := f.webhooks.Disable(ctx, f.owner, frontdesk.Actor{}, waits.ID, frontdesk.ByCustomer, "moving"); err != nil {
		t.Fatal(err)
	}
	if err := f.store.DeleteConnection(ctx, f.owner, frontdesk.Actor{}, gone.ID); err != nil {
		t.Fatal(err)
	}
	f.run()
	f.dispatcher.Tell([]store.Lane{f.lane(waits), f.lane(gone)}, false)
	f.emit(5) // none of them for the disabled one
	eventually(t, "the active one had all", func() bool { return f.statuses(barrier)[frontdesk.DeliveryDelivered] == 10 })
	if _, requests := p.count(); requests != 0 {
		t.Errorf("%d requests", requests)
	}
	if n := f.statuses(waits); n[frontdesk.DeliveryPending] != 5 || len(n) != 1 {
		t.Errorf("waiting are %v", n)
	}
	if n := len(f.deliveries(gone)); n != 0 {
		t.Errorf("the deleted one has %d deliveries", n)
	}
	if _, err := f.webhooks.Enable(ctx, f.owner, frontdesk.Actor{}, waits.ID); err != nil {
		t.Fatal(err)
	}
	eventually(t, "what waited came", func() bool { return f.statuses(waits)[frontdesk.DeliveryDelivered] == 5 })
	if events, requests := p.count(); events != 5 || requests != 5 {
		t.Errorf("%d events in %d requests", events, requests)
	}
}

// A connection that is deleted while an attempt is on the wire.
func TestDeletedWhileItFlies(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	f := newOffice(t, webhook.DispatcherOptions{}, p)
	c := f.connect(p.URL)
	deleted := make(chan error, 1)
	p.handle = func(w http.ResponseWriter, _ *http.Request) {
		deleted <- f.store.DeleteConnection(ctx, f.owner, frontdesk.Actor{}, c.ID)
		w.WriteHeader(http.StatusOK)
	}
	stop := f.run()
	f.emit(1)
	if err := receive(t, "it was deleted", deleted); err != nil {
		t.Fatal(err)
	}
	stop()
	if n := len(f.deliveries(c)); n != 0 {
		t.Errorf("%d deliveries are left", n)
	}
}

func TestTwoNodesShareTheWork(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	a := newOffice(t, webhook.DispatcherOptions{Slots: 8}, p)
	b := a.beside(webhook.DispatcherOptions{Slots: 8})
	c := a.connect(p.URL)
	stopA, stopB := a.run(), b.run()
	const n = 500
	for i := range 10 {
		if i%2 == 0 {
			a.emit(n / 10)
		} else {
			b.emit(n / 10)
		}
	}
	eventually(t, "all came", func() bool { events, _ := p.count(); return events == n })
	stopA()
	stopB()
	if events, requests := p.count(); events != n || requests != n {
		t.Errorf("%d events in %d requests", events, requests)
	}
	if got := a.statuses(c); got[frontdesk.DeliveryDelivered] != n {
		t.Errorf("got %v", got)
	}
}

func TestNodesTellEachOtherOnPostgres(t *testing.T) {
	t.Parallel()
	if !storetest.IsPostgres() {
		t.Skip("SQLite has one node")
	}
	p := newPost(t)
	listens := newOffice(t, webhook.DispatcherOptions{}, p)
	listens.dispatcher.SetPoll(time.Hour)
	emits := listens.beside(webhook.DispatcherOptions{})
	listens.connect(p.URL)
	first := listens.emit(1)
	listens.run()
	eventually(t, "the first look is over", func() bool { return p.times(first[0].ID) == 1 })
	hears, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		listens.dispatcher.Listen(hears)
	}()
	// Only an event made once it listens is told of; until then, some more.
	eventually(t, "it heard of an event", func() bool { emits.emit(1); events, _ := p.count(); return events > 1 })
	last := emits.emit(1)
	eventually(t, "it heard of the last", func() bool { return p.times(last[0].ID) == 1 })
	cancel()
	receive(t, "it stopped listening", ended)
}

// A hundred connections to a platform that hangs, and one to a receiver that
// is well: that one has all its events while the others hang.
func TestAPlatformThatHangs(t *testing.T) {
	t.Parallel()
	dead, well := newPost(t), newPost(t)
	release := make(chan struct{})
	open := sync.OnceFunc(func() { close(release) })
	t.Cleanup(open) // before the server is closed
	var hanging, peak atomic.Int32
	dead.handle = func(w http.ResponseWriter, r *http.Request) {
		peak.Store(max(peak.Load(), hanging.Add(1)))
		defer hanging.Add(-1)
		select {
		case <-release:
		case <-r.Context().Done():
		}
		w.WriteHeader(http.StatusOK)
	}
	f := newOffice(t, webhook.DispatcherOptions{}, dead, well)
	for i := range 100 {
		f.connect(fmt.Sprintf("%s/%d", dead.URL, i))
	}
	f.emit(1)
	f.run()
	eventually(t, "the platform hangs", func() bool { return hanging.Load() >= 8 })
	toWell := f.connect(well.URL)
	for range 4 {
		f.emit(1)
	}
	eventually(t, "the well one had all", func() bool { return f.statuses(toWell)[frontdesk.DeliveryDelivered] == 4 })
	if n := peak.Load(); n > 8 {
		t.Errorf("the platform was sent %d at once", n)
	}
	open()
}

// A receiver that hangs holds its own slots; another one's events pass by.
func TestASlowNeighbour(t *testing.T) {
	t.Parallel()
	slow, well := newPost(t), newPost(t)
	release := make(chan struct{})
	open := sync.OnceFunc(func() { close(release) })
	t.Cleanup(open) // before the server is closed
	slow.handle = func(w http.ResponseWriter, _ *http.Request) {
		<-release
		w.WriteHeader(http.StatusOK)
	}
	f := newOffice(t, webhook.DispatcherOptions{}, slow, well)
	toSlow := f.connect(slow.URL)
	f.emit(500)
	stop := f.run()
	eventually(t, "the slow one is full", func() bool { _, n := slow.count(); return n >= 2 }) // as many as one gets that has not answered yet
	toWell := f.connect(well.URL)
	if _, err := f.store.ChangeConnection(ctx, f.owner, frontdesk.Actor{}, toSlow.ID, day, func(c frontdesk.Connection) (frontdesk.Connection, error) {
		c.Events = []string{frontdesk.CaptureCreated}
		return c, nil
	}); err != nil {
		t.Fatal(err)
	}
	for range 50 {
		f.emit(1)
	}
	eventually(t, "the well one had all", func() bool { n, _ := well.count(); return n == 50 })
	if _, n := slow.count(); n != 2 {
		t.Errorf("the slow one was sent %d", n)
	}
	open()
	stop()
	if n := f.statuses(toSlow); n[frontdesk.DeliveryDelivering] != 0 {
		t.Errorf("the slow one's stand at %v", n)
	}
	if n := f.statuses(toWell); n[frontdesk.DeliveryDelivered] != 50 {
		t.Errorf("the well one's stand at %v", n)
	}
}

func TestStopFinishesWhatFlies(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	release := make(chan struct{})
	open := sync.OnceFunc(func() { close(release) })
	t.Cleanup(open) // before the server is closed
	p.handle = func(w http.ResponseWriter, _ *http.Request) {
		<-release
		w.WriteHeader(http.StatusOK)
	}
	f := newOffice(t, webhook.DispatcherOptions{Slots: 2}, p)
	c := f.connect(p.URL)
	f.emit(100)
	running, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f.dispatcher.Run(running)
	}()
	eventually(t, "two fly", func() bool { n, _ := p.count(); return n >= 2 })
	if n, _ := p.count(); n != 2 {
		t.Errorf("%d fly", n)
	}
	cancel()
	select {
	case <-ended:
		t.Error("it stopped with attempts on the wire")
	default:
	}
	open()
	receive(t, "it stopped", ended)
	n := f.statuses(c)
	if events, _ := p.count(); n[frontdesk.DeliveryDelivered] != events || n[frontdesk.DeliveryDelivered]+n[frontdesk.DeliveryPending] != 100 {
		t.Errorf("%d came, and they stand at %v", events, n)
	}
}

// Stopped at any moment, a dispatcher leaves nothing that has to wait for a
// lease.
func TestStopAtAnyMomentLeavesNoLease(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	f := newOffice(t, webhook.DispatcherOptions{Slots: 3}, p)
	c := f.connect(p.URL)
	f.emit(300)
	for round := 1; ; round++ {
		f.furnish(webhook.DispatcherOptions{Slots: 3}, quiet())
		before, _ := p.count()
		stop := f.run()
		eventually(t, "some more came", func() bool { n, _ := p.count(); return n >= min(300, before+round) })
		stop()
		n := f.statuses(c)
		if n[frontdesk.DeliveryDelivering] != 0 || n[frontdesk.DeliveryFailed] != 0 {
			t.Fatalf("in round %d they stand at %v", round, n)
		}
		if n[frontdesk.DeliveryDelivered] == 300 {
			break
		}
	}
	if events, requests := p.count(); events != 300 || requests != 300 {
		t.Errorf("%d events in %d requests", events, requests)
	}
}

// However many wait, only so many are claimed at once: of one host that has not
// answered yet, eight.
func TestClaimsAreBounded(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	var now, peak atomic.Int32
	release := make(chan struct{})
	open := sync.OnceFunc(func() { close(release) })
	t.Cleanup(open) // before the server is closed
	p.handle = func(w http.ResponseWriter, _ *http.Request) {
		n := now.Add(1)
		defer now.Add(-1)
		for old := peak.Load(); n > old && !peak.CompareAndSwap(old, n); old = peak.Load() {
		}
		<-release
		w.WriteHeader(http.StatusOK)
	}
	f := newOffice(t, webhook.DispatcherOptions{Slots: 8, Most: 20}, p)
	var lanes []frontdesk.Connection
	for i := range 10 {
		lanes = append(lanes, f.connect(fmt.Sprintf("%s/%d", p.URL, i)))
	}
	f.emit(50)
	stop := f.run()
	eventually(t, "all slots of the host are taken", func() bool { return now.Load() >= 8 })
	claimed := 0
	for _, c := range lanes {
		n := f.statuses(c)[frontdesk.DeliveryDelivering]
		if n > 2 {
			t.Errorf("one lane has %d", n)
		}
		claimed += n
	}
	if claimed > 8 {
		t.Errorf("%d of 500 are claimed", claimed)
	}
	open()
	eventually(t, "some hundreds passed", func() bool { _, n := p.count(); return n > 400 })
	stop()
	if n := peak.Load(); n > 20 {
		t.Errorf("%d at once", n)
	}
}

// lines counts the log lines that hold a text.
type lines struct {
	slog.Handler
	text string
	n    *atomic.Int32
}

func (l lines) Handle(_ context.Context, r slog.Record) error {
	if strings.Contains(r.Message, l.text) {
		l.n.Add(1)
	}
	return nil
}

func (l lines) Enabled(context.Context, slog.Level) bool { return true }

// The database is away when an attempt has ended: it is saved when it is back,
// and not sent a second time.
func TestAnAttemptIsSavedWhenTheDatabaseIsBack(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	f := newOffice(t, webhook.DispatcherOptions{}, p)
	c := f.connect(p.URL)
	// A claim that runs out of time may be had all the same, and then waits for
	// its lease: not so impatient that a busy machine comes into this.
	impatient, err := store.Open(store.Options{URL: f.database, Timeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { impatient.Close() })
	patient := f.store
	f.store = impatient
	var failures atomic.Int32
	f.furnish(webhook.DispatcherOptions{}, slog.New(lines{slog.DiscardHandler, "saving or claiming failed", &failures}))
	unlock := make(chan func(), 1)
	p.handle = func(w http.ResponseWriter, _ *http.Request) {
		unlock <- lockDeliveries(t, f.database)
		w.WriteHeader(http.StatusOK)
	}
	f.store = patient
	events := f.emit(1)
	stop := f.run()
	back := receive(t, "the attempt came", unlock)
	eventually(t, "saving failed", func() bool { return failures.Load() > 0 })
	back()
	stop()
	d := f.deliveries(c)[0]
	if d.Status != frontdesk.DeliveryDelivered || d.Attempts != 1 || p.times(events[0].ID) != 1 {
		t.Errorf("it came %d times: %+v", p.times(events[0].ID), d)
	}
}

// lockDeliveries keeps everybody else from writing.
func lockDeliveries(t *testing.T, database string) (unlock func()) {
	driver, lock := "sqlite", "BEGIN IMMEDIATE"
	if storetest.IsPostgres() {
		driver, lock = "pgx", "BEGIN; LOCK TABLE deliveries IN ACCESS EXCLUSIVE MODE"
	}
	db, err := sql.Open(driver, database)
	if err != nil {
		t.Error(err)
		return func() {}
	}
	db.SetMaxOpenConns(1)
	eventually(t, "the lock was had", func() bool { _, err := db.Exec(lock); return err == nil })
	return func() {
		if _, err := db.Exec("ROLLBACK"); err != nil {
			t.Error(err)
		}
		db.Close()
	}
}

func TestFiveDaysOfFailuresEndTheSending(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	p.answer(http.StatusBadGateway)
	f := newOffice(t, webhook.DispatcherOptions{}, p)
	c := f.connect(p.URL)
	f.run()
	f.emit(1)
	eventually(t, "it failed", func() bool { return f.statuses(c)[frontdesk.DeliveryFailed] == 1 })
	f.clock.Forward(frontdesk.GiveUpAfter)
	eventually(t, "it was disabled", func() bool { return f.connection(c).Status == frontdesk.ConnectionDisabled })
	if got := f.connection(c); got.DisabledBy != frontdesk.BySystem || got.DisabledReason == "" {
		t.Errorf("got %+v", got)
	}
	f.clock.Forward(time.Hour)
	if n := f.statuses(c); f.isDue() || n[frontdesk.DeliveryFailed] != 1 {
		t.Errorf("it is due; %v", n)
	}
	p.answer(http.StatusOK)
	if _, err := f.webhooks.Enable(ctx, f.owner, frontdesk.Actor{}, c.ID); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it came in the end", func() bool { return f.statuses(c)[frontdesk.DeliveryDelivered] == 1 })
}

func TestGoneEndsTheSending(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	p.answer(http.StatusGone)
	f := newOffice(t, webhook.DispatcherOptions{Slots: 1}, p)
	c := f.connect(p.URL)
	f.run()
	f.emit(1)
	eventually(t, "it was disabled", func() bool { return f.connection(c).Status == frontdesk.ConnectionDisabled })
	if d := f.deliveries(c)[0]; d.Status != frontdesk.DeliveryDead || d.ErrorCode != frontdesk.Gone {
		t.Errorf("got %+v", d)
	}
	if got := f.connection(c); got.DisabledBy != frontdesk.BySystem {
		t.Errorf("got %+v", got)
	}
}

func TestPrune(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	f := newOffice(t, webhook.DispatcherOptions{}, p)
	c := f.connect(p.URL)
	stop := f.run()
	f.emit(600)
	eventually(t, "all came", func() bool { return f.statuses(c)[frontdesk.DeliveryDelivered] == 600 })
	stop()
	waiting := f.emit(3)
	f.clock.Forward(frontdesk.DeliveryRetention - time.Second)
	recent := f.emit(2)
	prune := func() {
		t.Helper()
		if err := f.dispatcher.Prune(ctx); err != nil {
			t.Fatal(err)
		}
	}
	prune()
	if n := f.statuses(c); n[frontdesk.DeliveryDelivered] != 600 {
		t.Errorf("too early: %v", n)
	}
	f.clock.Forward(2 * time.Second)
	prune()
	if n := f.statuses(c); n[frontdesk.DeliveryDelivered] != 0 || n[frontdesk.DeliveryPending] != 5 {
		t.Errorf("left are %v", n)
	}
	events, err := f.store.EventsAfter(ctx, f.owner, frontdesk.FirstIDAt(day.AddDate(-1, 0, 0)), 1000)
	if err != nil || len(events) != len(waiting)+len(recent) {
		t.Errorf("%d events are left, %v", len(events), err)
	}
}
