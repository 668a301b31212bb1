package lexicon

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold returns a word in lower case and without accents, the way callers type
// it: "Habitación" is "habitacion", "niño" is "nino".
func Fold(word string) string {
	if plain(word) {
		return word
	}
	var b strings.Builder
	b.Grow(len(word))
	for _, r := range norm.NFKD.String(word) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

func plain(word string) bool {
	for i := range len(word) {
		if c := word[i]; c >= 0x80 || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}
