package answer

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
	"frontdesk.dev/frontdesk/internal/table"
)

// Origin is where an answer is from.
type Origin int

// The origins.
const (
	Data     Origin = iota // the business's own data
	Passage                // a sentence that was picked from documents or descriptions
	Document               // what the documents answer as a whole, with a figure for how well
)

// Answer is what there is to say to a question. Without a text there is nothing.
type Answer struct {
	Text     string
	Topic    string // what it tells of; "": it does not change what was talked about
	Asked    string // the question that it answers, where that was put together with the one before
	Service  string // id of the service whose price or length it tells
	From     Origin
	MatchPct float64 // how well documents answer, also where that is not enough
	Sure     bool    // the catalogue is certain of it, and what it tells of can be had
	Sources  []Source
}

// Source is a document that an answer was taken from.
type Source struct {
	ID    frontdesk.ID
	Title string
}

// Written is the topic of what documents answer.
const Written = "written"

// Found says whether there is something to say.
func (a Answer) Found() bool { return a.Text != "" }

// Quote is a passage as an answer; nothing when it is empty.
func Quote(written string) Answer {
	if written == "" {
		return Answer{}
	}
	written = table.Describe(written)
	first, size := utf8.DecodeRuneInString(written)
	return Answer{Text: string(unicode.ToUpper(first)) + written[size:], From: Passage}
}

// Of is what documents answer, said in a language; nothing when they do not.
func Of(a frontdesk.Answer, lang string) Answer {
	if !a.Answered {
		return Answer{MatchPct: a.MatchPct}
	}
	a.Text = headless(a.Text, a.Hits)
	return Answer{Text: a.Say(lang), Topic: Written, From: Document, MatchPct: a.MatchPct, Sources: sourcesOf(a.Hits)}
}

// sourcesOf are the documents whose passages an answer is made of, best first.
func sourcesOf(hits []frontdesk.AnswerHit) (all []Source) {
	for _, h := range hits {
		if source := (Source{h.Fragment.DocumentID, h.Title}); h.Used && !slices.Contains(all, source) {
			all = append(all, source)
		}
	}
	return all
}

// How well documents must answer.
const (
	SureMatch  = 65 // what was not asked as a question: it may have been told on the way
	ExactMatch = 85 // to be taken before a text of the business about the same matter
)

// How well services must fit a question: to be what it asks about, for what they cost,
// to be meant as well, and so well that no document knows better.
const (
	namedMatch = 0.6
	CostMatch  = 0.75
	alikeMatch = 0.4
	ClearMatch = 0.9
)

// Sources is what answers are taken from in one turn. Each text is read once, and the
// documents are asked each question once.
type Sources struct {
	Catalogue *catalogue.Catalogue
	Mix       *language.Mix                                   // the languages that callers may speak
	Policy    string                                          // the house rules
	Written   func(question string) (frontdesk.Answer, error) // what documents say

	found map[string]frontdesk.Answer
	read  map[string][]language.Token
}

// Tokens are the words of a text, which are not to be changed: many ask for those of
// what was said.
func (src *Sources) Tokens(text string) []language.Token {
	if words, ok := src.read[text]; ok {
		return words
	}
	if src.read == nil {
		src.read = map[string][]language.Token{}
	}
	src.read[text] = src.Mix.Tokens(text)
	return src.read[text]
}

// LookUp asks the documents.
func (src *Sources) LookUp(question string) (frontdesk.Answer, error) {
	question = frontdesk.Clip(question, frontdesk.MaxQuestion)
	if a, ok := src.found[question]; ok {
		return a, nil
	}
	a, err := src.Written(question)
	if err != nil {
		return a, err
	}
	if rules := src.rules(); len(rules) > 0 {
		a.Hits = append(slices.Clone(a.Hits), frontdesk.AnswerHit{Fragment: frontdesk.Fragment{Text: strings.Join(rules, "\n")}})
	}
	if src.found == nil {
		src.found = map[string]frontdesk.Answer{}
	}
	src.found[question] = a
	return a, nil
}

// rules are the sentences of the house rules: they are read as what documents say
// last, for many callers ask in words of their own what stands there.
func (src *Sources) rules() (all []string) {
	for _, s := range strings.SplitAfter(src.Policy, ". ") {
		if s = strings.TrimSpace(s); s != "" {
			all = append(all, s)
		}
	}
	return all
}

// Talk is how far a conversation has come when something is asked.
type Talk struct {
	Lang  string
	Now   time.Time
	Heard hearing.Gist // the line in which it is asked

	Busy      bool              // something is being arranged
	Arranging catalogue.Service // the service of that; zero: none yet
	Focus     catalogue.Focus   // what the catalogue may be asked without naming it

	Topic        string   // of the last answer
	Priced       string   // id of the service whose price or length was asked last
	Listing      string   // the reference of the property that was talked about
	About        []string // ids of the services that were talked about, the last one last
	LastAsked    string   // the last question, answered or not
	LastAnswered string   // the last one that was answered
}

// Inquiry is something that is asked, in its surroundings. Its parts share them.
type Inquiry struct {
	*Sources
	Talk
}

// The parts of an inquiry.
type (
	Subjects  struct{ *Inquiry } // what the business tells of what is talked about
	Prices    struct{ *Inquiry } // what services cost, and how long they take
	Replies   struct{ *Inquiry } // what the catalogue answers
	Documents struct{ *Inquiry } // what documents and house rules answer
	FollowUps struct{ *Inquiry } // what documents answer together with the question before
)

// Subjects is the part that knows what is talked about.
func (q *Inquiry) Subjects() Subjects { return Subjects{q} }

// Prices is the part that knows prices and lengths.
func (q *Inquiry) Prices() Prices { return Prices{q} }

// Replies is the part that asks the catalogue.
func (q *Inquiry) Replies() Replies { return Replies{q} }

// Documents is the part that asks the documents.
func (q *Inquiry) Documents() Documents { return Documents{q} }

// FollowUps is the part that asks the documents with the question before.
func (q *Inquiry) FollowUps() FollowUps { return FollowUps{q} }

// Find answers a question with what the catalogue is certain of, else with what
// documents say. An answer that was not found tells how near they came.
func (q *Inquiry) Find(question string) (Answer, error) {
	reply, known := q.Replies().ask(question)
	if known && q.has("asks_price", question) && reply.Topic == "services" {
		reply.Topic = "price"
	}
	if known && reply.Topic == "hours" && len(q.Heard.When.Mentions) == 0 && q.has("catalogue_asks_where", question) {
		known = false // the hours are no place
	}
	if known && reply.Certain && !quotes[reply.Topic] && !q.Replies().listsIdly(question, reply) {
		if lists[reply.Topic] {
			if a := q.Documents().better(question, reply); a.Found() {
				return a, nil
			}
		}
		a := q.Replies().Say(question, reply)
		a.Sure = !reply.Gone
		return a, nil
	}
	if a := q.Prices().following(question, CostMatch); a.Found() {
		return a, nil
	}
	return q.Documents().find(question, reply, known)
}

// InLanguage says whether a text of the business may be said in the language of
// the conversation.
func (q *Inquiry) InLanguage(text string) bool {
	if text == "" {
		return false
	}
	lang := lexicon.Language(text)
	return lang == "" || lang == q.Lang
}

// wording is a phrase of the language of the conversation.
func (q *Inquiry) wording(phrase string) string {
	if l := language.Of(q.Lang); l != nil {
		return l.Say(phrase, "")
	}
	return ""
}
