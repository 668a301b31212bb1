package hearing_test

import (
	"slices"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/hearing"
)

// TestOneOfTwoWishesIsLetGoOf: by its name, by its place, or because only the other
// one is wanted. Where something else is in its place, that is said too.
func TestOneOfTwoWishesIsLetGoOf(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]string{
		"only the haircut after all":                 "let_go 1",
		"just the manicure":                          "let_go 0",
		"skip the second one":                        "let_go 1",
		"I don't want the haircut any more":          "let_go 0",
		"leave the manicure out":                     "let_go 1",
		"al final solamente el corte":                "let_go 1",
		"nada más lo primero":                        "let_go 1",
		"la manicura mejor no":                       "let_go 1",
		"lo otro sobra":                              "let_go 1",
		"anule el corte":                             "let_go 0",
		"la manicura no, mejor un tinte":             "set service color; let_go 1; no",
		"the haircut at six and the manicure at ten": "",
		"is the manicure long?":                      "",
		"no, I want both":                            "",
		"no, quiero las dos cosas":                   "",
		"skip the manicure. Is there parking?":       "ask; let_go 1",
	} {
		s := salon(hearing.SlotConfirm, true)
		for _, id := range []string{"corte", "unas"} {
			i := slices.IndexFunc(s.Catalogue.Services, func(s catalogue.Service) bool { return s.ID == id })
			s.Wanted = append(s.Wanted, s.Catalogue.Services[i])
		}
		got := outline(hearing.Hear(says, s).Commands)
		if want == "" && !strings.Contains(got, "let_go") {
			continue
		}
		if got != want {
			t.Errorf("%q\n got %s\nwant %s", says, got, want)
		}
	}
}

// TestNotesRefused: notes are taken back by what they are called, or as what was said
// last, in whatever words that is.
func TestNotesRefused(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]int{
		"no remarks please":                2,
		"yes, just without the note":       2,
		"wipe the comments":                2,
		"don't put that last part":         1,
		"sin observaciones":                2,
		"la anotación no hace falta":       1,
		"eso último no lo escriba":         1,
		"lo del carro no hace falta decir": 1,
		"put a note that the door sticks":  0,
		"a última hora no puedo":           0,
	} {
		s := salon(hearing.SlotConfirm, true)
		s.Noted = []string{"llevo un carro de bebé", "soy zurda"}
		heard := hearing.Hear(says, s).Gist()
		if len(heard.Forgets) != want {
			t.Errorf("%q takes back %q, want %d", says, heard.Forgets, want)
		}
		if want > 0 && heard.Yes {
			t.Errorf("%q is a yes", says)
		}
	}
}

// TestSeveralOfOneService: each is an appointment of its own, and what is counted out by
// whom it is for is no hour.
func TestSeveralOfOneService(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]string{
		"a manicure Tuesday at five, one for me and one for my aunt": "start; set date; set time; set service unas; another; set date; set time; set service unas; note one for my aunt",
		"I need a colour and my sister wants a manicure":             "start; set service color; another; set service unas; relate date; relate time",
		"a manicure at one for my aunt":                              "start; set time; set service unas; note for my aunt",
	} {
		if got := outline(hearing.Hear(says, salon(hearing.Nothing, false)).Commands); got != want {
			t.Errorf("%q\n got %s\nwant %s", says, got, want)
		}
	}
}

// TestNamesOfDays: a name that is asked for may have a day or a month in it.
func TestNamesOfDays(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]string{
		"Elena Agosto":     "Elena Agosto",
		"soy Diego Mayo":   "Diego Mayo",
		"Quentin Friday":   "Quentin Friday",
		"el lunes":         "",
		"mejor el viernes": "",
		"Monday Friday":    "",
	} {
		if got := hearing.Hear(says, salon(hearing.SlotName, true)).Gist().Name; got != want {
			t.Errorf("%q is called %q, want %q", says, got, want)
		}
	}
}

// TestRangesOfPeople: a table must have a place for the most who may come.
func TestRangesOfPeople(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]int{
		"entre cinco y siete":            7,
		"diez u once":                    11,
		"between twelve and fourteen":    14,
		"seremos entre doce y dieciséis": 16,
	} {
		s := salon(hearing.SlotPartySize, true)
		if got := hearing.Hear(says, s).Gist(); got.Party != want || len(got.When.Mentions) > 0 {
			t.Errorf("%q: %d people, %d times, want %d", says, got.Party, len(got.When.Mentions), want)
		}
	}
}
