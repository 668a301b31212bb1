package reader

// withAVX is p with the functions of numbers.go by AVX2.
func withAVX(p path) path {
	// Machine code does not look at lengths: slices are cut to them here.
	p.rescale = func(y []float32, acc, sums []int32, scales, biases []float32, zero int32, scale float32) {
		n := len(y)
		rescaleAVX(&y[0], &acc[:n][0], &sums[:n][0], &scales[:n][0], &biases[:n][0], n, zero, scale)
	}
	p.extremes = func(x []float32) (low, high float32) { return extremesAVX(&x[0], len(x)) }
	p.levels = func(to []uint8, x []float32, perUnit float32, zero int32) {
		levelsAVX(&to[:len(x)][0], &x[0], len(x), perUnit, zero)
	}
	p.peaks = func(to, x []float32) { peaksAVX(&to[:len(x)][0], &x[0], len(x)) }
	p.columns = func(to []uint8, x, perUnit []float32) {
		columnsAVX(&to[:len(x)][0], &x[0], &perUnit[:len(x)][0], len(x))
	}
	p.gelu = func(x []float32) { geluAVX(&x[0], len(x), &geluTerms[0], geluEnd) }
	p.weigh = func(to []uint8, x []float32, highest float32) int32 {
		return weighAVX(&to[:len(x)][0], &x[0], len(x), &expTerms[0], highest, expEnd)
	}
	p.sum = func(x []float32) float32 { return sumAVX(&x[0], len(x)) }
	p.squares = func(x []float32, mean float32) float32 { return squaresAVX(&x[0], len(x), mean) }
	p.standardise = func(x, gamma, beta []float32, mean, perDeviation float32) {
		standardiseAVX(&x[0], &gamma[:len(x)][0], &beta[:len(x)][0], len(x), mean, perDeviation)
	}
	p.add = func(x, y []float32) { addAVX(&x[0], &y[:len(x)][0], len(x)) }
	return p
}

//go:noescape
func rescaleAVX(y *float32, acc, sums *int32, scales, biases *float32, n int, zero int32, scale float32)

//go:noescape
func extremesAVX(x *float32, n int) (low, high float32)

//go:noescape
func levelsAVX(to *uint8, x *float32, n int, perUnit float32, zero int32)

//go:noescape
func peaksAVX(to, x *float32, n int)

//go:noescape
func columnsAVX(to *uint8, x, perUnit *float32, n int)

//go:noescape
func geluAVX(x *float32, n int, terms *float32, end float32)

//go:noescape
func weighAVX(to *uint8, x *float32, n int, terms *float32, highest, end float32) (sum int32)

//go:noescape
func sumAVX(x *float32, n int) float32

//go:noescape
func squaresAVX(x *float32, n int, mean float32) float32

//go:noescape
func standardiseAVX(x, gamma, beta *float32, n int, mean, perDeviation float32)

//go:noescape
func addAVX(x, y *float32, n int)
