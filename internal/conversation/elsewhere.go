package conversation

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/passage"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/understanding"
)

// doubtful is how well a document may answer a question whether something is done
// here, and one that says that it is not be better.
const doubtful = 85

// denial is the passage of the documents that says of what was asked that it is not
// done here, or who does it; "" when there is none. It has a word of what was asked,
// and more of them than the answer that was found.
func (t documents) denial(question string, found frontdesk.Answer) string {
	least := 1
	if found.Answered {
		least = max(least, passage.Signs(question, found.Text))
	}
	best, most := "", 0
	for _, written := range passage.Lines(found.Hits) {
		if n := passage.Signs(question, written); n > most && n >= least && t.tellsApart(question, written, found.Hits) && t.deniesMatter(question, written) {
			best, most = written, n
		}
	}
	return passage.Shorten(question, best)
}

// deniesMatter says whether a passage tells of something in a question that it is not
// done here, or who else does it: the sentence that has it does, or the words that
// head the passage.
func (t documents) deniesMatter(question, written string) bool {
	sentences := strings.SplitAfter(written, ". ")
	headed := len(strings.Fields(sentences[0])) <= passage.LongestHead && t.denies(sentences[0])
	return slices.ContainsFunc(sentences, func(s string) bool {
		return passage.Signs(question, s) > 0 && (headed || t.denies(s))
	})
}

// denies says whether a passage tells what is not done here, or who else does it.
func (t documents) denies(written string) bool {
	words := language.MixOf().Tokens(written)
	return language.MixOf().Phrases("denies").In(words) || language.MixOf().Phrases("refers").In(words)
}

// sayRule answers with the sentence of the house rules that has most of what was
// asked, where it has more of it than what documents answer. One word of what was asked
// is enough where it asks for little else and documents do not answer at all.
func (t documents) sayRule(question string, found frontdesk.Answer) bool {
	if found.Answered && found.MatchPct >= exactMatch || !t.heard.Has(Ask) {
		return false
	}
	least := 2 // words of the question
	if matter := t.matterOf(question); !found.Answered && len(matter) > 0 && len(matter) <= 2 {
		least = 1
	}
	if found.Answered {
		least = max(least, passage.Signs(question, found.Text)+1)
	}
	rule := t.rule(question, least)
	if t.mix.Phrases("asks_price").In(t.tokens(question)) && !passage.NamesSum(rule) && len(t.catalogue.FindServices(question, t.s.Lang)) > 0 {
		return false // when it is paid tells no price
	}
	return t.sayPassage(question, rule)
}

// sayRuleOver answers with a house rule that has more of what was asked than another
// answer.
func (t documents) sayRuleOver(question, other string) bool {
	rule := t.rule(question, 2)
	return passage.Signs(question, rule) > passage.Signs(question, other) && t.sayPassage(question, rule)
}

// rule is what the house rules say to a question: the sentence that has most of its
// words, or two that have as many; "" when none has enough of them.
func (t documents) rule(question string, least int) string {
	const mostAlike = 2
	if !t.questions().inLanguage(t.agent.Config.Policy) {
		return ""
	}
	matter := strings.Join(t.matterOf(question), " ")
	if least > 1 {
		matter = question
	}
	most, best := least-1, []string(nil)
	for _, s := range strings.SplitAfter(t.agent.Config.Policy, ". ") {
		switch n := passage.Signs(matter, s); {
		case least == 1 && len(t.unspoken(question, s)) > 0:
		case n > most:
			most, best = n, []string{strings.TrimSpace(s)}
		case n == most && n >= least:
			best = append(best, strings.TrimSpace(s))
		}
	}
	if len(best) > mostAlike {
		return ""
	}
	return strings.Join(best, " ")
}

// sayDenial answers a question whether something is done here with what documents
// say against it, where they have no better answer.
func (t documents) sayDenial(question string, found frontdesk.Answer) bool {
	if !t.heard.Has(Ask) || !t.mix.Phrases("asks_whether_done").In(t.tokens(question)) {
		return false
	}
	if t.asksWhether(question) && t.sayPassage(question, t.outrightDenial(t.thingAsked(question), found)) {
		return true
	}
	if found.Answered && found.MatchPct >= doubtful {
		return false
	}
	denial := t.denial(t.thingAsked(question), found)
	if found.Answered && !strings.Contains(denial, found.Text) && len(t.unspoken(question, denial)) >= len(t.unspoken(question, found.Text)) {
		return false // it has nothing of what was asked that the answer has not
	}
	return t.sayPassage(question, denial)
}

// outrightDenial is the sentence, of what was found or of what a service says of itself,
// that says of all that was asked for that it is not done, with the one that says who
// does it, where the answer leaves it out; "" when there is none.
func (t documents) outrightDenial(thing string, found frontdesk.Answer) string {
	matter := t.matterOf(thing)
	if len(matter) == 0 {
		return ""
	}
	denied := func(s string) bool {
		lacks := func(word string) bool { return passage.Signs(word, s) == 0 }
		return t.questions().inLanguage(s) && language.MixOf().Phrases("denies").In(language.MixOf().Tokens(s)) && !slices.ContainsFunc(matter, lacks)
	}
	var lines []string
	for _, s := range t.catalogue.Services {
		lines = append(lines, s.Description)
	}
	for _, line := range append(lines, passage.Lines(found.Hits)...) {
		sentences := strings.SplitAfter(line, ". ")
		for _, s := range sentences {
			if !denied(s) || found.Answered && strings.Contains(found.Text, strings.TrimSpace(s)) {
				continue
			}
			refers := func(o string) bool {
				return o != s && passage.Signs(thing, o) > 0 && language.MixOf().Phrases("refers").In(language.MixOf().Tokens(o))
			}
			if at := slices.IndexFunc(sentences, refers); at >= 0 {
				s += " " + sentences[at]
			}
			return strings.Join(strings.Fields(s), " ")
		}
	}
	return ""
}

// sayNotDone tells who wants something that no service is what documents say against
// it, and who insists on it that it is not among what is booked here. It says whether
// there was something to tell; then nothing is being arranged any more.
func (t documents) sayNotDone() bool {
	h := t.heard
	if t.s.Task.Kind != Book || h.Has(Order) || len(h.Services)+len(h.Unbookable)+len(h.Items) > 0 || t.s.Task.Service != "" || t.replied {
		return false
	}
	matter := t.wishMatter(h.Text)
	const most = 4 // words: who tells a tale wants to be seen about it
	if len(matter) == 0 || len(matter) > most {
		return false
	}
	denial := t.deniedWish(strings.Join(matter, " "))
	if denial == "" && !t.insists(matter) {
		return false
	}
	wish := h.Text
	t.said = nil // it was understood
	t.s.Task, t.s.Queue = Task{}, nil
	t.arrangement().letChoices()
	if t.sayPassage(wish, denial) {
		t.talk().offerMore()
		return true
	}
	t.s.logOnce(Event{Kind: Unanswered, Text: wish})
	t.say("not_listed")
	t.s.Offer = OfferCall
	t.expect(Nothing, t.words("quick_number"), t.words("quick_no_thanks"))
	return true
}

// deniedWish is what documents say against what is wanted; "" when nothing.
func (t documents) deniedWish(matter string) string {
	a, err := t.lookUp(matter)
	if err != nil {
		return ""
	}
	a.Answered = false // whatever else it says
	denial := t.outrightDenial(matter, a)
	if denial == "" {
		denial = t.denial(matter, a)
	}
	if !t.questions().inLanguage(denial) {
		return ""
	}
	return denial
}

// wishMatter are the words of a wish that say what is wanted: neither that it is, nor
// when.
func (t documents) wishMatter(wish string) []string {
	for _, m := range t.heard.When.Mentions {
		if m.Start >= 0 && m.Start < m.End && m.End <= len(wish) {
			wish = wish[:m.Start] + strings.Repeat(" ", m.End-m.Start) + wish[m.End:]
		}
	}
	return slices.DeleteFunc(t.matterOf(wish), func(word string) bool {
		said := func(list string) bool { return t.mix.Words(list)[word] }
		return slices.ContainsFunc(wishWords, said) || t.mix.Words("set booking")[word] || t.speaksOf(t.servicesText(), word)
	})
}

// servicesText is what the services are called.
func (t documents) servicesText() (text string) {
	for _, s := range t.catalogue.Services {
		text += " " + strings.Join(slices.Concat(s.AllNames(), s.Aliases), " ")
	}
	return text
}

// insists says whether who was asked for the service names again what was no service
// before.
func (t documents) insists(matter []string) bool {
	const short = 4 // words that tell something
	if t.s.Expect != SlotService || t.s.Task.Tries[SlotService] == 0 || t.telling() > short {
		return false
	}
	before := slices.DeleteFunc(slices.Clone(t.s.Lines), func(line string) bool { return !understanding.IsCallerLine(line) })
	if len(before) < 2 {
		return false
	}
	told := strings.Join(before[:len(before)-1], " ")
	return slices.ContainsFunc(matter, func(word string) bool { return passage.Signs(word, told) > 0 })
}

// thingAsked is a question without the words that ask whether something is done:
// what is not taught is no answer to everything that may be taught.
func (t documents) thingAsked(question string) string {
	words := t.tokens(question)
	from, to, ok := t.mix.Phrases("asks_whether_done").Find(words)
	if !ok {
		return question
	}
	return question[:words[from].Start] + question[words[to-1].End:]
}

func (t documents) sayPassage(question, written string) bool {
	if written == "" {
		return false
	}
	t.did("answer", map[string]any{"question": question}, map[string]any{"answered": true})
	t.questions().answered(question, written)
	return true
}

// asksElsewhere says whether somebody who asked for something asks who does it
// then, and names nothing: "who does then?"
func (t documents) asksElsewhere() bool {
	return t.lastQuestion() != "" && t.s.Task.Kind == "" && t.mix.Phrases("asks_elsewhere").In(t.tokens(t.heard.Text))
}

// sayElsewhere answers who does what was asked for last.
func (t documents) sayElsewhere(question string) bool {
	if !t.asksElsewhere() {
		return false
	}
	last := t.lastQuestion()
	a, err := t.lookUp(last)
	if err != nil {
		return false
	}
	a.Answered = false // whatever else it says
	denial := t.denial(t.thingAsked(last)+" "+question, a)
	if denial == "" {
		denial = t.everydayDenial(last)
	}
	if !t.sayPassage(question, denial) {
		return false
	}
	t.heard.Intents = slices.DeleteFunc(slices.Clone(t.heard.Intents), func(i Intent) bool { return i == Book })
	return true
}

// everydayDenial is what documents say against an everyday matter that was asked for,
// whatever the words; "" when nothing.
func (t documents) everydayDenial(question string) string {
	for _, topic := range t.everydayTopics(question) {
		a, err := t.lookUp(topic.query)
		if err != nil {
			return ""
		}
		if written := topic.passage(question, a.Hits); t.denies(written) {
			return written
		}
	}
	return ""
}

// lastQuestion is what was asked last, answered or not.
func (t documents) lastQuestion() string {
	for i := len(t.s.Log) - 1; i >= 0; i-- {
		if k := t.s.Log[i].Kind; k == Answered || k == Unanswered {
			return t.s.Log[i].Text
		}
	}
	return ""
}

// saySection answers who asks what to bring for what is being arranged with the
// passage of the documents that is headed by its name: "For an ITIN. Your passport."
func (t documents) saySection(question string) bool {
	service := t.booking().service()
	if service.ID == "" || len(t.heard.Services) > 0 || !t.mix.Phrases("asks_what_to_bring").In(t.tokens(question)) {
		return false
	}
	a, err := t.lookUp(question + " " + service.Say(t.s.Lang))
	if err != nil {
		return false
	}
	for _, h := range a.Hits {
		for written := range strings.Lines(h.Fragment.Text) {
			if head, text, ok := passage.SplitHead(strings.TrimSpace(written)); ok && t.prices().names(head, service) {
				return t.sayPassage(question, text)
			}
		}
	}
	return false
}
