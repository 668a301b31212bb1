package answer

import (
	"cmp"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/passage"
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

// find finds what services cost, or how long they take, that a question names
// in words of its own: whatever else it says.
func (p Prices) find(question string) (costs, bool) {
	topic := p.CostAsked(question)
	if topic == "" || p.Listing != "" {
		return costs{}, false
	}
	found := p.Catalogue.FindServices(question, p.Lang)
	if len(found) == 0 || found[0].Score < CostMatch {
		if named := p.namesakes(question); len(found) == 0 || len(named) == 1 {
			found = named
		}
	}
	if best, ok := p.bestDescribed(question, found); ok {
		best.Score = max(best.Score, CostMatch)
		found = []match{best}
	}
	return p.costsOf(found, topic, CostMatch)
}

// namedMost are those of some services that a question names with more of their own
// words than the others; all of them, where one of the others is clearly named as well.
func (p Prices) namedMost(question string, found []match) []match {
	const enough = 2 // words of a name
	named := func(s catalogue.Service) int {
		return passage.Signs(question, called(s))
	}
	most := 0
	for _, m := range found {
		most = max(most, named(m.Entry))
	}
	fewer := func(m match) bool { return named(m.Entry) < most }
	if most < enough || slices.ContainsFunc(found, func(m match) bool { return m.Score >= ClearMatch && fewer(m) }) {
		return found
	}
	found = slices.DeleteFunc(slices.Clone(found), fewer)
	for i := range found {
		found[i].Score = max(found[i].Score, CostMatch)
	}
	return found
}

// OfNamedMost answers a question for a price that names some services with more of
// their own words than those that it fits best.
func (p Prices) OfNamedMost(question string) Answer {
	topic, found := p.CostAsked(question), p.Catalogue.FindServices(question, p.Lang)
	if topic == "" || len(found) < 2 || p.Listing != "" {
		return Answer{}
	}
	named := p.namedMost(question, found)
	if len(named) == len(found) {
		return Answer{}
	}
	if best, ok := p.bestDescribed(question, named); ok {
		best.Score = max(best.Score, CostMatch)
		named = []match{best}
	}
	return p.tell(question, named, topic, CostMatch)
}

// namesakes are the services that have a word in common with a question, where
// they are few: one of the name of the business tells no service from another, but
// the services from all else.
func (p Prices) namesakes(question string) (all []match) {
	const alike = 6 // letters
	asked := language.Tokenize(question)
	for _, s := range p.Catalogue.Services {
		for _, w := range language.Tokenize(s.Say(p.Lang)) {
			if len(w.Word) >= alike && slices.ContainsFunc(asked, func(a language.Token) bool { return strings.HasPrefix(a.Word, w.Word[:alike]) }) {
				all = append(all, match{Entry: s, Score: CostMatch})
				break
			}
		}
	}
	if len(all) > mostCosts {
		return nil
	}
	return all
}

// costsOf tells the price or the length of the best of some services, where it
// fits well enough, and of those that may be meant as well. One alone is told of
// with what the business says about it.
func (p Prices) costsOf(found []match, topic string, enough float64) (c costs, ok bool) {
	if len(found) == 0 || found[0].Score < enough {
		return c, false
	}
	var said []string
	for _, m := range found {
		text := p.costOf(m.Entry, topic)
		if m.Score < alikeMatch || text == "" || len(said) == mostCosts {
			continue
		}
		if len(said) == 0 {
			c = costs{topic: topic, service: m.Entry.ID, fits: m.Score}
		}
		said = append(said, m.Entry.Say(p.Lang)+": "+text)
	}
	if len(said) == 0 || c.fits < enough {
		return c, false
	}
	c.text = strings.Join(said, "; ") + "."
	if about := found[0].Entry.Description; len(said) == 1 && topic == "price" && p.InLanguage(about) {
		c.text += " " + about
	}
	return c, true
}

// costOf is the price of a service, or how long it takes; "" when the business
// does not say.
func (p Prices) costOf(s catalogue.Service, topic string) string {
	switch {
	case topic == "price" && s.Cost.Said():
		return s.Cost.Say(p.Lang)
	case topic == "duration" && s.Duration > 0:
		return catalogue.SayLength(p.Lang, s.Duration)
	}
	return ""
}

// betterThan says whether what services cost answers a question better than a
// document does: it does unless the document has a figure of its own and fits
// better.
func (c costs) betterThan(a frontdesk.Answer) bool {
	return !a.Answered || c.fits >= ClearMatch || a.MatchPct < 100*c.fits || !strings.ContainsAny(a.Text, "0123456789")
}

// answer is what was found, with what is paid beside it.
func (p Prices) answer(question string, c costs) Answer {
	if c.topic == "price" {
		c.text = p.withSurcharge(question, c.service, c.text)
	}
	return Answer{Text: c.text, Topic: c.topic, Service: c.service}
}

// tell answers with what some services cost, or how long they take, where the best of
// them fits well enough.
func (p Prices) tell(question string, found []match, topic string, enough float64) Answer {
	c, ok := p.costsOf(found, topic, enough)
	if !ok {
		return Answer{}
	}
	return p.answer(question, c)
}

// following answers a question that asks the same of another service as was
// asked of the last: "and a motorway lesson?"
func (p Prices) following(question string, enough float64) Answer {
	last, ok := p.priced()
	if !ok || !p.FollowsUp() {
		return Answer{}
	}
	text := question
	if enough < CostMatch { // only a part of the name is said: "and if I take ten?"
		text += " " + last.Say(p.Lang)
	}
	found := slices.DeleteFunc(p.Catalogue.FindServices(text, p.Lang), func(m match) bool {
		return m.Entry.ID == last.ID || enough < CostMatch && !p.hasWordOf(question, m.Entry)
	})
	topic := cmp.Or(p.CostAsked(question), p.Topic)
	return p.tell(question, found[:min(1, len(found))], topic, enough)
}

// hasWordOf says whether a question has a word of a service, or names a number that it
// has as well.
func (p Prices) hasWordOf(question string, s catalogue.Service) bool {
	self := strings.Join(slices.Concat(s.AllNames(), s.Aliases, []string{s.Description}), " ")
	own := language.Tokenize(self)
	return passage.Signs(question, self) > 0 || slices.ContainsFunc(language.Tokenize(question), func(w language.Token) bool {
		return passage.Counts(w.Word) && slices.ContainsFunc(own, func(o language.Token) bool { return o.Word == w.Word })
	})
}

// OfDish answers what a dish costs that is named with the service by which it is
// collected: the price asked for is that of the dish.
func (p Prices) OfDish(question string) Answer {
	dishes, services := p.Catalogue.FindDishes(question, p.Lang), p.Catalogue.FindServices(question, p.Lang)
	if p.CostAsked(question) != "price" || len(dishes) == 0 || dishes[0].Score < CostMatch || len(services) == 0 {
		return Answer{}
	}
	from, to, ok := p.Mix.Phrases("collected").Find(p.Tokens(question))
	if !ok {
		return Answer{}
	}
	words := p.Tokens(question)
	reply, ok := p.Replies().Certain(question[:words[from].Start] + question[words[to-1].End:])
	if !ok || reply.Topic != "price" && reply.Topic != "menu" {
		return Answer{}
	}
	return p.Replies().Say(question, reply)
}

// OfNextTimes answers who was told the price of a first time what the times after it
// cost: the service of the same kind that is for those.
func (p Prices) OfNextTimes(question string) Answer {
	last, ok := p.priced()
	if !ok || p.Busy || !p.has("asks_next_times", question) {
		return Answer{}
	}
	following := func(s catalogue.Service) bool {
		return s.ID != last.ID && p.Mix.Phrases("names_next_times").In(p.Tokens(strings.Join(slices.Concat(s.AllNames(), s.Aliases, []string{s.Description}), ". ")))
	}
	alike := func(s catalogue.Service) bool { return following(s) && sharesKind(s, last) }
	if a := p.tellOnly(question, alike); a.Found() {
		return a
	}
	return p.tellOnly(question, following)
}

// OfVariant answers a question that goes on with no more than what tells one of
// several services of a kind from the last: "and for children?", after the price of a
// cut.
func (p Prices) OfVariant(question string) Answer {
	const most = 2 // words that tell something
	last, ok := p.priced()
	matter := p.matterOf(question)
	if !ok || !p.FollowsUp() || len(matter) == 0 || len(matter) > most || p.namesAny(question) {
		return Answer{}
	}
	variant := func(s catalogue.Service) bool {
		own := called(s)
		return sharesKind(s, last) && !slices.ContainsFunc(matter, func(w string) bool { return passage.Signs(w, own) == 0 })
	}
	return p.tellOnly(question, variant)
}

// tellOnly says what the only service costs that is meant, or how long it takes,
// as was asked last; nothing unless there is just one.
func (p Prices) tellOnly(question string, meant func(catalogue.Service) bool) Answer {
	var found []match
	for _, s := range p.Catalogue.Services {
		if meant(s) {
			found = append(found, match{Entry: s, Score: 1})
		}
	}
	if len(found) != 1 {
		return Answer{}
	}
	return p.tell(question, found, cmp.Or(p.CostAsked(question), p.Topic), CostMatch)
}

// sharesKind says whether two services have a word of their names in common.
func sharesKind(s, other catalogue.Service) bool {
	theirs := passage.NameWords(other.AllNames())
	for w := range passage.NameWords(s.AllNames()) {
		if theirs[w] {
			return true
		}
	}
	return false
}

// Again answers who asks for the price or the length and names nothing:
// that of the service that was asked about last.
func (p Prices) Again(question string) Answer {
	const most, bare = 8, 4 // words
	words, topic := p.Tokens(question), p.CostAsked(question)
	last, ok := p.priced()
	points := p.Mix.Phrases("points_back").In(words) || topic == "duration" && p.asksOnlyLength(question)
	if !ok || topic == "" || len(words) > most || (len(words) > bare || topic == "price") && !points || p.namesOther(question, last.ID) || !points && p.namesAny(question) {
		return Answer{}
	}
	return p.tell(question, []match{{Entry: last, Score: 1}}, topic, CostMatch)
}

// asksOnlyLength says whether a question asks how long something takes and tells
// nothing else: "and how long would I be there?"
func (p Prices) asksOnlyLength(question string) bool {
	words := p.Tokens(question)
	from, to, ok := p.Mix.Phrases("asks_length").Find(words)
	if !ok {
		return false
	}
	rest := question[:words[from].Start] + " " + question[words[to-1].End:]
	return len(p.matterOf(rest)) == 0
}

// AsksOfPriced says whether somebody goes on about the service whose price they
// asked, and names nothing else.
func (p Prices) AsksOfPriced() bool {
	h := p.Heard
	return p.Priced != "" && p.Topic == "price" && !p.Busy && !h.Has(hearing.Book) && len(h.When.Mentions) == 0 && len(h.Services) > 0 &&
		!slices.ContainsFunc(h.Services, func(s catalogue.Service) bool { return s.ID != p.Priced })
}
