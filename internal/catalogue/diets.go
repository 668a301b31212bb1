package catalogue

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/lexicon"
)

// foodstuff is something that people must not or will not eat, or the way they
// eat, with the words for it. A word that ends in a star stands for all that
// begin so.
type foodstuff struct {
	id     string
	es, en string // as it is said in "sin …" and "without …"
	words  []string
}

// allergens are the fourteen that European law has declared, and shellfish,
// which callers say for two of them.
var allergens = []foodstuff{
	{"gluten", "gluten", "gluten", phrases("gluten, trigo, wheat, cebada, barley, centeno, rye, celia*, coelia*")},
	{"crustaceans", "crustáceos", "crustaceans", phrases("crustace*, crustacean*, gamba*, langostino*, cangrejo*, prawn*, shrimp*, crab, crabs, lobster*")},
	{"egg", "huevo", "egg", phrases("huevo*, egg, eggs")},
	{"fish", "pescado", "fish", phrases("pescado*, fish, atun, tuna")},
	{"peanuts", "cacahuetes", "peanuts", phrases("cacahuete*, cacahuate*, mani, peanut*")},
	{"soy", "soja", "soy", phrases("soja, soya, soy")},
	{"dairy", "lácteos", "dairy", phrases("lacteo*, lactosa, leche, queso, mantequilla, nata, dairy, lactose, milk, cheese, butter, cream")},
	{"nuts", "frutos secos", "nuts", phrases("frutos secos, fruto seco, frutos de cascara, fruto de cascara, nueces, nuez, almendra*, avellana*, anacardo*, pistacho*, nut, nuts, tree nut*, almond*, hazelnut*, walnut*, cashew*, pistachio*")},
	{"celery", "apio", "celery", phrases("apio, celery, celeriac")},
	{"mustard", "mostaza", "mustard", phrases("mostaza, mustard")},
	{"sesame", "sésamo", "sesame", phrases("sesamo, ajonjoli, sesame, tahini")},
	{"sulphites", "sulfitos", "sulphites", phrases("sulfito*, sulphite*, sulfite*, dioxido de azufre, sulphur dioxide")},
	{"lupin", "altramuces", "lupin", phrases("altramu*, lupin*")},
	{"molluscs", "moluscos", "molluscs", phrases("molusco*, mollus*, almeja*, mejillon*, calamar*, pulpo, squid, octopus, mussel*, clam, clams")},
	{"shellfish", "marisco", "shellfish", phrases("marisco*, shellfish, seafood")},
}

// meant are the allergens that a word of callers takes in beyond its own.
var meant = map[string][]string{
	"shellfish": {"crustaceans", "molluscs", "shellfish"},
	"nuts":      {"nuts", "peanuts"}, // many callers make no difference
}

// diets are ways to eat that dishes are marked with.
var diets = []foodstuff{
	{"vegan", "vegano", "vegan", phrases("vegan*, plant based, 100 vegetal, base vegetal")},
	{"vegetarian", "vegetariano", "vegetarian", phrases("vegetarian*, veggie*, sin carne, meat free, meatless, no como carne, no comemos carne, t eat meat")},
	{"gluten_free", "sin gluten", "gluten-free", phrases("sin gluten, libre de gluten, gluten free, no gluten, without gluten, celia*, coelia*, gf")},
	{"dairy_free", "sin lácteos", "dairy-free", phrases("sin lactosa, sin lacteos, sin leche, lactose free, dairy free, without dairy, without lactose, no dairy")},
	{"halal", "halal", "halal", phrases("halal")},
	{"kosher", "kosher", "kosher", phrases("kosher")},
}

// takesIn are the diets whose dishes suit another one as well.
var takesIn = map[string][]string{"vegetarian": {"vegan"}, "dairy_free": {"vegan"}}

func phrases(list string) (all []string) {
	for p := range strings.SplitSeq(list, ",") {
		all = append(all, strings.TrimSpace(p))
	}
	return all
}

func allergenOf(text string) string { return firstOf(allergens, text) }

// dietOf reads the mark of a dish. The short marks of menus are understood.
func dietOf(text string) string {
	switch lexicon.Fold(strings.TrimSpace(text)) {
	case "v", "veg":
		return "vegetarian"
	case "vg", "ve", "vgn":
		return "vegan"
	}
	return firstOf(diets, text)
}

func firstOf(list []foodstuff, text string) string {
	words := tokens(text, "")
	for _, f := range list {
		for _, p := range f.patterns() {
			if used, _ := p.anywhere(words); used != nil {
				return f.id
			}
		}
	}
	return ""
}

var compiled = func() map[string][]pattern {
	all := map[string][]pattern{}
	for _, list := range [][]foodstuff{allergens, diets} {
		for _, f := range list {
			for _, words := range f.words {
				all[f.id] = append(all[f.id], newPattern(words))
			}
		}
	}
	return all
}()

func (f foodstuff) patterns() []pattern { return compiled[f.id] }

// canonical are the names that this package has for what a business wrote;
// what it has no name for stays, folded.
func canonical(written []string, of func(string) string) (all []string) {
	for _, w := range written {
		id := of(w)
		if id == "" {
			id = lexicon.Fold(w)
		}
		if !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	return all
}

func stuff(list []foodstuff, id string) foodstuff {
	for _, f := range list {
		if f.id == id {
			return f
		}
	}
	return foodstuff{id: id, es: id, en: id}
}

// suits says whether a dish is marked for a diet.
func (d Dish) suits(diet string) bool {
	return slices.ContainsFunc(d.diets, func(mark string) bool {
		return mark == diet || slices.Contains(takesIn[diet], mark)
	})
}

// contains says whether a dish is declared to contain an allergen, as callers
// mean it.
func (d Dish) contains(allergen string) bool {
	for _, id := range append([]string{allergen}, meant[allergen]...) {
		if slices.Contains(d.allergens, id) {
			return true
		}
	}
	return allergen != "shellfish" && (allergen == "crustaceans" || allergen == "molluscs") && slices.Contains(d.allergens, "shellfish")
}
