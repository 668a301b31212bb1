package frontdesk

import (
	"encoding/json"
	"time"
)

// Call is one finished conversation as the lists show it. Summary and
// Transcript are kept as the customer reads them, encoded once when the call
// is recorded; a list leaves Transcript empty.
type Call struct {
	ID         ID // minted at StartedAt
	AgentID    ID // "" for the sample calls of a new tenant's sandbox
	StartedAt  time.Time
	Duration   int // whole seconds
	Language   string
	Outcome    Outcome
	Channel    Channel
	Uncounted  bool      // spam, a wrong number, silence: not in the usage
	Caller     string    // who called, on the phone, in E.164; "": not known
	Number     string    // that was called, in E.164; "": none
	CaptureIDs []ID      // what it made, moved or cancelled; nil: its summary says it
	DoneAt     time.Time // when somebody saw to what it left to do; zero: nobody has
	Summary    json.RawMessage
	Transcript json.RawMessage
}

// Outcome is what came of a call.
type Outcome string

// The outcomes, strongest first: a call has the first one that applies.
const (
	Booking   Outcome = "booking"
	Handoff   Outcome = "handoff"
	OverLimit Outcome = "over_limit"
	Failed    Outcome = "error"
	Info      Outcome = "info"
	Abandoned Outcome = "abandoned"
)

// Outcomes are all six, in the order of the specification.
var Outcomes = []Outcome{Booking, Info, Handoff, Abandoned, Failed, OverLimit}

// Channel is how the caller came in.
type Channel string

// The channels.
const (
	Web   Channel = "web"
	Phone Channel = "phone"
)

// Channels are both.
var Channels = []Channel{Web, Phone}

// FinishedCall is a conversation that has ended, with all that came of it, on
// its way to being recorded.
type FinishedCall struct {
	ID         ID
	AgentID    ID
	StartedAt  time.Time
	Duration   time.Duration
	Language   string
	Outcome    Outcome
	Channel    Channel
	Uncounted  bool
	Caller     string
	Number     string
	Summary    Summary
	Transcript Transcript
	Captures   []Capture
	Touched    []ID // captures that it moved or cancelled, or that are written already
}

// Summary tells a call in short.
type Summary struct {
	Text                string
	Title               string
	Intent              string
	KeyPoints           []string
	UnansweredQuestions []string
	CaptureIDs          []ID
	Handoff             *HandoffNote
	Reason              string // topic of the call; "": none
	Urgency             string // Normal or Urgent; "": Normal
	Notes               string // what the caller said beside, one thing a line
}

// How much a call, or a message, presses.
const (
	Normal = "normal"
	Urgent = "urgent"
)

// HandoffNote says why a caller was passed on and how that went.
type HandoffNote struct {
	Reason string
	Result string // one of HandoffResults
}

// Missed says whether nobody spoke with the caller, and no message was taken.
func (n *HandoffNote) Missed() bool {
	return n != nil && n.Result != Transferred && n.Result != MessageTaken
}

// How passing a caller on can go.
const (
	Transferred  = "transferred"
	LineBusy     = "busy"
	NoAnswer     = "no_answer"
	Declined     = "declined"
	NotPassedOn  = "failed"
	MessageTaken = "message_taken"
)

// HandoffResults are all of them.
var HandoffResults = []string{Transferred, LineBusy, NoAnswer, Declined, NotPassedOn, MessageTaken}

// Transcript is what was said, turn by turn.
type Transcript struct {
	Language string
	Turns    []Turn
}

// The roles of a turn.
const (
	RoleAgent  = "agent"
	RoleCaller = "caller"
	RoleTool   = "tool"
)

// Turn is one utterance, or one thing the receptionist did. Name, Arguments
// and Result belong to tool turns.
type Turn struct {
	Role        string
	Text        string
	Name        string
	Arguments   map[string]any
	Result      map[string]any
	Start, End  time.Duration // since the call began
	Language    string
	Interrupted bool
}

// CallFilter narrows a list of calls; zero fields do not.
type CallFilter struct {
	Outcome     Outcome
	Channel     Channel
	AgentID     ID
	Language    string
	Caller      string    // in E.164
	StartedFrom time.Time // included
	StartedTo   time.Time // not included
	Search      string    // words that all occur in the transcript
}
