package conversation

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/hearing"
)

// slotAddress is asked for without being a slot of the channel: together with another
// one, so that nobody who has no answer to it is held up.
const slotAddress Slot = "address"

// wantsAddress says whether the address is to be asked for beside another question. It is
// once.
func (t contacts) wantsAddress() bool { return t.s.Task.Tries[slotAddress] == 0 && t.lacksAddress() }

// haveAddress asks for the address by itself where it was asked for beside another
// question and only that was answered. Whatever is said to it is kept.
func (t contacts) haveAddress() bool {
	task, h := &t.s.Task, t.heard
	switch {
	case task.Tries[slotAddress] == 1 && t.s.Expect != SlotConfirm && t.lacksAddress():
		task.try(slotAddress)
		t.say("ask_address")
		t.expect(Nothing)
		return false
	case t.addressAsked():
		task.try(slotAddress)
		if t.lacksAddress() && !h.No && !h.DontKnow && h.Question == "" && len(t.noted)+len(h.When.Mentions) == 0 && t.telling() > 0 {
			t.notes().keepNote(h.Text, true)
		}
	}
	return true
}

// addressAsked says whether nothing but the address was asked for last.
func (t contacts) addressAsked() bool { return t.s.Task.Tries[slotAddress] == 2 }

// lacksAddress says whether where the work is to be done has to be known and was not
// said.
func (t contacts) lacksAddress() bool {
	task := t.s.Task
	if visited := task.Kind == Book && t.isVisited() || task.Kind == Order && task.Delivered; !visited {
		return false
	}
	told := slices.Concat(task.Notes, task.Asides, []string{t.heard.Text})
	setting := t.talk().setting()
	return !slices.ContainsFunc(told, func(note string) bool { return hearing.NamesPlace(note, setting) })
}

// takeAddressBefore takes the address of the appointment before for one at which the
// caller is visited as well.
func (t contacts) takeAddressBefore() {
	for _, note := range strings.Split(t.s.justBooked(Reschedule).Notes, "\n") {
		if t.lacksAddress() && hearing.NamesPlace(note, t.talk().setting()) {
			t.s.Task.Notes = append(t.s.Task.Notes, note)
		}
	}
}

// isVisited says whether somebody comes to the customer for what is booked: the name
// of the service says so, or the business, where its trade may.
func (t contacts) isVisited() bool {
	s := t.booking().service()
	said := strings.Join(s.AllNames(), ". ")
	if t.trade.ComesToCustomer {
		said += ". " + s.Description + ". " + t.agent.Config.Business.ZonesHuman
	}
	words := t.tokens(said)
	return t.mix.Phrases("comes_to_you").In(words)
}

// withAddress is a question together with that for the address, where it is wanted.
func (t contacts) withAddress(phrase string) string {
	if !t.wantsAddress() {
		return t.words(phrase)
	}
	t.s.Task.try(slotAddress)
	return t.words(phrase + "_address")
}

// addressToo is a read-back that asks for the address, where nothing else was left to
// ask for.
func (t contacts) addressToo(text string) string {
	if !t.wantsAddress() {
		return text
	}
	t.s.Task.try(slotAddress)
	before, question := splitQuestion(text)
	return strings.TrimSpace(before + " " + t.words("address_too") + " " + question)
}
