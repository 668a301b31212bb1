package catalogue

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

func (q serviceQuestion) costOfServices(all []found) (Reply, bool) {
	t := price
	if !q.about(price) || q.durationOnly() {
		t = duration
	}
	before := q.clear
	asked := q.bundle(q.asked(q.c.services, all))
	if only := asked[0][0]; !only.full && !only.head && q.specified(only) || t == duration && len(q.untoldBut(duration, price)) > 0 {
		q.clear = before
		return Reply{}, false
	}
	var parts []string
	for _, m := range slices.Concat(asked...) {
		if s := q.sayCost(q.c.Services[m.entry]); s != "" {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 {
		q.clear = before
		return Reply{}, false
	}
	q.account(price, duration, have)
	q.said(talk())
	if t == duration || len(asked) == 1 {
		r, ok := q.reply(t, sentence(several(q.lang, parts)))
		r.Certain = r.Certain && (asked[0][0].full || len(q.untold()) == 0)
		return r, ok
	}
	return q.reply(t, sentence(strings.Join(parts, "; "))+saySum(q.lang, asked, func(at int) Price { return q.c.Services[at].Cost }))
}

// bundle puts in the place of several services the one that is all of them: a
// "cut and beard" for a haircut and a beard trim that were named apart.
func (q serviceQuestion) bundle(asked [][]found) [][]found {
	if len(asked) < 2 || slices.ContainsFunc(asked, func(group []found) bool { return len(group) > 1 }) {
		return asked
	}
	var names []string
	for _, group := range asked {
		names = append(names, q.c.Services[group[0].entry].Say(q.lang))
	}
	words := tokens(strings.Join(names, ", "), q.lang)
	for _, m := range q.c.services.find(words) {
		part := func(group []found) bool { return group[0].entry == m.entry }
		if !m.full || slices.ContainsFunc(asked, part) || !spansAll(m, names) {
			continue
		}
		return [][]found{{m}}
	}
	return asked
}

// spansAll says whether something that was found in names written one after the
// other, with a comma between them, has a word of each.
func spansAll(m found, names []string) bool {
	from := 0
	for _, name := range names {
		count := len(tokens(name, ""))
		if !slices.ContainsFunc(m.tokens, func(at int) bool { return at >= from && at < from+count }) {
			return false
		}
		from += count
	}
	return true
}

// durationOnly says whether "how much" is about time alone.
func (q serviceQuestion) durationOnly() bool {
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
func (q serviceQuestion) sayCost(s Service) string {
	var parts []string
	if q.about(price) && !q.durationOnly() && s.Cost.Said() {
		parts = append(parts, s.Cost.Say(q.lang))
	}
	if q.about(duration) && s.Duration > 0 {
		parts = append(parts, SayLength(q.lang, s.Duration))
	}
	if len(parts) == 0 {
		return ""
	}
	return s.Say(q.lang) + ": " + strings.Join(parts, ", ")
}

// SayLength says a length of time in hours and minutes.
func SayLength(lang string, d time.Duration) string {
	hours, minutes := int(d/time.Hour), int(d%time.Hour/time.Minute)
	if d == 90*time.Minute {
		return wording(lang, "hour_and_half")
	}
	var parts []string
	switch {
	case hours == 1:
		parts = append(parts, wording(lang, "one_hour"))
	case hours > 1:
		parts = append(parts, wording(lang, "hours", "n", strconv.Itoa(hours)))
	}
	if minutes > 0 {
		parts = append(parts, wording(lang, "minutes", "n", strconv.Itoa(minutes)))
	}
	return joinAnd(lang, parts)
}

// allPrices lists what the services cost, when nothing else was asked.
func (q serviceQuestion) allPrices() (Reply, bool) {
	if !slices.ContainsFunc(q.shown[price], func(i int) bool { return !wordsOf("free")[q.words[i].word] }) || q.about(shipping) || q.about(returns) {
		return Reply{}, false
	}
	before := q.clear
	q.account(price, services, have)
	q.said(talk())
	if len(q.untold()) > 0 {
		q.clear = before
		return Reply{}, false
	}
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
	r, ok := q.reply(price, wording(q.lang, "prices", "prices", enumerate(q.lang, priced)))
	r.All = true
	return r, ok
}

// askOffer says whether a service is offered: "do you do nails?" Whether there
// is a place at a certain time is not for this package to say.
func (q serviceQuestion) askOffer() (Reply, bool) {
	if q.about(price, duration) || slices.ContainsFunc(q.words, func(w token) bool { return wordsOf("availability")[w.word] || weekdayOf(w.word) >= 0 }) {
		return Reply{}, false
	}
	all := q.itself(q.mentioned(q.c.services))
	if len(all) == 0 {
		return q.askUnknownOffer()
	}
	if !q.about(have, services) && !q.says("does") || q.about(shipping) && !overlap(q.shown[shipping], all[0].tokens) {
		return Reply{}, false
	}
	before := q.clear
	q.markFound(all)
	q.account(have, services)
	if q.specified(all[0]) {
		q.clear = before // "rooms with a terrace": the data do not say
		return Reply{}, false
	}
	var names []string
	for _, m := range all {
		s := q.c.Services[m.entry]
		names = append(names, withPrice(q.lang, s.Say(q.lang), s.Cost))
	}
	return q.reply(services, wording(q.lang, "offer", "services", enumerate(q.lang, names)))
}

// askUnknownOffer says that something is not done here which is of the kind of
// things that are. It is not sure: a document may say more, or where it is done.
func (q serviceQuestion) askUnknownOffer() (Reply, bool) {
	from, to, ok := mixed().Phrases("catalogue_does").Find(q.spoken)
	if !ok || len(q.c.Services) < 2 || from > 4 {
		return Reply{}, false
	}
	start := q.spoken[to-1].End
	first := slices.IndexFunc(q.words, func(w token) bool { return w.start >= start && !w.function && !w.manners })
	if first < 0 || q.about(shipping, returns, menu, products, specials, policy, cancel, zones) {
		return Reply{}, false
	}
	last := first
	for last+1 < len(q.words) && !q.words[last].stop && last < first+3 && !wordsOf("but")[q.words[last+1].word] {
		last++
	}
	for last > first && (q.words[last].function || q.words[last].manners) {
		last--
	}
	thing := q.text[q.words[first].start:q.words[last].end]
	if !q.ofKind(q.words[first : last+1]) {
		return Reply{}, false
	}
	return unsure(services, wording(q.lang, "not_done", "thing", thing))
}

// ofKind says whether a thing is of the kind of what businesses do: its name
// ends as those of things that are done, or is known as one.
func (q serviceQuestion) ofKind(thing []token) bool {
	if len(q.c.Dishes) > 0 {
		return false // it may be something to eat
	}
	done, other := wordsOf("done"), wordsOf("not done")
	return slices.ContainsFunc(thing, func(w token) bool { return done[w.word] || doing(w.word) }) &&
		!slices.ContainsFunc(thing, func(w token) bool { return other[w.word] })
}

func doing(word string) bool {
	for ending := range wordsOf("doings") {
		if len(word) > len(ending)+2 && strings.HasSuffix(word, ending) {
			return true
		}
	}
	return false
}

func (q serviceQuestion) askServices() (Reply, bool) {
	if !q.about(services) || len(q.c.Services) == 0 {
		return Reply{}, false
	}
	q.account(services, have, price)
	q.said(talk())
	var names []string
	for _, s := range q.c.Services {
		names = append(names, withPrice(q.lang, s.Say(q.lang), s.Cost))
	}
	return q.reply(services, wording(q.lang, "offer", "services", enumerate(q.lang, names)))
}
