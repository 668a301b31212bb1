package search_test

import (
	"slices"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/search"
)

// table are rules of a restaurant. No question below shares a word with its
// answer, nor a synonym that is in the lexicon.
var table = []frontdesk.Fragment{
	{ID: "late", Language: "en", Text: "We hold your table for fifteen minutes."},
	{ID: "deposit", Language: "en", Text: "Parties of eight or more leave €10 a head in advance."},
	{ID: "dogs", Language: "en", Text: "Well-behaved pets are welcome on the terrace."},
	{ID: "dress", Language: "en", Text: "There is no dress code."},
	{ID: "corkage", Language: "en", Text: "Corkage is €12 a bottle."},
	{ID: "kitchen", Language: "en", Text: "The kitchen closes at half past ten."},
}

func TestAQuestionFindsWhatAnswersItInOtherWords(t *testing.T) {
	t.Parallel()
	ix := search.New(table)
	for question, want := range map[string]frontdesk.ID{
		"we're stuck in traffic, will you give our seats away?":   "late",
		"vamos a llegar tarde, ¿perdemos el sitio?":               "late",
		"can I come in shorts?":                                   "dress",
		"¿puedo ir en vaqueros?":                                  "dress",
		"could we bring our own wine?":                            "corkage",
		"¿hasta qué hora se puede pedir de cenar?":                "kitchen",
		"is my labrador allowed?":                                 "dogs",
		"somos doce, ¿hay que pagar algo antes para reservar?":    "deposit",
		"what is the latest we can order food?":                   "kitchen",
		"do the twelve of us need to put some money down upfront": "deposit",
	} {
		r := ix.Ask(search.Query{Text: question})
		if len(r.Hits) == 0 || r.Hits[0].Fragment.ID != want {
			t.Errorf("%q finds %+v", question, r.Hits)
		}
	}
}

func TestSensesFile(t *testing.T) {
	t.Parallel()
	file := search.WriteSenses([]search.Sense{
		{Name: "en:one", Vector: vector(1, -0.5), Weight: 0.25, Count: 9},
		{Name: "en:two", Vector: vector(0, 0), Weight: 1, Count: 2},
	})
	if names, err := search.ReadSenses(file); err != nil || !slices.Equal(names, []string{"en:one", "en:two"}) {
		t.Errorf("read %v, %v", names, err)
	}
	for cut := range file {
		if _, err := search.ReadSenses(file[:cut]); err == nil {
			t.Fatalf("a file cut off at %d is read", cut)
		}
	}
}

func vector(first ...float32) []float32 {
	v := make([]float32, search.SenseDims)
	copy(v, first)
	return v
}

// What is nearest must not depend on how many fragments there are.
func TestNearestInMeaningAmongMany(t *testing.T) {
	t.Parallel()
	many := append(manual(1000), table...)
	r := search.New(many).Ask(search.Query{Text: "could we bring our own wine?"})
	if !slices.ContainsFunc(r.Hits, func(h search.Hit) bool { return h.Fragment.ID == "corkage" }) {
		t.Errorf("what is said of corkage is not among %+v", r.Hits)
	}
}
