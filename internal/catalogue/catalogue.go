// Package catalogue is what a business says of itself, in a form that a
// receptionist can talk about: its services, its menu, its products, its
// listings, its hours and its house rules.
//
// An agent's configuration goes in as it was sent, and two things come out:
//
//	Read(agent) -> Catalogue -> Find…  which entry does the caller mean?
//	                         -> Ask    what do we say to this question?
//
// How callers ask and what is answered stands in the languages' folders, in the
// sections that begin with "catalogue"; the code here knows no language.
//
// Entries are strangers' JSON: what does not fit is left out, never a failure.
// Prices, hours and names are said as the business wrote them; nothing is
// invented. The package knows no conversation, no documents and no bookings.
package catalogue

import (
	"cmp"
	"time"
)

// Catalogue is all that a business says of itself. It never changes once read.
type Catalogue struct {
	Services []Service
	Dishes   []Dish
	Products []Product
	Listings []Listing

	first    string // the language of the business
	house    house
	services *finder
	matters  []matter // of the services
	dishes   *finder
	products *finder
	listings *finder
	courses  *finder // headings of the menu
	shelves  *finder // headings of the products
}

// Service is something that can be booked, or at least asked about.
type Service struct {
	ID          string // as the business wrote it, or its name
	Name        string
	Names       map[string]string // by language
	Duration    time.Duration     // 0: not said
	Buffer      time.Duration
	Price       string // as it is said in the first language of the business, "35 €"; "": not said
	Cost        Price  // the same, to be said in either language
	Aliases     []string
	Bookable    bool // unless the business says otherwise
	Description string
	Capacity    int // how many at once; 0: not said
}

// Say is the name of the service in a language, where there is one.
func (s Service) Say(lang string) string { return cmp.Or(s.Names[lang], s.Name) }

// AllNames are what the service is called, in whatever language: its name first,
// then the others.
func (s Service) AllNames() []string {
	all := []string{s.Name}
	for _, code := range languages() {
		if name := s.Names[code]; name != "" {
			all = append(all, name)
		}
	}
	return all
}

// Match is an entry that a text may mean. Score is 1 for its very name and
// falls towards 0.
type Match[T any] struct {
	Entry      T
	Score      float64
	Start, End int  // bytes of the text that named it; both 0 when none did
	Sure       bool // it is meant, and no other by the same words; told of services only
	Weak       bool // only one word speaks for it, and that is none of its own; told of services only
}

// Reply is what the business's own data say to a question.
type Reply struct {
	Text string // in the language that was asked for
	// Resource is the id of the one person whom the answer is about.
	Resource string
	Topic    string // hours, address, phone, website, services, price, duration, menu, diet, allergens, specials, products, stock, listings, policy, shipping, returns, zones
	Certain  bool   // the question is about just this; otherwise documents may know better
	Gone     bool   // it tells of a listing that cannot be had any more
	All      bool   // it tells of everything there is, for want of anything named
}
