package conversation

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Line is what is known of the telephone line that a caller is on; zero where there
// is none.
type Line struct {
	On       bool
	Caller   string // the number that they call from, E.164; "": withheld
	Transfer bool   // a person of the business can be put on the line
}

// Transfer is a caller who is to be put through to a person. How that went is told
// with the next input, of the kind Passed.
type Transfer struct {
	Reason  string // for the books
	Summary string // what the person is told before they take the call
}

// cutOff notes that the caller did not hear the last thing said to its end. A yes to
// what was read back counts once all of it was heard.
func (s *State) cutOff() {
	if s.Expect == SlotConfirm {
		s.Task.Unheard = true
	}
}

// offersOwnNumber offers the number that the caller calls from in place of asking for
// one, once.
func (t contacts) offersOwnNumber() bool {
	line := t.s.Line
	once := t.s.NumberOffered && (t.offer != OfferNumber || !t.replied) // who asked something first has not answered
	if line.Caller == "" || once || t.heard.BadPhone != "" || t.s.Task.Digits != "" {
		return false
	}
	t.s.NumberOffered = true
	t.sayText(t.words("offer_number", "phone", spokenPhone(line.Caller)))
	t.expect(SlotPhone, t.words("yes"))
	t.s.Offer = OfferNumber
	return true
}

// takeOwnNumber takes the number that the caller calls from, where they agree to it or
// name it themselves.
func (t values) takeOwnNumber() {
	h, p := t.heard, &t.s.Person
	if t.s.Line.Caller == "" || h.Phone != "" || h.BadPhone != "" || p.Phone != "" {
		return
	}
	agreed := t.offer == OfferNumber && h.Yes && !h.No
	if agreed || t.mix.Phrases("this_number").In(t.tokens(h.Text)) {
		p.Phone, t.changed = t.s.Line.Caller, true
	}
}

// transfers is a turn with somebody who wants a person.
type transfers struct{ *turn }

// mayPutThrough says whether a person can be put on the line now: by day, and at any
// hour where a rule of the business wants it. It is tried once.
func (t transfers) mayPutThrough(why string) bool {
	if !t.s.Line.Transfer || t.s.Through != "" {
		return false
	}
	return why == whyRule || !t.hours.Known() || t.hours.OpenAt(t.now)
}

// putThrough has the caller put on the line with a person.
func (t transfers) putThrough(why string) {
	t.values().takePerson()
	t.s.Through = frontdesk.NotPassedOn // until it is known
	t.did("handoff", map[string]any{"reason": why}, map[string]any{"result": "transfer"})
	t.say("putting_through")
	t.expect(Nothing)
	t.s.Passing, t.s.Whisper = true, t.whisper()
	t.out.Transfer = &Transfer{Reason: why, Summary: t.s.Whisper}
}

// whisper is what a person is told of a caller before they take the call.
func (t transfers) whisper() string {
	about := t.s.Task.about(t.turn)
	if about == "" {
		about = frontdesk.Clip(t.heard.Text, longestAbout)
	}
	name := t.s.Person.Name
	if name == "" {
		name = strings.ToLower(t.words("somebody"))
	}
	return t.words("whisper", "name", name, "about", about)
}

// passed is how putting the caller through went. Who could not be put through is told
// so, and leaves a message.
func (t transfers) passed(result string) {
	t.s.Through, t.s.Passing = result, false
	if result == frontdesk.Transferred {
		t.end()
		return
	}
	t.say("through_" + result)
	t.talk().callBack()
}
