package conversation

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/language"
)

// followRule does what the first of the business's own rules says that fits what
// was heard, once in a conversation. It says whether the turn is done with that.
func (t talk) followRule() bool {
	rules := t.agent.Settings.Rules
	for len(rules) > 0 {
		rule, ok := rules.First(t.situation())
		if !ok {
			return false
		}
		at := slices.IndexFunc(t.agent.Settings.Rules, func(r frontdesk.Rule) bool { return sameRule(r, rule) })
		if !slices.Contains(t.s.Ruled, at) {
			t.s.Ruled = append(t.s.Ruled, at)
			return t.follow(rule)
		}
		rules = t.agent.Settings.Rules[at+1:] // it has been followed: those after it may fit too
	}
	return false
}

func sameRule(a, b frontdesk.Rule) bool {
	return a.Do == b.Do && a.ServiceID == b.ServiceID && a.When.Topic == b.When.Topic && a.When.PartyOver == b.When.PartyOver &&
		a.When.From == b.When.From && a.When.To == b.When.To && slices.Equal(a.When.Words, b.When.Words) && slices.Equal(a.When.Days, b.When.Days)
}

// situation is what rules look at.
func (t talk) situation() frontdesk.Situation {
	s := frontdesk.Situation{At: t.now, Party: max(t.heard.Party, t.s.Task.Party), Topic: t.s.Reason}
	if m, ok := t.messages().reason(); ok {
		s.Topic = string(m.Topic)
	}
	said := language.Tokenize(t.heard.Text)
	s.Said = func(phrase string) bool { return contains(said, language.Tokenize(phrase)) }
	return s
}

// contains says whether words stand in others, one after the other. The last one
// may go on: "alergi" is in "alergia".
func contains(words, phrase []language.Token) bool {
	for i := 0; len(phrase) > 0 && i+len(phrase) <= len(words); i++ {
		found := true
		for n, p := range phrase {
			found = found && (words[i+n].Word == p.Word || n == len(phrase)-1 && strings.HasPrefix(words[i+n].Word, p.Word))
		}
		if found {
			return true
		}
	}
	return false
}

func (t talk) follow(rule frontdesk.Rule) bool {
	t.did("rule", map[string]any{"do": rule.Do}, nil)
	t.sayText(rule.Say[t.s.Lang])
	switch rule.Do {
	case frontdesk.DoMessage:
		m, ok := t.messages().reason()
		if !ok {
			m = hearing.Command{Topic: hearing.OtherTopic, Text: t.heard.Text}
		}
		if len(t.said) == 0 {
			t.messages().answerReason(m)
		}
		t.messages().beginTopic(m)
		t.values().takePerson()
		t.arrangement().next()
		return true
	case frontdesk.DoPerson:
		t.s.want(Human)
		t.handOff("handoff", whyRule)
		return true
	case frontdesk.DoBook:
		if t.s.Task.Kind != Book {
			t.arrangement().start(Book)
		}
		if rule.ServiceID != "" {
			t.s.Task.Service = rule.ServiceID
			t.heard.Services = nil
		}
		t.arrangement().arrange()
		return true
	}
	return false
}
