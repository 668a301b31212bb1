package hearing

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/language"

	"frontdesk.dev/frontdesk/internal/dates"
)

// answerReader hears yes and no.
type answerReader struct{ questionReader }

// The beginnings of a clause that say yes, or no.

// hearAnswer says whether the words agree to what was asked or refuse it. A yes
// that brings a change with it is a no.
func (e answerReader) hearAnswer() {
	yes, no := false, false
	clauses := e.words.blanked(slices.Concat(e.spelledSpans(), e.supposedAt, e.spans("before_agreeing"))...).parts(byClause)
	for i, clause := range clauses {
		if i > 1 && e.tellsStory() {
			break
		}
		last := i+1 == len(clauses) || clauses[i+1][0].Sentence != clause[0].Sentence
		y, n := e.answerOf(clause, !yes && !no, last)
		yes, no = yes || y, no || n
	}
	yes = yes || e.onlyPlease()
	change := e.renamed || e.corrects(yes)
	e.Yes = yes && !no && !change
	e.No = no || change
}

// tellsStory says whether so much is said, and nothing was asked, that the no's
// in it answer nothing.
func (e answerReader) tellsStory() bool {
	const long = 30
	return e.Expect == Nothing && !e.Booking && len(e.words.words) > long
}

// answerOf says whether one clause says yes or no. Only the first clause that
// answers may do so with a bare "no": "yes, no onions" is a yes. A question
// mark is that of the last clause: "that works, what's the address?"
func (e answerReader) answerOf(clause []language.Token, first, last bool) (yes, no bool) {
	start, ok := e.skipFillers(clause)
	if !ok {
		return false, false
	}
	from, yesAt := e.at("yes_starts", clause, start)
	switch {
	case e.hears("offhand", clause):
		return true, false
	case e.hears("keeps_it", clause):
		return e.Expect == SlotConfirm, false
	case !first && e.hears("instructions", clause), e.hears("only_that", clause), e.isTag(clause), e.wantsNoMore(clause):
		return false, false
	}
	asks := clause[0].Asks && (last && !e.tagQuestion(clause) || e.opens(clause, start))
	switch {
	case e.dontKnowOnly(clause), e.hears("any_time", clause):
		return false, false
	case yesAt && from > start:
		if y, n, ok := e.beginsWithYes(clause, start, asks, last); ok {
			return y, n
		}
	}
	switch {
	case asks:
		return false, first && e.is("bare_no", clause[start].Word)
	case e.asksAnywhere(clause):
		return false, false
	case e.beginsWithNo(clause, start):
		return false, first || len(clause)-start <= 2 || e.hears("no_anywhere", clause)
	case e.hears("no_anywhere", clause):
		return false, true
	}
	return e.hears("yes_anywhere", clause), false
}

// wantsNoMore says whether a clause turns down more than what was read back,
// and another one answers: "nothing else, yes that's right".
func (e answerReader) wantsNoMore(clause []language.Token) bool {
	return e.Expect == SlotConfirm && len(clause) < len(e.words.words) && e.hears("nothing_more", clause)
}

// isTag says whether a clause only asks whether what was said before it is so:
// "a las tres, ¿no?". Behind a read-back it takes the yes back.
func (e answerReader) isTag(clause []language.Token) bool {
	first := clause[0]
	if !first.Asks || !e.tagQuestion(clause) {
		return false
	}
	ended := strings.LastIndexAny(e.Text[:first.Start], ".!?")
	return slices.ContainsFunc(e.words.words, func(w language.Token) bool {
		return w.Start > ended && w.Start < first.Start && (w.Sentence == first.Sentence || e.Expect != SlotConfirm) && !e.is("fillers", w.Word)
	})
}

// beginsWithYes says what a clause answers that begins with a yes, and whether
// that is one.
func (e answerReader) beginsWithYes(clause []language.Token, start int, asks, last bool) (yes, no, ok bool) {
	switch {
	case e.hears("refused", clause[start:]) && !e.hears("harmless", clause):
		return false, true, true
	case e.hears("wavering", clause[start:]) || clause[0].Asks && last && e.tagQuestion(clause):
		return false, false, true
	case !e.conditional(clause[start:]):
		return !asks || e.is("outright_yes", clause[start].Word), false, true
	}
	return false, false, false
}

func (e answerReader) beginsWithNo(clause []language.Token, start int) bool {
	_, at := e.at("no_starts", clause, start)
	return at && e.beginsClause(clause, start)
}

func (e answerReader) dontKnowOnly(clause []language.Token) bool {
	return e.hears("dont_know", clause) && !e.hasOf("outright_yes", clause)
}

// onlyPlease: "please" alone says yes, and so does "bueno".
func (e answerReader) onlyPlease() bool {
	for _, w := range e.words.words {
		if !e.is("bare_yes", w.Word) && !e.is("tails", w.Word) {
			return false
		}
	}
	return e.hasOf("bare_yes", e.words.words)
}

func (e answerReader) skipFillers(clause []language.Token) (int, bool) {
	for i, w := range clause {
		if _, whole := e.at("do_please", clause, i); whole || !e.is("fillers", w.Word) {
			return i, true
		}
	}
	return 0, false
}

// conditional says whether a "si" without its accent is an if.
func (e answerReader) conditional(rest []language.Token) bool {
	if !e.is("ifs", rest[0].Word) || strings.ContainsAny(e.Text[rest[0].Start:rest[0].End], accented) || len(rest) == 1 {
		return false
	}
	return e.is("conditionals", rest[1].Word)
}

// corrects says whether the words change something: a word that contrasts, and
// something new with it. Where the caller was asked for just that, it is an
// answer and no correction.
func (e answerReader) corrects(yes bool) bool {
	told := e.words.blanked(e.supposedAt...)
	if yes && e.Expect == SlotConfirm && e.hears("rewrites", told.words) {
		return true // whatever the change is, it was not agreed to
	}
	for _, sentence := range told.parts(bySentence) {
		from, _, ok := e.find("changes", sentence)
		if !ok {
			continue
		}
		start, hard := sentence[0].Start, e.is("contrasts", sentence[from].Word) || e.Expect == SlotConfirm && e.is("conditions", sentence[from].Word)
		if hard {
			start = sentence[from].Start
		}
		if e.mayCorrect(yes, hard) && e.newsAfter(start) {
			return true
		}
	}
	return false
}

// mayCorrect says whether there is anything to correct: a read-back, or what is
// being arranged. After a yes to something else, only a contrast does.
func (e answerReader) mayCorrect(yes, hard bool) bool {
	switch {
	case e.Expect == SlotConfirm:
		return true
	case yes:
		return hard
	}
	return e.Booking
}

// newsAfter says whether something that can be corrected is said after a place
// in the text.
func (e answerReader) newsAfter(start int) bool {
	for _, m := range e.When.Mentions {
		if m.Start >= start && !e.expectsMention(m) && !(m.Kind == dates.OneDay && e.asked(m) && m.Date == e.Standing.Date) {
			return true
		}
	}
	return e.partyAt[1] > start && e.Expect != SlotPartySize && !e.onlyCompany() || e.nameAt[1] > start && e.Expect != SlotName ||
		e.phoneAt[1] > start && e.Expect != SlotPhone || e.emailAt[1] > start && e.Expect != SlotEmail ||
		e.serviceAt[1] > start && e.Expect != SlotService
}

// asked says whether a day stands in a marked question: the one that stands is asked
// about there, and not changed.
func (e answerReader) asked(m dates.Mention) bool {
	return slices.ContainsFunc(e.words.words, func(w language.Token) bool { return w.Asks && w.Start >= m.Start && w.End <= m.End })
}

func (e answerReader) expectsMention(m dates.Mention) bool {
	day := m.Kind == dates.OneDay || m.Kind == dates.Days
	return day && e.Expect == SlotDate || !day && e.Expect == SlotTime
}

// asked is what the reader of dates should know of the question.
func asked(s Slot) dates.Asked {
	switch s {
	case SlotDate:
		return dates.AskedDay
	case SlotTime:
		return dates.AskedTime
	default:
		return dates.AskedNothing
	}
}

// beginsClause says whether only fillers stand before word i in its clause.
func (e answerReader) beginsClause(words []language.Token, i int) bool {
	for i--; i >= 0; i-- {
		if words[i].Clause != words[i+1].Clause {
			return true
		}
		if !e.is("fillers", words[i].Word) {
			return false
		}
	}
	return true
}
