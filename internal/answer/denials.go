package answer

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/passage"
)

// doubtful is how well a document may answer a question whether something is done
// here, and one that says that it is not be better.
const doubtful = 85

// denial is the passage of the documents that says of what was asked that it is not
// done here, or who does it; "" when there is none. It has a word of what was asked,
// and more of them than the answer that was found.
func (d Documents) denial(question string, found frontdesk.Answer) string {
	least := 1
	if found.Answered {
		least = max(least, passage.Signs(question, found.Text))
	}
	best, most := "", 0
	for _, written := range passage.Lines(found.Hits) {
		if n := passage.Signs(question, written); n > most && n >= least && d.tellsApart(question, written, found.Hits) && d.deniesMatter(question, written) {
			best, most = written, n
		}
	}
	return headless(passage.Shorten(question, best), found.Hits)
}

// deniesMatter says whether a passage tells of something in a question that it is not
// done here, or who else does it: the sentence that has it does, or the words that
// head the passage.
func (d Documents) deniesMatter(question, written string) bool {
	sentences := strings.SplitAfter(written, ". ")
	headed := len(strings.Fields(sentences[0])) <= passage.LongestHead && d.denies(sentences[0])
	return slices.ContainsFunc(sentences, func(s string) bool {
		return passage.Signs(question, s) > 0 && (headed || d.denies(s))
	})
}

// denies says whether a passage tells what is not done here, or who else does it.
func (d Documents) denies(written string) bool {
	return d.has("denies", written) || d.has("refers", written)
}

// denied answers a question whether something is done here with what documents
// say against it, where they have no better answer.
func (d Documents) denied(question string, found frontdesk.Answer) Answer {
	if !d.Heard.Has(hearing.Ask) || !d.has("asks_whether_done", question) && !d.has("asks_of_told", question) {
		return Answer{}
	}
	if told := d.deniedTold(question, found); told != "" {
		return Quote(told)
	}
	topics := d.everydayTopics(question)
	beside := func(denial string) bool { // it shares a word with what was asked, and is about something else
		return slices.ContainsFunc(topics, func(e everyday) bool { return e.in(denial) == 0 })
	}
	if d.asksWhether(question) {
		if outright := d.outrightDenial(d.thingAsked(question), found); outright != "" && !beside(outright) {
			return Quote(outright)
		}
	}
	if found.Answered && found.MatchPct >= doubtful {
		return Answer{}
	}
	denial := d.denial(d.thingAsked(question), found)
	if beside(denial) || found.Answered && !strings.Contains(denial, found.Text) && len(d.unspoken(question, denial)) >= len(d.unspoken(question, found.Text)) {
		return Answer{} // it has nothing of what was asked that the answer has not
	}
	return Quote(denial)
}

// outrightDenial is the sentence, of what was found or of what a service says of itself,
// that says of all that was asked for that it is not done, with the one that says who
// does it, where the answer leaves it out; "" when there is none.
func (d Documents) outrightDenial(thing string, found frontdesk.Answer) string {
	matter := d.matterOf(thing)
	if len(matter) == 0 {
		return ""
	}
	denied := func(s string) bool {
		lacks := func(word string) bool { return passage.Signs(word, s) == 0 }
		return d.InLanguage(s) && d.has("denies", s) && !slices.ContainsFunc(matter, lacks)
	}
	var lines []string
	for _, s := range d.Catalogue.Services {
		lines = append(lines, s.Description)
	}
	for _, line := range append(lines, passage.Lines(found.Hits)...) {
		sentences := strings.SplitAfter(line, ". ")
		for _, s := range sentences {
			if !denied(s) || found.Answered && strings.Contains(found.Text, strings.TrimSpace(s)) {
				continue
			}
			refers := func(o string) bool {
				return o != s && passage.Signs(thing, o) > 0 && d.has("refers", o)
			}
			if at := slices.IndexFunc(sentences, refers); at >= 0 {
				s += " " + sentences[at]
			}
			return strings.Join(strings.Fields(s), " ")
		}
	}
	return ""
}

// deniedTold is the sentence that says of something in what was told that it is not done
// here, to who asks whether that is: "it's an oil lamp, would you take that on?" What the
// services are called tells nothing, nor what is spoken of elsewhere as well.
func (d Documents) deniedTold(question string, found frontdesk.Answer) string {
	told := d.narrowed(d.thingAsked(question))
	if d.has("asks_of_told", question) && d.thin(d.thingAsked(question)) {
		told = d.Heard.Text
	} else if told == d.thingAsked(question) || !d.asksWhether(question) {
		return ""
	}
	if a, err := d.LookUp(told); err == nil {
		found.Hits = a.Hits
	}
	services := d.servicesText()
	matter := slices.DeleteFunc(d.matterOf(told), func(word string) bool { return speaksOf(services, word) })
	best, most := "", 0
	for _, line := range passage.Lines(found.Hits) {
		n := 0
		for _, word := range matter {
			if passage.Signs(word, line) > 0 && d.deniesMatter(word, line) && d.onlyDenied(word, found.Hits) {
				n++
			}
		}
		if n > most && d.InLanguage(line) {
			best, most = line, n
		}
	}
	return headless(passage.Shorten(told, best), found.Hits)
}

// onlyDenied says whether all that was found and has a word says of it that it is not
// done.
func (d Documents) onlyDenied(word string, hits []frontdesk.AnswerHit) bool {
	return !slices.ContainsFunc(passage.Lines(hits), func(line string) bool {
		return passage.Signs(word, line) > 0 && !d.deniesMatter(word, line)
	})
}

// narrowed is a question up to where something is told behind it in the same breath:
// "do you see ponies ours needs a vaccine".
func (src *Sources) narrowed(question string) string {
	tells := false
	for _, w := range src.Tokens(question) {
		if tells && src.Mix.Words("told_after")[w.Word] {
			return strings.TrimSpace(question[:w.Start])
		}
		tells = tells || len(src.matterOf(w.Word)) > 0
	}
	return question
}

// instead adds to a no the sentence beside it that says what there is: who may not pay
// in cash wants to know how.
func (d Documents) instead(a Answer, hits []frontdesk.AnswerHit) Answer {
	const most = 200 // bytes
	if a.From == Data || !d.denies(a.Text) {
		return a
	}
	for _, line := range passage.Lines(hits) {
		before, after, ok := strings.Cut(withoutHead(line), a.Text)
		before, after = strings.TrimSpace(before), strings.TrimSpace(after)
		if !ok {
			continue
		}
		sentences := strings.SplitAfter(before, ". ")
		last := sentences[len(sentences)-1]
		switch next, _, _ := strings.Cut(after, ". "); {
		case last != "" && strings.HasSuffix(last, ".") && !d.denies(last) && len(last)+len(a.Text) <= most:
			a.Text = last + " " + a.Text
		case next != "" && d.has("refers", next) && len(next)+len(a.Text) <= most:
			a.Text += " " + strings.TrimSuffix(next, ".") + "."
		}
		return a
	}
	return a
}

// AsksElsewhere says whether somebody who asked for something asks who does it
// then, and names nothing: "who does then?"
func (d Documents) AsksElsewhere() bool {
	return d.LastAsked != "" && !d.Busy && d.has("asks_elsewhere", d.Heard.Text)
}

// Elsewhere answers who does what was asked for last.
func (d Documents) Elsewhere(question string) Answer {
	if !d.AsksElsewhere() {
		return Answer{}
	}
	last := d.LastAsked
	a, err := d.LookUp(last)
	if err != nil {
		return Answer{}
	}
	a.Answered = false // whatever else it says
	denial := d.denial(d.thingAsked(last)+" "+question, a)
	if denial == "" {
		denial = d.everydayDenial(last)
	}
	return Quote(denial)
}

// everydayDenial is what documents say against an everyday matter that was asked for,
// whatever the words; "" when nothing.
func (d Documents) everydayDenial(question string) string {
	for _, topic := range d.everydayTopics(question) {
		a, err := d.LookUp(topic.query)
		if err != nil {
			return ""
		}
		if written := topic.passage(question, a.Hits, nil); d.denies(written) {
			return written
		}
	}
	return ""
}
