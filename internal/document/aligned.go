package document

import "strings"

// Bounds of a table that is drawn with spaces: how many rows and columns it has at least, and
// how wide what stands between columns is.
const (
	leastAligned = 3
	leastGap     = 2
)

// alignedFrom is how many lines from one on are a table whose columns are told by where they
// stand, as where some cells are empty; 0 if they are none. The names of its columns come
// first.
func alignedFrom(lines []line, first int) int {
	if first > 0 && gapped(lines[first-1]) {
		return 0 // it was looked at from there
	}
	lines = lines[first:]
	n := 0
	for n < len(lines) && (n > 0 && isRule(lines[n].text) || gapped(lines[n])) {
		n++
	}
	for n > 0 && isRule(lines[n-1].text) {
		n--
	}
	if rows := withoutRules(lines[:n]); len(rows) < leastAligned || isItem(rows[0].text) || strings.ContainsAny(rows[0].text, "\t|") || len(alignedColumns(rows)) < leastAligned {
		return 0
	}
	return n
}

// gapped says whether a line has a gap that may part cells. In a PDF cells are told by what
// is drawn.
func gapped(l line) bool { return l.page == 0 && strings.Contains(strings.TrimSpace(l.text), "  ") }

func withoutRules(lines []line) (all []line) {
	for _, l := range lines {
		if !isRule(l.text) {
			all = append(all, l)
		}
	}
	return all
}

// alignedColumns are where the columns of lines begin: behind what is blank in all of them.
func alignedColumns(lines []line) (starts []int) {
	wide := 0
	texts := make([][]rune, len(lines))
	for i, l := range lines {
		texts[i] = []rune(strings.TrimRight(l.text, " "))
		wide = max(wide, len(texts[i]))
	}
	blank := leastGap
	for at := range wide {
		empty := true
		for _, t := range texts {
			empty = empty && (at >= len(t) || t[at] == ' ')
		}
		switch {
		case empty:
			blank++
		case blank >= leastGap:
			starts = append(starts, at)
			blank = 0
		default:
			blank = 0
		}
	}
	return starts
}

// aligned are the rows of a table whose columns are told by where they stand.
func aligned(lines []line) (rows []record) {
	lines = withoutRules(lines)
	starts := alignedColumns(lines)
	for _, l := range lines {
		r := record{line: l.number, page: l.page}
		text := []rune(l.text)
		for i, from := range starts {
			to := len(text)
			if i+1 < len(starts) {
				to = min(to, starts[i+1])
			}
			r.cells = append(r.cells, squeeze(string(text[min(from, to):to])))
		}
		rows = append(rows, r)
	}
	return rows
}
