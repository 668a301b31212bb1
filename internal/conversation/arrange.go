package conversation

import (
	"encoding/json"
	"strings"

	"frontdesk.dev/frontdesk/internal/passage"
)

// arrange goes on with the task: it takes what was said for it, writes it down
// when that was a yes to the read-back, and else asks for what is missing.
func (t arrangement) arrange() {
	if t.s.Task.Kind == Book && t.s.Expect == SlotService && len(t.heard.Unbookable) > 0 && len(t.heard.Services) == 0 && !t.replied {
		t.notBooked()
	}
	if t.values().maybeParty() {
		return
	}
	before, wish := t.fingerprint(), t.booking().wish()
	troubled := t.values().take()
	moved := t.fingerprint() != before
	t.changed = t.changed || moved
	if !moved && t.s.Expect == SlotConfirm && t.consent().answerReadBack() || t.ends(moved) {
		return
	}
	t.corrected = t.corrects(wish)
	if t.changed {
		t.s.Misses = 0
	} else if len(t.said) == 0 && !troubled && t.heardNothing() {
		t.say("no_match_mid")
	}
	if !wishes(t).tell() {
		t.next()
	}
}

// ends says whether what was said has ended the turn: the caller leaves, declines, refuses
// or waits, or names nothing.
func (t arrangement) ends(moved bool) bool {
	return t.leaving(moved) || t.declining(moved) || t.refusing(moved) || t.waiting(moved) || !moved && t.namesNothing()
}

// namesNothing is an answer to what to change, or which of several, that does not
// say which. It says whether the turn is done.
func (t arrangement) namesNothing() bool {
	switch {
	case (t.offer == OfferChange || t.s.Expect == SlotConfirm) && t.consent().reopen():
		return true
	case t.offer == OfferChange && t.heard.No && len(t.noted)+len(t.heard.Asides) == 0:
		t.talk().drop()
		return true
	case t.s.Expect == SlotChoice && t.heard.Yes && len(t.s.Choices) > 1 && !t.s.Task.try(SlotChoice):
		t.say("which_one")
		t.expect(SlotChoice, t.booking().chips()...)
		return true
	}
	return false
}

// corrects says whether a day or a time was changed on the way: that is said back
// once it is known to be free, so that the caller knows it was heard. The first
// one is read back in its turn.
func (t arrangement) corrects(before Wish) bool {
	after := t.booking().wish()
	if !before.Timed || before.Date.IsZero() || !after.Timed || after.Date.IsZero() || t.s.Expect == SlotConfirm || t.s.Expect == SlotChoice {
		return false
	}
	return before.Date != after.Date || before.Clock != after.Clock
}

// heardNothing says whether the words meant nothing here.
func (t arrangement) heardNothing() bool {
	h := t.heard
	return len(h.Intents) == 0 && !h.Yes && !h.No && !h.AnyTime && !h.DontKnow && len(h.When.Mentions) == 0
}

// leaving is a caller who says goodbye in the middle of things.
func (t arrangement) leaving(moved bool) bool {
	h := t.heard
	if moved || !h.Has(Goodbye) || len(t.noted) > 0 || t.s.Expect == SlotConfirm && h.Yes {
		return false
	}
	if t.s.Task.Kind == Leave && t.s.Task.Urgent {
		t.emergencies().letGo() // what is wrong must be known here, whoever sees to it
		return true
	}
	t.talk().goodbye()
	return true
}

// declining is a caller who does not give what was asked for: a name or a number
// for a message that nobody needs.
func (t arrangement) declining(moved bool) bool {
	h, task := t.heard, t.s.Task
	if moved || !h.No || h.DontKnow || task.Kind != Leave || task.Urgent || t.s.Expect != SlotName && t.s.Expect != SlotPhone && t.s.Expect != SlotEmail {
		return false
	}
	t.talk().drop()
	return true
}

// refusing is a caller who, asked what a booking needs, says no and nothing else, or
// twice that they do not know: they do not want it now. A no to something offered is
// another matter.
func (t arrangement) refusing(moved bool) bool {
	h, task := t.heard, t.s.Task
	asked := t.s.Expect == SlotService || t.s.Expect == SlotDate || t.s.Expect == SlotTime || t.s.Expect == SlotPartySize
	if moved || task.Kind != Book || !asked || t.replied || len(t.noted)+len(h.When.Mentions) > 0 {
		return false
	}
	undecided := h.DontKnow && t.s.Expect != SlotDate && t.s.Expect != SlotTime
	rather := t.mix.Phrases("tells_rather").In(t.tokens(h.Text)) // "no, it's for my mother" corrects something
	plainNo := h.No && !undecided && !rather && len(t.s.Choices) == 0 && t.telling() <= mostBesideNo
	thanked := h.No && h.Has(Thanks) && t.telling() <= mostBesideNo // "no, thanks" takes none of those offered
	if !plainNo && !thanked && !(h.DontKnow && task.Tries[t.s.Expect] > 1) {
		return false
	}
	t.talk().drop()
	return true
}

// mostBesideNo is how many words that tell something may stand beside a no that is
// no more than that.
const mostBesideNo = 2

// telling counts the words of what was said that tell something.
func (t *turn) telling() (n int) {
	for _, w := range t.tokens(t.heard.Text) {
		if passage.Telling(w.Word) && !t.mix.Words("fillers")[w.Word] {
			n++
		}
	}
	return n
}

// waiting is a caller who needs a moment: nothing is asked again meanwhile.
func (t arrangement) waiting(moved bool) bool {
	if moved || !t.heard.Waits || t.replied {
		return false
	}
	t.sayText(t.variant("take_time", t.s.Waits))
	t.s.Waits++
	t.expect(t.s.Expect, t.s.LastReplies...)
	t.s.Offer = t.offer
	return true
}

// fingerprint is all that a caller can change.
func (t arrangement) fingerprint() string {
	task := t.s.Task
	task.Tries, task.Checked, task.ReadBack, task.Found = nil, "", "", nil
	task.Refused, task.Denied, task.Notes, task.Asides, task.Digits, task.Hours, task.Brief = 0, 0, nil, nil, "", "", false
	task.MailRefused = false
	text, err := json.Marshal(struct {
		Task    Task
		Person  Person
		Listing string
		Service string // as the business calls it now
	}{task, t.s.Person, t.s.Listing, t.booking().service().Name})
	if err != nil {
		return ""
	}
	return string(text)
}

// next asks for what is missing, or reads back what is complete.
func (t arrangement) next() {
	switch t.s.Task.Kind {
	case Book:
		t.booking().nextBooking()
	case Reschedule, Cancel, LookUp:
		t.own().nextOwn()
	case Leave:
		t.messages().nextMessage()
	case Order:
		t.orders().nextOrder()
	}
}

// askAgain puts the question of the task once more, after something else.
func (t arrangement) askAgain() {
	if t.s.Task.Kind == "" {
		t.expect(t.s.Expect, t.s.LastReplies...)
		return
	}
	t.next()
}

// ask asks for a slot: the first time in its own words, then in those that help.
// When it has been asked in vain three times it is given up, and false returned.
func (t arrangement) ask(slot Slot, first, again string, quick ...string) bool {
	task := &t.s.Task
	asked := t.s.Expect == slot && task.Tries[slot] > 0
	if asked && !t.changed || task.Tries[slot] == 0 {
		if task.try(slot) {
			t.stuck(slot)
			return false
		}
	}
	t.sayText(t.inOtherWords(first, again, asked && !t.changed))
	t.expect(slot, quick...)
	return true
}

// inOtherWords is a question as it was not put before: in its first words, in
// those that help, and then with an apology for asking once more.
func (t arrangement) inOtherWords(first, again string, missed bool) string {
	if again == "" {
		again = first
	}
	if !missed && t.s.Asked[first] == 0 {
		t.asked(first)
		return first
	}
	n := t.s.Asked[again]
	t.asked(again)
	if n == 0 {
		return again
	}
	return t.variant("asked_again", n-1) + " " + again
}

// asked remembers that a question was put.
func (t arrangement) asked(question string) {
	const most = 40
	if t.s.Asked == nil {
		t.s.Asked = map[string]int{}
	}
	if len(t.s.Asked) < most {
		t.s.Asked[question]++
	}
}

// stuck is a slot that cannot be had.
func (t arrangement) stuck(slot Slot) {
	if t.s.Task.Kind == Leave || slot == SlotPhone {
		t.talk().giveUp() // without a number, nobody can call back
		return
	}
	t.talk().handOff("stuck", "the "+strings.ReplaceAll(string(slot), "_", " ")+" could not be understood")
}
