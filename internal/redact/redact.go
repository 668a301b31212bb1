// Package redact takes out of a caller's words what must not be kept: numbers
// of payment cards with their expiry and code, of bank accounts and of Spanish
// identity cards.
//
//	Text -> IBANs -> identity numbers -> card numbers -> the same in words
//
// Numbers are known by their own check digits, so that what merely looks alike
// stays: telephone numbers and confirmation codes above all. The expiry and the
// code of a card are known by the words that lead to them. A number that was
// mistyped, or is spread over two messages, is not recognised.
//
// It knows nothing of where the words come from or go to.
package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What stands for what was taken out.
const (
	Card     = "[card number]"
	IBAN     = "[IBAN]"
	Identity = "[identity number]"
	Expiry   = "[expiry]"
	Code     = "[security code]"
)

// Marks are all that stands for something that was taken out.
func Marks() []string { return []string{Card, IBAN, Identity, Expiry, Code} }

// Text returns a text without such numbers. It looks until it finds no more:
// where one is gone, what is left may show as another.
func Text(s string) string {
	if strings.ContainsFunc(s, isForeignDigit) {
		s = strings.Map(plainDigit, s)
	}
	for {
		left := s
		if hasDigits(s, 7) {
			left = replace(left, ibans(left), IBAN)
			left = replace(left, identities(left), Identity)
			left = replace(left, cards(left), Card)
		}
		if left = spoken(left); left == s {
			return s
		}
		s = left
	}
}

func isForeignDigit(r rune) bool { return r >= utf8.RuneSelf && unicode.Is(unicode.Nd, r) }

// plainDigit writes the digits of other scripts as ours.
func plainDigit(r rune) rune {
	if !isForeignDigit(r) {
		return r
	}
	zero := r
	for unicode.Is(unicode.Nd, zero-1) && r-zero < 9 {
		zero--
	}
	return '0' + r - zero
}

// hasDigits says whether there are so many digits at all: most of what callers
// say has not.
func hasDigits(s string, most int) bool {
	n := 0
	for i := range len(s) {
		if isDigit(s[i]) {
			if n++; n >= most {
				return true
			}
		}
	}
	return false
}

// span is a part of a text, in bytes.
type span struct{ start, end int }

// replace puts a name in the place of each span. They do not overlap.
func replace(s string, spans []span, name string) string {
	if len(spans) == 0 {
		return s
	}
	slices.SortFunc(spans, func(a, b span) int { return a.start - b.start })
	var b strings.Builder
	at := 0
	for _, found := range spans {
		b.WriteString(s[at:found.start])
		b.WriteString(name)
		at = found.end
	}
	b.WriteString(s[at:])
	return b.String()
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

// isGap says whether a character may stand between the groups of a number.
func isGap(r rune) bool {
	switch r {
	case '-', '.', '‐', '‑', '–', '\u200b':
		return true
	}
	return unicode.IsSpace(r)
}

// overGap is where a text goes on after at most two separating characters.
func overGap(s string, i int) int {
	for range 2 {
		r, size := utf8.DecodeRuneInString(s[i:])
		if size == 0 || !isGap(r) {
			break
		}
		i += size
	}
	return i
}

// opens says whether a number may begin here: it is not the rest of a word.
func opens(s string, i int) bool {
	r, size := utf8.DecodeLastRuneInString(s[:i])
	return size == 0 || !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// closes says whether a number may end here: no word goes on.
func closes(s string, i int) bool {
	r, size := utf8.DecodeRuneInString(s[i:])
	return size == 0 || !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
