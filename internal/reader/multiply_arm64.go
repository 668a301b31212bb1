package reader

import "golang.org/x/sys/cpu"

func fastPaths() (all []path) {
	if !cpu.ARM64.HasASIMD {
		return nil
	}
	p := withNEON(portable())
	if cpu.ARM64.HasASIMDDP {
		p.name, p.multiply = "NEON dot products", bySigned(sdot4x16, sdot1x16)
		all = append(all, p)
	}
	p.name, p.multiply = "NEON", bySigned(neon4x16, neon1x16)
	return append(all, p)
}

// rowsOf makes some rows of one panel of c, beginning with the numbers at start.
type rowsOf func(c *int32, a *uint8, b *int8, k, n int, start *int32)

// bySigned multiplies with instructions for signed bytes alone: the machine code takes 128
// from each byte of a, so that the sums must begin with 128 times the weights.
func bySigned(four, one rowsOf) func(c []int32, a []uint8, b []int8, tokens, k, n int) {
	return func(c []int32, a []uint8, b []int8, tokens, k, n int) {
		// Machine code does not look at lengths.
		c, a, b = c[:tokens*n], a[:tokens*k], b[:k*n]
		if len(c) == 0 || k == 0 {
			clear(c)
			return
		}
		start := new([panel]int32)
		for j := 0; j < n; j += panel {
			neonStart(&start[0], &b[j*k], k)
			if tokens < 4 {
				for i := range tokens {
					one(&c[i*n+j], &a[i*k], &b[j*k], k, n, &start[0])
				}
				continue
			}
			for i := 0; i < tokens; i += 4 {
				// The last four rows begin so early that they fit: some are made again.
				row := min(i, tokens-4)
				four(&c[row*n+j], &a[row*k], &b[j*k], k, n, &start[0])
			}
		}
	}
}

//go:noescape
func neonStart(start *int32, b *int8, k int)

//go:noescape
func sdot4x16(c *int32, a *uint8, b *int8, k, n int, start *int32)

//go:noescape
func sdot1x16(c *int32, a *uint8, b *int8, k, n int, start *int32)

//go:noescape
func neon4x16(c *int32, a *uint8, b *int8, k, n int, start *int32)

//go:noescape
func neon1x16(c *int32, a *uint8, b *int8, k, n int, start *int32)
