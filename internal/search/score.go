package search

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// The constants of BM25 over fields: how fast repetition stops counting, how
// much a field counts, and how much its length is held against it.
const saturation = 1.8

var (
	fieldWeight = [fields]float32{inText: 1, inQuestion: 1.5, inHeading: 0.8}
	fieldLength = [fields]float32{inText: 0.6, inQuestion: 0.4, inHeading: 0.3}
)

// kindWorth is what a fragment that holds the kind of fact asked for counts, in
// words of the question.
const kindWorth = 0.3

// scratch is the working memory of one question.
type scratch struct {
	score   []float32 // of each fragment, over all terms
	tally   []tally   // of each fragment, for one term
	touched []int32   // fragments with a score
	term    []int32   // fragments of one term
}

// tally is how much of one term stands in a fragment.
type tally struct {
	times  float32 // of all variants, each by its weight
	weight float32 // of the best variant
}

type scratchPool struct{ sync.Pool }

func (p *scratchPool) take(n int) *scratch {
	if s, ok := p.Get().(*scratch); ok {
		return s
	}
	return &scratch{score: make([]float32, n), tally: make([]tally, n)}
}

func (p *scratchPool) give(s *scratch) {
	for _, f := range s.touched {
		s.score[f] = 0
	}
	s.touched = s.touched[:0]
	p.Put(s)
}

// candidate is a fragment that may answer, with its score.
type candidate struct {
	fragment int32
	score    float32
}

// candidates are the fragments that score best, best first; it also sets the
// rarity of each term.
func (ix *Index) candidates(q *question, vector []float32, most int) []candidate {
	s := ix.scratch.take(len(ix.fragments))
	defer ix.scratch.give(s)
	for i := range q.terms {
		ix.scoreTerm(s, &q.terms[i])
	}
	ix.scoreKinds(s, q)
	var all []candidate
	for _, f := range s.touched {
		all = keepBest(all, candidate{f, s.score[f]}, most)
	}
	if len(q.terms) > 0 {
		all = ix.withAlike(all, q.sense, s)
	}
	return ix.withNearest(all, vector, most)
}

// keepBest adds a candidate in its place among the best so far.
func keepBest(all []candidate, c candidate, most int) []candidate {
	if len(all) == most && byScore(c, all[most-1]) >= 0 {
		return all
	}
	i, _ := slices.BinarySearchFunc(all, c, byScore)
	all = slices.Insert(all, i, c)
	return all[:min(len(all), most)]
}

func byScore(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.fragment, b.fragment))
}

// scoreTerm adds one term to the scores. All variants of a term count as one
// word: their occurrences add up, and the best of them says how much they count.
func (ix *Index) scoreTerm(s *scratch, t *term) {
	s.term = s.term[:0]
	for _, v := range t.variants {
		for _, p := range ix.words.words[v.word].postings {
			t := &s.tally[p.fragment]
			if t.weight == 0 {
				s.term = append(s.term, p.fragment)
			}
			t.weight = max(t.weight, v.weight)
			t.times += v.weight * p.frequency
		}
	}
	t.rarity = ix.rarity(s)
	for _, f := range s.term {
		if s.score[f] == 0 {
			s.touched = append(s.touched, f)
		}
		weight := s.tally[f].weight
		times := s.tally[f].times / weight
		s.score[f] += t.worth * t.rarity * weight * times * (saturation + 1) / (times + saturation)
		s.tally[f] = tally{}
	}
}

// frequency is how often a word stands in a fragment, each field by its weight
// and against its length.
func (ix *Index) frequency(c count) (sum float32) {
	for field, n := range c.times {
		if n > 0 {
			b := fieldLength[field]
			long := 1 - b + b*float32(ix.notes[c.fragment].lengths[field])/ix.average[field]
			sum += fieldWeight[field] * float32(n) / long
		}
	}
	return sum
}

// rarity is the inverse document frequency of a term. A fragment that only has
// a weak variant counts as part of one.
func (ix *Index) rarity(s *scratch) float32 {
	var df float32
	for _, f := range s.term {
		df += s.tally[f].weight
	}
	return idf(float32(len(ix.fragments)), df)
}

func idf(n, df float32) float32 {
	return float32(math.Log(1 + float64((n-df+0.5)/(df+0.5))))
}

// scoreKinds favours fragments that hold the kind of fact that is asked for.
func (ix *Index) scoreKinds(s *scratch, q *question) {
	if q.kinds == 0 {
		return
	}
	n := 0
	for i := range ix.notes {
		if ix.notes[i].kinds&q.kinds != 0 {
			n++
		}
	}
	bonus := kindWorth * idf(float32(len(ix.notes)), float32(n))
	for _, f := range s.touched {
		if ix.notes[f].kinds&q.kinds != 0 {
			s.score[f] += bonus
		}
	}
}
