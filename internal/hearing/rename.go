package hearing

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

// renames hears a caller who corrects the name that was read back: "change the
// name to Karen Oduya", "es Nájera una sola vez", "it's Smyth with a y".
func (e nameReader) renames(words []language.Token) bool {
	if e.Expect != SlotConfirm {
		return false
	}
	words = (utterance{text: e.Text, words: words}).blanked(e.spelledSpans()...).words
	for i := range words {
		to, ok := e.at("name_corrects", words, i)
		if !ok || to >= len(words) || words[to].Sentence != words[i].Sentence {
			continue
		}
		if n := e.nameLength(words[to:]); n > 0 && (words[to].Capital || !e.allWords(words[to:to+n])) {
			e.rename(words[to:to+n], e.hasOf("surnames", words[i:to]))
			return true
		}
	}
	for _, clause := range (utterance{text: e.Text, words: words}).parts(byClause) {
		if name := e.saidAgain(clause); name != nil {
			e.rename(name, false)
			return true
		}
	}
	return false
}

// saidAgain is the name in a clause that is nothing but one and the words that
// insist on it.
func (e nameReader) saidAgain(clause []language.Token) []language.Token {
	at := 0
	for at < len(clause) && (e.is("rename_leads", clause[at].Word) || e.is("fillers", clause[at].Word)) {
		at++
	}
	n := e.nameLength(clause[at:])
	if n == 0 {
		return nil
	}
	name, rest := clause[at:at+n], clause[at+n:]
	switch {
	case e.isService(name):
		return nil
	case e.insists(rest) && e.mostlyNamed(name):
		return name
	case e.namedOnly(name) && e.onlyManners(rest) && (len(e.spelled) > 0 || n > 1 && at > 0):
		return name
	}
	return nil
}

// insists says whether words only insist on the name before them: "a secas".
func (e nameReader) insists(words []language.Token) bool {
	const short = 4
	switch {
	case len(words) == 0:
		return false
	case e.is("name_denies", words[0].Word):
		return len(words) <= short
	}
	to, ok := e.at("name_insists", words, 0)
	return ok && e.onlyManners(words[to:])
}

// rename sets the name that a caller insists on. A surname alone takes the place
// of the one that stands.
func (e nameReader) rename(words []language.Token, surname bool) {
	e.setName(words)
	e.renamed = true
	if surname {
		e.Name = withSurname(e.Called, e.Name)
	}
}

// withSurname is a name with another surname, or with nothing behind the one
// that it has already.
func withSurname(called, surname string) string {
	fields := strings.Fields(called)
	if len(fields) == 0 {
		return surname
	}
	for i := 1; i < len(fields); i++ {
		if language.Fold(fields[i]) == language.Fold(strings.Fields(surname)[0]) {
			return strings.Join(fields[:i], " ") + " " + surname
		}
	}
	given := fields[:1]
	if len(fields) > 3 {
		given = fields[:2] // two given names and two surnames
	}
	return strings.Join(given, " ") + " " + surname
}
