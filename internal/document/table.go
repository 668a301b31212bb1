package document

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk.dev/frontdesk/internal/language"
)

// record is a row of a table before its cells have names.
type record struct {
	cells []string
	line  int
	page  int
	bold  bool // all of it is
}

// filled are the cells that are not empty.
func (r record) filled() (n int) {
	for _, c := range r.cells {
		if c != "" {
			n++
		}
	}
	return n
}

// length is in bytes.
func (r record) length() (n int) {
	for _, c := range r.cells {
		n += len(c)
	}
	return n
}

// columns are the names of a table's columns, "" where one has none.
type columns []string

func (c columns) name(i int) string {
	if i < len(c) {
		return c[i]
	}
	return ""
}

// What columns are called that hold questions, answers, and what both are about.
var (
	questionColumns = set("question questions q pregunta preguntas consulta duda faq")
	answerColumns   = set("answer answers a respuesta respuestas reply contestación")
	topicColumns    = set("category topic section group area categoría categoria tema sección seccion grupo apartado área")
)

// column is the number of the first column with one of some names, -1 if there
// is none.
func (c columns) column(names map[string]bool) int {
	return slices.IndexFunc(c, func(name string) bool { return names[strings.ToLower(strings.Trim(name, "¿?:. "))] })
}

// rowBlocks makes a block of a row: its cells with their columns' names. A row
// too long for a fragment becomes several, each with its first cell. In a table
// of questions and answers it becomes a pair.
func (c columns) rowBlocks(r record, part int) []block {
	q, a := c.column(questionColumns), c.column(answerColumns)
	if q < 0 || a < 0 || max(q, a) >= len(r.cells) || r.cells[q] == "" || r.cells[a] == "" {
		return c.plainRow(r, part)
	}
	answer, topic := r.cells[a], c.column(topicColumns)
	for i, cell := range r.cells {
		if i != q && i != a && i != topic && cell != "" {
			answer += "\n" + c.named(i, cell)
		}
	}
	about := ""
	if topic >= 0 && topic < len(r.cells) {
		about = clip(r.cells[topic])
	}
	if !short(r.cells[q]) {
		return c.plainRow(r, part)
	}
	return []block{
		{kind: question, text: r.cells[q], part: part, line: r.line, page: r.page},
		{kind: paragraph, text: answer, under: about, part: part, line: r.line, page: r.page},
	}
}

func (c columns) plainRow(r record, part int) (blocks []block) {
	var text strings.Builder
	length, label := 0, ""
	flush := func() {
		if length > 0 {
			blocks = append(blocks, block{kind: row, text: text.String(), part: part, line: r.line, page: r.page})
		}
		text.Reset()
		length = 0
	}
	for i, cell := range r.cells {
		if cell == "" {
			continue
		}
		for _, piece := range divide(cell, most*2/3) {
			named := c.named(i, piece)
			n := utf8.RuneCountInString(named) + 2
			if length > 0 && length+n > most {
				flush()
				text.WriteString(label)
				length = utf8.RuneCountInString(label)
			}
			if length > 0 {
				text.WriteString("; ")
			}
			text.WriteString(named)
			length += n
		}
		if label == "" && utf8.RuneCountInString(cell) <= longestLead {
			label = c.named(i, cell)
		}
	}
	flush()
	return blocks
}

func (c columns) named(i int, cell string) string {
	if name := c.name(i); name != "" {
		return name + ": " + cell
	}
	return cell
}

// clip bounds a name that stands over or before other text.
func clip(name string) string {
	if utf8.RuneCountInString(name) <= longestLead {
		return name
	}
	return name[:offset(name, longestLead)]
}

// value is what a cell holds that is no name of a column: a number, a price, a
// time, an address.
var value = regexp.MustCompile(`^[£$€]?\s?[-+]?\d[\d.,:/ \-–]*\s*(?:€|\$|£|%|h|min|eur|euros?|am|pm|kg|g|ml|cl|l|m|cm|m²)?\.?$|@|https?://|www\.`)

// longestName is the most a column's name has, in characters.
const longestName = 60

// hasHeader says whether the first of a table's rows names its columns: short
// different words, none of which is a value, or comes again as one below.
func hasHeader(rows []record) bool {
	if len(rows) < 2 {
		return false
	}
	head, seen := rows[0], map[string]bool{}
	if head.filled() < 2 && len(head.cells) > 1 {
		return false
	}
	years := 0
	for i, cell := range head.cells {
		name := strings.ToLower(cell)
		switch {
		case cell == "":
			continue
		case seen[name], utf8.RuneCountInString(cell) > longestName, isSentence(cell):
			return false
		case value.MatchString(name):
			if i == 0 {
				return false
			}
			years++
		case again(cell, i, rows[1:]) && !(namesColumn(cell) && others(head.cells, i, namesColumn)):
			return false
		}
		seen[name] = true
	}
	// Sizes or years can name columns; a row of mere values cannot.
	return years == 0 || years < head.filled() && !valuesBelow(head, rows[1:])
}

// isSentence says whether a cell is one; a single word with a point is cut short,
// as "Ref.".
func isSentence(cell string) bool {
	return strings.ContainsRune(".!", lastRune(cell)) && strings.Count(cell, " ") >= 2
}

// namesColumn says whether a cell is what a column of a table is often called; such a word
// can be a value as well, as "unit" is.
func namesColumn(cell string) bool {
	name := language.Fold(columnName(cell))
	for _, l := range language.MixOf().Languages {
		if _, ok := l.Pairs("table columns")[name]; ok {
			return true
		}
	}
	return false
}

// others says whether something holds of another cell than one.
func others(cells []string, but int, holds func(string) bool) bool {
	for i, cell := range cells {
		if i != but && holds(cell) {
			return true
		}
	}
	return false
}

func again(cell string, column int, rows []record) bool {
	for _, r := range rows[:min(len(rows), 50)] {
		if column < len(r.cells) && strings.EqualFold(r.cells[column], cell) {
			return true
		}
	}
	return false
}

// valuesBelow says whether the columns in which head has values have such
// below, of the same unit: then it is a row like them.
func valuesBelow(head record, rows []record) bool {
	for i, cell := range head.cells {
		if !value.MatchString(cell) {
			continue
		}
		for _, r := range rows[:min(len(rows), 50)] {
			if i < len(r.cells) && value.MatchString(r.cells[i]) && unit(r.cells[i]) == unit(cell) {
				return true
			}
		}
	}
	return false
}

// unit is a value without its number; a year is its own.
func unit(s string) string {
	if year.MatchString(s) {
		return "year"
	}
	return strings.ToLower(strings.Trim(s, "0123456789.,:/-–+ "))
}

// tableBlocks makes blocks of a table whose names are to be found out. Lines
// above the names, and lines in capitals with nothing beside them, are headings.
func tableBlocks(rows []record, part int) (blocks []block) {
	rows = slices.DeleteFunc(rows, func(r record) bool { return r.filled() == 0 })
	wide := 0
	for _, r := range rows[:min(len(rows), 50)] {
		wide = max(wide, r.filled())
	}
	for len(rows) > 2 && wide > 1 && rows[0].filled() == 1 && rows[1].filled() > 0 {
		blocks = append(blocks, single(rows[0], 1))
		rows = rows[1:]
	}
	names, rows := header(rows)
	for i, r := range rows {
		if wide > 1 && r.filled() == 1 && r.cells[0] != "" && (r.bold || capitals(r.cells[0])) && i+1 < len(rows) {
			blocks = append(blocks, single(r, sectionLevel))
			continue
		}
		if wide > 1 && r.filled() == 1 && r.cells[0] != "" && isSentence(r.cells[0]) { // a note below the table
			blocks = append(blocks, block{kind: paragraph, text: r.cells[0], part: part + i, line: r.line, page: r.page})
			continue
		}
		blocks = append(blocks, names.rowBlocks(r, part+i)...)
		if len(blocks) > 2*mostFragments {
			break // more than pack takes
		}
	}
	return blocks
}

// sectionLevel is that of a heading within a table, below all others.
const sectionLevel = 6

// header parts the names of a table's columns from its rows. Names stand out by
// being bold, over one or several rows, or differ from what is below them.
func header(rows []record) (names columns, rest []record) {
	n := boldRows(rows)
	if n == 0 && hasHeader(rows) {
		n = 1
	}
	if n == 0 {
		return nil, continued(rows)
	}
	names = slices.Clone(rows[0].cells)
	for _, r := range rows[1:n] {
		for i, cell := range r.cells {
			names[i] = squeeze(names[i] + " " + cell)
		}
	}
	for i := range names {
		names[i] = columnName(names[i])
	}
	rest = slices.DeleteFunc(rows[n:], func(r record) bool {
		return slices.ContainsFunc(rows[:n], func(h record) bool { return h.bold && slices.Equal(h.cells, r.cells) })
	})
	return names, continued(rest)
}

// mostHeads is how many rows the names of columns have at most.
const mostHeads = 3

// boldRows is how many rows at the top are bold, if the others are not.
func boldRows(rows []record) int {
	n := 0
	for n < len(rows) && rows[n].bold && (n == 0 || rows[n].filled() > 1) {
		n++
	}
	if n > mostHeads || n == len(rows) || n > 0 && rows[0].filled() < 2 {
		return 0
	}
	return n
}

// continued puts lines that have nothing in the first column to the row that
// they belong to: what a program has drawn of a cell apart from its row, and
// rows of which the first cell is the one above.
func continued(rows []record) (all []record) {
	if len(rows) == 0 || rows[0].page == 0 {
		return filledDown(rows)
	}
	for _, r := range rows {
		if len(all) == 0 || r.cells[0] != "" {
			all = append(all, r)
			continue
		}
		above := all[len(all)-1]
		if r.filled() > 1 || above.length() > most {
			r.cells[0] = above.cells[0]
			all = append(all, r)
			continue
		}
		for i, cell := range r.cells {
			above.cells[i] = squeeze(above.cells[i] + " " + cell)
		}
	}
	return all
}

// filledDown are rows with what stands above where a cell says so, and where the cell that
// names the row is empty: the first, or the one behind a code.
func filledDown(rows []record) []record {
	name := 0
	if coded(rows) {
		name = 1
	}
	for i := 1; i < len(rows); i++ {
		cells, above := rows[i].cells, rows[i-1].cells
		for at, cell := range cells {
			if at < len(above) && (ditto[strings.ToLower(cell)] || cell == "" && at == name && rows[i].filled() > name+1) {
				cells[at] = above[at]
			}
		}
	}
	return rows
}

// code is what a thing is called in a list: figures, perhaps behind letters.
var code = regexp.MustCompile(`^\p{Lu}{0,4}[-./ ]?\d{1,8}\p{L}?$`)

// coded says whether the first cells of all rows are codes, each its own, before words.
func coded(rows []record) bool {
	seen := map[string]bool{}
	for _, r := range rows {
		if len(r.cells) < 3 || r.filled() < 2 {
			continue
		}
		if seen[r.cells[0]] || !code.MatchString(r.cells[0]) {
			return false
		}
		seen[r.cells[0]] = true
	}
	return len(seen) > 1
}

// ditto are the marks and words for what stands above.
var ditto = set("\" '' ″ 〃 ” ídem idem ditto íd. id. do.")

// columnName makes words of what a database calls a column: "price_eur".
func columnName(s string) string {
	return squeeze(strings.TrimSuffix(strings.ReplaceAll(s, "_", " "), ":"))
}

// single is the heading that a row with one cell is.
func single(r record, level int) block {
	text := strings.Join(r.cells, "")
	if utf8.RuneCountInString(text) > longestHeading {
		return block{kind: paragraph, text: text, line: r.line, page: r.page}
	}
	return block{kind: heading, level: level, text: text, line: r.line, page: r.page}
}

// capitals says whether a text has letters, and all of them large.
func capitals(s string) bool {
	letters := 0
	for _, r := range s {
		if unicode.IsLower(r) {
			return false
		}
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters >= 3
}
