package conversation

import (
	"strings"
	"unicode"

	"frontdesk.dev/frontdesk/internal/passage"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// finding is what was found for a question: by the catalogue, among prices, and in
// the documents.
type finding struct {
	question string
	reply    catalogue.Reply
	known    bool // reply is one
	cost     costs
	priced   bool // cost is one
	answer   frontdesk.Answer
	err      error // the documents could not be asked
}

// answerFromDocuments answers what the catalogue is not certain of.
func (t documents) answerFromDocuments(question string, reply catalogue.Reply, known bool) {
	f := finding{question: question, reply: reply, known: known && (reply.Certain || !t.besideMatter(question, reply))}
	f.cost, f.priced = t.prices().findCosts(question)
	f.answer, f.err = t.askDocuments(question)
	f.answer.Answered = f.answer.Answered && !t.offPoint(question, f.answer)
	if told := t.questions().dietTold(question); told != "" {
		f.answer, f.err = t.askDocuments(told)
		if !t.mix.Phrases("tells_diet").In(t.tokens(f.answer.Text)) && passage.Signs(told, f.answer.Text) == 0 {
			f.answer = frontdesk.Answer{} // what there is besides is no answer to who must not eat something
		}
	}
	if f.err != nil && !f.known && !f.priced {
		t.did("answer", map[string]any{"question": question}, map[string]any{"error": "unavailable"})
		t.say("sorry")
		return
	}
	for _, s := range answers {
		if (f.err == nil || !s.ofDocuments) && s.say(t, f) {
			return
		}
	}
	t.did("answer", map[string]any{"question": question}, map[string]any{"answered": false, "match_pct": f.answer.MatchPct})
	t.questions().unanswered(question)
}

// answers are the ways to answer from what was found; the first that does counts.
var answers = []struct {
	why         string
	ofDocuments bool
	say         func(documents, finding) bool
}{
	{"what the catalogue is certain of needs no document", false, func(t documents, f finding) bool {
		return f.known && f.reply.Certain && !f.reply.All && !betterThanQuote(f.question, f.answer, f.reply) && t.sayReply(f)
	}},
	{"a rule of the house knows better how long something is kept", false, func(t documents, f finding) bool {
		return f.priced && f.cost.topic == "duration" && t.sayRuleOver(f.question, f.cost.text)
	}},
	{"a price is a figure of the business", false, func(t documents, f finding) bool {
		if !f.priced || !f.cost.betterThan(f.answer) {
			return false
		}
		t.prices().sayCosts(f.question, f.cost)
		return true
	}},
	{"a fee, a no and a rule are said in one sentence", true, func(t documents, f finding) bool {
		return t.sayFee(f.question, f.answer) || t.sayDenial(f.question, f.answer) || t.sayRule(f.question, f.answer)
	}},
	{"what everybody asks is known by other words", true, func(t documents, f finding) bool { return t.sayEveryday(f.question, f.answer) }},
	{"the documents answer", true, func(t documents, f finding) bool {
		if !f.answer.Answered || !t.heard.Has(Ask) && f.answer.MatchPct < sureMatch {
			return false
		}
		t.did("answer", map[string]any{"question": f.question}, map[string]any{"answered": true, "match_pct": f.answer.MatchPct})
		t.questions().answered(f.question, f.answer.Say(t.s.Lang))
		return true
	}},
	{"a passage that speaks of most of it nearly does", true, func(t documents, f finding) bool { return t.sayNearly(f.question, f.answer) }},
	{"what the catalogue found is better than nothing", false, func(t documents, f finding) bool { return f.known && t.sayReply(f) }},
	{"it may be about what was talked about last", false, func(t documents, f finding) bool {
		return t.prices().followCosts(f.question, alikeMatch) || t.prices().tellSubject(f.question)
	}},
}

func (t documents) sayReply(f finding) bool {
	t.questions().sayReply(f.question, f.reply)
	return true
}

// askDocuments asks the documents what was asked. What the question leaves out
// because it was talked about before, or has too much of, is tried as well: with
// the service that is being arranged ("does the card cover it?"), without the words
// that say nothing, with all that was said ("we bring the dog, is there a charge?").
func (t documents) askDocuments(question string) (frontdesk.Answer, error) {
	best, err := t.lookUp(question)
	if err != nil {
		return best, err
	}
	if a, ok := t.askOfService(question, best); ok {
		return a, nil
	}
	for _, other := range t.otherWordings(question, best.Answered) {
		if a, err := t.lookUp(other); err == nil && a.Answered && a.MatchPct > best.MatchPct {
			best = a
		}
	}
	if best.Answered {
		return best, nil
	}
	for _, clause := range t.emergencies().clauses(question, 1) {
		if a, err := t.lookUp(clause); err == nil && a.Answered && a.MatchPct >= exactMatch && a.MatchPct > best.MatchPct {
			best = a // a part of a question must be answered all the better
		}
	}
	return best, nil
}

// askOfService asks a question that points back together with the service that is
// being arranged. It says whether the answer is to be taken before the one that was
// found without it.
func (t documents) askOfService(question string, found frontdesk.Answer) (frontdesk.Answer, bool) {
	name := t.booking().service().Say(t.s.Lang)
	if name == "" || len(t.heard.Services) > 0 || !t.mix.Phrases("points_back").In(t.tokens(question)) {
		return frontdesk.Answer{}, false
	}
	a, err := t.lookUp(t.plain(question) + " " + name)
	if err != nil || !a.Answered || passage.Signs(t.heard.Text, a.Text) == 0 {
		return frontdesk.Answer{}, false
	}
	return a, !found.Answered || a.MatchPct >= sureMatch
}

// otherWordings are what else to ask the documents: the question without the words
// that say nothing, where it has no answer as it is, and all that was said, where
// that belongs to the question.
func (t documents) otherWordings(question string, answered bool) (others []string) {
	const most = 30 // words
	if plain := t.plain(question); !answered && plain != question && speaks(plain) {
		others = append(others, plain)
	}
	whole := t.heard.Text
	if whole == question || len(strings.Fields(whole)) > most {
		return others
	}
	if t.questions().thin(question) || len(t.heard.Questions) < 2 && t.s.Task.Kind == "" {
		others = append(others, whole)
	}
	return others
}

// nearly is how well a passage must answer that speaks of most of what was asked.
const nearly = 45

// sayNearly answers with the best passage that was found, although it is not likely
// enough by itself, where it speaks of most of what was asked and few others do.
func (t documents) sayNearly(question string, a frontdesk.Answer) bool {
	if a.Answered || a.MatchPct < nearly || len(a.Hits) == 0 || !t.heard.Has(Ask) {
		return false
	}
	text := a.Hits[0].Fragment.Text
	if 2*len(t.unspoken(question, text)) > len(t.matterOf(question)) || !t.tellsApart(question, text, a.Hits) || !t.questions().inLanguage(text) {
		return false
	}
	best, most := "", 0
	for _, line := range passage.Lines(a.Hits[:1]) {
		if n := passage.Signs(question, line); n > most {
			best, most = line, n
		}
	}
	return t.sayPassage(question, passage.Shorten(question, best))
}

// plain is a question without the words that only point at what was said before,
// or address whoever answers.
func (t documents) plain(question string) string {
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
