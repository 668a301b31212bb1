package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/search"
)

// said prints what is said to questions about price lists, and how many answers have the
// words and figures that they should have and none of another row. Words that may stand for
// each other are parted by a bar. Answers that lack but a word have the right figures: a
// name of the list is said as it stands there, in whichever language.
func said(w io.Writer) error {
	r, _, err := readers()
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(ours("pricelists"), "*", "questions.jsonl"))
	if err != nil {
		return err
	}
	asked, given, right, figures := 0, 0, 0, 0
	for _, file := range files {
		fragments, err := readDocuments(filepath.Dir(file))
		if err != nil {
			return err
		}
		ix := search.New(fragments)
		err = eachLine(file, func(line []byte) error {
			var q struct {
				Lang, Question string
				Says, Never    []string
			}
			if err := json.Unmarshal(line, &q); err != nil {
				return err
			}
			found := ix.Ask(search.Query{Text: q.Question, Reader: r, Money: "EUR"})
			text := found.Answer
			if worded := found.Worded[q.Lang]; worded != "" {
				text = worded
			}
			has := func(words string) bool { return hasAny(text, words) }
			lacks := func(words string) bool { return !has(words) }
			mark := "right"
			asked++
			given++
			switch {
			case found.Match < threshold:
				mark = "not answered"
				given--
			case slices.ContainsFunc(q.Never, has), slices.ContainsFunc(q.Says, func(words string) bool { return strings.ContainsAny(words, "0123456789") && lacks(words) }):
				mark = "WRONG"
			case slices.ContainsFunc(q.Says, lacks):
				mark = "a word missing"
				figures++
			default:
				right++
				figures++
			}
			fmt.Fprintf(w, "| %s | %s | %s | %.0f %% | %s |\n", filepath.Base(filepath.Dir(file)), q.Question, text, 100*found.Match, mark)
			return nil
		})
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%d questions, %d answered, %d of them right, %d with the right figures, %d with a figure missing or of another row\n", asked, given, right, figures, given-figures)
	return nil
}

// hasAny says whether a text has one of some words, which bars part.
func hasAny(text, words string) bool {
	return slices.ContainsFunc(strings.Split(strings.ToLower(words), "|"), func(word string) bool { return strings.Contains(strings.ToLower(text), word) })
}
