package lexicon

import "frontdesk.dev/frontdesk/internal/language"

// Names that catalogue, hearing and conversation still use.
//
// Deprecated: a language is asked for by the codes of language.Codes, and words
// are folded and compared by language.
const (
	Spanish = "es"
	English = "en"
)

// Fold is language.Fold.
//
// Deprecated: use language.Fold.
func Fold(word string) string { return language.Fold(word) }

// Distance is language.Distance.
//
// Deprecated: use language.Distance.
func Distance(a, b string) int { return language.Distance(a, b) }
