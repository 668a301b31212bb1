package hearing_test

import (
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/hearing"
)

// TestAdditions: what was left out of a read-back, and what is added behind a no to
// "anything else?", is a note and nothing else.
func TestAdditions(t *testing.T) {
	t.Parallel()
	readBack := salon(hearing.SlotConfirm, true)
	booked := salon(hearing.Nothing, false)
	booked.Booked = true
	tests := map[string]struct {
		says string
		in   hearing.Setting
		want string
	}{
		"a code with its number":           {"you forgot the alarm code, it's 7718", readBack, "note the alarm code, it's 7718"},
		"what was not put down":            {"you haven't put down that I'm left-handed", readBack, "note I'm left-handed"},
		"what is missing":                  {"still missing the pushchair", readBack, "note the pushchair"},
		"what is missing, in Spanish":      {"le ha faltado poner lo de la cicatriz", readBack, "note la cicatriz"},
		"what slipped their mind":          {"se le ha olvidado que no puedo subir escaleras", readBack, "note no puedo subir escaleras; no"},
		"no yes to what was left out":      {"sí, falta que soy zurda", readBack, "note soy zurda"},
		"people among those who come":      {"añada que dos somos veganos", readBack, "note dos somos veganos"},
		"people who are counted anew":      {"add that we're seven now", readBack, "set party_size 7; note we're seven now"},
		"nothing but":                      {"no, nada, únicamente que una persona va con muletas", booked, "bye; note una persona va con muletas; no"},
		"nothing else, and a goodbye":      {"nothing else, just add that I bruise easily, thanks, bye", booked, "thanks; note I bruise easily; no"},
		"word for those who serve":         {"no, solo avisarles que voy con mi perra", booked, "note voy con mi perra; no"},
		"nothing to add":                   {"no, solo eso", booked, "no"},
		"a day is changed and not added":   {"you forgot that I said Thursday", readBack, "start; set date; no"},
		"the number is asked for and kept": {"falta el apellido", readBack, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := outline(hearing.Hear(tt.says, tt.in).Commands); got != tt.want {
				t.Errorf("%q\n got %s\nwant %s", tt.says, got, tt.want)
			}
		})
	}
}

// TestNotesAreTakenBack: only what was noted can be.
func TestNotesAreTakenBack(t *testing.T) {
	t.Parallel()
	s := salon(hearing.SlotConfirm, true)
	s.Noted = []string{"soy alérgica al amoniaco", "she's twelve", "un carrito de bebé"}
	for says, want := range map[string]string{
		"quite lo de la alergia":                  "soy alérgica al amoniaco",
		"take out that she's twelve":              "she's twelve",
		"el carrito al final no hará falta":       "un carrito de bebé",
		"no ponga lo del carrito":                 "un carrito de bebé",
		"borre eso":                               "un carrito de bebé",
		"delete that last note":                   "un carrito de bebé",
		"no se olvide del carrito":                "",
		"don't let them forget that she's twelve": "",
		"olvídelo":                                "",
		"quite la mesa":                           "",
	} {
		if got := strings.Join(hearing.Hear(says, s).Gist().Forgets, "; "); got != want {
			t.Errorf("%q takes back %q, want %q", says, got, want)
		}
	}
}
