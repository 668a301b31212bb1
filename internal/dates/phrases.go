package dates

import (
	"maps"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

// phrases are expressions of one or more words with what they mean, by their
// first word.
type phrases[T any] map[string][]phrase[T]

type phrase[T any] struct {
	words []string
	means T
}

// at is the longest phrase that begins at token i, and the token after it.
func (p phrases[T]) at(r *line, i int) (means T, end int) {
	for _, candidate := range p[r.word(i)] {
		if n := len(candidate.words); i+n > end && r.says(i, candidate.words) {
			means, end = candidate.means, i+n
		}
	}
	return means, end
}

// before says whether one of the phrases ends right before token i.
func (p phrases[T]) before(r *line, i int) bool {
	const longest = 4
	for k := i - 1; k >= 0 && k >= i-longest; k-- {
		for _, candidate := range p[r.word(k)] {
			if k+len(candidate.words) == i && r.says(k, candidate.words) {
				return true
			}
		}
	}
	return false
}

// ending is the phrase that ends right before token i.
func (p phrases[T]) ending(r *line, i int) (means T, ok bool) {
	const longest = 4
	for k := max(i-longest, 0); k < i; k++ {
		if m, end := p.at(r, k); end == i {
			return m, true
		}
	}
	return means, false
}

// over says whether one of the phrases covers token i.
func (p phrases[T]) over(r *line, i int) bool {
	const longest = 4
	for k := i; k >= 0 && k > i-longest; k-- {
		if _, end := p.at(r, k); end > i {
			return true
		}
	}
	return false
}

// names are words that are understood with a slip of the pen, or of the
// recogniser.
type names struct {
	exact map[string]int
	like  map[byte][]heard // by the first letter, in the order of the alphabet
	not   language.Set     // words that are one slip away from a name, and are words
	spell *strings.Replacer
}

type heard struct {
	sound string
	means int
}

// named makes names of words. Letters that people write for each other are
// replaced by one of them before words are compared.
func named(exact map[string]int, not language.Set, alike []string) names {
	n := names{exact: exact, like: map[byte][]heard{}, not: not, spell: strings.NewReplacer(alike...)}
	for _, name := range slices.Sorted(maps.Keys(exact)) {
		if sound := n.spell.Replace(name); len(name) >= 6 {
			n.like[sound[0]] = append(n.like[sound[0]], heard{sound, exact[name]})
		}
	}
	return n
}

// look finds a word, or the name that is nearest to it.
func (n names) look(word string) (v int, ok bool) {
	if v, ok = n.exact[word]; ok || len(word) < 5 || len(word) > 12 || n.not[word] {
		return v, ok
	}
	sound, nearest := n.spell.Replace(word), 3
	for _, name := range n.like[sound[0]] {
		if !near(sound, name.sound) {
			continue
		}
		if d := language.Distance(sound, name.sound); d < nearest {
			v, ok, nearest = name.means, true, d
		}
	}
	return v, ok
}

// near says whether a word is a name with a slip in it: a letter too many, one
// too few or two swapped; in long names any two slips. First letters agree.
func near(word, name string) bool {
	if word == name {
		return true
	}
	if word[0] != name[0] || abs(len(word)-len(name)) > 2 {
		return false
	}
	if len(name) >= 8 {
		return language.Distance(word, name) <= 2
	}
	return (len(word) != len(name) || swapped(word, name)) && language.Distance(word, name) <= 1
}

func swapped(a, b string) bool {
	for i := range len(a) - 1 {
		if a[i] != b[i] {
			return a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		}
	}
	return false
}

func abs(n int) int { return max(n, -n) }
