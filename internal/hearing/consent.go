package hearing

import (
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
)

// hearSigns hears a thumb up or down where the words do not answer.
func (e answerReader) hearSigns() {
	if e.Yes || e.No || e.Expect == Nothing && len(e.words.words) > 0 {
		return
	}
	for _, r := range e.Text {
		e.Yes = e.Yes || e.is("yes_signs", string(r))
		e.No = e.No || e.is("no_signs", string(r))
	}
	e.Yes = e.Yes && !e.No
}

// hearWait hears who needs a moment, and who needs more time than this call has:
// that is a no for now. Who goes on with something new does neither.
func (e answerReader) hearWait() {
	words := e.words.words
	if e.Question != "" && e.asksElsewhere() {
		e.Question, e.questionAt = "", [2]int{}
		e.Intents = slices.DeleteFunc(e.Intents, func(i Intent) bool { return i == Ask })
	}
	if e.leavesAtOnce() {
		e.leave()
		return
	}
	switch {
	case e.Question != "" || !e.hears("defers", words) || e.looksForIt():
	case e.Expect == SlotConfirm:
		e.Waits, e.Yes, e.No = true, false, true
		return
	case !e.saysNewAfter("defers") && !e.Has(Order) && !e.Has(Human) && len(e.Messages) == 0:
		e.Intents = slices.DeleteFunc(e.Intents, func(i Intent) bool { return i == Book || i == Repeat })
		if !(nameReader{questionReader{e.ear}}).isNamed() {
			e.Name, e.nameAt = "", [2]int{}
		}
		e.Yes, e.No = false, e.No || e.Expect != Nothing
		e.Party, e.partyAt, e.When = 0, [2]int{}, dates.Reading{}
		e.Services, e.Unbookable = nil, nil
		e.want(Restart)
		e.leaves = e.hears("called_away", words)
		return
	}
	e.Waits = (e.hears("waits", words) || e.looksForIt()) && !e.hasNews() && e.Question == "" && e.Name+e.Phone+e.Email == "" && !e.wantsSomething()
	if e.Waits && e.looksForIt() {
		e.DontKnow, e.No = false, false
	}
}

// looksForIt says whether somebody who was asked for a number, a code or an address does
// not have it in their head and looks for it: that is no refusal.
func (e answerReader) looksForIt() bool {
	asked := e.Expect == SlotPhone || e.Expect == SlotCode || e.Expect == SlotEmail
	return asked && e.Phone+e.BadPhone+e.Code+e.Email == "" && e.hears("looks_for_it", e.words.words)
}

// leavesAtOnce says whether somebody is called away and hangs up, and gives nothing that
// was asked for on the way. Who agrees to what was read back has done that.
func (e answerReader) leavesAtOnce() bool {
	words := e.words.words
	goes := e.hears("hangs_up", words) || e.hears("called_away", words) && (e.hears("defers", words) || e.Has(Goodbye))
	if !goes || e.Yes && e.Expect == SlotConfirm || e.Name+e.Phone+e.Email+e.BadPhone != "" && e.Expect != Nothing && e.Expect != SlotConfirm {
		return false
	}
	return e.Phone == "" && !e.Has(Cancel) && !e.Has(Reschedule) && !e.Has(Human) && (e.Question == "" || e.hears("called_away", words)) && !e.booksWith()
}

// booksWith says whether something is to be booked, and when.
func (e answerReader) booksWith() bool {
	_, timed := e.When.Time()
	return e.Has(Book) && timed || len(e.Messages) > 0
}

// leave makes a goodbye of all that was said: why somebody has to go is no remark.
func (e answerReader) leave() {
	e.Intents = slices.DeleteFunc(e.Intents, func(i Intent) bool { return i != Thanks })
	e.want(Goodbye)
	e.Question, e.questionAt, e.questionsAt, e.doneAt = "", [2]int{}, nil, nil
	e.Yes, e.No, e.Waits, e.DontKnow = false, false, false, false
	e.Party, e.partyAt, e.When = 0, [2]int{}, dates.Reading{}
	e.Services, e.Unbookable, e.serviceAt, e.Choice = nil, nil, [2]int{}, 0
	e.leaves = true
}

// asksElsewhere says whether the question is one that the caller has to put to
// somebody else: "I'd need to ask at home" asks nothing here. "Before I say yes, is
// there a lift?" does.
func (e answerReader) asksElsewhere() bool {
	const fewest = 3 // words that ask something
	for _, span := range e.spans("defers") {
		if span[0] >= e.questionAt[1] || e.questionAt[0] >= span[1] {
			continue
		}
		var rest []language.Token
		for _, w := range e.words.words {
			if w.Start >= span[1] && w.End <= e.questionAt[1] {
				rest = append(rest, w)
			}
		}
		if e.contentWords(rest) < fewest && !e.asksBefore(span) {
			return true
		}
	}
	return false
}

// asksBefore says whether the words before those that put the yes off ask something
// of the house: "what does it cost, before I agree".
func (e answerReader) asksBefore(span [2]int) bool {
	if !slices.ContainsFunc(e.spans("before_agreeing"), func(s [2]int) bool { return s[0] == span[0] }) {
		return false
	}
	var before []language.Token
	for _, w := range e.words.words {
		if w.Start >= e.questionAt[0] && w.End <= span[0] {
			before = append(before, w)
		}
	}
	return len(before) > 1 && !e.hears("defers", before) && e.isQuestion(before)
}

// saysNewAfter says whether something new is said after the last phrase of a meaning:
// "let me think, no, make it Thursday" goes on, "on Thursday I'll call you" does not.
func (e *ear) saysNewAfter(meaning string) bool {
	words, end := e.words.words, 0
	for i := range words {
		if to, ok := e.at(meaning, words, i); ok {
			end = words[to-1].End
		}
	}
	after := func(at [2]int) bool { return at[1] > 0 && at[0] >= end }
	for _, m := range e.When.Mentions {
		bare := e.is("first_of_all", language.Fold(e.Text[m.Start:m.End])) // "I'd ask my wife first" names no first of the month
		if after([2]int{m.Start, m.End}) && !m.Negated && !bare && !e.notForHere(m, end) {
			return true
		}
	}
	return after(e.partyAt) && e.numbered(e.partyAt) || after(e.serviceAt) || after(e.nameAt) || after(e.phoneAt)
}

// notForHere says whether a day or a time behind the byte end is none to come here: it is
// when they will call, or what is told of somebody else, "he might need the car on Friday".
func (e *ear) notForHere(m dates.Mention, end int) bool {
	const near = 2 // words
	words := e.words.words
	for i := range words {
		if to, ok := e.at("promises_call", words, i); ok && words[i].Start < m.Start && words[min(to+near, len(words)-1)].Start >= m.Start {
			return true
		}
		if words[i].Start >= end && words[i].End <= m.Start && (e.is("third_persons", words[i].Word) || e.is("kin", words[i].Word)) {
			return true
		}
	}
	return false
}

// numbered says whether a number stands within a span.
func (e *ear) numbered(at [2]int) bool {
	words := e.words.words
	for i, w := range words {
		if _, taken := e.numberAt(words, i); taken > 0 && w.Start >= at[0] && w.End <= at[1] {
			return true
		}
	}
	return false
}

// wantsSomething says whether anything was heard that is to be done.
func (e answerReader) wantsSomething() bool {
	for _, i := range e.Intents {
		switch i {
		case Greet, Thanks, Repeat, Goodbye:
		default:
			return true
		}
	}
	return len(e.Messages) > 0
}

// hearConsent takes back a yes to what was read back that is not a plain one.
// What is written down must be what was agreed to: conditions and questions come
// first, then it is read back again. A remark does not spoil a yes.
func (e answerReader) hearConsent() {
	if e.Expect != SlotConfirm {
		return
	}
	words := e.words.words
	if _, begins := e.at("yes_starts", words, 0); (e.Yes || begins) && e.wantsAssurance() {
		e.Yes, e.No = false, false
	}
	if e.Yes && e.onlyWritesDown(words) {
		e.Yes = false
	}
	if !e.Yes {
		return
	}
	switch {
	case e.hears("waits", words) && !e.asksFirst():
		e.Yes, e.Waits = false, e.Question == "" && !e.No
	case e.asksFirst(), e.Self, e.hears("defers", words), e.hears("doubts", words), e.hears("but", words), e.hangsOn(words):
		e.Yes = false
	}
}

// onlyWritesDown says whether "write it down" is all that agrees, and means what was
// told before it: "the gate is the green one, note that down".
func (e answerReader) onlyWritesDown(words []language.Token) bool {
	const told = 2 // words that tell something
	from, _, ok := e.find("writes_down", words)
	if !ok || e.contentWords(words[:from]) < told {
		return false
	}
	_, begins := e.at("yes_starts", words, 0)
	return !begins && !e.hears("said_yes", words[:from])
}

// asksFirst says whether a question is open that may change the answer. Where the
// house is, asked in a sentence of its own, does not.
func (e answerReader) asksFirst() bool {
	if e.Question == "" {
		return false
	}
	for _, sentence := range e.words.parts(bySentence) {
		asks := sentence[0].Start < e.questionAt[1] && e.questionAt[0] < sentence[len(sentence)-1].End
		if asks && (!e.hears("whereabouts", sentence) || e.hears("yes_starts", sentence)) {
			return true
		}
	}
	return false
}

// hangsOn says whether there is an "if" in the words.
func (e answerReader) hangsOn(words []language.Token) bool {
	for i, w := range words {
		if to, polite := e.at("polite_ifs", words, i); polite && to > i {
			continue
		}
		if _, ok := e.at("hangs_on", words, i); ok {
			return true
		}
		if e.is("ifs", w.Word) && e.isIf(words, i) {
			return true
		}
	}
	return false
}

// isIf says whether a word that is a yes with its accent is an if without it:
// it does not begin the answer, and more follows than another yes.
func (e answerReader) isIf(words []language.Token, i int) bool {
	w := words[i]
	if strings.ContainsAny(e.Text[w.Start:w.End], accented) {
		return false
	}
	if i == 0 {
		return e.conditional(words) && !e.hears("yes_anywhere", words)
	}
	rest := words[i+1:]
	for len(rest) > 0 && (e.is("fillers", rest[0].Word) || e.is("tails", rest[0].Word)) {
		rest = rest[1:]
	}
	if len(rest) > 1 && e.is("copulas", rest[0].Word) && rest[1].Clause == w.Clause {
		rest = rest[1:] // "sí, si es con Ana" hangs on it, "sí, sí es correcto" does not
	}
	return len(rest) > 0 && rest[0].Clause == w.Clause && !e.is("agreeing", rest[0].Word)
}

// wantsAssurance hears a yes that asks with its last word whether something
// stands: "sí, y lo de la alergia apuntado, ¿no?". What it asks about is kept as
// the question.
func (e answerReader) wantsAssurance() bool {
	for _, sentence := range e.words.parts(bySentence) {
		last := len(sentence) - 1
		if last < 2 || !e.is("end_tags", sentence[last].Word) {
			continue
		}
		apart := sentence[last].Clause != sentence[last-1].Clause
		if !apart && !e.is("bare_tags", sentence[last].Word) {
			continue
		}
		about := e.afterYes(sentence[:last])
		if e.contentWords(about) < 2 {
			continue
		}
		e.Question = e.Text[about[0].Start:about[len(about)-1].End]
		e.questionAt = [2]int{about[0].Start, sentence[last].End}
		e.want(Ask)
		return true
	}
	return false
}

// afterYes is what is said after the words that agree.
func (e answerReader) afterYes(words []language.Token) []language.Token {
	for len(words) > 0 && (e.is("agreeing", words[0].Word) || e.is("fillers", words[0].Word) || e.is("conjunctions", words[0].Word)) {
		words = words[1:]
	}
	return words
}

// contentWords counts the words that say something.
func (e *ear) contentWords(words []language.Token) int {
	n := 0
	for _, w := range words {
		if !e.smallTalk(w.Word) && !e.is("agreeing", w.Word) && utf8.RuneCountInString(w.Word) > 2 {
			n++
		}
	}
	return n
}
