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
		if !ok || i > 0 && words[i-1].Clause == words[i].Clause && e.is("retract_not", words[i-1].Word) {
			continue
		}
		end := to
		for end < len(words) && words[end].Clause == words[i].Clause && !e.is("clause_words", words[end].Word) {
			end++
		}
		found := e.notesWith(words[to:end])
		if len(found) == 0 {
			continue
		}
		e.Forgets = append(e.Forgets, found...)
		e.retractedAt = append(e.retractedAt, [2]int{words[i].Start, words[end-1].End})
		i = end - 1
	}
	if len(e.Forgets) == 0 {
		return
	}
	e.Intents = slices.DeleteFunc(e.Intents, func(i Intent) bool { return i == Restart || i == Cancel || i == Ask || i == Repeat })
	e.Question, e.questionAt, e.questionsAt, e.doneAt = "", [2]int{}, nil, nil
	e.Items = slices.DeleteFunc(e.Items, func(i Item) bool { return i.Less })
	e.DontKnow, e.Waits = false, false
}

// notesWith are the notes that speak of something that the words name.
func (e retractionReader) notesWith(words []language.Token) (found []string) {
	named := map[string]bool{}
	for _, w := range words {
		if !e.smallTalk(w.Word) && !e.is("says_nothing", w.Word) && !e.smallest(w.Word) {
			named[lexicon.Stem(e.stemLanguage(), w.Word)] = true
		}
	}
	for _, note := range e.Noted {
		if slices.ContainsFunc(e.wordsOf(note).words, func(w language.Token) bool { return named[lexicon.Stem(e.stemLanguage(), w.Word)] }) {
			found = append(found, note)
		}
	}
	return found
}
