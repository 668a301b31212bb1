package hearing_test

import "testing"

// TestHearLanguage: the language of short sentences, and of none.
func TestHearLanguage(t *testing.T) {
	t.Parallel()
	hears(t, restaurant, map[string]string{
		"ok":                               "- YES",
		"Ana García":                       "-",
		"Gwen Dale":                        "-",
		"Rosa Blanco":                      "-",
		"Grace Field, 600 123 456":         "- name=Grace Field phone=+34600123456",
		"17:30":                            "- when=17:30",
		"taxi":                             "-",
		"600 123 456":                      "- phone=+34600123456",
		"hm":                               "-",
		"no":                               "- NO",
		"mañana":                           "es when=2026-03-05",
		"tomorrow":                         "en when=2026-03-05",
		"vale":                             "es YES",
		"yes":                              "en YES",
		"table for two":                    "en book party=2",
		"mesa para dos":                    "es book party=2",
		"quiero hablar con John Smith":     "es human",
		"I'd like to see María José Núñez": "en",
		"can you put me through to Clínica Dental La Plaza": "en human",
		"a las 5":                     "es when=17:00",
		"at 5":                        "en when=17:00",
		"dos":                         "-",
		"two":                         "-",
		"wifi":                        "-",
		"gracias":                     "es thanks",
		"hola, do you speak English?": "en ask greet asks=do you speak English?",
		"sí, perfecto, see you":       "es goodbye YES",
		"pizza margarita":             "-",
		"do you have paella?":         "en ask asks=do you have paella?",
		"¿tienen fish and chips?":     "es ask asks=¿tienen fish and chips?",
		"el lunes":                    "es when=2026-03-09",
		"Monday":                      "en when=2026-03-09",
		"ana@gmail.com":               "- email=ana@gmail.com",
		"hotel":                       "-",
		"please":                      "en YES",
		"por favor":                   "es YES",
		"good":                        "en YES",
		"bien":                        "es YES",
		"no problem":                  "- YES",
		"sin problema":                "- YES",
	})
}
