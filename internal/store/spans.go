package store

import (
	"context"
	"errors"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/trace"
)

// span begins the span of a question or a transaction, if it is asked within one. It
// is called what is being done: the words of a program, never those of a customer.
func (s *Store) span(ctx context.Context, doing string) (context.Context, trace.Span) {
	return trace.Start(ctx, trace.Outside, doing, trace.Text("db.system.name", s.dialect.system))
}

// ended ends a span with how it went, and returns that. A refusal by the rules, such
// as of something that does not exist, is no failure.
func ended(span trace.Span, err error) error {
	var known *frontdesk.Error
	switch {
	case err == nil || !span.On():
	case !errors.As(err, &known):
		span.Fail("failed")
	case known.Kind == frontdesk.Unavailable:
		span.Fail("unavailable")
	}
	span.End()
	return err
}
