package conversation

import "frontdesk.dev/frontdesk/internal/lexicon"

// keyWords are long words that much hangs on and that callers often mistype.
var keyWords = []string{
	"appointment", "appointments", "available", "availability", "reservation", "restaurant", "reschedule", "tomorrow",
	"anything", "disponible", "disponibilidad", "reservar", "cancelar", "quisiera", "dentist", "therapist", "psychologist",
}

// respelled is the word that a mistyped one was meant to be, or the word itself.
func respelled(w string) string {
	if len(w) < 7 || len(w) > 16 || lexicon.Grammar(lexicon.Spanish, w) || lexicon.Grammar(lexicon.English, w) {
		return w
	}
	for _, key := range keyWords {
		most := 1
		if len(key) >= 9 {
			most = 2
		}
		if w == key {
			return w
		}
		if w[0] == key[0] && len(w)-len(key) <= most && len(key)-len(w) <= most && w[len(w)-1] != 's' && lexicon.Distance(w, key) <= most && !inflected(w, key) {
			return key
		}
	}
	return w
}

// inflected says whether two words differ only in their endings, so that the
// first may be another form and no slip: "reservas" beside "reservar".
func inflected(w, key string) bool {
	n := min(len(w), len(key)) - 2
	return n > 0 && w[:n] == key[:n]
}
