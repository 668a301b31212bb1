package lexicon

import (
	"strings"

	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/spanish"
)

// longestWord bounds what is stemmed: nothing longer is a word.
const longestWord = 40

// Stem returns the stem of a folded word in a language. Words that differ in
// nothing but inflection have the same stem.
func Stem(lang, word string) string {
	if len(word) < 2 || len(word) > longestWord || word[0] <= '9' {
		return word
	}
	if lang == Spanish {
		return spanishStems.of(word)
	}
	return englishStems.of(word)
}

var (
	spanishStems = stems{find: func(word string) string { return stemSpanish(regular(Spanish, word)) }}
	englishStems = stems{find: func(word string) string { return english.Stem(regular(English, word), true) }}
)

// regular is a word in a form that the stemmer knows what to do with.
func regular(lang, word string) string {
	if base, ok := irregular[lang][word]; ok {
		return base
	}
	return word
}

func stemSpanish(word string) string {
	stem := Fold(spanish.Stem(accented(word), true))
	if stem == word {
		return stemShort(word)
	}
	return stem
}

// accented gives a folded word the accents that the stemmer looks for, so that
// "habitacion" and "habitación" are stemmed alike.
func accented(word string) string {
	for _, s := range [...]struct{ plain, accented string }{
		{"cion", "ción"},
		{"sion", "sión"},
		{"xion", "xión"},
		{"eria", "ería"},
		{"erias", "erías"},
		{"ais", "áis"},
		{"eis", "éis"},
	} {
		if stem, ok := strings.CutSuffix(word, s.plain); ok {
			return stem + s.accented
		}
	}
	return word
}

// stemShort takes the endings off short words, which the stemmer leaves alone:
// "abren", "abre" and "abrir" are one, and so are "dia" and "dias".
func stemShort(word string) string {
	if len(word) < 4 || len(word) > 6 {
		return word
	}
	for _, ending := range [...]string{"ar", "er", "ir", "an", "en", "as", "es", "is", "a", "e", "o", "i", "s"} {
		if stem, ok := strings.CutSuffix(word, ending); ok && len(stem) >= 3 {
			return stem
		}
	}
	return word
}
