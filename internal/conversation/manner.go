package conversation

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// The sections by whose words a manner of speaking is told: those of a greeting,
// and those by which an owner asks for it.
const (
	mannerSection = "manner "
	askedManner   = "asked manner "
)

// Manner is how a business speaks to its callers: by its own greeting or,
// when that does not tell, by what it asks of the receptionist.
func Manner(a frontdesk.Agent) string {
	if manner, ok := mannerIn(a.Config.Assistant.Greeting, mannerSection); ok {
		return manner
	}
	manner, _ := mannerIn(a.Config.PromptExtra, askedManner)
	return manner
}

// mannerIn tells the manner of a text by its words.
func mannerIn(text, sections string) (string, bool) {
	words := language.Tokenize(text)
	for _, code := range language.Codes() {
		l := language.Of(code)
		for _, section := range l.Sections(sections) {
			set := l.Words(section)
			if slices.ContainsFunc(words, func(w language.Token) bool { return set[w.Word] }) {
				return strings.TrimPrefix(section, sections), true
			}
		}
	}
	return "", false
}
