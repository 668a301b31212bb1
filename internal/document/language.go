package document

import (
	"cmp"
	"strings"
	"unicode"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// fewWords tell too little: a passage of fewer has its document's language,
// unless it is plain from its grammar.
const fewWords = 6

// closely is how many bytes of a document are looked up word by word in the
// lexicon, which is slow; after that, the small words alone must tell.
const closely = 30_000

// tellLanguages sets the language of every fragment: its own where it shows,
// else that of what stands under the same heading, else that of most of the
// document.
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
	most := ""
	for _, code := range language.Codes() {
		if weight[code] >= weight[most] || most == "" {
			most = code
		}
	}
	under := underHeadings(fragments)
	for i := range fragments {
		f := &fragments[i]
		f.Language = cmp.Or(f.Language, under[f.Heading], most)
	}
}

// underHeadings are the languages of what stands under each heading, where that
// is one.
func underHeadings(fragments []frontdesk.Fragment) map[string]string {
	under, mixed := map[string]string{}, map[string]bool{}
	for _, f := range fragments {
		switch before := under[f.Heading]; {
		case f.Language == "" || f.Heading == "":
		case before == "":
			under[f.Heading] = f.Language
		case before != f.Language:
			mixed[f.Heading] = true
		}
	}
	for heading := range mixed {
		delete(under, heading)
	}
	return under
}

// byGrammar tells a language by the words that hold its sentences together, ""
// if they do not tell clearly, and counts all words.
func byGrammar(text string) (lang string, words int) {
	codes := language.Codes()
	counts := make([]int, len(codes))
	for i, code := range codes {
		if signs := strings.Join(language.Of(code).Lines("own signs"), ""); signs != "" && strings.ContainsAny(text, signs) {
			counts[i] = 2
		}
	}
	total := 0
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		words++
		w = language.Fold(w)
		for i, code := range codes {
			if lexicon.Grammar(code, w) {
				counts[i]++
			}
		}
	}
	for _, n := range counts {
		total += n
	}
	for i, n := range counts {
		if others := total - n; n >= 2*others+2 {
			return codes[i], words
		}
	}
	return "", words
}
