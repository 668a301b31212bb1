package catalogue

import (
	"cmp"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
	"frontdesk.dev/frontdesk/internal/lexicon"
)

// FindListings returns the listings that a text may mean: the one whose
// reference it says, or those that have all it asks for: place, operation,
// bedrooms, price, kind, and what they come with.
func (c *Catalogue) FindListings(text, lang string) (all []Match[Listing]) {
	if len(text) > longestQuestion {
		text = strings.ToValidUTF8(text[:longestQuestion], "")
	}
	q := &question{c: c, text: text, lang: lang, words: tokens(text, lang), shown: map[topic][]int{}}
	if i, start, end, ok := q.reference(); ok {
		return []Match[Listing]{{Entry: c.Listings[i], Score: 1, Start: start, End: end}}
	}
	s := q.search()
	if len(s.criteria) == 0 {
		return nil
	}
	start, end := q.extent()
	for i, l := range c.Listings {
		if s.fits(l, i) {
			all = append(all, Match[Listing]{Entry: l, Score: s.score(), Start: start, End: end})
		}
	}
	slices.SortStableFunc(all, func(a, b Match[Listing]) int { return cmp.Compare(b.Score, a.Score) })
	return all
}

// extent is from the first to the last word that is accounted for.
func (q *question) extent() (start, end int) {
	used := q.clear.list()
	if len(used) == 0 {
		return 0, 0
	}
	return q.words[used[0]].start, q.words[used[len(used)-1]].end
}

// reference finds the listing whose reference the question says, however it is
// split up: "CC-1042", "cc 1042", or "referencia 1042" when no other ends so.
func (q *question) reference() (entry, start, end int, ok bool) {
	for i, l := range q.c.Listings {
		want := squeeze(l.Ref)
		if len(want) < 3 || !strings.ContainsAny(want, "0123456789") {
			continue
		}
		for from := range q.words {
			joined := ""
			for to := from; to < len(q.words) && len(joined) < len(want); to++ {
				joined += q.words[to].word
				if joined == want {
					q.clear.add(from, to+1)
					return i, q.words[from].start, q.words[to].end, true
				}
			}
		}
	}
	return q.referenceNumber()
}

// referenceNumber finds a listing by the figures of its reference alone.
func (q *question) referenceNumber() (entry, start, end int, ok bool) {
	for k, w := range q.words {
		if !w.number() || len(w.word) < 3 || k == 0 || !refWords[q.words[k-1].word] {
			continue
		}
		hits := 0
		for i, l := range q.c.Listings {
			if strings.HasSuffix(squeeze(l.Ref), w.word) {
				entry, hits = i, hits+1
			}
		}
		if hits == 1 {
			q.clear.add(k, k+1)
			return entry, w.start, w.end, true
		}
	}
	return 0, 0, 0, false
}

var refWords = set("referencia ref reference numero number listing anuncio codigo code la el the")

func squeeze(ref string) string {
	var b strings.Builder
	for _, w := range tokens(ref, "") {
		b.WriteString(w.word)
	}
	return b.String()
}

// askReference tells about one listing.
func (q *question) askReference() (Reply, bool) {
	i, _, _, ok := q.reference()
	if !ok {
		return Reply{}, false
	}
	l := q.c.Listings[i]
	q.account(reference, property, price, have, address)
	q.said(kinds)
	q.said(set("dormitorios habitaciones bedrooms rooms metros m2 size big grande"))
	has := false
	for at, w := range q.words {
		if !q.clear.any(at, at+1) && !w.empty() && l.has(w) {
			q.clear.add(at, at+1)
			has = true
		}
	}
	if left := q.rest(); len(left) > 0 && (q.about(have) || features()[left[0].word]) {
		return q.unsure(property, sayf(q.lang, "En los datos de la referencia %s no consta eso.", "The details of reference %s don't say.", l.Ref))
	}
	if has && q.about(have) {
		return q.reply(property, say(q.lang, "Sí. ", "Yes. ")+q.sayListing(l))
	}
	return q.reply(property, q.sayListing(l))
}

// sayListing is all that there is to say of a listing.
func (q *question) sayListing(l Listing) string {
	parts := []string{l.Say(q.lang)}
	if l.City != "" {
		parts = append(parts, l.City)
	}
	if l.Roomed && l.Bedrooms > 0 {
		parts = append(parts, q.sayRooms(l.Bedrooms))
	}
	if l.Area > 0 {
		parts = append(parts, sayf(q.lang, "%d m²", "%d m²", l.Area))
	}
	if l.Cost.Said() {
		parts = append(parts, q.sayRate(l))
	}
	answer := sayf(q.lang, "Referencia %s: %s.", "Reference %s: %s.", l.Ref, strings.Join(parts, ", "))
	if !l.Available() {
		answer += sayf(q.lang, " Ahora no está disponible (%s).", " It isn't available at the moment (%s).", sayStatus(q.lang, l.Status))
	}
	return answer
}

func (q *question) sayRooms(n int) string {
	if n == 1 {
		return say(q.lang, "1 dormitorio", "1 bedroom")
	}
	return sayf(q.lang, "%d dormitorios", "%d bedrooms", n)
}

// sayRate is the price, by the month where it is rent.
func (q *question) sayRate(l Listing) string {
	rate := l.Cost.Say(q.lang)
	if l.Operation == "rent" && l.Cost.Words == "" {
		rate += say(q.lang, " al mes", " a month")
	}
	return rate
}

func sayStatus(lang, status string) string {
	switch lexicon.Fold(status) {
	case "reserved", "reservado", "reservada":
		return say(lang, "reservado", "reserved")
	case "sold", "vendido", "vendida":
		return say(lang, "vendido", "sold")
	case "rented", "let", "alquilado", "alquilada":
		return say(lang, "alquilado", "rented")
	}
	return status
}

// askProperty lists what there is for somebody who looks for a home, or says that
// nothing has all of it, and what comes nearest.
func (q *question) askProperty() (Reply, bool) {
	if len(q.c.Listings) == 0 || q.says("at_house") {
		return Reply{}, false
	}
	before := q.clear
	s := q.search()
	told := q.about(property) || s.has(byPlace) || len(s.criteria) > 1 && (s.has(byRooms) || s.has(byPrice))
	switch asks := told || q.about(have, price); {
	case !asks,
		len(s.criteria) == 0 && !(q.about(property) && q.about(have, price)),
		!told && !s.has(byKind) && !s.has(byFeature):
		q.clear = before
		return Reply{}, false
	}
	q.account(property, have, price)
	q.said(kinds)
	q.said(roomWords)
	fit := q.fitting(s)
	if len(fit) == 0 {
		r, ok := q.reply(property, say(q.lang, "Ahora mismo no tenemos nada disponible con esas características.", "We have nothing like that available at the moment.")+q.sayNearest(s))
		r.Certain = r.Certain && told && !s.elsewhere
		return r, ok
	}
	var names []string
	for _, l := range fit {
		names = append(names, q.sayBriefly(l, !s.has(byPlace)))
	}
	r, ok := q.reply(property, sayf(q.lang, "Tenemos %s.", "We have %s.", enumerate(q.lang, names)))
	r.Certain = r.Certain && told // "do you have a terrace?" may be about the house
	return r, ok
}

// fitting are the listings that have all that is looked for, the cheapest first
// where that was asked for.
func (q *question) fitting(s search) (fit []Listing) {
	for i, l := range q.c.Listings {
		if s.fits(l, i) {
			fit = append(fit, l)
		}
	}
	if q.said(language.MixOf().Words("cheapest")) {
		slices.SortStableFunc(fit, func(a, b Listing) int { return cmp.Compare(a.Cost.Amount, b.Cost.Amount) })
	}
	return fit
}

// sayNearest names the listings that lack least of what is looked for, with what
// is different about them.
func (q *question) sayNearest(s search) string {
	const most, tooFar = 2, 3.5
	type near struct {
		l      Listing
		misses float64
		differ []string
	}
	var all []near
	for i, l := range q.c.Listings {
		if !l.Available() {
			continue
		}
		n := near{l: l}
		for _, c := range s.criteria {
			if !c.fits(l, i) {
				n.misses += c.weight
				if c.differs != nil {
					n.differ = append(n.differ, c.differs(l))
				}
			}
		}
		if n.misses < tooFar && n.misses < s.weight() {
			all = append(all, n)
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(a.misses, b.misses) })
	var names []string
	for _, n := range all[:min(most, len(all))] {
		name := q.sayBriefly(n.l, true)
		if len(n.differ) > 0 {
			name += say(q.lang, ", pero ", ", but ") + joinAnd(q.lang, n.differ)
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return ""
	}
	return sayf(q.lang, " Lo más parecido: %s.", " The nearest: %s.", strings.Join(names, "; "))
}

func (q *question) sayBriefly(l Listing, place bool) string {
	name := l.Say(q.lang)
	if l.City != "" && place {
		name += say(q.lang, " en ", " in ") + l.City
	}
	var parts []string
	if l.Cost.Said() {
		parts = append(parts, q.sayRate(l))
	}
	if l.Ref != "" {
		parts = append(parts, "ref. "+l.Ref)
	}
	if len(parts) == 0 {
		return name
	}
	return name + " (" + strings.Join(parts, ", ") + ")"
}
