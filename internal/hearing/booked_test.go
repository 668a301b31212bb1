package hearing_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/hearing"
)

// TestHearOfTheBookingMade: what is said of the appointment that was just made,
// and what is not.
func TestHearOfTheBookingMade(t *testing.T) {
	t.Parallel()
	booked := restaurant
	booked.Booked = true
	hears(t, booked, map[string]string{
		"muévela al miércoles":               "es reschedule when=2026-03-11",
		"cámbiela al jueves":                 "es reschedule when=2026-03-05",
		"cámbiamela":                         "- reschedule",
		"pásala a las seis":                  "es reschedule when=06:00?,18:00?",
		"aplázala":                           "- reschedule",
		"adelántala":                         "- reschedule",
		"¿la puedes mover al viernes?":       "es reschedule when=2026-03-06",
		"mejor el viernes":                   "es reschedule when=2026-03-06",
		"can we do Wednesday instead":        "en reschedule when=2026-03-11",
		"could we do 6 instead":              "en reschedule when=06:00?,18:00?",
		"change it to 6":                     "en reschedule when=06:00?,18:00?",
		"let's move it to Friday":            "en reschedule when=2026-03-06",
		"make it Friday instead":             "en reschedule when=2026-03-06",
		"actually, Thursday would be better": "en reschedule when=2026-03-05",
		"bórrala":                            "- cancel",
		"anúlala":                            "- cancel",
		"cancélala":                          "- cancel",
		"quítala":                            "- cancel",
		"ya no voy":                          "es cancel",
		"cancel it":                          "en cancel",
		"scrap it":                           "en cancel",
		"call it off":                        "en cancel",
		"quiero otra mesa para el viernes":   "es book when=2026-03-06",
		"book another one for Friday":        "en book when=2026-03-06",
		"are you open on Friday instead?":    "en ask when=2026-03-06 asks=are you open on Friday instead?",
		"gracias, hasta el viernes":          "es goodbye thanks",
		"¿cómo puedo cancelarla sin penalización?": "es ask asks=¿cómo puedo cancelarla sin penalización?",
	})
	hears(t, restaurant, map[string]string{
		"muévela al miércoles": "es when=2026-03-11",
		"cámbiamela":           "-",
		"bórrala":              "-",
	})
	hears(t, booking(hearing.SlotConfirm), map[string]string{
		"muévela al miércoles":    "es book NO when=2026-03-11",
		"could we do 6 instead":   "en book NO when=06:00?,18:00?",
		"let's move it to Friday": "en book NO when=2026-03-06",
		"cancel it":               "en restart",
		"scrap it":                "en restart",
	})
}

// TestHearWhatIsAllowed: leave to do something is asked for, not a table.
func TestHearWhatIsAllowed(t *testing.T) {
	t.Parallel()
	s := restaurant
	s.Catalogue = reading(`[
		{"id": "sala", "name": "Mesa en sala", "name_en": "Table indoors"},
		{"id": "terraza", "name": "Mesa en terraza", "name_en": "Table on the terrace", "aliases": ["terraza", "terrace"]}
	]`, "", "")
	hears(t, s, map[string]string{
		"¿Se puede ir con perro?":                      "es ask asks=¿Se puede ir con perro?",
		"¿Se puede fumar en la terraza?":               "es ask service=terraza asks=¿Se puede fumar en la terraza?",
		"¿puedo ir con mi perro?":                      "es ask asks=¿puedo ir con mi perro?",
		"¿podemos comer en la terraza?":                "es ask service=terraza asks=¿podemos comer en la terraza?",
		"se puede pagar con tarjeta":                   "es ask asks=se puede pagar con tarjeta",
		"can I smoke on the terrace?":                  "en ask service=terraza asks=can I smoke on the terrace?",
		"can we bring our dog?":                        "en ask asks=can we bring our dog?",
		"can I sit on the terrace?":                    "en ask service=terraza asks=can I sit on the terrace?",
		"can we sit on the terrace on Friday at nine?": "en book when=2026-03-06,09:00?,21:00? service=terraza",
		"¿podemos ir cuatro personas?":                 "es book party=4",
		"¿puedo ir mañana a las diez?":                 "es book when=2026-03-05,10:00",
		"¿puedo ir?":                                   "es book",
		"¿se puede cenar en la terraza el viernes?":    "es book when=2026-03-06 service=terraza",
		"¿puedo reservar en la terraza?":               "es book service=terraza",
		"can I get something on the terrace?":          "en book service=terraza",
	})
	hears(t, salon("", false), map[string]string{
		"can I have a manicure?":         "en book service=unas",
		"could I come in for a haircut?": "en book service=corte",
		"¿puedo hacerme la manicura?":    "es book service=unas",
	})
}
