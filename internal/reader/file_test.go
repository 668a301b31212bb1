package reader

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// fitted is the shape that is trained, and little is one for tests that need no more.
var (
	fitted = shape{hidden: 384, heads: 12, inner: 1536, depth: 6, pieces: 34000, places: 192}
	little = shape{hidden: 64, heads: 2, inner: 128, depth: 3, pieces: 300, places: 192}
)

// writer writes a file of random weights. It uses no function that machines round in
// different ways: all machines write the same file.
type writer struct {
	bytes.Buffer
	random *rand.Rand
}

func randomFile(s shape, seed uint64) []byte {
	w := &writer{random: rand.New(rand.NewPCG(seed, 1))}
	w.WriteString(magic)
	for _, size := range []int{s.hidden, s.heads, s.inner, s.depth, s.pieces, s.places} {
		w.put(uint32(size))
	}
	for i := range s.pieces {
		name := nameOf(i)
		w.WriteByte(byte(len(name)))
		w.WriteString(name)
	}
	words := make([]int8, s.pieces*s.hidden)
	for i := range words {
		words[i] = int8(w.random.IntN(255) - 127)
	}
	w.array(words)
	w.floats(s.pieces, 0.0005, 0.001)
	w.floats(s.places*s.hidden, -0.02, 0.02)
	w.floats(2*s.hidden, -0.02, 0.02)
	w.normal(s)
	for range s.depth {
		w.linear(s.hidden, 3*s.hidden)
		w.linear(s.hidden, s.hidden)
		w.normal(s)
		w.linear(s.hidden, s.inner)
		w.linear(s.inner, s.hidden)
		w.normal(s)
	}
	w.floats(s.hidden, -0.3, 0.3)
	w.floats(1, -1, 1)
	origin := `{"made of":"random numbers"}`
	w.array(uint32(len(origin)))
	w.WriteString(origin)
	return w.Bytes()
}

// nameOf is the name of a piece: single letters, some words of the texts below, and
// numbers.
func nameOf(i int) string {
	words := strings.Fields("how much is the rent of a scaffold andamio alquiler cuesta per day it 12 125 € ##s ? . , with without delivery included")
	switch i -= specials; {
	case i < 0:
		return Specials[i+specials]
	case i < 26:
		return "##" + string(rune('a'+i))
	case i < 26+len(words):
		if name := words[i-26]; len(name) > 1 && name != "##s" {
			return name
		}
	}
	return fmt.Sprintf("w%d", i)
}

func (w *writer) put(v any) {
	if err := binary.Write(w, binary.LittleEndian, v); err != nil {
		panic(err)
	}
}

func (w *writer) array(v any) {
	w.Write(make([]byte, -w.Len()&(alignment-1)))
	w.put(v)
}

func (w *writer) floats(n int, from, to float32) {
	all := make([]float32, n)
	for i := range all {
		all[i] = from + float32(w.random.Float32()*(to-from))
	}
	w.array(all)
}

func (w *writer) normal(s shape) {
	w.floats(s.hidden, 0.7, 1.3)
	w.floats(s.hidden, -0.2, 0.2)
}

func (w *writer) linear(in, out int) {
	weights, sums := make([]int8, in*out), make([]int32, out)
	for i := range weights {
		weights[i] = int8(w.random.IntN(127) - 63)
		sums[i/(panel*in)*panel+i/group%panel] += int32(weights[i])
	}
	w.array(weights)
	w.floats(out, 0.7/63/float32(math.Sqrt(float64(in))), 2.4/63/float32(math.Sqrt(float64(in))))
	w.floats(out, -0.1, 0.1)
	w.array(sums)
}

func load(t testing.TB, file []byte) *Reader {
	t.Helper()
	r, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAFileIsReadInPlace(t *testing.T) {
	t.Parallel()
	file := randomFile(little, 1)
	r := load(t, file)
	if got := string(r.Origin()); got != `{"made of":"random numbers"}` {
		t.Errorf("the origin is %s", got)
	}
	if got := r.Vocabulary().Len(); got != little.pieces {
		t.Errorf("%d pieces", got)
	}
	moved := load(t, append([]byte{0}, file...)[1:])
	want := r.Score("how much?", "12 € per day")
	if got := moved.Score("how much?", "12 € per day"); !slices.Equal(got, want) {
		t.Errorf("a file at an odd address scores %v, not %v", got, want)
	}
	r.network.words[0]++
	if file[bytes.IndexByte(file, 0)] != 0 || r.network.words[0] == moved.network.words[0] {
		t.Error("the words are a copy")
	}
}

func TestAFaultyFileIsRefused(t *testing.T) {
	t.Parallel()
	file := randomFile(little, 1)
	for length := range 400 {
		if _, err := Load(file[:length]); err == nil {
			t.Fatalf("a file of %d bytes is read", length)
		}
	}
	for length := len(file) - 1; length > 0; length -= 997 {
		if _, err := Load(file[:length]); err == nil {
			t.Fatalf("a file of %d bytes is read", length)
		}
	}
	weights := bytes.LastIndex(file, []byte(`{"made`)) - 5000
	tests := map[string]struct {
		change func(b []byte) []byte
		want   string
	}{
		"another file":        {func([]byte) []byte { return []byte("PK") }, "no file"},
		"more behind it":      {func(b []byte) []byte { return append(b, 0) }, "follow the end"},
		"no JSON at its end":  {func(b []byte) []byte { b[len(b)-1] = '.'; return b }, "no JSON"},
		"a size of nothing":   {func(b []byte) []byte { clear(b[8:12]); return b }, "out of range"},
		"a size of too much":  {func(b []byte) []byte { b[11] = 255; return b }, "out of range"},
		"an odd size":         {func(b []byte) []byte { b[12] = 3; return b }, "multiples"},
		"a piece twice":       {func(b []byte) []byte { copy(b[bytes.Index(b, []byte("##b")):], "##a"); return b }, "twice"},
		"a number not there":  {func(b []byte) []byte { binary.LittleEndian.PutUint32(b[len(b)-128:], 0x7fc00000); return b }, "the number NaN"},
		"a larger weight":     {func(b []byte) []byte { b[weights] = 64; return b }, "between -64 and 63"},
		"a weight in its way": {func(b []byte) []byte { b[weights] ^= 1; return b }, "add up"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Load(tt.change(slices.Clone(file)))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %v, want one of %q", err, tt.want)
			}
		})
	}
}

// FuzzLoad: whatever is loaded is refused or scores.
func FuzzLoad(f *testing.F) {
	smallest := shape{hidden: 16, heads: 1, inner: 16, depth: 1, pieces: 8, places: longest}
	file := randomFile(smallest, 1)
	f.Add(file, uint32(0), byte(0))
	f.Add(file, uint32(len(file)-1), byte('.'))
	f.Fuzz(func(t *testing.T, file []byte, at uint32, value byte) {
		if len(file) > 0 {
			file = slices.Clone(file)
			file[int(at)%len(file)] = value
		}
		r, err := Load(file)
		if err != nil {
			return
		}
		for _, score := range r.Score("how much?", "12 € per day", string(file[:min(len(file), 99)])) {
			if math.IsNaN(float64(score)) || math.IsInf(float64(score), 0) {
				t.Errorf("the score is %v", score)
			}
		}
	})
}
