package hearing

import (
	"slices"

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
	if found = e.notesWith(words[i+1 : to]); len(found) > 0 || e.contentWords(words[to:end]) > 0 {
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
