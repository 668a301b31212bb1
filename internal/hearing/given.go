package hearing

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

// givenReader tells the names that people are given from surnames, and from those of
// others.
type givenReader struct{ nameReader }

// putGivenFirst puts the name that somebody was given before their surname, where it is
// said which of the two it is: "Lindahl, first name Sven", "Sven is my first name".
func (e givenReader) putGivenFirst() {
	if e.Expect != SlotName || e.Name == "" {
		return
	}
	e.dropRepeated()
	words := saidOnce(e.rest().words)
	if from, _, ok := e.find("given_tails", words); ok && from > 0 {
		e.leadWith(words[from-1])
		return
	}
	from, to, ok := e.find("given_leads", words)
	if !ok || to >= len(words) || strings.Contains(e.Name, " ") || language.Fold(e.Name) != words[to].Word {
		return
	}
	clauses := (utterance{text: e.Text, words: words[:from]}).parts(byClause)
	for _, clause := range slices.Backward(clauses) {
		for len(clause) > 0 && (e.is("fillers", clause[0].Word) || e.is("name_manners", clause[0].Word)) {
			clause = clause[1:]
		}
		if n := e.nameLength(clause); n > 0 && n == len(clause) && !e.allWords(clause) {
			e.Name += " " + e.tidyName(e.Text[clause[0].Start:clause[n-1].End])
			e.nameAt[0] = min(e.nameAt[0], clause[0].Start)
			return
		}
	}
}

// leadWith puts a word of the name first.
func (e givenReader) leadWith(given language.Token) {
	parts := strings.Fields(e.Name)
	at := slices.IndexFunc(parts, func(p string) bool { return language.Fold(p) == given.Word })
	if at > 0 {
		e.Name = strings.Join(slices.Concat(parts[at:at+1], parts[:at], parts[at+1:]), " ")
	}
}

// dropRepeated leaves out the given name where it was said again to tell how it is
// written: "Kath Moore, Kath with a K". A surname may well come twice.
func (e givenReader) dropRepeated() {
	parts := strings.Fields(e.Name)
	if last := len(parts) - 1; last > 1 && language.Fold(parts[last]) == language.Fold(parts[0]) {
		e.Name = strings.Join(parts[:last], " ")
	}
}

// servesOther says whether who is asked for a name only tells whom it is for, by their
// given name: "it's for Ned". That is noted, and who calls is asked again. Where parties
// are seated, it is the name of the table.
func (e givenReader) servesOther(words []language.Token) bool {
	from, to, ok := e.find("served_leads", words)
	if e.Expect != SlotName || e.Trade.SeatsParties || !ok || e.contentWords(words[:from]) > 0 || to >= len(words) || !e.is("given_names", words[to].Word) {
		return false
	}
	if e.nameLength(words[to:]) != 1 || e.contentWords(words[to+1:]) > 0 {
		return false
	}
	e.Notes = append(e.Notes, e.Text[words[to-1].Start:words[to].End])
	return true
}
