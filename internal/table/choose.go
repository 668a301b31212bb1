package table

import (
	"slices"
	"strings"
)

// How surely a question must name a column for it to be the one asked for.
const (
	surely     = 0.6
	namesPrice = 0.5 // of several columns of prices
)

// chooser finds the columns of prices that a question asks for.
type chooser struct {
	*Table
	in Inquiry
	w  wants
}

// prices are the columns with the price that is asked for: those that hold for what the
// question is about, of these the ones that it names, and of these the ones with the tax.
// A question that tells nothing of it asks for all.
func (t chooser) prices(rows []int) []int {
	if fees := t.namedFees(); len(fees) > 0 {
		return fees
	}
	all := t.pricesBy()
	if len(all) == 0 {
		all = t.allPrices()
	}
	if t.rows[0].Listed { // each line of a list may name its prices otherwise
		all = slices.DeleteFunc(all, func(i int) bool {
			return !slices.ContainsFunc(rows, func(r int) bool { return t.cell(r, i) != "" })
		})
	}
	if held := t.holdingFor(all); len(held) > 0 {
		return t.taxed(t.mostNamed(held))
	}
	return t.taxed(all) // none is what is asked for: it is not for us to guess
}

// allPrices are the columns of what something costs; money beside it is none of them where
// there are others.
func (t *Table) allPrices() (all []int) {
	for i, c := range t.columns {
		if c.kind != priceColumn || c.fee && t.hasOther() {
			continue
		}
		if c.priced || !c.scope.open() || !t.hasPrice() {
			all = append(all, i)
		}
	}
	return all
}

// namedFees are the columns of money beside the price, a deposit, that a question names.
func (t chooser) namedFees() (all []int) {
	for i, c := range t.columns {
		if c.kind == priceColumn && c.fee && (t.in.named(c) >= surely || t.w.terms[lexes().terms[joined(wordsOf(c.name))]]) {
			all = append(all, i)
		}
	}
	return all
}

// holdingFor leaves of some columns those that hold for what is asked for, and of these
// the ones that name the most of it.
func (t chooser) holdingFor(columns []int) (best []int) {
	most := 0
	for _, i := range columns {
		common, apart := t.w.scope.agree(t.columns[i].scope)
		switch {
		case apart || common < most:
		case common > most:
			best, most = []int{i}, common
		default:
			best = append(best, i)
		}
	}
	return best
}

// mostNamed leaves of some columns those whose names the question has the most of.
func (t chooser) mostNamed(columns []int) []int {
	var most float32
	named := map[int]float32{}
	for _, i := range columns {
		named[i] = t.in.named(t.columns[i])
		if own := t.ownWords(i, columns); own != "" {
			named[i] = max(named[i], t.in.Echo(own))
		}
		most = max(most, named[i])
	}
	if most < namesPrice {
		return columns
	}
	return slices.DeleteFunc(slices.Clone(columns), func(i int) bool { return named[i] < most })
}

// ownWords are the words of a column's label that those of others do not have, without
// numbers: "voucher" of "Voucher for 5 sessions" beside "1 session".
func (t chooser) ownWords(column int, columns []int) string {
	var own []string
	for _, w := range wordsOf(t.columns[column].label) {
		_, measure := match([]word{w}, lexes().measures)
		shared := slices.ContainsFunc(columns, func(o int) bool {
			return o != column && slices.ContainsFunc(wordsOf(t.columns[o].label), func(other word) bool { return other.text == w.text })
		})
		if !w.number && measure == 0 && !shared && len(w.text) > 1 {
			own = append(own, w.text)
		}
	}
	return strings.Join(own, " ")
}

// named is how surely a question names a column by its name.
func (in Inquiry) named(c column) float32 {
	if c.label == "" || strings.HasPrefix(c.name, nameless) {
		return 0
	}
	echo := in.Echo(c.label)
	if echo < whole {
		return echo
	}
	return echo + 0.01*float32(len(wordsOf(c.label))) // the longer of two names that are there whole
}

// asks says whether a question is about what a column holds for.
func (w wants) asks(c column) bool {
	common, apart := w.scope.agree(c.scope)
	return common > 0 && !apart
}

// pricesBy are the columns with prices for each of what was asked for, "a month", where
// the table has others as well.
func (t chooser) pricesBy() (all []int) {
	others := 0
	for i, c := range t.columns {
		if c.kind != priceColumn {
			continue
		}
		unit := c.unit
		for r := range t.rows {
			if v := read(t.cell(r, i), c); unit == "" && v.kind == asMoney {
				unit = v.unit
			}
		}
		if t.w.units[unit] {
			all = append(all, i)
		} else {
			others++
		}
	}
	if others == 0 {
		return nil
	}
	return all
}

// hasOther says whether the table has a price beside fees.
func (t *Table) hasOther() bool {
	return slices.ContainsFunc(t.columns, func(c column) bool { return c.kind == priceColumn && !c.fee })
}

// taxed leaves out the prices without the tax where those with it stand beside them, or
// the other way round for who asks for that.
func (t chooser) taxed(columns []int) []int {
	unwanted, wanted := "added", "included"
	if t.w.untaxed {
		unwanted, wanted = wanted, unwanted
	}
	has := func(tax string) bool {
		return slices.ContainsFunc(columns, func(i int) bool { return t.columns[i].tax == tax })
	}
	if !has(wanted) {
		return columns
	}
	return slices.DeleteFunc(columns, func(i int) bool { return t.columns[i].tax == unwanted })
}
