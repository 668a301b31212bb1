package catalogue

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/language"
)

// Dish is something on the menu.
type Dish struct {
	Name        string
	Names       map[string]string // by language
	Course      string            // the heading that it stands under
	Cost        Price
	Description string
	Available   bool // unless the business says otherwise
	Variants    []Variant
	Aliases     []string
	Allergens   []string // as the business wrote them
	Declared    bool     // allergens were declared, if only to say that there are none
	Diets       []string // as the business wrote them

	allergens []string // by the names that this package has for them
	diets     []string
}

// Say is the name of the dish in a language, where there is one.
func (d Dish) Say(lang string) string { return cmp.Or(d.Names[lang], d.Name) }

// Product is something for sale.
type Product struct {
	SKU         string
	Name        string
	Names       map[string]string // by language
	Shelf       string            // the heading that it stands under
	Cost        Price
	Stock       int
	Counted     bool // the business says how many there are
	Variants    []Variant
	Aliases     []string
	Description string
}

// Variant is a size, a colour or a pack of a product.
type Variant struct {
	Name    string
	Stock   int
	Counted bool
	Cost    Price
}

// Say is the name of the product in a language, where there is one.
func (p Product) Say(lang string) string { return cmp.Or(p.Names[lang], p.Name) }

// SoldOut says whether the business counts the product and has none.
func (p Product) SoldOut() bool { return p.Counted && p.Stock == 0 }

// Listing is a property for sale or to let.
type Listing struct {
	Ref         string
	Title       string
	Titles      map[string]string // by language
	Operation   string            // rent, sale, or ""
	Cost        Price
	Bedrooms    int // meant only when Roomed
	Roomed      bool
	Area        int // square metres
	City        string
	Zone        string // the quarter
	Status      string // as the business wrote it
	URL         string
	Description string

	facts []passage // all that it says of itself
}

// Say is the title of the listing in a language, where there is one.
func (l Listing) Say(lang string) string { return cmp.Or(l.Titles[lang], l.Title) }

// Available says whether the listing can still be had.
func (l Listing) Available() bool {
	status := language.Fold(l.Status)
	return status == "" || wordsOf("available")[status]
}

// Read makes a catalogue of an agent's configuration. It never fails: what is
// not understood is left out.
func Read(a frontdesk.Agent) *Catalogue {
	first := frontdesk.Languages[0]
	if len(a.Languages) > 0 && slices.Contains(languages(), a.Languages[0]) {
		first = a.Languages[0]
	}
	money := a.Currency()
	c := &Catalogue{first: first, house: readHouse(a)}
	c.readServices(a.Config.Services, first, money, agentLanguages(a))
	c.readMenu(a.Config.Menu, money)
	c.readProducts(a.Config.Products, first, money)
	c.readListings(a.Config.Listings, money)
	return c
}

// agentLanguages are those of an agent that there are; all where it has none.
func agentLanguages(a frontdesk.Agent) []string {
	some := slices.DeleteFunc(slices.Clone(a.Languages), func(code string) bool { return !slices.Contains(languages(), code) })
	if len(some) == 0 {
		return languages()
	}
	return some
}

func (c *Catalogue) readServices(raw []byte, first, money string, langs []string) {
	c.services = newFinder(false)
	c.services.own, c.services.langs = c.house.stems, langs
	for _, g := range readGroups(raw) {
		for _, f := range g.entries {
			s := Service{
				Name: f.called("name", "title"), Names: f.inLanguages("name"),
				Duration: f.minutes("duration_minutes"), Buffer: f.minutes("buffer_minutes"),
				Cost: readPrice(f["price"], money), Bookable: true,
				Description: f.upTo(longText, "description"), Capacity: f.whole("capacity"),
			}
			if s.Name == "" {
				continue
			}
			s.ID, s.Price = f.text("id"), s.Cost.Say(first)
			if s.ID == "" {
				s.ID = s.Name
			}
			if yes, said := f.flag("bookable"); said {
				s.Bookable = yes
			}
			s.Aliases, _ = f.list("aliases")
			c.services.name(len(c.Services), names{s.Name, s.Names, s.Aliases})
			c.Services = append(c.Services, s)
			c.matters = append(c.matters, newMatter(s))
		}
	}
}

func (c *Catalogue) readMenu(raw []byte, money string) {
	c.dishes, c.courses = newFinder(true), newFinder(false)
	for i, g := range readGroups(raw) {
		c.courses.add(i, g.heading, "")
		c.house.courses = append(c.house.courses, g.heading)
		for _, f := range g.entries {
			d := Dish{
				Name: f.called("name", "title"), Names: f.inLanguages("name"),
				Course: g.heading, Cost: readPrice(f["price"], money), Description: f.upTo(longText, "description"), Available: true,
				Variants: readVariants(f["variants"], money),
			}
			if d.Name == "" {
				continue
			}
			if yes, said := f.flag("available"); said {
				d.Available = yes
			}
			d.Aliases, _ = f.list("aliases")
			d.Allergens, d.Declared = f.list("allergens")
			d.Diets, _ = f.list("dietary")
			d.allergens, d.diets = canonical(d.Allergens, allergenOf), canonical(d.Diets, dietOf)
			c.dishes.name(len(c.Dishes), names{d.Name, d.Names, d.Aliases})
			c.Dishes = append(c.Dishes, d)
		}
	}
}

func (c *Catalogue) readProducts(raw []byte, first, money string) {
	c.products, c.shelves = newFinder(true), newFinder(false)
	for i, g := range readGroups(raw) {
		c.shelves.add(i, g.heading, "")
		c.house.shelves = append(c.house.shelves, g.heading)
		for _, f := range g.entries {
			p := Product{
				SKU:  f.text("sku", "id"),
				Name: f.called("name", "title"), Names: f.inLanguages("name"),
				Shelf: g.heading, Cost: readPrice(f["price"], money), Description: f.upTo(longText, "description"),
				Variants: readVariants(f["variants"], money),
			}
			if p.Name == "" {
				continue
			}
			p.Stock, p.Counted = f.stock()
			if !p.Counted && counted(p.Variants) {
				p.Counted = true
				for _, v := range p.Variants {
					p.Stock += v.Stock
				}
			}
			p.Aliases, _ = f.list("aliases")
			c.products.name(len(c.Products), names{p.Name, p.Names, p.Aliases})
			if strings.ContainsAny(p.SKU, "0123456789") || strings.Contains(p.SKU, "-") {
				c.products.add(len(c.Products), p.SKU, first)
			}
			c.Products = append(c.Products, p)
		}
	}
}

// stock is how many there are, if the business says so. Yes and no are taken
// for some and none.
func (f fields) stock() (n int, said bool) {
	if n, ok := f.number("stock"); ok && n < 1e9 {
		return int(n), true
	}
	yes, said := f.flag("stock")
	if !said {
		yes, said = f.flag("available")
	}
	if said && !yes {
		return 0, true
	}
	return 0, false
}

// readVariants reads texts, or objects with a name or a size and a colour, and a
// stock of their own.
func readVariants(v any, money string) (all []Variant) {
	list, _ := v.([]any)
	for _, one := range list {
		if len(all) == mostListed {
			break
		}
		var next Variant
		if m, ok := one.(map[string]any); ok {
			f := fields(m)
			next = Variant{Name: f.variantName(), Cost: readPrice(f["price"], money)}
			next.Stock, next.Counted = f.stock()
		} else {
			next.Name = (fields{"": one}).text("")
		}
		if next.Name != "" {
			all = append(all, next)
		}
	}
	return all
}

// variantName is what a variant is called, or all that it says of itself.
func (f fields) variantName() string {
	if name := f.text("name", "title", "value", "label"); name != "" {
		return name
	}
	var parts []string
	for _, key := range []string{"size", "talla", "color", "colour", "material", "weight", "peso", "format", "formato", "pack"} {
		if part := f.text(key); part != "" {
			parts = append(parts, part)
		}
	}
	return line(strings.Join(parts, " "), shortText)
}

func (c *Catalogue) readListings(raw []byte, money string) {
	c.listings = newFinder(false)
	for _, g := range readGroups(raw) {
		for _, f := range g.entries {
			l := Listing{
				Ref: f.text("ref", "id"), Title: f.called("title", "name"), Titles: f.inLanguages("title"),
				Operation: operationOf(f.text("operation")), Cost: readPrice(f["price"], money),
				Bedrooms: f.whole("bedrooms"), Area: f.whole("area_m2"), City: f.text("city", "town", "municipio", "ciudad"), Zone: f.text("zone", "neighbourhood", "neighborhood", "district", "barrio", "zona"), Status: f.text("status"),
				URL: f.text("url"), Description: f.upTo(longText, "description"),
			}
			if l.Title == "" {
				continue
			}
			_, l.Roomed = f.number("bedrooms")
			l.facts = f.facts()
			kind, _ := f.list("type")
			c.listings.name(len(c.Listings), names{l.Title, l.Titles, kind})
			c.Listings = append(c.Listings, l)
		}
	}
}

// facts are the sentences that an entry makes of itself: its texts, and the names
// of what it says yes to.
func (f fields) facts() (all []passage) {
	for _, key := range slices.Sorted(maps.Keys(f)) {
		switch key {
		case "ref", "id", "url", "status", "operation", "city", "price":
			continue
		}
		switch v := f[key].(type) {
		case bool:
			if v {
				all = append(all, newPassage(strings.ReplaceAll(key, "_", " ")))
			}
		case string:
			all = append(all, newPassage(line(v, longText)))
		case []any:
			some, _ := f.list(key)
			for _, one := range some {
				all = append(all, newPassage(one))
			}
		}
		if len(all) >= mostListed {
			break
		}
	}
	return all
}

// operationOf reads how a property is offered, in any language.
func operationOf(text string) string {
	for _, w := range tokens(text, "") {
		switch {
		case wordsOf("operation rent")[w.word]:
			return "rent"
		case wordsOf("operation sale")[w.word]:
			return "sale"
		}
	}
	return ""
}

// names are all that an entry is called.
type names struct {
	name    string
	in      map[string]string // by language
	aliases []string
}

// name makes an entry known under its names. A name without a language beside
// it is in the one that the others are not in, where only one is left.
func (f *finder) name(entry int, n names) {
	lang := ""
	if len(n.in) > 0 && len(n.in) == len(languages())-1 {
		lang = languages()[slices.IndexFunc(languages(), func(code string) bool { return n.in[code] == "" })]
	}
	f.add(entry, n.name, lang)
	for _, code := range slices.Backward(languages()) {
		f.add(entry, n.in[code], code)
	}
	for _, alias := range n.aliases {
		f.add(entry, alias, "")
	}
}

// FindDishes returns the dishes that a text may mean, likeliest first.
func (c *Catalogue) FindDishes(text, lang string) []Match[Dish] {
	return matches(c.Dishes, c.dishes, text, lang)
}

// FindProducts returns the products that a text may mean, likeliest first.
func (c *Catalogue) FindProducts(text, lang string) []Match[Product] {
	return matches(c.Products, c.products, text, lang)
}

func matches[T any](entries []T, f *finder, text, lang string) []Match[T] {
	return matchesOf(entries, f.find(tokens(text, lang)))
}

func matchesOf[T any](entries []T, hits []found) (all []Match[T]) {
	for _, hit := range hits {
		all = append(all, Match[T]{Entry: entries[hit.entry], Score: hit.score, Start: hit.start, End: hit.end})
	}
	return all
}
