package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"frontdesk.dev/frontdesk/internal/lexicon"
	"frontdesk.dev/frontdesk/internal/search"
)

// How senses are learned.
const (
	dims     = search.SenseDims
	heat     = 0.1  // how small a difference in nearness tells two facts apart
	apart    = 80   // facts that are told apart at once
	stride   = 0.02 // of the first steps; they shrink to nothing
	forget   = 0.2  // share of signs that are left out of a text, each time others
	shared   = 0.3  // and more of those that question and fact share
	judging  = 2    // what it counts to tell right from wrong for each fact alone
	slowness = 0.01 // of the line between right and wrong
)

// learner learns a vector for every sign, and how much it counts in a question.
// The vector of a word is the sum of its own and of those of its groups in the
// lexicon, so that what is learned of one word is known of the others.
type learner struct {
	signs  map[string]int
	names  []string
	made   [][]share // of what the vector of each sign is made
	counts []int     // how often each sign was read
	weight []*param  // what each sign counts in a question
	params map[string]*param
	line   float64 // from which nearness on a fact is rather right than wrong
	random *rand.Rand
}

// share is how much of a parameter there is in the vector of a sign.
type share struct {
	*param
	of float32
}

func newLearner() *learner {
	return &learner{signs: map[string]int{}, params: map[string]*param{}, line: 0.5, random: rand.New(rand.NewPCG(1, 1))}
}

// param is something to learn, with the slope that is known of it.
type param struct {
	at, slope, mean, square []float32
	touched                 bool
}

func newParam(n int) *param {
	return &param{at: make([]float32, n), slope: make([]float32, n), mean: make([]float32, n), square: make([]float32, n)}
}

// step goes down the slope, with steps that adapt to each number.
func (p *param) step(rate, scale float32) {
	for j, g := range p.slope {
		g *= scale
		p.mean[j] = 0.9*p.mean[j] + 0.1*g
		p.square[j] = 0.99*p.square[j] + 0.01*g*g
		p.at[j] -= rate * p.mean[j] / (float32(math.Sqrt(float64(p.square[j]))) + 1e-8)
	}
	clear(p.slope)
	p.touched = false
}

func (l *learner) param(name string) *param {
	p, ok := l.params[name]
	if !ok {
		p = newParam(dims)
		for j := range p.at {
			p.at[j] = float32(l.random.NormFloat64() / math.Sqrt(dims))
		}
		l.params[name] = p
	}
	return p
}

// sign returns the number of a sign.
func (l *learner) sign(s search.Sign) int {
	if i, ok := l.signs[s.Name]; ok {
		return i
	}
	made := []share{{l.param(s.Name), 1}}
	same, related := lexicon.Words().Groups(s.Entry)
	for _, groups := range [][]int32{same, related} {
		for _, g := range groups {
			made = append(made, share{l.param(fmt.Sprint("group ", g)), float32(1 / math.Sqrt(float64(len(groups))))})
		}
	}
	i := len(l.names)
	l.signs[s.Name] = i
	l.names = append(l.names, s.Name)
	l.made = append(l.made, made)
	l.counts = append(l.counts, 0)
	l.weight = append(l.weight, newParam(1))
	return i
}

// counted is what a sign counts in a question: more than nothing.
func (l *learner) counted(sign int) float32 {
	return float32(math.Log1p(math.Exp(float64(l.weight[sign].at[0]))))
}

func (l *learner) read(signs []search.Sign) (all []int) {
	for _, s := range signs {
		i := l.sign(s)
		l.counts[i]++
		if !slices.Contains(all, i) {
			all = append(all, i)
		}
	}
	return all
}

var languages = []string{lexicon.Spanish, lexicon.English}

// lesson is a fact as signs.
type lesson struct {
	fact
	written map[string][]int
	asked   map[string][][]int
}

func (l *learner) lesson(f fact) lesson {
	k := lesson{f, map[string][]int{}, map[string][][]int{}}
	for _, lang := range languages {
		k.written[lang] = l.read(search.Signs(lang, f.written[lang]))
		for _, text := range f.asked[lang] {
			k.asked[lang] = append(k.asked[lang], l.read(search.QuestionSigns(lang, text)))
		}
	}
	return k
}

// some leaves out some of the signs, so that none is relied on alone: most of
// those that stand on both sides, because those are found without senses.
func (l *learner) some(signs, other []int) (kept []int) {
	for _, s := range signs {
		p := forget
		if slices.Contains(other, s) {
			p += shared
		}
		if l.random.Float64() >= p {
			kept = append(kept, s)
		}
	}
	if len(kept) == 0 {
		return signs
	}
	return kept
}

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

// learnSenses learns the senses of facts, and tells how it goes.
func learnSenses(w io.Writer, facts []fact, epochs int) *learner {
	l := newLearner()
	topics := map[int][]lesson{}
	var order []int
	for _, f := range facts {
		if topics[f.topic] == nil {
			order = append(order, f.topic)
		}
		topics[f.topic] = append(topics[f.topic], l.lesson(f))
	}
	for epoch := range epochs {
		l.random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		rate := stride * (1 - float64(epoch)/float64(epochs))
		var some []lesson
		var loss float64
		asked := 0
		for i, topic := range order {
			some = append(some, topics[topic]...)
			if len(some) >= apart || i == len(order)-1 {
				sum, n := l.teach(some, rate)
				loss, asked, some = loss+sum, asked+n, nil
			}
		}
		fmt.Fprintf(w, "epoch %d of %d: loss %.3f\n", epoch+1, epochs, loss/float64(asked))
	}
	return l
}

// teach tells some facts apart by their questions, and by what they say in the
// other language.
func (l *learner) teach(some []lesson, rate float64) (loss float64, asked int) {
	c := newClass(l)
	langs := make([]string, len(some))
	for i, k := range some {
		langs[i] = languages[l.random.IntN(len(languages))]
		c.addText(l.some(k.written[langs[i]], nil))
	}
	for i, k := range some {
		written := k.written[langs[i]]
		for _, lang := range languages {
			for _, q := range k.asked[lang] {
				loss += c.ask(c.text(l.some(q, written)), i)
				asked++
			}
			if lang != langs[i] {
				loss += c.ask(c.text(l.some(k.written[lang], written)), i)
				asked++
			}
		}
	}
	c.finish(rate, asked)
	return loss, asked
}

// examine tells how often a question is nearest to its own fact, among those of
// its trade and among those of its topic, and how well nearness tells whether the
// fact is there at all.
func (l *learner) examine(w io.Writer, facts []fact) {
	var exam []lesson
	for _, f := range facts {
		exam = append(exam, l.lesson(f))
	}
	fmt.Fprintln(w, "direction  trade  topic  AUROC")
	for _, from := range languages {
		for _, to := range languages {
			first, inTopic, there := l.examineIn(exam, from, to)
			fmt.Fprintf(w, "%s→%s      %.3f  %.3f  %.3f\n", from, to, first, inTopic, there)
		}
	}
}

func (l *learner) examineIn(exam []lesson, from, to string) (first, inTopic, there float64) {
	c := newClass(l)
	for _, k := range exam {
		c.addText(k.written[to])
	}
	var with, without []float64
	for i, k := range exam {
		for _, signs := range k.asked[from] {
			own, sibling, other := c.rivals(exam, i, signs)
			first += one(own > other)
			inTopic += one(own > sibling)
			with, without = append(with, max(own, other)), append(without, other)
		}
	}
	n := float64(len(with))
	return first / n, inTopic / n, auroc(with, without)
}

// rivals is how near a question is to its own fact, to the nearest other of its
// topic, and to the nearest other of its trade.
func (c *class) rivals(exam []lesson, own int, signs []int) (near, sibling, other float64) {
	q := c.text(signs)
	w, total := c.weights(q)
	for i, t := range c.texts {
		if exam[i].trade != exam[own].trade {
			continue
		}
		m := c.meet(q, w, total, t)
		switch {
		case i == own:
			near = m.nearness()
		case exam[i].topic == exam[own].topic:
			sibling = max(sibling, m.nearness())
		}
		if i != own {
			other = max(other, m.nearness())
		}
	}
	return near, sibling, other
}

// rarest is how often a sign must be read to be worth keeping.
const rarest = 2

// senses are the vectors of all signs that are worth keeping, and what each
// counts in a question.
func (l *learner) senses() (all []search.Sense) {
	c := newClass(l)
	for i, name := range l.names {
		if l.counts[i] >= rarest {
			all = append(all, search.Sense{Name: name, Vector: c.vector(i).at, Weight: l.counted(i), Count: l.counts[i]})
		}
	}
	return all
}

func inner(a, b []float32) (sum float32) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

func addTo(sum []float32, times float32, v []float32) {
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
