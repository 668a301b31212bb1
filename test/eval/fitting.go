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
func crossValidated(businesses []*set) [][]outcome {
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
			m := fitModel(others)
			for i, s := range businesses {
				if i%folds == fold {
					results[i] = s.ask(m)
				}
			}
		})
	}
	wg.Wait()
	return results
}

// fitModel fits first the order of fragments, then the probability that the
// first of them is right.
func fitModel(sets []*set) search.Model {
	m := search.Fitted()
	m.Rank = fitRank(outcomesOf(sets, m))
	m.Match = fitMatch(outcomesOf(sets, m))
	return m
}

func outcomesOf(sets []*set, m search.Model) (all []outcome) {
	for _, s := range sets {
		all = append(all, s.ask(m)...)
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

// fitRank maximises the probability of the right fragment among all that were
// weighed, by gradient descent.
func fitRank(all []outcome) []float64 {
	var lists [][][]float64
	var rights [][]bool
	for _, o := range all {
		var list [][]float64
		var right []bool
		for _, t := range o.trace {
			list = append(list, t.Rank)
			right = append(right, isRelevant(o, t.Fragment))
		}
		if slices.Contains(right, true) {
			lists, rights = append(lists, list), append(rights, right)
		}
	}
	w := descend(len(search.RankFeatures), rankPull, func(w, slope []float64) {
		for i, list := range lists {
			slopeOfList(w, list, rights[i], slope, 1/float64(len(lists)))
		}
	})
	w[slices.Index(search.RankFeatures, "vector")] = vectorRank
	return w
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
func fitMatch(all []outcome) []float64 {
	all = slices.DeleteFunc(slices.Clone(all), func(o outcome) bool { return len(o.trace) == 0 })
	w := descend(len(search.MatchFeatures), matchPull, func(w, slope []float64) {
		for _, o := range all {
			x := o.trace[0].Match
			miss := 1/(1+math.Exp(-dot(w, x))) - one(o.place == 1)
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
func descend(n int, pull float64, slopeAt func(w, slope []float64)) []float64 {
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
	for i, name := range search.RankFeatures {
		fmt.Fprintf(w, "rank %s %.4g\n", name, m.Rank[i])
	}
	for i, name := range search.MatchFeatures {
		fmt.Fprintf(w, "match %s %.4g\n", name, m.Match[i])
	}
}
