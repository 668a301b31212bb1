package hearing

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
)

// supposedReader hears what is only supposed: "if I have to cancel, do you charge
// me?" cancels nothing and names no other day.
type supposedReader struct{ questionReader }

// hearSupposed finds the parts of the utterance in which a change is supposed and
// asked about, and takes out the day, the time and the people of it.
func (e supposedReader) hearSupposed() {
	for _, part := range e.segments() {
		if e.supposesChange(part) {
			e.supposedAt = append(e.supposedAt, [2]int{part[0].Start, part[len(part)-1].End})
		}
	}
	if len(e.supposedAt) == 0 {
		return
	}
	e.When.Mentions = slices.DeleteFunc(slices.Clone(e.When.Mentions), func(m dates.Mention) bool {
		return touchesAny([2]int{m.Start, m.End}, e.supposedAt)
	})
	if touchesAny(e.partyAt, e.supposedAt) {
		e.Party, e.partyAt = 0, [2]int{}
	}
}

// Supposes says whether a text only supposes a change, and asks what holds then.
func Supposes(text string, s Setting) bool {
	if s.Mix == nil {
		s.Mix = language.MixOf()
	}
	return len(listen(OneLine(text), s).supposedAt) > 0
}

// onlySupposed says whether a part of the utterance only supposes something.
func (e *ear) onlySupposed(part []language.Token) bool {
	return len(part) > 0 && touchesAny([2]int{part[0].Start, part[len(part)-1].End}, e.supposedAt)
}

func (e questionReader) supposed() supposedReader { return supposedReader{e} }

// begins says whether a condition begins at word i behind something that is told from
// word from on, and a change is supposed in it.
func (e supposedReader) begins(sentence []language.Token, from, i int) bool {
	if !e.supposes(sentence, i) || e.begunAsking(sentence[from:i]) || e.asksAnywhere(sentence[from:i]) {
		return false
	}
	condition, _ := e.conditionOf(sentence, i)
	return e.changesIn(condition) && !e.wantsIn(condition)
}

// supposesChange says whether a part has a condition and, in it or in what is asked
// under it, a change of what is being arranged. Who goes on to name another day wants it.
func (e supposedReader) supposesChange(part []language.Token) bool {
	asks := e.isQuestion(part)
	for i := range part {
		if !e.supposes(part, i) {
			continue
		}
		condition, rest := e.conditionOf(part, i)
		switch {
		case e.namesWhen(rest), e.wantsIn(condition), e.dependsOnHouse(condition):
		case e.changesIn(condition):
			return asks || !e.namesWhen(condition)
		case e.Booking && asks && e.changesIn(rest):
			return true
		}
	}
	return false
}

// endsOpen says whether a condition asks what holds under it: something is asked
// behind it, or it is all that was said, "and if I can't come".
func (e supposedReader) endsOpen(part []language.Token) bool {
	const most = 2 // words behind the change
	for i := range part {
		if !e.supposes(part, i) {
			continue
		}
		if condition, _ := e.conditionOf(part, i); i+len(condition) < len(part) && e.asksFrom(part, i+len(condition)) {
			return true
		}
		_, to, ok := e.find("changes_it", part[i:])
		return ok && len(part)-i-to <= most && e.onlyFillers(part[:i])
	}
	return false
}

// supposes says whether a condition begins at word i. One behind "see" or "ask" only
// asks: "I wanted to see if I could cancel".
func (e supposedReader) supposes(part []language.Token, i int) bool {
	if i > 0 && e.is("asked_whether", part[i-1].Word) {
		return false
	}
	if _, otherwise := e.at("otherwise", part, i); otherwise {
		return false
	}
	if _, ok := e.at("supposes", part, i); ok {
		return true
	}
	w := part[i]
	if !e.is("ifs", w.Word) || !e.conditions().isCondition(part, i) {
		return false
	}
	return !e.onlyFillers(part[:i]) || !e.agreesBefore(part[i+1:])
}

// agreesBefore says whether a word that is a yes with its accent is one without it:
// an order follows, and nobody supposes one. "si cancela la cita" is a yes.
func (e supposedReader) agreesBefore(rest []language.Token) bool {
	_, ok := e.at("cancel", rest, 0)
	return ok && !hasEnding(e.ear, "supposing_endings", rest[0].Word) && !e.is("negations", rest[0].Word)
}

// conditionOf parts a part at the end of the condition that begins at word i: at its
// clause, or where what is asked begins. What stands before it is asked as well.
func (e supposedReader) conditionOf(part []language.Token, i int) (condition, rest []language.Token) {
	end := i + 1
	for end < len(part) && part[end].Clause == part[i].Clause && !(end > i+1 && e.asksFrom(part, end)) {
		end++
	}
	return part[i:end], slices.Concat(part[:i], part[end:])
}

// asksFrom says whether what is asked under a condition begins at word i.
func (e supposedReader) asksFrom(part []language.Token, i int) bool {
	return e.order().inverts(part, i) || e.order().asksByAccent(part, i) || e.order().asksHouse(part, i) || e.opens(part, i) && !e.order().embedded(part, i)
}

// changesIn says whether words speak of a change, or of somebody who cannot come.
func (e supposedReader) changesIn(words []language.Token) bool {
	return e.hears("cancel", words) || e.hears("move", words) || e.hears("changes_it", words)
}

// wantsIn says whether words tell a wish, or ask for it to be done: "if you could
// cancel it", "if possible I'd like to move it".
func (e supposedReader) wantsIn(words []language.Token) bool {
	return e.hears("polite_wish", words)
}

// dependsOnHouse says whether a condition is one of the house: "if you have anything
// sooner, can I move it" wants it moved.
func (e supposedReader) dependsOnHouse(condition []language.Token) bool {
	return e.hears("house_condition", condition) || slices.ContainsFunc(condition, func(w language.Token) bool {
		return hasEnding(e.ear, "house_endings", w.Word) && !e.is("no_house_verbs", w.Word)
	})
}

// namesWhen says whether a day or a time stands among words.
func (e supposedReader) namesWhen(words []language.Token) bool {
	return slices.ContainsFunc(e.When.Mentions, func(m dates.Mention) bool {
		return !m.Points() && m.Kind != dates.Soonest && slices.ContainsFunc(words, func(w language.Token) bool { return w.Start >= m.Start && w.End <= m.End })
	})
}
