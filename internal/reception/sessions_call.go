package reception

import (
	"context"
	"encoding/json"
	"fmt"
	"net/netip"
	"runtime/debug"
	"slices"
	"time"

	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/redact"
	"frontdesk.dev/frontdesk/internal/service"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/wire"
)

// call is a conversation in the hand of the node that takes its turn.
type call struct {
	row      store.Conversation
	business *business
	from     netip.Prefix // where its caller is
	lost     bool         // what was written down of it cannot be read
	ending   *replied     // the message with a key that ends it
	ics      string       // where the calendar file of what this turn has written is
	saved

	waits     bool             // its caller has asked for a moment in this turn
	line      string           // of a call that ends as it begins: what the carrier calls it
	begins    bool             // its caller speaks for the first time: it is not written down
	unwritten []frontdesk.Turn // what was said then already: the greeting
}

// saved is what is written down of a conversation: the engine's part and ours.
type saved struct {
	Talk   conversation.State
	Turns  int           // written so far
	Bytes  int           // that they have
	Held   bool          // a place in the calendar may be held
	Warned bool          // the caller knows that time is short
	Spoke  time.Duration // when the last turn began

	AfterTransfer bool   `json:",omitempty"` // on the telephone: the last turn was how putting the caller through went
	Suspect       bool   `json:",omitempty"` // the carrier has found that the caller's number is forged
	Caller        string `json:",omitempty"` // who calls, E.164
	Number        string `json:",omitempty"` // and whom

	Undo *undone `json:",omitempty"` // on the telephone: what the last turn can be taken again from

	Told []frontdesk.ID // captures that the caller has heard of
	Last *replied       // the last message that came with a key
}

// undone is a turn that has changed nothing but the conversation: what was said, and
// how the conversation stood before.
type undone struct {
	Talk       conversation.State
	Text       string
	Cut, Early bool // as of the input
}

// joined is what is heard of a message: together with what was said before it, where
// that was the first half of it. The conversation then goes back to before that.
func (c *call) joined(m Message) conversation.Input {
	in := m.Input
	if m.Joins && c.Undo != nil && in.Kind == conversation.Text {
		in.Text = redact.Text(frontdesk.Clip(c.Undo.Text+" "+in.Text, maxSaid))
		c.Talk, in.Cut, in.Early = c.Undo.Talk, c.Undo.Cut, c.Undo.Early
	}
	return in
}

// remember keeps what a turn can be taken again from, while it has changed nothing
// but the conversation, and what place it holds, of which a call has one. An answer to
// a read-back is never taken again.
func (c *call) remember(before conversation.State, in conversation.Input, out conversation.Output) {
	c.Undo = nil
	writes := slices.ContainsFunc(out.Actions, func(a conversation.Action) bool { return slices.Contains(writing, a.Name) })
	if c.row.Channel == frontdesk.Phone && in.Kind == conversation.Text && before.Expect != conversation.SlotConfirm && !writes && out.Capture == nil && out.Transfer == nil && !out.Ended {
		c.Undo = &undone{before, in.Text, in.Cut, in.Early}
	}
}

// writing are the actions that change the books.
var writing = []string{"book", "note", "cancel", "handoff"}

// replied is a message that had a key, and its answer: to the same message with
// the same key, the same is said again.
type replied struct {
	Key, Text string
	Reply     Reply
}

// resume takes a conversation up where it was left.
func (s *Sessions) resume(ctx context.Context, row store.Conversation) (*call, error) {
	b, err := s.businesses.talkedTo(ctx, row)
	if err != nil {
		return nil, err
	}
	c := &call{row: row, business: b}
	if err := json.Unmarshal(row.State, &c.saved); err != nil {
		// What cannot be read cannot go on, but it must come to an end.
		s.log.Error("a conversation cannot be read", "conversation", row.ID, "error", err)
		c.Talk = b.engine.Begin(row.ID, row.Language)
		c.Talk.Broken, c.lost = true, true
	}
	return c, nil
}

// encode puts the conversation as it is now into its row.
func (c *call) encode(now time.Time) (err error) {
	if c.row.State, err = json.Marshal(c.saved); err != nil {
		return fmt.Errorf("encoding a conversation: %w", err)
	}
	c.row.Language, c.row.TouchedAt = c.Talk.Lang, now
	return nil
}

// write encodes turns and counts them, and the time that they took.
func (c *call) write(turns []frontdesk.Turn) []byte {
	lines := encodeTurns(turns)
	c.Turns += len(turns)
	c.Bytes += len(lines)
	for _, t := range turns {
		if t.Role != roleCut {
			c.row.Lasted += pause(t.Start - c.Spoke)
			c.Spoke = t.Start
		}
	}
	return lines
}

// step lets the engine take a turn. Should it fail, the caller hears an apology
// and the call ends; the others go on.
func (s *Sessions) step(ctx context.Context, c *call, in conversation.Input) (out conversation.Output) {
	before := c.Talk
	defer func() {
		if p := recover(); p != nil {
			service.CountPanic()
			s.log.Error("a conversation panicked", "conversation", c.row.ID, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			c.Talk = before
			c.Talk.Broken, c.Talk.Ended = true, true
			out = conversation.Output{Say: say(before.Lang, broken), Language: before.Lang, Ended: true}
		}
	}()
	c.Talk, out = c.business.engine.Step(ctx, s.deskFor(c, in.Now), c.Talk, in)
	c.waits, c.AfterTransfer = c.Talk.Waits > before.Waits, in.Kind == conversation.Passed
	c.remember(before, in, out)
	for _, a := range out.Actions {
		c.Held = c.Held && a.Name != "book" || a.Name == "hold"
	}
	if out.Capture != nil {
		c.Told = append(c.Told, out.Capture.ID)
		c.ics = s.tokens.icsAddress(c.row, *out.Capture)
	}
	return out
}

// deskFor is the desk of one turn of one call.
func (s *Sessions) deskFor(c *call, now time.Time) callDesk {
	return callDesk{store: s.store, calendar: s.calendar, shelves: s.shelves, bookings: s.limits.bookings, refused: s.watch.refused, from: c.from, told: c.Told, now: now, who: calendar.Caller{
		Tenant: c.business.tenant, Agent: c.business.agent, Services: c.business.engine.Services(),
		Live: c.row.Owner.Live, CallID: c.row.ID, Channel: c.row.Channel, Customer: true, Language: c.Talk.Language(),
		Rehearsal: c.row.Rehearsal(),
	}}
}

// close ends a conversation in which nothing more is said. One in which nothing
// was said at all is no call.
func (s *Sessions) close(ctx context.Context, row store.Conversation) (store.Conversation, bool, error) {
	if unspoken(row) {
		return s.closeUnspoken(ctx, row)
	}
	if row.Rehearsal() {
		return s.finish(ctx, leftRehearsal(row, s.log), nil, s.now())
	}
	c, err := s.resume(ctx, row)
	if err != nil {
		return row, false, err
	}
	return s.hangUp(ctx, c, s.now())
}

// hangUp ends a conversation whose caller has gone at an instant.
func (s *Sessions) hangUp(ctx context.Context, c *call, now time.Time) (store.Conversation, bool, error) {
	s.step(ctx, c, conversation.Input{Kind: conversation.Hangup, Now: now}) // what was left half done is kept
	return s.finish(ctx, c, nil, now)
}

// closeUnspoken notes that a conversation without a word has ended, as long as
// its token could still open it.
func (s *Sessions) closeUnspoken(ctx context.Context, row store.Conversation) (store.Conversation, bool, error) {
	now := s.now()
	row.EndedAt, row.Outcome = now, frontdesk.Abandoned
	if now.Sub(row.StartedAt) > Silence {
		return row, true, nil
	}
	written := row
	// Dated so that it is forgotten when the token opens nothing any more, and
	// not kept as long as a call: anybody can make any number of these.
	written.EndedAt = now.Add(Silence - Memory)
	ended, err := s.store.EndUnspoken(ctx, row.Owner, written)
	return row, ended, err
}

// finish ends a conversation with the last things said, and records the call
// that it was. It is done unless somebody else has come first.
func (s *Sessions) finish(ctx context.Context, c *call, last []frontdesk.Turn, now time.Time) (store.Conversation, bool, error) {
	if c.row.Rehearsal() {
		return c.endRehearsal(ctx, s, last, now)
	}
	r, err := s.recording(ctx, c, last, now)
	if err != nil {
		return c.row, false, err
	}
	c.row.EndedAt, c.row.Outcome, c.row.Language = now, r.Call.Outcome, c.Talk.Lang
	if c.row.State, err = c.lastWord(r.Call.Outcome); err != nil {
		return c.row, false, err
	}
	write := s.store.CloseConversation
	if c.begins {
		c.row.Version, write = 1, s.store.RecordConversation
	}
	closed, err := write(ctx, c.row.Owner, c.row, r)
	if err != nil || !closed {
		return c.row, false, err
	}
	c.row.Version++
	s.spans.whole(c.row)
	s.limits.callers.leave(c.row.ID)
	s.letGo(ctx, c, now)
	return c.row, true, nil
}

// letGo gives the place in the calendar back that the caller held.
func (s *Sessions) letGo(ctx context.Context, c *call, now time.Time) {
	if !c.Held {
		return
	}
	if err := s.calendar.LetGo(ctx, s.deskFor(c, now).who); err != nil { // it runs out by itself
		s.log.Warn("a held place was not let go", "conversation", c.row.ID, "error", err)
	}
}

// recording is the call that a conversation was.
func (s *Sessions) recording(ctx context.Context, c *call, last []frontdesk.Turn, now time.Time) (store.Recording, error) {
	turns, err := c.turnsBefore(ctx, s.store)
	if err != nil {
		return store.Recording{}, err
	}
	captures, err := s.store.CapturesOfCall(ctx, c.row.Owner, c.row.ID)
	if err != nil {
		return store.Recording{}, err
	}
	turns = spaced(cutOff(append(turns, last...)), now.Sub(c.row.StartedAt))
	outcome, summary := c.Talk.Finish(now)
	outcome, summary = withCaptures(outcome, summary, captures, c.Talk.Language())
	duration := counted(turns)
	if c.row.Channel == frontdesk.Phone {
		duration = c.lineTime(turns, now)
		c.Talk.Uncounted = c.Talk.Uncounted || c.Talk.Turns == 0 || c.Suspect && outcome == frontdesk.Abandoned // nobody spoke, or nobody real
	}
	return c.record(outcome, summary, turns, duration)
}

// turnsBefore is what was said before this turn.
func (c *call) turnsBefore(ctx context.Context, s *store.Store) ([]frontdesk.Turn, error) {
	if c.begins {
		return c.unwritten, nil
	}
	lines, err := s.ConversationTurns(ctx, c.row.Owner, c.row.ID)
	return decodeTurns(lines), err
}

// record prepares the call, and the event that tells of it. What it has brought
// in was written down, and told of, when the caller agreed to it.
func (c *call) record(outcome frontdesk.Outcome, summary frontdesk.Summary, turns []frontdesk.Turn, duration time.Duration) (store.Recording, error) {
	language := c.Talk.Language()
	r, err := Prepare(c.business.tenant, frontdesk.FinishedCall{
		ID: c.row.ID, AgentID: c.row.AgentID, StartedAt: c.row.StartedAt, Duration: duration, Language: language,
		Outcome: outcome, Channel: c.row.Channel, Summary: summary, Transcript: frontdesk.Transcript{Language: language, Turns: turns},
		Uncounted: c.Talk.Uncounted, Touched: c.Talk.Touched(), Caller: c.Caller, Number: c.Number,
	})
	if err != nil {
		return r, err
	}
	if summary.Urgency == frontdesk.Urgent && len(summary.CaptureIDs) == 0 { // else its captures have told of it
		r.Notices = frontdesk.TellOfCall(c.business.agent, c.row.Owner.Live, r.Call)
	}
	r.Events, err = Events(wire.EventSource{Tenant: c.business.tenant, Agent: &c.business.agent, Live: c.row.Owner.Live}, r)
	return r, err
}

// withCaptures adds what a call has brought in and its state does not know of,
// because the node that wrote it down died before it could note so.
func withCaptures(outcome frontdesk.Outcome, summary frontdesk.Summary, captures []frontdesk.Capture, language string) (frontdesk.Outcome, frontdesk.Summary) {
	known := map[frontdesk.ID]bool{}
	for _, id := range summary.CaptureIDs {
		known[id] = true
	}
	for _, capture := range captures {
		if known[capture.ID] || capture.Status == frontdesk.Cancelled {
			continue
		}
		summary.CaptureIDs = append(summary.CaptureIDs, capture.ID)
		summary.KeyPoints = append(summary.KeyPoints, noted(language, capture))
		switch {
		case capture.Kind == frontdesk.Appointment:
			outcome = frontdesk.Booking
		case outcome == frontdesk.Abandoned:
			outcome = frontdesk.Info
		}
	}
	return outcome, summary
}

// lastMinute is how little of the plan is left when a caller is told so.
const lastMinute = 60

// secondsLeft is what the plan leaves for a call; a plan that allows more than it
// includes leaves any number. Calls that go on count with what has been counted
// of them so far.
func (s *Sessions) secondsLeft(ctx context.Context, c *call, now time.Time) (int, error) {
	const unlimited = 1 << 30
	plan := c.business.tenant.Plan
	if plan.Overage != frontdesk.OverageBlock || plan.IncludedSeconds == 0 || c.row.Rehearsal() {
		return unlimited, nil
	}
	zone, err := frontdesk.LoadZone(c.business.tenant.Timezone)
	if err != nil {
		return 0, err
	}
	period := frontdesk.PeriodOf(c.row.StartedAt, zone)
	months, err := s.store.Usage(ctx, c.row.Owner, period)
	if err != nil {
		return 0, err
	}
	used, err := s.store.OpenSeconds(ctx, c.row.Owner, now.Add(-Silence))
	if err != nil {
		return 0, err
	}
	used += int(pause(now.Sub(c.row.StartedAt)-c.Spoke) / time.Second)
	for _, m := range months {
		if m.Period == period {
			used += m.Seconds
		}
	}
	left, _ := plan.RemainingSeconds(used)
	return left, nil
}

// again is the answer that a message with this key has had, if it is the last
// one that had a key.
func (c *call) again(m Message) (Reply, bool, error) {
	switch last := c.Last; {
	case m.Key == "" || last == nil || last.Key != m.Key:
		return Reply{}, false, nil
	case last.Text != m.Text:
		return Reply{}, false, &frontdesk.Error{
			Kind: frontdesk.Conflict, Code: "idempotency_key_reused",
			Message: "This Idempotency-Key was used with another message. Use a new key for a new message.",
		}
	default:
		return last.Reply, true, nil
	}
}

// lastWord is what is kept of a conversation that has ended: the answer to its
// last message, if that can be sent again.
func (c *call) lastWord(outcome frontdesk.Outcome) ([]byte, error) {
	if c.ending == nil {
		return nil, nil
	}
	c.ending.Reply.Outcome = outcome
	state, err := json.Marshal(saved{Last: c.ending})
	if err != nil {
		return nil, fmt.Errorf("encoding a conversation: %w", err)
	}
	return state, nil
}

// afterEnd answers a message to a conversation that has ended: as it was
// answered when it ended the conversation, or that it has.
func afterEnd(row store.Conversation, m Message) (Reply, error) {
	c := &call{row: row}
	if m.Key != "" && len(row.State) > 0 && json.Unmarshal(row.State, &c.saved) == nil {
		if reply, known, err := c.again(m); known || err != nil {
			return reply, err
		}
	}
	return endedReply(row), nil
}

func (c *call) replyOf(out conversation.Output) Reply {
	r := Reply{
		Text: out.Say, Language: out.Language, Expect: out.Expect, QuickReplies: out.QuickReplies,
		Code: c.Talk.CodeIn(out.Say), Slow: c.Talk.Corrected(), Capture: out.Capture, Transfer: out.Transfer, Misses: c.Talk.Misses, Waits: c.waits, Ended: out.Ended, Outcome: out.Outcome,
	}
	if out.Capture != nil {
		r.ICS = c.ics
	}
	return r
}

func endedReply(row store.Conversation) Reply {
	return Reply{Text: say(row.Language, hasEnded), Language: row.Language, Ended: true, Outcome: row.Outcome}
}
