package hearing

import (
	"slices"
	"strings"
	"unicode"

	"frontdesk.dev/frontdesk/internal/language"
)

// longest is how many runes of an utterance are listened to.
const longest = 1000

// utterance is a text and the words in it.
type utterance struct {
	text  string
	words []language.Token
}

// OneLine makes valid text of one line of whatever came, no longer than is
// listened to.
func OneLine(text string) string {
	text = strings.ToValidUTF8(text, " ")
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	n := 0
	for i := range text {
		if n == longest {
			return text[:i]
		}
		n++
	}
	return text
}

// wordsOf takes a text apart.
func (e *ear) wordsOf(text string) utterance {
	u := utterance{text: text, words: e.Mix.Tokens(text)}
	for i := range u.words {
		if !u.words[i].Figures {
			u.words[i].Word = e.respelled(u.words[i].Word)
		}
	}
	return u
}

// markJoins notes the interrogatives that ask nothing: without their accent in a
// text that has accents, in the midst of a sentence that does not ask. Callers
// who begin with them ask, however they write.
func (e *ear) markJoins() {
	e.joins = map[int]bool{}
	if !strings.ContainsAny(e.Text, accented) {
		return
	}
	begun := false // more than manners has been said in the sentence
	for i, w := range e.words.words {
		if i > 0 && e.words.words[i-1].Sentence != w.Sentence {
			begun = false
		}
		if begun && !w.Asks && e.is("interrogatives", w.Word) && !strings.ContainsAny(e.Text[w.Start:w.End], accented) {
			e.joins[w.Start] = true
		}
		begun = begun || !e.is("fillers", w.Word) && !e.is("lead_ins", w.Word)
	}
}

const accented = "áéíóúÁÉÍÓÚ"

// blanked is the utterance without the words that touch one of the spans.
func (u utterance) blanked(spans ...[2]int) utterance {
	out := utterance{text: u.text}
	for _, w := range u.words {
		if !touches(w, spans) {
			out.words = append(out.words, w)
		}
	}
	return out
}

// joined is the utterance with the words of a span as one that means nothing by its
// parts: "HMW7TY" gives no thanks.
func (u utterance) joined(span [2]int) utterance {
	out := utterance{text: u.text}
	for _, w := range u.words {
		last := len(out.words) - 1
		if w.Gap != language.Glued || last < 0 || !touches(w, [][2]int{span}) || !touches(out.words[last], [][2]int{span}) {
			out.words = append(out.words, w)
			continue
		}
		out.words[last].End, out.words[last].Figures = w.End, false
		out.words[last].Word += w.Word
	}
	return out
}

func touches(w language.Token, spans [][2]int) bool {
	for _, s := range spans {
		if w.Start < s[1] && s[0] < w.End {
			return true
		}
	}
	return false
}

// parts are the words of u in runs that keep together by key.
func (u utterance) parts(key func(language.Token) int) [][]language.Token {
	var all [][]language.Token
	for i := 0; i < len(u.words); {
		j := i + 1
		for j < len(u.words) && key(u.words[j]) == key(u.words[i]) {
			j++
		}
		all = append(all, u.words[i:j])
		i = j
	}
	return all
}

func bySentence(w language.Token) int { return w.Sentence }
func byClause(w language.Token) int   { return w.Clause }

// between is the text between two words. Words that one was respelled as stand in
// the same place: nothing is between them.
func (e *ear) between(a, b language.Token) string { return e.Text[a.End:max(a.End, b.Start)] }

// hasOf says whether one of the words is of a set.
func (e *ear) hasOf(set string, words []language.Token) bool {
	return slices.ContainsFunc(words, func(w language.Token) bool { return e.is(set, w.Word) })
}

// hears says whether a phrase of a meaning stands in the words.
func (e *ear) hears(meaning string, words []language.Token) bool {
	return e.Mix.Phrases(meaning).In(words)
}

// find is where the first phrase of a meaning stands in the words.
func (e *ear) find(meaning string, words []language.Token) (from, to int, ok bool) {
	return e.Mix.Phrases(meaning).Find(words)
}

// at is where the longest phrase of a meaning that begins at word i ends.
func (e *ear) at(meaning string, words []language.Token, i int) (to int, ok bool) {
	return e.Mix.Phrases(meaning).At(words, i)
}

// is says whether a word is one of a set.
func (e *ear) is(set, word string) bool { return e.Mix.Words(set)[word] }
