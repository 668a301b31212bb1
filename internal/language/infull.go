package language

import (
	"strings"
	"unicode"
)

// InFull is a text with the words in full that a thumb has shortened, "appt" or
// "finde": who looks things up by their words knows only those. All else stands as
// it was written.
func (m *Mix) InFull(text string) string {
	var out strings.Builder
	words, end := m.Tokens(text), 0
	for i := 0; i < len(words); {
		from := i
		var meant []string
		for ; i < len(words) && words[i].Start == words[from].Start; i++ {
			meant = append(meant, words[i].Word)
		}
		at := words[from]
		said := text[at.Start:at.End]
		if at.Start < end || at.Capital || at.Figures || m.Words("says_nothing")[Fold(said)] || letters(said) == letters(strings.Join(meant, "")) {
			continue
		}
		out.WriteString(text[end:at.Start])
		out.WriteString(strings.Join(meant, " "))
		end = at.End
	}
	return out.String() + text[end:]
}

// letters are the letters and figures of a text, folded.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, Fold(text))
}
