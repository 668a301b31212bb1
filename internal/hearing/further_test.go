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
		"sí, mejor a las cinco":                                          "start; set time; no",
	} {
		if got := outline(hearing.Hear(says, salon(hearing.SlotConfirm, true)).Commands); got != want {
			t.Errorf("%q\n got %s\nwant %s", says, got, want)
		}
	}
}
