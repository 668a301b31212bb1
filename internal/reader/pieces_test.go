package reader

import (
	"slices"
	"strings"
	"testing"
)

func vocabulary(t testing.TB, names ...string) *Vocabulary {
	t.Helper()
	v, err := NewVocabulary(append(Specials[:], names...))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestPieces(t *testing.T) {
	v := vocabulary(t, "how", "much", "?", "andamio", "##s", "cuesta", "12", "##5", "€", "an", "##damio", "unya")
	for text, want := range map[string]string{
		"How MUCH?":              "how much ?",
		"¿Cuesta el andamio?":    "[UNK] cuesta [UNK] andamio ?",
		"andamios, uña":          "andamio ##s [UNK] unya",
		"125 €":                  "12 ##5 €",
		"":                       "",
		"  \n\t":                 "",
		strings.Repeat("a", 999): "[UNK]",
		"\xff\x00andamio":        "[UNK] andamio",
	} {
		var got []string
		for _, n := range v.Pieces(text, 100) {
			got = append(got, v.names[n])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := v.Pieces("how much how much", 3); !slices.Equal(got, v.Pieces("how much how", 9)) {
		t.Errorf("three pieces are %v", got)
	}
}

func TestOnlyTheBeginningOfALongTextIsRead(t *testing.T) {
	v := vocabulary(t, "how")
	if got := v.Pieces(strings.Repeat(" ", 3*longestWord)+"how", 3); len(got) != 0 {
		t.Errorf("behind many spaces there is %v", got)
	}
	if got := v.Pieces(strings.Repeat(" ", 2*longestWord)+"how", 3); len(got) != 1 {
		t.Errorf("behind some spaces there is %v", got)
	}
}

func TestAVocabularyIsChecked(t *testing.T) {
	for _, names := range [][]string{nil, {"[PAD]"}, {"[UNK]", "[PAD]", "[CLS]", "[SEP]"}, append(Specials[:], "a", "a")} {
		if _, err := NewVocabulary(names); err == nil {
			t.Errorf("%q is a vocabulary", names)
		}
	}
}
