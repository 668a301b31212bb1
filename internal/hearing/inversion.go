package hearing

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

// orderReader hears questions by the order and the form of their words.
type orderReader struct{ *ear }

func (e questionReader) order() orderReader { return orderReader(e) }

// asksByOrder says whether the words at i ask by their order or their form alone,
// without a mark: the verb before its subject ("what does she bring", "is it
// far"), a question word that is written as one ("qué tengo que llevar"), or a
// verb by which only the house is spoken to ("alquiláis bicis").
func (e questionReader) asksByOrder(words []language.Token, i int) bool {
	if _, not := e.at("no_openers", words, i); not {
		return false
	}
	return e.order().inverts(words, i) || e.order().asksByAccent(words, i) || e.order().asksHouse(words, i)
}

// inverts says whether a verb and its subject stand in the order of a question at
// word i, with or without the question word before them.
func (e orderReader) inverts(words []language.Token, i int) bool {
	if e.embedded(words, i) || e.contracted(words[i]) {
		return false
	}
	if _, ok := e.at("asks_outright", words, i); ok {
		return true
	}
	if !e.is("question_words", words[i].Word) {
		_, ok := e.at("inverted", words, i)
		return ok && !e.standsFor(words, i-1)
	}
	const most = 3 // words of what is asked for: "how many people", "what sort of shoes"
	for j := i + 1; j < len(words) && j-i <= most+1 && words[j].Clause == words[i].Clause; j++ {
		if _, ok := e.at("inverted", words, j); ok {
			return true
		}
		if _, ok := e.at("inverted_noun", words, j); ok && !e.is("relatives", words[i].Word) {
			return true
		}
		if e.is("clause_subjects", words[j].Word) {
			return false
		}
	}
	return false
}

// contracted says whether a word is a pronoun and its verb in one: "we're" is not "were".
func (e orderReader) contracted(w language.Token) bool {
	return e.is("contracted_pronouns", w.Word) && strings.ContainsAny(e.Text[w.Start:w.End], "'’")
}

// embedded says whether what stands at word i hangs on the word before it: "I
// know what it is", "if that is".
func (e orderReader) embedded(words []language.Token, i int) bool {
	return i > 0 && words[i].Sentence == words[i-1].Sentence && e.is("no_inversion_after", words[i-1].Word)
}

// standsFor says whether word i is a pronoun that the verb behind it belongs to:
// "as soon as you can", "if it is". Behind a verb or a preposition it is none.
func (e orderReader) standsFor(words []language.Token, i int) bool {
	if i < 0 || !e.is("either_pronouns", words[i].Word) {
		return false
	}
	return i == 0 || words[i].Clause != words[i-1].Clause || e.is("clause_words", words[i-1].Word) ||
		e.is("no_inversion_after", words[i-1].Word) || e.is("fillers", words[i-1].Word)
}

// asksByAccent says whether a question word stands at word i, after a preposition
// or without, that is written as one.
func (e orderReader) asksByAccent(words []language.Token, i int) bool {
	if e.embedded(words, i) {
		return false
	}
	at := i
	if at+1 < len(words) && e.is("asked_with", words[at].Word) {
		at++
	}
	w := words[at]
	return e.is("accented_asks", w.Word) && strings.ContainsAny(e.Text[w.Start:w.End], accented) && (at > i || i == 0 || !e.is("asked_with", words[i-1].Word))
}

// asksHouse says whether a clause begins at word i with a verb, or its subject,
// by which the house is asked what it does.
func (e orderReader) asksHouse(words []language.Token, i int) bool {
	if e.embedded(words, i) || touches(words[i], [][2]int{e.nameAt}) {
		return false
	}
	named := false
	for i < len(words) && e.is("house_pronouns", words[i].Word) {
		named = true
		i++
	}
	for i < len(words) && named && e.is("before_verb", words[i].Word) {
		i++
	}
	if i >= len(words) {
		return false
	}
	w := words[i].Word
	_, number := e.counts(w)
	switch {
	case number || e.is("no_house_verbs", w) || hasEnding(e.ear, "no_house_endings", w):
		return false
	case hasEnding(e.ear, "house_endings", w):
		return true
	}
	return named && hasEnding(e.ear, "house_endings_named", w)
}

// hasEnding says whether a word ends in one of a list of endings.
func hasEnding(e *ear, list, word string) bool {
	for ending := range e.Mix.Words(list) {
		if len(word) > len(ending)+1 && strings.HasSuffix(word, ending) {
			return true
		}
	}
	return false
}

// asksHouseWithin says whether the house is asked what it does by a verb that
// stands behind what it is about, and hangs on nothing: "los domingos abrís".
func (e questionReader) asksHouseWithin(part []language.Token) bool {
	for i := range part {
		if i > 0 && e.is("house_subordinates", part[i-1].Word) || e.is("house_subordinates", part[i].Word) {
			return false
		}
		if w := part[i].Word; e.order().asksHouse(part, i) || e.is("house_verbs", w) {
			return true
		}
	}
	return false
}

// asksLeave says whether a part asks whether something may be done, with the verb
// behind what it is about: "y dentro puedo fumar". Who may come tells when.
func (e questionReader) asksLeave(part []language.Token) bool {
	for i, w := range part {
		if e.is("house_subordinates", w.Word) || e.is("negations", w.Word) {
			return false
		}
		if i+1 < len(part) && e.is("leave_verbs", w.Word) && hasEnding(e.ear, "infinitive_endings", part[i+1].Word) && !e.is("said_with_leave", part[i+1].Word) {
			return true
		}
	}
	return false
}

// asksInBreath says whether a question begins at word i in the same breath as what
// was told before it. One that asks for leave and names a day or a service is a
// wish, and left to what it belongs to.
func (e questionReader) asksInBreath(words []language.Token, i int) bool {
	if e.is("asking_leave", words[i].Word) && e.wishesAhead(words[i:]) {
		return false
	}
	if _, not := e.at("no_openers", words, i); not {
		return false
	}
	return e.order().inverts(words, i) || e.order().asksByAccent(words, i) || e.order().asksHouse(words, i) && e.order().leadsHouse(words, i)
}

// leadsHouse says whether the verb at word i, by which the house is asked, begins
// its clause: nothing that belongs to it stands before it.
func (e orderReader) leadsHouse(words []language.Token, i int) bool {
	return e.is("house_pronouns", words[i].Word) || i+1 < len(words) && !e.smallest(words[i-1].Word) && !e.hasOf("house_subordinates", words[:i])
}

// wishesAhead says whether words name what is booked, or when.
func (e questionReader) wishesAhead(words []language.Token) bool {
	return e.mentioned(words) || len(e.Services) > 0 && !e.nearlyDone() && touchesAny(e.serviceAt, [][2]int{{words[0].Start, words[len(words)-1].End}}) ||
		e.hears("book", words) || e.hears("move", words) || e.hears("cancel", words)
}

// conditionReader reads what is said under a condition.
type conditionReader struct{ questionReader }

func (e questionReader) conditions() conditionReader { return conditionReader{e} }

// isCondition says whether word i is an "if" and no yes.
func (e conditionReader) isCondition(words []language.Token, i int) bool {
	w := words[i]
	return e.is("asks_if", w.Word) && !strings.ContainsAny(e.Text[w.Start:w.End], accented) && i+1 < len(words) && words[i+1].Clause == w.Clause
}

// conditionAt is where the condition stands that words begin with, behind manners.
func (e conditionReader) conditionAt(words []language.Token) (int, bool) {
	for i, w := range words {
		switch {
		case e.isCondition(words, i):
			return i, true
		case !e.is("fillers", w.Word) && !e.is("lead_ins", w.Word):
			return 0, false
		}
	}
	return 0, false
}

// begunCondition says whether words say under which condition something is asked:
// "if it rains, what happens".
func (e conditionReader) begunCondition(words []language.Token) bool {
	const most = 9 // words
	start, ok := e.conditionAt(words)
	return ok && len(words)-start <= most && (!e.mentioned(words) || e.supposed().changesIn(words))
}

// asksUnderCondition says whether a part is a condition and a question behind it.
func (e conditionReader) asksUnderCondition(part []language.Token) bool {
	const fewest = 3 // words of a condition whose verb is not that of the question
	start, ok := e.conditionAt(part)
	for i := start + 2; ok && i < len(part); i++ {
		if (e.order().inverts(part, i) || e.order().asksByAccent(part, i) || i > start+fewest && (e.order().asksHouse(part, i) || e.opens(part, i) && !e.order().embedded(part, i))) && e.begunCondition(part[start:i]) {
			return !e.wishesAhead(part[i:])
		}
	}
	return false
}

// onlySubject says whether words only name what is asked about: "mi marido puede
// entrar", "the lift does it work", "on Sundays what time do you close". A day that
// may answer what was asked is one.
func (e questionReader) onlySubject(words []language.Token) bool {
	const few, most = 3, 5
	start, ok := e.skipManners(words)
	if ok && len(words)-start > few && e.hears("must_know", words) {
		return false // it tells something
	}
	if !ok || len(words)-start > most || e.hasOf("clause_subjects", words[start+1:]) || len(words)-start > 1 && e.is("clause_subjects", words[start].Word) && !e.is("determiners", words[start].Word) || e.hasOf("clause_words", words[start:]) {
		return false
	}
	if e.mentioned(words) {
		return e.Expect == Nothing && !e.Booking && intentReader{e}.onlyWhen(words[start:])
	}
	return e.is("determiners", words[start].Word) || len(words)-start == 1 && e.is("question_subjects", words[start].Word)
}

// hearAskedDone keeps where somebody of the house is asked to do something: it is
// for whoever serves the caller, answered or not.
func (e questionReader) hearAskedDone(part []language.Token) {
	if from, _, ok := e.find("asks_to_have", part); ok && (e.hears("must_know", part[from:]) || noteWriter{&cutter{ear: e.ear}}.withSomebody(part[from:])) {
		e.doneAt = append(e.doneAt, [2]int{part[from].Start, part[len(part)-1].End})
		return
	}
	from, to, ok := e.find("asks_done", part)
	if !ok || e.is("told_or_booked", part[to-1].Word) || to < len(part) && e.is("told_or_booked", part[to].Word) {
		return
	}
	e.doneAt = append(e.doneAt, [2]int{part[from].Start, part[len(part)-1].End})
}
