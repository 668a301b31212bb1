package console

import (
	"unicode"

	"frontdesk.dev/frontdesk/internal/language"
)

// piece is a part of a text; Marked: it is a word that somebody looks for.
type piece struct {
	Text   string
	Marked bool
}

// wordsWanted are the words that a search looks for, as they are compared.
func wordsWanted(search string) map[string]bool {
	wanted := map[string]bool{}
	for _, p := range split(search) {
		if p.Marked {
			wanted[language.Fold(p.Text)] = true
		}
	}
	return wanted
}

// mark divides a text at the words that are wanted.
func mark(text string, wanted map[string]bool) []piece {
	if len(wanted) == 0 {
		return []piece{{Text: text}}
	}
	var all []piece
	for _, p := range split(text) {
		p.Marked = p.Marked && wanted[language.Fold(p.Text)]
		if n := len(all); n > 0 && !p.Marked && !all[n-1].Marked {
			all[n-1].Text += p.Text
			continue
		}
		all = append(all, p)
	}
	return all
}

// split divides a text into words, which are marked, and what is between them.
// A word is what the store takes for one when it searches.
func split(text string) []piece {
	var all []piece
	for _, r := range text {
		word := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
		if n := len(all); n > 0 && all[n-1].Marked == word {
			all[n-1].Text += string(r)
			continue
		}
		all = append(all, piece{string(r), word})
	}
	return all
}
