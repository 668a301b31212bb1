package speech

import (
	"slices"
	"strings"
	"testing"
)

// Caller is somebody who wants something and answers what they have understood.
type Caller struct {
	Language string // es-ES
	Wish     string
	// What is read back to them has this word, or they correct it.
	Expects, Corrects string
	Answers           []Answer
}

// Answer is what a caller says when they hear one of some words: first this, and in
// other words when they are asked again.
type Answer struct {
	Hearing []string
	Says    []string
}

// Mouth is what a caller speaks by, and listens with.
type Mouth interface {
	// Listen waits until the other has spoken, and returns what was understood.
	Listen() string
	// Say speaks.
	Say(text string)
}

// mostTurns is after how many turns a caller gives up.
const mostTurns = 16

// Begin has a caller hear how they are greeted, and say what they wish. It returns what
// they have understood of the greeting and of the answer.
func (c Caller) Begin(t testing.TB, mouth Mouth) []string {
	t.Helper()
	greeting := mouth.Listen()
	mouth.Say(c.Wish)
	understood := []string{greeting, mouth.Listen()}
	t.Logf("%s says: %s\nand hears: %q", c.Language, c.Wish, understood)
	return understood
}

// Talk has a caller talk until what they wish is done, and returns what they have
// understood. Who is not understood repeats what they said.
func (c Caller) Talk(t testing.TB, mouth Mouth, done func() bool) []string {
	t.Helper()
	var understood []string
	last, said := c.Wish, map[int]int{}
	for turn := range mostTurns {
		heard := mouth.Listen()
		understood = append(understood, heard)
		t.Logf("%s hears: %s", c.Language, heard)
		if done() {
			return understood
		}
		if turn > 0 {
			last = c.reply(heard, last, said)
		}
		t.Logf("%s says: %s", c.Language, last)
		mouth.Say(last)
	}
	t.Errorf("%s: nothing came of it in %d turns", c.Language, mostTurns)
	return understood
}

// reply is what a caller says to what they heard; their first answer is that to a read-back. How often they have given each answer
// is counted in said.
func (c Caller) reply(heard, last string, said map[int]int) string {
	heard = strings.ToLower(heard)
	for i, a := range c.Answers {
		if slices.ContainsFunc(a.Hearing, func(words string) bool { return strings.Contains(heard, words) }) {
			if i == 0 && !strings.Contains(heard, c.Expects) {
				return c.Corrects
			}
			said[i]++
			return a.Says[(said[i]-1)%len(a.Says)]
		}
	}
	return last
}

// Heard demands that words were understood at some time.
func Heard(t testing.TB, understood []string, words ...string) {
	t.Helper()
	all := strings.ToLower(strings.Join(understood, "\n"))
	for _, w := range words {
		if !strings.Contains(all, w) {
			t.Errorf("the caller has not heard %q in\n%s", w, all)
		}
	}
}

// The patients of the tests, who want to have their teeth cleaned. On the telephone
// they are asked whether their own number is right.
var (
	Carmen = Caller{
		Language: "es-ES", Wish: "Quiero una limpieza dental el jueves a las once de la mañana.",
		Expects: "jueves", Corrects: "No, el jueves a las once de la mañana.",
		Answers: []Answer{
			{[]string{"correcto", "confirmo", "confirma"}, []string{"Sí, es correcto.", "Sí, todo correcto.", "Correcto."}},
			{[]string{"desde el que", "el que llama", "mismo número", "este número"}, []string{"Sí, este número.", "Sí, por favor.", "Ese está bien."}},
			{[]string{"teléfono", "número"}, []string{"Seis uno dos, tres cuatro cinco, seis siete ocho.", "Seiscientos doce, treinta y cuatro, cincuenta y seis, setenta y ocho."}},
			{[]string{"nombre", "llama"}, []string{"Me llamo Carmen Ortega.", "Carmen Ortega."}},
			{[]string{"hora"}, []string{"A las once de la mañana.", "A las once."}},
			{[]string{"día", "cuándo"}, []string{"El jueves a las once de la mañana.", "El jueves."}},
		},
	}
	Emily = Caller{
		Language: "en-GB", Wish: "I would like to book a cleaning on Thursday at nine in the morning.",
		Expects: "thursday", Corrects: "No, on Thursday at nine in the morning.",
		Answers: []Answer{
			{[]string{"correct", "confirm", "that right", "back right"}, []string{"Yes, correct.", "Yes, that's right.", "Correct."}},
			{[]string{"calling from", "this number"}, []string{"Yes, please.", "Yes, that number.", "Yes."}},
			{[]string{"phone", "number"}, []string{"Six one two, three four five, six seven eight."}},
			{[]string{"name"}, []string{"My name is Emily Carter.", "Emily Carter."}},
			{[]string{"time"}, []string{"At nine in the morning.", "Nine o'clock."}},
			{[]string{"day", "when"}, []string{"On Thursday at nine in the morning.", "Thursday."}},
		},
	}
)
