package reader

// withNEON is p with those functions of numbers.go by NEON that take the most time.
func withNEON(p path) path {
	// Machine code does not look at lengths: slices are cut to them here.
	p.rescale = func(y []float32, acc, sums []int32, scales, biases []float32, zero int32, scale float32) {
		n := len(y)
		rescaleNEON(&y[0], &acc[:n][0], &sums[:n][0], &scales[:n][0], &biases[:n][0], n, zero, scale)
	}
	p.extremes = func(x []float32) (low, high float32) { return extremesNEON(&x[0], len(x)) }
	p.levels = func(to []uint8, x []float32, perUnit float32, zero int32) {
		levelsNEON(&to[:len(x)][0], &x[0], len(x), perUnit, zero)
	}
	p.columns = func(to []uint8, x, perUnit []float32) {
		columnsNEON(&to[:len(x)][0], &x[0], &perUnit[:len(x)][0], len(x))
	}
	p.gelu = func(x []float32) { geluNEON(&x[0], len(x), &geluTerms[0], geluEnd) }
	p.weigh = func(to []uint8, x []float32, highest float32) int32 {
		return weighNEON(&to[:len(x)][0], &x[0], len(x), &expTerms[0], highest, expEnd)
	}
	return p
}

//go:noescape
func rescaleNEON(y *float32, acc, sums *int32, scales, biases *float32, n int, zero int32, scale float32)

//go:noescape
func extremesNEON(x *float32, n int) (low, high float32)

//go:noescape
func levelsNEON(to *uint8, x *float32, n int, perUnit float32, zero int32)

//go:noescape
func columnsNEON(to *uint8, x, perUnit *float32, n int)

//go:noescape
func geluNEON(x *float32, n int, terms *float32, end float32)

//go:noescape
func weighNEON(to *uint8, x *float32, n int, terms *float32, highest, end float32) (sum int32)
