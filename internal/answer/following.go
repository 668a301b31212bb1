package answer

import (
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/passage"
	"frontdesk.dev/frontdesk/internal/table"
)

// Answer answers who was answered by documents and goes on with no more than what is
// different now: "and on Sundays?", "and for children?", "and how long does it take?". It
// is asked with the question before it.
func (f FollowUps) Answer(question string) Answer {
	const most = 8 // words
	if len(f.Tokens(question)) > most || f.Topic != Written || f.LastAnswered == "" || f.Busy {
		return Answer{}
	}
	var best frontdesk.Answer
	asked := ""
	for _, whole := range f.together(question) {
		a, err := f.LookUp(whole)
		if err == nil && a.Answered && a.MatchPct > best.MatchPct && len(f.unspoken(question, a.Text+" "+a.Say(f.Lang)+" "+passage.Around(a))) == 0 {
			best, asked = a, whole
		}
	}
	if best.MatchPct < SureMatch {
		return Answer{}
	}
	a := Of(best, f.Lang)
	a.Asked = asked
	return a
}

// together are the questions that somebody may ask who goes on: the last one of something
// else, the last one with something more, or another one of the same thing. A day or a
// size takes the place of the one that was asked for before.
func (f FollowUps) together(question string) []string {
	words := f.Tokens(question)
	last, matter := strings.TrimRight(f.LastAnswered, " ?.!"), f.matterOf(f.LastAnswered)
	_, to, goesOn := f.Mix.Phrases("goes_on").Find(words)
	switch {
	case len(f.matterOf(question)) == 0 && f.CostAsked(question) != "" && len(matter) > 0:
		return []string{strings.TrimRight(question, " ?.!") + " " + strings.Join(matter, " ")}
	case !goesOn || to >= len(words) || len(f.TellingWords(question)) == 0 || f.asksItsOwn(words):
		return nil
	}
	thing, bare := question[words[to].Start:], last
	for _, word := range matter {
		bare = f.withoutWord(bare, word)
	}
	if _, varies := table.WithoutVariants(thing); varies {
		last, _ = table.WithoutVariants(last)
	}
	return []string{last + " " + thing, bare + " " + thing}
}

// withoutWord is a text without a word.
func (f FollowUps) withoutWord(text, word string) string {
	for _, w := range f.Tokens(text) {
		if w.Word == word {
			return text[:w.Start] + text[w.End:]
		}
	}
	return text
}
