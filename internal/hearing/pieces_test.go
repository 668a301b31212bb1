package hearing_test

import (
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/hearing"
)

// remarks puts notes and asides in one line.
func remarks(g hearing.Gist) string {
	var all []string
	for _, n := range g.Notes {
		all = append(all, "! "+n)
	}
	for _, a := range g.Asides {
		all = append(all, ". "+a)
	}
	return strings.Join(all, " ")
}

// TestRemarksAreNoted: what is said beside the slots is kept in the caller's
// words; what whoever serves them must know is marked "!".
func TestRemarksAreNoted(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]string{
		"una mesa para dos mañana a las nueve":                                     "",
		"hola buenas, quería pedir cita para mañana, por favor":                    "",
		"mesa para cuatro el viernes a las nueve y necesitamos una trona":          "! una trona",
		"quería una mesa el sábado a las dos, mi marido es celíaco":                "! mi marido es celíaco",
		"table for 4 tomorrow at 8, one of us uses a wheelchair":                   "! one of us uses a wheelchair",
		"a table for two tonight at nine by the window please":                     "! by the window",
		"we'd like a table for six on Friday at eight, it's a surprise for my mum": "! it's a surprise for my mum",
		"can I book a table for tomorrow at eight, we'll have a pram":              "! we'll have a pram",
		"a visit on Monday at nine, the gate code is 4471":                         "! the gate code is 4471",
		"I'd like a visit on Monday at nine, I'm at 12 Cotham Brow":                "! I'm at 12 Cotham Brow",
		"quería una visita el lunes a las diez, es en la calle del Mar 12, 3º B":   "! en la calle del Mar 12, 3º B",
		"quería cita el lunes a las diez con Rocío":                                "! con Rocío",
		"quería cita el martes a las once porque se me ha caído mucho el pelo":     ". se me ha caído mucho el pelo",
		"muchas gracias, hasta luego":                                              "",
		"a visit on monday at nine, ls4 2le":                                       "! ls4 2le",
		"put down it's dee we'd like":                                              "! it's dee we'd like",
		"apunte que venimos con el carrito":                                        "! venimos con el carrito",
		"¿tenéis terraza?":                                                         "",
	} {
		if got := remarks(hearing.Hear(says, restaurant).Gist()); got != want {
			t.Errorf("%q\n got %q\nwant %q", says, got, want)
		}
	}
}

// TestARemarkDoesNotSpoilAYes: it is agreed to, and noted.
func TestARemarkDoesNotSpoilAYes(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]string{
		"sí, y una mesa sin escalones por favor":      "! sin escalones",
		"sí y traemos un carrito grande":              "! traemos un carrito grande",
		"yes, two of us are coeliac":                  "! two of us are coeliac",
		"yes and we're bringing a guide dog":          "! we're bringing a guide dog",
		"yes, and don't let them forget the warfarin": "! don't let them forget the warfarin",
		"sí, y que llamen al timbre":                  "! que llamen al timbre",
		"sí, perfecto":                                "",
		"yes, all of it, thanks":                      "",
	} {
		g := hearing.Hear(says, booking(hearing.SlotConfirm)).Gist()
		if got := remarks(g); got != want || !g.Yes {
			t.Errorf("%q: yes %v\n got %q\nwant %q", says, g.Yes, got, want)
		}
	}
}

// TestANumberIsReadOnce: what belongs to an address, an age, an amount or a gate
// is no time, no party and no telephone.
func TestANumberIsReadOnce(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]string{
		"vivo en la calle del Mar 12":                       "es",
		"the gate code is 4471":                             "en",
		"I'm at 8 Ashfield Terrace, LS15 8PD":               "en",
		"my daughter is 7 years old":                        "en",
		"mi niño tiene seis años":                           "es",
		"it cost me twenty two pounds":                      "en",
		"estoy en la habitación seis":                       "es",
		"mesa para cuatro mañana a las nueve, calle Real 8": "es book party=4 when=2026-03-05,09:00?,21:00?",
	} {
		if got := written(hearing.Hear(says, restaurant).Gist()); got != want {
			t.Errorf("%q\n got %s\nwant %s", says, got, want)
		}
	}
}

// TestPartiesAreCorrected: the number that a caller comes to is the one.
func TestPartiesAreCorrected(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]int{
		"table for 4, one of us uses a wheelchair":      4,
		"seis, bueno siete con el bebé":                 7,
		"somos seis bueno siete con el bebé":            7,
		"3 people not 4":                                3,
		"somos cinco… no, seis":                         6,
		"somos seis, bueno, con mis suegros somos ocho": 8,
		"mesa para cuatro, perdón, para cinco":          5,
		"solo ella":                                     1,
		"it's just for me":                              1,
		"una sola persona":                              1,
		"mi mujer y yo":                                 2,
		"seríamos unos veinticinco":                     25,
		"two of us":                                     2,
		"Two. And one of us is coeliac":                 2,
		"cuatro, y uno es celíaco":                      4,
	} {
		if got := hearing.Hear(says, booking(hearing.SlotPartySize)).Gist().Party; got != want {
			t.Errorf("%q: got %d, want %d", says, got, want)
		}
	}
}

// TestNamesAreSpelled: letters say how a name is written, and are no words.
func TestNamesAreSpelled(t *testing.T) {
	t.Parallel()
	hears(t, booking(hearing.SlotName), map[string]string{
		"Nekane, ene, e, ka, a, ene, e. Nekane Olano": "- name=Nekane Olano",
		"Saoirse Kelly, that's S A O I R S E":         "- name=Saoirse Kelly",
		"A D E Y E M I, Grace":                        "- name=Adeyemi Grace",
		"Tolley, T O double L E Y, Ron":               "- name=Ron Tolley",
		"Giménez con g":                               "- name=Giménez",
		"Jiménez, con jota":                           "- name=Jiménez",
		"amir haddad h a d d a d":                     "- name=Amir Haddad",
		"Duarte, Mauricio":                            "- name=Mauricio Duarte",
		"la niña se llama Vera Soto y yo soy Marga":   "es name=Vera Soto",
		"my mother is Nora Cremin":                    "en name=Nora Cremin",
		"no hace falta":                               "es NO",
		"no it's alright":                             "en NO",
	})
}

// TestWaitingIsNoNote: what is said of the waiting list is a wish, whoever it asks to do
// something; what is told beside it is kept.
func TestWaitingIsNoNote(t *testing.T) {
	t.Parallel()
	for text, notes := range map[string]int{
		"if a slot frees up would you text me":                              0,
		"could you jot my name down in case somebody pulls out":             0,
		"it has to be Friday, bung me on the cancellation list":             0,
		"¿me podría llamar si se cae alguna cita?":                          0,
		"déjeme apuntada por si falla alguien":                              0,
		"no me sirve ninguna, que me avisen si se libera un lugar":          0,
		"please take me off the waiting list":                               0,
		"sáqueme de la lista de espera":                                     0,
		"put me on the waiting list, and we need a high chair for the baby": 1,
		"apúntame en la lista de espera, y necesitamos una trona":           1,
	} {
		if g := hearing.Hear(text, booking(hearing.SlotChoice)).Gist(); len(g.Notes) != notes {
			t.Errorf("%q: notes %q", text, g.Notes)
		}
	}
}
