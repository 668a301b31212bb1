//go:build !unix

package pdf

func reserve(size int) (*memory, error) { return &memory{all: make([]byte, size)}, nil }

func (m *memory) release() error {
	m.all = nil
	return nil
}
