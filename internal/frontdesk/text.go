package frontdesk

import (
	"strings"
	"unicode"
)

// Storable mends what was said or heard so that any database can hold it: a
// byte that is no UTF-8, or a zero, must not cost the call.
func Storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "")
}

// Clip cuts a text after so many characters.
func Clip(s string, characters int) string {
	if len(s) <= characters {
		return s
	}
	if runes := []rune(s); len(runes) > characters {
		return string(runes[:characters])
	}
	return s
}

// HasWords says whether a text has a letter or a digit.
func HasWords(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
