package hearing_test

import (
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
)

func BenchmarkHear(b *testing.B) {
	sentences := []string{
		"hola, buenas tardes, quería reservar una mesa para cuatro el sábado a las nueve y media a nombre de Ana García",
		"Yes, that's right. What's your phone number?",
		"my number is six double oh one two three four five six",
		"mejor el jueves",
	}
	s := hearing.Setting{Now: hearNow, Language: "es", Region: "ES", Trade: frontdesk.TradeOf("restaurant"), Booking: true}
	hearing.Hear(sentences[0], s).Gist() // the words are read once
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		hearing.Hear(sentences[i%len(sentences)], s).Gist()
	}
}

// BenchmarkHearLongest is the dearest that anybody can make it: as many words as
// are listened to, of the kinds that phrases are made of.
func BenchmarkHearLongest(b *testing.B) {
	for _, text := range []string{"eh ", "quiero ", "can you ", "si no ", "7 ", "me llamo ", "¿"} {
		b.Run(text, func(b *testing.B) {
			s := hearing.Setting{Now: hearNow, Language: "es", Region: "ES", Trade: frontdesk.TradeOf("restaurant"), Booking: true}
			for b.Loop() {
				hearing.Hear(strings.Repeat(text, 1000/len(text)), s).Gist()
			}
		})
	}
}
