package catalogue

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"frontdesk.dev/frontdesk/internal/language"
)

// foodstuff is something that people must not or will not eat, or the way they
// eat, with the words for it and its names by language.
type foodstuff struct {
	id    string
	names map[string]string // as it is said in "sin …" and "without …"
	words []foodWord
}

type foodWord struct {
	lang string
	pattern
}

// allergens are the fourteen that European law has declared, and shellfish,
// which callers say for two of them.
var allergens = sync.OnceValue(func() []foodstuff { return readFoods("allergens") })

// diets are ways to eat that dishes are marked with.
var diets = sync.OnceValue(func() []foodstuff { return readFoods("diets") })

// readFoods reads the lines "id: name: words" of a section, in all languages.
func readFoods(section string) (all []foodstuff) {
	for _, lang := range languages() {
		for _, line := range language.Of(lang).Lines("catalogue " + section) {
			parts := strings.SplitN(line, ":", 3)
			if len(parts) < 3 {
				continue
			}
			at := slices.IndexFunc(all, func(f foodstuff) bool { return f.id == parts[0] })
			if at < 0 {
				at = len(all)
				all = append(all, foodstuff{id: parts[0], names: map[string]string{}})
			}
			all[at].names[lang] = strings.TrimSpace(parts[1])
			for one := range strings.SplitSeq(parts[2], ",") {
				all[at].words = append(all[at].words, foodWord{lang, newPattern(language.Fold(one))})
			}
		}
	}
	return all
}

// meant are the allergens that a word of callers takes in beyond its own.
var meant = map[string][]string{
	"shellfish": {"crustaceans", "molluscs", "shellfish"},
	"nuts":      {"nuts", "peanuts"}, // many callers make no difference
}

// takesIn are the diets whose dishes suit another one as well.
var takesIn = map[string][]string{"vegetarian": {"vegan"}, "dairy_free": {"vegan"}}

func allergenOf(text string) string { return firstOf(allergens(), text) }

// dietOf reads the mark of a dish. The short marks of menus are understood.
func dietOf(text string) string {
	switch language.Fold(strings.TrimSpace(text)) {
	case "v", "veg":
		return "vegetarian"
	case "vg", "ve", "vgn":
		return "vegan"
	}
	return firstOf(diets(), text)
}

func firstOf(list []foodstuff, text string) string {
	words := tokens(text, "")
	for _, f := range list {
		for _, p := range f.words {
			if used, _ := p.anywhere(words); used != nil {
				return f.id
			}
		}
	}
	return ""
}

// canonical are the names that this package has for what a business wrote;
// what it has no name for stays, folded.
func canonical(written []string, of func(string) string) (all []string) {
	for _, w := range written {
		id := of(w)
		if id == "" {
			id = language.Fold(w)
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
	return foodstuff{id: id}
}

// say is the name of a foodstuff in a language.
func (f foodstuff) say(lang string) string { return cmp.Or(f.names[lang], f.id) }

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
