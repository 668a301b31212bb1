package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"frontdesk.dev/frontdesk/internal/reader"
	"frontdesk.dev/frontdesk/internal/search"
)

// leftOut is what readers say about the businesses that were left out of their training:
// what is fitted to a reader must not believe one that knows the questions by heart.
// reader/train.py writes the file.
type leftOut struct {
	scores map[uint64]float32
	others search.Reader // for what was not asked then
	asked  int
	absent int
}

func readLeftOut(file string, others search.Reader) (*leftOut, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	l := &leftOut{scores: map[uint64]float32{}, others: others}
	for b := bytes.NewReader(data); ; {
		var one struct {
			Key   uint64
			Score float32
		}
		if err := binary.Read(b, binary.LittleEndian, &one); errors.Is(err, io.EOF) {
			return l, nil
		} else if err != nil {
			return nil, fmt.Errorf("reading %s: %w", file, err)
		}
		l.scores[one.Key] = one.Score
	}
}

// readers are the reader of the product, and what others like it say about businesses.
func readers() (*reader.Reader, *leftOut, error) {
	r, err := reader.Fitted()
	if err != nil {
		return nil, nil, err
	}
	l, err := readLeftOut(filepath.Join(ours("reader"), "left-out.bin"), r)
	return r, l, err
}

// Score is what was said of passages by a reader that did not know their business.
func (l *leftOut) Score(question string, passages ...string) (all []float32) {
	for _, p := range passages {
		l.asked++
		score, ok := l.scores[readingKey(question, p)]
		if !ok {
			l.absent++
			score = l.others.Score(question, p)[0]
		}
		all = append(all, score)
	}
	return all
}

// readingKey tells a question with a passage from all others.
func readingKey(question, passage string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(question + "\x00" + passage))
	return h.Sum64()
}

// opinion is what is known of one question when its first fragments have been read.
type opinion struct {
	outcome
	odds  []float64
	reads []float32
	right []bool
}

// fitReading fits what a reader's word counts beside the odds of a model: first in the
// order of fragments, then in the probability that the first of them is right.
func fitReading(all []outcome, r search.Reader) (w search.Weights) {
	var opinions []opinion
	for _, o := range all {
		if len(o.trace) < 2 {
			continue
		}
		p := opinion{outcome: o}
		for _, t := range o.trace[:2] {
			p.odds = append(p.odds, t.Odds)
			p.reads = append(p.reads, r.Score(o.Question, t.Reading)...)
			p.right = append(p.right, isRelevant(o, t.Fragment))
		}
		opinions = append(opinions, p)
	}
	w.Rank = descend(search.ReadRankFeatures, rankPull, func(w, slope []float64) {
		for _, o := range opinions {
			if slices.Contains(o.right, true) {
				slopeOfList(w, o.rank(), o.right, slope, 1/float64(len(opinions)))
			}
		}
	})
	w.Match = descend(search.ReadMatchFeatures, matchPull, func(m, slope []float64) {
		for _, o := range opinions {
			x, right := o.match(w.Rank)
			miss := 1/(1+math.Exp(-dot(m, x))) - one(right)
			if !o.Answerable {
				miss *= caution
			}
			for j := range x {
				slope[j] += miss * x[j] / float64(len(opinions))
			}
		}
	})
	return w
}

func (o *opinion) rank() (list [][]float64) {
	for i := range o.odds {
		list = append(list, search.ReadRank(o.odds[i], o.reads[i]))
	}
	return list
}

// match are the features of the fragment that comes first, and whether it is right.
func (o *opinion) match(rank []float64) (features []float64, right bool) {
	list := o.rank()
	first, second := 0, 1
	if dot(rank, list[1]) > dot(rank, list[0]) {
		first, second = 1, 0
	}
	return search.ReadMatch(o.odds[first], o.reads[first], dot(rank, list[first])-dot(rank, list[second])), o.right[first]
}

// apart is a copy that counts for itself.
func (l *leftOut) apart() *leftOut { return &leftOut{scores: l.scores, others: l.others} }
