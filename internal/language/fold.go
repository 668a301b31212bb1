package language

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold returns a word in lower case and without accents, the way callers type
// it: "Habitación" is "habitacion", "niño" is "nino"; but "uña" is "unya".
func Fold(word string) string {
	if plain(word) {
		return word
	}
	var b strings.Builder
	b.Grow(len(word))
	for _, r := range norm.NFKD.String(word) {
		switch {
		case !unicode.Is(unicode.Mn, r):
			b.WriteRune(unicode.ToLower(r))
		case r == tilde && isNail(b.String()):
			b.WriteByte('y')
		}
	}
	return b.String()
}

const tilde = '\u0303'

// isNail tells whether a text that a tilde follows ends in the beginning of
// "uña". Without its tilde that would be "una", which is grammar.
func isNail(text string) bool {
	before, ok := strings.CutSuffix(text, "un")
	return ok && (before == "" || strings.ContainsAny(before[len(before)-1:], " ,-|"))
}

func plain(word string) bool {
	for i := range len(word) {
		if c := word[i]; c >= 0x80 || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}
