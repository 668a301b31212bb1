package store_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// connection is one that wants all events.
func connection(owner frontdesk.Owner) frontdesk.Connection {
	return frontdesk.Connection{
		ID: frontdesk.NewID(day), Live: owner.Live, Name: "CRM «Ñ» 🐦", URL: "https://hooks.example.com/in?a=b",
		Events: []string{frontdesk.CaptureCreated, frontdesk.CallCompleted}, Status: frontdesk.ConnectionActive,
		Secret:    frontdesk.SealedSecret{Prefix: "whsec_abcd", Sealed: []byte{1, 0, 255, 3}, SetAt: day},
		CreatedAt: day, UpdatedAt: day,
	}
}

// connect writes one.
func connect(t testing.TB, s *store.Store, owner frontdesk.Owner, events ...string) frontdesk.Connection {
	t.Helper()
	c := connection(owner)
	if len(events) > 0 {
		c.Events = events
	}
	if err := s.CreateConnection(ctx, owner, frontdesk.Actor{}, c, 1000); err != nil {
		t.Fatal(err)
	}
	return c
}

func event(kind string, at time.Time) frontdesk.Event {
	id := frontdesk.NewID(at)
	return frontdesk.Event{ID: id, Type: kind, Live: true, Body: fmt.Appendf(nil, `{"id":%q,"text":"«Ñ» 🐦"}`, id), CreatedAt: at}
}

func emit(t testing.TB, s *store.Store, owner frontdesk.Owner, events ...frontdesk.Event) {
	t.Helper()
	if err := s.Emit(ctx, owner, events...); err != nil {
		t.Fatal(err)
	}
}

func claimAll(t testing.TB, s *store.Store, l store.Lane, now time.Time, most int) store.Claimed {
	t.Helper()
	c, err := s.ClaimForWorker(ctx, l, now, now.Add(frontdesk.DeliveryLease), most)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// tried is a claim after an attempt.
func tried(c store.Claim, a frontdesk.Attempt, now time.Time) store.Tried {
	return store.Tried{Claim: c, Attempt: a, After: c.Delivery.After(a, now, 0.5), At: now}
}

var (
	failed = frontdesk.Attempt{HTTPStatus: 500, Latency: 12 * time.Millisecond, ErrorCode: frontdesk.HTTP5xx, Message: "The receiver answered 500."}
	taken  = frontdesk.Attempt{HTTPStatus: 204, Latency: 34 * time.Millisecond}
)

// fail makes an attempt at all that a lane has due, and it fails.
func fail(t testing.TB, s *store.Store, l store.Lane, now time.Time) {
	t.Helper()
	for _, c := range claimAll(t, s, l, now, 1000).Claims {
		if err := s.SaveAttempts(ctx, tried(c, failed, now)); err != nil {
			t.Fatal(err)
		}
	}
}

func deliveriesOf(t testing.TB, s *store.Store, owner frontdesk.Owner, c frontdesk.ID) []frontdesk.Delivery {
	t.Helper()
	l, err := s.Deliveries(ctx, owner, c, "", frontdesk.Page{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	return l.Items
}

func TestConnectionsAreKeptWhole(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	want := connect(t, s, owner)
	read := func() frontdesk.Connection {
		t.Helper()
		got, err := s.Connection(ctx, owner, want.ID)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := read(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	later := day.Add(1234567 * time.Microsecond)
	changed, err := s.ChangeConnection(ctx, owner, frontdesk.Actor{}, want.ID, later, func(c frontdesk.Connection) (frontdesk.Connection, error) {
		c = c.Rotate(frontdesk.SealedSecret{Prefix: "whsec_efgh", Sealed: []byte("next"), SetAt: later}, time.Hour, later)
		c.Name, c.URL, c.Events = "ERP", "https://other.example.com/", []string{frontdesk.CallCompleted}
		c = c.After(failed, later).After(taken, later.Add(time.Second)).After(failed, later.Add(2*time.Second))
		return c.Disable(frontdesk.ByCustomer, "«moving»"), nil
	})
	if err != nil || !changed.UpdatedAt.Equal(later) {
		t.Fatalf("got %+v, %v", changed, err)
	}
	got := read()
	// Of the old secret only what signs is kept.
	changed.OldSecret = &frontdesk.SealedSecret{Sealed: changed.OldSecret.Sealed}
	if !reflect.DeepEqual(got, changed) {
		t.Errorf("got  %+v\nwant %+v", got, changed)
	}
	if signing := got.Signing(later); len(signing) != 2 || string(signing[0].Sealed) != "next" || !reflect.DeepEqual(signing[1].Sealed, want.Secret.Sealed) {
		t.Errorf("signing are %v", signing)
	}
	enabled, err := s.ChangeConnection(ctx, owner, frontdesk.Actor{}, want.ID, later, func(c frontdesk.Connection) (frontdesk.Connection, error) {
		return c.Rotate(frontdesk.SealedSecret{Sealed: []byte("third")}, 0, later).Enable(), nil
	})
	if got := read(); err != nil || got.Status != frontdesk.ConnectionActive || got.OldSecret != nil || !got.OldUntil.IsZero() || !got.FailingSince.IsZero() || got.ID != enabled.ID {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestTheNumberOfConnectionsIsLimited(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	const most = 5
	errs := atOnce(20, func(int) error { return s.CreateConnection(ctx, owner, frontdesk.Actor{}, connection(owner), most) })
	for _, err := range errs {
		isKind(t, err, frontdesk.Invalid, "limit_reached")
	}
	if n, err := s.CountConnections(ctx, owner); err != nil || n != most || len(errs) != 20-most {
		t.Errorf("%d are there, %d were refused, %v", n, len(errs), err)
	}
	if err := s.CreateConnection(ctx, frontdesk.Owner{TenantID: owner.TenantID}, frontdesk.Actor{}, connection(owner), most); err != nil {
		t.Errorf("in the other mode: %v", err)
	}
	l, err := s.Connections(ctx, owner, frontdesk.Page{Limit: 3})
	if err != nil || len(l.Items) != 3 || !l.More {
		t.Errorf("got %v, %v", l, err)
	}
}

func TestChangesOfOneConnectionAtOnceAllSurvive(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	nodes := []*store.Store{storetest.Open(t, url), storetest.Open(t, url)}
	owner := frontdesk.Owner{TenantID: storetest.Tenant(t, nodes[0], "a").ID, Live: true}
	c := connect(t, nodes[0], owner)
	const n = 20
	for _, err := range atOnce(n, func(i int) error {
		_, err := nodes[i%2].ChangeConnection(ctx, owner, frontdesk.Actor{}, c.ID, day, func(c frontdesk.Connection) (frontdesk.Connection, error) {
			return c.After(failed, day), nil
		})
		return err
	}) {
		if err != nil {
			t.Error(err)
		}
	}
	if got, err := nodes[0].Connection(ctx, owner, c.ID); err != nil || got.Health.ConsecutiveFailures != n {
		t.Errorf("got %d, %v", got.Health.ConsecutiveFailures, err)
	}
}

func TestADeletedConnectionTakesItsDeliveriesAlong(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	c, stays := connect(t, s, owner), connect(t, s, owner)
	emit(t, s, owner, event(frontdesk.CallCompleted, day))
	flies := claimAll(t, s, store.Lane{Owner: owner, Connection: c.ID}, day, 10).Claims
	if err := s.DeleteConnection(ctx, owner, frontdesk.Actor{}, c.ID); err != nil {
		t.Fatal(err)
	}
	_, err := s.Connection(ctx, owner, c.ID)
	isMissing(t, err)
	isMissing(t, s.DeleteConnection(ctx, owner, frontdesk.Actor{}, c.ID))
	_, err = s.Delivery(ctx, owner, flies[0].Delivery.ID)
	isMissing(t, err)
	if err := s.SaveAttempts(ctx, tried(flies[0], taken, day)); err != nil {
		t.Errorf("what was on the wire: %v", err)
	}
	if n := len(deliveriesOf(t, s, owner, c.ID)); n != 0 {
		t.Errorf("%d deliveries are left", n)
	}
	if n := len(deliveriesOf(t, s, owner, stays.ID)); n != 1 {
		t.Errorf("the other one has %d", n)
	}
}

// A connection with a long history is gone at once, its deliveries soon after.
func TestDeleteAConnectionWithALongHistory(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	c, other := connect(t, s, owner), connect(t, s, owner)
	var events []frontdesk.Event
	for range 1500 {
		events = append(events, event(frontdesk.CallCompleted, day))
	}
	emit(t, s, owner, events...)
	left := deliveriesOf(t, s, owner, c.ID)
	if err := s.DeleteConnection(ctx, owner, frontdesk.Actor{}, c.ID); err != nil {
		t.Fatal(err)
	}
	count := func(connection frontdesk.ID) (n int) {
		t.Helper()
		if err := s.Beside().QueryRow(`SELECT COUNT(*) FROM deliveries WHERE connection_id = $1`, string(connection)).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := count(c.ID); n != 500 {
		t.Errorf("%d deliveries are left at first", n)
	}
	for _, d := range left {
		_, err := s.ClaimDelivery(ctx, owner, frontdesk.Actor{}, d.ID, day.Add(time.Hour))
		isMissing(t, err)
	}
	for n := int64(1); n > 0; {
		var err error
		if n, err = s.PruneForWorker(ctx, day, 100); err != nil {
			t.Fatal(err)
		}
	}
	if n, others := count(c.ID), count(other.ID); n != 0 || others != 1500 {
		t.Errorf("%d deliveries are left, and %d of another connection", n, others)
	}
}
