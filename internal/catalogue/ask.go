package catalogue

import (
	"slices"
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// longestQuestion is how much of a text is read, in bytes.
const longestQuestion = 2000

// mostLeftOver is how many words may be unaccounted for before an answer is
// more likely to miss the question than to meet it.
const mostLeftOver = 2

// The parts of the house that a question may be put to. Each knows how to answer
// about its own matter; the question itself keeps account of its words.
type (
	menuQuestion     struct{ *question }
	shopQuestion     struct{ *question }
	serviceQuestion  struct{ *question }
	propertyQuestion struct{ *question }
	hoursQuestion    struct{ *question }
	houseQuestion    struct{ *question }
)

// asker answers one kind of question; false when it is of another kind, or the
// data do not have it.
type asker func() (Reply, bool)

// goods are about entries: the first that answers does. Those that need more of
// a question come before those that need less.
func (q *question) goods() []asker {
	m, shop, services, property := menuQuestion{q}, shopQuestion{q}, serviceQuestion{q}, propertyQuestion{q}
	return []asker{
		property.askReference, m.askAllergy, m.askDiet, q.askCost, property.askProperty,
		shop.askStock, m.askDish, houseQuestion{q}.askSpecials, m.askMenu, shop.askProducts, services.askOffer, services.askServices,
	}
}

// affairs are about the house; a caller may ask for two at once.
func (q *question) affairs() []asker {
	h := houseQuestion{q}
	return []asker{
		h.askReturns, h.askShipping, h.askZones, h.askPolicy,
		hoursQuestion{q}.askHours, h.askAddress, h.askPhone, h.askWebsite,
	}
}

// Ask answers a question from the data of the business, in a language. It is
// false when the data have nothing to say to it. now is in the zone of the
// business.
func (c *Catalogue) Ask(text, lang string, now time.Time) (Reply, bool) {
	return c.AskOf(text, lang, now, Focus{})
}

// Focus is what a question may leave out because it is talked about.
type Focus struct {
	Date     frontdesk.Date // "until when are you open that day?"
	Resource string         // id of whom "she" is
	Service  string         // id of what "it" is
	With     string         // id of whom that is arranged with; "": whoever is free
}

// open reads a question.
func (c *Catalogue) open(text, lang string, now time.Time, focus Focus) *question {
	if len(text) > longestQuestion {
		text = strings.ToValidUTF8(text[:longestQuestion], "")
	}
	if language.Of(lang) == nil {
		lang = c.first
	}
	q := c.newQuestion(text, lang, now)
	q.focus = focus
	return q
}

// AskOf is Ask while something is talked about.
func (c *Catalogue) AskOf(text, lang string, now time.Time, focus Focus) (Reply, bool) {
	q := c.open(text, lang, now, focus)
	if q.says("small_talk") {
		return Reply{}, false
	}
	var replies []Reply
	for i, ask := range q.goods() {
		if i > 0 && !q.fitsGoods() {
			break // only where a listing is may be asked of what there is
		}
		if r, ok := ask(); ok {
			replies = append(replies, r)
			break
		}
	}
	for _, ask := range q.affairs() {
		if r, ok := ask(); ok && len(replies) < 2 {
			replies = append(replies, r)
		}
	}
	r, ok := q.settle(replies)
	if ok && r.Certain {
		return r, true
	}
	if quoted, found := q.askTexts(); found && (!ok || quoted.Certain) {
		return quoted, true
	}
	return r, ok
}

// settle makes one reply of several. What is left over of the question makes it
// uncertain; when much is left over there is none.
func (q *question) settle(replies []Reply) (Reply, bool) {
	rest := len(q.rest())
	if len(replies) == 0 || rest > mostLeftOver {
		return Reply{}, false
	}
	r := replies[0]
	for _, next := range replies[1:] {
		r.Text += " " + next.Text
		r.Certain = r.Certain && next.Certain
	}
	r.Certain = r.Certain && rest == 0
	return r, true
}

// askTexts looks for a sentence of the business's own texts that has all that
// is asked about.
func (q *question) askTexts() (Reply, bool) {
	words := q.content()
	if !slices.ContainsFunc(words, func(w token) bool { return !talk()[w.word] && !w.numeral() }) || q.says("asks_who") || q.says("tells_hours") {
		return Reply{}, false
	}
	least := 1
	if !q.fitsGoods() && !q.says("brings") {
		least = 2 // one word in common does not tell where, when or why
	}
	h := q.c.house
	for _, t := range []struct {
		topic topic
		text  text
	}{{policy, h.policy}, {dietary, h.dietary}, {shipping, h.shipping}, {returns, h.returns}, {zones, h.zones}, {specials, h.specials}} {
		if chosen, n := t.text.pick(words); n == len(words) && n >= least {
			r, ok := q.reply(t.topic, quote(q.lang, joinPassages(chosen)))
			r.Certain = n > 1
			return r, ok
		}
	}
	return Reply{}, false
}

// content are the words of the question that tell something, topics or not.
func (q *question) content() (all []token) {
	for _, w := range q.words {
		if !w.empty() && !wordsOf("house")[w.word] && !q.c.house.own[w.word] {
			all = append(all, w)
		}
	}
	return all
}

func (q houseQuestion) askAddress() (Reply, bool) {
	h := q.c.house
	if !q.about(address) || h.business.Address == "" || q.about(email, website) || q.wheresElse() {
		return Reply{}, false
	}
	q.account(address)
	answer := wording(q.lang, "address", "place", h.business.Address)
	return q.reply(address, sentence(answer)+q.whereabouts())
}

// wheresElse says whether something else than the house is looked for: "where is
// my order?", "where is the nearest station?"
func (q houseQuestion) wheresElse() bool {
	return q.says("asks_where") && len(q.unshownTokens()) > 0
}

// whereabouts is what the business says of its place, where the text on zones
// is about that and not about deliveries.
func (q houseQuestion) whereabouts() string {
	t := q.c.house.zones
	if lexicon.Language(t.whole) != q.lang {
		return ""
	}
	for _, p := range t.sentences {
		if p.tellsPlace() {
			return " " + sentence(p.text)
		}
	}
	return ""
}

// tellsPlace says whether a sentence is about where the house is.
func (p passage) tellsPlace() bool {
	return p.speaksOf("expressions place") || p.speaksOf("expressions way to") && !p.speaksOf("expressions reach")
}

// speaksOf says whether a sentence has one of some expressions.
func (p passage) speaksOf(section string) bool {
	return slices.ContainsFunc(expressions(section), func(e pattern) bool {
		_, ok := e.anywhere(p.words)
		return ok
	})
}

// onlyPlace says whether a text is about where the house is, and not about where
// it goes.
func (t text) onlyPlace() bool {
	return !slices.ContainsFunc(t.sentences, func(p passage) bool { return !p.tellsPlace() })
}

func (q houseQuestion) askPhone() (Reply, bool) {
	number := q.c.house.business.Phone
	if !q.about(phone) || number == "" {
		return Reply{}, false
	}
	q.account(phone)
	return q.reply(phone, wording(q.lang, "phone", "number", number))
}

func (q houseQuestion) askWebsite() (Reply, bool) {
	site := q.c.house.business.Website
	if !q.about(website, email) || site == "" {
		return Reply{}, false
	}
	answer := wording(q.lang, "website", "site", site)
	if q.about(email) {
		q.account(email, address)
		return unsure(website, answer)
	}
	q.account(website, address)
	return q.reply(website, answer)
}

// askPolicy answers from the house rules: from the sentences that have what is
// asked, or with all of them when it is the rules that are asked for.
func (q houseQuestion) askPolicy() (Reply, bool) {
	t := q.c.house.policy
	if !q.about(policy, cancel) || t.whole == "" {
		return Reply{}, false
	}
	q.account(policy)
	words := q.wanted(cancel)
	if len(words) == 0 {
		return q.reply(policy, quote(q.lang, t.whole))
	}
	chosen, n := t.pick(words)
	if n == 0 && q.about(cancel) {
		chosen = t.saying("tells_cancelling") // in other words than the question's
	}
	if len(chosen) == 0 {
		return Reply{}, false
	}
	q.markSaid(chosen)
	if q.about(cancel) {
		q.said(talk())
		q.markTerms(joinPassages(chosen))
	}
	return q.reply(policy, quote(q.lang, joinPassages(chosen)))
}

// markTerms accounts for questions of cost and of time where the answer speaks
// of them, in whatever words.
func (q houseQuestion) markTerms(answer string) {
	for _, terms := range []language.Set{wordsOf("cost terms"), wordsOf("time terms")} {
		for _, w := range tokens(answer, q.lang) {
			if terms[w.word] {
				q.said(terms)
				break
			}
		}
	}
}

// wanted are the telling words that are left over, and those of a topic.
func (q *question) wanted(t topic) (all []token) {
	all = q.rest()
	for _, i := range q.shown[t] {
		if w := q.words[i]; !w.grammar() && !hasWord(all, w.word) {
			all = append(all, w)
		}
	}
	return all
}

func hasWord(all []token, word string) bool {
	for _, w := range all {
		if w.word == word {
			return true
		}
	}
	return false
}

// outside are the telling words that show none of the topics.
func (q *question) outside(topics ...topic) (all []token) {
	before := q.clear
	q.account(topics...)
	all = q.rest()
	q.clear = before
	return all
}

// markSaid accounts for the words that a sentence of the business has.
func (q *question) markSaid(chosen []passage) {
	for i, w := range q.words {
		for _, p := range chosen {
			if !w.empty() && p.has(w) {
				q.clear.add(i, i+1)
			}
		}
	}
}

// askShipping says how things are sent. Where to is another question.
func (q houseQuestion) askShipping() (Reply, bool) {
	if q.c.house.zones.whole != "" && q.namesZone() && !q.about(price, duration) {
		return Reply{}, false
	}
	return q.askText(shipping, q.c.house.shipping, shipping, price, duration, have)
}

func (q houseQuestion) askReturns() (Reply, bool) {
	return q.askText(returns, q.c.house.returns, returns, policy, have)
}

// askZones says where the business goes. A question about delivery that the
// text on shipping has answered is not asked again.
func (q houseQuestion) askZones() (Reply, bool) {
	h := q.c.house
	if q.about(address) && !q.about(shipping) || h.zones.onlyPlace() {
		return Reply{}, false
	}
	asked := zones
	if q.about(shipping) && q.namesZone() {
		asked = shipping
	} else if h.shipping.whole != "" && q.about(shipping) {
		return Reply{}, false
	}
	r, ok := q.askText(asked, h.zones, zones, shipping, have)
	r.Topic = string(zones)
	return r, ok
}

// namesZone says whether the question asks where to, rather than how.
func (q houseQuestion) namesZone() bool {
	for _, p := range expressions("expressions zone") {
		if _, ok := p.anywhere(q.words); ok {
			return true
		}
	}
	_, n := q.c.house.zones.pick(q.outside(shipping, zones, price, duration, have))
	return n > 0
}

// askText answers a topic with what the business wrote about it, and accounts
// for others that callers wrap around it.
func (q houseQuestion) askText(t topic, of text, around ...topic) (Reply, bool) {
	if !q.about(t) || of.whole == "" {
		return Reply{}, false
	}
	q.account(around...)
	if chosen, n := of.pick(q.rest()); n > 0 {
		q.markSaid(chosen)
	}
	return q.reply(t, quote(q.lang, of.whole))
}

func (q houseQuestion) askSpecials() (Reply, bool) {
	t := q.c.house.specials
	if !q.about(specials) || t.whole == "" {
		return Reply{}, false
	}
	q.account(specials, have, menu, price)
	hoursQuestion(q).readDays()
	if chosen, n := t.pick(q.rest()); n > 0 {
		q.markSaid(chosen)
		return q.reply(specials, quote(q.lang, joinPassages(chosen)))
	}
	return q.reply(specials, quote(q.lang, t.whole))
}
