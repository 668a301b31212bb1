package reception

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// Ringing is a call that comes in on the telephone.
type Ringing struct {
	Owner    frontdesk.Owner
	AgentID  frontdesk.ID
	Line     string // what the carrier calls this call: however often it is told of, it is begun once
	Caller   string // E.164; "": withheld
	Number   string // that was called, E.164
	Language string // "": the agent's first
	Transfer bool   // a person can be put on the line
	Suspect  bool   // the carrier has found that the caller's number is forged
}

// OnLine is a call on the telephone as it stands: what was said last waits to be
// spoken, or was cut off with the line.
type OnLine struct {
	ID        frontdesk.ID // of the conversation, and of the call that it becomes
	Owner     frontdesk.Owner
	Token     frontdesk.Secret // opens the conversation once: see Connect
	Agent     frontdesk.Agent
	Reply     Reply
	Begun     bool      // the caller has said something
	Unsaid    bool      // the last answer was not spoken on this line yet
	Transfer  bool      // they are to be put through, and were not yet
	StartedAt time.Time // of the call

	Whisper string // what a person is told who is asked to take the call
}

// Ring begins the conversation of a call, or finds it if it was begun before. A
// caller for whom the plan has no room is told so: then the call is over.
func (s *Sessions) Ring(ctx context.Context, r Ringing) (OnLine, error) {
	if on, err := s.Line(ctx, r.Owner, r.Line); err == nil || !isMissing(err) {
		return on, err
	}
	now := s.now().Truncate(time.Microsecond)
	b, err := s.businesses.of(ctx, r.Owner, r.AgentID)
	if err != nil {
		return OnLine{}, err
	}
	if !b.agent.TakesCalls(r.Owner.Live) {
		return OnLine{}, frontdesk.Missing("agent")
	}
	token, id := newLineToken(), frontdesk.NewID(now)
	ctx, span := s.spans.turn(ctx, id, conversation.Start)
	defer span.End()
	c, out := s.greet(ctx, b, store.Conversation{
		Owner: r.Owner, ID: id, AgentID: r.AgentID, Channel: frontdesk.Phone,
		Token: digest(token), Language: r.Language, StartedAt: now, TouchedAt: now,
	})
	c.Caller, c.Number, c.Suspect = r.Caller, r.Number, r.Suspect
	c.Talk.Line = conversation.Line{On: true, Caller: r.Caller, Transfer: r.Transfer}
	if r.Suspect {
		c.Talk.Line.Caller = "" // nobody is called back at a number that is not theirs
	}
	left, err := s.secondsLeft(ctx, c, now)
	if err != nil {
		return OnLine{}, err
	}
	opening := store.NoPlace
	if left > 0 {
		turns := c.write(c.unwritten)
		if err := c.encode(now); err != nil {
			return OnLine{}, err
		}
		c.row.Version = 1
		if opening, err = s.store.OpenLine(ctx, r.Owner, r.Line, c.row, turns, c.places(now)); err != nil {
			return OnLine{}, err
		}
	}
	switch opening {
	case store.NoPlace:
		c.line, c.unwritten = r.Line, nil // the greeting is not said
		reply, _, err := s.refuse(ctx, c, Message{Input: conversation.Input{Now: now}}, left > 0)
		return OnLine{ID: c.row.ID, Owner: r.Owner, Agent: b.agent, Reply: reply}, err
	case store.OpenedBefore:
		return s.Line(ctx, r.Owner, r.Line)
	}
	reply := c.replyOf(out)
	reply.Version = c.row.Version
	return OnLine{ID: c.row.ID, Owner: r.Owner, Token: frontdesk.Secret(token), Agent: b.agent, Reply: reply, StartedAt: now}, nil
}

// Line is the call that a carrier speaks of, with a new token: whoever held the call
// until now holds it no more. A carrier comes back with a call when the connection
// broke, or when it was asked to.
func (s *Sessions) Line(ctx context.Context, owner frontdesk.Owner, line string) (OnLine, error) {
	row, err := s.store.LineConversation(ctx, owner, line)
	if err != nil {
		return OnLine{}, err
	}
	return s.renew(ctx, row, func(ctx context.Context) (store.Conversation, error) {
		return s.store.LineConversation(ctx, owner, line)
	})
}

// Connect takes a call to a number up with the token that was given out for it, and
// gives another: what was given out opens nothing a second time.
func (s *Sessions) Connect(ctx context.Context, id frontdesk.ID, token, number string) (OnLine, error) {
	again := func(ctx context.Context) (store.Conversation, error) {
		row, err := s.find(ctx, id, token)
		if err == nil && (row.Channel != frontdesk.Phone || !row.EndedAt.IsZero()) {
			err = frontdesk.Missing("conversation")
		}
		if err != nil {
			return row, err
		}
		c, err := s.resume(ctx, row)
		if err == nil && c.Number != number {
			err = frontdesk.Missing("conversation")
		}
		return row, err
	}
	row, err := again(ctx)
	if err != nil {
		return OnLine{}, err
	}
	return s.renew(ctx, row, again)
}

// renew gives a call another token, once a turn of it that is being taken on this node
// is over: whoever goes on with it goes on from there.
func (s *Sessions) renew(ctx context.Context, row store.Conversation, again func(context.Context) (store.Conversation, error)) (OnLine, error) {
	leave, err := s.queue.enter(ctx, row.ID)
	if err != nil {
		return OnLine{}, err
	}
	defer leave()
	if row, err = again(ctx); err != nil {
		return OnLine{}, err
	}
	if !row.EndedAt.IsZero() {
		return OnLine{ID: row.ID, Owner: row.Owner, Reply: endedReply(row)}, nil
	}
	c, err := s.resume(ctx, row)
	if err != nil {
		return OnLine{}, err
	}
	token := newLineToken()
	renewed, err := s.store.RenewToken(ctx, row.Owner, row.ID, row.Token, digest(token))
	if err != nil {
		return OnLine{}, err
	}
	if !renewed {
		return OnLine{}, frontdesk.Missing("conversation")
	}
	return c.onLine(token), nil
}

// onLine is a conversation as it stands, for who speaks it.
func (c *call) onLine(token string) OnLine {
	talk, row := c.Talk, c.row
	return OnLine{
		ID: row.ID, Owner: row.Owner, Token: frontdesk.Secret(token), Agent: c.business.agent,
		Begun: talk.Turns > 0, Unsaid: c.AfterTransfer, Transfer: talk.Passing, StartedAt: row.StartedAt, Whisper: talk.Whisper,
		Reply: Reply{
			Text: talk.LastSay, Language: talk.Lang, Code: talk.CodeIn(talk.LastSay), Expect: talk.Expect,
			QuickReplies: talk.LastReplies, Version: row.Version,
		},
	}
}

// Aloud is a conversation on the web as it stands, for a visitor who goes on with it by
// voice. The token stays what it was: the page that holds it goes on too.
func (s *Sessions) Aloud(ctx context.Context, id frontdesk.ID, token string) (OnLine, error) {
	row, err := s.find(ctx, id, token)
	if err != nil {
		return OnLine{}, err
	}
	if row.Channel == frontdesk.Phone || !row.EndedAt.IsZero() {
		return OnLine{}, frontdesk.Missing("conversation")
	}
	c, err := s.takeUp(ctx, row)
	if err != nil {
		return OnLine{}, err
	}
	on := c.onLine(token)
	on.Unsaid, on.StartedAt = true, s.now()
	return on, nil
}

// EndLost ends the calls of lines whose names begin with a prefix and that were begun
// before an instant: the process that held them is gone, and nobody comes back with
// them. They ended with the last thing said.
func (s *Sessions) EndLost(ctx context.Context, prefix string, before time.Time) (ended int, failed error) {
	var last frontdesk.ID
	for ctx.Err() == nil {
		lost, err := s.store.OpenLinesForWorker(ctx, prefix, before.Add(-Memory), before, last, batch)
		if err != nil {
			return ended, errors.Join(failed, err)
		}
		for _, row := range lost {
			last = row.ID
			closed, err := s.closeLost(ctx, row)
			if err = (orphans{s.store, s.log}).drop(ctx, row, err); err != nil {
				failed = errors.Join(failed, fmt.Errorf("ending the conversation %s: %w", row.ID, err))
			}
			if closed {
				ended++
			}
		}
		if len(lost) < batch {
			break
		}
	}
	return ended, failed
}

func (s *Sessions) closeLost(ctx context.Context, row store.Conversation) (closed bool, err error) {
	ctx, span := s.spans.turn(ctx, row.ID, conversation.Hangup)
	defer span.End()
	if unspoken(row) {
		_, closed, err = s.closeUnspoken(ctx, row)
		return closed, err
	}
	c, err := s.resume(ctx, row)
	if err != nil {
		return false, err
	}
	_, closed, err = s.hangUp(ctx, c, row.TouchedAt)
	return closed, err
}

// newLineToken is a secret for one connection of one call.
func newLineToken() string { return rand.Text() }

// lineTime is how long a line was open at an instant. One whose end nobody told of
// ended with the last thing said.
func (c *call) lineTime(turns []frontdesk.Turn, now time.Time) time.Duration {
	if now.Sub(c.row.TouchedAt) < Silence {
		return now.Sub(c.row.StartedAt)
	}
	return lasted(turns)
}
