package reception

import (
	"context"
	"errors"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/trace"
)

// Traced returns a context whose spans are those of a conversation, for the channel
// that holds it.
func (s *Sessions) Traced(ctx context.Context, id frontdesk.ID) context.Context {
	return s.spans.within(ctx, id)
}

// spans makes the spans of conversations and their turns. Nothing of what is said is
// in them.
type spans struct{ tracer *trace.Tracer }

func (s spans) within(ctx context.Context, id frontdesk.ID) context.Context {
	return s.tracer.Conversation(ctx, string(id))
}

// turn begins the span of one turn. The conversation must have been found: a stranger
// could else choose an id that is recorded whatever the ratio.
func (s spans) turn(ctx context.Context, id frontdesk.ID, kind conversation.Kind) (context.Context, trace.Span) {
	return trace.Start(s.within(ctx, id), trace.Inside, "turn", trace.Text("frontdesk.turn", string(kind)))
}

// endTurn ends the span of a turn with what came of it.
func endTurn(span trace.Span, r Reply, err error) {
	defer span.End()
	var known *frontdesk.Error
	switch {
	case !span.On():
	case errors.As(err, &known) && known.Kind != frontdesk.Unavailable: // it was refused by the rules
		span.Set(trace.Text("frontdesk.code", known.Code))
	case err != nil:
		span.Fail("failed")
	default:
		span.Set(trace.Text("frontdesk.language", r.Language), trace.Text("frontdesk.expects", string(r.Expect)),
			trace.Yes("frontdesk.captured", r.Capture != nil), trace.Yes("frontdesk.ended", r.Ended))
	}
}

// whole makes the span of a conversation that has ended, around those of its turns.
func (s spans) whole(row store.Conversation) {
	s.tracer.Ended(string(row.ID), row.StartedAt, row.EndedAt,
		trace.Text("frontdesk.conversation", string(row.ID)), trace.Text("frontdesk.tenant", string(row.Owner.TenantID)), trace.Yes("frontdesk.live", row.Owner.Live),
		trace.Text("frontdesk.agent", string(row.AgentID)), trace.Text("frontdesk.channel", string(row.Channel)), trace.Text("frontdesk.language", row.Language),
		trace.Text("frontdesk.outcome", string(row.Outcome)), trace.Yes("frontdesk.rehearsal", row.Rehearsal()))
}
