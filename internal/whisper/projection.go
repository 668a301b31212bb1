package whisper

import (
	"fmt"
	"math"

	"frontdesk.dev/frontdesk/internal/onnx"
)

// projection compares a state of the decoder with every word: a product of a row
// with the table of words, in whole numbers of 8 bits. The state is given as two
// rows of 8 bits, the second holding what the first had to leave out, so that
// nothing of note is lost.
type projection struct {
	session *onnx.Session
	scale   float64
	width   int
	rows    []uint8    // two of width
	scales  [2]float32 // of the rows
}

// wordTable is the decoder's table of words: one row of width bytes for each.
type wordTable struct {
	rows         []byte
	words, width int
	zero         byte
	scale        float32
}

// projectionModel is a model that multiplies two rows with the table.
func (w wordTable) projectionModel() []byte {
	columns := make([]byte, len(w.rows))
	for i := range w.words {
		for j, b := range w.rows[i*w.width:][:w.width] {
			columns[j*w.words+i] = b
		}
	}
	const middle = 128
	graph := []field{
		node("MatMulInteger", []string{"state", "words", "middle", "zero"}, "products"),
		node("Cast", []string{"products"}, "wide", whole("to", kindFloat)),
		node("Mul", []string{"wide", "scales"}, "scaled"),
		node("ReduceSum", []string{"scaled", "rows"}, "logits", whole("keepdims", 0)),
		nameField(graphName, "projection"),
		constant("words", kindUint8, columns, w.width, w.words),
		constant("middle", kindUint8, []byte{middle}),
		constant("zero", kindUint8, []byte{w.zero}),
		constant("rows", kindInt64, make([]byte, 8), 1),
		value(graphInput, "state", kindUint8, 2, uint64(w.width)),
		value(graphInput, "scales", kindFloat, 2, 1),
		value(graphOutput, "logits", kindFloat, uint64(w.words)),
	}
	const format, opset, opsetVersion = 8, 13, 2
	return write(nil, numberField(modelVersion, format), messageField(modelOpset, numberField(opsetVersion, opset)), messageField(modelGraph, graph...))
}

func node(op string, inputs []string, output string, attributes ...field) field {
	var fields []field
	for _, i := range inputs {
		fields = append(fields, nameField(nodeInput, i))
	}
	fields = append(fields, nameField(nodeOutput, output), nameField(nodeOp, op))
	return messageField(graphNode, append(fields, attributes...)...)
}

// whole is an attribute of a node that is a whole number.
func whole(called string, n uint64) field {
	const kindInt = 2
	return messageField(nodeAttribute, nameField(attributeName, called), numberField(attributeInt, n), numberField(attributeKind, kindInt))
}

func constant(called string, kind uint64, data []byte, dims ...int) field {
	var fields []field
	for _, d := range dims {
		fields = append(fields, numberField(tensorDims, uint64(d)))
	}
	fields = append(fields, numberField(tensorKind, kind), nameField(tensorName, called), field{tensorData, wireBytes, data})
	return messageField(graphInitializer, fields...)
}

func newProjection(r *onnx.Runtime, w wordTable, o onnx.Options) (*projection, error) {
	session, err := r.NewSession(w.projectionModel(), o)
	if err != nil {
		return nil, fmt.Errorf("whisper: loading the table of words: %w", err)
	}
	return &projection{session: session, scale: float64(w.scale), width: w.width, rows: make([]uint8, 2*w.width)}, nil
}

// logits are how well each word fits a state. The caller closes the value.
func (p *projection) logits(r *onnx.Runtime, state []float32) (*onnx.Value, error) {
	p.quantise(state)
	rows, err := r.Bytes(p.rows, 2, int64(p.width))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	scales, err := r.Floats(p.scales[:], 2, 1)
	if err != nil {
		return nil, err
	}
	defer scales.Close()
	out, err := p.session.Run(map[string]*onnx.Value{"state": rows, "scales": scales}, "logits")
	if err != nil {
		return nil, fmt.Errorf("whisper: comparing with words: %w", err)
	}
	return out[0], nil
}

// quantise writes a state as two rows of bytes around 128.
func (p *projection) quantise(state []float32) {
	const steps = 127
	largest := 0.0
	for _, v := range state {
		largest = max(largest, math.Abs(float64(v)))
	}
	coarse := max(largest, 1e-9) / steps
	fine := coarse / 2 / steps
	for i, v := range state {
		c := math.Round(float64(v) / coarse)
		f := math.Round((float64(v) - c*coarse) / fine)
		p.rows[i], p.rows[p.width+i] = uint8(128+c), uint8(128+f)
	}
	p.scales = [2]float32{float32(coarse * p.scale), float32(fine * p.scale)}
}
