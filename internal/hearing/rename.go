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
	case n == 1 && isMisheard(e.Called, e.Text[name[0].Start:name[0].End]) && !e.is("agreeing", name[0].Word) && (spellingReader{e}.tellsSpelling(rest) || e.onlyManners(rest) && e.is("rename_leads", e.words.words[0].Word)):
		return name
	case e.namedOnly(name) && e.onlyManners(rest) && (len(e.spelled) > 0 || n > 1 && at > 0):
		return name
	}
	return nil
}

// tellsSpelling says whether words only tell how the name before them is written: "con
// ese al final".
func (e spellingReader) tellsSpelling(words []language.Token) bool {
	if len(words) == 0 {
		return false
	}
	to, ok := e.at("written_with", words, 0)
	for ok && to < len(words) && (e.is("letter_names", words[to].Word) || e.contentWords(words[to:to+1]) == 0) {
		to++
	}
	return ok && to == len(words)
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
	} else {
		e.Name = misheard(e.Called, e.Name)
	}
}

// misheard is a name with one of its parts as it should have been written, where what is
// said instead is one word and sounds like that part: "it's Parker with a p".
func misheard(called, said string) string {
	const near, shortest = 2, 4 // letters
	fields := strings.Fields(called)
	if len(fields) < 2 || strings.Contains(said, " ") || len(language.Fold(said)) < shortest {
		return said
	}
	for i, f := range fields {
		if d := language.Distance(language.Fold(f), language.Fold(said)); d > 0 && d <= near {
			fields[i] = said
			return strings.Join(fields, " ")
		}
	}
	return said
}

// isMisheard says whether a word sounds like a part of a name, and is not that.
func isMisheard(called, said string) bool { return misheard(called, said) != said }

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
