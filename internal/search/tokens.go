package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/lexicon"
)

// longestToken bounds the length of a word in bytes; what is longer is no word,
// and is left out.
const longestToken = 48

// token is a word or a number of a text.
type token struct {
	word       string // folded; of a number, its plain form
	start, end int    // in the text
	number     bool
	capital    bool // it begins with a capital letter
	joined     bool // nothing but a hyphen stands between it and the token before
}

// tokens splits a text into its words and numbers. "9.30", "3,50" and "10:15"
// are one number each; "wi-fi" is two tokens that are joined.
func tokens(text string) (all []token) {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !wordly(r) {
			i += size
			continue
		}
		end := tokenEnd(text, i, unicode.IsDigit(r))
		if t, ok := newToken(text, i, end); ok {
			t.joined = len(all) > 0 && all[len(all)-1].end == i-1 && text[i-1] == '-'
			all = append(all, t)
		}
		i = end
	}
	return all
}

func wordly(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

// tokenEnd is where the token that begins at i ends. A mark between two digits
// belongs to the number; an apostrophe between letters to the word.
func tokenEnd(text string, i int, number bool) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case wordly(r):
			if number && unicode.IsLetter(r) {
				return i // "25eur", "9h"
			}
		case number && strings.ContainsRune(".,:", r) && digitAt(text, i+size):
		case !number && (r == '\'' || r == '’') && letterAt(text, i+size):
		default:
			return i
		}
		i += size
	}
	return i
}

func digitAt(text string, i int) bool { return i < len(text) && '0' <= text[i] && text[i] <= '9' }

func letterAt(text string, i int) bool {
	r, _ := utf8.DecodeRuneInString(text[min(i, len(text)):])
	return unicode.IsLetter(r)
}

func newToken(text string, start, end int) (token, bool) {
	if end-start > longestToken {
		return token{}, false
	}
	first, _ := utf8.DecodeRuneInString(text[start:])
	t := token{start: start, end: end, number: unicode.IsDigit(first), capital: unicode.IsUpper(first)}
	if t.number {
		t.word = plainNumber(text[start:end])
	} else {
		t.word = plainWord(text[start:end])
	}
	return t, t.word != ""
}

// plainNumber writes a number the way all its spellings share: "10:00", "10.00"
// and "10" are the same to a caller.
func plainNumber(s string) string {
	s = strings.NewReplacer(",", ".", ":", ".").Replace(lexicon.Fold(s))
	return strings.TrimSuffix(s, ".00")
}

// plainWord folds a word and takes off the English genitive and the apostrophes.
func plainWord(s string) string {
	s = lexicon.Fold(s)
	s = strings.ReplaceAll(s, "’", "'")
	s = strings.TrimSuffix(s, "'s")
	return strings.ReplaceAll(s, "'", "")
}
