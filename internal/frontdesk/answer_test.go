package frontdesk_test

import (
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

func TestWhatTheReceptionistSays(t *testing.T) {
	t.Parallel()
	spanish := frontdesk.Answer{Answered: true, Text: "Abrimos a las nueve.", Language: "es"}
	english := frontdesk.Answer{Answered: true, Text: "We open at nine.", Language: "en"}
	row := frontdesk.Answer{Answered: true, Text: "El precio de corte es 12 euros.", Language: "es", Worded: map[string]string{"es": "El precio de corte es 12 euros.", "en": "Corte is 12 euros."}}
	led := frontdesk.Answer{Answered: true, Text: "Sí, en el patio.", Language: "es", Leads: map[string]string{"en": "Yes."}}
	unknown := frontdesk.Answer{Answered: true, Text: "9–17"}
	tests := map[string]struct {
		answer   frontdesk.Answer
		language string
		want     string
	}{
		"in Spanish, as it stands there":         {spanish, "es", "Abrimos a las nueve."},
		"in English, as it stands there":         {english, "en", "We open at nine."},
		"to a Spaniard from English":             {english, "es", "Según nuestra información, en inglés: We open at nine."},
		"to an Englishman from Spanish":          {spanish, "en", "Our information, in Spanish, says: Abrimos a las nueve."},
		"of no language, to a Spaniard":          {unknown, "es", "9–17"},
		"of no language, to an Englishman":       {unknown, "en", "9–17"},
		"a row, to a Spaniard":                   {row, "es", "El precio de corte es 12 euros."},
		"a row, to an Englishman":                {row, "en", "Corte is 12 euros."},
		"an unlikely row":                        {frontdesk.Answer{Worded: map[string]string{"en": "secret"}}, "en", "I don't have"},
		"a yes before what is quoted":            {led, "en", "Yes. Our information, in Spanish, says: Sí, en el patio."},
		"no yes where nothing is quoted":         {led, "es", "Sí, en el patio."},
		"in a language that is not spoken":       {english, "fr", "We open at nine."},
		"no answer, in Spanish":                  {frontdesk.Answer{}, "es", "No tengo esa información. ¿Quiere dejar su teléfono para que le llamen?"},
		"no answer, in English":                  {frontdesk.Answer{}, "en", "I don't have that information. Would you like to leave your number so that someone calls you back?"},
		"an unlikely one is never said, Spanish": {frontdesk.Answer{Text: "secret", Language: "en"}, "es", "No tengo"},
		"an unlikely one is never said, English": {frontdesk.Answer{Text: "secret", Language: "es"}, "en", "I don't have"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tt.answer.Say(tt.language); !strings.HasPrefix(got, tt.want) || strings.Contains(got, "secret") {
				t.Errorf("got %q", got)
			}
		})
	}
}
