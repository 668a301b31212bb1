package relay_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/relay"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
	"frontdesk.dev/frontdesk/internal/wire"
)

var (
	ctx = context.Background()
	day = time.Date(2026, 11, 14, 9, 30, 0, 0, time.UTC)
)

// desk is a relay with a tenant.
type desk struct {
	t      *testing.T
	store  *store.Store
	tenant frontdesk.Tenant
	keys   *account.Keys
	relay  *relay.Relay
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	s := storetest.New(t)
	now := func() time.Time { return day }
	keys := account.NewKeys(s, now)
	return &desk{t, s, storetest.Tenant(t, s, "casa-lola"), keys, relay.New(s, keys, now, slog.New(slog.DiscardHandler))}
}

func (d *desk) key(live bool, scopes ...string) string {
	d.t.Helper()
	_, secret, err := d.keys.Create(ctx, account.NewKey{Tenant: d.tenant, Live: live, Scopes: scopes})
	if err != nil {
		d.t.Fatal(err)
	}
	return secret.Reveal()
}

func (d *desk) emit(live bool, at time.Time) frontdesk.Event {
	d.t.Helper()
	e, err := wire.Event(wire.EventSource{Tenant: d.tenant, Live: live}, frontdesk.CallCompleted, at, []byte(`{}`))
	if err != nil {
		d.t.Fatal(err)
	}
	if err := d.store.Emit(ctx, frontdesk.Owner{TenantID: d.tenant.ID, Live: live}, e); err != nil {
		d.t.Fatal(err)
	}
	return e
}

// ask asks as the developer's side does.
func (d *desk) ask(ctx context.Context, authorization string, after frontdesk.ID, seen ...relay.Event) (int, relay.Batch) {
	d.t.Helper()
	var ids []string
	for _, e := range seen {
		ids = append(ids, string(e.ID))
	}
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, relay.Path+"?after="+string(after)+"&seen="+strings.Join(ids, ","), nil)
	r.Header.Set("Authorization", authorization)
	w := httptest.NewRecorder()
	d.relay.ServeHTTP(w, r)
	var b relay.Batch
	if w.Code == http.StatusOK {
		if err := json.Unmarshal(w.Body.Bytes(), &b); err != nil {
			d.t.Errorf("%v: %s", err, w.Body)
		}
	} else if strings.TrimSpace(w.Body.String()) == "" {
		d.t.Errorf("%d says nothing", w.Code)
	}
	return w.Code, b
}

func TestWhoIsRelayedTo(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	tests := map[string]struct {
		authorization string
		want          int
	}{
		"a test key that may read connections": {"Bearer " + d.key(false, "connections:read"), 200},
		"a test key that may not":              {"Bearer " + d.key(false, "calls:read"), 403},
		"a live key":                           {"Bearer " + d.key(true, "connections:read"), 403},
		"a key of nobody":                      {"Bearer svc_test_" + strings.Repeat("a", 43), 401},
		"no key":                               {"", 401},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, _ := d.ask(ctx, tt.authorization, ""); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

func TestTestEventsAreRelayedOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	key := "Bearer " + d.key(false, "connections:read")
	d.emit(false, day.Add(-time.Minute)) // before anybody asked
	_, b := d.ask(ctx, key, "")
	if len(b.Events) != 0 || b.After == "" {
		t.Fatalf("got %+v", b)
	}
	var want []frontdesk.Event
	for i := range 150 {
		d.emit(true, day.Add(time.Duration(i)*time.Second)) // of live mode: not relayed
		want = append(want, d.emit(false, day.Add(time.Duration(i+1)*time.Second)))
	}
	var got []relay.Event
	for len(got) < len(want) {
		status, next := d.ask(ctx, key, b.After, got...)
		if status != http.StatusOK || len(next.Events) == 0 || len(next.Events) > 100 {
			t.Fatalf("got %d with %d events", status, len(next.Events))
		}
		got, b = append(got, next.Events...), next
	}
	for i, e := range want {
		if got[i].ID != e.ID || got[i].Type != e.Type || got[i].Body != string(e.Body) {
			t.Errorf("got %+v", got[i])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d of %d", len(got), len(want))
	}
}

// Two events are made at once, and the one with the older id is committed last.
func TestAnEventThatIsCommittedLateIsRelayed(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	key := "Bearer " + d.key(false, "connections:read")
	_, start := d.ask(ctx, key, "")
	newer := d.emit(false, day.Add(20*time.Millisecond))
	_, first := d.ask(ctx, key, start.After)
	older := d.emit(false, day.Add(10*time.Millisecond))
	_, second := d.ask(ctx, key, first.After, first.Events...)
	if len(first.Events) != 1 || first.Events[0].ID != newer.ID || len(second.Events) != 1 || second.Events[0].ID != older.ID {
		t.Errorf("got %+v, then %+v", first.Events, second.Events)
	}
}

// What has been there for long is passed, so that it need not be named for ever.
func TestThePositionMovesOn(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	key := "Bearer " + d.key(false, "connections:read")
	old := d.emit(false, day.Add(-time.Minute))
	fresh := d.emit(false, day.Add(-time.Second))
	_, b := d.ask(ctx, key, frontdesk.FirstIDAt(day.Add(-time.Hour)))
	if len(b.Events) != 2 || b.After <= old.ID || b.After >= fresh.ID {
		t.Errorf("got %d events up to %s", len(b.Events), b.After)
	}
}

func TestAnAnswerWaitsForAnEvent(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	key := "Bearer " + d.key(false, "connections:read")
	answer := make(chan relay.Batch, 1)
	go func() {
		_, b := d.ask(ctx, key, frontdesk.FirstIDAt(day))
		answer <- b
	}()
	e := d.emit(false, day.Add(time.Second))
	if b := <-answer; len(b.Events) != 1 || b.Events[0].ID != e.ID {
		t.Errorf("got %+v", b)
	}
}

// Who goes away meanwhile, or waits for nothing, keeps the position.
func TestAnAnswerWithoutEvents(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	key := "Bearer " + d.key(false, "connections:read")
	if status, _ := d.ask(ctx, key, ""); status != 200 { // the key is known from now on
		t.Fatal(status)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	position := frontdesk.FirstIDAt(day)
	if status, b := d.ask(gone, key, position); status != 200 || len(b.Events) != 0 || b.After != position {
		t.Errorf("got %d, %+v", status, b)
	}
}

// Who waits does not hold up a server that stops.
func TestAStopAnswersWhoWaits(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	key := "Bearer " + d.key(false, "connections:read")
	waiting, cancel := context.WithTimeout(ctx, 20*time.Second) // less than an answer is held back
	defer cancel()
	answered := make(chan int, 1)
	go func() {
		status, _ := d.ask(waiting, key, frontdesk.FirstIDAt(day))
		answered <- status
	}()
	d.relay.Stop()
	d.relay.Stop() // twice is once
	if status := <-answered; status != http.StatusOK || waiting.Err() != nil {
		t.Errorf("got %d", status)
	}
}
