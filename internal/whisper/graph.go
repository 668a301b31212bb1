package whisper

import (
	"encoding/binary"
	"math"
)

// The models were exported to be run anywhere, not to be run fast. Two changes
// make an utterance of five seconds four times as fast, and change no result of
// note:
//
//   - The encoder adds a table of 1,500 positions to as many frames, which are
//     30 s. All else in it takes any length. Here the table is an input as well,
//     and may be replaced by its first rows.
//   - The decoder compares each position with every word of the vocabulary, and
//     makes floats of the whole table of words each time. Here that step is left
//     out, and done by a small model of its own, for the positions that matter,
//     with the table as it is.

const positionsName = "embed_positions.weight"

// tensor is a constant of a model.
type tensor struct {
	kind   uint64
	dims   []uint64
	floats []byte // as they are written, if not in data
	ints   []byte
	data   []byte
}

// constants are the initializers of a graph, by name.
func constants(graph []field) (map[string]tensor, error) {
	found := map[string]tensor{}
	for _, b := range all(graph, graphInitializer) {
		fields, err := parse(b)
		if err != nil {
			return nil, err
		}
		t := tensor{floats: first(fields, tensorFloats), ints: first(fields, tensorInts), data: first(fields, tensorData)}
		t.kind, _ = binary.Uvarint(first(fields, tensorKind))
		for _, f := range fields {
			if f.number == tensorDims {
				t.dims = append(t.dims, numbers(f.contents)...)
			}
		}
		found[string(first(fields, tensorName))] = t
	}
	return found, nil
}

// numbers are whole numbers that are written one behind the other.
func numbers(b []byte) (ns []uint64) {
	for len(b) > 0 {
		n, size := binary.Uvarint(b)
		if size <= 0 {
			return ns
		}
		ns, b = append(ns, n), b[size:]
	}
	return ns
}

// table is a tensor of floats, if it is one.
func (t tensor) table() []float32 {
	b := t.data
	if len(b) == 0 {
		b = t.floats
	}
	if t.kind != kindFloat || len(b)%4 != 0 {
		return nil
	}
	floats := make([]float32, len(b)/4)
	for i := range floats {
		floats[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return floats
}

// small is a tensor of one byte.
func (t tensor) small() (byte, bool) {
	if len(t.data) == 1 {
		return t.data[0], true
	}
	ns := numbers(t.ints)
	if len(ns) == 1 && ns[0] < 256 {
		return byte(ns[0]), true
	}
	return 0, false
}

// shortened is an encoder that takes any length of sound, and the table whose
// first rows it is to be given. Without a table it is as it was.
func shortened(model []byte, positions int, width int64) ([]byte, []float32, error) {
	fields, err := parse(model)
	if err != nil {
		return nil, nil, err
	}
	graph, err := parse(first(fields, modelGraph))
	if err != nil {
		return nil, nil, err
	}
	known, err := constants(graph)
	if err != nil {
		return nil, nil, err
	}
	table := known[positionsName].table()
	if len(table) != positions*int(width) {
		return model, nil, nil
	}
	// Two messages in the place of one are one message with the fields of both: it
	// is enough to append one.
	return write(model, messageField(modelGraph, value(graphInput, positionsName, kindFloat, 0, uint64(width)))), table, nil
}

// value declares an input or an output. A dimension of zero may have any size;
// without dimensions nothing is said about them.
func value(number uint64, called string, kind uint64, dims ...uint64) field {
	const tensorType, elementKind, shape, dimension, size = 1, 1, 2, 1, 1
	form := []field{numberField(elementKind, kind)}
	var sizes []field
	for _, d := range dims {
		if d == 0 {
			sizes = append(sizes, messageField(dimension))
			continue
		}
		sizes = append(sizes, messageField(dimension, numberField(size, d)))
	}
	if len(dims) > 0 {
		form = append(form, messageField(shape, sizes...))
	}
	return messageField(number, nameField(valueName, called), messageField(valueType, messageField(tensorType, form...)))
}
