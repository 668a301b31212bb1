package conversation

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/hearing"
)

// wishes is a turn with somebody who wishes for several things.
type wishes struct{ *turn }

// keepAll hears who insists that they want all that they wished for: "no, I want both".
// That lets go of nothing and changes nothing. What else they want, where they were asked
// that, waits behind what is being arranged.
func (t wishes) keepAll() {
	h, task := &t.heard, t.s.Task
	if task.Kind != Book || task.Service == "" {
		t.takeOffered()
		return
	}
	if t.offer == OfferBeside && len(h.Services) == 1 && h.Services[0].ID != task.Service {
		t.keepBehind()
		t.insists = true
	}
	if t.wantsBoth() {
		t.keepNamed()
		t.insists = true
	}
	if !t.insists {
		if !t.asksForBehind() {
			return
		}
		missed := func(note string) bool { // "the pedicure" is no note, "I'm allergic to latex" is one
			return slices.ContainsFunc(t.s.Queue, func(task Task) bool { return t.notes().names(note, task.Service) })
		}
		h.Notes, h.Asides = slices.DeleteFunc(h.Notes, missed), slices.DeleteFunc(h.Asides, missed)
	}
	t.insists, t.changed = true, true
	h.Yes, h.No, h.Dropped, h.Services, h.Question, h.Questions = false, false, nil, nil, "", nil
	h.Intents = slices.DeleteFunc(h.Intents, func(i Intent) bool { return i != Book && i != Thanks && i != Greet })
}

// wantsBoth says whether all of several things are wanted. Who chooses among times may
// name one with the same words.
func (t wishes) wantsBoth() bool {
	words := t.tokens(t.heard.Text)
	return t.mix.Phrases("both_things").In(words) || t.s.Expect != SlotTime && t.s.Expect != SlotChoice && t.mix.Phrases("wants_both").In(words)
}

// takeOffered takes both of two services that the caller was asked to choose from.
func (t wishes) takeOffered() {
	c := t.s.Choices
	if t.s.Task.Kind != Book || t.s.Expect != SlotService || len(c) != 2 || c[0].Service == "" || c[1].Service == "" || !t.wantsBoth() || len(t.s.Queue) >= mostQueued {
		return
	}
	t.s.Queue = append([]Task{{Kind: Book, Further: true, Service: c[1].Service, After: true}}, t.s.Queue...)
	t.behind = append(t.behind, c[1].Service)
	t.heard.Services = slices.DeleteFunc(slices.Clone(t.bookable), func(s catalogue.Service) bool { return s.ID != c[0].Service })
	t.heard.Yes, t.heard.No, t.heard.Choice, t.heard.Dropped = false, false, 0, nil
}

// keepNamed keeps the service that is named beside the one that is being arranged.
func (t wishes) keepNamed() {
	task := t.s.Task
	if len(t.heard.Services) == 1 && t.heard.Services[0].ID != task.Service && !t.heard.UnsureService && !t.isBehind(t.heard.Services[0].ID) {
		t.keepBehind()
	}
}

// keepBehind puts the service that was named behind what is being arranged.
func (t wishes) keepBehind() {
	if len(t.s.Queue) < mostQueued {
		t.s.Queue = append(t.s.Queue, Task{Kind: Book, Further: true, Service: t.heard.Services[0].ID, After: true})
	}
	t.heard.Services, t.heard.When = nil, dates.Reading{}
}

// isBehind says whether a service waits behind what is being arranged.
func (t wishes) isBehind(id string) bool {
	return slices.ContainsFunc(t.s.Queue, func(task Task) bool { return task.Kind == Book && task.Service == id })
}

// asksForBehind says whether what waits behind is asked after, or missed, at the
// read-back of the first: "and the pedicure?", "you forgot the pedicure".
func (t wishes) asksForBehind() bool {
	if t.s.Expect != SlotConfirm || len(t.s.Queue) == 0 || t.heard.Yes || len(t.heard.Dropped) > 0 || t.telling() > mostBesideService || !t.mix.Phrases("asks_for_other").In(t.tokens(t.heard.Text)) {
		return false
	}
	return slices.ContainsFunc(t.catalogue.FindServices(t.heard.Text, t.s.Lang), func(m catalogue.Match[catalogue.Service]) bool {
		return m.Score >= behindMatch && t.isBehind(m.Entry.ID)
	})
}

// tell says what else is kept beside what is being arranged, for who wished for
// several things in this turn or insists on them. It says whether it has asked what
// else is wanted, because nothing else is known.
func (t wishes) tell() bool {
	if !t.insists {
		if names := t.namesBehind(t.behind); len(names) > 0 {
			t.say("wishes_kept", "list", t.list(names, "and"))
		}
		return false
	}
	names := []string{t.booking().service().Say(t.s.Lang)}
	for _, task := range t.s.Queue {
		names = append(names, t.namesBehind([]string{task.Service})...)
	}
	if len(names) > 1 {
		t.say("both_kept", "list", t.list(names, "and"))
		return false
	}
	if t.s.Task.try(slotBeside) {
		return false
	}
	t.say("both_which", "what", names[0])
	t.s.Offer = OfferBeside
	t.expect(Nothing)
	return true
}

// behindMatch is how well a service must fit what was said that waits behind another.
const behindMatch = 0.75

// slotBeside counts how often somebody was asked what else they want.
const slotBeside hearing.Slot = "beside"

// namesBehind are the names of services that wait behind another one.
func (t wishes) namesBehind(ids []string) (names []string) {
	for _, s := range t.bookable {
		if slices.Contains(ids, s.ID) && s.ID != t.s.Task.Service && t.s.Task.Kind == Book && t.s.Task.Service != "" {
			names = append(names, s.Say(t.s.Lang))
		}
	}
	return names
}
