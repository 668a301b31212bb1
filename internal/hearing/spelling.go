package hearing

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// respelled is the word that a mistyped one was meant to be, or the word itself:
// there are long words that much hangs on and that callers often mistype.
func (e *ear) respelled(w string) string {
	keys := e.Mix.Words("key_words")
	if len(w) < 7 || len(w) > 16 || keys[w] || e.grammar(w) {
		return w
	}
	for key := range keys {
		most := 1
		if len(key) >= 9 {
			most = 2
		}
		if w[0] == key[0] && max(len(w)-len(key), len(key)-len(w)) <= most && w[len(w)-1] != 's' && language.Distance(w, key) <= most && !inflected(w, key) {
			return key
		}
	}
	return w
}

// grammar says whether a word only holds sentences together, in any language.
func (e *ear) grammar(w string) bool {
	return slices.ContainsFunc(e.Mix.Languages, func(l *language.Language) bool { return lexicon.Grammar(l.Code, w) })
}

// inflected says whether two words differ only in their endings, so that the
// first may be another form and no slip: "reservas" beside "reservar".
func inflected(w, key string) bool {
	n := min(len(w), len(key)) - 2
	return n > 0 && w[:n] == key[:n]
}
