package provider

import (
	"context"
	"errors"
	"net/url"

	"frontdesk.dev/frontdesk/internal/trace"
)

// span begins the span of a question to an endpoint. Nothing of what is asked or
// answered is in it.
func (v vendor) span(ctx context.Context, name string, attrs ...trace.Attr) (context.Context, trace.Span) {
	ctx, span := trace.Start(ctx, trace.Outside, name, attrs...)
	if span.On() {
		span.Set(trace.Text("gen_ai.request.model", v.model), trace.Text("server.address", hostOf(v.base)))
	}
	return ctx, span
}

// ended ends a span with how it went.
func ended(span trace.Span, err error) {
	if err != nil {
		span.Fail(kindOf(err))
	}
	span.End()
}

// kindOf is which of our errors one is, in a word.
func kindOf(err error) string {
	switch {
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.Is(err, ErrTimeout):
		return "timeout"
	case errors.Is(err, ErrAway):
		return "away"
	case errors.Is(err, ErrRefused):
		return "refused"
	}
	return "broken"
}

// hostOf is the host of an endpoint's address, which is the operator's.
func hostOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return u.Host
}
