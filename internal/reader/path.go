package reader

// A path is one way to do the arithmetic. All paths give the same numbers to the bit, so
// that a score does not depend on the machine.
type path struct {
	name string

	// multiply sets c, of tokens×n, to the product of a, of tokens×k, and b, of k×n. k is a
	// multiple of 4 and n of 16. b stands in panels of 16 outputs, [n/16][k/4][16][4], and
	// has only numbers from -64 to 63: the sum of two products then fits into 16 bits, with
	// which most machines do it.
	multiply func(c []int32, a []uint8, b []int8, tokens, k, n int)

	// The others are what the functions of these names in numbers.go do.
	rescale     func(y []float32, acc, sums []int32, scales, biases []float32, zero int32, scale float32)
	extremes    func(x []float32) (low, high float32)
	levels      func(to []uint8, x []float32, perUnit float32, zero int32)
	peaks       func(to, x []float32)
	columns     func(to []uint8, x, perUnit []float32)
	gelu        func(x []float32)
	weigh       func(to []uint8, x []float32, highest float32) (sum int32)
	sum         func(x []float32) float32
	squares     func(x []float32, mean float32) float32
	standardise func(x, gamma, beta []float32, mean, perDeviation float32)
	add         func(x, y []float32)
}

// portable is the path that every machine has.
func portable() path {
	return path{
		name: "portable", multiply: multiplyPortable,
		rescale: rescale, extremes: extremes, levels: levels, peaks: peaks, columns: columns, gelu: gelu, weigh: weigh,
		sum: sum, squares: squares, standardise: standardise, add: add,
	}
}

// best is the fastest path that this machine has.
func best() path { return paths()[0] }

// paths are all that this machine has, the fastest first.
func paths() []path { return append(fastPaths(), portable()) }
