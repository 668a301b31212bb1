package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// readBusinesses reads every business of a folder that has questions.
func readBusinesses(dir string) (all []*set, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "questions.jsonl"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		s, err := readBusiness(filepath.Dir(file))
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", filepath.Dir(file), err)
		}
		all = append(all, s)
	}
	return all, nil
}

func readBusiness(dir string) (*set, error) {
	s := &set{name: filepath.Base(dir)}
	fragments, err := readDocuments(dir)
	if err != nil {
		return nil, err
	}
	for i := range fragments {
		fragments[i].ID = frontdesk.ID(fmt.Sprint(i))
	}
	s.fragments = map[string][]frontdesk.Fragment{"": fragments}
	return s, eachLine(filepath.Join(dir, "questions.jsonl"), func(line []byte) error {
		var row struct {
			Lang, Question, Gold string
			Unanswerable         bool
		}
		if err := json.Unmarshal(line, &row); err != nil {
			return err
		}
		q := question{Lang: row.Lang, Question: row.Question, Answerable: !row.Unanswerable, gold: row.Gold}
		for _, f := range fragments {
			if q.Answerable && holds(f, row.Gold) {
				q.Relevant = append(q.Relevant, f.ID)
			}
		}
		if q.Answerable && len(q.Relevant) == 0 {
			fmt.Fprintf(os.Stderr, "%s: no fragment holds %q\n", s.name, row.Gold)
		}
		s.questions = append(s.questions, q)
		return nil
	})
}

// holds tells whether a fragment holds the words of an answer, whatever marks
// stand between them. Of a row of a table it holds all its cells.
func holds(f frontdesk.Fragment, gold string) bool {
	for _, cell := range betweenCells.Split(gold, -1) {
		cell = plain(cell)
		if strings.TrimSpace(cell) != "" && !strings.Contains(plain(f.Question+" "+f.Text), cell) && !strings.Contains(plain(f.Heading+" "+f.Text), cell) {
			return false
		}
	}
	return true
}

// betweenCells is what stands between the cells of a row in CSV or Markdown.
var betweenCells = regexp.MustCompile(`\||\t|"?;"?|"?,"?\b`)

// tells says whether an answer has the words of a gold one, or, as prices and times of
// tables are worded anew, all of its figures: "£3.40" is "3.40 pounds".
func tells(answer, gold string) bool {
	if holds(frontdesk.Fragment{Text: answer}, gold) {
		return true
	}
	said, sought := figures(answer), figures(gold)
	if len(sought) == 0 || slices.ContainsFunc(sought, func(n string) bool { return !slices.Contains(said, n) }) {
		return false
	}
	// Beside a number or two there are only units; else all words must be there.
	words := slices.DeleteFunc(strings.Fields(plain(gold)), func(w string) bool { return strings.ContainsAny(w, "0123456789€£$") })
	return len(words) <= 1 || !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(plain(answer), " "+w+" ") })
}

// figures are the numbers of a text, without zeros behind the point.
func figures(text string) (all []string) {
	for _, n := range strings.FieldsFunc(text, func(r rune) bool { return !strings.ContainsRune("0123456789.,:", r) }) {
		n = strings.Trim(strings.ReplaceAll(n, ",", "."), ".:")
		if whole, rest, ok := strings.Cut(n, "."); ok && len(rest) == 3 {
			n = whole + rest // thousands
		}
		if n = strings.TrimSuffix(n, ".00"); n != "" {
			all = append(all, n)
		}
	}
	return all
}

func plain(text string) string {
	return " " + strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return strings.ContainsRune(" \t\n*_|`>;,:.-–—¿?¡!\"“”()[]", r)
	}), " ") + " "
}
