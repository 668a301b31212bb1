package catalogue

import (
	"slices"
	"strconv"
	"strings"

	"frontdesk.dev/frontdesk/internal/language"
)

// criterion is one thing that a listing should have.
type criterion struct {
	by      aspect
	weight  float64 // how much it counts when it is not met
	fits    func(l Listing, at int) bool
	differs func(l Listing) string // what a listing that does not fit is like; nil: its name says it
}

// aspect is what a criterion is about.
type aspect int

const (
	byOperation aspect = iota
	byPlace
	byRooms
	byPrice
	byArea
	byKind
	byFeature
)

// search is what a caller looks for in the listings.
type search struct {
	criteria  []criterion
	elsewhere bool // in a place that no listing is in
}

func (s search) has(by aspect) bool {
	return slices.ContainsFunc(s.criteria, func(c criterion) bool { return c.by == by })
}

func (s search) fits(l Listing, at int) bool {
	return l.Available() && !slices.ContainsFunc(s.criteria, func(c criterion) bool { return !c.fits(l, at) })
}

func (s search) score() float64 { return min(1, 0.4+0.15*float64(len(s.criteria))) }

func (s search) weight() (sum float64) {
	for _, c := range s.criteria {
		sum += c.weight
	}
	return sum
}

// search reads what is looked for.
func (q propertyQuestion) search() (s search) {
	if len(q.c.Listings) == 0 {
		return s
	}
	q.readOperation(&s)
	q.readPlace(&s)
	q.readRooms(&s)
	q.readBounds(&s)
	q.readFeatures(&s)
	q.readElsewhere(&s)
	return s
}

func (q propertyQuestion) readOperation(s *search) {
	operation := ""
	switch rent, sale := q.sees(expressions("expressions rent")), q.sees(expressions("expressions sale")); {
	case rent && !sale:
		operation = "rent"
	case sale && !rent:
		operation = "sale"
	default:
		return
	}
	s.criteria = append(s.criteria, criterion{
		by: byOperation, weight: 2,
		fits: func(l Listing, _ int) bool { return l.Operation == operation },
		differs: func(l Listing) string {
			if l.Operation == "rent" {
				return wording(q.lang, "to_rent")
			}
			return wording(q.lang, "for_sale")
		},
	})
}

// readPlace reads the towns and quarters that are named; any of several will do.
func (q propertyQuestion) readPlace(s *search) {
	named := map[string]bool{}
	for _, l := range q.c.Listings {
		for _, place := range []string{l.City, l.Zone} {
			if q.namesPlace(place) {
				named[language.Fold(place)] = true
			}
		}
	}
	if len(named) > 0 {
		s.criteria = append(s.criteria, criterion{by: byPlace, weight: 2, fits: func(l Listing, _ int) bool {
			return named[language.Fold(l.City)] || named[language.Fold(l.Zone)]
		}})
	}
}

func (q propertyQuestion) namesPlace(place string) bool {
	name := tokens(place, "")
	for i := range q.words {
		if len(name) > 0 && i+len(name) <= len(q.words) && sameWords(q.words[i:i+len(name)], name) {
			q.clear.add(i, i+len(name))
			return true
		}
	}
	return false
}

// readElsewhere reads a place that no listing is in: a name behind "in" that is
// left over.
func (q propertyQuestion) readElsewhere(s *search) {
	in := wordsOf("in")
	for i := 1; i < len(q.words); i++ {
		w := q.words[i]
		if !in[q.words[i-1].word] || q.clear.any(i, i+1) || w.empty() || w.number() || w.known() || wordsOf("any property")[w.word] {
			continue
		}
		s.elsewhere = true
		s.criteria = append(s.criteria, criterion{by: byPlace, weight: 2, fits: func(Listing, int) bool { return false }})
		return
	}
}

// sameWords compares two runs of words and lets a misspelling pass.
func sameWords(a, b []token) bool {
	for i := range a {
		most := slips(len(b[i].word))
		if a[i].word != b[i].word && (most == 0 || a[i].known() || language.Distance(a[i].word, b[i].word) > most) {
			return false
		}
	}
	return true
}

// readRooms reads how many bedrooms are wanted: "two or three", "at least two",
// "two or more".
func (q propertyQuestion) readRooms(s *search) {
	var rooms []int
	atLeast := false
	for i, w := range q.words {
		if !wordsOf("rooms")[w.word] || i == 0 {
			continue
		}
		some, from := q.countsBefore(i)
		if len(some) == 0 {
			continue
		}
		rooms = append(rooms, some...)
		q.clear.add(from, i+1)
		atLeast = atLeast || q.orMore(from, i)
	}
	if len(rooms) == 0 {
		return
	}
	s.criteria = append(s.criteria, criterion{
		by: byRooms, weight: 1,
		fits: func(l Listing, _ int) bool {
			return l.Roomed && (slices.Contains(rooms, l.Bedrooms) || atLeast && l.Bedrooms > slices.Min(rooms))
		},
		differs: func(l Listing) string {
			if !l.Roomed || l.Bedrooms == 0 {
				return wording(q.lang, "no_rooms_given")
			}
			return wording(q.lang, "with_rooms", "rooms", q.sayRooms(l.Bedrooms))
		},
	})
}

// countsBefore are the numbers right before a word: "two or three", "2-3".
func (q propertyQuestion) countsBefore(i int) (all []int, from int) {
	or := wordsOf("or")
	for at := i - 1; at >= 0; at-- {
		n, ok := count(q.words[at])
		if !ok || n > 20 {
			break
		}
		all, from = append(all, n), at
		if at > 1 && or[q.words[at-1].word] {
			at--
		} else if at < 1 || !q.words[at-1].hyphen {
			break
		}
	}
	return all, from
}

// orMore says whether a number of rooms is the least.
func (q propertyQuestion) orMore(from, at int) (more bool) {
	for _, p := range expressions("expressions above") {
		for k := max(0, from-3); k < from; k++ {
			if used := p.at(q.words[:at], k); used != nil {
				more = true
				q.mark(used)
			}
		}
	}
	for k := max(0, at-1); k <= at+1 && k+1 < len(q.words); k++ {
		if wordsOf("or")[q.words[k].word] && wordsOf("more")[q.words[k+1].word] {
			q.clear.add(k, k+2)
			more = true
		}
	}
	return more
}

// count reads a small number, in figures or in words.
func count(w token) (int, bool) {
	if wordsOf("one")[w.word] {
		return 1, true
	}
	word := w.word
	if n := numbers(word); len(n) > 0 {
		word = n[0]
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

// priceOfRents is how many months' rent a price must be to be that of a sale.
const priceOfRents = 20

// bounds are the price and the area that are looked for; 0: none.
type bounds struct{ low, high, area float64 }

func (q propertyQuestion) readBounds(s *search) {
	b := q.readAmounts()
	operation := s.has(byOperation)
	let := func(l Listing) bool { return l.Operation == "rent" && b.high > priceOfRents*l.Cost.Amount }
	if b.low > 0 || b.high > 0 {
		s.criteria = append(s.criteria, criterion{
			by: byPrice, weight: 1,
			fits: func(l Listing, _ int) bool {
				return !(let(l) && !operation) && l.Cost.Said() && l.Cost.Amount >= b.low && (b.high == 0 || l.Cost.Amount <= b.high)
			},
			differs: func(l Listing) string {
				if let(l) && !operation {
					return wording(q.lang, "to_rent")
				}
				if l.Cost.Amount < b.low {
					return wording(q.lang, "below_price")
				}
				return wording(q.lang, "above_price")
			},
		})
	}
	if b.area > 0 {
		s.criteria = append(s.criteria, criterion{
			by: byArea, weight: 1,
			fits:    func(l Listing, _ int) bool { return float64(l.Area) >= b.area },
			differs: func(l Listing) string { return wording(q.lang, "of_area", "area", strconv.Itoa(l.Area)) },
		})
	}
}

// readAmounts reads the bounds of price and area.
func (q propertyQuestion) readAmounts() (b bounds) {
	for i := 0; i < len(q.words); i++ {
		if q.clear.any(i, i+1) {
			continue
		}
		n, used, ok := amountIn(q.words, i)
		if !ok {
			continue
		}
		if i+used < len(q.words) && wordsOf("metres")[q.words[i+used].word] || strings.HasSuffix(q.words[i].word, "m2") {
			b.area = n
			q.clear.add(i, min(len(q.words), i+used+1))
			continue
		}
		if n < 50 {
			continue
		}
		switch {
		case q.leadsTo(expressions("expressions below"), i):
			b.high = n
		case q.leadsTo(expressions("expressions above"), i):
			b.low = n
		case i > 1 && wordsOf("and")[q.words[i-1].word] && b.high == 0 && b.low > 0:
			b.high = n
		case i > 0 && wordsOf("between")[q.words[i-1].word]:
			b.low = n
		case i > 0 && wordsOf("around")[q.words[i-1].word]:
			b.low, b.high = n*0.85, n*1.15
		case i > 0 && wordsOf("amount before")[q.words[i-1].word]:
			b.high = n * 1.1 // "for 900": thereabouts
		default:
			continue
		}
		q.clear.add(i, i+used)
		i += used - 1
	}
	return b
}

// leadsTo says whether one of the patterns ends right before a word.
func (q propertyQuestion) leadsTo(patterns []pattern, i int) bool {
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

// readFeatures reads kinds of property and what they come with, in whatever part
// of a listing that stands. What is known to be a feature counts also where no
// listing has it.
func (q propertyQuestion) readFeatures(s *search) {
	q.said(wordsOf("near"))
	for i, w := range q.words {
		if q.clear.any(i, i+1) || wordsOf("any property")[w.word] || w.grammar() || w.number() || w.manners {
			continue
		}
		if w.empty() && !features()[w.word] && !slices.Contains(q.shown[property], i) {
			continue
		}
		hits := q.c.listings.findAny(q.words[i : i+1])
		for at, l := range q.c.Listings {
			if l.has(w) && !slices.Contains(hits, at) {
				hits = append(hits, at)
			}
		}
		kind := slices.Contains(q.shown[property], i)
		if len(hits) == 0 && !features()[w.word] && !kind {
			continue
		}
		q.clear.add(i, i+1)
		said := q.text[w.start:w.end]
		c := criterion{by: byFeature, weight: 1, fits: func(_ Listing, at int) bool { return slices.Contains(hits, at) }}
		c.differs = func(Listing) string {
			return wording(q.lang, "no_mention", "feature", said)
		}
		if kind {
			c.by, c.weight, c.differs = byKind, 1.5, nil
		}
		s.criteria = append(s.criteria, c)
	}
}

// features are what properties come with, as callers ask for it.
func features() language.Set { return wordsOf("features") }

// has says whether a listing says of itself that it has something.
func (l Listing) has(w token) bool {
	return slices.ContainsFunc(l.facts, func(p passage) bool { return p.says(w) })
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

// amountIn reads an amount of money or of metres: "900", "1.200", "200k",
// "200 mil", "mil doscientos", "two hundred and fifty thousand".
func amountIn(words []token, i int) (n float64, used int, ok bool) {
	word := words[i].word
	factor := 1.0
	for _, k := range []string{"k", "m2", "eur", "e"} {
		if rest, cut := strings.CutSuffix(word, k); cut && rest != "" && rest[len(rest)-1] <= '9' {
			word = rest
			if k == "k" {
				factor = 1000
			}
		}
	}
	n, ok = valueOf(word)
	if !ok {
		return 0, 0, false
	}
	n *= factor
	figures := words[i].number()
	for used = 1; i+used < len(words); used++ {
		next := words[i+used].word
		v, isNumber := valueOf(next)
		switch {
		case wordsOf("thousand")[next]:
			n *= 1000
		case wordsOf("million")[next]:
			n *= 1e6
		case wordsOf("hundred")[next]:
			n *= 100
		case !figures && isNumber && v < n && !words[i+used].number():
			n += v
		case !figures && wordsOf("and")[next] && i+used+1 < len(words) && n >= 20 && smaller(words[i+used+1], n):
		default:
			return n, used, n < 1e12
		}
	}
	return n, used, n < 1e12
}

// smaller says whether a word is a number that goes on a bigger one.
func smaller(w token, n float64) bool {
	v, ok := valueOf(w.word)
	return ok && !w.number() && v < n && v < 100
}

// valueOf is the number that a word is, in figures or in words.
func valueOf(word string) (float64, bool) {
	switch {
	case word == "":
		return 0, false
	case word[0] >= '0' && word[0] <= '9':
		return readAmount(word)
	case wordsOf("thousand")[word] && len(word) > 1:
		return 1000, true
	}
	for _, section := range []string{"cardinals", "catalogue hundreds"} {
		if value, ok := mixed().Value(section, word); ok {
			n, err := strconv.ParseFloat(value, 64)
			return n, err == nil
		}
	}
	if same := numbers(word); len(same) > 0 {
		return readAmount(same[0])
	}
	return 0, false
}
