package bench

import (
	"testing"
	"time"
)

// unknown are questions that nothing at the demo's answers: all places are looked
// through for each.
var unknown = map[string][]string{
	"es": {
		"¿Tenéis sitio para guardar una tabla de surf?",
		"Una cosa, ¿y si quisiera grabar un vídeo mientras espero, me dejaríais?",
		"¿Me podrías decir quién pintó el cuadro de la entrada?",
		"Mi cuñada me ha contado que teníais un acuario, ¿lo seguís teniendo?",
	},
	"en": {
		"Do you have anywhere to keep a surfboard?",
		"One more thing, if I wanted to film while I wait, would you let me?",
		"Could you tell me who painted the picture in the hall?",
		"My sister in law says you used to have an aquarium, have you still got it?",
	},
}

// BenchmarkUnanswered asks the demo's receptionists, one after another, what they
// do not know.
func BenchmarkUnanswered(b *testing.B) {
	const rounds = 40
	binary := build(b)
	eachDatabase(b, func(b *testing.B, database string) {
		h := newHotel(b, binary, database)
		before := h.cpu(b)
		var took []time.Duration
		for i := range rounds * len(plays) {
			c := &caller{conn: h.dial(b), play: plays[i%len(plays)]}
			check(b, c.begin())
			for _, question := range unknown[c.play.language] {
				began := time.Now()
				check(b, c.say(question))
				took = append(took, time.Since(began))
			}
			c.Close()
		}
		report(b, took)
		b.ReportMetric(micros((h.cpu(b)-before)/time.Duration(len(took))), "cpu-µs/msg")
	})
}
