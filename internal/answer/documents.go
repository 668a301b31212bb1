package answer

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/catalogue"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/passage"
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

// find answers what the catalogue is not certain of.
func (d Documents) find(question string, reply catalogue.Reply, known bool) (Answer, error) {
	f := finding{question: question, reply: reply, known: known && (reply.Certain || !d.besideMatter(question, reply))}
	f.cost, f.priced = d.Prices().find(question)
	f.answer, f.err = d.Ask(question)
	f.answer.Answered = f.answer.Answered && !d.offPoint(question, f.answer)
	if told := d.dietTold(question); told != "" {
		f.answer, f.err = d.Ask(told)
		if !d.has("tells_diet", f.answer.Text) && passage.Signs(told, f.answer.Text) == 0 {
			f.answer = frontdesk.Answer{} // what there is besides is no answer to who must not eat something
		}
	}
	if f.err != nil && !f.known && !f.priced {
		return Answer{}, f.err
	}
	for _, w := range ways {
		if f.err != nil && w.ofDocuments {
			continue
		}
		if a := w.answer(d, f); a.Found() {
			return d.instead(a, f.answer.Hits), nil
		}
	}
	return Answer{MatchPct: f.answer.MatchPct}, nil
}

// ways are the ways to answer from what was found; the first that does counts.
var ways = []struct {
	why         string
	ofDocuments bool
	answer      func(Documents, finding) Answer
}{
	{"what the catalogue is certain of needs no document", false, func(d Documents, f finding) Answer {
		if !f.known || !f.reply.Certain || f.reply.All || betterThanQuote(f.question, f.answer, f.reply) ||
			quotes[f.reply.Topic] && d.deniedTold(f.question, f.answer) != "" {
			return Answer{}
		}
		return d.Replies().Say(f.question, f.reply)
	}},
	{"a rule of the house knows better how long something is kept", false, func(d Documents, f finding) Answer {
		if !f.priced || f.cost.topic != "duration" {
			return Answer{}
		}
		return d.ruleOver(f.question, f.cost.text)
	}},
	{"a price is a figure of the business", false, func(d Documents, f finding) Answer {
		if !f.priced || !f.cost.betterThan(f.answer) {
			return Answer{}
		}
		return d.Prices().answer(f.question, f.cost)
	}},
	{"a fee is said in one sentence", true, func(d Documents, f finding) Answer { return d.fee(f.question, f.answer) }},
	{"a no is said in one sentence", true, func(d Documents, f finding) Answer { return d.denied(f.question, f.answer) }},
	{"a rule is said in one sentence", true, func(d Documents, f finding) Answer { return d.ruled(f.question, f.answer) }},
	{"what everybody asks is known by other words", true, func(d Documents, f finding) Answer { return d.everyday(f.question, f.answer) }},
	{"the documents answer", true, func(d Documents, f finding) Answer {
		if !d.Heard.Has(hearing.Ask) && f.answer.MatchPct < SureMatch {
			return Answer{}
		}
		return Of(f.answer, d.Lang)
	}},
	{"a passage that speaks of most of it nearly does", true, func(d Documents, f finding) Answer { return d.nearest(f.question, f.answer) }},
	{"what the catalogue found is better than nothing", false, func(d Documents, f finding) Answer {
		if !f.known {
			return Answer{}
		}
		return d.Replies().Say(f.question, f.reply)
	}},
	{"it may ask the same of another service as was asked of the last", false, func(d Documents, f finding) Answer {
		return d.Prices().following(f.question, alikeMatch)
	}},
	{"it may be about what was talked about last", false, func(d Documents, f finding) Answer { return d.Subjects().described(f.question) }},
}

// Ask asks the documents what was asked. What the question leaves out
// because it was talked about before, or has too much of, is tried as well: with
// the service that is being arranged ("does the card cover it?"), without the words
// that say nothing, with all that was said ("we bring the dog, is there a charge?").
func (d Documents) Ask(question string) (frontdesk.Answer, error) {
	best, err := d.LookUp(question)
	if err != nil {
		return best, err
	}
	if a, ok := d.askOfService(question, best); ok {
		return a, nil
	}
	for _, other := range d.otherWordings(question, best.Answered) {
		if a, err := d.LookUp(other); err == nil && a.Answered && a.MatchPct > best.MatchPct {
			best = a
		}
	}
	if best.Answered {
		return best, nil
	}
	if a := d.askOfSubject(question); a.Answered {
		return a, nil
	}
	for _, clause := range d.Clauses(question, 1) {
		if a, err := d.LookUp(clause); err == nil && a.Answered && a.MatchPct >= ExactMatch && a.MatchPct > best.MatchPct {
			best = a // a part of a question must be answered all the better
		}
	}
	return best, nil
}

// askOfService asks a question that points back together with the service that is
// being arranged. It says whether the answer is to be taken before the one that was
// found without it.
func (d Documents) askOfService(question string, found frontdesk.Answer) (frontdesk.Answer, bool) {
	name := d.Arranging.Say(d.Lang)
	if name == "" || len(d.Heard.Services) > 0 || !d.has("points_back", question) {
		return frontdesk.Answer{}, false
	}
	a, err := d.LookUp(d.plain(question) + " " + name)
	if err != nil || !a.Answered || passage.Signs(d.Heard.Text, a.Text) == 0 {
		return frontdesk.Answer{}, false
	}
	return a, !found.Answered || a.MatchPct >= SureMatch
}

// askOfSubject asks a short question that has no answer by itself together with the
// service that was talked about: "and is there an age for it?", after what it costs.
func (d Documents) askOfSubject(question string) frontdesk.Answer {
	const most = 12 // words
	subject, ok := d.Subject()
	if !ok || d.Arranging.ID != "" || len(d.Heard.Services) > 0 || len(d.Tokens(question)) > most || !d.Heard.Has(hearing.Ask) {
		return frontdesk.Answer{}
	}
	a, err := d.LookUp(d.plain(question) + " " + subject.Say(d.Lang))
	if err != nil || a.MatchPct < SureMatch || passage.Signs(subject.Say(d.Lang), a.Text) == 0 {
		return frontdesk.Answer{}
	}
	rest := question
	if words := d.Tokens(question); d.Mix.Phrases("asks_extent").In(words) {
		from, to, _ := d.Mix.Phrases("asks_extent").Find(words)
		rest = question[:words[from].Start] + question[words[to-1].End:]
	}
	if matter := d.matterOf(rest); len(matter) > 0 && len(d.unspoken(rest, a.Text)) == len(matter) {
		return frontdesk.Answer{} // it only speaks of the service
	}
	return a
}

// otherWordings are what else to ask the documents: the question without the words
// that say nothing, where it has no answer as it is, and all that was said, where
// that belongs to the question.
func (d Documents) otherWordings(question string, answered bool) (others []string) {
	const most = 30 // words
	if narrowed := d.narrowed(question); !answered && narrowed != question && WorthAsking(narrowed) {
		others = append(others, narrowed)
	}
	if plain := d.plain(question); !answered && plain != question && WorthAsking(plain) {
		others = append(others, plain)
	}
	whole := d.Heard.Text
	if whole == question || len(strings.Fields(whole)) > most {
		return others
	}
	if d.thin(question) || len(d.Heard.Questions) < 2 && !d.Busy {
		others = append(others, whole)
	}
	return others
}

// nearly is how well a passage must answer that speaks of most of what was asked.
const nearly = 45

// nearest answers with the best passage that was found, although it is not likely
// enough by itself, where it speaks of most of what was asked and few others do.
func (d Documents) nearest(question string, a frontdesk.Answer) Answer {
	if a.Answered || a.MatchPct < nearly || len(a.Hits) == 0 || !d.Heard.Has(hearing.Ask) {
		return Answer{}
	}
	text := a.Hits[0].Fragment.Text
	if 2*len(d.unspoken(question, text)) > len(d.matterOf(question)) || !d.tellsApart(question, text, a.Hits) {
		return Answer{}
	}
	if said := a.Worded[d.Lang]; said != "" {
		return Quote(said)
	}
	if !d.InLanguage(text) {
		return Answer{}
	}
	best, most := "", 0
	for _, line := range passage.Lines(a.Hits[:1]) {
		if n := passage.Signs(question, line); n > most {
			best, most = line, n
		}
	}
	return Quote(headless(passage.Shorten(question, best), a.Hits))
}

// Section answers who asks what to bring for what is being arranged with the
// passage of the documents that is headed by its name: "For an ITIN. Your passport."
func (d Documents) Section(question string) Answer {
	service := d.Arranging
	if service.ID == "" || len(d.Heard.Services) > 0 || !d.has("asks_what_to_bring", question) {
		return Answer{}
	}
	a, err := d.LookUp(question + " " + service.Say(d.Lang))
	if err != nil {
		return Answer{}
	}
	for _, h := range a.Hits {
		for written := range strings.Lines(h.Fragment.Text) {
			if head, text, ok := passage.SplitHead(strings.TrimSpace(written)); ok && d.names(head, service) {
				return Quote(text)
			}
		}
	}
	return Answer{}
}
