package pdf

import (
	"slices"
)

// layOut makes lines of the words on a page.
func layOut(words []word, sheet box) []Line {
	rows := spanned(gather(stack(split(words))))
	numbers, tables := tabulate(rows)
	w := &layout{sheet: sheet, leading: leading(rows)}
	for i, r := range rows {
		if numbers[i] > 0 {
			w.row(r, numbers[i], tables[numbers[i]-1].cells(r))
		} else {
			w.text(r)
		}
	}
	return w.lines
}

// layout is the lines of a page as they are written.
type layout struct {
	sheet   box
	leading float32
	lines   []Line
	last    run // of the last line
}

func (w *layout) row(r row, table int, cells []string) {
	l := w.line(r.first())
	l.Text, l.Cells, l.Table, l.Bold = r.text(), cells, table, r.bold()
	w.add(l, r.last().last())
}

// text writes what is of no table: a line for each run, unless a row is one line
// with gaps.
func (w *layout) text(r row) {
	if slices.ContainsFunc(r.cells, func(c cell) bool { return len(c.runs) > 1 }) {
		for _, c := range r.cells {
			for _, f := range c.runs {
				l := w.line(f)
				l.Text = f.text()
				w.add(l, f)
			}
		}
		return
	}
	l := w.line(r.first())
	l.Text, l.Bold = r.text(), r.bold()
	w.add(l, r.first())
}

func (w *layout) add(l Line, last run) {
	w.lines = append(w.lines, l)
	w.last = last
}

// line is one that begins with f, without its text.
func (w *layout) line(f run) Line {
	l := Line{Size: f.size, Bold: f.bold}
	if !f.level {
		return l
	}
	l.Top, l.Bottom = max(0, w.sheet.top-f.box.top), max(0, f.box.bottom-w.sheet.bottom)
	if len(w.lines) > 0 && w.last.level {
		down := (w.last.base - f.base) / max(f.size, w.last.size)
		l.Apart = down > 1.2*w.leading
	}
	return l
}

// leading is how far the lines of a text are apart on a page, in sizes of
// letters.
func leading(rows []row) float32 {
	var all []float32
	for _, r := range rows {
		for _, c := range r.cells {
			for i := 1; i < len(c.runs); i++ {
				all = append(all, (c.runs[i-1].base-c.runs[i].base)/c.runs[i].size)
			}
		}
	}
	if len(all) == 0 {
		return 1.2
	}
	slices.Sort(all)
	return all[len(all)/2]
}
