package conversation

// onPaper are the phrases of summaries, and of what a message or a question is
// about.
var onPaper = map[string]bilingual{
	"about_book":       {"Reserva", "Booking"},
	"about_reschedule": {"Cambio de cita", "Change of appointment"},
	"about_cancel":     {"Anulación de cita", "Cancellation"},
	"topic_hours":      {"horario", "opening hours"},
	"topic_price":      {"precio", "price"},
	"topic_duration":   {"cuánto dura", "how long is"},
	"topic_products":   {"¿tienen", "do you have"},
	"topic_stock":      {"¿tienen", "do you have"},
	"topic_listings":   {"¿tienen pisos", "do you have flats"},

	"an_appointment": {"Cita", "Appointment"},

	"title_booking":    {"Reserva", "Booking"},
	"title_handoff":    {"Pide hablar con una persona", "Wants to talk to a person"},
	"title_over_limit": {"Sin minutos en el plan", "No minutes left in the plan"},
	"title_error":      {"Problema técnico", "Technical problem"},
	"title_info":       {"Consulta", "Enquiry"},
	"title_abandoned":  {"Sin resultado", "Nothing came of it"},
	"title_booked":     {"Reserva: {what}, {when}", "Booking: {what}, {when}"},
	"title_moved":      {"Cambio de cita: {what}, {when}", "Appointment moved: {what}, {when}"},
	"title_cancelled":  {"Anulación: {what}, {when}", "Cancellation: {what}, {when}"},
	"title_lead":       {"Contacto interesado", "Interested contact"},
	"title_callback":   {"Pide que le llamen", "Wants to be called back"},
	"title_order":      {"Pedido", "Order"},

	"summary_booking":    {"Se hizo una reserva.", "A booking was made."},
	"summary_handoff":    {"La persona pidió hablar con alguien del equipo.", "The caller asked for someone from the team."},
	"summary_over_limit": {"No se atendió: el plan no tiene más minutos o llamadas a la vez.", "Not taken: the plan has no more minutes or calls at once."},
	"summary_error":      {"La conversación se cortó por un problema técnico.", "The conversation broke off for a technical reason."},
	"summary_info":       {"Se atendió una consulta.", "An enquiry was answered."},
	"summary_abandoned":  {"La conversación terminó sin resultado.", "The conversation ended without a result."},

	"point_booked":     {"Reservó {what} para {when} a nombre de {name} (código {code}).", "Booked {what} for {when} under the name {name} (code {code})."},
	"point_moved":      {"Cambió su cita ({what}) a {when} (código {code}).", "Moved the appointment ({what}) to {when} (code {code})."},
	"point_cancelled":  {"Anuló su cita ({what}) de {when}.", "Cancelled the appointment ({what}) of {when}."},
	"point_looked_up":  {"Preguntó por su cita ({what}) de {when}.", "Asked about their appointment ({what}) of {when}."},
	"point_lead":       {"{name} dejó sus datos: {about}.", "{name} left contact details: {about}."},
	"point_callback":   {"{name} espera una llamada. {about}", "{name} expects a call. {about}"},
	"point_order":      {"{name} hizo un pedido: {about}.", "{name} ordered: {about}."},
	"point_answered":   {"Se contestó: «{question}»", "Answered: \"{question}\""},
	"point_unanswered": {"Sin respuesta: «{question}»", "Not answered: \"{question}\""},
	"point_handed_off": {"Pasa a una persona del equipo.", "Passed on to a person."},
}
