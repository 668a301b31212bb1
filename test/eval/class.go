package main

import (
	"maps"
	"math"
	"slices"

	"frontdesk.dev/frontdesk/internal/search"
)

// class is a number of facts that are told apart, with the vectors of their
// signs as they are now.
type class struct {
	*learner
	vectors map[int]*vector
	texts   []*text
	spoken  []*vector         // the signs of all texts
	near    map[int][]float32 // of a sign of a question, to each of the spoken
}

// vector is that of a sign.
type vector struct {
	sign   int
	place  int // among the spoken
	at     []float32
	unit   []float32 // the same with length 1
	length float32
	slope  []float32 // of at
	turn   []float32 // of unit
}

// text is a text with the sum of its vectors.
type text struct {
	signs  []*vector
	unit   []float32
	length float32
	slope  []float32 // of unit
}

func newClass(l *learner) *class {
	return &class{learner: l, vectors: map[int]*vector{}, near: map[int][]float32{}}
}

func (c *class) vector(sign int) *vector {
	v, ok := c.vectors[sign]
	if !ok {
		v = &vector{sign: sign, place: -1, at: make([]float32, dims), slope: make([]float32, dims), turn: make([]float32, dims)}
		for _, m := range c.made[sign] {
			addTo(v.at, m.of, m.at)
		}
		v.unit, v.length = unit(v.at)
		c.vectors[sign] = v
	}
	return v
}

func (c *class) text(signs []int) *text {
	t := &text{slope: make([]float32, dims)}
	sum := make([]float32, dims)
	for _, s := range signs {
		v := c.vector(s)
		t.signs = append(t.signs, v)
		addTo(sum, 1, v.at)
	}
	t.unit, t.length = unit(sum)
	return t
}

// addText adds a text that questions are compared with.
func (c *class) addText(signs []int) {
	t := c.text(signs)
	for _, v := range t.signs {
		if v.place < 0 {
			v.place = len(c.spoken)
			c.spoken = append(c.spoken, v)
		}
	}
	c.texts = append(c.texts, t)
}

// nearTo is how near a sign of a question is to each of the spoken.
func (c *class) nearTo(v *vector) []float32 {
	near, ok := c.near[v.sign]
	if !ok {
		near = make([]float32, len(c.spoken))
		for i, s := range c.spoken {
			near[i] = inner(v.unit, s.unit)
		}
		c.near[v.sign] = near
	}
	return near
}

// meeting is how a question and a text meet: as wholes, and sign by sign.
type meeting struct {
	whole, bySign float64
	nearest       []*vector // for each sign of the question
	near          []float32
}

func (m *meeting) nearness() float64 { return (m.whole + m.bySign) / 2 }

// restful is added to the weights of a question, so that one of few words is
// not sure too easily.
const restful = search.SenseRest

func (c *class) weights(q *text) (w []float32, total float32) {
	total = restful
	for _, v := range q.signs {
		w = append(w, c.counted(v.sign))
		total += w[len(w)-1]
	}
	return w, total
}

func (c *class) meet(q *text, w []float32, total float32, t *text) meeting {
	m := meeting{whole: float64(inner(q.unit, t.unit)), nearest: make([]*vector, len(q.signs)), near: make([]float32, len(q.signs))}
	for i, v := range q.signs {
		row := c.nearTo(v)
		for _, s := range t.signs {
			if x := row[s.place]; x > m.near[i] {
				m.near[i], m.nearest[i] = x, s
			}
		}
		m.bySign += float64(w[i] * m.near[i] / total)
	}
	return m
}

// ask learns from a question to which one of the texts is right.
func (c *class) ask(q *text, right int) (loss float64) {
	w, total := c.weights(q)
	meetings := make([]meeting, len(c.texts))
	odds := make([]float64, len(c.texts))
	for i, t := range c.texts {
		meetings[i] = c.meet(q, w, total, t)
		odds[i] = math.Exp((meetings[i].nearness() - 1) / heat)
	}
	var sum float64
	for _, o := range odds {
		sum += o
	}
	for i, t := range c.texts {
		truth := one(i == right)
		m := &meetings[i]
		miss := 1/(1+math.Exp(-(m.nearness()-c.line)/heat)) - truth
		c.line += slowness * heat * miss / float64(len(odds))
		if slope := odds[i]/sum - truth + judging*miss; math.Abs(slope) > 1e-4 {
			c.correct(q, w, total, t, m, float32(slope/2))
		}
	}
	c.hand(q)
	return -math.Log(odds[right] / sum)
}

// correct notes by how much a question and a text are to be nearer, or farther.
func (c *class) correct(q *text, w []float32, total float32, t *text, m *meeting, slope float32) {
	addTo(q.slope, slope, t.unit)
	addTo(t.slope, slope, q.unit)
	for i, v := range q.signs {
		p := c.weight[v.sign]
		p.touched = true
		p.slope[0] += slope * (m.near[i] - float32(m.bySign)) / total * float32(1/(1+math.Exp(-float64(p.at[0]))))
		if s := m.nearest[i]; s != nil && s != v {
			addTo(v.turn, slope*w[i]/total, s.unit)
			addTo(s.turn, slope*w[i]/total, v.unit)
		}
	}
}

// hand hands the slope of a text down to its signs.
func (c *class) hand(t *text) {
	flat := across(t.slope, t.unit, t.length)
	for _, v := range t.signs {
		addTo(v.slope, 1, flat)
	}
}

// across is the slope of a vector for that of its direction.
func across(slope, unit []float32, length float32) []float32 {
	along := inner(slope, unit)
	out := make([]float32, len(slope))
	for j := range slope {
		out[j] = (slope[j] - along*unit[j]) / length
	}
	return out
}

// finish changes what was learned by all that was noted.
func (c *class) finish(rate float64, asked int) {
	for _, t := range c.texts {
		c.hand(t)
	}
	var touched []*param
	for _, sign := range slices.Sorted(maps.Keys(c.vectors)) {
		v := c.vectors[sign]
		addTo(v.slope, 1, across(v.turn, v.unit, v.length))
		for _, m := range c.made[sign] {
			addTo(m.slope, m.of, v.slope)
			if !m.touched {
				m.touched = true
				touched = append(touched, m.param)
			}
		}
		if p := c.weight[sign]; p.touched {
			touched = append(touched, p)
		}
	}
	for _, p := range touched {
		p.step(float32(rate), 1/float32(asked))
	}
}

// inner is the inner product, in sums that do not wait for each other.
func inner(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	for i := 3; i < len(a); i += 4 {
		s0 += a[i-3] * b[i-3]
		s1 += a[i-2] * b[i-2]
		s2 += a[i-1] * b[i-1]
		s3 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}

func addTo(sum []float32, times float32, v []float32) {
	sum = sum[:len(v)]
	for i, x := range v {
		sum[i] += times * x
	}
}

func unit(v []float32) (_ []float32, length float32) {
	length = float32(math.Sqrt(float64(inner(v, v)))) + 1e-6
	out := make([]float32, len(v))
	addTo(out, 1/length, v)
	return out, length
}
