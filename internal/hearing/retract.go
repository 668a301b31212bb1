package hearing

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// retractionReader reads what is taken back of what was noted.
type retractionReader struct{ *ear }

// hearRetracted hears notes that are taken back: "forget the high chair", "ya no
// llevamos tarta". Only what was noted can be, so that the words themselves may be
// common ones; then they drop nothing else.
func (e retractionReader) hearRetracted() {
	words := e.words.words
	for i := 0; i < len(words) && len(e.Noted) > 0; i++ {
		to, ok := e.at("retracts", words, i)
		if !ok || e.forbidsRetracting(i) {
			continue
		}
		end := to
		for end < len(words) && words[end].Clause == words[i].Clause && e.is("clause_words", words[end].Word) {
			end++ // "take out that she is ten"
		}
		for end < len(words) && words[end].Clause == words[i].Clause && !e.is("clause_words", words[end].Word) {
			end++
		}
		found, from := e.retracted(i, to, end)
		if len(found) == 0 {
			continue
		}
		e.Forgets = append(e.Forgets, found...)
		e.retractedAt = append(e.retractedAt, [2]int{words[from].Start, words[end-1].End})
		i = end - 1
	}
	e.hearLastRetracted()
	e.hearNotesRefused()
	if len(e.Forgets) == 0 {
		return
	}
	e.Intents = slices.DeleteFunc(e.Intents, func(i Intent) bool {
		return i == Restart || i == Cancel || i == Ask || i == Repeat || i == Order && !e.Ordering
	})
	e.Question, e.questionAt, e.questionsAt, e.doneAt = "", [2]int{}, nil, nil
	e.Items = slices.DeleteFunc(e.Items, func(i Item) bool { return i.Less })
	e.DontKnow, e.Waits = false, false
}

// forbidsRetracting says whether a "not" stands shortly before word i: "don't let them
// forget the ramp" takes nothing back.
func (e retractionReader) forbidsRetracting(i int) bool {
	const near = 3 // words
	words := e.words.words
	for j := i - 1; j >= max(0, i-near) && words[j].Clause == words[i].Clause; j-- {
		if e.is("retract_not", words[j].Word) {
			return true
		}
	}
	return false
}

// retracted are the notes that are taken back by a phrase from word i to word to, in a
// clause that ends at end, and where what is said of them begins. What is meant stands
// behind the phrase, inside it ("take the gate code off"), or before it where nothing
// follows ("the high chair is not needed").
func (e retractionReader) retracted(i, to, end int) (found []string, from int) {
	words := e.words.words
	if found = e.notesWith(words[to:end]); len(found) > 0 {
		return found, i
	}
	behind := slices.DeleteFunc(slices.Clone(words[to:end]), func(w language.Token) bool { return e.is("noting", w.Word) })
	if found = e.notesWith(words[i+1 : to]); len(found) > 0 || e.contentWords(behind) > 0 {
		return found, i
	}
	from = i
	for from > 0 && words[from-1].Sentence == words[i].Sentence {
		from--
	}
	return e.notesWith(words[from:i]), from
}

// hearLastRetracted hears that the last note is not wanted, where nothing else is said:
// "delete that note".
func (e retractionReader) hearLastRetracted() {
	words := e.words.words
	from, to, ok := e.find("retracts_last", words)
	if !ok || len(e.Noted) == 0 || len(e.Forgets) > 0 || len(e.When.Mentions) > 0 || e.contentWords(words[:from])+e.contentWords(words[to:]) > 0 {
		return
	}
	e.Forgets = append(e.Forgets, e.Noted[len(e.Noted)-1])
	e.retractedAt = append(e.retractedAt, [2]int{words[0].Start, words[len(words)-1].End})
}

// hearNotesRefused hears that notes are not wanted, by their name or as what was said
// last, in whatever words that is refused: "no notes please", "eso último no lo ponga".
// Several, or none at all, are all of them.
func (e retractionReader) hearNotesRefused() {
	if len(e.Noted) == 0 || len(e.Forgets) > 0 {
		return
	}
	for _, clause := range e.words.parts(bySentence) {
		from, to, ok := e.find("note_named", clause)
		if !ok || !e.refusesNote(clause, from, to) {
			continue
		}
		e.Forgets = e.Noted[len(e.Noted)-1:]
		if e.hears("all_notes", clause) {
			e.Forgets = slices.Clone(e.Noted)
		}
		e.retractedAt = append(e.retractedAt, [2]int{clause[0].Start, clause[len(clause)-1].End})
		e.When.Mentions = slices.DeleteFunc(e.When.Mentions, func(m dates.Mention) bool {
			return m.Start >= clause[from].Start && m.End <= clause[to-1].End
		})
		e.Yes, e.No = false, false
		return
	}
}

// refusesNote says whether a clause refuses the note that it names from one word to
// another, and says nothing else.
func (e retractionReader) refusesNote(clause []language.Token, from, to int) bool {
	refuses, rest := false, []language.Token{}
	for i := 0; i < len(clause); i++ {
		if i >= from && i < to {
			continue
		}
		end, ok := e.at("retracts", clause, i)
		if !ok {
			end, ok = e.at("leaves_out", clause, i)
		}
		switch {
		case ok:
			refuses, i = true, end-1
		case i == 0 && len(clause) > 1 && clause[1].Clause != clause[0].Clause: // a "no" to the question
		case e.is("note_refusals", clause[i].Word):
			refuses = true
		case !e.is("noting", clause[i].Word):
			rest = append(rest, clause[i])
		}
	}
	return refuses && e.contentWords(rest) == 0
}

// notesWith are the notes that speak of something that the words name.
func (e retractionReader) notesWith(words []language.Token) (found []string) {
	var named []string
	for _, w := range words {
		if !e.smallTalk(w.Word) && !e.is("says_nothing", w.Word) && !e.smallest(w.Word) {
			named = append(named, lexicon.Stem(e.stemLanguage(), w.Word))
		}
	}
	speaksOf := func(w language.Token) bool {
		stem := lexicon.Stem(e.stemLanguage(), w.Word)
		return slices.ContainsFunc(named, func(n string) bool { return related(n, stem) })
	}
	for _, note := range e.Noted {
		if slices.ContainsFunc(e.wordsOf(note).words, speaksOf) {
			found = append(found, note)
		}
	}
	return found
}

// related says whether two stems are of one family of words: "allergy" and "allergic".
func related(a, b string) bool {
	const shortest = 5 // letters that are not the same by chance
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a == b || n >= shortest && n >= min(len(a), len(b))-1
}
