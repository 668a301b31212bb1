package table

import (
	"slices"
	"strings"
	"unicode"
)

// column is what a table has under one name.
type column struct {
	name    string
	kind    kind
	label   string // the name without the words that tell its kind, money and tax: "Weekend" of "Weekend price"
	variant string // what the label stands for in any language, where that is known
	scope   scope  // what it holds for
	priced  bool   // its name says that it is a price
	fee     bool   // it is money beside the price: a deposit
	money   string // the currency that its name tells
	unit    string // what it is for each of, or what its numbers measure
	tax     string
	bound   string
	wordy   bool // it describes the rows, each in words of its own
	sizes   bool // its letters are sizes: "S" is none for yes
}

// kind is what a column holds.
type kind int

const (
	textColumn kind = iota
	nameColumn
	codeColumn
	priceColumn
	unitColumn
	taxColumn
	durationColumn
	spanColumn // a length that its name tells of: a warranty, a delivery
	amountColumn
	noteColumn
	hoursColumn
	opensColumn
	closesColumn
	dayColumn
	personColumn
	placeColumn
	groupColumn
	feeColumn // money beside the price
)

// kindNames are the kinds as the languages' data calls them.
var kindNames = map[string]kind{
	"name": nameColumn, "code": codeColumn, "price": priceColumn, "unit": unitColumn, "tax": taxColumn, "duration": durationColumn,
	"span": spanColumn, "amount": amountColumn, "note": noteColumn, "hours": hoursColumn, "opens": opensColumn, "closes": closesColumn,
	"day": dayColumn, "person": personColumn, "place": placeColumn, "group": groupColumn, "fee": feeColumn,
}

// tellsHours says whether mere numbers in the column are times of the day.
func (c column) tellsHours() bool {
	return c.kind == hoursColumn || c.kind == opensColumn || c.kind == closesColumn
}

// newColumn reads the name of a column.
func newColumn(name string) column {
	c := column{name: name}
	words := wordsOf(name)
	scope := scope{}
	if !strings.HasPrefix(name, nameless) {
		scope = readScope(name, false)
	}
	if len(words) > 0 && words[0].number {
		c.label, c.scope = between(name, words), scope // "2 hours"
		return c
	}
	if length, ok := lexes().times[joined(words)]; ok && lexes().columns[joined(words)] == "" {
		c.kind, c.unit = spanColumn, length // "Weeks"
		return c
	}
	var left []word
	for i := 0; i < len(words); {
		n := c.take(words[i:])
		if n == 0 {
			left = append(left, words[i])
			n = 1
		}
		i += n
	}
	c.label = between(name, left)
	if c.label == "" && c.kind == textColumn && c.tax != "" {
		c.kind, c.priced = priceColumn, true // "ex VAT"
	}
	if c.label == "" && c.kind == textColumn && c.bound == "" || c.kind == taxColumn && c.label != "" {
		c = column{name: name, label: name} // "Tax relief" is not the tax
	}
	c.variant, c.scope = only(c.label), scope
	if len(scope.extents) > 0 && (c.kind == amountColumn || c.kind == durationColumn || c.kind == spanColumn) {
		c.relabel(textColumn) // "5 sessions" is not how many there are
	}
	if whole, ok := lexes().variants[joined(words)]; ok && c.kind != priceColumn {
		c = column{name: name, label: name, variant: whole, scope: scope}
	}
	return c
}

// relabel makes a column of another kind of one whose name was taken for something else.
func (c *column) relabel(k kind) {
	*c = column{name: c.name, label: between(c.name, wordsOf(c.name)), kind: k, unit: c.unit, money: c.money, tax: c.tax, scope: c.scope}
	c.variant = only(c.label)
}

// takeUnit reads what a column of prices is for each of from its name: "Weekly", "Mon-Thu per
// head".
func (c *column) takeUnit() {
	words := wordsOf(c.name)
	if unit, whole := lexes().units[joined(words)]; whole && c.variant == "" {
		c.unit, c.label = unit, ""
		c.scope.extents = []extent{extent{1, 1, unit}.plain()}
		return
	}
	words = wordsOf(c.label)
	for i := range words {
		if unit, n := match(words[i:], lexes().units); n > 1 && n < len(words) && c.unit == "" {
			c.unit = unit
			c.label = between(c.label, slices.Delete(words, i, i+n))
			c.variant = only(c.label)
			return
		}
	}
}

// between is what of a text some of its words and the marks between them are. What stands
// in brackets follows a comma, for it is said in brackets itself.
func between(text string, words []word) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			switch gap := text[words[i-1].end:w.start]; {
			case strings.ContainsAny(gap, "(["):
				b.WriteString(", ")
			case gap == "":
			case strings.TrimSpace(gap) == "", strings.ContainsFunc(gap, unicode.IsLetter):
				b.WriteString(" ")
			default:
				b.WriteString(strings.Trim(gap, "()[]"))
			}
		}
		b.WriteString(text[w.start:w.end])
	}
	return b.String()
}

// take reads what the words of a column's name begin with, and tells how many words that
// are; 0: it is not known.
func (c *column) take(words []word) int {
	lex := lexes()
	called, columns := match(words, lex.columns)
	tax, taxes := match(words, lex.tax)
	unit, units := match(words, lex.units)
	length, times := match(words, lex.times)
	money, moneys := match(words, lex.money)
	_, least := match(words, lex.least)
	switch {
	case columns > 0 && columns >= max(taxes, units, moneys, least) && !(c.kind == priceColumn && units+taxes > 0):
		c.call(kindNames[called])
		if times == columns && c.kind == durationColumn {
			c.unit = length // "Minutes"
		}
		return columns
	case moneys > 0:
		c.money = money
		return moneys
	case taxes > 0 && taxes >= max(units, times):
		c.tax = tax
		if taxes < len(words) && lex.taxNames[words[taxes].text] {
			taxes++
		}
		return taxes
	case times > 0 && c.unit == "" && (c.kind == durationColumn || c.kind == spanColumn):
		c.unit = length
		return times
	case units > 1 && c.tax != "" && c.kind == textColumn: // "Net per month"
		c.unit = unit
		c.call(priceColumn)
		return units
	case units > 0 && (c.kind == priceColumn || c.money != ""):
		c.unit = unit
		return units
	}
	return c.takeSmall(words)
}

// takeSmall reads the words around a price in the name of its column: "from", "up to".
func (c *column) takeSmall(words []word) int {
	lex := lexes()
	_, least := match(words, lex.least)
	_, most := match(words, lex.most)
	switch {
	case lex.taxNames[words[0].text] && c.kind == priceColumn, words[0].text == "/":
		return 1
	case least > 0:
		c.bound = "least"
		return least
	case most > 0 && c.kind == priceColumn:
		c.bound = "most"
		return most
	}
	return 0
}

// call notes a kind that the column's name tells: a price above all, else the first.
func (c *column) call(k kind) {
	if k == priceColumn || c.kind == textColumn {
		c.kind = k
	}
	if k == priceColumn {
		c.priced = true
	}
}
