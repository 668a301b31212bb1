package pdf

import "github.com/tetratelabs/wazero/experimental"

// memory is all that an instance of PDFium can ever have, reserved in one piece
// and given out as it grows. wazero's own way is to copy into ever larger
// slices, which leaves the process with several times the bound.
type memory struct {
	all     []byte
	used    int
	refused bool // more was asked for than there is
}

// Allocate is called once, when the instance starts.
func (m *memory) Allocate(_, _ uint64) experimental.LinearMemory { return m }

// Reallocate returns the first size bytes, or nil when there are not so many.
func (m *memory) Reallocate(size uint64) []byte {
	if size > uint64(len(m.all)) {
		m.refused = true
		return nil
	}
	m.used = int(size)
	return m.all[:size:size]
}

// Free does nothing: wazero calls it while a call may still be on its way out.
// The sandbox releases the memory when nothing runs in it any more.
func (m *memory) Free() {}
