package answer

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/passage"
)

// Advice is what the documents say about one emergency.
type Advice struct {
	Text  string // a line, or a paragraph of one
	Signs int    // how many words that tell which emergency it is about were told
	Said  int    // how many of them in the very words
}

// AdviceOn is the line of what documents say about emergencies that is about what was
// told; without signs of any it is the only one that there is, or none. What holds
// while the house is not open is added then.
func (src *Sources) AdviceOn(told string, open bool, answers ...frontdesk.Answer) (best Advice) {
	stems := passage.Stems(told)
	var all, closed []string
	for _, line := range linesOnEmergencies(answers) {
		head := passage.Occasion(line)
		if src.has("when_closed", head) {
			closed = append(closed, line)
			continue
		}
		all = append(all, line)
		if n := src.signsOf(head, stems); n > best.Signs {
			best = Advice{line, n, passage.Signs(head, told)}
		}
	}
	if best.Signs == 0 && len(all) == 1 {
		best.Text = all[0]
	}
	if len(closed) > 0 && !open {
		best.Text = strings.TrimSpace(best.Text + " " + closed[0])
	}
	return best
}

// linesOnEmergencies are the lines that speak of emergencies, each once: all below
// headings that say so, else those that begin with such a word or send people for help.
func linesOnEmergencies(answers []frontdesk.Answer) (all []string) {
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
				if head, _, _ := passage.SplitHead(line); headed || headsEmergencies(head) || SendsForHelp(line) {
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

// signsOf is how many of the words that head a line, which tell what it is about, were
// told in any form, or in others that mean the same.
func (src *Sources) signsOf(head string, told map[string]bool) (n int) {
	for _, word := range src.matterOf(head) {
		if passage.Speaks(word, told) {
			n++
		}
	}
	return n
}

// SendsForHelp says whether a text sends people to a hospital or to an emergency
// number, in whatever language it is.
func SendsForHelp(text string) bool {
	return language.MixOf().Phrases("sends_for_help").In(language.MixOf().Tokens(text))
}
