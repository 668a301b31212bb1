package reader

import "math"

// Every product here is rounded before anything is added to it: a machine that would do
// both at once, as arm64 does, would get other bits. Lengths are multiples of 16, and
// not 0.

// lanes is into how many sums a long sum is divided, and toLevel is the number whose
// addition to a small one rounds it to a whole number, the even one where two are as near.
const (
	lanes   = 8
	toLevel = 3 << 22
)

// smallest is the range of numbers below which all of them are taken for nothing.
const smallest = 1e-30

// rounded is x as a whole number. x is between ±4 million.
func rounded(x float32) int32 {
	return int32(math.Float32bits(x+toLevel)) - int32(math.Float32bits(toLevel))
}

// rescale sets y to the numbers that a row of sums stands for. The row was made of bytes
// that stand for scale·(byte-zero), and of weights that stand for scales·weight, whose
// sums by output are sums.
func rescale(y []float32, acc, sums []int32, scales, biases []float32, zero int32, scale float32) {
	acc, sums, scales, biases = acc[:len(y)], sums[:len(y)], scales[:len(y)], biases[:len(y)]
	for i := range y {
		y[i] = float32(float32(float32(acc[i]-zero*sums[i])*scales[i])*scale) + biases[i]
	}
}

// quantise sets to to bytes that stand for x: scale·(byte-zero) is nearly x.
func (p *path) quantise(to []uint8, x []float32) (scale float32, zero int32) {
	low, high := p.extremes(x)
	low, high = min(low, 0), max(high, 0)
	if high-low < smallest {
		clear(to)
		return 0, 0
	}
	perUnit := 255 / (high - low)
	zero = rounded(float32(-low * perUnit))
	p.levels(to, x, perUnit, zero)
	return (high - low) / 255, zero
}

// extremes are the smallest and the largest of x.
func extremes(x []float32) (low, high float32) {
	lows, highs := [lanes]float32(x), [lanes]float32(x)
	for x = x[lanes:]; len(x) >= lanes; x = x[lanes:] {
		for i, v := range (*[lanes]float32)(x) {
			if v < lows[i] {
				lows[i] = v
			}
			if v > highs[i] {
				highs[i] = v
			}
		}
	}
	low, high = lows[0], highs[0]
	for i := range lanes {
		low, high = min(low, lows[i]), max(high, highs[i])
	}
	return low, high
}

// levels sets to to zero and x·perUnit as whole numbers, from 0 to 255.
func levels(to []uint8, x []float32, perUnit float32, zero int32) {
	to = to[:len(x)]
	for i, v := range x {
		to[i] = uint8(min(max(rounded(float32(v*perUnit))+zero, 0), 255))
	}
}

// peaks raises each of to to that of x, without its sign.
func peaks(to, x []float32) {
	to = to[:len(x)]
	for i, v := range x {
		to[i] = max(to[i], math.Float32frombits(math.Float32bits(v)&^(1<<31)))
	}
}

// columns sets to to weightZero and x·perUnit as whole numbers, column by column.
func columns(to []uint8, x, perUnit []float32) {
	to, perUnit = to[:len(x)], perUnit[:len(x)]
	for i, v := range x {
		to[i] = uint8(min(max(rounded(float32(v*perUnit[i]))+weightZero, 0), 255))
	}
}

// gelu replaces x by x·Φ(x), Φ being the normal distribution. Up to geluEnd it is a
// polynomial, within 0.0001 of it, and beyond it is x or nothing.
func gelu(x []float32) {
	for i, v := range x {
		u := v
		if u > geluEnd {
			u = geluEnd
		}
		if u < -geluEnd {
			u = -geluEnd
		}
		q := float32(u * u)
		h := geluTerms[0]
		for _, term := range geluTerms[1:] {
			h = float32(h*q) + term
		}
		x[i] = float32(v * (float32(u*h) + 0.5))
	}
}

const geluEnd = 4.5

// geluTerms are those of (Φ(u)-0.5)/u by powers of u², the highest first. They were fitted to the
// least error of u·Φ(u) among those that make Φ one at the end.
var geluTerms = [9]float32{
	2.99996243e-11, -3.28387184e-09, 1.58024193e-07, -4.43165345e-06, 8.12093494e-05,
	-0.00103625085, 0.00958064385, -0.065977253, 0.398708552,
}

// weigh sets to to 255·exp(x-highest), in whole numbers, and returns their sum. No x is
// above highest.
func weigh(to []uint8, x []float32, highest float32) (sum int32) {
	to = to[:len(x)]
	for i, v := range x {
		v -= highest
		if v < expEnd {
			v = expEnd
		}
		v = float32(v * 0.125)
		h := expTerms[0]
		for _, term := range expTerms[1:] {
			h = float32(h*v) + term
		}
		h = float32(h * h)
		h = float32(h * h)
		h = float32(h * h)
		to[i] = uint8(int32(float32(255*h) + 0.5))
		sum += int32(to[i])
	}
	return sum
}

// expEnd is where exp is nothing, in parts of 255.
const expEnd = -8

// expTerms are those of exp between -1 and 0, the highest power first: what they give is
// taken to the eighth power.
var expTerms = [6]float32{0.00594257331, 0.0400601625, 0.16620335, 0.499946803, 0.999998212, 1}

// normalise moves x to a mean of 0 and a variance of 1, and from there to gamma and beta.
func (p *path) normalise(x, gamma, beta []float32) {
	share := 1 / float32(len(x))
	mean := float32(p.sum(x) * share)
	variance := float32(p.squares(x, mean) * share)
	p.standardise(x, gamma, beta, mean, 1/float32(math.Sqrt(float64(variance+1e-12))))
}

// sum adds up x.
func sum(x []float32) float32 {
	var sums [lanes]float32
	for ; len(x) >= lanes; x = x[lanes:] {
		for i, v := range (*[lanes]float32)(x) {
			sums[i] += v
		}
	}
	return together(&sums)
}

// squares adds up the squares of what x is away from its mean.
func squares(x []float32, mean float32) float32 {
	var sums [lanes]float32
	for ; len(x) >= lanes; x = x[lanes:] {
		for i, v := range (*[lanes]float32)(x) {
			sums[i] += float32((v - mean) * (v - mean))
		}
	}
	return together(&sums)
}

// together adds up sums in the order in which registers are halved.
func together(s *[lanes]float32) float32 {
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

func standardise(x, gamma, beta []float32, mean, perDeviation float32) {
	gamma, beta = gamma[:len(x)], beta[:len(x)]
	for i, v := range x {
		x[i] = float32(float32((v-mean)*perDeviation)*gamma[i]) + beta[i]
	}
}

// add adds y to x.
func add(x, y []float32) {
	y = y[:len(x)]
	for i := range x {
		x[i] += y[i]
	}
}
