// Command eval measures how well questions are answered from documents, and
// makes what answers them: the senses of words, and the model that says how
// likely an answer is right.
//
//	go run ./test/eval measure [DIR]   figures for the businesses here, and for the sets in DIR
//	go run ./test/eval said            what is said to questions about price lists
//	go run ./test/eval misses          the questions of the businesses that went wrong, by how
//	go run ./test/eval fit FILE        fits the coefficients of internal/search/model.txt
//	go run ./test/eval learn FILE      learns internal/search/senses.bin; takes minutes
//	go run ./test/eval lessons DIR TOKENIZER   writes what the reader is trained on, for reader/train.py
//	go run ./test/eval exam            learns from nine topics of ten, and tells how it does on the tenth
//
// The businesses were written for this. What is fitted to some of those in
// test/eval/businesses is measured on the others, so the figures are those of a
// business that the model has not seen. Nothing is fitted to those in test/eval/unseen,
// plain, fresh and guests. Those in plain and fresh are of trades that nothing was taught
// of: the callers of plain name what they want as people do, those of fresh describe it
// in words that the trade does not use. Senses are learned from test/eval/facts, whose
// writers saw neither.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"frontdesk.dev/frontdesk/internal/search"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) >= 1 && args[0] == "measure":
		return measure(args[1:])
	case len(args) == 1 && args[0] == "said":
		return said(os.Stdout)
	case len(args) == 1 && args[0] == "misses":
		return misses()
	case len(args) == 2 && args[0] == "fit":
		return fit(args[1])
	case len(args) == 2 && args[0] == "learn":
		return learn(args[1])
	case len(args) == 3 && args[0] == "lessons":
		return writeLessons(args[1], args[2])
	case len(args) == 1 && args[0] == "exam":
		return exam()
	}
	return fmt.Errorf("say measure [DIR], said, misses, fit FILE, learn FILE, lessons DIR TOKENIZER, or exam")
}

func ours(folder string) string { return filepath.Join("test", "eval", folder) }

func measure(dirs []string) error {
	businesses, err := readBusinesses(ours("businesses"))
	if err != nil {
		return err
	}
	unseen, err := readBusinesses(ours("unseen"))
	if err != nil {
		return err
	}
	fresh, err := readBusinesses(ours("fresh"))
	if err != nil {
		return err
	}
	guests, err := readBusinesses(ours("guests"))
	if err != nil {
		return err
	}
	plain, err := readBusinesses(ours("plain"))
	if err != nil {
		return err
	}
	r, apart, err := readers()
	if err != nil {
		return err
	}
	printHeader(os.Stdout)
	for _, dir := range dirs {
		sets, err := readSets(dir, businesses)
		if err != nil {
			return err
		}
		for _, s := range sets {
			printRow(os.Stdout, s.name, s.ask(search.Fitted(), r))
		}
	}
	printDirections(os.Stdout, "businesses", businesses, crossValidated(businesses, apart))
	printDirections(os.Stdout, "unseen", unseen, askAll(unseen, r))
	printDirections(os.Stdout, "unseen, unread", unseen, askAll(unseen, nil))
	printDirections(os.Stdout, "plain", plain, askAll(plain, r))
	printDirections(os.Stdout, "plain, unread", plain, askAll(plain, nil))
	printDirections(os.Stdout, "fresh", fresh, askAll(fresh, r))
	printDirections(os.Stdout, "fresh, unread", fresh, askAll(fresh, nil))
	printDirections(os.Stdout, "guests", guests, askAll(guests, r))
	printDirections(os.Stdout, "guests, unread", guests, askAll(guests, nil))
	return nil
}

// askAll asks the questions of businesses, with a reader unless it is nil.
func askAll(sets []*set, r search.Reader) (results [][]outcome) {
	for _, s := range sets {
		results = append(results, s.ask(search.Fitted(), r))
	}
	return results
}

func fit(file string) error {
	businesses, err := readBusinesses(ours("businesses"))
	if err != nil {
		return err
	}
	_, apart, err := readers()
	if err != nil {
		return err
	}
	var text bytes.Buffer
	printModel(&text, len(businesses), fitModel(businesses, apart))
	if apart.absent*20 > apart.asked {
		fmt.Fprintf(os.Stderr, "of %d passages %d were not read by a reader that did not know them: train it anew (reader/train.py)\n", apart.asked, apart.absent)
	}
	return os.WriteFile(file, text.Bytes(), 0o644)
}

// How often the facts are gone through.
const (
	epochs     = 20
	examEpochs = 6
)

func learn(file string) error {
	facts, err := readFacts(ours("facts"))
	if err != nil {
		return err
	}
	return os.WriteFile(file, search.WriteSenses(learnSenses(os.Stdout, facts, epochs).senses()), 0o644)
}

// exam holds out one topic of ten.
func exam() error {
	facts, err := readFacts(ours("facts"))
	if err != nil {
		return err
	}
	var taught, held []fact
	for _, f := range facts {
		if f.topic%10 == 0 {
			held = append(held, f)
		} else {
			taught = append(taught, f)
		}
	}
	l := learnSenses(io.Discard, taught, examEpochs)
	fmt.Printf("%d facts held out of %d\n", len(held), len(facts))
	l.examine(os.Stdout, held)
	return nil
}
