package catalogue

import (
	"slices"
	"strings"
	"time"
)

func (q *question) costOfServices(all []found) (Reply, bool) {
	t := price
	if !q.about(price) || q.durationOnly() {
		t = duration
	}
	var parts []string
	for _, m := range all {
		if s := q.sayCost(q.c.Services[m.entry]); s != "" {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 {
		return Reply{}, false
	}
	q.markFound(all)
	q.account(price, duration, have)
	q.said(talk)
	return q.reply(t, sentence(several(q.lang, parts)))
}

// durationOnly says whether "how much" is about time alone.
func (q *question) durationOnly() bool {
	if !q.about(duration) {
		return false
	}
	for _, i := range q.shown[price] {
		if !slices.Contains(q.shown[duration], i) {
			return false
		}
	}
	return true
}

// sayCost says price and length of a service, as far as they were asked for and
// the business says them; "" when it does not.
func (q *question) sayCost(s Service) string {
	var parts []string
	if q.about(price) && !q.durationOnly() && s.Cost.Said() {
		parts = append(parts, s.Cost.Say(q.lang))
	}
	if q.about(duration) && s.Duration > 0 {
		parts = append(parts, sayLength(q.lang, s.Duration))
	}
	if len(parts) == 0 {
		return ""
	}
	return s.Say(q.lang) + ": " + strings.Join(parts, ", ")
}

// sayLength says a length of time in hours and minutes.
func sayLength(lang string, d time.Duration) string {
	hours, minutes := int(d/time.Hour), int(d%time.Hour/time.Minute)
	if d == 90*time.Minute {
		return say(lang, "una hora y media", "an hour and a half")
	}
	var parts []string
	switch {
	case hours == 1:
		parts = append(parts, say(lang, "una hora", "one hour"))
	case hours > 1:
		parts = append(parts, sayf(lang, "%d horas", "%d hours", hours))
	}
	if minutes > 0 {
		parts = append(parts, sayf(lang, "%d minutos", "%d minutes", minutes))
	}
	return joinAnd(lang, parts)
}

// allPrices lists what the services cost, when nothing else was asked.
func (q *question) allPrices() (Reply, bool) {
	if !slices.ContainsFunc(q.shown[price], func(i int) bool { return !free[q.words[i].word] }) || q.about(shipping) || q.about(returns) {
		return Reply{}, false
	}
	before := q.clear
	q.account(price, services, have)
	q.said(talk)
	var priced []string
	for _, s := range q.c.Services {
		if s.Cost.Said() {
			priced = append(priced, withPrice(q.lang, s.Say(q.lang), s.Cost))
		}
	}
	if len(q.rest()) > 0 || len(priced) == 0 {
		q.clear = before
		return Reply{}, false
	}
	return q.reply(price, sayf(q.lang, "Estos son los precios: %s.", "Here are our prices: %s.", enumerate(q.lang, priced)))
}

// askOffer says whether a service is offered: "do you do nails?" Whether there
// is a place at a certain time is not for this package to say.
func (q *question) askOffer() (Reply, bool) {
	all := q.mentioned(q.c.services)
	if len(all) == 0 || !q.about(have, services) || slices.ContainsFunc(q.words, func(w token) bool { return places[w.word] || weekdayOf(w.word) >= 0 }) {
		return Reply{}, false
	}
	var names []string
	for _, m := range all {
		s := q.c.Services[m.entry]
		names = append(names, withPrice(q.lang, s.Say(q.lang), s.Cost))
	}
	q.markFound(all)
	q.account(have, services)
	return q.reply(services, sayf(q.lang, "Ofrecemos %s.", "We offer %s.", enumerate(q.lang, names)))
}

// places are words by which callers ask for a place at a time.
var places = set(`cita citas hueco huecos turno turnos reserva reservar hora disponibilidad disponible disponibles libre libres hoy manana semana
appointment appointments slot slots book booking availability available free today tomorrow tonight week vacancy vacancies`)

func (q *question) askServices() (Reply, bool) {
	if !q.about(services) || len(q.c.Services) == 0 {
		return Reply{}, false
	}
	q.account(services, have, price)
	q.said(talk)
	var names []string
	for _, s := range q.c.Services {
		names = append(names, withPrice(q.lang, s.Say(q.lang), s.Cost))
	}
	return q.reply(services, sayf(q.lang, "Ofrecemos %s.", "We offer %s.", enumerate(q.lang, names)))
}
