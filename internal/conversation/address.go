package conversation

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/hearing"
)

// slotAddress is asked for without being a slot of the channel: together with another
// one, so that nobody who has no answer to it is held up.
const slotAddress Slot = "address"

// wantsAddress says whether where the work is to be done has to be known and was not
// said. It is asked for once.
func (t contacts) wantsAddress() bool {
	task := t.s.Task
	visited := task.Kind == Book && t.isVisited() || task.Kind == Order && task.Delivered
	if !visited || task.Tries[slotAddress] > 0 {
		return false
	}
	told := slices.Concat(task.Notes, task.Asides, []string{t.heard.Text})
	setting := t.talk().setting()
	return !slices.ContainsFunc(told, func(note string) bool { return hearing.NamesPlace(note, setting) })
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
