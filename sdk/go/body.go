package frontdesk

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// errEnded is what a transport gets that still reads after its attempt.
var errEnded = errors.New("frontdesk: the attempt is over")

// body is what a request sends: once, or again where it can be read again.
type body interface {
	// attempt returns what to send now, and its length; -1: unknown.
	attempt() (io.ReadCloser, int64, error)
	// end ends the attempt. It says whether there can be another one, and
	// returns an error of the source itself.
	end() (again bool, err error)
}

type bytesBody []byte

func (b bytesBody) attempt() (io.ReadCloser, int64, error) {
	return io.NopCloser(bytes.NewReader(b)), int64(len(b)), nil
}

func (b bytesBody) end() (bool, error) { return true, nil }

// jsonBody marshals v; nil is no body.
func jsonBody(v any) (body, error) {
	if v == nil {
		return nil, nil
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("frontdesk: writing the request: %w", err)
	}
	return bytesBody(text), nil
}

// streamBody sends what a reader has. A transport may go on reading when its
// attempt is over, so each attempt has its own gate to the reader, and the gate
// is shut before the reader is used again.
type streamBody struct {
	from  io.Reader
	seek  io.Seeker // nil: can be read once
	start int64
	size  int64 // -1: unknown
	gate  *gate
}

func newStreamBody(from io.Reader) *streamBody {
	b := &streamBody{from: from, size: -1}
	if s, ok := from.(io.Seeker); ok {
		b.measure(s)
	} else if l, ok := from.(interface{ Len() int }); ok {
		b.size = int64(l.Len())
	}
	return b
}

// measure finds out how much there is from here to the end. A pipe has a Seek
// too, but one that fails: it can be read once.
func (b *streamBody) measure(s io.Seeker) {
	start, err := s.Seek(0, io.SeekCurrent)
	if err != nil {
		return
	}
	end, err := s.Seek(0, io.SeekEnd)
	if err != nil {
		return
	}
	if _, err := s.Seek(start, io.SeekStart); err != nil {
		return
	}
	b.seek, b.start, b.size = s, start, max(end-start, 0)
}

func (b *streamBody) attempt() (io.ReadCloser, int64, error) {
	if b.gate != nil && b.seek != nil {
		if _, err := b.seek.Seek(b.start, io.SeekStart); err != nil {
			return nil, 0, fmt.Errorf("frontdesk: going back to the beginning of the file: %w", err)
		}
	}
	b.gate = &gate{from: b.from}
	return b.gate, b.size, nil
}

func (b *streamBody) end() (bool, error) {
	untouched, err := b.gate.shut()
	if b.seek == nil {
		return untouched, err // not waited for: such a source may block for ever
	}
	b.gate.reading.Lock()
	defer b.gate.reading.Unlock()
	return true, err
}

// gate lets one attempt read.
type gate struct {
	from io.Reader

	reading sync.Mutex // held while from is read
	mu      sync.Mutex // guards what follows
	touched bool
	closed  bool
	err     error
}

func (g *gate) Read(p []byte) (int, error) {
	g.reading.Lock()
	defer g.reading.Unlock()
	if !g.enter() {
		return 0, errEnded
	}
	n, err := g.from.Read(p)
	if err != nil && err != io.EOF {
		g.mu.Lock()
		g.err = err
		g.mu.Unlock()
	}
	return n, err
}

func (g *gate) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.touched = true
	return true
}

// Close is the transport's; the reader itself stays its owner's.
func (g *gate) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	return nil
}

func (g *gate) shut() (untouched bool, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	return !g.touched, g.err
}
