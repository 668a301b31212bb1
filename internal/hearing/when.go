package hearing

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
)

// whenReader hears the days and times that are said.
type whenReader struct{ *ear }

// hearWhen hears the days and times, without the numbers that other readers have taken.
func (e whenReader) hearWhen() {
	text := blank(blank(e.Text, e.phoneAt, e.emailAt, e.codeAt), append(e.otherNumbers(), e.spans("party_sure")...)...)
	text = blank(text, e.shortenedVerbs()...)
	if e.Expect == SlotDate {
		text = blank(text, e.spans("both")...)
	}
	e.When = e.readWhen(text, asked(e.Expect))
	if from, to, ok := e.find("make_it", e.words.words); ok && len(e.When.Mentions) == 0 && (e.Booking || e.Booked || e.Ordering && e.Standing.Timed && len(e.words.words) <= mostOfTime) && e.Expect != SlotPartySize {
		text = blank(text, e.peopleCounted()...)
		e.When = e.readWhen(text, dates.AskedTime)
		if len(e.When.Mentions) == 0 {
			e.When = e.bareTime(text, e.words.words[from:to])
		}
	}
	e.hearMeal()
	if e.Expect == SlotTime && len(e.When.Mentions) == 0 {
		e.When = e.fittingTime(text)
	}
	if e.Expect == SlotConfirm && e.onlyNow() {
		e.When = dates.Reading{} // what is read back is not for now
	}
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

// onlyNow says whether now is all that was said of a time.
func (e whenReader) onlyNow() bool {
	for _, m := range e.When.Mentions {
		if m.Kind != dates.Instant || !m.At.Equal(e.Now) {
			return false
		}
	}
	return true
}
