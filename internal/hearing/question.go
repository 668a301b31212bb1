package hearing

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

// questionReader tells questions, and what they ask.
type questionReader struct{ *ear }

// segments are the parts of the utterance that are understood one by one: its
// sentences, parted where a question begins within them.
func (e questionReader) segments() [][]language.Token {
	var all [][]language.Token
	for _, sentence := range e.words.parts(bySentence) {
		from := 0
		for i := 1; i < len(sentence); i++ {
			if i > from && (e.questionBegins(sentence, from, i) || e.supposed().begins(sentence, from, i) || e.languageAsked(sentence, from, i)) && !e.onlyFillers(sentence[from:i]) {
				all = append(all, sentence[from:i])
				from = i
			}
		}
		if n := len(all); n > 0 && from == 0 && (e.asksAbout(all[n-1], sentence) || e.asksUnder(all[n-1], sentence)) {
			all[n-1] = slices.Concat(all[n-1], sentence)
			continue
		}
		all = append(all, sentence[from:])
	}
	return all
}

// languageAsked says whether a question for the language to speak in ends before word i
// and more is said: "do you have a German speaker we just moved here".
func (e questionReader) languageAsked(sentence []language.Token, from, i int) bool {
	const fewest = 2 // words that say something
	for at := from; at < i; at++ {
		if to, ok := e.at("asked_for", sentence, at); ok && to == i {
			return e.contentWords(sentence[i:]) >= fewest
		}
	}
	return false
}

// asksAbout says whether a question is about what was named before it and a comma:
// "el aparcamiento, ¿es gratis?"
func (e questionReader) asksAbout(named, question []language.Token) bool {
	between := e.between(named[len(named)-1], question[0])
	answers := func(w language.Token) bool { return touches(w, [][2]int{e.phoneAt, e.emailAt, e.codeAt, e.nameAt}) }
	return strings.HasPrefix(between, ",") && question[0].Asks && !named[0].Asks && e.onlySubject(named) && !slices.ContainsFunc(named, answers) && !e.opens(question, 0)
}

// asksUnder says whether a question is put under the condition before it: "si me
// retraso, ¿hay algún problema?"
func (e questionReader) asksUnder(condition, question []language.Token) bool {
	between := e.between(condition[len(condition)-1], question[0])
	_, ok := e.conditions().conditionAt(condition)
	if start, said := e.skipManners(condition); said && !ok {
		_, ok = e.at("supposes", condition, start)
	}
	return ok && question[0].Asks && !condition[0].Asks && !strings.ContainsAny(between, ".!?;")
}

// questionBegins says whether a question begins within a sentence at word i:
// where a clause does, or in the same breath as what was told before it from
// word from on.
func (e questionReader) questionBegins(sentence []language.Token, from, i int) bool {
	if to, ok := e.at("asks_hour_only", sentence, i); ok && to == len(sentence) && e.hears("hours", sentence[from:i]) {
		return false // "hoy cerráis a qué hora"
	}
	joined := e.is("conjunctions", sentence[i-1].Word) && !(i-1 > from+1 && e.conditions().isCondition(sentence, i-1))
	if sentence[i].Clause != sentence[i-1].Clause || joined {
		_, inside := e.at("asks_inside", sentence, i)
		if e.opens(sentence, i) || e.order().asksHouse(sentence, i) || inside && !e.joins[sentence[i].Start] {
			return !e.conditions().begunCondition(sentence[from:i])
		}
	}
	if !e.asksInside(sentence, i) && !e.asksInBreath(sentence, i) {
		return false
	}
	before := sentence[from:i]
	if _, price := e.at("asks_price", sentence, i); price && e.hears("considers", before) {
		return true // "I was wondering about a new door do you charge for a quote"
	}
	return !e.begunAsking(before) && !e.conditions().begunCondition(before) && !e.onlySubject(before)
}

// begunAsking says whether words begin as questions do.
func (e questionReader) begunAsking(words []language.Token) bool {
	start, ok := e.skipManners(words)
	for ok && start < len(words) && !e.opens(words, start) && (e.is("pronouns", words[start].Word) || e.is("set want", words[start].Word) || e.is("fillers", words[start].Word)) {
		start++
	}
	return !ok || start == len(words) || e.opens(words, start)
}

// asksInside says whether a question that needs no comma before it stands at
// word i: "my mum uses a walker is that ok".
func (e questionReader) asksInside(words []language.Token, i int) bool {
	_, ok := e.at("asks_inside", words, i)
	return ok && !e.joins[words[i].Start] && !e.order().embedded(words, i) && (i == 0 || words[i].Clause != words[i-1].Clause || !e.is("no_question_after", words[i-1].Word))
}

// asksAnywhere says whether a part asks although it begins otherwise: "you do
// take cards, right", "sigue libre el piso", "lo cubre el seguro o no".
func (e questionReader) asksAnywhere(part []language.Token) bool {
	const fewest = 4 // words: "Monday or not" asks nothing
	if len(part) >= fewest && e.hears("ends_asking", part) && !e.hasOf("doubted_by", part) {
		return true
	}
	start, _ := e.skipManners(part)
	for i := range part {
		_, ok := e.at("asks_anywhere", part, i)
		if ok && (i == start || i == 0 || !e.is("no_question_after", part[i-1].Word)) {
			return true
		}
		if e.asksInside(part, i) || e.asksByOrder(part, i) && e.onlySubject(part[:i]) {
			return true
		}
	}
	return e.asksHouseWithin(part) || e.asksLeave(part)
}

func (e questionReader) onlyFillers(words []language.Token) bool {
	for _, w := range words {
		if !e.is("fillers", w.Word) {
			return false
		}
	}
	return true
}

// opens says whether a question begins at word i.
func (e questionReader) opens(words []language.Token, i int) bool {
	if _, not := e.at("no_openers", words, i); not || e.joins[words[i].Start] || e.order().contracted(words[i]) {
		return false
	}
	_, ok := e.at("openers", words, i)
	return ok
}

// isQuestion says whether a part asks: it ends in a question mark, or begins as
// questions do.
func (e questionReader) isQuestion(part []language.Token) bool {
	if e.asksAnywhere(part) {
		return true
	}
	if e.hears("note_requests", part) || e.instructs(part) {
		return false
	}
	if e.hears("asks_what_to_bring", part) || e.announced(part) {
		return true
	}
	if e.asksItself(part) {
		return true
	}
	start, ok := e.skipManners(part)
	if !ok {
		return false
	}
	if _, first := e.at("inverted_first", part, start); first && !e.order().contracted(part[start]) || e.opens(part, start) || e.asksByOrder(part, start) || e.conditions().asksUnderCondition(part) {
		return true
	}
	for start < len(part)-1 && e.is("pronouns", part[start].Word) {
		start++
	}
	return e.is("set want", part[start].Word) && e.opens(part, start)
}

// instructs says whether a part that nothing marks as a question tells what is to be
// done: "que la atienda otra persona".
func (e questionReader) instructs(part []language.Token) bool {
	start, ok := e.skipManners(part)
	if !ok || e.asksItself(part) {
		return false
	}
	_, ok = e.at("instructions", part, start)
	return ok
}

// announced says whether a question is announced and follows: "una consulta, si pago
// en efectivo me hacen descuento".
func (e questionReader) announced(part []language.Token) bool {
	const fewest = 2 // words that ask something
	_, to, ok := e.find("announces", part)
	return ok && e.contentWords(part[to:]) >= fewest
}

// asksItself says whether the question mark of the sentence is this part's own.
func (e questionReader) asksItself(part []language.Token) bool {
	last := part[len(part)-1]
	return last.Asks && e.endsSentence(last) && !e.tagQuestion(part)
}

// tagQuestion: "¿no?", "right?" and "ok?" ask nothing.
func (e questionReader) tagQuestion(part []language.Token) bool {
	for _, w := range part {
		if !e.is("tags", w.Word) {
			return false
		}
	}
	return true
}

// nearlyDone says whether what is arranged lacks nothing but who it is for and a yes:
// what is asked then, and names no day, wants no other.
func (s Setting) nearlyDone() bool {
	return s.Booking && (s.Expect == SlotName || s.Expect == SlotPhone || s.Expect == SlotEmail || s.Expect == SlotConfirm)
}

func (e questionReader) asksSomething() bool {
	for _, part := range e.segments() {
		if e.isQuestion(part) {
			return true
		}
	}
	return false
}

// skipManners passes over what callers say before they come to the point.
func (e questionReader) skipManners(part []language.Token) (int, bool) {
	for i := 0; i < len(part); {
		if to, ok := e.at("lead_phrases", part, i); ok {
			i = to
			continue
		}
		if !e.is("fillers", part[i].Word) && !e.is("lead_ins", part[i].Word) {
			return i, true
		}
		i++
	}
	return 0, false
}

// namesTopic hears a bare topic: "opening hours, please".
func (e questionReader) namesTopic(part []language.Token) bool {
	return e.Phone+e.BadPhone == "" && !e.hears("thanks_for", part) && (e.Expect == Nothing || len(part) <= 4 && !expectsWords(e.Expect)) && e.hears("topic", part) && len(part) <= 8
}

// expectsWords says whether words of any kind may be the answer.
func expectsWords(asked Slot) bool {
	return asked == SlotName || asked == SlotService || asked == SlotChoice || asked == SlotPhone || asked == SlotEmail
}

// addQuestion keeps the text of a part that asks.
func (e questionReader) addQuestion(part []language.Token) {
	for len(part) > 1 && !part[len(part)-1].Asks && e.is("manners", part[len(part)-1].Word) {
		part = part[:len(part)-1]
	}
	start := e.questionStart(part)
	part = e.withoutReason(part, start)
	part = e.withoutDelay(part, start)
	from, to := part[start].Start, part[len(part)-1].End
	if spaces := len(e.Text[to:]) - len(strings.TrimLeft(e.Text[to:], " ")); strings.HasPrefix(e.Text[to+spaces:], "?") {
		to += spaces + 1
	}
	if strings.HasSuffix(e.Text[:from], "¿") {
		from -= len("¿")
	}
	e.addPart(e.Text[from:to])
	e.questionsAt = append(e.questionsAt, [2]int{from, to})
	if e.Question == "" || e.followsQuestion(from) {
		e.questionAt[1] = to
		if e.Question == "" {
			e.questionAt[0] = from
		}
		e.Question = e.Text[e.questionAt[0]:to]
		return
	}
	e.Question += " " + e.Text[from:to] // with something else between them
	e.questionAt[1] = to
}

// addPart keeps a question apart from the others of the utterance.
func (e questionReader) addPart(question string) {
	if e.Question == "" {
		e.Questions = nil
	}
	e.Questions = append(e.Questions, question)
}

// withoutReason is a question without why it is asked, where that is something
// to be noted: "is there a lift, because I'm on crutches".
func (e questionReader) withoutReason(part []language.Token, start int) []language.Token {
	const fewest = 2
	for i := start + fewest; i < len(part); i++ {
		if e.is("why_asked", part[i].Word) && e.hears("must_know", part[i:]) {
			return part[:i]
		}
	}
	return part
}

// withoutDelay is a question without the words at its end that put off the answer to
// what was read back: "is it far, before I agree".
func (e questionReader) withoutDelay(part []language.Token, start int) []language.Token {
	const fewest = 2
	for i := start + fewest; i < len(part); i++ {
		if _, ok := e.at("before_agreeing", part, i); ok {
			return part[:i]
		}
	}
	return part
}

// followsQuestion says whether nothing but manners stands between the question
// so far and the place where another begins.
func (e questionReader) followsQuestion(from int) bool {
	if e.Question != e.Text[e.questionAt[0]:e.questionAt[1]] {
		return false
	}
	for _, w := range e.words.words {
		if w.Start >= e.questionAt[1] && w.End <= from && !e.is("fillers", w.Word) && !e.is("lead_ins", w.Word) {
			return false
		}
	}
	return true
}

// questionStart is where the question itself begins, after greetings and
// "I have a question".
func (e questionReader) questionStart(part []language.Token) int {
	if at, ok := e.conditions().conditionAt(part); ok && (e.onlySupposed(part) || e.conditions().asksUnderCondition(part)) {
		return at
	}
	start, ok := e.skipManners(part)
	if !ok {
		return 0
	}
	for start < len(part)-1 && touches(part[start], [][2]int{e.phoneAt, e.emailAt, e.codeAt}) {
		start++ // the answer to what was asked
	}
	return start
}

// asksOthers hears questions about a person by name: "when is Maria's
// appointment?", "dame el teléfono de Juan".
func (e questionReader) asksOthers(part []language.Token) bool {
	if e.hears("theirs", part) || e.possessive(part) || e.ofPerson(part) {
		return true
	}
	return e.isQuestion(part) && (e.hears("theirs_asked", part) || e.hasPerson(part) || e.expectsPerson(part))
}

// possessive hears "Maria's appointment".
func (e questionReader) possessive(part []language.Token) bool {
	for i, w := range part[:len(part)-1] {
		said := e.Text[w.Start:w.End]
		if w.Capital && !e.is("not_owners", w.Word) && (strings.HasSuffix(said, "'s") || strings.HasSuffix(said, "’s")) && e.is("private_nouns", part[i+1].Word) {
			return true
		}
		if strings.HasSuffix(w.Word, "s") && e.is("given_names", strings.TrimSuffix(w.Word, "s")) && e.is("private_nouns", part[i+1].Word) && !w.Capital {
			return true
		}
	}
	return false
}

// ofPerson hears "la cita de María", "the phone number of John Smith".
func (e questionReader) ofPerson(part []language.Token) bool {
	for i := 0; i+2 < len(part); i++ {
		if !e.is("private_nouns", part[i].Word) || !e.is("of_whom", part[i+1].Word) {
			continue
		}
		next := i + 2
		for next < len(part)-1 && e.is("name_titles", part[next].Word) {
			next++
		}
		w := part[next]
		named := e.is("given_names", w.Word) || w.Capital && next+1 < len(part) && part[next+1].Capital && !e.isWord(w.Word)
		if named && !e.is("not_names", w.Word) && (e.Name == "" || w.Start < e.nameAt[0] || w.Start >= e.nameAt[1]) && e.isQuestion(part) {
			return true
		}
	}
	return false
}

// expectsPerson hears "¿a qué hora viene Juan Pérez?", "when is John Smith
// coming in?"
func (e questionReader) expectsPerson(part []language.Token) bool {
	if !e.hasOf("comings", part) || !e.hasOf("comings_asked", part) || e.hasOf("first_persons", part) {
		return false
	}
	for i := 1; i+1 < len(part); i++ {
		a, b := part[i], part[i+1]
		known := e.is("given_names", a.Word) && e.is("given_names", b.Word)
		written := a.Capital && b.Capital && a.Clause == b.Clause && (e.is("given_names", a.Word) || !e.isWord(a.Word))
		if (known || written) && !e.is("name_titles", part[i-1].Word) && !e.is("name_titles", a.Word) && !e.is("not_names", a.Word) {
			return true
		}
	}
	return false
}

// hasPerson hears "¿tiene cita María?", "does John Smith have a booking?". A
// title is another matter: a doctor's appointments are for the taking.
func (e questionReader) hasPerson(part []language.Token) bool {
	if !e.hasOf("booked_things", part) || !e.hasOf("booked_verbs", part) {
		return false
	}
	if e.hasOf("booked_with", part) {
		return false
	}
	for i, w := range part {
		if i > 0 && e.is("given_names", w.Word) && (w.Start < e.nameAt[0] || w.Start >= e.nameAt[1]) && w.Capital {
			return true
		}
	}
	return false
}

// endsSentence says whether a word is the last one of its sentence.
func (e questionReader) endsSentence(w language.Token) bool {
	for _, other := range e.words.words {
		if other.Start > w.Start {
			return other.Sentence != w.Sentence
		}
	}
	return true
}

// Without is a text without the words of a question, which may stand in several
// places of it.
func Without(text, question string) string {
	for question = strings.TrimSpace(question); question != ""; {
		chunk := question
		for chunk != "" && !strings.Contains(text, chunk) {
			chunk = strings.TrimSpace(chunk[:max(strings.LastIndex(chunk, " "), 0)])
		}
		if chunk == "" {
			_, question, _ = strings.Cut(question, " ")
			continue
		}
		text = strings.Replace(text, chunk, " ", 1)
		question = strings.TrimSpace(strings.TrimPrefix(question, chunk))
	}
	return strings.TrimSpace(text)
}
