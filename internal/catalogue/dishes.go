package catalogue

import (
	"slices"
)

func (q menuQuestion) costOfDishes(all []found) (Reply, bool) {
	before := q.clear
	asked := q.asked(q.c.dishes, all)
	var parts []string
	for _, m := range slices.Concat(asked...) {
		if d := q.c.Dishes[m.entry]; d.Cost.Said() {
			parts = append(parts, d.Say(q.lang)+": "+d.Cost.Say(q.lang)+q.unavailable(d))
		}
	}
	if len(parts) == 0 {
		q.clear = before
		return Reply{}, false
	}
	q.account(price, menu, have)
	answer := sentence(several(q.lang, parts))
	if len(asked) > 1 {
		answer += saySum(q.lang, asked, func(at int) Price { return q.c.Dishes[at].Cost })
	}
	return q.reply(price, answer)
}

func (q menuQuestion) unavailable(d Dish) string {
	if d.Available {
		return ""
	}
	return " " + wording(q.lang, "dish_unavailable")
}

// namedDishes are the dishes that the question names, unless it is a course that
// it names by the same words.
func (q menuQuestion) namedDishes() []found {
	all := q.mentioned(q.c.dishes)
	if course := q.mentioned(q.c.courses); len(course) > 0 && course[0].score >= meantAt && reach(course) >= reach(all) {
		return nil
	}
	return all
}

// askDish says whether something is on the menu.
func (q menuQuestion) askDish() (Reply, bool) {
	all := q.itself(q.namedDishes())
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
	q.said(talk())
	if !asked && (len(q.untold()) > 0 || q.says("of_thing")) {
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
		return q.reply(menu, wording(q.lang, "dish_not_now", "dish", q.c.Dishes[all[0].entry].Say(q.lang)))
	}
	if !all[0].full && q.specified(all[0]) {
		if all[0].strength < means {
			q.clear = before
			return Reply{}, false
		}
		return unsure(menu, wording(q.lang, "dish_nearest", "dishes", enumerate(q.lang, there)))
	}
	return q.reply(menu, wording(q.lang, "yes_have", "things", enumerate(q.lang, there)))
}

// specified says whether the question says more of what it names than its entry
// has: a chocolate cake is no cheesecake.
func (q *question) specified(m found) bool {
	first, last := m.tokens[0], m.tokens[len(m.tokens)-1]
	for _, i := range q.untold() {
		if strong(q.words[i]) && i >= first-2 && i <= last+2 {
			return true
		}
	}
	return false
}

// askIngredient lists what is declared to contain something that is asked for
// by its name alone: "do you have fish?"
func (q menuQuestion) askIngredient() (Reply, bool) {
	ids, used := q.foods(allergens())
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
	return unsure(menu, wording(q.lang, "with_ingredient", "food", q.allergenNames(ids), "dishes", enumerate(q.lang, names)))
}

// askMenu says what there is to eat, of one course or of all.
func (q menuQuestion) askMenu() (Reply, bool) {
	if len(q.c.Dishes) == 0 {
		return Reply{}, false
	}
	heading, named := q.heading(q.c.courses, q.c.house.courses)
	if !q.about(menu) && !(named && q.about(have)) {
		return Reply{}, false
	}
	q.account(menu, have)
	q.said(talk())
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
		return q.reply(menu, wording(q.lang, "have", "things", enumerate(q.lang, names)))
	}
	r, ok := q.reply(menu, wording(q.lang, "on_menu", "dishes", enumerate(q.lang, spread(q.c.Dishes, names))))
	r.Certain = r.Certain && !q.about(price) // what a menu costs is another thing
	return r, ok
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
