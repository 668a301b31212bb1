package main

import (
	"fmt"
	"io"
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

var languages = []string{"es", "en"}

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
