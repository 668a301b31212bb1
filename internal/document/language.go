package document

import (
	"cmp"
	"strings"
	"unicode"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// fewWords tell too little: a passage of fewer has its document's language,
// unless it is plain from its grammar.
const fewWords = 6

// closely is how many bytes of a document are looked up word by word in the
// lexicon, which is slow; after that, the small words alone must tell.
const closely = 30_000

// tellLanguages sets the language of every fragment: its own where it shows,
// else that of most of the document.
func tellLanguages(fragments []frontdesk.Fragment) {
	weight, budget := map[string]int{}, closely
	for i := range fragments {
		f := &fragments[i]
		text := f.Question + " " + f.Text
		lang, words := byGrammar(text)
		sure := lang != ""
		if lang == "" && budget > 0 {
			lang = lexicon.Language(text)
			budget -= len(text)
		}
		weight[lang] += len(text)
		if sure || words >= fewWords {
			f.Language = lang
		}
	}
	most := lexicon.English
	if weight[lexicon.Spanish] > weight[lexicon.English] {
		most = lexicon.Spanish
	}
	for i := range fragments {
		fragments[i].Language = cmp.Or(fragments[i].Language, most)
	}
}

// byGrammar tells a language by the words that hold its sentences together, ""
// if they do not tell clearly, and counts all words.
func byGrammar(text string) (lang string, words int) {
	var es, en int
	if strings.ContainsAny(text, "¿¡ñ") {
		es = 2
	}
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		words++
		w = lexicon.Fold(w)
		if lexicon.Grammar(lexicon.Spanish, w) {
			es++
		}
		if lexicon.Grammar(lexicon.English, w) {
			en++
		}
	}
	switch {
	case es >= 2*en+2:
		return lexicon.Spanish, words
	case en >= 2*es+2:
		return lexicon.English, words
	}
	return "", words
}
