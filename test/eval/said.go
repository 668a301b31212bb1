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
// figures that they should have and none of another row.
func said(w io.Writer) error {
	r, _, err := readers()
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(ours("pricelists"), "*", "questions.jsonl"))
	if err != nil {
		return err
	}
	asked, given, right, wrong := 0, 0, 0, 0
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
			has := func(part string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(part)) }
			mark := "right"
			asked++
			switch {
			case found.Match < threshold:
				mark = "not answered"
			case slices.ContainsFunc(q.Never, has), slices.ContainsFunc(q.Says, func(part string) bool { return !has(part) }):
				mark = "WRONG"
				wrong++
				given++
			default:
				right++
				given++
			}
			fmt.Fprintf(w, "| %s | %s | %s | %.0f %% | %s |\n", filepath.Base(filepath.Dir(file)), q.Question, text, 100*found.Match, mark)
			return nil
		})
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%d questions, %d answered, %d of them right, %d with a figure missing or of another row\n", asked, given, right, wrong)
	return nil
}
