package reader

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// pair is a question and a passage.
type pair struct{ question, passage string }

func examples() []pair {
	long := strings.Repeat("the rent of a scaffold is 125 € per day with delivery. ", 40)
	return []pair{
		{"How much is the rent?", "The rent of a scaffold is 12 € per day."},
		{"How much is the rent?", "It cuesta 125 €, without delivery"},
		{"¿Cuesta el andamio?", "andamio, alquiler: 125 € per day"},
		{"", ""},
		{"delivery included?", ""},
		{"", "delivery included"},
		{long, long},
		{"w30 w31 w32 w100 w200", "w40 w41 w42 w43 w44 w100 w101 w102 w103 w200 w210"},
		{strings.Repeat("x", 1e6), strings.Repeat(" ", 1e6) + "rent"},
		{"\xff\xfe", "\x00 rent \xf0\x9f"},
	}
}

// A score has the same bits by every path and on every kind of machine: those here were
// written down on amd64.
func TestScoresAreTheSameToTheBit(t *testing.T) {
	t.Parallel()
	r := load(t, randomFile(little, 1))
	var names []string
	for _, path := range paths() {
		names = append(names, path.name)
	}
	t.Log("paths: " + strings.Join(names, ", "))
	var got []uint32
	for _, p := range examples() {
		var scores []float32
		for _, path := range paths() {
			r.path = path
			scores = append(scores, r.Score(p.question, p.passage)...)
		}
		if slices.Max(scores) != slices.Min(scores) {
			t.Errorf("%.40q, %.40q: paths score %v", p.question, p.passage, scores)
		}
		got = append(got, math.Float32bits(scores[0]))
	}
	want := []uint32{0xc02264f3, 0xbffb0ea4, 0xbfc372df, 0xbf693cc4, 0xbf74d915, 0xbf6edb4c, 0xbffecfe8, 0xbfef86e8, 0xbfcc5594, 0xbfc50516}
	if !slices.Equal(got, want) {
		t.Errorf("scores are %#v, want %#v", got, want)
	}
}

func TestPassagesTogetherScoreAsAlone(t *testing.T) {
	t.Parallel()
	r := load(t, randomFile(little, 1))
	passages := []string{"12 € per day", "", "the rent of a scaffold with delivery", "it", strings.Repeat("per day ", 300)}
	got := r.Score("how much is the rent?", passages...)
	for i, p := range passages {
		if want := r.Score("how much is the rent?", p); got[i] != want[0] {
			t.Errorf("%q scores %v with others and %v alone", p, got[i], want[0])
		}
	}
	if got := r.Score("how much?"); len(got) != 0 {
		t.Errorf("no passages score %v", got)
	}
}

func TestManyAskAtTheSameTime(t *testing.T) {
	t.Parallel()
	r := load(t, randomFile(little, 1))
	want := r.Score("how much?", "12 € per day", "per day")
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for range 5 {
				if got := r.Score("how much?", "12 € per day", "per day"); !slices.Equal(got, want) {
					t.Errorf("scores are %v, want %v", got, want)
				}
			}
		})
	}
	all.Wait()
}

// Whole numbers are near what the same weights give in float64.
func TestScoresAreNearThoseOfTheNetwork(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		r := load(t, randomFile(little, seed))
		var low, high float64
		for _, p := range examples() {
			got := float64(r.Score(p.question, p.passage)[0])
			want := plainScore(r.network, p)
			low, high = min(low, want), max(high, want)
			t.Logf("%.30q, %.30q: %.4f, exactly %.4f", p.question, p.passage, got, want)
			if math.Abs(got-want) > 0.06 {
				t.Errorf("%.40q, %.40q: %v, exactly %v", p.question, p.passage, got, want)
			}
		}
		if high-low < 0.5 {
			t.Errorf("scores are between %v and %v: too near to each other to tell", low, high)
		}
	}
}

// plainScore is the network in float64, as simple as it can be written.
func plainScore(n *network, p pair) float64 {
	question := n.vocabulary.Pieces(p.question, QuestionPieces)
	pieces := slices.Concat([]int32{begin}, question, []int32{end}, n.vocabulary.Pieces(p.passage, PassagePieces), []int32{end})
	x := make([][]float64, len(pieces))
	for i, piece := range pieces {
		kind := 0
		if i > len(question)+1 {
			kind = 1
		}
		for j := range n.hidden {
			word := float64(n.words[int(piece)*n.hidden+j]) * float64(n.wordScales[piece])
			x[i] = append(x[i], word+float64(n.positions[i*n.hidden+j])+float64(n.types[kind*n.hidden+j]))
		}
		plainNorm(x[i], n.gamma, n.beta)
	}
	for _, l := range n.layers {
		x = plainLayer(n, &l, x)
	}
	score := float64(n.bias)
	for j, v := range x[0] {
		score += v * float64(n.head[j])
	}
	return score
}

func plainLayer(n *network, l *layer, x [][]float64) (next [][]float64) {
	width := n.hidden / n.heads
	keyValues := make([][]float64, len(x))
	for i := range x {
		keyValues[i] = plainLinear(&l.keyValue, x[i])
	}
	for i := range x {
		query := plainLinear(&l.query, x[i])
		found := make([]float64, n.hidden)
		for h := range n.heads {
			weights, total := make([]float64, len(x)), 0.0
			for j, kv := range keyValues {
				for d := h * width; d < (h+1)*width; d++ {
					weights[j] += query[d] * kv[d] / math.Sqrt(float64(width))
				}
				weights[j] = math.Exp(weights[j])
				total += weights[j]
			}
			for j, kv := range keyValues {
				for d := h * width; d < (h+1)*width; d++ {
					found[d] += weights[j] / total * kv[n.hidden+d]
				}
			}
		}
		next = append(next, plainSum(x[i], plainLinear(&l.out, found)))
		plainNorm(next[i], l.gamma1, l.beta1)
		inner := plainLinear(&l.up, next[i])
		for j, v := range inner {
			inner[j] = plainGelu(v)
		}
		next[i] = plainSum(next[i], plainLinear(&l.down, inner))
		plainNorm(next[i], l.gamma2, l.beta2)
	}
	return next
}

func plainLinear(l *linear, x []float64) []float64 {
	y := make([]float64, l.out)
	for j := range y {
		for k, v := range x {
			w := l.weights[j/panel*panel*l.in+k/group*panel*group+j%panel*group+k%group]
			y[j] += v * float64(w) * float64(l.scales[j])
		}
		y[j] += float64(l.biases[j])
	}
	return y
}

func plainGelu(v float64) float64 { return v * 0.5 * (1 + math.Erf(v/math.Sqrt2)) }

func plainSum(x, y []float64) []float64 {
	all := slices.Clone(x)
	for i, v := range y {
		all[i] += v
	}
	return all
}

func plainNorm(x []float64, gamma, beta []float32) {
	mean, variance := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / float64(len(x))
	}
	for i, v := range x {
		x[i] = (v-mean)/math.Sqrt(variance+1e-12)*float64(gamma[i]) + float64(beta[i])
	}
}

// BenchmarkScore is two passages of 60 pieces and a question of 12. On a machine that does
// other things too, the quickest of all rounds says more than their mean.
func BenchmarkScore(b *testing.B) {
	r := load(b, randomFile(fitted, 1))
	question := strings.TrimSpace(strings.Repeat("w100 w200 w300 ", 4))
	passage := strings.TrimSpace(strings.Repeat("w111 w222 w333 w444 ", 15))
	for _, path := range paths() {
		b.Run(path.name, func(b *testing.B) {
			b.ReportAllocs()
			r.path = path
			quickest := time.Hour
			for b.Loop() {
				start := time.Now()
				r.Score(question, passage, passage)
				quickest = min(quickest, time.Since(start))
			}
			b.ReportMetric(float64(quickest.Microseconds())/1000, "ms-quickest")
		})
	}
}

// The weights, what is made of them, and as many questions at a time as there may be.
func TestItTakesLittleMemory(t *testing.T) {
	file := randomFile(fitted, 1)
	var r *Reader
	loaded := allocated(func() { r = load(t, file) })
	run := allocated(func() { newRun(r.network) })
	t.Logf("weights of %d bytes, %d beside them, %d for each question", len(file), loaded, run)
	if all := uint64(len(file)) + loaded + mostRuns*run; all > 40e6 {
		t.Errorf("it takes %d bytes, of which the weights are %d and a question %d", all, len(file), run)
	}
}

// allocated is how many bytes do allocates.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func BenchmarkLoad(b *testing.B) {
	file := randomFile(fitted, 1)
	for b.Loop() {
		load(b, file)
	}
}
