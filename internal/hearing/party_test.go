package hearing_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/hearing"
)

// TestHearParty: how many people, asked for and told unasked.
func TestHearParty(t *testing.T) {
	t.Parallel()
	hears(t, booking(hearing.SlotPartySize), map[string]string{
		"cuatro":                     "- party=4",
		"4":                          "- party=4",
		"somos 5":                    "es party=5",
		"seremos seis":               "es party=6",
		"para dos":                   "es party=2",
		"dos personas":               "es party=2",
		"we'll be 5":                 "en party=5",
		"there's four of us":         "en party=4",
		"just me":                    "- party=1",
		"solo yo":                    "es party=1",
		"una":                        "- party=1",
		"uno":                        "- party=1",
		"my wife and I":              "en party=2",
		"mi mujer y yo":              "es party=2",
		"me and three friends":       "en party=4",
		"mis dos hijos y yo":         "es party=3",
		"dos adultos y un niño":      "es party=3",
		"cuatro adultos y dos niños": "es party=6",
		"just us two":                "en party=2",
		"los dos":                    "es party=2",
		"nosotros cuatro":            "es party=4",
		"a party of six":             "en party=6",
		"a group of 12":              "en party=12",
		"treinta y cinco":            "- party=35",
		"twenty five":                "- party=25",
		"four, no, five":             "- NO party=5",
		"unos ocho":                  "es party=8",
		"about ten":                  "en party=10",
		"una persona":                "es party=1",
		"para mi pareja y para mí":   "es party=2",
		"a las cuatro":               "es when=16:00",
		"six":                        "- party=6",
		"dos a las nueve":            "es book party=2 when=09:00?,21:00?",
		"no lo sé todavía":           "es unknown",
		"4 people at 8 pm":           "en book party=4 when=20:00",
		"for one":                    "en party=1",
		"dos parejas":                "- party=4",
		"a couple":                   "- party=2",
		"para mí solo":               "es party=1",
		"my two kids and me":         "en party=3",
	})
	hears(t, restaurant, map[string]string{
		"table for 4":                                    "en book party=4",
		"for 4":                                          "en party=4",
		"una mesa para cuatro":                           "es book party=4",
		"mesa para 2 mañana":                             "es book party=2 when=2026-03-05",
		"table for 2 at half past 11":                    "en book party=2 when=11:30",
		"table for two on the 5th":                       "en book party=2 when=2026-03-05",
		"a table for two people and a baby":              "en book party=3",
		"quiero reservar para tres":                      "es book party=3",
		"reserva para 6 personas el viernes a las 21:00": "es book party=6 when=2026-03-06,21:00",
		"la calle Mayor 4":                               "-",
		"vivo en el número 12":                           "es",
		"quiero dos horas":                               "es",
		"3 nights":                                       "-",
		"dos croquetas":                                  "-",
		"a las 4":                                        "es when=16:00",
		"at 4":                                           "en when=16:00",
		"for 4 pm":                                       "en when=16:00",
		"para las 4":                                     "es when=16:00",
		"para el 4":                                      "es when=2026-03-04",
		"para el 4 de abril":                             "es when=2026-04-04",
		"con un niño":                                    "es",
		"tengo dos citas":                                "es",
		"I need a table for tomorrow, it's for me and my wife": "en book party=2 when=2026-03-05",
		"mi teléfono es 600 123 456 y somos 3":                 "es party=3 phone=+34600123456",
		"they have 2 locations?":                               "en ask asks=they have 2 locations?",
		"una mesa de 10":                                       "es book party=10",
		"is there space for 8?":                                "en book party=8",
		"room for three?":                                      "en book party=3",
		"iremos cuatro":                                        "- party=4",
		"vamos cinco a cenar":                                  "es book party=5 when=",
		"can you seat 9":                                       "en book party=9",
		"table for one":                                        "en book party=1",
		"somos cinco":                                          "es party=5",
		"para dos personas":                                    "es party=2",
		"mesa de cuatro":                                       "es book party=4",
		"iremos mi mujer y yo":                                 "es party=2",
		"vamos a ser ocho":                                     "es party=8",
		"seremos 3 adultos y 2 niños":                          "es party=5",
		"una mesa para uno":                                    "es book party=1",
		"for 4 at 8":                                           "en book party=4 when=08:00?,20:00?",
		"reserve for two":                                      "en book party=2",
		"we are a party of six":                                "en party=6",
		"there will be 7 of us":                                "en party=7",
		"it's just me":                                         "en party=1",
		"calle Mayor 4":                                        "-",
	})
}

// TestHearCorrectedParty: the last number of people counts, and those who are joined to
// others are added to them.
func TestHearCorrectedParty(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string]int{
		"table for three, oh hold on, Ruth's bringing her flatmate, so that's four": 4,
		"there's six of us no hang on seven because my cousin is flying in":         7,
		"it was five of us but my uncle's driving up so it's six":                   6,

		"seven people sorry eight":                               8,
		"mesa para ocho, espera, que se apunta Nuria, nueve":     9,
		"éramos tres pero se ha sumado un vecino así que cuatro": 4,
		"mesa para cinco no perdón al final seis":                6,
		"cinco personas, perdón, seis personas":                  6,
		"three grown-ups, a teenager and a toddler":              5,
		"there's three of us adults and the two wee ones":        5,
		"we're three plus the grandparents":                      5,
		"my nan, my sister and me":                               3,
		"mi suegra, mi hijo y yo":                                3,
		"un matrimonio y tres chavales":                          5,
		"somos tres y los suegros":                               5,
		"somos tres más un bebé":                                 4,
		"table for three and my sister is vegan":                 3,
		"mesa para tres y mi hermana es celíaca":                 3,
		"somos ocho así que dos mesas juntas nos valen":          8,
		"six of us counting the two kids":                        6,
		"seríamos cinco y un perro":                              5,
		"two of us are vegetarian":                               0,
		"dos de nosotros son celíacos":                           0,
		"one of us is allergic to nuts":                          0,
	} {
		if got := hearing.Hear(sentence, restaurant).Gist().Party; got != want {
			t.Errorf("%q: %d people, want %d", sentence, got, want)
		}
	}
}
