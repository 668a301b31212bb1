package catalogue

import (
	"slices"
	"strconv"
	"strings"
)

func (q *question) costOfProducts(all []found) (Reply, bool) {
	var parts []string
	for _, m := range all {
		p := q.c.Products[m.entry]
		cost := p.Cost
		if v, ok := q.variantOf(p); ok && v.Cost.Said() {
			cost = v.Cost
		}
		if !cost.Said() {
			continue
		}
		part := p.Say(q.lang) + ": " + cost.Say(q.lang)
		if p.SoldOut() {
			part += say(q.lang, " (ahora agotado)", " (sold out at the moment)")
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return Reply{}, false
	}
	q.markFound(all)
	q.account(price, stock, have)
	return q.reply(price, sentence(several(q.lang, parts)))
}

// askStock says whether a product is there, in the size that was asked for.
func (q *question) askStock() (Reply, bool) {
	all := q.mentioned(q.c.products)
	if len(all) == 0 || reach(q.mentioned(q.c.services)) > reach(all) || q.about(returns, shipping) || q.beyondStock(all) {
		return Reply{}, false
	}
	asked := q.about(have, stock, products)
	before := q.clear
	q.markFound(all)
	q.account(have, stock, products)
	var parts []string
	sure := true
	for _, m := range all {
		part, certain := q.sayStock(q.c.Products[m.entry])
		sure = sure && certain
		parts = append(parts, part)
		if len(parts) == mostNamed {
			break
		}
	}
	if !asked && len(q.rest()) > 0 {
		q.clear = before
		return Reply{}, false
	}
	r, ok := q.reply(stock, strings.Join(parts, " "))
	r.Certain = sure
	return r, ok
}

// beyondStock says whether the question is about what a product is like, and
// not about having it: how to wash it, what it is made of. The data do not know.
func (q *question) beyondStock(all []found) bool {
	words := slices.Clone(q.words)
	for _, m := range all {
		for _, i := range m.tokens {
			words[i].blank() // the wash of a body wash asks nothing
		}
	}
	in := func(p pattern) bool { _, ok := p.anywhere(words); return ok }
	return slices.ContainsFunc(natureWords, in) || slices.ContainsFunc(howWords, in) && !slices.ContainsFunc(gettingWords, in)
}

var (
	natureWords = patternsOf(strings.Split(`care for, care of, care instructions, look after, looks after, made of, made from, made in, made with, made, wash, washed, washing, size guide, size chart, sizing, use it,
		any good, run small, run large, runs small, runs large, fit small, fit large, fits small, fits large, fit true, what s .. like, what is .. like, what are .. like,
		guia de tallas, tabla de tallas, tabla de medidas, hecho, hecha, hechos, hechas, fabricad*, fabrica, fabrican, de que material*, que material*, cuidado*, cuidar, cuido, lavar, lavado, lavo,
		da mucha talla, da poca talla, talla* grande, talla* pequeno, talla* pequena`, ","))
	howWords = patternsOf(strings.Split(`how do, how does, how to, how should, how can, how could, how often, how long, how heavy, how big, how thick, how warm, how strong, how good,
		como se, como es, como son, como hay, como debo, como puedo, como uso, como limpi*, como mant*, como conserv*, como prepar*, como funciona*, como queda*, como talla*, como de`, ","))
	gettingWords = patternsOf(strings.Split(`buy, order, get, pay, purchase, comprar, compro, compra, pedir, pido, pide, pagar, encargar, conseguir, consigo`, ","))
)

// sayStock says what there is of one product. It is not sure when the business
// does not count it.
func (q *question) sayStock(p Product) (answer string, sure bool) {
	name := p.Say(q.lang)
	q.said(sizeTalk)
	v, named := q.variantOf(p)
	counted, left, cost := p.Counted, p.Stock, p.Cost
	if named {
		name += say(q.lang, " en ", " in ") + v.Name
		if v.Counted {
			counted, left = true, v.Stock
		}
		if v.Cost.Said() {
			cost = v.Cost
		}
	}
	switch {
	case counted && left == 0:
		return sayf(q.lang, "%s: agotado en este momento.", "%s: sold out at the moment.", name), true
	case !named && q.asksSize(p):
		return sayf(q.lang, "%s: en esa medida o variante no. Lo hay en %s.", "%s: not in that size or variant. We have %s.",
			name, joinAnd(q.lang, variantNames(p))), true
	case !counted:
		return sayf(q.lang, "%s: está en nuestro catálogo.", "%s: in our range.", withPrice(q.lang, name, cost)), false
	}
	answer = sayf(q.lang, "Sí, tenemos %s", "Yes, we have %s", withPrice(q.lang, name, cost))
	if q.howMany() {
		answer = sayf(q.lang, "%s: quedan %d", "%s: %d left", name, left)
	}
	if !named && len(p.Variants) > 1 {
		answer += sayf(q.lang, ", en %s", ", in %s", joinAnd(q.lang, variantNames(p)))
	}
	return answer + ".", true
}

func (q *question) howMany() bool {
	return q.said(set("cuantos cuantas")) || slices.ContainsFunc(q.words, func(w token) bool { return w.word == "many" })
}

func variantNames(p Product) (all []string) {
	for _, v := range p.Variants {
		all = append(all, v.Name)
		if len(all) == 6 {
			break
		}
	}
	return all
}

// variantOf is the variant that the question names: all its words stand there.
func (q *question) variantOf(p Product) (Variant, bool) {
	for _, v := range p.Variants {
		words := tokens(v.Name, "")
		var used []int
		for _, w := range words {
			if i := slices.IndexFunc(q.words, func(o token) bool {
				return !q.contracted(o) && (o.word == w.word || spelledSizes[o.word] == w.word || !w.number() && len(w.word) > 3 && o.es == w.es)
			}); i >= 0 {
				used = append(used, i)
			}
		}
		if len(words) > 0 && len(used) == len(words) {
			q.mark(used)
			return v, true
		}
		if i := q.within(v.Name); i >= 0 {
			q.clear.add(i, i+1)
			return v, true
		}
	}
	return Variant{}, false
}

// contracted says whether a token is the end of a contraction: the s of
// "what's" is no size.
func (q *question) contracted(w token) bool {
	before := q.text[:w.start]
	return len(w.word) == 1 && (strings.HasSuffix(before, "'") || strings.HasSuffix(before, "’"))
}

// within finds a number of the question in a range of sizes: 41 in "40-43".
func (q *question) within(variant string) int {
	from, to, ok := strings.Cut(variant, "-")
	low, err := strconv.Atoi(strings.TrimSpace(from))
	high, err2 := strconv.Atoi(strings.TrimSpace(to))
	if !ok || err != nil || err2 != nil {
		return -1
	}
	return slices.IndexFunc(q.words, func(w token) bool {
		n, err := strconv.Atoi(w.word)
		return err == nil && low <= n && n <= high
	})
}

// asksSize says whether the question has a size that the product does not come
// in: a number, or the letters of a size.
func (q *question) asksSize(p Product) bool {
	if len(p.Variants) == 0 {
		return false
	}
	numeric := strings.ContainsAny(p.Variants[0].Name, "0123456789")
	for i, w := range q.words {
		if q.clear.any(i, i+1) {
			continue
		}
		if numeric && w.number() || !numeric && (sizes[w.word] || spelledSizes[w.word] != "") && i > 0 && q.words[i-1].word != "don" {
			q.clear.add(i, i+1)
			return true
		}
	}
	return false
}

var (
	sizes    = set("xxs xs s m l xl xxl xxxl")
	sizeTalk = set("talla tallas numero size sizes color colour medida")
	// spelledSizes are sizes that callers say in full.
	spelledSizes = map[string]string{"large": "l", "medium": "m", "small": "s", "grande": "l", "mediana": "m", "mediano": "m", "pequena": "s", "pequeno": "s"}
)

// askProducts says what the shop sells, on one shelf or on all.
func (q *question) askProducts() (Reply, bool) {
	if len(q.c.Products) == 0 {
		return Reply{}, false
	}
	heading, named := q.heading(q.c.shelves, q.c.house.shelves)
	if !q.about(products) && !(named && q.about(have)) {
		return Reply{}, false
	}
	q.account(products, have, services)
	q.said(talk)
	var names []string
	for _, p := range q.c.Products {
		if !named || p.Shelf == heading {
			names = append(names, withPrice(q.lang, p.Say(q.lang), p.Cost))
		}
	}
	return q.reply(products, sayf(q.lang, "Tenemos, por ejemplo, %s.", "We have, for example, %s.", enumerate(q.lang, names)))
}
