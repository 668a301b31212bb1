package conversation

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// attendants is the part of a turn that knows with whom, or at what, an
// appointment can be: the people, rooms and tables of the house.
type attendants struct{ *turn }

// take takes with whom the caller wants to be, by the name that the house has for
// them. Where a name is asked for, it is the caller's, unless it is said as that of
// somebody to be with.
func (t attendants) take() {
	all := t.agent.Settings.Calendar.Resources
	words := t.mix.Tokens(t.heard.Text)
	if t.mix.Phrases("anybody_serves").In(words) {
		t.s.Task.Resource = ""
		return
	}
	if len(all) == 0 || t.s.Expect == SlotName && (t.heard.Name != "" || !t.mix.Phrases("with_somebody").In(words)) {
		return
	}
	named := catalogue.Named(words, all, t.isCaller)
	switch {
	case len(named) == 1:
		t.s.Task.Resource = named[0].ID
	case len(named) == 0 && t.s.About != "" && t.mix.Phrases("with_them").In(words):
		t.s.Task.Resource = t.s.About // who was asked about before
	}
}

// dropNotes takes out what was heard as a wish beside, and is whom the appointment
// is with.
func (t attendants) dropNotes() {
	const short = 5 // words
	all := t.agent.Settings.Calendar.Resources
	if len(all) == 0 {
		return
	}
	t.heard.Notes = slices.DeleteFunc(t.heard.Notes, func(note string) bool {
		said := t.mix.Tokens(note)
		return t.mix.Phrases("anybody_serves").In(said) || len(said) <= short && (len(catalogue.Named(said, all, t.isCaller)) > 0 || t.s.About != "" && t.mix.Phrases("with_them").In(said))
	})
}

// isCaller says whether a name was just given as the caller's own.
func (t attendants) isCaller(name string) bool {
	return t.heard.Name != "" && says(t.heard.Name, name)
}

// chosen is whom the caller asked for.
func (t attendants) chosen() (frontdesk.Resource, bool) {
	return t.agent.Settings.Calendar.Resource(t.s.Task.Resource)
}

// suits says whether whom the caller asked for does what they want; if not, who
// does has been told, and it is with whoever is free.
func (t attendants) suits() bool {
	r, asked := t.chosen()
	service := t.booking().service()
	if !asked || r.Does(service.ID) {
		return true
	}
	var others []string
	for _, o := range t.agent.Settings.Calendar.Resources {
		if o.Does(service.ID) {
			others = append(others, o.Name)
		}
	}
	t.s.Task.Resource = ""
	phrase := "not_their_service"
	if len(others) == 0 {
		phrase = "not_their_service_alone"
	}
	t.say(phrase, "who", r.Name, "service", service.Say(t.s.Lang), "others", t.list(others, "or"))
	return false
}
