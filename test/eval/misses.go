package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// misses prints the questions of the businesses that went wrong, with what was
// found first, so that one sees what kinds of questions do.
func misses() error {
	businesses, err := readBusinesses(filepath.Join("test", "eval", "businesses"))
	if err != nil {
		return err
	}
	_, apart, err := readers()
	if err != nil {
		return err
	}
	results := crossValidated(businesses, apart)
	for _, how := range []string{wrongAnswer, wrongFragment, shy} {
		fmt.Fprintf(os.Stdout, "\n# %s\n", how)
		for i, s := range businesses {
			for _, o := range results[i] {
				if wentWrong(o) == how {
					printMiss(s.name, o)
				}
			}
		}
	}
	return nil
}

// The ways to go wrong.
const (
	wrongAnswer   = "answered what the documents do not say"
	wrongFragment = "another fragment came first"
	shy           = "the right fragment came first, and was not trusted"
)

// wentWrong is how a question went wrong; "" when it did not.
func wentWrong(o outcome) string {
	said := o.result.Match >= threshold
	switch {
	case !o.Answerable && said:
		return wrongAnswer
	case o.Answerable && o.place != 1:
		return wrongFragment
	case o.Answerable && !said:
		return shy
	}
	return ""
}

func printMiss(business string, o outcome) {
	fmt.Printf("%s %s %.2f %q\n", business, o.Lang, o.result.Match, o.Question)
	if o.gold != "" {
		fmt.Printf("    sought  %s\n", o.gold)
	}
	if len(o.result.Hits) > 0 {
		f := o.result.Hits[0].Fragment
		fmt.Printf("    found   %.160s\n", strings.ReplaceAll(strings.TrimSpace(f.Heading+" "+f.Question+" "+f.Text), "\n", " "))
	}
	fmt.Printf("    matched %s, missing %s\n", strings.Join(o.result.Matched, " "), strings.Join(o.result.Missing, " "))
}
