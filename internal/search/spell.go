package search

import (
	"cmp"
	"slices"
)

// speller finds words that are spelled nearly like another, by the pieces of
// three letters that they share.
type speller struct {
	texts  map[int32]string
	pieces map[piece][]int32
	ids    int32 // one more than the largest
}

type piece [3]byte

// mostNear bounds how many words are near one, and leastShared how little of
// their pieces they may share.
const (
	mostNear    = 24
	leastShared = 0.3
)

func (s *speller) add(id int32, text string) {
	if s.pieces == nil {
		s.texts, s.pieces = map[int32]string{}, map[piece][]int32{}
	}
	s.texts[id] = text
	s.ids = max(s.ids, id+1)
	for _, p := range piecesOf(text) {
		if ids := s.pieces[p]; len(ids) == 0 || ids[len(ids)-1] != id {
			s.pieces[p] = append(ids, id)
		}
	}
}

func piecesOf(text string) []piece {
	text = "^" + text + "$"
	all := make([]piece, 0, len(text)-2)
	for i := 0; i+3 <= len(text); i++ {
		all = append(all, piece([]byte(text[i:i+3])))
	}
	return all
}

// near returns the words that share most pieces with a text, the nearest first.
func (s *speller) near(text string) []int32 {
	own := piecesOf(text)
	counts := make([]uint8, s.ids)
	var touched []int32
	for _, p := range own {
		for _, id := range s.pieces[p] {
			if counts[id]++; counts[id] == 1 {
				touched = append(touched, id)
			}
		}
	}
	type nearness struct {
		id     int32
		shared float32
	}
	var all []nearness
	for _, id := range touched {
		// Most share one piece and no more: not worth looking their text up.
		if shared := 2 * float32(counts[id]) / float32(len(own)+1); shared < leastShared {
			continue
		}
		if shared := 2 * float32(counts[id]) / float32(len(own)+len(s.texts[id])); shared >= leastShared {
			all = append(all, nearness{id, shared})
		}
	}
	slices.SortFunc(all, func(a, b nearness) int {
		return cmp.Or(cmp.Compare(b.shared, a.shared), cmp.Compare(a.id, b.id))
	})
	var ids []int32
	for _, n := range all[:min(len(all), mostNear)] {
		ids = append(ids, n.id)
	}
	return ids
}

func (s *speller) bytes() int {
	total := len(s.texts) * 40
	for _, ids := range s.pieces {
		total += 40 + 4*cap(ids)
	}
	return total
}

// distance is how many letters were left out, put in, changed, or swapped with
// their neighbour between two words.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			changed := 1
			if a[i-1] == b[j-1] {
				changed = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+changed)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
