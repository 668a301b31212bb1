package language

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// alikes are the words that are heard or written for those of a set.
type alikes struct {
	language *Language
	exact    map[string]string // an expression of up to three words, and the word it stands for
	first    Set               // the first words of those
	bySound  map[string]string
	words    []string

	mu    sync.RWMutex
	known map[slip]string // what nearest has found
}

// slip is a word that may be another with a slip in it.
type slip struct {
	word string
	long int
}

// mostSlips is how many words are remembered for each set.
const mostSlips = 1 << 12

// longestAlike is how many words a recogniser makes of one.
const longestAlike = 3

// alikes are those of the section "alike name" and of the words of "set name".
func (l *Language) alikes(name string) *alikes {
	words := l.setNamed(name)
	listed := l.Pairs("alike " + name)
	l.mu.Lock()
	defer l.mu.Unlock()
	if a, ok := l.likes[name]; ok {
		return a
	}
	a := &alikes{language: l, exact: listed, first: Set{}, bySound: map[string]string{}, words: slices.Sorted(maps.Keys(words))}
	for expression := range listed {
		first, _, _ := strings.Cut(expression, " ")
		a.first[first] = true
	}
	for _, w := range a.words {
		if key := l.sound(w); a.bySound[key] == "" {
			a.bySound[key] = w
		}
	}
	l.likes[name] = a
	return a
}

// setNamed are the words of a set; those of "number" are the numerals.
func (l *Language) setNamed(name string) Set {
	if name != "number" {
		return l.Words("set " + name)
	}
	l.mu.Lock()
	set, ok := l.sets["number"]
	l.mu.Unlock()
	if ok {
		return set
	}
	set = Set{}
	for w := range l.Numbers("cardinals") {
		set[w] = true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sets["number"] = set
	return set
}

// at finds what the words at token i stand for. Of slips in a word only those in
// words of at least so many letters count: others are a letter away from too many.
func (a *alikes) at(tokens []Token, i, long int) (n int, word string) {
	text := tokens[i].Word
	for n = 1; n <= longestAlike; n++ {
		if to, ok := a.exact[text]; ok {
			word = to
			break
		}
		if i+n >= len(tokens) || tokens[i+n].Sentence != tokens[i].Sentence {
			break
		}
		text += " " + tokens[i+n].Word
	}
	if word != "" {
		return n, word
	}
	if w := a.nearest(tokens[i].Word, long); w != "" && w != tokens[i].Word {
		return 1, w
	}
	return 0, ""
}

// nearest is the word that another sounds like, or is a letter away from. The same
// words are asked for again and again, and are remembered; when there are too many, all
// are forgotten.
func (a *alikes) nearest(word string, long int) string {
	if len(word) < 3 {
		return ""
	}
	a.mu.RLock()
	found, ok := a.known[slip{word, long}]
	a.mu.RUnlock()
	if ok {
		return found
	}
	found = a.findNearest(word, long)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.known == nil || len(a.known) >= mostSlips {
		a.known = make(map[slip]string, 256)
	}
	a.known[slip{strings.Clone(word), long}] = found // not the text that it stands in
	return found
}

func (a *alikes) findNearest(word string, long int) string {
	if w := a.bySound[a.language.sound(word)]; w != "" {
		return w
	}
	for _, w := range a.words {
		if near(word, w, long) {
			return w
		}
	}
	return ""
}

// near says whether a word is another with a slip in it, or two if it is very
// long. Its first letter and its ending are right: another ending is another form.
func near(word, of string, long int) bool {
	const veryLong = 10
	if len(word) < long || len(of) < long || word[0] != of[0] || word[len(word)-2:] != of[len(of)-2:] {
		return false
	}
	if len(of) >= veryLong {
		return Distance(word, of) <= 2
	}
	return max(len(word)-len(of), len(of)-len(word)) <= 1 && Distance(word, of) == 1
}

// sound writes a word as it sounds: each line of the section "sounds" is letters
// that are written for others; "$" is the end of a word. Double consonants are one.
func (l *Language) sound(word string) string {
	word += "$"
	for _, line := range l.Lines("sounds") {
		from, to, _ := strings.Cut(line, "=")
		word = strings.ReplaceAll(word, strings.TrimSpace(from), strings.TrimSpace(to))
	}
	out := make([]byte, 0, len(word))
	for i := range len(word) {
		if word[i] != '$' && (i == 0 || word[i] != word[i-1] || strings.IndexByte("aeiou", word[i]) >= 0) {
			out = append(out, word[i])
		}
	}
	return string(out)
}
