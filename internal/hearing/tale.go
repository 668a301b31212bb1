package hearing

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
)

// hearTale hears what has happened between the caller and the house: the day and the
// service of it lie in the past, and nothing of it is wished for. Who asks that it be
// put right, or asks nothing, leaves a message about it.
func (e reasonReader) hearTale() bool {
	if e.Booking || e.Expect != Nothing || e.Has(Cancel) || e.Has(Reschedule) || e.Has(Order) || e.hears("supposed", e.words.words) {
		return false
	}
	tale := e.taleAt()
	if len(tale) == 0 || e.hears("sent_for", e.words.words) || e.hears("praises", e.words.words) && !e.demands() || e.wishesBeside(tale) || !e.demands() && !e.onlyTells(tale) {
		return false
	}
	e.Messages = append(e.Messages, Command{Do: DoMessage, Topic: Complaint})
	e.Intents = slices.DeleteFunc(e.Intents, func(i Intent) bool {
		return slices.Contains([]Intent{Book, Ask, LookUp, Leave, Restart}, i)
	})
	e.When, e.Services, e.Unbookable, e.Party = dates.Reading{}, nil, nil, 0
	e.Question, e.questionAt, e.Yes, e.No = "", [2]int{}, false, false
	return true
}

// taleAt is where the clauses stand that tell of dealings with the house.
func (e reasonReader) taleAt() (all [][2]int) {
	words := e.words.words
	for i := range words {
		clause := e.clauseOf(i)
		_, outright := e.at("house_did", words, i)
		_, dealt := e.at("dealt", words, i)
		if _, holds := e.at("holds_place", words, i); holds {
			dealt = false // who had an appointment for Friday has it still
		}
		served := hasEnding(e.ear, "they_did_endings", words[i].Word) && touches(words[i], [][2]int{e.serviceAt})
		if outright || served || hasEnding(e.ear, "house_did_endings", words[i].Word) || dealt && e.dealsHere(clause) {
			all = append(all, clause)
		}
	}
	return all
}

// dealsHere says whether a clause that tells what the caller did tells of this house:
// it names a day of it, one of its services, or the house itself.
func (e reasonReader) dealsHere(clause [2]int) bool {
	day := func(m dates.Mention) bool {
		return m.Kind != dates.Soonest && clause[0] <= m.Start && m.Start < clause[1]
	}
	if slices.ContainsFunc(e.When.Mentions, day) || e.serviceAt[1] > clause[0] && e.serviceAt[0] < clause[1] {
		return true
	}
	return slices.ContainsFunc(e.words.words, func(w language.Token) bool {
		return clause[0] <= w.Start && w.Start < clause[1] && e.is("this_house", w.Word)
	})
}

// clauseOf is the clause of word i, as far as the words that begin another one.
func (e reasonReader) clauseOf(i int) [2]int {
	words := e.words.words
	from, to := i, i+1
	for from > 0 && words[from-1].Clause == words[i].Clause && !e.is("conjunctions", words[from-1].Word) {
		from--
	}
	for to < len(words) && words[to].Clause == words[i].Clause && !e.is("conjunctions", words[to].Word) {
		to++
	}
	return [2]int{words[from].Start, words[to-1].End}
}

// wishesBeside says whether a place is asked for beside what is told, or a day or a
// time to come is named.
func (e reasonReader) wishesBeside(tale [][2]int) bool {
	words := e.words.blanked(append(e.spans("demands"), tale...)...).words // "somebody to look into it" asks for no visit
	for _, meaning := range []string{"books_outright", "book", "asks_for", "visits", "bare_visits", "available"} {
		if e.hears(meaning, words) {
			return true
		}
	}
	today := dates.DateOf(e.Now)
	return slices.ContainsFunc(e.When.Mentions, func(m dates.Mention) bool {
		ahead := m.Kind == dates.AtClock || m.Kind == dates.InPart || m.Kind == dates.OneDay && today.Before(m.Date)
		return ahead && m.Counts && !m.Told && !touchesAny([2]int{m.Start, m.End}, tale)
	})
}

// demands says whether somebody is to put something right, to explain it, or to know
// of it.
func (e reasonReader) demands() bool { return e.hears("demands", e.words.words) || e.Has(Human) }

// onlyTells says whether nothing is asked and nothing wished for.
func (e reasonReader) onlyTells(tale [][2]int) bool {
	return !e.asksBeside(tale) && !e.hears("hurts", e.words.words) && !e.hears("want", e.words.words) && !e.Has(Human) && !e.Has(Thanks) && !e.Has(Goodbye)
}

// asksBeside says whether something is asked beside the tale, and not only named that
// one may ask about. A tale may begin as questions do: "when we got there".
func (e reasonReader) asksBeside(tale [][2]int) bool {
	var asked []language.Token
	for _, w := range e.words.words {
		if w.Start >= e.questionAt[0] && w.End <= e.questionAt[1] && !touches(w, tale) {
			asked = append(asked, w)
		}
	}
	return e.Question != "" && e.contentWords(asked) > 0 && questionReader(e).isQuestion(asked)
}
