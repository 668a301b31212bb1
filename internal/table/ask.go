package table

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

// Inquiry is a question, as whoever searches understands it.
type Inquiry struct {
	Text string
	// Found is how surely a text speaks of each word of the question, by what the word
	// carries of its meaning: all of them together are 1.
	Found func(text string) []float32
	// Echo is the share of a text's own meaning that the question names.
	Echo func(text string) float32
	// Stance is 1 for a text that does without what the question does without, -1 for one
	// that has it, or does without what the question wants, and 0 for others. It may be nil.
	Stance func(text string) int
}

// wants is what a question asks for.
type wants struct {
	price, length, when, number, person, place bool
	perhaps                                    bool            // the price may be meant, or only a word for it: "is it free?"
	scope                                      scope           // sizes, seasons, days and whom it is for
	units                                      map[string]bool // what a price is for each of: a month
	untaxed                                    bool
	terms                                      map[string]bool // columns that it names in any language: a deposit
}

// wantsOf reads what a question asks for.
func wantsOf(text string) wants {
	mix := language.MixOf()
	words := mix.Tokens(text)
	w := wants{scope: readScope(text, true), units: map[string]bool{}, terms: map[string]bool{}}
	rest := words
	if from, to, ok := mix.Phrases("asks_length").Find(words); ok {
		w.length = true
		rest = slices.Concat(words[:from], words[to:])
	} else if from, to, ok := asks(mix, words, "how long"); ok {
		w.length = true
		rest = slices.Concat(words[:from], words[to:])
	}
	has := func(sections ...string) bool {
		return slices.ContainsFunc(sections, func(section string) bool { _, _, ok := asks(mix, rest, section); return ok })
	}
	w.price = mix.Phrases("asks_price").In(rest) || has("how much", "cheaper")
	w.perhaps = w.price && !has("how much")
	w.when = has("what time", "when", "what day", "until when", "open")
	w.number = !w.price && has("how many", "how old", "what age", "how far", "what share")
	w.person, w.place = has("who"), has("where")
	w.readUnits(text)
	return w
}

// readUnits reads for each of what, and with or without the tax, a price is asked for, and
// which columns are named.
func (w *wants) readUnits(text string) {
	all := wordsOf(text)
	for i := range all {
		if unit, n := match(all[i:], lexes().units); n > 1 {
			w.units[unit] = true
		}
		if tax, n := match(all[i:], lexes().tax); n > 1 && tax == "added" {
			w.untaxed = true
		}
		if term, n := match(all[i:], lexes().terms); n > 0 {
			w.terms[term] = true
		}
	}
}

// asks finds an expression that asks for a kind of fact.
func asks(mix *language.Mix, words []language.Token, section string) (from, to int, ok bool) {
	for _, l := range mix.Languages {
		for _, line := range l.Lines("asks " + section) {
			want := strings.Fields(line)
			for i := 0; i+len(want) <= len(words); i++ {
				if sameWords(words[i:i+len(want)], want) {
					return i, i + len(want), true
				}
			}
		}
	}
	return 0, 0, false
}

func sameWords(words []language.Token, want []string) bool {
	for i, w := range want {
		if words[i].Word != w {
			return false
		}
	}
	return true
}

// Reading is what some rows of a table have to say to a question.
type Reading struct {
	table  *Table
	rows   []int
	prices []int
	asked  []int // other columns that are asked for, in their order
	in     Inquiry
}

// Read finds what a question asks for in some rows.
func (t *Table) Read(in Inquiry, rows []int) Reading {
	w := wantsOf(in.Text)
	r := Reading{table: t, rows: rows, in: in}
	for i, c := range t.columns {
		if i != t.name && c.kind != priceColumn && c.kind != codeColumn && (t.fits(c, w) || t.columnAsked(i, in, w)) {
			r.asked = append(r.asked, i)
		}
	}
	r.asked = t.ofVariant(r.asked, w)
	if w.length && len(r.asked) == 0 {
		r.asked = t.holding(rows, func(text string) bool { return hasUnit(text, lexes().times) })
	}
	if w.when && len(r.asked) == 0 {
		r.asked = t.holding(rows, tellsDay)
	}
	fees := chooser{t, in, w}.namedFees()
	if w.price && !(w.perhaps && t.answersWhether(r.asked, rows)) || len(r.asked) == 0 || len(fees) > 0 {
		r.prices = chooser{t, in, w}.prices(rows)
	}
	if !w.price && len(r.prices) > 0 && !r.namesPrice(w) {
		r.asked = append(r.asked, everything)
	}
	return r
}

// answersWhether says whether a column that was asked for says yes or no.
func (t *Table) answersWhether(columns, rows []int) bool {
	return slices.ContainsFunc(columns, func(i int) bool {
		k := read(t.cell(rows[0], i), t.columns[i]).kind
		return k == asYes || k == asNo
	})
}

// ofVariant leaves of columns for days, sizes and the like those that were asked for,
// where one was.
func (t *Table) ofVariant(columns []int, w wants) []int {
	asked := func(i int) bool { return t.columns[i].variant != "" && w.asks(t.columns[i]) }
	if !slices.ContainsFunc(columns, asked) {
		return columns
	}
	return slices.DeleteFunc(columns, func(i int) bool { return t.columns[i].variant != "" && !asked(i) })
}

// everything stands for all columns: nothing in particular is asked for.
const everything = -1

// namesPrice tells whether a question that asks for no price names a column of prices.
func (r Reading) namesPrice(w wants) bool {
	return slices.ContainsFunc(r.prices, func(i int) bool {
		return w.asks(r.table.columns[i]) || r.in.named(r.table.columns[i]) >= surely
	})
}

// fits says whether a column holds the kind of fact that is asked for.
func (t *Table) fits(c column, w wants) bool {
	switch c.kind {
	case durationColumn:
		return w.length
	case spanColumn:
		return w.length && !slices.ContainsFunc(t.columns, func(o column) bool { return o.kind == durationColumn })
	case hoursColumn, opensColumn, closesColumn, dayColumn:
		return w.when
	case personColumn:
		return w.person
	case placeColumn:
		return w.place
	}
	return false
}

// columnAsked says whether a question names a column that is no price.
func (t *Table) columnAsked(i int, in Inquiry, w wants) bool {
	c := t.columns[i]
	if c.kind == unitColumn || c.kind == taxColumn || c.kind == groupColumn {
		return false
	}
	label := c.label
	if label == "" {
		label = c.name
	}
	if c.kind == amountColumn && w.number && in.Echo(label) > 0 {
		return true
	}
	return c.variant != "" && w.asks(c) || !strings.HasPrefix(c.name, nameless) && in.Echo(c.name) >= surely
}

// holding are the columns that hold something of a sort in one of some rows.
func (t *Table) holding(rows []int, sort func(text string) bool) (all []int) {
	for i, c := range t.columns {
		if i == t.name || c.kind == priceColumn || c.kind == codeColumn {
			continue
		}
		if slices.ContainsFunc(rows, func(r int) bool { return sort(t.cell(r, i)) }) {
			all = append(all, i)
		}
	}
	return all
}

// hasUnit says whether a text has a number with one of some units behind it.
func hasUnit(text string, units map[string]string) bool {
	words := wordsOf(text)
	for i := range words {
		if words[i].number {
			if _, n := match(words[i+1:], units); n > 0 {
				return true
			}
		}
	}
	return false
}

// tellsDay says whether a text tells of days, months or times.
func tellsDay(text string) bool {
	mix := language.MixOf()
	for _, w := range mix.Tokens(text) {
		for _, section := range []string{"kind clock", "kind day", "kind date"} {
			if mix.Words(section)[w.Word] {
				return true
			}
		}
	}
	return readHours(text, false) != nil
}
