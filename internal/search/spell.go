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
