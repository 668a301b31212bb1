package catalogue

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/lexicon"
)

// search is what a caller looks for in the listings.
type search struct {
	operation string
	city      string
	rooms     int
	atLeast   bool // rooms or more
	asked     bool // rooms were said
	low, high float64
	area      float64 // at least
}

// FindListings returns the listings that a text may mean: the one whose
// reference it says, or those that have all it asks for: city, operation,
// bedrooms, price, kind.
func (c *Catalogue) FindListings(text, lang string) (all []Match[Listing]) {
	if len(text) > longestQuestion {
		text = strings.ToValidUTF8(text[:longestQuestion], "")
	}
	q := &question{c: c, text: text, lang: lang, words: tokens(text, lang), shown: map[topic][]int{}}
	if i, start, end, ok := q.reference(); ok {
		return []Match[Listing]{{Entry: c.Listings[i], Score: 1, Start: start, End: end}}
	}
	s, fit := q.search()
	if s == (search{}) && len(fit) == 0 {
		return nil
	}
	for i, l := range c.Listings {
		if score := s.score(l, fit, i); score > 0 {
			start, end := q.extent()
			all = append(all, Match[Listing]{Entry: l, Score: score, Start: start, End: end})
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

var (
	rentWords = []pattern{newPattern("alquil*"), newPattern("arrend*"), newPattern("rent"), newPattern("rental*"), newPattern("renting"), newPattern("to let"), newPattern("al mes"), newPattern("a month"), newPattern("per month"), newPattern("monthly"), newPattern("lease")}
	saleWords = []pattern{newPattern("compr*"), newPattern("venta"), newPattern("en venta"), newPattern("vend*"), newPattern("buy"), newPattern("buying"), newPattern("purchase"), newPattern("sale"), newPattern("for sale")}
	roomWords = set("dormitorio dormitorios habitacion habitaciones cuarto cuartos recamara recamaras hab dorm bedroom bedrooms bed beds room rooms bedroomed")
	areaWords = set("m2 metros metro m meters metres sqm cuadrados square")
	belowText = phrases("menos de, hasta, por debajo de, maximo, como mucho, no mas de, under, below, up to, less than, max, maximum, at most, cheaper than, inferior a, por menos de, within, budget, presupuesto")
	aboveText = phrases("mas de, a partir de, desde, por encima de, minimo, over, above, more than, at least, from, al menos, min")
	below     = patternsOf(belowText)
	above     = patternsOf(aboveText)
	// kinds are words for any property: they tell no listing from another.
	kinds = set(`vivienda viviendas inmueble inmuebles propiedad propiedades anuncio anuncios property properties listing listings place places home homes
oferta ofertas options opciones something algo inmobiliaria catalogo referencia ref reference euros euro eur alquiler alquilar alquilan comprar venta venden rent buy sale let mes month looking busco buscando buscar
zona area available disponible disponibles tienen teneis tiene hay have got any up max maximo maximum budget presupuesto under below less around`)
)

func patternsOf(list []string) (all []pattern) {
	for _, one := range list {
		all = append(all, newPattern(one))
	}
	return all
}

// search reads what is looked for, and which titles have the words that are
// left over.
func (q *question) search() (s search, fit map[int]float64) {
	if len(q.c.Listings) == 0 {
		return s, nil
	}
	switch rent, sale := q.sees(rentWords), q.sees(saleWords); {
	case rent && !sale:
		s.operation = "rent"
	case sale && !rent:
		s.operation = "sale"
	}
	q.readCity(&s)
	q.readRooms(&s)
	q.readAmounts(&s)
	return s, q.readTitles()
}

func (q *question) readCity(s *search) {
	for _, l := range q.c.Listings {
		name := tokens(l.City, "")
		if len(name) == 0 {
			continue
		}
		for i := range q.words {
			if i+len(name) <= len(q.words) && sameWords(q.words[i:i+len(name)], name) {
				s.city = l.City
				q.clear.add(i, i+len(name))
				return
			}
		}
	}
}

// sameWords compares two runs of words and lets a misspelling pass.
func sameWords(a, b []token) bool {
	for i := range a {
		most := slips(len(b[i].word))
		if a[i].word != b[i].word && (most == 0 || a[i].known() || lexicon.Distance(a[i].word, b[i].word) > most) {
			return false
		}
	}
	return true
}

func (q *question) readRooms(s *search) {
	for i, w := range q.words {
		if !roomWords[w.word] || i == 0 {
			continue
		}
		n, ok := count(q.words[i-1])
		if !ok || n > 20 {
			continue
		}
		s.rooms, s.asked = n, true
		q.clear.add(i-1, i+1)
		for _, p := range above {
			for from := max(0, i-4); from < i; from++ {
				if used := p.at(q.words[:i], from); used != nil {
					s.atLeast = true
					q.mark(used)
				}
			}
		}
		if i+2 < len(q.words) && (q.words[i+1].word == "o" || q.words[i+1].word == "or") && (q.words[i+2].word == "mas" || q.words[i+2].word == "more") {
			s.atLeast = true
		}
	}
}

// count reads a small number, in figures or in words.
func count(w token) (int, bool) {
	switch w.word {
	case "un", "una", "uno", "one", "single", "1":
		return 1, true
	}
	word := w.word
	for _, lang := range languages {
		if n := lexicon.Numbers(lang, word); len(n) > 0 {
			word = n[0]
		}
	}
	n := 0
	for _, r := range word {
		if r < '0' || r > '9' || n > 1000 {
			return 0, false
		}
		n = n*10 + int(r-'0')
	}
	return n, word != ""
}

// readAmounts reads the bounds of price and area.
func (q *question) readAmounts(s *search) {
	for i := 0; i < len(q.words); i++ {
		if q.clear.any(i, i+1) {
			continue
		}
		n, used, ok := q.amountIn(i)
		if !ok {
			continue
		}
		if i+used < len(q.words) && areaWords[q.words[i+used].word] || strings.HasSuffix(q.words[i].word, "m2") {
			s.area = n
			q.clear.add(i, min(len(q.words), i+used+1))
			continue
		}
		if n < 50 {
			continue
		}
		switch {
		case q.leadsTo(below, i):
			s.high = n
		case q.leadsTo(above, i):
			s.low = n
		case i > 1 && (q.words[i-1].word == "y" || q.words[i-1].word == "and") && s.high == 0 && s.low > 0:
			s.high = n
		case i > 0 && (q.words[i-1].word == "entre" || q.words[i-1].word == "between"):
			s.low = n
		case i > 0 && slices.Contains([]string{"por", "for", "de", "a", "unos", "around", "about"}, q.words[i-1].word):
			s.high = n * 1.1 // "for 900": thereabouts
		default:
			continue
		}
		q.clear.add(i, i+used)
		i += used - 1
	}
}

// leadsTo says whether one of the patterns ends right before a word.
func (q *question) leadsTo(patterns []pattern, i int) bool {
	for _, p := range patterns {
		from := i - len(p)
		if from < 0 {
			continue
		}
		if used := p.at(q.words[:i], from); used != nil {
			q.mark(used)
			return true
		}
	}
	return false
}

// readTitles finds the listings whose titles have the words that are left:
// kinds of property and what is special about them. It is nil when no word is
// left that any title has.
func (q *question) readTitles() (fit map[int]float64) {
	for i, w := range q.words {
		if q.clear.any(i, i+1) || kinds[w.word] || w.grammar() || w.number() {
			continue
		}
		hits := map[int]float64{}
		for _, m := range q.c.listings.findAny(q.words[i : i+1]) {
			hits[m] = 1
		}
		if len(hits) == 0 {
			continue
		}
		q.clear.add(i, i+1)
		if fit == nil {
			fit = hits
			continue
		}
		for k := range fit {
			if hits[k] == 0 {
				delete(fit, k)
			}
		}
	}
	return fit
}

// findAny are the entries that one of the words stands in, however little it
// says of them.
func (f *finder) findAny(words []token) (entries []int) {
	if f == nil {
		return nil
	}
	for i := range words {
		f.sight(words, i, func(p place, _, _ int) {
			if e := f.labels[p.label].entry; !slices.Contains(entries, e) {
				entries = append(entries, e)
			}
		})
	}
	return entries
}

// score is how well a listing fits; 0: it does not.
func (s search) score(l Listing, fit map[int]float64, at int) float64 {
	switch {
	case !l.Available(),
		s.operation != "" && l.Operation != s.operation,
		s.city != "" && lexicon.Fold(l.City) != lexicon.Fold(s.city),
		s.asked && (!l.Roomed || l.Bedrooms < s.rooms || l.Bedrooms > s.rooms && !s.atLeast),
		s.high > 0 && (!l.Cost.Said() || l.Cost.Amount > s.high),
		s.low > 0 && l.Cost.Amount < s.low,
		s.area > 0 && float64(l.Area) < s.area,
		fit != nil && fit[at] == 0:
		return 0
	}
	given := 0
	for _, is := range []bool{s.operation != "", s.city != "", s.asked, s.high+s.low > 0, s.area > 0, fit != nil} {
		if is {
			given++
		}
	}
	return min(1, 0.4+0.15*float64(given))
}

// askReference tells about one listing.
func (q *question) askReference() (Reply, bool) {
	i, _, _, ok := q.reference()
	if !ok {
		return Reply{}, false
	}
	q.account(reference, property, price, have, address)
	q.said(kinds)
	q.said(set("dormitorios habitaciones bedrooms rooms metros m2 size big grande"))
	return q.reply(property, q.sayListing(q.c.Listings[i]))
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

// askProperty lists what there is for somebody who looks for a home.
func (q *question) askProperty() (Reply, bool) {
	if len(q.c.Listings) == 0 || !q.about(property, have, price) {
		return Reply{}, false
	}
	before := q.clear
	s, fit := q.search()
	plain := s == (search{}) && fit == nil
	if plain && !(q.about(property) && q.about(have, price)) || !q.about(property) && s.city == "" && fit == nil {
		q.clear = before
		return Reply{}, false
	}
	told := q.about(property) || s.city != ""
	var names []string
	for i, l := range q.c.Listings {
		if s.score(l, fit, i) > 0 {
			names = append(names, q.sayBriefly(l, s))
		}
	}
	q.account(property, have, price)
	q.said(kinds)
	q.said(roomWords)
	if len(names) == 0 {
		return q.reply(property, say(q.lang, "Ahora mismo no tenemos nada disponible con esas características.", "We have nothing like that available at the moment."))
	}
	r, ok := q.reply(property, sayf(q.lang, "Tenemos %s.", "We have %s.", enumerate(q.lang, names)))
	r.Certain = told // "do you have a terrace?" may be about the house
	return r, ok
}

func (q *question) sayBriefly(l Listing, s search) string {
	name := l.Say(q.lang)
	if l.City != "" && s.city == "" {
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

// amountIn reads an amount of money or of metres: "900", "1.200", "200k",
// "200 mil".
func (q *question) amountIn(i int) (n float64, used int, ok bool) {
	word := q.words[i].word
	factor := 1.0
	for _, k := range []string{"k", "m2", "eur", "e"} {
		if rest, cut := strings.CutSuffix(word, k); cut && rest != "" && rest[len(rest)-1] <= '9' {
			word = rest
			if k == "k" {
				factor = 1000
			}
		}
	}
	if w := (token{word: word}); word == "" || !w.number() {
		spelled := append(lexicon.Numbers(lexicon.Spanish, word), lexicon.Numbers(lexicon.English, word)...)
		if len(spelled) == 0 {
			return 0, 0, false
		}
		word = spelled[0]
	}
	n, ok = readAmount(word)
	used = 1
	if i+1 < len(q.words) {
		switch q.words[i+1].word {
		case "mil", "thousand", "k":
			factor, used = 1000, 2
		case "millon", "millones", "million":
			factor, used = 1e6, 2
		case "cientos", "hundred":
			factor, used = 100, 2
		}
	}
	return n * factor, used, ok && !math.IsInf(n, 0)
}
