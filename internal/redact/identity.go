package redact

import (
	"strings"
	"unicode/utf8"
)

// control are the letters that a Spanish identity number ends in, by its
// remainder when it is divided by 23.
const control = "TRWAGMYFPDXBNJZSQVHLCKE"

// identities finds Spanish identity numbers: eight digits and a letter (DNI), or
// X, Y or Z, seven digits and a letter (NIE).
func identities(s string) (found []span) {
	for i := 0; i < len(s); {
		if end := identityAt(s, i); end > 0 {
			found = append(found, span{i, end})
			i = end
			continue
		}
		i++
	}
	return found
}

// identityAt says where the identity number that begins here ends; 0 when none
// does.
func identityAt(s string, i int) int {
	if !opens(s, i) {
		return 0
	}
	number, count, at := 0, 0, i
	if c := strings.IndexByte("XYZ", upper(s[i])); c >= 0 {
		number, count = c, 1
		at = overGap(s, i+1)
	}
	for count < 8 {
		if at >= len(s) || !isDigit(s[at]) {
			return 0
		}
		number = number*10 + int(s[at]-'0')
		count++
		at++
		if count < 8 {
			at = overGap(s, at)
		}
	}
	letter := overGap(s, at)
	if letter >= len(s) || upper(s[letter]) != control[number%23] || !closes(s, letter+1) {
		return 0
	}
	if letter > at && (isWord(s, letter) || afterDigit(s, i)) {
		return 0
	}
	return letter + 1
}

// afterDigit says whether more digits stand before: then this is the rest of a
// longer number, such as a telephone's.
func afterDigit(s string, i int) bool {
	for range 2 {
		r, size := utf8.DecodeLastRuneInString(s[:i])
		if size == 0 || !isGap(r) {
			break
		}
		i -= size
	}
	return i > 0 && (isDigit(s[i-1]) || s[i-1] == '+')
}

// isWord says whether a letter that stands apart is rather a word of the
// sentence: "12345678 y …" is "and".
func isWord(s string, i int) bool {
	if strings.IndexByte("aey", s[i]) < 0 {
		return false
	}
	rest := strings.TrimLeft(s[i+1:], " ")
	return rest != "" && rest != s[i+1:] && isLetter(rest[0])
}
