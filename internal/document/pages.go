package document

import (
	"context"
	"strings"

	"frontdesk.dev/frontdesk/internal/pdf"
)

// piece parts texts while they are tidied as one; it is in no script.
const piece = "\U000F0000"

// printed is a line of a page, or a row of a table on it.
type printed struct {
	pdf.Line
	page int
	last bool // on its page
}

// sheets are the lines of pages with one spelling, which all of them together
// decide.
func sheets(pages []pdf.Page) [][]printed {
	var all []*string
	out := make([][]printed, len(pages))
	for i, p := range pages {
		out[i] = make([]printed, len(p.Lines))
		for j, l := range p.Lines {
			l.Cells = append([]string(nil), l.Cells...)
			out[i][j] = printed{Line: l, page: p.Number, last: j == len(p.Lines)-1}
			all = append(all, &out[i][j].Text)
			for k := range l.Cells {
				all = append(all, &l.Cells[k])
			}
		}
	}
	var b strings.Builder
	for _, s := range all {
		b.WriteString(strings.ReplaceAll(*s, piece, "") + "\n" + piece)
	}
	rest := tidy(b.String())
	for _, s := range all {
		*s, rest, _ = strings.Cut(rest, "\n"+piece)
	}
	return out
}

// pageBlocks reads the pages of a PDF. What looks like a heading is one, and
// what stands in columns is a table; the rest is read by its words.
func pageBlocks(ctx context.Context, pages []pdf.Page) ([]block, error) {
	body, contacts := withoutMargins(sheets(pages))
	r := &pageReader{text: &textReader{ctx: ctx}, words: vocabulary(textsOf(body))}
	r.look = lookOf(body)
	r.text.styled = len(r.look.sizes) > 0
	for len(body) > 0 {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if len(r.text.blocks) > mostBlocks {
			return nil, &Unreadable{Help: helpTooLarge}
		}
		body = body[r.take(body):]
	}
	var first []block
	for _, c := range contacts {
		first = append(first, block{kind: paragraph, text: squeeze(c.Text), page: c.page})
	}
	return append(first, titled(r.text.blocks)...), nil
}

// pageReader makes blocks of the lines of pages.
type pageReader struct {
	text  *textReader
	look  look
	words map[string]bool // of the document, to tell where words are divided
}

// take reads what begins with the first of some lines, and returns how many
// lines it was.
func (r *pageReader) take(lines []printed) int {
	if n := r.tableLength(lines); n > 0 {
		r.table(lines[:n])
		return n
	}
	if n := r.look.headingLength(lines); n > 0 {
		r.heading(lines[:n])
		return n
	}
	n := 1
	for n < len(lines) && r.tableLength(lines[n:]) == 0 && r.look.headingLength(lines[n:]) == 0 {
		n++
	}
	r.text.all(r.join(lines[:n]))
	return n
}

func (r *pageReader) heading(lines []printed) {
	joined := join(undivide(textsOf(lines), r.words))
	r.text.part++
	r.text.heading(line{text: joined, page: lines[0].page}, r.look.level(lines[0]))
}

// join are lines of text, with blank ones where there is more room.
func (r *pageReader) join(lines []printed) (all []line) {
	for i, l := range undivide(textsOf(lines), r.words) {
		if lines[i].Apart && i > 0 {
			all = append(all, line{page: l.page})
		}
		all = append(all, l)
	}
	return all
}

func textsOf(lines []printed) (all []line) {
	for _, l := range lines {
		all = append(all, line{text: l.Text, page: l.page})
	}
	return all
}

// tableLength is how many lines, from the first on, are rows of one table. It
// goes on on the next page.
func (r *pageReader) tableLength(lines []printed) int {
	if lines[0].Table == 0 {
		return 0
	}
	n, columns := 1, len(lines[0].Cells)
	for ; n < len(lines); n++ {
		l, before := lines[n], lines[n-1]
		switch {
		case l.page == before.page && l.Table == before.Table && l.Table > 0:
		case l.page == before.page || l.Table > 0 && len(l.Cells) != columns:
			return n
		case l.Table == 0 && strings.Count(l.Text, "\t") != columns-1:
			return n
		case l.Bold && !lines[0].Bold || l.Bold && squeeze(l.Text) != squeeze(lines[0].Text):
			return n
		}
	}
	return n
}

func (r *pageReader) table(lines []printed) {
	t := r.text
	var rows []record
	for _, l := range lines {
		cells := l.Cells
		if len(cells) == 0 {
			cells = strings.Split(l.Text, "\t")
		}
		for i, c := range cells {
			cells[i] = r.cell(c)
		}
		rows = append(rows, record{cells: cells, page: l.page, bold: l.Bold})
	}
	t.part++
	t.blocks = append(t.blocks, tableBlocks(rows, t.part)...)
	t.part += len(rows)
}

// cell is what stands in one, in one line.
func (r *pageReader) cell(s string) string {
	if !strings.Contains(s, "\n") {
		return squeeze(unlead(s))
	}
	var lines []line
	for l := range strings.SplitSeq(s, "\n") {
		lines = append(lines, line{text: l})
	}
	return squeeze(join(undivide(lines, r.words)))
}
