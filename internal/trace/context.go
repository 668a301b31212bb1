package trace

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"go.opentelemetry.io/otel/propagation"
	otel "go.opentelemetry.io/otel/trace"
)

// Header is the name of the header that says which trace a request belongs to.
const Header = "Traceparent"

// Request begins the span of a request that came with a header. Where that names a
// trace, the span is part of it. Whether it is recorded is not for a stranger to say:
// it is drawn anew, as for a request that names none.
func (t *Tracer) Request(ctx context.Context, h http.Header) (context.Context, Span) {
	if t == nil {
		return ctx, Span{}
	}
	if parent := read(h.Get(Header)); parent.IsValid() {
		drawn := t.sample.takes(rand.Uint64())
		ctx = otel.ContextWithRemoteSpanContext(ctx, parent.WithTraceFlags(parent.TraceFlags().WithSampled(drawn)))
	}
	ctx, span := t.tracer.Start(ctx, "request", otel.WithSpanKind(otel.SpanKindServer))
	return ctx, Span{span}
}

// Continue begins a span of work that was left for later, with what Parent told
// then. Where ctx has a span already, it is that one's.
func (t *Tracer) Continue(ctx context.Context, parent, name string, attrs ...Attr) (context.Context, Span) {
	if t == nil {
		return ctx, Span{}
	}
	if !otel.SpanContextFromContext(ctx).IsValid() {
		if left := read(parent); left.IsValid() {
			ctx = otel.ContextWithRemoteSpanContext(ctx, left)
		}
	}
	ctx, span := t.tracer.Start(ctx, name, otel.WithSpanKind(Outside), with(attrs))
	return ctx, Span{span}
}

// Parent names the span of ctx for who goes on with it, in the form of the header;
// "": tracing is off.
func Parent(ctx context.Context) string {
	c := otel.SpanContextFromContext(ctx)
	if !c.IsValid() {
		return ""
	}
	return "00-" + c.TraceID().String() + "-" + c.SpanID().String() + "-" + c.TraceFlags().String()
}

// read reads what Parent writes; what is not of that form names no trace.
func read(parent string) otel.SpanContext {
	if parent == "" {
		return otel.SpanContext{}
	}
	ctx := propagation.TraceContext{}.Extract(context.Background(), propagation.MapCarrier{"traceparent": parent})
	return otel.SpanContextFromContext(ctx)
}

// Conversation returns a context whose spans are those of a conversation. Its id is
// that of the trace, so that every node knows it, and whether it is recorded, and no
// place is needed to keep them. The span of the whole conversation is made as it
// ends, by Ended.
func (t *Tracer) Conversation(ctx context.Context, id string) context.Context {
	if t == nil {
		return ctx
	}
	whole, ok := wholeOf(id)
	if !ok || otel.SpanContextFromContext(ctx).TraceID() == whole.TraceID {
		return ctx
	}
	whole.TraceFlags = otel.TraceFlags(0).WithSampled(t.sample.takes(randomOf(whole.TraceID)))
	return otel.ContextWithSpan(ctx, outer{otel.SpanFromContext(otel.ContextWithSpanContext(ctx, otel.NewSpanContext(whole))), t})
}

// Ended makes the span of a conversation that has lasted from start to end.
func (t *Tracer) Ended(id string, start, end time.Time, attrs ...Attr) {
	whole, ok := wholeOf(id)
	if t == nil || !ok {
		return
	}
	ctx := context.WithValue(context.Background(), idsKey{}, whole)
	_, span := t.tracer.Start(ctx, "conversation", otel.WithNewRoot(), otel.WithTimestamp(start), otel.WithSpanKind(otel.SpanKindServer), with(attrs))
	span.End(otel.WithTimestamp(end))
}

// wholeOf names the span of a conversation by its id, which is a UUID.
func wholeOf(id string) (c otel.SpanContextConfig, ok bool) {
	digits := strings.ReplaceAll(id, "-", "")
	if len(digits) != hex.EncodedLen(len(c.TraceID)) {
		return c, false
	}
	_, err := hex.Decode(c.TraceID[:], []byte(digits))
	copy(c.SpanID[:], c.TraceID[:])
	return c, err == nil && c.SpanID.IsValid()
}

// outer stands for the span of a conversation, which other requests and nodes have
// a part in: spans begin inside it, and nothing else can be done with it.
type outer struct {
	otel.Span
	tracer *Tracer
}

func (o outer) IsRecording() bool                   { return o.SpanContext().IsSampled() }
func (o outer) TracerProvider() otel.TracerProvider { return o.tracer.provider }

type idsKey struct{}

// ids draws the ids of spans, but for those that are known.
type ids struct{}

func (ids) NewIDs(ctx context.Context) (otel.TraceID, otel.SpanID) {
	if known, ok := ctx.Value(idsKey{}).(otel.SpanContextConfig); ok {
		return known.TraceID, known.SpanID
	}
	var trace otel.TraceID
	binary.BigEndian.PutUint64(trace[:], rand.Uint64())
	binary.BigEndian.PutUint64(trace[8:], rand.Uint64()|1) // never all zeros
	return trace, newSpanID()
}

func (ids) NewSpanID(context.Context, otel.TraceID) otel.SpanID { return newSpanID() }

func newSpanID() (span otel.SpanID) {
	binary.BigEndian.PutUint64(span[:], rand.Uint64()|1)
	return span
}
