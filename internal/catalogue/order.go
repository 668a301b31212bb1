package catalogue

import (
	"maps"
	"slices"
	"strings"
)

// surelyExtra is how sure it must be that a detail names something with a price.
const surelyExtra = 0.75

// Plus is a sum of money with so many times another price, both in figures.
func (p Price) Plus(quantity int, other Price) Price {
	return Price{Amount: p.Amount + float64(quantity)*other.Amount, Currency: other.Currency}
}

// Ordered is what one of a dish or a product costs as it is ordered: in the
// variant that the detail names, with the extras in it that have a price. It is
// not exact where that depends on what was not said; then it is what the business
// wrote.
func (c *Catalogue) Ordered(name, detail, lang string) (cost Price, exact bool) {
	whole, variants, ok := c.priced(name)
	if !ok || !whole.Said() && len(variants) == 0 {
		return Price{}, false
	}
	cost, exact = costIn(whole, variants, detail)
	if !exact {
		return whole, false
	}
	for _, extra := range c.extras(name, detail, lang) {
		more, least := extra.amount()
		if !more.Said() || least || more.Currency != cost.Currency {
			return cost, false
		}
		cost = cost.Plus(1, more)
	}
	return cost, true
}

// VariantOf is the variant of a dish or a product that a detail names, "" when it
// names none, or several.
func (c *Catalogue) VariantOf(name, detail string) string {
	_, variants, _ := c.priced(name)
	if fit := variantsIn(variants, detail); len(fit) == 1 {
		return fit[0].Name
	}
	return ""
}

// SoldOutIn says whether a product is sold out in the variant that a detail names.
func (c *Catalogue) SoldOutIn(name, detail string) bool {
	_, variants, _ := c.priced(name)
	fit := variantsIn(variants, detail)
	return len(fit) > 0 && !slices.ContainsFunc(fit, func(v Variant) bool { return !v.Counted || v.Stock > 0 })
}

func (c *Catalogue) priced(name string) (Price, []Variant, bool) {
	for _, d := range c.Dishes {
		if d.Name == name {
			return d.Cost, d.Variants, true
		}
	}
	for _, p := range c.Products {
		if p.Name == name {
			return p.Cost, p.Variants, true
		}
	}
	return Price{}, nil, false
}

// costIn is what something costs in the variant that a detail names.
func costIn(whole Price, variants []Variant, detail string) (cost Price, exact bool) {
	fit := variantsIn(variants, detail)
	if own := slices.DeleteFunc(slices.Clone(fit), func(v Variant) bool { return !v.Cost.Said() }); len(own) > 0 {
		cost, least := own[0].Cost.amount()
		same := !slices.ContainsFunc(own, func(v Variant) bool { return v.Cost != own[0].Cost })
		return cost, !least && cost.Said() && same && len(own) == len(fit)
	}
	if slices.ContainsFunc(variants, func(v Variant) bool { return v.Cost.Said() }) && len(fit) != 1 {
		return whole, false
	}
	if cost, least := whole.amount(); cost.Said() && !least {
		return cost, true
	}
	return costInWords(whole, detail)
}

// costInWords reads the price of one variant where a business wrote all of them in
// a row: "small £8, large £12".
func costInWords(whole Price, detail string) (cost Price, exact bool) {
	for _, part := range strings.FieldsFunc(whole.Words, func(r rune) bool { return strings.ContainsRune(",;/|", r) }) {
		if len(variantsIn([]Variant{{Name: part}}, detail)) == 0 {
			continue
		}
		n, ok := readAmount(anyAmount.FindString(part))
		if !ok || exact {
			return whole, false
		}
		cost, exact = Price{Amount: n, Currency: whole.Currency}, true
	}
	return cost, exact
}

// variantsIn are the variants that have all the words of a detail which any of
// them has; none when the detail says nothing of them.
func variantsIn(all []Variant, detail string) []Variant {
	fit, said := all, false
	for _, w := range tokens(detail, "") {
		if w.grammar() && !letterSizes[w.word] {
			continue
		}
		if has := variantsWith(all, w); len(has) > 0 {
			fit, said = variantsWith(fit, w), true
		}
	}
	if !said {
		return nil
	}
	return fit
}

func variantsWith(all []Variant, said token) (some []Variant) {
	for _, v := range all {
		if slices.ContainsFunc(tokens(v.Name, ""), func(w token) bool { return sameThing(w, said) || sameSize(w, said) }) || within(v.Name, said.word) {
			some = append(some, v)
		}
	}
	return some
}

// sameSize says whether two words are forms of one, or name the same size.
func sameSize(a, b token) bool {
	if a.number() || b.number() {
		n, ok := mixed().Value("cardinals", b.word)
		return ok && n == a.word
	}
	one, ok := mixed().Value("catalogue sizes", a.word)
	other, ok2 := mixed().Value("catalogue sizes", b.word)
	if ok && ok2 && one == other {
		return true
	}
	return len(a.word) > 3 && slices.ContainsFunc(languages(), func(lang string) bool { return a.stem(lang) == b.stem(lang) })
}

// extras are the prices of other things that a detail adds: the crust of "with a
// stuffed crust", not the onions of "without onions".
func (c *Catalogue) extras(name, detail, lang string) (all []Price) {
	taken := tokenSpans{}
	for _, m := range c.FindDishes(detail, lang) {
		if m.Score >= surelyExtra && m.End > m.Start && m.Entry.Name != name && m.Entry.Cost.Said() && !denies(detail[:m.Start]) && taken.free(m.Start, m.End) {
			all = append(all, m.Entry.Cost)
		}
	}
	return all
}

// denies says whether a text ends in a word that leaves out what follows.
func denies(before string) bool {
	words := tokens(before, "")
	for i := len(words) - 1; i >= 0; i-- {
		if w := words[i].word; wordsOf("excluding")[w] || wordsOf("denying")[w] {
			return true
		}
		if !words[i].grammar() {
			return false
		}
	}
	return false
}

// tokenSpans are stretches of a text that are taken.
type tokenSpans map[[2]int]bool

// free takes a stretch unless it overlaps with one that is taken.
func (t tokenSpans) free(from, to int) bool {
	for s := range t {
		if from < s[1] && s[0] < to {
			return false
		}
	}
	t[[2]int{from, to}] = true
	return true
}

// Labels are all names of a dish or a product, the one by which it is known
// first.
func (c *Catalogue) Labels(name string) []string {
	all := []string{name}
	for _, d := range c.Dishes {
		if d.Name == name {
			all = slices.Concat(all, slices.Sorted(maps.Values(d.Names)), d.Aliases)
		}
	}
	for _, p := range c.Products {
		if p.Name == name {
			all = slices.Concat(all, slices.Sorted(maps.Values(p.Names)), p.Aliases)
		}
	}
	return all
}
