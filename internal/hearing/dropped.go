package hearing

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// droppedReader hears which of several things that are wanted is let go of.
type droppedReader struct{ *ear }

// hearDropped hears which of the services that are wanted are not any more: "only the
// haircut then", "drop the second one", "el afeitado no". Only what is wanted can be
// let go of, so that the words themselves may be common ones.
func (e droppedReader) hearDropped() {
	if len(e.Wanted) < 2 || len(e.Messages) > 0 || bothReader(e).wanted() {
		return
	}
	gone := map[int]bool{}
	for _, clause := range e.words.parts(byClause) {
		kept, dropped := e.keptIn(clause), e.droppedIn(clause)
		for i := range e.Wanted {
			if len(kept) > 0 && !slices.Contains(kept, i) || len(kept) == 0 && slices.Contains(dropped, i) {
				gone[i] = true
			}
		}
		if len(kept)+len(dropped) > 0 {
			e.retractedAt = append(e.retractedAt, [2]int{clause[0].Start, clause[len(clause)-1].End})
		}
	}
	for i := range e.Wanted {
		if gone[i] {
			e.Dropped = append(e.Dropped, i)
		}
	}
	if len(e.Dropped) > 0 {
		e.letOthers()
	}
}

// letOthers lets go of what the words that drop a wish were taken for.
func (e droppedReader) letOthers() {
	asks := e.Question != "" && !touchesAny(e.questionAt, e.retractedAt) // of something else
	e.Intents = slices.DeleteFunc(e.Intents, func(i Intent) bool {
		return i == Restart || i == Cancel || i == Reschedule || i == Ask && !asks || i == Repeat || i == Book
	})
	if !asks {
		e.Question, e.questionAt, e.questionsAt, e.doneAt = "", [2]int{}, nil, nil
	}
	e.DontKnow, e.Waits, e.Yes, e.Choice = false, false, false, 0
	within := func(from, to int) bool {
		return slices.ContainsFunc(e.retractedAt, func(s [2]int) bool { return s[0] <= from && to <= s[1] })
	}
	e.When.Mentions = slices.DeleteFunc(e.When.Mentions, func(m dates.Mention) bool {
		return m.Kind == dates.Soonest || within(m.Start, m.End) && e.hasPlace(m.Start, m.End)
	})
	if e.Name != "" && within(e.nameAt[0], e.nameAt[1]) {
		e.Name, e.nameAt = "", [2]int{}
	}
	wanted := func(s catalogue.Service) bool {
		return slices.ContainsFunc(e.Wanted, func(w catalogue.Service) bool { return w.ID == s.ID })
	}
	if !e.Swapped || len(e.Services) != 1 || wanted(e.Services[0]) {
		e.Services, e.Unbookable, e.UnsureService, e.serviceAt = nil, nil, false, [2]int{}
		e.Swapped, e.swapped, e.No = false, false, false
	}
}

// hasPlace says whether a stretch of the text has the place of something in a row.
func (e droppedReader) hasPlace(from, to int) bool {
	return slices.ContainsFunc(e.words.words, func(w language.Token) bool {
		n, _ := e.number("places", w.Word)
		return n != 0 && w.Start >= from && w.End <= to
	})
}

// keptIn are those of the services that a clause says are all that is wanted.
func (e droppedReader) keptIn(clause []language.Token) []int {
	_, to, ok := e.find("only_it", clause)
	if !ok || e.hears("further", clause) {
		return nil
	}
	kept := e.wantedIn(clause, to, len(clause))
	if len(kept) == 0 && e.contentWords(clause[to:]) == 0 {
		kept = e.wantedIn(clause, 0, to) // "the haircut only"
	}
	if len(kept) == len(e.Wanted) {
		return nil
	}
	return kept
}

// droppedIn are those that a clause refuses: behind the words that do, or before them
// where nothing follows.
func (e droppedReader) droppedIn(clause []language.Token) []int {
	for i := range clause {
		to, ok := e.at("leaves_out", clause, i)
		if !ok {
			to, ok = e.at("retracts", clause, i)
		}
		if !ok {
			continue
		}
		if found := e.wantedIn(clause, i+1, len(clause)); len(found) > 0 {
			return found
		}
		if found := e.wantedIn(clause, 0, i); len(found) > 0 && e.contentWords(clause[to:]) == 0 {
			return found
		}
	}
	last := len(clause) - 1
	for last > 0 && e.is("fillers", clause[last].Word) {
		last--
	}
	if last > 0 && e.is("bare_no", clause[last].Word) {
		return e.wantedIn(clause, 0, last)
	}
	return nil
}

// wantedIn are those of the services that the words of a clause between two of them
// name: by a word that only one of them has in its name, or by their place.
func (e droppedReader) wantedIn(clause []language.Token, from, to int) (found []int) {
	owned := make([]map[string]bool, len(e.Wanted))
	for i, s := range e.Wanted {
		owned[i] = map[string]bool{}
		for _, name := range append(s.AllNames(), s.Aliases...) {
			for _, w := range e.wordsOf(name).words {
				if !e.smallest(w.Word) {
					owned[i][lexicon.Stem(e.stemLanguage(), w.Word)] = true
				}
			}
		}
	}
	for at := from; at < to; at++ {
		w := clause[at]
		if n := e.placeAt(clause, at); n >= 0 {
			found = append(found, n)
			continue
		}
		var of []int
		for i := range owned {
			if owned[i][lexicon.Stem(e.stemLanguage(), w.Word)] {
				of = append(of, i)
			}
		}
		if len(of) == 1 && !slices.Contains(found, of[0]) {
			found = append(found, of[0])
		}
	}
	return found
}

// placeAt is the service that is meant by its place at word i, -1 when none is. Where
// something else is offered, the places are those of that.
func (e droppedReader) placeAt(words []language.Token, i int) int {
	if len(e.Offered) > 0 || i == 0 || !e.is("articles", words[i-1].Word) {
		return -1
	}
	n, _ := e.number("places", words[i].Word)
	switch {
	case n == lastOne, e.is("other_one", words[i].Word) && len(e.Wanted) == 2:
		return len(e.Wanted) - 1
	case n > 0 && n <= len(e.Wanted):
		return n - 1
	}
	return -1
}
