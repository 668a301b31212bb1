package answer

import (
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/catalogue"
)

// match is a service that a question may mean.
type match = catalogue.Match[catalogue.Service]

// priced is the service whose price or length was asked last.
func (q *Inquiry) priced() (catalogue.Service, bool) {
	if q.Topic != "price" && q.Topic != "duration" {
		return catalogue.Service{}, false
	}
	return q.service(q.Priced)
}

// service is the one with an id.
func (src *Sources) service(id string) (catalogue.Service, bool) {
	at := slices.IndexFunc(src.Catalogue.Services, func(s catalogue.Service) bool { return s.ID == id })
	if at < 0 {
		return catalogue.Service{}, false
	}
	return src.Catalogue.Services[at], true
}

// called is all that a service is called.
func called(s catalogue.Service) string {
	return strings.Join(slices.Concat(s.AllNames(), s.Aliases), " ")
}

// namesAny says whether a question names a service.
func (q *Inquiry) namesAny(question string) bool {
	return slices.ContainsFunc(q.Catalogue.FindServices(question, q.Lang), func(m match) bool { return m.Score >= namedMatch })
}

// names says whether a text names a service.
func (q *Inquiry) names(text string, s catalogue.Service) bool {
	return slices.ContainsFunc(q.Catalogue.FindServices(text, q.Lang), func(m match) bool {
		return m.Entry.ID == s.ID && m.Score >= ClearMatch
	})
}

// namesOther says whether a question clearly names another service than one.
func (q *Inquiry) namesOther(question, id string) bool {
	return slices.ContainsFunc(q.Catalogue.FindServices(question, q.Lang), func(m match) bool {
		return m.Entry.ID != id && m.Score >= ClearMatch
	})
}

// MayName says whether a text may name another service than this.
func (q *Inquiry) MayName(text, id string) bool {
	return slices.ContainsFunc(q.Catalogue.FindServices(text, q.Lang), func(m match) bool {
		return m.Entry.ID != id && m.Score >= alikeMatch
	})
}

// Named is the id of the one service that a text is about; "" when there is none.
func (q *Inquiry) Named(text string) string {
	found := q.Catalogue.FindServices(text, q.Lang)
	if len(found) == 0 || found[0].Score < namedMatch || len(found) > 1 && found[1].Score >= found[0].Score || !found[0].Entry.Bookable && len(q.Catalogue.Listings) > 0 {
		return ""
	}
	return found[0].Entry.ID
}
