package catalogue

import (
	"slices"
	"time"

	"frontdesk.dev/frontdesk/internal/language"
)

// question is a caller's text on its way to an answer: its words, the topics
// that they show, and which of them have been accounted for.
type question struct {
	c      *Catalogue
	text   string
	lang   string
	now    time.Time
	focus  Focus
	dated  tokenSet // tokens that name days and times
	words  []token
	spoken []language.Token
	naming []token         // the words, blank where they ask rather than name something
	shown  map[topic][]int // the tokens that show a topic
	named  map[*finder][]found
	clear  tokenSet // tokens that the answer accounts for
}

func (c *Catalogue) newQuestion(text, lang string, now time.Time) *question {
	q := &question{c: c, text: text, lang: lang, now: now, words: tokens(text, lang), spoken: mixed().Tokens(text), shown: map[topic][]int{}, named: map[*finder][]found{}}
	for _, t := range topics {
		for _, p := range cues(t) {
			for i := range q.words {
				if used := p.at(q.words, i); used != nil {
					q.shown[t] = append(q.shown[t], used...)
				}
			}
		}
	}
	q.shown[have] = slices.DeleteFunc(q.shown[have], q.callersOwn)
	q.naming = slices.Clone(q.words)
	for _, t := range []topic{price, duration, services} {
		for _, i := range q.shown[t] {
			q.naming[i].blank()
		}
	}
	return q
}

// callersOwn says whether it is the callers who have something: "we have forty
// employees" asks for nothing, "do we have …" and "can I have …" do.
func (q *question) callersOwn(i int) bool {
	return i > 0 && wordsOf("first person")[q.words[i-1].word] && (i == 1 || !wordsOf("asking verbs")[q.words[i-2].word])
}

// blank makes a token one that means nothing and keeps its place.
func (t *token) blank() { *t = token{word: "-", start: t.start, end: t.end, stop: t.stop} }

func (t token) blanked() bool { return t.word == "-" }

// about says whether the question shows one of the topics.
func (q *question) about(topics ...topic) bool {
	return slices.ContainsFunc(topics, func(t topic) bool { return len(q.shown[t]) > 0 })
}

// account marks what shows these topics as dealt with.
func (q *question) account(topics ...topic) {
	for _, t := range topics {
		q.mark(q.shown[t])
	}
}

func (q *question) mark(used []int) {
	for _, i := range used {
		q.clear.add(i, i+1)
	}
}

// rest are the words that tell something and are not accounted for.
func (q *question) rest() (all []token) {
	for i, w := range q.words {
		if !q.clear.any(i, i+1) && !w.empty() && !q.c.house.own[w.word] && !wordsOf("house")[w.word] {
			all = append(all, w)
		}
	}
	return all
}

// said says whether one of the words stands in the question, and marks it.
func (q *question) said(words language.Set) bool {
	found := false
	for i, w := range q.words {
		if words[w.word] {
			q.clear.add(i, i+1)
			found = true
		}
	}
	return found
}

// reply makes an answer. It is certain when nothing of the question is left
// over.
func (q *question) reply(t topic, text string) (Reply, bool) {
	return Reply{Text: text, Topic: string(t), Certain: len(q.rest()) == 0}, text != ""
}

// unsure is a reply that documents may know better, whatever is left over.
func unsure(t topic, text string) (Reply, bool) {
	return Reply{Text: text, Topic: string(t)}, text != ""
}
