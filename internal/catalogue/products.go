package catalogue

import (
	"slices"
	"strings"
)

func (q *question) costOfProducts(all []found) (Reply, bool) {
	before := q.clear
	asked := q.asked(q.c.products, all)
	var parts []string
	costs := map[int]Price{}
	for _, m := range slices.Concat(asked...) {
		p := q.c.Products[m.entry]
		cost := q.costOfVariants(p)
		if !cost.Said() {
			continue
		}
		costs[m.entry] = cost
		part := p.Say(q.lang) + ": " + cost.Say(q.lang)
		if p.SoldOut() {
			part += say(q.lang, " (ahora agotado)", " (sold out at the moment)")
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		q.clear = before
		return Reply{}, false
	}
	q.account(price, stock, have)
	answer := sentence(several(q.lang, parts))
	if len(asked) > 1 {
		answer += q.saySum(asked, func(at int) Price { return costs[at] })
	}
	return q.reply(price, answer)
}

// askStock says whether a product is there, in the size that was asked for.
func (q *question) askStock() (Reply, bool) {
	all := q.itself(q.mentioned(q.c.products))
	if len(all) == 0 || reach(q.mentioned(q.c.services)) > reach(all) || q.about(returns, shipping) || q.beyondStock(all) {
		return Reply{}, false
	}
	asked := q.about(have, stock, products) || q.said(sizeTalk())
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
	if !asked && (len(q.untold()) > 0 || q.says("of_thing")) {
		q.clear = before
		return Reply{}, false
	}
	r, ok := q.reply(stock, strings.Join(parts, " "))
	r.Certain = sure
	return r, ok
}

// costOfVariants is the price of a product, in the variant that was asked for.
func (q *question) costOfVariants(p Product) Price {
	q.said(sizeTalk())
	cost := p.Cost
	if w := q.wish(p); len(w.fit) > 0 && w.fit[0].Cost.Said() {
		cost = w.fit[0].Cost
	}
	return cost
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
