package answer

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/passage"
)

// OfSubject says what the service costs that is talked about, to who asks
// for the price and names no other. One that only shares a word with a question that
// points back is not named by it: "what do you charge for fitting it?" The price asked
// for at a viewing is that of the property.
func (p Prices) OfSubject(question string) Answer {
	words := p.Tokens(question)
	service, ok := p.Subject()
	if !ok || p.Listing != "" || !service.Cost.Said() || !p.Mix.Phrases("asks_price").In(words) || p.Mix.Phrases("asks_length").In(words) {
		return Answer{}
	}
	points, standing := p.pointsBack(question), p.Arranging.ID != ""
	if !standing && !points && !p.bare(question, service) && !p.namedBeside(question, service.ID) {
		return Answer{}
	}
	if !points && p.documentsKnow(question, service) {
		return Answer{}
	}
	named := namedMatch
	if points {
		named = ClearMatch
	}
	found := p.Catalogue.FindServices(question, p.Lang)
	if at := slices.IndexFunc(found, func(m match) bool { return m.Entry.ID == service.ID }); at >= 0 && p.bare(question, service) {
		named = max(named, found[at].Score+0.01) // a word that others have as well names none of them
	}
	for _, m := range found {
		if m.Score >= named && m.Entry.ID != service.ID {
			return Answer{}
		}
	}
	text := service.Say(p.Lang) + ": " + service.Cost.Say(p.Lang) + "."
	if about := p.sentencesWith(question, service.Description); about != "" && !p.bare(question, catalogue.Service{}) {
		text += " " + about
	}
	return Answer{Text: text, Topic: "price", Service: service.ID}
}

// OfStepBefore answers who asks, after the price of a service, what is paid for what must
// come before it, which its description names: "and the chat first, is that free?"
func (p Prices) OfStepBefore(question string) Answer {
	subject, ok := p.Subject()
	if !ok || p.Arranging.ID != "" || !p.has("asks_price", question) || !p.has("asks_step_before", question) {
		return Answer{}
	}
	found := slices.DeleteFunc(p.Catalogue.FindServices(subject.Description, p.Lang), func(m match) bool { return m.Entry.ID == subject.ID || m.Score < CostMatch })
	if len(found) == 0 {
		return Answer{}
	}
	return p.tell(question, found[:1], "price", CostMatch)
}

// OfCallOut answers what it costs to have somebody come and look with the price of the one
// service that is for that, where nothing else is talked about.
func (p Prices) OfCallOut(question string) Answer {
	if _, ok := p.Subject(); ok || !p.has("asks_call_out", question) || p.CostAsked(question) != "price" || p.namesAny(question) {
		return Answer{}
	}
	return p.tellOnly(question, func(s catalogue.Service) bool { return p.has("names_call_out", strings.Join(s.AllNames(), ". ")) })
}

// documentsKnow says whether documents answer a question for the price of something
// else than a service: "do you charge for parking?"
func (p Prices) documentsKnow(question string, s catalogue.Service) bool {
	others := p.otherWords(question, s)
	if len(others) == 0 {
		return false
	}
	a, err := p.LookUp(question)
	return err == nil && a.Answered && a.MatchPct >= SureMatch && passage.Signs(strings.Join(others, " "), a.Text) > 0
}

// LengthOfSubject says how long the service takes that is being arranged, to who asks
// just that.
func (p Prices) LengthOfSubject(question string) Answer {
	service := p.Arranging
	if service.Duration == 0 || !p.has("asks_its_length", question) {
		return Answer{}
	}
	return Answer{Text: service.Say(p.Lang) + ": " + p.costOf(service, "duration") + ".", Topic: "duration", Service: service.ID}
}

// pointsBack says whether a question means what was talked about, in its own words or
// those just before it: "and that one, what does it cost?"
func (p Prices) pointsBack(question string) bool {
	const short = 8 // words
	words := p.Tokens(p.Heard.Text)
	if len(words) > short || len(p.Heard.Questions) > 1 {
		words = p.Tokens(question)
	}
	return p.Mix.Phrases("means_that").In(words)
}

// namedBeside says whether a service is clearly named in the same breath as a question,
// outside of it.
func (p Prices) namedBeside(question, id string) bool {
	rest := hearing.Without(p.Heard.Text, question)
	if rest == p.Heard.Text || rest == "" {
		return false
	}
	found := p.Catalogue.FindServices(rest, p.Lang)
	return len(found) > 0 && found[0].Entry.ID == id && found[0].Score >= CostMatch
}

// bare says whether a question for a price tells nothing but that, and what the
// service says of itself: "how much for the two of us?" of a day for two.
func (p Prices) bare(question string, s catalogue.Service) bool {
	words := p.Tokens(question)
	from, to, ok := p.Mix.Phrases("asks_price").Find(words)
	if !ok {
		return false
	}
	self := strings.Join(s.AllNames(), " ") + " " + s.Description
	for i, w := range words {
		asking := i >= from && i < to || w.Figures || !passage.Telling(w.Word) || p.Mix.Words("says_nothing")[w.Word]
		if !asking && passage.Signs(w.Word, self) == 0 {
			return false
		}
	}
	return true
}

// withSurcharge adds to the price of a service the line of the documents that has a
// figure of money for something else that the question tells: "dogs over 40 kilos: 10 €
// more". A word that many lines have tells nothing.
func (p Prices) withSurcharge(question, id, text string) string {
	service, ok := p.service(id)
	if !ok {
		return text
	}
	others := p.otherWords(question, service)
	if len(others) == 0 {
		return text
	}
	a, err := p.LookUp(question)
	if err != nil {
		return text
	}
	if line := passage.LineWithMoney(others, passage.Lines(a.Hits)); line != "" && !slices.Contains(p.rules(), line) && p.InLanguage(line) && !strings.Contains(text, line) {
		return text + " " + line
	}
	return text
}

// otherWords are the telling words of a question for the price of a service that
// neither ask for it nor are of its name.
func (p Prices) otherWords(question string, s catalogue.Service) (others []string) {
	const letters = 4
	words := p.Tokens(question)
	from, to, _ := p.Mix.Phrases("asks_price").Find(words)
	names := called(s)
	for i, w := range words {
		if (i < from || i >= to) && len(w.Word) >= letters && !w.Figures && passage.Telling(w.Word) && passage.Signs(w.Word, names) == 0 {
			others = append(others, w.Word)
		}
	}
	return others
}

// bestDescribed is the one of several services that fit a question alike which
// describes itself with what the question tells: "a full groom for a poodle", where
// the large one is for poodles.
func (p Prices) bestDescribed(question string, found []match) (match, bool) {
	const letters, alike = 4, 0.9
	var best match
	most, tied := 0, false
	for _, m := range found {
		if m.Score < alikeMatch || m.Score < alike*found[0].Score {
			continue
		}
		names := strings.Join(m.Entry.AllNames(), " ")
		n := 0
		for _, w := range language.Tokenize(question) {
			if len(w.Word) >= letters && passage.Signs(w.Word, names) == 0 && passage.Signs(w.Word, m.Entry.Description) > 0 {
				n++
			}
		}
		switch {
		case n > most:
			best, most, tied = m, n, false
		case n == most:
			tied = true
		}
	}
	return best, most > 0 && !tied
}
