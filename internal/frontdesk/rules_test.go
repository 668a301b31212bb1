package frontdesk_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestTheFirstRuleThatFits(t *testing.T) {
	t.Parallel()
	rule := func(do string, when frontdesk.RuleWhen) frontdesk.Rule { return frontdesk.Rule{Do: do, When: when} }
	rules := frontdesk.Rules{
		rule("person", frontdesk.RuleWhen{Topic: "complaint"}),
		rule("book", frontdesk.RuleWhen{Words: []string{"dolor", "me duele"}}),
		rule("message", frontdesk.RuleWhen{PartyOver: 12}),
		rule("say", frontdesk.RuleWhen{From: "22:00", To: "06:00", Days: []int{4}}),
	}
	tuesday := time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC)
	friday := time.Date(2026, 11, 20, 22, 0, 0, 0, time.UTC)
	said := func(text string) func(string) bool {
		return func(phrase string) bool { return strings.Contains(text, phrase) }
	}
	tests := map[string]struct {
		s    frontdesk.Situation
		want string // "": none
	}{
		"nothing is so":                  {frontdesk.Situation{At: tuesday}, ""},
		"the topic":                      {frontdesk.Situation{At: tuesday, Topic: "complaint"}, "person"},
		"another topic":                  {frontdesk.Situation{At: tuesday, Topic: "invoice"}, ""},
		"one of the words":               {frontdesk.Situation{At: tuesday, Said: said("es que me duele")}, "book"},
		"the first of two":               {frontdesk.Situation{At: tuesday, Topic: "complaint", Said: said("dolor")}, "person"},
		"other words":                    {frontdesk.Situation{At: tuesday, Said: said("una mesa")}, ""},
		"as many as are allowed":         {frontdesk.Situation{At: tuesday, Party: 12}, ""},
		"one more":                       {frontdesk.Situation{At: tuesday, Party: 13}, "message"},
		"the hour and the day":           {frontdesk.Situation{At: friday}, "say"},
		"before the hour":                {frontdesk.Situation{At: friday.Add(-time.Minute)}, ""},
		"the night that began on Friday": {frontdesk.Situation{At: friday.Add(7 * time.Hour)}, "say"},
		"its end":                        {frontdesk.Situation{At: friday.Add(8 * time.Hour)}, ""},
		"the night before":               {frontdesk.Situation{At: friday.Add(-20 * time.Hour)}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := rules.First(tt.s)
			if got.Do != tt.want || ok != (tt.want != "") {
				t.Errorf("got %q, %v, want %q", got.Do, ok, tt.want)
			}
		})
	}
	if _, ok := (frontdesk.Rules{rule("message", frontdesk.RuleWhen{})}).First(frontdesk.Situation{At: tuesday}); !ok {
		t.Error("a rule without a condition does not fit")
	}
	only := frontdesk.Rules{rule("say", frontdesk.RuleWhen{From: "20:00"}), rule("person", frontdesk.RuleWhen{To: "09:00"})}
	for hour, want := range map[int]string{8: "person", 9: "", 19: "", 20: "say", 23: "say"} {
		if got, _ := only.First(frontdesk.Situation{At: time.Date(2026, 11, 17, hour, 0, 0, 0, time.UTC)}); got.Do != want {
			t.Errorf("at %d: got %q, want %q", hour, got.Do, want)
		}
	}
}

func TestWhatRulesCannotBe(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1001)
	when := func(w frontdesk.RuleWhen) frontdesk.Rules { return frontdesk.Rules{{Do: "message", When: w}} }
	tests := map[string]struct {
		rules frontdesk.Rules
		param string // "": they are fine
	}{
		"none":                        {nil, ""},
		"all at once":                 {frontdesk.Rules{{Do: "book", ServiceID: "a", Say: map[string]string{"es": "x"}, When: frontdesk.RuleWhen{Topic: "urgent", Words: []string{"dolor"}, PartyOver: 3, From: "00:00", To: "24:00", Days: []int{0, 6}}}}, ""},
		"to book what is chosen":      {frontdesk.Rules{{Do: "book"}}, ""},
		"too many":                    {slices.Repeat(frontdesk.Rules{{Do: "message"}}, 101), "rules"},
		"nothing to do":               {frontdesk.Rules{{Do: "message"}, {}}, "rules[1].do"},
		"something else to do":        {frontdesk.Rules{{Do: "dance"}}, "rules[0].do"},
		"a service of a message":      {frontdesk.Rules{{Do: "message", ServiceID: "a"}}, "rules[0].service_id"},
		"a long service":              {frontdesk.Rules{{Do: "book", ServiceID: long}}, "rules[0].service_id"},
		"nothing to say":              {frontdesk.Rules{{Do: "say"}}, "rules[0].say"},
		"to say it in Welsh":          {frontdesk.Rules{{Do: "say", Say: map[string]string{"cy": "x"}}}, "rules[0].say"},
		"to say a blank":              {frontdesk.Rules{{Do: "say", Say: map[string]string{"es": " "}}}, "rules[0].say.es"},
		"to say much":                 {frontdesk.Rules{{Do: "say", Say: map[string]string{"en": long}}}, "rules[0].say.en"},
		"a long topic":                {when(frontdesk.RuleWhen{Topic: long}), "rules[0].when.topic"},
		"a blank word":                {when(frontdesk.RuleWhen{Words: []string{"a", ""}}), "rules[0].when.words[1]"},
		"many words":                  {when(frontdesk.RuleWhen{Words: slices.Repeat([]string{"a"}, 51)}), "rules[0].when.words"},
		"a party of less than nobody": {when(frontdesk.RuleWhen{PartyOver: -1}), "rules[0].when.party_over"},
		"an hour without its minutes": {when(frontdesk.RuleWhen{From: "9"}), "rules[0].when.from"},
		"an hour of one figure":       {when(frontdesk.RuleWhen{From: "9:30"}), "rules[0].when.from"},
		"an hour that is none":        {when(frontdesk.RuleWhen{To: "25:00"}), "rules[0].when.to"},
		"from the end of the day":     {when(frontdesk.RuleWhen{From: "24:00"}), "rules[0].when.from"},
		"an eighth day":               {when(frontdesk.RuleWhen{Days: []int{7}}), "rules[0].when.days[0]"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := frontdesk.AgentSettings{Rules: tt.rules}.Check()
			var known *frontdesk.Error
			if tt.param == "" && err == nil || errors.As(err, &known) && known.Param == tt.param {
				return
			}
			t.Errorf("got %v, want a fault at %q", err, tt.param)
		})
	}
}
