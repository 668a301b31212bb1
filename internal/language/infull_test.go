package language_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/language"
)

func TestInFull(t *testing.T) {
	t.Parallel()
	m := language.MixOf()
	for text, want := range map[string]string{
		"are you open nxt week":               "are you open next week",
		"abrís los fds?":                      "abrís los fin de semana?",
		"How much is a cut?":                  "How much is a cut?",
		"¿Cuánto cuesta teñirse, a las 4?":    "¿Cuánto cuesta teñirse, a las 4?",
		"":                                    "",
		"Ring me on +44 7700 900123, thanks.": "Ring me on +44 7700 900123, thanks.",
	} {
		if got := m.InFull(text); got != want {
			t.Errorf("%q\n got %q\nwant %q", text, got, want)
		}
	}
}
