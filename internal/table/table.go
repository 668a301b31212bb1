package table

import (
	"cmp"
	"slices"
	"strings"
)

// Table is rows that stand together.
type Table struct {
	rows    []Row
	columns []column
	name    int    // the column that names the rows; -1: none
	money   string // the currency of prices that name none
	own     string // the currency of the house
	tax     string // what is told of the tax of all prices
	unit    string // what all prices are for each of
	seasons knownSeasons
	turned  bool // its columns were given as rows
	surveys []survey
}

// New makes a table of rows that are alike. Money is the currency of prices for which
// nothing tells one; it may be "". Notes are what stands beside the table in its document:
// they may tell the currency, or when a season is.
func New(rows []Row, money string, notes ...string) *Table {
	t := &Table{rows: rows, name: -1, seasons: knownSeasons{}}
	t.readColumns()
	if turned := t.turn(); turned != nil {
		t = &Table{rows: turned, name: -1, turned: true, seasons: knownSeasons{}}
		t.readColumns()
	}
	t.classify()
	t.findName()
	t.readHeadings()
	t.readNotes(notes)
	t.own = strings.ToLower(money)
	t.money = cmp.Or(t.money, t.own)
	return t
}

// Turned tells whether the rows that were given are the columns of the table: each of
// them tells one thing of all that it names.
func (t *Table) Turned() bool { return t.turned }

// Len is how many rows the table has.
func (t *Table) Len() int { return len(t.rows) }

func (t *Table) readColumns() {
	seen := map[string]bool{}
	for _, r := range t.rows {
		for i, c := range r.Cells {
			if name := columnName(c, i); !seen[name] {
				seen[name] = true
				t.columns = append(t.columns, newColumn(name))
			}
		}
	}
	t.settleSeasons()
	for i := range t.columns {
		t.columns[i].sizes = t.tellsSizes(i)
	}
}

// tellsSizes says whether a column has a size that stands for nothing else.
func (t *Table) tellsSizes(column int) bool {
	for r := range t.rows {
		text := t.cell(r, column)
		if v := variantsOf(text); len(v) == 1 && senses[v[0]].sort == "size" && !is(text, lexes().yes) {
			return true
		}
	}
	return false
}

// settleSeasons reads "media" as the season between, beside columns of seasons.
func (t *Table) settleSeasons() {
	season := senses["mid_season"].sort
	if !slices.ContainsFunc(t.columns, func(c column) bool { return c.scope.sorts[season] != 0 }) {
		return
	}
	for i := range t.columns {
		c := &t.columns[i]
		if c.variant == "half" {
			c.variant = "mid_season"
			c.scope.sorts = map[string]int{season: senses["mid_season"].some}
		}
	}
}

// nameless begins the name of a column that has none, before a letter of its own.
const nameless = "#"

func columnName(c Cell, at int) string {
	if c.Column != "" {
		return c.Column
	}
	return nameless + string(rune('a'+at))
}

// cell is what a row has in a column; "" when nothing.
func (t *Table) cell(row, column int) string {
	for i, c := range t.rows[row].Cells {
		if columnName(c, i) == t.columns[column].name && strings.Trim(c.Value, "-–— ") != "" {
			return c.Value
		}
	}
	return ""
}

// mostTurned is how many rows and columns a turned table has at most.
const mostTurned = 16

// ofThings says whether the columns but the first are called what things are: none tells a
// kind, and at most half of them tell what they hold for.
func (t *Table) ofThings() bool {
	scoped := 0
	for _, c := range t.columns[1:] {
		if c.kind != textColumn && c.kind != nameColumn || c.variant != "" {
			return false
		}
		if !c.scope.open() {
			scoped++
		}
	}
	return 2*scoped < len(t.columns)
}

// turn gives the columns of a table as rows, where its rows tell what its columns are
// otherwise for: "Price" and "Length" down the side, the things that have them on top.
// It is nil for other tables.
func (t *Table) turn() []Row {
	if len(t.columns) < 3 || len(t.columns) > mostTurned || !strings.HasPrefix(t.columns[0].name, nameless) && t.columns[0].kind != textColumn && t.columns[0].kind != nameColumn {
		return nil
	}
	if len(t.rows) > mostTurned {
		return nil
	}
	telling := 0
	for i := range t.rows {
		if k := newColumn(t.cell(i, 0)).kind; k != textColumn && k != nameColumn || wholly(t.cell(i, 0)) {
			telling++
		}
	}
	if 2*telling < len(t.rows) || !t.ofThings() {
		return nil
	}
	var turned []Row
	for at, c := range t.columns[1:] {
		row := Row{Heading: t.rows[0].Heading, Strict: true, Cells: []Cell{{Value: c.name}}}
		for i := range t.rows {
			if value := t.cell(i, at+1); value != "" {
				row.Cells = append(row.Cells, Cell{t.cell(i, 0), value})
			}
		}
		turned = append(turned, row)
	}
	return turned
}

// findName finds the column that names the rows: the one whose name says so, else the
// first with words that tell the rows apart.
func (t *Table) findName() {
	best, most := -1, 0
	for i := range t.columns {
		if points := t.naming(i); points > most {
			best, most = i, points
		}
	}
	t.name = best
	if best >= 0 {
		t.columns[best].kind = nameColumn
	}
	for i := range t.columns {
		if c := &t.columns[i]; c.kind == nameColumn && i != best {
			c.kind, c.label = textColumn, c.name
		}
	}
}

// namingKinds are the kinds of columns that may name the rows, and how well they do.
var namingKinds = map[kind]int{nameColumn: 6, textColumn: 2, placeColumn: 2, dayColumn: 2, groupColumn: 1, personColumn: 1, codeColumn: 0}

// naming is how well a column names the rows; 0: not at all.
func (t *Table) naming(i int) int {
	c, s := t.columns[i], t.surveys[i]
	points, ok := namingKinds[c.kind]
	if i == 0 && (c.kind == amountColumn || c.kind == unitColumn) {
		points, ok = 2, true
	}
	if !ok || s.filled == 0 {
		return 0
	}
	if s.codes == s.filled && len(t.rows) > 1 {
		points = 0
	}
	if s.varied {
		points += 3
	}
	if i == 0 {
		points++
	}
	if s.prose && c.kind != nameColumn && i > 0 {
		points -= 2
	}
	return points
}
