// Package passage tells what of the passages that were found in documents answers a
// question or a trouble that was told: by the words that they have in common, in any of
// their forms and in every language.
package passage

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// How long passages are that are said.
const (
	LongestHead    = 6   // words that head one
	LongestSaid    = 260 // bytes of one that is said whole
	LongestWarning = 500 // bytes of one that is said whole in an emergency
)

// Signs is how many different telling words of one text another has, in any of their
// forms: in the language in which it has most of them, for a word is counted in one
// only.
func Signs(told, written string) int {
	most, has := map[string]int{}, Stems(written)
	for stem := range Stems(told) {
		if has[stem] {
			most[stem[:2]]++
		}
	}
	n := 0
	for _, count := range most {
		n = max(n, count)
	}
	return n
}

// Stems are the stems of the telling words of a text in each language, behind its
// code.
func Stems(text string) map[string]bool {
	all := map[string]bool{}
	for _, w := range language.Tokenize(text) {
		if !w.Figures && Telling(w.Word) {
			for _, code := range language.Codes() {
				all[code+lexicon.Stem(code, w.Word)] = true
			}
		}
	}
	return all
}

// Small says whether a word is grammar or manners, in any language.
func Small(word string) bool {
	return slices.ContainsFunc(language.Codes(), func(code string) bool { return lexicon.Grammar(code, word) || lexicon.Manners(code, word) })
}

// Telling says whether a word tells something by itself: it is neither grammar nor
// manners, and no stump. Figures may: where they do not, whoever asks leaves them out.
func Telling(word string) bool { return len(word) > 2 && !Small(word) }

// Counts says whether a word counts something, in any language: it may be an hour or a
// figure of a telephone number as well.
func Counts(word string) bool {
	return slices.ContainsFunc(language.Codes(), func(code string) bool {
		l := language.Of(code)
		_, counts := l.Numbers("cardinals")[word]
		_, orders := l.Numbers("ordinals")[word]
		return counts || orders
	})
}

// NameWords are the words that names are made of, without small ones and numbers.
func NameWords(names []string) map[string]bool {
	all := map[string]bool{}
	for _, name := range names {
		for _, w := range language.Tokenize(name) {
			if Telling(w.Word) && !Counts(w.Word) {
				all[w.Word] = true
			}
		}
	}
	return all
}

// Speaks says whether a text, of which there are the stems, has a word or one that
// means the same.
func Speaks(word string, told map[string]bool) bool {
	words := lexicon.Words()
	has := func(code, text string) bool {
		parts := strings.Fields(text)
		return len(parts) > 0 && !slices.ContainsFunc(parts, func(p string) bool { return !told[code+lexicon.Stem(code, p)] })
	}
	for _, code := range language.Codes() {
		if has(code, word) {
			return true
		}
		for same := range words.Same(words.Entry(code, word)) {
			if has(same.Lang, same.Text) {
				return true
			}
		}
	}
	return false
}

// Common says whether a word stands in so many lines of what was found that it does
// not tell one from another: "dog" at a kennel's.
func Common(word string, lines []string) bool {
	const few, share = 3, 0.4
	n := 0
	for _, line := range lines {
		if Signs(word, line) > 0 {
			n++
		}
	}
	return n >= few && float64(n) >= share*float64(len(lines))
}

// NamesSum says whether a sentence has a figure of money or a share.
func NamesSum(s string) bool { return NamesMoney(s) || hasFigure(s) && strings.Contains(s, "%") }

// NamesMoney says whether a sentence has a figure of money.
func NamesMoney(s string) bool {
	return hasFigure(s) && (strings.ContainsAny(s, "€$£") || slices.ContainsFunc(strings.Fields(language.Fold(s)), isMoney))
}

// isMoney says whether a folded word is the name of a currency.
func isMoney(word string) bool {
	word = strings.Trim(word, ".,;:()")
	return slices.ContainsFunc(language.Codes(), func(code string) bool {
		_, ok := language.Of(code).Pairs("table money")[word]
		return ok
	})
}

func hasFigure(s string) bool { return strings.ContainsAny(s, "0123456789") }

// Lines are the lines of what was found in documents, without the marks of lists.
func Lines(hits []frontdesk.AnswerHit) (lines []string) {
	for _, h := range hits {
		for line := range strings.Lines(h.Fragment.Text) {
			lines = append(lines, strings.TrimSpace(strings.TrimLeft(line, "-*•· ")))
		}
	}
	return lines
}

// LineWithMoney is the only line that has one of the words, where it has a figure
// of money and is not too long to be said; "" when there is none.
func LineWithMoney(words, lines []string) string {
	for _, w := range words {
		with := slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return Signs(w, line) == 0 })
		if len(with) == 1 && len(with[0]) <= LongestSaid && NamesMoney(with[0]) {
			return with[0]
		}
	}
	return ""
}

// Around is the line that an answer was taken from, with the heading and the question
// above it, or the whole fragment where it is from several; "" when there is none.
func Around(a frontdesk.Answer) string {
	for _, h := range a.Hits {
		if !h.Used {
			continue
		}
		for _, line := range Lines([]frontdesk.AnswerHit{h}) {
			if strings.Contains(line, a.Text) {
				return line + " " + h.Fragment.Heading + " " + h.Fragment.Question
			}
		}
		return h.Fragment.Text + " " + h.Fragment.Heading + " " + h.Fragment.Question
	}
	return ""
}

// SplitHead parts the few words that head a passage from what it says.
func SplitHead(passage string) (head, text string, ok bool) {
	at := strings.IndexAny(passage, ".:")
	if at < 0 {
		return "", "", false
	}
	head, text = passage[:at], strings.TrimSpace(passage[at+1:])
	return head, text, text != "" && len(strings.Fields(head)) <= LongestHead
}

// Occasion is the part of a line that says in which emergency it helps: what
// stands before a colon, else the first sentence up to what to do.
func Occasion(line string) string {
	const longest = 30 // words
	if head, _, ok := strings.Cut(line, ":"); ok && len(strings.Fields(head)) <= longest {
		return head
	}
	head, _, _ := strings.Cut(line, ". ")
	return head
}

// Shorten leaves of a long passage the sentences that have a word of the
// question.
func Shorten(question, passage string) string {
	if len(passage) <= LongestSaid {
		return passage
	}
	return frontdesk.Clip(Sentences(question, passage), 2*LongestSaid)
}

// Sentences are those of a passage that have a telling word of a question; "" when
// none has.
func Sentences(question, passage string) string {
	var kept []string
	for _, s := range strings.SplitAfter(passage, ". ") {
		if Signs(question, s) > 0 {
			kept = append(kept, strings.TrimSpace(s))
		}
	}
	return strings.Join(kept, " ")
}

// Paragraph is the paragraph that an answer was taken from: in an emergency
// the sentence behind it may have the number to call.
func Paragraph(a frontdesk.Answer) string {
	best, most := a.Text, 0
	for _, h := range a.Hits {
		if !h.Used {
			continue
		}
		for paragraph := range strings.SplitSeq(h.Fragment.Text, "\n\n") {
			if strings.Contains(paragraph, "\n") {
				continue // a list, of which the answer is the line that fits
			}
			if n := Signs(a.Text, paragraph); n > most && len(paragraph) <= LongestWarning && len(paragraph) > len(a.Text) && n >= Signs(a.Text, a.Text) {
				best, most = strings.TrimSpace(paragraph), n
			}
		}
	}
	return best
}
