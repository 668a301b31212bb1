package catalogue

import (
	"slices"
)

// asked are the things whose price is asked for: all that was named is one, unless
// several things were named at once. It accounts for the words that name them.
func (q *question) asked(f *finder, all []found) [][]found {
	asked := [][]found{all}
	if several := q.together(f.find(q.naming)); len(several) > 1 {
		asked = several
	}
	for _, group := range asked {
		q.markFound(group)
	}
	return asked
}

// together parts what a question names into the things that it asks about at
// once: "a cut and colour". Each is one entry, or those that it could as well be.
func (q *question) together(all []found) (asked [][]found) {
	for _, m := range all {
		at := slices.IndexFunc(asked, func(group []found) bool { return overlap(group[0].tokens, m.tokens) })
		switch {
		case at >= 0 && m.score >= asked[at][0].score-tiedWith:
			asked[at] = append(asked[at], m)
		case at < 0 && m.score >= meantAt/2 && !m.hint:
			asked = append(asked, []found{m})
		}
	}
	asked = slices.DeleteFunc(asked, func(group []found) bool { return meantBy(slices.Clone(group)) == nil })
	slices.SortFunc(asked, func(a, b []found) int { return a[0].tokens[0] - b[0].tokens[0] })
	for _, group := range asked {
		slices.SortFunc(group, func(a, b found) int { return a.entry - b.entry })
	}
	if !joined(q.words, asked) || len(asked) > mostNamed {
		return nil
	}
	return asked
}

// joined says whether between each two of the things a word stands that joins
// them, or a comma.
func joined(words []token, asked [][]found) bool {
	for i := range len(asked) - 1 {
		from, to := asked[i][0].tokens[len(asked[i][0].tokens)-1], asked[i+1][0].tokens[0]
		if from >= to || !slices.ContainsFunc(words[from:to], func(w token) bool { return w.stop || wordsOf("together")[w.word] }) {
			return false
		}
	}
	return true
}

// saySum says what several things cost together, where all say their price in
// the same money.
func saySum(lang string, asked [][]found, cost func(entry int) Price) string {
	var low, high Price
	least := false
	for _, group := range asked {
		cheap, dear, from, ok := priceRange(group, cost)
		if !ok || low.Currency != "" && low.Currency != cheap.Currency {
			return ""
		}
		low.Currency, high.Currency = cheap.Currency, cheap.Currency
		low.Amount, high.Amount, least = low.Amount+cheap.Amount, high.Amount+dear.Amount, least || from
	}
	switch {
	case least:
		return " " + wording(lang, "sum_from", "price", low.Say(lang))
	case low != high:
		return " " + wording(lang, "sum_between", "low", low.Say(lang), "high", high.Say(lang))
	}
	return " " + wording(lang, "sum", "price", low.Say(lang))
}

// priceRange is the lowest and the highest price of a group, and whether one of them is
// only the least that it may cost.
func priceRange(group []found, cost func(entry int) Price) (low, high Price, least, ok bool) {
	for i, m := range group {
		p, from := cost(m.entry).amount()
		if p.Currency == "" {
			return low, high, least, false
		}
		least = least || from
		if i == 0 || p.Amount < low.Amount {
			low = p
		}
		if i == 0 || p.Amount > high.Amount {
			high = p
		}
	}
	return low, high, least, true
}
