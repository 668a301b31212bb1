package table

import (
	"cmp"
	"strings"
)

// readHeadings finds what the prices themselves and what stands above them tell of all
// prices: their currency, the tax, and what they are for each of.
func (t *Table) readHeadings() {
	for i, c := range t.columns {
		if t.money == "" && c.kind == priceColumn {
			t.money = cmp.Or(c.money, t.moneyIn(i))
		}
	}
	above := []string{}
	for i, r := range t.rows {
		if i == 0 || r.Heading != t.rows[i-1].Heading {
			above = append(above, r.Heading)
		}
	}
	t.tellAll(above)
	if t.name >= 0 {
		above = append(above, t.columns[t.name].name) // "Pitch (per night)"
	}
	for _, text := range above {
		words := wordsOf(text)
		for i := range words {
			if unit, n := match(words[i:], lexes().units); n > 1 {
				t.unit = cmp.Or(t.unit, unit)
			}
		}
	}
}

// readNotes finds what stands beside the table of all its prices, and of its seasons.
func (t *Table) readNotes(notes []string) {
	t.tellAll(notes)
	for _, note := range notes {
		for sentence := range strings.SplitSeq(strings.ReplaceAll(note, ". ", "\n"), "\n") {
			t.define(sentence)
		}
	}
	t.defineRest(notes)
}

// tellAll finds the currency and the tax of all prices in texts. Where texts tell of
// several, they tell of none.
func (t *Table) tellAll(texts []string) {
	monies, taxes := map[string]bool{}, map[string]bool{}
	for _, text := range texts {
		words := wordsOf(text)
		for i := range words {
			if money, n := match(words[i:], lexes().money); n > 0 {
				monies[money] = true
			}
			if tax, n := match(words[i:], lexes().tax); n > 1 {
				taxes[tax] = true
			}
		}
	}
	if money, one := onlyOf(monies); one {
		t.money = cmp.Or(t.money, money)
	}
	if tax, one := onlyOf(taxes); one {
		t.tax = cmp.Or(t.tax, tax)
	}
}

func onlyOf(set map[string]bool) (string, bool) {
	for text := range set {
		return text, len(set) == 1
	}
	return "", false
}

// moneyIn is the first currency in a column; "" when there is none.
func (t *Table) moneyIn(at int) string {
	for r := range t.rows {
		if v := read(t.cell(r, at), t.columns[at]); v.money != "" {
			return v.money
		}
	}
	return ""
}

// seasons is the sort of what a document tells when it is.
const seasons = "season"

// define reads when the seasons of columns are from a sentence: "High season is July and
// August", "Peak: Monday to Friday after 5 pm and all weekend".
func (t *Table) define(sentence string) {
	words := wordsOf(sentence)
	for i := 0; i < len(words); {
		variant, n := match(words[i:], lexes().variants)
		season := senses[variant]
		if n == 0 || season.sort != seasons {
			i++
			continue
		}
		next := i + n
		for next < len(words) {
			if other, more := match(words[next:], lexes().variants); more > 0 && senses[other].sort == seasons {
				break
			}
			next++
		}
		end := len(sentence)
		if next < len(words) {
			end = words[next].start
		}
		told := readScope(sentence[words[i+n-1].end:end], false)
		if told.months == 0 && !told.week.named() && i > 0 {
			told = readScope(sentence[:words[i].start], false) // "July and August are high season"
		}
		t.setSeason(season.some, told)
		i = next
	}
}

// setSeason notes when a season is, for all columns of it that do not tell.
func (t *Table) setSeason(some int, told scope) {
	for i := range t.columns {
		s := &t.columns[i].scope
		if s.sorts[seasons]&some == 0 || s.sorts[seasons]&^some != 0 {
			continue
		}
		if s.months == 0 {
			s.months = told.months
		}
		if !s.week.named() {
			s.week = told.week
		}
	}
}

// defineRest gives what no season has to the one of which nothing is told: "low season is
// the rest of the year", and all hours that are not at peak.
func (t *Table) defineRest(notes []string) {
	all, months := 0, 0
	var hours week
	var open []int
	for i, c := range t.columns {
		switch {
		case c.scope.sorts[seasons] == 0:
		case c.scope.months == 0 && !c.scope.week.named():
			open = append(open, i)
			all |= c.scope.sorts[seasons]
		default:
			months |= c.scope.months
			for day := range hours {
				hours[day] |= c.scope.week[day]
			}
		}
	}
	for _, i := range open {
		s := &t.columns[i].scope
		if s.sorts[seasons] != all {
			return // more than one: which has the rest is not told
		}
		if hours.named() {
			s.week = hours.rest()
		}
		if months != 0 && anyRest(notes) {
			s.months = (1<<12 - 1) &^ months
		}
	}
}

// anyRest says whether a text speaks of the rest of the year.
func anyRest(texts []string) bool {
	for _, text := range texts {
		words := wordsOf(text)
		for i := range words {
			if _, n := match(words[i:], lexes().rest); n > 0 {
				return true
			}
		}
	}
	return false
}
