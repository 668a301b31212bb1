package catalogue

import (
	"slices"
	"strings"
)

func (q shopQuestion) costOfProducts(all []found) (Reply, bool) {
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
			part += " " + wording(q.lang, "product_unavailable")
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
		answer += saySum(q.lang, asked, func(at int) Price { return costs[at] })
	}
	return q.reply(price, answer)
}

// askStock says whether a product is there, in the size that was asked for.
func (q shopQuestion) askStock() (Reply, bool) {
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
func (q shopQuestion) costOfVariants(p Product) Price {
	q.said(sizeTalk())
	cost := p.Cost
	if w := q.wish(p); len(w.fit) > 0 && w.fit[0].Cost.Said() {
		cost = w.fit[0].Cost
	}
	return cost
}

// beyondStock says whether the question is about what a product is like, and
// not about having it: how to wash it, what it is made of. The data do not know.
func (q shopQuestion) beyondStock(all []found) bool {
	words := slices.Clone(q.words)
	for _, m := range all {
		for _, i := range m.tokens {
			words[i].blank() // the wash of a body wash asks nothing
		}
	}
	in := func(p pattern) bool { _, ok := p.anywhere(words); return ok }
	return slices.ContainsFunc(expressions("expressions nature"), in) || slices.ContainsFunc(expressions("expressions how"), in) && !slices.ContainsFunc(expressions("expressions getting"), in)
}

// askProducts says what the shop sells, on one shelf or on all.
func (q shopQuestion) askProducts() (Reply, bool) {
	if len(q.c.Products) == 0 {
		return Reply{}, false
	}
	heading, named := q.heading(q.c.shelves, q.c.house.shelves)
	if !q.about(products) && !(named && q.about(have)) {
		return Reply{}, false
	}
	q.account(products, have, services)
	q.said(talk())
	var names []string
	for _, p := range q.c.Products {
		if !named || p.Shelf == heading {
			names = append(names, withPrice(q.lang, p.Say(q.lang), p.Cost))
		}
	}
	return q.reply(products, wording(q.lang, "for_example", "things", enumerate(q.lang, names)))
}
