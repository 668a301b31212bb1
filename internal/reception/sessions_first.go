package reception

import (
	"context"
	"time"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// greet begins a conversation that is not written down. When its visitor first
// speaks, which may be on another node, it is begun again, and comes to the same.
func (s *Sessions) greet(ctx context.Context, b *business, row store.Conversation) (*call, conversation.Output) {
	c := &call{business: b, row: row, begins: true}
	c.Talk = b.engine.Begin(row.ID, row.Language)
	out := s.step(ctx, c, conversation.Input{Kind: conversation.Start, Now: row.StartedAt})
	c.row.Language = c.Talk.Lang
	c.unwritten = exchange(conversation.Input{}, out, 0, 0)
	return c, out
}

// takeUp is a conversation where it was left, or where it began.
func (s *Sessions) takeUp(ctx context.Context, row store.Conversation) (*call, error) {
	if !unspoken(row) {
		return s.resume(ctx, row)
	}
	b, err := s.businesses.of(ctx, row.Owner, row.AgentID)
	if err != nil {
		return nil, err
	}
	if !b.agent.TakesCalls(row.Owner.Live) {
		return nil, frontdesk.Missing("conversation")
	}
	c, _ := s.greet(ctx, b, row)
	return c, nil
}

// places are those of the plan, of which every call takes one in which somebody
// talks.
func (c *call) places(now time.Time) store.Places {
	return store.Places{Most: c.business.tenant.Plan.MaxConcurrentCalls, Since: now.Add(-Talking)}
}

// hasRoom says whether the plan has room for one call more. Who talks already
// needs none: a caller who comes back after a pause is not turned away.
func (s *Sessions) hasRoom(ctx context.Context, c *call, left int, now time.Time) (bool, error) {
	if left <= 0 {
		return false, nil
	}
	return s.store.HasPlace(ctx, c.row.Owner, c.places(now))
}

// open writes a conversation down with the first message and its answer, unless
// the last place has gone meanwhile.
func (s *Sessions) open(ctx context.Context, c *call, m Message, reply Reply, turns []byte) (Reply, bool, error) {
	c.row.Version = 1
	opening, err := s.store.OpenConversation(ctx, c.row.Owner, c.row, turns, c.places(m.Now))
	if err != nil || opening != store.NoPlace {
		return reply, opening == store.Opened, err
	}
	s.letGo(ctx, c, m.Now)
	return s.refuse(ctx, c, m, true)
}

// refuse turns a caller away politely, in answer to the first thing they said.
// The call is recorded with no seconds, unless that was done often lately: then
// nothing is kept of it. It is crowded where as many talk as may at once; else the
// plan's seconds are used up.
func (s *Sessions) refuse(ctx context.Context, c *call, m Message, crowded bool) (Reply, bool, error) {
	s.limits.callers.leave(c.row.ID)
	s.watch.refused(planLimit(crowded))
	language := c.row.Language
	out := conversation.Output{Say: c.business.engine.NoRoom(language, c.Talk.Line), Language: language, Ended: true, Outcome: frontdesk.OverLimit}
	if !s.limits.mayRecordRefusal(c.row.Owner, m.From, m.Now) {
		return c.replyOf(out), true, nil
	}
	c.Talk = c.business.engine.Begin(c.row.ID, language)
	c.Talk.OverLimit, c.Talk.Crowded, c.Talk.Ended = true, crowded, true
	_, summary := c.Talk.Finish(m.Now)
	at := m.Now.Sub(c.row.StartedAt)
	r, err := c.record(frontdesk.OverLimit, summary, spaced(append(c.unwritten, exchange(m.Input, out, at, at)...), at), 0)
	if err != nil {
		return Reply{}, false, err
	}
	if m.Key != "" {
		c.ending = &replied{m.Key, m.Text, c.replyOf(out)}
	}
	c.row.Version, c.row.Lasted = 1, 0
	if c.row.State, err = c.lastWord(frontdesk.OverLimit); err != nil {
		return Reply{}, false, err
	}
	c.row.EndedAt, c.row.Outcome, c.row.Language = m.Now, frontdesk.OverLimit, language
	record := s.store.RecordConversation
	if c.line != "" {
		record = func(ctx context.Context, owner frontdesk.Owner, row store.Conversation, r store.Recording) (bool, error) {
			return s.store.RecordLine(ctx, owner, c.line, row, r)
		}
	}
	recorded, err := record(ctx, c.row.Owner, c.row, r)
	return c.replyOf(out), recorded, err
}
