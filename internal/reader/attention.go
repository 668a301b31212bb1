package reader

// padded is how many tokens a passage has at most, in whole panels.
const padded = (longest + panel - 1) / panel * panel

// attention is the memory in which one head at a time looks at one passage.
type attention struct {
	width     int     // of a head
	share     float32 // by which scores are multiplied
	query     rows    // [tokens][width]
	keys      []int8  // [tokens/16][width/4][16][4]
	keyScales []float32
	keySums   []int32
	mask      []float32 // 0 for tokens, and out of reach for the padding
	values    []int8    // [width/16][tokens/4][16][4]
	scales    []float32 // of values, by column
	perUnit   []float32
	none      []int32   // zeros
	zeros     []float32 // too
	acc       []int32
	scores    []float32 // of one token
	weights   []uint8   // [tokens][tokens]
	sums      []int32   // of weights, by token
}

func newAttention(width int) attention {
	return attention{
		width:     width,
		share:     1 / rootOf(width),
		query:     newRows(longest, width),
		keys:      make([]int8, padded*width),
		keyScales: make([]float32, padded),
		keySums:   make([]int32, padded),
		mask:      make([]float32, padded),
		values:    make([]int8, padded*width),
		scales:    make([]float32, width),
		perUnit:   make([]float32, width),
		none:      make([]int32, width),
		zeros:     make([]float32, width),
		acc:       make([]int32, longest*max(padded, width)),
		scores:    make([]float32, padded),
		weights:   make([]uint8, longest*padded),
		sums:      make([]int32, longest),
	}
}

// outOfReach is below every score that a token can have.
const outOfReach = -1e30

// attend replaces each query by the values of the tokens that it looks at. Queries are
// [asking][hidden]; keys and values stand together, [tokens][2·hidden].
func (a *attention) attend(p *path, queries, keyValue []float32, hidden int) {
	asking, tokens := len(queries)/hidden, len(keyValue)/hidden/2
	all := (tokens + panel - 1) / panel * panel
	for i := range all {
		a.mask[i] = 0
		if i >= tokens {
			a.mask[i] = outOfReach
		}
	}
	for from := 0; from < hidden; from += a.width {
		a.takeKeys(keyValue[from:], tokens, all, 2*hidden)
		a.takeValues(keyValue[hidden+from:], tokens, all, 2*hidden)
		for i := range asking {
			a.query.set(p, i, queries[i*hidden+from:][:a.width])
		}
		a.look(p, asking, all)
		a.find(p, queries[from:], asking, all, hidden)
	}
}

// takeKeys makes a panel's bytes of keys, which are stride apart.
func (a *attention) takeKeys(x []float32, tokens, all, stride int) {
	clear(a.keys[:all*a.width])
	clear(a.keyScales[tokens:all])
	clear(a.keySums[tokens:all])
	for i := range tokens {
		key := x[i*stride:][:a.width]
		scale, perUnit := weightScale(largest(key))
		a.keyScales[i] = scale
		to := a.keys[i/panel*panel*a.width+i%panel*group:]
		sum := int32(0)
		for j := 0; j < len(key); j += group {
			four, bytes := (*[group]float32)(key[j:]), (*[group]int8)(to[j*panel:])
			for l, v := range four {
				w := rounded(float32(v * perUnit))
				bytes[l] = int8(w)
				sum += w
			}
		}
		a.keySums[i] = sum
	}
}

// takeValues makes bytes of values, which are stride apart, with one scale a column.
func (a *attention) takeValues(x []float32, tokens, all, stride int) {
	highest := a.scales
	clear(highest)
	for i := range tokens {
		for j, v := range x[i*stride:][:len(highest)] {
			if v < 0 {
				v = -v
			}
			if v > highest[j] {
				highest[j] = v
			}
		}
	}
	for j, v := range highest {
		a.scales[j], a.perUnit[j] = weightScale(v)
	}
	clear(a.values[:all*a.width])
	for i := range tokens {
		to := a.values[i/group*panel*group+i%group:]
		for j, v := range x[i*stride:][:len(a.perUnit)] {
			to[j/panel*panel*all+j%panel*group] = int8(rounded(float32(v * a.perUnit[j])))
		}
	}
}

// look sets how much each token that asks looks at each of all.
func (a *attention) look(p *path, asking, all int) {
	p.multiply(a.acc, a.query.bytes, a.keys, asking, a.width, all)
	scores := a.scores[:all]
	for i := range asking {
		p.rescale(scores, a.acc[i*all:], a.keySums, a.keyScales, a.mask, a.query.zeros[i], float32(a.query.scales[i]*a.share))
		_, highest := p.extremes(scores)
		a.sums[i] = p.weigh(a.weights[i*all:][:all], scores, highest)
	}
}

// find sets what each token that asks has found, in rows that are stride apart.
func (a *attention) find(p *path, to []float32, asking, all, stride int) {
	p.multiply(a.acc, a.weights, a.values, asking, all, a.width)
	for i := range asking {
		p.rescale(to[i*stride:][:a.width], a.acc[i*a.width:], a.none, a.scales, a.zeros, 0, 1/float32(a.sums[i]))
	}
}

// largest is the largest of x, without signs.
func largest(x []float32) (most float32) {
	for _, v := range x {
		if v < 0 {
			v = -v
		}
		if v > most {
			most = v
		}
	}
	return most
}

// weightScale is the scale of numbers up to most as weights, and how many weights a unit has.
func weightScale(most float32) (scale, perUnit float32) {
	if most < smallest {
		return 0, 0
	}
	return most / 63, 63 / most
}
