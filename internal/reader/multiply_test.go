package reader

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// product is one to try, its rows of b as they are read: by output.
type product struct {
	tokens, k, n int
	a            []uint8
	b            []int8
}

func newProduct(tokens, k, n int, a func() uint8, b func() int8) product {
	p := product{tokens: tokens, k: k, n: n, a: make([]uint8, tokens*k), b: make([]int8, k*n)}
	for i := range p.a {
		p.a[i] = a()
	}
	for i := range p.b {
		p.b[i] = b()
	}
	return p
}

// want is the product by its definition.
func (p product) want() []int32 {
	c := make([]int32, p.tokens*p.n)
	for i := range p.tokens {
		for j := range p.n {
			for l := range p.k {
				at := j/panel*panel*p.k + l/group*panel*group + j%panel*group + l%group
				c[i*p.n+j] += int32(p.a[i*p.k+l]) * int32(p.b[at])
			}
		}
	}
	return c
}

// check compares every path of this machine, and what lies behind the product.
func (p product) check(t *testing.T) {
	t.Helper()
	want := append(p.want(), 7, 7, 7, 7)
	for _, path := range paths() {
		got := slices.Repeat([]int32{7}, len(want))
		path.multiply(got[:p.tokens*p.n], p.a, p.b, p.tokens, p.k, p.n)
		if !slices.Equal(got, want) {
			t.Errorf("%s: another product of %d×%d and %d×%d", path.name, p.tokens, p.k, p.k, p.n)
		}
	}
}

func TestPathsMultiplyAlike(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	anyByte := func() uint8 { return uint8(random.UintN(256)) }
	anyWeight := func() int8 { return int8(random.IntN(128) - 64) }
	for tokens := 1; tokens <= 130; tokens++ {
		k, n := group*(1+random.IntN(40)), panel*(1+random.IntN(9))
		newProduct(tokens, k, n, anyByte, anyWeight).check(t)
	}
	newProduct(13, 1536, 96, anyByte, anyWeight).check(t)
	newProduct(7, 4, 16, anyByte, anyWeight).check(t)
	for _, a := range []uint8{0, 1, 127, 128, 255} {
		for _, b := range []int8{-64, -63, 0, 63} {
			newProduct(9, 384, 80, func() uint8 { return a }, func() int8 { return b }).check(t)
		}
	}
}

func BenchmarkMultiply(b *testing.B) {
	random := rand.New(rand.NewPCG(3, 4))
	p := newProduct(150, 384, 1536, func() uint8 { return uint8(random.UintN(256)) }, func() int8 { return int8(random.IntN(128) - 64) })
	c := make([]int32, p.tokens*p.n)
	for _, path := range paths() {
		b.Run(path.name, func(b *testing.B) {
			for b.Loop() {
				path.multiply(c, p.a, p.b, p.tokens, p.k, p.n)
			}
			b.ReportMetric(float64(p.tokens*p.k*p.n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gmac/s")
		})
	}
}
