package conversation

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
	for _, question := range asked[:min(len(asked), mostQuestions)] {
		t.answer(question)
	}
}

// announces says whether a question only says that there is one: "a quick question".
func (t questions) announces(question string) bool {
	words := t.mix.Tokens(question)
	_, to, ok := t.mix.Phrases("lead_phrases").Find(words)
	return len(t.tellingWords(question)) == 0 && !t.mix.Phrases("points_back").In(words) || ok && to >= len(words)
}

// mostQuestions is how many questions of one utterance are answered.
const mostQuestions = 3

// answer answers one question.
func (t questions) answer(question string) {
	if lang := language.AskedFor(t.mix.Tokens(question)); lang != "" && slices.Contains(t.agent.Languages, lang) {
		t.s.Lang = lang
		t.answered(question, t.words("speaks"))
		if t.s.Task.Kind == "" && !t.heard.Has(Book) && len(t.heard.Messages) == 0 {
			t.say("go_on")
		}
		return
	}
	if t.messages().answerTotal(question) || t.confirmNotes(question) || t.prices().sayOfListing(question) || t.prices().sayIncluded(question) || t.prices().saySubjectPrice(question) || t.prices().sayPricedAgain(question) || t.sayElsewhere(question) || t.saySection(question) {
		return
	}
	reply, known := t.askCatalogue(question)
	if known && t.mix.Phrases("asks_price").In(t.mix.Tokens(question)) && reply.Topic == "services" {
		reply.Topic = "price"
	}
	if known && reply.Certain && !quotes[reply.Topic] && !t.listsIdly(question, reply) {
		t.sayReply(question, reply)
		if !reply.Gone {
			t.offerViewing(reply.Topic)
		}
		return
	}
	if t.prices().followCosts(question, costMatch) {
		return
	}
	t.answerFromDocuments(question, reply, known)
}

// answerFromDocuments answers what the catalogue is not certain of.
func (t questions) answerFromDocuments(question string, reply catalogue.Reply, known bool) {
	cost, priced := t.prices().findCosts(question)
	a, err := t.askDocuments(question)
	switch {
	case err != nil && !known && !priced:
		t.did("answer", map[string]any{"question": question}, map[string]any{"error": "unavailable"})
		t.say("sorry")
	case known && reply.Certain && !reply.All && !betterThanQuote(question, a, reply):
		t.sayReply(question, reply)
	case priced && cost.betterThan(a):
		t.prices().sayCosts(question, cost)
	case err == nil && (t.sayDenial(question, a) || t.sayRule(question, a)):
	case err == nil && a.Answered && (t.heard.Has(Ask) || a.MatchPct >= sureMatch):
		t.did("answer", map[string]any{"question": question}, map[string]any{"answered": true, "match_pct": a.MatchPct})
		t.answered(question, a.Say(t.s.Lang))
	case known:
		t.sayReply(question, reply)
	case t.prices().followCosts(question, alikeMatch), t.prices().tellSubject(question):
	default:
		t.did("answer", map[string]any{"question": question}, map[string]any{"answered": false, "match_pct": a.MatchPct})
		t.unanswered(question)
	}
}

// listsIdly says whether a list of all prices is no answer to a question, which
// has a matter of its own: "if we bring our own wine, do you charge for that?"
func (t questions) listsIdly(question string, reply catalogue.Reply) bool {
	if !reply.All {
		return false
	}
	return t.thin(question) && t.tellsBeside(question) || t.mix.Phrases("means_that").In(t.mix.Tokens(question))
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
	for _, w := range t.mix.Tokens(text) {
		if len(w.Word) > 2 && !w.Figures && !isSmall(w.Word) && !t.mix.Words("says_nothing")[w.Word] {
			all = append(all, w.Word)
		}
	}
	return all
}

// quotes are the topics that the catalogue answers with what the business wrote
// about them, whole: a document may say just what was asked.
var quotes = map[string]bool{"shipping": true, "returns": true, "policy": true, "zones": true}

// exactMatch is how well a document must answer to be taken before a text of the
// business about the same matter.
const exactMatch = 85

// betterThanQuote says whether a document answers a question better than a text
// of the business about its matter: it fits well, and has more of what was asked.
func betterThanQuote(question string, a frontdesk.Answer, quote catalogue.Reply) bool {
	return a.Answered && a.MatchPct >= exactMatch && signsIn(question, a.Text) > signsIn(question, quote.Text)
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

// askDocuments asks the documents what was asked. What the question leaves out
// because it was talked about before, or has too much of, is tried as well: with
// the service that is being arranged ("does the card cover it?"), without the words
// that say nothing, with all that was said ("we bring the dog, is there a charge?").
func (t questions) askDocuments(question string) (frontdesk.Answer, error) {
	const most = 30 // words
	best, err := t.desk.Answer(t.ctx, clipQuestion(question))
	if err != nil {
		return best, err
	}
	plain := t.plain(question)
	if name := t.booking().service().Say(t.s.Lang); name != "" && len(t.heard.Services) == 0 && t.mix.Phrases("points_back").In(t.mix.Tokens(question)) {
		if a, err := t.desk.Answer(t.ctx, clipQuestion(plain+" "+name)); err == nil && a.Answered && signsIn(t.heard.Text, a.Text) > 0 && (!best.Answered || a.MatchPct >= sureMatch) {
			return a, nil
		}
	}
	var others []string
	if !best.Answered && plain != question && speaks(plain) {
		others = append(others, plain)
	}
	if whole := t.heard.Text; whole != question && len(strings.Fields(whole)) <= most && (t.thin(question) || len(t.heard.Questions) < 2 && t.s.Task.Kind == "") {
		others = append(others, whole)
	}
	for _, other := range others {
		if a, err := t.desk.Answer(t.ctx, clipQuestion(other)); err == nil && a.Answered && a.MatchPct > best.MatchPct {
			best = a
		}
	}
	return best, nil
}

// plain is a question without the words that only point at what was said before,
// or address whoever answers.
func (t questions) plain(question string) string {
	var kept []string
	words := strings.Fields(question)
	if len(words) > 2 && t.mix.Words("asks_indirectly")[language.Fold(words[0])] {
		words = words[1:] // "if there is a lift"
	}
	for _, w := range words {
		if folded := language.Fold(strings.TrimFunc(w, unicode.IsPunct)); !t.mix.Words("says_nothing")[folded] {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ")
}

// askCatalogue asks the business's own data, also for what the question leaves
// out because it was talked about before: "how much is it?" in the middle of a
// booking, "and on Saturdays?" after the hours.
func (t questions) askCatalogue(question string) (catalogue.Reply, bool) {
	reply, known := t.catalogue.Ask(question, t.s.Lang, t.now)
	if name := t.booking().service().Say(t.s.Lang); name != "" && len(t.heard.Services) == 0 {
		fuller, ok := t.catalogue.Ask(question+" "+name, t.s.Lang, t.now)
		if ok && fuller.Certain && (fuller.Topic == "price" || fuller.Topic == "duration") {
			return fuller, true
		}
	}
	if topic := t.words("topic_" + t.s.Topic); topic != "" && t.followsUp() {
		_, thing, _ := strings.Cut(strings.TrimSpace(question), " ")
		if t.mix.Phrases("follows_up_with").In(t.mix.Tokens(question)) {
			if fuller, ok := t.catalogue.Ask(t.last(Answered)+" "+thing, t.s.Lang, t.now); ok && fuller.Certain {
				return fuller, true
			}
		}
		if fuller, ok := t.catalogue.Ask(topic+" "+thing, t.s.Lang, t.now); ok && fuller.Certain {
			return fuller, true
		}
	}
	if topic := t.words("topic_" + t.s.Topic); topic != "" && !(known && reply.Certain) && len(strings.Fields(question)) <= 5 {
		if fuller, ok := t.catalogue.Ask(topic+" "+question, t.s.Lang, t.now); ok && fuller.Certain && fuller.Topic == t.s.Topic {
			return fuller, true
		}
	}
	if whole := t.heard.Text; !(known && reply.Certain) && whole != question && len(t.heard.Questions) < 2 {
		// "I'm allergic to nuts, what can I eat?" asks with its first half too.
		if fuller, ok := t.catalogue.Ask(cut(whole, frontdesk.MaxQuestion), t.s.Lang, t.now); ok && fuller.Certain {
			return fuller, true
		}
	}
	return reply, known
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
	if t.followsUp() || t.prices().asksOfPriced() || t.asksElsewhere() {
		return h.Text
	}
	if t.s.Expect == SlotConfirm && h.Yes && h.Question == "" || h.Has(LookUp) {
		return ""
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
	for _, w := range t.mix.Tokens(t.heard.Text) {
		if len(w.Word) > 2 && !w.Figures && !isSmall(w.Word) {
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

func clipQuestion(q string) string {
	return cut(q, frontdesk.MaxQuestion)
}

// talkAbout remembers the service that a question was about.
func (t questions) talkAbout(question string) {
	found := t.catalogue.FindServices(question, t.s.Lang)
	if len(found) == 0 || found[0].Score < namedMatch || len(found) > 1 && found[1].Score >= found[0].Score || !found[0].Entry.Bookable {
		return
	}
	t.prices().remember(found[0].Entry.ID)
}

func (t questions) answered(question, text string) {
	t.talkAbout(question)
	t.sayText(text)
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
	t.s.logOnce(Event{Kind: Unanswered, Text: question})
	if t.s.Task.Kind != "" || t.heard.Has(Book) || t.replied {
		t.say("unknown_mid")
		return
	}
	t.say("unknown")
	t.s.Offer = OfferCall
	t.expect(Nothing, t.words("quick_number"), t.words("quick_no_thanks"))
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
	says := func(m dates.Mention) bool { return !m.Points() }
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
	return alone.Has(Ask) && len(alone.When.Mentions) == 0 && alone.Name+alone.Phone+alone.Code == "" && alone.Choice == 0
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

// confirmNotes answers a question for what was noted: "is the allergy down?"
func (t questions) confirmNotes(question string) bool {
	asked := t.mix.Tokens(question)
	if t.s.Task.Kind == "" || !t.mix.Phrases("asks_noted").In(asked) {
		return false
	}
	for _, note := range slices.Concat(t.s.Task.Notes, t.s.Task.Asides) {
		if slices.Contains(t.noted, note) {
			continue // it was said in this very turn
		}
		for _, w := range language.Tokenize(note) {
			if len(w.Word) > 3 && !isSmall(w.Word) && slices.ContainsFunc(asked, func(q language.Token) bool { return q.Word == w.Word }) {
				t.answered(question, t.words("noted_yes", "note", note))
				return true
			}
		}
	}
	return false
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
	words := t.mix.Tokens(t.heard.Text)
	if t.s.Topic == "" || t.s.Task.Kind != "" || len(words) > most || len(t.heard.When.Mentions) > 0 || t.heard.Phone != "" {
		return false
	}
	return t.mix.Phrases("follows_up").In(words) && !t.asksItsOwn(words)
}

// asksItsOwn says whether a question that begins as a follow-up asks for something
// else than what was talked about: "and if it's my first time, what do I bring?"
func (t questions) asksItsOwn(words []language.Token) bool {
	if t.mix.Phrases("asks_duty").In(words) {
		return true
	}
	cost := t.prices().costAsked(t.heard.Text)
	return cost != "" && cost != t.s.Topic && t.s.Topic != "price" && t.s.Topic != "duration"
}
