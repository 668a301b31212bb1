package knowledge_test

import (
	"math"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/knowledge"
)

func TestAnAnswer(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	d := h.ready("Casa Lola.md", questions)
	a := h.ask("¿Tienen terraza?")
	if !a.Answered || !strings.Contains(a.Text, "doce mesas") || a.Language != "es" || a.Question != "¿Tienen terraza?" || a.Took <= 0 {
		t.Errorf("got %+v", a)
	}
	if a.MatchPct <= 0 || a.MatchPct > 100 || a.MatchPct != math.Round(a.MatchPct*10)/10 {
		t.Errorf("it matches by %v", a.MatchPct)
	}
	if len(a.Hits) == 0 {
		t.Fatal("it rests on nothing")
	}
	used := 0
	for i, hit := range a.Hits {
		if hit.Title != "Casa Lola" || hit.Kind != frontdesk.Markdown || hit.Fragment.DocumentID != d.ID {
			t.Errorf("got %+v", hit)
		}
		if hit.Used {
			used++
		}
		if hit.Used && i > 0 {
			t.Errorf("hit %d is used", i)
		}
	}
	if used != 1 || a.Hits[0].MatchPct != a.MatchPct {
		t.Errorf("got %+v", a.Hits)
	}
	if en := h.ask("Do you have parking?"); en.Language != "en" || !strings.Contains(en.Text, "free parking") {
		t.Errorf("got %+v", en)
	}
}

func TestTheThresholdIsRespected(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.ready("a.md", questions)
	for _, question := range []string{"¿Tienen terraza?", "Do you have parking?", "¿A qué hora abren los lunes?", "terraza"} {
		match := h.ask(question).MatchPct
		for _, threshold := range []int{0, int(match), int(match) + 1, 100} {
			a, err := h.shelves.Ask(ctx, h.owner, knowledge.Question{Text: question, ThresholdPct: threshold})
			if err != nil || a.ThresholdPct != threshold || a.Answered != (match >= float64(threshold)) || (a.Text != "") != a.Answered || (a.Language != "") != a.Answered {
				t.Errorf("with %d %% for one of %v %%: %+v, %v", threshold, match, a, err)
			}
			for _, hit := range a.Hits {
				if hit.Used && !a.Answered {
					t.Errorf("not answered, but used: %+v", hit)
				}
			}
		}
	}
}

func TestExplanations(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	explain := func(question string, threshold int) string {
		t.Helper()
		a, err := h.shelves.Ask(ctx, h.owner, knowledge.Question{Text: question, ThresholdPct: threshold})
		if err != nil {
			t.Fatal(err)
		}
		return a.Explanation
	}
	if got := explain("¿Tienen terraza?", 0); !strings.HasPrefix(got, "There is no document to answer from") {
		t.Errorf("without documents: %s", got)
	}
	h.ready("Casa Lola.md", questions)
	tests := map[string]struct {
		question  string
		threshold int
		has       []string
		hasNot    []string
	}{
		"it names the document and the words": {"¿Tienen terraza?", 0, []string{`The best passage is in "Casa Lola"`, `speaks of`, `"terraza"`}, []string{"below the threshold"}},
		"and the words that are missing":      {"¿Tienen terraza con zumbadores?", 0, []string{`"terraza"`, `but not of`, `"zumbadores"`}, nil},
		"and the threshold":                   {"¿Tienen terraza con zumbadores?", 101, []string{`is below the threshold of 101 %`}, nil},
		"or that nothing was found":           {"zumbadores qwertz", 0, []string{"No passage speaks of anything in the question."}, []string{"Casa Lola"}},
		"not more than six words":             {"zzalpha zzbravo zzcharlie zzdelta zzecho zzfoxtrot zzgolf zzhotel terraza", 0, []string{"zzalpha", "zzfoxtrot"}, []string{"zzgolf"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := explain(tt.question, tt.threshold)
			for _, want := range tt.has {
				if !strings.Contains(got, want) {
					t.Errorf("%q is not in %s", want, got)
				}
			}
			for _, not := range tt.hasNot {
				if strings.Contains(got, not) {
					t.Errorf("%q is in %s", not, got)
				}
			}
		})
	}
}

func TestConfidence(t *testing.T) {
	t.Parallel()
	some := []frontdesk.AnswerHit{{}}
	tests := map[string]struct {
		answer frontdesk.Answer
		want   string
	}{
		"nothing was found":             {frontdesk.Answer{MatchPct: 90}, "none"},
		"hardly likely":                 {frontdesk.Answer{Hits: some, MatchPct: 19.9}, "none"},
		"likely, but not enough":        {frontdesk.Answer{Hits: some, MatchPct: 20}, "low"},
		"very likely, but not enough":   {frontdesk.Answer{Hits: some, MatchPct: 90, ThresholdPct: 95}, "low"},
		"likely enough":                 {frontdesk.Answer{Hits: some, MatchPct: 84.9, Answered: true}, "medium"},
		"as good as certain":            {frontdesk.Answer{Hits: some, MatchPct: 85, Answered: true}, "high"},
		"likely enough by a low demand": {frontdesk.Answer{Hits: some, MatchPct: 25, Answered: true, ThresholdPct: 25}, "medium"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := knowledge.Confidence(tt.answer); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
