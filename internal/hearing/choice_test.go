package hearing_test

import (
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/dates"

	"frontdesk.dev/frontdesk/internal/hearing"
)

// TestHearChoices: which of those offered is meant.
func TestHearChoices(t *testing.T) {
	t.Parallel()
	hears(t, booking(hearing.SlotChoice, "hoy a las 17:00", "mañana a las 17:30", "el viernes a las 19:00"), map[string]string{
		"la primera":                    "es choice=1",
		"el segundo":                    "es choice=2",
		"la última":                     "es choice=-1",
		"la de las cinco":               "es choice=1 when=17:00",
		"a las cinco y media":           "es choice=2 when=17:30",
		"mañana":                        "es choice=2 when=2026-03-05",
		"el viernes":                    "es choice=3 when=2026-03-06",
		"la de mañana":                  "es choice=2 when=2026-03-05",
		"la opción dos":                 "- choice=2",
		"la 2":                          "- choice=2",
		"2":                             "- choice=2",
		"dos":                           "- choice=2",
		"el más tarde":                  "es choice=3",
		"la más temprana":               "es choice=1",
		"the first one":                 "en choice=1",
		"the second":                    "en choice=2",
		"the last one":                  "en choice=-1",
		"the later one":                 "en choice=3",
		"5 pm":                          "- choice=1 when=17:00",
		"friday please":                 "en choice=3 when=2026-03-06",
		"number three":                  "en choice=3",
		"cinco":                         "- choice=1",
		"no, ninguna":                   "es NO",
		"me da igual":                   "es any",
		"la tercera por favor":          "es choice=3",
		"not the first one, the second": "en NO choice=2",
		"perfecto, la primera":          "es YES choice=1",
		"¿tienen parking?":              "es ask asks=¿tienen parking?",
		"a las ocho":                    "es when=08:00?,20:00?",
		"el lunes":                      "es when=2026-03-09",
	})
	hears(t, booking(hearing.SlotChoice, "5:00 pm", "5:30 pm", "2:00 pm"), map[string]string{
		"five":            "- choice=1",
		"the 5:30 one":    "en choice=2 when=17:30",
		"two":             "- choice=3",
		"half past five":  "en choice=2 when=17:30",
		"the earlier one": "en choice=3",
		"the 2 o'clock":   "en choice=3 when=14:00",
	})
	hears(t, booking(hearing.SlotService, "Corte de pelo", "Color y mechas", "Manicura"), map[string]string{
		"el corte":    "es choice=1",
		"mechas":      "- choice=2",
		"la manicura": "- choice=3",
		"la última":   "es choice=-1",
		"el de color": "es choice=2",
	})
	hears(t, booking(hearing.SlotService, "Revisión general", "Limpieza dental", "Empaste", "Blanqueamiento dental"), map[string]string{
		"pasado mañana a las nueve y cuarto": "es when=2026-03-06,09:15?,21:15?",
		"la cuarta":                          "- choice=4",
		"un segundo":                         "es",
		"es la primera vez que voy":          "es",
		"somos dos":                          "es party=2",
		"quiero la segunda opción":           "es choice=2",
		"la limpieza":                        "- choice=2",
		"un empaste":                         "- choice=3",
		"¿Cuánto cuesta un empaste?":         "es ask asks=¿Cuánto cuesta un empaste?",
		"¿cuánto cuesta la segunda?":         "es ask asks=¿cuánto cuesta la segunda?",
		"la segunda, ¿cuánto dura?":          "es ask choice=2 asks=¿cuánto dura?",
		"¿la segunda?":                       "es ask choice=2 asks=¿la segunda?",
		"¿puede ser la segunda?":             "es ask choice=2 asks=¿puede ser la segunda?",
	})
	hears(t, booking(hearing.SlotChoice, "martes 10 de marzo, 09:00", "miércoles 11 de marzo, 20:00"), map[string]string{
		"Marta Ruiz":                          "- name=Marta Ruiz",
		"Make it at two pm":                   "en book NO when=14:00",
		"el martes":                           "es choice=1 when=2026-03-10",
		"cuanto antes":                        "es any choice=1",
		"the earlier the better":              "en choice=1",
		"¿no hay nada más tarde?":             "es book NO",
		"les llamo más tarde":                 "es restart NO",
		"a las ocho":                          "es choice=2 when=08:00?,20:00?",
		"la primera me viene bien":            "es YES choice=1",
		"I would take the second if possible": "en choice=2",
		"the last time I came at noon":        "en when=12:00",
		"¿puede ser la primera a las cuatro?": "es book NO when=16:00",
		"my last name is Ruiz":                "en name=Ruiz",
		"the second one works great":          "en YES choice=2",
		"I'll take the last one":              "en choice=-1",
	})
	days := []string{"lunes 9 de marzo, 15:00", "martes 10 de marzo, 15:00", "miércoles 11 de marzo, 15:00"}
	hears(t, booking(hearing.SlotChoice, days...), map[string]string{
		"a las tres de la tarde, pues": "es choice=1 when=15:00",
		"three in the afternoon":       "en choice=1 when=15:00",
		"por la tarde":                 "es when=",
		"el martes a las tres":         "es choice=2 when=2026-03-10,15:00",
	})
	tuesday := booking(hearing.SlotChoice, days...)
	tuesday.Standing.Date = dates.Date{Year: 2026, Month: time.March, Day: 10}
	hears(t, tuesday, map[string]string{
		"a las tres está bien": "es YES choice=2 when=15:00",
		"el lunes a las tres":  "es choice=1 when=2026-03-09,15:00",
	})
	hears(t, booking(hearing.SlotTime, "10 am", "8 pm"), map[string]string{
		"make it at two pm": "en book when=14:00",
		"8 pm":              "- choice=2 when=20:00",
	})
	hears(t, booking(hearing.SlotChoice, "the terrace", "inside"), map[string]string{
		"the terrace":    "en choice=1",
		"terrace please": "en choice=1",
	})
}

// TestAnotherServiceThanTheOneOffered: who was asked whether they mean a service and
// names another one means that.
func TestAnotherServiceThanTheOneOffered(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]string{
		"un corte de niño, para mi hijo": "corte-nino",
		"no, the manicure":               "unas",
		"quiero el tinte":                "color",
	} {
		s := salon(hearing.SlotService, true)
		s.Offered = []string{"Corte de pelo"}
		g := hearing.Hear(says, s).Gist()
		if g.Choice != 0 || len(g.Services) != 1 || g.Services[0].ID != want {
			t.Errorf("%q: choice %d, services %v, want %s", says, g.Choice, g.Services, want)
		}
	}
}

// TestLookingForANumber: who looks for a number is waited for and refuses nothing.
func TestLookingForANumber(t *testing.T) {
	t.Parallel()
	for says, waits := range map[string]bool{
		"I don't know it by heart, let me look":        true,
		"it's a new one, I'd have to look it up":       true,
		"not off the top of my head, it's in my phone": true,
		"no me lo sé, deme chance y lo busco":          true,
		"de memoria no lo sé, lo tengo apuntado":       true,
		"uy, tengo que mirarlo":                        true,
		"I don't have one":                             false,
		"no tengo teléfono":                            false,
		"I'd rather not say":                           false,
		"let me look, it's 622 33 44 55":               false,
	} {
		g := hearing.Hear(says, answering(hearing.SlotPhone)).Gist()
		if g.Waits != waits || waits && (g.DontKnow || g.No) {
			t.Errorf("%q: waits %t, want %t; does not know %t, no %t", says, g.Waits, waits, g.DontKnow, g.No)
		}
	}
}
