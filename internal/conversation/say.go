package conversation

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nyaruka/phonenumbers"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// say adds a phrase to what is said in this turn. The pairs fill its gaps:
// "name", "Ana".
func (t *turn) say(phrase string, pairs ...string) {
	t.said = append(t.said, t.words(phrase, pairs...))
}

// sayText adds words that are nobody's phrase: an answer from the business's
// data.
func (t *turn) sayText(text string) {
	if text != "" {
		t.said = append(t.said, text)
	}
}

// words are a phrase in the language of the conversation, and in the manner of
// the house.
func (t *turn) words(phrase string, pairs ...string) string {
	if text := amongFriends[phrase]; text != "" && t.informal && t.s.Lang == "es" {
		return fill(text, pairs)
	}
	return wording(t.s.Lang, phrase, pairs...)
}

func wording(lang, phrase string, pairs ...string) string {
	p, ok := phrases[phrase]
	if !ok {
		p = onPaper[phrase]
	}
	if lang == "en" {
		return fill(p.en, pairs)
	}
	return fill(p.es, pairs)
}

// fill puts words into the gaps of a phrase.
func fill(text string, pairs []string) string {
	gaps := make([]string, 0, len(pairs))
	for i := 0; i+1 < len(pairs); i += 2 {
		gaps = append(gaps, "{"+pairs[i]+"}", pairs[i+1])
	}
	return strings.NewReplacer(gaps...).Replace(text)
}

// join puts sentences together, and in Spanish the articles that dates come with
// to the words before them.
func join(said []string, lang string) string {
	text := strings.Join(said, " ")
	if lang == "es" {
		text = contractions.Replace(text)
	}
	return text
}

var contractions = strings.NewReplacer(" de el ", " del ", " a el ", " al ")

// day is a date as it is said.
func (t *turn) day(d dates.Date) string { return dates.SayDate(d, t.s.Lang, t.now) }

// clock is a time as it is said by itself: "a las cinco", "5 pm".
func (t *turn) clock(c dates.Clock) string { return dates.SayTime(c, t.s.Lang) }

// moment is a day with its time.
func (t *turn) moment(d dates.Date, c dates.Clock) string {
	if t.s.Lang == "en" {
		return t.day(d) + " at " + t.clock(c)
	}
	return t.day(d) + " " + t.clock(c)
}

// sayRefusal says why a moment cannot be had. Where the moment begins the
// sentence it is written so.
func (t *turn) sayRefusal(why, when string) {
	switch {
	case t.s.Lang == "en" && why == WhyClosed:
		if !strings.HasPrefix(when, "to") { // today, tomorrow
			when = "on " + when
		}
	case t.s.Lang == "en" && why != WhyFar, t.s.Lang == "es" && (why == WhyClosed || why == WhyFull || why == WhyPast || why == "too_late"):
		when = upper(when)
	}
	t.say(why, "when", when)
}

// upper begins a sentence.
func upper(s string) string {
	if s == "" {
		return s
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// localMoment is a capture's time as it is said.
func (t *turn) localMoment(at frontdesk.LocalTime) string {
	d, c, ok := splitLocal(at)
	if !ok {
		return string(at)
	}
	return t.moment(d, c)
}

// chip is a time on a button: short, and read back as what it is.
func (t *turn) chip(c Choice) string {
	switch {
	case c.Timed && c.Date.IsZero():
		return c.Clock.String()
	case c.Timed:
		return shortDay(c.Date, t.s.Lang) + ", " + c.Clock.String()
	}
	return shortDay(c.Date, t.s.Lang)
}

var (
	weekdaysES = [...]string{"domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"}
	monthsES   = [...]string{"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"}
)

func shortDay(d dates.Date, lang string) string {
	if lang == "en" {
		return d.Weekday().String() + " " + strconv.Itoa(d.Day) + " " + d.Month.String()
	}
	return weekdaysES[d.Weekday()] + " " + strconv.Itoa(d.Day) + " de " + monthsES[d.Month-1]
}

// list puts things in a row: "a, b y c".
func (t *turn) list(items []string, word string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:len(items)-1], ", ") + " " + t.words(word) + " " + items[len(items)-1]
}

// spokenPhone is a number with the spaces that its country puts.
func spokenPhone(e164 string) string {
	n, err := phonenumbers.Parse(e164, "ZZ")
	if err != nil {
		return e164
	}
	return phonenumbers.Format(n, phonenumbers.INTERNATIONAL)
}

// spokenItems are the things of an order.
func spokenItems(items []Item) string {
	said := make([]string, len(items))
	for i, it := range items {
		said[i] = strconv.Itoa(max(1, it.Quantity)) + " × " + it.Name
		if it.Detail != "" {
			said[i] += " (" + it.Detail + ")"
		}
	}
	return strings.Join(said, ", ")
}

// bilingual is the same thing in both languages.
type bilingual struct{ es, en string }

// phrases are all the words that the receptionist has of its own.
var phrases = map[string]bilingual{
	"and": {"y", "and"},
	"or":  {"o", "or"},
	"yes": {"Sí", "Yes"},
	"no":  {"No", "No"},

	"greeting":        {"{business}, le atiende {name}, el asistente virtual. ¿En qué puedo ayudarle?", "{business}, this is {name}, the virtual assistant. How can I help?"},
	"greeting_plain":  {"Ha llegado a {business}. Soy el asistente virtual. ¿En qué puedo ayudarle?", "You have reached {business}. I'm the virtual assistant. How can I help?"},
	"greet_back":      {"¡Hola! ¿En qué puedo ayudarle?", "Hello! How can I help?"},
	"machine":         {"Soy el asistente virtual de {business}, no una persona.", "I'm the virtual assistant of {business}, not a person."},
	"quick_book":      {"Reservar", "Book"},
	"quick_hours":     {"Horario", "Opening hours"},
	"quick_human":     {"Hablar con una persona", "Talk to a person"},
	"quick_no_thanks": {"No, gracias", "No, thanks"},
	"quick_change":    {"No, cambiarlo", "No, change it"},
	"quick_number":    {"Dejar mi teléfono", "Leave my number"},

	"ask_service":      {"¿Qué desea reservar: {services}?", "What would you like to book: {services}?"},
	"ask_service_many": {"¿Qué servicio desea? Por ejemplo: {services}.", "Which service would you like? For example: {services}."},
	"which_service":    {"¿Cuál de estos: {services}?", "Which one do you mean: {services}?"},
	"ask_party":        {"¿Para cuántas personas?", "For how many people?"},
	"ask_party_again":  {"Dígame solo el número de personas, por favor.", "Just the number of people, please."},
	"ask_date":         {"¿Para qué día?", "For which day?"},
	"ask_date_again":   {"¿Qué día le viene bien? Puede decir, por ejemplo, «el jueves» o «el 3 de diciembre».", "Which day suits you? You can say \"Thursday\" or \"December 3rd\", for example."},
	"ask_date_of":      {"¿Qué día exactamente, entre {first} y {last}?", "Which day exactly, between {first} and {last}?"},
	"ask_which_day":    {"¿{days}?", "{days}?"},
	"ask_time":         {"¿A qué hora?", "At what time?"},
	"ask_time_of":      {"{day} tengo {times}. ¿A qué hora le viene bien?", "{day}: I have {times}. Which time suits you?"},
	"ask_time_again":   {"¿A qué hora le viene bien? Puede decir, por ejemplo, «a las cinco de la tarde».", "What time suits you? You can say \"five in the afternoon\", for example."},
	"which_time":       {"¿{times}?", "{times}?"},
	"ask_name":         {"¿A nombre de quién?", "What name shall I put it under?"},
	"ask_name_again":   {"¿Me dice su nombre, por favor?", "Could you tell me your name, please?"},
	"ask_phone":        {"¿A qué teléfono podemos llamarle si hace falta?", "What phone number can we reach you on?"},
	"ask_phone_again":  {"Dígame el número de teléfono con todas sus cifras, por favor.", "Please give me the phone number with all its digits."},
	"bad_phone":        {"{phone} no parece un número de teléfono completo.", "{phone} doesn't look like a complete phone number."},
	"ask_about":        {"¿De qué se trata?", "What is it about?"},
	"ask_items":        {"¿Qué desea pedir?", "What would you like to order?"},

	"past":        {"{when} ya ha pasado.", "{when} has already passed."},
	"impossible":  {"Esa fecha no existe.", "There is no such date."},
	"weekday_off": {"Ojo, el día de la semana no coincide: sería {date}.", "Careful, the day of the week doesn't match: that would be {date}."},
	"closed":      {"{when} estamos cerrados.", "We are closed {when}."},
	"full":        {"{when} está completo.", "{when} is fully booked."},
	"soon":        {"Para {when} ya no nos da tiempo.", "{when} is too soon for us."},
	"too_late":    {"{when} ya no da tiempo antes de cerrar.", "{when} would run past closing time."},
	"far":         {"Para {when} todavía no cogemos reservas.", "We don't take bookings as far ahead as {when} yet."},
	"large":       {"Para más de {most} personas tomo nota y le llama una persona del equipo.", "For more than {most} people I'll take a note and someone from the team will call you."},
	"near":        {"Puedo ofrecerle {times}. ¿Le viene bien alguna?", "I can offer {times}. Would one of those suit you?"},
	"near_one":    {"Puedo ofrecerle {times}. ¿Le viene bien?", "I can offer {times}. Would that suit you?"},
	"near_none":   {"No veo otro hueco cercano. ¿Qué otro día le vendría bien?", "I can't see another opening near that. Which other day would suit you?"},
	"taken":       {"Lo siento, acaban de reservar ese hueco.", "I'm sorry, someone has just taken that place."},
	"soonest":     {"Lo más pronto es {when}. ¿Le viene bien?", "The soonest is {when}. Would that suit you?"},

	"read_back":        {"Le resumo: {what}, {when}, a nombre de {name}, teléfono {phone}. ¿Es correcto?", "Let me read that back: {what}, {when}, under the name {name}, phone {phone}. Is that right?"},
	"read_back_plain":  {"Le resumo: {when}, a nombre de {name}, teléfono {phone}. ¿Es correcto?", "Let me read that back: {when}, under the name {name}, phone {phone}. Is that right?"},
	"read_back_move":   {"Cambio su cita de {old} a {when}. ¿Es correcto?", "I'll move your appointment from {old} to {when}. Is that right?"},
	"read_back_cancel": {"¿Anulo su cita de {when}?", "Shall I cancel your appointment, {when}?"},
	"read_back_note":   {"Tomo nota: {who}, sobre: «{about}». ¿Es correcto?", "I'll take this down: {who}, about: \"{about}\". Is that right?"},
	"read_back_call":   {"Tomo nota para que se pongan en contacto: {who}. ¿Es correcto?", "I'll ask someone to get in touch: {who}. Is that right?"},
	"read_back_order":  {"Le resumo el pedido: {items}, a nombre de {name}, teléfono {phone}. ¿Es correcto?", "Let me read back your order: {items}, under the name {name}, phone {phone}. Is that right?"},
	"still_right":      {"Entonces, ¿es correcto lo que le he leído?", "So, is what I read back right?"},
	"what_change":      {"De acuerdo. ¿Qué quiere cambiar?", "All right. What would you like to change?"},
	"people":           {"{n} personas", "{n} people"},
	"person":           {"1 persona", "1 person"},

	"booked":        {"Hecho. {what}, {when}. Su código de confirmación es {code}.", "Done. {what}, {when}. Your confirmation code is {code}."},
	"booked_plain":  {"Hecho: {when}. Su código de confirmación es {code}.", "Done: {when}. Your confirmation code is {code}."},
	"moved":         {"Hecho. Su cita queda para {when}. El nuevo código es {code}.", "Done. Your appointment is now {when}. The new code is {code}."},
	"cancelled":     {"Su cita de {when} queda anulada.", "Your appointment, {when}, is cancelled."},
	"noted_mail":    {"Queda anotado. Le escribirán lo antes posible. Su referencia es {code}.", "I've made a note of it. Someone will write to you as soon as possible. Your reference is {code}."},
	"by_phone":      {"teléfono {phone}", "phone {phone}"},
	"by_email":      {"correo {email}", "e-mail {email}"},
	"which_one":     {"¿Cuál de ellas?", "Which one?"},
	"already_noted": {"Ya he tomado nota y le llamarán.", "I've already made a note, and someone will call you."},
	"only_left":     {"De {what} solo nos quedan {n}.", "We only have {n} of {what} left."},
	"service_gone":  {"Lo siento, ese servicio ya no se puede reservar.", "I'm sorry, that service can no longer be booked."},
	"same_time":     {"Ya la tiene a esa hora.", "That is when it is already."},
	"noted":         {"Queda anotado. Le llamarán lo antes posible. Su referencia es {code}.", "I've made a note of it. Someone will call you as soon as possible. Your reference is {code}."},
	"ordered":       {"Su pedido queda anotado: {items}. Su referencia es {code}. Le llamarán para confirmarlo.", "Your order is noted: {items}. Your reference is {code}. We'll call you to confirm it."},
	"offer_viewing": {"¿Quiere concertar una visita?", "Would you like to arrange a viewing?"},
	"more":          {"¿Puedo ayudarle en algo más?", "Can I help you with anything else?"},
	"speaks":        {"Sí, claro, hablamos español.", "Yes, of course, we can speak English."},
	"go_on":         {"Dígame.", "Go ahead."},

	"ask_code":       {"¿Me dice el código de confirmación o, si no lo tiene, el teléfono con el que reservó?", "Could you give me the confirmation code or, if you don't have it, the phone number you booked with?"},
	"ask_code_again": {"Necesito el código de seis letras y cifras, o el teléfono de la reserva.", "I need the code of six letters and digits, or the phone number of the booking."},
	"ask_own_phone":  {"¿Con qué teléfono hizo la reserva?", "Which phone number did you book with?"},
	"ask_own_name":   {"¿A nombre de quién está la reserva?", "What name is the booking under?"},
	"not_found":      {"No encuentro ninguna cita con esos datos.", "I can't find an appointment with those details."},
	"which_own":      {"Tiene {times}. ¿Cuál?", "You have {times}. Which one?"},
	"own":            {"Su cita: {what}, {when}.", "Your appointment: {what}, {when}."},
	"own_plain":      {"Su cita es {when}.", "Your appointment is {when}."},
	"kept":           {"De acuerdo, la dejo como está.", "All right, I'll leave it as it is."},
	"move_to":        {"Su cita es {when}. ¿Para qué día la quiere?", "Your appointment is {when}. Which day would you like instead?"},

	"out_of_stock": {"Ahora mismo no tenemos {what}.", "We don't have {what} at the moment."},
	"no_orders":    {"No tomamos pedidos por aquí, pero puedo tomar nota para que le llamen.", "We don't take orders here, but I can take a note so that someone calls you."},
	"no_bookings":  {"No reservamos por aquí, pero puedo tomar nota para que le llamen.", "We don't take bookings here, but I can take a note so that someone calls you."},

	"handoff":       {"Ahora mismo no puedo pasarle con nadie por aquí, pero haré que le llame una persona.", "I can't put you through to anyone from here, but I'll have a person call you."},
	"handoff_phone": {"También puede llamar a {phone}.", "You can also call {phone}."},
	"stuck":         {"No quiero hacerle perder el tiempo: mejor que le llame una persona.", "I don't want to waste your time: it's better if a person calls you."},
	"give_up":       {"Lo siento, por aquí no puedo ayudarle mejor.", "I'm sorry, I can't help any further here."},
	"give_up_phone": {"Lo siento, por aquí no puedo ayudarle mejor. Llame, por favor, a {phone}.", "I'm sorry, I can't help any further here. Please call {phone}."},

	"unknown":        {"No tengo esa información. ¿Quiere dejar su teléfono para que le llamen?", "I don't have that information. Would you like to leave your number so that someone calls you back?"},
	"unknown_mid":    {"Eso no lo sé; tomo nota de su pregunta.", "I don't know that; I've noted your question."},
	"no_match":       {"No le he entendido bien. Puedo contestar preguntas, reservar o tomar nota de su teléfono. ¿Qué necesita?", "I didn't quite get that. I can answer questions, book, or take your number. What do you need?"},
	"no_match_mid":   {"No le he entendido bien.", "I didn't quite get that."},
	"sorry":          {"Lo siento, ahora mismo no puedo consultarlo.", "I'm sorry, I can't look that up right now."},
	"not_written":    {"Lo siento, no he podido anotarlo. ¿Lo intento otra vez?", "I'm sorry, I couldn't write that down. Shall I try again?"},
	"too_many":       {"Lo siento, por ahora no puedo anotar nada más por aquí.", "I'm sorry, I can't write down any more here for now."},
	"too_many_phone": {"Lo siento, por ahora no puedo anotar nada más por aquí. Llame, por favor, a {phone}.", "I'm sorry, I can't write down any more here for now. Please call {phone}."},
	"no_room":        {"Lo siento, ahora mismo no podemos atenderle por aquí. Inténtelo más tarde, por favor.", "I'm sorry, we cannot attend to you here right now. Please try again later."},
	"no_room_phone":  {"Lo siento, ahora mismo no podemos atenderle por aquí. Inténtelo más tarde o llame, por favor, a {phone}.", "I'm sorry, we cannot attend to you here right now. Please try again later, or call {phone}."},
	"fault":          {"Lo siento, ha habido un problema técnico. Inténtelo de nuevo más tarde, por favor.", "I'm sorry, there has been a technical problem. Please try again later."},

	"meddle":       {"Solo puedo ayudarle con lo que ofrece {business}: preguntas, reservas y recados.", "I can only help with what {business} offers: questions, bookings and messages."},
	"privacy":      {"No puedo dar datos de otras personas. Si la cita es suya, dígame su código de confirmación.", "I can't give out other people's details. If the appointment is yours, tell me your confirmation code."},
	"polite":       {"Le pido un trato respetuoso, por favor. ¿En qué puedo ayudarle?", "Please let's keep this respectful. How can I help?"},
	"enough":       {"Así no puedo seguir ayudándole. Adiós.", "I can't go on helping like this. Goodbye."},
	"dropped":      {"De acuerdo, lo dejamos.", "All right, let's leave it."},
	"you_there":    {"¿Sigue ahí?", "Are you still there?"},
	"silent_bye":   {"Como no le oigo, lo dejamos aquí. ¡Hasta pronto!", "I can't hear you, so I'll leave it here. Goodbye!"},
	"welcome":      {"De nada.", "You're welcome."},
	"bye":          {"Gracias por ponerse en contacto con {business}. ¡Hasta pronto!", "Thank you for contacting {business}. Goodbye!"},
	"has_ended":    {"Esta conversación ha terminado. Puede empezar otra cuando quiera.", "This conversation has ended. You can start another one any time."},
	"change_heard": {"De acuerdo, {when}.", "All right, {when}."},
}
