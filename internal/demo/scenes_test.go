package demo

import (
	"slices"
	"strings"
	"testing"

	"frontdesk.dev/frontdesk/internal/frontdesk"
)

// TestEveryScenePlays plays all scenes of all houses in both languages many
// times over, so that none fails on the one day it is dealt.
func TestEveryScenePlays(t *testing.T) {
	t.Parallel()
	houses, err := loadHouses()
	if err != nil {
		t.Fatal(err)
	}
	sample, err := loadHouse(sampleFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, st := range newGenerator(Seed, noon, 0, append(houses, sample), usualOutcomes).stations {
		scenes, err := scenesFor(st.agent.Vertical)
		if err != nil {
			t.Fatal(err)
		}
		for _, sc := range scenes {
			t.Run(st.agent.Slug+"/"+sc.name, func(t *testing.T) { checkScene(t, st, sc) })
		}
	}
}

func checkScene(t *testing.T, st *station, sc *scene) {
	t.Helper()
	if !slices.Contains(frontdesk.Outcomes, sc.outcome) || sc.intent == "" {
		t.Errorf("outcome %q, intent %q", sc.outcome, sc.intent)
	}
	g := newGenerator(Seed, noon, 0, []*house{st.house}, usualOutcomes)
	for _, language := range frontdesk.Languages {
		for range 20 {
			p := g.stage(st, sc, noon)
			p.language, p.script = language, sc.scripts[language]
			if err := p.perform(); err != nil {
				t.Fatalf("%s: %v", language, err)
			}
			if _, err := g.finish(p); err != nil {
				t.Fatalf("%s: %v", language, err)
			}
		}
	}
}

func TestBrokenScenesAreRefused(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a row before any scene": "intent: booking",
		"an unknown head":        "== a\ncolour: blue",
		"an unknown role":        "== a\n-- es\nghost: Boo.",
		"a tool without result":  "== a\n-- es\ntool: look_up {}",
		"a weight in words":      "== a\nweight: two",
		"a row without a colon":  "== a\nnonsense",
	} {
		if _, err := parseScenes(text); err == nil || !strings.Contains(err.Error(), "line") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSlots(t *testing.T) {
	t.Parallel()
	s := slots{"day": {"el lunes", "Monday"}, "n": number(4)}
	for text, want := range map[string]string{
		"Para {day}.":             "Para el lunes.",
		"{Day}, {n}":              "El lunes, 4",
		`{"n": {n}, "o": {}}`:     `{"n": 4, "o": {}}`,
		"nothing to fill, but }{": "nothing to fill, but }{",
	} {
		if got, err := s.fill(text, "es"); got != want || err != nil {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
	if _, err := s.fill("{nobody}", "es"); err == nil {
		t.Error("an unknown slot is filled")
	}
}

func TestEuros(t *testing.T) {
	t.Parallel()
	for euros, want := range map[float64]words{
		9.5: {"9,50 €", "€9.50"}, 14: {"14 €", "€14"}, 1150: {"1.150 €", "€1,150"},
		268000: {"268.000 €", "€268,000"}, 0.05: {"0,05 €", "€0.05"},
	} {
		if got := spellEuros(euros); got != want {
			t.Errorf("%v: %v, want %v", euros, got, want)
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	for b.Loop() {
		if _, err := Build(Seed, noon, openSecret); err != nil {
			b.Fatal(err)
		}
	}
}
