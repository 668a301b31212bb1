// Package search answers questions from the fragments of a business's
// documents, in Spanish and English and across them, and knows when it cannot.
//
// It is pure: an Index is made of fragments, held in memory, and never changes.
// A question goes one way through it:
//
//	understand -> expand -> candidates -> weigh -> rank -> read -> answer
//
// A question becomes terms, and each term all the words of these fragments that
// can stand for it: inflections, synonyms, translations, misspellings. BM25 picks
// candidates by them; senses, which are vectors learned from what callers ask and
// businesses write, add some that say it in other words. For each candidate the
// evidence is weighed, and a fitted model turns it into an order and into the
// probability that the answer is right. Where that leaves a doubt, a reader, if there is
// one, reads the first fragments and changes both. The answer is made of sentences of
// the document, as they stand there, or of rows of a table, which package table words.
//
// The package does not know tenants, files or storage, asks no one outside, and
// does not decide what to do about an answer that is not likely enough.
package search

import (
	"cmp"
	"math"
	"slices"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Bounds of the way: fragments that are weighed, and that are told of.
const (
	mostWeighed = 16
	mostHits    = 5
)

// Query is a question, as a caller says or types it.
type Query struct {
	Text   string
	Vector []float32 // its embedding, when there is one
	Money  string    // ISO 4217: that of prices in tables that tell none
	Reader Reader    // whom to ask where there is a doubt; nil: nobody
}

// Result is what the fragments have to say to a question.
type Result struct {
	Hits   []Hit   // at most five, best first
	Answer string  // in the document's own words; "" when there are no hits
	Match  float64 // the probability that the answer is right

	// Worded is the answer in each language in which it can be worded, and Language the
	// one of the document; for an answer that is made of rows of a table.
	Worded   map[string]string
	Language string

	Matched []string // words of the question that the first fragment speaks of, folded
	Missing []string // words of the question that it does not speak of
}

// Hit is a fragment that may answer.
type Hit struct {
	Fragment frontdesk.Fragment
	Match    float64 // the probability that it answers the question
	Used     bool    // the answer is taken from it
}

// Ask looks for the answer to a question.
func (ix *Index) Ask(query Query) Result {
	q := ix.understand(query.Text)
	all := ix.rank(&q, query.Vector, fitted())
	ix.read(&q, query, all, fitted().Reading)
	return ix.result(&q, query, all)
}

func (ix *Index) result(q *question, query Query, all ranking) (r Result) {
	p := 1.0
	for i := range all[:min(len(all), mostHits)] {
		// What comes later is not likelier: it would have come before.
		p = min(p, logistic(all[i].odds))
		r.Hits = append(r.Hits, Hit{Fragment: ix.fragments[all[i].fragment], Match: p, Used: i == 0})
	}
	found := make([]float32, len(q.terms))
	if len(all) > 0 {
		found = all[0].found
		r.Match = r.Hits[0].Match
		if w, ok := ix.answerRows(q, query, all); ok {
			r.take(w, all)
		} else {
			r.Answer = ix.answer(q, &all[0].evidence)
		}
		ix.second(q, query, all, &r)
	}
	for i := range q.terms {
		if found[i] > 0 {
			r.Matched = append(r.Matched, q.terms[i].word)
		} else {
			r.Missing = append(r.Missing, q.terms[i].word)
		}
	}
	return r
}

// take makes words of rows the answer. It is right if one of them is.
func (r *Result) take(w worded, all ranking) {
	r.Answer, r.Worded, r.Language = w.said[w.lang], w.said, w.lang
	match := 0.0
	for i := range r.Hits {
		if r.Hits[i].Used = slices.Contains(w.used, all[i].fragment); r.Hits[i].Used {
			match += r.Hits[i].Match
		}
	}
	if len(w.used) > 1 {
		r.Match = max(r.Match, min(match, mostSure))
	}
}

// mostSure is how sure an answer of several rows is at most.
const mostSure = 0.9

// ranking are the fragments that were weighed, strongest first.
type ranking []ranked

type ranked struct {
	evidence
	strength float64
	odds     float64 // the logarithm of those that it answers
	read     float32 // what the reader says, if it was asked
	place    float64 // by which those that were read are ordered
}

// rank orders the candidates by the evidence for them, and tells how likely each answers.
func (ix *Index) rank(q *question, vector []float32, m *Model) (all ranking) {
	candidates := ix.candidates(q, vector, mostWeighed)
	w := m.weights(q.known(), ix.meanings.say)
	for _, c := range candidates {
		e := ix.weigh(q, c)
		e.vector = ix.nearness(c.fragment, vector)
		all = append(all, ranked{evidence: e, strength: dot(w.Rank, e.rankFeatures())})
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(b.strength, a.strength) })
	for i := range all {
		all[i].odds = dot(w.Match, all[i].matchFeatures(q, all.margin(i), all.sure(i)))
	}
	return all
}

// margin is by how much a fragment leads the best of the others.
func (all ranking) margin(i int) float64 {
	switch {
	case i > 0:
		return all[i].strength - all[0].strength
	case len(all) > 1:
		return all[0].strength - all[1].strength
	}
	return mostMargin
}

// sure is the share of a fragment among all that were weighed, by the odds that
// their strengths stand for.
func (all ranking) sure(i int) float64 {
	var sum float64
	for j := range all {
		sum += math.Exp(all[j].strength - all[i].strength)
	}
	return 1 / sum
}
