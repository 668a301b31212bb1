package reader

import (
	_ "embed"
	"sync"
	"unsafe"
)

// weights are in the program's own file: nothing is read until somebody asks.
//
//go:embed reader.bin
var weights string

// Fitted is the reader that was trained for this program. test/eval/reader/train.py made
// its weights.
var Fitted = sync.OnceValues(func() (*Reader, error) {
	return Load(unsafe.Slice(unsafe.StringData(weights), len(weights)))
})
