package lexicon

import (
	"strings"
	"sync"

	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/spanish"

	"frontdesk.dev/frontdesk/internal/language"
)

// tongue is what the lexicon needs of one language, from its folder.
type tongue struct {
	grammar, manners language.Set
	light            map[string]bool // stems
	numerals         map[string]int
	irregular        map[string]string // from a form to its base form
	own              string            // letters of no other language
	endings          []ending          // that grammar alone puts on a word
	last             string            // what is taken off the end after those
	stemmer          stemmer
	stems            stems
}

// ending is one that is taken off a word, and what is put in its place.
type ending struct {
	from, to string
	least    int // letters that must be left
}

// snowballs are the algorithms that a language's folder may name as its stemmer.
var snowballs = map[string]func(word string, stopWords bool) string{"spanish": spanish.Stem, "english": english.Stem}

// tongueOf is what is known of a language; nothing of one that the house does
// not speak.
func tongueOf(lang string) *tongue {
	if t, ok := tongues()[lang]; ok {
		return t
	}
	return unspoken()
}

var tongues = sync.OnceValue(func() map[string]*tongue {
	all := map[string]*tongue{}
	for _, code := range language.Codes() {
		all[code] = newTongue(language.Of(code))
	}
	return all
})

var unspoken = sync.OnceValue(func() *tongue {
	t := &tongue{}
	t.stems.find = func(word string) string { return word }
	return t
})

func newTongue(l *language.Language) *tongue {
	t := &tongue{
		grammar: l.Words("grammar"), manners: l.Words("courtesies"), numerals: l.Numbers("numerals"), irregular: irregular(l),
		own: strings.Join(l.Lines("own letters"), ""), last: strings.Join(l.Lines("bare last"), ""), stemmer: newStemmer(l), light: map[string]bool{},
	}
	for _, e := range pairs(l, "bare endings") {
		from := strings.TrimLeft(e.from, "-")
		t.endings = append(t.endings, ending{from, e.to, len(e.from) - len(from)})
	}
	t.stems.find = func(word string) string {
		if base, ok := t.irregular[word]; ok {
			word = base
		}
		return t.stemmer.stem(word)
	}
	for w := range l.Words("light") {
		t.light[t.stem(w)] = true
	}
	return t
}

// pairs are the lines "from = to" of a section, in their order.
func pairs(l *language.Language, section string) []ending {
	var all []ending
	for _, line := range l.Lines(section) {
		from, to, _ := strings.Cut(line, "=")
		all = append(all, ending{from: strings.TrimSpace(from), to: strings.TrimSpace(to)})
	}
	return all
}

// bare takes off a word what grammar alone puts on it: the plural, a reflexive
// pronoun, an English participle. It is coarse and compares words of one stem.
func (t *tongue) bare(word string) string {
	for _, e := range t.endings {
		if stem, ok := strings.CutSuffix(word, e.from); ok && len(stem) >= e.least {
			word = stem + e.to
			break
		}
	}
	return strings.TrimSuffix(word, t.last)
}
