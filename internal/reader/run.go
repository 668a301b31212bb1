package reader

import "math"

// block is how many tokens are multiplied before their sums are used: what is between
// stays near the processor, and takes little memory.
const block = 96

// run is the memory of one pass through the network.
type run struct {
	*network
	path path

	tokens int
	begins []int // the first token of each passage, and behind them the number of tokens

	x         []float32 // [tokens][hidden], what is known of each token
	query     []float32 // [tokens][hidden], then what each token has found
	keyValue  []float32 // [tokens][2·hidden]
	y         []float32 // outputs of one token
	acc       []int32   // sums of a block
	narrow    rows      // [tokens][hidden]
	wide      rows      // [block][inner]
	attention attention
}

func newRun(n *network) *run {
	const tokens = atOnce * longest
	widest := max(n.inner, 2*n.hidden)
	return &run{
		network:   n,
		begins:    make([]int, 0, atOnce+1),
		x:         make([]float32, tokens*n.hidden),
		query:     make([]float32, tokens*n.hidden),
		keyValue:  make([]float32, tokens*2*n.hidden),
		y:         make([]float32, widest),
		acc:       make([]int32, block*widest),
		narrow:    newRows(tokens, n.hidden),
		wide:      newRows(block, n.inner),
		attention: newAttention(n.hidden / n.heads),
	}
}

// rows are rows of numbers as bytes, each row with its scale.
type rows struct {
	width  int
	bytes  []uint8
	scales []float32
	zeros  []int32
}

func newRows(n, width int) rows {
	return rows{width, make([]uint8, n*width), make([]float32, n), make([]int32, n)}
}

// set makes row i of x.
func (r *rows) set(p *path, i int, x []float32) {
	r.scales[i], r.zeros[i] = p.quantise(r.bytes[i*r.width:][:r.width], x)
}

// move makes row i the same as another.
func (r *rows) move(i, from int) {
	copy(r.bytes[i*r.width:][:r.width], r.bytes[from*r.width:])
	r.scales[i], r.zeros[i] = r.scales[from], r.zeros[from]
}

// begin forgets what was read.
func (r *run) begin() {
	r.tokens, r.begins = 0, append(r.begins[:0], 0)
}

// read takes a question and a passage in.
func (r *run) read(question, passage []int32) {
	start := r.tokens
	embed := func(kind int, pieces ...int32) {
		for _, piece := range pieces {
			r.embed(r.tokens, r.tokens-start, kind, int(piece))
			r.tokens++
		}
	}
	embed(0, begin)
	embed(0, question...)
	embed(0, end)
	embed(1, passage...)
	embed(1, end)
	r.begins = append(r.begins, r.tokens)
}

// embed sets what is known of a token at first.
func (r *run) embed(token, position, kind, piece int) {
	h := r.hidden
	x := r.x[token*h:][:h]
	word, scale := r.words[piece*h:][:h], r.wordScales[piece]
	at, of := r.positions[position*h:][:h], r.types[kind*h:][:h]
	for i := range x {
		x[i] = float32(float32(word[i])*scale) + (at[i] + of[i])
	}
	r.path.normalise(x, r.gamma, r.beta)
}

// score is what the network says of each passage that was read.
func (r *run) score(scores []float32) {
	for i := range r.layers {
		r.layer(&r.layers[i], i == len(r.layers)-1)
	}
	for i := range scores {
		score := r.bias
		for j, v := range r.x[i*r.hidden:][:r.hidden] {
			score += float32(v * r.head[j])
		}
		scores[i] = score
	}
}

// layer takes all tokens through a layer. After the last one only the first token of each
// passage is looked at, so that only they ask there.
func (r *run) layer(l *layer, last bool) {
	h := r.hidden
	r.narrowed(r.x)
	r.apply(&l.keyValue, &r.narrow, func(token int, y []float32) {
		copy(r.keyValue[token*2*h:], y)
	})
	passages := r.begins
	if last {
		r.keepFirst()
	}
	r.apply(&l.query, &r.narrow, func(token int, y []float32) {
		copy(r.query[token*h:], y)
	})
	for i := range len(passages) - 1 {
		keys := r.keyValue[passages[i]*2*h : passages[i+1]*2*h]
		if last {
			r.attention.attend(&r.path, r.query[i*h:][:h], keys, h)
		} else {
			r.attention.attend(&r.path, r.query[passages[i]*h:passages[i+1]*h], keys, h)
		}
	}
	r.narrowed(r.query)
	r.apply(&l.out, &r.narrow, func(token int, y []float32) {
		r.addTo(token, y, l.gamma1, l.beta1)
	})
	r.narrowed(r.x)
	r.feedForward(l)
}

// feedForward takes all tokens through the second half of a layer.
func (r *run) feedForward(l *layer) {
	for from := 0; from < r.tokens; from += block {
		tokens := min(block, r.tokens-from)
		r.applyTo(&l.up, &r.narrow, from, tokens, func(i int, y []float32) {
			r.path.gelu(y)
			r.wide.set(&r.path, i-from, y)
		})
		r.applyTo(&l.down, &r.wide, 0, tokens, func(i int, y []float32) {
			r.addTo(from+i, y, l.gamma2, l.beta2)
		})
	}
}

// keepFirst leaves the first token of each passage alone.
func (r *run) keepFirst() {
	h := r.hidden
	r.tokens = len(r.begins) - 1
	for i, from := range r.begins[:r.tokens] {
		copy(r.x[i*h:][:h], r.x[from*h:])
		r.narrow.move(i, from)
	}
}

// narrowed makes bytes of all tokens' numbers.
func (r *run) narrowed(x []float32) {
	for i := range r.tokens {
		r.narrow.set(&r.path, i, x[i*r.hidden:][:r.hidden])
	}
}

// addTo adds y to what is known of a token, and normalises it.
func (r *run) addTo(token int, y, gamma, beta []float32) {
	x := r.x[token*r.hidden:][:r.hidden]
	r.path.add(x, y)
	r.path.normalise(x, gamma, beta)
}

// apply calls use with the outputs of l for each token.
func (r *run) apply(l *linear, in *rows, use func(token int, y []float32)) {
	for from := 0; from < r.tokens; from += block {
		r.applyTo(l, in, from, min(block, r.tokens-from), use)
	}
}

// applyTo calls use with the outputs of l for some rows, at most a block of them.
func (r *run) applyTo(l *linear, in *rows, from, n int, use func(row int, y []float32)) {
	y := r.y[:l.out]
	r.path.multiply(r.acc, in.bytes[from*l.in:], l.weights, n, l.in, l.out)
	for i := range n {
		r.path.rescale(y, r.acc[i*l.out:], l.sums, l.scales, l.biases, in.zeros[from+i], in.scales[from+i])
		use(from+i, y)
	}
}

// rootOf is the square root of a whole number.
func rootOf(n int) float32 { return float32(math.Sqrt(float64(n))) }
