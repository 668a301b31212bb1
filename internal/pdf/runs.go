package pdf

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// run is words that read on, in one line and without a wide gap.
type run struct {
	words []word
	box   box
	size  float32
	base  float32
	level bool // all words are
	bold  bool // all words are
}

func runOf(w word) run { return run{[]word{w}, w.box, w.size, w.base, w.level, w.bold} }

func (r *run) add(w word) {
	r.words = append(r.words, w)
	r.box, r.level, r.bold = r.box.with(w.box), r.level && w.level, r.bold && w.bold
	if w.size > r.size {
		r.size, r.base = w.size, w.base
	}
}

func (r run) added() bool { return r.words[0].added }

func (r run) text() string {
	texts := make([]string, len(r.words))
	for i, w := range r.words {
		texts[i] = w.text
	}
	return strings.Join(texts, " ")
}

// length is in characters.
func (r run) length() (n int) {
	for _, w := range r.words {
		n += 1 + utf8.RuneCountInString(w.text)
	}
	return n - 1
}

// beside says whether two runs stand on the same line.
func (r run) beside(s run) bool { return abs(r.base-s.base) < sameLine*max(r.size, s.size) }

// Distances, in sizes of letters.
const (
	sameLine  = 0.25 // between the feet of words in one line
	raised    = 0.6  // of a small word in the same line
	smaller   = 0.85 // such a word, to the others
	wideGap   = 0.7  // between words that do not read on, unless they fill the width of a text
	fillGap   = 2    // between words that do
	widestGap = 4    // between words that do all the same, in a narrow cell
	afterMark = 5    // between the mark of a list's item and the item
	closeLine = 0.7  // between lines of one text, at least
	farLine   = 1.75 // at most
	nearLine  = 1.4  // where nothing else tells that they are of one text
	indent    = 2.5  // of the first line of a text, or of the others
)

// split makes runs of words.
func split(words []word) (runs []run) {
	for i, w := range words {
		if i > 0 && runs[len(runs)-1].reads(words[i-1], w) {
			runs[len(runs)-1].add(w)
		} else {
			runs = append(runs, runOf(w))
		}
	}
	return mark(filled(runs))
}

// filled puts runs of one line together that are as wide as the line before or
// after: a text whose words are moved apart until they fill its width.
func filled(runs []run) (all []run) {
	for i := 0; i < len(runs); {
		n := i + 1
		for n < len(runs) && runs[n-1].fills(runs[n]) {
			n++
		}
		whole := runs[i]
		for _, r := range runs[i+1 : n] {
			for _, w := range r.words {
				whole.add(w)
			}
		}
		if n-i > 1 && !(len(all) > 0 && all[len(all)-1].equals(whole) || n < len(runs) && runs[n].equals(whole)) {
			all = append(all, runs[i:n]...)
		} else {
			all = append(all, whole)
		}
		i = n
	}
	return all
}

// fills says whether s may be the next words of r's line.
func (r run) fills(s run) bool {
	gap := s.box.left - r.box.right
	return r.level && s.level && r.added() == s.added() && r.beside(s) && gap > 0 && gap < fillGap*r.size
}

// equals says whether two runs are lines of one text that fills its width.
func (r run) equals(s run) bool {
	return r.level && abs(r.box.left-s.box.left) < touching && abs(r.box.right-s.box.right) < touching &&
		abs(r.base-s.base) < farLine*r.size && len(r.words) > 2
}

// mark puts the marks of lists that are drawn after all items before theirs.
func mark(runs []run) []run {
	if len(runs) > mostRows {
		return runs
	}
	return slices.DeleteFunc(runs, func(m run) bool {
		if len(m.words) > 1 || !m.level || !isMark(m.words[0].text) {
			return false
		}
		for i := range runs {
			r := &runs[i]
			if gap := r.box.left - m.box.right; r.level && r.beside(m) && gap > 0 && gap < afterMark*m.size {
				r.words = append([]word{m.words[0]}, r.words...)
				r.box = r.box.with(m.box)
				return true
			}
		}
		return false
	})
}

// reads says whether v reads on after w, the last word of a run.
func (r run) reads(w, v word) bool {
	if !w.level || !v.level {
		return w.level == v.level && !w.breaks
	}
	if w.added != v.added || !inLine(w, v) {
		return false
	}
	size := max(w.size, v.size)
	gap := v.box.left - w.box.right
	if len(r.words) == 1 && (isMark(w.text) || w.bold && v.bold && isNumber(w.text)) {
		return gap > -size && gap < afterMark*size
	}
	return gap > -size && gap < wideGap*size
}

func inLine(w, v word) bool {
	large, small, apart := max(w.size, v.size), min(w.size, v.size), abs(w.base-v.base)
	return apart < sameLine*large || apart < raised*large && small < smaller*large
}

// isMark says whether a word stands before the items of a list.
func isMark(s string) bool {
	if utf8.RuneCountInString(s) == 1 {
		return strings.ContainsAny(s, "-*+•·▪■●◦‣➤✓✔–—○□")
	}
	number, point := s[:len(s)-1], s[len(s)-1]
	return (point == '.' || point == ')') && len(number) <= 2 && isNumber(number)
}

// isNumber says whether a word is the number of a chapter, as 3.1.
func isNumber(s string) bool { return strings.Trim(s, "0123456789.") == "" }

// What is more than this on a page is no table and no text that anybody wrote;
// without these bounds it would take a time that grows with its square.
const (
	mostRows  = 1000
	mostCells = 60  // of a row
	mostLines = 400 // of a cell
	mostWords = 300 // of a run that is looked at word by word
)

// cell is runs below one another that are one text: a paragraph, or what stands
// in a cell of a table.
type cell struct {
	runs []run
	box  box
}

func cellOf(runs ...run) cell {
	c := cell{runs: slices.Clone(runs), box: runs[0].box}
	for _, r := range runs[1:] {
		c.box = c.box.with(r.box)
	}
	return c
}

func (c *cell) add(r run) {
	c.runs = append(c.runs, r)
	c.box = c.box.with(r.box)
}

func (c cell) first() run { return c.runs[0] }
func (c cell) last() run  { return c.runs[len(c.runs)-1] }

func (c cell) bold() bool {
	return !slices.ContainsFunc(c.runs, func(r run) bool { return !r.bold })
}

func (c cell) text() string {
	texts := make([]string, len(c.runs))
	for i, r := range c.runs {
		texts[i] = r.text()
	}
	return strings.Join(texts, "\n")
}

// goesOn says whether a run is the next line of a cell.
func (c cell) goesOn(r run) bool {
	last := c.last()
	if len(c.runs) == mostLines || !r.level || !last.level || r.added() != last.added() || !last.box.over(r.box) {
		return false
	}
	size := max(r.size, last.size)
	down := last.base - r.base
	if down < closeLine*size || down > farLine*size {
		return false
	}
	aligned := abs(r.box.left-last.box.left) < indent*size || abs(r.box.right-last.box.right) < touching ||
		abs(r.box.left+r.box.right-last.box.left-last.box.right) < size
	return aligned
}
