package conversation

import (
	"encoding/json"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
)

// arrange goes on with the task: it takes what was said for it, writes it down
// when that was a yes to the read-back, and else asks for what is missing.
func (t arrangement) arrange() {
	before, wish := t.fingerprint(), t.booking().wish()
	troubled := t.take()
	moved := t.fingerprint() != before
	t.changed = t.changed || moved
	if !moved && t.answersWithoutChange() || t.leaving(moved) || t.declining(moved) || t.refusing(moved) || t.waiting(moved) || !moved && t.namesNothing() {
		return
	}
	t.corrected = t.corrects(wish)
	if t.changed {
		t.s.Misses = 0
	} else if len(t.said) == 0 && !troubled && t.heardNothing() {
		t.say("no_match_mid")
	}
	t.next()
}

// answersWithoutChange is an answer to the read-back that changes nothing. It says
// whether the turn is done.
func (t arrangement) answersWithoutChange() bool {
	return t.s.Expect == SlotConfirm && t.answerReadBack()
}

// namesNothing is an answer to what to change, or which of several, that does not
// say which. It says whether the turn is done.
func (t arrangement) namesNothing() bool {
	switch {
	case (t.offer == OfferChange || t.s.Expect == SlotConfirm) && t.reopen():
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
	plainNo := h.No && !undecided && len(t.s.Choices) == 0 && t.telling() <= mostBesideNo
	if !plainNo && !(h.DontKnow && task.Tries[t.s.Expect] > 1) {
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
	for _, w := range t.mix.Tokens(t.heard.Text) {
		if len(w.Word) > 2 && !isSmall(w.Word) && !t.mix.Words("fillers")[w.Word] {
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
	task.Refused, task.Denied, task.Notes, task.Asides, task.Digits = 0, 0, nil, nil, ""
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

// answerReadBack is the answer to a read-back that nothing was changed in. It
// says whether the turn is done.
func (t arrangement) answerReadBack() bool {
	h, task := t.heard, &t.s.Task
	switch {
	case task.ReadBack == "" || task.ReadBack != t.fingerprint():
		return false
	case t.plainYes():
		t.booking().write()
		return true
	case t.replied || h.Question != "" && len(t.said) > 0, h.Yes && task.Kind == Cancel, len(t.noted) > 0 && task.Kind != Cancel:
		return false // it is asked once more, after the answer if there was a question
	case h.Yes:
		task.ReadBack = ""
		t.say("what_change")
		t.s.Offer = OfferChange
		t.expect(Nothing)
		return true
	case h.No && task.Kind == Cancel:
		t.say("kept")
		t.s.Task = Task{}
		t.talk().offerMore()
		return true
	case h.No && h.Has(Goodbye):
		t.talk().drop()
		return true
	case t.slotNamed() != "":
		return false // it is asked for anew
	case h.No && task.Refused >= maxTries:
		t.talk().drop()
		return true
	case h.No:
		task.Refused++
		task.ReadBack = ""
		t.sayText(t.variant("what_change", task.Refused-1))
		t.s.Offer = OfferChange
		t.expect(Nothing)
		return true
	}
	return false
}

// reopen asks anew for what the caller says is wrong: "the name".
func (t arrangement) reopen() bool {
	slot := t.slotNamed()
	task, p := &t.s.Task, &t.s.Person
	switch slot {
	case SlotName:
		p.Name = ""
	case SlotPhone:
		p.Phone = ""
	case SlotDate:
		task.Date, task.Last, task.Timed = dates.Date{}, dates.Date{}, false
	case SlotTime:
		task.Timed, task.Clocks = false, nil
	case SlotService:
		task.Service = ""
	case SlotPartySize:
		task.Party = 0
	default:
		return false
	}
	task.ReadBack, task.Checked = "", ""
	delete(task.Tries, slot)
	t.changed = true
	t.next()
	return true
}

// slotNamed is the one slot that is spoken of, "" when there is none or several.
// Who asks something about the day that stands does not speak of changing it:
// "what happens if it rains that day?".
func (t arrangement) slotNamed() (found Slot) {
	words := t.mix.Tokens(t.heard.Text)
	moves := t.mix.Words("calendar moves")
	moving := t.heard.No || slices.ContainsFunc(words, func(w language.Token) bool { return moves[w.Word] })
	if !moving && (t.replied || t.heard.Question != "") {
		return ""
	}
	for _, w := range words {
		name, ok := t.mix.Value("slot_names", w.Word)
		pointed := slices.ContainsFunc(t.heard.When.Mentions, func(m dates.Mention) bool { return m.Start <= w.Start && w.End <= m.End })
		switch slot := Slot(name); {
		case !ok || slot == found || pointed:
		case found != "":
			return ""
		default:
			found = slot
		}
	}
	return found
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
		t.messages().nextOrder()
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

// readBack says what a yes will write down, and waits for it.
func (t arrangement) readBack(question string) {
	task := &t.s.Task
	asked := t.s.Expect == SlotConfirm && task.ReadBack == t.fingerprint()
	switch {
	case !asked:
		delete(task.Tries, SlotConfirm)
		task.try(SlotConfirm)
	case !t.changed && task.try(SlotConfirm):
		t.stuck(SlotConfirm)
		return
	}
	if asked && t.replied && len(t.noted) == 0 {
		question = t.words("still_right")
	}
	task.ReadBack = t.fingerprint()
	t.sayText(question)
	t.expect(SlotConfirm, t.words("yes"), t.words("quick_change"))
}

// take puts what was said where it belongs. It says whether something was said
// that cannot be, which has then been told.
func (t arrangement) take() (troubled bool) {
	task := &t.s.Task
	t.takePerson()
	switch task.Kind {
	case Book:
		t.takeChoice()
		t.takeService()
		t.takeParty()
		return t.times().takeWhen()
	case Reschedule:
		t.own().takeOwn()
		if task.Own.ID == "" {
			return t.times().takeNewTime()
		}
		t.takeChoice()
		return t.times().takeWhen()
	case Cancel, LookUp:
		t.own().takeOwn()
	case Leave:
		t.messages().takeAbout()
	case Order:
		return t.messages().takeOrder()
	}
	return false
}

func (t arrangement) takePerson() {
	h, p := t.heard, &t.s.Person
	if h.Name != "" && !agreesByName(h.Name) {
		p.Name = cut(h.Name, maxName)
	}
	if h.Phone != "" {
		p.Phone = h.Phone
	}
	if h.Email != "" {
		p.Email = h.Email
	}
}

func (t arrangement) takeService() {
	h, task := t.heard, &t.s.Task
	if t.namesInPassing() {
		return
	}
	switch {
	case len(h.Services) == 1 && h.UnsureService && t.s.Expect != SlotService && task.Service == "":
		t.s.Choices = []Choice{{Said: h.Services[0].Say(t.s.Lang), Service: h.Services[0].ID}}
	case len(h.Services) == 1, len(h.Services) > 1 && t.s.Expect == SlotService && sameService(h.Services):
		task.Service = h.Services[0].ID
	case len(h.Services) > 1 && task.Service == "":
		t.s.Choices = nil
		for _, s := range h.Services[:min(len(h.Services), 4)] {
			t.s.Choices = append(t.s.Choices, Choice{Said: s.Say(t.s.Lang), Service: s.ID})
		}
	}
}

// namesAnother says whether the answer to a read-back names another service, clearly
// and with little beside it.
func (t arrangement) namesAnother() bool {
	h, most := t.heard, mostBesideService
	if h.Yes {
		most = mostBesideNo
	}
	if t.s.Expect != SlotConfirm || len(h.Services) != 1 || h.UnsureService || h.Question != "" || len(t.noted)+len(h.When.Mentions)+h.Party > 0 || t.telling() > most {
		return false
	}
	return slices.ContainsFunc(t.catalogue.FindServices(h.Text, t.s.Lang), func(m catalogue.Match[catalogue.Service]) bool {
		return m.Entry.ID == h.Services[0].ID && m.Score >= costMatch
	})
}

// namesInPassing says whether a service is named beside a change of something
// else: "better at nine, we are on the walk before" does not book the walk.
func (t arrangement) namesInPassing() bool {
	if t.s.Task.Service == "" || t.s.Expect == SlotService || t.s.Expect == SlotChoice {
		return false
	}
	if t.namesAnother() {
		return false // "yes, the hot stones" is no yes to the other massage
	}
	late := t.s.Expect == SlotName || t.s.Expect == SlotPhone || t.s.Expect == SlotEmail || t.s.Expect == SlotConfirm
	return late && (!t.heard.No || t.heard.Question != "" || len(t.noted) > 0) || len(t.heard.When.Mentions)+t.heard.Party > 0
}

// sameService says whether services cannot be told apart by what they are called.
func sameService(all []catalogue.Service) bool {
	return !slices.ContainsFunc(all, func(s catalogue.Service) bool { return s.Name != all[0].Name })
}

func (t arrangement) takeParty() {
	if t.heard.Party > 0 {
		t.s.Task.Party = t.heard.Party
	}
}

// refuseOffered lets go of the times that were offered. Who names other hours still
// wants the stretch of days that was said.
func (t arrangement) refuseOffered() {
	task := &t.s.Task
	task.Timed = false
	if _, hours := t.heard.When.Time(); hours && !task.Last.IsZero() {
		task.Soonest = true
	} else {
		task.Date, task.Last = dates.Date{}, dates.Date{}
	}
	t.letChoices()
}

// takeChoice is an answer to several things offered.
func (t arrangement) takeChoice() {
	h, choices := t.heard, t.s.Choices
	n := h.Choice
	if n == 0 && h.Yes && len(choices) == 1 {
		n = 1
	}
	if n < 0 {
		n = len(choices)
	}
	if n == 0 || n > len(choices) {
		if h.No && t.s.Expect == SlotChoice && len(choices) > 0 && choices[0].Timed {
			t.refuseOffered()
		}
		return
	}
	c := choices[n-1]
	if t.saysOtherwise(c) {
		return
	}
	task := &t.s.Task
	if c.Service != "" {
		task.Service = c.Service
	}
	if !c.Date.IsZero() {
		task.Date, task.Last = c.Date, dates.Date{}
	}
	if c.Timed {
		task.Clock, task.Timed, task.Clocks = c.Clock, true, nil
	}
	t.letChoices()
	// What was said is the choice, not a new wish beside it.
	t.heard.When = dates.Reading{}
	t.heard.Services = nil
}

// saysOtherwise says whether a day or a time was named that is not the choice's:
// "at two pm" is no choice of the 8 pm that was offered.
func (t arrangement) saysOtherwise(c Choice) bool {
	w := t.heard.When.Resolve(t.now, t.hours)
	return c.Timed && w.Timed && w.Clock != c.Clock || !c.Date.IsZero() && !w.Date.IsZero() && w.Date != c.Date
}
