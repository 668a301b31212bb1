package reception

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// A rehearsal is a conversation in which somebody of the business tries an agent
// out, as it is or as it would become. It is held like any other, on any node,
// through the same calls, and differs in this:
//
//   - It is held with the draft that it was opened with, whatever becomes of the
//     agent meanwhile.
//   - It answers from the live documents, and offers what is free in the live book.
//   - What it writes down is test data, marked as of a rehearsal, and nobody is told
//     of it, then or later.
//   - It takes no place and no time of the plan, and comes under no limit of callers.
//   - It becomes no call: so nothing of it is counted, and no question of it is one
//     that a caller has asked. What was said can be read for a day.

// Rehearse opens a rehearsal with a draft of one of the tenant's agents: the agent
// with that id, and any other content. Whether it takes calls does not matter. Who
// asks must have the rights of a live key of the tenant.
func (s *Sessions) Rehearse(ctx context.Context, tenant frontdesk.Tenant, draft frontdesk.Agent, language string) (Welcome, error) {
	now := s.now().Truncate(time.Microsecond)
	owner := frontdesk.Owner{TenantID: tenant.ID, Live: false}
	stands, err := s.store.Agent(ctx, owner, draft.ID)
	if err != nil {
		return Welcome{}, err
	}
	draft.TenantID, draft.Slug = stands.TenantID, stands.Slug
	if err := draft.Settings.Check(); err != nil {
		return Welcome{}, err
	}
	written, err := store.NewDraft(draft)
	if err != nil {
		return Welcome{}, err
	}
	token := newLineToken()
	row := store.Conversation{
		Owner: owner, ID: frontdesk.NewID(now), AgentID: draft.ID, Channel: frontdesk.Web, Token: digest(token),
		Language: language, StartedAt: now, TouchedAt: now, Draft: written,
	}
	b, err := s.businesses.talkedTo(ctx, row)
	if err != nil {
		return Welcome{}, err
	}
	c, out := s.greet(ctx, b, row)
	turns := c.write(c.unwritten)
	if err := c.encode(now); err != nil {
		return Welcome{}, err
	}
	c.row.Version = 1
	// It is written before anything is said: the token has no room for a draft.
	if _, err := s.store.OpenConversation(ctx, owner, c.row, turns, store.Places{}); err != nil {
		return Welcome{}, err
	}
	return Welcome{ID: row.ID, Token: frontdesk.Secret(token), Tenant: b.tenant, Agent: b.agent, Reply: c.replyOf(out)}, nil
}

// Turns is what was said in a rehearsal so far, with what the receptionist looked up
// and did. Of other conversations it says nothing: those who hold them are callers.
func (s *Sessions) Turns(ctx context.Context, id frontdesk.ID, token string) ([]frontdesk.Turn, error) {
	row, err := s.find(ctx, id, token)
	if err != nil {
		return nil, err
	}
	if !row.Rehearsal() {
		return nil, frontdesk.Missing("conversation")
	}
	lines, err := s.store.ConversationTurns(ctx, row.Owner, row.ID)
	return cutOff(decodeTurns(lines)), err
}

// leftRehearsal is a rehearsal in which nothing more is said. What was left half
// done is not kept, so no engine is needed, and one whose draft or state cannot be
// read ends too.
func leftRehearsal(row store.Conversation, log *slog.Logger) *call {
	c := &call{row: row}
	if err := json.Unmarshal(row.State, &c.saved); err != nil {
		log.Error("a rehearsal cannot be read", "conversation", row.ID, "error", err)
		c.saved = saved{}
		c.Talk.Lang = row.Language
	}
	return c
}

// endRehearsal ends a rehearsal with the last things said, and lets the place go
// that it held.
func (c *call) endRehearsal(ctx context.Context, s *Sessions, last []frontdesk.Turn, now time.Time) (store.Conversation, bool, error) {
	outcome, _ := c.Talk.Finish(now)
	c.row.EndedAt, c.row.Outcome, c.row.Language = now, outcome, c.Talk.Lang
	var err error
	if c.row.State, err = c.lastWord(outcome); err != nil {
		return c.row, false, err
	}
	ended, err := s.store.EndRehearsal(ctx, c.row.Owner, c.row, encodeTurns(last))
	if err != nil || !ended {
		return c.row, false, err
	}
	c.row.Version++
	s.spans.whole(c.row)
	if !c.Held {
		return c.row, true, nil
	}
	if err := s.store.DropHold(ctx, c.row.Owner, c.row.ID); err != nil { // it runs out by itself
		s.log.Warn("a held place was not let go", "conversation", c.row.ID, "error", err)
	}
	return c.row, true, nil
}
