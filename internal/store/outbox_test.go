package store_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// told gathers the lanes that a store tells of.
type told struct {
	mu    sync.Mutex
	lanes []store.Lane
	more  chan struct{}
}

func listen(s *store.Store) *told {
	g := &told{more: make(chan struct{}, 1000)}
	s.OnWork(func(lanes []store.Lane, _ bool) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.lanes = append(g.lanes, lanes...)
		g.more <- struct{}{}
	})
	return g
}

func (g *told) all() []store.Lane {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.lanes)
}

func rows(t testing.TB, s *store.Store, table string) (n int) {
	t.Helper()
	if err := s.Beside().QueryRow(`SELECT COUNT(*) FROM ` + table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestAnEventBecomesADeliveryForEachSubscriber(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	both, calls, captures := connect(t, s, owner), connect(t, s, owner, frontdesk.CallCompleted), connect(t, s, owner, frontdesk.CaptureCreated)
	disabled := connect(t, s, owner)
	if _, err := s.ChangeConnection(ctx, owner, frontdesk.Actor{}, disabled.ID, day, func(c frontdesk.Connection) (frontdesk.Connection, error) {
		return c.Disable(frontdesk.ByCustomer, ""), nil
	}); err != nil {
		t.Fatal(err)
	}
	sandbox := frontdesk.Owner{TenantID: owner.TenantID}
	test := connect(t, s, sandbox)
	tells := listen(s)
	r := recording(day, 60, 2)
	call, capture, second := event(frontdesk.CallCompleted, day), event(frontdesk.CaptureCreated, day), event(frontdesk.CaptureCreated, day)
	r.Events = []frontdesk.Event{capture, second, call}
	record(t, s, owner, r)

	for name, want := range map[*frontdesk.Connection][]frontdesk.ID{
		&both: {capture.ID, second.ID, call.ID}, &calls: {call.ID}, &captures: {capture.ID, second.ID}, &disabled: nil,
	} {
		var got []frontdesk.ID
		for _, d := range deliveriesOf(t, s, owner, name.ID) {
			got = append(got, d.EventID)
			if d.Status != frontdesk.DeliveryPending || d.Attempts != 0 || d.MaxAttempts != 8 || !d.NextAttemptAt.Equal(day) || !d.Live || d.Tried {
				t.Errorf("got %+v", d)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s has %v, not %v", name.ID, got, want)
		}
	}
	if n := len(deliveriesOf(t, s, sandbox, test.ID)); n != 0 {
		t.Errorf("the sandbox has %d", n)
	}
	lanes := tells.all()
	if len(lanes) != 3 {
		t.Errorf("told of %v", lanes)
	}
	events, err := s.EventsAfter(ctx, owner, frontdesk.FirstIDAt(day), 10)
	if err != nil || len(events) != 3 {
		t.Fatalf("got %v, %v", events, err)
	}
	if i := slices.IndexFunc(events, func(e frontdesk.Event) bool { return e.ID == call.ID }); i < 0 || !reflect.DeepEqual(events[i], call) {
		t.Errorf("got %+v", events)
	}
}

// A call that cannot be written leaves no event and no delivery, and tells
// nobody.
func TestARecordingThatFailsLeavesNoEvent(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	connect(t, s, owner)
	there := recording(day, 10, 1)
	record(t, s, owner, there)
	tells := listen(s)
	known := event(frontdesk.CallCompleted, day)
	emit(t, s, owner, known)
	before := len(tells.all())
	withEvent := func(change func(*store.Recording)) store.Recording {
		r := recording(day.Add(time.Second), 20, 2)
		r.Events = []frontdesk.Event{event(frontdesk.CaptureCreated, day), event(frontdesk.CallCompleted, day)}
		change(&r)
		return r
	}
	tests := map[string][]store.Recording{
		"a call that is there":         {withEvent(func(r *store.Recording) { r.Call.ID = there.Call.ID })},
		"a capture that is there":      {withEvent(func(r *store.Recording) { r.Captures[1].ID = there.Captures[0].ID })},
		"an event that is there":       {withEvent(func(r *store.Recording) { r.Events[1].ID = known.ID })},
		"the second call is the fault": {withEvent(func(*store.Recording) {}), withEvent(func(r *store.Recording) { r.Call.ID = there.Call.ID })},
	}
	for name, rs := range tests {
		if err := s.RecordCalls(ctx, owner, rs...); err == nil {
			t.Errorf("%s: recorded", name)
		}
	}
	if events, deliveries := rows(t, s, "events"), rows(t, s, "deliveries"); events != 1 || deliveries != 1 {
		t.Errorf("%d events and %d deliveries are left", events, deliveries)
	}
	if n := len(allCalls(t, s, owner)); n != 1 {
		t.Errorf("%d calls are left", n)
	}
	if len(tells.all()) != before {
		t.Error("the dispatcher was told of what is not there")
	}
}

// Events, attempts, retries and deletions on the same connections from two
// nodes never wait for each other in a circle.
func TestOutboxAndQueueDoNotDeadlock(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	nodes := []*store.Store{storetest.Open(t, url), storetest.Open(t, url)}
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, nodes[0], "a").ID, Live: true}
	var lanes []store.Lane
	for range 6 {
		lanes = append(lanes, store.Lane{Owner: owner, Connection: connect(t, nodes[0], owner).ID})
	}
	var mu sync.Mutex
	var flying []frontdesk.ID
	retry := func(s *store.Store) error {
		mu.Lock()
		ids := slices.Clone(flying)
		mu.Unlock()
		for _, id := range ids {
			// Most are refused, since they are on their way.
			var e *frontdesk.Error
			if _, err := s.ClaimDelivery(ctx, owner, frontdesk.Actor{}, id, day.Add(time.Minute)); err != nil && (!errors.As(err, &e) || e.Kind != frontdesk.Invalid) {
				return err
			}
		}
		return nil
	}
	attempt := func(s *store.Store, from int) error {
		var all []store.Tried
		for n := range lanes {
			c, err := s.ClaimForWorker(ctx, lanes[(n+from)%len(lanes)], day, day.Add(time.Minute), 5)
			if err != nil {
				return err
			}
			for _, claim := range c.Claims {
				all = append(all, tried(claim, failed, day))
			}
		}
		mu.Lock()
		flying = flying[:0]
		for _, a := range all {
			flying = append(flying, a.Claim.Delivery.ID)
		}
		mu.Unlock()
		return s.SaveAttempts(ctx, all...)
	}
	var working sync.WaitGroup
	working.Add(4)
	done := make(chan struct{})
	go func() {
		working.Wait()
		close(done)
	}()
	for _, err := range atOnce(12, func(i int) (err error) {
		s := nodes[i%2]
		switch i % 3 {
		case 0:
			for range 20 {
				err = errors.Join(err, s.Emit(ctx, owner, event(frontdesk.CallCompleted, day)))
			}
		case 1:
			defer working.Done()
			for round := range 20 {
				err = errors.Join(err, attempt(s, i+round))
			}
		case 2:
			for err == nil {
				select {
				case <-done:
					return nil
				default:
					err = retry(s)
				}
			}
		}
		return err
	}) {
		t.Error(err)
	}
}

func TestNodesAreToldOnPostgres(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	a, b := storetest.Open(t, url), storetest.Open(t, url)
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, a, "a").ID, Live: true}
	lane := store.Lane{Owner: owner, Connection: connect(t, a, owner).ID}
	if !storetest.IsPostgres() {
		if err := a.ListenForWorker(ctx); err != nil {
			t.Errorf("SQLite has no other nodes: %v", err)
		}
		return
	}
	tells := listen(a)
	hears, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- a.ListenForWorker(hears) }()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for heard := false; !heard; {
		emit(t, b, owner, event(frontdesk.CallCompleted, day))
		select {
		case <-tells.more:
			heard = true
		case err := <-ended:
			t.Fatal(err)
		case <-tick.C:
		}
	}
	if got := tells.all(); !slices.Contains(got, lane) {
		t.Errorf("told of %v", got)
	}
	cancel()
	if err := <-ended; err == nil {
		t.Error("it says that it listened to the end")
	}
	if err := a.Ping(ctx); err != nil {
		t.Errorf("the pool has a broken connection: %v", err)
	}
}

func TestEventsAfter(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	var want []frontdesk.ID
	for i := range 5 {
		e := event(frontdesk.CallCompleted, day.Add(time.Duration(i)*time.Second))
		emit(t, s, owner, e)
		want = append(want, e.ID)
	}
	first, err := s.EventsAfter(ctx, owner, frontdesk.FirstIDAt(day), 3)
	if err != nil || len(first) != 3 || first[0].ID != want[0] || first[2].ID != want[2] {
		t.Fatalf("got %v, %v", first, err)
	}
	rest, err := s.EventsAfter(ctx, owner, first[2].ID, 3)
	if err != nil || len(rest) != 2 || rest[1].ID != want[4] {
		t.Errorf("got %v, %v", rest, err)
	}
}

func TestPruneKeepsWhatIsOpen(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	c := connect(t, s, owner)
	lane := store.Lane{Owner: owner, Connection: c.ID}
	emit(t, s, owner, event(frontdesk.CallCompleted, day), event(frontdesk.CallCompleted, day), event(frontdesk.CallCompleted, day))
	claims := claimAll(t, s, lane, day, 2).Claims
	if err := s.SaveAttempts(ctx, tried(claims[0], taken, day)); err != nil {
		t.Fatal(err)
	}
	emit(t, s, owner, event(frontdesk.CaptureCreated, day.Add(time.Hour)))
	for n := int64(-1); n != 0; {
		var err error
		if n, err = s.PruneForWorker(ctx, day.Add(time.Minute), 1); err != nil {
			t.Fatal(err)
		}
	}
	// One is delivering, one pending, one newer.
	if events, deliveries := rows(t, s, "events"), rows(t, s, "deliveries"); events != 3 || deliveries != 3 {
		t.Errorf("%d events and %d deliveries are left", events, deliveries)
	}
	if _, err := s.Delivery(ctx, owner, claims[0].Delivery.ID); err == nil {
		t.Error("what was delivered long ago is there")
	}
}
