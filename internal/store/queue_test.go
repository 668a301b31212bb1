package store_test

import (
	"sync"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

func TestOfManyWorkersEachGetsItsOwn(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	nodes := []*store.Store{storetest.Open(t, url), storetest.Open(t, url)}
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, nodes[0], "a").ID, Live: true}
	lane := store.Lane{Owner: owner, Connection: connect(t, nodes[0], owner).ID}
	var events []frontdesk.Event
	for range 200 {
		events = append(events, event(frontdesk.CallCompleted, day))
	}
	emit(t, nodes[0], owner, events...)
	var mu sync.Mutex
	seen := map[frontdesk.ID]int{}
	for _, err := range atOnce(8, func(i int) error {
		for {
			c, err := nodes[i%2].ClaimForWorker(ctx, lane, day, day.Add(time.Minute), 7)
			if err != nil || len(c.Claims) == 0 {
				return err
			}
			mu.Lock()
			if len(c.Claims) > 7 {
				t.Errorf("%d were claimed at once", len(c.Claims))
			}
			for _, claim := range c.Claims {
				seen[claim.Delivery.ID]++
				if claim.Delivery.Status != frontdesk.DeliveryDelivering || !claim.Delivery.LeaseUntil.Equal(day.Add(time.Minute)) || len(claim.Body) == 0 {
					t.Errorf("got %+v", claim)
				}
			}
			mu.Unlock()
		}
	}) {
		if err != nil {
			t.Error(err)
		}
	}
	if len(seen) < 200-7 { // on PostgreSQL one that finds only locked rows goes home
		t.Errorf("%d were claimed", len(seen))
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("%s was claimed %d times", id, n)
		}
	}
}

func TestWhatIsDue(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	c := connect(t, s, owner)
	lane := store.Lane{Owner: owner, Connection: c.ID}
	emit(t, s, owner, event(frontdesk.CallCompleted, day))
	due := func(at time.Time, want bool) {
		t.Helper()
		lanes, err := s.LanesWithWorkForWorker(ctx, at)
		if err != nil || (len(lanes) == 1 && lanes[0] == lane) != want || len(lanes) > 1 {
			t.Errorf("due are %v, %v", lanes, err)
		}
	}
	disable := func(how func(frontdesk.Connection) frontdesk.Connection) {
		t.Helper()
		if _, err := s.ChangeConnection(ctx, owner, frontdesk.Actor{}, c.ID, day, func(c frontdesk.Connection) (frontdesk.Connection, error) { return how(c), nil }); err != nil {
			t.Fatal(err)
		}
	}
	due(day.Add(-time.Second), false)
	due(day, true)
	disable(func(c frontdesk.Connection) frontdesk.Connection { return c.Disable(frontdesk.ByOperator, "") })
	due(day, false)
	if got := claimAll(t, s, lane, day, 10); len(got.Claims) != 0 {
		t.Errorf("claimed of a disabled one: %v", got.Claims)
	}
	disable(frontdesk.Connection.Enable)
	due(day, true)
	claims := claimAll(t, s, lane, day, 10).Claims
	due(day.Add(frontdesk.DeliveryLease-time.Microsecond), false)
	due(day.Add(frontdesk.DeliveryLease), true)
	if open, oldest, err := s.QueueForWorker(ctx, day.Add(time.Hour)); err != nil || open != 1 || oldest != 0 {
		t.Errorf("open are %d since %v, %v", open, oldest, err)
	}
	if err := s.ReleaseForWorker(ctx, claims, day); err != nil {
		t.Fatal(err)
	}
	due(day, true)
	if d := deliveriesOf(t, s, owner, c.ID)[0]; d.Status != frontdesk.DeliveryPending || d.Attempts != 0 {
		t.Errorf("given back it is %+v", d)
	}
	if open, oldest, err := s.QueueForWorker(ctx, day.Add(time.Hour)); err != nil || open != 1 || oldest != time.Hour {
		t.Errorf("open are %d since %v, %v", open, oldest, err)
	}
	fail(t, s, lane, day)
	due(day.Add(4*time.Second), false)
	due(day.Add(5*time.Second), true)
	again := claimAll(t, s, lane, day.Add(5*time.Second), 1).Claims
	if err := s.ReleaseForWorker(ctx, again, day.Add(6*time.Second)); err != nil {
		t.Fatal(err)
	}
	if d := deliveriesOf(t, s, owner, c.ID)[0]; d.Status != frontdesk.DeliveryFailed || d.Attempts != 1 {
		t.Errorf("given back it is %+v", d)
	}
	if err := s.SaveAttempts(ctx, tried(again[0], taken, day)); err != nil {
		t.Fatal(err)
	}
	if d := deliveriesOf(t, s, owner, c.ID)[0]; d.Status != frontdesk.DeliveryFailed {
		t.Errorf("a worker without a lease made it %+v", d)
	}
	if err := s.SaveAttempts(ctx, tried(claimAll(t, s, lane, day.Add(time.Minute), 1).Claims[0], taken, day.Add(time.Minute))); err != nil {
		t.Fatal(err)
	}
	due(day.AddDate(1, 0, 0), false)
	if open, _, err := s.QueueForWorker(ctx, day); err != nil || open != 0 {
		t.Errorf("open are %d, %v", open, err)
	}
}

// The delivery and what it means for its connection are saved together.
func TestSaveAttempts(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	a, b := connect(t, s, owner), connect(t, s, owner)
	emit(t, s, owner, event(frontdesk.CallCompleted, day), event(frontdesk.CallCompleted, day))
	var all []store.Tried
	for _, claim := range claimAll(t, s, store.Lane{Owner: owner, Connection: a.ID}, day, 10).Claims {
		all = append(all, tried(claim, failed, day))
	}
	for _, claim := range claimAll(t, s, store.Lane{Owner: owner, Connection: b.ID}, day, 10).Claims {
		all = append(all, tried(claim, taken, day))
	}
	if err := s.SaveAttempts(ctx, all...); err != nil {
		t.Fatal(err)
	}
	if err := s.SaveAttempts(ctx, all...); err != nil { // said twice, it counts once
		t.Fatal(err)
	}
	if err := s.SaveAttempts(ctx); err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		d, err := s.Delivery(ctx, owner, a.Claim.Delivery.ID)
		if err != nil || d != a.After {
			t.Errorf("got  %+v, %v\nwant %+v", d, err, a.After)
		}
	}
	for id, failures := range map[frontdesk.ID]int{a.ID: 2, b.ID: 0} {
		c, err := s.Connection(ctx, owner, id)
		if err != nil || c.Health.ConsecutiveFailures != failures || c.FailingSince.IsZero() != (failures == 0) || !c.UpdatedAt.Equal(day) {
			t.Errorf("got %+v, %v", c, err)
		}
		h, err := s.CountDeliveries(ctx, owner, id, day.Add(-time.Hour))
		if err != nil || h.Failed != failures || h.Delivered != 2-failures || h.Pending+h.Dead != 0 {
			t.Errorf("got %+v, %v", h, err)
		}
		if h, err = s.CountDeliveries(ctx, owner, id, day.Add(time.Hour)); err != nil || h.Failed+h.Delivered != 0 {
			t.Errorf("got %+v, %v", h, err)
		}
	}
	for status, want := range map[frontdesk.DeliveryStatus]int{frontdesk.DeliveryFailed: 2, frontdesk.DeliveryDead: 0, "": 2} {
		l, err := s.Deliveries(ctx, owner, a.ID, status, frontdesk.Page{})
		if err != nil || len(l.Items) != want {
			t.Errorf("%q: %d, %v", status, len(l.Items), err)
		}
	}
}

func TestClaimDelivery(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	c := connect(t, s, owner)
	lane := store.Lane{Owner: owner, Connection: c.ID}
	emit(t, s, owner, event(frontdesk.CallCompleted, day))
	id := deliveriesOf(t, s, owner, c.ID)[0].ID
	refused := func(code string) {
		t.Helper()
		_, err := s.ClaimDelivery(ctx, owner, frontdesk.Actor{}, id, day.Add(time.Minute))
		isKind(t, err, frontdesk.Invalid, code)
	}
	refused("delivery_not_retryable") // pending
	claim := claimAll(t, s, lane, day, 1).Claims[0]
	refused("delivery_not_retryable") // delivering
	if err := s.SaveAttempts(ctx, tried(claim, failed, day)); err != nil {
		t.Fatal(err)
	}
	// Of many at once one gets it.
	errs := atOnce(6, func(int) error {
		_, err := s.ClaimDelivery(ctx, owner, frontdesk.Actor{}, id, day.Add(time.Minute))
		return err
	})
	for _, err := range errs {
		isKind(t, err, frontdesk.Invalid, "delivery_not_retryable")
	}
	if len(errs) != 5 {
		t.Errorf("%d did not get it", len(errs))
	}
	later := claimAll(t, s, lane, day.Add(time.Minute), 1).Claims[0]
	if later.Delivery.Attempts != 3 { // one that failed, one that was never heard of, this one
		t.Errorf("got %+v", later)
	}
	if err := s.SaveAttempts(ctx, tried(later, frontdesk.Attempt{HTTPStatus: 410, ErrorCode: frontdesk.Gone}, day)); err != nil {
		t.Fatal(err)
	}
	refused("connection_disabled")
	if _, err := s.ChangeConnection(ctx, owner, frontdesk.Actor{}, c.ID, day, func(c frontdesk.Connection) (frontdesk.Connection, error) { return c.Enable(), nil }); err != nil {
		t.Fatal(err)
	}
	claimed, err := s.ClaimDelivery(ctx, owner, frontdesk.Actor{}, id, day.Add(2*time.Minute))
	if err != nil || claimed.Connection.ID != c.ID || len(claimed.Claims) != 1 || len(claimed.Claims[0].Body) == 0 {
		t.Fatalf("got %+v, %v", claimed, err)
	}
	if err := s.SaveAttempts(ctx, tried(claimed.Claims[0], taken, day)); err != nil {
		t.Fatal(err)
	}
	refused("delivery_not_retryable") // delivered
	_, err = s.ClaimDelivery(ctx, owner, frontdesk.Actor{}, frontdesk.NewID(day), day)
	isMissing(t, err)
}
