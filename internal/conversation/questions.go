package conversation

import (
	"cmp"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/answer"
	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/passage"
)

// answerQuestion says what the business's own data, or else its documents, know
// about what was asked. Without an answer the question is noted, and somebody
// who can answer it is offered.
func (t questions) answerQuestion() {
	if t.underway().confirmStanding() {
		return
	}
	t.hearAsQuestion()
	question := t.question()
	if question == "" || t.heard.Self && len(t.heard.Questions) < 2 {
		return // what we are, we say ourselves, whatever a document tells of it
	}
	t.s.want(Ask)
	if len(t.heard.Questions) < 2 || question != t.heard.Question {
		t.answer(question)
		return
	}
	asked := t.heard.Questions
	if told := slices.DeleteFunc(slices.Clone(asked), t.sources().Announces); len(told) > 0 {
		asked = told
	}
	missed := false
	for i, question := range asked[:min(len(asked), mostQuestions)] {
		back := i > 0 && t.mix.Phrases("means_that").In(t.tokens(question))
		if back && (missed || t.sources().CostAsked(question) == "price" && passage.NamesSum(t.join(t.said))) {
			continue // "do you have it in red, and how much is it?"
		}
		if t.pricedAlready(question) || i > 0 && t.answeredWhole(question) {
			continue
		}
		before := len(t.s.Log)
		t.answer(question)
		missed = slices.ContainsFunc(t.s.Log[before:], func(e Event) bool { return e.Kind == Unanswered })
	}
}

// pricedAlready says whether a question asks for the price of what was asked before it in
// the same breath, and the answer to that has it.
func (t questions) pricedAlready(question string) bool {
	words := t.tokens(question)
	if len(t.said) == 0 || len(t.sources().TellingWords(question)) > 1 || !t.mix.Phrases("means_that").In(words) || !t.mix.Phrases("asks_price").In(words) {
		return false
	}
	return passage.NamesMoney(t.said[len(t.said)-1])
}

// answeredWhole says whether a question for a price or a length, which names nothing
// itself, was answered together with the one before it from a row of a table: "how much is
// it, and how long does it take?"
func (t questions) answeredWhole(question string) bool {
	if len(t.said) == 0 || t.sources().CostAsked(question) == "" || len(t.sources().TellingWords(question)) > 2 {
		return false
	}
	a, err := t.lookUp(t.heard.Text)
	return err == nil && a.Answered && a.Worded[t.s.Lang] != "" && strings.Contains(t.join(t.said), a.Worded[t.s.Lang])
}

// mostQuestions is how many questions of one utterance are answered.
const mostQuestions = 3

// ways are the ways to answer a question before it is put to the catalogue and the
// documents as it is, in the order in which they are tried. Each says whether it has
// answered.
var ways = []struct {
	why     string
	answers func(*turn, string) bool
}{
	{"who asks for another language may not understand an answer in this one", func(t *turn, q string) bool { return t.questions().switchLanguage(q) }},
	{"who asks whether to come with a trouble needs the advice that there is on it", func(t *turn, q string) bool { return t.emergencies().adviseWhether(q) }},
	{"the catalogue has the price of each thing, not that of an order", func(t *turn, q string) bool { return t.orders().answerTotal(q) }},
	{"the day and the time that are arranged stand in the task only", func(t *turn, q string) bool { return t.underway().sayStanding(q) }},
	{"whom the caller saw before is not known here", func(t *turn, q string) bool { return t.underway().admitSamePerson(q) }},
	{"who is there, and how far ahead can be booked, stands in the book", func(t *turn, q string) bool { return t.questions().sayOfBook(q) }},
	{"what a change costs stands in the rules of the business", func(t *turn, q string) bool { return t.underway().sayTerms(q) }},
	{"what was noted stands in the task only", func(t *turn, q string) bool { return t.questions().confirmNotes(q) }},
	{"a short question about a property need not name it", func(t *turn, q string) bool { return t.tell(q, t.inquiry().Subjects().OfListing(q)) }},
	{"what must come before a service has a price of its own", func(t *turn, q string) bool { return t.tell(q, t.inquiry().Prices().OfStepBefore(q)) }},
	{"to have somebody come and look is a service by another name", func(t *turn, q string) bool { return t.tell(q, t.inquiry().Prices().OfCallOut(q)) }},
	{"what a service includes stands in its own description", func(t *turn, q string) bool { return t.tell(q, t.inquiry().Subjects().Included(q)) }},
	{"who does it, and with how many, stands in its own description", func(t *turn, q string) bool { return t.tell(q, t.inquiry().Subjects().Fact(q)) }},
	{"what is asked to be taken away is a dish, and not the taking away", func(t *turn, q string) bool { return t.tell(q, t.inquiry().Prices().OfDish(q)) }},
	{"a price is asked of the service that is talked about, unless another is named", func(t *turn, q string) bool { return t.questions().sayPriceOfSubject(q) }},
	{"how long it takes is asked of the service that is arranged", func(t *turn, q string) bool { return t.tell(q, t.inquiry().Prices().LengthOfSubject(q)) }},
	{"the service that a question names in full is meant, not one that shares a word", func(t *turn, q string) bool { return t.tell(q, t.inquiry().Prices().OfNamedMost(q)) }},
	{"what the times after the first cost is asked without naming them", func(t *turn, q string) bool { return t.tell(q, t.inquiry().Prices().OfNextTimes(q)) }},
	{"who goes on with what tells one service from another means that one", func(t *turn, q string) bool { return t.tell(q, t.inquiry().Prices().OfVariant(q)) }},
	{"who names nothing asks about the service that was asked about last", func(t *turn, q string) bool { return t.tell(q, t.inquiry().Prices().Again(q)) }},
	{"who else does it can be told only from the question before", func(t *turn, q string) bool { return t.questions().sayElsewhere(q) }},
	{"who goes on after an answer of the documents asks the same of something else", func(t *turn, q string) bool { return t.tell(q, t.inquiry().FollowUps().Answer(q)) }},
	{"what to bring depends on the service that is being arranged", func(t *turn, q string) bool { return t.tell(q, t.inquiry().Documents().Section(q)) }},
}

// answer answers one question.
func (t questions) answer(question string) {
	question = t.mix.InFull(t.inquiry().WithMatter(question))
	for _, way := range ways {
		if way.answers(t.turn, question) {
			return
		}
	}
	t.answerFromData(question)
}

// answerFromData answers with what the catalogue or the documents have.
func (t questions) answerFromData(question string) {
	a, err := t.inquiry().Find(question)
	switch {
	case err != nil:
		t.did("answer", map[string]any{"question": question}, map[string]any{"error": "unavailable"})
		t.say("sorry")
	case !t.tell(question, a):
		t.did("answer", map[string]any{"question": question}, map[string]any{"answered": false, "match_pct": a.MatchPct})
		t.unanswered(question)
	case a.Sure:
		t.offerViewing(a.Topic)
	}
}

// sayPriceOfSubject answers what the service costs that is talked about, or was named
// beside the question in the same breath: "I was thinking of a perm, how much are they?"
func (t questions) sayPriceOfSubject(question string) bool {
	if t.s.Task.Kind == "" && t.s.Listing == "" && question != t.heard.Text && t.mix.Phrases("asks_price").In(t.tokens(question)) {
		t.talkAbout(hearing.Without(t.heard.Text, question))
	}
	return t.tell(question, t.inquiry().Prices().OfSubject(question))
}

// sayElsewhere answers who does what was asked for last. Who asks that does not want to
// come.
func (t questions) sayElsewhere(question string) bool {
	if !t.tell(question, t.inquiry().Documents().Elsewhere(question)) {
		return false
	}
	t.heard.Intents = slices.DeleteFunc(slices.Clone(t.heard.Intents), func(i Intent) bool { return i == Book })
	return true
}

// hearAsQuestion takes as a question what was heard as a wish to come, where that is
// what it is.
func (t questions) hearAsQuestion() {
	h := t.heard
	if !t.inquiry().Documents().AsksRather() {
		return
	}
	t.heard.Question = h.Text
	t.heard.Questions = []string{h.Text}
	t.heard.Intents = append(slices.DeleteFunc(slices.Clone(h.Intents), func(i Intent) bool { return i == Book }), Ask)
}

// sayOfBook answers who of the house is there and does what, and how appointments are
// made. Who was asked about may be meant by what is said next.
func (t questions) sayOfBook(question string) bool {
	reply, ok := t.catalogue.AskBook(question, t.s.Lang, t.now, t.focus())
	if !ok {
		return false
	}
	t.s.About = reply.Resource
	t.s.Topic = reply.Topic
	t.answered(question, reply.Text)
	return true
}

// focus is what a question may leave out.
func (t questions) focus() catalogue.Focus {
	return catalogue.Focus{Date: t.times().standing().Date, Resource: cmp.Or(t.s.Task.Resource, t.s.About), Service: t.s.Task.Service, With: t.s.Task.Resource}
}

// switchLanguage goes on in the language that a question asks for, where the agent
// speaks it.
func (t questions) switchLanguage(question string) bool {
	lang := language.AskedFor(t.tokens(question))
	if lang == "" || !slices.Contains(t.agent.Languages, lang) {
		return false
	}
	t.s.Lang = lang
	t.answered(question, t.words("speaks"))
	if t.s.Task.Kind == "" && !t.heard.Has(Book) && t.talk().canBook() && t.talk().namesTime() {
		t.heard.Intents = append(t.heard.Intents, Book) // who asks that first, and names a day, wants to come
	}
	if h := t.heard; t.s.Task.Kind == "" && !h.Has(Book) && len(h.Questions) < 2 && len(h.Messages)+len(h.When.Mentions)+len(h.Services) == 0 {
		t.say("go_on")
	}
	return true
}

// leaveQuestionOut forgets what was named in a question that has been answered,
// or that only asks: who asks what a filling costs does not want one instead of
// the cleaning.
func (t questions) leaveQuestionOut() {
	h := t.heard
	if h.Question == "" || !t.replied && (!h.Has(Ask) || h.Has(Book) || t.bringsWish()) {
		return
	}
	rest := hearing.Without(h.Text, h.Question)
	again := hearing.Hear(rest, t.talk().setting()).Gist()
	again.Text, again.Language, again.Intents, again.Question = h.Text, h.Language, h.Intents, h.Question
	again.Yes, again.No, again.Waits = h.Yes, h.No, h.Waits
	if h.Name == "" {
		again.Name = "" // what only leads to the question: "first tell me"
	}
	t.heard = again
}

// takeListing remembers the property that the caller talks about. A question
// about another one does not change what is being arranged.
func (t questions) takeListing() {
	if len(t.catalogue.Listings) == 0 || t.s.Task.Kind != "" && t.replied {
		return
	}
	if found := t.catalogue.FindListings(t.heard.Text, t.s.Lang); len(found) == 1 && found[0].Entry.Ref != "" {
		t.s.Listing = found[0].Entry.Ref
	}
}

// offerViewing proposes to show a property that was asked about.
func (t questions) offerViewing(topic string) {
	t.takeListing()
	if topic != "listings" || t.s.Listing == "" || t.s.Task.Kind != "" || t.heard.Has(Book) || !t.talk().canBook() {
		return
	}
	t.say("offer_viewing")
	t.s.Offer = OfferBooking
	t.expect(Nothing, t.words("yes"), t.words("quick_no_thanks"))
}

// question is what the caller asks: the part that was heard as a question or,
// when nothing else was heard and nothing was asked of them, all they said.
func (t questions) question() string {
	h := t.heard
	if asked := t.inquiry(); asked.FollowsUp() || asked.Prices().AsksOfPriced() || asked.Documents().AsksElsewhere() {
		return h.Text
	}
	if t.s.Expect == SlotConfirm && h.Yes && h.Question == "" || h.Has(LookUp) {
		return ""
	}
	if price := t.inquiry().PriceAsked(); price != "" {
		return price
	}
	if h.Question != "" && (h.Has(Ask) || len(h.Intents) == 0) {
		return h.Question
	}
	if h.Has(Ask) {
		return h.Text
	}
	if t.s.Task.Kind == "" && t.onlyCourtesy() && !h.Yes && !h.No && h.Phone == "" && !t.talk().wantsTime() && answer.WorthAsking(h.Text) {
		return h.Text
	}
	return ""
}

// onlyCourtesy says whether no intent was heard, or none but a greeting or thanks
// beside much else.
func (t questions) onlyCourtesy() bool {
	const much = 3 // telling words
	if len(t.heard.Intents) == 0 {
		return true
	}
	for _, intent := range t.heard.Intents {
		if intent != Greet && intent != Thanks {
			return false
		}
	}
	telling := 0
	for _, w := range t.tokens(t.heard.Text) {
		if !w.Figures && passage.Telling(w.Word) {
			telling++
		}
	}
	return telling >= much
}

// stillUnsaid is what of an answer does not answer the question before it, where it was
// given to that as well: who asks something else wants the rest of it.
func (t questions) stillUnsaid(question, text string) string {
	last := t.last(Answered)
	if t.s.Heard[text] == 0 || last == "" || last == question || !strings.HasPrefix(t.s.LastSay, text) {
		return text
	}
	var rest []string
	for _, s := range strings.SplitAfter(text, ". ") {
		if passage.Signs(last, s) == 0 || passage.Signs(question, s) > 0 {
			rest = append(rest, strings.TrimSpace(s))
		}
	}
	if len(rest) == 0 {
		return text
	}
	return strings.Join(rest, " ")
}

// tell says an answer that was found, and remembers what it tells of. It says whether
// there is one.
func (t *turn) tell(question string, a answer.Answer) bool {
	if !a.Found() {
		return false
	}
	if a.Topic != "" {
		t.s.Topic = a.Topic
	}
	question = cmp.Or(a.Asked, question)
	if a.Topic == "price" || a.Topic == "duration" {
		t.s.Priced = a.Service
	}
	switch a.From {
	case answer.Passage:
		t.did("answer", map[string]any{"question": question}, map[string]any{"answered": true})
	case answer.Document:
		t.did("answer", map[string]any{"question": question}, foundIn(a))
	}
	t.questions().answered(question, a.Text)
	return true
}

// foundIn is how a transcript tells of an answer that documents gave: how sure it
// is, and which they were.
func foundIn(a answer.Answer) map[string]any {
	found := map[string]any{"answered": true, "match_pct": a.MatchPct}
	var sources []map[string]any
	for _, s := range a.Sources {
		sources = append(sources, map[string]any{"document_id": string(s.ID), "title": s.Title})
	}
	if len(sources) > 0 {
		found["sources"] = sources
	}
	return found
}

func (t questions) answered(question, text string) {
	text = t.stillUnsaid(question, text)
	t.talkAbout(question)
	if text = t.notYetSaid(text); text != "" { // two questions may have one answer
		t.sayText(text)
	}
	t.replied = true
	t.changed = t.s.logOnce(Event{Kind: Answered, Text: question})
}

// notYetSaid is what of a text was not said in this turn.
func (t questions) notYetSaid(text string) string {
	said := t.join(t.said)
	if said == "" {
		return text
	}
	var rest []string
	for _, s := range strings.SplitAfter(text, ". ") {
		if s = strings.TrimSpace(s); !strings.Contains(said, s) {
			rest = append(rest, s)
		}
	}
	return strings.Join(rest, " ")
}

func (t questions) unanswered(question string) {
	if !t.heard.Has(Ask) && t.onlyCourtesy() {
		return // it may have been no question at all: policy goes on
	}
	if t.s.Task.Kind != "" && slices.ContainsFunc(t.noted, func(note string) bool { return says(question, note) }) {
		return // it asks for something to be done, and was noted and is said back
	}
	if t.bringsWish() && !t.asksBesideWish(question) {
		return // "could you make it the 14th?" wants no answer but a 14th
	}
	if t.emergencies().sayWhereTo(question) {
		return
	}
	if t.asksToBeSeen() {
		t.heard.Intents = append(t.heard.Intents, Book)
		return // "the screen is cracked, could you look at it on Monday?"
	}
	if t.inquiry().Documents().AsksForService(question) {
		t.heard.Intents = append(t.heard.Intents, Book)
		return
	}
	t.s.logOnce(Event{Kind: Unanswered, Text: question})
	if t.s.Task.Kind != "" || t.heard.Has(Book) || t.replied {
		t.say("unknown_mid")
		t.notes().keepNote(t.words("asked_note", "question", strings.TrimRight(question, " ?¿.")), false)
		return
	}
	t.say("unknown")
	t.s.Offer = OfferCall
	t.expect(Nothing, t.words("quick_number"), t.words("quick_no_thanks"))
}

// asksToBeSeen says whether what nothing answers asks for something to be done on a
// day to come: that is somebody who wants to come.
func (t questions) asksToBeSeen() bool {
	words := t.tokens(t.heard.Text)
	if t.s.Task.Kind != "" || t.heard.Has(Book) || !t.talk().canBook() || t.sources().CostAsked(t.heard.Text) != "" || t.mix.Phrases("asks_to_be_told").In(words) {
		return false
	}
	w := t.heard.When.Resolve(t.now, t.isOpen)
	day := !w.Past && (!w.Date.IsZero() || !w.First.IsZero()) || t.trade.HasEmergencies && t.mix.Phrases("cannot_wait").In(words)
	return day && t.mix.Phrases("asks_to_be_seen").In(words) && !t.mix.Phrases("hours").In(words) && t.maySuit()
}

// maySuit says whether the house has a service that what was said may be about, or one
// for whatever there is.
func (t questions) maySuit() bool {
	return len(t.bookable) < 2 || len(t.heard.Services) > 0 || len(t.catalogue.General()) > 0 || len(t.catalogue.Likely(t.heard.Text, t.s.Lang)) > 0
}

// admit says that nobody here knows, to who goes on asking after an answer.
func (t questions) admit() {
	if !t.replied && len(t.said) == 0 {
		t.heard.Intents = append(t.heard.Intents, Ask)
		t.unanswered(t.heard.Text)
	}
}

// bringsWish says whether a question is a wish in other clothes: it names a day,
// a time, a number of people or a service while something is being arranged.
func (t questions) bringsWish() bool {
	h := t.heard
	if t.s.Task.Kind == "" && !h.Has(Book) && !h.Has(Reschedule) {
		return false
	}
	says := func(m dates.Mention) bool { return !m.Points() && !t.underway().isStanding(m) }
	if slices.ContainsFunc(h.When.Mentions, says) || h.Name != "" || h.Phone != "" || h.Code != "" || h.Choice != 0 || h.Yes {
		return true
	}
	return h.Party > 0 && (h.No || t.s.Expect == SlotPartySize) || len(h.Services) > 0 && (h.No || t.s.Expect == SlotService)
}

// asksBesideWish says whether a question brings nothing that an arrangement is made
// of, whatever else was said. A service that is asked about is not wished for.
func (t questions) asksBesideWish(question string) bool {
	alone := hearing.Hear(question, t.talk().setting()).Gist()
	if t.s.Expect == SlotService && len(alone.Services) > 0 || t.s.Expect == SlotPartySize && alone.Party > 0 {
		return false
	}
	wish := func(m dates.Mention) bool { return !m.Points() && !t.underway().isStanding(m) }
	return alone.Has(Ask) && !slices.ContainsFunc(alone.When.Mentions, wish) && alone.Name+alone.Phone+alone.Code == "" && alone.Choice == 0
}

// bringsSlot says whether something was said that an arrangement is made of.
func (t questions) bringsSlot() bool {
	h := t.heard
	return len(h.When.Mentions) > 0 || h.Party > 0 || len(h.Services) > 0 || h.Name != "" || h.Phone != "" || h.Code != "" || h.Choice != 0 || len(h.Items) > 0
}

// last is what was said of the last thing of a kind that happened.
func (t questions) last(kind EventKind) string {
	for i := len(t.s.Log) - 1; i >= 0; i-- {
		if t.s.Log[i].Kind == kind {
			return t.s.Log[i].Text
		}
	}
	return ""
}

// confirmNotes answers a question for what was taken down: "is the allergy down?", "is
// the one without basil on there?"
func (t questions) confirmNotes(question string) bool {
	asked := t.tokens(question)
	if t.s.Task.Kind == "" || !t.mix.Phrases("asks_noted").In(asked) {
		return false
	}
	for _, note := range t.record() {
		if note == "" || slices.Contains(t.noted, note) {
			continue // it was said in this very turn
		}
		for _, w := range language.Tokenize(note) {
			if len(w.Word) > 3 && passage.Telling(w.Word) && slices.ContainsFunc(asked, func(q language.Token) bool { return q.Word == w.Word }) {
				t.answered(question, t.words("noted_yes", "note", note))
				return true
			}
		}
	}
	return false
}

// record is all that was taken down of what is being arranged and of what waits for it.
func (t questions) record() (all []string) {
	for _, task := range slices.Concat([]Task{t.s.Task}, t.s.Queue) {
		all = append(all, slices.Concat(task.Notes, task.Asides, strings.Split(task.About, "\n"))...)
		for _, item := range task.Items {
			all = append(all, spokenItems([]Item{item}))
		}
		for _, s := range t.bookable {
			if s.ID == task.Service {
				all = append(all, s.Say(t.s.Lang))
			}
		}
		if r, ok := t.agent.Settings.Calendar.Resource(task.Resource); ok {
			all = append(all, r.Name)
		}
	}
	return all
}
