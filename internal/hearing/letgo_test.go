package hearing_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/hearing"
)

// TestHearLettingGo: in the middle of a booking, who lets go of it, and who goes on.
func TestHearLettingGo(t *testing.T) {
	t.Parallel()
	for text, drops := range map[string]bool{
		"mejor lo dejamos":                                        true,
		"fíjese que siempre no, gracias":                          true,
		"uy no, ese finde estoy fuera, déjalo":                    true,
		"no, yo no quería reservar, era para preguntar el menú":   true,
		"en realidad solo quería saber si hay aparcamiento":       true,
		"I'll leave it for tonight":                               true,
		"look, I'll have to call ye back":                         true,
		"sorry, I've changed my mind":                             true,
		"I'm not looking to book, I was only wondering the hours": true,
		"solo una pregunta, ¿hay aparcamiento?":                   false,
		"quick question, is there a car park?":                    false,
		"olvídalo, mejor el jueves":                               false,
		"scrap that, make it Thursday":                            false,
	} {
		if got := hearing.Hear(text, booking(hearing.SlotDate)).Gist().Has(hearing.Restart); got != drops {
			t.Errorf("%q lets go: %v, want %v", text, got, drops)
		}
	}
}

// TestHearCountedDishes: a number before a dish is neither an hour nor people.
func TestHearCountedDishes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"para esta noche dos de flan y una diavola": "2×Flan, 1×Diavola",
		"para mañana al mediodía cuatro diavolas":   "4×Diavola",
		"for tonight three diavolas":                "3×Diavola",
	} {
		heard := hearing.Hear(text, grill()).Gist()
		if got := items(text, grill()); got != want || heard.Party > 0 || heard.Has(hearing.Book) {
			t.Errorf("%q: got %s, %d people, booked %v; want %s", text, got, heard.Party, heard.Has(hearing.Book), want)
		}
	}
}

// TestHearNamesInFull: a name said in part first is taken in full.
func TestHearNamesInFull(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"it's Fran here, Frances Doyle":                     "Frances Doyle",
		"Walker, as in somebody who walks, Tom Walker":      "Tom Walker",
		"soy Quique, el del estanco, Enrique Salas":         "Enrique Salas",
		"Charo, de Telas Moreno":                            "Charo",
		"you can call me Liz, Elizabeth Moss":               "Elizabeth Moss",
		"soy la hija de la señora Pilar, me llamo Eva Sanz": "Eva Sanz",
		"number five, it's the blue door":                   "",
	} {
		if got := hearing.Hear(text, booking(hearing.SlotName)).Gist().Name; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestHearGuessedParties: how many come, by a guess.
func TestHearGuessedParties(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"we'd be about fourteen on Friday":            14,
		"we're a party of around nine, Saturday":      9,
		"half a dozen of us tomorrow":                 6,
		"el viernes a las nueve seremos seis o siete": 7,
		"iremos unos quince el sábado":                15,
		"a table for half eight for four":             4,
	} {
		if got := hearing.Hear(text, restaurant).Gist().Party; got != want {
			t.Errorf("%q: got %d people, want %d", text, got, want)
		}
	}
}
