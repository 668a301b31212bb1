package catalogue

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

// FindListings returns the listings that a text may mean: the one whose
// reference it says, or those that have all it asks for: place, operation,
// bedrooms, price, kind, and what they come with.
func (c *Catalogue) FindListings(text, lang string) (all []Match[Listing]) {
	if len(text) > longestQuestion {
		text = strings.ToValidUTF8(text[:longestQuestion], "")
	}
	q := propertyQuestion{&question{c: c, text: text, lang: lang, words: tokens(text, lang), shown: map[topic][]int{}}}
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
func (q propertyQuestion) extent() (start, end int) {
	used := q.clear.list()
	if len(used) == 0 {
		return 0, 0
	}
	return q.words[used[0]].start, q.words[used[len(used)-1]].end
}

// reference finds the listing whose reference the question says, however it is
// split up: "CC-1042", "cc 1042", or "referencia 1042" when no other ends so.
func (q propertyQuestion) reference() (entry, start, end int, ok bool) {
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
func (q propertyQuestion) referenceNumber() (entry, start, end int, ok bool) {
	for k, w := range q.words {
		if !w.number() || len(w.word) < 3 || k == 0 || !wordsOf("reference before")[q.words[k-1].word] {
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

func squeeze(ref string) string {
	var b strings.Builder
	for _, w := range tokens(ref, "") {
		b.WriteString(w.word)
	}
	return b.String()
}

// askReference tells about one listing.
func (q propertyQuestion) askReference() (Reply, bool) {
	i, _, _, ok := q.reference()
	if !ok {
		return Reply{}, false
	}
	l := q.c.Listings[i]
	q.account(reference, property, price, have, address)
	q.said(wordsOf("any property"))
	q.said(wordsOf("size questions"))
	has := false
	for at, w := range q.words {
		if !q.clear.any(at, at+1) && !w.empty() && l.has(w) {
			q.clear.add(at, at+1)
			has = true
		}
	}
	if left := q.rest(); len(left) > 0 && (q.about(have) || features()[left[0].word]) {
		return unsure(property, wording(q.lang, "reference_silent", "ref", l.Ref))
	}
	if has && q.about(have) {
		return q.reply(property, wording(q.lang, "yes")+" "+q.sayListing(l))
	}
	return q.reply(property, q.sayListing(l))
}

// sayListing is all that there is to say of a listing.
func (q propertyQuestion) sayListing(l Listing) string {
	parts := []string{l.Say(q.lang)}
	if l.City != "" {
		parts = append(parts, l.City)
	}
	if l.Roomed && l.Bedrooms > 0 {
		parts = append(parts, q.sayRooms(l.Bedrooms))
	}
	if l.Area > 0 {
		parts = append(parts, wording(q.lang, "area", "area", strconv.Itoa(l.Area)))
	}
	if l.Cost.Said() {
		parts = append(parts, q.sayRate(l))
	}
	answer := wording(q.lang, "reference", "ref", l.Ref, "details", strings.Join(parts, ", "))
	if !l.Available() {
		answer += " " + wording(q.lang, "listing_gone", "status", sayStatus(q.lang, l.Status))
	}
	return answer
}

func (q propertyQuestion) sayRooms(n int) string {
	if n == 1 {
		return wording(q.lang, "one_bedroom")
	}
	return wording(q.lang, "bedrooms", "n", strconv.Itoa(n))
}

// sayRate is the price, by the month where it is rent.
func (q propertyQuestion) sayRate(l Listing) string {
	rate := l.Cost.Say(q.lang)
	if l.Operation == "rent" && l.Cost.Words == "" {
		rate = wording(q.lang, "a_month", "price", rate)
	}
	return rate
}

func sayStatus(lang, status string) string {
	if state, ok := mixed().Value("catalogue states", language.Fold(status)); ok {
		return wording(lang, state)
	}
	return status
}

// askProperty lists what there is for somebody who looks for a home, or says that
// nothing has all of it, and what comes nearest.
func (q propertyQuestion) askProperty() (Reply, bool) {
	if len(q.c.Listings) == 0 || q.says("at_house") || q.says("own_home") {
		return Reply{}, false
	}
	before := q.clear
	s := q.search()
	told := q.about(property) || s.has(byPlace) || len(s.criteria) > 1 && (s.has(byRooms) || s.has(byPrice))
	if !q.looksForHome(s, told) {
		q.clear = before
		return Reply{}, false
	}
	q.account(property, have, price)
	q.said(wordsOf("any property"))
	q.said(wordsOf("rooms"))
	q.said(wordsOf("still had"))
	fit := q.fitting(s)
	if gone, ok := q.gone(s); ok && len(fit) == 0 {
		r, ok := q.reply(property, q.sayListing(gone))
		r.Gone = true
		return r, ok
	}
	if len(fit) == 0 {
		r, ok := q.reply(property, wording(q.lang, "no_listing")+q.sayNearest(s))
		r.Certain = r.Certain && told && !s.elsewhere
		return r, ok
	}
	var names []string
	for _, l := range fit {
		names = append(names, q.sayBriefly(l, !s.has(byPlace)))
	}
	r, ok := q.reply(property, wording(q.lang, "have", "things", enumerate(q.lang, names)))
	r.Certain = r.Certain && told // "do you have a terrace?" may be about the house
	return r, ok
}

// looksForHome says whether a question is for a home: told says that it names one,
// or where and how large it should be.
func (q propertyQuestion) looksForHome(s search, told bool) bool {
	if len(s.criteria) == 0 && !(q.about(property) && q.about(have, price)) {
		return false
	}
	return told || q.about(have, price) && (s.has(byKind) || s.has(byFeature))
}

// gone is the one listing that has all that is looked for and cannot be had any
// more: who asks for it by its place is told so.
func (q propertyQuestion) gone(s search) (Listing, bool) {
	var all []Listing
	for i, l := range q.c.Listings {
		if !l.Available() && !slices.ContainsFunc(s.criteria, func(c criterion) bool { return !c.fits(l, i) }) {
			all = append(all, l)
		}
	}
	if len(all) != 1 || !s.has(byPlace) {
		return Listing{}, false
	}
	return all[0], true
}

// fitting are the listings that have all that is looked for, the cheapest first
// where that was asked for.
func (q propertyQuestion) fitting(s search) (fit []Listing) {
	for i, l := range q.c.Listings {
		if s.fits(l, i) {
			fit = append(fit, l)
		}
	}
	if q.said(wordsOf("cheapest")) {
		slices.SortStableFunc(fit, func(a, b Listing) int { return cmp.Compare(a.Cost.Amount, b.Cost.Amount) })
	}
	return fit
}

// sayNearest names the listings that lack least of what is looked for, with what
// is different about them.
func (q propertyQuestion) sayNearest(s search) string {
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
			name = wording(q.lang, "but", "listing", name, "differences", joinAnd(q.lang, n.differ))
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return ""
	}
	return " " + wording(q.lang, "nearest_listings", "listings", strings.Join(names, "; "))
}

func (q propertyQuestion) sayBriefly(l Listing, place bool) string {
	name := l.Say(q.lang)
	if l.City != "" && place && !strings.Contains(language.Fold(name), language.Fold(l.City)) {
		name = wording(q.lang, "in_place", "thing", name, "place", l.City)
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
