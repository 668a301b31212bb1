package wire_test

import (
	"errors"
	"reflect"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/wire"
)

func TestDecodeRules(t *testing.T) {
	t.Parallel()
	got, err := wire.DecodeRules([]byte(`[
		{"when": {"topic": "complaint", "words": ["queja"], "party_over": 12, "from": "20:00", "to": "24:00", "days": [0, 6]}, "do": "person"},
		{"when": {}, "do": "say", "say": {"es": "Hola", "en": "Hi"}},
		{"do": "book", "service_id": "urgencia"}]`))
	want := frontdesk.Rules{
		{When: frontdesk.RuleWhen{Topic: "complaint", Words: []string{"queja"}, PartyOver: 12, From: "20:00", To: "24:00", Days: []int{0, 6}}, Do: "person"},
		{Do: "say", Say: map[string]string{"es": "Hola", "en": "Hi"}},
		{Do: "book", ServiceID: "urgencia"},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestRulesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, param, code string }{
		"an object":              {`{}`, "rules", "parameter_invalid"},
		"a word":                 {`["x"]`, "rules[0]", "parameter_invalid"},
		"an unknown field":       {`[{"do": "say"}, {"does": "say"}]`, "rules[1].does", "parameter_unknown"},
		"an unknown condition":   {`[{"when": {"weather": "rain"}}]`, "rules[0].when.weather", "parameter_unknown"},
		"a party that is a word": {`[{"when": {"party_over": "ten"}}]`, "rules[0].when.party_over", "parameter_invalid"},
		"a day that is a word":   {`[{"when": {"days": [0, "monday"]}}]`, "rules[0].when.days[1]", "parameter_invalid"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := wire.DecodeRules([]byte(tt.text))
			var known *frontdesk.Error
			if !errors.As(err, &known) || known.Param != tt.param || known.Code != tt.code {
				t.Errorf("got %v", err)
			}
		})
	}
	if _, err := wire.DecodeRules([]byte(`[`)); err == nil {
		t.Error("half a list was read")
	}
}
