package table

import (
	"cmp"

	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// Describe words the text of a row as a sentence of its own language; a text that is none
// stays as it is. It is for who says a line of a document without a question in mind.
func Describe(text string) string {
	row, ok := Parse(text)
	if !ok || !row.Strict {
		return text
	}
	t := New([]Row{row}, "")
	lang := cmp.Or(lexicon.Language(text), language.Codes()[0])
	said, _ := t.Read(Inquiry{Found: nothing, Echo: func(string) float32 { return 0 }}, []int{0}).Say(lang, lang, 0)
	return cmp.Or(said, text)
}

func nothing(string) []float32 { return nil }

// WithoutVariants is a question without the words for sizes, seasons, days and whom a
// price is for, and whether it had any.
func WithoutVariants(text string) (string, bool) {
	words := wordsOf(text)
	kept, from, had := "", 0, false
	for i := 0; i < len(words); {
		_, n := match(words[i:], lexes().variants)
		if n == 0 || n == 1 && len(words[i].text) == 1 {
			i++
			continue
		}
		kept += text[from:words[i].start]
		from, had = words[i+n-1].end, true
		i += n
	}
	return kept + text[from:], had
}
