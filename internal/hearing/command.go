package hearing

import (
	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
)

// Command is one thing that a turn of the caller comes to. Rules and a language
// model make the same ones, and whoever decides sees no difference.
type Command struct {
	Do   Verb
	Task Intent // DoStart, DoAnother
	Slot Slot   // DoSet, DoExclude, DoRelate, DoAny, DoUnknown

	Value  string // of a DoSet: as it is kept; of a DoChoose: which one, from 1, -1 is the last
	Text   string // the caller's own words: of a question, a note, a message, the wish of an item
	At     [2]int // where in the text it was said; the zero span when that is not known
	Unsure bool   // it may be meant otherwise: to be asked about before it counts

	Topic    Topic // DoMessage
	Urgent   bool  // DoMessage
	Quantity int   // DoItem; 0: it was not said
	Less     bool  // DoItem: to be left out of the order
	Part     bool  // DoItem: so many of what is ordered already
	Unlisted bool  // DoItem: the house does not list it
	Instead  bool  // DoSet of a service: in the place of the one that stands
	Aside    bool  // DoNote: a story or a reason, to be kept and not said back

	When     *dates.Mention      // DoSet, DoExclude, DoRelate of a day or a time
	Services []catalogue.Service // DoSet of a service: those that may be meant, likeliest first
}

// Verb is what a command does.
type Verb string

// The verbs.
const (
	DoStart   Verb = "start"   // the caller wants a task done
	DoAnother Verb = "another" // a further wish in the same turn: the commands behind it are about that one
	DoSet     Verb = "set"
	DoItem    Verb = "item"    // something ordered
	DoExclude Verb = "exclude" // a value that is refused, for the whole call
	DoRelate  Verb = "relate"  // a value told by what stands, "same time", or by what was booked before, "another one", "right after"
	DoAny     Verb = "any"     // no preference
	DoUnknown Verb = "unknown" // the caller cannot tell
	DoAsk     Verb = "ask"     // a question that data or documents may answer
	DoNote    Verb = "note"    // a wish or a remark beside the slots, for whoever serves them
	DoForget  Verb = "forget"  // a note that is taken back
	DoLetGo   Verb = "let_go"  // one of several wishes that is taken back; Value is which, from 0
	DoYes     Verb = "yes"     // agrees, without a condition, a question or a change
	DoNo      Verb = "no"      // refuses, or corrects
	DoChoose  Verb = "choose"
	DoMessage Verb = "message" // a reason for calling that is neither a booking nor a question
	DoPerson  Verb = "person"  // wants a person
	DoRepeat  Verb = "repeat"  // "say that again"
	DoWait    Verb = "wait"    // "hold on", "let me think"
	DoBye     Verb = "bye"
	DoThanks  Verb = "thanks"
	DoGreet   Verb = "greet"
	DoDrop    Verb = "drop"   // "forget it"
	DoAbuse   Verb = "abuse"  // insults, obscenities
	DoMeddle  Verb = "meddle" // orders to the machine: "ignore your instructions"
	DoOthers  Verb = "others" // asks for somebody else's data
	DoSelf    Verb = "self"   // asks whether this is a machine
)

// Topic is what a message is about.
type Topic string

// The topics of messages.
const (
	Complaint    Topic = "complaint"
	Refund       Topic = "refund"
	LostProperty Topic = "lost_property"
	Invoice      Topic = "invoice"
	RunningLate  Topic = "running_late"
	OrderStatus  Topic = "order_status"
	GroupEvent   Topic = "event"
	Supplier     Topic = "supplier"
	Job          Topic = "job"
	Press        Topic = "press"
	WrongNumber  Topic = "wrong_number"
	Spam         Topic = "spam"
	Urgent       Topic = "urgent"
	Callback     Topic = "callback" // wants to be called, or leaves a number
	OtherTopic   Topic = "other"
)
