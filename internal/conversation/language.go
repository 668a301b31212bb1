package conversation

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/lexicon"
)

// languageOf tells the language of an utterance, "" when its words do not tell.
// One clear word is enough ("mañana", "tomorrow"); names, numbers and words of
// both languages ("no", "ok", "taxi") tell nothing.
func languageOf(u utterance) string {
	if isBareName(u.words) {
		return ""
	}
	es, en := 0, 0
	if strings.ContainsAny(u.text, "¿¡") {
		es = 4
	}
	for i, w := range u.words {
		if isFigures(w.fold) || isNumberWord(w.fold) || w.capital && !startsSentence(u.words, i) && !telling(w.fold) {
			continue
		}
		s, e := leaning(w)
		es, en = es+s, en+e
	}
	switch {
	case es > en && es >= 2:
		return lexicon.Spanish
	case en > es && en >= 2:
		return lexicon.English
	}
	return ""
}

// isBareName says whether nothing but capitalised words and figures were said:
// whatever language they are words of, they name somebody.
func isBareName(words []word) bool {
	const most = 5
	names := 0
	for _, w := range words {
		switch {
		case isFigures(w.fold):
		case !w.capital || names == 0 && telling(w.fold):
			return false
		default:
			names++
		}
	}
	return names > 1 && names <= most
}

func startsSentence(words []word, i int) bool {
	return i == 0 || words[i-1].sentence != words[i].sentence
}

func isNumberWord(w string) bool {
	_, ok := smallNumbers[w]
	return ok || digitWords[w] != ""
}

// leaning is how much one word speaks for each language.
func leaning(w word) (es, en int) {
	switch {
	case neutral[w.fold] || len(w.fold) == 1 && w.fold != "i":
		return 0, 0
	case spanishOnly[w.fold]:
		return 4, 0
	case englishOnly[w.fold]:
		return 0, 4
	}
	s, e := weight(lexicon.Spanish, w.fold), weight(lexicon.English, w.fold)
	if s > 0 && e > 0 {
		return 0, 0
	}
	return s, e
}

func weight(lang, w string) int {
	switch {
	case lexicon.Grammar(lang, w), lexicon.Manners(lang, w):
		return 3
	case lexicon.Words().Knows(lexicon.Entry{Lang: lang, Stems: lexicon.Stem(lang, w)}):
		return 1
	}
	return 0
}

func telling(w string) bool { return spanishOnly[w] || englishOnly[w] }

var neutral = setOf(`hmm hm mm mmm mhm uhhuh uh umm ah oh er no ok okay okey a me he has son sin taxi hotel wifi email parking pizza menu super taco sushi bar
	pm am eh um y o e la as van come mar sea red actual once tan den pie`)

var spanishOnly = setOf(`si vale gracias manana hoy lunes martes miercoles jueves viernes sabado domingo enero febrero marzo
	abril mayo junio julio agosto septiembre octubre noviembre diciembre tarde tardes noche noches hola adios perfecto
	claro correcto mesa mesas cita reserva reservar hora horario personas persona quiero queria quisiera gustaria
	necesito buenas buenos buenosdias buenastardes buenasnoches porfavor deacuerdo osea porcierto mejor prefiero el
	los las una del al con para por que cual cuando donde como cuanto cuanta tengo tiene tienen hay es esta soy somos
	llamo nombre telefono mi mis primera segunda tercera ultima primero segundo ultimo luego mediodia pasado semana
	venga genial estupendo cancelar anular cambiar perdon nada todo eso esa ese esto ninguno ninguna pues exacto
	digame vete mierda dejalo olvidelo olvidalo confirmo dale aja sip espera usted nosotros euros cuarto media menos pero tambien ademas igual puede puedo podria`)

var englishOnly = setOf(`yes yeah yep yup nope thanks thank please tomorrow today tonight monday tuesday wednesday thursday
	friday saturday sunday january february march april may june july august september october november december
	morning afternoon evening night hello hi bye goodbye perfect sure table appointment booking reservation book reserve
	the and for with what when where how which who is are do does have i want need would could my name phone number
	people person first second third last one later earlier noon midday half quarter past oclock week next sounds good
	great fine right correct works cancel change move nothing everything all that thats this it its im id ill of course
	you your we our nevermind alright at on to`)
