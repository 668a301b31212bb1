package hearing

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// tongueReader tells the language of an utterance.
type tongueReader struct{ *ear }

// languageOf tells the language of an utterance, "" when its words do not tell.
// One clear word is enough ("mañana", "tomorrow"); names, numbers and words of
// several languages ("no", "ok", "taxi") tell nothing.
func (e tongueReader) languageOf(u utterance) string {
	if e.isBareName(u.words) {
		return ""
	}
	points := make([]int, len(e.Mix.Languages))
	for n, l := range e.Mix.Languages {
		for sign := range l.Words("signs") {
			if strings.Contains(u.text, sign) {
				points[n] = 4
			}
		}
	}
	for i, w := range u.words {
		if w.Figures || e.isNumberWord(w.Word) || w.Capital && !startsSentence(u.words, i) && !e.is("telling", w.Word) {
			continue
		}
		for n, p := range e.leaning(w) {
			points[n] += p
		}
	}
	return e.best(points)
}

// best is the language with most points, if they are enough and no other has as
// many.
func (e tongueReader) best(points []int) string {
	const enough = 2
	best := slices.Max(points)
	if best < enough || slices.Index(points, best) != len(points)-1-slices.Index(reversed(points), best) {
		return ""
	}
	return e.Mix.Languages[slices.Index(points, best)].Code
}

func reversed(all []int) []int {
	all = slices.Clone(all)
	slices.Reverse(all)
	return all
}

// isBareName says whether nothing but capitalised words and figures were said:
// whatever language they are words of, they name somebody.
func (e tongueReader) isBareName(words []language.Token) bool {
	const most = 5
	names := 0
	for _, w := range words {
		switch {
		case w.Figures:
		case !w.Capital || names == 0 && e.is("telling", w.Word):
			return false
		default:
			names++
		}
	}
	return names > 1 && names <= most
}

func startsSentence(words []language.Token, i int) bool {
	return i == 0 || words[i-1].Sentence != words[i].Sentence
}

// leaning is how much one word speaks for each language.
func (e tongueReader) leaning(w language.Token) []int {
	points := make([]int, len(e.Mix.Languages))
	if e.is("neutral", w.Word) || len(w.Word) == 1 && !e.is("telling", w.Word) {
		return points
	}
	known := 0
	for n, l := range e.Mix.Languages {
		if l.Words("telling")[w.Word] {
			clear(points)
			points[n] = 4
			return points
		}
		if points[n] = weight(l.Code, w.Word); points[n] > 0 {
			known++
		}
	}
	if known > 1 {
		clear(points)
	}
	return points
}

// weight is how well a language knows a word: 3 for one that holds its sentences
// together, 1 for any other.
func weight(code, w string) int {
	switch {
	case lexicon.Grammar(code, w), lexicon.Manners(code, w):
		return 3
	case lexicon.Words().Knows(lexicon.Entry{Lang: code, Stems: lexicon.Stem(code, w)}):
		return 1
	}
	return 0
}

// smallest says whether a word holds the sentences of any language together.
func (e *ear) smallest(w string) bool {
	return slices.ContainsFunc(e.Mix.Languages, func(l *language.Language) bool { return weight(l.Code, w) == 3 })
}
