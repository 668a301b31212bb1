package conversation

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
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
		least = max(least, signsIn(question, found.Text))
	}
	best, most := "", 0
	for _, passage := range linesOf(found.Hits) {
		if n := signsIn(question, passage); n > most && n >= least && t.tellsApart(question, passage, found.Hits) && t.deniesMatter(question, passage) {
			best, most = passage, n
		}
	}
	return shortenPassage(question, best)
}

// deniesMatter says whether a passage tells of something in a question that it is not
// done here, or who else does it: the sentence that has it does, or the words that
// head the passage.
func (t documents) deniesMatter(question, passage string) bool {
	sentences := strings.SplitAfter(passage, ". ")
	headed := len(strings.Fields(sentences[0])) <= longestHead && t.denies(sentences[0])
	return slices.ContainsFunc(sentences, func(s string) bool {
		return signsIn(question, s) > 0 && (headed || t.denies(s))
	})
}

// longestHead is how many words head a passage at most.
const longestHead = 6

// denies says whether a passage tells what is not done here, or who else does it.
func (t documents) denies(passage string) bool {
	words := language.MixOf().Tokens(passage)
	return language.MixOf().Phrases("denies").In(words) || language.MixOf().Phrases("refers").In(words)
}

// longestPassage is how much of a passage is said, in characters.
const longestPassage = 260

// shortenPassage leaves of a long passage the sentences that have a word of the
// question.
func shortenPassage(question, passage string) string {
	if len(passage) <= longestPassage {
		return passage
	}
	var kept []string
	for _, s := range strings.SplitAfter(passage, ". ") {
		if signsIn(question, s) > 0 {
			kept = append(kept, strings.TrimSpace(s))
		}
	}
	return cut(strings.Join(kept, " "), 2*longestPassage)
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
		least = max(least, signsIn(question, found.Text)+1)
	}
	return t.sayPassage(question, t.rule(question, least))
}

// sayRuleOver answers with a house rule that has more of what was asked than another
// answer.
func (t documents) sayRuleOver(question, other string) bool {
	rule := t.rule(question, 2)
	return signsIn(question, rule) > signsIn(question, other) && t.sayPassage(question, rule)
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
		switch n := signsIn(matter, s); {
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
	if found.Answered && found.MatchPct >= doubtful || !t.heard.Has(Ask) || !t.mix.Phrases("asks_whether_done").In(t.tokens(question)) {
		return false
	}
	denial := t.denial(t.thingAsked(question), found)
	if found.Answered && !strings.Contains(denial, found.Text) && len(t.unspoken(question, denial)) >= len(t.unspoken(question, found.Text)) {
		return false // it has nothing of what was asked that the answer has not
	}
	return t.sayPassage(question, denial)
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

func (t documents) sayPassage(question, passage string) bool {
	if passage == "" {
		return false
	}
	t.did("answer", map[string]any{"question": question}, map[string]any{"answered": true})
	t.questions().answered(question, passage)
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
	return t.sayPassage(question, denial)
}

// everydayDenial is what documents say against an everyday matter that was asked for,
// whatever the words; "" when nothing.
func (t documents) everydayDenial(question string) string {
	for _, topic := range t.everydayTopics(question) {
		a, err := t.lookUp(topic.query)
		if err != nil {
			return ""
		}
		if passage := topic.passage(question, a.Hits); t.denies(passage) {
			return passage
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
		for passage := range strings.Lines(h.Fragment.Text) {
			if head, text, ok := splitHead(strings.TrimSpace(passage)); ok && t.prices().names(head, service) {
				return t.sayPassage(question, text)
			}
		}
	}
	return false
}

// splitHead parts the few words that head a passage from what it says.
func splitHead(passage string) (head, text string, ok bool) {
	at := strings.IndexAny(passage, ".:")
	if at < 0 {
		return "", "", false
	}
	head, text = passage[:at], strings.TrimSpace(passage[at+1:])
	return head, text, text != "" && len(strings.Fields(head)) <= longestHead
}
