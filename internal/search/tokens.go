package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/language"
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
// are one number each, "wifi6" is one word; "wi-fi" is two tokens that are joined.
func tokens(text string) (all []token) {
	parts := language.Tokenize(text)
	for i := 0; i < len(parts); {
		n := partsOf(text, parts[i:])
		start, end := parts[i].Start, parts[i+n-1].End
		if t, ok := newToken(text, start, end); ok {
			t.joined = len(all) > 0 && all[len(all)-1].end == start-1 && text[start-1] == '-'
			all = append(all, t)
		}
		i += n
	}
	return all
}

// partsOf is how many tokens are one here: figures with a mark between them, or a
// word with the figures in it.
func partsOf(text string, parts []language.Token) int {
	n := 1
	for ; n < len(parts); n++ {
		between := text[parts[n-1].End:max(parts[n-1].End, parts[n].Start)]
		if parts[0].Figures && (!parts[n].Figures || len(between) != 1 || !strings.Contains(".,:", between)) {
			break
		}
		if !parts[0].Figures && between != "" {
			break
		}
	}
	return n
}

func digitAt(text string, i int) bool { return i < len(text) && '0' <= text[i] && text[i] <= '9' }

func newToken(text string, start, end int) (token, bool) {
	if end-start > longestToken {
		return token{}, false
	}
	first, _ := utf8.DecodeRuneInString(text[start:])
	t := token{start: start, end: end, number: unicode.IsDigit(first), capital: unicode.IsUpper(first)}
	if t.number {
		t.word = plainNumber(text[start:end])
	} else {
		t.word = language.Full(plainWord(text[start:end]))
	}
	return t, t.word != ""
}

// plainNumber writes a number the way all its spellings share: "10:00", "10.00"
// and "10" are the same to a caller.
func plainNumber(s string) string {
	s = strings.NewReplacer(",", ".", ":", ".").Replace(language.Fold(s))
	return strings.TrimSuffix(s, ".00")
}

// plainWord folds a word and takes off the English genitive and the apostrophes.
func plainWord(s string) string {
	s = language.Fold(s)
	s = strings.ReplaceAll(s, "’", "'")
	s = strings.TrimSuffix(s, "'s")
	return strings.ReplaceAll(s, "'", "")
}
