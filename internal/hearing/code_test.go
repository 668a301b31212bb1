package hearing_test

import (
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
)

// TestOurOwnCodesAreHeard: whatever code we give out, we understand it when it
// is said to us.
func TestOurOwnCodesAreHeard(t *testing.T) {
	t.Parallel()
	asked := hearing.Setting{Now: time.Now(), Language: "es", Expect: hearing.SlotCode, Trade: frontdesk.TradeOf("clinic"), Region: "ES"}
	for range 500 {
		code := frontdesk.NewConfirmationCode()
		for _, text := range []string{code, "es el " + code, "my code is " + code, "my code is " + code + ", when is it?"} {
			if h := hearing.Hear(text, asked).Gist(); h.Code != code {
				t.Errorf("%q is heard as %q", text, h.Code)
			}
		}
		free := asked
		free.Expect = hearing.Nothing
		for _, text := range []string{"cancel " + code, "mi código es " + code} {
			if h := hearing.Hear(text, free).Gist(); h.Code != code {
				t.Errorf("%q, unasked, is heard as %q", text, h.Code)
			}
		}
	}
}

// TestACodeSaysNothingElse: its letters and figures are no words.
func TestACodeSaysNothingElse(t *testing.T) {
	t.Parallel()
	hears(t, booking(hearing.SlotConfirm), map[string]string{
		"the code is HMW7TY": "en code=HMW7TY",
		"the code is HE97FR": "en code=HE97FR",
		"the code is 3DA6H6": "en code=3DA6H6",
		"the code is C7D3RD": "en code=C7D3RD",
	})
}
