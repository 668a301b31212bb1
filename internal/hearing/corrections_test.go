package hearing_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/hearing"
)

// TestCorrectionsInOneBreath: what is said after a word that takes something back takes
// the place of the value of its kind, without a comma and with words in between.
func TestCorrectionsInOneBreath(t *testing.T) {
	t.Parallel()
	hears(t, restaurant, map[string]string{
		"there's five of us no wait with the baby six on saturday at nine pm":            "en book party=6 when=2026-03-07,21:00",
		"we're four oh hang on my brother's coming too five on saturday at nine pm":      "en book party=5 when=2026-03-07,21:00",
		"somos cuatro no esperá viene mi suegra cinco el sábado a las nueve de la noche": "es book party=5 when=2026-03-07,21:00",
		"somos seis aguanta el chico no viene cinco el sábado a las nueve de la noche":   "es book party=5 when=2026-03-07,21:00",
		"somos cuatro y necesitamos dos tronas el sábado a las nueve de la noche":        "es book party=4 when=2026-03-07,21:00",
	})
	hears(t, salon(hearing.Nothing, false), map[string]string{
		"a manicure on friday at ten am no i tell a lie my ferry doesn't get in till ten so half past eleven": "en book when=2026-03-06,11:30 service=unas",
		"un tinte el viernes a las diez, no, miento, la guardería no abre hasta las diez así que a las once":  "es book NO when=2026-03-06,11:00 service=color",
		"a manicure on friday at ten am because i finish at nine so there's time":                             "en book when=2026-03-06,10:00 service=unas",
	})
}

// TestNumbersTakenBack: the number that is said after the other was taken back is meant.
func TestNumbersTakenBack(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]string{
		"611 22 33 44... no, espera, ese es el de mi madre. El mío es 622 33 44 55.": "+34622334455",
		"611223344 no perdón 622334455":                                              "+34622334455",
		"611 22 33 44, ese es el viejo, el nuevo es 622 33 44 55":                    "+34622334455",
		"611223344 no hang on that's my work one, it's 622334455":                    "+34622334455",
		"611223344 sorry wrong one 622334455":                                        "+34622334455",
		"611 22 33, no, sorry, 622 33 44 55":                                         "+34622334455",
		"el 622 33 44 55, o si no el 611 22 33 44":                                   "+34622334455",
		"622334455 and my wife's is 611223344":                                       "+34622334455",
		"622 33 44 55, no wait, that's right":                                        "+34622334455",
	} {
		g := hearing.Hear(says, answering(hearing.SlotPhone)).Gist()
		if g.Phone != want || len(g.Messages) > 0 {
			t.Errorf("%q: number %q, messages %v, want %q", says, g.Phone, g.Messages, want)
		}
	}
}
