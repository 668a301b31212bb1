package catalogue

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// sighting is a place that words of the text point at.
type sighting struct {
	place
	from, to int // tokens, to excluded
}

// claim is how well a text names an entry by one of its labels.
type claim struct {
	words    tokenSet
	full     bool
	head     bool
	core     bool
	cover    float64 // of the label's weight, 0 to 1
	strength float64
	vague    bool // it was named in full, by words that say little
	aside    bool // only said beside other things
}

// vaguely is how sure a name is that is all of words that say little.
const vaguely = 0.85

func (c claim) better(o claim) bool {
	if c.aside != o.aside && o.strength > 0 {
		return o.aside
	}
	if c.full != o.full {
		return c.full
	}
	if c.full && c.words.size() != o.words.size() {
		return c.words.size() > o.words.size()
	}
	return c.cover*c.strength > o.cover*o.strength
}

// weigh adds up what a text says of a label. It is nothing when only words that
// say little were said, or those that say something only by themselves among
// other words that tell. others counts the telling words of the text.
func (l label) weigh(seen []sighting, others func(tokenSet) int) (c claim, ok bool) {
	slices.SortFunc(seen, stronger)
	var got, literal uint32
	var sum, of, total float64
	var single tokenSet // one word stands for one unit
	for _, s := range seen {
		fresh := s.units &^ got
		alone := s.to == s.from+1
		if fresh == 0 || alone && single.any(s.from, s.to) {
			continue
		}
		if alone {
			single.add(s.from, s.to)
		}
		got |= fresh
		if s.strength == exact {
			literal |= fresh
		}
		c.words.add(s.from, s.to)
		sum += l.weightOf(fresh) * s.strength
		of += l.weightOf(fresh)
	}
	for _, s := range seen {
		if c.words.any(max(0, s.from-2), min(mostTokens, s.to+2)) {
			c.words.add(s.from, s.to) // said again, in other words: "fuga de agua"
		}
	}
	total = l.weightOf(1<<l.units - 1)
	c.full, c.head, c.core = bits.OnesCount32(got) == l.units && !c.words.scattered(), got&l.head != 0, got&l.core != 0
	if of == 0 {
		return c, false
	}
	c.cover, c.strength = of/total, sum/of
	if c.words.scattered() {
		c.strength *= scatteredLess
	}
	return l.believe(c, seen, got, literal, others)
}

// believe says whether what was said of a label names it: got are the units that
// were said, literal those that were said as they are written.
func (l label) believe(c claim, seen []sighting, got, literal uint32, others func(tokenSet) int) (claim, bool) {
	switch {
	case c.full && l.units > 1 && l.slight != 0 && l.telling&^l.slight == 0:
		c.vague, c.strength = true, min(c.strength, vaguely)
		return c, true
	case c.full && (l.units > 1 || l.slight == 0), got&l.telling&^l.slight != 0, literal&l.literal != 0, consecutive(seen):
		return c, true
	case got&l.telling == 0:
		return c, false
	}
	c.aside = others(c.words) > 0
	c.strength = min(c.strength, 0.7)
	return c, !c.aside || literal&l.slight != 0
}

// consecutive says whether two neighbours of the label stand side by side in the
// text as well: "first visit", though neither word tells much.
func consecutive(seen []sighting) bool {
	for _, a := range seen {
		for _, b := range seen {
			if a.to == b.from && a.word >= 0 && b.word == a.word+1 && min(a.strength, b.strength) >= inflected {
				return true
			}
		}
	}
	return false
}

func (l label) weightOf(units uint32) (sum float64) {
	for u := range l.units {
		if units&(1<<u) != 0 {
			sum += l.weights[u]
		}
	}
	return sum
}

// stronger puts sightings that cover more units first, then those that are
// surer, then those that come earlier.
func stronger(a, b sighting) int {
	return cmp.Or(bits.OnesCount32(b.units)-bits.OnesCount32(a.units), cmp.Compare(b.strength, a.strength), a.from-b.from)
}

// score is how sure it is that the claim is what was meant, beside the others.
func (c claim) score(all map[int]claim) float64 {
	same, within := 0, false // entries that the same words name; one that more words name
	for _, o := range all {
		if o.words.contains(c.words) {
			same++
			within = within || o.words != c.words && (o.full || !c.full)
		}
	}
	switch {
	case c.aside:
		return c.strength
	case c.full && !within:
		return c.strength
	case c.full:
		return 0.6 * c.strength
	}
	base := 0.45
	if c.head {
		base = 0.65
	}
	score := (base + 0.3*c.cover) * c.strength / math.Sqrt(float64(same))
	if within {
		score *= 0.8
	}
	return score
}

// tokenSet is a set of tokens of a text.
type tokenSet [(mostTokens + 63) / 64]uint64

func (s *tokenSet) add(from, to int) {
	for i := from; i < to; i++ {
		s[i/64] |= 1 << (i % 64)
	}
}

func (s *tokenSet) any(from, to int) bool {
	for i := from; i < to; i++ {
		if s[i/64]&(1<<(i%64)) != 0 {
			return true
		}
	}
	return false
}

func (s tokenSet) contains(o tokenSet) bool {
	for i := range s {
		if o[i]&^s[i] != 0 {
			return false
		}
	}
	return true
}

// mostBetween is how many words may stand between two of one name.
const mostBetween = 8

// scatteredLess is what is left of a name whose words stand further apart.
const scatteredLess = 0.6

// scattered says whether words stand too far from each other to be one name.
func (s tokenSet) scattered() bool {
	last := -1
	for i := range mostTokens {
		if !s.any(i, i+1) {
			continue
		}
		if last >= 0 && i-last > mostBetween {
			return true
		}
		last = i
	}
	return false
}

func (s tokenSet) size() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

func (s tokenSet) list() (all []int) {
	for i := range mostTokens {
		if s[i/64]&(1<<(i%64)) != 0 {
			all = append(all, i)
		}
	}
	return all
}
