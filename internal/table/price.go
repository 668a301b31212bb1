package table

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// priced is what a row costs in a column.
type priced struct {
	value
	at    int
	said  string
	label string // what it is the price of; "": it needs none
}

// mostPrices is how many prices of a row are said; of more, the least and the most.
const mostPrices = 3

// pricesOf are the prices of a row that are asked for. Equal ones are one.
func (s *saying) pricesOf(row int) (all []priced) {
	for _, i := range s.inOrder(row) {
		written := s.table.cell(row, i)
		if written == "" {
			continue
		}
		c := s.table.columns[i]
		p := priced{value: read(written, c), at: i}
		p.said = s.value(row, i, p.value)
		if label := s.label(c); label != "" && (s.severalPrices() || c.label != "") {
			p.label = label
		}
		if at := slices.IndexFunc(all, func(o priced) bool { return o.said == p.said && o.label != "" && p.label != "" }); at >= 0 {
			all[at].label = s.list([]string{all[at].label, p.label})
			continue
		}
		all = append(all, p)
	}
	if len(all) == 1 && len(s.prices) > mostPrices && len(s.prices) == len(s.table.allPrices()) {
		all[0].label = "" // it costs the same whichever it is
	}
	return all
}

// inOrder are the columns of prices as they stand in a row of a list, each of which may have
// its own.
func (s *saying) inOrder(row int) []int {
	if !s.table.rows[row].Listed {
		return s.prices
	}
	place := func(column int) int {
		return slices.IndexFunc(s.table.rows[row].Cells, func(c Cell) bool { return c.Column == s.table.columns[column].name })
	}
	return slices.SortedStableFunc(slices.Values(s.prices), func(a, b int) int { return cmp.Compare(place(a), place(b)) })
}

// priceSentences say what a row costs; none where it does not tell.
func (s *saying) priceSentences(row int, name string) []string {
	all := s.pricesOf(row)
	key := func(key string) string {
		if name == "" {
			return key + "_next"
		}
		return key
	}
	amounts := slices.DeleteFunc(slices.Clone(all), func(p priced) bool { return p.kind == inWords })
	switch {
	case len(all) == 0:
		return nil
	case len(amounts) > mostPrices:
		if text := s.between(row, amounts, key("between"), name); text != "" {
			return []string{text}
		}
	case len(all) > 1 && len(amounts) > 0 && len(amounts) < len(all):
		return append([]string{s.priceSentence(row, amounts, key, name)}, s.inWords(all)...)
	}
	return []string{s.priceSentence(row, all, key, name)}
}

// priceSentence says some prices of a row in one sentence.
func (s *saying) priceSentence(row int, all []priced, key func(string) string, name string) string {
	first := all[0]
	switch {
	case len(all) == 1 && s.table.columns[first.at].fee && first.label != "":
		return s.word(key("fact"), "name", name, "column", first.label, "value", first.said)
	case len(all) == 1 && first.kind == asFree && first.label == "":
		return s.word(key("free"), "name", s.within(name))
	case len(all) == 1 && (first.kind == asFree || first.kind == inWords):
		return s.word(key("price_words"), "name", s.within(name), "price", s.labelled(first))
	}
	text := s.joinPrices(row, all)
	if called := key("price"); called == "price" && s.many(name) {
		return s.word("price_many", "name", s.within(name), "price", text)
	}
	return s.word(key("price"), "name", s.within(name), "price", text)
}

// joinPrices are prices with what they are the prices of, and the tax.
func (s *saying) joinPrices(row int, all []priced) string {
	said, taxes := make([]string, len(all)), make([]string, len(all))
	told := map[string]bool{}
	for i, p := range all {
		said[i] = s.labelled(p)
		if p.kind != inWords {
			taxes[i] = s.tax(row, p.at, p.value)
			told[taxes[i]] = true
		}
	}
	if len(told) > 1 {
		for i, tax := range taxes {
			said[i] = commaed(said[i], tax)
		}
		return s.list(said)
	}
	tax, _ := onlyOf(told)
	return commaed(s.list(said), tax)
}

func commaed(text, more string) string {
	if more == "" {
		return text
	}
	return text + ", " + more
}

func (s *saying) labelled(p priced) string {
	if p.label == "" {
		return p.said
	}
	return s.word("variant", "price", p.said, "variant", p.label)
}

// inWords are sentences about the prices that are told in words: "Large: ask us."
func (s *saying) inWords(all []priced) (said []string) {
	for _, p := range all {
		if p.kind == inWords && p.label != "" {
			said = append(said, s.word("fact_next", "column", p.label, "value", strings.TrimRight(p.said, ".")))
		}
	}
	return said
}

// between says the least and the most of many prices, and what they depend on; "" where
// they cannot be compared.
func (s *saying) between(row int, all []priced, key, name string) string {
	var labels []string
	low, high := all[0], all[0]
	for _, p := range all {
		n, _ := numberAt([]word{{text: p.low, number: true}})
		least, _ := numberAt([]word{{text: low.low, number: true}})
		most, _ := numberAt([]word{{text: high.low, number: true}})
		if p.kind != asMoney || p.high != "" || p.label == "" || p.bound != "" || p.unit != all[0].unit || s.table.columns[p.at].unit != s.table.columns[all[0].at].unit {
			return ""
		}
		if n < least {
			low = p
		}
		if n > most {
			high = p
		}
		labels = append(labels, p.label)
	}
	text := high.said
	if tax := s.tax(row, high.at, high.value); tax != "" {
		text += ", " + tax
	}
	return s.word(key, "name", s.within(name), "low", s.figures(low.low, true), "high", text, "list", s.list(labels))
}

// shortPrice are the prices of a row without a sentence; "" where it tells none.
func (s *saying) shortPrice(row int) string {
	all := s.pricesOf(row)
	if len(all) == 0 {
		return ""
	}
	return s.joinPrices(row, all)
}

// uncapital begins a label with a small letter, unless it has other large ones: "Mon-Fri".
func uncapital(label string) string {
	_, size := utf8.DecodeRuneInString(label)
	if strings.ContainsFunc(label[size:], unicode.IsUpper) {
		return label
	}
	return lowered(label)
}

// variantsOf are the variants that a text is made of; nil where it has other words.
func variantsOf(text string) (all []string) {
	words := wordsOf(text)
	for i := 0; i < len(words); {
		variant, n := match(words[i:], lexes().variants)
		if n == 0 {
			return nil
		}
		all = append(all, variant)
		i += n
	}
	return all
}

// variants are the several variants of a label in words.
func (s *saying) variants(label string) string {
	all := variantsOf(label)
	if from, to := senses[all[0]].days, senses[all[1]].days; len(all) == 2 && from != 0 && to != 0 && strings.ContainsAny(label, "-–—") {
		return s.word("range", "low", s.word("variant_"+all[0]), "high", s.word("variant_"+all[1]))
	}
	said := make([]string, len(all))
	for i, v := range all {
		said[i] = s.word("variant_" + v)
	}
	return strings.Join(said, ", ")
}

// sharesVariant says whether another column stands for the same: "Children 0-3" and
// "Children 4-11".
func (s *saying) sharesVariant(c column) bool {
	return slices.ContainsFunc(s.table.columns, func(o column) bool { return o.name != c.name && o.variant == c.variant && o.kind == c.kind })
}

// severalPrices says whether the table has more than one column of prices.
func (s *saying) severalPrices() bool {
	n := 0
	for _, c := range s.table.columns {
		if c.kind == priceColumn {
			n++
		}
	}
	return n > 1
}

// label is what tells a column from others, in the language.
func (s *saying) label(c column) string {
	switch {
	case c.variant != "" && !s.own && !s.sharesVariant(c):
		return s.word("variant_" + c.variant)
	case !s.own && c.kind == priceColumn && len(variantsOf(c.label)) > 1:
		return s.variants(c.label)
	case c.variant != "" && c.kind != priceColumn:
		return c.label
	}
	if term, ok := lexes().terms[joined(wordsOf(c.name))]; ok && !s.own {
		return s.word("term_" + term)
	}
	if strings.HasPrefix(c.name, nameless) {
		return ""
	}
	if c.variant != "" && !s.own || c.kind == priceColumn {
		return uncapital(c.label)
	}
	if _, ok := lexes().times[joined(wordsOf(c.name))]; ok {
		return "" // "Weeks" is said with the number
	}
	if !s.own {
		for name, k := range map[string]kind{"duration": durationColumn, "hours": hoursColumn} {
			if c.kind == k {
				return s.word("column_" + name)
			}
		}
	}
	return lowered(c.name)
}
