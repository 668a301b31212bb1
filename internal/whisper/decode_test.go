package whisper

import (
	"bytes"
	"math"
	"slices"
	"testing"
)

func TestLoopsAreNoticed(t *testing.T) {
	t.Parallel()
	repeat := func(n int, tokens ...int64) []int64 { return slices.Repeat(tokens, n) }
	tests := map[string]struct {
		tokens []int64
		want   int // tokens that are left
		looped bool
	}{
		"few words":                        {[]int64{1, 2, 3, 4}, 4, false},
		"a number with the same digits":    {repeat(12, 5), 12, false},
		"one token for ever":               {append([]int64{1, 2}, repeat(16, 5)...), 3, true},
		"two tokens in turn":               {append([]int64{1}, repeat(8, 5, 6)...), 3, true},
		"a sentence four times":            {repeat(4, 1, 2, 3, 4, 5, 6, 7), 7, true},
		"a sentence three times":           {repeat(3, 1, 2, 3, 4, 5, 6, 7), 21, false},
		"a loop that has been left behind": {append(repeat(20, 5), 6), 21, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, looped := unloop(tt.tokens); len(got) != tt.want || looped != tt.looped {
				t.Errorf("%d tokens are left, looped is %v", len(got), looped)
			}
		})
	}
}

func TestTheLikeliestWordIsChosen(t *testing.T) {
	t.Parallel()
	m := &Model{marks: marks{end: 4}, unsaid: []bool{false, true, false, false, false}, unsaidFirst: []int64{2, 4}}
	logits := func() []float32 { return []float32{1, 9, 3, 0, 2.5, 99} }
	if got, logprob := m.choose(logits(), false, 0); got != 2 || math.Abs(math.Exp(logprob)-0.5581) > 1e-3 {
		t.Errorf("got %d with %.4f", got, math.Exp(logprob))
	}
	if got, _ := m.choose(logits(), true, 0); got != 0 {
		t.Errorf("at the beginning: got %d", got)
	}
	counts := map[int64]int{}
	for range 2000 {
		got, _ := m.choose(logits(), false, 1)
		counts[got]++
	}
	if counts[1] > 0 || counts[5] > 0 || counts[2] < 900 || counts[4] < 500 || counts[0] == 0 {
		t.Errorf("with temperature: %v", counts)
	}
}

func TestPromptsEnd(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]string{"": "", " cita, mesa ": "cita, mesa.", "¿Sí?": "¿Sí?", "Sí.": "Sí."} {
		if got := sentence(prompt); got != want {
			t.Errorf("%q: got %q", prompt, got)
		}
	}
}

func TestLongSoundIsCutWhereItIsQuiet(t *testing.T) {
	t.Parallel()
	loud := slices.Repeat([]int16{5000, -5000}, 70*rate/2)
	for _, second := range []int{25, 50} {
		clear(loud[second*rate : second*rate+rate/2])
	}
	var cuts []int
	total := 0
	for _, w := range windows(loud) {
		if len(w) > mostSound {
			t.Errorf("a window of %d samples", len(w))
		}
		total += len(w)
		cuts = append(cuts, total/rate)
	}
	if !slices.Equal(cuts, []int{25, 50, 70}) || total != len(loud) {
		t.Errorf("cut at %v, %d of %d samples", cuts, total, len(loud))
	}
}

func TestSilenceIsNotHeard(t *testing.T) {
	t.Parallel()
	segment, _, err := (&Model{}).hearWindow(t.Context(), make([]int16, rate), Request{Language: "es"})
	if err != nil || segment.Text != "" || segment.NoSpeechProb != 1 {
		t.Errorf("%+v, %v", segment, err)
	}
}

func TestTheBetterOfTwo(t *testing.T) {
	t.Parallel()
	good, bad, worse := Segment{AvgLogprob: -0.3}, Segment{AvgLogprob: -1.2}, Segment{AvgLogprob: -2}
	looped := Segment{AvgLogprob: -0.1, looped: true}
	if !good.better(bad) || !good.better(looped) || looped.better(good) || !bad.better(worse) || worse.better(bad) {
		t.Error("the worse one is taken")
	}
}

// FuzzModelFiles: a file that is cut off or wrong is an error or left as it is.
func FuzzModelFiles(f *testing.F) {
	table := wordTable{rows: []byte{1, 2, 3, 4, 5, 6}, words: 3, width: 2, zero: 1, scale: 0.5}
	f.Add(table.projectionModel())
	f.Add(write(nil, messageField(modelGraph, constant(positionsName, kindFloat, make([]byte, 16), 2, 2))))
	f.Fuzz(func(t *testing.T, model []byte) {
		if fields, err := parse(model); err == nil && len(model) < 64 {
			if again, err := parse(write(nil, fields...)); err != nil || len(again) != len(fields) {
				t.Errorf("written again: %v", err)
			}
		}
		if cut, table, err := withoutLogits(bytes.Clone(model), 2); err == nil && table == nil && !bytes.Equal(cut, model) {
			t.Error("a model without a table was changed")
		}
		_, _, _ = shortened(bytes.Clone(model), 2, 2)
	})
}

func TestTheEncodersTableBecomesAnInput(t *testing.T) {
	t.Parallel()
	model := write(nil, messageField(modelGraph, constant(positionsName, kindFloat, make([]byte, 16), 2, 2)))
	changed, table, err := shortened(model, 2, 2)
	if err != nil || len(table) != 4 || !bytes.HasPrefix(changed, model) || len(changed) == len(model) {
		t.Errorf("%d bytes of %d, a table of %d, %v", len(changed), len(model), len(table), err)
	}
	if same, table, err := shortened(model, 3, 2); err != nil || table != nil || !bytes.Equal(same, model) {
		t.Errorf("another form: %d bytes of %d, a table of %d, %v", len(same), len(model), len(table), err)
	}
}

func TestStatesAreGivenInTwoRows(t *testing.T) {
	t.Parallel()
	p := &projection{scale: 1, width: 4, rows: make([]uint8, 8)}
	state := []float32{0.001, -7.5, 3.14159, 0}
	p.quantise(state)
	for i, want := range state {
		got := float32(int(p.rows[i])-128)*p.scales[0] + float32(int(p.rows[4+i])-128)*p.scales[1]
		if math.Abs(float64(got-want)) > 7.5/127/254 {
			t.Errorf("%f is given as %f", want, got)
		}
	}
}
