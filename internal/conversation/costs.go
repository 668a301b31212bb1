package conversation

import (
	"cmp"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
	"frontdesk.dev/frontdesk/internal/passage"
)

// How well services must fit a question for what they cost: the one that it asks
// about, those that it may mean as well, and one so well that no document knows
// better.
const (
	costMatch  = 0.75
	alikeMatch = 0.4
	clearMatch = 0.9
)

// mostCosts is how many services are told of in answer to one question.
const mostCosts = 3

// costs is what was found to say to a question for a price, or for how long
// something takes.
type costs struct {
	text    string
	topic   string
	service string  // the id of the first
	fits    float64 // how well it fits
}

// findCosts finds what services cost, or how long they take, that a question names
// in words of its own: whatever else it says.
func (t prices) findCosts(question string) (costs, bool) {
	topic := t.costAsked(question)
	if topic == "" || t.s.Listing != "" {
		return costs{}, false
	}
	found := t.catalogue.FindServices(question, t.s.Lang)
	if len(found) == 0 || found[0].Score < costMatch {
		if named := t.namesakes(question); len(found) == 0 || len(named) == 1 {
			found = named
		}
	}
	if best, ok := t.bestDescribed(question, found); ok {
		best.Score = max(best.Score, costMatch)
		found = []catalogue.Match[catalogue.Service]{best}
	}
	return t.costsOf(found, topic, costMatch)
}

// namedMost are those of some services that a question names with more of their own
// words than the others; all of them, where one of the others is clearly named as well.
func (t prices) namedMost(question string, found []catalogue.Match[catalogue.Service]) []catalogue.Match[catalogue.Service] {
	const enough = 2 // words of a name
	named := func(s catalogue.Service) int {
		return passage.Signs(question, strings.Join(slices.Concat(s.AllNames(), s.Aliases), " "))
	}
	most := 0
	for _, m := range found {
		most = max(most, named(m.Entry))
	}
	fewer := func(m catalogue.Match[catalogue.Service]) bool { return named(m.Entry) < most }
	if most < enough || slices.ContainsFunc(found, func(m catalogue.Match[catalogue.Service]) bool { return m.Score >= clearMatch && fewer(m) }) {
		return found
	}
	found = slices.DeleteFunc(slices.Clone(found), fewer)
	for i := range found {
		found[i].Score = max(found[i].Score, costMatch)
	}
	return found
}

// sayNamedMost answers a question for a price that names some services with more of
// their own words than those that it fits best.
func (t prices) sayNamedMost(question string) bool {
	topic, found := t.costAsked(question), t.catalogue.FindServices(question, t.s.Lang)
	if topic == "" || len(found) < 2 || t.s.Listing != "" {
		return false
	}
	named := t.namedMost(question, found)
	if len(named) == len(found) {
		return false
	}
	if best, ok := t.bestDescribed(question, named); ok {
		best.Score = max(best.Score, costMatch)
		named = []catalogue.Match[catalogue.Service]{best}
	}
	c, ok := t.costsOf(named, topic, costMatch)
	if ok {
		t.sayCosts(question, c)
	}
	return ok
}

// namesakes are the services that have a word in common with a question, where
// they are few: one of the name of the business tells no service from another, but
// the services from all else.
func (t prices) namesakes(question string) (all []catalogue.Match[catalogue.Service]) {
	const alike = 6 // letters
	asked := language.Tokenize(question)
	for _, s := range t.catalogue.Services {
		for _, w := range language.Tokenize(s.Say(t.s.Lang)) {
			if len(w.Word) >= alike && slices.ContainsFunc(asked, func(a language.Token) bool { return strings.HasPrefix(a.Word, w.Word[:alike]) }) {
				all = append(all, catalogue.Match[catalogue.Service]{Entry: s, Score: costMatch})
				break
			}
		}
	}
	if len(all) > mostCosts {
		return nil
	}
	return all
}

// costAsked is the topic of a question for a price or a length; "" when it asks
// for neither.
func (t prices) costAsked(question string) string {
	words := t.tokens(question)
	switch {
	case t.mix.Phrases("asks_length").In(words):
		return "duration"
	case t.mix.Phrases("asks_price").In(words), t.mix.Phrases("asks_what").In(words):
		return "price"
	}
	return ""
}

// costsOf tells the price or the length of the best of some services, where it
// fits well enough, and of those that may be meant as well. One alone is told of
// with what the business says about it.
func (t prices) costsOf(found []catalogue.Match[catalogue.Service], topic string, enough float64) (c costs, ok bool) {
	if len(found) == 0 || found[0].Score < enough {
		return c, false
	}
	var said []string
	for _, m := range found {
		text := t.sayCost(m.Entry, topic)
		if m.Score < alikeMatch || text == "" || len(said) == mostCosts {
			continue
		}
		if len(said) == 0 {
			c = costs{topic: topic, service: m.Entry.ID, fits: m.Score}
		}
		said = append(said, m.Entry.Say(t.s.Lang)+": "+text)
	}
	if len(said) == 0 || c.fits < enough {
		return c, false
	}
	c.text = strings.Join(said, "; ") + "."
	if about := found[0].Entry.Description; len(said) == 1 && topic == "price" && t.questions().inLanguage(about) {
		c.text += " " + about
	}
	return c, true
}

// sayCost is the price of a service, or how long it takes; "" when the business
// does not say.
func (t prices) sayCost(s catalogue.Service, topic string) string {
	switch {
	case topic == "price" && s.Cost.Said():
		return s.Cost.Say(t.s.Lang)
	case topic == "duration" && s.Duration > 0:
		return catalogue.SayLength(t.s.Lang, s.Duration)
	}
	return ""
}

// betterThan says whether what services cost answers a question better than a
// document does: it does unless the document has a figure of its own and fits
// better.
func (c costs) betterThan(a frontdesk.Answer) bool {
	return !a.Answered || c.fits >= clearMatch || a.MatchPct < 100*c.fits || !strings.ContainsAny(a.Text, "0123456789")
}

// sayCosts answers with what was found.
func (t prices) sayCosts(question string, c costs) {
	t.s.Topic, t.s.Priced = c.topic, c.service
	if c.topic == "price" {
		c.text = t.addSurcharge(question, c.service, c.text)
	}
	t.questions().answered(question, c.text)
}

// priced is the service whose price or length was asked last.
func (t prices) priced() (catalogue.Service, bool) {
	at := slices.IndexFunc(t.catalogue.Services, func(s catalogue.Service) bool { return s.ID == t.s.Priced })
	if at < 0 || t.s.Topic != "price" && t.s.Topic != "duration" {
		return catalogue.Service{}, false
	}
	return t.catalogue.Services[at], true
}

// followCosts answers a question that asks the same of another service as was
// asked of the last: "and a motorway lesson?"
func (t prices) followCosts(question string, enough float64) bool {
	last, ok := t.priced()
	if !ok || !t.questions().followsUp() {
		return false
	}
	text := question
	if enough < costMatch { // only a part of the name is said: "and if I take ten?"
		text += " " + last.Say(t.s.Lang)
	}
	found := slices.DeleteFunc(t.catalogue.FindServices(text, t.s.Lang), func(m catalogue.Match[catalogue.Service]) bool {
		return m.Entry.ID == last.ID || enough < costMatch && !t.hasWordOf(question, m.Entry)
	})
	topic := cmp.Or(t.costAsked(question), t.s.Topic)
	c, ok := t.costsOf(found[:min(1, len(found))], topic, enough)
	if ok {
		t.sayCosts(question, c)
	}
	return ok
}

// hasWordOf says whether a question has a word of a service, or names a number that it
// has as well.
func (t prices) hasWordOf(question string, s catalogue.Service) bool {
	self := strings.Join(slices.Concat(s.AllNames(), s.Aliases, []string{s.Description}), " ")
	own := language.Tokenize(self)
	return passage.Signs(question, self) > 0 || slices.ContainsFunc(language.Tokenize(question), func(w language.Token) bool {
		return countsSomething(w.Word) && slices.ContainsFunc(own, func(o language.Token) bool { return o.Word == w.Word })
	})
}

// sayDishPrice answers what a dish costs that is named with the service by which it is
// collected: the price asked for is that of the dish.
func (t prices) sayDishPrice(question string) bool {
	dishes, services := t.catalogue.FindDishes(question, t.s.Lang), t.catalogue.FindServices(question, t.s.Lang)
	if t.costAsked(question) != "price" || len(dishes) == 0 || dishes[0].Score < costMatch || len(services) == 0 {
		return false
	}
	from, to, ok := t.mix.Phrases("collected").Find(t.tokens(question))
	if !ok {
		return false
	}
	words := t.tokens(question)
	reply, ok := t.questions().certainReply(question[:words[from].Start] + question[words[to-1].End:])
	if !ok || reply.Topic != "price" && reply.Topic != "menu" {
		return false
	}
	t.questions().sayReply(question, reply)
	return true
}

// sayNextTimes answers who was told the price of a first time what the times after it
// cost: the service of the same kind that is for those.
func (t prices) sayNextTimes(question string) bool {
	last, ok := t.priced()
	if !ok || t.s.Task.Kind != "" || !t.mix.Phrases("asks_next_times").In(t.tokens(question)) {
		return false
	}
	following := func(s catalogue.Service) bool {
		return s.ID != last.ID && t.mix.Phrases("names_next_times").In(t.tokens(strings.Join(slices.Concat(s.AllNames(), s.Aliases, []string{s.Description}), ". ")))
	}
	alike := func(s catalogue.Service) bool { return following(s) && sharesKind(s, last) }
	return t.sayCostsOfOnly(question, alike) || t.sayCostsOfOnly(question, following)
}

// sayVariant answers a question that goes on with no more than what tells one of
// several services of a kind from the last: "and for children?", after the price of a
// cut.
func (t prices) sayVariant(question string) bool {
	const most = 2 // words that tell something
	last, ok := t.priced()
	matter := t.documents().matterOf(question)
	if !ok || !t.questions().followsUp() || len(matter) == 0 || len(matter) > most || t.namesAny(question) {
		return false
	}
	variant := func(s catalogue.Service) bool {
		own := strings.Join(slices.Concat(s.AllNames(), s.Aliases), " ")
		return sharesKind(s, last) && !slices.ContainsFunc(matter, func(w string) bool { return passage.Signs(w, own) == 0 })
	}
	return t.sayCostsOfOnly(question, variant)
}

// sayCostsOfOnly says what the only service costs that is meant, or how long it takes,
// as was asked last. It says whether there is just one.
func (t prices) sayCostsOfOnly(question string, meant func(catalogue.Service) bool) bool {
	var found []catalogue.Match[catalogue.Service]
	for _, s := range t.catalogue.Services {
		if meant(s) {
			found = append(found, catalogue.Match[catalogue.Service]{Entry: s, Score: 1})
		}
	}
	if len(found) != 1 {
		return false
	}
	c, ok := t.costsOf(found, cmp.Or(t.costAsked(question), t.s.Topic), costMatch)
	if ok {
		t.sayCosts(question, c)
	}
	return ok
}

// sharesKind says whether two services have a word of their names in common.
func sharesKind(s, other catalogue.Service) bool {
	theirs := wordsOfNames(other.AllNames())
	for w := range wordsOfNames(s.AllNames()) {
		if theirs[w] {
			return true
		}
	}
	return false
}

// sayPricedAgain answers who asks for the price or the length and names nothing:
// that of the service that was asked about last.
func (t prices) sayPricedAgain(question string) bool {
	const most, bare = 8, 4 // words
	words, topic := t.tokens(question), t.costAsked(question)
	last, ok := t.priced()
	points := t.mix.Phrases("points_back").In(words) || topic == "duration" && t.asksOnlyLength(question)
	if !ok || topic == "" || len(words) > most || (len(words) > bare || topic == "price") && !points || t.namesOther(question, last.ID) || !points && t.namesAny(question) {
		return false
	}
	c, ok := t.costsOf([]catalogue.Match[catalogue.Service]{{Entry: last, Score: 1}}, topic, costMatch)
	if ok {
		t.sayCosts(question, c)
	}
	return ok
}

// namesAny says whether a question names a service.
func (t prices) namesAny(question string) bool {
	return slices.ContainsFunc(t.catalogue.FindServices(question, t.s.Lang), func(m catalogue.Match[catalogue.Service]) bool { return m.Score >= namedMatch })
}

// asksOnlyLength says whether a question asks how long something takes and tells
// nothing else: "and how long would I be there?"
func (t prices) asksOnlyLength(question string) bool {
	words := t.tokens(question)
	from, to, ok := t.mix.Phrases("asks_length").Find(words)
	if !ok {
		return false
	}
	rest := question[:words[from].Start] + " " + question[words[to-1].End:]
	return len(t.documents().matterOf(rest)) == 0
}

// tellSubject says what the business tells about the service that is talked about,
// to who goes on about it.
func (t prices) tellSubject(question string) bool {
	last, ok := t.subject()
	if !ok || !t.questions().inLanguage(last.Description) {
		return false
	}
	if passage.Signs(question, last.Description) == 0 && !(t.names(question, last) && passage.Signs(strings.Join(last.AllNames(), " "), last.Description) > 0) {
		return false
	}
	t.questions().answered(question, last.Description)
	return true
}

// names says whether a text names a service.
func (t prices) names(text string, s catalogue.Service) bool {
	return slices.ContainsFunc(t.catalogue.FindServices(text, t.s.Lang), func(m catalogue.Match[catalogue.Service]) bool {
		return m.Entry.ID == s.ID && m.Score >= clearMatch
	})
}

// asksOfPriced says whether somebody goes on about the service whose price they
// asked, and names nothing else.
func (t prices) asksOfPriced() bool {
	h := t.heard
	return t.s.Priced != "" && t.s.Topic == "price" && t.s.Task.Kind == "" && !h.Has(Book) && len(h.When.Mentions) == 0 && len(h.Services) > 0 &&
		!slices.ContainsFunc(h.Services, func(s catalogue.Service) bool { return s.ID != t.s.Priced })
}

// inLanguage says whether a text of the business may be said in the language of
// the conversation.
func (t questions) inLanguage(text string) bool {
	if text == "" {
		return false
	}
	lang := lexicon.Language(text)
	return lang == "" || lang == t.s.Lang
}
