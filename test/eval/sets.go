package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/search"
)

// set is a collection of fragments and of questions asked against them. A
// question is asked against the fragments of its own tenant.
type set struct {
	name      string
	fragments map[string][]frontdesk.Fragment
	questions []question
	indexes   map[string]*search.Index
}

type question struct {
	Tenant     string
	Lang       string
	Question   string
	Relevant   []frontdesk.ID
	Answerable bool
	Kind       string
	Drop       []frontdesk.ID
	gold       string
}

// outcome is what became of one question.
type outcome struct {
	question
	result search.Result
	trace  search.Trace
	place  int // of the right fragment among the hits, from 1; 0: it is not there
}

// ask asks all questions, with a model, and with a reader unless it is nil.
func (s *set) ask(m search.Model, r search.Reader) (all []outcome) {
	for _, q := range s.questions {
		o := outcome{question: q}
		o.result, o.trace = s.index(q).AskWith(m, search.Query{Text: q.Question, Reader: r})
		for i, h := range o.result.Hits {
			if o.place == 0 && slices.Contains(q.Relevant, h.Fragment.ID) {
				o.place = i + 1
			}
		}
		all = append(all, o)
	}
	return all
}

// index is over the fragments of the question's tenant without those that the
// question must do without.
func (s *set) index(q question) *search.Index {
	if s.indexes == nil {
		s.indexes = map[string]*search.Index{}
	}
	key := fmt.Sprint(q.Tenant, q.Drop)
	if s.indexes[key] == nil {
		kept := slices.DeleteFunc(slices.Clone(s.fragments[q.Tenant]), func(f frontdesk.Fragment) bool { return slices.Contains(q.Drop, f.ID) })
		s.indexes[key] = search.New(kept)
	}
	return s.indexes[key]
}

// readSets reads every folder of dir, or of its folder knowledge, that has
// questions. Those that have no fragments of their own are asked to one of the
// businesses each, in turn.
func readSets(dir string, businesses []*set) (all []*set, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "questions.jsonl"))
	if err == nil && len(files) == 0 {
		files, err = filepath.Glob(filepath.Join(dir, "knowledge", "*", "questions.jsonl"))
	}
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no folder of %s has a questions.jsonl", dir)
	}
	for _, file := range files {
		folder := filepath.Dir(file)
		s, err := readSet(folder)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", folder, err)
		}
		s.name = filepath.Base(folder)
		if len(s.fragments) == 0 {
			s.askBusinesses(businesses)
		}
		all = append(all, s)
	}
	return all, nil
}

func (s *set) askBusinesses(businesses []*set) {
	for _, b := range businesses {
		s.fragments[b.name] = b.fragments[""]
	}
	for i := range s.questions {
		if len(businesses) > 0 {
			s.questions[i].Tenant = businesses[i%len(businesses)].name
		}
	}
}

func readSet(dir string) (*set, error) {
	s := &set{fragments: map[string][]frontdesk.Fragment{}}
	err := eachLine(filepath.Join(dir, "corpus.jsonl"), func(line []byte) error {
		var f struct{ ID, Tenant, Lang, Title, Text, Q, A string }
		if err := json.Unmarshal(line, &f); err != nil {
			return err
		}
		fragment := frontdesk.Fragment{ID: frontdesk.ID(f.ID), Language: f.Lang, Heading: f.Title, Text: f.Text}
		if f.Q != "" {
			fragment.Question, fragment.Text = f.Q, f.A
		}
		s.fragments[f.Tenant] = append(s.fragments[f.Tenant], fragment)
		return nil
	})
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	return s, eachLine(filepath.Join(dir, "questions.jsonl"), func(line []byte) error {
		var q question
		err := json.Unmarshal(line, &q)
		s.questions = append(s.questions, q)
		return err
	})
}

func eachLine(file string, do func([]byte) error) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if len(lines.Bytes()) == 0 {
			continue
		}
		if err := do(lines.Bytes()); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(file), err)
		}
	}
	return lines.Err()
}
