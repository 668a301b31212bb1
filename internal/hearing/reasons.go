package hearing

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
)

// reasonReader hears reasons for calling that are neither a booking nor a question.
type reasonReader struct{ *ear }

// reason is a reason for calling that is neither a booking nor a question.
type reason struct {
	topic   Topic
	meaning string
	// instead are the intents that its words sound like and do not mean.
	instead []Intent
	// supposable says that it may only be supposed: "what if I am late?" tells
	// nothing.
	supposable bool
	// besideWish says that who asks for a place on a day only explains with it why they
	// come: "it has come loose again", "the bus never gets there before ten".
	besideWish bool
}

// reasons stand in the order in which they are believed.
var reasons = []reason{
	{Urgent, "reason_life", nil, true, false}, // before everything
	{Urgent, "reason_urgent", nil, true, false},
	{Urgent, "reason_urgent_told", nil, true, false},
	{Urgent, "reason_urgent_house", nil, true, false},
	{Spam, "reason_spam", []Intent{Book, Ask, Leave, Order, LookUp, Repeat, Human}, false, false},         // machines say anything else as well
	{WrongNumber, "reason_wrong_number", []Intent{Book, Ask, Leave, Order, LookUp, Repeat}, false, false}, // whatever they wanted, not here
	{Job, "reason_job", []Intent{Book, Ask, LookUp}, false, false},                                        // "are you hiring?" is no question for the data
	{Press, "reason_press", []Intent{Book, Ask, LookUp}, false, false},
	{Supplier, "reason_supplier", []Intent{Book, Ask, Order, LookUp}, false, false}, // offers, and orders nothing
	{LostProperty, "reason_lost", []Intent{Book, Ask, LookUp}, false, false},        // "have you seen it?" is for a person
	{Refund, "reason_refund", []Intent{Book, LookUp}, true, false},
	{Invoice, "reason_invoice", []Intent{Book, LookUp, Order}, true, false},
	{RunningLate, "reason_late", []Intent{Book, LookUp, Cancel}, true, true}, // they come, only later
	{OrderStatus, "reason_order", []Intent{Book, Ask, Order, LookUp}, true, false},
	{OtherTopic, "reason_missed_call", []Intent{Book, Ask, LookUp, Leave}, true, false}, // nobody knows here who called
	{GroupEvent, "reason_event", []Intent{Book}, false, false},
	{Complaint, "reason_complaint", []Intent{Book, LookUp, Cancel, Reschedule}, true, true}, // last: all the others may be told with anger
}

// hearReasons hears why somebody calls who wants nothing booked and asks nothing
// that data can answer. What an utterance is about is one thing.
func (e reasonReader) hearReasons() {
	words := e.words.words
	if e.Expect == SlotName && !e.Booking && !e.Ordering && !(nameReader{questionReader(e)}).isNamed() {
		e.forgetAddressee() // "it's for the tax office"
	}
	for _, r := range reasons {
		if !e.isReason(r, words) {
			continue
		}
		e.Messages = append(e.Messages, Command{Do: DoMessage, Topic: r.topic, Urgent: r.topic == Urgent})
		e.Intents = slices.DeleteFunc(e.Intents, func(i Intent) bool {
			return slices.Contains(r.instead, i) && !(i == Book && e.booksOutright(words))
		})
		if slices.Contains(r.instead, Ask) {
			e.Question, e.questionAt = "", [2]int{}
		}
		if r.topic == Urgent {
			e.tellUnasked(r)
		}
		if r.topic == Invoice {
			e.forgetBilled()
			e.forgetAsked()
		}
		if r.topic == Complaint || r.topic == Refund {
			e.forgetDays(r)
		}
		if r.topic != Urgent {
			e.Yes = e.Yes && e.Expect != Nothing
		}
		return
	}
	if !e.hearTale() {
		e.hearWord()
	}
}

// forgetDays: a day within what somebody is unhappy about lies in the past, "I cancelled
// on Monday and was still charged", and so does one of what they tell of their dealings
// with the house, "I was in on Saturday and it has come off".
func (e reasonReader) forgetDays(r reason) {
	told := e.taleAt()
	if from, to, ok := e.find(r.meaning, e.words.words); ok {
		told = append(told, [2]int{e.words.words[from].Start, e.words.words[to-1].End})
	}
	e.When.Mentions = slices.DeleteFunc(slices.Clone(e.When.Mentions), func(m dates.Mention) bool {
		return touchesAny([2]int{m.Start, m.End}, told)
	})
}

// tellUnasked takes back a question that only tells what has happened: "hay humo
// en la cocina" begins as questions do.
func (e reasonReader) tellUnasked(r reason) {
	words := e.words.words
	from, to, ok := e.find(r.meaning, words)
	if !ok || e.Question == "" || words[from].Asks || words[from].Start < e.questionAt[0] || words[to-1].End > e.questionAt[1] {
		return
	}
	e.Question, e.questionAt = "", [2]int{}
	e.Intents = slices.DeleteFunc(e.Intents, func(i Intent) bool { return i == Ask })
}

// hearWord hears a message that somebody leaves for somebody: it is all that was
// said. While something is arranged it is a remark about that.
func (e reasonReader) hearWord() {
	if e.Booked && e.No { // nothing else, "just tell them that …": of what was booked
		return
	}
	at, leaves := e.leavesWord()
	if e.Booking || e.Expect != Nothing || e.Has(Cancel) || e.Has(Reschedule) || e.Has(Order) || e.Has(Human) || !leaves || !e.tellsMore() {
		return
	}
	if !e.hears("refuses_booking", e.words.words) && (e.Has(Book) && e.hasNews() && e.booksHere(at) || e.seatsHere(at)) {
		return
	}
	e.Messages = append(e.Messages, Command{Do: DoMessage, Topic: OtherTopic})
	e.Intents = slices.DeleteFunc(e.Intents, func(i Intent) bool {
		return slices.Contains([]Intent{Book, Ask, LookUp, Leave}, i)
	})
	e.Question, e.questionAt, e.Yes, e.No = "", [2]int{}, false, false
	e.forgetAddressee()
}

// booksHere says whether an appointment is asked for in words for that, or a time is
// named before the message that begins at a byte: a service and a day alone may be what
// the message is about, and so may a time within it.
func (e reasonReader) booksHere(message int) bool {
	m, timed := e.When.Time()
	return timed && m.Start < message || e.hears("book", e.words.words) || e.booksOutright(e.words.words)
}

// seatsHere says whether it is told before the message that begins at a byte how many
// come, and on which day: whoever is to be told something is told it of them.
func (e reasonReader) seatsHere(message int) bool {
	day, dated := e.When.Day()
	return e.Party > 0 && e.takesParties() && e.partyAt[0] < message && dated && day.Start < message && !day.Told && !day.Negated
}

// wantsPlace says whether a place is asked for on a day to come, with a time, a party or
// a service, by somebody who does not ask for something to be put right or made known,
// and has no appointment that it may be about.
func (e reasonReader) wantsPlace() bool {
	day, dated := e.When.Day()
	_, timed := e.When.Time()
	if !dated || day.Told || day.Negated || !dates.DateOf(e.Now).Before(day.Date) || e.Has(Cancel) || e.Has(Reschedule) || e.demands() || e.hears("owns", e.words.words) {
		return false
	}
	named := timed || e.Party > 0 && e.takesParties() || len(e.Services) > 0 && !e.UnsureService
	return e.Has(Book) && named
}

// asksInWords says whether some words ask for a place: who only names a day and a time
// may tell of it.
func (e reasonReader) asksInWords(words []language.Token) bool {
	for _, meaning := range []string{"books_outright", "book", "asks_for", "visits", "bare_visits", "available", "requests", "want"} {
		if e.hears(meaning, words) {
			return true
		}
	}
	return false
}

// leavesWord says whether a message for somebody is left, "tell Maeve that …", and at
// which byte that begins.
func (e reasonReader) leavesWord() (at int, ok bool) {
	words := e.words.words
	if from, _, ok := e.find("leaves_word", words); ok {
		return words[from].Start, true
	}
	for i := 1; i+1 < len(words); i++ {
		named := e.is("given_names", words[i].Word) || words[i].Capital && !e.isWord(words[i].Word)
		if named && e.is("tells", words[i-1].Word) {
			return words[i-1].Start, true
		}
	}
	return 0, false
}

// tellsMore says whether more is said than that a message is left.
func (e reasonReader) tellsMore() bool {
	if slices.ContainsFunc(e.words.words, func(w language.Token) bool { return e.is("given_names", w.Word) }) {
		return true
	}
	rest := e.words.blanked(append(e.spans("leaves_word"), e.spans("refuses_booking")...)...)
	for _, w := range rest.words {
		if !e.smallTalk(w.Word) && !e.is("set want", w.Word) && !e.is("lead_ins", w.Word) && !e.is("pronouns", w.Word) {
			return true
		}
	}
	return false
}

// forgetAddressee: whom the message is for is not the caller.
func (e reasonReader) forgetAddressee() {
	for i, w := range e.words.words {
		if i > 0 && e.Name != "" && w.Start == e.nameAt[0] && (e.is("word_for", e.words.words[i-1].Word) || e.is("tells", e.words.words[i-1].Word)) {
			e.Name, e.nameAt = "", [2]int{}
		}
	}
}

func (e reasonReader) isReason(r reason, words []language.Token) bool {
	if r.topic == Urgent { // "the bill nearly gave me a heart attack" tells of no danger
		words = e.words.blanked(e.spans("figurative")...).words
	}
	from, to, ok := e.find(r.meaning, words)
	if r.meaning == "reason_urgent_house" && (!e.hears("frail", words) || e.namesLaterDay()) {
		return false // a repair like another
	}
	if r.topic == WrongNumber && (e.Has(Goodbye) || e.Booking && e.hasNews() || e.Expect == SlotPhone && e.Phone != "") {
		return false // they have gone, or correct themselves
	}
	if !ok {
		return e.isToldOtherwise(r, words)
	}
	if r.supposable && e.hears("supposed", e.sentenceOf(words, from, to)) {
		return false
	}
	if r.besideWish && e.wantsPlace() && (r.topic == RunningLate || e.asksInWords(words)) {
		return false // what is told is why they come
	}
	if r.topic == Invoice && e.hears("paper_new", words) {
		return false
	}
	if r.topic == Invoice && !e.claimedBefore(words) && (e.sellsPaper(words[from:to]) || e.booksBeside() || e.comesWith(words, from+max(0, e.paperIn(words[from:to])))) {
		return false
	}
	return !e.hears(r.meaning+"_not", words)
}

// namesLaterDay says whether a day is wanted that is not this one.
func (e reasonReader) namesLaterDay() bool {
	day, ok := e.When.Day()
	return ok && !day.Negated && !day.Told && dates.DateOf(e.Now).Before(day.Date)
}

// isToldOtherwise says whether a reason is told in words that are not its own.
func (e reasonReader) isToldOtherwise(r reason, words []language.Token) bool {
	switch r.topic {
	case WrongNumber:
		return e.asksOtherHouse(words)
	case Spam: // what sellers talk about, customers want
		return e.hears("spam_matters", words) && e.hears("sells", words)
	case GroupEvent:
		return e.isLargeEvent(words)
	case Invoice:
		return e.claimsPaper(words)
	}
	return false
}

// sellsPaper says whether a paper that is asked for is something that the house
// makes appointments for, or sells.
func (e reasonReader) sellsPaper(words []language.Token) bool {
	spans := append([][2]int{e.serviceAt}, e.itemsAt...)
	last := len(words) - 1
	for last > 0 && (e.smallTalk(words[last].Word) || e.is("determiners", words[last].Word)) {
		last-- // what it is stands at the end: "my vaccination records" are no vaccination
	}
	return !e.UnsureService && len(e.Services)+len(e.Unbookable)+len(e.Items) > 0 && touches(words[last], spans)
}

// booksBeside says whether an appointment is wanted, with what and when: a paper
// that is to come of it is a remark on that.
func (e reasonReader) booksBeside() bool {
	_, timed := e.When.Time()
	return e.Has(Book) && (timed || len(e.Services) > 0 && !e.UnsureService && e.hears("book", e.words.words))
}

// forgetBilled: the name that a paper is made out to is not the caller's.
func (e reasonReader) forgetBilled() {
	for i := range e.words.words {
		to, ok := e.at("made_out_to", e.words.words, i)
		if ok && e.Expect == Nothing && to < len(e.words.words) && e.words.words[to-1].End <= e.nameAt[0] && e.nameAt[0] <= e.words.words[to].End {
			e.Name, e.nameAt = "", [2]int{}
		}
	}
}

// isLargeEvent hears a celebration of more people than sit at a table.
func (e reasonReader) isLargeEvent(words []language.Token) bool {
	const large = 15
	return e.Party >= large && !e.Booking && e.hears("celebrations", words)
}

// sentenceOf are the words of the sentences in which a phrase stands.
func (e reasonReader) sentenceOf(words []language.Token, from, to int) []language.Token {
	for from > 0 && words[from-1].Sentence == words[from].Sentence {
		from--
	}
	for to < len(words) && words[to].Sentence == words[to-1].Sentence {
		to++
	}
	return words[from:to]
}

// booksOutright says whether a booking is asked for in so many words.
func (e reasonReader) booksOutright(words []language.Token) bool {
	return e.hears("books_outright", words)
}
