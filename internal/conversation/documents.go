package conversation

import (
	"strings"
	"unicode"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// answerFromDocuments answers what the catalogue is not certain of.
func (t documents) answerFromDocuments(question string, reply catalogue.Reply, known bool) {
	cost, priced := t.prices().findCosts(question)
	a, err := t.askDocuments(question)
	a.Answered = a.Answered && !t.offPoint(question, a)
	known = known && (reply.Certain || !t.besideMatter(question, reply))
	switch {
	case err != nil && !known && !priced:
		t.did("answer", map[string]any{"question": question}, map[string]any{"error": "unavailable"})
		t.say("sorry")
	case known && reply.Certain && !reply.All && !betterThanQuote(question, a, reply):
		t.questions().sayReply(question, reply)
	case priced && cost.topic == "duration" && t.sayRuleOver(question, cost.text):
	case priced && cost.betterThan(a):
		t.prices().sayCosts(question, cost)
	case err == nil && (t.sayFee(question, a) || t.sayDenial(question, a) || t.sayRule(question, a)):
	case err == nil && t.sayEveryday(question, a):
	case err == nil && a.Answered && (t.heard.Has(Ask) || a.MatchPct >= sureMatch):
		t.did("answer", map[string]any{"question": question}, map[string]any{"answered": true, "match_pct": a.MatchPct})
		t.questions().answered(question, a.Say(t.s.Lang))
	case err == nil && t.sayNearly(question, a):
	case known:
		t.questions().sayReply(question, reply)
	case t.prices().followCosts(question, alikeMatch), t.prices().tellSubject(question):
	default:
		t.did("answer", map[string]any{"question": question}, map[string]any{"answered": false, "match_pct": a.MatchPct})
		t.questions().unanswered(question)
	}
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
	if err != nil || !a.Answered || signsIn(t.heard.Text, a.Text) == 0 {
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
	for _, line := range linesOf(a.Hits[:1]) {
		if n := signsIn(question, line); n > most {
			best, most = line, n
		}
	}
	return t.sayPassage(question, shortenPassage(question, best))
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
