package conversation

import "frontdesk.dev/frontdesk/internal/dates"

// weighed are the intents whose words are looked for in every part of an
// utterance, in the order of their weight.
var weighed = []struct {
	intent Intent
	book   *phrasebook
}{
	{Meddle, meddleWords},
	{Abuse, abuseWords},
	{Others, othersWords},
	{Human, humanWords},
	{Cancel, cancelWords},
	{Reschedule, moveWords},
	{LookUp, lookWords},
	{Restart, restartWords},
	{Order, orderWords},
	{Book, bookWords},
	{Leave, leaveWords},
	{Repeat, repeatWords},
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
func (e *ear) wanted(part []word) []Intent {
	var all []Intent
	asks := e.isQuestion(part)
	if asks && aboutBooking.in(part) {
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
		if w.book.in(part) && !(w.intent == Others && freeWords.in(part)) && !(w.intent == Order && asks && howSent.in(part) && len(e.Items) == 0) {
			all = append(all, w.intent)
		}
	}
	if e.asksOthers(part) {
		all = append(all, Others)
	}
	if len(all) == 0 && selfWords.in(part) {
		return nil
	}
	if len(all) == 0 && e.booksByTime(part, asks) {
		all = append(all, Book)
	}
	if len(all) == 0 && offhand.in(part) {
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
func (e *ear) asksWhatThereIs(part []word) bool {
	return (onSale.in(part) || e.Vertical == realEstate && listed.in(part)) && !viewings.in(part) && !leaveWords.in(part) && !humanWords.in(part) && !e.mentioned(part)
}

// asksCapacity hears questions for the tables that a house has, on whatever
// day: "¿tenéis mesas para diez personas?"
func (e *ear) asksCapacity(part []word) bool {
	return tablesFor.in(part) && !e.mentioned(part) && !freeWords.in(part) && !wantWords.in(part)
}

var tablesFor = bookOf("tienen/teneis/tiene/tienes/hay/have/has/got/there/any mesas/tables/salas/rooms for/para/of/de")

// realEstate is the vertical whose goods are flats.
const realEstate = "real_estate"

// booksByTime hears a wish to book that names no booking: "do you have anything
// on Friday?", "is three pm available?", "I'd like a haircut tomorrow".
func (e *ear) booksByTime(part []word, asks bool) bool {
	if availableWords.in(part) && !hoursWords.in(part) {
		return true
	}
	timed := e.mentioned(part)
	if (timed || e.Party > 0 || anyTime.in(part)) && visits.in(part) && !hoursWords.in(part) || bareVisits.in(part) {
		return true // "¿puedo ir mañana a las diez?"
	}
	if (timed || len(e.Services) > 0) && requests.in(part) && !exceptions.in(part) && !topicWords.in(part) && !hoursWords.in(part) && len(e.Items) == 0 {
		return true // "can I have a dental cleaning tomorrow?"
	}
	if timed && has(part, "available", "free", "libre", "disponible", "posible", "possible", "availability", "disponibilidad") && !has(part, "wifi", "parking") {
		return true
	}
	if len(e.Services)+len(e.Unbookable) > 0 && !asks && (wantWords.in(part) || anyTime.in(part) || timed && e.serviceAt[0] >= part[0].start && e.serviceAt[0] < part[len(part)-1].end) {
		return true
	}
	if timed && !asks && e.Party > 0 && e.takesParties() {
		return true // "two people tonight at 8:30"
	}
	if !e.Booking || !timed && e.Party == 0 || hoursWords.in(part) {
		return false
	}
	if changes.in(part) {
		return true
	}
	return asks && e.onlyWhen(part)
}

var (
	freeWords  = bookOf("libre/libres/disponible/disponibles/available/free/open/left/availability/disponibilidad")
	wantWords  = bookOf("@want\nlo mejor es/seria\nhe pensado en/que\n@can i/we have/get\nme/nos pones/pone/haceis/hacen/haces/das/da")
	hoursWords = bookOf("are/is/be/you/they/it/doors open\nopen on/until/till/at/late/early/today/tomorrow/every\nopening/closing hours/times/time\nbusiness/working/office hours\nclose/closed/closing/hours/abren/abris/abre/abierto/abierta/abiertos/cierran/cerrais/cierra/cerrado/cerrados/horario/horarios/abrir/cerrar/festivos/holidays")
)

// mentioned says whether a date or time stands within the part.
func (e *ear) mentioned(part []word) bool {
	from, to := part[0].start, part[len(part)-1].end
	for _, m := range e.When.Mentions {
		if m.Start >= from && m.End <= to+4 {
			return true
		}
	}
	return false
}

// onlyWhen says whether a question says nothing beside a date or time: "how
// about six?"
func (e *ear) onlyWhen(part []word) bool {
	spans := [][2]int{e.partyAt}
	for _, m := range e.When.Mentions {
		spans = append(spans, [2]int{m.Start, m.End})
	}
	for _, w := range part {
		if !touches(w, spans) && !smallTalk(w.fold) {
			return false
		}
	}
	return true
}

// smallTalk says whether a word holds a sentence together and no more.
func smallTalk(w string) bool {
	return fillers[w] || tails[w] || weight("es", w) == 3 || weight("en", w) == 3 || smallWords[w]
}

var smallWords = setOf(`try see anything something somewhere instead algo tal vez free work works around probar about make early late
	earlier later sooner antes despues possible posible estaria seria manage do mejor sea venir come`)

// manners hears thanks, goodbyes and greetings.
func (e *ear) manners(found map[Intent]bool) {
	words := e.words.words
	found[Thanks] = thanksWords.in(words)
	found[Greet] = greetWords.in(words)
	for _, sentence := range e.words.parts(bySentence) {
		if goodbyeWords.in(sentence) && !sentence[0].asks {
			found[Goodbye] = true
		}
	}
}

// settle takes out what the sum of the words says was not meant.
func (e *ear) settle(found map[Intent]bool) {
	if found[Goodbye] {
		e.settleGoodbye(found)
	}
	if e.Self && !speakWith.in(e.words.words) {
		delete(found, Human) // "are you a real person?" asks for none
	}
	if found[Cancel] && e.Booking && !cancelOwn.in(e.words.words) {
		delete(found, Cancel)
		found[Restart] = true
	}
	if found[Cancel] && found[Reschedule] && !cancelVerbs.in(e.words.words) {
		delete(found, Cancel) // "I can't make it, can we move it?"
	}
	if found[Reschedule] && e.Booking && !cancelOwn.in(e.words.words) {
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
	if found[Book] && owns.in(e.words.words) && !asksFor.in(e.words.words) {
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
	if len(e.Items) > 0 && !found[Ask] && !found[Book] && (wantWords.in(e.words.words) || len(e.Items) > 1 || e.Items[0].Quantity > 1) {
		found[Order] = true
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
	if found[Goodbye] && closes.in(e.words.words) {
		e.closeOff()
	}
}

var (
	cancelVerbs = bookOf("cancel/cancelling/canceling/cancelar/cancela/cancele/cancelo/anular/anula/anule/anulo")
	cancelOwn   = bookOf(`
		my/our/mi/mis/nuestra/nuestro/la/una/an/a * @date
		@date de/del/for/on/with/a/que
	`)
	// closes are goodbyes that answer an offer of more.
	closes = bookOf(`
		all/everything/nothing/anything
		thats/that is? it
		thats/that is? for now
		todo/nada
		not at/right/now
		im/i done/good/set
		ya esta
	`)
)

// closeOff: "great, that's all" answers an offer of more with a no, unless
// there was something to confirm.
func (e *ear) closeOff() {
	if e.Expect != SlotConfirm && !(e.Yes && saidYes.in(e.words.words)) {
		e.Yes, e.No = false, true
	}
}

var saidYes = bookOf("yes/yeah/yep/yup/si")

// settleGoodbye: who still wants something has not said goodbye.
func (e *ear) settleGoodbye(found map[Intent]bool) {
	for _, i := range []Intent{Book, Cancel, Reschedule, Ask, Order, LookUp} {
		if found[i] && !plainBye.in(e.words.words) {
			delete(found, Goodbye)
		}
	}
	if found[Goodbye] {
		delete(found, Greet) // "buen día"
	}
	if found[Goodbye] && untilThen.in(e.words.words) {
		e.When = dates.Reading{} // "hasta mañana" names no day to come
	}
}

var speakWith = bookOf("hablar/pasame/paseme/pongame/ponme/speak/talk/transfer/connect/quiero/want/need/necesito")

var (
	owns = bookOf(`
		i/we have/had/made a/an/already * appointment/reservation/booking
		ive/weve got/made a/an/already * appointment/reservation/booking
		tengo/tenia/tenemos/teniamos una/la/ya * cita/reserva
	`)
	asksFor = bookOf(`
		@can i/we have
		@want to? have/book/reserve/make
		@want otra/una/another/hacer/pedir/reservar
	`)
)

var untilThen = bookOf("hasta manana/el/la/luego\nsee you")

var plainBye = bookOf("bye/goodbye/adios/chao/ciao/byebye\nhasta luego/pronto")

// hasNews says whether the caller goes on with something new: "forget it, make
// it Thursday".
func (e *ear) hasNews() bool {
	_, timed := e.When.Time()
	_, dated := e.When.Day()
	return timed || dated || e.Party > 0 || len(e.Services) > 0
}
