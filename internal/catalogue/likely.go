package catalogue

import (
	"cmp"
	"slices"
)

// General are the services for whatever there is, that can be booked: a check, a
// diagnosis, a first visit. A check of something is none of them.
func (c *Catalogue) General() (all []Service) {
	for _, s := range c.Services {
		if s.Bookable && slices.ContainsFunc(append(s.AllNames(), s.Aliases...), c.isGeneral) {
			all = append(all, s)
		}
	}
	return all
}

// isGeneral says whether a name tells of a look at something, and not at what.
func (c *Catalogue) isGeneral(name string) bool {
	looks := false
	for _, w := range tokens(name, "") {
		switch {
		case wordsOf("general")[w.word]:
			looks = true
		case !w.grammar() && !c.house.own[w.word] && !wordsOf("general beside")[w.word]:
			return false
		}
	}
	return looks
}

// First are the services for who comes for the first time.
func (c *Catalogue) First() (all []Service) {
	for _, s := range c.Services {
		first := func(name string) bool {
			words := tokens(name, "")
			return !slices.ContainsFunc(words, func(w token) bool { return audience()[w.word] }) &&
				slices.ContainsFunc(words, func(w token) bool { return wordsOf("first time")[w.word] })
		}
		if s.Bookable && slices.ContainsFunc(append(s.AllNames(), s.Aliases...), first) {
			all = append(all, s)
		}
	}
	return all
}

// fewestSigns is how much must speak for a service that was not named to ask about it.
const fewestSigns = 0.5

// Likely are the services that what was told speaks for, however little, and that can
// be booked: the likeliest first.
func (c *Catalogue) Likely(text, lang string) (all []Service) {
	words, named := c.named(text, lang)
	signs, _ := c.signs(words, named)
	for _, m := range named {
		signs[m.entry] += 1 + m.score
	}
	for i, s := range c.Services {
		if sharesTalk(words, s) {
			signs[i] += fewestSigns
		}
	}
	var at []int
	for i, sum := range signs {
		if sum >= fewestSigns && c.Services[i].Bookable {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(signs[b], signs[a]) })
	for _, i := range at {
		all = append(all, c.Services[i])
	}
	return all
}

// sharesTalk says whether a word of the talk of booking was said that is part of the
// name of a service: the service of "a full service".
func sharesTalk(words []token, s Service) bool {
	for _, name := range s.AllNames() {
		for _, n := range tokens(name, "") {
			if talk()[n.word] && slices.ContainsFunc(words, func(w token) bool { return w.word == n.word }) {
				return true
			}
		}
	}
	return false
}

// Bundle is the service that is two others in one, by its name: "cut and beard" for
// a cut and a beard trim.
func (c *Catalogue) Bundle(a, b Service) (Service, bool) {
	names := []string{a.Name, b.Name}
	for _, m := range c.services.find(tokens(a.Name+", "+b.Name, "")) {
		if s := c.Services[m.entry]; m.full && s.ID != a.ID && s.ID != b.ID && spansAll(m, names) {
			return s, true
		}
	}
	return Service{}, false
}
