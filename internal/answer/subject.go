package answer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/passage"
)

// Subject is the service that is talked about: the one that is being arranged,
// else the one whose price was asked last, else the last that was named.
func (q *Inquiry) Subject() (catalogue.Service, bool) {
	if service := q.Arranging; service.ID != "" {
		return service, true
	}
	if last, ok := q.priced(); ok {
		return last, true
	}
	if len(q.About) == 0 {
		return catalogue.Service{}, false
	}
	return q.service(q.About[len(q.About)-1])
}

// about is what is talked about, and what the business says of it: the property
// that was asked for, else the service.
func (q *Inquiry) about() (name, description string) {
	if q.Listing != "" {
		for _, l := range q.Catalogue.Listings {
			if l.Ref == q.Listing {
				return l.Say(q.Lang), l.Description
			}
		}
	}
	service, _ := q.Subject()
	return service.Say(q.Lang), service.Description
}

// sentencesWith are the sentences of a text of the business that have a telling
// word of a question; "" when there are none, or it is in another language.
func (q *Inquiry) sentencesWith(question, text string) string {
	if !q.InLanguage(text) {
		return ""
	}
	return passage.Sentences(question, text)
}

// OfListing answers a short question that goes on about the property that is
// talked about with what the business says of it: "and are pets allowed?" Who looks for
// another says what for.
func (sub Subjects) OfListing(question string) Answer {
	const most = 6 // words
	words := sub.Tokens(question)
	home := func(w language.Token) bool { return sub.Mix.Words("set home")[w.Word] }
	if sub.Listing == "" || len(words) > most || slices.ContainsFunc(words, home) || sub.CostAsked(question) != "" {
		return Answer{}
	}
	_, description := sub.about()
	return Quote(sub.sentencesWith(question, description))
}

// Fact answers who does what is talked about, or how many take part in it,
// with the sentence in which the business says so.
func (sub Subjects) Fact(question string) Answer {
	words := sub.Tokens(question)
	service, ok := sub.Subject()
	if !ok || sub.Listing != "" || !sub.InLanguage(service.Description) || sub.namesOther(question, service.ID) || sub.Mix.Phrases("asks_price").In(words) && service.Cost.Said() {
		return Answer{}
	}
	var tells func(string) bool
	switch {
	case sub.Mix.Phrases("asks_count").In(words):
		tells = func(s string) bool { return sub.has("tells_count", s) }
	case sub.Mix.Phrases("catalogue_asks_who").In(words):
		tells = namesPerson
	default:
		return Answer{}
	}
	for _, s := range strings.SplitAfter(service.Description, ". ") {
		if tells(strings.TrimSpace(s)) {
			return Quote(strings.TrimSpace(s))
		}
	}
	return Answer{}
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

// Included answers whether something is part of what is talked about with the
// sentence in which the business says so.
func (sub Subjects) Included(question string) Answer {
	words := sub.Tokens(question)
	from, to, ok := sub.Mix.Phrases("asks_included").Find(words)
	if !ok {
		return Answer{}
	}
	_, description := sub.about()
	thing := question[:words[from].Start] + " " + question[words[to-1].End:]
	said := sub.sentencesWith(thing, description)
	if said == "" && passage.Signs(question, description) > 0 && to-from > 1 { // the thing stands between the words
		said = sub.sentencesWith(question, description)
	}
	return Quote(said)
}

// described says what the business tells about the service that is talked about,
// to who goes on about it.
func (sub Subjects) described(question string) Answer {
	last, ok := sub.Subject()
	if !ok || !sub.InLanguage(last.Description) {
		return Answer{}
	}
	if passage.Signs(question, last.Description) == 0 && !(sub.names(question, last) && passage.Signs(strings.Join(last.AllNames(), " "), last.Description) > 0) {
		return Answer{}
	}
	return Answer{Text: last.Description}
}
