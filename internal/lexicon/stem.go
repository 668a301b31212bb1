package lexicon

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

// longestWord bounds what is stemmed: nothing longer is a word.
const longestWord = 40

// Stem returns the stem of a folded word in a language. Words that differ in
// nothing but inflection have the same stem.
func Stem(lang, word string) string { return tongueOf(lang).stem(word) }

func (t *tongue) stem(word string) string {
	if len(word) < 2 || len(word) > longestWord || word[0] <= '9' {
		return word
	}
	return t.stems.of(word)
}

// stemmer takes endings off the words of a language.
type stemmer struct {
	snowball func(word string, stopWords bool) string
	accents  []ending // that the algorithm looks for and callers do not write
	short    []string // endings of short words
}

func newStemmer(l *language.Language) stemmer {
	return stemmer{
		snowball: snowballs[strings.Join(l.Lines("stemmer"), "")], accents: pairs(l, "stem accents"),
		short: strings.Fields(strings.Join(l.Lines("short endings"), " ")),
	}
}

func (s stemmer) stem(word string) string {
	if s.snowball == nil {
		return word
	}
	stem := language.Fold(s.snowball(s.accented(word), true))
	if stem == word {
		return s.stemShort(word)
	}
	return stem
}

// accented gives a folded word the accents that the stemmer looks for, so that
// "habitacion" and "habitación" are stemmed alike.
func (s stemmer) accented(word string) string {
	for _, a := range s.accents {
		if stem, ok := strings.CutSuffix(word, a.from); ok {
			return stem + a.to
		}
	}
	return word
}

// stemShort takes the endings off short words, which the stemmer leaves alone:
// "abren", "abre" and "abrir" are one, and so are "dia" and "dias".
func (s stemmer) stemShort(word string) string {
	if len(word) < 4 || len(word) > 6 {
		return word
	}
	for _, ending := range s.short {
		if stem, ok := strings.CutSuffix(word, ending); ok && len(stem) >= 3 {
			return stem
		}
	}
	return word
}
