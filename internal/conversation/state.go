package conversation

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
)

// State is a conversation, whole, as plain data: JSON and back is the same
// conversation.
type State struct {
	ID     frontdesk.ID
	Lang   string         // the receptionist's next words are in it
	Spoken map[string]int // how many of the caller's words were in each

	Expect        Slot
	Choices       []Choice        // what was offered last
	Offer         Offer           // what a bare yes would accept, beside a read-back
	Task          Task            // what is being arranged
	Full          Choice          // the last wish for which there was no place; Said: it was offered to wait for it
	Beside        bool            // it was mentioned beside other days that one may wait for it
	Queue         []Task          // further wishes, in the order in which they were said
	Refusals      []dates.Refusal // what the caller has ruled out, for the whole call
	Loose         []string        // notes that were made before anything was being arranged
	LooseAsides   []string        // the same, of what was told on the way
	Paused        *Task           // what was being arranged when the caller was passed on: they may come back to it
	Person        Person          // who calls, as far as is known
	Line          Line            // that they are on
	Whisper       string          // what a person was to be told of them before taking the call
	Passing       bool            // they are being put through
	Through       string          // how putting them through went; "": it was not tried
	MailAsked     bool            // they were asked for an e-mail address, or have none to give
	NumberOffered bool            // the number that they call from was offered
	Resumed       bool            // they have come back to it
	Listing       string          // the reference of the property that was talked about
	Topic         string          // of the last answer, for "and on Saturdays?"
	Day           dates.Date      // that was asked about last, for "then on that day"
	DayAt         int             // the turn in which it was
	About         string          // id of whom of the house was asked about, for "then with her"
	Passed        int             // times that the caller was passed on
	Subjects      []string        // ids of the services that were asked about, for "then book me one"
	Priced        string          // the service whose price or length was asked last

	LastSay     string
	LastReplies []string
	Lines       []string       // the last things said, for a model
	Turns       int            // of the caller
	Misses      int            // turns in a row of which nothing came
	Heard       map[string]int // how often each thing was said to the caller
	Asked       map[string]int // how often each question was put
	Ruled       []int          // the business's rules that have been followed
	Same        int            // times in a row that the very same was said again
	Dropped     string         // what a message was about that was let go
	Waits       int            // moments that the caller asked for
	Silences    int            // in a row
	Insults     int
	Strangers   int // look-ups of appointments that found none
	Keys        int // captures so far: numbers their keys
	Mails       int // addresses that were given after something was written down

	Log []Event // what came of it, for the summary

	Reason    string // topic of the call, for the summary
	Urgency   string // frontdesk.Normal or Urgent; "": Normal
	Notes     string // what the caller said beside, for the summary, one thing a line
	Uncounted bool   // spam, a wrong number, silence: not in the usage

	OverLimit bool // the plan's seconds ran out
	Crowded   bool // or as many talked at once as the plan lets
	Broken    bool // the channel or the house failed
	Ended     bool
}

// Offer is something that the receptionist has proposed.
type Offer string

// The offers.
const (
	NoOffer      Offer = ""
	OfferMore    Offer = "more"     // can I do anything else for you?
	OfferCall    Offer = "callback" // shall somebody call you back?
	OfferBooking Offer = "booking"  // shall I book that?
	OfferChange  Offer = "change"   // what would you like to change?
	OfferHelp    Offer = "help"     // anything that helps: how can I help?
	OfferWait    Offer = "wait"     // shall I note you for that day?
	OfferNumber  Offer = "number"   // shall I note the number that you call from?
	OfferBeside  Offer = "beside"   // what else would you like?
)

// Person is who calls.
type Person struct {
	Name, Phone, Email string
}

// Choice is one of several things offered.
type Choice struct {
	Said    string // as it was said
	Service string // id
	Date    dates.Date
	Clock   dates.Clock
	Timed   bool
	Party   int
	Own     int // which of Task.Found, from 1
}

// Task is what is being arranged: an appointment, its change, a message.
type Task struct {
	Kind    Intent // Book, Reschedule, Cancel, LookUp, Leave, Order; "": nothing
	Further bool   // it was wished beside another
	After   bool   // right after the one that was booked before

	Service  string // id
	Resource string // id of whom it must be with; "": whoever is free
	Date     dates.Date
	Last     dates.Date // of a stretch of days that Date begins; zero: Date is the day
	Clock    dates.Clock
	Timed    bool
	Clocks   []dates.Clock // morning or evening is not known
	From     dates.Clock
	To       dates.Clock
	Hours    string         // the hours of the day that will do, as they were said
	Soonest  bool           // the first place that there is
	First    bool           // the first of the day, or of the hours
	Latest   bool           // the last of them
	Weekdays dates.Weekdays // the days of the week that will do; zero: any
	Party    int

	Unheard bool // what was read back was cut off: it is read whole before a yes counts

	Waits bool // to be noted for the day, or the hour; of another task: about such a note

	Note   string // the kind of capture that a message or an order becomes
	About  string // what a message is about
	Topic  hearing.Topic
	Urgent bool
	Notes  []string // what the caller wishes beside, in their words; said back
	Asides []string // what they told on the way: kept, not said back
	Gone   []string // notes of Own that they have taken back
	Digits string   // of a telephone number that is none of this country, until its own is known

	// MailRefused says that there is no address either, and the number was asked for again.
	// What is added to a task is left out while it is empty: conversations that were read
	// back before an upgrade hear a yes after it.
	MailRefused bool `json:",omitempty"`
	Items       []Item

	Delivered bool // an order is brought to the caller

	Code   string
	ByName bool  // a number was given: the name must fit
	Found  []Own // appointments that fit what the caller gave
	Own    Own   // the caller's appointment that this is about
	Amends bool  // more than its time is changed

	Checked  string // the wish that was found to be free
	ReadBack string // what was read back: a yes is a yes to this
	Brief    bool   // what was said last is only what has changed in it

	Tries   map[Slot]int
	Refused int // read-backs that were refused without saying what is wrong
	Denied  int // wishes that could not be met
}

// Own is an appointment of the caller's.
type Own struct {
	ID      frontdesk.ID
	Service string // as the business wrote it
	Of      string // id of the service
	Party   int
	At      frontdesk.LocalTime
	Name    string
	Phone   string
	Notes   string
	Waits   bool // it is a place on the waiting list
}

// Event is one thing that came of the conversation.
type Event struct {
	Kind     EventKind
	Text     string              `json:",omitempty"`
	Capture  frontdesk.ID        `json:",omitempty"`
	Instead  frontdesk.ID        `json:",omitempty"` // the appointment that this one replaced
	Service  string              `json:",omitempty"`
	Thing    string              `json:",omitempty"` // the service as the caller heard it
	Of       string              `json:",omitempty"` // id of the service
	At       frontdesk.LocalTime `json:",omitempty"`
	Name     string              `json:",omitempty"`
	Phone    string              `json:",omitempty"`
	Party    int                 `json:",omitempty"`
	Code     string              `json:",omitempty"`
	Notes    string              `json:",omitempty"`
	Kept     bool                `json:",omitempty"` // nobody agreed to it: it was kept when the caller left
	Language string              `json:",omitempty"`
}

// EventKind says what an event is.
type EventKind string

// The kinds of events.
const (
	Booked     EventKind = "booked"
	Moved      EventKind = "moved"
	Cancelled  EventKind = "cancelled"
	LeftList   EventKind = "left_list"
	LookedUp   EventKind = "looked_up"
	Noted      EventKind = "noted" // a lead, a callback, an order; Text is the kind
	Answered   EventKind = "answered"
	Unanswered EventKind = "unanswered"
	HandedOff  EventKind = "handed_off" // Text says why
	Wanted     EventKind = "wanted"     // an intent was heard; Text is the intent
)

const (
	maxTries   = 3  // for a slot
	maxLookups = 5  // of appointments that are not found, in one conversation
	maxMisses  = 3  // turns in a row that nothing came of, before a person is offered
	maxLog     = 60 // events kept, beside those that changed something
)

// Begin is a conversation that nobody has spoken in yet.
func (e *Engine) Begin(id frontdesk.ID, language string) State {
	if !slices.Contains(e.agent.Languages, language) {
		language = e.agent.Languages[0]
	}
	return State{ID: id, Lang: language}
}

// Language is the one that the caller spoke most, or was greeted in.
func (s State) Language() string {
	best := s.Lang
	for _, lang := range slices.Sorted(maps.Keys(s.Spoken)) {
		if s.Spoken[lang] > s.Spoken[best] {
			best = lang
		}
	}
	return best
}

// clone is a copy that shares nothing that a step changes.
func (s State) clone() State {
	s.Spoken = maps.Clone(s.Spoken)
	s.Choices = slices.Clone(s.Choices)
	s.Lines = slices.Clone(s.Lines)
	s.Log = slices.Clone(s.Log)
	s.Task = s.Task.clone()
	s.Loose, s.LooseAsides, s.Heard = slices.Clone(s.Loose), slices.Clone(s.LooseAsides), maps.Clone(s.Heard)
	s.Asked = maps.Clone(s.Asked)
	s.Queue, s.Refusals = slices.Clone(s.Queue), slices.Clone(s.Refusals)
	for i := range s.Queue {
		s.Queue[i] = s.Queue[i].clone()
	}
	if s.Paused != nil {
		paused := s.Paused.clone()
		s.Paused = &paused
	}
	return s
}

func (t Task) clone() Task {
	t.Tries = maps.Clone(t.Tries)
	t.Found = slices.Clone(t.Found)
	t.Items = slices.Clone(t.Items)
	t.Clocks = slices.Clone(t.Clocks)
	t.Notes, t.Asides, t.Gone = slices.Clone(t.Notes), slices.Clone(t.Asides), slices.Clone(t.Gone)
	return t
}

// log notes an event. Of questions and wishes there may be any number, so that
// beyond a point only what changed something is kept.
func (s *State) log(e Event) {
	if e.Kind == Answered || e.Kind == Unanswered || e.Kind == Wanted {
		if len(s.Log) >= maxLog {
			return
		}
	}
	s.Log = append(s.Log, e)
}

// logOnce is log for what counts once however often it happens. It says whether
// it was new.
func (s *State) logOnce(e Event) bool {
	if slices.Contains(s.Log, e) {
		return false
	}
	s.log(e)
	return true
}

func (s *State) happened(k EventKind) bool {
	return slices.ContainsFunc(s.Log, func(e Event) bool { return e.Kind == k })
}

// Corrected says whether what is read back now was found wrong before.
func (s *State) Corrected() bool { return s.Expect == SlotConfirm && s.Task.Refused > 0 }

// CodeIn is the confirmation code that stands in a text, of those that the caller was
// told; "": there is none.
func (s *State) CodeIn(text string) string {
	for _, e := range slices.Backward(s.Log) {
		if e.Code != "" && strings.Contains(text, e.Code) {
			return e.Code
		}
	}
	return ""
}

// lastWritten is where in the log the last thing stands that was written down, or -1.
func (s *State) lastWritten() int {
	for i, e := range slices.Backward(s.Log) {
		if e.Kind == Booked || e.Kind == Moved || e.Kind == Noted {
			return i
		}
	}
	return -1
}

// forgetOffered takes a message out of the log that was offered because of a topic and
// declined: what was answered was then all that was wanted.
func (s *State) forgetOffered(topic hearing.Topic) {
	if topic == "" || topic == hearing.Urgent || !s.happened(Answered) {
		return
	}
	s.Log = slices.DeleteFunc(s.Log, func(e Event) bool { return e.Kind == HandedOff && e.Text == string(topic) })
	if s.Reason == string(topic) {
		s.Reason = ""
	}
}

// want notes an intent, once.
func (s *State) want(i Intent) {
	s.logOnce(Event{Kind: Wanted, Text: string(i)})
}

// nextKey is the key of the next thing to be written down. It stays the same
// until that has happened.
func (s *State) nextKey() string { return string(s.ID) + "/" + strconv.Itoa(s.Keys+1) }

// try counts one more asking for a slot, and says whether it was one too many.
func (t *Task) try(slot Slot) (exhausted bool) {
	if t.Tries == nil {
		t.Tries = map[Slot]int{}
	}
	t.Tries[slot]++
	return t.Tries[slot] > maxTries
}
