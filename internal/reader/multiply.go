package reader

// panel is how many outputs of a matrix stand together, and group is how many inputs.
const (
	panel = 16
	group = 4
)

// multiplyPortable multiplies by numbers of 64 bits that hold the weights of two outputs:
// one product is then two.
func multiplyPortable(c []int32, a []uint8, b []int8, tokens, k, n int) {
	var held pairs
	for j := 0; j < n; j += panel {
		for i := range tokens {
			clear(c[i*n+j:][:panel])
		}
		for from := 0; from < k; from += len(held) {
			to := min(from+len(held), k)
			held.hold(b[j*k+from*panel : j*k+to*panel])
			for i := range tokens {
				held.addTo((*[panel]int32)(c[i*n+j:]), a[i*k+from:i*k+to])
			}
		}
	}
}

// pairs holds a piece of a panel, by inputs: the weights of one output in the lower half
// of a number, and of another in the upper half.
type pairs [64][panel / 2]int64

func (p *pairs) hold(b []int8) {
	for i := range len(b) / panel {
		four := b[i/group*panel*group+i%group:]
		for j := range p[i] {
			p[i][j] = int64(four[j*group]) + int64(four[(j+panel/2)*group])<<32
		}
	}
}

// addTo adds the products of a to c, four numbers at a time: they fit into registers.
func (p *pairs) addTo(c *[panel]int32, a []uint8) {
	for j := 0; j < panel/2; j += 4 {
		var s0, s1, s2, s3 int64
		for i, v := range a[:min(len(a), len(p))] {
			x, weights := int64(v), (*[4]int64)(p[i][j:])
			s0 += x * weights[0]
			s1 += x * weights[1]
			s2 += x * weights[2]
			s3 += x * weights[3]
		}
		for i, s := range [4]int64{s0, s1, s2, s3} {
			low := int32(s)
			c[j+i] += low
			c[j+i+panel/2] += int32((s - int64(low)) >> 32)
		}
	}
}

// A tile is a piece of machine code that makes some rows and columns of a product: from
// the first element of c, whose rows are n apart, the first row of a, and the first
// panel of b.
type tile struct {
	rows, columns int
	run           func(c *int32, a *uint8, b *int8, k, n int)
}

// tiled multiplies by tiles: the first of them that is not larger than the product, the
// last of which makes one row and one panel.
func tiled(tiles ...tile) func(c []int32, a []uint8, b []int8, tokens, k, n int) {
	return func(c []int32, a []uint8, b []int8, tokens, k, n int) {
		// Machine code does not look at lengths.
		c, a, b = c[:tokens*n], a[:tokens*k], b[:k*n]
		if len(c) == 0 || k == 0 {
			clear(c)
			return
		}
		for j := 0; j < n; {
			t := tileFor(tiles, tokens, n)
			// The last tile begins so early that it fits: it makes some results again.
			from := min(j, n-t.columns)
			for i := 0; i < tokens; i += t.rows {
				row := min(i, tokens-t.rows)
				t.run(&c[row*n+from], &a[row*k], &b[from*k], k, n)
			}
			j += t.columns
		}
	}
}

func tileFor(tiles []tile, tokens, n int) tile {
	for _, t := range tiles {
		if t.rows <= tokens && t.columns <= n {
			return t
		}
	}
	return tiles[len(tiles)-1]
}
