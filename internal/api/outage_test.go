package api

import (
	"context"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/api/apitest"
	"frontdesk.dev/frontdesk/internal/service/servicetest"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

// The walk over all operations with the database away is in internal/app, whose
// process is the whole one. Here is what no operation shows yet.

// farOff is a database behind a proxy that fails on demand, asked with the times
// of the product.
func farOff(t *testing.T, database string) (*store.Store, *apitest.Proxy) {
	t.Helper()
	u, err := url.Parse(database)
	must(t, err)
	proxy, err := apitest.NewProxy(u.Host)
	must(t, err)
	t.Cleanup(func() { proxy.Close() })
	u.Host = proxy.Addr()
	s, err := store.Open(store.Options{URL: u.String()})
	must(t, err)
	t.Cleanup(func() { s.Close() })
	return s, proxy
}

// TestAHangInTheMiddleOfAPost: the database hangs after the key of a request
// was taken. The answer comes in time all the same, and the key is free when
// the database is back, or when its lease has ended.
func TestAHangInTheMiddleOfAPost(t *testing.T) {
	if !storetest.IsPostgres() {
		t.Skip("an outage needs a database that is another process: set FRONTDESK_TEST_DATABASE, or run scripts/with-postgres go test")
	}
	database := storetest.URL(t)
	storetest.Open(t, database) // migrates it
	s, proxy := farOff(t, database)
	var hang atomic.Bool
	c, made := servicetest.NewClock(noon), &atomic.Int64{}
	w := newWorkshop(t, database, c, made, nil)
	w.a = w.newTenant("alfa")
	w.api.store, w.api.keys, w.api.answerTime = s, account.NewKeys(s, c.Now), 1800*time.Millisecond
	for i := range w.api.router.all {
		if rt := &w.api.router.all[i]; rt.operation == "POST /things" {
			handle := rt.handle
			rt.handle = func(r *request) (any, error) {
				if hang.Load() {
					proxy.Hang()
				}
				if err := s.Ping(r.Context()); err != nil {
					return nil, err
				}
				return handle(r)
			}
		}
	}
	hang.Store(true)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	answered := make(chan reply, 1)
	go func() {
		got, _ := w.exchange(w.document, "POST /things", w.a.live, "{}", "Idempotency-Key", "k")
		answered <- got
	}()
	select {
	case got := <-answered:
		got.envelope(t, 503, "database_unavailable")
	case <-ctx.Done():
		t.Error("no answer in time")
	}
	hang.Store(false)
	must(t, proxy.Restore())
	c.Forward(answerLease + time.Second)
	eventually(t, "the request can be made again", func() bool {
		got, _ := w.exchange(w.document, "POST /things", w.a.live, "{}", "Idempotency-Key", "k")
		return got.status == 201 && !replayed(got)
	})
	if made.Load() != 1 {
		t.Errorf("%d things were made", made.Load())
	}
}
