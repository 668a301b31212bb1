package reader

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"unsafe"
)

// A file of weights, all numbers little endian:
//
//	"fdread1\n"
//	uint32    hidden, heads, inner, layers, pieces, positions
//	pieces    uint8 length and UTF-8 of each
//	int8      words      [pieces][hidden]
//	float32   scales of words [pieces]
//	float32   positions  [positions][hidden]
//	float32   types      [2][hidden]
//	float32   gamma, beta [hidden] each
//	layers    qkv (hidden to 3·hidden), out (hidden to hidden), gamma, beta,
//	          up (hidden to inner), down (inner to hidden), gamma, beta
//	float32   head [hidden]
//	float32   bias [1]
//	uint32    length of what follows
//	JSON      what the file was made from
//
// Each array begins at a multiple of 64 bytes from the beginning of the file, and so does
// the length of the JSON. A linear part is four arrays: int8 weights [out/16][in/4][16][4],
// that is panels of 16 outputs, in each of them four inputs of every output after four
// inputs of every output; float32 scales [out]; float32 biases [out]; int32 sums of the
// weights [out]. Weights are from -64 to 63.
const magic = "fdread1\n"

// The largest network that is read: what is larger was not made by us.
const (
	mostHidden = 1024
	mostInner  = 4096
	mostDepth  = 24
	mostPieces = 1 << 17
	mostPlaces = 1024
	mostNumber = 4096 // of scales, biases and the like, so that no sum overflows
)

const alignment = 64

// shape is the sizes of a network.
type shape struct {
	hidden, heads, inner, depth, pieces, places int
}

func (s shape) check() error {
	switch {
	case s.hidden < 1 || s.hidden > mostHidden, s.heads < 1 || s.heads > s.hidden,
		s.inner < 1 || s.inner > mostInner, s.depth < 1 || s.depth > mostDepth,
		s.pieces < specials || s.pieces > mostPieces, s.places < longest || s.places > mostPlaces:
		return fmt.Errorf("sizes out of range: %+v", s)
	case s.hidden%(s.heads*panel) != 0, s.inner%panel != 0:
		return fmt.Errorf("sizes are no multiples of %d: %+v", panel, s)
	}
	return nil
}

// network is what a file holds. Its slices lie in the file.
type network struct {
	shape
	vocabulary  *Vocabulary
	words       []int8
	wordScales  []float32
	positions   []float32
	types       []float32
	gamma, beta []float32
	layers      []layer
	head        []float32
	bias        float32
	origin      []byte
}

// layer is one of the network.
type layer struct {
	query, keyValue linear
	out             linear
	gamma1, beta1   []float32
	up, down        linear
	gamma2, beta2   []float32
}

// linear is one linear part of a layer: outputs of inputs.
type linear struct {
	in, out int
	weights []int8
	scales  []float32
	biases  []float32
	sums    []int32
}

// part is the outputs of l from one to before another.
func (l linear) part(from, to int) linear {
	return linear{l.in, to - from, l.weights[from*l.in : to*l.in], l.scales[from:to], l.biases[from:to], l.sums[from:to]}
}

// file is read from front to back. The first fault stays; what is read after it is empty.
type file struct {
	bytes []byte
	at    int
	err   error
}

// parse is the network of a file.
func parse(bytes []byte) (*network, error) {
	f := &file{bytes: bytes}
	if string(f.next(len(magic))) != magic {
		return nil, errors.New("this is no file of a reader's weights")
	}
	n := &network{}
	for _, size := range []*int{&n.hidden, &n.heads, &n.inner, &n.depth, &n.pieces, &n.places} {
		*size = f.size()
	}
	if f.err != nil {
		return nil, f.err
	}
	if err := n.check(); err != nil {
		return nil, err
	}
	var err error
	if n.vocabulary, err = f.vocabulary(n.pieces); err != nil {
		return nil, err
	}
	f.tensors(n)
	n.origin = f.origin()
	if f.err == nil && f.at != len(bytes) {
		f.err = fmt.Errorf("%d bytes follow the end", len(bytes)-f.at)
	}
	return n, f.err
}

// tensors reads all arrays of n.
func (f *file) tensors(n *network) {
	n.words = f.small(n.pieces * n.hidden)
	n.wordScales = f.floats(n.pieces)
	n.positions = f.floats(n.places * n.hidden)
	n.types = f.floats(2 * n.hidden)
	n.gamma, n.beta = f.floats(n.hidden), f.floats(n.hidden)
	for range n.depth {
		if f.err != nil {
			return
		}
		n.layers = append(n.layers, f.layer(n.shape))
	}
	n.head = f.floats(n.hidden)
	if bias := f.floats(1); f.err == nil {
		n.bias = bias[0]
	}
}

func (f *file) layer(s shape) (l layer) {
	both := f.linear(s.hidden, 3*s.hidden)
	l.out = f.linear(s.hidden, s.hidden)
	l.gamma1, l.beta1 = f.floats(s.hidden), f.floats(s.hidden)
	l.up = f.linear(s.hidden, s.inner)
	l.down = f.linear(s.inner, s.hidden)
	l.gamma2, l.beta2 = f.floats(s.hidden), f.floats(s.hidden)
	if f.err == nil {
		l.query, l.keyValue = both.part(0, s.hidden), both.part(s.hidden, 3*s.hidden)
	}
	return l
}

func (f *file) linear(in, out int) linear {
	l := linear{in, out, f.small(in * out), f.floats(out), f.floats(out), f.whole(out)}
	if f.err == nil {
		f.err = l.check()
	}
	return l
}

// check finds weights that not every path multiplies alike, and those that were packed in
// another order: the sums were made before that.
func (l linear) check() error {
	if !inRange(l.weights) {
		return errors.New("a weight is not between -64 and 63")
	}
	ones := make([]uint8, l.in)
	for i := range ones {
		ones[i] = 1
	}
	sums := make([]int32, l.out)
	p := best()
	p.multiply(sums, ones, l.weights, 1, l.in, l.out)
	for i, sum := range sums {
		if sum != l.sums[i] {
			return fmt.Errorf("the weights of output %d add up to %d, not to %d", i, sum, l.sums[i])
		}
	}
	return nil
}

// inRange tells whether weights are between -64 and 63: their two highest bits are alike.
// It looks at eight of them at a time, as there are millions.
func inRange(weights []int8) bool {
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(weights))), len(weights))
	unlike := uint64(0)
	for ; len(b) >= 8; b = b[8:] {
		eight := binary.LittleEndian.Uint64(b)
		unlike |= eight ^ eight<<1
	}
	return unlike&0x8080808080808080 == 0
}

// next is the next n bytes.
func (f *file) next(n int) []byte {
	if f.err == nil && n > len(f.bytes)-f.at {
		f.err = fmt.Errorf("the file ends after %d bytes", len(f.bytes))
	}
	if f.err != nil {
		return nil
	}
	f.at += n
	return f.bytes[f.at-n : f.at]
}

// array is the next n bytes behind the padding.
func (f *file) array(n int) []byte {
	f.next(-f.at & (alignment - 1))
	return f.next(n)
}

func (f *file) size() int {
	if b := f.next(4); b != nil {
		return int(min(binary.LittleEndian.Uint32(b), 1<<30))
	}
	return 0
}

// vocabulary reads the names of pieces. They are one string in memory.
func (f *file) vocabulary(pieces int) (*Vocabulary, error) {
	from := f.at
	ends := make([]int, pieces)
	for i := range ends {
		if length := f.next(1); length != nil {
			f.next(int(length[0]))
		}
		ends[i] = f.at - from
	}
	if f.err != nil {
		return nil, f.err
	}
	text := string(f.bytes[from:f.at])
	names := make([]string, pieces)
	start := 0
	for i, end := range ends {
		names[i], start = text[start+1:end], end
	}
	return NewVocabulary(names)
}

// origin is the JSON at the end.
func (f *file) origin() []byte {
	f.array(0)
	text := f.next(f.size())
	if f.err == nil && !json.Valid(text) {
		f.err = errors.New("what the file was made from is no JSON")
	}
	return text
}

func (f *file) small(n int) []int8 {
	b := f.array(n)
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}

func (f *file) whole(n int) []int32 { return view[int32](f.array(4 * n)) }

func (f *file) floats(n int) []float32 {
	all := view[float32](f.array(4 * n))
	for _, v := range all {
		if !(v >= -mostNumber && v <= mostNumber) {
			f.err = fmt.Errorf("the number %g is not between ±%d", v, mostNumber)
			return nil
		}
	}
	return all
}

// view is numbers where they lie, or a copy on a machine that cannot read them there.
func view[T int32 | float32](b []byte) []T {
	if len(b) == 0 {
		return nil
	}
	if uintptr(unsafe.Pointer(&b[0]))%4 == 0 && binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(b)/4)
	}
	all := make([]T, len(b)/4)
	for i := range all {
		v := binary.LittleEndian.Uint32(b[4*i:])
		all[i] = *(*T)(unsafe.Pointer(&v))
	}
	return all
}
