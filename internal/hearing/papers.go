package hearing

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/language"
)

// claimsPaper says whether a paper is wanted that exists already, or comes of something
// that was done: an invoice, a report, a certificate. It is to be sent, or was lost, or
// belongs to a service that is named only to say which paper is meant: "the paperwork
// for the boiler repair". A paper that comes with what is wanted is a remark on that: "an
// oil change with an invoice".
func (e reasonReader) claimsPaper(words []language.Token) bool {
	at := e.paperIn(words)
	if at < 0 || e.comesWith(words, at) || e.hears("reason_invoice_not", words) || e.hears("paper_new", words) || e.hears("supposed", words) {
		return false
	}
	return e.claimedBefore(words) || e.hears("paper_sent", words) && !e.booksOutright(words) || e.ofService(words, at) && (!e.Has(Ask) || e.wantedHere(words, at))
}

// claimedBefore says whether a paper is told to have been had, or not to have come. Who
// says at what time they want to come wants a new one.
func (e reasonReader) claimedBefore(words []language.Token) bool {
	_, timed := e.When.Time()
	return e.paperIn(words) >= 0 && !(timed && e.Has(Book)) && (e.hears("paper_again", words) || e.hears("paper_past", words))
}

// paperIn is where a paper is named, -1 when none is.
func (e reasonReader) paperIn(words []language.Token) int {
	for i, w := range words {
		if e.is("papers", w.Word) {
			return i
		}
	}
	return -1
}

// comesWith says whether a service is named before the paper at word i that comes with
// it.
func (e reasonReader) comesWith(words []language.Token, i int) bool {
	const near = 2 // words: "with an", "con su"
	for j := i - 1; j >= max(0, i-near); j-- {
		if e.is("comes_with", words[j].Word) {
			return e.serviceAt[1] > 0 && e.serviceAt[0] < words[j].Start
		}
	}
	return false
}

// ofService says whether the paper at word i is one of a service that is named right
// behind it, and none that the house makes appointments for.
func (e reasonReader) ofService(words []language.Token, i int) bool {
	if len(e.Services)+len(e.Unbookable) == 0 || touches(words[i], [][2]int{e.serviceAt}) {
		return false
	}
	for j := i + 1; j < len(words) && words[j].Clause == words[i].Clause; j++ {
		if touches(words[j], [][2]int{e.serviceAt}) {
			return j > i+1
		}
		if !e.smallest(words[j].Word) && !e.is("determiners", words[j].Word) {
			return false
		}
	}
	return false
}

// wantedHere says whether something is wanted in the clause of word i.
func (e reasonReader) wantedHere(words []language.Token, i int) bool {
	return e.hears("want", slices.DeleteFunc(slices.Clone(words), func(w language.Token) bool { return w.Clause != words[i].Clause }))
}

// forgetAsked: whether a paper can be sent is no question for the data, where it is told
// which one.
func (e reasonReader) forgetAsked() {
	if e.Question == "" || !e.claimsPaper(e.words.words) {
		return
	}
	asked := e.wordsOf(e.Question).words
	if e.paperIn(asked) < 0 && !e.hears("paper_sent", asked) && !e.hears("paper_again", asked) {
		return
	}
	e.Question, e.questionAt = "", [2]int{}
	e.Intents = slices.DeleteFunc(e.Intents, func(i Intent) bool { return i == Ask })
}
