package search

import (
	"math/bits"
	"slices"
)

// meanings are the fragments' places among the senses.
type meanings struct {
	rows  []int8
	unit  []float32 // what 1 in a row is worth, in a vector of length 1
	sides []sides
	say   float32 // how much senses are asked, from 0 to 1
}

// sides are on which side of zero each number of a vector is. Vectors that are
// near each other differ in few.
type sides [SenseDims / 64]uint64

func sidesOf(v []float32) (s sides) {
	for i, x := range v {
		if x > 0 {
			s[i/64] |= 1 << (i % 64)
		}
	}
	return s
}

// differ is in how many numbers two vectors are on different sides.
func (s sides) differ(o sides) (n int) {
	for i := range s {
		n += bits.OnesCount64(s[i] ^ o[i])
	}
	return n
}

func (ix *Index) newMeanings() meanings {
	n := len(ix.fragments)
	m := meanings{make([]int8, 0, n*SenseDims), make([]float32, n), make([]sides, n), ix.say()}
	sum := make([]float32, SenseDims)
	for i := range ix.fragments {
		clear(sum)
		for _, p := range ix.passagesOf(int32(i)) {
			ix.addSense(sum, &p, ix.notes[i].lang)
		}
		var unit float32
		m.rows, unit = appendRow(m.rows, sum)
		m.sides[i] = sidesOf(sum)
		if l := length(sum); l > 0 {
			m.unit[i] = unit / l
		}
	}
	return m
}

// Shares of the words of all fragments that senses know: up to the first they
// have no say, because the documents are not of the kind that they were learned
// from; from the second on they have all of it. They know less than two thirds of
// an encyclopedia, and more than three quarters of what businesses write.
const (
	foreign  = 0.6
	familiar = 0.72
)

// say is how much senses are asked about these fragments.
func (ix *Index) say() float32 {
	all, known := float32(0.01), float32(0)
	for i := range ix.fragments {
		for _, p := range ix.passagesOf(int32(i)) {
			for _, id := range ix.said[p.from:p.to] {
				w := &ix.words.words[id]
				if made(w.text) || w.text[0] <= '9' {
					continue
				}
				all++
				if row := w.meant[ix.notes[i].lang]; row != unseen {
					known += learned().known[row]
				}
			}
		}
	}
	return max(0, min(1, (known/all-foreign)/(familiar-foreign)))
}

// How many fragments are compared with a question number by number, and how
// many of them are weighed.
const (
	mostCompared = 100
	mostAlike    = 6
)

// withAlike adds the fragments that are nearest to the question in meaning and
// not yet among the candidates.
func (ix *Index) withAlike(all []candidate, sense []float32, s *scratch) []candidate {
	var near []candidate
	for _, i := range ix.meanings.around(sidesOf(sense), mostCompared) {
		row := ix.meanings.rows[int(i)*SenseDims : int(i+1)*SenseDims]
		near = keepBest(near, candidate{i, ix.meanings.unit[i] * product(sense, row)}, mostAlike)
	}
	for _, c := range near {
		if c.score > 0 && !slices.ContainsFunc(all, func(o candidate) bool { return o.fragment == c.fragment }) {
			all = append(all, candidate{c.fragment, s.score[c.fragment]})
		}
	}
	return all
}

// around are at least so many fragments that differ least, if there are as many.
func (m *meanings) around(from sides, least int) (all []int32) {
	var counts [SenseDims + 1]int
	for _, s := range m.sides {
		counts[from.differ(s)]++
	}
	farthest, n := 0, counts[0]
	for n < least && farthest < SenseDims {
		farthest++
		n += counts[farthest]
	}
	for i, s := range m.sides {
		if from.differ(s) <= farthest {
			all = append(all, int32(i))
		}
	}
	return all
}
