package trace

import (
	"context"
	"slices"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	otel "go.opentelemetry.io/otel/trace"
)

// Span is something that is being done. The zero value is one that nobody records.
type Span struct{ span otel.Span }

// Attr says something about a span.
type Attr = attribute.KeyValue

// Text is an attribute. It must not come from a caller or a customer.
func Text(key, value string) Attr { return attribute.String(key, value) }

// Number is an attribute that is a number.
func Number(key string, value int) Attr { return attribute.Int(key, value) }

// Yes is an attribute that is true or false.
func Yes(key string, value bool) Attr { return attribute.Bool(key, value) }

// The kinds of work.
const (
	Inside  = otel.SpanKindInternal // is done by this process
	Outside = otel.SpanKindClient   // waits for another: a database, a model, a receiver
)

// Start begins a span inside the one of ctx. Where that has none that is recorded,
// neither is this.
func Start(ctx context.Context, kind otel.SpanKind, name string, attrs ...Attr) (context.Context, Span) {
	around := otel.SpanFromContext(ctx)
	if !around.IsRecording() {
		return ctx, Span{}
	}
	ctx, span := around.TracerProvider().Tracer("frontdesk").Start(ctx, name, otel.WithSpanKind(kind), with(attrs))
	return ctx, Span{span}
}

// with copies, so that a list of attributes for a span that nobody records need not
// leave its caller's stack.
func with(attrs []Attr) otel.SpanStartEventOption { return otel.WithAttributes(slices.Clone(attrs)...) }

// On says whether somebody records the span: where attributes are costly to find out,
// they are worth it then.
func (s Span) On() bool { return s.span != nil && s.span.IsRecording() }

// Set says more about the span.
func (s Span) Set(attrs ...Attr) {
	if s.On() {
		s.span.SetAttributes(slices.Clone(attrs)...)
	}
}

// Name names the span once it is known what it is.
func (s Span) Name(name string) {
	if s.On() {
		s.span.SetName(name)
	}
}

// Fail says that it failed, and of which kind the failure is: one of a few fixed words.
func (s Span) Fail(kind string) {
	if s.On() {
		s.span.SetAttributes(attribute.String("error.type", kind))
		s.span.SetStatus(codes.Error, kind)
	}
}

// End ends the span.
func (s Span) End() {
	if s.span != nil {
		s.span.End()
	}
}

// TraceID is the id of the trace that ctx belongs to, for the log; "": none.
func TraceID(ctx context.Context) string {
	c := otel.SpanContextFromContext(ctx)
	if !c.HasTraceID() {
		return ""
	}
	return c.TraceID().String()
}
