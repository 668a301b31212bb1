package answer

import (
	"maps"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/hearing"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
	"frontdesk.dev/frontdesk/internal/passage"
)

// everyday is something that callers of every trade ask about, in words of their own:
// where to leave the car, whether it can be paid in parts.
type everyday struct {
	query   string          // the words with which documents of the caller's language write of it
	written map[string]bool // the stems of such words in all languages, behind their codes
}

// everydayTopics are the everyday matters that a question is about, or all that was
// said where it says little by itself: "I'm coming by car, where do I leave it?"
func (d Documents) everydayTopics(question string) (all []everyday) {
	words := d.Tokens(question)
	if d.thin(question) && len(d.Heard.Questions) < 2 {
		words = d.Tokens(d.Heard.Text)
	}
	for _, name := range slices.Sorted(maps.Keys(d.Mix.Words("everyday_topics"))) {
		if !d.Mix.Phrases("everyday_" + name).In(words) {
			continue
		}
		section := "everyday_" + name + "_written"
		topic := everyday{written: map[string]bool{}}
		for _, code := range language.Codes() {
			list := slices.Sorted(maps.Keys(language.MixOf(code).Words(section)))
			if code == d.Lang {
				topic.query = strings.Join(list, " ")
			}
			for _, w := range list {
				topic.written[code+lexicon.Stem(code, w)] = true
			}
		}
		all = append(all, topic)
	}
	return all
}

// in is how many of the words of a topic a text has.
func (e everyday) in(text string) (n int) {
	for stem := range passage.Stems(text) {
		if e.written[stem] {
			n++
		}
	}
	return n
}

// everyday answers a question about an everyday matter with the passage that has the
// words with which documents write of it, where what was found has none of them.
func (d Documents) everyday(question string, found frontdesk.Answer) Answer {
	if found.Answered && found.MatchPct >= ExactMatch && len(d.unspoken(question, found.Text+" "+passage.Around(found))) < len(d.matterOf(question)) || !d.Heard.Has(hearing.Ask) {
		return Answer{}
	}
	for _, topic := range d.everydayTopics(question) {
		if found.Answered && (topic.in(found.Text+" "+passage.Around(found)) > 0 || d.tellsApart(question, found.Text, found.Hits)) {
			continue
		}
		a, err := d.LookUp(topic.query)
		if err != nil {
			return Answer{}
		}
		if written := topic.passage(question, a.Hits, d.factAsked(question)); d.InLanguage(written) {
			return Quote(written)
		}
	}
	return Answer{}
}

// passage is what documents say about a topic: the line that has most of its words, of
// which those in its head and in the headings above it count double; "" when none has
// any, or so many that they tell nothing: "dog" at a kennel's.
func (e everyday) passage(question string, hits []frontdesk.AnswerHit, tells func(string) bool) string {
	best, most := "", 0
	if e.everywhere(passage.Lines(hits)) {
		return ""
	}
	for _, h := range hits {
		above := e.in(h.Fragment.Heading + " " + h.Fragment.Question)
		for _, line := range passage.Lines([]frontdesk.AnswerHit{h}) {
			head, text, headed := passage.SplitHead(line)
			n := 2*e.in(line) + passage.Signs(question, line)
			switch {
			case headed && e.in(head) > 0:
				n += 2
			case above > 0:
				n += 2 * above
				text = line
			case e.in(line) == 0:
				continue
			default:
				text = e.sentences(line)
			}
			if n > most && text != "" {
				best, most = text, n
			}
		}
	}
	if len(best) > passage.LongestSaid && tells != nil {
		if s := sentencesThat(best, tells); s != "" {
			return s
		}
	}
	return passage.Shorten(question, best)
}

// factAsked says of a sentence whether it has the kind of fact that a question asks for;
// nil where that cannot be told.
func (src *Sources) factAsked(question string) func(string) bool {
	if src.has("asks_price", question) {
		return src.tellsPrice
	}
	return nil
}

// sentencesThat are those of a passage of which something holds.
func sentencesThat(written string, holds func(string) bool) string {
	var kept []string
	for _, s := range strings.SplitAfter(written, ". ") {
		if holds(s) {
			kept = append(kept, strings.TrimSpace(s))
		}
	}
	return strings.Join(kept, " ")
}

// everywhere says whether most lines of what was found have words of the topic.
func (e everyday) everywhere(lines []string) bool {
	const few = 4
	with := slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return e.in(line) == 0 })
	return len(with) >= few && 2*len(with) >= len(lines)
}

// sentences are those of a line that have a word of the topic.
func (e everyday) sentences(line string) string {
	var kept []string
	for _, s := range strings.SplitAfter(line, ". ") {
		if e.in(s) > 0 {
			kept = append(kept, strings.TrimSpace(s))
		}
	}
	return strings.Join(kept, " ")
}
