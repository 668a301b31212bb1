package hearing

import (
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
)

// weighed are the intents whose words are looked for in every part of an
// utterance, in the order of their weight.
var weighed = []struct {
	intent  Intent
	meaning string
}{
	{Meddle, "meddle"},
	{Abuse, "abuse"},
	{Others, "others"},
	{Human, "human"},
	{Cancel, "cancel"},
	{Reschedule, "move"},
	{LookUp, "look"},
	{Restart, "restart"},
	{Order, "order"},
	{Book, "book"},
	{Leave, "leave"},
	{Repeat, "repeat"},
}

// order is the weight of all intents, heaviest first.
var order = []Intent{Meddle, Abuse, Others, Human, Cancel, Reschedule, LookUp, Restart, Order, Book, Leave, Ask, Repeat, Goodbye, Thanks, Greet}

// hearIntents hears what the caller wants, part by part.
func (e *ear) hearIntents() {
	found := map[Intent]bool{}
	for _, part := range e.segments() {
		for _, i := range e.wanted(part) {
			found[i] = true
		}
	}
	e.manners(found)
	e.settle(found)
	for _, i := range order {
		if found[i] {
			e.Intents = append(e.Intents, i)
		}
	}
}

// wanted is what one part of the utterance wants. A part that asks and wants
// nothing else is a question.
func (e *ear) wanted(part []language.Token) []Intent {
	var all []Intent
	if from, _, ok := e.find("note_requests", part); ok { // "could you put down that …" is no question
		e.apartAt = append(e.apartAt, [2]int{part[from].Start, part[len(part)-1].End})
		return nil
	}
	asks := e.isQuestion(part)
	if asks && e.hears("about_booking", part) {
		e.addQuestion(part)
		return []Intent{Ask}
	}
	if e.asksWhatThereIs(part) || asks && e.asksCapacity(part) {
		e.addQuestion(part)
		return []Intent{Ask}
	}
	if i := e.ofBooked(part); i != "" {
		return []Intent{i}
	}
	for _, w := range weighed {
		if e.hears(w.meaning, part) && !e.hears(w.meaning+"_not", part) && !(w.intent == Others && e.hears("free", part)) && !(w.intent == Order && asks && e.hears("how_sent", part) && len(e.Items) == 0) {
			all = append(all, w.intent)
		}
	}
	if e.asksOthers(part) {
		all = append(all, Others)
	}
	if len(all) == 0 && e.hears("self", part) {
		return nil
	}
	if len(all) == 0 && e.booksByTime(part, asks) {
		all = append(all, Book)
	}
	if len(all) == 0 && e.hears("offhand", part) {
		return nil
	}
	if len(all) == 0 && (asks || e.namesTopic(part)) {
		e.addQuestion(part)
		all = append(all, Ask)
	}
	return all
}

// asksWhatThereIs hears questions for what is to be had, where flats are and
// not appointments: "do you have anything for sale in Gandía?"
func (e *ear) asksWhatThereIs(part []language.Token) bool {
	return (e.hears("on_sale", part) || e.Vertical == realEstate && e.hears("listed", part)) && !e.hears("viewings", part) && !e.hears("leave", part) && !e.hears("human", part) && !e.mentioned(part)
}

// asksCapacity hears questions for the tables that a house has, on whatever
// day: "¿tenéis mesas para diez personas?"
func (e *ear) asksCapacity(part []language.Token) bool {
	return e.hears("tables_for", part) && !e.mentioned(part) && !e.hears("free", part) && !e.hears("want", part)
}

// realEstate is the vertical whose goods are flats.
const realEstate = "real_estate"

// booksByTime hears a wish to book that names no booking: "do you have anything
// on Friday?", "is three pm available?", "I'd like a haircut tomorrow".
func (e *ear) booksByTime(part []language.Token, asks bool) bool {
	if e.hears("available", part) && !e.hears("hours", part) {
		return true
	}
	timed := e.mentioned(part)
	if (timed || e.Party > 0 || e.hears("any_time", part)) && e.hears("visits", part) && !e.hears("hours", part) || e.hears("bare_visits", part) {
		return true // "¿puedo ir mañana a las diez?"
	}
	if (timed || len(e.Services) > 0) && e.hears("requests", part) && !e.hears("exceptions", part) && !e.hears("topic", part) && !e.hears("hours", part) && len(e.Items) == 0 {
		return true // "can I have a dental cleaning tomorrow?"
	}
	if timed && has(part, "available", "free", "libre", "disponible", "posible", "possible", "availability", "disponibilidad") && !has(part, "wifi", "parking") {
		return true
	}
	if len(e.Services)+len(e.Unbookable) > 0 && !asks && (e.hears("want", part) || e.hears("any_time", part) || timed && e.serviceAt[0] >= part[0].Start && e.serviceAt[0] < part[len(part)-1].End) {
		return true
	}
	if timed && !asks && e.Party > 0 && e.takesParties() {
		return true // "two people tonight at 8:30"
	}
	if !e.Booking || !timed && e.Party == 0 || e.hears("hours", part) {
		return false
	}
	if e.hears("changes", part) {
		return true
	}
	return asks && e.onlyWhen(part)
}

// mentioned says whether a date or time stands within the part.
func (e *ear) mentioned(part []language.Token) bool {
	from, to := part[0].Start, part[len(part)-1].End
	for _, m := range e.When.Mentions {
		if m.Kind != dates.Soonest && m.Start >= from && m.End <= to+4 {
			return true
		}
	}
	return false
}

// onlyWhen says whether a question says nothing beside a date or time: "how
// about six?"
func (e *ear) onlyWhen(part []language.Token) bool {
	spans := [][2]int{e.partyAt}
	for _, m := range e.When.Mentions {
		spans = append(spans, [2]int{m.Start, m.End})
	}
	for _, w := range part {
		if !touches(w, spans) && !e.smallTalk(w.Word) {
			return false
		}
	}
	return true
}

// smallTalk says whether a word holds a sentence together and no more.
func (e *ear) smallTalk(w string) bool {
	return e.is("fillers", w) || e.is("tails", w) || e.smallest(w) || e.is("small", w)
}

// manners hears thanks, goodbyes and greetings.
func (e *ear) manners(found map[Intent]bool) {
	words := e.words.words
	found[Thanks] = e.hears("thanks", words)
	found[Greet] = e.hears("greet", words)
	for _, sentence := range e.words.parts(bySentence) {
		if e.hears("goodbye", sentence) && !sentence[0].Asks {
			found[Goodbye] = true
		}
	}
}

// settle takes out what the sum of the words says was not meant.
func (e *ear) settle(found map[Intent]bool) {
	if found[Goodbye] {
		e.settleGoodbye(found)
	}
	if e.Self && !e.hears("speak_with", e.words.words) {
		delete(found, Human) // "are you a real person?" asks for none
	}
	if found[Cancel] && e.Booking && !e.hears("cancel_own", e.words.words) {
		delete(found, Cancel)
		found[Restart] = true
	}
	if found[Cancel] && found[Reschedule] && !e.hears("cancel_verbs", e.words.words) {
		delete(found, Cancel) // "I can't make it, can we move it?"
	}
	if found[Reschedule] && e.Booking && !e.hears("cancel_own", e.words.words) {
		delete(found, Reschedule)
		found[Book] = true
	}
	if found[Cancel] || found[Reschedule] {
		delete(found, Book)
		delete(found, LookUp)
	}
	if found[Restart] && (e.hasNews() || found[Book] || found[Ask]) && !found[Cancel] {
		delete(found, Restart)
	}
	if found[Book] && e.hears("owns", e.words.words) && !e.hears("asks_for", e.words.words) {
		delete(found, Book) // "I have a booking for tonight"
		found[LookUp] = !found[Cancel] && !found[Reschedule]
	}
	if found[Book] && found[LookUp] && !found[Ask] {
		delete(found, LookUp)
	}
	if found[Others] || found[Meddle] {
		for _, i := range []Intent{LookUp, Ask, Leave, Book} {
			delete(found, i)
		}
		e.Question = ""
	}
	if found[Order] && found[Book] && len(e.Items) == 0 {
		delete(found, Order)
	}
	if len(e.Items) > 0 && !found[Ask] && !found[Book] && (e.hears("want", e.words.words) || len(e.Items) > 1 || e.Items[0].Quantity > 1) {
		found[Order] = true
	}
	if found[Leave] && e.hears("instructions", e.words.words) {
		delete(found, Leave) // "call me when you are at the door"
	}
	if e.Expect == SlotPhone && e.Phone != "" || e.Name != "" && e.Expect == SlotName {
		delete(found, Leave)
	}
	if found[Restart] {
		e.Yes = false // "yes, forget it"
	}
	if found[Repeat] && (e.hasNews() || found[Book] || found[Ask] || found[Reschedule] || found[Cancel]) {
		delete(found, Repeat) // "sorry, Thursday"
	}
	if found[Repeat] || (found[Cancel] || found[Reschedule]) && e.Expect == Nothing {
		e.No = false
	}
	if found[Goodbye] && e.hears("closes", e.words.words) {
		e.closeOff()
	}
}

// closeOff: "great, that's all" answers an offer of more with a no, unless
// there was something to confirm.
func (e *ear) closeOff() {
	if e.Expect != SlotConfirm && !(e.Yes && e.hears("said_yes", e.words.words)) {
		e.Yes, e.No = false, true
	}
}

// settleGoodbye: who still wants something has not said goodbye.
func (e *ear) settleGoodbye(found map[Intent]bool) {
	for _, i := range []Intent{Book, Cancel, Reschedule, Ask, Order, LookUp} {
		if found[i] && !e.hears("plain_bye", e.words.words) {
			delete(found, Goodbye)
		}
	}
	if found[Goodbye] {
		delete(found, Greet) // "buen día"
	}
	if found[Goodbye] && e.hears("until_then", e.words.words) {
		e.When = dates.Reading{} // "hasta mañana" names no day to come
	}
}

// hasNews says whether the caller goes on with something new: "forget it, make
// it Thursday".
func (e *ear) hasNews() bool {
	_, timed := e.When.Time()
	_, dated := e.When.Day()
	return timed || dated || e.Party > 0 || len(e.Services) > 0
}
