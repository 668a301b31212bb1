package conversation

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
	"frontdesk.dev/frontdesk/internal/passage"
)

// matterOf are the words that a question is about: those that tell something by
// themselves, and not what everybody says of everything ("take", "have", "go").
func (t documents) matterOf(question string) (all []string) {
	for _, word := range t.questions().tellingWords(question) {
		light := func(code string) bool { return lexicon.Light(code, word) }
		if !slices.ContainsFunc(language.Codes(), light) && !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	return all
}

// speaksOf says whether a text has a word, another form of it, or one that means the
// same in any language.
func (t documents) speaksOf(text, word string) bool {
	if passage.Signs(word, text) > 0 {
		return true
	}
	words := lexicon.Words()
	for _, code := range language.Codes() {
		for same := range words.Same(words.Entry(code, word)) {
			if passage.Signs(same.Text, text) > 0 {
				return true
			}
		}
	}
	return false
}

// unspoken are the words that a question is about and a text does not speak of.
func (t documents) unspoken(question, text string) (all []string) {
	for _, word := range t.matterOf(question) {
		if !t.speaksOf(text, word) {
			all = append(all, word)
		}
	}
	return all
}

// tellsApart says whether a text has a word of a question that few other lines of
// what was found have.
func (t documents) tellsApart(question, text string, hits []frontdesk.AnswerHit) bool {
	lines := passage.Lines(hits)
	return slices.ContainsFunc(t.matterOf(question), func(word string) bool {
		return passage.Signs(word, text) > 0 && !passage.Common(word, lines)
	})
}

// offPoint says whether what documents answer to a question whether there is
// something does not speak of that thing: sharing a verb with it is no answer.
func (t documents) offPoint(question string, a frontdesk.Answer) bool {
	if !a.Answered || a.MatchPct >= exactMatch || !t.asksWhether(question) {
		return false
	}
	matter := t.matterOf(t.thingAsked(question))
	return len(matter) > 0 && len(t.unspoken(strings.Join(matter, " "), a.Text+" "+passage.Around(a))) == len(matter)
}

// asksWhether says whether a question asks whether there is something, and not what,
// when or how.
func (t documents) asksWhether(question string) bool {
	words := t.tokens(question)
	asks := func(w language.Token) bool { return t.mix.Words("set interrogatives")[w.Word] }
	return t.mix.Phrases("asks_whether_done").In(words) && !slices.ContainsFunc(words, asks)
}

// besideMatter says whether an unsure reply of the catalogue has nothing of what a
// question whether there is something asks about: the rooms are no answer to whether
// they are heated, nor the hours to which cars are worked on.
func (t documents) besideMatter(question string, reply catalogue.Reply) bool {
	if reply.Topic != "services" && (reply.Topic != "hours" || len(t.heard.When.Mentions) > 0) || !t.asksWhether(question) {
		return false
	}
	const most = 1 // words that may be left over
	return len(t.unspoken(question, reply.Text)) > most
}

// sayBetter answers with a document that has more of what was asked than the list of
// what there is.
func (t documents) sayBetter(question string, reply catalogue.Reply) bool {
	if len(t.questions().tellingWords(question)) < 2 {
		return false // it asks for the list
	}
	if t.sayRuleOver(question, reply.Text) {
		return true
	}
	a, err := t.lookUp(question)
	if err == nil && t.sayFee(question, a) {
		return true
	}
	if err != nil || !betterThanQuote(question, a, reply) {
		return false
	}
	t.did("answer", map[string]any{"question": question}, map[string]any{"answered": true, "match_pct": a.MatchPct})
	t.questions().answered(question, a.Say(t.s.Lang))
	return true
}

// sayFee answers a question about something that is paid beside a price, where what
// was found does not tell how much, with the sentence that does: it stands in the
// passage that has the word for it.
func (t documents) sayFee(question string, a frontdesk.Answer) bool {
	fee := slices.IndexFunc(t.tokens(question), func(w language.Token) bool { return t.mix.Words("set fees")[w.Word] })
	if fee < 0 {
		return false
	}
	word := t.tokens(question)[fee].Word
	if a.Answered && slices.ContainsFunc(strings.SplitAfter(a.Text, ". "), func(s string) bool { return passage.Signs(word, s) > 0 && passage.NamesSum(s) }) {
		return false
	}
	for _, line := range passage.Lines(a.Hits) {
		if passage.Signs(word, line) == 0 || !t.questions().inLanguage(line) {
			continue
		}
		sentences := strings.SplitAfter(line, ". ")
		if at := slices.IndexFunc(sentences, passage.NamesSum); at >= 0 {
			said := strings.Join(sentences[at:min(at+2, len(sentences))], "")
			if passage.Signs(word, said) == 0 {
				said = sentences[0] + said // the words that head the passage name it
			}
			return t.sayPassage(question, strings.TrimSpace(said))
		}
	}
	return false
}

// surelyAsked is how well a document must answer what may be a wish as well, for it
// to have been a question.
const surelyAsked = 80

// certainlyAsked is how well it must, where it has none of the words of what was said.
const certainlyAsked = 90

// hearAsQuestion takes as a question what was heard as a wish to come and is put as
// a question, where a document or a house rule answers just that: "can we eat there?",
// of a house that serves no meals. Who names a time, a number of people or a day that
// the answer does not speak of wants to come.
func (t documents) hearAsQuestion() {
	h := t.heard
	if t.s.Task.Kind != "" || h.Question != "" || !h.Has(Book) || h.Has(Reschedule) || t.namesClock() || h.Party > 0 || h.Name+h.Phone+h.Code != "" || !t.couldAsk() {
		return
	}
	text := t.rule(h.Text, 2)
	if text == "" || !t.mix.Phrases("asks_extent").In(t.tokens(h.Text)) {
		text = t.answersWish()
	}
	if text == "" || !t.namesDaysOf(text) {
		return
	}
	t.heard.Question = h.Text
	t.heard.Questions = []string{h.Text}
	t.heard.Intents = append(slices.DeleteFunc(slices.Clone(h.Intents), func(i Intent) bool { return i == Book }), Ask)
}

// answersWish is what documents say to a wish that is put as a question, where that
// speaks of something beside what there is to be booked; "" when nothing.
func (t documents) answersWish() string {
	h := t.heard
	beside := t.besideServices(h.Text)
	if len(beside) == 0 {
		return ""
	}
	a, err := t.lookUp(h.Text)
	if err != nil || !a.Answered || a.MatchPct < surelyAsked {
		return ""
	}
	about := t.tellsApart(strings.Join(beside, " "), a.Text, a.Hits)
	if !about && (a.MatchPct < certainlyAsked || len(h.Services) > 0) {
		return ""
	}
	return a.Text
}

// couldAsk says whether a wish to come is put as a question, and does not name what
// is to be booked or that it is.
func (t documents) couldAsk() bool {
	words := t.tokens(t.heard.Text)
	books := func(w language.Token) bool { return t.mix.Words("set booking")[w.Word] }
	return t.mix.Phrases("asks_extent").In(words) || t.mix.Phrases("could_ask").In(words) && !slices.ContainsFunc(words, books)
}

// besideServices are the words that a text is about beside those of services that it
// may name.
func (t documents) besideServices(text string) (all []string) {
	names := ""
	for _, m := range t.catalogue.FindServices(text, t.s.Lang) {
		names += " " + strings.Join(slices.Concat(m.Entry.AllNames(), m.Entry.Aliases), " ")
	}
	return slices.DeleteFunc(t.matterOf(text), func(word string) bool { return passage.Signs(word, names) > 0 })
}

// asksForService says whether a question names a service that can be booked, and
// nothing beside: "can she come for a fringe trim?"
func (t documents) asksForService(question string) bool {
	return t.s.Task.Kind == "" && !t.heard.Has(Order) && t.questions().dietTold(question) == "" && len(t.heard.Items) == 0 && len(t.heard.Services) == 1 && t.heard.Services[0].Bookable && !t.heard.UnsureService &&
		t.mix.Phrases("could_ask").In(t.tokens(question)) && len(t.besideServices(question)) == 0
}

// namesClock says whether a time of the day was named: a meal is none.
func (t documents) namesClock() bool {
	return slices.ContainsFunc(t.heard.When.Mentions, func(m dates.Mention) bool {
		return m.Kind == dates.AtClock || m.Kind == dates.Hours || m.Kind == dates.Instant
	})
}

// namesDaysOf says whether a text has the days that were named, if any were.
func (t documents) namesDaysOf(text string) bool {
	if _, day := t.heard.When.Day(); !day {
		return true
	}
	for _, m := range t.heard.When.Mentions {
		if m.Start >= 0 && m.Start < m.End && m.End <= len(t.heard.Text) && passage.Signs(t.heard.Text[m.Start:m.End], text) > 0 {
			return true
		}
	}
	return false
}
