package answer

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/passage"
)

// offPoint says whether what documents answer to a question whether there is
// something does not speak of that thing: sharing a verb with it is no answer.
func (d Documents) offPoint(question string, a frontdesk.Answer) bool {
	if a.Answered && (d.besideEmergency(question, a) || d.besidePrice(question, a)) {
		return true
	}
	if !a.Answered || a.MatchPct >= ExactMatch || !d.asksWhether(question) {
		return false
	}
	if d.has("denies", a.Text) && passage.Signs(question, a.Text) > 1 {
		return false // to say that it is not done is to speak of it
	}
	matter := d.matterOf(d.thingAsked(question))
	return len(matter) > 0 && len(d.unspoken(strings.Join(matter, " "), a.Text+" "+passage.Around(a))) == len(matter)
}

// besidePrice says whether an answer to a question for a price tells none, and what can
// be paid with instead: nor does it speak of what is asked about.
func (d Documents) besidePrice(question string, a frontdesk.Answer) bool {
	words := d.Tokens(question)
	from, to, ok := d.Mix.Phrases("asks_price").Find(words)
	if !ok || d.tellsPrice(a.Text) {
		return false
	}
	matter := d.matterOf(question[:words[from].Start] + " " + question[words[to-1].End:])
	return len(matter) > 0 && len(d.unspoken(strings.Join(matter, " "), a.Text)) == len(matter)
}

// tellsPrice says whether a text tells what something costs, or that it costs nothing.
func (src *Sources) tellsPrice(text string) bool {
	return passage.NamesSum(text) || src.has("tells_price", text)
}

// besideEmergency says whether an answer to a question whether something is done is what
// to do in an emergency of which nothing is told: what helps against a smell of gas is no
// answer to who wants a switch mended.
func (d Documents) besideEmergency(question string, a frontdesk.Answer) bool {
	if headsEmergencies(question) || !d.asksWhether(question) {
		return false
	}
	for _, line := range linesOnEmergencies([]frontdesk.Answer{a}) {
		if strings.Contains(line, a.Text) || strings.Contains(a.Text, line) {
			return passage.Signs(d.Heard.Text, passage.Occasion(line)) == 0
		}
	}
	return false
}

// besideMatter says whether an unsure reply of the catalogue has nothing of what a
// question whether there is something asks about: the rooms are no answer to whether
// they are heated, nor the hours to which cars are worked on.
func (d Documents) besideMatter(question string, reply catalogue.Reply) bool {
	if reply.Topic != "services" && (reply.Topic != "hours" || len(d.Heard.When.Mentions) > 0) || !d.asksWhether(question) {
		return false
	}
	const most = 1 // words that may be left over
	return len(d.unspoken(question, reply.Text)) > most
}

// better answers with a document that has more of what was asked than the list of
// what there is.
func (d Documents) better(question string, reply catalogue.Reply) Answer {
	if len(d.TellingWords(question)) < 2 {
		return Answer{} // it asks for the list
	}
	if rule := d.ruleOver(question, reply.Text); rule.Found() {
		return rule
	}
	a, err := d.LookUp(question)
	if err != nil {
		return Answer{}
	}
	if fee := d.fee(question, a); fee.Found() {
		return fee
	}
	byMeaning := reply.Topic == "services" && passage.Signs(question, reply.Text) == 0 && d.denies(a.Text)
	if !betterThanQuote(question, a, reply) && !(a.Answered && byMeaning) {
		return Answer{}
	}
	return Of(a, d.Lang)
}

// fee answers a question about something that is paid beside a price, where what
// was found does not tell how much, with the sentence that does: it stands in the
// passage that has the word for it.
func (d Documents) fee(question string, a frontdesk.Answer) Answer {
	fee := slices.IndexFunc(d.Tokens(question), func(w language.Token) bool { return d.Mix.Words("set fees")[w.Word] })
	if fee < 0 {
		return Answer{}
	}
	word := d.Tokens(question)[fee].Word
	if a.Answered && slices.ContainsFunc(strings.SplitAfter(a.Text, ". "), func(s string) bool { return passage.Signs(word, s) > 0 && passage.NamesSum(s) }) {
		return Answer{}
	}
	for _, line := range passage.Lines(a.Hits) {
		if passage.Signs(word, line) == 0 || !d.InLanguage(line) {
			continue
		}
		sentences := strings.SplitAfter(line, ". ")
		if at := slices.IndexFunc(sentences, passage.NamesSum); at >= 0 {
			said := strings.Join(sentences[at:min(at+2, len(sentences))], "")
			if passage.Signs(word, said) == 0 {
				said = sentences[0] + said // the words that head the passage name it
			}
			return Quote(strings.TrimSpace(said))
		}
	}
	return Answer{}
}
