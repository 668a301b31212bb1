package store_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

var hour = day.Add(time.Hour)

// keyed claims a key and returns the unit of its request.
func keyed(t *testing.T, s *store.Store, owner frontdesk.Owner, now time.Time) (unit *store.Unit, under context.Context, write func(name string) error) {
	t.Helper()
	lease := now.Add(time.Minute)
	_, mine, err := s.ClaimAnswer(ctx, owner, "k", []byte("f"), now, lease, day.Add(24*time.Hour))
	if err != nil || !mine {
		t.Fatalf("claiming: %v, %v", mine, err)
	}
	under, unit = s.NewUnit(ctx, owner, "k", lease)
	return unit, under, func(name string) error {
		c := frontdesk.Connection{ID: frontdesk.NewID(day), Name: name, Status: frontdesk.ConnectionActive, Secret: frontdesk.SealedSecret{Sealed: []byte("s"), SetAt: day}, CreatedAt: day, UpdatedAt: day}
		if err := s.CreateConnection(under, owner, frontdesk.Actor{}, c, 100); err != nil {
			return err
		}
		_, err := s.Connection(under, owner, c.ID) // it sees what it has written
		return err
	}
}

func keptOf(t *testing.T, s *store.Store, owner frontdesk.Owner) (answer store.Answer, connections int) {
	t.Helper()
	answer, mine, err := s.ClaimAnswer(ctx, owner, "k", []byte("g"), day, day, hour)
	if err != nil || mine {
		t.Fatalf("claimed anew: %v, %v", mine, err)
	}
	n, err := s.CountConnections(ctx, owner)
	if err != nil {
		t.Fatal(err)
	}
	return answer, n
}

func TestAUnitIsKeptWithItsAnswer(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	unit, _, write := keyed(t, s, owner, day)
	if err := errors.Join(write("one"), write("two")); err != nil {
		t.Fatal(err)
	}
	if err := unit.Keep(ctx, 201, []byte("answer")); err != nil {
		t.Fatal(err)
	}
	unit.Drop() // too late
	if a, n := keptOf(t, s, owner); a.Status != 201 || string(a.Body) != "answer" || n != 2 {
		t.Errorf("kept are %+v and %d connections", a, n)
	}
}

// What was not kept, as when the process is killed, has not happened; who comes
// after does it once.
func TestAUnitThatIsCutOff(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	unit, _, write := keyed(t, s, owner, day)
	if err := write("one"); err != nil {
		t.Fatal(err)
	}
	unit.Drop()
	if a, n := keptOf(t, s, owner); a.Status != 0 || n != 0 {
		t.Errorf("kept are %+v and %d connections", a, n)
	}
	unit, _, write = keyed(t, s, owner, day.Add(time.Minute))
	if err := errors.Join(write("one"), unit.Keep(ctx, 201, nil)); err != nil {
		t.Fatal(err)
	}
	if a, n := keptOf(t, s, owner); a.Status != 201 || n != 1 {
		t.Errorf("kept are %+v and %d connections", a, n)
	}
}

// A request that took so long that another has its key keeps nothing.
func TestAUnitThatLostItsKey(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	late, _, writeLate := keyed(t, s, owner, day)
	unit, _, write := keyed(t, s, owner, day.Add(time.Minute))
	if err := errors.Join(write("in time"), unit.Keep(ctx, 201, []byte("first"))); err != nil {
		t.Fatal(err)
	}
	if err := writeLate("late"); err != nil {
		t.Fatal(err)
	}
	isKind(t, late.Keep(ctx, 201, []byte("second")), frontdesk.Unavailable, "database_unavailable")
	if a, n := keptOf(t, s, owner); string(a.Body) != "first" || n != 1 {
		t.Errorf("kept are %+v and %d connections", a, n)
	}
}

// After a failure inside it, nothing of a unit can be kept by mistake.
func TestAUnitThatFailed(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	unit, under, write := keyed(t, s, owner, day)
	tooMany := func() error {
		return s.CreateConnection(under, owner, frontdesk.Actor{}, frontdesk.Connection{ID: frontdesk.NewID(day)}, 1)
	}
	if err := write("one"); err != nil {
		t.Fatal(err)
	}
	if err := tooMany(); err == nil {
		t.Error("there is room for more than most")
	}
	if err := write("more"); err == nil {
		t.Error("a unit that failed goes on")
	}
	if err := unit.Keep(ctx, 201, nil); err == nil {
		t.Error("a unit that failed is kept")
	}
	if _, n := keptOf(t, s, owner); n != 0 {
		t.Errorf("%d connections are kept", n)
	}
}

// What a request has sent is noted beside its key before it is sent.
func TestWhatARequestHasBegun(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	c := connect(t, s, owner)
	lease := day.Add(time.Minute)
	if _, mine, err := s.ClaimAnswer(ctx, owner, "k", []byte("f"), day, lease, day.Add(24*time.Hour)); err != nil || !mine {
		t.Fatalf("claiming: %v, %v", mine, err)
	}
	under, unit := s.NewUnit(ctx, owner, "k", lease)
	e := event(frontdesk.ConnectionTest, day)
	d := frontdesk.Delivery{ID: frontdesk.NewID(day), ConnectionID: c.ID, EventID: e.ID, Event: e.Type, Live: owner.Live, MaxAttempts: 1, CreatedAt: day}
	claimed, err := s.StartDelivery(under, owner, e, d.Begin(lease))
	if err != nil {
		t.Fatal(err)
	}
	unit.Drop() // the process dies while the delivery is on its way
	if err := s.ReleaseAnswer(ctx, owner, "k", lease); err != nil {
		t.Fatal(err)
	}
	again, mine, err := s.ClaimAnswer(ctx, owner, "k", []byte("f"), day, lease, day.Add(24*time.Hour))
	if err != nil || !mine || again.Work != claimed.Claims[0].Delivery.ID {
		t.Errorf("whoever repeats it finds %+v, %v, %v", again, mine, err)
	}
	// A day later the key is another request's.
	next, mine, err := s.ClaimAnswer(ctx, owner, "k", []byte("g"), day.Add(48*time.Hour), day.Add(49*time.Hour), day.Add(50*time.Hour))
	if err != nil || !mine || next.Work != "" {
		t.Errorf("got %+v, %v, %v", next, mine, err)
	}
}

// TestAUnitHoldsOneConnection: requests that wait for a second one while they
// hold the first would wait for each other.
func TestAUnitHoldsOneConnection(t *testing.T) {
	t.Parallel()
	s, owner := owned(t)
	unit, under, write := keyed(t, s, owner, day)
	if _, err := s.CountConnections(store.Apart(under), owner); err != nil {
		t.Errorf("before anything was written: %v", err)
	}
	if err := write("one"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.CountConnections(store.Apart(under), owner); err == nil {
		t.Error("a question apart was asked on a second connection")
	}
	if err := s.KeepAnswer(store.Apart(under), owner, "other", hour, 200, nil); err == nil {
		t.Error("something apart was written on a second connection")
	}
	if err := unit.Keep(ctx, 201, []byte("answer")); err != nil {
		t.Error(err)
	}
	if _, err := s.CountConnections(store.Apart(under), owner); err != nil {
		t.Errorf("after the unit: %v", err)
	}
}

// TestAtTheEndOfAUnitTheDatabaseIsAsked: what is left for the end runs outside of
// the unit, which is neither locked nor holds its connection by then.
func TestAtTheEndOfAUnitTheDatabaseIsAsked(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*store.Unit) error{
		"kept":    func(u *store.Unit) error { return u.Keep(ctx, 201, []byte("answer")) },
		"dropped": func(u *store.Unit) error { u.Drop(); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, owner := owned(t)
			unit, under, write := keyed(t, s, owner, day)
			if err := write("one"); err != nil {
				t.Fatal(err)
			}
			ran, asked := 0, errors.New("it was not run")
			store.Finally(under, func() {
				ran++
				_, asked = s.CountConnections(store.Apart(under), owner)
			})
			if ran != 0 {
				t.Error("it ran before the end")
			}
			err := end(unit)
			unit.Drop()
			if err != nil || asked != nil || ran != 1 {
				t.Errorf("ended with %v; run %d times, with %v", err, ran, asked)
			}
		})
	}
}
