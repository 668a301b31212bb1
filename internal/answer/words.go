package answer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
	"frontdesk.dev/frontdesk/internal/passage"
)

// thin says whether a question tells next to nothing by itself: "do you charge for
// that?", "what happens then?"
func (src *Sources) thin(question string) bool { return len(src.TellingWords(question)) <= 1 }

// TellingWords are the words of a text that tell something.
func (src *Sources) TellingWords(text string) (all []string) {
	for _, w := range src.Tokens(text) {
		if !w.Figures && passage.Telling(w.Word) && !src.Mix.Words("says_nothing")[w.Word] {
			all = append(all, w.Word)
		}
	}
	return all
}

// Announces says whether a question only says that there is one: "a quick question".
func (src *Sources) Announces(question string) bool {
	words := src.Tokens(question)
	_, to, ok := src.Mix.Phrases("lead_phrases").Find(words)
	return len(src.TellingWords(question)) == 0 && !src.Mix.Phrases("points_back").In(words) || ok && to >= len(words)
}

// matterOf are the words that a question is about: those that tell something by
// themselves, and not what everybody says of everything ("take", "have", "go").
func (src *Sources) matterOf(question string) (all []string) {
	for _, word := range src.TellingWords(question) {
		light := func(code string) bool { return lexicon.Light(code, word) }
		if !slices.ContainsFunc(language.Codes(), light) && !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	return all
}

// speaksOf says whether a text has a word, another form of it, or one that means the
// same in any language.
func speaksOf(text, word string) bool {
	if passage.Signs(word, text) > 0 {
		return true
	}
	words := lexicon.Words()
	for _, code := range language.Codes() {
		for same := range words.Same(words.Entry(code, word)) {
			if passage.Signs(same.Text, text) > 0 {
				return true
			}
		}
	}
	return false
}

// unspoken are the words that a question is about and a text does not speak of.
func (src *Sources) unspoken(question, text string) (all []string) {
	for _, word := range src.matterOf(question) {
		if !speaksOf(text, word) {
			all = append(all, word)
		}
	}
	return all
}

// tellsApart says whether a text has a word of a question that few other lines of
// what was found have.
func (src *Sources) tellsApart(question, text string, hits []frontdesk.AnswerHit) bool {
	lines := passage.Lines(hits)
	return slices.ContainsFunc(src.matterOf(question), func(word string) bool {
		return passage.Signs(word, text) > 0 && !passage.Common(word, lines)
	})
}

// asksWhether says whether a question asks whether there is something, and not what,
// when or how.
func (src *Sources) asksWhether(question string) bool {
	words := src.Tokens(src.narrowed(question))
	asks := func(w language.Token) bool { return src.Mix.Words("set interrogatives")[w.Word] }
	return src.Mix.Phrases("asks_whether_done").In(words) && !slices.ContainsFunc(words, asks)
}

// thingAsked is a question without the words that ask whether something is done:
// what is not taught is no answer to everything that may be taught.
func (src *Sources) thingAsked(question string) string {
	words := src.Tokens(question)
	from, to, ok := src.Mix.Phrases("asks_whether_done").Find(words)
	if !ok {
		return question
	}
	return question[:words[from].Start] + question[words[to-1].End:]
}

// CostAsked is the topic of a question for a price or a length; "" when it asks
// for neither.
func (src *Sources) CostAsked(question string) string {
	words := src.Tokens(question)
	switch {
	case src.Mix.Phrases("asks_length").In(words):
		return "duration"
	case src.Mix.Phrases("asks_price").In(words), src.Mix.Phrases("asks_what").In(words):
		return "price"
	}
	return ""
}

// Clauses are the parts of what was told that tell something by themselves: of a long
// tale one may be what a document speaks of.
func (src *Sources) Clauses(text string, fewest int) (all []string) {
	const most = 4 // clauses
	var clause []string
	end := func() {
		if joined := strings.Join(clause, " "); len(src.TellingWords(joined)) >= fewest && len(all) < most && joined != text {
			all = append(all, joined)
		}
		clause = nil
	}
	for w := range strings.FieldsSeq(text) {
		if src.Mix.Words("conjunctions")[language.Fold(w)] {
			end()
			continue
		}
		clause = append(clause, w)
		if strings.ContainsAny(w, ",.;:!?") {
			end()
		}
	}
	end()
	return all
}

// plain is a question without the words that only point at what was said before,
// or address whoever answers.
func (src *Sources) plain(question string) string {
	var kept []string
	words := strings.Fields(question)
	if len(words) > 2 && src.Mix.Words("asks_indirectly")[language.Fold(words[0])] {
		words = words[1:] // "if there is a lift"
	}
	for _, w := range words {
		if folded := language.Fold(strings.TrimFunc(w, unicode.IsPunct)); !src.Mix.Words("says_nothing")[folded] {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ")
}

// WorthAsking says whether a text has words enough to be worth asking about.
func WorthAsking(text string) bool {
	words := 0
	for _, w := range strings.Fields(text) {
		w = strings.TrimFunc(w, unicode.IsPunct)
		if strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '\'' && r != '’' }) {
			continue
		}
		if utf8.RuneCountInString(w) > 2 {
			words++
		}
	}
	return words >= 2
}

// has says whether a text has one of the phrases of a meaning.
func (src *Sources) has(meaning, text string) bool {
	return src.Mix.Phrases(meaning).In(src.Tokens(text))
}

// SpeaksOfBooking says whether a word speaks of booking as such, and of nothing that is
// booked.
func (src *Sources) SpeaksOfBooking(word string) bool {
	lists := []string{"set want", "set can", "set place", "set date", "catalogue talk", "fillers", "says_nothing"}
	return slices.ContainsFunc(lists, func(list string) bool { return src.Mix.Words(list)[word] })
}

// withoutHead is a line without the words that head it: "Paying. By card or transfer."
// They stay where they say no, and what follows does not, or have a figure.
func withoutHead(line string) string {
	head, text, ok := passage.SplitHead(line)
	mix := language.MixOf()
	denies := func(s string) bool { return mix.Phrases("denies").In(mix.Tokens(s)) }
	if !ok || denies(head) && !denies(text) || strings.ContainsAny(head, "0123456789") || len(strings.Fields(text)) < 2 {
		return line
	}
	if r, _ := utf8.DecodeRuneInString(text); !unicode.IsUpper(r) {
		return line // it goes on in the same sentence
	}
	return text
}

// headless is a text of the documents without the words that head the paragraph that it is
// taken from, where the paragraphs around it are headed in the same way: who asked for
// parking needs not hear "Parking".
func headless(text string, hits []frontdesk.AnswerHit) string {
	const few = 2 // paragraphs that show how a document is written
	head, _, ok := passage.SplitHead(text)
	for _, h := range hits {
		lines := passage.Lines([]frontdesk.AnswerHit{h})
		begins := func(line string) bool { return strings.HasPrefix(line, head) }
		if !ok || !slices.ContainsFunc(lines, begins) {
			continue
		}
		headed := slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return line == "" || withoutHead(line) == line })
		lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
		if len(headed) >= few && 2*len(headed) >= len(lines) {
			return withoutHead(text)
		}
	}
	return text
}
