package table

import "strings"

// Stretch is a part of a text, in bytes.
type Stretch struct{ Start, End int }

// mostUnwanted is how many words behind "without" are not wanted.
const mostUnwanted = 4

// Without are the parts of a text that name what it does without: "garden view" of "a
// heated pen, no garden view".
func Without(text string) (all []Stretch) {
	words := wordsOf(text)
	for i := 0; i < len(words); {
		_, n := match(words[i:], lexes().without)
		if n == 0 {
			i++
			continue
		}
		first, last := i+n, i+n
		for last < len(words) && last-first < mostUnwanted && !ends(text, words, last) {
			last++
		}
		if last > first {
			all = append(all, Stretch{words[first].start, words[last-1].end})
		}
		i = max(last, i+n)
	}
	return all
}

// ends says whether a mark or "and" stands before a word.
func ends(text string, words []word, i int) bool {
	return i > 0 && strings.ContainsAny(text[words[i-1].end:words[i].start], ",.;:()?!\n") || is(words[i].text, lexes().joins)
}
