package table

import (
	"slices"
	"strings"
	"unicode"
)

// classify finds out from what stands in them what the columns hold whose names do not
// tell, or tell wrong.
func (t *Table) classify() {
	for i := range t.columns {
		c := &t.columns[i]
		s := t.survey(i)
		t.surveys = append(t.surveys, s)
		switch {
		case s.filled == 0:
		case t.rows[0].Listed && c.name == told:
			t.classifyText(c, s)
		case i > 0 && t.rows[0].Listed:
			c.kind, c.priced = priceColumn, true
		case c.kind == priceColumn:
			t.correctPrice(i, s)
		case c.kind == nameColumn && i > 0 && s.mostly(asNumber): // "Pass for 5 sessions"
			c.relabel(textColumn)
			t.classifyText(c, s)
		case c.kind == textColumn:
			t.classifyText(c, s)
		default:
			c.correct(s)
		}
	}
	t.besidePrices()
	for i := range t.columns {
		if c := &t.columns[i]; c.kind == priceColumn && !c.fee && !t.rows[0].Listed {
			c.takeUnit()
		}
	}
}

// correctPrice sees whether what is called a price is one.
func (t *Table) correctPrice(i int, s survey) {
	c := &t.columns[i]
	kind := priceColumn
	switch {
	case i == 0 && s.forms[inWords] == s.filled: // "Fee": what it is for
		kind = nameColumn
	case s.mostly(asNumber) && t.hasMoney(): // a share
		kind = amountColumn
	case t.lengths(i) == s.filled: // "Labour"
		kind = spanColumn
	case s.forms[asHours] == s.filled:
		kind = hoursColumn
	}
	if kind != priceColumn {
		*c = column{name: c.name, label: c.name, kind: kind}
	}
}

// correct sees whether a column that is not called a price holds what its name says.
func (c *column) correct(s survey) {
	switch {
	case c.kind == feeColumn:
		c.relabel(priceColumn)
		c.fee, c.unit = true, ""
	case c.kind == taxColumn && lexes().tax[joined(wordsOf(c.name))] != "" && (s.mostly(asMoney) || s.mostly(asNumber) && s.cents):
		*c = column{name: c.name, kind: priceColumn, priced: true, money: c.money, tax: lexes().tax[joined(wordsOf(c.name))]}
	case s.mostly(asMoney):
		c.relabel(priceColumn)
	case c.kind == unitColumn && s.varied && s.wordy: // "Unit": the room that is let
		c.kind = textColumn
	case c.kind == groupColumn && s.varied && s.wordy:
		c.kind, c.wordy = textColumn, true
	case (c.kind == durationColumn || c.kind == dayColumn) && s.mostly(asHours):
		c.kind = hoursColumn
	case c.kind == hoursColumn && s.mostly(asLength):
		c.kind = durationColumn
	case c.kind == dayColumn && s.mostly(asNumber):
		c.kind = amountColumn
	}
}

// classifyText tells the kind of a column whose name tells none.
func (t *Table) classifyText(c *column, s survey) {
	numbers := s.mostly(asNumber)
	switch {
	case 2*s.forms[asMoney] >= s.filled, numbers && (c.money != "" || s.cents || !c.scope.open() && !t.hasPrice()):
		c.kind = priceColumn
	case s.mostly(asHours):
		c.kind = hoursColumn
	case s.mostly(asLength):
		c.kind = spanColumn
	case numbers:
		c.kind = amountColumn
	default:
		c.wordy = s.wordy && s.varied
	}
}

// besidePrices takes numbers under an unknown name for prices that stand beside prices of
// other sizes or seasons: "Dog", "Cat", "Rabbit or guinea pig".
func (t *Table) besidePrices() {
	if t.hasPrice() {
		return
	}
	t.pricesByUnit()
	priced := func(i int) bool {
		return i >= 0 && i < len(t.columns) && t.columns[i].kind == priceColumn && !t.columns[i].fee
	}
	for pass := range 2 * len(t.columns) { // once from each side is enough
		i := pass
		if pass >= len(t.columns) {
			i = 2*len(t.columns) - 1 - pass
		}
		if c := &t.columns[i]; c.kind == amountColumn && newColumn(c.name).kind == textColumn && (priced(i-1) || priced(i+1)) {
			c.kind = priceColumn
		}
	}
}

// pricesByUnit takes numbers under what is paid for, "Hour" and "Day", for prices. Where the
// table has others, only times are.
func (t *Table) pricesByUnit() {
	others := slices.ContainsFunc(t.columns, func(c column) bool { return c.kind == priceColumn })
	for i := range t.columns {
		c := &t.columns[i]
		words := wordsOf(c.name)
		unit, ok := lexes().units[joined(words)]
		switch {
		case i == 0 || !t.numeric(i):
		case ok && (!others || lexes().times[joined(words)] != ""):
			*c = column{name: c.name, kind: priceColumn, unit: unit, scope: scope{extents: []extent{extent{1, 1, unit}.plain()}}}
		case len(words) > 1 && words[0].number && hasUnit(c.name, lexes().times): // "2 hours"
			c.relabel(priceColumn)
		}
	}
}

// numeric says whether a column holds nothing but numbers.
func (t *Table) numeric(at int) bool {
	for i := range t.rows {
		if text := t.cell(i, at); text != "" && read(text, column{}).kind != asNumber && !is(text, lexes().askUs) && !is(text, lexes().notHad) {
			return false
		}
	}
	return true
}

// survey is what stands in a column.
type survey struct {
	filled int
	forms  map[form]int
	cents  bool // its numbers have two figures behind the point
	varied bool // most rows have a value of their own
	codes  int
	wordy  bool // most of it is several words
	prose  bool // most of it is many words
}

// surveyed is how many rows are looked at.
const surveyed = 24

func (t *Table) survey(column int) survey {
	s := survey{forms: map[form]int{}}
	seen := map[string]bool{}
	cents, wordy, prose, silent := 0, 0, 0, 0
	for i := range t.rows[:min(len(t.rows), surveyed)] {
		text := t.cell(i, column)
		if text == "" {
			continue
		}
		if is(text, lexes().askUs) || is(text, lexes().notHad) {
			silent++
		}
		s.filled++
		seen[strings.ToLower(text)] = true
		v := read(text, t.columns[column])
		s.forms[v.kind]++
		if v.kind == asNumber && len(v.low) > 3 && strings.ContainsAny(v.low[len(v.low)-3:len(v.low)-2], ".,") {
			cents++
		}
		if isCode(text) {
			s.codes++
		}
		if v.kind == inWords && strings.Contains(text, " ") {
			wordy++
		}
		if strings.Count(text, " ") > 3 {
			prose++
		}
	}
	if s.forms[asNumber]+s.forms[asMoney] > s.forms[inWords]+s.forms[asNo]-silent {
		s.filled -= silent // "ask us" among numbers tells nothing of them
	}
	s.cents = cents > 0 && 2*cents >= s.filled
	s.wordy, s.prose = 2*wordy > s.filled, 2*prose > s.filled
	s.varied = 5*len(seen) >= 3*s.filled
	return s
}

// lengths is how many cells of a column tell how long something takes.
func (t *Table) lengths(at int) (n int) {
	for i := range t.rows[:min(len(t.rows), surveyed)] {
		if read(t.cell(i, at), column{}).kind == asLength {
			n++
		}
	}
	return n
}

// mostly says whether most of what stands in a column has a form.
func (s survey) mostly(f form) bool { return 2*s.forms[f] > s.filled }

// hasPrice says whether the name of a column says that it is a price.
func (t *Table) hasPrice() bool {
	return slices.ContainsFunc(t.columns, func(c column) bool { return c.priced })
}

// hasMoney says whether a column of prices holds money.
func (t *Table) hasMoney() bool {
	for i, c := range t.columns {
		if c.kind == priceColumn && t.survey(i).mostly(asMoney) {
			return true
		}
	}
	return false
}

// isCode tells whether a text is a code, "A-102": capitals or none, and figures.
func isCode(text string) bool {
	figures, letters := 0, 0
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			figures++
		case unicode.IsLower(r) || unicode.IsSpace(r):
			return false
		case unicode.IsLetter(r):
			letters++
		}
	}
	return figures > 0 && letters <= 6 && len(text) <= 14
}
