package hearing

import (
	"cmp"
	"slices"

	"frontdesk.dev/frontdesk/internal/catalogue"
)

// itemReader hears what is ordered.
type itemReader struct{ *ear }

// mostItems is how many of one thing can be ordered in a sentence.
const mostItems = 500

// named is a dish or a product that the words name.
type named struct {
	name       string
	score      float64
	Start, End int
}

// hearItems hears what is ordered or asked for, with its quantities: "dos
// croquetas y una de bravas".
func (e itemReader) hearItems() {
	if e.Catalogue == nil || len(e.Catalogue.Dishes)+len(e.Catalogue.Products) == 0 {
		return
	}
	text := blank(e.Text, e.phoneAt, e.emailAt, e.codeAt, e.nameAt)
	all := namedIn(e, e.Catalogue.FindDishes(text, e.language()), func(d catalogue.Dish) string { return d.Name })
	all = append(all, namedIn(e, e.Catalogue.FindProducts(text, e.language()), func(p catalogue.Product) string { return p.Name })...)
	all = apart(all)
	for i, n := range all {
		next := len(e.Text)
		if i+1 < len(all) {
			next = all[i+1].Start
		}
		e.itemsAt = append(e.itemsAt, [2]int{n.Start, n.End})
		quantity, _ := e.quantityBefore(n.Start, n.End)
		e.Items = append(e.Items, Item{Name: n.name, Quantity: quantity, Detail: e.detailAfter(n.End, next)})
	}
}

// namedIn keeps the matches that are clear, or weaker ones that are counted.
func namedIn[T any](e itemReader, matches []catalogue.Match[T], name func(T) string) []named {
	var all []named
	for _, m := range matches {
		if m.End <= m.Start || m.Score < weakMatch {
			continue
		}
		if _, counted := e.quantityBefore(m.Start, m.End); counted || m.Score >= clearMatch {
			all = append(all, named{name(m.Entry), m.Score, m.Start, m.End})
		}
	}
	return all
}

// apart keeps of those that stand in the same place the best one, and puts them
// in the order of the text.
func apart(all []named) []named {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b named) int { return cmp.Compare(b.score, a.score) })
	var kept []named
	for _, n := range all {
		if !slices.ContainsFunc(kept, func(k named) bool { return n.Start < k.End && k.Start < n.End }) {
			kept = append(kept, n)
		}
	}
	slices.SortFunc(kept, func(a, b named) int { return cmp.Compare(a.Start, b.Start) })
	return kept
}

// quantityBefore is the number right before a name, past the words for portions;
// or the one that the name itself begins with; else one, which nobody counted.
func (e itemReader) quantityBefore(start, end int) (n int, counted bool) {
	words := e.words.words
	at := 0
	for at < len(words) && words[at].End <= start {
		at++
	}
	for i := at - 1; i >= 0 && i >= at-4; i-- {
		if n, taken := e.numberAt(words, i); taken > 0 && n > 0 && n <= mostItems {
			return n, true
		}
		if !e.is("portions", words[i].Word) {
			break
		}
	}
	if at < len(words) && words[at].Start < end {
		if n, taken := e.numberAt(words, at); taken > 0 && n > 0 && n <= mostItems {
			return n, true
		}
	}
	return 1, false
}

// detailAfter is a wish that follows a name: "without onions", "talla M".
func (e itemReader) detailAfter(end, next int) string {
	words := e.words.words
	at := 0
	for at < len(words) && words[at].Start < end {
		at++
	}
	if at == len(words) || !e.is("detail_leads", words[at].Word) || words[at].Start >= next {
		return ""
	}
	to := at
	for to < len(words) && words[to].Clause == words[at].Clause && words[to].Start < next && to-at < 6 && !(to > at && e.is("detail_ends", words[to].Word)) {
		to++
	}
	return e.Text[words[at].Start:words[to-1].End]
}
