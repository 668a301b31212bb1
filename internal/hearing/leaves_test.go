package hearing_test

import (
	"slices"
	"testing"

	"frontdesk.dev/frontdesk/internal/hearing"
)

func TestWhoIsCalledAwayLeavesNoRemark(t *testing.T) {
	t.Parallel()
	for says, gone := range map[string]bool{
		"sorry, somebody's at the door, I'll ring you back": true,
		"my boss is calling, gotta go":                      true,
		"perdone, tengo que colgar que llaman al timbre":    true,
		"hang on, that's the door":                          false,
		"it's the house with the red door":                  false,
	} {
		got := hearing.Hear(says, answering(hearing.SlotPhone)).Gist()
		if slices.Contains(got.Intents, hearing.Goodbye) != gone || gone && len(got.Notes)+len(got.Asides) > 0 {
			t.Errorf("%q: intents %v, notes %q", says, got.Intents, slices.Concat(got.Notes, got.Asides))
		}
	}
}
