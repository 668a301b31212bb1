package reception

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
	"frontdesk.dev/frontdesk/internal/redact"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/trace"
	"frontdesk.dev/frontdesk/internal/wire"
)

const (
	// Silence is how long a conversation waits for its caller before it ends.
	Silence = 30 * time.Minute
	// Talking is how long after the last thing said a conversation counts as one
	// in which somebody talks: so long it keeps its place of the plan.
	Talking = 5 * time.Minute
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
// turn, and one that dies loses none. Before its caller has said something there
// is no row: a page that is looked at is no call.
type Sessions struct {
	store      *store.Store
	shelves    *knowledge.Shelves
	calendar   *calendar.Calendar
	businesses *businesses
	tokens     tokens
	limits     limits
	queue      queue
	watch      Watch
	now        func() time.Time
	log        *slog.Logger
	spans      spans
}

// SessionOptions are what conversations need. Shelves and Model may be nil: then
// no document is asked, and rules alone understand. Nodes on one database need
// boxes of the same key; without a box, a conversation must begin where its
// first message is heard.
type SessionOptions struct {
	Store   *store.Store
	Shelves *knowledge.Shelves
	Model   conversation.Model
	Box     *seal.Box
	Limits  Limits
	Watch   Watch
	Now     func() time.Time
	Log     *slog.Logger
	Tracer  *trace.Tracer // nil: off
}

// NewSessions returns sessions without a conversation.
func NewSessions(o SessionOptions) *Sessions {
	s := &Sessions{
		store: o.Store, shelves: o.Shelves, calendar: calendar.New(o.Store, o.Limits.bookingLimits),
		tokens: newTokens(o.Box), limits: newLimits(o.Limits), watch: o.Watch, now: o.Now, log: o.Log, spans: spans{o.Tracer},
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.businesses = newBusinesses(o.Store, o.Watch.model(o.Model), s.now)
	return s
}

// Beginning is who is called, and how.
type Beginning struct {
	Tenant   string // slug
	Agent    string // slug
	Live     bool
	Language string // "": the agent's first
	Channel  frontdesk.Channel
	From     netip.Prefix // where the caller comes from; zero: not counted

	// Admit may refuse the caller once the agent is known; its error is
	// returned as it is. nil: everybody is welcome.
	Admit func(frontdesk.Agent) error
}

// Welcome is a conversation that has begun.
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
	Capture      *frontdesk.Capture     // what was written down in this turn
	Transfer     *conversation.Transfer // the caller is to be put through
	Version      int64                  // of the conversation: tells which reply it was that a caller has heard
	Misses       int                    // turns in a row of which nothing came
	Waits        bool                   // the caller has asked for a moment
	Code         string                 // a confirmation code that stands in the text
	Slow         bool                   // something in it was misheard before: names and numbers are said letter by letter
	ICS          string                 // where its calendar file is; "": it has none
	Ended        bool
	Outcome      frontdesk.Outcome // when it has ended
}

// Shape is the reply as visitors read it.
func (r Reply) Shape() wire.ReplyShape {
	said := wire.Said{Text: r.Text, Language: r.Language, Expect: string(r.Expect), QuickReplies: r.QuickReplies}
	var card *wire.Card
	if r.Capture != nil {
		card = &wire.Card{Capture: *r.Capture, ICS: r.ICS}
	}
	return wire.Reply(said, card, r.Ended, r.Outcome)
}

// Ended is what a conversation came to.
type Ended struct {
	CallID  frontdesk.ID // "" when nothing was said, or it was a rehearsal: there is no call
	Outcome frontdesk.Outcome
}

// Start begins a conversation. Whom a visitor cannot call is missing, whatever
// the reason. Nothing is written and nobody is told: it is a call, and takes a
// place of the plan, when the visitor says something.
func (s *Sessions) Start(ctx context.Context, begin Beginning) (Welcome, error) {
	now := s.now().Truncate(time.Microsecond)
	if wait := s.limits.callers.mayCome(begin.From, now); wait > 0 {
		return Welcome{}, tooManyOpen(wait)
	}
	b, err := s.businesses.named(ctx, begin)
	if err != nil {
		return Welcome{}, err
	}
	c, out := s.greet(ctx, b, store.Conversation{
		Owner: frontdesk.Owner{TenantID: b.tenant.ID, Live: begin.Live}, ID: frontdesk.NewID(now), AgentID: b.agent.ID,
		Channel: cmp.Or(begin.Channel, frontdesk.Web), Language: begin.Language, StartedAt: now, TouchedAt: now,
	})
	token, err := s.tokens.make(c.row)
	return Welcome{ID: c.row.ID, Token: token, Tenant: b.tenant, Agent: b.agent, Live: begin.Live, Reply: c.replyOf(out)}, err
}

// Message is something that happened on the caller's side.
type Message struct {
	conversation.Input
	Key  string       // to send it again with: it is heard once
	From netip.Prefix // where it comes from; zero: not counted

	// Joins says that the caller goes on with what they said last, and has not listened
	// to the answer: both are heard as one, unless the answer has changed the books.
	Joins bool
	// Version is the one of the last reply that the caller was told; 0: the channel
	// shows them all. To one that they were not told they have said nothing.
	Version int64
}

// Hear takes what a visitor says and answers. Of two messages at once, the
// second is heard after the first is answered. To a conversation that has ended
// it answers that it has.
func (s *Sessions) Hear(ctx context.Context, id frontdesk.ID, token string, in conversation.Input) (Reply, error) {
	return s.HearOnce(ctx, id, token, Message{Input: in})
}

// HearOnce is Hear for a visitor who sends a message again when the answer was
// lost: when the last message had the same key, it answers what it answered
// then.
func (s *Sessions) HearOnce(ctx context.Context, id frontdesk.ID, token string, m Message) (Reply, error) {
	m.Text = redact.Text(frontdesk.Clip(frontdesk.Storable(m.Text), maxSaid))
	var reply Reply
	err := s.inTurn(ctx, id, token, func(ctx context.Context, row store.Conversation) (done bool, err error) {
		ctx, span := s.spans.turn(ctx, id, m.Kind)
		defer func() { endTurn(span, reply, err) }()
		if !row.EndedAt.IsZero() {
			reply, err = afterEnd(row, m)
			return true, err
		}
		told := m
		if m.Version != 0 && m.Version != row.Version {
			told.Cut, told.Heard, told.Early, told.Joins = true, "", false, false
		}
		reply, done, err = s.hear(ctx, row, told)
		return done, err
	})
	return reply, err
}

// End ends a conversation for its visitor. Ending it again changes nothing.
func (s *Sessions) End(ctx context.Context, id frontdesk.ID, token string) (Ended, error) {
	var end Ended
	err := s.inTurn(ctx, id, token, func(ctx context.Context, row store.Conversation) (done bool, err error) {
		ctx, span := s.spans.turn(ctx, id, conversation.Hangup)
		defer span.End()
		if row.EndedAt.IsZero() {
			if row, done, err = s.close(ctx, row); err != nil || !done {
				return done, err
			}
		}
		end = Ended{Outcome: row.Outcome}
		if row.Version > 0 && !row.Rehearsal() {
			end.CallID = row.ID
		}
		return true, nil
	})
	return end, err
}

// inTurn does something with a conversation that its visitor may do, while
// nobody else on this node does. When another node came first, it is done again
// on the conversation as that has left it. A visitor who goes away does not stop
// what has begun.
func (s *Sessions) inTurn(ctx context.Context, id frontdesk.ID, token string, do func(context.Context, store.Conversation) (bool, error)) error {
	leave, free := s.queue.tryEnter(id)
	if !free {
		// Strangers do not stand in line.
		_, err := s.find(ctx, id, token)
		if err != nil {
			return err
		}
		if leave, err = s.queue.enter(ctx, id); err != nil {
			return err
		}
	}
	defer leave()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), TurnTime)
	defer cancel()
	for range attempts {
		row, err := s.find(ctx, id, token)
		if err != nil {
			return err
		}
		if done, err := do(ctx, row); err != nil || done {
			return err
		}
	}
	return frontdesk.DatabaseUnavailable(errors.New("a conversation is held by too many at once"))
}

// ErrHeldElsewhere is the cause of the error for a token that does not open a
// conversation any more, because somebody else has taken it up.
var ErrHeldElsewhere = errors.New("the conversation is held with another token")

// find is the conversation that a visitor has the token of: as it was left or,
// when nothing was said yet, as it began.
func (s *Sessions) find(ctx context.Context, id frontdesk.ID, token string) (store.Conversation, error) {
	row, err := s.store.ConversationByID(ctx, id)
	if err == nil && opens(token, row.Token) {
		return row, nil
	}
	if err != nil && !isMissing(err) {
		return row, err
	}
	if err != nil {
		if begun, ok := s.tokens.read(id, token); ok && s.now().Sub(begun.StartedAt) <= Memory {
			return begun, nil
		}
	}
	missing := frontdesk.Missing("conversation")
	if err == nil {
		missing.Cause = ErrHeldElsewhere
	}
	return store.Conversation{}, missing
}

// unspoken says whether nobody has said anything in a conversation yet, so that
// it is not written down.
func unspoken(row store.Conversation) bool {
	return row.EndedAt.IsZero() && row.Version == 0 && len(row.State) == 0
}

// hear takes one turn. It is done unless the conversation has changed meanwhile.
func (s *Sessions) hear(ctx context.Context, row store.Conversation, m Message) (Reply, bool, error) {
	m.Now = s.now().Truncate(time.Microsecond)
	if row.Rehearsal() {
		m.From = netip.Prefix{} // limits by address are for callers
	}
	if m.Now.Sub(row.TouchedAt) > Silence { // nobody has swept it yet
		row, done, err := s.close(ctx, row)
		return endedReply(row), done, err
	}
	if wait := s.limits.callers.hear(m.From, row.ID, m.Now); wait > 0 {
		return Reply{}, false, tooManyOpen(wait)
	}
	c, err := s.takeUp(ctx, row)
	if err != nil {
		return Reply{}, false, err
	}
	c.from = m.From
	if reply, known, err := c.again(m); known || err != nil {
		return reply, known, err
	}
	left, err := s.secondsLeft(ctx, c, m.Now)
	if err != nil {
		return Reply{}, false, err
	}
	if c.begins {
		if room, err := s.hasRoom(ctx, c, left, m.Now); err != nil {
			return Reply{}, false, err
		} else if !room {
			return s.refuse(ctx, c, m, left > 0)
		}
	}
	return s.turn(ctx, c, m, left)
}

// turn lets the caller be answered, and writes down what was said.
func (s *Sessions) turn(ctx context.Context, c *call, m Message, left int) (Reply, bool, error) {
	out := s.answer(ctx, c, c.joined(m), left)
	heard, answered := m.Now.Sub(c.row.StartedAt), s.now().Sub(c.row.StartedAt)
	said := exchange(m.Input, out, heard, answered)
	if !out.Ended && c.isFull(said) {
		out.Say, out.Ended, out.Expect, out.QuickReplies = joined(out.Say, say(out.Language, tooLong)), true, conversation.Nothing, nil
		said = exchange(m.Input, out, heard, answered)
	}
	if out.Ended {
		if m.Key != "" {
			c.ending = &replied{m.Key, m.Text, c.replyOf(out)}
		}
		row, done, err := s.finish(ctx, c, said, s.now())
		out.Outcome = row.Outcome
		return c.replyOf(out), done, err
	}
	reply, turns := c.replyOf(out), append(c.write(c.unwritten), c.write(said)...)
	if m.Key != "" {
		c.Last = &replied{m.Key, m.Text, reply}
	}
	if err := c.encode(m.Now); err != nil {
		return Reply{}, false, err
	}
	if c.begins {
		return s.open(ctx, c, m, reply, turns)
	}
	done, err := s.store.SaveConversation(ctx, c.row.Owner, c.row, turns)
	reply.Version = c.row.Version + 1
	return reply, done, err
}

// answer lets the engine answer, within what the plan allows.
func (s *Sessions) answer(ctx context.Context, c *call, in conversation.Input, left int) conversation.Output {
	if c.lost {
		return conversation.Output{Say: say(c.Talk.Lang, broken), Language: c.Talk.Lang, Ended: true}
	}
	if left <= 0 {
		return s.timeUp(ctx, c, in)
	}
	out := s.step(ctx, c, in)
	if left < lastMinute && !c.Warned && !out.Ended {
		c.Warned = true
		out.Say = joined(say(out.Language, lessThanAMinute), out.Say)
	}
	return out
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
// that ended long ago, and how much was booked in hours that are over. Any number of nodes may sweep at once. What cannot be
// ended keeps none of the others; it is tried again the next time.
func (s *Sessions) Sweep(ctx context.Context) error {
	return errors.Join(s.endSilent(ctx), s.forget(ctx))
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
			turn, span := s.spans.turn(ctx, row.ID, conversation.Hangup)
			_, _, err := s.close(turn, row)
			span.End()
			if err = (orphans{s.store, s.log}).drop(ctx, row, err); err != nil {
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

// forget forgets what nobody asks for any more, a batch at a time.
func (s *Sessions) forget(ctx context.Context) error {
	now := s.now()
	return errors.Join(
		inBatches(func() (int64, error) { return s.store.ForgetConversationsForWorker(ctx, now.Add(-Memory), batch) }),
		inBatches(func() (int64, error) { return s.store.ForgetLinesForWorker(ctx, now.Add(-Memory-Memory), batch) }), // longer than the conversation of a line
		inBatches(func() (int64, error) { return s.store.ForgetBookingCountsForWorker(ctx, now.Add(-time.Hour), batch) }),
	)
}

// inBatches does something again until it has done less than a batch.
func inBatches(do func() (int64, error)) error {
	for {
		if done, err := do(); err != nil || done < batch {
			return err
		}
	}
}

func tooManyOpen(wait time.Duration) error {
	return frontdesk.TooOften(wait, "Many conversations are being held from this address. End one, or wait for the time in the Retry-After header.")
}
