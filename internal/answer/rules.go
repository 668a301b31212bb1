package answer

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/passage"
)

// ruled answers with the sentence of the house rules that has most of what was
// asked, where it has more of it than what documents answer. One word of what was asked
// is enough where it asks for little else and documents do not answer at all.
func (d Documents) ruled(question string, found frontdesk.Answer) Answer {
	if found.Answered && found.MatchPct >= ExactMatch || !d.Heard.Has(hearing.Ask) {
		return Answer{}
	}
	least := 2 // words of the question
	if matter := d.matterOf(question); !found.Answered && len(matter) > 0 && len(matter) <= 2 {
		least = 1
	}
	if found.Answered {
		least = max(least, passage.Signs(question, found.Text)+1)
	}
	rule := d.rule(question, least)
	if d.has("asks_price", question) && !passage.NamesSum(rule) && len(d.Catalogue.FindServices(question, d.Lang)) > 0 {
		return Answer{} // when it is paid tells no price
	}
	return Quote(rule)
}

// ruleOver answers with a house rule that has more of what was asked than another
// answer.
func (d Documents) ruleOver(question, other string) Answer {
	rule := d.rule(question, 2)
	if passage.Signs(question, rule) <= passage.Signs(question, other) {
		return Answer{}
	}
	return Quote(rule)
}

// rule is what the house rules say to a question: the sentence that has most of its
// words, or two that have as many; "" when none has enough of them.
func (d Documents) rule(question string, least int) string {
	const mostAlike = 2
	if !d.InLanguage(d.Policy) {
		return ""
	}
	matter := strings.Join(d.matterOf(question), " ")
	if least > 1 {
		matter = question
	}
	most, best := least-1, []string(nil)
	for _, s := range strings.SplitAfter(d.Policy, ". ") {
		switch n := passage.Signs(matter, s); {
		case least == 1 && len(d.unspoken(question, s)) > 0:
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
