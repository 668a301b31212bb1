package search

import (
	"bufio"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Model turns evidence into an order of fragments and into a probability. It is
// made of two: one goes by words alone, the other by senses too. The more of a
// question senses know, the more the second counts. A third goes by what they say and
// what a reader says.
type Model struct {
	Words, Senses, Reading Weights
}

// Weights are the coefficients of a model. They are fitted; test/eval does that.
type Weights struct {
	Rank  []float64 // of a fragment against the others, by RankFeatures
	Match []float64 // that a fragment answers the question, by MatchFeatures
}

// weights are those for a question of which senses know a share, asked of
// fragments in which they have a say.
func (m *Model) weights(known, say float32) Weights {
	share := float64(say) * math.Pow(float64(known), knowing)
	return Weights{mixed(share, m.Words.Rank, m.Senses.Rank), mixed(share, m.Words.Match, m.Senses.Match)}
}

// knowing is how steeply senses lose their say when they do not know a word.
const knowing = 1.5

// mixed are numbers between two others: the second ones by a share.
func mixed(share float64, first, second []float64) []float64 {
	out := make([]float64, len(first))
	for i := range out {
		out[i] = (1-share)*first[i] + share*second[i]
	}
	return out
}

// Trace is all that was weighed for a question, best first: what a model is
// fitted to.
type Trace []Traced

// Traced is one fragment that was weighed.
type Traced struct {
	Fragment    frontdesk.Fragment
	Rank, Match []float64 // its features
	Odds        float64   // the logarithm of the odds that it answers, by the model alone
	Reading     string    // what a reader is given of it
}

// AskWith looks for the answer to a question with a model of one's own, and
// tells what it weighed.
func (ix *Index) AskWith(m Model, query Query) (Result, Trace) {
	q := ix.understand(query.Text)
	all := ix.rank(&q, query.Vector, &m)
	t := make(Trace, len(all))
	for i := range all {
		t[i] = Traced{ix.fragments[all[i].fragment], all[i].rankFeatures(), all[i].matchFeatures(&q, all.margin(i), all.sure(i)), all[i].odds, ix.reading(&q, &all[i].evidence)}
	}
	ix.read(&q, query, all, m.Reading)
	return ix.result(&q, query, all), t
}

// RankFeatures are the names of what fragments are ordered by.
var RankFeatures = []string{"score", "coverage", "exact", "nearby", "inside", "above", "echo", "title", "fact", "row", "key", "weakest", "touched", "relative", "vector", "sense", "heading", "met", "agree", "odd"}

// MatchFeatures are the names of what the probability comes from.
var MatchFeatures = []string{
	"one", "score", "coverage", "firm", "nearby", "inside", "above", "missing", "weakest", "absent", "touched", "key",
	"echo", "fact", "row", "margin", "sure", "words", "whether", "crossing", "vector", "sense", "heading", "met", "agree", "odd",
}

func (e *evidence) rankFeatures() []float64 {
	return floats(e.score, e.coverage, e.exact, e.nearby, e.inside, e.above, e.echo, e.title, e.fact, e.row, e.key, e.weakest, e.touched, e.relative, e.vector, e.sense, e.heading, e.met, e.agree, e.odd)
}

// matchFeatures need the margin by which a fragment leads, or trails, and how
// sure the order is that it is the one.
func (e *evidence) matchFeatures(q *question, margin, sure float64) []float64 {
	margin = max(-mostMargin, min(mostMargin, margin))
	words := math.Log(float64(1 + len(q.terms)))
	whether := float32(0)
	if q.whether {
		whether = 1
	}
	return floats(1, e.score, e.coverage, e.firm, e.nearby, e.inside, e.above, e.missing, e.weakest, e.absent, e.touched, e.key,
		e.echo, e.fact, e.row, float32(margin), float32(sure), float32(words), whether, e.crossing, e.vector, e.sense, e.heading, e.met, e.agree, e.odd)
}

// mostMargin is a lead that more of the same adds nothing to.
const mostMargin = 4

func floats(all ...float32) []float64 {
	out := make([]float64, len(all))
	for i, x := range all {
		out[i] = float64(x)
	}
	return out
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// logistic is the probability for odds given as their logarithm.
func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

//go:embed model.txt
var modelText string

var fitted = sync.OnceValue(func() *Model {
	m, err := ReadModel(modelText)
	if err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return &m
})

// ReadModel reads a model from lines of "words rank NAME NUMBER", with "senses"
// or "reading" for "words" and "match" for "rank". What is not named counts nothing.
func ReadModel(text string) (Model, error) {
	m := Model{
		newWeights(RankFeatures, MatchFeatures), newWeights(RankFeatures, MatchFeatures),
		newWeights(ReadRankFeatures, ReadMatchFeatures),
	}
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if err := m.set(strings.Fields(line)); err != nil {
			return m, fmt.Errorf("reading %q: %w", line, err)
		}
	}
	return m, lines.Err()
}

func newWeights(rank, match []string) Weights {
	return Weights{make([]float64, len(rank)), make([]float64, len(match))}
}

func (m *Model) set(field []string) error {
	if len(field) != 4 {
		return fmt.Errorf("not four fields")
	}
	w, rank, names := m.Words, RankFeatures, MatchFeatures
	switch field[0] {
	case "senses":
		w = m.Senses
	case "reading":
		w, rank, names = m.Reading, ReadRankFeatures, ReadMatchFeatures
	}
	weights := w.Match
	if field[1] == "rank" {
		weights, names = w.Rank, rank
	}
	i := slices.Index(names, field[2])
	if i < 0 {
		return fmt.Errorf("no such feature")
	}
	x, err := strconv.ParseFloat(field[3], 64)
	weights[i] = x
	return err
}

// SenseFeatures are those of the features that come from senses.
var SenseFeatures = []string{"sense", "heading", "met", "agree", "odd"}

// Fitted is the model that Ask uses.
func Fitted() Model {
	return Model{fitted().Words.clone(), fitted().Senses.clone(), fitted().Reading.clone()}
}

func (w Weights) clone() Weights { return Weights{slices.Clone(w.Rank), slices.Clone(w.Match)} }
