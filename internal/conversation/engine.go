package conversation

import (
	"context"
	"time"

	"github.com/nyaruka/phonenumbers"

	"frontdesk.dev/frontdesk/internal/answer"
	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/opening"
	"frontdesk.dev/frontdesk/internal/understanding"
)

// Kind is what happened on the caller's side.
type Kind string

// The kinds of input.
const (
	Start     Kind = "start"
	Text      Kind = "text"
	Keys      Kind = "dtmf"      // keys of a telephone; Text holds them
	Interrupt Kind = "interrupt" // spoke while the receptionist did
	Silence   Kind = "silence"   // said nothing when something was expected
	Hangup    Kind = "hangup"
	Fault     Kind = "error"  // the channel failed
	Passed    Kind = "passed" // how putting the caller through went; Text holds the result
)

// Input is one thing that happened.
type Input struct {
	Kind Kind
	Text string
	Now  time.Time

	Cut   bool   // the last thing said was not heard to its end
	Heard string // what of it was, where it was cut
	Early bool   // it was heard to its end, and this was said before that
	// Doubtful: whoever made words of what was said was not sure of them. A yes is
	// asked for once more.
	Doubtful bool
}

// Output is what the receptionist does about it.
type Output struct {
	Say          string
	Language     string
	Expect       Slot
	QuickReplies []string
	Actions      []Action           // what was looked up and written down on the way, for the transcript
	Capture      *frontdesk.Capture // what was written down in this turn
	Transfer     *Transfer          // the caller is to be put through
	Ended        bool
	Outcome      frontdesk.Outcome // when it has ended
}

// Action is one thing that the receptionist did: a question to the Desk with its
// result, or a hand-off.
type Action struct {
	Name      string // answer, openings, hold, book, note, find, cancel, handoff
	Arguments map[string]any
	Result    map[string]any
}

// Engine talks for one agent. It holds no conversation: State does. Many
// conversations may use it at once.
type Engine struct {
	agent     frontdesk.Agent
	catalogue *catalogue.Catalogue
	bookable  []catalogue.Service
	zone      *time.Location
	hours     *opening.Hours
	isOpen    func(dates.Date, dates.Clock) bool // whether a time may be meant; nil: nobody knows when the house is open
	region    string                             // of telephone numbers without a country
	mix       *language.Mix                      // the languages that callers may speak
	manner    string                             // a way to speak that the house has of its own, as the Spanish tú
	trade     frontdesk.Trade
	listener  understanding.Listener
}

// NewEngine returns an engine for an agent. The model may be nil.
func NewEngine(a frontdesk.Agent, m Model) (*Engine, error) {
	zone, err := frontdesk.LoadZone(a.Timezone)
	if err != nil {
		return nil, err
	}
	e := &Engine{agent: a, catalogue: catalogue.Read(a), zone: zone, region: regionOf(a), mix: language.MixOf(), manner: Manner(a), trade: a.Trade()}
	e.listener = understanding.Listener{Model: m, Rules: a.Settings.Rules, Extra: a.Config.PromptExtra}
	for _, s := range e.catalogue.Services {
		if s.Bookable {
			e.bookable = append(e.bookable, s)
		}
	}
	if e.hours, err = opening.Of(a); err != nil {
		return nil, err
	}
	if e.hours.Known() {
		e.isOpen = e.mayOpen
	}
	return e, nil
}

// regionOf is the country that numbers without a country code belong to: the
// one of the business's own number, else the one its clock suggests.
func regionOf(a frontdesk.Agent) string {
	if n, err := phonenumbers.Parse(a.Config.Business.Phone, "ZZ"); err == nil {
		if r := phonenumbers.GetRegionCodeForCountryCode(int(n.GetCountryCode())); r != "ZZ" {
			return r
		}
	}
	return frontdesk.CountryOf(a.Timezone)
}

// Step takes one thing that happened and returns the conversation as it is then,
// and what to say and do. s is not changed.
func (e *Engine) Step(ctx context.Context, d Desk, s State, in Input) (State, Output) {
	t := &turn{Engine: e, ctx: ctx, desk: d, s: s.clone(), now: in.Now.In(e.zone), early: in.Early || in.Doubtful}
	if t.s.Ended {
		t.s.Expect = Nothing
		t.say("has_ended")
		return t.finish()
	}
	if in.Cut || in.Kind == Interrupt {
		t.s.cutOff()
	}
	switch in.Kind {
	case Start:
		t.talk().greet()
	case Text:
		t.talk().text(in.Text)
	case Keys:
		t.talk().keys(in.Text)
	case Interrupt: // what was being said is cut off; the question stands
	case Silence:
		t.talk().silence()
	case Passed:
		transfers{t}.passed(in.Text)
	case Hangup:
		t.end()
	case Fault:
		t.s.Broken = true
		t.say("fault")
		t.end()
	}
	return t.finish()
}

// Services are those of the engine's agent, bookable or not, as its catalogue
// has them.
func (e *Engine) Services() []catalogue.Service { return e.catalogue.Services }

// NoRoom is what a caller is told for whom there is no room, in a language.
func (e *Engine) NoRoom(lang string, line Line) string {
	t := &turn{Engine: e, s: State{Lang: lang, Line: line}}
	t.talk().sayOrCall("no_room")
	return t.join(t.said)
}

// turn is one step while it is being made.
type turn struct {
	*Engine
	ctx  context.Context
	desk Desk
	s    State
	now  time.Time // in the zone of the business

	heard   Gist
	offer   Offer    // what stood open when the caller spoke
	said    []string // sentences, in order
	out     Output
	changed bool // something of use was heard
	replied bool // a question was answered
	waits   bool // the caller wants to be on the waiting list
	early   bool // the caller spoke before the receptionist had done

	corrected bool     // a day or a time that stood was changed
	forgot    bool     // a note was taken back
	noted     []string // what was noted in this turn, to be said back
	insists   bool     // all that was wished for is wanted, and said to be
	behind    []string // ids of the services that were wished for beside another in this turn

	answers *answer.Sources // what answers are taken from; made when it is needed
}

// finish writes down what the turn came to.
func (t *turn) finish() (State, Output) {
	t.messages().keepLead()
	t.notes().addAfterwards()
	t.notes().sayNoted()
	t.out.Say = t.join(t.said)
	t.out.Language, t.out.Expect = t.s.Lang, t.s.Expect
	t.out.Ended = t.s.Ended
	if t.s.Ended {
		t.out.QuickReplies = nil
		t.out.Outcome, _ = t.s.Finish(t.now)
	}
	if t.out.Say != "" {
		t.s.count(t.out.Say)
		t.s.LastSay, t.s.LastReplies = t.out.Say, t.out.QuickReplies
		t.s.Lines = understanding.LastLines(append(t.s.Lines, understanding.ReceptionistLine(t.out.Say)))
	}
	return t.s, t.out
}

func (t *turn) end() { t.s.Ended, t.s.Expect = true, Nothing }

// expect notes what the caller is asked for now.
func (t *turn) expect(slot Slot, quick ...string) {
	t.s.Expect, t.out.QuickReplies = slot, quick
}

// did notes what was done, for the transcript.
func (t *turn) did(name string, arguments, result map[string]any) {
	t.out.Actions = append(t.out.Actions, Action{Name: name, Arguments: arguments, Result: result})
}

// mostCounted is how many different things are remembered to have been said.
const mostCounted = 64

// count remembers that something was said.
func (s *State) count(text string) {
	if s.Heard == nil {
		s.Heard = map[string]int{}
	}
	if len(s.Heard) < mostCounted || s.Heard[text] > 0 {
		s.Heard[text]++
	}
}
