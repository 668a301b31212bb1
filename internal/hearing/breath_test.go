package hearing_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/hearing"
)

// answering is the restaurant after it has asked for a slot.
func answering(slot hearing.Slot) hearing.Setting {
	s := restaurant
	s.Expect, s.Booking = slot, true
	return s
}

// TestQuestionsInTheSameBreath: what is asked without a question mark beside an
// open slot is asked, and the fact before it is noted.
func TestQuestionsInTheSameBreath(t *testing.T) {
	t.Parallel()
	for says, want := range map[string][2]string{
		"my gran uses a walker is that ok":                       {"is that ok", "! my gran uses a walker"},
		"he's in a wheelchair is there a ramp":                   {"is there a ramp", "! he's in a wheelchair"},
		"mi tía va con andador hay problema con eso":             {"hay problema con eso", "! mi tía va con andador"},
		"hay rampa o no porque mi hermano va en silla de ruedas": {"hay rampa o no", "! mi hermano va en silla de ruedas"},
		"you do take dogs right":                                 {"you do take dogs right", ""},
		"are children allowed or not":                            {"are children allowed or not", ""},
		"am I supposed to bring anything":                        {"am I supposed to bring anything", ""},
		"que si aceptan perros":                                  {"aceptan perros", ""},
		"sigue disponible":                                       {"sigue disponible", ""},
		"no hay problema":                                        {"", ""},
		"that's ok":                                              {"", ""},
	} {
		g := hearing.Hear(says, answering(hearing.SlotTime)).Gist()
		if got := [2]string{g.Question, remarks(g)}; got != want {
			t.Errorf("%q\n got %q\nwant %q", says, got, want)
		}
	}
}

// TestQuestionsByTheOrderOfTheirWords: no mark and no pause tells them, and the
// question is no more than what asks.
func TestQuestionsByTheOrderOfTheirWords(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]string{
		"my lad starts the piano course soon what should he bring along":  "what should he bring along",
		"she's coming for her lashes does she have to stay long":          "does she have to stay long",
		"hold on before you do that are dogs allowed":                     "are dogs allowed",
		"wait do i gotta wear a helmet":                                   "do i gotta wear a helmet",
		"if it rains what happens":                                        "if it rains what happens",
		"the thing is it still leaks":                                     "",
		"as soon as you can i'm free all day":                             "",
		"the problem is she bites":                                        "",
		"tengo hora con vosotros y solo quería saber qué tengo que traer": "quería saber qué tengo que traer",
		"disculpe ustedes reparan pantallas":                              "ustedes reparan pantallas",
		"hola alquiláis bicis":                                            "alquiláis bicis",
		"espera mi marido puede entrar conmigo o no":                      "mi marido puede entrar conmigo o no",
		"oye y si nieva qué pasa":                                         "si nieva qué pasa",
		"el aparcamiento, ¿es gratis?":                                    "el aparcamiento, ¿es gratis?",
		"me da igual quién me lo haga":                                    "",
		"no me llaméis más":                                               "",
	} {
		if got := hearing.Hear(says, answering(hearing.SlotPhone)).Gist(); got.Question != want || want != "" && got.Waits {
			t.Errorf("%q\n got %q, waits %v\nwant %q", says, got.Question, got.Waits, want)
		}
	}
}

// TestWhatIsAskedToBeDoneIsNoted: a wish that only names a slot is none.
func TestWhatIsAskedToBeDoneIsNoted(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]string{
		"can the driver use the back lane":                  "! can the driver use the back lane",
		"podrían dejarme el paquete con la vecina":          "! podrían dejarme el paquete con la vecina",
		"could someone explain the price":                   "",
		"me podría dar a las cinco":                         "",
		"we bring our own cake can you note that":           "! we bring our own cake",
		"vamos con un mastín que es muy cariñoso, apúntelo": "! vamos con un mastín que es muy cariñoso",
		"que me lo haga rocío":                              "! me lo haga rocío",
	} {
		if got := remarks(hearing.Hear(says, answering(hearing.SlotName)).Gist()); got != want {
			t.Errorf("%q\n got %q\nwant %q", says, got, want)
		}
	}
}

// TestEmergenciesAsTheyAreTold: what has just happened, and not what happened
// long ago.
func TestEmergenciesAsTheyAreTold(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]bool{
		"her tooth came clean out at school":                         true,
		"she fell down the stairs and she can't move her head":       true,
		"my kitten has eaten a lily":                                 true,
		"the boiler's packed in and my nan is 91":                    true,
		"la caldera no enciende y mi padre tiene 85 años":            true,
		"está saliendo agua por debajo de la lavadora":               true,
		"tengo el pasillo encharcado":                                true,
		"a mi hijo se le salió un diente de un golpe":                true,
		"I had two teeth knocked out years ago":                      false,
		"de pequeña se me salió un diente":                           false,
		"the boiler's packed in, can someone come on Monday at nine": false,
		"is there a fire exit":                                       false,
	} {
		g := hearing.Hear(says, restaurant).Gist()
		if got := len(g.Messages) > 0 && g.Messages[0].Topic == hearing.Urgent; got != want {
			t.Errorf("%q is urgent: %v, want %v", says, got, want)
		}
	}
}

// TestWordsLeftForSomebody: they are messages with all of their text, and book
// nothing.
func TestWordsLeftForSomebody(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]string{
		"can I leave a message for Tom about the shed":                        "can I leave a message for Tom about the shed",
		"I don't want an appointment, tell Tom his van's here":                "I don't want an appointment, tell Tom his van's here",
		"no es para cita, es para dejarle un recado a Carmen":                 "no es para cita, es para dejarle un recado a Carmen",
		"quiero que le digan a Carmen que ya llegó el paquete":                "quiero que le digan a Carmen que ya llegó el paquete",
		"quiero una mesa mañana a las nueve y dígale al chef que soy celíaco": "",
	} {
		g := hearing.Hear(says, restaurant).Gist()
		got := ""
		if len(g.Messages) > 0 {
			got = g.Messages[0].Text
		}
		if got != want || want != "" && (g.Has(hearing.Book) || g.Name != "") {
			t.Errorf("%q\n got %q %s\nwant %q", says, got, written(g), want)
		}
	}
}

// TestPlainAnswers: a number that fits is a time, a read-back that is left as it
// is was agreed to, and who wants no booking drops it.
func TestPlainAnswers(t *testing.T) {
	t.Parallel()
	hears(t, answering(hearing.SlotTime), map[string]string{
		"eleven's fine":         "en when=11:00",
		"eleven would be grand": "en when=11:00",
		"ten people":            "en party=10",
		"no quiero reservar":    "es restart NO",
		"a las tres, ¿no?":      "es when=15:00",
	})
	hears(t, answering(hearing.SlotConfirm), map[string]string{
		"bueno, déjalo así":              "es YES",
		"leave it as it is":              "en YES",
		"déjelo":                         "- restart",
		"nothing else, yes that's right": "en goodbye YES",
	})
	hears(t, restaurant, map[string]string{
		"hi, is Tom there please":                "en human greet",
		"hola, ¿está Carmen?":                    "es human greet",
		"me comunica con Carmen":                 "es human",
		"no quiero reservar, ¿a qué hora abren?": "es ask asks=¿a qué hora abren?",
	})
}
