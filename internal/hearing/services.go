package hearing

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// serviceReader hears which service is meant.
type serviceReader struct{ *ear }

// How sure a match must be: less when a service was asked for, or something is
// wanted.
const (
	clearMatch = 0.75
	weakMatch  = 0.45
	fullMatch  = 0.9 // all of a name was said
	muchBetter = 0.2 // how far ahead the best must be to stand alone
)

// hearServices hears which service is meant, or which ones may be.
func (e serviceReader) hearServices() {
	if e.Catalogue == nil {
		return
	}
	least := clearMatch
	_, day := e.When.Day()
	_, clock := e.When.Time()
	if day && clock || e.Booking || e.Expect == SlotService || e.Expect == SlotChoice || e.hears("want", e.words.words) || e.hears("book", e.words.words) {
		least = weakMatch
	}
	e.takeServices(blank(e.Text, e.phoneAt, e.emailAt, e.codeAt), e.language(), least)
	e.leaveVisits()
	if e.Booking && e.Expect != SlotService && e.Expect != SlotChoice && e.inReason(e.serviceAt) {
		e.Services, e.Unbookable, e.serviceAt = nil, nil, [2]int{}
	}
	if len(e.Services) == 0 && (len(e.Unbookable) == 0 || e.UnsureService) && e.Expect != SlotConfirm {
		e.takeFamily()
	}
	if len(e.Services)+len(e.Unbookable) == 0 && e.hears("view_it", e.words.words) {
		e.takeViewing()
		e.takeHinted()
		e.serviceAt = [2]int{} // it was not named
	}
}

// leaveVisits leaves out the services that share no more with what was said than which
// visit it is, where another one has a word for what is done: who wants a physio for the
// first time wants no first visit to somebody else.
func (e serviceReader) leaveVisits() {
	if len(e.Services) < 2 {
		return
	}
	named := func(s catalogue.Service) (done, visit bool) {
		for _, name := range append(s.AllNames(), s.Aliases...) {
			for _, o := range e.wordsOf(name).words {
				for _, w := range e.words.words {
					same := !e.smallTalk(o.Word) && (lexicon.Stem(e.stemLanguage(), o.Word) == lexicon.Stem(e.stemLanguage(), w.Word) || shortens(w.Word, o.Word))
					done = done || same && !e.is("visit_words", w.Word)
					visit = visit || same && e.is("visit_words", w.Word)
				}
			}
		}
		return done, visit
	}
	if !slices.ContainsFunc(e.Services, func(s catalogue.Service) bool { done, _ := named(s); return done }) {
		return
	}
	e.Services = slices.DeleteFunc(e.Services, func(s catalogue.Service) bool { done, visit := named(s); return visit && !done })
}

// hearTable lets go of what is carried away where nobody says that it is: who would have
// some of the lamb at two, and is three, wants a table.
func (e serviceReader) hearTable() {
	if !e.Trade.SeatsParties || e.Booking || e.Party == 0 || !slices.ContainsFunc(e.Services, e.carriedAway) {
		return
	}
	if slices.ContainsFunc(e.words.words, func(w language.Token) bool { return e.is("carries_away", w.Word) }) {
		return
	}
	e.Services = slices.DeleteFunc(e.Services, e.carriedAway)
	e.UnsureService, e.serviceAt = e.UnsureService && len(e.Services) > 0, [2]int{}
	e.want(Book)
}

// carriedAway says whether a service is by its name for what is not eaten in the house.
func (e serviceReader) carriedAway(s catalogue.Service) bool {
	return slices.ContainsFunc(append(s.AllNames(), s.Aliases...), func(name string) bool {
		return slices.ContainsFunc(e.wordsOf(name).words, func(w language.Token) bool { return e.is("carries_away", w.Word) })
	})
}

// takeFamily takes the few services whose names share the word for what is wanted:
// "a cut", where there is one for men and one for women.
func (e serviceReader) takeFamily() {
	const fewest, most = 2, 5
	w, ok := e.wantedThing()
	if !ok {
		return
	}
	stem := func(word string) string { return lexicon.Stem(e.stemLanguage(), word) }
	var family []catalogue.Service
	for _, s := range e.Catalogue.Services {
		named := slices.ContainsFunc(s.AllNames(), func(name string) bool {
			return slices.ContainsFunc(e.wordsOf(name).words, func(n language.Token) bool { return stem(n.Word) == stem(w.Word) })
		})
		if named && s.Bookable {
			family = append(family, s)
		}
	}
	if len(family) >= fewest && len(family) <= most {
		e.Services, e.Unbookable, e.UnsureService, e.serviceAt = family, nil, false, [2]int{w.Start, w.End}
	}
}

// wantedThing is the word behind those by which something is wanted.
func (e serviceReader) wantedThing() (language.Token, bool) {
	words := e.words.words
	_, to, ok := e.find("want", words)
	if !ok {
		return language.Token{}, false
	}
	for to < len(words) && (e.smallTalk(words[to].Word) || e.is("determiners", words[to].Word) || e.is("set want", words[to].Word)) {
		to++
	}
	if to >= len(words) || e.is("set place", words[to].Word) || e.is("set date", words[to].Word) {
		return language.Token{}, false
	}
	_, slot := e.Mix.Value("slot_names", words[to].Word)
	return words[to], !slot
}

// takeHinted puts the services that other words speak for beside the one that was
// not named: who sells a house and wants it seen may want its value.
func (e serviceReader) takeHinted() {
	for _, m := range e.Catalogue.FindServices(e.Text, e.language()) {
		if m.Entry.Bookable && !slices.ContainsFunc(e.Services, func(s catalogue.Service) bool { return s.ID == m.Entry.ID }) {
			e.Services = append(e.Services, m.Entry)
		}
	}
}

// takeViewing takes the service of the house by which things are shown, under
// whatever name it has for it.
func (e serviceReader) takeViewing() {
	for _, l := range e.Mix.Languages {
		for _, name := range l.Lines("viewing names") {
			if len(e.Services)+len(e.Unbookable) == 0 {
				e.takeServices(name, l.Code, clearMatch)
			}
		}
	}
}

// takeServices keeps the best match, and those that come close to it.
func (e serviceReader) takeServices(text, lang string, least float64) {
	top := 0.0
	for _, m := range e.nearest(e.Catalogue.FindServices(text, lang), least) {
		if top == 0 && m.Score < least || m.Score < weakMatch || top-m.Score >= muchBetter {
			break
		}
		if top == 0 {
			top, e.serviceAt = m.Score, [2]int{m.Start, m.End}
			e.UnsureService = (!m.Sure && m.Score < clearMatch || m.Score < fullMatch && e.accompanies(e.serviceAt) || m.Weak && e.tellsOnly(e.serviceAt)) && e.Expect != SlotService
		}
		if m.Entry.Bookable {
			e.Services = append(e.Services, m.Entry)
		} else {
			e.Unbookable = append(e.Unbookable, m.Entry)
		}
	}
	const most = 3 // words of a name
	if at := e.serviceAt; strings.Count(text[at[0]:at[1]], " ") > most && top < clearMatch {
		e.serviceAt = [2]int{} // what speaks for it is strewn over what else was told
	}
}

// nearest leaves out what was only told of where something else was named.
func (e serviceReader) nearest(all []catalogue.Match[catalogue.Service], least float64) []catalogue.Match[catalogue.Service] {
	told := func(m catalogue.Match[catalogue.Service]) bool {
		return m.Weak && m.End > m.Start && e.tellsOnly([2]int{m.Start, m.End}) || e.isSlotName(m)
	}
	all = slices.DeleteFunc(slices.Clone(all), func(m catalogue.Match[catalogue.Service]) bool { return e.doneAlready(m) })
	if !slices.ContainsFunc(all, func(m catalogue.Match[catalogue.Service]) bool { return m.Score >= least && !told(m) }) {
		return all
	}
	return slices.DeleteFunc(all, told)
}

// doneAlready says whether a service is named as one that is over: "I had the
// assessment last month", "la limpieza ya me la hice".
func (e serviceReader) doneAlready(m catalogue.Match[catalogue.Service]) bool {
	if m.End <= m.Start {
		return false
	}
	for _, clause := range e.words.parts(byClause) {
		if clause[0].Start <= m.Start && m.Start < clause[len(clause)-1].End {
			return e.hears("done_already", clause) && !e.hears("want", clause)
		}
	}
	return false
}

// hearSwap hears that another service is wanted in the place of the one that
// stands: "swap the facial for the massage", "better the long one".
func (e serviceReader) hearSwap() {
	if !e.Booking && !e.Booked || e.Catalogue == nil || e.Expect == SlotService || e.Expect == SlotChoice || len(e.Messages) > 0 {
		return
	}
	found := e.wantedInstead()
	if len(found) == 0 || found[0].Score < weakMatch || found[0].Weak && found[0].Score < clearMatch || e.isSlotName(found[0]) || len(found) > 1 && found[0].Score-found[1].Score < muchBetter || !found[0].Entry.Bookable {
		return
	}
	e.Services, e.Unbookable, e.UnsureService = []catalogue.Service{found[0].Entry}, nil, false
	e.serviceAt = [2]int{found[0].Start, e.nameEnd(found[0])}
	e.No, e.Yes, e.Question, e.questionAt = true, false, "", [2]int{}
	e.Intents = slices.DeleteFunc(e.Intents, func(i Intent) bool { return i == Ask || i == Reschedule || i == Book })
	e.swapped, e.Swapped = true, true
	if !e.Booking { // of what was just booked
		e.Intents = append(e.Intents, Reschedule)
	}
}

// isSlotName says whether all that speaks for a service is a word like "day", which
// is part of its name and of every talk of booking.
func (e serviceReader) isSlotName(m catalogue.Match[catalogue.Service]) bool {
	if m.Score >= fullMatch || m.End <= m.Start {
		return false
	}
	_, slot := e.Mix.Value("slot_names", language.Fold(e.Text[m.Start:m.End]))
	return slot
}

// nameEnd is where the name of a service ends, with its other words behind those
// by which it was found.
func (e serviceReader) nameEnd(m catalogue.Match[catalogue.Service]) int {
	end := m.End
	own := map[string]bool{}
	for _, name := range m.Entry.AllNames() {
		for _, w := range e.wordsOf(name).words {
			own[w.Word] = true
		}
	}
	for _, w := range e.words.words {
		if w.Start == end+1 && own[w.Word] {
			end = w.End
		}
	}
	return end
}

// wantedInstead are the services that may be wanted in the place of the one that stands.
func (e serviceReader) wantedInstead() []catalogue.Match[catalogue.Service] {
	taken := append(wishReader(e).whenSpans(), replacementReader(e).replacedAt()...)
	find := func(from int) []catalogue.Match[catalogue.Service] {
		return e.nearest(e.Catalogue.FindServices(blank(e.Text, append(slices.Clone(taken), [2]int{0, from})...), e.language()), weakMatch)
	}
	if from := e.swapFrom(); from >= 0 {
		if found := find(from); len(found) > 0 && found[0].Score >= weakMatch {
			return found
		}
	}
	if e.hears("instead_of", e.words.words) || e.hears("instead_behind", e.words.words) {
		return find(0)
	}
	return nil
}

// swapFrom is where in the text what is wanted instead begins, -1 when nothing is
// changed for something else.
func (e serviceReader) swapFrom() int {
	words := e.words.words
	for i := range words {
		if to, ok := e.at("swaps", words, i); ok {
			for j := to; j < len(words) && words[j].Sentence == words[i].Sentence; j++ {
				if e.is("swap_joins", words[j].Word) {
					return words[j].End
				}
			}
		}
		if to, ok := e.at("rather", words, i); ok && to < len(words) {
			return words[to-1].End
		}
	}
	return -1
}

// accompanies says whether a place in the text tells with whom, and not what:
// "an hour with a teacher".
func (e serviceReader) accompanies(at [2]int) bool {
	words := e.words.words
	i := slices.IndexFunc(words, func(w language.Token) bool { return w.Start >= at[0] })
	if i < 0 || i+1 < len(words) && words[i+1].Start < at[1] {
		return false // several words say more
	}
	for i > 0 && e.is("determiners", words[i-1].Word) {
		i--
	}
	return i > 0 && e.is("with_whom", words[i-1].Word)
}

// tellsOnly says whether a word in the text is neither named as a thing nor wanted:
// who works late asks for nothing that has to do with work.
func (e serviceReader) tellsOnly(at [2]int) bool {
	if e.Expect != Nothing && e.Expect != SlotConfirm {
		return false
	}
	words := e.words.words
	i := slices.IndexFunc(words, func(w language.Token) bool { return w.Start >= at[0] })
	if i <= 0 || words[i].End < at[1] || e.asWritten("determiners", words[i-1]) || e.is("of_whom", words[i-1].Word) || e.is("pointing", words[i-1].Word) {
		return false
	}
	from := i
	for from > 0 && words[from-1].Clause == words[i].Clause && !e.is("clause_words", words[from].Word) {
		from--
	}
	for j := from; j < i; j++ {
		if e.is("set want", words[j].Word) || e.is("set can", words[j].Word) {
			return false
		}
	}
	clause := words[from : i+1]
	return !e.hears("book", clause) && !e.hears("requests", clause) && !e.hears("want", clause) && e.contentWords(words) > 3
}

// asWritten says whether a word is one of a list as it stands there, without an
// accent that makes another word of it.
func (e serviceReader) asWritten(list string, w language.Token) bool {
	return e.is(list, w.Word) && strings.EqualFold(e.Text[w.Start:w.End], w.Word)
}

// inReason says whether a place in the text is in a clause that tells why: "a las
// nueve, que venimos de la ruta".
func (e serviceReader) inReason(at [2]int) bool {
	reason := false
	for i, w := range e.words.words {
		if w.Start >= at[0] {
			break
		}
		if i > 0 && w.Sentence != e.words.words[i-1].Sentence {
			reason = false
		}
		if e.is("set want", w.Word) {
			reason = false
		} else if _, defines := e.at("defines", e.words.words, i); e.is("reason_words", w.Word) && !defines && i > 0 && !e.is("set want", e.words.words[i-1].Word) && !e.is("no_clause_after", e.words.words[i-1].Word) {
			reason = true
		}
	}
	return reason
}
