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
