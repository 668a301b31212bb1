package trace_test

import (
	"context"
	"testing"

	"frontdesk.dev/frontdesk/internal/trace"
)

// BenchmarkOff is what one place that begins a span costs while traces are off, under
// a context as deep as a request's is at the store.
func BenchmarkOff(b *testing.B) {
	type depth int
	ctx := context.Background()
	for i := range 5 {
		ctx = context.WithValue(ctx, depth(i), i)
	}
	b.ReportAllocs()
	for b.Loop() {
		_, span := trace.Start(ctx, trace.Outside, "listing calls", trace.Text("db.system.name", "sqlite"))
		span.End()
	}
}
