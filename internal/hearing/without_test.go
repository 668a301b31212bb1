package hearing_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/hearing"
)

func TestWithout(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, question, want string }{
		"a question at the end":              {"I need a key cut how long does it take", "how long does it take", "I need a key cut"},
		"a question in two places":           {"what does, I mean for a big dog, it cost", "what does it cost", ", I mean for a big dog,"},
		"nothing is left of a question":      {"are you open", "are you open", ""},
		"what was not said takes away none":  {"a table please", "parking", "a table please"},
		"and an empty question nothing else": {"a table please", "", "a table please"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := hearing.Without(tt.text, tt.question); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
