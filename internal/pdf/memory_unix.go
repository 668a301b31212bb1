//go:build unix

package pdf

import "syscall"

// reserve takes address space, not memory: that comes page by page as PDFium
// touches it, and goes back to the system at once with release.
func reserve(size int) (*memory, error) {
	all, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	return &memory{all: all}, nil
}

func (m *memory) release() error {
	all := m.all
	m.all = nil
	return syscall.Munmap(all)
}
