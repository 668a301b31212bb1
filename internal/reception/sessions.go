package reception

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/redact"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

const (
	// Silence is how long a conversation waits for its caller before it ends.
	Silence = 5 * time.Minute
	// Memory is how long one that has ended still says so.
	Memory = 24 * time.Hour
	// TurnTime is how long one turn may take, whatever it asks.
	TurnTime = 15 * time.Second

	maxSaid  = 1000 // characters of one message
	attempts = 8    // to take a turn that another node gets in the way of
	batch    = 100  // conversations swept at once
)

// Sessions holds conversations. Each is a row of the database, written after
// every turn and before its answer goes out, so that any node can take the next
// turn, and one that dies loses none.
type Sessions struct {
	store      *store.Store
	shelves    *knowledge.Shelves
	calendar   *Calendar
	businesses *businesses
	queue      queue
	now        func() time.Time
	log        *slog.Logger
}

// SessionOptions are what conversations need. Shelves and Model may be nil: then
// no document is asked, and rules alone understand.
type SessionOptions struct {
	Store   *store.Store
	Shelves *knowledge.Shelves
	Model   conversation.Model
	Now     func() time.Time
	Log     *slog.Logger
}

// NewSessions returns sessions without a conversation.
func NewSessions(o SessionOptions) *Sessions {
	s := &Sessions{store: o.Store, shelves: o.Shelves, calendar: NewCalendar(o.Store), now: o.Now, log: o.Log}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.businesses = newBusinesses(o.Store, o.Model, s.now)
	return s
}

// Beginning is who is called, and how.
type Beginning struct {
	Tenant   string // slug
	Agent    string // slug
	Live     bool
	Language string // "": the agent's first
	Channel  frontdesk.Channel

	// Admit may refuse the caller once the agent is known; its error is
	// returned as it is. nil: everybody is welcome.
	Admit func(frontdesk.Agent) error
}

// Welcome is a conversation that has begun, or was refused: then its reply has
// ended it.
type Welcome struct {
	ID     frontdesk.ID // of the conversation, and of the call that it becomes
	Token  frontdesk.Secret
	Tenant frontdesk.Tenant
	Agent  frontdesk.Agent
	Live   bool
	Reply  Reply
}

// Reply is what the receptionist says.
type Reply struct {
	Text         string
	Language     string
	Expect       conversation.Slot
	QuickReplies []string
	Capture      *frontdesk.Capture // what was written down in this turn
	Ended        bool
	Outcome      frontdesk.Outcome // when it has ended
}

// Shape is the reply as visitors read it.
func (r Reply) Shape() wire.ReplyShape {
	said := wire.Said{Text: r.Text, Language: r.Language, Expect: string(r.Expect), QuickReplies: r.QuickReplies}
	return wire.Reply(said, r.Capture, r.Ended, r.Outcome)
}

// Ended is what a conversation came to.
type Ended struct {
	CallID  frontdesk.ID
	Outcome frontdesk.Outcome
}

// Start begins a conversation. Whom a visitor cannot call is missing, whatever
// the reason.
func (s *Sessions) Start(ctx context.Context, begin Beginning) (Welcome, error) {
	b, err := s.businesses.named(ctx, begin)
	if err != nil {
		return Welcome{}, err
	}
	now := s.now().Truncate(time.Microsecond)
	token, hash := newToken()
	c := &call{business: b, row: store.Conversation{
		Owner: frontdesk.Owner{TenantID: b.tenant.ID, Live: begin.Live}, ID: frontdesk.NewID(now), AgentID: b.agent.ID,
		Channel: cmp.Or(begin.Channel, frontdesk.Web), Token: hash, StartedAt: now, TouchedAt: now,
	}}
	c.Talk = b.engine.Begin(c.row.ID, begin.Language)
	reply, err := s.welcome(ctx, c, now)
	return Welcome{ID: c.row.ID, Token: token, Tenant: b.tenant, Agent: b.agent, Live: begin.Live, Reply: reply}, err
}

// welcome greets the caller, or says that there is no room for the call.
func (s *Sessions) welcome(ctx context.Context, c *call, now time.Time) (Reply, error) {
	left, err := s.secondsLeft(ctx, c, now)
	if err != nil {
		return Reply{}, err
	}
	if left <= 0 {
		return s.refuse(ctx, c, now)
	}
	out := s.step(ctx, c, conversation.Input{Kind: conversation.Start, Now: now})
	turns := c.write(exchange(conversation.Input{}, out, 0, 0))
	if err := c.encode(now); err != nil {
		return Reply{}, err
	}
	most := cmp.Or(c.business.tenant.Plan.MaxConcurrentCalls, math.MaxInt)
	opened, err := s.store.OpenConversation(ctx, c.row.Owner, c.row, turns, most, now.Add(-Silence))
	if err != nil {
		return Reply{}, err
	}
	if !opened {
		c.Talk = c.business.engine.Begin(c.row.ID, c.Talk.Lang)
		return s.refuse(ctx, c, now)
	}
	return replyOf(out), nil
}

// message is something that happened on the caller's side. With a key it can be
// sent again: it is heard once.
type message struct {
	conversation.Input
	key string
}

// Hear takes what a visitor says and answers. Of two messages at once, the
// second is heard after the first is answered. To a conversation that has ended
// it answers that it has.
func (s *Sessions) Hear(ctx context.Context, id frontdesk.ID, token string, in conversation.Input) (Reply, error) {
	return s.HearOnce(ctx, id, token, in, "")
}

// HearOnce is Hear for a visitor who sends a message again when the answer was
// lost: when the last message had the same key, it answers what it answered
// then.
func (s *Sessions) HearOnce(ctx context.Context, id frontdesk.ID, token string, in conversation.Input, key string) (Reply, error) {
	in.Text = redact.Text(clip(storable(in.Text), maxSaid))
	m := message{in, key}
	var reply Reply
	err := s.inTurn(ctx, id, token, func(ctx context.Context, row store.Conversation) (done bool, err error) {
		if !row.EndedAt.IsZero() {
			reply = endedReply(row)
			return true, nil
		}
		reply, done, err = s.hear(ctx, row, m)
		return done, err
	})
	return reply, err
}

// End ends a conversation for its visitor. Ending it again changes nothing.
func (s *Sessions) End(ctx context.Context, id frontdesk.ID, token string) (Ended, error) {
	var end Ended
	err := s.inTurn(ctx, id, token, func(ctx context.Context, row store.Conversation) (done bool, err error) {
		if row.EndedAt.IsZero() {
			if row, done, err = s.close(ctx, row); err != nil || !done {
				return done, err
			}
		}
		end = Ended{CallID: row.ID, Outcome: row.Outcome}
		return true, nil
	})
	return end, err
}

// inTurn does something with a conversation that its visitor may do, while
// nobody else on this node does. When another node came first, it is done again
// on the conversation as that has left it. A visitor who goes away does not stop
// what has begun.
func (s *Sessions) inTurn(ctx context.Context, id frontdesk.ID, token string, do func(context.Context, store.Conversation) (bool, error)) error {
	// Strangers do not stand in line.
	if row, err := s.store.ConversationByID(ctx, id); err != nil {
		return err
	} else if !opens(token, row.Token) {
		return frontdesk.Missing("conversation")
	}
	leave, err := s.queue.enter(ctx, id)
	if err != nil {
		return err
	}
	defer leave()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), TurnTime)
	defer cancel()
	for range attempts {
		row, err := s.store.ConversationByID(ctx, id)
		if err != nil {
			return err
		}
		if done, err := do(ctx, row); err != nil || done {
			return err
		}
	}
	return frontdesk.DatabaseUnavailable(errors.New("a conversation is held by too many at once"))
}

// hear takes one turn. It is done unless the conversation has changed meanwhile.
func (s *Sessions) hear(ctx context.Context, row store.Conversation, m message) (Reply, bool, error) {
	in := m.Input
	in.Now = s.now().Truncate(time.Microsecond)
	if in.Now.Sub(row.TouchedAt) > Silence { // nobody has swept it yet
		row, done, err := s.close(ctx, row)
		return endedReply(row), done, err
	}
	c, err := s.resume(ctx, row)
	if err != nil {
		return Reply{}, false, err
	}
	if reply, known, err := c.again(m); known || err != nil {
		return reply, known, err
	}
	out, err := s.answer(ctx, c, in)
	if err != nil {
		return Reply{}, false, err
	}
	heard, answered := in.Now.Sub(row.StartedAt), s.now().Sub(row.StartedAt)
	said := exchange(in, out, heard, answered)
	if !out.Ended && c.isFull(said) {
		out.Say, out.Ended, out.Expect, out.QuickReplies = joined(out.Say, say(out.Language, tooLong)), true, conversation.Nothing, nil
		said = exchange(in, out, heard, answered)
	}
	if out.Ended {
		row, done, err := s.finish(ctx, c, said, s.now())
		out.Outcome = row.Outcome
		return replyOf(out), done, err
	}
	reply, turns := replyOf(out), c.write(said)
	if m.key != "" {
		c.Last = &replied{m.key, m.Text, reply}
	}
	if err := c.encode(in.Now); err != nil {
		return Reply{}, false, err
	}
	done, err := s.store.SaveConversation(ctx, row.Owner, c.row, turns)
	return reply, done, err
}

// answer lets the engine answer, within what the plan allows.
func (s *Sessions) answer(ctx context.Context, c *call, in conversation.Input) (conversation.Output, error) {
	if c.lost {
		return conversation.Output{Say: say(c.Talk.Lang, broken), Language: c.Talk.Lang, Ended: true}, nil
	}
	left, err := s.secondsLeft(ctx, c, in.Now)
	if err != nil {
		return conversation.Output{}, err
	}
	if left <= 0 {
		return s.timeUp(ctx, c, in), nil
	}
	out := s.step(ctx, c, in)
	if left < lastMinute && !c.Warned && !out.Ended {
		c.Warned = true
		out.Say = joined(say(out.Language, lessThanAMinute), out.Say)
	}
	return out, nil
}

// Warm makes what all engines share, which takes a moment, so that the first
// caller need not wait for it.
func (s *Sessions) Warm(context.Context) error {
	_, err := conversation.NewEngine(frontdesk.Agent{Timezone: "UTC", Languages: frontdesk.Languages}, nil)
	return err
}

// timeUp ends a call whose plan has run out. Somebody who is asked whether
// something shall be written down may still say yes: they must not go thinking
// that they have what they have not.
func (s *Sessions) timeUp(ctx context.Context, c *call, in conversation.Input) conversation.Output {
	out := conversation.Output{Language: c.Talk.Lang}
	if c.Talk.Expect == conversation.SlotConfirm {
		out = s.step(ctx, c, in)
	}
	if out.Capture == nil {
		out.Say = ""
	}
	c.Talk.OverLimit, c.Talk.Ended = true, true
	out.Say, out.Ended, out.Expect, out.QuickReplies = joined(out.Say, say(out.Language, timeIsUp)), true, conversation.Nothing, nil
	return out
}

// Sweep ends the conversations whose callers have gone silent, and forgets those
// that ended long ago. Any number of nodes may sweep at once. What cannot be
// ended keeps none of the others; it is tried again the next time.
func (s *Sessions) Sweep(ctx context.Context) error {
	return errors.Join(s.endSilent(ctx), s.forgetEnded(ctx))
}

// endSilent lets a turn be taken to its end that began before it was too late:
// what it books belongs to the call.
func (s *Sessions) endSilent(ctx context.Context) (failed error) {
	since := s.now().Add(-Silence - TurnTime)
	var last store.Conversation
	for ctx.Err() == nil {
		silent, err := s.store.SilentForWorker(ctx, since, last, batch)
		if err != nil {
			return errors.Join(failed, err)
		}
		for _, row := range silent {
			if _, _, err := s.close(ctx, row); err != nil {
				failed = errors.Join(failed, fmt.Errorf("ending the conversation %s: %w", row.ID, err))
			}
		}
		if len(silent) < batch {
			break
		}
		last = silent[len(silent)-1]
	}
	return failed
}

func (s *Sessions) forgetEnded(ctx context.Context) error {
	before := s.now().Add(-Memory)
	for {
		forgotten, err := s.store.ForgetConversationsForWorker(ctx, before, batch)
		if err != nil || forgotten < batch {
			return err
		}
	}
}
