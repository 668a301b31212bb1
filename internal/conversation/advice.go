package conversation

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/dates"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/passage"
)

// advice is what the documents say about one emergency.
type advice struct {
	text  string // a line, or a paragraph of one
	signs int    // how many words that tell which emergency it is about were told
	said  int    // how many of them in the very words
}

// adviceOn is the line of what documents say about emergencies that is about what was
// told; without signs of any it is the only one that there is, or none. What holds
// while the house is closed is added then.
func (t emergencies) adviceOn(told string, answers ...frontdesk.Answer) (best advice) {
	stems := passage.Stems(told)
	var all, closed []string
	for _, line := range t.linesOnEmergencies(answers) {
		head := passage.Occasion(line)
		if t.mix.Phrases("when_closed").In(t.tokens(head)) {
			closed = append(closed, line)
			continue
		}
		all = append(all, line)
		if n := t.signsOf(head, stems); n > best.signs {
			best = advice{line, n, passage.Signs(head, told)}
		}
	}
	if best.signs == 0 && len(all) == 1 {
		best.text = all[0]
	}
	if len(closed) > 0 && !t.openNow() {
		best.text = strings.TrimSpace(best.text + " " + closed[0])
	}
	return best
}

// linesOnEmergencies are the lines that speak of emergencies, each once: all below
// headings that say so, else those that begin with such a word or send people for help.
func (t emergencies) linesOnEmergencies(answers []frontdesk.Answer) (all []string) {
	for _, a := range answers {
		for _, h := range a.Hits {
			first, _, _ := strings.Cut(h.Fragment.Text, "\n")
			if len(strings.Fields(first)) > passage.LongestHead {
				first = ""
			}
			headed := headsEmergencies(h.Title + ". " + h.Fragment.Heading + ". " + first)
			for _, line := range passage.Lines([]frontdesk.AnswerHit{h}) {
				if len(line) > passage.LongestWarning || len(strings.Fields(line)) <= passage.LongestHead || slices.Contains(all, line) {
					continue
				}
				if head, _, _ := passage.SplitHead(line); headed || headsEmergencies(head) || t.sendsForHelp(line) {
					all = append(all, line)
				}
			}
		}
	}
	return all
}

// headsEmergencies says whether a heading is one of what is written about emergencies.
func headsEmergencies(heading string) bool {
	mix := language.MixOf()
	return slices.ContainsFunc(mix.Tokens(heading), func(w language.Token) bool { return mix.Words("emergency_headings")[w.Word] })
}

// openNow says whether the house is open, as far as is known.
func (t emergencies) openNow() bool {
	return t.isOpen == nil || t.openOn(dates.DateOf(t.now), dates.Clock{Hour: t.now.Hour(), Minute: t.now.Minute()})
}

// signsOf is how many of the words that head a line, which tell what it is about, were
// told in any form, or in others that mean the same.
func (t emergencies) signsOf(head string, told map[string]bool) (n int) {
	for _, word := range t.documents().matterOf(head) {
		if passage.Speaks(word, told) {
			n++
		}
	}
	return n
}

// alarmed says whether what was told has just happened, or is told in alarm: whoever
// does so does not know what to do, calls out, or tells it as it goes on.
func (t emergencies) alarmed() (calls, now bool) {
	words := t.tokens(t.heard.Text)
	calls = t.mix.Phrases("asks_what_to_do").In(words) || t.mix.Phrases("calls_out").In(words)
	return calls, calls || t.mix.Phrases("just_now").In(words)
}

// adviseWhether says to who asks whether to come, or to go on, with what has happened
// the advice that the documents have on that.
func (t emergencies) adviseWhether(question string) bool {
	if t.s.Task.Kind != "" || !t.mix.Phrases("asks_whether_to_come").In(t.tokens(question)) {
		return false
	}
	told, err := t.lookUp(t.heard.Text)
	if err != nil {
		return false
	}
	named, err := t.lookUp(t.words("urgent_query"))
	best := t.adviceOn(t.heard.Text, told, named)
	if err == nil && best.said > 0 && t.questions().inLanguage(best.text) {
		return t.documents().sayPassage(question, best.text)
	}
	return t.talk().offersLook() // what it is, who looks at it can tell
}

// onlyAsks says whether all that was said asks something, and not what to do: nothing is
// told that has happened.
func (t emergencies) onlyAsks() bool {
	const fewest = 2 // telling words
	h := t.heard
	if h.Question == "" || t.mix.Phrases("asks_what_to_do").In(t.tokens(h.Text)) {
		return false
	}
	return len(t.questions().tellingWords(without(h.Text, h.Question))) < fewest
}

// toldOne says whether somebody tells, in words that no list has, one of the
// emergencies that the documents give advice on: one of its signs is enough for who is
// alarmed, two for what has just happened.
func (t emergencies) toldOne() bool {
	const fewest = 3 // telling words
	calls, now := t.alarmed()
	if t.onlyAsks() {
		return false
	}
	if !now || t.s.Task.Kind != "" || t.telling() < fewest || t.mix.Phrases("reason_urgent_told_not").In(t.tokens(t.heard.Text)) {
		return false
	}
	least := signsOfWarning
	if calls {
		least = 1
	}
	told, err := t.lookUp(t.heard.Text)
	if err != nil {
		return false
	}
	named, err := t.lookUp(t.words("urgent_query"))
	best := t.adviceOn(t.heard.Text, told, named)
	return err == nil && best.signs >= least && (calls || best.said > 0)
}
