package lexicon

import (
	"strings"
	"unicode"

	"frontdesk.dev/frontdesk/internal/language"
)

// enough is how many words of a long text its language is told from.
const enough = 400

// Language tells the code of the language of a text, and "" when there is nothing
// in it to tell by.
func Language(text string) string {
	codes := language.Codes()
	points := make([]int, len(codes))
	n := 0
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '¿' && r != '¡' }) {
		w := language.Fold(strings.TrimLeft(word, "¿¡"))
		for i, code := range codes {
			points[i] += leaning(code, word, w)
		}
		if n++; n >= enough {
			break
		}
	}
	return leader(codes, points)
}

// leader is the language with the most points, "" when two have as many.
func leader(codes []string, points []int) string {
	best, most := "", 0
	for i, code := range codes {
		switch {
		case points[i] > most:
			best, most = code, points[i]
		case points[i] == most:
			best = ""
		}
	}
	return best
}

// leaning is how much one word speaks for a language. What holds sentences
// together tells most; a word of the lexicon tells a little.
func leaning(lang, written, word string) (points int) {
	if own := tongueOf(lang).own; own != "" && strings.ContainsAny(written, own) {
		points += 3
	}
	switch {
	case Grammar(lang, word):
		points += 4
	case Manners(lang, word), Light(lang, word):
		points += 3
	case Words().Knows(Words().Entry(lang, word)):
		points++
	}
	return points
}
