package catalogue

import (
	"slices"
)

// The least score at which an entry is taken as meant, and how far behind the
// best one another may lie and still be.
const (
	meantAt  = 0.5
	tiedWith = 0.12
)

// mentioned are the entries that a question names: the best, and those that
// it could as well mean.
func (q *question) mentioned(f *finder) []found {
	all, known := q.named[f]
	if !known {
		all = meantBy(f.find(q.naming))
		q.named[f] = all
	}
	return slices.Clone(all)
}

func meantBy(all []found) []found {
	if len(all) == 0 {
		return nil
	}
	best := all[0].score
	all = slices.DeleteFunc(all, func(m found) bool { return m.score < best-tiedWith })
	if best < meantAt && (len(all) < 2 || best < meantAt/2) {
		return nil
	}
	return all
}

func (q *question) markFound(all []found) {
	for _, m := range all {
		q.mark(m.tokens)
	}
}

// askCost says what something costs, how long it takes, or both.
func (q *question) askCost() (Reply, bool) {
	if !q.about(price, duration) || len(q.c.Listings) > 0 && q.about(property) {
		return Reply{}, false
	}
	s, d, p := q.itself(q.mentioned(q.c.services)), q.itself(q.mentioned(q.c.dishes)), q.itself(q.mentioned(q.c.products))
	switch {
	case reach(d) > 0 && weightOf(d) >= max(weightOf(s), weightOf(p)) && q.about(price):
		return menuQuestion{q}.costOfDishes(d)
	case reach(p) > 0 && weightOf(p) >= weightOf(s) && q.about(price):
		return shopQuestion{q}.costOfProducts(p)
	case reach(s) > 0:
		return serviceQuestion{q}.costOfServices(s)
	}
	return serviceQuestion{q}.allPrices()
}

// reach is how many words of the question the best one takes up.
func reach(all []found) int {
	if len(all) == 0 {
		return 0
	}
	return len(all[0].tokens)
}

// weightOf is how well the best one is named: by how many words, then how surely.
func weightOf(all []found) float64 {
	if len(all) == 0 {
		return 0
	}
	return float64(reach(all)) + min(0.99, all[0].score)
}

// heading is the part of the menu or of the shop that the question names.
func (q *question) heading(f *finder, names []string) (string, bool) {
	all := q.mentioned(f)
	if len(all) != 1 || all[0].score < meantAt {
		return "", false
	}
	q.markFound(all)
	return names[all[0].entry], true
}
