package main

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"sync"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/search"
)

// folds is into how many parts the businesses are dealt to be measured on what
// was fitted to the others.
const folds = 6

// crossValidated asks the questions of every business with a model fitted to
// the businesses of the other folds.
func crossValidated(businesses []*set, r *leftOut) [][]outcome {
	results := make([][]outcome, len(businesses))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.NumCPU())
	for fold := range folds {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			var others []*set
			for i, s := range businesses {
				if i%folds != fold {
					others = append(others, &set{name: s.name, fragments: s.fragments, questions: s.questions})
				}
			}
			m := fitModel(others, r.apart())
			for i, s := range businesses {
				if i%folds == fold {
					results[i] = s.ask(m, r.apart())
				}
			}
		})
	}
	wg.Wait()
	return results
}

// fitModel fits the weights for words alone, those for senses too, and then what a
// reader's word counts.
func fitModel(sets []*set, r search.Reader) search.Model {
	m := search.Model{Words: fitWeights(sets, search.SenseFeatures), Senses: fitWeights(sets, nil)}
	m.Reading = fitReading(outcomesOf(sets, m), r)
	return m
}

// fitWeights fits first the order of fragments, then the probability that the
// first of them is right, without some of the features.
func fitWeights(sets []*set, without []string) search.Weights {
	w := search.Fitted().Senses // any will do: whatever is weighed is told
	w.Rank = fitRank(outcomesOf(sets, search.Model{Words: w, Senses: w}), without)
	w.Match = fitMatch(outcomesOf(sets, search.Model{Words: w, Senses: w}), without)
	return w
}

func outcomesOf(sets []*set, m search.Model) (all []outcome) {
	for _, s := range sets {
		all = append(all, s.ask(m, nil)...)
	}
	return all
}

// What vectors weigh is set by hand: the businesses have none. In the order a
// cosine of 1 outweighs one word that is found exactly.
const (
	vectorRank  = 12
	vectorMatch = 1
)

// Strengths of the pull towards zero, and steps of the descent.
const (
	rankPull  = 0.002
	matchPull = 0.0003
	steps     = 1500
)

// caution is what a question without an answer counts when the probability is
// fitted: callers ask more of them than the businesses' labelled third, and a
// wrong answer costs more than none.
const caution = 1.3

// fitRank maximises the probability of the right fragment among all that were
// weighed, by gradient descent.
func fitRank(all []outcome, without []string) []float64 {
	var lists [][][]float64
	var rights [][]bool
	for _, o := range all {
		var list [][]float64
		var right []bool
		for _, t := range o.trace {
			list = append(list, masked(t.Rank, search.RankFeatures, without))
			right = append(right, isRelevant(o, t.Fragment))
		}
		if slices.Contains(right, true) {
			lists, rights = append(lists, list), append(rights, right)
		}
	}
	w := descend(search.RankFeatures, rankPull, func(w, slope []float64) {
		for i, list := range lists {
			slopeOfList(w, list, rights[i], slope, 1/float64(len(lists)))
		}
	})
	w[slices.Index(search.RankFeatures, "vector")] = vectorRank
	return w
}

// Features that by their nature speak neither for a fragment nor against it, and
// those that speak against it. All others speak for it.
var (
	neutral = []string{"one", "row", "words", "whether", "crossing", "odds", "read"}
	against = []string{"missing", "absent", "odd"}
)

// within keeps a weight on the side where its feature belongs: many say nearly
// the same, and a fit to few questions would set them against each other, so that
// to speak of all that was asked would speak against a fragment.
func within(name string, w float64) float64 {
	switch {
	case slices.Contains(neutral, name):
		return w
	case slices.Contains(against, name):
		return min(w, 0)
	}
	return max(w, 0)
}

// masked are features without those of some names.
func masked(features []float64, names, without []string) []float64 {
	out := slices.Clone(features)
	for _, name := range without {
		out[slices.Index(names, name)] = 0
	}
	return out
}

func isRelevant(o outcome, f frontdesk.Fragment) bool { return slices.Contains(o.Relevant, f.ID) }

// slopeOfList adds the slope of one question: what the right fragments have
// more than what is expected.
func slopeOfList(w []float64, list [][]float64, right []bool, slope []float64, share float64) {
	p := make([]float64, len(list))
	most := math.Inf(-1)
	for i, x := range list {
		p[i] = dot(w, x)
		most = max(most, p[i])
	}
	var sum, sumRight float64
	for i := range p {
		p[i] = math.Exp(p[i] - most)
		sum += p[i]
		if right[i] {
			sumRight += p[i]
		}
	}
	for i, x := range list {
		pull := -p[i] / sum
		if right[i] {
			pull += p[i] / sumRight
		}
		for j := range x {
			slope[j] -= share * pull * x[j]
		}
	}
}

// fitMatch fits the probability that the first fragment is right.
func fitMatch(all []outcome, without []string) []float64 {
	all = slices.DeleteFunc(slices.Clone(all), func(o outcome) bool { return len(o.trace) == 0 })
	features := make([][]float64, len(all))
	for i, o := range all {
		features[i] = masked(o.trace[0].Match, search.MatchFeatures, without)
	}
	w := descend(search.MatchFeatures, matchPull, func(w, slope []float64) {
		for i, o := range all {
			x := features[i]
			miss := 1/(1+math.Exp(-dot(w, x))) - one(o.place == 1)
			if !o.Answerable {
				miss *= caution
			}
			for j := range x {
				slope[j] += miss * x[j] / float64(len(all))
			}
		}
	})
	w[slices.Index(search.MatchFeatures, "vector")] = vectorMatch
	return w
}

// descend finds the weights at which the slope is level, with steps that adapt
// to each weight.
func descend(names []string, pull float64, slopeAt func(w, slope []float64)) []float64 {
	n := len(names)
	w, m, v := make([]float64, n), make([]float64, n), make([]float64, n)
	for step := 1; step <= steps; step++ {
		slope := make([]float64, n)
		slopeAt(w, slope)
		rate := 0.1 * (1 - float64(step)/steps)
		for j := range w {
			g := slope[j] + pull*w[j]
			m[j] = 0.9*m[j] + 0.1*g
			v[j] = 0.99*v[j] + 0.01*g*g
			w[j] -= rate * m[j] / (1 - math.Pow(0.9, float64(step))) / (math.Sqrt(v[j]/(1-math.Pow(0.99, float64(step)))) + 1e-8)
			w[j] = within(names[j], w[j])
		}
	}
	return w
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func printModel(w io.Writer, businesses int, m search.Model) {
	fmt.Fprintf(w, `# The coefficients by which package search orders fragments and tells how likely
# an answer is right. Printed by "go run ./test/eval fit" from the questions of
# the %d businesses in test/eval/businesses; what vectors weigh is set by hand.
# "rank" is fitted so that the right fragment is the likeliest of all that were
# weighed; "match" is a logistic regression on whether the first fragment is right.
`, businesses)
	printWeights(w, "words", m.Words, search.RankFeatures, search.MatchFeatures)
	printWeights(w, "senses", m.Senses, search.RankFeatures, search.MatchFeatures)
	printWeights(w, "reading", m.Reading, search.ReadRankFeatures, search.ReadMatchFeatures)
}

func printWeights(w io.Writer, of string, weights search.Weights, rank, match []string) {
	for i, name := range rank {
		fmt.Fprintf(w, "%s rank %s %.4g\n", of, name, weights.Rank[i])
	}
	for i, name := range match {
		fmt.Fprintf(w, "%s match %s %.4g\n", of, name, weights.Match[i])
	}
}
