package conversation

import (
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
	for _, h := range found.Hits {
		for passage := range strings.Lines(h.Fragment.Text) {
			passage = strings.TrimSpace(passage)
			if n := signsIn(question, passage); n > most && n >= least && t.denies(passage) {
				best, most = passage, n
			}
		}
	}
	return shortenPassage(question, best)
}

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
// asked, where it has more of it than what documents answer.
func (t documents) sayRule(question string, found frontdesk.Answer) bool {
	const enough = 2 // words of the question
	if found.Answered && found.MatchPct >= exactMatch || !t.heard.Has(Ask) || !t.questions().inLanguage(t.agent.Config.Policy) {
		return false
	}
	most := enough - 1
	if found.Answered {
		most = max(most, signsIn(question, found.Text))
	}
	best := ""
	for _, s := range strings.SplitAfter(t.agent.Config.Policy, ". ") {
		if n := signsIn(question, s); n > most {
			best, most = strings.TrimSpace(s), n
		}
	}
	return t.sayPassage(question, best)
}

// sayDenial answers a question whether something is done here with what documents
// say against it, where they have no better answer.
func (t documents) sayDenial(question string, found frontdesk.Answer) bool {
	if found.Answered && found.MatchPct >= doubtful || !t.heard.Has(Ask) || !t.mix.Phrases("asks_whether_done").In(t.mix.Tokens(question)) {
		return false
	}
	return t.sayPassage(question, t.denial(t.thingAsked(question), found))
}

// thingAsked is a question without the words that ask whether something is done:
// what is not taught is no answer to everything that may be taught.
func (t documents) thingAsked(question string) string {
	words := t.mix.Tokens(question)
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
	return t.lastQuestion() != "" && t.s.Task.Kind == "" && t.mix.Phrases("asks_elsewhere").In(t.mix.Tokens(t.heard.Text))
}

// sayElsewhere answers who does what was asked for last.
func (t documents) sayElsewhere(question string) bool {
	if !t.asksElsewhere() {
		return false
	}
	last := t.lastQuestion()
	a, err := t.desk.Answer(t.ctx, clipQuestion(last))
	if err != nil {
		return false
	}
	a.Answered = false // whatever else it says
	return t.sayPassage(question, t.denial(t.thingAsked(last)+" "+question, a))
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
	if service.ID == "" || len(t.heard.Services) > 0 || !t.mix.Phrases("asks_what_to_bring").In(t.mix.Tokens(question)) {
		return false
	}
	a, err := t.desk.Answer(t.ctx, clipQuestion(question+" "+service.Say(t.s.Lang)))
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
	const most = 6 // words
	at := strings.IndexAny(passage, ".:")
	if at < 0 {
		return "", "", false
	}
	head, text = passage[:at], strings.TrimSpace(passage[at+1:])
	return head, text, text != "" && len(strings.Fields(head)) <= most
}
