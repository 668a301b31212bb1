package catalogue

import (
	"cmp"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/lexicon"
)

// foods are those of a list that a question names, with the tokens that do.
func (q menuQuestion) foods(list []foodstuff) (ids []string, used map[string][]int) {
	used = map[string][]int{}
	for _, f := range list {
		for _, p := range f.words {
			if tokens, ok := p.anywhere(q.words); ok && !falseFriend(q.lang, p) {
				used[f.id] = append(used[f.id], tokens...)
			}
		}
		if len(used[f.id]) > 0 {
			ids = append(ids, f.id)
		}
	}
	return ids, used
}

// falseFriend says whether a word is one of another meaning in the language of
// the question: Spanish "soy" is no bean.
func falseFriend(lang string, w foodWord) bool {
	return w.lang != lang && len(w.pattern) == 1 && lexicon.Grammar(lang, w.pattern[0].word)
}

// askAllergy says what a dish contains, or what can be eaten by someone who
// must do without something. It always asks for the kitchen to be told.
func (q menuQuestion) askAllergy() (Reply, bool) {
	if len(q.c.Dishes) == 0 && q.c.house.dietary.whole == "" {
		return Reply{}, false
	}
	ids, used := q.foods(allergens())
	dishes := q.dishesBeside(&ids, used)
	switch {
	case len(dishes) > 0 && len(ids) > 0 && q.about(contains, have, allergic):
		return q.contents(dishes, ids, used)
	case len(dishes) > 0 && q.about(allergic):
		return q.contents(dishes, nil, used)
	case len(ids) > 0 && (q.about(allergic) && !q.onlyDiet(ids) || q.without(ids, used)):
		return q.avoiding(ids, used)
	case q.about(allergic) && !q.about(dietary) && q.c.house.dietary.whole != "" && len(ids) == 0:
		q.account(allergic, have, menu)
		return q.reply(allergic, quote(q.lang, q.c.house.dietary.whole)+q.tellKitchen())
	}
	return Reply{}, false
}

// onlyDiet says whether dishes are marked for the one thing that is asked
// about: then the marks answer better than the allergens.
func (q menuQuestion) onlyDiet(ids []string) bool {
	return len(ids) == 1 && ids[0] == "gluten" && q.marked("gluten_free")
}

func (q menuQuestion) marked(diet string) bool {
	return slices.ContainsFunc(q.c.Dishes, func(d Dish) bool { return d.suits(diet) })
}

// dishesBeside are the dishes that the question names. An allergen that is only
// part of a dish's name is not asked about: the cheese of a cheesecake. What a
// caller is allergic to names no dish.
func (q menuQuestion) dishesBeside(ids *[]string, used map[string][]int) []found {
	all := q.namedDishes()
	food := func(i int) bool {
		return slices.ContainsFunc(*ids, func(id string) bool { return slices.Contains(used[id], i) })
	}
	all = slices.DeleteFunc(all, func(m found) bool {
		return m.score < meantAt || q.about(allergy) && !slices.ContainsFunc(m.tokens, func(i int) bool { return !food(i) })
	})
	if len(all) > 0 {
		*ids = slices.DeleteFunc(*ids, func(id string) bool {
			return !slices.ContainsFunc(used[id], func(i int) bool { return !slices.Contains(all[0].tokens, i) })
		})
	}
	return all
}

// without says whether the question asks for what does not contain something.
func (q menuQuestion) without(ids []string, used map[string][]int) bool {
	for _, id := range ids {
		for _, i := range used[id] {
			if i > 0 && wordsOf("without before")[q.words[i-1].word] ||
				i > 1 && wordsOf("without before")[q.words[i-2].word] || i+1 < len(q.words) && wordsOf("free after")[q.words[i+1].word] {
				return !q.onlyDiet(ids)
			}
		}
	}
	return false
}

// contents says whether dishes contain allergens, or which they contain.
func (q menuQuestion) contents(dishes []found, ids []string, used map[string][]int) (Reply, bool) {
	q.markFound(dishes)
	q.markFoods(ids, used)
	q.account(contains, have, allergic, menu, dietary)
	var parts []string
	for _, m := range dishes[:min(len(dishes), mostNamed)] {
		d := q.c.Dishes[m.entry]
		if !d.Declared {
			return unsure(allergic, q.undeclared(d)+q.tellKitchen())
		}
		parts = append(parts, q.sayContents(d, ids))
	}
	return q.reply(allergic, strings.Join(parts, " ")+q.warning(ids)+q.tellKitchen())
}

func (q menuQuestion) markFoods(ids []string, used map[string][]int) {
	for _, id := range ids {
		q.mark(used[id])
	}
}

func (q menuQuestion) undeclared(d Dish) string {
	return wording(q.lang, "no_allergens_of", "dish", d.Say(q.lang))
}

func (q menuQuestion) sayContents(d Dish, ids []string) string {
	name := d.Say(q.lang)
	if len(ids) == 0 {
		if len(d.allergens) == 0 {
			return wording(q.lang, "no_allergens", "dish", name)
		}
		return wording(q.lang, "contains", "dish", name, "foods", q.allergenNames(d.allergens))
	}
	var in, out []string
	for _, id := range ids {
		if d.contains(id) {
			in = append(in, id)
		} else {
			out = append(out, id)
		}
	}
	answer := name + ": "
	if len(in) > 0 {
		answer += wording(q.lang, "yes_contains", "foods", q.allergenNames(in)) + " "
	}
	if len(out) > 0 {
		answer += wording(q.lang, "no_contains", "foods", q.allergenNames(out)) + " "
	}
	return strings.TrimSpace(answer)
}

func (q menuQuestion) allergenNames(ids []string) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = stuff(allergens(), id).say(q.lang)
	}
	return joinAnd(q.lang, names)
}

// avoiding lists dishes that are declared to be without allergens. A dish whose
// allergens are not declared is not among them.
func (q menuQuestion) avoiding(ids []string, used map[string][]int) (Reply, bool) {
	heading, named := q.heading(q.c.courses, q.c.house.courses)
	var names []string
	for _, d := range q.c.Dishes {
		hasIt := slices.ContainsFunc(ids, d.contains)
		if d.Available && d.Declared && !hasIt && (!named || d.Course == heading) {
			names = append(names, d.Say(q.lang))
		}
	}
	q.markFoods(ids, used)
	q.account(allergic, contains, have, menu, dietary, services)
	q.said(talk())
	if len(names) == 0 {
		if warning := q.warning(ids); warning != "" {
			return unsure(allergic, strings.TrimSpace(warning)+q.tellKitchen())
		}
		return Reply{}, false
	}
	return q.reply(allergic, wording(q.lang, "without_have", "foods", q.allergenNames(ids), "dishes", enumerate(q.lang, names))+q.warning(ids)+q.tellKitchen())
}

func (q menuQuestion) tellKitchen() string {
	return " " + wording(q.lang, "tell_kitchen")
}

// warning is what the business says about these allergens in its own words.
func (q menuQuestion) warning(ids []string) string {
	var found []string
	for _, p := range q.c.house.dietary.sentences {
		if warns(p) && slices.ContainsFunc(ids, func(id string) bool { return speaksOf(p, stuff(allergens(), id)) }) {
			found = append(found, quote(q.lang, p.text))
		}
	}
	if len(found) == 0 {
		return ""
	}
	return " " + strings.Join(found, " ")
}

func speaksOf(p passage, f foodstuff) bool {
	return slices.ContainsFunc(f.words, func(one foodWord) bool {
		_, ok := one.anywhere(p.words)
		return ok
	})
}

func warns(p passage) bool {
	return slices.ContainsFunc(expressions("expressions warning"), func(w pattern) bool {
		_, ok := w.anywhere(p.words)
		return ok
	})
}

// askDiet lists what suits a diet, or says whether a dish does.
func (q menuQuestion) askDiet() (Reply, bool) {
	if len(q.c.Dishes) == 0 && q.c.house.dietary.whole == "" {
		return Reply{}, false
	}
	ids, used := q.foods(diets())
	if len(ids) == 0 {
		return Reply{}, false
	}
	named := q.dishesBeside(&ids, used)
	if len(ids) == 0 {
		return Reply{}, false
	}
	q.markFoods(ids, used)
	q.account(dietary, have, menu, allergic, services, specials)
	q.said(talk())
	if len(named) > 0 {
		q.markFound(named)
		return q.reply(dietary, q.sayDiet(q.c.Dishes[named[0].entry], ids)+q.dietWarning(ids))
	}
	return q.suiting(ids)
}

func (q menuQuestion) sayDiet(d Dish, ids []string) string {
	for _, id := range ids {
		if !d.suits(id) {
			return wording(q.lang, "diet_no", "dish", d.Say(q.lang), "diet", q.dietNames([]string{id}))
		}
	}
	return wording(q.lang, "diet_yes", "dish", d.Say(q.lang), "diet", q.dietNames(ids))
}

func (q menuQuestion) dietNames(ids []string) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = stuff(diets(), id).say(q.lang)
	}
	return joinAnd(q.lang, names)
}

// suiting lists the dishes that suit all of the diets.
func (q menuQuestion) suiting(ids []string) (Reply, bool) {
	heading, named := q.heading(q.c.courses, q.c.house.courses)
	var names []string
	for _, d := range q.c.Dishes {
		fits := !slices.ContainsFunc(ids, func(id string) bool { return !d.suits(id) })
		if fits && d.Available && (!named || d.Course == heading) {
			names = append(names, withPrice(q.lang, d.Say(q.lang), d.Cost))
		}
	}
	if len(names) > 0 {
		return q.reply(dietary, sentence(wording(q.lang, "diet_dishes", "diet", ofSeveral(q.lang, ids), "dishes", enumerate(q.lang, names)))+q.dietWarning(ids))
	}
	if t := q.c.house.dietary; t.whole != "" {
		return unsure(dietary, quote(q.lang, t.whole))
	}
	return Reply{}, false
}

// ofSeveral is a diet as it stands beside several dishes, with a capital where it
// begins the sentence.
func ofSeveral(lang string, ids []string) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = cmp.Or(spoken(lang).Pairs("catalogue diets of several")[id], stuff(diets(), id).say(lang))
	}
	return joinAnd(lang, names)
}

// dietWarning is what the business says of traces, for diets that are a matter
// of health.
func (q menuQuestion) dietWarning(ids []string) string {
	switch {
	case slices.Contains(ids, "gluten_free"):
		return q.warning([]string{"gluten"}) + q.tellKitchen()
	case slices.Contains(ids, "dairy_free"):
		return q.warning([]string{"dairy"}) + q.tellKitchen()
	}
	return ""
}
