package hearing_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/hearing"
)

// Who has to ask somebody at home does not ask for somebody here.
func TestWhoIsToBeSpokenTo(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"I want to talk to my partner before I decide": false,
		"I'd need to speak to my mother first":         false,
		"I'd like to speak to the manager":             true,
		"I want to talk to somebody":                   true,
		"quiero hablar con una persona":                true,
	} {
		if got := hearing.Hear(text, booking(hearing.Nothing)).Gist().Has(hearing.Human); got != want {
			t.Errorf("%q asks for a person: %v", text, got)
		}
	}
}
