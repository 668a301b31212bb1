// Command eval measures how well questions are answered from documents, and
// fits the model that says how likely an answer is right.
//
//	go run ./test/eval measure [DIR]   figures for the businesses here, and for the sets in DIR
//	go run ./test/eval fit             coefficients for internal/search/model.txt
//	go run ./test/eval misses          the questions of the businesses that went wrong, by how
//
// The businesses in test/eval/businesses were written for this. What is fitted
// to some of them is measured on the others, so the figures are those of a
// business that the model has not seen.
package main

import (
	"fmt"
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
	case len(args) == 1 && args[0] == "misses":
		return misses()
	case len(args) == 1 && args[0] == "fit":
		return fit()
	}
	return fmt.Errorf("say measure [DIR], fit, or misses")
}

func measure(dirs []string) error {
	businesses, err := readBusinesses(filepath.Join("test", "eval", "businesses"))
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
			printRow(os.Stdout, s.name, s.ask(search.Fitted()))
		}
	}
	printDirections(os.Stdout, businesses, crossValidated(businesses))
	return nil
}

func fit() error {
	businesses, err := readBusinesses(filepath.Join("test", "eval", "businesses"))
	if err != nil {
		return err
	}
	printModel(os.Stdout, len(businesses), fitModel(businesses))
	return nil
}
