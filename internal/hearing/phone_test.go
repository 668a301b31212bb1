package hearing_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/hearing"
)

// TestHearPhones: telephone numbers in figures and in words, and figures that are none.
func TestHearPhones(t *testing.T) {
	t.Parallel()
	hears(t, booking(hearing.SlotPhone), map[string]string{
		"600123456":   "- phone=+34600123456",
		"34600123456": "- phone=+34600123456",
		"seis cientos tres tres tres uno dos nueve": "- phone=+34600333129",
		"6001234567":               "- bad=6001234567",
		"60012345678":              "- bad=60012345678",
		"447700900123":             "- bad=447700900123",
		"0044 7700 900123":         "- phone=+447700900123",
		"600 12 34 56":             "- phone=+34600123456",
		"600-123-456":              "- phone=+34600123456",
		"600.123.456":              "- phone=+34600123456",
		"+34 600 000 010":          "- phone=+34600000010",
		"+34600000010":             "- phone=+34600000010",
		"0034 600 123 456":         "- phone=+34600123456",
		"(415) 555-2671":           "- phone=+14155552671",
		"+1 (415) 555-2671":        "- phone=+14155552671",
		"+44 20 7946 0958":         "- phone=+442079460958",
		"es el 600 123 456":        "es phone=+34600123456",
		"my number is 600 123 456": "en phone=+34600123456",
		"seis cero cero uno dos tres cuatro cinco seis":                     "- phone=+34600123456",
		"seis cero cero, ciento veintitrés, cuatrocientos cincuenta y seis": "- phone=+34600123456",
		"seis cero cero ciento veintitrés cuarenta y cinco sesenta":         "- bad=6001234560",
		"six double oh one two three four five six":                         "- phone=+34600123456",
		"six zero zero, one two three, four five six":                       "- phone=+34600123456",
		"six hundred one two three four five six":                           "- phone=+34600123456",
		"triple six one two three four five six":                            "- phone=+34666123456",
		"más treinta y cuatro seiscientos doce trece catorce quince":        "- phone=+34612131415",
		"plus thirty four six hundred one two three four five six":          "- phone=+34600123456",
		"600123":                         "- bad=600123",
		"12":                             "-",
		"no quiero darlo":                "es NO",
		"no tengo teléfono":              "es unknown",
		"I don't have a phone":           "en unknown",
		"el mismo de antes":              "es",
		"600 123 456 y el nombre es Ana": "es name=Ana phone=+34600123456",
		"600 123 4567":                   "- bad=6001234567",
		"mañana":                         "es when=2026-03-05",
		"eh, el seis, seis, seis, uno, dos, tres, cuatro, cinco, seis": "es phone=+34666123456",
		"912 345 678": "- phone=+34912345678",
		"nueve uno dos tres cuatro cinco seis siete ocho": "- phone=+34912345678",
		"600 123 456": "- phone=+34600123456",
		"no lo sé":    "es unknown",
	})
	hears(t, restaurant, map[string]string{
		"somos 4 el 12 de marzo a las 21:30": "es book party=4 when=2026-03-12,21:30",
		"el 12/03/2026":                      "es when=2026-03-12",
		"2026-03-12 18:00":                   "- when=2026-03-12,18:00",
		"a las 18:30":                        "es when=18:30",
		"mi DNI es 12345678Z":                "es",
		"call me at 600 123 456":             "en leave phone=+34600123456",
		"llámame al 600 12 34 56 mañana":     "es leave phone=+34600123456 when=2026-03-05",
		"soy Ana, 600123456":                 "es name=Ana phone=+34600123456",
		"my phone is 12345":                  "en bad=12345",
		"un piso de 250000 euros":            "es",
		"mi teléfono es el seis cero cero uno dos tres cuatro cinco seis":   "es phone=+34600123456",
		"seiscientos doce treinta y cuatro cincuenta y seis setenta y ocho": "- phone=+34612345678",
		"my number is 600123456":    "en phone=+34600123456",
		"+1 415 555 2671":           "- phone=+14155552671",
		"0034 600 12 34 56":         "- phone=+34600123456",
		"600.123.456":               "- phone=+34600123456",
		"600-123-456":               "- phone=+34600123456",
		"el 12/03/2026 a las 18:30": "es when=2026-03-12,18:30",
		"son 25 euros":              "es",
		"12345":                     "-",
		"I'd like to view listing CC-1057, I'm Peter Hall, phone 633 111 333": "en book name=Peter Hall phone=+34633111333",
		"DNI 12345678Z, teléfono 611 222 333":                                 "es phone=+34611222333",
		"mi DNI es 12345678 y mi teléfono es 611 222 333":                     "es phone=+34611222333",
		"me interesa el anuncio 1057, 633 111 333":                            "es leave phone=+34633111333",
		"mi DNI es el número 12345678":                                        "es",
		"my card number is 4111 1111 1111":                                    "en",
		"la referencia es 123456789":                                          "es",
	})
}

// TestNumbersBelongToACountry: the one that is named, else that of the business,
// whose plan they must be of.
func TestNumbersBelongToACountry(t *testing.T) {
	t.Parallel()
	for region, sentences := range map[string]map[string]string{
		"GB": {
			"07700 900118": "- phone=+447700900118",
			"plus five two eight one one five five five oh one seven three": "- phone=+528115550173",
			"Es un fijo de España, el 944 12 34 56":                         "es phone=+34944123456",
			"it's a Texas number, 512 555 0143":                             "en phone=+15125550143",
			"087 123 4567, it's an Irish number":                            "en phone=+353871234567",
			"512 555 0143":                                                  "- bad=5125550143",
		},
		"IE": {
			"07700 900118":              "- bad=07700900118",
			"it's British 07700 900118": "en phone=+447700900118",
			"087 123 4567":              "- phone=+353871234567",
		},
		"US": {
			"555 0143": "- bad=5550143",
			"plus one three one two five five five oh one four six and can we sit outside": "en ask phone=+13125550146 asks=can we sit outside",
		},
		"MX": {
			"ocho uno uno, cinco cincuenta y cinco, cero uno cuarenta y dos. ¿Y es con Rafael?": "es ask phone=+528115550142 asks=es con Rafael?",
			"ocho uno uno, eh, cinco cinco cinco, cero uno cuarenta y dos":                      "- phone=+528115550142",
		},
	} {
		s := booking(hearing.SlotPhone)
		s.Region = region
		hears(t, s, sentences)
	}
}

// TestHearEmails: addresses, written and spoken.
func TestHearEmails(t *testing.T) {
	t.Parallel()
	hears(t, booking(hearing.SlotEmail), map[string]string{
		"ana@gmail.com":                                        "- email=ana@gmail.com",
		"Ana.Garcia+citas@Example.co.uk":                       "- email=ana.garcia+citas@example.co.uk",
		"ana arroba gmail punto com":                           "- email=ana@gmail.com",
		"ana punto garcia arroba hotmail punto es":             "- email=ana.garcia@hotmail.es",
		"ana guion bajo lopez arroba yahoo punto es":           "- email=ana_lopez@yahoo.es",
		"john dot smith at example dot com":                    "- email=john.smith@example.com",
		"john underscore smith at example dot co dot uk":       "- email=john_smith@example.co.uk",
		"john smith 42 at gmail dot com":                       "- email=johnsmith42@gmail.com",
		"it's john at example dot org":                         "en email=john@example.org",
		"mi correo es pepe arroba empresa guion uno punto com": "es email=pepe@empresa-uno.com",
		"no tengo correo":                                      "es unknown",
		"a n a at gmail dot com":                               "- email=ana@gmail.com",
		"ana 2 3 arroba gmail punto com":                       "- email=ana23@gmail.com",
	})
	hears(t, restaurant, map[string]string{
		"mi email es ana@gmail.com y mi teléfono 600123456": "es phone=+34600123456 email=ana@gmail.com",
		"meet me at the restaurant":                         "en",
	})
}

// TestHearAddressesInAnyPlace: whatever was asked, and whatever leads to it, an address
// is one, and no note.
func TestHearAddressesInAnyPlace(t *testing.T) {
	t.Parallel()
	after := restaurant
	after.Booked = true
	for _, s := range []hearing.Setting{after, booking(hearing.SlotName), booking(hearing.SlotPhone), booking(hearing.SlotEmail)} {
		for text, want := range map[string]string{
			"apunte mi correo, es toño punto vidal arroba correo punto example":     "tono.vidal@correo.example",
			"mi correo es marisa luz arroba correo punto example":                   "marisaluz@correo.example",
			"el mail es beto punto sanz noventa y tres arroba correo punto example": "beto.sanz93@correo.example",
			"mándemela a nuria guion bajo pons arroba correo punto example":         "nuria_pons@correo.example",
			"¿me lo puede enviar a teo arroba correo punto example?":                "teo@correo.example",
			"gus arroba correo punto example, todo junto y en minúsculas":           "gus@correo.example",
			"my email's bea forty two at mail dot example":                          "bea42@mail.example",
			"email me at finn plus cuts at mail dot example":                        "finn+cuts@mail.example",
			"send the confirmation to orla dot daly at mail dot example please":     "orla.daly@mail.example",
			"could you email it to me at zed at mail dot example":                   "zed@mail.example",
			"my email is mary kate at mail dot example, all one word":               "marykate@mail.example",
			"it's gwen underscore rees at mail dot example":                         "gwen_rees@mail.example",
		} {
			g := hearing.Hear(text, s).Gist()
			if g.Email != want || len(g.Notes)+len(g.Asides)+len(g.Messages) > 0 || g.Question != "" || g.Has(hearing.Restart) || g.Has(hearing.Order) {
				t.Errorf("%s: %q: got %q, notes %q, asides %q, asks %q, %v", s.Expect, text, g.Email, g.Notes, g.Asides, g.Question, g.Intents)
			}
		}
	}
}

// TestHearANumberAndAnAddress: one answer to a question for both.
func TestHearANumberAndAnAddress(t *testing.T) {
	t.Parallel()
	hears(t, booking(hearing.SlotPhone), map[string]string{
		"600 22 21 31 ana punto garcia arroba gmail punto com":                "- phone=+34600222131 email=ana.garcia@gmail.com",
		"600222131, una arroba gmail punto com":                               "- phone=+34600222131 email=una@gmail.com",
		"600 222 131 and my email is lou dot reed at example dot com":         "en phone=+34600222131 email=lou.reed@example.com",
		"seis cero cero dos dos dos uno tres uno eva arroba example punto es": "- phone=+34600222131 email=eva@example.es",
		"ana punto garcia arroba gmail punto com y 600 222 131":               "- phone=+34600222131 email=ana.garcia@gmail.com",
	})
}

// TestHearCodes: confirmation codes, in one piece and spelled.
func TestHearCodes(t *testing.T) {
	t.Parallel()
	hears(t, booking(hearing.SlotCode), map[string]string{
		"ACD347":                       "- code=ACD347",
		"acd347":                       "- code=ACD347",
		"a c d 3 4 7":                  "- code=ACD347",
		"A-C-D-3-4-7":                  "- code=ACD347",
		"a, c, d, tres, cuatro, siete": "- code=ACD347",
		"ACD 347":                      "- code=ACD347",
		"es el ACD347":                 "es code=ACD347",
		"the code is hk34t9":           "en code=HK34T9",
		"no lo tengo":                  "es unknown",
		"I lost it":                    "en unknown",
		"ABC123":                       "-",
		"mañana":                       "es when=2026-03-05",
		"cancelar":                     "es restart",
	})
	hears(t, restaurant, map[string]string{
		"mi código es ACD347":               "es code=ACD347",
		"my confirmation code is acd 347":   "en code=ACD347",
		"ACD347":                            "- code=ACD347",
		"quiero cancelar la reserva HK34T9": "es cancel code=HK34T9",
		"la reserva con localizador HK34T9": "es code=HK34T9",
		"taxi":                              "-",
	})
}
