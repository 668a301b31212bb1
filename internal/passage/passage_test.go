package passage_test

import (
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/passage"
)

func TestSigns(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		told, written string
		want          int
	}{
		"other forms of a word count":      {"our dogs are barking", "A dog that barks all night is seen first.", 2},
		"in Spanish too":                   {"el perro sangra", "Los perros que sangran se atienden antes.", 2},
		"small words do not":               {"is it at the door", "It is the one at the back.", 0},
		"figures do not":                   {"bus 24", "Open 24 hours.", 0},
		"a word counts once however often": {"dog dog dog", "The dog.", 1},
		"there is nothing in empty texts":  {"", "Anything.", 0},
		"and not across the two languages": {"perro", "Dogs are welcome.", 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := passage.Signs(tt.told, tt.written); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

func TestParagraph(t *testing.T) {
	t.Parallel()
	whole := "If a tooth is knocked out, keep it in milk. Ring us at once."
	a := frontdesk.Answer{Text: "If a tooth is knocked out, keep it in milk.", Hits: []frontdesk.AnswerHit{
		{Fragment: frontdesk.Fragment{Text: "Milk and teeth knocked out of an unused passage, longer than the answer."}},
		{Used: true, Fragment: frontdesk.Fragment{Text: "Parking is free.\n\n" + whole}},
	}}
	if got := passage.Paragraph(a); got != whole {
		t.Errorf("got %q", got)
	}
}

func TestSplitHead(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"Parking: on the street":                   "Parking|on the street|true",
		"Dogs. Welcome on the terrace":             "Dogs|Welcome on the terrace|true",
		"We do not know":                           "||false",
		"These are seven words and so no head. It": "These are seven words and so no head|It|false",
	} {
		head, text, ok := passage.SplitHead(written)
		if got := head + "|" + text + "|" + map[bool]string{true: "true", false: "false"}[ok]; got != want {
			t.Errorf("%q is %q, want %q", written, got, want)
		}
	}
}

func TestNamesMoney(t *testing.T) {
	t.Parallel()
	for written, want := range map[string][2]bool{
		"A cut is 20 €.":         {true, true},
		"Ten per cent, or 10 %.": {false, true},
		"Ask for the €€ menu.":   {false, false},
		"Open at 9.":             {false, false},
	} {
		if got := [2]bool{passage.NamesMoney(written), passage.NamesSum(written)}; got != want {
			t.Errorf("%q: money and sum are %v, want %v", written, got, want)
		}
	}
}

func TestTelling(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]bool{"wheel": true, "rueda": true, "of": false, "the": false, "gracias": false, "": false} {
		if got := passage.Telling(word); got != want {
			t.Errorf("%q: got %v", word, got)
		}
	}
}

func TestNameWords(t *testing.T) {
	t.Parallel()
	got := passage.NameWords([]string{"Table for two on the terrace", "Mesa en la terraza"})
	for word, want := range map[string]bool{"table": true, "terrace": true, "mesa": true, "terraza": true, "two": false, "for": false, "the": false} {
		if got[word] != want {
			t.Errorf("%q: got %v", word, got[word])
		}
	}
}
