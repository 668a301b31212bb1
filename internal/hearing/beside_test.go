package hearing_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/hearing"
)

// TestWhatIsToldBesideAWish: who asks for a place on a day books, whatever they tell or
// want told beside it; who asks for none leaves a message.
func TestWhatIsToldBesideAWish(t *testing.T) {
	t.Parallel()
	seats, treats := restaurant, salon(hearing.Nothing, false)
	for says, want := range map[string]struct {
		in      hearing.Setting
		message hearing.Topic
	}{
		"we'd like a table on Sunday for three, tell the chef my dad is coeliac, about half past one":       {seats, ""},
		"dinner for four on saturday, let the chef know one of us can't have nuts, around eight":            {seats, ""},
		"para el domingo somos cinco, dígale al mesero que va mi abuela en silla de ruedas, a las dos":      {seats, ""},
		"el sábado somos siete y avisale al parrillero que hay dos vegetarianos, a las nueve y media":       {seats, ""},
		"my train doesn't get in before eleven so could I come for a manicure on Friday at half past":       {treats, ""},
		"no puedo llegar antes de las seis, quería un tinte el viernes a las seis y media":                  {treats, ""},
		"my bus doesn't get in before two so could I come for a manicure on Saturday at three":              {treats, ""},
		"the colour you did has come out patchy again, could I come in on Thursday at four":                 {treats, ""},
		"dile a Marcos que el pescado llega el viernes a las ocho":                                          {seats, hearing.OtherTopic},
		"we were six on Friday at eight and the soup was cold, nobody apologised":                           {seats, hearing.Complaint},
		"I'm on my way for my manicure but the bus hasn't come, I'll be ten minutes late":                   {treats, hearing.RunningLate},
		"I have an appointment tomorrow at ten for a manicure but I won't get there till half past, sorry":  {treats, hearing.RunningLate},
		"what you did to my hair on Saturday is a disgrace and I want somebody to put it right, no excuses": {treats, hearing.Complaint},
	} {
		g := hearing.Hear(says, want.in).Gist()
		var got hearing.Topic
		if len(g.Messages) > 0 {
			got = g.Messages[0].Topic
		}
		if got != want.message || want.message == "" && !g.Has(hearing.Book) {
			t.Errorf("%q: message %q, want %q; intents %v", says, got, want.message, g.Intents)
		}
	}
}
