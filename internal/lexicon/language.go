package lexicon

import (
	"strings"
	"unicode"
)

// enough is how many words of a long text its language is told from.
const enough = 400

// Language tells the language of a text, Spanish or English, and "" when there
// is nothing in it to tell by.
func Language(text string) string {
	var es, en, n int
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '¿' && r != '¡' }) {
		s, e := leaning(word)
		es, en = es+s, en+e
		if n++; n >= enough {
			break
		}
	}
	switch {
	case es > en:
		return Spanish
	case en > es:
		return English
	}
	return ""
}

// leaning is how much one word speaks for each language. What holds sentences
// together tells most; a word of the lexicon tells a little.
func leaning(word string) (es, en int) {
	if strings.ContainsAny(word, "¿¡ñÑáéíóúÁÉÍÓÚ") {
		es += 3
	}
	w := Fold(strings.TrimLeft(word, "¿¡"))
	for lang, points := range map[string]*int{Spanish: &es, English: &en} {
		switch {
		case Grammar(lang, w):
			*points += 4
		case Manners(lang, w), Light(lang, w):
			*points += 3
		case Words().Knows(Words().Entry(lang, w)):
			*points++
		}
	}
	return es, en
}
