package whisper

import (
	"encoding/binary"
	"errors"
)

// ONNX files are protocol buffers. A message is a list of fields; the few that we
// look at or change are named here, as onnx.proto numbers them.
const (
	modelVersion = 1
	modelGraph   = 7
	modelOpset   = 8

	graphNode        = 1
	graphName        = 2
	graphInitializer = 5
	graphInput       = 11
	graphOutput      = 12

	nodeInput     = 1
	nodeOutput    = 2
	nodeOp        = 4
	nodeAttribute = 5

	attributeName  = 1
	attributeInt   = 3
	attributeGraph = 6
	attributeKind  = 20

	tensorDims   = 1
	tensorKind   = 2
	tensorFloats = 4
	tensorInts   = 5
	tensorName   = 8
	tensorData   = 9

	valueName = 1
	valueType = 2
)

// Kinds of numbers in a tensor.
const (
	kindFloat = 1
	kindUint8 = 2
	kindInt64 = 7
)

// Wire types.
const (
	wireVarint = 0
	wireFixed8 = 1
	wireBytes  = 2
	wireFixed4 = 5
)

// field is one field of a message. Contents are those of a wireBytes field, or the
// number as it is written.
type field struct {
	number, wire uint64
	contents     []byte
}

var errMessage = errors.New("whisper: the model's file is cut off or no ONNX file")

// parse parts a message into its fields, which are not copied.
func parse(b []byte) (fields []field, err error) {
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		if n <= 0 {
			return nil, errMessage
		}
		f := field{number: tag >> 3, wire: tag & 7}
		if f.contents, b, err = f.cut(b[n:]); err != nil {
			return nil, err
		}
		fields = append(fields, f)
	}
	return fields, nil
}

func (f field) cut(b []byte) (contents, rest []byte, err error) {
	size := uint64(0)
	switch f.wire {
	case wireVarint:
		_, n := binary.Uvarint(b)
		size = uint64(max(n, 0))
	case wireFixed8:
		size = 8
	case wireFixed4:
		size = 4
	case wireBytes:
		length, n := binary.Uvarint(b)
		if n <= 0 {
			return nil, nil, errMessage
		}
		b = b[n:]
		if length == 0 {
			return nil, b, nil
		}
		size = length
	}
	if size == 0 || size > uint64(len(b)) {
		return nil, nil, errMessage
	}
	return b[:size], b[size:], nil
}

// write appends fields to a message.
func write(b []byte, fields ...field) []byte {
	for _, f := range fields {
		b = binary.AppendUvarint(b, f.number<<3|f.wire)
		if f.wire == wireBytes {
			b = binary.AppendUvarint(b, uint64(len(f.contents)))
		}
		b = append(b, f.contents...)
	}
	return b
}

// numberField is a field that holds a whole number.
func numberField(which, n uint64) field {
	return field{which, wireVarint, binary.AppendUvarint(nil, n)}
}

// nameField is a field that holds text.
func nameField(number uint64, s string) field {
	return field{number, wireBytes, []byte(s)}
}

// messageField is a field that holds a message.
func messageField(number uint64, fields ...field) field {
	return field{number, wireBytes, write(nil, fields...)}
}

// all are the contents of the fields of that number.
func all(fields []field, number uint64) (found [][]byte) {
	for _, f := range fields {
		if f.number == number {
			found = append(found, f.contents)
		}
	}
	return found
}

// first is the contents of the first field of that number, or nothing.
func first(fields []field, number uint64) []byte {
	for _, f := range fields {
		if f.number == number {
			return f.contents
		}
	}
	return nil
}
