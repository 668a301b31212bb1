package search

import (
	"cmp"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// Reader judges whether passages answer a question by reading both together. It is asked
// where the words and senses that a question and a fragment share leave a doubt.
type Reader interface {
	// Score returns for each passage the logarithm of the odds that it answers.
	Score(question string, passages ...string) []float32
}

// mostRead is how many fragments are read for a question: reading takes as long as all
// else together.
const mostRead = 2

// Between these logarithms of odds, 2 and 98 %, there is a doubt.
const (
	surelyNot = -4
	surely    = 4
)

// read has the first fragments read where it is in doubt whether they answer, and orders
// them anew.
func (ix *Index) read(q *question, query Query, all ranking, w Weights) {
	if query.Reader == nil || len(all) == 0 || len(q.terms) == 0 || all[0].odds < surelyNot || all[0].odds > surely {
		return
	}
	first := all[:min(len(all), mostRead)]
	passages := make([]string, len(first))
	for i := range first {
		passages[i] = ix.reading(q, &first[i].evidence)
	}
	for i, score := range query.Reader.Score(query.Text, passages...) {
		first[i].read, first[i].place = score, dot(w.Rank, ReadRank(first[i].odds, score))
	}
	slices.SortStableFunc(first, func(a, b ranked) int { return cmp.Compare(b.place, a.place) })
	margin := float64(mostLead)
	if len(first) > 1 {
		margin = first[0].place - first[1].place
	}
	for i := range first {
		first[i].odds = dot(w.Match, ReadMatch(first[i].odds, first[i].read, margin))
		margin = -margin
	}
}

// ReadRankFeatures and ReadMatchFeatures are the names of what fragments that were read
// are ordered by, and of what their probability comes from.
var (
	ReadRankFeatures  = []string{"odds", "read"}
	ReadMatchFeatures = []string{"one", "odds", "read", "margin"}
)

// mostLead is a lead over the other fragment that was read of which more adds nothing:
// that nothing else is near does not make an answer of what is.
const mostLead = 1.5

// ReadRank are the first of these features for a fragment.
func ReadRank(odds float64, score float32) []float64 { return []float64{odds, float64(score)} }

// ReadMatch are the second, for one that leads the other by a margin.
func ReadMatch(odds float64, score float32, margin float64) []float64 {
	return []float64{1, odds, float64(score), max(-mostLead, min(mostLead, margin))}
}

// mostReading is how much of a fragment's text is read, in bytes: about as much as a
// reader takes in.
const mostReading = 480

// Reading is what a reader is given of a fragment: the headings that it stands under
// and the question that it answers come first.
func Reading(f *frontdesk.Fragment) string { return reading(f, f.Text) }

func reading(f *frontdesk.Fragment, text string) string {
	var b strings.Builder
	for _, part := range []string{f.Heading, f.Question} {
		if part != "" {
			b.WriteString(part)
			b.WriteString(": ")
		}
	}
	b.WriteString(text)
	return b.String()
}

// reading is what a reader is given of a fragment for a question: of a long one the
// sentences about the one that says most.
func (ix *Index) reading(q *question, e *evidence) string {
	f := &ix.fragments[e.fragment]
	if len(f.Text) <= mostReading || len(e.parts) < 2 {
		return Reading(f)
	}
	best := 0
	for i := range e.parts {
		if q.tells(&e.parts[i]) > q.tells(&e.parts[best]) {
			best = i
		}
	}
	from, to := best, best
	for {
		length := e.parts[to].end - e.parts[from].start
		switch {
		case to+1 < len(e.parts) && length+e.parts[to+1].end-e.parts[to].end <= mostReading && to-best <= best-from:
			to++
		case from > 0 && length+e.parts[from].start-e.parts[from-1].start <= mostReading:
			from--
		case to+1 < len(e.parts) && length+e.parts[to+1].end-e.parts[to].end <= mostReading:
			to++
		default:
			return reading(f, f.Text[e.parts[from].start:e.parts[to].end])
		}
	}
}
