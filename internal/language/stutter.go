package language

import (
	"slices"
	"strings"
)

// mostRepeated is how many words somebody starts over with.
const mostRepeated = 4

// passStutters marks the first of what is said twice in a row: "a las, a las
// cinco". What is meant twice stays: figures, letters that are spelled, and what
// the language doubles.
func (c *cleaning) passStutters(tokens []Token) {
	kept := placesIn(tokens, 0, len(tokens))
	for i := 0; i < len(kept); i++ {
		for n := min(mostRepeated, (len(kept)-i)/2); n > 0; n-- {
			if c.repeats(tokens, kept, i, n) {
				for _, k := range kept[i : i+n] {
					tokens[k].Skip = Repeated
				}
				i += n - 1
				break
			}
		}
	}
}

// placesIn are the places of the tokens between two that are read.
func placesIn(tokens []Token, from, to int) []int {
	var kept []int
	for i := from; i < to; i++ {
		if tokens[i].Skip == Read {
			kept = append(kept, i)
		}
	}
	return kept
}

// repeats says whether the n words at i are the first of two that are one.
func (c *cleaning) repeats(tokens []Token, kept []int, i, n int) bool {
	if second := tokens[kept[i+n]]; second.Figures && second.Gap != Space && second.Gap < Comma { // 10:10
		return false
	}
	words := make([]string, n)
	numbers := true
	for k := range n {
		a, b := tokens[kept[i+k]], tokens[kept[i+n+k]]
		if a.Word != b.Word || a.Figures != b.Figures || a.Asks != b.Asks {
			return false
		}
		words[k] = a.Word
		numbers = numbers && c.isNumber(a)
	}
	if c.doubled[strings.Join(words, " ")] {
		return false
	}
	if numbers {
		return n == 1 && c.saidOnce(tokens, kept, i)
	}
	return n > 1 || len(words[0]) > 1 || !c.spells(tokens, kept, i)
}

// isNumber leaves out articles: "una una mesa".
func (c *cleaning) isNumber(t Token) bool {
	return t.Figures || c.kinds[t.Word] == "number" && !c.unfinished[t.Word]
}

// saidOnce says whether a number that stands twice is meant once: a word that
// leads to a number stands before it, or a word of what it counts behind, and it
// is no part of a row of figures.
func (c *cleaning) saidOnce(tokens []Token, kept []int, i int) bool {
	const most = 4
	from, to := i, i+2
	for from > 0 && c.isNumber(tokens[kept[from-1]]) {
		from--
	}
	for to < len(kept) && c.isNumber(tokens[kept[to]]) {
		to++
	}
	if to-from > most || to-from > 2 && !c.anyLong(tokens, kept[from:to]) {
		return false
	}
	return from > 0 && c.leads[tokens[kept[from-1]].Word] || to < len(kept) && c.tails[tokens[kept[to]].Word]
}

// anyLong says whether a number of two figures is among some that are said in
// words: such a row is a time, not a telephone number.
func (c *cleaning) anyLong(tokens []Token, at []int) bool {
	return slices.ContainsFunc(at, func(i int) bool { return !tokens[i].Figures && c.values[tokens[i].Word] > 9 })
}

// spells says whether a single letter stands among other single letters.
func (c *cleaning) spells(tokens []Token, kept []int, i int) bool {
	for _, k := range []int{i - 1, i + 2} {
		if k >= 0 && k < len(kept) && len(tokens[kept[k]].Word) == 1 {
			return true
		}
	}
	return false
}

// passRestarts marks what was taken back at once, with the words that take it
// back. Corrections carry meaning, so only those are marked that begin again as
// before ("a las cinco, perdón, a las seis") or put a word in the place of one of
// its kind ("el lunes, digo, martes"); the others are for the readers.
func (c *cleaning) passRestarts(tokens []Token) {
	for i := 1; i < len(tokens); i++ {
		end := c.correctionAt(tokens, i)
		if end == 0 {
			continue
		}
		if from := c.restartedFrom(tokens, i, end); from >= 0 {
			for k := from; k < end; k++ {
				if tokens[k].Skip == Read {
					tokens[k].Skip = Restarted
				}
			}
		}
		i = end - 1
	}
}

// CorrectionAt is where the words end that begin at token i and take back what was said
// before them, 0 where there are none.
func (m *Mix) CorrectionAt(tokens []Token, i int) (end int) { return m.clean().correctionAt(tokens, i) }

// correctionAt is where the words of correction at token i end, 0 where there are
// none. Several may stand in a row: "no, wait, sorry".
func (c *cleaning) correctionAt(tokens []Token, i int) (end int) {
	for i < len(tokens) {
		longest := 0
		for _, r := range c.corrections.byFirst[tokens[i].Word] {
			n, _ := r.whatAt(tokens, i)
			longest = max(longest, n)
		}
		if longest == 0 {
			break
		}
		i += longest
		end = i
	}
	return end
}

// restartedFrom is where what is taken back at marker begins, or -1.
func (c *cleaning) restartedFrom(tokens []Token, marker, end int) int {
	const near = 16
	before, after := placesIn(tokens, max(0, marker-near), marker), placesIn(tokens, end, min(len(tokens), end+near))
	if len(before) == 0 || len(after) == 0 {
		return -1
	}
	if from := c.beginsAgain(tokens, before, after); from >= 0 {
		return from
	}
	if tokens[marker].Skip == Filler && c.goesOn(tokens[before[len(before)-1]], tokens[after[0]]) {
		return -1
	}
	return c.sameKind(tokens, before, after)
}

// beginsAgain finds the nearest word before that the speaker begins with again.
func (c *cleaning) beginsAgain(tokens []Token, before, after []int) int {
	const most = 6
	for n := 1; n <= min(most, len(before)); n++ {
		left := before[len(before)-n:]
		same := 0
		for same < n && same < len(after) && tokens[left[same]].Word == tokens[after[same]].Word {
			same++
		}
		switch {
		case same == 0:
		case same == n || c.anyKind(tokens, left[:same]):
			return left[0]
		case same < len(after) && c.kindOf(tokens[left[same]]) != "" && c.kindOf(tokens[left[same]]) == c.kindOf(tokens[after[same]]):
			return left[0]
		}
	}
	return -1
}

// sameKind finds the number or the calendar word right before that one of its
// kind replaces. Of a row of figures nobody can say which one is meant.
func (c *cleaning) sameKind(tokens []Token, before, after []int) int {
	kind := c.kindOf(tokens[after[0]])
	run := 0
	for run < len(before) && kind != "" && c.kindOf(tokens[before[len(before)-1-run]]) == kind {
		run++
	}
	if run == 0 || run > 2 {
		return -1
	}
	from := before[len(before)-run]
	if tokens[from].Figures && tokens[from].End-tokens[from].Start > 2 {
		return -1
	}
	return from
}

// goesOn says whether two numbers may be one, "forty, I mean, five": then what
// stands between them and may be a filler is one.
func (c *cleaning) goesOn(a, b Token) bool {
	first, ok := c.values[a.Word]
	second, also := c.values[b.Word]
	return ok && also && (second > 12 || second == 10 || first >= 20 && first%10 == 0 && second < 10)
}

func (c *cleaning) kindOf(t Token) string {
	if t.Figures {
		return "number"
	}
	return c.kinds[t.Word]
}

func (c *cleaning) anyKind(tokens []Token, at []int) bool {
	for _, i := range at {
		if c.kindOf(tokens[i]) != "" {
			return true
		}
	}
	return false
}
