package api

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/trace"
)

// BenchmarkListCalls is the road of GET /calls without the network: for
// profiles. What a request costs in all, test/bench measures from outside.
func BenchmarkListCalls(b *testing.B) { benchmarkListCalls(b, nil) }

// BenchmarkListCallsTraced is BenchmarkListCalls with every request traced, to a
// collector that takes all of it, and with one of a hundred.
func BenchmarkListCallsTraced(b *testing.B) {
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body) }))
	b.Cleanup(collector.Close)
	for _, ratio := range []float64{1, .01} {
		b.Run(fmt.Sprintf("ratio=%v", ratio), func(b *testing.B) {
			tracer, err := trace.New(trace.Options{URL: collector.URL, Client: http.DefaultClient, Ratio: ratio, Log: slog.New(slog.DiscardHandler)})
			must(b, err)
			b.Cleanup(func() { must(b, tracer.Stop(context.Background())) })
			benchmarkListCalls(b, tracer)
		})
	}
}

func benchmarkListCalls(b *testing.B, tracer *trace.Tracer) {
	h := newHouse(b, func(o *Options) {
		o.RatePerSecond, o.RateBurst = 1e6, 1e9
		o.Log, o.Tracer = slog.New(slog.DiscardHandler), tracer
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
