package catalogue

import (
	"strings"
	"sync"

	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// mostTokens bounds what is read of a text: callers say less.
const mostTokens = 160

// token is a word of a text and where it stands there.
type token struct {
	word       string          // folded
	start, end int             // bytes of the text
	hyphen     bool            // a hyphen joins it to the next one
	stop       bool            // a comma or another mark stands between it and the next one
	entries    []lexicon.Entry // one for each language

	function bool // grammar
	slight   bool // says little
	manners  bool // is said around what is asked
}

// entry is the word as the lexicon has it in a language.
func (t token) entry(lang string) lexicon.Entry {
	for _, e := range t.entries {
		if e.Lang == lang {
			return e
		}
	}
	return lexicon.Entry{}
}

func (t token) stem(lang string) string { return t.entry(lang).Stems }

// in says whether a set has the word, in any language.
func (t token) in(set map[lexicon.Entry]bool) bool {
	for _, e := range t.entries {
		if set[e] {
			return true
		}
	}
	return false
}

// tokens splits a text of a language into its words and numbers; an empty
// language stands for any. Names of things are written in other ways than what is
// said: figures keep what groups them and the letters at their sides ("1.150",
// "21:30", "m2"), and an apostrophe ends a word; what it leaves over ("s", "t") is
// grammar.
func tokens(text, lang string) (all []token) {
	spoken := language.Tokenize(text)
	for i := 0; i < len(spoken) && len(all) < mostTokens; {
		n := 1
		for i+n < len(spoken) && oneWord(spoken[i+n-1], spoken[i+n]) {
			n++
		}
		start, end := spoken[i].Start, spoken[i+n-1].End
		if len(all) > 0 && spoken[i].Gap == language.Dash && text[all[len(all)-1].end] != ' ' && text[start-1] != ' ' {
			all[len(all)-1].hyphen = true
		}
		if len(all) > 0 && (spoken[i].Clause != spoken[i-1].Clause || spoken[i].Gap > language.Dash) {
			all[len(all)-1].stop = true
		}
		all = split(all, text, start, end, lang)
		i += n
	}
	return all
}

// oneWord says whether two tokens are one word here: a number in groups, or
// figures with letters.
func oneWord(a, b language.Token) bool {
	switch b.Gap {
	case language.Glued:
		return a.Figures != b.Figures
	case language.Dot, language.Comma, language.Colon:
		return a.Figures && b.Figures && b.Start == a.End+1
	}
	return false
}

// split adds a word, or the words that apostrophes make of it.
func split(all []token, text string, start, end int, lang string) []token {
	for start < end && len(all) < mostTokens {
		to := end
		if at := strings.IndexAny(text[start:end], "'’"); at >= 0 {
			to = start + at
		}
		if t := newToken(text[start:to], lang, start, to); t.word != "" {
			all = append(all, t)
		}
		if start = to; start < end {
			_, size := firstRune(text[start:])
			start += size
		}
	}
	return all
}

func newToken(word, lang string, start, end int) token {
	t := known.of(language.Full(word), lang)
	t.start, t.end = start, end
	return t
}

// known remembers words as tokens: the names of entries and what callers say are
// made of the same words again and again.
var known remembered

// mostKnown bounds the memory: about 5 MiB.
const mostKnown = 1 << 14

type remembered struct {
	mu     sync.RWMutex
	tokens map[spelling]token
}

type spelling struct{ word, lang string }

// of is a word as a token, wherever it stands. When too many are known, all are
// forgotten: those that are in use come back at once.
func (r *remembered) of(word, lang string) token {
	r.mu.RLock()
	t, ok := r.tokens[spelling{word, lang}]
	r.mu.RUnlock()
	if ok {
		return t
	}
	word = strings.Clone(word) // not the text that it stands in
	t = token{word: language.Fold(word)}
	for _, code := range languages() {
		t.entries = append(t.entries, lexicon.Words().Entry(code, t.word))
	}
	t.weigh(lang)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tokens == nil || len(r.tokens) >= mostKnown {
		r.tokens = make(map[spelling]token, 256)
	}
	r.tokens[spelling{word, lang}] = t
	return t
}

// number says whether the token is written in figures.
func (t token) number() bool { return t.word[0] >= '0' && t.word[0] <= '9' }

// numeral says whether the token is a number, in figures or in words.
func (t token) numeral() bool { return t.number() || len(numbers(t.word)) > 0 }

// numbers are a number in figures and in all words for it.
func numbers(word string) (all []string) {
	for _, lang := range languages() {
		all = append(all, lexicon.Numbers(lang, word)...)
	}
	return all
}

// grammar says whether the token only holds sentences together.
func (t token) grammar() bool { return t.function }

// light says whether the token says little, beside a word that says more.
func (t token) light() bool { return t.slight && !talk()[t.word] }

// empty says whether the token tells nothing of what is asked: grammar, manners
// and words that say little.
func (t token) empty() bool {
	return (t.function || t.slight || t.manners) && !wordsOf("telling")[t.word]
}

// weigh finds out how much the token says in a language; in any of them when
// that is not known.
func (t *token) weigh(lang string) {
	for _, l := range languages() {
		if lang == "" || lang == l {
			t.function = t.function || lexicon.Grammar(l, t.word)
			t.slight = t.slight || isLight(l, t.word)
		}
		t.manners = t.manners || lexicon.Manners(l, t.word)
	}
}

// isLight is lexicon.Light, but that goes by stems and would make Madrid a
// mother.
func isLight(lang, word string) bool {
	for ending := range language.Of(lang).Words("catalogue heavy endings") {
		if strings.HasSuffix(word, ending) {
			return false
		}
	}
	return lexicon.Light(lang, word)
}

// known says whether any language has the word.
func (t token) known() bool {
	for _, e := range t.entries {
		if lexicon.Words().Knows(e) {
			return true
		}
	}
	return false
}

// talk are words that callers use to speak of booking, buying and asking as
// such. They name no entry, unless an entry has no other word.
func talk() language.Set { return wordsOf("talk") }
