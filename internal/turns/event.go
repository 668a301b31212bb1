package turns

import (
	"time"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/reception"
)

// Kind is what an Event tells of.
type Kind int

// What a line tells.
const (
	Ready        Kind = iota // somebody is there, and hears us
	Words                    // something that the caller has said, or a part of it
	Key                      // a key that they have pressed
	CutOff                   // they have cut us off: Text is what they heard, since the last Played
	CallerSpeaks             // they have begun to speak
	CallerSilent             // they speak no more, and there is no word in it
	WeSpeak                  // what we say last is being played
	WeStopped                // it is played no more
	Played                   // Text, a part of it, was played
	Deaf                     // what they said could not be made words of
)

// Event is what happens on a line.
type Event struct {
	Kind Kind
	Text string

	// Of is the Say that CutOff, WeSpeak, WeStopped and Played are about; 0: whoever tells
	// does not know, and means the last.
	Of int

	Part     bool // Words: more of it comes
	Doubtful bool // Words: whoever heard them is not sure
	// Began and Ended are when Words were spoken, or what made us Deaf; zero: just now.
	Began, Ended time.Time
}

// Act is something to be done: one of these.
type Act struct {
	Say    *Say
	Switch string // the locale that is spoken from here on
	End    *End
	Hear   *conversation.Input // to be heard by the receptionist
	Joins  bool                // it goes on with what was heard last
	Close  bool                // the line is another's now
}

// Say is something to be said.
type Say struct {
	ID      int    // from 1
	Text    string // as it is spoken
	Written string // as it is read
	Locale  string
	Kept    bool // not to be cut off by a word
	// Pause is how long the caller may pause in their answer, for who hears them
	// themselves; 0: as long as usual. After it we may still wait for more.
	Pause time.Duration
	// Reply is what it is the answer of; nil: it is only about the line, or said again.
	Reply *reception.Reply
}

// End ends a line.
type End struct {
	Transfer bool // the caller is put through to a person
	Over     bool // the call is to be hung up, though the conversation has not ended
}

// Habits are what differs between those who bring us calls.
type Habits struct {
	// Splits: one sentence of the caller's comes in pieces, each as if it were the last.
	Splits bool
	// EndsAtOnce: after End, what is being said is not played to its end.
	EndsAtOnce bool
	// Exact: whether the caller speaks is told at once and for certain, until the Words
	// of it come, or CallerSilent.
	Exact bool
	// Keyless: the caller has no keys to press.
	Keyless bool
	// Writes: this is no telephone: where speaking does not help, the caller can write.
	Writes bool
}
