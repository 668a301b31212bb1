package catalogue

import (
	"slices"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// wish is what a question says of the variant of a product that it asks for.
type wish struct {
	said    bool      // a size, a colour or another word of a variant was said
	fit     []Variant // that have all of it
	unknown string    // a size or a colour that no variant has
}

// wish reads which variants of a product are asked for, and accounts for the
// words that say it.
func (q shopQuestion) wish(p Product) (w wish) {
	w.fit = p.Variants
	for i := range q.words {
		if q.clear.any(i, i+1) || q.contracted(q.words[i]) {
			continue
		}
		with := withWord(w.fit, q.words[i])
		anywhere := withWord(p.Variants, q.words[i])
		switch {
		case len(anywhere) > 0 && (!q.words[i].grammar() || letterSizes[q.words[i].word]) && !q.quantity(i):
			w.said, w.fit = true, with
			q.clear.add(i, i+1)
		case q.namesSize(p, i) || q.namesColour(p, i):
			w.said, w.fit, w.unknown = true, nil, q.text[q.words[i].start:q.words[i].end]
			q.clear.add(i, i+1)
		}
	}
	return w
}

func withWord(all []Variant, said token) (some []Variant) {
	for _, v := range all {
		if slices.ContainsFunc(tokens(v.Name, ""), func(w token) bool { return sameThing(w, said) }) || within(v.Name, said.word) {
			some = append(some, v)
		}
	}
	return some
}

// sameThing says whether a word of a question is a word of a variant: the same
// one, a form of it, the same size in full, or the same in another language.
func sameThing(variant, said token) bool {
	if variant.word == said.word {
		return true
	}
	if size, ok := mixed().Value("catalogue sizes", said.word); ok {
		return size == variant.word
	}
	if variant.number() || len(variant.word) <= 3 || said.grammar() {
		return false
	}
	for _, lang := range languages() {
		if said.stem(lang) == variant.stem(lang) {
			return true
		}
		for m := range lexicon.Words().Same(variant.entry(lang)) {
			if slices.Contains(said.entries, m.Entry) {
				return true
			}
		}
	}
	return false
}

// within says whether a number lies in a range of sizes: 41 in "40-43".
func within(variant, word string) bool {
	from, to, ok := strings.Cut(variant, "-")
	low, err := strconv.Atoi(strings.TrimSpace(from))
	high, err2 := strconv.Atoi(strings.TrimSpace(to))
	n, err3 := strconv.Atoi(word)
	return ok && err == nil && err2 == nil && err3 == nil && low <= n && n <= high
}

// contracted says whether a token is the end of a contraction: the s of
// "what's" is no size.
func (q shopQuestion) contracted(w token) bool {
	before := q.text[:w.start]
	return len(w.word) == 1 && (strings.HasSuffix(before, "'") || strings.HasSuffix(before, "’"))
}

// quantity says whether a number counts things: "two mugs", "3 pairs of".
func (q shopQuestion) quantity(i int) bool {
	if !q.words[i].numeral() || i > 0 && sizeBefore()[q.words[i-1].word] {
		return false
	}
	return i+1 < len(q.words) && !q.words[i].stop && strong(q.words[i+1]) && len(q.words[i+1].word) > 2
}

// namesSize says whether a word is a size that the product does not come in. A
// number is one only where it is said as one: behind "size", or before the unit
// of the variants.
func (q shopQuestion) namesSize(p Product, i int) bool {
	if len(p.Variants) == 0 {
		return false
	}
	w := q.words[i]
	if !w.number() {
		_, spelled := mixed().Value("catalogue sizes", w.word)
		return (letterSizes[w.word] || spelled) && slices.ContainsFunc(p.Variants, func(v Variant) bool { return lettered(v.Name) }) &&
			!q.contracted(w)
	}
	numbered := slices.ContainsFunc(p.Variants, func(v Variant) bool { return strings.ContainsAny(v.Name, "0123456789") })
	return numbered && !q.quantity(i) && (q.saidAsSize(i) || q.hasUnit(p, i+1))
}

// saidAsSize says whether a word that leads to a size stands up to two words
// before: "en el 43", "in a 43".
func (q shopQuestion) saidAsSize(i int) bool {
	for k := max(0, i-2); k < i; k++ {
		if sizeBefore()[q.words[k].word] {
			return true
		}
	}
	return false
}

func (q shopQuestion) hasUnit(p Product, i int) bool {
	return i < len(q.words) && slices.ContainsFunc(p.Variants, func(v Variant) bool {
		words := tokens(v.Name, "")
		return len(words) > 1 && words[len(words)-1].word == q.words[i].word
	})
}

func lettered(name string) bool {
	return slices.ContainsFunc(tokens(name, ""), func(w token) bool { return letterSizes[w.word] })
}

// namesColour says whether a word is a colour, and the product comes in others.
func (q shopQuestion) namesColour(p Product, i int) bool {
	return colours()[q.words[i].word] && slices.ContainsFunc(p.Variants, func(v Variant) bool {
		return slices.ContainsFunc(tokens(v.Name, ""), func(w token) bool { return colours()[w.word] })
	})
}

var letterSizes = map[string]bool{"xxs": true, "xs": true, "s": true, "m": true, "l": true, "xl": true, "xxl": true, "xxxl": true}

func colours() language.Set    { return wordsOf("colours") }
func sizeTalk() language.Set   { return wordsOf("size talk") }
func sizeBefore() language.Set { return wordsOf("size before") }

// sayStock says what there is of one product. It is not sure when the business
// does not count it.
func (q shopQuestion) sayStock(p Product) (answer string, sure bool) {
	w := q.wish(p)
	q.said(sizeTalk())
	name := p.Say(q.lang)
	left := inStock(p, w.fit)
	switch {
	case len(p.Variants) > 0 && len(w.fit) == 0:
		return q.sayOtherVariants(p), true
	case p.SoldOut() || len(p.Variants) > 0 && len(left) == 0:
		return q.saySoldOut(p, w), true
	}
	cost := p.Cost
	if w.said {
		name = wording(q.lang, "in_variant", "thing", name, "variant", joinAnd(q.lang, variantNames(left)))
		if left[0].Cost.Said() {
			cost = left[0].Cost
		}
	}
	if slices.ContainsFunc(q.untold(), func(i int) bool { return colours()[q.words[i].word] }) {
		return wording(q.lang, "colours_unknown", "thing", withPrice(q.lang, name, cost)), false
	}
	if !p.Counted && !counted(left) {
		return wording(q.lang, "in_range", "thing", withPrice(q.lang, name, cost)), false
	}
	answer = wording(q.lang, "yes_have_bare", "things", withPrice(q.lang, name, cost))
	if n, known := amountOf(p, w, left); known && q.howMany() {
		answer = wording(q.lang, "left", "thing", name, "n", strconv.Itoa(n))
	}
	if !w.said && len(left) > 1 {
		answer = wording(q.lang, "in_variants", "answer", answer, "variants", joinAnd(q.lang, variantNames(left)))
	}
	return answer + ".", true
}

// sayOtherVariants says that a product does not come as it was asked for, and
// how it does.
func (q shopQuestion) sayOtherVariants(p Product) string {
	name := p.Say(q.lang)
	left := inStock(p, p.Variants)
	if len(left) == 0 {
		return wording(q.lang, "sold_out", "thing", name)
	}
	return wording(q.lang, "not_in_variant", "thing", name, "variants", joinAnd(q.lang, variantNames(left)))
}

func (q shopQuestion) saySoldOut(p Product, w wish) string {
	name := p.Say(q.lang)
	if w.said {
		name = wording(q.lang, "in_variant", "thing", name, "variant", joinAnd(q.lang, variantNames(w.fit)))
	}
	answer := wording(q.lang, "sold_out", "thing", name)
	if left := inStock(p, p.Variants); len(left) > 0 && !p.SoldOut() {
		answer += " " + wording(q.lang, "have_in_variants", "variants", joinAnd(q.lang, variantNames(left)))
	}
	return answer
}

// inStock are those of the variants that are not known to be sold out.
func inStock(p Product, all []Variant) (left []Variant) {
	for _, v := range all {
		if !(v.Counted && v.Stock == 0) && !p.SoldOut() {
			left = append(left, v)
		}
	}
	return left
}

func counted(all []Variant) bool {
	return len(all) > 0 && !slices.ContainsFunc(all, func(v Variant) bool { return !v.Counted })
}

// amountOf is how many there are of what was asked for, where that is known.
func amountOf(p Product, w wish, left []Variant) (n int, known bool) {
	if w.said && !counted(left) && len(p.Variants) > 1 || !w.said && p.Counted {
		return p.Stock, p.Counted && !w.said
	}
	for _, v := range left {
		n += v.Stock
	}
	return n, counted(left)
}

func (q shopQuestion) howMany() bool {
	return q.said(wordsOf("how many"))
}

func variantNames(some []Variant) (all []string) {
	for _, v := range some {
		all = append(all, v.Name)
		if len(all) == 6 {
			break
		}
	}
	return all
}
