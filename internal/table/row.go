package table

import (
	"strings"
	"unicode/utf8"
)

// Row is a row of a table.
type Row struct {
	Cells   []Cell
	Heading string // what stands above it
	Strict  bool   // it surely is a row, and no sentence with a colon
	Listed  bool   // it is a line of a list of prices
}

// Cell is what a row has in a column.
type Cell struct {
	Column string // the column's name; "": it has none
	Value  string
}

// Bounds of a row: what is longer is prose.
const (
	mostCells   = 60
	longestName = 80
)

// Parse takes the text of a row apart, "Service: Cut; Price: 25 €". The name of a first
// column may be missing, "Cut; Price: 25 €", or all of them, "Cut; 25 €": such a row may
// be a sentence as well, and only its neighbours tell.
func Parse(text string) (Row, bool) {
	if strings.Contains(text, "\n") || !strings.Contains(text, "; ") {
		return Row{}, false
	}
	row := Row{Strict: true}
	for i, segment := range strings.Split(text, "; ") {
		name, value, named := strings.Cut(segment, ": ")
		named = named && name != "" && value != "" && utf8.RuneCountInString(name) <= longestName
		last := len(row.Cells) - 1
		switch {
		case named:
			row.Cells = append(row.Cells, Cell{strings.TrimSpace(name), strings.TrimSpace(value)})
		case i > 0 && !isValue(segment) && row.Cells[last].Column != "":
			row.Cells[last].Value += "; " + segment // a semicolon of the cell's own
			row.Strict = false
		default:
			row.Cells = append(row.Cells, Cell{Value: strings.TrimSpace(segment)})
			row.Strict = false
		}
	}
	return row, len(row.Cells) > 1 && len(row.Cells) <= mostCells
}

// isValue tells whether a text is a mere value: money, a length, a time or a number.
func isValue(text string) bool {
	v := read(text, column{})
	return v.kind != inWords
}

// Alike tells whether two rows may be of one table: they have most of their columns in
// common.
func Alike(a, b Row) bool {
	shared, named, other := 0, a.names(), b.names()
	for name := range named {
		if other[name] {
			shared++
		}
	}
	if len(named) == 0 && len(other) == 0 {
		return len(a.Cells) == len(b.Cells) && a.shape() == b.shape()
	}
	return shared > 0 && 2*shared >= min(len(named), len(other))
}

func (r Row) names() map[string]bool {
	all := map[string]bool{}
	for _, c := range r.Cells {
		if c.Column != "" {
			all[c.Column] = true
		}
	}
	return all
}

// shape tells which cells of a row are values.
func (r Row) shape() string {
	shape := make([]byte, len(r.Cells))
	for i, c := range r.Cells {
		shape[i] = 'w'
		if isValue(c.Value) {
			shape[i] = 'v'
		}
	}
	return string(shape)
}

func decode(s string) (rune, int) { return utf8.DecodeRuneInString(s) }
