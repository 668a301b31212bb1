package conversation

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/passage"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/language"
)

// subject is the service that is talked about: the one that is being arranged,
// else the one whose price was asked last, else the last that was named.
func (t prices) subject() (catalogue.Service, bool) {
	if service := t.booking().service(); service.ID != "" {
		return service, true
	}
	if last, ok := t.priced(); ok {
		return last, true
	}
	if len(t.s.Subjects) == 0 {
		return catalogue.Service{}, false
	}
	id := t.s.Subjects[len(t.s.Subjects)-1]
	at := slices.IndexFunc(t.catalogue.Services, func(s catalogue.Service) bool { return s.ID == id })
	if at < 0 {
		return catalogue.Service{}, false
	}
	return t.catalogue.Services[at], true
}

// saySubjectPrice says what the service costs that is talked about, to who asks
// for the price and names no other. One that only shares a word with a question that
// points back is not named by it: "what do you charge for fitting it?" The price asked
// for at a viewing is that of the property.
func (t prices) saySubjectPrice(question string) bool {
	words := t.tokens(question)
	t.namedBefore(question)
	service, ok := t.subject()
	if !ok || t.s.Listing != "" || !service.Cost.Said() || !t.mix.Phrases("asks_price").In(words) || t.mix.Phrases("asks_length").In(words) {
		return false
	}
	points, standing := t.pointsBack(question), t.booking().service().ID != ""
	if !standing && !points && !t.bare(question, service) && !t.namedBeside(question, service.ID) {
		return false
	}
	if !points && t.documentsKnow(question, service) {
		return false
	}
	named := namedMatch
	if points {
		named = clearMatch
	}
	found := t.catalogue.FindServices(question, t.s.Lang)
	if at := slices.IndexFunc(found, func(m catalogue.Match[catalogue.Service]) bool { return m.Entry.ID == service.ID }); at >= 0 && t.bare(question, service) {
		named = max(named, found[at].Score+0.01) // a word that others have as well names none of them
	}
	for _, m := range found {
		if m.Score >= named && m.Entry.ID != service.ID {
			return false
		}
	}
	text := service.Say(t.s.Lang) + ": " + service.Cost.Say(t.s.Lang) + "."
	if about := t.sentencesWith(question, service.Description); about != "" && !t.bare(question, catalogue.Service{}) {
		text += " " + about
	}
	t.s.Topic, t.s.Priced = "price", service.ID
	t.questions().answered(question, text)
	return true
}

// documentsKnow says whether documents answer a question for the price of something
// else than a service: "do you charge for parking?"
func (t prices) documentsKnow(question string, s catalogue.Service) bool {
	others := t.otherWords(question, s)
	if len(others) == 0 {
		return false
	}
	a, err := t.lookUp(question)
	return err == nil && a.Answered && a.MatchPct >= sureMatch && passage.Signs(strings.Join(others, " "), a.Text) > 0
}

// saySubjectLength says how long the service takes that is being arranged, to who asks
// just that.
func (t prices) saySubjectLength(question string) bool {
	service := t.booking().service()
	if service.Duration == 0 || !t.mix.Phrases("asks_its_length").In(t.tokens(question)) {
		return false
	}
	t.s.Topic, t.s.Priced = "duration", service.ID
	t.questions().answered(question, service.Say(t.s.Lang)+": "+t.sayCost(service, "duration")+".")
	return true
}

// pointsBack says whether a question means what was talked about, in its own words or
// those just before it: "and that one, what does it cost?"
func (t prices) pointsBack(question string) bool {
	const short = 8 // words
	words := t.tokens(t.heard.Text)
	if len(words) > short || len(t.heard.Questions) > 1 {
		words = t.tokens(question)
	}
	return t.mix.Phrases("means_that").In(words)
}

// namedBefore remembers the service that was named beside a question for a price in
// the same breath: "I was thinking of a perm, how much are they?"
func (t prices) namedBefore(question string) {
	if t.s.Task.Kind == "" && t.s.Listing == "" && question != t.heard.Text && t.mix.Phrases("asks_price").In(t.tokens(question)) {
		t.questions().talkAbout(without(t.heard.Text, question))
	}
}

// namedBeside says whether a service is clearly named in the same breath as a question,
// outside of it.
func (t prices) namedBeside(question, id string) bool {
	rest := without(t.heard.Text, question)
	if rest == t.heard.Text || rest == "" {
		return false
	}
	found := t.catalogue.FindServices(rest, t.s.Lang)
	return len(found) > 0 && found[0].Entry.ID == id && found[0].Score >= costMatch
}

// bare says whether a question for a price tells nothing but that, and what the
// service says of itself: "how much for the two of us?" of a day for two.
func (t prices) bare(question string, s catalogue.Service) bool {
	words := t.tokens(question)
	from, to, ok := t.mix.Phrases("asks_price").Find(words)
	if !ok {
		return false
	}
	self := strings.Join(s.AllNames(), " ") + " " + s.Description
	for i, w := range words {
		asking := i >= from && i < to || w.Figures || passage.Small(w.Word) || t.mix.Words("says_nothing")[w.Word]
		if !asking && len(w.Word) > 2 && passage.Signs(w.Word, self) == 0 {
			return false
		}
	}
	return true
}

// about is what is talked about, and what the business says of it: the property
// that was asked for, else the service.
func (t prices) about() (name, description string) {
	if t.s.Listing != "" {
		for _, l := range t.catalogue.Listings {
			if l.Ref == t.s.Listing {
				return l.Say(t.s.Lang), l.Description
			}
		}
	}
	service, _ := t.subject()
	return service.Say(t.s.Lang), service.Description
}

// sayOfListing answers a short question that goes on about the property that is
// talked about with what the business says of it: "and are pets allowed?" Who looks for
// another says what for.
func (t prices) sayOfListing(question string) bool {
	const most = 6 // words
	words := t.tokens(question)
	home := func(w language.Token) bool { return t.mix.Words("set home")[w.Word] }
	if t.s.Listing == "" || len(words) > most || slices.ContainsFunc(words, home) || t.costAsked(question) != "" {
		return false
	}
	_, description := t.about()
	return t.documents().sayPassage(question, t.sentencesWith(question, description))
}

// saySubjectFact answers who does what is talked about, or how many take part in it,
// with the sentence in which the business says so.
func (t prices) saySubjectFact(question string) bool {
	words := t.tokens(question)
	service, ok := t.subject()
	if !ok || t.s.Listing != "" || !t.questions().inLanguage(service.Description) || t.namesOther(question, service.ID) || t.mix.Phrases("asks_price").In(words) && service.Cost.Said() {
		return false
	}
	var tells func(string) bool
	switch {
	case t.mix.Phrases("asks_count").In(words):
		tells = func(s string) bool { return t.mix.Phrases("tells_count").In(t.tokens(s)) }
	case t.mix.Phrases("catalogue_asks_who").In(words):
		tells = namesPerson
	default:
		return false
	}
	for _, s := range strings.SplitAfter(service.Description, ". ") {
		if tells(strings.TrimSpace(s)) {
			return t.documents().sayPassage(question, strings.TrimSpace(s))
		}
	}
	return false
}

// namesOther says whether a question clearly names another service than one.
func (t prices) namesOther(question, id string) bool {
	return slices.ContainsFunc(t.catalogue.FindServices(question, t.s.Lang), func(m catalogue.Match[catalogue.Service]) bool {
		return m.Entry.ID != id && m.Score >= clearMatch
	})
}

// namesPerson says whether a sentence has a name: a word with a capital letter that
// does not begin it.
func namesPerson(s string) bool {
	for i, w := range strings.Fields(s) {
		if r, _ := utf8.DecodeRuneInString(w); i > 0 && unicode.IsUpper(r) {
			return true
		}
	}
	return false
}

// sayIncluded answers whether something is part of what is talked about with the
// sentence in which the business says so.
func (t prices) sayIncluded(question string) bool {
	words := t.tokens(question)
	from, to, ok := t.mix.Phrases("asks_included").Find(words)
	if !ok {
		return false
	}
	_, description := t.about()
	thing := question[:words[from].Start] + " " + question[words[to-1].End:]
	said := t.sentencesWith(thing, description)
	if said == "" && passage.Signs(question, description) > 0 && to-from > 1 { // the thing stands between the words
		said = t.sentencesWith(question, description)
	}
	return t.documents().sayPassage(question, said)
}

// sentencesWith are the sentences of a text of the business that have a telling
// word of a question; "" when there are none, or it is in another language.
func (t prices) sentencesWith(question, text string) string {
	if !t.questions().inLanguage(text) {
		return ""
	}
	var kept []string
	for _, s := range strings.SplitAfter(text, ". ") {
		if passage.Signs(question, s) > 0 {
			kept = append(kept, strings.TrimSpace(s))
		}
	}
	return strings.Join(kept, " ")
}

// addSurcharge adds to the price of a service the line of the documents that has a
// figure of money for something else that the question tells: "dogs over 40 kilos: 10 €
// more". A word that many lines have tells nothing.
func (t prices) addSurcharge(question, id, text string) string {
	at := slices.IndexFunc(t.catalogue.Services, func(s catalogue.Service) bool { return s.ID == id })
	if at < 0 {
		return text
	}
	others := t.otherWords(question, t.catalogue.Services[at])
	if len(others) == 0 {
		return text
	}
	a, err := t.lookUp(question)
	if err != nil {
		return text
	}
	if line := passage.LineWithMoney(others, passage.Lines(a.Hits)); line != "" && t.questions().inLanguage(line) && !strings.Contains(text, line) {
		return text + " " + line
	}
	return text
}

// otherWords are the telling words of a question for the price of a service that
// neither ask for it nor are of its name.
func (t prices) otherWords(question string, s catalogue.Service) (others []string) {
	const letters = 4
	words := t.tokens(question)
	from, to, _ := t.mix.Phrases("asks_price").Find(words)
	names := strings.Join(slices.Concat(s.AllNames(), s.Aliases), " ")
	for i, w := range words {
		if (i < from || i >= to) && len(w.Word) >= letters && !w.Figures && !passage.Small(w.Word) && passage.Signs(w.Word, names) == 0 {
			others = append(others, w.Word)
		}
	}
	return others
}

// bestDescribed is the one of several services that fit a question alike which
// describes itself with what the question tells: "a full groom for a poodle", where
// the large one is for poodles.
func (t prices) bestDescribed(question string, found []catalogue.Match[catalogue.Service]) (catalogue.Match[catalogue.Service], bool) {
	const letters, alike = 4, 0.9
	var best catalogue.Match[catalogue.Service]
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

// talkOf remembers the service that somebody names while nothing is arranged: "how
// much is that?" asks for its price.
func (t prices) talkOf() {
	if t.s.Task.Kind == "" && len(t.catalogue.Listings) == 0 {
		t.questions().talkAbout(t.heard.Text)
	}
}

// mostSubjects is how many services are remembered to be talked about.
const mostSubjects = 4

// remember keeps a service as the last that was talked about.
func (t prices) remember(id string) {
	t.s.Subjects = append(slices.DeleteFunc(t.s.Subjects, func(other string) bool { return other == id }), id)
	t.s.Subjects = t.s.Subjects[max(0, len(t.s.Subjects)-mostSubjects):]
}

// mayName says whether a text may name another service than this.
func (t prices) mayName(text, id string) bool {
	return slices.ContainsFunc(t.catalogue.FindServices(text, t.s.Lang), func(m catalogue.Match[catalogue.Service]) bool {
		return m.Entry.ID != id && m.Score >= alikeMatch
	})
}
