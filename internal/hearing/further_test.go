package hearing_test

import (
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/hearing"
)

// outline puts commands in one line: what they do, and the values and notes.
func outline(commands []hearing.Command) string {
	var all []string
	for _, c := range commands {
		words := []string{string(c.Do), string(c.Slot), c.Value}
		if c.Do == hearing.DoNote {
			words = append(words, c.Text)
		}
		for _, s := range c.Services {
			words = append(words, s.ID)
		}
		all = append(all, strings.Join(strings.Fields(strings.Join(words, " ")), " "))
	}
	return strings.Join(all, "; ")
}

// TestTwoWishesAtTheReadBack: who tells the times of two people wants two
// appointments, and who agrees and goes on to another has agreed.
func TestTwoWishesAtTheReadBack(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]string{
		"mine is at ten and my son's is at 10:45":                        "set time; another; set time; note my son's",
		"yes. And now the manicure at 10:45 for my son Liam":             "yes; another; set time; set service unas; set name Liam; note for my son Liam",
		"no, la manicura mía a las cuatro y el tinte de alba a las seis": "start; set time; set service unas; no; another; set time; set service color; note de alba; note el tinte de alba",
		"sí, y otra para un tinte el viernes a las seis":                 "yes; another; set date; set time; set service color",
		"sí, mejor a las cinco":                                          "start; set time; no",
	} {
		if got := outline(hearing.Hear(says, salon(hearing.SlotConfirm, true)).Commands); got != want {
			t.Errorf("%q\n got %s\nwant %s", says, got, want)
		}
	}
}

// TestTwoPeopleAndTwoServices: who says for whom each of two services is wants two
// appointments, one after the other unless they are wanted at once.
func TestTwoPeopleAndTwoServices(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]string{
		"una manicura para mí y un tinte para mi suegra, el martes a las cinco":         "start; set date; set time; set service unas; another; set service color; relate date; relate time; note para mi suegra",
		"un tinte para mi vecina Rosa, una manicura para mí":                            "start; set service color; note para mi vecina Rosa; another; set service unas; relate date; relate time",
		"una manicura para mí y otra para mi prima el martes":                           "start; set date; set service unas; another; set service unas; relate date; relate time; note para mi prima",
		"a manicure for Fiona and a colour for me, both on Tuesday at five":             "start; set date; set time; set service unas; note for Fiona; another; set date; set time; set service color",
		"a colour for my mother's neighbour and a manicure for me on Tuesday afternoon": "start; set date; set time; set service color; note for my mother's neighbour; another; set service unas; relate date; relate time",
		"somos dos el martes a las cinco, una manicura y un tinte":                      "start; set date; set time; set service unas; another; set date; set service color; relate date; relate time",
		"a manicure for me and my sister on Tuesday at five":                            "start; set date; set time; set service unas; set party_size 2",
		"una manicura para el martes a las cinco y un café para la espera":              "start; set date; set time; set service unas; note un café",
	} {
		if got := outline(hearing.Hear(says, salon(hearing.Nothing, false)).Commands); got != want {
			t.Errorf("%q\n got %s\nwant %s", says, got, want)
		}
	}
}

// TestNotesOfTwoWishes: what is told of the caller is noted with both, and what names one
// of the services with that one alone.
func TestNotesOfTwoWishes(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]string{
		"a manicure and a colour on Tuesday at five, I'm allergic to ammonia":   "start; set date; set time; set service unas; note I'm allergic to ammonia; another; set service color; relate date; relate time; note I'm allergic to ammonia",
		"una manicura y un tinte el martes a las cinco, voy en silla de ruedas": "start; set date; set time; set service unas; note voy en silla de ruedas; another; set service color; relate date; relate time; note voy en silla de ruedas",
	} {
		if got := outline(hearing.Hear(says, salon(hearing.Nothing, false)).Commands); got != want {
			t.Errorf("%q\n got %s\nwant %s", says, got, want)
		}
	}
}
