package conversation_test

import (
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/conversation"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// TestOurOwnCodesAreHeard: whatever code we give out, we understand it when it
// is said to us.
func TestOurOwnCodesAreHeard(t *testing.T) {
	t.Parallel()
	asked := conversation.Setting{Now: time.Now(), Language: "es", Expect: conversation.SlotCode, Vertical: "clinic", Region: "ES"}
	for range 500 {
		code := frontdesk.NewConfirmationCode()
		for _, text := range []string{code, "es el " + code, "my code is " + code, "my code is " + code + ", when is it?"} {
			if h := conversation.Hear(text, asked); h.Code != code {
				t.Errorf("%q is heard as %q", text, h.Code)
			}
		}
		free := asked
		free.Expect = conversation.Nothing
		for _, text := range []string{"cancel " + code, "mi código es " + code} {
			if h := conversation.Hear(text, free); h.Code != code {
				t.Errorf("%q, unasked, is heard as %q", text, h.Code)
			}
		}
	}
}
