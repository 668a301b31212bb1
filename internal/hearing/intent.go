package hearing

import (
	"slices"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/language"
)

// intentReader hears what the caller wants.
type intentReader struct{ questionReader }

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
func (e intentReader) hearIntents() {
	found := map[Intent]bool{}
	for _, part := range e.segments() {
		for _, i := range e.wanted(part) {
			found[i] = found[i] || i != Human || !e.talksAtHome(part) && !e.putsDown(part)
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

// talksAtHome says whether the person to speak to is one of the caller's own: "I need
// to talk to my husband first".
func (e intentReader) talksAtHome(part []language.Token) bool {
	_, to, ok := e.find("human", part)
	for ok && to < len(part) && e.is("determiners", part[to].Word) {
		to++
	}
	return ok && to < len(part) && e.is("relatives", part[to].Word)
}

// putsDown says whether a time or a day is what somebody is to be put to, and no person:
// "ponme a las seis".
func (e intentReader) putsDown(part []language.Token) bool {
	from, to, ok := e.find("human", part)
	return ok && slices.ContainsFunc(part[from:to], func(w language.Token) bool { return touches(w, wishReader{e.ear}.whenSpans()) })
}

// wanted is what one part of the utterance wants. A part that asks and wants
// nothing else is a question.
func (e intentReader) wanted(part []language.Token) []Intent {
	asks := e.isQuestion(part)
	if e.wantsNothing(part, asks) {
		return nil
	}
	if from, _, ok := e.find("says_it_asks", part); ok && e.says("refuses_booking") && e.saysItAsks(part, asks) {
		part = part[from:]
	}
	if e.onlySupposed(part) || e.wantsAnswerOnly(part, asks) || asks && e.asksAtReadBack(part) {
		e.addQuestion(part)
		e.hearAskedDone(part)
		return []Intent{Ask}
	}
	if e.asksBook(part) {
		e.addQuestion(part)
		return []Intent{Ask}
	}
	if i := e.ofBooked(part); i != "" {
		return []Intent{i}
	}
	if all := e.wantedOutright(part, asks); len(all) > 0 {
		return all
	}
	switch {
	case e.hears("self", part):
		return nil
	case e.booksByTime(part, asks), e.booksWithStaff(part, asks):
		return []Intent{Book}
	case e.hears("offhand", part):
		return nil
	case asks, e.namesTopic(part):
		e.addQuestion(part)
		e.hearAskedDone(part)
		return []Intent{Ask}
	}
	return nil
}

// wantsNothing says whether a part only adds to what was said, or supposes something.
func (e intentReader) wantsNothing(part []language.Token, asks bool) bool {
	switch {
	case additionReader(e).refersBack(part), e.takeNoteRequest(part), additionReader(e).takeAddition(part):
		return true
	case asks:
		return e.asksSwap(part)
	}
	return e.onlySupposed(part) && !e.supposed().endsOpen(part) // "if I can't come I'll ring you"
}

// takeNoteRequest marks what a part asks to be written down, so that no other reader
// takes it: "could you put down that …" is no question. It says whether the part holds
// nothing else.
func (e intentReader) takeNoteRequest(part []language.Token) bool {
	from, _, ok := e.find("note_requests", part)
	if !ok || e.hears("notes_before", part[from:]) {
		return false
	}
	start := e.noteStart(part, from)
	additions := additionReader(e)
	told := additions.withoutLeave(part[start:])
	at := [2]int{told[0].Start, told[len(told)-1].End}
	additions.dropTold(told)
	e.apartAt, e.placesAt = append(e.apartAt, at), append(e.placesAt, at)
	return e.onlyFillers(part[:from])
}

// noteStart is where that begins which is to be written down, behind the words that ask
// for it from word from on.
func (e intentReader) noteStart(part []language.Token, from int) int {
	const fewest = 2 // words of a note
	start := from
	for start < len(part) && e.is("note_leads", part[start].Word) {
		start++
	}
	if start < len(part) && start > from && e.is("tells_that", part[start].Word) {
		start++
	}
	if len(part)-start < fewest {
		return from
	}
	return start
}

// wantsAnswerOnly says whether a part is a question whatever words of a wish it holds.
func (e intentReader) wantsAnswerOnly(part []language.Token, asks bool) bool {
	return asks && (e.hears("about_booking", part) || e.asksCapacity(part) || e.asksOnly(part) || e.asksDiet(part)) || e.asksPriceFirst(part) || e.asksWhatThereIs(part) || e.saysItAsks(part, asks)
}

// asksPriceFirst says whether a part begins with the question for a price: what it
// names behind that is what the price is asked of, and no wish. Who goes on to say that
// they want it, or when to the hour, does want it.
func (e intentReader) asksPriceFirst(part []language.Token) bool {
	start, ok := e.skipManners(part)
	if !ok {
		return false
	}
	for start < len(part)-1 && (e.is("pronouns", part[start].Word) || e.is("fillers", part[start].Word) || e.is("conjunctions", part[start].Word)) {
		start++
	}
	to, ok := e.at("asks_price", part, start)
	return ok && !e.hears("asks_for", part[to:]) && !e.hears("want", part[to:]) && !e.namesDayAndTime(part)
}

// asksDiet says whether something to eat is asked for, for somebody of whom it is told
// in the same breath what they must not or will not eat: that is no free place.
func (e intentReader) asksDiet(part []language.Token) bool {
	return e.hears("asks_for_food", part) && e.hears("tells_diet", e.words.words) && !e.mentioned(part) && !e.hears("free", part)
}

// saysItAsks says whether a part tells that something is asked and about what, at any
// moment: "it was to ask about the parking" answers no question.
func (e intentReader) saysItAsks(part []language.Token, asks bool) bool {
	if !e.hears("says_it_asks", part) || e.mentioned(part) || e.requests(part) {
		return false
	}
	return !slices.ContainsFunc(e.wantedOutright(part, asks), func(i Intent) bool { return i != Book || !e.says("refuses_booking") })
}

// asksSwap says whether another service is asked for in the place of the one that was
// read back: "could you make it the long one instead".
func (e intentReader) asksSwap(part []language.Token) bool {
	inside := e.serviceAt[1] > part[0].Start && e.serviceAt[0] < part[len(part)-1].End
	return e.Expect == SlotConfirm && inside && len(e.Services) == 1 && (e.hears("swaps", part) || e.hears("rather", part))
}

// asksAtReadBack says whether a question is put at the read-back, where it begins
// nothing new unless it is to cancel or to move.
func (e intentReader) asksAtReadBack(part []language.Token) bool {
	return e.Expect == SlotConfirm && (!e.hasNews() || e.onlyCompany()) && e.contentWords(part) > 1 && !e.hears("cancel", part) && !e.hears("move", part)
}

// onlyCompany says whether people are all that was named, where they are not counted:
// "can my mother come in with me".
func (e *ear) onlyCompany() bool {
	_, timed := e.When.Time()
	_, dated := e.When.Day()
	return e.Party > 0 && !e.takesParties() && !timed && !dated && len(e.Services) == 0
}

// asksOnly says whether a question can be no wish: it asks what must be done, what
// holds under a condition, or whether something is so or not.
func (e intentReader) asksOnly(part []language.Token) bool {
	return e.conditions().asksUnderCondition(part) || !e.mentioned(part) && (e.hears("asks_duty", part) || e.hears("ends_asking", part))
}

// wantedOutright is what a part wants in so many words.
func (e intentReader) wantedOutright(part []language.Token, asks bool) (all []Intent) {
	for _, w := range weighed {
		switch {
		case !e.hears(w.meaning, part), e.hears(w.meaning+"_not", part),
			w.intent == Others && e.hears("free", part),
			w.intent == Order && asks && e.hears("how_sent", part) && len(e.Items) == 0:
		default:
			all = append(all, w.intent)
		}
	}
	if e.asksOthers(part) {
		all = append(all, Others)
	}
	if e.asksAfter(part) && !slices.Contains(all, Human) {
		all = append(all, Human)
	}
	return all
}

// asksAfter hears who is asked for by name: "is Maeve there?", "¿está Rafael?"
func (e intentReader) asksAfter(part []language.Token) bool {
	start, ok := e.skipManners(part)
	if !ok {
		return false
	}
	for start < len(part) && e.is("pronouns_of_self", part[start].Word) {
		start++
	}
	if start >= len(part) || !e.is("asks_after", part[start].Word) {
		return false
	}
	const longest = 3 // words of a name
	i, named := start+1, false
	for ; i < len(part) && i-start <= longest; i++ {
		w := part[i]
		title := e.is("name_titles", w.Word) || e.is("determiners", w.Word)
		if !title && !e.is("given_names", w.Word) && (e.isWord(w.Word) || e.smallest(w.Word)) {
			break
		}
		named = named || !title
	}
	if !named {
		return false
	}
	if i == len(part) {
		return e.is("asks_after_plain", part[start].Word)
	}
	_, here := e.at("about_here", part, i)
	return here
}

// asksWhatThereIs hears questions for what is to be had, where flats are and
// not appointments: "do you have anything for sale in Gandía?"
func (e intentReader) asksWhatThereIs(part []language.Token) bool {
	return (e.hears("on_sale", part) || e.Trade.ShowsListings && e.hears("listed", part)) && !e.hears("viewings", part) && !e.hears("leave", part) && !e.hears("human", part) && !e.mentioned(part)
}

// asksCapacity hears questions for the tables that a house has, on whatever
// day: "¿tenéis mesas para diez personas?"
func (e intentReader) asksCapacity(part []language.Token) bool {
	return e.hears("tables_for", part) && !e.mentioned(part) && !e.hears("free", part) && !e.hears("want", part)
}

// booksByTime hears a wish to book that names no booking: "do you have anything
// on Friday?", "is three pm available?", "I'd like a haircut tomorrow".
func (e intentReader) booksByTime(part []language.Token, asks bool) bool {
	timed, hours := e.mentioned(part), e.hears("hours", e.untimed(part))
	switch {
	case asks && e.nearlyDone() && !timed && (e.Party == 0 || e.onlyCompany()):
		return false
	case e.hears("bare_visits", part), !hours && e.asksToCome(part, timed):
		return true
	case timed && e.wantsThen(part, asks, hours), !asks && e.namesService(part, timed):
		return true
	case !e.Booking || !timed && e.Party == 0 || hours:
		return false
	}
	return e.hears("changes", part) || asks && e.onlyWhen(part)
}

// wantsThen says whether a part that names a day or a time wants to come then. Where
// it speaks of opening hours, only a free place counts, or a party that is told.
func (e intentReader) wantsThen(part []language.Token, asks, hours bool) bool {
	switch {
	case e.hasOf("set free", part) && !e.hasOf("free_things", part):
		return true
	case !hours && asks && !e.Booking && e.asksLeave(part) && e.onlyWhen(part):
		return true // "can you do the 26th?"
	case !hours && (e.asksForPlace(part, asks) || asks && !e.Booking && e.asksLeave(part) && e.namesDayAndTime(part)):
		return true
	}
	return !asks && e.Party > 0 && e.takesParties() // "two people tonight at 8:30"
}

// asksToCome hears questions for a free place, or for leave to come or to have
// something.
func (e intentReader) asksToCome(part []language.Token, timed bool) bool {
	switch {
	case e.hears("available", part):
		return true
	case e.hears("visits", part) && (timed || e.Party > 0 || e.hears("any_time", part)):
		return true // "¿puedo ir mañana a las diez?"
	}
	return (timed || len(e.Services) > 0) && e.requests(part) // "can I have a dental cleaning tomorrow?"
}

// requests says whether a part asks for something to be done, and not whether
// that is wise.
func (e intentReader) requests(part []language.Token) bool {
	return e.hears("requests", part) && !e.hears("exceptions", part) && !e.hears("topic", part) && len(e.Items) == 0
}

// namesService says whether a part wants the service that was heard, or names it
// together with a time.
func (e intentReader) namesService(part []language.Token, timed bool) bool {
	if len(e.Services)+len(e.Unbookable) == 0 {
		return false
	}
	inside := e.serviceAt[0] >= part[0].Start && e.serviceAt[0] < part[len(part)-1].End
	return e.hears("want", part) || e.hears("any_time", part) || timed && inside
}

// mentioned says whether a date or time stands within the part. What only points
// to the one that stands does not count.
func (e *ear) mentioned(part []language.Token) bool {
	from, to := part[0].Start, part[len(part)-1].End
	for _, m := range e.When.Mentions {
		if m.Kind != dates.Soonest && !m.Told && !m.Points() && m.Start >= from && m.End <= to+4 {
			return true
		}
	}
	return false
}

// onlyWhen says whether a question says nothing beside a date or time: "how
// about six?"
func (e intentReader) onlyWhen(part []language.Token) bool {
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

// asksLeave says whether a part asks, with its first words, for something to be done
// or allowed: "could you take it off on Monday at noon".
func (e intentReader) asksLeave(part []language.Token) bool {
	const first = 4 // words
	start, ok := e.skipManners(part)
	return ok && e.hasOf("set can", part[start:min(len(part), start+first)])
}

// namesDayAndTime says whether a day and a time of it stand in a part: who asks for
// both asks to come then.
func (e intentReader) namesDayAndTime(part []language.Token) bool {
	day, clock := false, false
	for _, m := range e.When.Mentions {
		if m.Start < part[0].Start || m.End > part[len(part)-1].End || m.Told || m.Points() {
			continue
		}
		day = day || m.Kind == dates.OneDay
		clock = clock || m.Kind == dates.AtClock || m.Kind == dates.Hours
	}
	return day && clock
}

// untimed are the words of a part that are not of a day or a time: "as early as you
// open" asks for no hours.
func (e intentReader) untimed(part []language.Token) (rest []language.Token) {
	for _, w := range part {
		if !slices.ContainsFunc(e.When.Mentions, func(m dates.Mention) bool { return m.Start <= w.Start && w.End <= m.End }) {
			rest = append(rest, w)
		}
	}
	return rest
}

// asksForPlace says whether a part speaks of a day or a time and of nothing beside it
// but whether there is a place: "how are you fixed for Monday morning", "habrá este
// sábado". A question may also be whether it would do: "¿le vendría bien el lunes?"
func (e intentReader) asksForPlace(part []language.Token, asks bool) bool {
	var spans [][2]int
	for _, m := range e.When.Mentions {
		spans = append(spans, [2]int{m.Start, m.End})
	}
	said := false
	for _, w := range part {
		switch {
		case touches(w, spans):
		case e.is("place_words", w.Word), asks && e.is("proposal_words", w.Word):
			said = true
		case !e.smallTalk(w.Word) && !e.is("place_verbs", w.Word):
			return false
		}
	}
	return said
}

// smallTalk says whether a word holds a sentence together and no more.
func (e *ear) smallTalk(w string) bool {
	return e.is("fillers", w) || e.is("tails", w) || e.smallest(w) || e.is("small", w)
}

// manners hears thanks, goodbyes and greetings.
func (e intentReader) manners(found map[Intent]bool) {
	words := e.words.words
	found[Thanks] = e.hears("thanks", words)
	found[Greet] = e.hears("greet", words)
	for _, sentence := range e.words.parts(bySentence) {
		if e.hears("goodbye", sentence) && !sentence[0].Asks && !e.hears("only_that", sentence) {
			found[Goodbye] = true
		}
	}
}

// precedence is a rule by which the sum of the words decides what was meant.
type precedence struct {
	why     string
	applies func(e intentReader, found map[Intent]bool) bool
	drop    []Intent
	want    Intent // what was meant instead, where that is something
	then    func(e intentReader)
}

// precedences stand in the order in which they are applied.
var precedences = []precedence{
	{
		why:     "who still wants something has not said goodbye",
		applies: func(e intentReader, found map[Intent]bool) bool { return e.wantsMore(found) && !e.says("plain_bye") },
		drop:    []Intent{Goodbye},
	},
	{
		why: "that's the two of us done begins nothing",
		applies: func(e intentReader, found map[Intent]bool) bool {
			return e.Booked && !e.Booking && e.Expect == Nothing && e.says("all_done") && !found[Ask] && !found[Cancel] && !found[Reschedule]
		},
		drop: []Intent{Book, Greet},
		want: Goodbye,
		then: endWish,
	},
	{
		why:     "a good day at parting is no greeting",
		applies: func(_ intentReader, found map[Intent]bool) bool { return found[Goodbye] },
		drop:    []Intent{Greet},
	},
	{
		why:     "until tomorrow names no day to come",
		applies: func(e intentReader, found map[Intent]bool) bool { return found[Goodbye] && e.says("until_then") },
		then:    func(e intentReader) { e.When = dates.Reading{} },
	},
	{
		why:     "are you a real person asks for none",
		applies: func(e intentReader, _ map[Intent]bool) bool { return e.Self && !e.says("speak_with") },
		drop:    []Intent{Human},
	},
	{
		why: "who names a time to talk with somebody whom a service is with wants that service",
		applies: func(e intentReader, found map[Intent]bool) bool {
			return found[Human] && !e.Booking && e.talksByAppointment()
		},
		drop: []Intent{Human},
		want: Book,
	},
	{
		why: "who cancels while something is arranged lets go of that",
		applies: func(e intentReader, found map[Intent]bool) bool {
			return found[Cancel] && e.Booking && !e.says("cancel_own")
		},
		drop: []Intent{Cancel},
		want: Restart,
	},
	{
		why: "I can't make it, can we move it, moves",
		applies: func(e intentReader, found map[Intent]bool) bool {
			return found[Cancel] && found[Reschedule] && !e.says("cancel_verbs")
		},
		drop: []Intent{Cancel},
	},
	{
		why: "who moves what is only being arranged goes on arranging it",
		applies: func(e intentReader, found map[Intent]bool) bool {
			return found[Reschedule] && e.Booking && !e.says("cancel_own") && !e.says("owns_already")
		},
		drop: []Intent{Reschedule},
		want: Book,
	},
	{
		why:     "the words for a booking name the one that is cancelled or moved",
		applies: func(_ intentReader, found map[Intent]bool) bool { return found[Cancel] || found[Reschedule] },
		drop:    []Intent{Book, LookUp},
	},
	{
		why: "forget it, make it Thursday, goes on",
		applies: func(e intentReader, found map[Intent]bool) bool {
			return (e.hasNews() && e.saysNewAfter("restart") || found[Book] || found[Ask]) && !found[Cancel]
		},
		drop: []Intent{Restart},
	},
	{
		why: "who has a booking and names a change wants it moved",
		applies: func(e intentReader, found map[Intent]bool) bool {
			return !found[Cancel] && !e.Booking && e.says("owns") && e.says("rewrites") && !e.says("asks_for")
		},
		drop: []Intent{Book, LookUp, Ask},
		want: Reschedule,
	},
	{
		why: "who has a booking and asks something else is answered",
		applies: func(e intentReader, found map[Intent]bool) bool {
			comes := e.says("comes_anyway") && !e.Booking && !e.says("asks_for")
			return found[Ask] && (e.hasBooked(found) || comes && !found[Cancel] && !found[Reschedule]) && !e.says("looks_up")
		},
		drop: []Intent{Book, LookUp},
		then: forgetWish,
	},
	{
		why: "who only thinks of something, and asks what it costs, wants to know that first",
		applies: func(e intentReader, found map[Intent]bool) bool {
			return found[Ask] && found[Book] && !e.Booking && e.says("asks_price") && e.says("considers") && !e.says("asks_for") && len(e.When.Mentions) == 0
		},
		drop: []Intent{Book},
	},
	{
		why: "who has booked already, and is asked on, wants no other",
		applies: func(e intentReader, found map[Intent]bool) bool {
			return e.Booking && e.Expect != SlotConfirm && !found[Ask] && e.hasBooked(found) && !e.hasNews()
		},
		drop: []Intent{Book, LookUp},
		want: Restart,
	},
	{
		why: "who has booked already does not book",
		applies: func(e intentReader, found map[Intent]bool) bool {
			return !e.Booking && !found[LookUp] && e.says("has_booked") && e.hasBooked(found)
		},
		drop: []Intent{Book},
		then: forgetWish,
	},
	{
		why: "who has a booking asks about it",
		applies: func(e intentReader, found map[Intent]bool) bool {
			return found[Book] && e.says("owns") && !e.says("asks_for")
		},
		drop: []Intent{Book},
		want: LookUp,
	},
	{
		why: "who wants no booking gets none, and whatever else they want",
		applies: func(e intentReader, found map[Intent]bool) bool {
			return e.says("refuses_booking") && (!e.saysNewAfter("refuses_booking") || found[Leave] || found[Human] || found[Order])
		},
		drop: []Intent{Book, LookUp},
		then: refuseBooking,
	},
	{
		why: "who lets go of what was arranged, and wants nothing else, drops it",
		applies: func(e intentReader, found map[Intent]bool) bool {
			return (e.Booking || e.Expect != Nothing) && (e.says("refuses_booking") || e.says("only_asks") && e.Expect != SlotConfirm) && !e.saysNewAfter("refuses_booking") && !found[Ask] && !found[Cancel] && !found[Reschedule]
		},
		want: Restart,
	},
	{
		why: "who wanted no booking, and only to know something, is answered and let go",
		applies: func(e intentReader, found map[Intent]bool) bool {
			return e.Booking && found[Ask] && e.retreats() && !found[Cancel] && !found[Reschedule]
		},
		drop: []Intent{Book},
		want: Restart,
	},
	{
		why: "who lets it be as it is before anything was read back wants none of it",
		applies: func(e intentReader, found map[Intent]bool) bool {
			return e.Booking && asksForWish(e.Expect) && e.says("lets_be") && !e.hasNews() && !found[Ask] && !found[Book]
		},
		want: Restart,
	},
	{
		why: "who wants nothing put down yet, where nothing is arranged, lets it be",
		applies: func(e intentReader, found map[Intent]bool) bool {
			return !e.Booking && e.Expect == Nothing && (e.says("refuses_booking") && !e.saysNewAfter("refuses_booking") || e.says("only_asks") && e.contentWords(e.words.words) <= mostBesideAsking) && !e.wantsMore(found) && !found[Leave] && !found[Human]
		},
		want: Restart,
	},
	{
		why: "who only asks books nothing",
		applies: func(e intentReader, _ map[Intent]bool) bool {
			return e.says("only_asks") && len(e.When.Mentions) == 0
		},
		drop: []Intent{Book, LookUp},
		then: onlyAsk,
	},
	{
		why:     "a booking that is wanted is not looked up",
		applies: func(_ intentReader, found map[Intent]bool) bool { return found[Book] && found[LookUp] && !found[Ask] },
		drop:    []Intent{LookUp},
	},
	{
		why:     "what is no business of the caller's is not done beside it",
		applies: func(_ intentReader, found map[Intent]bool) bool { return found[Others] || found[Meddle] },
		drop:    []Intent{LookUp, Ask, Leave, Book},
		then:    func(e intentReader) { e.Question = "" },
	},
	{
		why:     "an order of nothing beside a booking is none",
		applies: func(e intentReader, found map[Intent]bool) bool { return found[Book] && len(e.Items) == 0 },
		drop:    []Intent{Order},
	},
	{
		why: "so many dishes for a day or a time are ordered, where no table is spoken of",
		applies: func(e intentReader, found map[Intent]bool) bool {
			return found[Book] && !found[Ask] && !e.Booking && len(e.countedAt) > 0 && e.Party == 0 && !e.hasOf("set date", e.words.words)
		},
		drop: []Intent{Book},
		want: Order,
	},
	{
		why: "who asks for so many of something, or to have it brought, orders it",
		applies: func(e intentReader, found map[Intent]bool) bool {
			return found[Ask] && !found[Book] && !e.Booking && len(e.Items) > 0 && e.says("asks_to_have") && (len(e.countedAt) > 0 || e.says("delivered") || e.says("collected"))
		},
		drop: []Intent{Ask},
		want: Order,
		then: func(e intentReader) { e.Question, e.questionAt = "", [2]int{} },
	},
	{
		why: "things that are counted, or wanted, are ordered",
		applies: func(e intentReader, found map[Intent]bool) bool {
			return !found[Ask] && !found[Book] && e.countsItems()
		},
		want: Order,
	},
	{
		why: "who names a service, a day and a time wants to come, and may be called before",
		applies: func(e intentReader, found map[Intent]bool) bool {
			_, day := e.When.Day()
			_, clock := e.When.Time()
			return found[Leave] && day && clock && len(e.Services) > 0
		},
		drop: []Intent{Leave},
		want: Book,
	},
	{
		why: "who asks to be called about it, and names no time, is called before anything is booked",
		applies: func(e intentReader, found map[Intent]bool) bool {
			_, clock := e.When.Time()
			return found[Leave] && found[Book] && !clock && e.Phone == "" && e.says("speaks_of_call") && !e.says("instructions") && !e.says("calls_after") && !e.nearlyDone()
		},
		drop: []Intent{Book, Ask},
		then: func(e intentReader) { e.Question = "" },
	},
	{
		why:     "call me when you are at the door leaves no number",
		applies: func(e intentReader, _ map[Intent]bool) bool { return e.says("instructions") },
		drop:    []Intent{Leave},
	},
	{
		why: "who answers with a number or a name leaves none",
		applies: func(e intentReader, _ map[Intent]bool) bool {
			return e.Expect == SlotPhone && e.Phone != "" || e.Name != "" && e.Expect == SlotName
		},
		drop: []Intent{Leave},
	},
	{
		why:     "yes, forget it, agrees to nothing",
		applies: func(_ intentReader, found map[Intent]bool) bool { return found[Restart] },
		then:    func(e intentReader) { e.Yes = false },
	},
	{
		why: "sorry, Thursday, asks for nothing to be said again",
		applies: func(e intentReader, found map[Intent]bool) bool {
			return e.hasNews() || found[Book] || found[Ask] || found[Reschedule] || found[Cancel]
		},
		drop: []Intent{Repeat},
	},
	{
		why: "what was not understood, or is wanted out of nothing, refuses nothing",
		applies: func(e intentReader, found map[Intent]bool) bool {
			return found[Repeat] || (found[Cancel] || found[Reschedule]) && e.Expect == Nothing
		},
		then: func(e intentReader) { e.No = false },
	},
	{
		why:     "that's all answers an offer of more",
		applies: func(e intentReader, found map[Intent]bool) bool { return found[Goodbye] && e.says("closes") },
		then:    closeOff,
	},
}

// mostBesideAsking is how many words tell something where somebody only says that they
// were asking.
const mostBesideAsking = 4

// hasBooked says whether somebody tells that they have an appointment, and wants
// neither another one nor this one changed.
func (e intentReader) hasBooked(found map[Intent]bool) bool {
	return (e.says("owns") || e.says("has_booked")) && !e.says("asks_for") && !found[Cancel] && !found[Reschedule]
}

// forgetWish: the day, the time and the service are those of what was booked
// before.
func forgetWish(e intentReader) {
	if !e.Booking {
		e.When, e.Services, e.Unbookable = dates.Reading{}, nil, nil
	}
}

// retreats says whether somebody takes back that they wanted something booked.
func (e intentReader) retreats() bool {
	if e.says("refuses_booking") {
		return !e.saysNewAfter("refuses_booking")
	}
	_, timed := e.When.Time()
	_, dated := e.When.Day()
	return e.Expect != SlotConfirm && !timed && !dated && e.Party == 0 && e.says("only_asks") && (e.No || e.says("after_all"))
}

// asksForWish says whether the caller was asked what they wish for, and not who they
// are.
func asksForWish(asked Slot) bool {
	return slices.Contains([]Slot{SlotService, SlotDate, SlotTime, SlotPartySize, SlotChoice}, asked)
}

// talksByAppointment says whether the talk that is wanted is what a service is,
// by its name or by what is told of it, and a day or a time is named for it.
func (e intentReader) talksByAppointment() bool {
	if len(e.Services) == 0 || len(e.When.Mentions) == 0 {
		return false
	}
	words := e.words.words
	for i := range words {
		to, ok := e.at("talks_with", words, i)
		for ok && to < len(words) && e.is("determiners", words[to].Word) {
			to++
		}
		if ok && to < len(words) && e.Services[0].TellsOf(words[to].Word) {
			return true
		}
	}
	return false
}

// endWish: what is said of what was booked asks for nothing more.
func endWish(e intentReader) {
	e.When, e.Services, e.Unbookable, e.Party, e.No = dates.Reading{}, nil, nil, 0, true
}

// settle takes out what the sum of the words says was not meant.
func (e intentReader) settle(found map[Intent]bool) {
	for _, p := range precedences {
		if !p.applies(e, found) {
			continue
		}
		for _, i := range p.drop {
			delete(found, i)
		}
		if p.want != "" {
			found[p.want] = true
		}
		if p.then != nil {
			p.then(e)
		}
	}
}

// says says whether a phrase of a meaning stands anywhere in the utterance.
func (e intentReader) says(meaning string) bool { return e.hears(meaning, e.words.words) }

// wantsMore says whether something is wanted that a goodbye does not go with.
func (e intentReader) wantsMore(found map[Intent]bool) bool {
	return slices.ContainsFunc([]Intent{Book, Cancel, Reschedule, Ask, Order, LookUp}, func(i Intent) bool { return found[i] })
}

// countsItems says whether dishes or products are wanted, several, or more than
// one of one.
func (e intentReader) countsItems() bool {
	return len(e.Items) > 0 && (e.says("want") || len(e.Items) > 1 || e.Items[0].Quantity > 1 || e.Items[0].Counted && (e.says("collected") || e.says("delivered")))
}

// closeOff: "great, that's all" answers an offer of more with a no, unless
// there was something to confirm.
func closeOff(e intentReader) {
	if e.Expect != SlotConfirm && !(e.Yes && e.hears("said_yes", e.words.words)) {
		e.Yes, e.No = false, true
	}
}

// refuseBooking: "I don't want to book anything" answers no question and says
// nothing of when.
func refuseBooking(e intentReader) {
	e.AnyTime = false
	if e.Expect == Nothing {
		e.No = false
	}
}

// onlyAsk: "just prices for now" names nothing that is wanted.
func onlyAsk(e intentReader) {
	if e.Question == "" {
		e.Services, e.Unbookable = nil, nil
	}
}

// hasNews says whether the caller goes on with something new: "forget it, make
// it Thursday".
func (e *ear) hasNews() bool {
	_, timed := e.When.Time()
	_, dated := e.When.Day()
	return timed || dated || e.Party > 0 || len(e.Services) > 0
}
