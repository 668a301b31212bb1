package pdf

import (
	"cmp"
	"math"
	"slices"
)

// table is rows whose cells stand in the same columns.
type table struct {
	rows []row
	cols []box // of all columns, from the left to the right
}

// tabulate finds the tables among rows: 0 for a row that is of none, else the
// number of its table, from 1.
func tabulate(rows []row) (numbers []int, tables []table) {
	numbers = make([]int, len(rows))
	for i := 0; i < len(rows); i++ {
		n := tableLength(rows[i:])
		if n == 0 {
			continue
		}
		t := table{rows: rows[i : i+n]}
		t.findColumns()
		t.splitColumns()
		tables = append(tables, t)
		for j := range n {
			numbers[i+j] = len(tables)
		}
		i += n - 1
	}
	return numbers, tables
}

// tableLength is how many rows, from the first on, are a table; 0 if they are
// none. It begins and ends with rows of several cells.
func tableLength(rows []row) int {
	if len(rows[0].cells) < 2 {
		return 0
	}
	n, several := 1, 1
	for i := 1; i < len(rows); i++ {
		switch {
		case !near(rows[i-1], rows[i]):
			return tableOf(n, several)
		case len(rows[i].cells) < 2:
			if i-n > 0 || !between(rows[:n], rows[i], rows[i+1:]) {
				return tableOf(n, several)
			}
		case !fits(rows[:n], rows[i]) || n == i && begins(rows[n-1], rows[i]):
			return tableOf(n, several)
		default:
			n, several = i+1, several+1
		}
	}
	return tableOf(n, several)
}

// begins says whether a row is the head of another table.
func begins(above, r row) bool { return r.bold() && !above.bold() && len(above.cells) != len(r.cells) }

func tableOf(n, several int) int {
	if several < 2 {
		return 0
	}
	return n
}

// mostRoom is how far rows of one table are apart, in sizes of letters.
const mostRoom = 8

// room is how far two rows are apart.
func room(above, below row) float32 {
	low, _ := above.span()
	_, high := below.span()
	return low - high
}

func near(above, below row) bool {
	r := room(above, below)
	return r > 0 && r < mostRoom*below.first().size
}

// between says whether a row of one cell is part of the table that goes on after
// it: a name for the rows below, or a row that is empty but for its first cell.
func between(table []row, r row, below []row) bool {
	above := table[len(table)-1]
	if len(below) == 0 || len(r.cells[0].runs) > 2 || !r.first().level || len(below[0].cells) < 2 {
		return false
	}
	size := above.first().size
	switch {
	case r.first().size > size+0.5, r.bold() && below[0].bold(), len(table) > 1 && room(above, r) > 1.3*room(r, below[0]):
		return false // a heading, and another table
	case r.bold() && !above.bold():
		return true
	}
	return r.cells[0].box.right < above.last().box.left
}

func (r row) bold() bool {
	return !slices.ContainsFunc(r.cells, func(c cell) bool { return !c.bold() })
}

// fits says whether the cells of r stand in the columns of some rows, so that
// none covers two of another row's.
func fits(rows []row, r row) bool {
	shared := false
	for _, other := range rows[max(0, len(rows)-20):] {
		if len(other.cells) == 1 {
			continue
		}
		for _, pair := range [][2]row{{r, other}, {other, r}} {
			for _, c := range pair[0].cells {
				if covers(c, pair[1].cells) > 1 && len(pair[0].cells) != len(pair[1].cells) && len(c.runs) > 1 {
					return false
				}
			}
		}
		shared = shared || other.shares(r)
	}
	return shared
}

// shares says whether two rows have a column in common besides the first.
func (r row) shares(s row) bool {
	if len(r.cells) == len(s.cells) {
		return true
	}
	n := 0
	for _, c := range r.cells {
		if covers(c, s.cells) > 0 {
			n++
		}
	}
	return n > 1
}

func covers(c cell, others []cell) (n int) {
	for _, o := range others {
		if c.box.over(o.box) {
			n++
		}
	}
	return n
}

// findColumns finds out where the columns are. A cell that covers two of another
// row tells nothing about it.
func (t *table) findColumns() {
	most, least := 0, math.MaxInt
	for _, r := range t.rows {
		most = max(most, len(r.cells))
		if len(r.cells) > 1 {
			least = min(least, len(r.cells))
		}
	}
	if most == least {
		t.cols = make([]box, most)
		for _, r := range t.rows {
			for i, c := range r.cells {
				if len(r.cells) == most {
					t.widen(i, c.box)
				}
			}
		}
		return
	}
	for _, b := range t.narrow() {
		if n := len(t.cols); n > 0 && t.cols[n-1].over(b) {
			t.widen(n-1, b)
		} else {
			t.cols = append(t.cols, b)
		}
	}
	t.mergeColumns()
}

func (t *table) widen(i int, b box) {
	if t.cols[i] == (box{}) {
		t.cols[i] = b
	}
	t.cols[i] = t.cols[i].with(b)
}

// narrow are the boxes of the cells that cover no two of another row, from the
// left to the right.
func (t *table) narrow() (boxes []box) {
	rows := t.rows[:min(len(t.rows), 100)]
	for _, r := range rows {
		if len(r.cells) == 1 {
			continue
		}
		for _, c := range r.cells {
			if !slices.ContainsFunc(rows, func(o row) bool { return covers(c, o.cells) > 1 }) {
				boxes = append(boxes, c.box)
			}
		}
	}
	slices.SortFunc(boxes, func(a, b box) int { return cmp.Compare(a.left, b.left) })
	return boxes
}

// mergeColumns makes one column of two neighbours of which no row fills both:
// a name at the left of its column, and numbers at the right.
func (t *table) mergeColumns() {
	for i := 0; i+1 < len(t.cols); {
		if slices.ContainsFunc(t.rows, func(r row) bool { return t.fillsBoth(r, i) }) {
			i++
			continue
		}
		t.cols[i] = t.cols[i].with(t.cols[i+1])
		t.cols = slices.Delete(t.cols, i+1, i+2)
	}
}

func (t *table) fillsBoth(r row, i int) bool {
	left, right := false, false
	for _, c := range r.cells {
		left, right = left || c.box.over(t.cols[i]), right || c.box.over(t.cols[i+1])
	}
	return left && right
}

// splitColumns parts columns between which there is no more room than between
// words: in all rows a word begins at the same place there, wherever the one
// before it ends.
func (t *table) splitColumns() {
	for i := 0; i < len(t.cols); i++ {
		at, found := t.seam(i)
		if !found {
			continue
		}
		left, right := t.cols[i], t.cols[i]
		left.right, right.left = at-touching, at
		t.cols = slices.Insert(t.cols, i+1, right)
		t.cols[i] = left
	}
}

// What tells a seam in a column.
const (
	fewestRows = 4
	seamShift  = 0.06 // sizes of letters by which the ends of words before it differ
)

// seam is where the column i is two.
func (t *table) seam(i int) (at float32, found bool) {
	var lines []run
	for _, r := range t.rows[:min(len(t.rows), 100)] {
		for _, c := range r.cells {
			if len(r.cells) > 1 && t.column(c.box) == i && len(c.runs) == 1 {
				lines = append(lines, c.runs[0])
			}
			if len(c.runs[0].words) > mostWords {
				return 0, false
			}
		}
	}
	if len(lines) < fewestRows {
		return 0, false
	}
	for _, w := range lines[0].words[1:] {
		if seamAt(lines, w.box.left) {
			return w.box.left, true
		}
	}
	return 0, false
}

func seamAt(lines []run, at float32) bool {
	low, high := float32(math.Inf(1)), float32(math.Inf(-1))
	for _, l := range lines {
		i := slices.IndexFunc(l.words, func(w word) bool { return abs(w.box.left-at) < touching/4.0 })
		if i < 1 {
			return false
		}
		end := l.words[i-1].box.right
		low, high = min(low, end), max(high, end)
	}
	return high-low > seamShift*lines[0].size
}

// cells are those of a row, one for each column.
func (t *table) cells(r row) []string {
	all := make([]string, len(t.cols))
	for i, c := range t.split(r).cells {
		at := i
		if len(r.cells) != len(t.cols) {
			at = t.column(c.box)
		}
		if all[at] != "" {
			all[at] += "\n"
		}
		all[at] += c.text()
	}
	return all
}

// column is the one that a box has most of its width in, else the nearest.
func (t *table) column(b box) (found int) {
	best := float32(math.Inf(-1))
	for i, c := range t.cols {
		if common := min(b.right, c.right) - max(b.left, c.left); common > best {
			found, best = i, common
		}
	}
	return found
}

// split parts cells of a row that has too few: where a gap is no wider than
// between words, the columns of other rows show it.
func (t *table) split(r row) row {
	if len(r.cells) == len(t.cols) || len(r.cells) < 2 {
		return r
	}
	var cells []cell
	for _, c := range r.cells {
		cells = append(cells, t.splitCell(c)...)
	}
	return row{cells}
}

// splitCell parts a cell before each word that stands where a column begins.
func (t *table) splitCell(c cell) []cell {
	words := c.runs[0].words
	if len(c.runs) != 1 || len(words) > mostWords {
		return []cell{c}
	}
	for i := 1; i < len(words); i++ {
		at := words[i].box.left
		if slices.ContainsFunc(t.cols, func(b box) bool { return abs(b.left-at) < touching }) {
			return append([]cell{cellOf(runOfAll(words[:i]))}, t.splitCell(cellOf(runOfAll(words[i:])))...)
		}
	}
	return []cell{c}
}
