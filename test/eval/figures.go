package main

import (
	"fmt"
	"io"
	"math"
	"slices"
)

// threshold is the probability from which an answer is given.
const threshold = 0.6

func printHeader(w io.Writer) {
	fmt.Fprintf(w, "%-22s %5s %6s %6s %8s %8s %8s %6s %6s %6s\n", "set", "n", "R@1", "R@5", "answered", "right", "false", "AUROC", "ECE", "span")
}

// printRow prints the figures of one set: how often the right fragment is first
// and among five; how many of the answerable are answered, and answered from the
// right fragment; how many of the others are answered; how well the probability
// tells them apart, and how far it is from the truth; and how often the answer
// from the right fragment holds the words that were sought.
func printRow(w io.Writer, name string, all []outcome) {
	var answerable, first, five, answered, right, others, wrong, spans, spanned float64
	var yes, no []float64
	for _, o := range all {
		said := o.result.Match >= threshold
		if !o.Answerable {
			others++
			no = append(no, o.result.Match)
			wrong += one(said)
			continue
		}
		answerable++
		yes = append(yes, o.result.Match)
		first += one(o.place == 1)
		five += one(o.place > 0)
		answered += one(said)
		right += one(said && o.place == 1)
		if o.place == 1 && o.gold != "" {
			spans++
			spanned += one(tells(o.result.Answer, o.gold))
		}
	}
	fmt.Fprintf(w, "%-22s %5d %6.3f %6.3f %8.3f %8.3f %8.3f %6.3f %6.3f %6.3f\n", name, len(all), first/answerable, five/answerable,
		answered/answerable, right/answerable, wrong/others, auroc(yes, no), calibrationError(all), spanned/spans)
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// auroc is the probability that an answerable question has the higher match.
func auroc(yes, no []float64) float64 {
	if len(yes) == 0 || len(no) == 0 {
		return math.NaN()
	}
	slices.Sort(no)
	var sum float64
	for _, y := range yes {
		below, _ := slices.BinarySearch(no, y)
		upto := below
		for upto < len(no) && no[upto] == y {
			upto++
		}
		sum += float64(below) + float64(upto-below)/2
	}
	return sum / float64(len(yes)*len(no))
}

// calibrationError is the mean distance between what is promised and what
// comes true, over ten ranges of promises.
func calibrationError(all []outcome) float64 {
	var n, promised, kept [10]float64
	for _, o := range all {
		b := min(9, int(o.result.Match*10))
		n[b]++
		promised[b] += o.result.Match
		kept[b] += one(o.place == 1)
	}
	var sum float64
	for b := range n {
		sum += math.Abs(promised[b] - kept[b])
	}
	return sum / float64(len(all))
}

// printDirections prints the figures of businesses by the language of the
// question and of the documents.
func printDirections(w io.Writer, name string, businesses []*set, results [][]outcome) {
	by := map[string][]outcome{}
	for i, s := range businesses {
		for _, o := range results[i] {
			direction := o.Lang + "→" + s.fragments[""][0].Language
			by[direction] = append(by[direction], o)
			by["all"] = append(by["all"], o)
		}
	}
	for _, direction := range []string{"en→en", "es→es", "es→en", "en→es", "all"} {
		if len(by[direction]) > 0 {
			printRow(w, name+" "+direction, by[direction])
		}
	}
}
