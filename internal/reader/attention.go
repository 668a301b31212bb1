package reader

import "bytes"

// padded is how many tokens a passage has at most, in whole panels.
const padded = (longest + panel - 1) / panel * panel

// attention is the memory in which one head at a time looks at one passage.
type attention struct {
	width       int     // of a head
	share       float32 // by which scores are multiplied
	query       rows    // [tokens][width]
	keys        []int8  // [tokens/16][width/4][16][4]
	keyScales   []float32
	keySums     []int32
	mask        []float32 // 0 for tokens, and out of reach for the padding
	values      []int8    // [width/16][tokens/4][16][4]
	valueScales []float32 // by column
	perUnit     []float32
	bytes       []uint8 // four rows of weights in the making
	ones        []uint8
	none        []int32   // zeros
	zeros       []float32 // too
	acc         []int32
	scores      []float32 // of one token
	weights     []uint8   // [tokens][tokens]
	sums        []int32   // of weights, by token
}

func newAttention(width int) attention {
	return attention{
		width:       width,
		share:       1 / rootOf(width),
		query:       newRows(longest, width),
		keys:        make([]int8, padded*width),
		keyScales:   make([]float32, padded),
		keySums:     make([]int32, padded),
		mask:        make([]float32, padded),
		values:      make([]int8, padded*width),
		valueScales: make([]float32, width),
		bytes:       make([]uint8, group*width),
		ones:        bytes.Repeat([]byte{1}, width),
		perUnit:     make([]float32, width),
		none:        make([]int32, width),
		zeros:       make([]float32, width),
		acc:         make([]int32, longest*max(padded, width)),
		scores:      make([]float32, padded),
		weights:     make([]uint8, longest*padded),
		sums:        make([]int32, longest),
	}
}

// outOfReach is below every score that a token can have.
const outOfReach = -1e38

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
		a.takeKeys(p, keyValue[from:], tokens, all, 2*hidden)
		a.takeValues(p, keyValue[hidden+from:], tokens, all, 2*hidden)
		for i := range asking {
			a.query.set(p, i, queries[i*hidden+from:][:a.width])
		}
		a.look(p, asking, all)
		a.find(p, queries[from:], asking, all, hidden)
	}
}

// takeKeys makes weights of keys, which are stride apart, with one scale a token.
func (a *attention) takeKeys(p *path, x []float32, tokens, all, stride int) {
	clear(a.keys[:all*a.width])
	clear(a.keyScales[tokens:all])
	row := a.bytes[:a.width]
	for i := range tokens {
		key := x[i*stride:][:a.width]
		low, high := p.extremes(key)
		scale, perUnit := weightScale(max(-low, high))
		a.keyScales[i] = scale
		p.levels(row, key, perUnit, weightZero)
		to := a.keys[i/panel*panel*a.width+i%panel*group:]
		for j := 0; j < len(row); j += group {
			*(*[group]int8)(to[j*panel:]) = weightsOf(row[j], row[j+1], row[j+2], row[j+3])
		}
	}
	p.multiply(a.keySums, a.ones, a.keys, 1, a.width, all)
}

// takeValues makes weights of values, which are stride apart, with one scale a column.
func (a *attention) takeValues(p *path, x []float32, tokens, all, stride int) {
	clear(a.valueScales)
	for i := range tokens {
		p.peaks(a.valueScales, x[i*stride:][:a.width])
	}
	for j, peak := range a.valueScales {
		a.valueScales[j], a.perUnit[j] = weightScale(peak)
	}
	clear(a.values[:all*a.width])
	w := a.width
	for i := 0; i < tokens; i += group {
		for l := range group {
			row := a.bytes[l*w:][:w]
			// Behind the last token its weights stand again: nobody looks there.
			p.columns(row, x[min(i+l, tokens-1)*stride:][:w], a.perUnit)
		}
		to := a.values[i*panel:]
		r0, r1, r2, r3 := a.bytes[:w], a.bytes[w:2*w], a.bytes[2*w:3*w], a.bytes[3*w:4*w]
		for j := range r0 {
			*(*[group]int8)(to[j/panel*panel*all+j%panel*group:]) = weightsOf(r0[j], r1[j], r2[j], r3[j])
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
		p.rescale(to[i*stride:][:a.width], a.acc[i*a.width:], a.none, a.valueScales, a.zeros, 0, 1/float32(a.sums[i]))
	}
}

// weightZero is what is added to weights while they are bytes, from 1 to 255.
const weightZero = 128

// weightsOf are weights of such bytes: their sign is turned.
func weightsOf(a, b, c, d uint8) [group]int8 {
	return [group]int8{int8(a ^ weightZero), int8(b ^ weightZero), int8(c ^ weightZero), int8(d ^ weightZero)}
}

// weightScale is the scale of numbers up to most as weights, and how many weights a unit has.
func weightScale(most float32) (scale, perUnit float32) {
	if most < smallest {
		return 0, 0
	}
	return most / 63, 63 / most
}
