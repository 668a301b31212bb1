package api

import (
	"context"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/store"
)

// BenchmarkListCalls is the road of GET /calls without the network: for
// profiles. What a request costs in all, test/bench measures from outside.
func BenchmarkListCalls(b *testing.B) {
	h := newHouse(b, func(o *Options) {
		o.RatePerSecond, o.RateBurst = 1e6, 1e9
		o.Log = slog.New(slog.DiscardHandler)
	})
	recordings := make([]store.Recording, 2000)
	for i := range recordings {
		var err error
		recordings[i], err = reception.Prepare(h.a.Tenant, sampleCall(h.a.agent.ID, noon.Add(-time.Duration(i+120)*time.Minute)))
		must(b, err)
	}
	must(b, h.store.RecordCalls(context.Background(), frontdesk.Owner{TenantID: h.a.ID, Live: true}, recordings...))
	handler, err := h.api.Handler()
	must(b, err)
	r, err := http.NewRequest(http.MethodGet, "/v1/calls?outcome=booking", nil)
	must(b, err)
	r.Header.Set("Authorization", "Bearer "+h.a.live)
	w := &discard{header: http.Header{}}
	b.ReportAllocs()
	for b.Loop() {
		clear(w.header)
		handler.ServeHTTP(w, r)
		if w.status != http.StatusOK {
			b.Fatal(w.status)
		}
	}
}

type discard struct {
	header http.Header
	status int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) WriteHeader(status int)      { d.status = status }
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }
