package search

import (
	"math"
	"slices"
)

// nearness is the cosine between a question's vector and a fragment's; 0 when
// either has none.
func (ix *Index) nearness(fragment int32, vector []float32) float32 {
	if len(vector) == 0 || ix.vectors == nil || len(ix.vectors[fragment]) != len(vector) {
		return 0
	}
	var ab, aa, bb float64
	for i, b := range ix.vectors[fragment] {
		a := float64(vector[i])
		ab, aa, bb = ab+a*float64(b), aa+a*a, bb+float64(b)*float64(b)
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return float32(ab / math.Sqrt(aa*bb))
}

// withNearest adds the fragments nearest to the vector that are not yet among
// the candidates: they may say in other words what no word of the question finds.
func (ix *Index) withNearest(all []candidate, vector []float32, most int) []candidate {
	if len(vector) == 0 || ix.vectors == nil {
		return all
	}
	var near []candidate
	for i := range ix.fragments {
		near = keepBest(near, candidate{int32(i), ix.nearness(int32(i), vector)}, most)
	}
	for _, c := range near {
		if c.score > 0 && !slices.ContainsFunc(all, func(o candidate) bool { return o.fragment == c.fragment }) {
			all = append(all, candidate{fragment: c.fragment})
		}
	}
	return all
}
