package reader

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// row is n random numbers, some of them large, small, nothing, or halfway between whole
// ones.
func row(random *rand.Rand, n int, size float32) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = (2*random.Float32() - 1) * size
		switch random.IntN(9) {
		case 0:
			x[i] = 0
		case 1:
			x[i] = float32(math.Round(float64(x[i]))) + 0.5
		case 2:
			x[i] *= 1e-6
		}
	}
	return x
}

func TestPathsCountAlike(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	for i := range 300 {
		n := panel * (1 + random.IntN(20))
		x := row(random, n, []float32{1, 5, 300, 1e6, 1e-20}[i%5])
		var first []float32
		for _, p := range slices.Backward(paths()) {
			got := counted(&p, x, rand.New(rand.NewPCG(7, uint64(i))))
			if first == nil {
				first = got
			}
			for j := range got {
				if math.Float32bits(got[j]) != math.Float32bits(first[j]) {
					t.Fatalf("%s: number %d of %d numbers is %v, not %v", p.name, j, n, got[j], first[j])
				}
			}
		}
	}
}

// counted is all that a path makes of x, one after the other.
func counted(p *path, x []float32, random *rand.Rand) (all []float32) {
	n := len(x)
	take := func(numbers ...float32) { all = append(all, numbers...) }
	bytes := make([]uint8, n)
	low, high := p.extremes(x)
	take(low, high)
	scale, zero := p.quantise(bytes, x)
	take(scale, float32(zero))
	for _, b := range bytes {
		take(float32(b))
	}
	peak := slices.Repeat([]float32{0.25}, n)
	p.peaks(peak, x)
	take(peak...)
	for i := range peak {
		_, peak[i] = weightScale(peak[i])
	}
	p.columns(bytes, x, peak)
	for _, b := range bytes {
		take(float32(b))
	}
	take(float32(p.weigh(bytes, x, high)))
	for _, b := range bytes {
		take(float32(b))
	}
	mean := p.sum(x) / float32(n)
	take(mean, p.squares(x, mean))
	gamma, beta := row(random, n, 2), row(random, n, 2)
	y := slices.Clone(x)
	p.normalise(y, gamma, beta)
	take(y...)
	p.add(y, x)
	take(y...)
	p.gelu(y)
	take(y...)
	acc, sums := make([]int32, n), make([]int32, n)
	for i := range acc {
		acc[i], sums[i] = random.Int32N(50e6)-25e6, random.Int32N(200e3)-100e3
	}
	p.rescale(y, acc, sums, gamma, beta, random.Int32N(256), 0.01)
	take(y...)
	return all
}

func TestBytesStandForNumbers(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(8, 9))
	for _, p := range paths() {
		for _, size := range []float32{1e-25, 1, 1e4} {
			x := row(random, 64, size)
			bytes := make([]uint8, len(x))
			scale, zero := p.quantise(bytes, x)
			for i, b := range bytes {
				if got := scale * float32(int32(b)-zero); math.Abs(float64(got-x[i])) > 1.01*float64(scale) {
					t.Errorf("%s: %v stands for %v", p.name, x[i], got)
				}
			}
		}
		bytes := []uint8{15: 1}
		if scale, zero := p.quantise(bytes, make([]float32, 16)); scale != 0 || zero != 0 || bytes[15] != 0 {
			t.Errorf("%s: nothing is %v with %v and %v", p.name, bytes, scale, zero)
		}
	}
}

func TestGeluIsNear(t *testing.T) {
	t.Parallel()
	for _, p := range paths() {
		for v := float32(-30); v < 30; v += 0.01 {
			x := slices.Repeat([]float32{v}, panel)
			p.gelu(x)
			if want := plainGelu(float64(v)); math.Abs(float64(x[0])-want) > 1e-4 {
				t.Fatalf("%s: gelu(%v) is %v, not %v", p.name, v, x[0], want)
			}
		}
	}
}

func TestWeightsAreNear(t *testing.T) {
	t.Parallel()
	for _, p := range paths() {
		for v := float32(-100); v <= 0; v += 0.01 {
			x := slices.Repeat([]float32{v}, panel)
			to := make([]uint8, panel)
			sum := p.weigh(to, x, 0)
			if want := 255 * math.Exp(float64(v)); math.Abs(float64(to[0])-want) > 0.501 || sum != panel*int32(to[0]) {
				t.Fatalf("%s: the weight of %v is %v, not %v, and the sum %v", p.name, v, to[0], want, sum)
			}
		}
	}
}
