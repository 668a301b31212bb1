package pdf

import (
	"slices"
	"strings"
)

// row is cells beside one another, from the left to the right.
type row struct{ cells []cell }

func rowOf(cells ...cell) row { return row{cells} }

func (r row) last() cell { return r.cells[len(r.cells)-1] }

// single is the only cell of a row that has no other.
func (r row) single() (cell, bool) { return r.cells[0], len(r.cells) == 1 }

// span is the lowest and the highest line of a row.
func (r row) span() (low, high float32) { return span(r.cells...) }

func span(cells ...cell) (low, high float32) {
	low, high = cells[0].last().base, cells[0].first().base
	for _, c := range cells[1:] {
		low, high = min(low, c.last().base), max(high, c.first().base)
	}
	return low, high
}

// stack makes rows of runs in the order in which they are drawn: most programs
// draw a table row by row, and each cell with all of its lines.
func stack(runs []run) (rows []row) {
	for len(runs) > 0 {
		r, n := beginRow(runs)
		runs = runs[n:]
		if columns := r.unstacked(); columns != nil {
			rows = append(rows, columns...)
		} else {
			rows = append(rows, r)
		}
	}
	return rows
}

// beginRow returns the row that begins with the first of some runs, and of how
// many of them it is made.
func beginRow(runs []run) (r row, n int) {
	c := column(nil, runs)
	if n := c.above(runs[len(c.runs):]); n > 0 {
		return rowOf(cellOf(c.runs[:n]...)), n
	}
	r, n = rowOf(c), len(c.runs)
	for n < len(runs) && len(r.cells) < mostCells && r.first().level {
		if r.justified(runs[n:]) {
			n++
			continue
		}
		c := column(r.cells, runs[n:])
		if !r.takes(c) {
			break
		}
		r.cells = append(r.cells, c)
		n += len(c.runs)
	}
	return r, n
}

// above returns how many of the first lines of a cell are no part of the row that
// begins with it and goes on with other runs: a heading or a line of text that
// stands right above a table.
func (c cell) above(others []run) int {
	if len(others) == 0 || len(c.runs) == 1 {
		return 0
	}
	beside := column(nil, others)
	low, high := span(beside)
	n := slices.IndexFunc(c.runs, func(f run) bool { return f.base < high+sameLine*f.size })
	if n <= 0 || beside.box.left < c.runs[n].box.right || high < c.last().base-sameLine*c.last().size || !beside.first().level {
		return 0
	}
	if slices.ContainsFunc(c.runs[:n], func(r run) bool { return r.box.right > beside.box.left }) {
		return n
	}
	above, below := c.runs[n-1], c.runs[n]
	from, to := span(c)
	switch {
	case above.bold != below.bold, abs(above.size-below.size) > 0.5:
		return n
	case abs(low+high-from-to) < 2*sameLine*below.size: // beside the middle of a high cell
		return 0
	case above.base-below.base > nearLine*below.size:
		return n
	}
	return 0
}

// justified adds the first of some runs to a row whose last cells are words of
// one narrow cell, which were moved apart to fill its width. It stands below the
// first of these words, or beside the last line of such a cell.
func (r *row) justified(runs []run) bool {
	f, last := runs[0], r.last()
	if !f.level || f.added() {
		return false
	}
	if len(last.runs) > 1 && len(last.last().words) < mostWords && last.last().beside(f) && f.box.left > last.last().box.right && f.box.right < last.box.right+touching {
		last.runs[len(last.runs)-1] = runOfAll(append(last.last().words, f.words...))
		return true
	}
	k := slices.IndexFunc(r.cells, func(c cell) bool { return abs(c.box.left-f.box.left) < touching && c.goesOn(f) })
	if k < 0 || k == len(r.cells)-1 || f.box.right > last.box.right+touching || !r.resumes(k, runs) {
		return false
	}
	words := []word(nil)
	for i, c := range r.cells[k:] {
		if len(c.runs) > 1 || i > 0 && c.box.left-r.cells[k+i-1].box.right > widestGap*f.size {
			return false
		}
		words = append(words, c.runs[0].words...)
	}
	r.cells = append(r.cells[:k], cellOf(runOfAll(words), f))
	return true
}

// resumes says whether a row goes on, in its first line, after the first of some
// runs, which is below its cell k. Else that run begins the next row.
func (r row) resumes(k int, runs []run) bool {
	if len(runs) == 1 {
		return k > 0
	}
	next := runs[1]
	if next.beside(runs[0]) && next.box.left > r.cells[k+1].box.left-touching {
		return false
	}
	return k > 0 || next.beside(r.first()) && next.box.left > r.last().box.right
}

func runOfAll(words []word) run {
	r := runOf(words[0])
	for _, w := range words[1:] {
		r.add(w)
	}
	return r
}

func (r row) first() run { return r.cells[0].runs[0] }

// column returns the cell that begins with the first of some runs, beside the
// cells that its row has already.
func column(left []cell, runs []run) cell {
	c := cellOf(runs[0])
	for _, r := range runs[1:] {
		if !c.goesOn(r) || len(left) > 0 && r.box.left < left[len(left)-1].box.right {
			break
		}
		c.add(r)
	}
	return c
}

// takes says whether a cell is the next one of a row.
func (r row) takes(c cell) bool {
	if !c.first().level || c.first().added() || c.box.left < r.last().box.right-touching {
		return false
	}
	low, high := r.span()
	from, to := span(c)
	near := sameLine * max(c.first().size, r.first().size)
	return from < high+near && to > low-near
}

// What makes lines the cells of a column that was drawn after the columns to
// its left. The bounds are narrow, so that columns of prose stay apart.
const (
	fewestCells  = 3
	longestCell  = 20 // characters
	longestLabel = 32
	longestRow   = 200
	alignment    = 2 // points
)

// unstacked are the rows of a table that is drawn column by column, which looks
// like one row of high cells; nil if it is none.
func (r row) unstacked() (rows []row) {
	first := r.cells[0]
	if len(r.cells) == 1 || len(first.runs) < fewestCells {
		return nil
	}
	for _, f := range first.runs {
		if f.length() > longestLabel {
			return nil
		}
		rows = append(rows, rowOf(cellOf(f)))
	}
	for _, c := range r.cells[1:] {
		for _, f := range c.runs {
			i := slices.IndexFunc(rows, func(r row) bool { return r.first().beside(f) })
			if i < 0 || f.length() > longestCell || len(c.runs) < fewestCells {
				return nil
			}
			rows[i].cells = append(rows[i].cells, cellOf(f))
		}
	}
	return rows
}

// gather puts what is drawn late into its row: the fields of a form, which come
// after everything else, columns that are drawn one after the other, and single
// cells.
func gather(rows []row) (all []row) {
	if len(rows) > mostRows {
		return rows
	}
	for len(rows) > 0 {
		n := late(all, rows)
		for _, r := range rows[:n] {
			all[partner(all, r.cells[0])].place(r.cells[0])
		}
		if n == 0 {
			all, n = append(all, rows[0]), 1
		}
		rows = rows[n:]
	}
	return all
}

// late returns how many rows, from the first on, are cells of rows that are
// there already.
func late(all, rows []row) int {
	c, single := rows[0].single()
	if !single || !c.first().level {
		return 0
	}
	p := partner(all, c)
	switch {
	case p < 0:
		return 0
	case c.first().added(), len(all[p].cells) > 1 && columned(all, p, c):
		return 1
	}
	n, before := 0, -1
	for n < len(rows) {
		d, single := rows[n].single()
		if !single || len(d.runs) > 1 || d.first().added() || d.first().length() > longestCell || !aligned(c.box, d.box) {
			break
		}
		p := partner(all, d)
		if p <= before || all[p].cells[0].first().length() > longestLabel {
			break
		}
		n, before = n+1, p
	}
	if n < fewestCells {
		return 0
	}
	return n
}

// columned says whether a row near p has a cell right above or below c.
func columned(rows []row, p int, c cell) bool {
	for _, r := range rows[max(0, p-2):min(len(rows), p+3)] {
		if len(r.cells) > 1 && slices.ContainsFunc(r.cells, func(d cell) bool { return aligned(c.box, d.box) }) {
			return true
		}
	}
	return false
}

func aligned(a, b box) bool {
	return abs(a.left-b.left) < alignment || abs(a.right-b.right) < alignment
}

// partner is the row beside which c stands, in a place that is empty; -1 if
// there is none. Of several, it is the one whose cell is nearest to its left.
func partner(rows []row, c cell) int {
	found, nearest := -1, float32(0)
	for i, r := range rows {
		if !r.holdsPlace(c) {
			continue
		}
		left := r.cells[max(0, r.before(c)-1)]
		if gap := abs(c.box.left - left.box.right); found < 0 || gap < nearest {
			found, nearest = i, gap
		}
	}
	return found
}

// holdsPlace says whether c begins in the line of a row, and covers no cell of it.
func (r row) holdsPlace(c cell) bool {
	length, beside := 0, false
	for _, d := range r.cells {
		for _, g := range d.runs {
			length += g.length()
			beside = beside || g.level && g.beside(c.first())
		}
		if d.box.over(c.box) {
			return false
		}
	}
	return beside && length <= longestRow && (r.before(c) > 0 || !c.first().added())
}

// before is how many cells stand to the left of c.
func (r row) before(c cell) int {
	n := slices.IndexFunc(r.cells, func(d cell) bool { return d.box.left > c.box.left })
	if n < 0 {
		return len(r.cells)
	}
	return n
}

func (r *row) place(c cell) { r.cells = slices.Insert(r.cells, r.before(c), c) }

// spanned gives a cell that stands beside the middle of several rows to the first
// of them. It is drawn before them.
func spanned(rows []row) (all []row) {
	for i := 0; i < len(rows); i++ {
		if i+2 < len(rows) && rows[i].spans(rows[i+1], rows[i+2]) {
			rows[i+1].cells = append([]cell{rows[i].cells[0]}, rows[i+1].cells...)
			continue
		}
		all = append(all, rows[i])
	}
	return all
}

func (r row) spans(upper, lower row) bool {
	c, single := r.single()
	if !single || !c.first().level || len(upper.cells) < 2 || len(lower.cells) < 2 {
		return false
	}
	_, above := upper.span()
	_, below := lower.span()
	size := c.first().size
	return c.box.right < upper.cells[0].box.left && c.box.right < lower.cells[0].box.left &&
		above > c.first().base+sameLine*size && below < c.last().base+sameLine*size && above-below < mostRoom*size
}

// text is a row in one line.
func (r row) text() string {
	texts := make([]string, len(r.cells))
	for i, c := range r.cells {
		texts[i] = strings.ReplaceAll(c.text(), "\n", " ")
	}
	return strings.Join(texts, "\t")
}
