package conversation

import (
	"regexp"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// tuWords give away a house that says tú to its callers.
var tuWords = regexp.MustCompile(`(?i)(^|[^\pL])(te|ti|tu|tus|tú|puedes|quieres|necesitas|dime|cuéntame|tutea|tutear|tuteo)([^\pL]|$)`)

// saysTu says whether the business speaks to its callers as to friends: by its
// own greeting or, when that does not tell, by what it asks of the receptionist.
func saysTu(a frontdesk.Agent) bool {
	greeting := a.Config.Assistant.Greeting
	if tuWords.MatchString(greeting) {
		return true
	}
	return !strings.Contains(greeting, "le ") && strings.Contains(strings.ToLower(a.Config.PromptExtra), "tutea")
}

// amongFriends are the Spanish phrases as they are said to a tú.
var amongFriends = map[string]string{
	"greeting":         "{business}, te atiende {name}, el asistente virtual. ¿En qué puedo ayudarte?",
	"greeting_plain":   "Esto es {business}. Soy el asistente virtual. ¿En qué puedo ayudarte?",
	"greet_back":       "¡Hola! ¿En qué puedo ayudarte?",
	"ask_service":      "¿Qué quieres reservar: {services}?",
	"ask_service_many": "¿Qué servicio quieres? Por ejemplo: {services}.",
	"ask_party_again":  "Dime solo el número de personas, por favor.",
	"ask_date_again":   "¿Qué día te viene bien? Puedes decir, por ejemplo, «el jueves» o «el 3 de diciembre».",
	"ask_time_of":      "{day} tengo {times}. ¿A qué hora te viene bien?",
	"ask_time_again":   "¿A qué hora te viene bien? Puedes decir, por ejemplo, «a las cinco de la tarde».",
	"ask_name_again":   "¿Me dices tu nombre, por favor?",
	"ask_phone":        "¿A qué teléfono podemos llamarte si hace falta?",
	"ask_phone_again":  "Dime el número de teléfono con todas sus cifras, por favor.",
	"ask_items":        "¿Qué quieres pedir?",
	"large":            "Para más de {most} personas tomo nota y te llama una persona del equipo.",
	"soonest":          "Lo más pronto es {when}. ¿Te viene bien?",
	"near":             "Puedo ofrecerte {times}. ¿Te viene bien alguna?",
	"near_one":         "Puedo ofrecerte {times}. ¿Te viene bien?",
	"near_none":        "No veo otro hueco cercano. ¿Qué otro día te vendría bien?",
	"read_back":        "Te resumo: {what}, {when}, a nombre de {name}, teléfono {phone}. ¿Es correcto?",
	"read_back_plain":  "Te resumo: {when}, a nombre de {name}, teléfono {phone}. ¿Es correcto?",
	"read_back_move":   "Cambio tu cita de {old} a {when}. ¿Es correcto?",
	"read_back_cancel": "¿Anulo tu cita de {when}?",
	"read_back_call":   "Tomo nota para que te contacten: {who}. ¿Es correcto?",
	"read_back_order":  "Te resumo el pedido: {items}, a nombre de {name}, teléfono {phone}. ¿Es correcto?",
	"still_right":      "Entonces, ¿es correcto lo que te he leído?",
	"what_change":      "De acuerdo. ¿Qué quieres cambiar?",
	"booked":           "Hecho. {what}, {when}. Tu código de confirmación es {code}.",
	"booked_plain":     "Hecho: {when}. Tu código de confirmación es {code}.",
	"moved":            "Hecho. Tu cita queda para {when}. El nuevo código es {code}.",
	"cancelled":        "Tu cita de {when} queda anulada.",
	"noted_mail":       "Queda anotado. Te escribirán lo antes posible. Tu referencia es {code}.",
	"already_noted":    "Ya he tomado nota y te llamarán.",
	"noted":            "Queda anotado. Te llamarán lo antes posible. Tu referencia es {code}.",
	"ordered":          "Tu pedido queda anotado: {items}. Tu referencia es {code}. Te llamarán para confirmarlo.",
	"offer_viewing":    "¿Quieres concertar una visita?",
	"more":             "¿Puedo ayudarte en algo más?",
	"go_on":            "Dime.",
	"ask_code":         "¿Me dices el código de confirmación o, si no lo tienes, el teléfono con el que reservaste?",
	"ask_own_phone":    "¿Con qué teléfono hiciste la reserva?",
	"which_own":        "Tienes {times}. ¿Cuál?",
	"own":              "Tu cita: {what}, {when}.",
	"own_plain":        "Tu cita es {when}.",
	"move_to":          "Tu cita es {when}. ¿Para qué día la quieres?",
	"no_orders":        "No tomamos pedidos por aquí, pero puedo tomar nota para que te llamen.",
	"no_bookings":      "No reservamos por aquí, pero puedo tomar nota para que te llamen.",
	"handoff":          "Ahora mismo no puedo pasarte con nadie por aquí, pero haré que te llame una persona.",
	"handoff_phone":    "También puedes llamar a {phone}.",
	"stuck":            "No quiero hacerte perder el tiempo: mejor que te llame una persona.",
	"give_up":          "Lo siento, por aquí no puedo ayudarte mejor.",
	"give_up_phone":    "Lo siento, por aquí no puedo ayudarte mejor. Llama, por favor, a {phone}.",
	"unknown":          "No tengo esa información. ¿Quieres dejar tu teléfono para que te llamen?",
	"unknown_mid":      "Eso no lo sé; tomo nota de tu pregunta.",
	"no_match":         "No te he entendido bien. Puedo contestar preguntas, reservar o tomar nota de tu teléfono. ¿Qué necesitas?",
	"no_match_mid":     "No te he entendido bien.",
	"too_many_phone":   "Lo siento, por ahora no puedo anotar nada más por aquí. Llama, por favor, a {phone}.",
	"no_room":          "Lo siento, ahora mismo no podemos atenderte por aquí. Inténtalo más tarde, por favor.",
	"no_room_phone":    "Lo siento, ahora mismo no podemos atenderte por aquí. Inténtalo más tarde o llama, por favor, a {phone}.",
	"fault":            "Lo siento, ha habido un problema técnico. Inténtalo de nuevo más tarde, por favor.",
	"meddle":           "Solo puedo ayudarte con lo que ofrece {business}: preguntas, reservas y recados.",
	"privacy":          "No puedo dar datos de otras personas. Si la cita es tuya, dime tu código de confirmación.",
	"polite":           "Te pido un trato respetuoso, por favor. ¿En qué puedo ayudarte?",
	"enough":           "Así no puedo seguir ayudándote. Adiós.",
	"you_there":        "¿Sigues ahí?",
	"silent_bye":       "Como no te oigo, lo dejamos aquí. ¡Hasta pronto!",
	"bye":              "Gracias por ponerte en contacto con {business}. ¡Hasta pronto!",
	"has_ended":        "Esta conversación ha terminado. Puedes empezar otra cuando quieras.",
}
