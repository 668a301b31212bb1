package document

import (
	"context"
	"strings"
)

// csvBlocks reads rows of cells. A file without any is read as text.
func csvBlocks(ctx context.Context, text string) ([]block, error) {
	comma, rest, line := separator(text)
	if comma == 0 {
		return plainBlocks(ctx, text)
	}
	var rows []record
	cells := 0
	for s := (scanner{text: rest, comma: comma, line: line}); ; {
		r, ok := s.next()
		if !ok {
			break
		}
		if len(rows)%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if r.filled() == 0 {
			continue
		}
		// Cells take more memory than their bytes: no table for people has millions.
		if cells += len(r.cells); s.wide || len(rows) > 2*mostFragments || cells > 1_000_000 {
			return nil, &Unreadable{Help: helpTooLarge}
		}
		rows = append(rows, r)
	}
	return tableBlocks(rows, 1), nil
}

// separators are what can stand between cells, the likelier first where
// two would do: a comma also stands in prices.
const separators = "\t;|,"

// separator finds out what stands between the cells of a file, 0 if nothing
// does, and where the rows begin: a first line "sep=;" is for spreadsheets.
func separator(text string) (comma byte, rest string, line int) {
	first, after, _ := strings.Cut(text, "\n")
	if s, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(first)), "sep="); ok && len(s) == 1 {
		return s[0], after, 2
	}
	best := 0.0
	for i := range len(separators) {
		if s := steadiness(text, separators[i]); s > best*1.05 {
			comma, best = separators[i], s
		}
	}
	return comma, text, 1
}

// sampled is how many rows are looked at.
const sampled = 60

// steadiness is the share of rows that have the most common number of cells, 0
// if that is one.
func steadiness(text string, comma byte) float64 {
	s := scanner{text: text[:min(len(text), 256<<10)], comma: comma}
	counts := map[int]int{}
	rows := 0
	for rows < sampled {
		r, ok := s.next()
		if !ok {
			break
		}
		if r.filled() > 0 {
			counts[len(r.cells)]++
			rows++
		}
	}
	most, wide := 0, 0
	for cells, n := range counts {
		if cells > 1 {
			most = max(most, n)
			wide += n
		}
	}
	if wide*2 < rows {
		return 0
	}
	return float64(most) / float64(rows)
}

// scanner reads the rows of a file. It forgives quotation marks in places where
// they should not be.
type scanner struct {
	text  string
	comma byte
	line  int  // of the next row
	wide  bool // a row had more cells than a table for people has
}

// mostCells is of one row; a file with a longer one is refused.
const mostCells = 2000

// Bounds of a cell in quotation marks; without a closing one within them, the
// mark is taken for an inch, or a slip.
const (
	mostQuoted      = 32 << 10
	mostQuotedLines = 60
)

func (s *scanner) next() (record, bool) {
	if s.text == "" {
		return record{}, false
	}
	r := record{line: s.line}
	start := *s
	for {
		cell, more, ok := s.cell()
		if !ok {
			*s = start
			return s.unquoted(), true
		}
		if len(r.cells) == mostCells {
			s.wide = true
		} else {
			r.cells = append(r.cells, cell)
		}
		if !more {
			return r, true
		}
	}
}

// cell reads one cell, and says whether the row has another. It is not ok if a
// quotation mark opens and none closes.
func (s *scanner) cell() (cell string, more, ok bool) {
	trimmed := strings.TrimLeft(s.text, " ")
	if strings.HasPrefix(trimmed, `"`) {
		s.text = trimmed[1:]
		end := s.closing()
		if end < 0 {
			return "", false, false
		}
		cell = strings.ReplaceAll(s.text[:end], `""`, `"`)
		s.line += strings.Count(cell, "\n")
		s.text = s.text[end+1:]
	}
	at := strings.IndexAny(s.text, string(s.comma)+"\n")
	if at < 0 {
		cell, s.text = cell+s.text, ""
		return squeeze(cell), false, true
	}
	cell += s.text[:at]
	more = s.text[at] != '\n'
	s.text = s.text[at+1:]
	if !more {
		s.line++
	}
	return squeeze(cell), more, true
}

// closing is where the mark stands that closes a quotation: before the end of
// its cell, and not doubled. -1 if it is too far off.
func (s *scanner) closing() int {
	lines := 0
	for i := 0; i < min(len(s.text), mostQuoted) && lines <= mostQuotedLines; i++ {
		switch s.text[i] {
		case '\n':
			lines++
		case '"':
			if strings.HasPrefix(s.text[i+1:], `"`) {
				i++
			} else if after := strings.TrimLeft(s.text[i+1:min(len(s.text), i+8)], " "); after == "" || after[0] == s.comma || after[0] == '\n' {
				return i
			}
		}
	}
	return -1
}

// unquoted reads a row whose quotation marks mean nothing.
func (s *scanner) unquoted() record {
	row, rest, _ := strings.Cut(s.text, "\n")
	r := record{line: s.line}
	for cell := range strings.SplitSeq(row, string(s.comma)) {
		if len(r.cells) == mostCells {
			s.wide = true
			break
		}
		r.cells = append(r.cells, squeeze(strings.Trim(cell, `" `)))
	}
	s.text = rest
	s.line++
	return r
}
