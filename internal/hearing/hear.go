// Package hearing makes of what a caller says what it means.
//
//	text -> tokens, cleaned -> pieces -> readers -> commands
//
// It knows what was asked and what was offered, the business's catalogue and the
// clock; it decides nothing and holds nothing. The words by which it hears stand
// in the folders of internal/language, the days and times are read by
// internal/dates, what the business has by internal/catalogue.
package hearing

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
)

// Hear understands one utterance by rules, in the languages of its Mix. What it hears
// depends on what was asked: a bare "six" is a time after "at what time?" and
// people after "how many are you?". It decides nothing and holds nothing.
//
//	spelling -> e-mail, code, phone -> when -> services, name, party, items -> supposed -> choice, answer -> intents, question -> reasons -> consent -> pieces
//
// Each step takes its words out of the way of those after it.
func Hear(text string, s Setting) Heard {
	if s.Mix == nil {
		s.Mix = language.MixOf()
	}
	e := listen(OneLine(text), s)
	if two, ok := (wishReader{e}).hearFurther(); ok {
		return two
	}
	return e.heard()
}

// listen reads a text of one line with all readers.
func listen(text string, s Setting) *ear {
	if e, ok := listenServed(text, s); ok {
		return e
	}
	return listenAll(text, s)
}

// listenAll reads all of a text.
func listenAll(text string, s Setting) *ear {
	e := &ear{Setting: s}
	e.Text = text
	e.words = e.wordsOf(e.Text)
	e.markJoins()
	if len(e.words.words) == 0 {
		answerReader{questionReader{e}}.hearSigns()
		return e
	}
	spellingReader{nameReader{questionReader{e}}}.hearSpelled()
	e.Gist.Language = tongueReader{e}.languageOf(e.words.blanked(e.spelledSpans()...))
	emailReader{e}.hearEmail()
	codeReader{e}.hearCode()
	numberReader{e}.hearApart()
	phoneReader{e}.hearPhone()
	phoneReader{e}.hearTail()
	itemReader{e}.markCounted()
	whenReader{e}.hearWhen()
	serviceReader{e}.hearServices()
	nameReader{questionReader{e}}.hearName()
	e.Gist.Language = tongueReader{e}.languageOf(e.words.blanked(append(e.spelledSpans(), e.nameAt, e.phoneAt, e.emailAt)...))
	partyReader{e}.hearParty()
	serviceReader{e}.hearTable()
	itemReader{e}.hearItems()
	supposedReader{questionReader{e}}.hearSupposed()
	choiceReader{questionReader{e}}.hearChoice()
	answerReader{questionReader{e}}.hearAnswer()
	answerReader{questionReader{e}}.hearSigns()
	e.hearWishes()
	intentReader{questionReader{e}}.hearIntents()
	retractionReader{e}.hearRetracted()
	reasonReader{e}.hearReasons()
	serviceReader{e}.hearSwap()
	droppedReader{e}.hearDropped()
	partyReader{e}.hearRecount()
	wishReader{e}.hearBeside()
	choiceReader{questionReader{e}}.unchoose()
	answerReader{questionReader{e}}.hearWait()
	answerReader{questionReader{e}}.hearConsent()
	itemReader{e}.hearUnlisted()
	emailReader{e}.settleIntents()
	e.hearPieces()
	return e
}

// ear is one utterance on its way to being understood.
type ear struct {
	Setting
	Gist
	words utterance
	joins map[int]bool // where words stand that join clauses and ask nothing

	// Where in the text things were said, for those that must not read them
	// again.
	phoneAt, emailAt, codeAt, nameAt, partyAt, serviceAt, questionAt [2]int

	itemsAt     [][2]int
	lessAt      [][2]int // what is taken out of an order
	apartAt     [][2]int // numbers that belong to something else, with what they belong to
	countedAt   [][2]int // numbers that count dishes or products
	placesAt    [][2]int // those of them that whoever serves the caller must know
	questionsAt [][2]int
	retractedAt [][2]int // what is said of notes that are not wanted any more
	doneAt      [][2]int // questions that ask for something to be done
	sizesAt     [][2]int // numbers that measure
	supposedAt  [][2]int // questions under a condition, which changes nothing

	spelled []spelt
	renamed bool // the name that was read back is corrected
	remade  int  // how many people a bare number counts
	leaves  bool // somebody has to go at once
	swapped bool // another service is wanted in the place of one

	pieces []Piece
}

// language is the one that this utterance is best read in.
func (e *ear) language() string {
	if e.Gist.Language != "" {
		return e.Gist.Language
	}
	return e.Setting.Language
}

// readWhen reads the days and times of a text, counted from what stands.
func (e *ear) readWhen(text string, asked dates.Asked) dates.Reading {
	return dates.ReadTokens(text, e.Mix.Tokens(text), e.Mix, e.Now, language.Of(e.language()), asked, e.Standing)
}

// otherNumbers are where numbers stand that are no times and no people.
func (e *ear) otherNumbers() [][2]int { return append(slices.Clone(e.apartAt), e.sizesAt...) }

// spans are where phrases of a meaning stand.
func (e *ear) spans(meaning string) (all [][2]int) {
	words := e.words.words
	for i := range words {
		if to, ok := e.at(meaning, words, i); ok {
			all = append(all, [2]int{words[i].Start, words[to-1].End})
		}
	}
	return all
}

// rest is what is left of the utterance once the dates and times, the number
// and the address are taken out.
func (e *ear) rest() utterance {
	spans := [][2]int{e.phoneAt, e.emailAt, e.codeAt}
	for _, m := range e.When.Mentions {
		if m.Kind != dates.Soonest { // "as soon as possible" may choose one of those offered
			spans = append(spans, [2]int{m.Start, m.End})
		}
	}
	return e.words.blanked(slices.Concat(spans, e.otherNumbers(), e.countedAt)...)
}

// hearWishes hears the small things that are said about what was asked.
func (e *ear) hearWishes() {
	e.AnyTime = e.hears("any_time", e.words.words) && !questionReader{e}.asksSomething()
	e.DontKnow = e.hears("dont_know", e.words.words)
	e.hearWithheld()
	e.Self = e.hears("self", e.words.words)
}

// hearWithheld hears who does not give what was asked for: no code and no address
// is one that they do not have, no name and no number is a no.
func (e *ear) hearWithheld() {
	if !e.hears("withholds", e.words.words) {
		return
	}
	switch {
	case e.Expect == SlotCode && e.Code == "", e.Expect == SlotEmail && e.Email == "":
		e.DontKnow = true
	case e.Expect == SlotName && (nameReader{questionReader{e}}).isNamed():
	case e.Expect == SlotName && e.Phone == "", e.Expect == SlotPhone && e.Phone+e.BadPhone == "":
		e.No, e.Yes, e.Name, e.nameAt = true, false, "", [2]int{}
	}
}

// blank overwrites spans of a text with spaces; its bytes keep their places.
func blank(text string, spans ...[2]int) string {
	b := []byte(text)
	for _, s := range spans {
		for i := s[0]; i < s[1]; i++ {
			b[i] = ' '
		}
	}
	return string(b)
}

// heard is what the readers have found, as commands.
func (e *ear) heard() Heard {
	return Heard{Text: e.Text, Language: e.Gist.Language, Pieces: e.pieces, Commands: e.commands()}
}
