package turns

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/exchange"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/reception"
	"frontdesk.dev/frontdesk/internal/service"
)

// Line is where a caller is heard and spoken to.
type Line interface {
	// Listen tells what happens on the line until it is over. It returns nil where
	// the caller has gone, and says otherwise what broke it.
	Listen(ctx context.Context, tell func(Event)) error
	// Do says something, switches the language or ends the line. An error means that
	// the line is broken.
	Do(ctx context.Context, a Act) error
	// Close breaks the line: what Listen has begun returns.
	Close()
}

// Options are what a Call needs. All but the last three are needed.
type Options struct {
	Sessions *reception.Sessions
	On       reception.OnLine
	Habits   Habits
	From     netip.Prefix    // where the caller is; zero: not counted
	Stopping <-chan struct{} // closed when this process is to stop
	// Resumed says that another process takes the call up when this one stops. If not,
	// its caller is told that the call ends.
	Resumed bool

	Now   func() time.Time // time.Now
	Log   *slog.Logger     // slog.Default()
	Watch Watch            // nothing is counted
}

// Watch counts what happens. Each may be nil.
type Watch struct {
	Answered func(took time.Duration) // the receptionist was asked, and the answer is on its way
	Repeated func()                   // something was said again that a noise had cut off
	Failed   func()                   // a turn could not be taken
}

// Call is one line while it is open.
type Call struct {
	o    Options
	line Line
	talk *Talk

	events chan Event
	turns  chan turned
	asked  time.Time // when the receptionist was asked
	opened time.Time
	ended  time.Time // when the line was to end; zero: it was not
	end    *End      // how
}

// turned is a turn that the receptionist has taken.
type turned struct {
	reply reception.Reply
	err   error
}

const (
	// mostWaiting bounds the events of a caller who is faster than the receptionist.
	mostWaiting = 256
	// readyWithin is how long it may take until somebody is there.
	readyWithin = 10 * time.Second
	// closeWithin is how long a line may take to close that we have ended.
	closeWithin = 20 * time.Second
	// longestCall is how long a call lasts at most.
	longestCall = time.Hour
)

// NewTalk returns the talk of a call as it stands.
func NewTalk(on reception.OnLine, habits Habits) *Talk {
	return &Talk{habits: habits, agent: on.Agent, begun: on}
}

// NewCall returns a call that is to be held on a line.
func NewCall(line Line, o Options) *Call {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &Call{
		o: o, line: line, talk: NewTalk(o.On, o.Habits), opened: o.Now(),
		events: make(chan Event, mostWaiting), turns: make(chan turned, 1),
	}
}

// Ended is how the line was ended by us; nil: it was not.
func (c *Call) Ended() *End { return c.end }

// Hold talks until the line is over, and closes it. What was said last has been heard
// then.
func (c *Call) Hold(ctx context.Context) {
	ctx, cancel := context.WithCancel(c.o.Sessions.Traced(ctx, c.o.On.ID)) // what is heard and spoken belongs to the conversation
	over := make(chan struct{})
	listening := service.Go(c.o.Log, "line of a call", func() error {
		defer close(over)
		return c.line.Listen(ctx, c.tell(ctx))
	})
	defer func() { // nobody listens any more when we return
		cancel()
		<-over
	}()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	stopping := c.o.Stopping
	for {
		timer.Reset(c.untilDeadline())
		var acts []Act
		select {
		case e := <-c.events:
			acts = c.talk.Take(e, c.o.Now())
		case t := <-c.turns:
			acts = c.taken(t)
		case <-timer.C:
			if c.expired() {
				c.leave()
				return
			}
			acts = c.onTime()
		case <-ctx.Done(): // the call is held elsewhere
			c.line.Close()
			return
		case err := <-listening:
			if err != nil {
				c.o.Log.Warn("a caller's line was cut", "call", c.o.On.ID, "error", err)
			}
			c.leave()
			return
		case <-stopping:
			stopping = nil
			if acts = c.stop(); c.o.Resumed {
				c.do(ctx, acts)
				c.leave()
				return
			}
		}
		if !c.do(ctx, acts) {
			c.leave()
			return
		}
		if c.talk.ended && c.ended.IsZero() {
			c.ended = c.o.Now()
		}
	}
}

func (c *Call) tell(ctx context.Context) func(Event) {
	return func(e Event) {
		select {
		case c.events <- e:
		case <-ctx.Done():
		}
	}
}

// stop is what is done as the process stops. What was said is answered, and written,
// before we go; who cannot be taken up by another process is told.
func (c *Call) stop() (acts []Act) {
	if c.talk.hearing {
		acts = c.taken(<-c.turns)
	}
	if c.o.Resumed {
		return acts
	}
	return append(acts, c.talk.bye("line_lost", c.o.Now())...)
}

// countRepeats counts what is said again: a text that answers nothing.
func (c *Call) countRepeats(acts []Act) {
	for _, a := range acts {
		if a.Say != nil && c.o.Watch.Repeated != nil {
			c.o.Watch.Repeated()
		}
	}
}

// onTime does what the time has come for.
func (c *Call) onTime() []Act {
	now := c.o.Now()
	if now.Sub(c.o.On.StartedAt) >= longestCall && !c.talk.ended && c.talk.ending == nil {
		return c.talk.TimeUp(now)
	}
	acts := c.talk.Tick(now)
	c.countRepeats(acts)
	return acts
}

// expired says whether the line has had its time: to bring somebody, or to close after
// it was ended.
func (c *Call) expired() bool {
	now := c.o.Now()
	return c.talk.said == nil && now.Sub(c.opened) >= readyWithin || c.talk.ended && now.Sub(c.ended) >= closeWithin
}

func (c *Call) untilDeadline() time.Duration {
	now := c.o.Now()
	at := c.o.On.StartedAt.Add(longestCall)
	switch next := c.talk.Deadline(); {
	case c.talk.said == nil:
		at = c.opened.Add(readyWithin)
	case c.talk.ended:
		at = c.ended.Add(closeWithin)
	case !next.IsZero() && (next.Before(at) || c.talk.ending != nil):
		at = next
	}
	return max(0, at.Sub(now))
}

// taken is what becomes of a turn.
func (c *Call) taken(t turned) []Act {
	if errors.Is(t.err, reception.ErrHeldElsewhere) {
		return []Act{{Close: true}}
	}
	if e := exchange.Domain(t.err); e != nil && e.Kind == frontdesk.NotFound {
		c.o.Log.Warn("a call ends because its receptionist was deleted, or the caller erased", "call", c.o.On.ID)
		c.talk.hearing = false
		return c.talk.bye("line_gone", c.o.Now())
	}
	if t.err != nil {
		if c.o.Watch.Failed != nil {
			c.o.Watch.Failed()
		}
		c.o.Log.Error("a caller's turn could not be taken; they are asked to say it again", "call", c.o.On.ID, "error", t.err)
		return c.talk.Failed(c.o.Now())
	}
	acts := c.talk.Reply(t.reply, c.o.Now())
	if c.o.Watch.Answered != nil {
		c.o.Watch.Answered(c.o.Now().Sub(c.asked))
	}
	return acts
}

// do does what is to be done, and says whether the line goes on.
func (c *Call) do(ctx context.Context, acts []Act) bool {
	for _, a := range acts {
		switch {
		case a.Close:
			return false
		case a.Hear != nil:
			c.hear(ctx, *a.Hear, a.Joins)
			continue
		case a.End != nil:
			c.end = a.End
		}
		if err := c.line.Do(ctx, a); err != nil {
			c.o.Log.Warn("a caller's line takes nothing more", "call", c.o.On.ID, "error", err)
			return false
		}
	}
	return true
}

// hear asks the receptionist, while the line goes on.
func (c *Call) hear(ctx context.Context, in conversation.Input, joins bool) {
	c.asked = c.o.Now()
	id, token, m := c.o.On.ID, c.o.On.Token.Reveal(), reception.Message{Input: in, Joins: joins, Version: c.talk.version, From: c.o.From}
	service.Go(c.o.Log, "turn of a call", func() error {
		t := turned{err: errors.New("the turn panicked")}
		defer func() { c.turns <- t }()
		t.reply, t.err = c.o.Sessions.HearOnce(ctx, id, token, m)
		return nil
	})
}

// leave ends a line, whatever ended it, and has what was said last heard, if nobody had
// got to it: who takes the call up goes on from there.
func (c *Call) leave() {
	c.line.Close()
	for waiting := true; waiting; {
		select {
		case e := <-c.events:
			if e.Kind == Words && !e.Part {
				c.talk.keep(e.Text)
			}
		default:
			waiting = false
		}
	}
	if c.talk.hearing {
		c.taken(<-c.turns) // it is written; it is said when the call is taken up
	}
	if c.talk.ended || len(c.talk.words) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), reception.TurnTime)
	defer cancel()
	in := conversation.Input{Kind: conversation.Text, Text: strings.Join(c.talk.words, " "), Cut: true}
	if _, err := c.o.Sessions.HearOnce(ctx, c.o.On.ID, c.o.On.Token.Reveal(), reception.Message{Input: in, Version: c.talk.version, From: c.o.From}); err != nil {
		c.o.Log.Warn("what a caller said as the line broke is lost", "call", c.o.On.ID, "error", err)
	}
}
