package conversation

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/passage"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/language"
)

// answerQuestion says what the business's own data, or else its documents, know
// about what was asked. Without an answer the question is noted, and somebody
// who can answer it is offered.
func (t questions) answerQuestion() {
	if t.underway().confirmStanding() {
		return
	}
	t.documents().hearAsQuestion()
	question := t.question()
	if question == "" {
		return
	}
	t.s.want(Ask)
	if len(t.heard.Questions) < 2 || question != t.heard.Question {
		t.answer(question)
		return
	}
	asked := t.heard.Questions
	if told := slices.DeleteFunc(slices.Clone(asked), t.announces); len(told) > 0 {
		asked = told
	}
	missed := false
	for i, question := range asked[:min(len(asked), mostQuestions)] {
		back := i > 0 && t.mix.Phrases("means_that").In(t.tokens(question))
		if back && (missed || t.prices().costAsked(question) == "price" && passage.NamesSum(t.join(t.said))) {
			continue // "do you have it in red, and how much is it?"
		}
		if t.pricedAlready(question) {
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
	if len(t.said) == 0 || len(t.tellingWords(question)) > 1 || !t.mix.Phrases("means_that").In(words) || !t.mix.Phrases("asks_price").In(words) {
		return false
	}
	return strings.ContainsAny(t.said[len(t.said)-1], "€$£")
}

// announces says whether a question only says that there is one: "a quick question".
func (t questions) announces(question string) bool {
	words := t.tokens(question)
	_, to, ok := t.mix.Phrases("lead_phrases").Find(words)
	return len(t.tellingWords(question)) == 0 && !t.mix.Phrases("points_back").In(words) || ok && to >= len(words)
}

// mostQuestions is how many questions of one utterance are answered.
const mostQuestions = 3

// sources are what may answer a question before the catalogue and the documents are
// asked, in the order in which they are tried. Each says whether it has answered.
var sources = []struct {
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
	{"a short question about a property need not name it", func(t *turn, q string) bool { return t.prices().sayOfListing(q) }},
	{"what a service includes stands in its own description", func(t *turn, q string) bool { return t.prices().sayIncluded(q) }},
	{"who does it, and with how many, stands in its own description", func(t *turn, q string) bool { return t.prices().saySubjectFact(q) }},
	{"what is asked to be taken away is a dish, and not the taking away", func(t *turn, q string) bool { return t.prices().sayDishPrice(q) }},
	{"a price is asked of the service that is talked about, unless another is named", func(t *turn, q string) bool { return t.prices().saySubjectPrice(q) }},
	{"how long it takes is asked of the service that is arranged", func(t *turn, q string) bool { return t.prices().saySubjectLength(q) }},
	{"the service that a question names in full is meant, not one that shares a word", func(t *turn, q string) bool { return t.prices().sayNamedMost(q) }},
	{"what the times after the first cost is asked without naming them", func(t *turn, q string) bool { return t.prices().sayNextTimes(q) }},
	{"who goes on with what tells one service from another means that one", func(t *turn, q string) bool { return t.prices().sayVariant(q) }},
	{"who names nothing asks about the service that was asked about last", func(t *turn, q string) bool { return t.prices().sayPricedAgain(q) }},
	{"who else does it can be told only from the question before", func(t *turn, q string) bool { return t.documents().sayElsewhere(q) }},
	{"what to bring depends on the service that is being arranged", func(t *turn, q string) bool { return t.documents().saySection(q) }},
}

// answer answers one question.
func (t questions) answer(question string) {
	question = t.mix.InFull(t.withMatter(question))
	for _, source := range sources {
		if source.answers(t.turn, question) {
			return
		}
	}
	t.answerFromData(question)
}

// withMatter is the question for a price with what was told in the same breath, where it
// names nothing itself: "we're bringing the dog, is there anything to pay?"
func (t questions) withMatter(question string) string {
	words := t.tokens(question)
	from, to, ok := t.mix.Phrases("asks_price").Find(words)
	if !ok || t.s.Task.Kind != "" || len(t.heard.Notes)+len(t.heard.Asides) == 0 {
		return question
	}
	if rest := question[:words[from].Start] + " " + question[words[to-1].End:]; len(t.documents().matterOf(rest)) > 0 {
		return question
	}
	return t.heard.Text
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

// answerFromData answers with the catalogue where it is certain, else with the
// documents.
func (t questions) answerFromData(question string) {
	reply, known := t.askCatalogue(question)
	if known && t.mix.Phrases("asks_price").In(t.tokens(question)) && reply.Topic == "services" {
		reply.Topic = "price"
	}
	if known && reply.Certain && !quotes[reply.Topic] && !t.listsIdly(question, reply) {
		if lists[reply.Topic] && t.documents().sayBetter(question, reply) {
			return
		}
		t.sayReply(question, reply)
		if !reply.Gone {
			t.offerViewing(reply.Topic)
		}
		return
	}
	if t.prices().followCosts(question, costMatch) {
		return
	}
	t.documents().answerFromDocuments(question, reply, known)
}

// listsIdly says whether a list of all prices is no answer to a question, which
// has a matter of its own: "if we bring our own wine, do you charge for that?"
func (t questions) listsIdly(question string, reply catalogue.Reply) bool {
	if !reply.All {
		return false
	}
	return t.thin(question) && t.tellsBeside(question) || t.mix.Phrases("means_that").In(t.tokens(question))
}

// thin says whether a question tells next to nothing by itself: "do you charge for
// that?", "what happens then?"
func (t questions) thin(question string) bool { return len(t.tellingWords(question)) <= 1 }

// tellsBeside says whether more was said than the question.
func (t questions) tellsBeside(question string) bool {
	return len(t.tellingWords(without(t.heard.Text, question))) > 0
}

// tellingWords are the words of a text that tell something.
func (t questions) tellingWords(text string) (all []string) {
	for _, w := range t.tokens(text) {
		if len(w.Word) > 2 && !w.Figures && !passage.Small(w.Word) && !t.mix.Words("says_nothing")[w.Word] {
			all = append(all, w.Word)
		}
	}
	return all
}

// quotes are the topics that the catalogue answers with what the business wrote
// about them, whole: a document may say just what was asked.
var quotes = map[string]bool{"shipping": true, "returns": true, "policy": true, "zones": true}

// lists are the topics that the catalogue answers with what there is: it is no answer
// where a document has what was asked about it.
var lists = map[string]bool{"services": true, "listings": true, "products": true, "hours": true, "duration": true}

// exactMatch is how well a document must answer to be taken before a text of the
// business about the same matter.
const exactMatch = 85

// betterThanQuote says whether a document answers a question better than a text
// of the business about its matter: it fits well, and has more of what was asked.
func betterThanQuote(question string, a frontdesk.Answer, quote catalogue.Reply) bool {
	return a.Answered && a.MatchPct >= exactMatch && passage.Signs(question, a.Text) > passage.Signs(question, quote.Text)
}

// sayReply answers with what the business's own data say.
func (t questions) sayReply(question string, reply catalogue.Reply) {
	t.s.Topic = reply.Topic
	if found := t.catalogue.FindServices(question, t.s.Lang); reply.Topic == "price" || reply.Topic == "duration" {
		t.s.Priced = ""
		if len(found) > 0 {
			t.s.Priced = found[0].Entry.ID
		}
	}
	if reply.Topic == "price" && t.s.Priced != "" {
		reply.Text = t.prices().addSurcharge(question, t.s.Priced, reply.Text)
	}
	t.answered(question, reply.Text)
}

// askCatalogue asks the business's own data, also for what the question leaves
// out because it was talked about before: "how much is it?" in the middle of a
// booking, "and on Saturdays?" after the hours.
func (t questions) askCatalogue(question string) (catalogue.Reply, bool) {
	reply, known := t.catalogue.AskOf(question, t.s.Lang, t.now, t.focus())
	if told := t.dietTold(question); told != "" {
		fuller, ok := t.certainReply(told + " " + question)
		return fuller, ok && fuller.Topic != "services"
	}
	if fuller, ok := t.askOfService(question); ok {
		return fuller, true
	}
	if fuller, ok := t.askFollowUp(question); ok {
		return fuller, true
	}
	if known && reply.Certain {
		return reply, true
	}
	if fuller, ok := t.askOnTopic(question); ok {
		return fuller, true
	}
	if fuller, ok := t.askWithRest(question); ok {
		return fuller, true
	}
	if fuller, ok := t.askOpenThen(question); ok && !known {
		return fuller, true
	}
	return reply, known
}

// askOpenThen asks for the hours of a day that is all that a question names: "and on
// Sundays?"
func (t questions) askOpenThen(question string) (catalogue.Reply, bool) {
	const most = 5 // words
	if t.s.Task.Kind != "" || len(t.heard.When.Mentions) == 0 || len(strings.Fields(question)) > most {
		return catalogue.Reply{}, false
	}
	reply, ok := t.certainReply(t.words("topic_hours") + " " + question)
	return reply, ok && reply.Topic == "hours"
}

// dietTold is what was told of what somebody must not or will not eat, beside a question
// for something that they can; "" when nothing was.
func (t questions) dietTold(question string) string {
	words := t.tokens(t.heard.Text)
	from, to, ok := t.mix.Phrases("tells_diet").Find(words)
	if !ok || !t.mix.Phrases("asks_for_food").In(t.tokens(question)) || t.mix.Phrases("tells_diet").In(t.tokens(question)) {
		return ""
	}
	return t.heard.Text[words[from].Start:words[to-1].End]
}

// certainReply is what the catalogue answers, where it is certain of it.
func (t questions) certainReply(question string) (catalogue.Reply, bool) {
	reply, known := t.catalogue.Ask(question, t.s.Lang, t.now)
	return reply, known && reply.Certain
}

// askOfService asks for the price or the length of the service that is being
// arranged, where no other was named.
func (t questions) askOfService(question string) (catalogue.Reply, bool) {
	name := t.booking().service().Say(t.s.Lang)
	if name == "" || len(t.heard.Services) > 0 {
		return catalogue.Reply{}, false
	}
	reply, ok := t.certainReply(question + " " + name)
	return reply, ok && (reply.Topic == "price" || reply.Topic == "duration")
}

// askFollowUp asks of something else what was answered before: the whole last
// question where the caller adds to it, else its topic.
func (t questions) askFollowUp(question string) (catalogue.Reply, bool) {
	topic := t.words("topic_" + t.s.Topic)
	if topic == "" || !t.followsUp() {
		return catalogue.Reply{}, false
	}
	_, thing, _ := strings.Cut(strings.TrimSpace(question), " ")
	if t.mix.Phrases("follows_up_with").In(t.tokens(question)) {
		if reply, ok := t.certainReply(t.last(Answered) + " " + thing); ok {
			return reply, true
		}
	}
	return t.certainReply(topic + " " + thing)
}

// askOnTopic asks a short question together with the topic that was talked about,
// which it may leave out.
func (t questions) askOnTopic(question string) (catalogue.Reply, bool) {
	const most = 5 // words
	topic := t.words("topic_" + t.s.Topic)
	if topic == "" || len(strings.Fields(question)) > most {
		return catalogue.Reply{}, false
	}
	reply, ok := t.certainReply(topic + " " + question)
	return reply, ok && reply.Topic == t.s.Topic
}

// askWithRest asks with all that was said: "I'm allergic to nuts, what can I eat?"
// asks with its first half too.
func (t questions) askWithRest(question string) (catalogue.Reply, bool) {
	whole := t.heard.Text
	if whole == question || len(t.heard.Questions) >= 2 {
		return catalogue.Reply{}, false
	}
	return t.certainReply(frontdesk.Clip(whole, frontdesk.MaxQuestion))
}

// leaveQuestionOut forgets what was named in a question that has been answered,
// or that only asks: who asks what a filling costs does not want one instead of
// the cleaning.
func (t questions) leaveQuestionOut() {
	h := t.heard
	if h.Question == "" || !t.replied && (!h.Has(Ask) || h.Has(Book) || t.bringsWish()) {
		return
	}
	rest := without(h.Text, h.Question)
	again := hearing.Hear(rest, t.talk().setting()).Gist()
	again.Text, again.Language, again.Intents, again.Question = h.Text, h.Language, h.Intents, h.Question
	again.Yes, again.No, again.Waits = h.Yes, h.No, h.Waits
	t.heard = again
}

// without is a text without the words of a question, which may stand in several
// places of it.
func without(text, question string) string {
	for question = strings.TrimSpace(question); question != ""; {
		chunk := question
		for chunk != "" && !strings.Contains(text, chunk) {
			chunk = strings.TrimSpace(chunk[:max(strings.LastIndex(chunk, " "), 0)])
		}
		if chunk == "" {
			_, question, _ = strings.Cut(question, " ")
			continue
		}
		text = strings.Replace(text, chunk, " ", 1)
		question = strings.TrimSpace(strings.TrimPrefix(question, chunk))
	}
	return strings.TrimSpace(text)
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
	if t.followsUp() || t.prices().asksOfPriced() || t.documents().asksElsewhere() {
		return h.Text
	}
	if t.s.Expect == SlotConfirm && h.Yes && h.Question == "" || h.Has(LookUp) {
		return ""
	}
	if price := t.priceAsked(); price != "" {
		return price
	}
	if h.Question != "" && (h.Has(Ask) || len(h.Intents) == 0) {
		return h.Question
	}
	if h.Has(Ask) {
		return h.Text
	}
	if t.s.Task.Kind == "" && t.onlyCourtesy() && !h.Yes && !h.No && h.Phone == "" && !t.talk().wantsTime() && speaks(h.Text) {
		return h.Text
	}
	return ""
}

// priceAsked is the question for a price at the end of what was said, where it was
// not heard as one, or only the last words of it: "I was thinking of a perm like how much
// are they".
func (t questions) priceAsked() string {
	const most = 6 // words
	h := t.heard
	if t.s.Task.Kind != "" || len(h.Questions) > 1 || h.Question != "" && len(t.tellingWords(h.Question)) > 0 {
		return ""
	}
	words := t.tokens(h.Text)
	from, _, ok := t.mix.Phrases("asks_price").Find(words)
	if !ok || len(words)-from > most {
		return ""
	}
	return h.Text[words[from].Start:]
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
		if len(w.Word) > 2 && !w.Figures && !passage.Small(w.Word) {
			telling++
		}
	}
	return telling >= much
}

// speaks says whether a text has words enough to be worth asking about.
func speaks(text string) bool {
	words := 0
	for _, w := range strings.Fields(text) {
		w = strings.TrimFunc(w, unicode.IsPunct)
		if strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '\'' && r != '’' }) {
			continue
		}
		if utf8.RuneCountInString(w) > 2 {
			words++
		}
	}
	return words >= 2
}

// talkAbout remembers the service that a question was about.
func (t questions) talkAbout(question string) {
	found := t.catalogue.FindServices(question, t.s.Lang)
	if len(found) == 0 || found[0].Score < namedMatch || len(found) > 1 && found[1].Score >= found[0].Score || !found[0].Entry.Bookable && len(t.catalogue.Listings) > 0 {
		return
	}
	t.prices().remember(found[0].Entry.ID)
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

func (t questions) answered(question, text string) {
	text = t.stillUnsaid(question, text)
	t.talkAbout(question)
	if !strings.Contains(t.join(t.said), text) { // two questions may have one answer
		t.sayText(text)
	}
	t.replied = true
	t.changed = t.s.logOnce(Event{Kind: Answered, Text: question})
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
	if t.documents().asksForService(question) {
		t.heard.Intents = append(t.heard.Intents, Book)
		return
	}
	t.s.logOnce(Event{Kind: Unanswered, Text: question})
	if t.s.Task.Kind != "" || t.heard.Has(Book) || t.replied {
		t.say("unknown_mid")
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
	if t.s.Task.Kind != "" || t.heard.Has(Book) || !t.talk().canBook() || t.prices().costAsked(t.heard.Text) != "" || t.mix.Phrases("asks_to_be_told").In(words) {
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
			if len(w.Word) > 3 && !passage.Small(w.Word) && slices.ContainsFunc(asked, func(q language.Token) bool { return q.Word == w.Word }) {
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

// sureMatch is how well documents must answer what was not asked as a question:
// it may have been told on the way.
const sureMatch = 65

// namedMatch is how well a service must fit a question to be what it asks about.
const namedMatch = 0.6

// followsUp says whether somebody who was answered goes on to ask the same of
// something else: "and a scale and polish?" after the price of an implant.
func (t questions) followsUp() bool {
	const most = 10 // words
	words := t.tokens(t.heard.Text)
	if len(words) > 0 { // what follows a comma tells why
		words = slices.DeleteFunc(slices.Clone(words), func(w language.Token) bool { return w.Clause != words[0].Clause })
	}
	if t.s.Topic == "" || t.s.Task.Kind != "" || len(words) > most || len(t.heard.When.Mentions) > 0 || t.heard.Phone != "" {
		return false
	}
	return t.mix.Phrases("follows_up").In(words) && !t.asksItsOwn(words)
}

// asksItsOwn says whether a question that begins as a follow-up asks for something
// else than what was talked about: "and if it's my first time, what do I bring?"
func (t questions) asksItsOwn(words []language.Token) bool {
	if t.mix.Phrases("asks_duty").In(words) || t.mix.Phrases("asks_count").In(words) {
		return true
	}
	cost := t.prices().costAsked(t.heard.Text)
	return cost != "" && cost != t.s.Topic && t.s.Topic != "price" && t.s.Topic != "duration"
}
