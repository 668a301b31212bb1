package reader

// panel is how many outputs of a matrix stand together, and group is how many inputs.
const (
	panel = 16
	group = 4
)

func multiplyPortable(c []int32, a []uint8, b []int8, tokens, k, n int) {
	for token := range tokens {
		row := a[token*k:][:k]
		for j := 0; j < n; j += panel {
			multiplyPanel((*[panel]int32)(c[token*n+j:]), row, b[j*k:][:panel*k])
		}
	}
}

func multiplyPanel(c *[panel]int32, a []uint8, b []int8) {
	clear(c[:])
	for len(a) >= group && len(b) >= panel*group {
		a0, a1, a2, a3 := int32(a[0]), int32(a[1]), int32(a[2]), int32(a[3])
		step := (*[panel * group]int8)(b)
		for j := range c {
			c[j] += a0*int32(step[4*j]) + a1*int32(step[4*j+1]) + a2*int32(step[4*j+2]) + a3*int32(step[4*j+3])
		}
		a, b = a[group:], b[panel*group:]
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
