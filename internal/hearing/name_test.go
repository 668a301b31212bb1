package hearing_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/hearing"
)

// TestHearNames: names, and what is none.
func TestHearNames(t *testing.T) {
	t.Parallel()
	hears(t, booking(hearing.SlotName), map[string]string{
		"Ana":                             "- name=Ana",
		"Ana García":                      "- name=Ana García",
		"ana garcía lópez":                "- name=Ana García López",
		"soy Ana":                         "es name=Ana",
		"me llamo ana garcía":             "es name=Ana García",
		"mi nombre es José Luis":          "es name=José Luis",
		"John":                            "- name=John",
		"john smith":                      "- name=John Smith",
		"It's John Smith":                 "en name=John Smith",
		"My name in Helen Ward.":          "en name=Helen Ward",
		"Mi nombre en Julia Soto":         "es name=Julia Soto",
		"john o'brien":                    "- name=John O'Brien",
		"MARÍA DE LA O":                   "- name=María de la O",
		"maría del carmen ruiz":           "- name=María del Carmen Ruiz",
		"Juan Carlos de la Fuente":        "- name=Juan Carlos de la Fuente",
		"sí, claro, Ana":                  "es YES name=Ana",
		"sure, it's Peter Parker":         "en YES name=Peter Parker",
		"Peter Parker, thanks":            "en thanks name=Peter Parker",
		"eh, pues Lucía":                  "es name=Lucía",
		"a nombre de Pérez":               "es name=Pérez",
		"under Smith":                     "en name=Smith",
		"this is Anna speaking":           "en name=Anna",
		"el señor López":                  "es name=López",
		"ludwig van beethoven":            "- name=Ludwig van Beethoven",
		"Vincent van Gogh":                "- name=Vincent van Gogh",
		"MacDonald":                       "- name=MacDonald",
		"Jean-Pierre Dupont":              "- name=Jean-Pierre Dupont",
		"no":                              "- NO",
		"no quiero darlo":                 "es NO",
		"prefiero no decirlo":             "es NO",
		"why do you need that?":           "en ask asks=why do you need that?",
		"¿para qué lo necesita?":          "es ask asks=¿para qué lo necesita?",
		"mañana":                          "es when=2026-03-05",
		"a las cinco":                     "es when=17:00",
		"ok":                              "- YES",
		"sí":                              "es YES",
		"yes":                             "en YES",
		"600 123 456":                     "- phone=+34600123456",
		"soy celíaco":                     "es",
		"I'm allergic to nuts":            "en",
		"quiero cancelar":                 "es restart",
		"what?":                           "en repeat",
		"Smith":                           "- name=Smith",
		"garcía":                          "- name=García",
		"rosa":                            "- name=Rosa",
		"mark":                            "- name=Mark",
		"Xiomara Quispe":                  "- name=Xiomara Quispe",
		"Nguyen":                          "- name=Nguyen",
		"no lo sé":                        "es unknown",
		"mi apellido es Fernández":        "es name=Fernández",
		"first name Ana, last name López": "en name=Ana López",
		"put it under Sarah please":       "en name=Sarah",
		"for Tom":                         "en name=Tom",
		"maria de la fuente":              "- name=Maria de la Fuente",
		"it's for John Smith":             "en name=John Smith",
		"what do you need it for?":        "en ask asks=what do you need it for?",
	})
	hears(t, restaurant, map[string]string{
		"me llamo Marta y quería una mesa para dos": "es book party=2 name=Marta",
		"soy Juan, de la calle Mayor":               "es name=Juan",
		"soy alérgico a los frutos secos":           "es",
		"soy vegetariana":                           "es",
		"I'm looking for a table":                   "en book",
		"I'm vegetarian":                            "en",
		"I'm late":                                  "en",
		"i'm sorry":                                 "en",
		"this is ridiculous":                        "en",
		"this is the third time I call":             "en",
		"it's for tomorrow":                         "en when=2026-03-05",
		"it's for my mother":                        "en",
		"my name is Krystle Lim":                    "en name=Krystle Lim",
		"the name is de la Cruz":                    "en name=De la Cruz",
		"hablo de parte de Ana":                     "es name=Ana",
		"soy de Madrid":                             "es",
		"soy yo":                                    "es",
		"I'm interested in the flat":                "en leave",
		"I'm John and I need a haircut":             "en name=John",
		"im sarah":                                  "en name=Sarah",
		"it's for John Smith":                       "en name=John Smith",
		"reserva a nombre de Lola Flores para dos":  "es book party=2 name=Lola Flores",
		"a nombre de mi empresa":                    "es",
		"me llamo José Luis García de la Torre":     "es name=José Luis García de la Torre",
		"soy Marta, quería una cita":                "es book name=Marta",
		"my name is john smith":                     "en name=John Smith",
		"this is Anna speaking":                     "en name=Anna",
		"mi nombre es pedro":                        "es name=Pedro",
		"a nombre de Pérez":                         "es name=Pérez",
		"a nombre de la señora López":               "es name=López",
		"soy nuevo cliente":                         "es",
		"I'm John":                                  "en name=John",
		"im sarah connor":                           "en name=Sarah Connor",
		"put it under Smith":                        "en name=Smith",
		"under the name of O'Neill":                 "en name=O'Neill",
		"mi nombre es Ana y mi apellido es López":   "es name=Ana López",
	})
}

// TestHearNamesNobodyLedTo: names beside a number, at the end of a sentence,
// after a "for", and where something else was asked for.
func TestHearNamesNobodyLedTo(t *testing.T) {
	t.Parallel()
	hears(t, salon("", false), map[string]string{
		"a manicure on Friday at 10 am, Laura King, 600 333 123":  "en book name=Laura King phone=+34600333123 when=2026-03-06,10:00 service=unas",
		"a manicure on friday at 10 am laura king 600 333 123":    "en book name=Laura King phone=+34600333123 when=2026-03-06,10:00 service=unas",
		"manicura el viernes a las doce, Clara Font, 600 222 122": "es book name=Clara Font phone=+34600222122 when=2026-03-06,12:00 service=unas",
		"a manicure on Friday at 3 pm for Sam Nash":               "en book name=Sam Nash when=2026-03-06,15:00 service=unas",
		"a manicure on Friday at 3 pm, Kate Winslow":              "en book name=Kate Winslow when=2026-03-06,15:00 service=unas",
		"I need an appointment for Dr. Ruiz":                      "en book",
		"a manicure for Mother's Day, Happy Birthday":             "en service=unas",
		"a manicure on Friday, John":                              "en book name=John when=2026-03-06 service=unas",
		"I'm looking for Marta":                                   "en",
		"quiero cita para mi hija Lucía":                          "es book name=Lucía",
		"para mi madre, Carmen":                                   "es name=Carmen",
		"es para mi hijo pablo el jueves":                         "es name=Pablo when=2026-03-05",
		"for my son Tom Baker tomorrow at 5":                      "en name=Tom Baker when=2026-03-05,17:00",
		"es para mi hijo mayor":                                   "es",
		"for my wife Sarah and I":                                 "en",
	})
	hears(t, salon(hearing.SlotTime, true), map[string]string{
		"Gwen Dale, 600 333 139": "- name=Gwen Dale phone=+34600333139",
		"600 333 139, Gwen Dale": "- name=Gwen Dale phone=+34600333139",
		"Pilar Otero":            "- name=Pilar Otero",
		"Gwen Dale":              "-",
		"Blas Tena":              "- name=Blas Tena",
		"Blas Tena, por favor":   "es name=Blas Tena",
		"Muchas Gracias":         "- thanks",
		"Sounds Good":            "en YES",
		"Corte Infantil":         "- service=corte-nino",
	})
	hears(t, salon(hearing.SlotName, true), map[string]string{
		"Mia Day":     "- name=Mia Day",
		"Mia Day 😀":   "- name=Mia Day",
		"🎉 Mia Day 🎉": "- name=Mia Day",
		"Juan Pérez y el teléfono es 600 123 123": "es name=Juan Pérez phone=+34600123123",
		"a nombre de mia torres":                  "es name=Mia Torres",
		"yeah it's george mcallister":             "en YES name=George McAllister",
	})
}

// TestNamesEndWhereSomethingElseBegins: what follows a name is none of it.
func TestNamesEndWhereSomethingElseBegins(t *testing.T) {
	t.Parallel()
	hears(t, booking(hearing.SlotName), map[string]string{
		"marina tovar y ponga cinco personas":             "es party=5 name=Marina Tovar",
		"Marina Tovar y la niña Vera":                     "- name=Marina Tovar",
		"Ana Ortega y Gasset":                             "- name=Ana Ortega y Gasset",
		"begoña olano, con be. mi hija tiene trece años":  "es name=Begoña Olano",
		"grace adeyemi and can we bring a dog":            "en ask name=Grace Adeyemi asks=can we bring a dog",
		"trevor mcallister who rang before":               "en name=Trevor McAllister",
		"Marina Tovar. ¿Hay aparcamiento?":                "es ask name=Marina Tovar asks=¿Hay aparcamiento?",
		"para mi papá álvaro tovar":                       "es name=Álvaro Tovar",
		"ron it's ron tolley":                             "en name=Ron Tolley",
		"surname Tolley, first name Ron":                  "- name=Ron Tolley",
		"Tovar, con uve, Tovar":                           "- name=Tovar",
		"niamh ni dhalaigh n i a m h":                     "- name=Niamh Ni Dhalaigh",
		"the surname is ni dhalaigh n i d h a l a i g h":  "en name=Ni Dhalaigh",
		"vera sanz, uve e erre a. somos dos y un carrito": "es party=2 name=Vera Sanz",
	})
}

// TestNamesAreCorrected: a name that was read back is replaced by the one that
// the caller insists on, and what stands was not agreed to.
func TestNamesAreCorrected(t *testing.T) {
	t.Parallel()
	s := booking(hearing.SlotConfirm)
	s.Called = "Marina Tovar Hija"
	hears(t, s, map[string]string{
		"el apellido es Tovar, sin Hija":          "es NO name=Marina Tovar",
		"el apellido es Olano":                    "es NO name=Marina Olano",
		"tomar":                                   "-",
		"no, Tobar":                               "- NO name=Marina Tobar Hija",
		"no, es Tobar con be":                     "es NO name=Marina Tobar Hija",
		"El nombre: Marina Tovar. Nada de Hija.":  "es NO name=Marina Tovar",
		"no marina tovar a secas":                 "- NO name=Marina Tovar",
		"cambie el nombre a marina tovar":         "es NO name=Marina Tovar",
		"Es Tovar una sola vez":                   "es NO name=Tovar",
		"it's Smyth with a y":                     "en NO name=Smyth",
		"no it's smyth not smith":                 "en NO name=Smyth",
		"change the name to grace adeyemi please": "en NO name=Grace Adeyemi",
		"el nombre es correcto":                   "es YES",
		"the name is wrong":                       "en NO",
		"no, con Rocío":                           "es NO",
	})
}

// TestHearOrdinaryNames: ordinary words are a name where one was asked for, unless they
// say something.
func TestHearOrdinaryNames(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string]string{
		"estrella del monte":             "Estrella del Monte",
		"soy cielo costa":                "Cielo Costa",
		"luz campo, muchas gracias":      "Luz Campo",
		"domingo prieto":                 "Domingo Prieto",
		"soledad de la cuesta":           "Soledad de la Cuesta",
		"hope banks":                     "Hope Banks",
		"it's violet stone":              "Violet Stone",
		"put it under ivy waters please": "Ivy Waters",
		"penny wood cheers":              "Penny Wood",
		"dulce":                          "Dulce",
		"domingo":                        "",
		"cambia la fecha":                "",
		"otro día":                       "",
		"buenos días":                    "",
		"call back later":                "",
		"a nombre de la cooperativa":     "",
		"under the company name":         "",
	} {
		if got := hearing.Hear(sentence, booking(hearing.SlotName)).Gist().Name; got != want {
			t.Errorf("%q: name %q, want %q", sentence, got, want)
		}
	}
}

// TestHearNamesOfOthers: who else is named does not call.
func TestHearNamesOfOthers(t *testing.T) {
	t.Parallel()
	for _, sentence := range []string{
		"quiero cita el viernes a las diez, la moto la lleva mi hermano, Julián",
		"table for Friday, my sister Ruth's coming too",
		"Friday at ten, the one who'll bring it is my wife, Sarah",
		"una cita el viernes y la factura a nombre de la asociación",
		"book Friday under the firm's name",
		"the appointment on Friday is with Lucía",
	} {
		if got := hearing.Hear(sentence, restaurant).Gist().Name; got != "" {
			t.Errorf("%q: name %q", sentence, got)
		}
	}
}
