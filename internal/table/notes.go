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
		t.unit = cmp.Or(t.unit, unitOfPrices(note))
		t.seasons.define(strings.ReplaceAll(note, ". ", "\n"))
	}
	t.seasons.defineRest(notes)
	for i := range t.columns {
		t.columns[i].scope = t.seasons.settled(t.columns[i].scope)
	}
}

// unitOfPrices is what a text says that prices are for each of: "Prices are per week".
func unitOfPrices(text string) string {
	for sentence := range strings.SplitSeq(strings.ReplaceAll(text, ". ", "\n"), "\n") {
		words, prices := wordsOf(sentence), false
		for i := range words {
			called, n := match(words[i:], lexes().columns)
			prices = prices || n > 0 && kindNames[called] == priceColumn
			if unit, n := match(words[i:], lexes().units); prices && n > 1 {
				return unit
			}
			if words[i].number {
				break
			}
		}
	}
	return ""
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

// knownSeasons are the seasons of which a document tells when they are, by what of their sort
// they are.
type knownSeasons map[int]scope

// seasons is the sort of what a document tells when it is.
const seasons = "season"

// define reads when the seasons of columns are from a sentence: "High season is July and
// August", "Peak: Monday to Friday after 5 pm and all weekend".
func (k knownSeasons) define(note string) {
	for sentence := range strings.SplitSeq(note, "\n") {
		k.defineIn(sentence)
	}
}

func (k knownSeasons) defineIn(sentence string) {
	words := wordsOf(sentence)
	from := 0 // where what is told of the next season may begin
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
		if told.months == 0 && !told.week.named() {
			told = readScope(sentence[from:words[i].start], false) // "July and August are high season"
		}
		from = words[i+n-1].end
		k.setSeason(season.some, told)
		i = next
	}
}

// setSeason notes when a season is.
func (k knownSeasons) setSeason(some int, told scope) {
	if _, known := k[some]; known || told.months == 0 && !told.week.named() {
		return
	}
	k[some] = told
}

// defineRest gives what no season has to the ones of which nothing is told: "low season is
// the rest of the year", and all hours that are not at peak.
func (k knownSeasons) defineRest(notes []string) {
	var rest scope
	var known int
	for some, s := range k {
		known |= some
		rest.months |= s.months
		for day := range rest.week {
			rest.week[day] |= s.week[day]
		}
	}
	if known == 0 {
		return
	}
	if rest.week.named() {
		rest.week = rest.week.rest()
	}
	if rest.months != 0 && anyRest(notes) {
		rest.months = (1<<12 - 1) &^ rest.months
	} else {
		rest.months = 0
	}
	for _, some := range []int{senses["low_season"].some, senses["off_peak"].some} {
		if known&some == 0 {
			k.setSeason(some, rest)
		}
	}
}

// settled is a scope with when its season is, where the document tells that.
func (k knownSeasons) settled(s scope) scope {
	told, ok := k[s.sorts[seasons]]
	if ok && s.months == 0 && !s.week.named() {
		s.months, s.week = told.months, told.week
	}
	return s
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
