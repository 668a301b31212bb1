package table

import (
	"slices"
	"strings"
	"unicode"
)

// Bounds of a line of a list: how many words what it names has, and what is told of it
// where that is no price.
const (
	longestListed = 12
	longestTold   = 5
)

// ParseLine takes a line of a list of prices apart, "Cut: 15 €", "Soup — 5 / 9": it is a
// row of a table whose columns have no names. A line with no price, "Frame: ask us", may be
// one among others; firm tells whether it has.
func ParseLine(text string) (row Row, firm, ok bool) {
	text = strings.TrimLeft(strings.TrimRight(strings.TrimSpace(text), ". "), "-*•· ")
	if strings.Contains(text, "\n") {
		return Row{}, false, false
	}
	if row, ok := dotted(text); ok {
		return row, true, true
	}
	var loose Row
	for at := 0; ; {
		from, size := separated(text[at:])
		if size == 0 {
			return loose, false, len(loose.Cells) > 0
		}
		name, told := strings.TrimSpace(text[:at+from]), strings.TrimSpace(text[at+from+size:])
		at += from + size
		if !listable(name) {
			continue
		}
		if cells := append(labelledPrices(told), listed(told)...); len(cells) > 0 {
			return Row{Listed: true, Cells: append([]Cell{{Value: name}}, cells...)}, true, true
		}
		if len(strings.Fields(told)) <= longestTold && !strings.ContainsFunc(told, unicode.IsDigit) {
			loose = Row{Listed: true, Cells: []Cell{{Value: name}, {Value: told}}}
		}
	}
}

// separators stand between a name and its price.
var separators = []string{": ", " -- ", " — ", " – ", " - ", " = ", "\t"}

// separated is where the first separator stands in a text, and how long it is; 0: none.
func separated(text string) (at, size int) {
	at = len(text)
	for _, s := range separators {
		if i := strings.Index(text, s); i >= 0 && i < at {
			at, size = i, len(s)
		}
	}
	return at, size
}

// listable says whether a text may name something in a list.
func listable(name string) bool {
	return strings.ContainsFunc(name, unicode.IsLetter) && len(strings.Fields(name)) <= longestListed && !strings.ContainsAny(name, ".?!;")
}

// told is the column of what a line of a list tells beside the price.
const told = nameless + "told"

// dots part what stands in a line of a list.
var dots = []string{" · ", " • ", " | "}

// dotted takes a line apart whose parts are a name, perhaps how long it takes, and a price:
// "Manicure · 45 min · 30".
func dotted(text string) (Row, bool) {
	for _, dot := range dots {
		parts := strings.Split(text, dot)
		last := len(parts) - 1
		if last < 1 || !listable(parts[0]) || strings.Contains(parts[0], ": ") || !isPrice(parts[last]) {
			continue
		}
		row := Row{Listed: true, Cells: []Cell{{Value: parts[0]}}}
		for _, part := range parts[1:last] {
			if isPrice(part) {
				return Row{}, false
			}
			row.Cells = append(row.Cells, Cell{Column: told, Value: part})
		}
		return Row{Listed: true, Cells: append(row.Cells, Cell{Column: nameless + "price", Value: parts[last]})}, true
	}
	return Row{}, false
}

// labelledPrices are prices that each have a name, "small 2,60 · large 4,60"; nil: there are
// none.
func labelledPrices(text string) (cells []Cell) {
	for _, dot := range append([]string{" / ", "; ", ", "}, dots...) {
		parts := strings.Split(text, dot)
		cells = nil
		for _, part := range parts {
			at := strings.LastIndex(strings.TrimRight(part, " €£$"), " ")
			if at < 1 || !isPrice(part[at+1:]) || !strings.ContainsFunc(part[:at], unicode.IsLetter) || isPrice(part) {
				cells = nil
				break
			}
			cells = append(cells, Cell{Column: strings.TrimRight(part[:at], " :"), Value: part[at+1:]})
		}
		if len(cells) > 1 {
			return cells
		}
	}
	return nil
}

// listed are the prices that stand behind a name; nil: they are none.
func listed(text string) (cells []Cell) {
	all := []string{text}
	if parts := strings.Split(text, " / "); len(parts) > 1 && !slices.ContainsFunc(parts, func(p string) bool { return !isPrice(p) }) {
		all = parts
	}
	if slices.ContainsFunc(all, func(p string) bool { return !isPrice(p) }) {
		return nil
	}
	for _, price := range all {
		cells = append(cells, Cell{Value: price})
	}
	return cells
}

// longestPrice is how many figures a price has at most; what has more is a telephone.
const longestPrice = 7

func isPrice(text string) bool {
	v := read(text, column{kind: priceColumn})
	switch plain := read(text, column{}).kind; {
	case plain == asLength || plain == asHours || plain == asYes || plain == asNo:
		return false
	case v.kind == asMoney:
		return len(digits(v.low)) <= longestPrice && !hasUnit(text, lexes().times)
	}
	return v.kind == asFree
}

// tellsMoney says whether a list of numbers is one of prices: some have a currency or
// cents, or what stands around them speaks of prices.
func tellsMoney(rows []Row, notes []string) bool {
	around := slices.Clone(notes)
	for _, r := range rows {
		for _, c := range r.Cells[1:] {
			v := read(c.Value, column{kind: priceColumn})
			if _, part := parts(v.low); v.kind == asFree || v.kind == asMoney && (v.money != "" || len(part) == 2) {
				return true
			}
		}
		around = append(around, r.Heading)
	}
	for _, text := range around {
		words := wordsOf(text)
		for i := range words {
			if _, n := match(words[i:], lexes().money); n > 0 {
				return true
			}
			if called, n := match(words[i:], lexes().columns); n > 0 && kindNames[called] == priceColumn {
				return true
			}
		}
	}
	return false
}

// NewList makes a table of lines of a list; nil: it is no list of prices.
func NewList(rows []Row, money string, notes ...string) *Table {
	if !tellsMoney(rows, notes) {
		return nil
	}
	legend(rows, notes)
	return New(rows, money, notes...)
}

// legend names the prices of rows that have several by what stands above the list: "Half
// portion / portion".
func legend(rows []Row, notes []string) {
	for _, note := range notes {
		for sentence := range strings.SplitSeq(strings.ReplaceAll(note, ". ", "\n"), "\n") {
			names := strings.Split(strings.Trim(sentence, " ."), " / ")
			if len(names) < 2 || slices.ContainsFunc(names, func(name string) bool { return only(name) == "" }) {
				continue
			}
			for _, r := range rows {
				for i := range names {
					if len(r.Cells) == len(names)+1 && r.Cells[i+1].Column == "" {
						r.Cells[i+1].Column = names[i]
					}
				}
			}
		}
	}
}
