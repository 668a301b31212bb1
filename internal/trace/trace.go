// Package trace tells a collector of OpenTelemetry what is done within a
// request, a conversation or a delivery, and how long each part of it takes.
//
//	Tracer.Request, .Continue, .Conversation -> Start, Start, ... -> Span.End -> batches -> sender
//
// A Tracer begins what has no span around it. Everything below asks Start for a
// span inside the one that its context has, and needs no Tracer: without a span
// around it there is none, which costs a look into the context. A nil *Tracer is
// one that is off.
//
// Spans say what was done, for whom and how it ended. They never hold what was
// said or written, nor the text of an error, which may repeat it. This is the only
// package that knows OpenTelemetry; it does not know what the others do.
package trace

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	otel "go.opentelemetry.io/otel/trace"
)

// Tracer begins spans and sends them to a collector. nil: it is off.
type Tracer struct {
	tracer   otel.Tracer
	provider *sdk.TracerProvider
	sample   sampler
}

// Options say where spans go. URL and Client are needed.
type Options struct {
	URL     string            // of the collector; /v1/traces is added where it has no path of its own
	Headers map[string]string // sent with every request, such as a key
	Client  *http.Client      // guarded
	Ratio   float64           // of requests, conversations and deliveries that are recorded; 1
	Version string            // of this program
	Log     *slog.Logger      // slog.Default()
	Every   time.Duration     // how far apart spans are sent; 2 s
}

// New returns a tracer. Nothing is sent before there is a span: a collector that is
// not there yet keeps nobody from starting.
func New(o Options) (*Tracer, error) {
	o.Log = cmp.Or(o.Log, slog.Default())
	o.Ratio = cmp.Or(o.Ratio, 1)
	to, err := newSender(o)
	if err != nil {
		return nil, err
	}
	sample := sampler{threshold: uint64(o.Ratio * (1 << randomBits))}
	provider := sdk.NewTracerProvider(
		sdk.WithSampler(sdk.ParentBased(sample)),
		sdk.WithIDGenerator(ids{}),
		sdk.WithSpanProcessor(newBatches(otlptrace.NewUnstarted(to), o)),
		sdk.WithResource(resource.NewSchemaless(
			attribute.String("service.name", "frontdesk"), attribute.String("service.version", o.Version),
		)),
	)
	return &Tracer{tracer: provider.Tracer("frontdesk"), provider: provider, sample: sample}, nil
}

// Stop sends what has not been sent, until ctx ends.
func (t *Tracer) Stop(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}
