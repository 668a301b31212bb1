package conversation

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// attendants is the part of a turn that knows with whom, or at what, an
// appointment can be: the people, rooms and tables of the house.
type attendants struct{ *turn }

// take takes with whom the caller wants to be, by the name that the house has for
// them. Where a name is asked for, it is the caller's.
func (t attendants) take() {
	all := t.agent.Settings.Calendar.Resources
	words := t.mix.Tokens(t.heard.Text)
	if t.mix.Phrases("anybody_serves").In(words) {
		t.s.Task.Resource = ""
		return
	}
	if len(all) == 0 || t.s.Expect == SlotName {
		return
	}
	var named []frontdesk.Resource
	for _, r := range all {
		if t.names(words, r) {
			named = append(named, r)
		}
	}
	if len(named) != 1 {
		return
	}
	t.s.Task.Resource = named[0].ID
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
		return t.mix.Phrases("anybody_serves").In(said) || len(said) <= short && slices.ContainsFunc(all, func(r frontdesk.Resource) bool { return t.names(said, r) })
	})
}

// names says whether words name a resource: a person by one of their names that
// nobody else has, anything else by its whole name.
func (t attendants) names(words []language.Token, r frontdesk.Resource) bool {
	own := t.nameWords(r)
	if r.Kind != "person" {
		return len(own) > 0 && inARow(words, own)
	}
	return slices.ContainsFunc(own, func(name language.Token) bool {
		return !t.shared(name.Word, r) && inARow(words, []language.Token{name}) && !t.isCaller(name.Word)
	})
}

// inARow says whether words stand in others, one after the other.
func inARow(words, row []language.Token) bool {
	for i := 0; i+len(row) <= len(words); i++ {
		if slices.EqualFunc(words[i:i+len(row)], row, func(a, b language.Token) bool { return a.Word == b.Word }) {
			return true
		}
	}
	return false
}

// nameWords are the words of a resource's name, without titles.
func (t attendants) nameWords(r frontdesk.Resource) (all []language.Token) {
	titles := spoken("titles")
	for _, w := range language.Tokenize(r.Name) {
		if !titles[w.Word] {
			all = append(all, w)
		}
	}
	return all
}

// shared says whether somebody else of the house has a name too.
func (t attendants) shared(name string, r frontdesk.Resource) bool {
	return slices.ContainsFunc(t.agent.Settings.Calendar.Resources, func(o frontdesk.Resource) bool {
		return o.ID != r.ID && slices.ContainsFunc(t.nameWords(o), func(w language.Token) bool { return w.Word == name })
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
