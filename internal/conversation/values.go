package conversation

import (
	"slices"
	"strconv"

	"frontdesk.dev/frontdesk/internal/answer"
	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// take puts what was said where it belongs. It says whether something was said
// that cannot be, which has then been told.
func (t values) take() (troubled bool) {
	task := &t.s.Task
	t.takePerson()
	switch task.Kind {
	case Book:
		t.takeChoice()
		t.takeService()
		t.takeParty()
		t.attendants().take()
		return t.times().takeWhen()
	case Reschedule:
		t.own().takeOwn()
		t.own().takeAmended()
		if task.Own.ID == "" {
			return t.times().takeNewTime()
		}
		t.takeChoice()
		t.attendants().take()
		return t.times().takeWhen()
	case Cancel, LookUp:
		t.own().takeOwn()
	case Leave:
		t.messages().takeAbout()
	case Order:
		return t.orders().takeOrder()
	}
	return false
}

func (t values) takePerson() {
	h, p := t.heard, &t.s.Person
	if h.Name != "" && !agreesByName(h.Name) && !t.spellsName() {
		p.Name = frontdesk.Clip(h.Name, maxName)
	}
	if h.Phone != "" {
		p.Phone = h.Phone
	}
	if h.Email != "" {
		p.Email = h.Email
	}
	t.takeOwnNumber()
}

// spellsName says whether a part of the name that stands was only said again with how
// it is written: "Pryce with a y" takes no first name away.
func (t values) spellsName() bool {
	return says(t.s.Person.Name, t.heard.Name) && t.mix.Phrases("written_with").In(t.tokens(t.heard.Text))
}

// agreesByName says whether a name is none: "de acuerdo" said when a name was
// asked for.
func agreesByName(name string) bool {
	agreeing := spoken("agreeing")
	return !slices.ContainsFunc(language.Tokenize(name), func(w language.Token) bool { return !agreeing[w.Word] })
}

func (t values) takeService() {
	h, task := t.heard, &t.s.Task
	if t.takeVariant() || t.namesInPassing() || t.takeFirst() {
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
	default:
		t.takeGeneral()
	}
}

// takeFirst takes the service for who comes for the first time, where the house has
// one, for who says that they do and names no other in full.
func (t values) takeFirst() bool {
	const reach = 4 // words behind "I have never been to" that are no wish
	task, first := &t.s.Task, t.catalogue.First()
	if task.Service != "" || t.s.Expect != Nothing || len(first) != 1 {
		return false
	}
	words := t.tokens(t.heard.Text)
	from, to, ok := t.mix.Phrases("comes_first").Find(words)
	if !ok {
		return false
	}
	start, end := words[from].Start, words[min(to+reach, len(words))-1].End
	for _, m := range t.catalogue.FindServices(t.heard.Text, t.s.Lang) {
		if m.Entry.ID != first[0].ID && m.Score >= answer.ClearMatch && (m.Start < start || m.Start >= end) {
			return false
		}
	}
	task.Service = first[0].ID
	return true
}

// takeGeneral takes the service for whatever there is for who was asked whether they
// mean that one and tells more, or does not know: they want to be seen.
func (t values) takeGeneral() {
	h, task := t.heard, &t.s.Task
	if t.s.Expect != SlotService || task.Service != "" || h.No && !h.DontKnow || t.replied || h.Waits || len(h.Unbookable) > 0 || h.Has(Ask) || h.Has(Goodbye) || h.Has(Thanks) {
		return
	}
	if len(t.s.Choices) == 1 && t.s.Choices[0].Service != "" && t.telling() > mostBesideNo {
		task.Service = t.s.Choices[0].Service // who explains and does not say no means that one
		t.arrangement().letChoices()
		return
	}
	for _, s := range t.catalogue.General() {
		if len(t.s.Choices) < len(t.bookable) && slices.ContainsFunc(t.s.Choices, func(c Choice) bool { return c.Service == s.ID }) {
			task.Service = s.ID
			t.arrangement().letChoices()
			return
		}
	}
}

// sameService says whether services cannot be told apart by what they are called.
func sameService(all []catalogue.Service) bool {
	return !slices.ContainsFunc(all, func(s catalogue.Service) bool { return s.Name != all[0].Name })
}

// namesAnother says whether the answer to a read-back names another service, clearly
// and with little beside it.
func (t values) namesAnother() bool {
	h, most := t.heard, mostBesideService
	if h.Yes {
		most = mostBesideNo
	}
	if t.s.Expect != SlotConfirm || len(h.Services) != 1 || h.UnsureService || h.Question != "" || len(t.noted)+len(h.When.Mentions)+h.Party > 0 || t.telling() > most {
		return false
	}
	return slices.ContainsFunc(t.catalogue.FindServices(h.Text, t.s.Lang), func(m catalogue.Match[catalogue.Service]) bool {
		return m.Entry.ID == h.Services[0].ID && m.Score >= answer.CostMatch
	})
}

// namesInPassing says whether a service is named beside a change of something
// else: "better at nine, we are on the walk before" does not book the walk.
func (t values) namesInPassing() bool {
	if t.s.Task.Service == "" || t.s.Expect == SlotService || t.s.Expect == SlotChoice {
		return false
	}
	if t.namesAnother() {
		return false // "yes, the hot stones" is no yes to the other massage
	}
	late := t.contacts().addressAsked() || t.s.Expect == SlotName || t.s.Expect == SlotPhone || t.s.Expect == SlotEmail || t.s.Expect == SlotConfirm
	return late && (!t.heard.No || t.heard.Question != "" || len(t.noted) > 0) || len(t.heard.When.Mentions)+t.heard.Party > 0
}

// maybeParty settles a number that counts people or is an hour: where the business is
// closed at that hour, people are meant; else the caller is asked. It says whether
// that has been done.
func (t values) maybeParty() bool {
	h, task := t.heard, &t.s.Task
	w := h.When.Resolve(t.now, t.isOpen)
	if h.MaybeParty == 0 || h.Party > 0 || !w.Timed || task.Kind != Book && task.Kind != Reschedule {
		return false
	}
	if !task.Date.IsZero() && !t.isOpen(task.Date, w.Clock) {
		t.heard.Party, t.heard.When = h.MaybeParty, dates.Reading{}
		return false
	}
	t.s.Choices = []Choice{
		{Said: t.words("party_of_n", "n", strconv.Itoa(h.MaybeParty)), Party: h.MaybeParty},
		{Said: t.words("time_of_n", "time", t.clock(w.Clock)), Clock: w.Clock, Timed: true},
	}
	t.say("party_or_time", "party", t.s.Choices[0].Said, "time", t.s.Choices[1].Said)
	t.expect(SlotChoice, t.s.Choices[0].Said, t.s.Choices[1].Said)
	return true
}

func (t values) takeParty() {
	if t.heard.Party > 0 && !t.contacts().isVisited() { // how many live there is no matter of who comes to them
		t.s.Task.Party = t.heard.Party
	}
}

// takeChoice is an answer to several things offered.
func (t values) takeChoice() {
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
	if c.Party > 0 {
		task.Party = c.Party
	}
	if c.Timed {
		task.Clock, task.Timed, task.Clocks = c.Clock, true, nil
	}
	t.arrangement().letChoices()
	// What was said is the choice, not a new wish beside it.
	t.heard.When = dates.Reading{}
	t.heard.Services = nil
}

// refuseOffered lets go of the times that were offered. Who names other hours still
// wants the stretch of days that was said.
func (t values) refuseOffered() {
	task := &t.s.Task
	task.Timed = false
	if _, hours := t.heard.When.Time(); hours && !task.Last.IsZero() {
		task.Soonest = true
	} else {
		task.Date, task.Last = dates.Date{}, dates.Date{}
	}
	t.arrangement().letChoices()
}

// saysOtherwise says whether a day or a time was named that is not the choice's:
// "at two pm" is no choice of the 8 pm that was offered.
func (t values) saysOtherwise(c Choice) bool {
	w := t.heard.When.Resolve(t.now, t.isOpen)
	return c.Timed && w.Timed && w.Clock != c.Clock || !c.Date.IsZero() && !w.Date.IsZero() && w.Date != c.Date
}
