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
	return passage.Shorten(question, best)
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
	if !d.Heard.Has(hearing.Ask) || !d.has("asks_whether_done", question) {
		return Answer{}
	}
	if d.asksWhether(question) {
		if outright := d.outrightDenial(d.thingAsked(question), found); outright != "" {
			return Quote(outright)
		}
	}
	if found.Answered && found.MatchPct >= doubtful {
		return Answer{}
	}
	denial := d.denial(d.thingAsked(question), found)
	if found.Answered && !strings.Contains(denial, found.Text) && len(d.unspoken(question, denial)) >= len(d.unspoken(question, found.Text)) {
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
		if written := topic.passage(question, a.Hits); d.denies(written) {
			return written
		}
	}
	return ""
}
