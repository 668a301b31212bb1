package hearing

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
)

// whenReader hears the days and times that are said.
type whenReader struct{ *ear }

// hearWhen hears the days and times, without the numbers that other readers have taken.
func (e whenReader) hearWhen() {
	text := blank(blank(e.Text, e.phoneAt, e.emailAt, e.codeAt), slices.Concat(e.otherNumbers(), partyReader(e).peopleTold(), e.countedAt, wishReader(e).sharedOnes())...)
	text = blank(text, e.shortenedVerbs()...)
	text = blank(text, bothReader(e).places()...)
	if e.Expect == SlotPartySize {
		text = blank(text, e.peopleBetween()...)
	}
	if e.Expect == SlotDate {
		text = blank(text, e.spans("both")...)
	}
	e.When = e.readWhen(text, asked(e.Expect))
	e.hearMakeIt(text)
	e.hearMeal()
	if e.Expect == SlotTime && len(e.When.Mentions) == 0 {
		e.When = e.fittingTime(text)
	}
	if e.Expect == SlotConfirm && len(e.When.Mentions) == 0 {
		e.When = e.correctedTime(text)
	}
	if e.Expect == SlotConfirm && e.onlyNow() {
		e.When = dates.Reading{} // what is read back is not for now
	}
}

// hearMakeIt hears a number that something is made, which is a time where no people are
// meant, and where no other time is wished for.
func (e whenReader) hearMakeIt(text string) {
	from, to, ok := e.find("make_it", e.words.words)
	if !ok || e.timeWished() || e.Expect == SlotPartySize || !e.Booking && !e.Booked && !(e.Ordering && e.Standing.Timed && len(e.words.words) <= mostOfTime) {
		return
	}
	words := e.words.words
	if e.is("articles_one", words[to-1].Word) && to < len(words) && words[to].Clause == words[to-1].Clause && e.contentWords(words[to:to+1]) > 0 {
		return // "mejor un masaje"
	}
	if e.hearRemade(from, to) {
		return
	}
	text = blank(text, e.peopleCounted()...)
	told := e.When.Mentions
	if len(told) == 0 {
		if e.When = e.readWhen(text, dates.AskedTime); len(e.When.Mentions) > 0 {
			return
		}
	}
	e.When = e.bareTime(text, e.words.words[from:to])
	if len(e.When.Mentions) == 0 {
		e.When.Mentions = told
		return
	}
	for i := range told {
		told[i].Counts = told[i].Counts && !told[i].AboutTime()
	}
	e.When.Mentions = append(told, e.When.Mentions...)
}

// timeWished says whether a time was said that is not only told, or a day.
func (e whenReader) timeWished() bool {
	return slices.ContainsFunc(e.When.Mentions, func(m dates.Mention) bool { return !m.Told || !m.AboutTime() })
}

// mostOfTime is how many words an order's new time has: what is longer orders something.
const mostOfTime = 6

// peopleCounted are where numbers stand that people follow: "make it six people".
func (e whenReader) peopleCounted() (all [][2]int) {
	words := e.words.words
	for i := range words {
		if _, taken := e.numberAt(words, i); taken > 0 && i+taken < len(words) && e.is("people", words[i+taken].Word) {
			all = append(all, [2]int{words[i].Start, words[i+taken-1].End})
		}
	}
	return all
}

// peopleBetween are where a range is all that answers how many come.
func (e whenReader) peopleBetween() (all [][2]int) {
	from, to, ok := e.find("number_range", e.words.words)
	if ok && e.contentWords(e.words.words[:from])+e.contentWords(e.words.words[to:]) == 0 {
		all = append(all, [2]int{e.words.words[from].Start, e.words.words[to-1].End})
	}
	return all
}

// bareTime reads the number among words as the time that it is.
func (e whenReader) bareTime(text string, words []language.Token) dates.Reading {
	for i := range words {
		if _, taken := e.numberAt(words, i); taken > 0 {
			text = blank(text, [2]int{0, words[i].Start}, [2]int{words[i+taken-1].End, len(text)})
			return dates.ReadAnswer(text, e.Now, e.language(), dates.AskedTime)
		}
	}
	return dates.Reading{}
}

// shortenedVerbs are the verbs that are only letters behind the word of a
// number: the 's of "ten's fine".
func (e whenReader) shortenedVerbs() (all [][2]int) {
	for _, w := range e.words.words {
		said := e.Text[w.Start:w.End]
		at := strings.IndexAny(said, "'’")
		if at <= 0 {
			continue
		}
		if _, number := e.counts(language.Fold(said[:at])); number {
			all = append(all, [2]int{w.Start + at, w.End})
		}
	}
	return all
}

// fittingTime reads the number that an answer begins with and that is said to
// fit: "ten would be grand".
func (e whenReader) fittingTime(text string) dates.Reading {
	words := e.Mix.Tokens(text)
	i := 0
	for i < len(words) && (e.is("fillers", words[i].Word) || e.is("agreeing", words[i].Word)) {
		i++
	}
	_, taken := e.numberAt(words, i)
	if taken == 0 {
		return dates.Reading{}
	}
	if _, fits := e.at("fits", words, min(i+taken, len(words)-1)); !fits {
		return dates.Reading{}
	}
	return e.bareTime(text, words[i:i+taken])
}

// correctedTime reads the number that is all that follows a no to what was read back,
// where no people are counted: "no, eleven".
func (e whenReader) correctedTime(text string) dates.Reading {
	words, i := e.words.words, 0
	for i < len(words) && (e.is("bare_no", words[i].Word) || e.is("fillers", words[i].Word)) {
		i++
	}
	n, taken := e.numberAt(words, min(i, len(words)-1))
	if i == 0 || i == len(words) || taken == 0 || n > 24 || e.takesParties() || !e.Standing.Timed || e.contentWords(words[i+taken:]) > 0 || touches(words[i], append(e.otherNumbers(), e.phoneAt, e.codeAt)) {
		return dates.Reading{}
	}
	return e.bareTime(text, words[i:i+taken])
}

// onlyNow says whether now is all that was said of a time.
func (e whenReader) onlyNow() bool {
	for _, m := range e.When.Mentions {
		if m.Kind != dates.Instant || !m.At.Equal(e.Now) {
			return false
		}
	}
	return true
}
