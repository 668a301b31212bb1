package main

import (
	"bytes"
	"io"
	"slices"
	"testing"

	"frontdesk.dev/frontdesk/internal/search"
)

// The tests run in this folder; the program runs at the root.

func TestFactsAreWhole(t *testing.T) {
	t.Parallel()
	facts, err := readFacts("facts")
	if err != nil {
		t.Fatal(err)
	}
	topics := map[int]int{}
	for _, f := range facts {
		topics[f.topic]++
		for _, lang := range languages {
			if f.written[lang] == "" || len(f.asked[lang]) < 2 {
				t.Errorf("in %s this fact has %d questions: %v", lang, len(f.asked[lang]), f.written)
			}
		}
	}
	for topic, n := range topics {
		if n < 2 {
			t.Errorf("topic %d has %d facts: nothing to tell apart", topic, n)
		}
	}
}

func TestEveryQuestionHasItsAnswer(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"businesses", "unseen", "plain", "fresh", "guests"} {
		all, err := readBusinesses(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			unanswerable := 0
			for _, q := range s.questions {
				if !q.Answerable {
					unanswerable++
				} else if len(q.Relevant) == 0 {
					t.Errorf("%s: no fragment answers %q", s.name, q.Question)
				}
			}
			if unanswerable*4 < len(s.questions) {
				t.Errorf("%s: only %d of %d have no answer", s.name, unanswerable, len(s.questions))
			}
		}
	}
}

// What was learned from some words must be known of others of the same meaning,
// and in the other language.
func TestLearnerTellsFactsApart(t *testing.T) {
	t.Parallel()
	facts, err := readFacts("facts")
	if err != nil {
		t.Fatal(err)
	}
	some := slices.Clone(facts[:14])
	l := learnSenses(io.Discard, some, 20)
	if again := learnSenses(io.Discard, some, 20); !bytes.Equal(search.WriteSenses(l.senses()), search.WriteSenses(again.senses())) {
		t.Error("the same facts gave other senses the second time")
	}
	for _, from := range languages {
		for _, to := range languages {
			var exam []lesson
			for _, f := range some {
				exam = append(exam, l.lesson(f))
			}
			if first, _, _ := l.examineIn(exam, from, to); first < 0.9 {
				t.Errorf("%s→%s: only %.2f of the questions find the fact that was learned with them", from, to, first)
			}
		}
	}
}
