package demo

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
)

// item is a service, dish, product or listing as a house's file has it.
type item struct {
	ID        string          `json:"id"`
	SKU       string          `json:"sku"`
	Ref       string          `json:"ref"`
	Name      string          `json:"name"`
	NameES    string          `json:"name_es"`
	NameEN    string          `json:"name_en"`
	Title     string          `json:"title"`
	TitleEN   string          `json:"title_en"`
	Price     json.RawMessage `json:"price"`
	Minutes   int             `json:"duration_minutes"`
	Buffer    int             `json:"buffer_minutes"`
	Allergens []string        `json:"allergens"`
	Dietary   []string        `json:"dietary"`
	Available *bool           `json:"available"`
	Stock     int             `json:"stock"`
	Variants  []string        `json:"variants"`
	Operation string          `json:"operation"`
	Status    string          `json:"status"`
	Bedrooms  int             `json:"bedrooms"`
	Area      int             `json:"area_m2"`
	City      string          `json:"city"`
}

// called is the item's name in both languages, as it stands in a sentence.
func (it item) called() words {
	es, en := it.Name+it.Title, it.Name+it.Title
	if it.NameES != "" {
		es = it.NameES
	}
	if translated := it.NameEN + it.TitleEN; translated != "" {
		en = translated
	}
	return words{lowerFirst(es), lowerFirst(en)}
}

// amount is the item's price as a number; ok is false if it has none.
func (it item) amount() (euros float64, ok bool) {
	if json.Unmarshal(it.Price, &euros) == nil {
		return euros, true
	}
	var money struct{ Amount float64 }
	if json.Unmarshal(it.Price, &money) == nil {
		return money.Amount, true
	}
	return 0, false
}

// costs is the item's price as people say it.
func (it item) costs() words {
	euros, ok := it.amount()
	switch {
	case !ok:
		return words{"sin coste", "free"}
	case it.Operation == "rent":
		return words{spellEuros(euros).es + " al mes", spellEuros(euros).en + " a month"}
	}
	return spellEuros(euros)
}

// serviceSlots speak of one of the house's services, one of about if given.
func (h *house) serviceSlots(rng *rand.Rand, s slots, about []string) {
	choice := h.services
	if len(about) > 0 {
		choice = only(choice, func(it *item) bool { return slices.Contains(about, it.ID) })
	}
	it := pick(rng, choice)
	s["service"] = it.called()
	s["a_service"] = words{it.called().es, withArticle(it.called().en)}
	s["service_id"] = same(it.ID)
	s["price"] = it.costs()
	s["minutes"] = number(it.Minutes)
}

// dishSlots speak of what is on the menu.
func (h *house) dishSlots(rng *rand.Rand, s slots) {
	served := only(h.dishes, func(it *item) bool { return it.Available == nil || *it.Available })
	served = shuffled(rng, served)
	first, second := served[0], served[1]
	if len(first.Allergens) == 0 {
		first = pick(rng, only(served[2:], func(it *item) bool { return len(it.Allergens) > 0 }))
	}
	quantity := 2 + rng.IntN(2)
	one, _ := first.amount()
	other, _ := second.amount()
	s["dish"], s["dish2"] = first.called(), second.called()
	s["dish_price"] = first.costs()
	s["allergens"] = listAllergens(first.Allergens)
	s["total"] = spellEuros(float64(quantity)*one + other)
	s["qty"], s["qty_n"] = spellQuantity(quantity), number(quantity)
	safe := only(served, func(it *item) bool { return slices.Contains(it.Dietary, "sin gluten") })
	s["safe"] = listItems(safe[:3])
}

// productSlots speak of a product on the shelf and of one that is sold out.
func (h *house) productSlots(rng *rand.Rand, s slots) {
	it := pick(rng, only(h.products, func(it *item) bool { return it.Stock > 0 }))
	gone := pick(rng, only(h.products, func(it *item) bool { return it.Stock == 0 }))
	quantity := 2 + rng.IntN(2)
	euros, _ := it.amount()
	s["product"], s["sku"] = it.called(), same(it.SKU)
	s["variant"], s["stock"] = same(pick(rng, it.Variants)), number(it.Stock)
	s["product_price"] = it.costs()
	s["product_total"] = spellEuros(float64(quantity) * euros)
	s["qty"], s["qty_n"] = spellQuantity(quantity), number(quantity)
	s["sold_out"], s["sold_out_sku"] = gone.called(), same(gone.SKU)
}

// listingSlots speak of a home that can still be had.
func (h *house) listingSlots(rng *rand.Rand, s slots) {
	it := pick(rng, only(h.listings, func(it *item) bool { return it.Status == "available" }))
	s["listing"], s["ref"], s["city"] = it.called(), same(it.Ref), same(it.City)
	s["listing_price"] = it.costs()
	s["bedrooms"], s["area"] = number(it.Bedrooms), number(it.Area)
}

func only(items []*item, keep func(*item) bool) []*item {
	var kept []*item
	for _, it := range items {
		if keep(it) {
			kept = append(kept, it)
		}
	}
	return kept
}

func shuffled(rng *rand.Rand, items []*item) []*item {
	rng.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	return items
}

func listItems(items []*item) words {
	var es, en []string
	for _, it := range items {
		es, en = append(es, it.called().es), append(en, it.called().en)
	}
	return words{join(es, "y"), join(en, "and")}
}

func listAllergens(allergens []string) words {
	var en []string
	for _, a := range allergens {
		en = append(en, allergensInEnglish[a])
	}
	return words{join(allergens, "y"), join(en, "and")}
}

// join lists things as a sentence does.
func join(things []string, and string) string {
	last := len(things) - 1
	if last < 1 {
		return strings.Join(things, "")
	}
	return strings.Join(things[:last], ", ") + " " + and + " " + things[last]
}

var allergensInEnglish = map[string]string{
	"gluten": "gluten", "lácteos": "milk", "huevo": "egg", "pescado": "fish", "moluscos": "molluscs",
	"crustáceos": "crustaceans", "sulfitos": "sulphites", "apio": "celery", "soja": "soya",
	"mostaza": "mustard", "sésamo": "sesame", "cacahuetes": "peanuts", "frutos secos": "nuts", "altramuces": "lupin",
}
