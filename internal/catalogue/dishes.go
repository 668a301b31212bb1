package catalogue

import (
	"slices"
)

func (q *question) costOfDishes(all []found) (Reply, bool) {
	var parts []string
	for _, m := range all {
		if d := q.c.Dishes[m.entry]; d.Cost.Said() {
			parts = append(parts, d.Say(q.lang)+": "+d.Cost.Say(q.lang)+q.unavailable(d))
		}
	}
	if len(parts) == 0 {
		return Reply{}, false
	}
	q.markFound(all)
	q.account(price, menu, have)
	return q.reply(price, sentence(several(q.lang, parts)))
}

func (q *question) unavailable(d Dish) string {
	if d.Available {
		return ""
	}
	return say(q.lang, " (ahora no disponible)", " (not available at the moment)")
}

// namedDishes are the dishes that the question names, unless it is a course that
// it names by the same words.
func (q *question) namedDishes() []found {
	all := q.mentioned(q.c.dishes)
	if course := q.mentioned(q.c.courses); len(course) > 0 && course[0].score >= meantAt && reach(course) >= reach(all) {
		return nil
	}
	return all
}

// askDish says whether something is on the menu.
func (q *question) askDish() (Reply, bool) {
	all := q.namedDishes()
	if len(all) == 0 {
		return q.askIngredient()
	}
	if reach(q.mentioned(q.c.services)) > reach(all) {
		return Reply{}, false
	}
	asked := q.about(have, menu)
	before := q.clear
	q.markFound(all)
	q.account(have, menu)
	q.said(talk)
	if !asked && len(q.rest()) > 0 {
		q.clear = before
		return Reply{}, false
	}
	var there []string
	for _, m := range all {
		if d := q.c.Dishes[m.entry]; d.Available {
			there = append(there, withPrice(q.lang, d.Say(q.lang), d.Cost))
		}
	}
	if len(there) == 0 {
		return q.reply(menu, sayf(q.lang, "%s: está en la carta, pero ahora no hay.", "%s: on the menu, but not available at the moment.",
			q.c.Dishes[all[0].entry].Say(q.lang)))
	}
	return q.reply(menu, sayf(q.lang, "Sí, tenemos %s.", "Yes, we have %s.", enumerate(q.lang, there)))
}

// askIngredient lists what is declared to contain something that is asked for
// by its name alone: "do you have fish?"
func (q *question) askIngredient() (Reply, bool) {
	ids, used := q.foods(allergens)
	if len(ids) == 0 || !q.about(have, menu) {
		return Reply{}, false
	}
	var names []string
	for _, d := range q.c.Dishes {
		if d.Available && !slices.ContainsFunc(ids, func(id string) bool { return !d.contains(id) }) {
			names = append(names, withPrice(q.lang, d.Say(q.lang), d.Cost))
		}
	}
	if len(names) == 0 {
		return Reply{}, false
	}
	q.markFoods(ids, used)
	q.account(have, menu)
	return q.unsure(menu, sayf(q.lang, "Con %s tenemos %s.", "With %s we have %s.", q.allergenNames(ids), enumerate(q.lang, names)))
}

// askMenu says what there is to eat, of one course or of all.
func (q *question) askMenu() (Reply, bool) {
	if len(q.c.Dishes) == 0 {
		return Reply{}, false
	}
	heading, named := q.heading(q.c.courses, q.c.house.courses)
	if !q.about(menu) && !(named && q.about(have)) {
		return Reply{}, false
	}
	q.account(menu, have)
	q.said(talk)
	var names []string
	for _, d := range q.c.Dishes {
		if d.Available && (!named || d.Course == heading) {
			names = append(names, withPrice(q.lang, d.Say(q.lang), d.Cost))
		}
	}
	if len(names) == 0 {
		return Reply{}, false
	}
	if named {
		return q.reply(menu, sayf(q.lang, "Tenemos %s.", "We have %s.", enumerate(q.lang, names)))
	}
	return q.reply(menu, sayf(q.lang, "En la carta tenemos %s.", "On the menu we have %s.", enumerate(q.lang, spread(q.c.Dishes, names))))
}

// spread puts one dish of every course first, so that a short answer shows the
// breadth of the menu.
func spread(all []Dish, names []string) []string {
	var first, rest []string
	seen := map[string]bool{}
	i := 0
	for _, d := range all {
		if !d.Available {
			continue
		}
		if seen[d.Course] {
			rest = append(rest, names[i])
		} else {
			first = append(first, names[i])
		}
		seen[d.Course] = true
		i++
	}
	return append(first, rest...)
}
