package search

import (
	"strings"
	"sync"

	"frontdesk.dev/frontdesk/internal/language"
)

// swap is an ending, or a beginning, of words of a language and what the same
// words have in its place in English.
type swap struct{ from, to string }

// cognates are those of a language.
type cognates struct{ endings, beginnings []swap }

var allCognates = sync.OnceValue(func() (all [langs]cognates) {
	for lang, name := range langNames() {
		l := language.Of(name)
		all[lang] = cognates{cognatesIn(l.Lines("cognate endings")), cognatesIn(l.Lines("cognate beginnings"))}
	}
	return all
})

func cognatesIn(lines []string) []swap {
	all := make([]swap, len(lines))
	for i, line := range lines {
		from, to, _ := strings.Cut(line, "=")
		all[i] = swap{strings.TrimSpace(from), strings.TrimSpace(to)}
	}
	return all
}

// skeleton writes a word so that words of the same origin come out alike or
// nearly in all languages: "estación" and "station" both give "station".
func skeleton(lang uint8, word string) string {
	word = sounds.Replace(allCognates()[lang].englished(word))
	var b strings.Builder
	for i := range len(word) {
		if i == 0 || word[i] != word[i-1] {
			b.WriteByte(word[i])
		}
	}
	word = b.String()
	if len(word) > 4 {
		word = strings.TrimRight(word, "aeos")
	}
	return word
}

func (c cognates) englished(word string) string {
	for _, e := range c.endings {
		if stem, ok := strings.CutSuffix(word, e.from); ok && len(stem) >= 3 {
			word = stem + e.to
			break
		}
	}
	for _, b := range c.beginnings {
		if rest, ok := strings.CutPrefix(word, b.from); ok && len(rest) > 1 && !strings.ContainsRune("aeiou", rune(rest[0])) {
			return b.to + rest
		}
	}
	return word
}

// sounds that the languages write differently.
var sounds = strings.NewReplacer("ph", "f", "th", "t", "ck", "k", "qu", "k", "ch", "k", "c", "k", "y", "i", "w", "u", "v", "b", "x", "s", "z", "s")
